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
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import measure
import peers
from everyday_operations import (
    BASE,
    IMPORTS,
    OPERATIONS,
    PEERS,
    TEXTS,
    VALUES,
    Differs,
    Operation,
    Other,
)
from measure import Contender, Function, Loop, Row, Table

#: The number of strings in each pass, which is more than the caches of the peers can keep.
STRINGS = 600
#: The same for the slowest peers, which have no cache of their own.
FEWER = dict.fromkeys(("httpx", "rfc3986", "hyperlink", "furl"), 150)
#: Environment variables that select the pure-Python code of uriverse and of yarl.
PURE = {
    "URIVERSE_KERNEL": "disable",
    "YARL_NO_EXTENSIONS": "1",
    "MULTIDICT_NO_EXTENSIONS": "1",
    "PROPCACHE_NO_EXTENSIONS": "1",
}
OURS = "uriverse"
LOOP = "def loop(_, values):\n for u in values:\n  {code}\n"
RAISING = "def loop(_, values):\n for u in values:\n  try: {code}\n  except Exception: pass\n"


class Code:
    """The code of one library for one operation."""

    def __init__(self, operation: Operation, library: str, names: dict[str, Any]) -> None:
        way = operation.ours if library == OURS else operation.peers[library]
        self.library = library
        self.same_work = not isinstance(way, Other)
        self.same_result = not isinstance(way, Differs) and (
            not isinstance(way, Other) or way.agrees
        )
        self.code = way if isinstance(way, str) else way.code
        self.made = operation.made.get(library) or VALUES.get(library, "s")
        text = TEXTS[operation.texts](7)
        self.names = dict(names)
        make: Function = eval(f"lambda s: {self.made}", self.names)  # noqa: S307
        self.make = make
        self.names["a"] = make(text)
        self.names["b"] = make(text)
        *before, last = self.code.split("; ")
        lines = [*before, f"return {last}"]
        scope: dict[str, Any] = self.names
        exec("def function(u):\n " + "\n ".join(lines), scope)  # noqa: S102
        self.function: Function = scope["function"]
        exec((RAISING if operation.raises else LOOP).format(code=self.code), scope)  # noqa: S102
        self.loop: Loop = scope["loop"]

    def result(self, text: str) -> object:
        return self.function(self.make(text))


def names_of_libraries() -> dict[str, dict[str, Any]]:
    """Import all libraries, and return the names that the code of each one can use."""
    ours: dict[str, Any] = {}
    found = {}
    for library, statement in IMPORTS.items():
        names: dict[str, Any] = {}
        try:
            exec(statement, names)  # noqa: S102
        except ImportError:
            continue
        value = VALUES.get(library)
        if library == OURS:
            ours = names
        base = {
            f"base_{library.replace('url-py', 'url')}": value,
            "base": value if library == OURS else None,
        }
        for name, code in base.items():
            if code:
                names[name] = eval(code, names | {"s": BASE})  # noqa: S307
        found[library] = ours | names
    return found


def missing(operation: Operation, names: dict[str, Any]) -> bool:
    """Return whether this version of uriverse does not have the operation."""
    if operation.needs is None:
        return False
    if operation.needs == "build params":
        return "params" not in names["URI"].build.__code__.co_varnames
    return not hasattr(names["URI"], operation.needs)


def codes_of(operation: Operation, names: dict[str, dict[str, Any]]) -> list[Code]:
    """Return the code of all libraries that have the operation; that of uriverse is the first."""
    codes = []
    text = TEXTS[operation.texts](7)
    for library in (OURS, *PEERS):
        if library != OURS and (library not in operation.peers or library not in names):
            continue
        code = Code(operation, library, names[library])
        raised = False
        try:
            code.result(text)
        except Exception as error:  # noqa: BLE001
            raised = True
            if not operation.raises:
                print(f"{operation.name}: {library} raises {error!r}", file=sys.stderr)
        if raised == operation.raises:
            codes.append(code)
    return codes


def check(operation: Operation, codes: Sequence[Code]) -> Iterator[str]:
    """Yield a line for each library whose result is not that of uriverse."""
    if operation.raises:
        return
    text = TEXTS[operation.texts](7)
    wanted = plain(codes[0].result(text))
    for code in codes[1:]:
        got = plain(code.result(text))
        if code.same_result and got != wanted:
            yield f"{operation.name}: {code.library} returns {got!r} instead of {wanted!r}"


def plain(result: object) -> object:
    for name in ("geturl", "geturi", "unsplit"):
        if hasattr(result, name):
            return getattr(result, name)()
    if isinstance(result, (list, tuple)):
        return [plain(item) for item in result]
    return str(result)


def compare(operation: Operation, codes: Sequence[Code], rounds: int) -> Table:
    texts = [TEXTS[operation.texts](number) for number in range(STRINGS)]
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
    return Table(operation.name, "ns", (operation.ours,), measure.in_turn(contenders, rounds))


HEADS = ("operation", OURS, *PEERS, "best peer", "ratio", "target", "verdict")


def cells(operation: Operation, codes: Sequence[Code], table: Table, suffix: str) -> list[str]:
    """Return the cells of one row."""
    rows = dict(zip([code.library for code in codes], table.rows, strict=True))
    ours = rows[OURS].figure.median
    shown = [f"{ours:,.0f}"]
    work = {code.library: code.same_work for code in codes}
    for library in PEERS:
        if library not in rows:
            shown.append("")
            continue
        figure = rows[library].figure.median
        cell = f"{figure:,.0f}" if work[library] else f"({figure:,.0f})"
        ratio = rows[library].ratio
        shown.append(f"{cell}*" if ratio is not None and ratio.median > 1 else cell)
    best = best_of(codes, table)
    targets, verdict = judged(operation, rows, best)
    told = f"{best.ratio.median:.2f}" if best is not None and best.ratio else ""
    return [operation.name + suffix, *shown, best.name if best else "", told, targets, verdict]


def best_of(codes: Sequence[Code], table: Table) -> Row | None:
    """Return the row of the fastest peer that does the same work."""
    counted = [
        row
        for code, row in zip(codes, table.rows, strict=True)
        if code.same_work and code.library not in (OURS, "baseline")
    ]
    return min(counted, key=lambda row: row.figure.median, default=None)


def judged(operation: Operation, rows: dict[str, Row], best: Row | None) -> tuple[str, str]:
    """Return the targets with their ratios, and whether all targets are met."""
    told, verdicts = [], []
    for library, limit in operation.targets.items():
        row = best if library == "best" else rows.get(library)
        if row is None or row.ratio is None:
            continue
        told.append(f"{library} {limit:g}: {row.ratio.median:.2f}")
        verdicts.append(row.ratio.median <= limit)
    return ", ".join(told), ("" if not told else "met" if all(verdicts) else "MISSED")


def drawn(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(
            cell.rjust(width) if 0 < index <= len(PEERS) + 1 else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()


def measured(arguments: argparse.Namespace) -> Iterator[tuple[list[str], dict[str, Any]]]:
    names = names_of_libraries()
    gc.collect()
    gc.freeze()
    for operation in OPERATIONS:
        if not fnmatchcase(operation.name, arguments.only):
            continue
        if arguments.without_kernel and not operation.without_kernel:
            continue
        suffix = ", without the kernel" if arguments.without_kernel else ""
        if missing(operation, names[OURS]):
            yield [operation.name + suffix, "missing", *[""] * (len(HEADS) - 2)], {}
            continue
        codes = codes_of(operation, names)
        for line in check(operation, codes):
            print(line, file=sys.stderr)
        table = compare(operation, codes, arguments.rounds)
        yield cells(operation, codes, table, suffix), table.as_json()


def in_child(arguments: argparse.Namespace) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield the rows of the reference implementation, from a process that has no compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        options = ["--rounds", str(arguments.rounds), "--only", arguments.only]
        command = [sys.executable, __file__, *options, "--without-kernel", "--json", str(file)]
        subprocess.run(command, env=os.environ | PURE, stdout=subprocess.DEVNULL, check=True)
        yield from json.loads(file.read_text())["rows"]


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Compare every operation of an identifier.")
    parser.add_argument("--rounds", type=int, default=9, help="passes of each library")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the operations to measure")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    parser.add_argument("--without-kernel", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(command_line)
    rows = list(measured(arguments))
    if not arguments.without_kernel:
        rows += in_child(arguments)
    print(*drawn([HEADS, *(line for line, _ in rows)]), sep="\n")
    if arguments.json:
        figures = {"peers": peers.versions(), "rows": rows}
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
