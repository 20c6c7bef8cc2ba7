"""Identifiers: URIs (RFC 3986) and IRIs (RFC 3987), exactly and without loss.

>>> import uriverse
>>> uri = uriverse.parse("foo://example.com:8042/over/there?name=ferret#nose")
>>> uri.host, uri.port, uri.path
('example.com', 8042, '/over/there')
"""

from . import engine
from .engine import is_absolute_uri, is_iri, is_iri_reference, is_uri, is_uri_reference
from .identifiers import IRI, URI, IRIReference, URIReference
from .identifiers.references import Resolver, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import hosts, percent, schemes
    from .diagnosis import Explanation, Finding, check, explain
    from .errors import (
        BuildError,
        ColumnError,
        ConvertError,
        ParseError,
        PolicyError,
        ResolveError,
        URIError,
    )
    from .extraction import Extracted, extract
    from .policy import Policy
    from .schemes import (
        HTTP,
        SCHEMES,
        URN,
        DataURI,
        FileURI,
        MailtoURI,
        Registry,
        Scheme,
        TelURI,
    )
    from .spec.bidi import BidiFinding
    from .spec.components import Parts, compose, split
    from .spec.normalization import Change
    from .version import __version__ as __version__
    from .views.params import Params
    from .views.segments import Segments

__all__ = [
    "HTTP",
    "IRI",
    "SCHEMES",
    "URI",
    "URN",
    "BidiFinding",
    "BuildError",
    "Change",
    "ColumnError",
    "ConvertError",
    "DataURI",
    "Explanation",
    "Extracted",
    "FileURI",
    "Finding",
    "IRIReference",
    "MailtoURI",
    "Params",
    "ParseError",
    "Parts",
    "Policy",
    "PolicyError",
    "Registry",
    "ResolveError",
    "Resolver",
    "Scheme",
    "Segments",
    "TelURI",
    "URIError",
    "URIReference",
    "check",
    "compose",
    "engine",
    "explain",
    "extract",
    "hosts",
    "is_absolute_uri",
    "is_iri",
    "is_iri_reference",
    "is_uri",
    "is_uri_reference",
    "parse",
    "percent",
    "schemes",
    "split",
]


#: What not every program needs, by the module that has it.
LATER = {
    "BidiFinding": "spec.bidi",
    "BuildError": "errors",
    "Change": "spec.normalization",
    "ColumnError": "errors",
    "ConvertError": "errors",
    "DataURI": "schemes.data",
    "Explanation": "diagnosis",
    "Extracted": "extraction",
    "FileURI": "schemes.file",
    "Finding": "diagnosis",
    "HTTP": "schemes.http",
    "MailtoURI": "schemes.mailto",
    "Params": "views.params",
    "ParseError": "errors",
    "Parts": "spec.components",
    "Policy": "policy",
    "PolicyError": "errors",
    "Registry": "schemes",
    "ResolveError": "errors",
    "SCHEMES": "schemes",
    "Scheme": "schemes",
    "Segments": "views.segments",
    "TelURI": "schemes.tel",
    "URIError": "errors",
    "URN": "schemes.urn",
    "__version__": "version",
    "check": "diagnosis",
    "compose": "spec.components",
    "explain": "diagnosis",
    "extract": "extraction",
    "hosts": "hosts",
    "percent": "percent",
    "schemes": "schemes",
    "split": "spec.components",
}


def __getattr__(name: str) -> object:
    """Import what not every program needs when it is first asked for."""
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{LATER[name]}")
    return module if name == LATER[name] else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
