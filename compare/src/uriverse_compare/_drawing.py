"""Human-readable tables, without secrets and without control characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uriverse import Finding, Policy
from uriverse.diagnosis import CODES

from ._reading import COMPONENTS, MASK, Parser, Reading, without_userinfo

#: The entry in the place of a host, if a parser rejects the string.
REJECTED = "(rejected)"

#: The entries in the place of a host for outcomes that tell nothing about the parser.
SILENT = {"unread": "(not read)", "failed": "(failed)"}


#: Rejects every string.
NOTHING = Policy(schemes=())


def visible(text: str) -> str:
    """Escape characters that are not printable, such as controls and bidirectional marks."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def mask_secrets(text: str) -> str:
    """Replace everything that may be a secret in a string, and escape it.

    `uriverse.redact` expects URIs, but many strings here are malformed. A decision of a policy
    shows any string without its secrets.
    """
    decision = NOTHING.decide(text)
    return str(decision).removeprefix("rejected: ").rpartition(f" ({decision.code}): ")[0]


def table(text: str, rows: Sequence[Sequence[str]], findings: Iterable[Finding]) -> str:
    """Draw the string, a table below it, and a line for each finding and each of its details."""
    lines = [mask_secrets(text), "", *columns(rows)]
    explained = [
        line
        for found in findings
        for line in (
            f"{found.code}, position {found.start}: {found.message}",
            *(f"  {code}: {CODES[code].message}" for code in found.details),
        )
    ]
    return "\n".join([*lines, "", *explained] if explained else lines)


def cells(reading: Reading) -> tuple[str, ...]:
    """Return the row of a parser. An undefined component is "-", and an empty one is ""."""
    if reading.outcome != "accepted":
        return (SILENT.get(reading.outcome, REJECTED),)
    shown = reading._replace(
        userinfo=without_password(reading.userinfo),
        host=without_userinfo(reading.host),
        path=reading.path and mask_secrets(reading.path),
        query=reading.query and mask_secrets(f"?{reading.query}")[1:],
        fragment=reading.fragment and mask_secrets(f"#{reading.fragment}")[1:],
    )
    found = (getattr(shown, name) for name in COMPONENTS)
    return tuple("-" if text is None else visible(text) or '""' for text in found)


def without_password(userinfo: str | None) -> str | None:
    if userinfo is None or ":" not in userinfo:
        return userinfo
    return f"{userinfo.partition(':')[0]}:{MASK}"


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
