"""Convert between IRIs and pyoxigraph `NamedNode` objects."""

from __future__ import annotations

from uriverse import _engine
from uriverse._engine import Identifier
from uriverse._extras import not_installed
from uriverse._identifiers import IRI
from uriverse.rdf import _terms

try:
    from pyoxigraph import NamedNode
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "pyoxigraph") from missing

__all__ = ["from_named_node", "to_named_node"]
__dir__ = __all__.copy


def to_named_node(iri: str | Identifier, /) -> NamedNode:
    """Convert an IRI to a pyoxigraph `NamedNode` without changing a character.

    Args:
        iri: an IRI: a string, or one of the four URI types.

    Raises:
        ConvertError: the reference has no scheme. In an RDF graph, every IRI has a scheme.
        ParseError: the string is not a valid IRI reference.
        TypeError: `iri` is neither a `str` nor a URI.

    >>> to_named_node("http://example.org/rosé").value
    'http://example.org/rosé'
    """
    return NamedNode(_terms.iri_text(iri))


def from_named_node(node: NamedNode, /) -> IRI:
    """Convert a pyoxigraph `NamedNode` to an IRI without changing a character.

    Args:
        node: a `NamedNode`.

    Returns:
        The IRI: a `URI` if it is ASCII.

    Raises:
        ParseError: RFC 3987 does not allow the IRI, although pyoxigraph has accepted it.
        TypeError: `node` is not a `NamedNode`; for example, it is a `Literal` or a `BlankNode`.

    >>> from pyoxigraph import NamedNode
    >>> from_named_node(NamedNode("http://example.org/rosé")).path
    '/rosé'
    """
    if not isinstance(node, NamedNode):
        raise TypeError(f"expected a NamedNode, not {type(node).__name__}")
    return _engine.parse(_terms.iri_text(node.value))  # type: ignore[return-value]  # it has a scheme
