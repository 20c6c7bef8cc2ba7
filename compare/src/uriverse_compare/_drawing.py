"""Human-readable tables, without secrets and without control characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from uriverse import Finding, Policy
from uriverse.diagnosis import CODES

from ._reading import COMPONENTS, MASK, Parser, Reading, mask_userinfo

#: The entry in the place of a host, if a parser rejects the string.
REJECTED_ENTRY = "(rejected)"

#: The entries in the place of a host for outcomes that tell nothing about the parser.
SILENT_OUTCOMES = {"unread": "(not read)", "failed": "(failed)"}


#: Rejects every string.
REJECT_ALL = Policy(schemes=())


def escape_controls(text: str) -> str:
    """Escape characters that are not printable, such as controls and bidirectional marks."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def mask_secrets(text: str) -> str:
    """Replace everything that may be a secret in a string, and escape it.

    `uriverse.redact` expects URIs, but many strings here are malformed. A decision of a policy
    shows any string without its secrets.
    """
    decision = REJECT_ALL.decide(text)
    return str(decision).removeprefix("rejected: ").rpartition(f" ({decision.code}): ")[0]


def draw_table(text: str, rows: Sequence[Sequence[str]], findings: Iterable[Finding]) -> str:
    """Draw the string, a table below it, and a line for each finding and each of its details."""
    lines = [mask_secrets(text), "", *align_columns(rows)]
    explanations = [
        line
        for finding in findings
        for line in (
            f"{finding.code}, position {finding.start}: {finding.message}",
            *(f"  {code}: {CODES[code].message}" for code in finding.details),
        )
    ]
    return "\n".join([*lines, "", *explanations] if explanations else lines)


def format_cells(reading: Reading) -> tuple[str, ...]:
    """Return the row of a parser. An undefined component is "-", and an empty one is ""."""
    if reading.outcome != "accepted":
        return (SILENT_OUTCOMES.get(reading.outcome, REJECTED_ENTRY),)
    # `mask_secrets` recognizes a query or a fragment by the delimiter before it.
    masked = reading._replace(
        userinfo=mask_password(reading.userinfo),
        host=mask_userinfo(reading.host),
        path=reading.path and mask_secrets(reading.path),
        query=reading.query and mask_secrets(f"?{reading.query}")[1:],
        fragment=reading.fragment and mask_secrets(f"#{reading.fragment}")[1:],
    )
    components = (getattr(masked, name) for name in COMPONENTS)
    return tuple("-" if text is None else escape_controls(text) or '""' for text in components)


def mask_password(userinfo: str | None) -> str | None:
    if userinfo is None or ":" not in userinfo:
        return userinfo
    return f"{userinfo.partition(':')[0]}:{MASK}"


def format_parser(parser: Parser) -> str:
    return f"{parser.name} {parser.version}".rstrip()


def format_parsers(parsers: Iterable[Parser]) -> str:
    return ", ".join(map(format_parser, parsers))


def align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Pad all cells of a column to one width; a row may have fewer cells than others."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]
