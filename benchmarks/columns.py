"""Compare column functions with Spark, w3lib and urllib.

    python benchmarks/columns.py
    python benchmarks/columns.py --json figures.json

Requires the dependency group `bench` and Java. The exit status is 0 even if a target is missed.
See README.md.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pyarrow as pa
import pyarrow.parquet as pq
from identifiers import options
from inputs import corpus
from measure import Table, rows_of
from references import run
from w3lib.url import canonicalize_url

from uriverse import columns
from uriverse.typing import Field

#: A function to measure, which processes all rows.
Pass = Callable[[], object]

#: Functions to measure by name, with the target for the ratio of uriverse to the function, if any.
Passes = dict[str, tuple[Pass, float | None]]

#: The functions that two threads execute, and the target for their time relative to one thread.
FUNCTIONS = ("parse", "host", "is_valid", "normalize", "redact")
TWO_THREADS = 1 / 1.8

PARTS: tuple[Field, ...] = (
    "scheme",
    "userinfo",
    "host",
    "port",
    "path",
    "query",
    "fragment",
)

#: The base URI for resolving references.
BASE = "http://example.org/a/b/c?d"

#: The number of rows for libraries that process one row at a time.
FEW = 20_000

#: The number of rows for the comparison of two threads with one.
MANY = 3_000_000

#: The number of rows in files.
IN_FILES = 1_000_000


def in_turn(
    title: str,
    passes: Passes,
    rows: int,
    rounds: int,
    *notes: str,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Iterator[Table]:
    """Measure functions in alternating passes, by the wall clock because some use threads."""
    figures: list[list[float]] = [[] for _ in passes]
    works = [work for work, _ in passes.values()]
    for number in range(rounds + 1):
        for turn in range(len(works)):
            index = (turn + number) % len(works)
            gc.collect()
            start = clock()
            works[index]()
            if number:  # The first round is a warm-up.
                figures[index].append((clock() - start) / rows)
    names = [(name, target) for name, (_, target) in passes.items()]
    yield Table(title, "ns", (f"{rows:,} rows; {rounds} rounds", *notes), rows_of(names, figures))


def spark_pass(column: pa.Array, folder: Path) -> Pass:
    """Return a function that calls Spark's `parse_url` for each of six components."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", value=False)
        .config("spark.driver.memory", "2g")
        .config("spark.sql.ansi.enabled", value=False)
        .getOrCreate()
    )
    pq.write_table(pa.table({"url": column}), folder / "urls.parquet")
    frame = session.read.parquet(str(folder / "urls.parquet")).cache()
    frame.count()
    calls = [
        f.try_parse_url(f.col("url"), f.lit(part)).alias(part)
        for part in ("PROTOCOL", "USERINFO", "HOST", "PATH", "QUERY", "REF")
    ]
    parsed = frame.select(*calls)
    return lambda: parsed.write.format("noop").mode("overwrite").save()


def parsing(column: pa.Array, rounds: int, folder: Path) -> Iterator[Table]:
    def ours(threads: int) -> Pass:
        return lambda: columns.parse(column, fields=PARTS, threads=threads)

    passes: Passes = {"uriverse columns.parse, one thread": (ours(1), None)}
    passes["six of Spark's parse_url, local[2]"] = (spark_pass(column, folder), 0.12)
    yield from in_turn("parse to seven columns", passes, len(column), rounds)
    views = column.cast(pa.string_view())
    passes = {
        "uriverse columns.parse, views": (
            lambda: columns.parse(views, fields=PARTS, threads=1),
            None,
        ),
        "the same, copied to strings": (ours(1), None),
    }
    yield from in_turn("parse views", passes, len(column), rounds)


def threads(texts: Sequence[str], rounds: int) -> Iterator[Table]:
    """Compare two threads with one, on many rows because the second processor has to wake up."""
    column = pa.array([*islice(cycle(texts), MANY)])
    for name in FUNCTIONS:
        call = partial(columns.parse, fields=PARTS) if name == "parse" else getattr(columns, name)
        passes: Passes = {
            f"uriverse columns.{name}, two threads": (partial(call, column, threads=2), None),
            "one thread": (partial(call, column, threads=1), TWO_THREADS),
        }
        yield from in_turn(f"two threads, {name}", passes, MANY, min(rounds, 5))


def rowwise(column: pa.Array, texts: Sequence[str], rounds: int) -> Iterator[Table]:
    """Compare with libraries that process one row at a time, on fewer rows."""
    few = column.slice(0, FEW)
    some = texts[:FEW]
    normalizing: Passes = {
        "uriverse columns.normalize": (lambda: columns.normalize(few, threads=1), None),
        "uriverse columns.normalize, scheme": (
            lambda: columns.normalize(few, scheme=True, threads=1),
            None,
        ),
        "w3lib canonicalize_url, each": (lambda: [*map(canonicalize, some)], 1 / 40),
    }
    yield from in_turn("normalize", normalizing, FEW, rounds)
    resolving: Passes = {
        "uriverse columns.resolve": (lambda: columns.resolve(BASE, few, threads=1), None),
        "uriverse columns.relativize": (lambda: columns.relativize(few, BASE, threads=1), None),
        "urljoin, each": (lambda: [join(text) for text in some], 1 / 40),
    }
    yield from in_turn("resolve", resolving, FEW, rounds)


def canonicalize(text: str) -> str | None:
    """Return the string that w3lib's `canonicalize_url` returns, or `None` after an error."""
    try:
        return canonicalize_url(text)
    except ValueError:
        return None


def join(text: str) -> str | None:
    try:
        return urljoin(BASE, text)
    except ValueError:
        return None


def counting(texts: Sequence[str], rounds: int, folder: Path) -> Iterator[Table]:
    """Count the rows of each host in a Parquet file, by the CPU time of all threads."""
    path = str(folder / "pages.parquet")
    pages = [text for text in texts if text.startswith("http")]
    pq.write_table(pa.table({"url": [*islice(cycle(pages), IN_FILES)]}), path)

    def batches() -> Iterator[Any]:
        yield from pq.ParquetFile(path).iter_batches(columns=["url"], use_threads=False)

    def count() -> object:
        hosts = [columns.host(batch.column("url"), threads=1).to_pyarrow() for batch in batches()]
        table = pa.table({"host": pa.chunked_array(hosts)})
        return table.group_by("host", use_threads=False).aggregate([([], "count_all")])

    passes: Passes = {
        "uriverse columns.host, counted with pyarrow": (count, None),
        "pyarrow, only reading": (lambda: [*batches()], None),
    }
    if find_spec("chdb"):
        chdb = import_module("chdb")
        query = f"SELECT domain(url) AS host, count() FROM file('{path}') GROUP BY host"  # noqa: S608
        passes["chdb, domain()"] = (lambda: chdb.query(query, "Arrow"), 0.9)
    yield from in_turn(
        "rows of each host", passes, IN_FILES, rounds, "CPU time", clock=time.process_time_ns
    )


def main() -> None:
    parser = options("Compare column functions with other libraries.")
    parser.set_defaults(strings=300_000, rounds=9)
    arguments = parser.parse_args()
    texts: Any = [*islice(cycle(corpus(arguments.corpora)), arguments.strings)]
    column = pa.array(texts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(
            arguments,
            [
                threads(texts, arguments.rounds),
                parsing(column, arguments.rounds, folder),
                rowwise(column, texts, arguments.rounds),
                counting(texts, arguments.rounds, folder),
            ],
        )


if __name__ == "__main__":
    main()
