"""Where a text stops being what it should be.

The text is first split at its delimiters, as Appendix B and section 3.2 say. Then
its components are read from the left, and the first character is looked for at
which a component can no longer become what its rule produces, whatever followed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from .components import bounds
from .syntax import LONGEST_TEXT, matches, pattern

#: The longest text that `IP-literal` produces around an IPv6address.
LONGEST_IPV6 = "[FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:255.255.255.255]"

#: Ends that make a whole IP-literal of every beginning of one.
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
    """A component by its name and by its rule's, and where it stands in the text."""

    name: str
    rule: str
    start: int
    end: int


def first_violation(text: str, rule: str) -> Violation:
    """The first thing that keeps a text from being a `rule`, which it is not.

    `rule` is `"URI-reference"`, `"URI"`, `"absolute-URI"`, or the same for IRIs.
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
    raise AssertionError("a text is a reference if each of its components is well")


def components(text: str, *, iri: bool) -> Iterator[Component]:
    """The components of any text, from the left."""
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
    """The rule to measure a host by; `i` is `"i"` for an IRI's."""
    return "IP-literal" if host.startswith("[") else f"{i}reg-name"


def path_rule(path: str, i: str, *, scheme: bool, authority: bool) -> str:
    """Which of section 3.3's five paths stands beside a scheme, an authority or neither."""
    if authority:
        return f"{i}path-abempty"
    if not path:
        return f"{i}path-empty"
    if path.startswith("/"):
        return f"{i}path-absolute"
    return f"{i}path-rootless" if scheme else f"{i}path-noscheme"


def stop(rule: str, text: str, start: int, end: int) -> int:
    """The index at which `text[start:end]` can no longer become what a rule produces."""
    if rule == "IP-literal":
        return stop_of_ip_literal(text, start, end)
    position = prefix_end(rule, text, start, end)
    whole = pattern("pct-encoded").match(text, position, end)
    if text.startswith("%", position, end) and not whole and rule not in {"scheme", "port"}:
        # At most one hexadecimal digit follows; what stands after it is wrong.
        position += 1
        if pattern("HEXDIG").match(text, position, end):
            position += 1
    return position


def prefix_end(rule: str, text: str, start: int, end: int) -> int:
    """Where the longest text from `start` ends that a rule produces."""
    match = pattern(rule).match(text, start, end)
    return match.end() if match else start


def stop_of_ip_literal(text: str, start: int, end: int) -> int:
    """The index at which `text[start:end]` can no longer become an IP-literal.

    The "::" of IPv6address is one sign: where its second colon is wrong, all of it is.
    """
    if text[start + 1 : start + 2] not in ("v", "V"):
        end = min(end, start + len(LONGEST_IPV6) + 1)

    def hopeless(length: int) -> bool:
        beginning = text[start : start + length]
        return not any(matches(beginning + rest, "IP-literal") for rest in IP_LITERAL_ENDS)

    # Once hopeless, a beginning stays so however much is added: bisection finds the place.
    position = start + bisect_left(range(end - start + 1), True, key=hopeless) - 1
    second_colon = text[start : position + 1].endswith("::") and text[position - 2] != ":"
    return position - second_colon if position < end else end
