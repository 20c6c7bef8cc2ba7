"""Find the position at which a string violates a grammar rule.

The string is first split at its delimiters, as in RFC 3986, Appendix B and 3.2. Then the components
are checked from left to right. The position is that of the first character with which the component
cannot match its rule, whatever follows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from .components import AllParts, find_bounds, match_appendix_b
from .syntax import LONGEST_TEXT, compile_rule, matches

#: The longest IPv6 address in brackets.
LONGEST_IPV6 = "[FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:255.255.255.255]"

#: Suffixes of IP literals: any prefix of an IP literal becomes a complete one with one of these.
IP_LITERAL_COMPLETIONS = (
    "",
    *(f"{start}{'.0' * octets}]" for start in ("", "0") for octets in range(4)),
    *(f"{start}{':0' * groups}]" for start in ("", "0", ":0") for groups in range(8)),
    ":]",
)


class Violation(NamedTuple):
    """The component that violates its rule, and the index of the first invalid character."""

    component: str
    position: int


class ComponentSpan(NamedTuple):
    name: str
    rule: str
    start: int
    end: int


def find_first_violation(text: str, rule: str) -> Violation:
    """Return the first violation in a string that does not match a rule such as "URI-reference"."""
    if len(text) > LONGEST_TEXT:
        return Violation("text", LONGEST_TEXT)
    has_scheme = find_bounds(text).scheme_end >= 0
    if not has_scheme and not rule.endswith("-reference"):
        return Violation("scheme", find_prefix_end("scheme", text, 0, len(text)))
    for name, component_rule, start, end in find_components(text, iri="IRI" in rule):
        if name == "fragment" and rule.startswith("absolute-"):
            return Violation(name, start - 1)  # the "#", because no fragment is allowed
        if compile_rule(component_rule).fullmatch(text, start, end) is None:
            return Violation(name, find_invalid_position(component_rule, text, start, end))
    raise AssertionError("a string whose components are all valid is a valid reference")


def find_components(text: str, *, iri: bool) -> Iterator[ComponentSpan]:
    match = match_appendix_b(text)
    for name in AllParts._fields:
        if match[name] is not None:
            yield find_component_span(match, name, iri=iri)


def find_component_span(match: re.Match[str], name: str, *, iri: bool) -> ComponentSpan:
    """Return a component that is present, given the match of Appendix B."""
    rule = choose_component_rule(match, name, match[name], "i" if iri else "")
    return ComponentSpan(name, rule, *match.span(name))


def choose_component_rule(match: re.Match[str], name: str, part: str, prefix: str) -> str:
    """Return the rule of a component for a URI (the prefix is `""`) or for an IRI (`"i"`)."""
    if name == "path":
        scheme, authority = match["scheme"] is not None, match["host"] is not None
        return choose_path_rule(part, prefix, scheme=scheme, authority=authority)
    if name == "host":
        return choose_host_rule(part, prefix)
    return name if name in {"scheme", "port"} else f"{prefix}{name}"


def choose_host_rule(host: str, prefix: str) -> str:
    return "IP-literal" if host.startswith("[") else f"{prefix}reg-name"


def choose_path_rule(path: str, prefix: str, *, scheme: bool, authority: bool) -> str:
    """Return the rule of a path (RFC 3986, 3.3) after a scheme, an authority, both or neither."""
    if authority:
        return f"{prefix}path-abempty"
    if not path:
        return f"{prefix}path-empty"
    if path.startswith("/"):
        return f"{prefix}path-absolute"
    return f"{prefix}path-rootless" if scheme else f"{prefix}path-noscheme"


def find_invalid_position(rule: str, text: str, start: int, end: int) -> int:
    """Return the index of the first invalid character in `text[start:end]`, or `end`."""
    if rule == "IP-literal":
        return find_invalid_ip_literal(text, start, end)
    position = find_prefix_end(rule, text, start, end)
    is_triplet = text.startswith("%", position, end) and rule not in {"scheme", "port"}
    if is_triplet and not compile_rule("pct-encoded").match(text, position, end):
        # The "%" is followed by at most one hexadecimal digit. The character after that is invalid.
        position += 1
        if compile_rule("HEXDIG").match(text, position, end):
            position += 1
    return position


def find_prefix_end(rule: str, text: str, start: int, end: int) -> int:
    """Return the end of the longest match of a rule at an index, or the index itself."""
    match = compile_rule(rule).match(text, start, end)
    return match.end() if match else start


def find_invalid_ip_literal(text: str, start: int, end: int) -> int:
    """Return the index of the character after which a host in brackets cannot become valid.

    If it is only incomplete, such as `[::1`, return `end`. The "::" of an IPv6 address is a single
    token: if its second colon is invalid, return the index of the first colon.
    """
    if text[start + 1 : start + 2] not in ("v", "V"):  # not an IPvFuture address
        end = min(end, start + len(LONGEST_IPV6) + 1)

    def cannot_be_completed(length: int) -> bool:
        prefix = text[start : start + length]
        return not any(matches(prefix + ending, "IP-literal") for ending in IP_LITERAL_COMPLETIONS)

    # If a prefix cannot be completed, no longer one can be, so bisection finds the position.
    position = start + bisect_left(range(end - start + 1), True, key=cannot_be_completed) - 1
    if position == end:
        return end
    is_second_colon = text[start : position + 1].endswith("::") and text[position - 2] != ":"
    return position - 1 if is_second_colon else position
