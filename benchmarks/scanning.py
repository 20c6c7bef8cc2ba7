"""Compare the time of column functions on one thread with the time to copy the buffer of a column.

Lists of Python are compared with a loop over `URI`, and an exported array with a stream.

    python benchmarks/scanning.py
    python benchmarks/scanning.py --json figures.json

Requires pyarrow and pyoxigraph. The exit status is always 0. See README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Any

import pyarrow as pa
from identifiers import accepts, options
from inputs import corpus
from measure import CLOCK, Contender, Table, in_turn, rows_of
from pyoxigraph import NamedNode
from references import run

from uriverse import URI, columns, is_uri

Work = Callable[[], object]

#: The functions to measure, with the target in nanoseconds per row, for the machine of
#: docs/benchmarks.md.
FUNCTIONS: dict[str, tuple[Callable[..., object], int | None]] = {
    "columns.parse, bounds": (partial(columns.parse, fields=["bounds"]), None),
    "columns.parse, seven columns": (partial(columns.parse, fields=columns.FIELDS[:7]), 45),
    "columns.host": (columns.host, 15),
    "columns.is_valid": (columns.is_valid, 12),
    "columns.normalize, clean rows": (columns.normalize, 45),
    "columns.redact": (columns.redact, 60),
}


def contenders(texts: Sequence[str]) -> dict[str, Work]:
    """Return functions that process one column on one thread; the first is `columns.parse`."""
    column = pa.array(texts)
    written = memoryview(column.buffers()[2])
    # The same rows, with an equal number of clean rows in place of the others.
    normal = columns.normalize(column).to_pylist()
    kept = [text for text, form in zip(texts, normal, strict=True) if text == form]
    clean = pa.array([*islice(cycle(kept), len(texts))])
    copy = bytearray(len(written))

    def copy_all() -> None:
        copy[:] = written

    def name_each() -> None:
        for text in texts:
            NamedNode(text)

    ours = {
        f"uriverse {name}": partial(function, clean if "clean" in name else column, threads=1)
        for name, (function, _) in FUNCTIONS.items()
    }
    return {
        **ours,
        "memcpy": copy_all,
        "pyoxigraph.NamedNode, each": name_each,
    }


def scanning(texts: Sequence[str], rounds: int) -> Iterator[Table]:
    work = contenders(texts)
    figures: list[list[float]] = [[] for _ in work]
    ways = list(work.values())
    for number in range(rounds + 1):
        for turn in range(len(ways)):
            index = (turn + number) % len(ways)
            start = CLOCK()
            ways[index]()
            if number:  # The first round is a warm-up.
                figures[index].append((CLOCK() - start) / len(texts))
    limits = {f"uriverse {name}": target for name, (_, target) in FUNCTIONS.items()}
    rows = rows_of([(name, limits.get(name)) for name in work], figures)
    # The targets of our functions are times, not ratios.
    rows = tuple(replace(row, ratio=None) if row.name in limits else row for row in rows)
    mean = sum(len(text.encode()) for text in texts) / len(texts)
    speeds = (f"{row.name} {mean / row.figure.median:.2f} GB/s" for row in rows)
    notes = (f"{len(texts):,} strings, {mean:.0f} bytes on average; {rounds} rounds", *speeds)
    yield Table("scan a column", "ns", notes, rows)


def hosts(texts: Sequence[str]) -> list[str | None]:
    return [URI(text).host for text in texts]


def objects(texts: Sequence[str], rounds: int) -> Iterator[Table]:
    """Measure columns that are lists of Python, or results of one Arrow array."""
    column = pa.array(texts)
    notes = (f"{len(texts):,} distinct strings; {rounds} rounds",)
    loop = Contender("URI(text).host of each", [(hosts, texts)], None, 0.6, loop=call_with_all)
    work: list[tuple[Any, Sequence[str]]] = [(columns.host, texts)]
    ours = Contender("uriverse columns.host(list)", work, loop=call_with_all)
    yield Table("the hosts of a list", "ns", notes, in_turn([ours, loop], rounds))
    work = [(lambda given: columns.host(given).to_pylist(), texts)]
    ours = Contender("uriverse columns.host(list).to_pylist()", work, loop=call_with_all)
    loop = replace(loop, target=1.0)
    yield Table("a list of hosts", "ns", notes, in_turn([ours, loop], rounds))
    ways = {
        "uriverse pa.array(columns.host(column))": pa.array,
        "uriverse pa.chunked_array(columns.host(column))": pa.chunked_array,
    }

    def export_hosts(export: Any, _: Sequence[str]) -> None:
        export(columns.host(column))

    passes = [
        Contender(name, [(export, texts)], loop=export_hosts) for name, export in ways.items()
    ]
    yield Table("export a column of hosts", "ns", notes, in_turn(passes, rounds))


def call_with_all(function: Callable[[Sequence[str]], object], texts: Sequence[str]) -> None:
    function(texts)


def main() -> None:
    parser = options("Measure how fast a column is scanned.")
    parser.set_defaults(strings=300_000)
    arguments = parser.parse_args()
    texts = [text for text in corpus(arguments.corpora) if accepts(NamedNode, None, text)]
    distinct = [text for text in dict.fromkeys(texts) if is_uri(text)][: arguments.strings]
    run(
        arguments,
        [
            scanning([*islice(cycle(texts), arguments.strings)], arguments.rounds),
            objects(distinct, arguments.rounds),
        ],
    )


if __name__ == "__main__":
    main()
