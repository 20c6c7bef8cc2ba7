"""The Polars, DuckDB and pandas adapters return the same columns as `uriverse.columns`."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tables import table

from uriverse import columns
from uriverse._uri import engine
from uriverse.columns.duckdb import register
from uriverse.columns.pandas import URIAccessor
from uriverse.columns.polars import URINamespace

pytestmark = pytest.mark.slow

#: The reference implementation takes as long for 4,000 rows as the kernel for 100,000.
ROWS = 100_000 if engine.compiled else 4_000
SEED = 3986

FUNCTIONS = ("parse", "normalize", "host", "port", "is_valid")


@cache
def table_rows() -> list[str | None]:
    return table(ROWS, SEED)


@cache
def expected(name: str) -> list[Any]:
    """Return the result of a function of `uriverse.columns` for the table."""
    made: list[Any] = getattr(columns, name)(table_rows()).to_pylist()
    return made


def test_the_generated_table_has_invalid_null_and_non_ascii_rows() -> None:
    wrong = expected("is_valid").count(False)
    assert 0.01 < wrong / ROWS < 0.03
    assert 0.02 < table_rows().count(None) / ROWS < 0.04
    assert sum(text is not None and not text.isascii() for text in table_rows()) > ROWS / 4


@pytest.mark.parametrize("runs", ["in-memory", "streaming"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_polars_functions_return_the_same_column_as_uriverse_columns(name: str, runs: Any) -> None:
    urls = getattr(URINamespace(pl.col("url")), name)()
    made = pl.LazyFrame({"url": table_rows()}).select(urls).collect(engine=runs)
    assert made.to_series().to_list() == expected(name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_duckdb_functions_return_the_same_column_as_uriverse_columns(name: str) -> None:
    with duckdb.connect() as connection:
        register(connection)
        connection.register("given", pa.table({"place": range(ROWS), "url": table_rows()}))
        made = connection.execute(f"SELECT uri_{name}(url) FROM given ORDER BY place").fetchall()
    assert [row for (row,) in made] == expected(name)


@pytest.mark.parametrize("dtype", ["str", "object", pd.ArrowDtype(pa.large_string())], ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_pandas_functions_return_the_same_column_as_uriverse_columns(name: str, dtype: Any) -> None:
    urls: pd.Series[Any] = pd.Series(table_rows(), dtype=dtype)
    made = getattr(URIAccessor(urls), name)().astype(object)
    made = made.where(made.notna(), None)
    if name != "parse":
        assert made.tolist() == expected(name)
        return
    # A data frame has no missing rows: for null, each of its columns is missing.
    missing = dict.fromkeys(made.columns)
    assert made.to_dict("records") == [row or missing for row in expected(name)]
