"""Identifiers: URIs (RFC 3986) and IRIs (RFC 3987), exactly and without loss.

>>> import uriverse
>>> uri = uriverse.parse("foo://example.com:8042/over/there?name=ferret#nose")
>>> uri.host, uri.port, uri.path
('example.com', 8042, '/over/there')
"""

from . import engine
from .engine import is_absolute_uri, is_iri, is_iri_reference, is_uri, is_uri_reference
from .errors import BuildError, ConvertError, ParseError, ResolveError, URIError
from .identifiers import IRI, URI, IRIReference, Resolver, URIReference, parse
from .version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .diagnosis import Explanation, explain
    from .spec.components import Parts, compose, split

__all__ = [
    "IRI",
    "URI",
    "BuildError",
    "ConvertError",
    "Explanation",
    "IRIReference",
    "ParseError",
    "Parts",
    "ResolveError",
    "Resolver",
    "URIError",
    "URIReference",
    "compose",
    "engine",
    "explain",
    "is_absolute_uri",
    "is_iri",
    "is_iri_reference",
    "is_uri",
    "is_uri_reference",
    "parse",
    "split",
]
__version__ = VERSION


def __getattr__(name: str) -> object:
    """Import what not every program needs when it is first asked for."""
    if name in {"Explanation", "explain"}:
        from . import diagnosis

        return getattr(diagnosis, name)
    if name in {"Parts", "compose", "split"}:
        from .spec import components

        return getattr(components, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
