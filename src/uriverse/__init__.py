"""Parse, build, edit, resolve, normalize and compare URIs (RFC 3986) and IRIs (RFC 3987).

>>> import uriverse
>>> uri = uriverse.parse("foo://example.com:8042/over/there?name=ferret#nose")
>>> uri.host, uri.port, uri.path
('example.com', 8042, '/over/there')
"""

from uriverse._engine import compiled

from ._lazy import import_later, publish
from ._uri import IRI, URI, IRIReference, URIReference, parse
from ._uri.engine import is_absolute_uri, is_iri, is_iri_reference, is_uri, is_uri_reference, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import dial, hosts, percent, schemes
    from ._errors import (
        BuildError,
        ColumnError,
        ConvertError,
        ParseError,
        PolicyError,
        RepairError,
        ResolveError,
        RuleError,
        TemplateError,
        URIError,
    )
    from ._policy import Decision, Policy, Rule, RuleFinding
    from ._spec.bidi import BidiFinding
    from ._spec.components import compose, split
    from ._typed.data import DataURI
    from ._typed.file import FileURI
    from ._typed.http import HTTPURI
    from ._typed.mailto import MailtoURI
    from ._typed.tel import TelURI
    from ._typed.urn import URN
    from ._uri.params import Params
    from ._uri.segments import Segments
    from ._uri.types import Resolver
    from ._uri.version import __version__ as __version__
    from ._uri.version import data_versions
    from .diagnosis._checking import check
    from .diagnosis._explanation import Explanation, explain
    from .diagnosis._extraction import Extracted, extract
    from .diagnosis._findings import Finding
    from .diagnosis._repairing import Repair, Repaired, repair
    from .schemes import SCHEMES

__all__ = [
    "HTTPURI",
    "IRI",
    "SCHEMES",
    "URI",
    "URN",
    "BidiFinding",
    "BuildError",
    "ColumnError",
    "ConvertError",
    "DataURI",
    "Decision",
    "Explanation",
    "Extracted",
    "FileURI",
    "Finding",
    "IRIReference",
    "MailtoURI",
    "Params",
    "ParseError",
    "Policy",
    "PolicyError",
    "Repair",
    "RepairError",
    "Repaired",
    "ResolveError",
    "Resolver",
    "Rule",
    "RuleError",
    "RuleFinding",
    "Segments",
    "TelURI",
    "TemplateError",
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


__dir__ = __all__.copy
if not TYPE_CHECKING:  # Type checkers would accept any name.
    __getattr__ = import_later(
        globals(),
        {
            "_errors": "BuildError ColumnError ConvertError ParseError PolicyError RepairError "
            "ResolveError RuleError TemplateError URIError",
            "diagnosis._extraction": "Extracted extract",
            "_uri.types": "Resolver",
            "_policy": "Decision Policy Rule RuleFinding",
            "diagnosis._repairing": "Repair Repaired repair",
            "_spec.bidi": "BidiFinding",
            "_spec.components": "compose split",
            "_typed.data": "DataURI",
            "_typed.file": "FileURI",
            "_typed.http": "HTTPURI",
            "_typed.mailto": "MailtoURI",
            "_typed.tel": "TelURI",
            "_typed.urn": "URN",
            "_uri.version": "__version__ data_versions",
            "_uri.params": "Params",
            "_uri.segments": "Segments",
            "diagnosis._checking": "check",
            "diagnosis._explanation": "Explanation explain",
            "diagnosis._findings": "Finding",
            "dial": "dial",
            "hosts": "hosts",
            "percent": "percent",
            "schemes": "SCHEMES schemes",
        },
    )

publish(globals())
