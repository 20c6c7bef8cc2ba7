"""Write the results of one run into the documentation: the page, the charts and the README.

    python -m benchmarks --docs                      # run all benchmarks first
    python benchmarks/document.py benchmark-results  # write the results of an earlier run

`docs/benchmarks.md` is generated between `<!-- results: NAME -->` and `<!-- end -->`.
If the results are from several runs, the exit status is 1 and nothing is written. The same happens
if a peer is faster by more than the limit of `everyday.py`, and `where_a_peer_is_faster.toml` has
no argument for it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from everyday import LIMIT, best_of, compared, lost, uncounted_of
from measure import START, Row, Table, statement
from report import SECTIONS, conditions, lengths, line, number, ratio

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ARGUMENTS = HERE / "where_a_peer_is_faster.toml"
BLOCK = re.compile(r"(<!-- results: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)

#: The benchmarks whose rows are compared with the fastest peer.
WITH_PEERS = ("everyday", "edits", "http_messages")
#: The tables of `references.py` in its chart.
REFERENCES = (
    *("resolve", "normalize", "parse and normalize", "decode, segments", "encode, segments"),
    "to_uri, past ASCII",
)
#: The tables of `edits.py` in its chart, which are about one value at a time.
EDITS = (
    *("one parameter of a query", "all parameters of a query", "one of ten parameters exchanged"),
    *("two of ten parameters exchanged", "a name exchanged", "a segment added"),
)
#: The charts of the documentation: a benchmark, and options of `plot.py`.
CHARTS: Mapping[str, tuple[str, Sequence[str]]] = {
    "speed": ("identifiers", ["--table", "URI(text)"]),
    "references": (
        "references",
        [f"--table={title}" for title in REFERENCES],
    ),
    "edits": ("edits", [f"--table={title}" for title in EDITS]),
}
#: The columns of the README's table, and the rows of the benchmark `identifiers` for them.
LIBRARIES = {
    "uriverse": "uriverse URI(text)",
    "yarl.URL": "yarl.URL",
    "httpx.URL": "httpx.URL",
    "urllib.parse": "urlsplit, uncached",
    "rfc3986": "rfc3986.uri_reference",
    "pydantic": "pydantic_core.Url",
    "can_ada": "can_ada.parse",
}

#: The names of the same libraries, with the packages that have their versions.
VERSIONS = {
    "yarl": "yarl",
    "httpx": "httpx",
    "rfc3986": "rfc3986",
    "pydantic": "pydantic",
    "can_ada": "can_ada",
}
#: The sentence about the speed in the README.
SENTENCE = (
    r"Parsing a URL takes [\d.]+ µs; the next fastest library in our\n"
    r"  \[benchmarks\]\(docs/benchmarks\.md\) takes [\d.]+ µs\."
)
#: The paragraph about the conditions of the run in the README.
STATEMENT = rf"{START} [^|]+?\.\n\n"

Tables = Mapping[str, Sequence[Table]]


def rows(tables: Sequence[Table]) -> Iterator[str]:
    """Yield one table with a row for each library of each table of a benchmark."""
    yield line(["", "", "time", "ratio", "target", ""])
    yield line(["---", "---", "---:", "---:", "---:", "---"])
    for table in tables:
        for index, row in enumerate(table.rows):
            title = "" if index else table.title
            target = "" if row.target is None else f"{row.target:,.3g}"
            yield line([title, row.name, figure(table, row), ratio(row), target, row.verdict])


def everyday(tables: Sequence[Table]) -> Iterator[str]:
    """Yield a row for each operation: the fastest library that does the same work, and yarl."""
    yield line(["operation", "uriverse", "fastest other library", "ratio", "ratio to yarl"])
    yield line(["---", "---:", "---", "---:", "---:"])
    for table in tables:
        if not table.rows:
            continue
        best = best_of(table, uncounted_of(table))
        yarl = next((ratio(row) for row in table.rows if row.name == "yarl"), "")
        name, found = (best.name, ratio(best)) if best else ("", "")
        yield line([table.title, figure(table, table.rows[0]), name, found, yarl])


#: The title of a table of `documents.py`.
SIZES = re.compile(r"(\w+), ([\d,]+) documents, ([\d,]+) bytes, ([\d,]+) links")


def documents(tables: Sequence[Table]) -> Iterator[str]:
    """Yield a row for each library: its speed in bytes and in links."""
    yield line(["", "", "MB/s", "links per second", "ratio", "documents with other links"])
    yield line(["---", "---", "---:", "---:", "---:", "---:"])
    for table in tables:
        found = SIZES.fullmatch(table.title)
        assert found, table.title
        title, *sizes = found.groups()
        count, size, links = (int(each.replace(",", "")) for each in sizes)
        for index, row in enumerate(table.rows):
            seconds = row.figure.median * 1e-9 * count
            speeds = number(size / seconds / 1e6), f"{links / seconds:,.0f}"
            wrong = "" if row.wrong is None else f"{row.wrong:,}"
            yield line(["" if index else title, row.name, *speeds, ratio(row), wrong])


def figure(table: Table, row: Row) -> str:
    return f"{number(row.figure.median)} {table.unit}"


def targets(results: Tables) -> Iterator[str]:
    """Yield every target with its figure, its verdict and the command that prints it."""
    found = [
        (name, table, row)
        for name, tables in results.items()
        for table in tables
        for row in table.rows
        if row.target is not None
    ]
    met = sum(row.verdict == "met" for *_, row in found)
    yield f"{met} of {len(found)} targets are met.\n"
    for name in results:
        own = [(table, row) for other, table, row in found if other == name]
        if not own:
            continue
        yield f"`python benchmarks/{name}.py`:\n"
        yield line(["measured", "compared with", "found", "target", ""])
        yield line(["---", "---", "---:", "---:", "---"])
        for table, row in own:
            absolute = row.ratio is None
            shown = figure(table, row) if absolute else ratio(row)
            target = f"{row.target:,.3g}" + (f" {table.unit}" if absolute else "")
            yield line([table.title, row.name, shown, target, row.verdict])
        yield ""


def losses(results: Tables) -> Iterator[tuple[Table, Row]]:
    for name in WITH_PEERS:
        yield from lost(results.get(name, ()))


def unexplained(results: Tables, arguments: Mapping[str, str]) -> list[str]:
    """Return the lost cells that have no argument."""
    return [table.title for table, _ in losses(results) if table.title not in arguments]


def faster(results: Tables, arguments: Mapping[str, str]) -> Iterator[str]:
    """Yield the number of cells, and each lost one with its argument."""
    cells = sum(1 for name in WITH_PEERS for _ in compared(results.get(name, ())))
    found = [*losses(results)]
    yield f"Of {cells} operations that another library has, {len(found)} take uriverse more than"
    yield f"{LIMIT:g} times as long as the fastest library that does the same work.\n"
    for table, row in found:
        name = f"{row.name}, {ratio(row)} ({figure(table, table.rows[0])})"
        yield f"- **{table.title}**: {name}. {arguments[table.title]}"


def page(text: str, figures: Mapping[str, Mapping[str, Any]], arguments: Mapping[str, str]) -> str:
    """Return the page with new results. Results of benchmarks that did not run stay."""
    results = {
        name: [Table.from_json(table) for table in data["tables"]] for name, data in figures.items()
    }

    def block(match: re.Match[str]) -> str:
        name = match[2]
        if name == "conditions":
            lines = [conditions(figures)]
        elif name == "targets":
            lines = [*targets(results)]
        elif name == "faster":
            lines = [*faster(results, arguments)]
        elif name not in results:
            return match[0]
        elif name == "growth":
            lines = [*lengths(list(results[name]))]
        elif name == "documents":
            lines = [*documents(results[name])]
        else:
            lines = [*(everyday if name == "everyday" else rows)(results[name])]
        body = "\n".join(lines).strip("\n")
        return f"{match[1]}\n{body}\n\n{match[3]}"

    return BLOCK.sub(block, text)


def readme(text: str, parsing: Table, data: Mapping[str, Any]) -> str:
    """Return the README with new times of parsing, and with the conditions of their run."""
    installed = data["peers"]
    others = {name: installed[package] for name, package in VERSIONS.items()}
    times = {row.name: row.figure.median for row in parsing.rows}
    ours, *slower = times.values()
    sentence = (
        f"Parsing a URL takes {ours / 1000:.2f} µs; the next fastest library in our\n"
        f"  [benchmarks](docs/benchmarks.md) takes {min(slower) / 1000:.2f} µs."
    )
    cells = [f"{times[row]:,.0f}" if row in times else "" for row in LIBRARIES.values()]
    text = replaced(SENTENCE, sentence, text)
    text = replaced(STATEMENT, statement(data["machine"], others) + "\n\n", text)
    return replaced(r"\| ns per parse \|.*", line(["ns per parse", *cells]), text)


def from_other_runs(figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the benchmarks with other versions, or on another system, than the first one.

    A run may continue past midnight, so dates may differ.
    """
    runs = {
        name: ({**data["machine"], "date": ""}, data["peers"])
        for name, data in figures.items()
        if "machine" in data
    }
    return [name for name, run in runs.items() if run != next(iter(runs.values()))]


def replaced(pattern: str, new: str, text: str) -> str:
    text, count = re.subn(pattern, lambda _: new, text)
    if count != 1:
        raise SystemExit(f"the README has {count} passages like {pattern}, not one")
    return text


def main(command_line: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write results into the documentation.")
    parser.add_argument("results", type=Path, help="the folder that `python -m benchmarks` wrote")
    folder = parser.parse_args(command_line).results
    files = [file for name in SECTIONS if (file := folder / f"{name}.json").exists()]
    figures = {file.stem: json.loads(file.read_text("utf-8")) for file in files}
    results = {name: [*map(Table.from_json, data["tables"])] for name, data in figures.items()}
    arguments = tomllib.loads(ARGUMENTS.read_text("utf-8"))
    if names := from_other_runs(figures):
        print(f"not from the same run as the others: {', '.join(names)}", file=sys.stderr)
        return 1
    if names := unexplained(results, arguments):
        print(f"{ARGUMENTS.name} has no argument for: {'; '.join(names)}", file=sys.stderr)
        return 1
    parsing, measured = results["identifiers"][0], figures["identifiers"]
    changes: Sequence[tuple[Path, Callable[[str], str]]] = (
        (ROOT / "docs/benchmarks.md", lambda text: page(text, figures, arguments)),
        (ROOT / "README.md", lambda text: readme(text, parsing, measured)),
    )
    for file, new in changes:
        file.write_text(new(file.read_text("utf-8")), "utf-8")
        print(file.relative_to(ROOT))
    for chart, (name, options) in CHARTS.items():
        if name in figures:
            words = [str(folder / f"{name}.json"), f"docs/images/{chart}.svg", *options]
            subprocess.run([sys.executable, HERE / "plot.py", *words], cwd=ROOT, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
