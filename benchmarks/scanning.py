"""Compare the time to parse a column of URIs with the time to copy its buffer.

    python benchmarks/scanning.py
    python benchmarks/scanning.py --json figures.json

Requires pyarrow and pyoxigraph. The exit status is always 0. See README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice

import pyarrow as pa
from identifiers import accepts, options
from inputs import corpus
from measure import CLOCK, Table, rows_of
from pyoxigraph import NamedNode
from references import run

from uriverse import columns

Work = Callable[[], object]


def contenders(texts: Sequence[str]) -> dict[str, Work]:
    """Return functions that process one column on one thread; the first is `columns.parse`."""
    column = pa.array(texts, pa.large_string())
    written = memoryview(column.buffers()[2])
    copy = bytearray(len(written))

    def copy_all() -> None:
        copy[:] = written

    def name_each() -> None:
        for text in texts:
            NamedNode(text)

    return {
        "uriverse columns.parse, bounds": lambda: columns.parse(
            column, fields=["bounds"], threads=1
        ),
        "uriverse columns.is_valid": lambda: columns.is_valid(column, threads=1),
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
    rows = rows_of([(name, None) for name in work], figures)
    mean = sum(len(text.encode()) for text in texts) / len(texts)
    speeds = (f"{row.name} {mean / row.figure.median:.2f} GB/s" for row in rows)
    notes = (f"{len(texts):,} strings, {mean:.0f} bytes on average; {rounds} rounds", *speeds)
    yield Table("scan a column", "ns", notes, rows)


def main() -> None:
    parser = options("Measure how fast a column is scanned.")
    parser.set_defaults(strings=300_000)
    arguments = parser.parse_args()
    texts = [text for text in corpus(arguments.corpora) if accepts(NamedNode, None, text)]
    run(arguments, [scanning([*islice(cycle(texts), arguments.strings)], arguments.rounds)])


if __name__ == "__main__":
    main()
