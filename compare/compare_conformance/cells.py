"""The hosts and ports of a comparison, as cells of a Markdown table or on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conformance.report import quoted
from uriverse._errors import escape_unprintable
from uriverse_compare import Comparison, Target

#: The number of parsers in a group from which the largest group is not listed by name.
MANY = 8


def findings(comparison: Comparison) -> str:
    found = comparison.explanation
    codes = dict.fromkeys(code for finding in found for code in (finding.code, *finding.details))
    return ", ".join(f"[{name}](findings.md#{name})" for name in codes)


def readings(comparison: Comparison) -> str:
    """Return the hosts and ports of a comparison on one line, each with its parsers."""
    return "; ".join(f"{found}: {names}" for found, names in destinations(comparison))


def destinations(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Yield each host and port and the names of its parsers; rejections last."""
    groups = comparison.groups
    largest = max(groups, key=lambda group: len(group.parsers))
    for group in sorted(groups, key=lambda group: group.target is None):
        found = shown(group.target) if group.target else "rejected"
        members = [parser.name for parser in group.parsers]
        if group is largest and len(members) > MANY:
            ours = "uriverse" in members
            members = [f"{'uriverse and ' * ours}{len(members) - ours} others"]
        yield found, ", ".join(members)


def other(comparison: Comparison) -> Iterator[str]:
    """Yield the names of the parsers that find another host or port than uriverse."""
    ours, *others = comparison.groups
    for group in others:
        if ours.target and group.target:
            yield from (parser.name for parser in group.parsers)


def cell(comparison: Comparison) -> str:
    """Return the hosts and ports of a comparison for a cell of a Markdown table."""
    return "<br>".join(
        f"{found if found == 'rejected' else code(found, quote=False)}: {names}"
        for found, names in destinations(comparison)
    )


def by_target(found: Mapping[str, Target | None]) -> dict[str, list[str]]:
    """Return the clients that connect to each host and port; "" stands for no connection."""
    names: dict[str, list[str]] = {}
    for name, target in found.items():
        names.setdefault(shown(target) if target else "", []).append(name)
    return names


def shown(target: Target) -> str:
    """Return a host and a port in full: the strings of the report contain no secrets."""
    host = escape_unprintable(target.host) or "(no host)"
    host = f"[{host}]" if ":" in host and "@" not in host else host
    return host if target.port is None else f"{host}:{escape_unprintable(str(target.port))}"


def code(text: str, *, quote: bool = True) -> str:
    """Return text as code in a cell of a Markdown table."""
    shown = quoted(text) if quote else text
    # A cell ends at "|", and code ends at a backtick; Markdown has no escapes in code.
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for character in "|`*_[]\\":
        escaped = escaped.replace(character, f"&#{ord(character)};")
    return f"<code>{escaped}</code>"
