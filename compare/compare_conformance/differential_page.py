"""The report about differences between parsers, as text and as a Markdown page."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from compare_conformance import finding_tables, held_out, parser_tables
from compare_conformance.cells import cell, code, findings, other, readings
from compare_conformance.clients import MAINSTREAM, SCHEMES, SLOW
from compare_conformance.tallies import RANDOM, REAL, Tally, reported
from compare_conformance.uncounted import UNCOUNTED
from conformance.conditions import statement
from conformance.report import environment, markdown_table, quoted

#: The number of strings without a finding that the page shows.
SHOWN = 20

#: The number of strings from which a group of published strings has no table.
LONG = 100

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compare_conformance.differential import Report

INTRODUCTION = """\
# Differences between parsers

Which hosts do different programs find in the same string? If you want to protect a program, read
[](how-to/which-host.md) first.

A parser that differs from the others is not necessarily wrong. Browsers follow the URL Standard,
others follow RFC 3986 or an older RFC, and most of the strings on this page are invalid by one of
them. But if one program checks a URL and another program connects to it, an attacker may use any
difference to get around the check."""

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
pip install --group bench --group playground ".[test]" "./compare[parsers]"
PYTHONPATH=compare python -m compare_conformance.differential --probes --browsers \\
    --requests {requests} --mutants {mutants} \\
    {corpora}--markdown docs/differences.md --answers playground/programs.json
```

The command runs every parser that is installed. `compare/Dockerfile` lists the Debian packages of
the programs and libraries; Deno and Bun are packages of npm. The option `--corpora` names a folder
of text files, from which the links are read. Requests of programs need Linux, `gcc` and `unshare`.
To compare the parsers on your own strings, use `uriverse-compare`."""


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
    return ", ".join(f"{outcome} {count:,}" for outcome, count in sorted(outcomes.items()))


def as_markdown(report: Report) -> str:
    """Return the whole page."""
    parts = [
        INTRODUCTION,
        statement(environment()),
        *headline(report),
        *sets(report),
        *parser_tables.clients(report),
        *parser_tables.parsers(report),
        *finding_tables.findings(report.tally(RANDOM), report.tallies.get(REAL)),
        *unexplained(report),
        NOTATION,
        *uncounted(report),
        *telling(report),
        repeat(report),
    ]
    return "\n\n".join(parts) + "\n"


def headline(report: Report) -> Iterator[str]:
    """Yield the main figures, with the words that they need."""
    yield (
        "The random strings are URIs with a few changes on which parsers may disagree, so their"
        " shares say nothing about the links that people use."
    )
    yield "\n".join(f"- {figure}" for figure in figures(report))
    if report.tally(RANDOM).requested:
        yield (
            "The requested strings have the scheme `http` or `https`. All connections were recorded"
            " and refused, so nothing left the machine. *Mainstream* is our choice of clients of"
            f" Python, C, Node.js, Go and Java: {', '.join(mainstream(report))}."
        )
    yield (
        f"The seed of the random strings is {report.seed}. [Parsers](#parsers) lists the version of"
        f" each program. Most programs and C libraries are packages of {system()}. Other versions"
        " may give other results. Strings are written as in JSON, so `\\u0009` is a tab."
    )


def figures(report: Report) -> Iterator[str]:
    """Yield the main figures: clients first, then all parsers."""
    found, real = report.tally(RANDOM), report.tallies.get(REAL)
    if found.requested:
        counted = [name for name in report.verified if name not in {*SCHEMES, *SLOW}]
        yield (
            f"In **{found.mainstream:,} of {found.requested:,}** requested random strings, at least"
            f" two of {len(mainstream(report))} mainstream clients try to connect to different"
            f" hosts or ports. In **{found.mainstream_possible:,}** of these, two of the hosts are"
            " [possible](#sets-of-strings). In the others, a client looks up a name such as `a@b`,"
            " which usually fails."
        )
        yield (
            f"In **{found.clients:,} of {found.requested:,}**, at least two of {len(counted)}"
            f" clients do. In **{found.clients_possible:,}** of these, two of the hosts are"
            f" possible. In {found.clients_explained:,}, a [finding](findings.md) of"
            " `uriverse.check` concerns the difference; the others are"
            " [listed](#differences-without-a-finding)."
        )
    yield (
        f"In **{found.different:,} of {found.strings:,}** random strings of all kinds, at least two"
        f" of {len(report.parsers)} parsers find different hosts or ports. Many of these parsers do"
        " not connect, or would not connect to a URI of the scheme."
    )
    if real:
        yield (
            f"In **{real.different:,} of {real.strings:,}** real links, at least two parsers do. In"
            f" {real.explained:,} of these, a finding concerns the difference."
        )


def mainstream(report: Report) -> list[str]:
    """Return the names of the mainstream clients of a run."""
    return [name for name in MAINSTREAM if name in report.verified]


def system() -> str:
    """Return the name of the operating system."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def sets(report: Report) -> Iterator[str]:
    yield "## Sets of strings"
    yield (
        "We chose the *selected strings*, because programs are known to differ in them. The"
        " authors of the published strings chose theirs as tests or for attacks. The *random"
        " strings* are combinations of parts that we chose. The shares of these sets therefore say"
        " nothing about other strings."
    )
    yield (
        "A host is *possible* if it is an IP address, or consists of letters, digits, hyphens,"
        " underscores and dots. Other names, such as `a@b` and `%67ood.example`, are not names of"
        " hosts (RFC 1123, 2.1), so a lookup usually fails. Resolvers differ, so such a lookup"
        " still counts as an attempt to connect."
    )
    yield (
        "*Flagged* counts the strings for which `uriverse.check` reports a finding that can move a"
        " host. *Parsers differ* counts the strings in which at least two parsers find different"
        " hosts or ports. *Clients differ* counts those for which at least two clients tried to"
        " connect to different hosts or ports, *mainstream* those for which two mainstream clients"
        " did, and *possible* those of the latter in which two of the hosts are possible. A number"
        " in parentheses counts the differences that a finding concerns: its span touches the"
        " characters in which the hosts, or only the ports, differ."
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
            "possible",
        ),
        (set_row(title, tally) for title, tally in report.tallies.items()),
    )
    if report.sources:
        yield "Published strings:"
        yield "\n".join(f"- {group.source}" for group in report.sources)
    if REAL in report.tallies:
        yield (
            "The *real links* are random lines of four files. Three are from [datasets of the URL"
            " parser ada](https://github.com/ada-url/url-various-datasets): links of web pages"
            " (`kasztp.txt`), and `file:` URLs of two projects (`isaacs_files.txt` and"
            " `node_files.txt`). The fourth has the IRIs in the [RDF tests of the"
            " W3C](https://github.com/w3c/rdf-tests). nginx, git and the browsers did not read"
            " them."
        )
        yield from flagged_links(report.tally(REAL))
    yield from held_out_strings()


def flagged_links(real: Tally) -> Iterator[str]:
    """Yield how often `check` warns about real links."""
    if real.classes:
        most = max(real.classes.values(), key=lambda one: one.flagged)
        yield (
            f"`uriverse.check` flags {real.flagged:,} of the {real.strings:,} real links,"
            f" {most.flagged:,} of them with the code `{most.code}`. [False"
            " alarms](conformance.md#false-alarms-on-real-urls) explains why."
        )


def held_out_strings() -> Iterator[str]:
    data = held_out.load()
    count = len(data["cases"])
    found = count - len(held_out.missed(data["cases"]))
    yield (
        "The random strings above may have guided the rules of findings. *Held-out strings* come"
        " from the same generator, but guided none of them: their seed was used for nothing else."
        f" On {data['date']}, the mainstream clients requested {data['requested']:,} of them, and"
        f" differed in {count:,}; in {held_out.possible_count(data['cases']):,} of these, two of"
        f" the hosts are possible. A finding concerns the difference in {found:,}"
        + (
            f" (with 95 % confidence, in at least {lower_bound(count):.1f} % of all such strings)."
            if count == found
            else "."
        )
        + " A test checks this without the clients."
    )


def lower_bound(count: int) -> float:
    """Return the percentage of successes that `count` successes without a failure show."""
    return math.floor(1000 * math.pow(0.05, 1 / count)) / 10


def set_row(title: str, tally: Tally) -> tuple[str, ...]:
    requested = (
        f"{tally.requested:,}",
        f"{tally.clients:,} ({tally.clients_explained:,})",
        f"{tally.mainstream:,}",
        f"{tally.mainstream_possible:,}",
    )
    return (
        title,
        f"{tally.strings:,}",
        f"{tally.flagged:,}",
        f"{tally.different:,} ({tally.explained:,})",
        *(requested if tally.requested else ("", "", "", "")),
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
    made = {
        text: found
        for tally in report.tallies.values()
        for text, found in tally.unexplained.items()
    }
    if made:
        yield (
            "Requested strings for which clients differ, and no finding concerns the difference:"
            f" {len(made):,}. The last column has findings about other characters."
        )
        yield markdown_table(
            ("string", "clients connect to", "findings"),
            (
                (code(text), connections(found), ", ".join(sorted(reported(text))))
                for text, found in [*made.items()][:SHOWN]
            ),
        ).replace("---:", "---")
    differing = Counter(name for one in report.unexplained_elsewhere for name in other(one))
    if differing:
        listed = ", ".join(f"{name} ({count:,})" for name, count in differing.most_common())
        yield (
            "Many of the differences between other parsers are in URIs of a scheme to which the"
            " software does not connect. For example, `url.parse` of Node.js finds the host `text`"
            " in `data:text/plain,a`. Some readings of libcurl and git [do not"
            " count](#readings-that-do-not-count). This is the number of strings in which each"
            f" parser finds another host or port than uriverse: {listed}."
        )


def connections(found: Mapping[str, Sequence[str]]) -> str:
    """Return the clients of each host and port for a cell; those without a connection last."""
    return "<br>".join(
        f"{code(target, quote=False) if target else 'no connection'}: {', '.join(names)}"
        for target, names in sorted(found.items(), key=lambda one: not one[0])
    )


def uncounted(report: Report) -> Iterator[str]:
    yield "## Readings that do not count"
    yield (
        "The list of differences without a finding omits the following readings. The number in"
        " parentheses is how often each occurred in this run."
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
    """Return the command of this run."""
    random = report.tally(RANDOM)
    corpora = "--corpora FOLDER " if REAL in report.tallies else ""
    return REPEAT.format(requests=random.requested, mutants=random.strings, corpora=corpora)
