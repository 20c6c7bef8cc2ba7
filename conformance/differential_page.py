"""The report about differences between parsers, as text and as a Markdown page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.cells import cell, code, findings, other, readings, shown
from conformance.clients import FUNCTIONS, MAINSTREAM
from conformance.dialing.verifying import Mismatch
from conformance.report import environment, markdown_table, quoted
from conformance.tallies import Class, Tally
from conformance.uncounted import UNCOUNTED
from uriverse_compare import NAMES, ON_REQUEST, Target

#: The number of strings without a finding that the page shows.
SHOWN = 20

#: The number of strings that the page shows for which an adapter differs from its client.
MISMATCHES = 5

#: The number of strings from which a group of published strings has no table.
LONG = 100

#: The titles of the tallies in `differential`.
RANDOM, REAL = "Random strings", "Real links"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from conformance.differential import Report

INTRODUCTION = """\
# Differences between parsers

Which hosts do different programs find in the same string? If you want to protect a program, read
[](how-to/which-host.md) first.

A parser that differs from the others is not necessarily wrong. Browsers follow the URL Standard,
and many libraries accept strings that RFC 3986 does not allow. But if one program checks a URL and
another program connects to it, an attacker may use any difference to get around the check."""

NOTATION = """\
## Differences that do not count

- **The default port.** `http://a.example/` and `http://a.example:80/` have the same port.
- **Notation.** Upper and lower case in a host, brackets around an IPv6 address, different spellings
  of the same IPv6 address, and the Unicode and ASCII forms of the same domain name. Some libraries
  return the Unicode form for display, but connect to the ASCII form.
- **A missing host and an empty host.** Many parsers return the same value for both.
- **Rejected strings.** If a program rejects a string, it does not connect.
- **Strings that cannot be passed to a parser.** C strings cannot contain NUL. Programs in other
  languages receive their input as UTF-8, which cannot encode lone surrogates. Some HTTP clients
  have no parser of their own: they are given only strings with a scheme that they support.
- **Other components.** Paths, queries and fragments are not compared.

libpq and git read only URIs of their own schemes. For the comparison of parsers, their adapters
replace `http` with `postgresql` and with `ssh`. These readings show how both would read the same
authority; neither program connects to `http` URIs in this way."""

REPEAT = """\
## Repeat the comparison

From the root of a checkout:

```sh
pip install --group bench ".[test]" "./compare[parsers]"
python -m conformance.differential --probes --browsers --requests {requests} --mutants {mutants} \\
    --markdown differences.md --json differences.json
```

The option `--corpora FOLDER` also reads links from text files. The command runs every parser that
is installed. Requests of programs need Linux, `gcc` and `unshare`. `compare/Dockerfile` describes
an image with the parsers that Debian packages. To compare the parsers on your own strings, use
`uriverse-compare`."""


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
    lines += [
        f"{name}: {len(checked.mismatches):,} of {checked.strings:,} requests differ"
        for name, checked in report.verified.items()
    ]
    lines += [
        f"{title}: {tally.strings:,} strings, {tally.different:,} different, {tally.explained:,}"
        f" of them with a finding; {tally.requested:,} requested, {tally.clients:,} different,"
        f" {tally.clients_explained:,} of them with a finding, {tally.mainstream:,} mainstream"
        for title, tally in report.tallies.items()
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
    parts = [
        INTRODUCTION,
        *headline(report),
        *sets(report),
        *clients(report),
        *parsers(report),
        *classes(report),
        *unexplained(report),
        NOTATION,
        *uncounted(report),
        *telling(report),
        repeat(report),
    ]
    return "\n\n".join(parts) + "\n"


def headline(report: Report) -> Iterator[str]:
    """Yield the main figures: clients first, then all parsers."""
    found = report.tally(RANDOM)
    run = environment()
    if found.requested:
        mainstream = [name for name in MAINSTREAM if name in report.verified]
        yield (
            f"The [clients](#clients) requested {found.requested:,} random strings with the scheme"
            " `http` or `https`. Their connections were recorded and refused, so nothing left the"
            " machine. *Mainstream* stands for widely used clients of Python, C, Node.js, Go and"
            " Java."
        )
        yield (
            f"- In **{found.mainstream:,} of {found.requested:,}** strings, two mainstream clients"
            f" try to connect to different hosts or ports ({', '.join(mainstream)}).\n"
            f"- In **{found.clients:,} of {found.requested:,}** strings, any two of the clients"
            " do.\n"
            f"- In **{found.different:,} of {found.strings:,}** random strings of all kinds, any"
            f" two of {len(report.parsers)} parsers find different hosts or ports. Most of these"
            " parsers do not connect, or would not connect to a URI of the scheme."
        )
        yield (
            "The random strings are URIs with a few changes on which parsers may disagree, so"
            " these shares say nothing about the links that people use."
        )
    real = report.tallies.get(REAL)
    if real and real.classes:
        most = max(real.classes.values(), key=lambda one: one.flagged)
        yield (
            f"Among {real.strings:,} real links, any two parsers differ in {real.different:,}."
            f" `uriverse.check` reports a finding that can move a host for {real.flagged:,} links,"
            f" {most.flagged:,} of them with the code `{most.code}`; a finding concerns the"
            f" difference in {real.explained:,}."
        )
    yield (
        f"These results were produced on {run['date']} with uriverse {run['uriverse']} on"
        f" {run['machine']}, with the seed {report.seed}. The file"
        " {download}`differences.json <differences.json>` has the counts, and all hosts and ports"
        " for the selected and published strings. Strings are written as in JSON, so `\\u0009` is"
        " a tab."
    )


def sets(report: Report) -> Iterator[str]:
    yield "## Sets of strings"
    yield (
        "*Parsers differ* counts the strings in which any two parsers find different hosts or"
        " ports. *Clients differ* counts those for which any two clients try to connect to"
        " different hosts or ports, and *mainstream* those for which two mainstream clients do. A"
        " number in parentheses counts the differences that a [finding](findings.md) of"
        " `uriverse.check` concerns: its span touches the characters in which the hosts, or only"
        " the ports, differ."
    )
    yield markdown_table(
        (
            "strings",
            "read",
            "flagged",
            "parsers differ",
            "requested",
            "clients differ",
            "mainstream",
        ),
        (set_row(title, tally) for title, tally in report.tallies.items()),
    )
    if report.sources:
        yield "Published strings:"
        yield "\n".join(f"- {group.source}" for group in report.sources)
    if REAL in report.tallies:
        yield (
            "*Real links* are random lines of four public corpora: three of the URL parser ada"
            " (links of web pages, and `file:` URLs of two projects), and the IRIs of the RDF tests"
            " of the W3C. The parsers that start a program or a browser did not read them."
        )


def set_row(title: str, tally: Tally) -> tuple[str, ...]:
    requested = (
        f"{tally.requested:,}",
        f"{tally.clients:,} ({tally.clients_explained:,})",
        f"{tally.mainstream:,}",
    )
    return (
        title,
        f"{tally.strings:,}",
        f"{tally.flagged:,}",
        f"{tally.different:,} ({tally.explained:,})",
        *(requested if tally.requested else ("", "", "")),
    )


def clients(report: Report) -> Iterator[str]:
    if not report.verified:
        return
    yield "## Clients"
    yield (
        "Each client made a request for each string with a scheme that it supports, OpenSSL and"
        " Perl only for `http`, and libpq for the string with the scheme `postgresql`. A substitute"
        " for the system's resolver recorded the host and answered with a loopback address, and"
        " every connection was recorded and refused. The resolver still read numeric hosts, such"
        " as `127.1`. *Connections* counts the strings for which the client tried to connect, and"
        " *differs* those for which the adapter of this comparison finds another host or port, or"
        " disagrees whether the client connects. Readings without a host are not counted here."
    )
    yield markdown_table(
        ("client", "function", "mainstream", "verified", "connections", "differs"),
        (
            (
                f"{parser.name} {parser.version}",
                f"`{FUNCTIONS[parser.name]}`",
                "yes" if parser.name in MAINSTREAM else "",
                f"{checked.strings:,}",
                f"{checked.connections:,}",
                f"{len(checked.mismatches):,}",
            )
            for parser in report.parsers
            if (checked := report.verified.get(parser.name))
        ),
    )
    wrong = {name: one.mismatches for name, one in report.verified.items() if one.mismatches}
    if wrong:
        yield (
            "The adapters of the following clients return the result of a parser, which the client"
            " does not always use unchanged. Some of the differences:"
        )
        yield "\n".join(f"- {name}: {mismatches(found)}" for name, found in wrong.items())


def mismatches(found: Sequence[Mismatch]) -> str:
    shortest = sorted(found, key=lambda one: len(one.text))[:MISMATCHES]
    return "; ".join(
        f"{code(one.text)}: {destination(one.reported)}, client: {destination(one.dialed)}"
        for one in shortest
    )


def destination(target: Target | None) -> str:
    return code(shown(target), quote=False) if target else "no connection"


def parsers(report: Report) -> Iterator[str]:
    yield "## Parsers"
    yield (
        "The column *connects* lists the URI schemes for which the software connects to the host"
        " that it finds. The column *verified* has the number of strings for which the"
        " [client](#clients) was run, and is empty if it was not. The last column counts the"
        " strings for which no other parser finds the same host and port."
    )
    yield markdown_table(
        ("parser", "version", "connects", "verified", "accepted", "rejected", "not read", "alone"),
        (
            (
                parser.name,
                parser.version,
                ", ".join(sorted(parser.dials)),
                f"{checked.strings:,}" if checked else "",
                *(
                    f"{report.outcomes[parser.name][outcome]:,}"
                    for outcome in ("accepted", "rejected", "unread")
                ),
                f"{report.alone[parser.name]:,}",
            )
            for parser in report.parsers
            for checked in (report.verified.get(parser.name),)
        ),
    )
    yield (
        "The version of pydantic is that of `pydantic_core`, which contains the parser. The version"
        " of Ruby URI is that of the library."
    )
    present = {parser.name for parser in report.parsers}
    missing = [name for name in (*NAMES, *ON_REQUEST) if name not in present]
    if missing:
        yield f"Not part of this run: {', '.join(missing)}."
    if report.failures:
        yield "Some parsers fail with unexpected errors:"
        yield "\n".join(
            f"- {name}, on {code(text)}: {code(reason, quote=False)}"
            for name, (text, reason) in report.failures.items()
        )


def classes(report: Report) -> Iterator[str]:
    yield "## Findings"
    random = report.tally(RANDOM)
    real = report.tallies.get(REAL)
    yield (
        "Each row counts strings for which `uriverse.check` reports the [finding](findings.md)."
        " *Flagged* strings have the finding, and in those in parentheses, the parsers or the"
        " clients differ in the characters that it concerns. The quotient is the precision of the"
        " finding. *Only* counts the random strings in which no other finding concerns the"
        " difference."
    )
    yield recall("parsers differ", random.explained, random.different)
    if random.requested:
        yield recall("clients differ", random.clients_explained, random.clients)
    ranked = sorted(random.classes.values(), key=lambda one: (-one.strings, one.code))
    yield markdown_table(
        ("finding", "example", "random, parsers", "only", "random, clients", "links"),
        (class_row(one, real) for one in ranked),
    ).replace("---: | ---: | ---:", "--- | ---: | ---:", 1)


def recall(what: str, explained: int, different: int) -> str:
    share = f"{100 * explained / different:.1f} %" if different else "none"
    return (
        f"Recall for random strings in which {what}: a finding concerns the difference in"
        f" {explained:,} of {different:,} ({share})."
    )


def class_row(one: Class, real: Tally | None) -> tuple[str, ...]:
    links = real.classes.get(one.code) if real else None
    return (
        f"[{one.code}](findings.md#{one.code})",
        code(one.example) if one.example else "",
        f"{one.flagged:,} ({one.strings:,})",
        f"{one.alone:,}",
        f"{one.requested:,} ({one.clients:,})",
        f"{links.flagged:,} ({links.strings:,})" if links else "",
    )


def unexplained(report: Report) -> Iterator[str]:
    yield "## Differences without a finding"
    yield (
        f"Strings with a difference that no finding concerns: {len(report.unexplained):,} between"
        " uriverse and software that connects to URIs of the scheme, or between two such programs;"
        f" {len(report.unexplained_elsewhere):,} between other parsers."
    )
    if report.unexplained:
        yield "\n".join(f"- {code(one.text)}: {cell(one)}" for one in report.unexplained[:SHOWN])
    made = [text for tally in report.tallies.values() for text in tally.unexplained]
    if made:
        listed = ", ".join(map(code, made[:SHOWN]))
        count = f"{len(made):,}"
        yield f"Requested strings, for which clients differ without a finding ({count}): {listed}."
    differing = Counter(name for one in report.unexplained_elsewhere for name in other(one))
    if differing:
        listed = ", ".join(f"{name} ({count:,})" for name, count in differing.most_common())
        yield (
            "The other parsers accept URIs of a scheme, although their software does not connect to"
            " URIs of this scheme. For example, `url.parse` of Node.js finds the host `text` in"
            " `data:text/plain,a`. These parsers disagree with uriverse in this number of strings:"
            f" {listed}."
        )


def uncounted(report: Report) -> Iterator[str]:
    yield "## Harmless differences"
    yield (
        "The list of differences without a finding omits the following. The number in parentheses"
        " is how often each occurred in this run."
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
    # The page would be too long with the strings of the Web Platform Tests.
    short = {title: found for title, found in report.published.items() if len(found) < LONG}
    for topic, comparisons in {**report.telling, **short}.items():
        yield f"### {topic}"
        yield markdown_table(
            ("string", "host and port", "findings"),
            ((code(one.text), cell(one), findings(one)) for one in comparisons),
        ).replace("---:", "---")


def repeat(report: Report) -> str:
    requests = report.tally(RANDOM).requested
    return REPEAT.format(requests=requests, mutants=report.tally(RANDOM).strings)
