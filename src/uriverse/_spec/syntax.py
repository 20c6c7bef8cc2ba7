"""Match strings against the grammar rules of RFC 3986 and RFC 3987."""

from __future__ import annotations

from functools import cache

from uriverse._spec.grammar import rfc3986, rfc3987, rfc5234

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import AnyStr

#: The longest string that can be parsed, in characters: offsets are 32-bit integers.
LONGEST_TEXT = 2**31 - 1

RULES = {**rfc5234.RULES, **rfc3986.RULES, **rfc3987.RULES}


@cache
def compile_rule(rule: str) -> re.Pattern[str]:
    import re  # takes longer to import than uriverse itself

    return re.compile(RULES[rule])


@cache
def get_matcher(rule: str) -> Callable[[str], object]:
    return compile_rule(rule).fullmatch


def matches(text: str, rule: str) -> bool:
    return get_matcher(rule)(text) is not None


def find_match_end(pattern: re.Pattern[AnyStr], text: AnyStr, start: int = 0) -> int:
    """Return the end of the match at an offset; the offset itself if there is no match."""
    match = pattern.match(text, start)
    return match.end() if match else start


def matches_iri(text: str) -> bool:
    # An ASCII string is an IRI if it is a URI, and the pattern of URIs is compiled much faster.
    return matches(text, "URI" if text.isascii() else "IRI")
