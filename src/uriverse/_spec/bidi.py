"""Rules for bidirectional text ([RFC 3987, section 4][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-4
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import bidirectional

from uriverse._lazy import lazy_pattern
from uriverse._spec import BIDI_EDGE, BIDI_FORBIDDEN, BIDI_FORMATTING, BIDI_MIXED

from .components import find_bounds

FORMATTING = lazy_pattern(
    f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in BIDI_FORMATTING)}]"
)

RIGHT_TO_LEFT = {"R", "AL"}
LEFT_TO_RIGHT = {"L"}


class BidiFinding(NamedTuple):
    """A violation of the rules for right-to-left text in IRIs ([RFC 3987, section 4][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4

    Attributes:
        code: `"bidi-formatting"` for a character that controls the direction of text,
            `"bidi-mixed"` for letters of both directions, or `"bidi-edge"` for a string with
            right-to-left letters that does not begin and end with them.
            RFC 3987, 4.1, forbids the first, and RFC 3987, 4.2, the other two.
        component: the name of the component, such as `"host"`.
        start: the index in the string at which the violation begins.
        end: the index after the violation.
        reason: the violation in words.

    >>> IRI("http://a/א1").bidi_findings[0].code
    'bidi-edge'
    """

    code: str
    component: str
    start: int
    end: int
    reason: str


def bidi_findings(text: str) -> Iterator[BidiFinding]:
    """Yield the violations of RFC 3987, 4.1 and 4.2, from left to right."""
    if text.isascii():
        return
    for component, start, end in split_into_parts(text):
        for mark in FORMATTING.finditer(text, start, end):
            reason = f"{BIDI_FORBIDDEN}: U+{ord(mark[0]):04X}"
            yield BidiFinding("bidi-formatting", component, *mark.span(), reason)
        code, reason = find_broken_rule(text[start:end])
        if code:
            yield BidiFinding(code, component, start, end, reason)


def find_broken_rule(part: str) -> tuple[str, str]:
    """Return the code and the reason of a violation of RFC 3987, 4.2, or two empty strings."""
    directions = [bidirectional(c) for c in part]
    # A combining mark has the direction of its base character, so a part may end with marks
    # (RFC 5893, 2, rule 3).
    while directions and directions[-1] == "NSM":
        del directions[-1]
    if RIGHT_TO_LEFT.isdisjoint(directions):
        return "", ""
    # 1. A component should not use both right-to-left and left-to-right characters.
    if not LEFT_TO_RIGHT.isdisjoint(directions):
        return "bidi-mixed", BIDI_MIXED
    # 2. A component with right-to-left characters should start and end with them.
    if directions[0] not in RIGHT_TO_LEFT or directions[-1] not in RIGHT_TO_LEFT:
        return "bidi-edge", BIDI_EDGE
    return "", ""


def split_into_parts(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the parts that RFC 3987, 4.2, suggests: labels, segments at dots, names and values."""
    at = find_bounds(text)
    if at.host > at.authority:
        yield "userinfo", at.authority, at.host - 1
    if at.host >= 0:
        yield from split_component(".", "host", text, at.host, at.host_end)
    yield from split_component("/.", "path", text, at.path, at.path_end)
    yield from split_component("&=", "query", text, at.path_end + 1, at.query_end)
    if at.query_end < len(text):
        yield "fragment", at.query_end + 1, len(text)


# Tracebacks and pickles show the public module.
BidiFinding.__module__ = "uriverse"


def split_component(
    delimiters: str, component: str, text: str, start: int, end: int
) -> Iterator[tuple[str, int, int]]:
    for part in re.compile(f"[^{delimiters}]+").finditer(text, start, end):
        yield component, *part.span()
