"""Column functions return the same values on Spark as in a single process."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import sparks
from pyspark.sql import Column
from pyspark.sql.functions import lit
from tables import table

from uriverse import _engine as engine
from uriverse import columns
from uriverse.columns import spark as uri
from uriverse.tables._frames import transform
from uriverse.tables._plan import Plan

# PyArrow has no type annotations.
pa: Any = import_module("pyarrow")

pytestmark = [*sparks.MARKS, pytest.mark.slow]

#: Without the kernel, each row takes about a thousand times longer.
ROWS = 100_000 if engine.compiled else 1_000

#: The number of rows for functions that always run in Python.
SLOW_ROWS = 1_000

BASE = "http://base.example/b/c;d?e"

Call = tuple[Callable[[], Column], Callable[[Any], columns.Array]]

#: Each function as a Spark expression, and as a call of `uriverse.columns`.
CALLS: dict[str, Call] = {
    "parse": (lambda: uri.parse("url"), columns.parse),
    "normalize": (
        lambda: uri.normalize("url", scheme=True),
        lambda texts: columns.normalize(texts, scheme=True),
    ),
    "host": (lambda: uri.host("url"), columns.host),
    "port": (lambda: uri.port("url"), columns.port),
    "is_valid": (lambda: uri.is_valid("url"), columns.is_valid),
    "resolve": (
        lambda: uri.resolve(lit(BASE), "url"),
        lambda texts: columns.resolve(BASE, texts),
    ),
    "query_params": (lambda: uri.query_params("url"), columns.query_params),
    "fingerprint": (lambda: uri.fingerprint("url"), columns.fingerprint),
}
SLOW_CALLS: dict[str, Call] = {
    "findings": (lambda: uri.findings("url"), columns.findings),
    "relativize": (
        lambda: uri.relativize("url", lit(BASE)),
        lambda texts: columns.relativize(texts, BASE),
    ),
}


def table_of(rows: int) -> Any:
    return pa.table({"row": range(rows), "url": table(rows, seed=rows)})


@pytest.mark.parametrize(
    ("rows", "calls"), [(ROWS, CALLS), (SLOW_ROWS, SLOW_CALLS)], ids=["kernel", "Python"]
)
def test_spark_returns_the_same_columns_as_one_process(rows: int, calls: dict[str, Call]) -> None:
    given = table_of(rows)
    frame = sparks.session().createDataFrame(given).repartition(5)
    made = frame.select("row", *[spark().alias(name) for name, (spark, _) in calls.items()])
    got = made.toArrow().sort_by("row")
    for name, (_, ours) in calls.items():
        expected = pa.chunked_array(ours(given["url"])).combine_chunks()
        assert got[name].combine_chunks().equals(expected), name


def test_a_plan_gives_the_same_table_on_spark_as_in_one_process() -> None:
    given = table_of(ROWS)
    plan = Plan("parse", "url", prefix="url_")
    frame = sparks.session().createDataFrame(given).repartition(5)
    got = transform(frame, plan).toArrow().sort_by("row")
    [batch] = given.to_batches()
    assert got.equals(pa.table(plan(batch)))
