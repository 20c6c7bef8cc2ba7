"""The results as text, as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

import uriverse
from conformance.conditions import conditions
from conformance.deviations import Reason
from conformance.results import Deviation, Result
from conformance.suites import SUITES

#: The number of deviations with the same reason that a report for people shows.
EXAMPLES = 3

UNEXPLAINED = Reason("not explained", "")


def environment() -> dict[str, str]:
    """Return the conditions of a run of this package."""
    return conditions(uriverse.__version__, compiled=uriverse.compiled)


def as_json(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Return the results as JSON data, with every deviation."""
    return [
        {
            "suite": result.suite,
            **SUITES[result.suite]._asdict(),
            "cases": result.cases,
            "passed": result.passed,
            "deviations": [
                {**asdict(deviation), "reason": reason and reason.text, "section": section}
                for deviation in result.deviations
                for reason in (deviation.reason,)
                for section in (reason and reason.section,)
            ],
            "not_run": dict(result.not_run),
        }
        for result in results
    ]


def quoted(value: object) -> str:
    """Return a value on one line, in ASCII: cases contain line breaks and invisible characters."""
    return json.dumps(value)


def by_reason(result: Result) -> Iterator[tuple[Reason, list[Deviation]]]:
    """Yield the deviations of a suite in groups with the same reason, unexplained ones first."""

    def reason_of(deviation: Deviation) -> Reason:
        return deviation.reason or UNEXPLAINED

    found = sorted(result.deviations, key=lambda one: (one.reason is not None, reason_of(one)))
    for reason, group in groupby(found, key=reason_of):
        yield reason, list(group)


def described(deviation: Deviation) -> str:
    base = f" on {quoted(deviation.base)}" if deviation.base is not None else ""
    return (
        f"{deviation.kind} {quoted(deviation.input)}{base}: the suite expects "
        f"{quoted(deviation.expected)}, uriverse returns {quoted(deviation.found)}"
    )


def counted(number: int) -> str:
    return f"{number} deviation" if number == 1 else f"{number} deviations"


COLUMNS = ("suite", "cases", "passed", "deviations", "not run")


def rows(results: Sequence[Result]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of the table of suites, with the sums in the last row."""
    numbers = [
        (result.cases, result.passed, len(result.deviations), result.not_run.total())
        for result in results
    ]
    names = [result.suite for result in results]
    sums = tuple(map(sum, zip(*numbers, strict=True)))
    for name, counts in zip([*names, "all"], [*numbers, sums], strict=True):
        yield name, *(f"{count:,}" for count in counts)


def as_text(results: Sequence[Result]) -> str:
    """Return the results as plain text."""
    table = [COLUMNS, *rows(results)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    for result in results:
        for reason, group in by_reason(result):
            section = f" ({reason.section})" if reason.section else ""
            lines += ["", f"{result.suite}, {counted(len(group))}: {reason.text}{section}"]
            lines += [f"  {described(deviation)}" for deviation in group[:EXAMPLES]]
            if len(group) > EXAMPLES:
                lines.append(f"  and {len(group) - EXAMPLES} others; --json lists all of them")
    lines.append("")
    for result in results:
        for reason_text, count in result.not_run.items():
            lines.append(f"{result.suite}: {count} cases not run: {reason_text}")
    return "\n".join(lines)


def markdown_table(columns: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose columns, except the first, are aligned to the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def as_markdown(results: Sequence[Result]) -> str:
    """Return the table of suites and the reasons for the deviations as Markdown."""
    parts = [markdown_table(COLUMNS, rows(results))]
    reasons = [
        (result.suite, f"{len(group):,}", reason.text, reason.section)
        for result in results
        for reason, group in by_reason(result)
    ]
    skipped = [
        (result.suite, f"{count:,}", reason)
        for result in results
        for reason, count in result.not_run.items()
    ]
    parts += [
        "These cases deviate because they contradict an RFC:",
        markdown_table(("suite", "cases", "reason", "section"), reasons).replace(
            "---: | ---: | ---:", "---: | --- | ---"
        ),
        "These cases are not run:",
        markdown_table(("suite", "cases", "reason"), skipped).replace("---: | ---:", "---: | ---"),
    ]
    return "\n\n".join(parts)
