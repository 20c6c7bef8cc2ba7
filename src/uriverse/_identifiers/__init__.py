"""The four public types (`URI`, `URIReference`, `IRI`, `IRIReference`), and `parse`."""

from .building import host_text as host_text
from .building import part_text as part_text
from .building import port_digits as port_digits
from .references import LEVELS as LEVELS
from .types import IRI, URI, IRIReference, URIReference, parse
from .types import rule_of as rule_of

__all__ = ["IRI", "URI", "IRIReference", "URIReference", "parse"]
