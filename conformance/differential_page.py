"""The report about differences between parsers, as text and as a Markdown page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from conformance.report import environment, markdown_table, quoted
from conformance.uncounted import UNCOUNTED
from uriverse_compare import NAMES, ON_REQUEST, Comparison

#: The number of strings without a finding that the page shows.
SHOWN = 20

#: The number of parsers in a group from which the largest group is not listed by name.
MANY = 8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conformance.differential import Report

INTRODUCTION = """\
# Differences between parsers

Which hosts do different programs find in the same string? This page compares the hosts and ports
that many parsers find in the same set of strings. If you want to protect a program, read
[](how-to/which-host.md) first.

A parser that differs from the others is not necessarily wrong. Browsers follow the URL Standard,
and many libraries accept strings that RFC 3986 does not allow. But if one program checks a URL and
another program connects to it, an attacker may use any difference to get around the check.

The comparison opens no network connections. If a program can report the host to which it would
connect, this host is compared; otherwise, the host that the parser returns. Strings are written as
in JSON, so `\\u0009` is a tab."""

NOTATION = """\
## Differences of notation

The following do not count as different hosts or ports:

- **The default port.** `http://a.example/` and `http://a.example:80/` have the same port.
- **Notation.** Upper and lower case in a host, brackets around an IPv6 address, different spellings
  of the same IPv6 address, and the Unicode and ASCII forms of the same domain name. Some libraries
  return the Unicode form for display, but connect to the ASCII form.
- **A missing host and an empty host.** Many parsers return the same value for both.
- **Rejected strings.** If a program rejects a string, it does not connect.
- **Strings that cannot be passed to a parser.** C strings cannot contain NUL. Programs in other
  languages receive their input as UTF-8, which cannot encode lone surrogates. libpq and git accept
  only their own URI schemes, so `http` is replaced with one of those. HTTP clients are not given
  strings with other schemes than `http` and `https`.
- **Other components.** Paths, queries and fragments are not compared."""

REPEAT = """\
## Repeat the comparison

From the root of a checkout:

```sh
pip install --group bench ".[test]"
python -m conformance.differential --all --markdown differences.md --json differences.json
```

The command runs every parser that is installed, and takes a few minutes. To compare the parsers on
your own strings, use `uriverse-compare`."""


def as_text(report: Report) -> str:
    """Return a summary."""
    lines = [
        f"{parser.name} {parser.version}: {counts(report, parser.name)}"
        for parser in report.parsers
    ]
    lines += [
        f"{name} failed on {quoted(text)}: {reason}"
        for name, (text, reason) in report.failures.items()
    ]
    lines += [
        f"not explained: {quoted(one.text)}: {readings(one)}"
        for one in (*report.unexplained[:SHOWN], *report.unexplained_elsewhere[:SHOWN])
    ]
    lines.append(
        f"{report.strings:,} strings; different hosts or ports: {report.different:,};"
        f" without a finding: {len(report.unexplained)} among software that connects,"
        f" {len(report.unexplained_elsewhere)} among other parsers"
    )
    return "\n".join(lines)


def counts(report: Report, name: str) -> str:
    outcomes = report.outcomes[name]
    listed = ", ".join(f"{outcome} {count:,}" for outcome, count in sorted(outcomes.items()))
    return f"{listed}, alone {report.alone[name]:,}"


def as_markdown(report: Report) -> str:
    """Return the whole page."""
    run = environment()
    origin = (
        f"These results were produced on {run['date']} with uriverse {run['uriverse']} on"
        f" {run['machine']}: {sum(map(len, report.telling.values()))} selected strings, and"
        f" {report.strings - sum(map(len, report.telling.values())):,} random ones (seed"
        f" {report.seed})."
    )
    parts = [
        INTRODUCTION,
        origin,
        *parsers(report),
        *classes(report),
        *unexplained(report),
        NOTATION,
        *uncounted(report),
        *telling(report),
        REPEAT,
    ]
    return "\n\n".join(parts) + "\n"


def parsers(report: Report) -> Iterator[str]:
    yield "## Parsers"
    yield (
        "The column *connects* lists the URI schemes for which the software connects to the host"
        " that it finds. The last column counts the strings for which no other parser finds the"
        " same host and port."
    )
    yield markdown_table(
        ("parser", "version", "connects", "accepted", "rejected", "not read", "alone"),
        (
            (
                parser.name,
                parser.version,
                ", ".join(sorted(parser.dials)),
                *(
                    f"{report.outcomes[parser.name][outcome]:,}"
                    for outcome in ("accepted", "rejected", "unread")
                ),
                f"{report.alone[parser.name]:,}",
            )
            for parser in report.parsers
        ),
    )
    present = {parser.name for parser in report.parsers}
    missing = [name for name in (*NAMES, *ON_REQUEST) if name not in present]
    if missing:
        yield f"Not installed: {', '.join(missing)}."
    if report.failures:
        yield "Some parsers fail with unexpected errors:"
        yield "\n".join(
            f"- {name}, on {code(text)}: {code(reason, quote=False)}"
            for name, (text, reason) in report.failures.items()
        )


def classes(report: Report) -> Iterator[str]:
    yield "## Classes of differences"
    yield (
        f"In {report.different:,} of {report.strings:,} strings, at least two parsers find"
        " different hosts or ports. Each row gives the number of these strings for which"
        " `uriverse.check` reports the [finding](findings.md). The last column is the number of"
        " strings for which this finding is the only explanation."
    )
    ranked = sorted(report.classes.values(), key=lambda one: (-one.strings, one.code))
    yield markdown_table(
        ("finding", "example", "strings", "only this finding"),
        (
            (
                f"[{one.code}](findings.md#{one.code})",
                code(one.example),
                f"{one.strings:,}",
                f"{one.alone:,}",
            )
            for one in ranked
        ),
    ).replace("---: | ---: | ---:", "--- | ---: | ---:")


def unexplained(report: Report) -> Iterator[str]:
    yield "## Differences without a finding"
    yield (
        f"Software that connects to URIs of the scheme: {len(report.unexplained):,} strings. Other"
        f" parsers: {len(report.unexplained_elsewhere):,} strings."
    )
    if report.unexplained:
        yield "\n".join(f"- {code(one.text)}: {cell(one)}" for one in report.unexplained[:SHOWN])
    differing = Counter(name for one in report.unexplained_elsewhere for name in other(one))
    if differing:
        listed = ", ".join(f"{name} ({count:,})" for name, count in differing.most_common())
        yield (
            "The other parsers accept URIs of a scheme, although their software never connects to"
            " URIs of this scheme. For example, `url.parse` of Node.js finds the host `text` in"
            " `data:text/plain,a`. These parsers disagree with uriverse in this number of strings:"
            f" {listed}."
        )


def uncounted(report: Report) -> Iterator[str]:
    yield "## Harmless differences"
    yield (
        "The tables above do not count the following differences. The number in parentheses is how"
        " often each occurred in this run."
    )
    yield "\n".join(
        f"- **{one.title}** ({report.uncounted[one.title]:,}). {one.reason}" for one in UNCOUNTED
    )


def telling(report: Report) -> Iterator[str]:
    yield "## Selected strings"
    yield (
        "Each row has a string, the hosts and ports that the parsers find in it, and the findings"
        " of `uriverse.check`. The last line of a cell names the parsers that reject the string."
        " *Others* stands for the parsers of the largest group."
    )
    for topic, comparisons in report.telling.items():
        yield f"### {topic}"
        yield markdown_table(
            ("string", "host and port", "findings"),
            ((code(one.text), cell(one), findings(one)) for one in comparisons),
        ).replace("---:", "---")


def findings(comparison: Comparison) -> str:
    codes = dict.fromkeys(finding.code for finding in comparison.explanation)
    return ", ".join(f"[{name}](findings.md#{name})" for name in codes)


def readings(comparison: Comparison) -> str:
    """Return the hosts and ports of a comparison on one line, each with its parsers."""
    return "; ".join(f"{found}: {names}" for found, names in destinations(comparison))


def destinations(comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Yield each host and port and the names of its parsers; rejections last."""
    groups = comparison.groups
    largest = max(groups, key=lambda group: len(group.parsers))
    for group in sorted(groups, key=lambda group: group.target is None):
        found = str(group.target) if group.target else "rejected"
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


def code(text: str, *, quote: bool = True) -> str:
    """Return text as code in a cell of a Markdown table."""
    shown = quoted(text) if quote else text
    # A cell ends at "|", and code ends at a backtick; Markdown has no escapes in code.
    escaped = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for character in "|`*_[]\\":
        escaped = escaped.replace(character, f"&#{ord(character)};")
    return f"<code>{escaped}</code>"
