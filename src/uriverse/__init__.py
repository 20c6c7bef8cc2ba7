"""Parse, build, edit, resolve, normalize and compare URIs (RFC 3986) and IRIs (RFC 3987).

>>> import uriverse
>>> uri = uriverse.parse("foo://example.com:8042/over/there?name=ferret#nose")
>>> uri.host, uri.port, uri.path
('example.com', 8042, '/over/there')
"""

from ._engine import (
    compiled,
    is_absolute_uri,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    redact,
)
from .identifiers import IRI, URI, IRIReference, URIReference, parse
from .identifiers.resolver import Resolver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import dial, hosts, percent, schemes
    from ._spec.bidi import BidiFinding
    from ._spec.components import AllParts, Parts, compose, split
    from .diagnosis import Explanation, Finding, check, explain
    from .errors import (
        BuildError,
        ColumnError,
        ConvertError,
        ParseError,
        PolicyError,
        RepairError,
        ResolveError,
        URIError,
    )
    from .extraction import Extracted, extract
    from .identifiers.normalization import Change
    from .policy import Policy
    from .repairing import Repair, Repaired, repair
    from .schemes import SCHEMES, Registry, Scheme
    from .typed.data import DataURI
    from .typed.file import FileURI
    from .typed.http import HTTPURI
    from .typed.mailto import MailtoURI
    from .typed.tel import TelURI
    from .typed.urn import URN
    from .version import __version__ as __version__
    from .version import data_versions
    from .views import Params, Segments

__all__ = [
    "HTTPURI",
    "IRI",
    "SCHEMES",
    "URI",
    "URN",
    "AllParts",
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
    "Repair",
    "RepairError",
    "Repaired",
    "ResolveError",
    "Resolver",
    "Scheme",
    "Segments",
    "TelURI",
    "URIError",
    "URIReference",
    "check",
    "compiled",
    "compose",
    "data_versions",
    "dial",
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
    "redact",
    "repair",
    "schemes",
    "split",
]


#: The names that are imported on their first use, and the modules that define them.
LATER = {
    "AllParts": "_spec.components",
    "BidiFinding": "_spec.bidi",
    "BuildError": "errors",
    "Change": "identifiers.normalization",
    "ColumnError": "errors",
    "ConvertError": "errors",
    "DataURI": "typed.data",
    "Explanation": "diagnosis",
    "Extracted": "extraction",
    "FileURI": "typed.file",
    "Finding": "diagnosis",
    "HTTPURI": "typed.http",
    "MailtoURI": "typed.mailto",
    "Params": "views",
    "ParseError": "errors",
    "Parts": "_spec.components",
    "Policy": "policy",
    "PolicyError": "errors",
    "Registry": "schemes",
    "Repair": "repairing",
    "RepairError": "errors",
    "Repaired": "repairing",
    "ResolveError": "errors",
    "SCHEMES": "schemes",
    "Scheme": "schemes",
    "Segments": "views",
    "TelURI": "typed.tel",
    "URIError": "errors",
    "URN": "typed.urn",
    "__version__": "version",
    "check": "diagnosis",
    "compose": "_spec.components",
    "data_versions": "version",
    "dial": "dial",
    "explain": "diagnosis",
    "extract": "extraction",
    "hosts": "hosts",
    "percent": "percent",
    "repair": "repairing",
    "schemes": "schemes",
    "split": "_spec.components",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module when the name is first used."""
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{LATER[name]}")
    return module if name == LATER[name] else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
