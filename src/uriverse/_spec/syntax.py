"""Match strings against grammar rules."""

from __future__ import annotations

import re
from functools import cache

from uriverse._grammar import rfc3986, rfc3987, rfc5234

#: The maximum length of a string to parse: the offsets of components are 32-bit integers.
LONGEST_TEXT = 2**31 - 1

#: The grammars that callers can choose, and the start rule of each.
GRAMMARS: dict[str, str] = {
    "uri": "URI",
    "uri-reference": "URI-reference",
    "absolute-uri": "absolute-URI",
    "iri": "IRI",
    "iri-reference": "IRI-reference",
    "absolute-iri": "absolute-IRI",
}

RULES = {**rfc5234.RULES, **rfc3986.RULES, **rfc3987.RULES}


@cache
def pattern(rule: str) -> re.Pattern[str]:
    """Return the compiled pattern of a rule, given its name in the RFC."""
    return re.compile(RULES[rule])


def matches(text: str, rule: str) -> bool:
    """Return whether a rule matches the whole string."""
    return pattern(rule).fullmatch(text) is not None
