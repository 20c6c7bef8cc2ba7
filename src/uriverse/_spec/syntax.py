"""Whether a text matches a rule: the grammar's patterns, put to use."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from uriverse._grammar import rfc3986, rfc3987, rfc5234

#: The longest text that is read: the bounds of its components are 32 bits wide.
LONGEST_TEXT = 2**31 - 1

#: The grammars that callers can choose, and the rule of each.
Grammar = Literal["uri", "uri-reference", "absolute-uri", "iri", "iri-reference", "absolute-iri"]
GRAMMARS: dict[Grammar, str] = {
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
    """The compiled pattern of a rule, by its name in the RFC."""
    return re.compile(RULES[rule])


def matches(text: str, rule: str) -> bool:
    """Whether the whole text is what the rule produces."""
    return pattern(rule).fullmatch(text) is not None
