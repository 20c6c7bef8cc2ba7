"""Compare speed, memory and import time with other libraries, for one URI or IRI at a time.

    python benchmarks/identifiers.py
    python benchmarks/identifiers.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import measure
import peers
from inputs import corpus
from measure import Contender, Function, Row, Spread, Table
from peers import Peer

#: A suffix that makes an IRI of any URI, whether the URI ends in a path, a query or a fragment.
PAST_ASCII = "/ros\u00e9/\u65e5\u672c\u8a9e"
#: The number of values that are created to measure the memory of one.
VALUES = 100_000
#: The number of interpreters to start in each round.
STARTS_PER_ROUND = 2
SWITCH = "URIVERSE_KERNEL"
#: The programs whose start is measured. Without the kernel, the first URI compiles a pattern.
PROGRAMS = {
    "compiled": "import uriverse; uriverse.URI('a:b')",
    "without the kernel": "import uriverse",
}

#: Peers, each with the upper limit of the ratio of uriverse to the peer.
Opponents = Sequence[tuple[Peer, float | None]]

WHATWG_TARGETS: Opponents = (
    (peers.CAN_ADA, 0.25),
    (peers.URL_PY, 0.35),
    (peers.PYDANTIC, 0.35),
)
FOR_INFORMATION: Opponents = (
    (peers.YARL, None),
    (peers.HTTPX, None),
    (peers.RFC3986, None),
    (peers.URITOOLS, None),
)


def accepts(function: Function, attribute: str | None, text: str) -> bool:
    """Return whether a function accepts a string: no error, and neither False nor None."""
    try:
        result = function(text)
        if attribute is not None:
            getattr(result, attribute)
    # Each library has its own exceptions, and some raise unintended ones.
    except Exception:  # noqa: BLE001
        return False
    return result is not None and result is not False


class Ours:
    """The module `uriverse`, imported after the engine has been selected."""

    def __init__(self) -> None:
        self.module: Any = importlib.import_module("uriverse")
        self.compiled: bool = self.module.compiled

    def reads(self, text: str) -> Function | None:
        """Return the type that accepts a string: `URI`, or `URIReference` without a scheme."""
        function: Function | None = None
        if self.module.is_uri(text):
            function = self.module.URI
        elif self.module.is_uri_reference(text):
            function = self.module.URIReference
        return function

    def is_iri(self, text: str) -> Function | None:
        """Return the function `is_iri` for strings that are IRIs, otherwise `None`."""
        function: Function = self.module.is_iri
        return function if function(text) else None

    def iri(self, text: str) -> Function | None:
        """Return the type `IRI` for strings that are IRIs, otherwise `None`."""
        function: Function = self.module.IRI
        return function if self.module.is_iri(text) else None


class Comparisons:
    """The comparisons of one process, which all use the same strings."""

    def __init__(self, ours: Ours, texts: Sequence[str], strings: int, rounds: int) -> None:
        self.ours = ours
        self.texts = texts
        self.strings = strings
        self.rounds = rounds

    def compiled(self) -> Iterator[Table]:
        """Yield the results with the compiled kernel."""
        opponents = (*WHATWG_TARGETS, *FOR_INFORMATION, (peers.URLSPLIT, None))
        yield self.compare("URI(text)", self.ours.reads, opponents)
        with_host = ((peers.CAN_ADA, 0.3), *opponents[1:])
        yield self.compare("URI(text).host", self.ours.reads, with_host, host=True)
        yield self.compare("is_iri(text)", self.ours.is_iri, [(peers.PYOXIGRAPH, 0.15)])
        yield self.compare(
            "is_iri(text), past ASCII",
            self.ours.is_iri,
            [(peers.PYOXIGRAPH, None)],
            ending=PAST_ASCII,
        )
        yield self.compare("IRI(text)", self.ours.iri, [(peers.PYOXIGRAPH, None)])
        yield self.memory(target=96)

    def without_kernel(self) -> Iterator[Table]:
        """Run this script with the reference implementation, and yield its results."""
        judged: Opponents = ((peers.URLSPLIT, 0.6), (peers.RFC3987, 1.0), *FOR_INFORMATION)
        yield self.compare("URI(text)", self.ours.reads, judged)
        opponents: Opponents = ((peers.URLSPLIT, None), *FOR_INFORMATION)
        yield self.compare("URI(text).host", self.ours.reads, opponents, host=True)
        yield self.memory(target=None)

    def titled(self, title: str) -> str:
        return title if self.ours.compiled else f"{title}, without the kernel"

    def compare(
        self,
        title: str,
        choose: Callable[[str], Function | None],
        opponents: Opponents,
        *,
        host: bool = False,
        ending: str = "",
    ) -> Table:
        """Measure uriverse and its peers on strings that all of them accept.

        Args:
            title: the title of the table.
            choose: returns the function of uriverse for a string, or `None` for an invalid one.
            opponents: the peers and the targets.
            host: whether to read the host of each result.
            ending: a suffix to append to each string.
        """
        present = [
            (peer, target, function)
            for peer, target in opponents
            if (function := peer.load()) is not None
        ]
        refusals = dict.fromkeys(["uriverse", *(peer.name for peer, _, _ in present)], 0)
        work: dict[Function, list[str]] = {}
        accepted: list[str] = []
        tried = 0
        for text in (text + ending for text in self.texts):
            if len(accepted) == self.strings:
                break
            tried += 1
            chosen = choose(text)
            refusing = [] if chosen else ["uriverse"]
            for peer, _, function in present:
                if not accepts(function, peer.host if host else None, text):
                    refusing.append(peer.name)
            for name in refusing:
                refusals[name] += 1
            if chosen is not None and not refusing:
                work.setdefault(chosen, []).append(text)
                accepted.append(text)
        if not accepted:
            raise SystemExit(f"{title}: no string is accepted by all libraries")
        contenders = [Contender(f"uriverse {title}", list(work.items()), "host" if host else None)]
        contenders += (
            Contender(f"{peer.name} .{peer.host}", [(function, accepted)], peer.host, target)
            if host
            else Contender(peer.name, [(function, accepted)], None, target)
            for peer, target, function in present
        )
        rows = measure.in_turn(contenders, self.rounds)
        if host:
            readers = [(function, peer.host) for peer, _, function in present]
            valid = [text for text in self.texts[:tried] if choose(text)]
            rows = tuple(with_answers(rows, readers, valid))
        mean = sum(map(len, accepted)) / len(accepted)
        counts = ", ".join(f"{name} {count}" for name, count in refusals.items() if count)
        taken = f"{len(accepted):,} strings accepted by all, of {tried:,} tried"
        length = f"{mean:.0f} characters on average; {self.rounds} rounds"
        notes = [f"{taken}; rejected: {counts or 'none'}", length]
        if ending:
            notes.append(f"with {ending} appended to each string")
        return Table(self.titled(title), "ns", tuple(notes), rows)

    def memory(self, target: float | None) -> Table:
        """Measure the memory of `URI` objects, without that of their strings."""
        uri = self.ours.module.URI
        texts = [text for text in self.texts if self.ours.module.is_uri(text)]
        distinct = len(texts)
        texts = (texts * (VALUES // distinct + 1))[:VALUES]
        size = float(sys.getsizeof(uri(texts[0])))
        allocated, after_host = weigh(uri, texts)
        rows = [
            Row("sys.getsizeof(value)", Spread(size, size, size), target=target),
            Row("allocated, by tracemalloc", allocated, target=target),
            Row("allocated, after value.host", after_host, target=target),
        ]
        notes = (f"mean of {VALUES:,} values of {min(distinct, VALUES):,} distinct strings",)
        return Table(self.titled("memory of a URI without its string"), "bytes", notes, tuple(rows))


def with_answers(
    rows: Sequence[Row], readers: Sequence[tuple[Function, str]], valid: Sequence[str]
) -> Iterator[Row]:
    """Add to each row the number of valid strings that the peer rejects, or finds another host in.

    Args:
        rows: the row of uriverse, and a row for each peer.
        readers: the function of each peer, and the attribute of its results that is the host.
        valid: strings that the RFCs allow.
    """
    read = importlib.import_module("uriverse").URIReference
    hosts = [host_of(read, "host", text) for text in valid]
    yield replace(rows[0], wrong=0)
    for row, (function, attribute) in zip(rows[1:], readers, strict=True):
        found = [host_of(function, attribute, text) for text in valid]
        yield replace(row, wrong=sum(a != b for a, b in zip(hosts, found, strict=True)))


def host_of(function: Function, attribute: str, text: str) -> str | None:
    """Return the host in lower case and without brackets; `None` if the string is rejected."""
    try:
        host: str | None = getattr(function(text), attribute)
    # Each library has its own exceptions, and some raise unintended ones.
    except Exception:  # noqa: BLE001
        return None
    return (host or "").strip("[]").lower()


def weigh(function: Callable[[str], Any], texts: Sequence[str]) -> tuple[Spread, Spread]:
    """Return the allocated bytes per value: after its creation, and after access to its host."""
    _ = function(texts[0]).host
    values: list[Any] = [None] * len(texts)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for index, text in enumerate(texts):
        values[index] = function(text)
    made, _ = tracemalloc.get_traced_memory()
    for value in values:
        _ = value.host
    read, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    first, second = (made - before) / len(texts), (read - before) / len(texts)
    return Spread(first, first, first), Spread(second, second, second)


def imports(rounds: int) -> Iterator[Table]:
    """Measure an import of uriverse and a first URI beside the import of `urllib.parse`.

    The interpreters are fresh, and alternate.
    """
    starts = rounds * STARTS_PER_ROUND
    engines = {"compiled": "require", "without the kernel": "disable"}
    if importlib.util.find_spec("uriverse._kernel.core") is None:
        del engines["compiled"]
    programs = {
        **{engine: (PROGRAMS[engine], choice) for engine, choice in engines.items()},
        "urllib.parse": ("import urllib.parse", "auto"),
        "pass": ("pass", "auto"),
    }
    told: dict[str, list[float]] = {name: [] for name in programs}
    lasted: dict[str, list[float]] = {name: [] for name in programs}
    for start in range(starts + 1):
        for name, (program, choice) in programs.items():
            figures = told_by_importtime(program, choice), wall(program, choice)
            if start:  # the first start may have compiled bytecode
                told[name].append(figures[0])
                lasted[name].append(figures[1])
    beyond = {
        name: [a - b for a, b in zip(figures, lasted["pass"], strict=True)]
        for name, figures in lasted.items()
    }
    ways = [("by -X importtime", told), ("by the clock, less `pass`", beyond)]
    for engine in engines:
        for way, found in ways:
            limit = 0.65 if engine == "compiled" else 1.0
            names = [(PROGRAMS[engine], None), ("import urllib.parse", limit)]
            rows = measure.rows_of(names, [found[engine], found["urllib.parse"]])
            notes = (f"{starts} fresh interpreters of each, bytecode cached",)
            yield Table(f"import, {engine}, {way}", "ms", notes, rows)


def environment(choice: str) -> dict[str, str]:
    """Return the environment variables of a fresh interpreter that caches bytecode."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, SWITCH: choice}


def told_by_importtime(program: str, choice: str) -> float:
    """Return the cumulative import time of a program in milliseconds, by `-X importtime`."""
    command = [sys.executable, "-X", "importtime", "-c", program]
    result = subprocess.run(
        command, env=environment(choice), capture_output=True, text=True, check=True
    )
    # Top-level imports are indented by one space. Depending on the version of Python, a package is
    # listed on the same level as its module or above it.
    outermost = re.findall(r"\| +(\d+) \| (?:uriverse|urllib)\b.*$", result.stderr, re.MULTILINE)
    return sum(map(int, outermost)) / 1000


def wall(program: str, choice: str) -> float:
    """Return the wall-clock time of an interpreter in milliseconds, from start to exit."""
    start = time.perf_counter_ns()
    subprocess.run([sys.executable, "-c", program], env=environment(choice), check=True)
    return (time.perf_counter_ns() - start) / 1e6


def in_child(arguments: argparse.Namespace) -> Iterator[Table]:
    """Yield the results without the kernel, from a process that never loads the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        options = ["--strings", str(arguments.strings), "--rounds", str(arguments.rounds)]
        options += ["--json", str(file), "--without-kernel"]
        if arguments.corpora is not None:
            options += ["--corpora", str(arguments.corpora)]
        command = [sys.executable, __file__, *options]
        subprocess.run(command, env=environment("disable"), stdout=subprocess.DEVNULL, check=True)
        for table in json.loads(file.read_text())["tables"]:
            yield Table.from_json(table)


def show(table: Table) -> None:
    """Print a table, formatted by rich if that is installed."""
    spread = any(between(row.figure) for row in table.rows)
    unit = f"{table.unit}, median" if spread else table.unit
    columns = [
        ["", *(row.name for row in table.rows)],
        [unit, *(number(row.figure.median) for row in table.rows)],
        ["quartiles", *(between(row.figure) for row in table.rows)],
        ["ours/peer", *(f"{row.ratio.median:.3f}" if row.ratio else "" for row in table.rows)],
        ["quartiles", *(ratios(row.ratio) for row in table.rows)],
        ["target", *("" if row.target is None else f"{row.target:g}" for row in table.rows)],
        ["", *(row.verdict for row in table.rows)],
        ["other answers", *("" if row.wrong is None else f"{row.wrong:,}" for row in table.rows)],
    ]
    columns = [column for column in columns if any(column[1:])]
    try:
        from rich.console import Console
        from rich.table import Table as Drawing
    except ImportError:
        print(f"\n{table.title}")
        widths = [max(map(len, column)) for column in columns]
        for line in zip(*columns, strict=True):
            print(
                "  ".join(
                    f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)
                ).rstrip()
            )
        print(*table.notes, sep="\n")
        return
    drawing = Drawing()
    for index, (head, *_) in enumerate(columns):
        drawing.add_column(head, justify="right" if index and head else "left", no_wrap=True)
    for cells in zip(*(column[1:] for column in columns), strict=True):
        drawing.add_row(*cells)
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(f"\n[bold]{table.title}[/bold]", highlight=False)
    console.print(drawing)
    console.print(*table.notes, sep="\n", highlight=False, soft_wrap=True)


def number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 20 else f"{figure:.2f}"


def between(spread: Spread) -> str:
    """Return the quartiles, or an empty string if there is only one value."""
    if spread.low == spread.high:
        return ""
    return f"{number(spread.low)} to {number(spread.high)}"


def ratios(spread: Spread | None) -> str:
    return "" if spread is None else f"{spread.low:.3f} to {spread.high:.3f}"


def options(description: str) -> argparse.ArgumentParser:
    """Return a parser with the options that all comparisons have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--corpora",
        type=Path,
        metavar="FOLDER",
        help="a folder of text files with one URL per line (default: generated URLs)",
    )
    parser.add_argument(
        *("--strings", "--rows"), type=int, default=5_000, help="the number of strings per pass"
    )
    parser.add_argument("--rounds", type=int, default=25, help="passes of each library")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    return parser


def arguments_of(command_line: Sequence[str] | None) -> argparse.Namespace:
    parser = options("Compare uriverse with other libraries.")
    parser.add_argument(
        "--without-kernel", action="store_true", help="measure only the reference implementation"
    )
    arguments = parser.parse_args(command_line)
    if arguments.strings < 1 or arguments.rounds < 2:
        parser.error("--strings must be at least 1, and --rounds at least 2")
    return arguments


def tables_of(arguments: argparse.Namespace, ours: Ours, texts: list[str]) -> Iterator[Table]:
    comparisons = Comparisons(ours, texts, arguments.strings, arguments.rounds)
    if not ours.compiled:
        yield from comparisons.without_kernel()
        if not arguments.without_kernel:
            yield from imports(arguments.rounds)
        return
    yield from comparisons.compiled()
    yield from in_child(arguments)
    yield from imports(arguments.rounds)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = arguments_of(command_line)
    if arguments.without_kernel:
        os.environ[SWITCH] = "disable"
    texts = corpus(arguments.corpora)
    ours = Ours()
    machine = measure.machine(ours.module.__version__, compiled=ours.compiled)
    print(measure.statement(machine, peers.versions()))
    if missing := peers.missing():
        print("not installed:", ", ".join(missing))
    tables = []
    for table in tables_of(arguments, ours, texts):
        show(table)
        tables.append(table)
    if arguments.json:
        figures = {
            "machine": machine,
            "peers": peers.versions(),
            "tables": [table.as_json() for table in tables],
        }
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
