"""Compare SQL functions in DuckDB with direct calls and with functions that return their argument.

    python benchmarks/sql.py
    python benchmarks/sql.py --strings 100000 --json figures.json

DuckDB passes 2,048 rows to each call of a function. A function that returns its argument shows what
this costs without any work. Requires DuckDB and pyarrow. The exit status is 0 even if a target is
missed. See README.md.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
from identifiers import options
from inputs import corpus
from measure import Row, Spread, Table
from references import run

from uriverse import columns
from uriverse.columns import uri
from uriverse.columns.duckdb import register, register_select

#: The target: the time of a function, divided by that of the direct call and `PASSED` times that of
#: a function that returns its argument.
TARGET = 1.0
PASSED = 1.2

FACTS = {"host": uri.host(), "port": uri.effective_port(), "depth": uri.path_depth()}
STRUCT = "STRUCT(host VARCHAR, port BIGINT, depth BIGINT)"


class Function(NamedTuple):
    """A function in SQL.

    Attributes:
        call: the call in SQL.
        direct: the same call in Python.
        same: a call in SQL of a function with as many arguments and the same type of result, which
            returns an argument or a constant.
    """

    call: str
    direct: Callable[[pa.Array], object]
    same: str = "same(url)"


FUNCTIONS = (
    Function("uri_host(url)", lambda urls: columns.host(urls, threads=1)),
    Function("uri_is_valid(url)", lambda urls: columns.is_valid(urls, threads=1)),
    Function("uri_normalize(url)", lambda urls: columns.normalize(urls, threads=1)),
    Function("uri_without_fragment(url)", lambda urls: columns.without_fragment(urls, threads=1)),
    Function(
        "uri_registrable_domain(url)", lambda urls: columns.registrable_domain(urls, threads=1)
    ),
    Function(
        "uri_query_param(url, 'id')",
        lambda urls: columns.query_param(urls, "id", threads=1),
        "same(url, 'id')",
    ),
    Function(
        "url_facts(url)", lambda urls: columns.select(urls, FACTS, threads=1), "same_facts(url)"
    ),
)


def connected(urls: pa.Array) -> duckdb.DuckDBPyConnection:
    """Return a connection to a database with a table of URLs and all functions."""
    database: Any = duckdb.connect(config={"threads": 1})
    register(database)
    register_select(database, "url_facts", FACTS)
    facts = pa.array([{"host": "www.example.com", "port": 443, "depth": 2}] * 2048)

    # A variadic parameter counts as one parameter with any number of arguments.
    def same(*arguments: Any) -> Any:
        return arguments[0]

    def same_facts(column: Any) -> Any:
        return facts[: len(column)]

    settings = {"type": "arrow", "null_handling": "special"}
    database.create_function("same", same, ["VARCHAR"], "VARCHAR", **settings)
    database.create_function("same_facts", same_facts, ["VARCHAR"], STRUCT, **settings)
    database.register("given", pa.table({"url": urls}))
    database.execute("CREATE TABLE urls AS SELECT * FROM given")
    connection: duckdb.DuckDBPyConnection = database
    return connection


def tables(urls: pa.Array, rounds: int) -> Iterator[Table]:
    database = connected(urls)

    def query(call: str) -> float:
        counting = f"SELECT count({call}) FROM urls"  # noqa: S608 - a constant of this module
        return seconds(lambda: database.execute(counting).fetchall())

    for function in FUNCTIONS:
        figures: list[tuple[float, float, float]] = []
        for _ in range(rounds + 1):
            direct = seconds(partial(function.direct, urls))
            figures.append((query(function.call), direct, query(function.same)))
        per_row = [[1e9 * figure / len(urls) for figure in round_] for round_ in figures[1:]]
        ours, direct_call, same = zip(*per_row, strict=True)
        bounds = [d + PASSED * s for d, s in zip(direct_call, same, strict=True)]
        ratios = [o / b for o, b in zip(ours, bounds, strict=True)]
        rows = (
            Row(f"uriverse {function.call}", Spread.of(ours)),
            Row(
                f"the direct call and {PASSED} times {function.same}",
                Spread.of(bounds),
                Spread.of(ratios),
                TARGET,
            ),
        )
        yield Table(function.call, "ns", (f"{len(urls):,} rows; {rounds} rounds",), rows)


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = options("Compare SQL functions in DuckDB with direct calls.")
    parser.set_defaults(strings=300_000, rounds=9)
    arguments = parser.parse_args()
    urls = [*islice(cycle(corpus(arguments.corpora)), arguments.strings)]
    run(arguments, [tables(pa.array(urls), arguments.rounds)])


if __name__ == "__main__":
    main()
