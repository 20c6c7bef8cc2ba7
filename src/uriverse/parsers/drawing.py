"""Comparisons as text for people: tables without secrets and without control characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uriverse.carets import visible
from uriverse.redaction import MASK, redacted_invalid

from .reading import COMPONENTS, Parser, Reading, without_userinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .comparing import Comparison

#: The other outcomes, as they are printed in the place of a host.
OTHERS = {
    "rejected": "(rejected)",
    "unread": "(not read)",
    "failed": "(failed)",
}


def by_target(comparison: Comparison) -> str:
    """Draw a table with a row for each host and port, and the findings that explain them."""
    rows = [("host and port", "parsers")]
    rows += [
        (str(group.target), names(group.parsers)) for group in comparison.groups if group.target
    ]
    for outcome, title in OTHERS.items():
        if others := [p for p, one in comparison.readings.items() if one.outcome == outcome]:
            rows.append((title, names(others)))
    return "\n".join((shown_text(comparison.text), "", *columns(rows), *findings_of(comparison)))


def by_parser(comparison: Comparison) -> str:
    """Draw a table with a row for each parser, and a column for each component."""
    rows: list[Sequence[str]] = [("parser", *COMPONENTS)]
    rows += [(named(parser), *cells(one)) for parser, one in comparison.readings.items()]
    return "\n".join((shown_text(comparison.text), "", *columns(rows), *findings_of(comparison)))


def cells(reading: Reading) -> tuple[str, ...]:
    """Return the components of a reading; an undefined component is "-", an empty one is ""."""
    if reading.outcome != "accepted":
        return (OTHERS[reading.outcome],)
    shown = reading._replace(
        userinfo=without_password(reading.userinfo),
        host=without_userinfo(reading.host),
        query=reading.query and redacted_invalid(f"?{reading.query}")[1:],
    )
    found = (getattr(shown, name) for name in COMPONENTS)
    return tuple("-" if text is None else visible(text) or '""' for text in found)


def without_password(userinfo: str | None) -> str | None:
    if userinfo is None or ":" not in userinfo:
        return userinfo
    return f"{userinfo.partition(':')[0]}:{MASK}"


def shown_text(text: str) -> str:
    return visible(redacted_invalid(text))


def named(parser: Parser) -> str:
    return f"{parser.name} {parser.version}".rstrip()


def names(parsers: Iterable[Parser]) -> str:
    return ", ".join(map(named, parsers))


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align the columns of a table."""
    count = max(map(len, rows))
    widths = [max((len(row[n]) for row in rows if n < len(row)), default=0) for n in range(count)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]


def findings_of(comparison: Comparison) -> list[str]:
    """Return a line for each finding that explains the differences, after an empty line."""
    if not comparison.differ:
        return []
    lines = [
        f"{finding.code}, position {finding.start}: {finding.message}"
        for finding in comparison.explanation
    ]
    return ["", *lines] if lines else []
