"""One table through Polars, DuckDB and pandas: each makes of it what `uriverse.columns` does."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import table

from uriverse import _engine as engine
from uriverse import columns
from uriverse.columns.duckdb import register
from uriverse.columns.pandas import URIAccessor
from uriverse.columns.polars import URINamespace

pytestmark = pytest.mark.slow

#: The specification needs as long for as many as the kernel for all of them.
ROWS = 100_000 if engine.compiled else 4_000
SEED = 3986

FUNCTIONS = ("parse", "normalize", "host", "port", "is_valid")


@cache
def given() -> list[str | None]:
    return table(ROWS, SEED)


@cache
def expected(name: str) -> list[Any]:
    """What `uriverse.columns` itself makes of the table."""
    made: list[Any] = getattr(columns, name)(given()).to_pylist()
    return made


def test_the_table_has_what_it_is_to_have() -> None:
    wrong = expected("is_valid").count(False)
    assert 0.01 < wrong / ROWS < 0.03
    assert 0.02 < given().count(None) / ROWS < 0.04
    assert sum(text is not None and not text.isascii() for text in given()) > ROWS / 4


@pytest.mark.parametrize("runs", ["in-memory", "streaming"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_polars_makes_the_same_of_it(name: str, runs: Any) -> None:
    urls = getattr(URINamespace(pl.col("url")), name)()
    made = pl.LazyFrame({"url": given()}).select(urls).collect(engine=runs)
    assert made.to_series().to_list() == expected(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_duckdb_makes_the_same_of_it(name: str) -> None:
    with duckdb.connect() as connection:
        register(connection)
        connection.register("given", pa.table({"place": range(ROWS), "url": given()}))
        made = connection.execute(f"SELECT uri_{name}(url) FROM given ORDER BY place").fetchall()
    assert [row for (row,) in made] == expected(name)


@pytest.mark.parametrize("dtype", ["str", "object", pd.ArrowDtype(pa.large_string())], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_pandas_makes_the_same_of_it(name: str, dtype: Any) -> None:
    urls: pd.Series[Any] = pd.Series(given(), dtype=dtype)
    made = getattr(URIAccessor(urls), name)().astype(object)
    made = made.where(made.notna(), None)
    if name != "parse":
        assert made.tolist() == expected(name)
        return
    # A row of a frame can't be missing: all that is in it is.
    missing = dict.fromkeys(made.columns)
    assert made.to_dict("records") == [row or missing for row in expected(name)]
