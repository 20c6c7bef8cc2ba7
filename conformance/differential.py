"""Compare how all installed parsers read difficult strings: `python -m conformance.differential`.

The strings are those of `telling.py`, and random ones. The report counts the strings in which
parsers find different hosts or ports, and the findings of `uriverse.check` that explain them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from conformance import differential_page
from conformance.mutants import mutants
from conformance.report import environment
from conformance.telling import TELLING
from conformance.uncounted import UNCOUNTED
from uriverse_compare import NAMES, ON_REQUEST, Comparison, Parser, Target, compare_all, installed
from uriverse_compare._comparison import target_of

#: The number of strings that each parser reads at a time.
BATCH = 20_000

#: The number of strings without an explanation that the report keeps.
LONGEST_LIST = 100


@dataclass
class Class:
    """The strings for which `check` reports a code, and in which parsers find different hosts.

    Attributes:
        code: the code of the findings.
        strings: the number of strings.
        alone: the number of strings for which `check` reports no other code that explains them.
        example: one of the strings, if possible a short `http` URI without another code.
    """

    code: str
    strings: int = 0
    alone: int = 0
    example: str = ""
    rank: tuple[bool, bool, int] = (True, True, 0)

    def add(self, text: str, codes: set[str]) -> None:
        self.strings += 1
        self.alone += codes == {self.code}
        rank = (codes != {self.code}, not text.startswith("http://"), len(text))
        if not self.example or rank < self.rank:
            self.example, self.rank = text, rank

    def as_json(self) -> dict[str, Any]:
        return {name: data for name, data in vars(self).items() if name != "rank"}


@dataclass
class Report:
    """The results of a run.

    Attributes:
        parsers: the parsers that read the strings.
        seed: the seed of the random strings.
        telling: the comparisons of the strings of `TELLING`, by topic.
        outcomes: for each parser, how often each outcome occurred.
        alone: for each parser, how often no other parser found its host and port.
        classes: the kinds of differences, by the code that explains them.
        strings: the number of strings.
        different: the number of strings in which parsers find different hosts or ports.
        unexplained: strings with different hosts or ports in parsers whose software connects to
            the host, but without a finding.
        unexplained_elsewhere: the other strings with different hosts or ports without a finding.
        uncounted: how many readings each class of `UNCOUNTED` contains, by its title.
        failures: for each parser, an example of an unexpected error, with its message.
    """

    parsers: Sequence[Parser]
    seed: int
    telling: dict[str, list[Comparison]] = field(default_factory=dict)
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    alone: Counter[str] = field(default_factory=Counter)
    classes: dict[str, Class] = field(default_factory=dict)
    strings: int = 0
    different: int = 0
    unexplained: list[Comparison] = field(default_factory=list)
    unexplained_elsewhere: list[Comparison] = field(default_factory=list)
    uncounted: Counter[str] = field(default_factory=Counter)
    failures: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, comparison: Comparison) -> None:
        """Count one string."""
        self.strings += 1
        for parser, reading in comparison.readings.items():
            self.outcomes.setdefault(parser.name, Counter())[reading.outcome] += 1
            if reading.outcome == "failed":
                reason = reading.reason.partition("\n")[0].strip()
                self.failures.setdefault(parser.name, (comparison.text, reason))
        if not comparison.differ:
            return
        self.different += 1
        accepted = [group for group in comparison.groups if group.target]
        for group in accepted:
            if len(group.parsers) == 1 and len(comparison.readings) > 2:
                self.alone[group.parsers[0].name] += 1
        codes = {finding.code for finding in comparison.explanation}
        for code in codes:
            self.classes.setdefault(code, Class(code)).add(comparison.text, codes)
        if not codes:
            dangerous = len(self.destinations(comparison)) > 1
            (self.unexplained if dangerous else self.unexplained_elsewhere).append(comparison)

    def destinations(self, comparison: Comparison) -> set[Target]:
        """Return the hosts and ports found by software that connects to URIs of the scheme.

        Each parser may find another scheme. A parser that finds no host counts, too. Readings of
        the classes `UNCOUNTED` do not count.
        """
        found = set()
        for parser, reading in comparison.readings.items():
            if reading.outcome != "accepted" or (reading.scheme or "").lower() not in parser.dials:
                continue
            titles = [
                one.title for one in UNCOUNTED if one.applies(parser, comparison.text, reading)
            ]
            self.uncounted.update(titles[:1])
            if not titles:
                found.add(target_of(reading))
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            **environment(),
            "seed": self.seed,
            "strings": self.strings,
            "different": self.different,
            "parsers": [
                {
                    "name": parser.name,
                    "version": parser.version,
                    "dials": sorted(parser.dials),
                    **self.outcomes.get(parser.name, {}),
                    "alone": self.alone[parser.name],
                }
                for parser in self.parsers
            ],
            "classes": [self.classes[code].as_json() for code in sorted(self.classes)],
            "uncounted": dict(self.uncounted),
            "unexplained": [one.as_dict() for one in self.unexplained[:LONGEST_LIST]],
            "unexplained_elsewhere": [
                one.as_dict() for one in self.unexplained_elsewhere[:LONGEST_LIST]
            ],
            "telling": {
                topic: [one.as_dict() for one in comparisons]
                for topic, comparisons in self.telling.items()
            },
        }


def run(parsers: Sequence[Parser], count: int, seed: int) -> Report:
    """Compare the parsers on the strings of `TELLING`, and on `count` random strings."""
    report = Report(parsers, seed)
    for topic, texts in TELLING.items():
        report.telling[topic] = compare_all(texts, parsers)
        for comparison in report.telling[topic]:
            report.add(comparison)
    done = 0
    for batch in batches(mutants(seed, count)):
        for comparison in compare_all(batch, parsers):
            report.add(comparison)
        done += len(batch)
        if sys.stderr.isatty():
            print(f"\r{done:,} of {count:,} random strings", end="", file=sys.stderr, flush=True)
    return report


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(texts)
    while batch := list(islice(rest, BATCH)):
        yield batch


def main(argv: Sequence[str] | None = None) -> int:
    """Run the comparison; return 1 if a difference between dialing parsers has no finding."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.differential", description=__doc__.partition("\n")[0]
    )
    parser.add_argument(
        "--mutants", type=int, default=100_000, metavar="N", help="random strings (default: 100000)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random strings")
    parser.add_argument(
        "--all", action="store_true", dest="every", help="start nginx, git and browsers too"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a Markdown page")
    options = parser.parse_args(argv)
    names = [*NAMES, *(ON_REQUEST if options.every else ())]
    report = run(installed(names), options.mutants, options.seed)
    print(differential_page.as_text(report))
    if options.json:
        options.json.write_text(json.dumps(report.as_json(), indent=1) + "\n", "utf-8")
    if options.markdown:
        options.markdown.write_text(differential_page.as_markdown(report), "utf-8")
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
