"""Compare how parsers read difficult strings: `python -m compare_conformance.differential`.

The strings are those of `telling.py`, published ones, and random ones. The report counts the
strings in which parsers find different hosts or ports, those for which clients connect to
different hosts or ports, and the findings of `uriverse.check` that concern the differences.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any

from compare_conformance import differential_page
from compare_conformance.cells import by_target
from compare_conformance.clients import MAINSTREAM
from compare_conformance.kinds import changed
from compare_conformance.mutants import mutants
from compare_conformance.published import GROUPS, Group
from compare_conformance.requesting import request_all, requestable, targets
from compare_conformance.tallies import RANDOM, REAL, Tally
from compare_conformance.telling import TELLING
from compare_conformance.uncounted import UNCOUNTED
from conformance.dialing.verifying import Verification
from conformance.report import environment
from uriverse_compare import NAMES, ON_REQUEST, Comparison, Parser, Target, compare_all, installed
from uriverse_compare._browsers import FINDERS as BROWSERS
from uriverse_compare._comparison import find_target

#: The number of strings that each parser reads at a time.
BATCH = 20_000

#: The number of strings without an explanation that the report keeps.
LONGEST_LIST = 100

#: The number of random links from the corpora.
LINKS = 3000

#: The title of the strings of `TELLING`.
SELECTED = "Selected strings"


@dataclass
class Report:
    """The results of a run.

    Attributes:
        parsers: the parsers that read the strings.
        seed: the seed of the random strings.
        telling: the comparisons of the strings of `TELLING`, by topic.
        published: the comparisons of the published strings, by the title of the group.
        sources: the groups of published strings.
        tallies: the counts of each set of strings.
        verified: the check of each adapter of a client.
        outcomes: for each parser, how often each outcome occurred.
        unexplained: strings with different hosts or ports in parsers whose software connects to
            the host, but without a finding.
        unexplained_elsewhere: the other strings with different hosts or ports without a finding.
        uncounted: how many readings each class of `UNCOUNTED` contains, by its title.
        failures: for each parser, an example of an unexpected error, with its message.
        connections: for each selected and published string that was requested, the clients that
            connect to each host and port.
    """

    parsers: Sequence[Parser]
    seed: int
    telling: dict[str, list[Comparison]] = field(default_factory=dict)
    published: dict[str, list[Comparison]] = field(default_factory=dict)
    sources: Sequence[Group] = ()
    tallies: dict[str, Tally] = field(default_factory=dict)
    verified: dict[str, Verification] = field(default_factory=dict)
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    unexplained: list[Comparison] = field(default_factory=list)
    unexplained_elsewhere: list[Comparison] = field(default_factory=list)
    uncounted: Counter[str] = field(default_factory=Counter)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)
    connections: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    @property
    def strings(self) -> int:
        return sum(tally.strings for tally in self.tallies.values())

    @property
    def different(self) -> int:
        return sum(tally.different for tally in self.tallies.values())

    def tally(self, title: str) -> Tally:
        return self.tallies.setdefault(title, Tally())

    def add(self, comparison: Comparison, title: str) -> None:
        """Count one string."""
        for parser, reading in comparison.readings.items():
            self.outcomes.setdefault(parser.name, Counter())[reading.outcome] += 1
            if reading.outcome == "failed":
                reason = reading.reason.partition("\n")[0].strip()
                self.failures.setdefault(parser.name, (comparison.text, reason))
        codes = self.tally(title).add(comparison)
        if not comparison.differ:
            return
        destinations = self.destinations(comparison)
        if not codes:
            dangerous = len(destinations) > 1
            (self.unexplained if dangerous else self.unexplained_elsewhere).append(comparison)

    def destinations(self, comparison: Comparison) -> set[Target]:
        """Return the hosts and ports of uriverse and of software that connects to the scheme.

        Each parser may find another scheme. A parser that finds no host does not count, because it
        connects to nothing. Readings of the classes `UNCOUNTED` do not count.

        For a string without a scheme, uriverse has no default port. urllib3, the only client that
        connects then, assumes http, so the port of uriverse is read as one of http.
        """
        found = set()
        for parser, read in comparison.readings.items():
            ours = parser.name == "uriverse"
            reading = read._replace(scheme=read.scheme or "http") if ours else read
            connects = ours or (reading.scheme or "").lower() in parser.dials
            if reading.outcome != "accepted" or not connects or not find_target(reading).host:
                continue
            titles = [
                one.title for one in UNCOUNTED if one.applies(parser, comparison.text, reading)
            ]
            self.uncounted.update(titles[:1])
            if not titles:
                found.add(find_target(reading))
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            **environment(),
            "seed": self.seed,
            "mainstream": MAINSTREAM,
            "parsers": [
                {
                    "name": parser.name,
                    "version": parser.version,
                    "dials": sorted(parser.dials),
                    **self.outcomes.get(parser.name, {}),
                    "verified": checked.as_json() if checked else None,
                }
                for parser in self.parsers
                for checked in (self.verified.get(parser.name),)
            ],
            "tallies": {title: tally.as_json() for title, tally in self.tallies.items()},
            "uncounted": dict(self.uncounted),
            "unexplained": list(map(in_short, self.unexplained[:LONGEST_LIST])),
            "unexplained_elsewhere": list(map(in_short, self.unexplained_elsewhere[:LONGEST_LIST])),
            "telling": as_dicts(self.telling),
            "published": as_dicts(self.published),
            "connections": self.connections,
        }


def as_dicts(comparisons: dict[str, list[Comparison]]) -> dict[str, list[dict[str, Any]]]:
    return {title: [in_short(one) for one in found] for title, found in comparisons.items()}


def in_short(comparison: Comparison) -> dict[str, Any]:
    """Return the hosts, ports and findings of a string as JSON data."""
    found = {
        outcome: [
            parser.name
            for parser, reading in comparison.readings.items()
            if reading.outcome == outcome
        ]
        for outcome in ("rejected", "unread", "failed")
    }
    return {
        "text": comparison.text,
        "groups": comparison.as_dict()["groups"],
        "findings": [
            code for finding in comparison.explanation for code in (finding.code, *finding.details)
        ],
        **{outcome: names for outcome, names in found.items() if names},
    }


def answers_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return the results of all parsers for the selected and the published strings.

    Returns:
        The `date` of the run; the names of the `programs`; and `strings`: for each string, the
        hosts and ports that programs find, each with the indices of these programs. `None` stands
        for a rejection.
    """
    programs = [parser["name"] for parser in found["parsers"]]
    tables = [*found["telling"].values(), *found["published"].values()]
    return {
        "date": found["date"],
        "programs": programs,
        "strings": {
            one["text"]: [
                [target, [programs.index(name) for name in names]]
                for target, names in results_of(one)
                if names
            ]
            for table in tables
            for one in table
        },
    }


def results_of(found: dict[str, Any]) -> list[tuple[str | None, list[str]]]:
    """Return the hosts and ports that parsers find in a string, each with their names."""
    groups = [(describe_target(group), group["parsers"]) for group in found["groups"]]
    return [*groups, (None, found.get("rejected", []))]


def describe_target(group: dict[str, Any]) -> str:
    """Return a host and a port as `uriverse_compare` writes them."""
    host, port = group["host"] or "(no host)", group["port"]
    host = f"[{host}]" if ":" in host and "@" not in host else host
    return host if port is None else f"{host}:{port}"


def run(
    parsers: Sequence[Parser],
    count: int,
    seed: int,
    *,
    sources: Sequence[Group] = (),
    links: Sequence[str] = (),
    requests: int = 0,
) -> Report:
    """Compare the parsers, and make requests with the clients.

    Args:
        parsers: the parsers.
        count: the number of random strings.
        seed: their seed.
        sources: the published strings.
        links: links of the corpora, which the parsers that are not slow read.
        requests: the number of random strings that the clients request, besides all selected and
            published ones; 0 for no requests.
    """
    report = Report(parsers, seed, sources=sources)
    chosen = [(SELECTED, topic, list(texts)) for topic, texts in TELLING.items()]
    chosen += [(group.title, group.title, list(group.texts)) for group in sources]
    chosen.append((RANDOM, "", list(mutants(seed, count))))
    # All at once, because browsers take seconds to start.
    rest = compared(list(chain.from_iterable(texts for _, _, texts in chosen)), parsers)
    quick = [parser for parser in parsers if parser.name not in ON_REQUEST]
    for title, topic, texts in chosen:
        found = added(report, title, islice(rest, len(texts)))
        if title == SELECTED:
            report.telling[topic] = found
        elif title == RANDOM:
            add_changed(report.tally(RANDOM), found, quick)
        else:
            report.published[topic] = found
    if links:
        read = compare_all(links, quick)
        for comparison in read:
            report.tally(REAL).add(comparison)
        add_changed(report.tally(REAL), [one for one in read if one.differ], quick)
    if requests:
        add_requests(report, requestable(mutants(seed, max(count, 10 * requests)), requests))
    return report


def compared(texts: Sequence[str], parsers: Sequence[Parser]) -> Iterator[Comparison]:
    """Compare the parsers on strings, in batches."""
    for done, batch in enumerate(batches(texts)):
        if sys.stderr.isatty():
            print(f"{done * BATCH:,} of {len(texts):,} strings", file=sys.stderr, flush=True)
        yield from compare_all(batch, parsers)


def added(report: Report, title: str, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """Count comparisons; return them, of random strings only those with a difference."""
    found = []
    for comparison in comparisons:
        report.add(comparison, title)
        if title != RANDOM or comparison.differ:
            found.append(comparison)
    return found


def add_changed(tally: Tally, found: Sequence[Comparison], parsers: Sequence[Parser]) -> None:
    """Read strings with a difference again, without the characters of each kind."""
    changes = [changed(one.text) for one in found]
    texts = list(dict.fromkeys(chain.from_iterable(each.values() for each in changes)))
    read = dict(zip(texts, compared(texts, parsers), strict=True))
    for one, titles in zip(found, changes, strict=True):
        tally.add_changed(one, {title: read[text] for title, text in titles.items()})


def add_requests(report: Report, mutated: Sequence[str]) -> None:
    """Request random strings and all selected and published ones with each client."""
    sets: dict[str, Sequence[str]] = {SELECTED: list(chain.from_iterable(TELLING.values()))}
    sets |= {group.title: group.texts for group in report.sources}
    sets = {title: requestable(texts) for title, texts in sets.items()}
    sets[RANDOM] = mutated
    made, report.verified = request_all(
        report.parsers, list(dict.fromkeys(chain.from_iterable(sets.values())))
    )
    for title, chosen in sets.items():
        for text in chosen:
            found = targets(made, text)
            report.tally(title).add_requests(text, found)
            if title != RANDOM:
                report.connections[text] = by_target(found)


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, BATCH)):
        yield batch


def links_in(folder: Path, seed: int) -> list[str]:
    """Return random lines of the files in a folder, without duplicates."""
    lines = (
        line.removesuffix("\r")
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text("utf-8-sig").split("\n")
    )
    distinct = list(dict.fromkeys(filter(None, lines)))
    return Random(seed).sample(distinct, min(LINKS, len(distinct)))  # noqa: S311


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if a difference between dialing parsers has no finding."""
    parser = argparse.ArgumentParser(
        prog="python -m compare_conformance.differential", description=__doc__.partition("\n")[0]
    )
    parser.add_argument(
        "--mutants", type=int, default=20_000, metavar="N", help="random strings (default: 20000)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random strings")
    parser.add_argument(
        "--requests",
        type=int,
        default=0,
        metavar="N",
        help="request the other strings and N random ones with each client; nothing is sent",
    )
    parser.add_argument("--probes", action="store_true", help="run nginx and git too")
    parser.add_argument("--browsers", action="store_true", help="run browsers too")
    parser.add_argument(
        "--corpora",
        type=Path,
        default=os.environ.get("URIVERSE_CORPORA"),
        metavar="FOLDER",
        help=f"a folder of text files with links, of which {LINKS} are read",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help="write the answers that the playground shows"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a Markdown page")
    options = parser.parse_args(argv)
    names = [*NAMES]
    names += [name for name in ON_REQUEST if options.probes and name not in BROWSERS]
    names += BROWSERS if options.browsers else ()
    report = run(
        installed(names),
        options.mutants,
        options.seed,
        sources=GROUPS,
        links=links_in(options.corpora, options.seed) if options.corpora else (),
        requests=options.requests,
    )
    print(differential_page.as_text(report))
    if options.json:
        options.json.write_text(json.dumps(report.as_json()) + "\n", "utf-8")
    if options.answers:
        options.answers.write_text(json.dumps(answers_of(report.as_json())) + "\n", "utf-8")
    if options.markdown:
        options.markdown.write_text(differential_page.as_markdown(report), "utf-8")
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
