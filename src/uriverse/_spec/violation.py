"""Find the position at which a string violates a grammar rule.

The string is first split at its delimiters, as in Appendix B and section 3.2. Then each component
is checked, from left to right. The result is the position of the first character that makes it
impossible for its component to match the rule, whatever follows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from .components import bounds
from .syntax import LONGEST_TEXT, matches, pattern

#: The longest string that `IP-literal` matches around an IPv6address.
LONGEST_IPV6 = "[FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:255.255.255.255]"

#: Suffixes, one of which completes any prefix of an IP-literal.
IP_LITERAL_ENDS = (
    "",
    *(f"{start}{'.0' * octets}]" for start in ("", "0") for octets in range(4)),
    *(f"{start}{':0' * groups}]" for start in ("", "0", ":0") for groups in range(8)),
    ":]",
)


class Violation(NamedTuple):
    """A component that violates its rule, and the index of the first character that does."""

    component: str
    position: int


class Component(NamedTuple):
    """The name and rule of a component, and its span in the string."""

    name: str
    rule: str
    start: int
    end: int


def first_violation(text: str, rule: str) -> Violation:
    """Return the first violation of `rule` in a string that does not match it.

    `rule` is `"URI-reference"`, `"URI"`, `"absolute-URI"`, or the corresponding rule for IRIs.
    """
    if len(text) > LONGEST_TEXT:
        return Violation("text", LONGEST_TEXT)
    if bounds(text).scheme_end < 0 and not rule.endswith("-reference"):
        return Violation("scheme", prefix_end("scheme", text, 0, len(text)))
    for name, component_rule, start, end in components(text, iri="IRI" in rule):
        if name == "fragment" and rule.startswith("absolute-"):
            return Violation(name, start - 1)
        if pattern(component_rule).fullmatch(text, start, end) is None:
            return Violation(name, stop(component_rule, text, start, end))
    raise AssertionError("a string whose components are all valid is a valid reference")


def components(text: str, *, iri: bool) -> Iterator[Component]:
    """Yield the components of any string, from left to right."""
    at = bounds(text)
    i = "i" if iri else ""
    if at.scheme_end >= 0:
        yield Component("scheme", "scheme", 0, at.scheme_end)
    if at.authority >= 0:
        if at.host > at.authority:
            yield Component("userinfo", f"{i}userinfo", at.authority, at.host - 1)
        yield Component("host", host_rule(text[at.host : at.host_end], i), at.host, at.host_end)
        if at.host_end < at.path:
            yield Component("port", "port", at.host_end + 1, at.path)
    path = text[at.path : at.path_end]
    rule = path_rule(path, i, scheme=at.scheme_end >= 0, authority=at.authority >= 0)
    yield Component("path", rule, at.path, at.path_end)
    if at.path_end < at.query_end:
        yield Component("query", f"{i}query", at.path_end + 1, at.query_end)
    if at.query_end < len(text):
        yield Component("fragment", f"{i}fragment", at.query_end + 1, len(text))


def host_rule(host: str, i: str) -> str:
    """Return the rule that applies to a host; `i` is `"i"` for IRIs."""
    return "IP-literal" if host.startswith("[") else f"{i}reg-name"


def path_rule(path: str, i: str, *, scheme: bool, authority: bool) -> str:
    """Return the path rule of section 3.3 for a path with or without scheme and authority."""
    if authority:
        return f"{i}path-abempty"
    if not path:
        return f"{i}path-empty"
    if path.startswith("/"):
        return f"{i}path-absolute"
    return f"{i}path-rootless" if scheme else f"{i}path-noscheme"


def stop(rule: str, text: str, start: int, end: int) -> int:
    """Return the index at which `text[start:end]` can no longer become a match of a rule."""
    if rule == "IP-literal":
        return stop_of_ip_literal(text, start, end)
    position = prefix_end(rule, text, start, end)
    whole = pattern("pct-encoded").match(text, position, end)
    if text.startswith("%", position, end) and not whole and rule not in {"scheme", "port"}:
        # At most one hexadecimal digit follows; the character after it is wrong.
        position += 1
        if pattern("HEXDIG").match(text, position, end):
            position += 1
    return position


def prefix_end(rule: str, text: str, start: int, end: int) -> int:
    """Return the end of the longest match of a rule that begins at `start`."""
    match = pattern(rule).match(text, start, end)
    return match.end() if match else start


def stop_of_ip_literal(text: str, start: int, end: int) -> int:
    """Return the index at which `text[start:end]` can no longer become an IP-literal.

    The "::" of IPv6address is a single token: if its second colon is wrong, return the index of the
    first colon.
    """
    if text[start + 1 : start + 2] not in ("v", "V"):
        end = min(end, start + len(LONGEST_IPV6) + 1)

    def hopeless(length: int) -> bool:
        beginning = text[start : start + length]
        return not any(matches(beginning + rest, "IP-literal") for rest in IP_LITERAL_ENDS)

    # If a prefix cannot be completed, no longer prefix can: bisection finds the position.
    position = start + bisect_left(range(end - start + 1), True, key=hopeless) - 1
    second_colon = text[start : position + 1].endswith("::") and text[position - 2] != ":"
    return position - second_colon if position < end else end
