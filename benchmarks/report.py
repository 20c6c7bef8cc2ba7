"""Write the results of the benchmarks as one page of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from everyday import best_of, uncounted_of
from measure import Row, Table, by_operation, statement

#: The sections of the page, each with the sentence under its heading.
SECTIONS = {
    "identifiers": "One URI or IRI at a time: parsing, memory and the time of the import.",
    "references": "Resolving, normalizing, percent-encoding and converting.",
    "edits": "Parameters and segments.",
    "http_messages": "Request targets, target URIs of requests, and `Link` fields.",
    "everyday": "Every operation of an identifier, compared with up to twelve libraries.",
    "redaction": "The function `redact`, compared with OpenTelemetry's and with parsing.",
    "dialing": "Requests of HTTP clients, with and without a connector of `uriverse.dial`.",
    "integrations": "Fields, columns and formats of other libraries; CURIEs and N-Triples.",
    "findings": "The function `check`, compared with parsing.",
    "rules": "Decisions of a policy, compared with other matchers of URL patterns.",
    "templates": "URI Templates, compared with other libraries that expand, match or route.",
    "scanning": "The speed at which a column is scanned, compared with copying it.",
    "columns": "Whole columns, compared with other libraries for columns.",
    "sql": "SQL functions in DuckDB, compared with the column functions.",
    "jobs": "Jobs with columns of URLs in Polars and DuckDB, with and without uriverse.",
    "command_line": "Whole processes.",
    "documents": "Links of Markdown and HTML documents, compared with parsers of both formats.",
    "growth": "How the time of an operation grows with the length of the string.",
    "linear": "How the time grows if a hostile string becomes four times as long. About 4 is "
    "linear, 16 is quadratic.",
}

INTRODUCTION = """\
# Results of the benchmarks

The command `python -m benchmarks` wrote this page. A ratio is the time of uriverse divided by that
of the other library, so **below 1, uriverse is faster**. Times are medians; the quartiles are in
brackets. The libraries were measured in alternating rounds of the same run.
"""


def page(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page for the contents of the JSON files, by the names of the benchmarks."""
    return "\n".join([INTRODUCTION, f"{conditions(figures)}\n", *sections(figures)])


def conditions(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the paragraph about the conditions of a run."""
    data = next(iter(figures.values()))
    return statement(data["machine"], data["peers"])


def sections(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, data in figures.items():
        yield f"## {name.replace('_', ' ').capitalize()}\n"
        yield f"{SECTIONS[name]}\n"
        tables = [Table.from_json(table) for table in data["tables"]]
        if name == "everyday":
            yield from operations(tables)
        elif name == "growth":
            yield from lengths(tables)
        else:
            for table in tables:
                yield from detailed(table)


def detailed(table: Table) -> Iterator[str]:
    """Yield the lines of a table, with a row for each library."""
    wrong = any(row.wrong is not None for row in table.rows)
    yield f"### {table.title}\n"
    heads = ["", table.unit, "ratio", "target", *(["other answers"] if wrong else [])]
    yield line(heads)
    yield line(["---", "---:", "---:", "---:", *(["---:"] if wrong else [])])
    for row in table.rows:
        target = "" if row.target is None else f"{row.target:g}, {row.verdict}"
        cells = [row.name, spread(row), ratio(row), target]
        yield line([*cells, *(["" if row.wrong is None else f"{row.wrong:,}"] if wrong else [])])
    yield ""
    yield from (f"{note}  " for note in table.notes)
    yield ""


def operations(tables: list[Table]) -> Iterator[str]:
    """Yield the lines of the table with a row for each operation."""
    yield line(["operation", "uriverse", "fastest other library", "ratio", "targets"])
    yield line(["---", "---:", "---", "---:", "---"])
    for table in tables:
        if not table.rows:
            continue
        best = best_of(table, uncounted_of(table))
        name, figure = (best.name, ratio(best)) if best is not None else ("", "")
        targets = [f"{row.name} {row.target:g}, {row.verdict}" for row in table.rows if row.target]
        yield line([table.title, spread(table.rows[0]), name, figure, "; ".join(targets)])
    yield ""


def lengths(tables: list[Table]) -> Iterator[str]:
    """Yield a table for each operation: a row for each library, a column for each length."""
    for operation, measured in by_operation(tables).items():
        yield f"### {operation[0].upper()}{operation[1:]}\n"
        yield line(["µs", *(f"{length:,} characters" for length in measured)])
        yield line(["---", *("---:" for _ in measured)])
        for row in next(iter(measured.values())).rows:
            times = [
                next((one.figure.median for one in table.rows if one.name == row.name), None)
                for table in measured.values()
            ]
            yield line([row.name, *("" if one is None else number(one / 1000) for one in times)])
        yield ""


def line(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def spread(row: Row) -> str:
    figure = row.figure
    if figure.low == figure.high:
        return number(figure.median)
    return f"{number(figure.median)} ({number(figure.low)} to {number(figure.high)})"


def ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio.median:.3g}"


def number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 20 else f"{figure:.3g}"
