"""Convert between IRIs and rdflib `URIRef` objects."""

from __future__ import annotations

from uriverse import _engine
from uriverse._engine import Identifier
from uriverse._extras import not_installed
from uriverse._identifiers import IRI
from uriverse.rdf import _terms

try:
    from rdflib.term import URIRef
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "rdflib") from missing

__all__ = ["from_uriref", "to_uriref"]
__dir__ = __all__.copy


def to_uriref(iri: str | Identifier, /) -> URIRef:
    """Convert an IRI to a `URIRef` of rdflib, with the same characters.

    Args:
        iri: an IRI: a string, or one of the four URI types.

    Raises:
        ConvertError: the reference has no scheme. In an RDF graph, every IRI has a scheme.
        ParseError: the string is not a valid IRI reference.
        TypeError: `iri` is neither a `str` nor a URI.

    >>> to_uriref("http://example.org/rosé")
    rdflib.term.URIRef('http://example.org/rosé')
    """
    return URIRef(_terms.iri_text(iri))


def from_uriref(ref: URIRef, /) -> IRI:
    """Convert a `URIRef` of rdflib to an IRI, with the same characters.

    rdflib does not validate IRIs, so a graph can contain invalid ones.

    Args:
        ref: a `URIRef`.

    Returns:
        The IRI: a `URI` if it is ASCII.

    Raises:
        ConvertError: the reference has no scheme.
        ParseError: the `URIRef` is not a valid IRI reference.
        TypeError: `ref` is not a `URIRef`; for example, it is a `Literal` or a `BNode`.

    >>> from rdflib import URIRef
    >>> from_uriref(URIRef("http://example.org/rosé")).path
    '/rosé'
    """
    if not isinstance(ref, URIRef):
        raise TypeError(f"expected a URIRef, not {type(ref).__name__}")
    return _engine.parse(_terms.iri_text(ref))  # type: ignore[return-value]  # it has a scheme
