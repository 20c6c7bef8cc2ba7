"""Compare every operation of an identifier with other libraries.

    python benchmarks/everyday.py
    python benchmarks/everyday.py --only "with_*" --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import measure
import peers
from everyday_libraries import (
    CHECKED,
    FAMILIES,
    FEWER,
    IMPORTS,
    OURS,
    PEERS,
    PURE,
    PURE_ENVIRONMENT,
    STRINGS,
    VALUES,
    Code,
    Operation,
    installed,
    plain,
)
from everyday_operations import OPERATIONS, PURE_OPERATIONS
from identifiers import environment, weigh
from measure import Contender, Row, Spread, Table

#: A cell is lost if the ratio to the fastest peer that does the same work is larger.
LIMIT = 1.2
HEADINGS = ("operation", OURS, *PEERS, "best peer", "ratio", "target: ratio", "verdict")
#: Where the operating system writes the size of the memory of a process, in pages.
MEMORY = Path("/proc/self/statm")
#: The number of values that are created to measure the memory of one, and their code.
VALUES_IN_MEMORY = 5_000
WEIGHING = """
import gc
from pathlib import Path
from everyday_libraries import FAMILIES
text = FAMILIES["usual"]
make = lambda s: {made}
kept = [make(text(n)) for n in range(100)]
gc.collect()
before = int(Path("/proc/self/statm").read_text().split()[1])
kept += [make(text(n)) for n in range(100, {count})]
after = int(Path("/proc/self/statm").read_text().split()[1])
print((after - before) * {page} / ({count} - 100))
"""

IMPORTING = """
import time
start = time.process_time_ns()
import {module}
print((time.process_time_ns() - start) / 1000)
"""


def exists(operation: Operation, uri: Any) -> bool:
    """Return whether this version of uriverse has an operation."""
    return operation.needs is None or hasattr(uri, operation.needs)


def codes_of(operation: Operation, names: dict[str, dict[str, Any]]) -> list[Code]:
    """Return the code of the libraries that have an operation; that of uriverse is the first.

    If the operation raises an error, the row has only the libraries that also raise one.
    """
    if not exists(operation, names[OURS]["URI"]):
        return []
    libraries = [library for library in names if library == OURS or library in operation.peers]
    codes = [Code(operation, library, names[library]) for library in libraries]
    if not operation.caught:
        return codes
    return [code for code in codes if raises(code, FAMILIES[operation.family](CHECKED))]


def raises(code: Code, text: str) -> bool:
    try:
        code.result(text)
    # Each library has its own exceptions.
    except Exception:  # noqa: BLE001
        return True
    return False


def differences(operation: Operation, codes: Sequence[Code]) -> Iterator[str]:
    """Yield a sentence for each library whose result unexpectedly differs from ours."""
    if operation.caught or not codes:
        return
    text = FAMILIES[operation.family](CHECKED)
    expected = plain(codes[0].result(text))
    for code in codes:
        found = plain(code.result(text))
        if found != expected and not code.variant.result:
            yield f"{operation.name}: {code.library} returns {found!r}, not {expected!r}"


def compare(operation: Operation, codes: Sequence[Code], rounds: int) -> Table:
    texts = [FAMILIES[operation.family](number) for number in range(STRINGS)]
    contenders = [
        Contender(
            code.library,
            [(code.function, texts[: FEWER.get(code.library)])],
            target=operation.targets.get(code.library),
            made_of=code.make,
            loop=code.loop,
        )
        for code in codes
    ]
    rows = list(measure.in_turn(contenders, rounds))
    notes = tuple(
        f"{code.library}: {note}"
        for code in codes
        for note in (code.variant.result, code.variant.work)
        if note
    )
    table = Table(operation.name, "ns", notes, tuple(rows))
    best = best_of(table, different_work(operation))
    if "best" in operation.targets and best is not None:
        rows[rows.index(best)] = replace(best, target=operation.targets["best"])
    return replace(table, rows=tuple(rows))


def different_work(operation: Operation) -> set[str]:
    """Return the peers that do not do the same work."""
    return {library for library in operation.peers if operation.variant(library).work}


def best_of(table: Table, uncounted: set[str]) -> Row | None:
    """Return the row of the fastest peer that does the same work."""
    counted = [row for row in table.rows if row.name not in {OURS, "baseline", *uncounted}]
    return min(counted, key=lambda row: row.figure.median, default=None)


def operations(
    chosen: Sequence[Operation], names: dict[str, dict[str, Any]], rounds: int
) -> Iterator[Table]:
    """Measure operations. If uriverse lacks an operation, its table has no rows."""
    for operation in chosen:
        codes = codes_of(operation, names)
        if codes:
            unexpected = tuple(differences(operation, codes))
            table = compare(operation, codes, rounds)
            yield replace(table, notes=(*table.notes, *unexpected))
        else:
            yield Table(operation.name, "ns", (), ())


def in_python(only: str, rounds: int) -> Iterator[Table]:
    """Measure the reference implementation, in a process that has no compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        options = ["--only", only, "--rounds", str(rounds), "--json", str(file), "--pure"]
        command = [sys.executable, __file__, *options]
        environment = os.environ | PURE_ENVIRONMENT
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
        for table in map(Table.from_json, json.loads(file.read_text())["tables"]):
            yield replace(table, title=f"{table.title}, in Python")


def memory(names: dict[str, dict[str, Any]]) -> Iterator[Table]:
    """Measure the memory of values, and whether the garbage collector tracks them."""
    family = FAMILIES["usual"]
    made, read = weigh(names[OURS]["URI"], [family(number) for number in range(VALUES_IN_MEMORY)])
    for title, figure in (("memory without the string", made), ("the same, after .host", read)):
        yield Table(f"{title}, bytes", "bytes", (), (Row(OURS, figure, target=96),))
    tracked = tuple(
        Row(library, exactly(gc.is_tracked(value_of(library, names[library]))))
        for library in names
        if library in VALUES
    )
    yield Table("tracked by the garbage collector", "0 or 1", (), tracked)
    if MEMORY.exists():
        rows = tuple(
            Row(library, exactly(resident(library)))
            for library in names
            if library in VALUES and library != "pyoxigraph"
        )
        yield Table("memory with the string, bytes", "bytes", (), rows)


def exactly(figure: float) -> Spread:
    return Spread(figure, figure, figure)


def value_of(library: str, names: dict[str, Any]) -> object:
    return eval(VALUES[library], names | {"s": FAMILIES["usual"](CHECKED)})  # noqa: S307


def resident(library: str) -> float:
    """Return the bytes of memory that each value takes, with its string, in a new process."""
    page = os.sysconf("SC_PAGE_SIZE")
    code = WEIGHING.format(made=VALUES[library], count=VALUES_IN_MEMORY, page=page)
    return float(output(f"{IMPORTS[OURS]}\n{IMPORTS[library]}\n{code}"))


def output(program: str) -> str:
    """Run a program in a new interpreter, and return its output."""
    command = [sys.executable, "-c", program]
    folders = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        command, env=environment("auto") | folders, capture_output=True, text=True, check=True
    ).stdout


def imports(names: dict[str, dict[str, Any]], rounds: int) -> Iterator[Table]:
    """Measure the CPU time of imports, in new interpreters."""
    modules = {library: module for library, module in MODULES.items() if library in names}
    figures: dict[str, list[float]] = {library: [] for library in modules}
    for turn in range(rounds // 2 + 2):
        for library, module in modules.items():
            lasted = float(output(IMPORTING.format(module=module)))
            if turn:  # the first import may have compiled bytecode
                figures[library].append(lasted)
    targets = [(library, 1.0 if library == "urllib" else None) for library in modules]
    rows = measure.rows_of(targets, list(figures.values()))
    yield Table("import, microseconds", "µs", (), rows)


MODULES = {
    OURS: "uriverse",
    "can_ada": "can_ada",
    "ada-url": "ada_url",
    "url-py": "url",
    "pydantic": "pydantic_core",
    "pyoxigraph": "pyoxigraph",
    "yarl": "yarl",
    "httpx": "httpx",
    "urllib": "urllib.parse",
    "uritools": "uritools",
    "rfc3986": "rfc3986",
    "hyperlink": "hyperlink",
    "furl": "furl",
}


def drawn(tables: Sequence[Table]) -> Iterator[str]:
    """Yield the lines of one table with a row for each operation."""
    lines = [HEADINGS, *map(cells, tables)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(
            cell.rjust(width) if 0 < index <= len(PEERS) + 1 else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()


def cells(table: Table) -> tuple[str, ...]:
    rows = {row.name: row for row in table.rows}
    if not rows:
        return (table.title, "missing", *[""] * (len(HEADINGS) - 2))
    uncounted = uncounted_of(table)
    best = best_of(table, uncounted)
    judged = [row for row in table.rows if row.verdict]
    targets = [
        f"{row.name} {row.target:g}: {(row.ratio or row.figure).median:.2f}" for row in judged
    ]
    verdicts = {row.verdict for row in judged}
    return (
        table.title,
        *(shown(rows.get(library), library in uncounted) for library in (OURS, *PEERS)),
        best.name if best is not None and best.ratio else "",
        f"{best.ratio.median:.2f}" if best is not None and best.ratio else "",
        ", ".join(targets),
        "MISSED" if "missed" in verdicts else "met" if verdicts else "",
    )


def uncounted_of(table: Table) -> set[str]:
    name = table.title.removesuffix(", in Python")
    return {
        library
        for operation in OPERATIONS
        if operation.name == name
        for library in different_work(operation)
    }


def shown(row: Row | None, uncounted: bool) -> str:
    if row is None:
        return ""
    figure = f"{row.figure.median:,.0f}"
    if uncounted:
        figure = f"({figure})"
    return f"{figure}*" if is_faster(row) else figure


def is_faster(row: Row) -> bool:
    return row.ratio is not None and row.ratio.median > 1


def compared(tables: Sequence[Table]) -> Iterator[tuple[Table, Row]]:
    """Yield each cell: an operation, and the fastest peer that does the same work."""
    for table in tables:
        best = best_of(table, uncounted_of(table))
        if best is not None and best.ratio is not None:
            yield table, best


def lost(tables: Sequence[Table]) -> Iterator[tuple[Table, Row]]:
    """Yield the cells in which the peer is faster by more than the limit."""
    for table, best in compared(tables):
        if best.ratio is not None and best.ratio.median > LIMIT:
            yield table, best


def summary(tables: Sequence[Table]) -> Iterator[str]:
    """Yield the lines below the table."""
    verdicts = [row.verdict for table in tables for row in table.rows if row.verdict]
    cells, losses = [*compared(tables)], [*lost(tables)]
    faster = sum(is_faster(best) for _, best in cells)
    yield f"{verdicts.count('met')} of {len(verdicts)} targets met"
    yield f"a peer that does the same work is faster in {faster} of {len(cells)} cells"
    yield f"{len(losses)} cells lost by more than {LIMIT:g}{':' if losses else ''}"
    for table, best in losses:
        yield f"  {table.title}: {best.name} {best.ratio.median if best.ratio else 0:.2f}"
    yield "* the peer is faster; (...) the peer does not do the same work"
    for table in tables:
        yield from (note for note in table.notes if " returns " in note)


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Compare every operation of an identifier.")
    parser.add_argument("--rounds", type=int, default=15, help="passes of each library")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the operations to measure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    parser.add_argument("--pure", action="store_true", help="measure only pure Python code")
    arguments = parser.parse_args(command_line)
    if arguments.rounds < 2:
        parser.error("--rounds must be at least 2")
    tables = list(tables_of(arguments))
    print(*drawn(tables), *summary(tables), sep="\n")
    if arguments.json:
        results = [table.as_json() for table in tables]
        # Imported late, because `--pure` selects the engine.
        from uriverse import __version__, compiled

        machine = measure.machine(__version__, compiled=compiled)
        figures = {"machine": machine, "peers": peers.versions(), "tables": results}
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


def tables_of(arguments: argparse.Namespace) -> Iterator[Table]:
    if arguments.pure:
        os.environ.update(PURE_ENVIRONMENT)
    names = installed(PURE if arguments.pure else (OURS, *PEERS))
    # The modules of all libraries stay. Without them, each collection takes much less time.
    gc.collect()
    gc.freeze()
    chosen = [
        operation
        for operation in (PURE_OPERATIONS if arguments.pure else OPERATIONS)
        if fnmatchcase(operation.name, arguments.only)
    ]
    yield from operations(chosen, names, arguments.rounds)
    if arguments.pure:
        return
    yield from in_python(arguments.only, arguments.rounds)
    if fnmatchcase("memory", arguments.only):
        yield from memory(names)
    if fnmatchcase("import", arguments.only):
        yield from imports(names, arguments.rounds)


if __name__ == "__main__":
    main()
