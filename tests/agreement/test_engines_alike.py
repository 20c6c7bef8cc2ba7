import json
from functools import cache
from importlib import import_module
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
import sparks
from sql_calls import inputs_of, struct_of
from tables import BASE, HOSTILE, table

import uriverse
from uriverse import columns
from uriverse.columns._registry import FUNCTIONS
from uriverse.columns.duckdb import register
from uriverse.columns.pandas import URIAccessor
from uriverse.columns.polars import URINamespace

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: Rows that are not UTF-8, which DuckDB and pandas cannot hold as strings.
NOT_UTF_8 = [b"http://a/\xff", b"http://\xc3/", b"//a/\xc3%A9?q=\xff", b"?a=%C3\xa9&a=\xed\xa0\x80"]

OCTETS = [*(None if row is None else row.encode() for row in HOSTILE), *NOT_UTF_8]

#: The number of rows that every engine can hold.
TEXTS = len(HOSTILE)


def positional(name: str) -> tuple[list[Any], dict[str, Any]]:
    """Return the options of a function's example: those without a default value, and all others."""
    options = dict(FUNCTIONS[name].example.options)
    words = [options.pop(each.name) for each in FUNCTIONS[name].options if each.required]
    return words, options


def run(name: str, rows: object) -> columns.Array:
    words, options = positional(name)
    inputs = [BASE if each == FUNCTIONS[name].second else rows for each in FUNCTIONS[name].inputs]
    made: columns.Array = getattr(columns, name)(*inputs, *words, **options)
    return made


@cache
def expected(name: str) -> list[Any]:
    rows: list[Any] = run(name, pa.array(OCTETS, pa.binary())).to_pylist()
    return rows


def strings(kind: Any) -> Any:
    """Return the rows as an Arrow array of a type without dictionaries and runs."""
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or kind == pa.binary_view():
        return pa.array(OCTETS, kind)
    binary = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}.get(kind)
    # For `cast`, a string must be UTF-8.
    return pa.array(OCTETS, binary or pa.binary_view()).view(kind)


def dictionary(kind: Any, index: Any) -> Any:
    """Return the rows as a dictionary, which has each value twice."""
    values = pa.concat_arrays([strings(kind), strings(kind)])
    places = [row + len(OCTETS) * (row % 2) for row in range(len(OCTETS))]
    return pa.DictionaryArray.from_arrays(pa.array(places, index), values)


def runs(values: Any, index: Any) -> Any:
    ends = pa.array(range(1, len(values) + 1), index)
    kind = pa.run_end_encoded(index, values.type)
    return pa.Array.from_buffers(kind, len(values), [None], children=[ends, values])


PLAIN = [
    *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()),
    pa.binary_view(),
]

LAYOUTS: dict[str, Any] = {
    **{str(kind): strings(kind) for kind in PLAIN},
    **{f"dictionary of {kind}": dictionary(kind, pa.int8()) for kind in PLAIN},
    **{f"runs of {kind}": runs(strings(kind), pa.int32()) for kind in PLAIN},
    "dictionary with uint64": dictionary(pa.string(), pa.uint64()),
    "runs with int16": runs(strings(pa.string()), pa.int16()),
    "runs with int64": runs(strings(pa.string()), pa.int64()),
    "a slice": pa.concat_arrays([strings(pa.string())] * 2)[len(OCTETS) :],
    "a slice of runs": runs(pa.concat_arrays([strings(pa.string())] * 2), pa.int32())[
        len(OCTETS) :
    ],
    "chunks": pa.chunked_array([strings(pa.string())[:3], strings(pa.string())[3:]]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_arrow_layout_gives_the_same_results(layout: str) -> None:
    for name in FUNCTIONS:
        assert run(name, LAYOUTS[layout]).to_pylist() == expected(name), name


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Binary], ids=str)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_gives_the_same_results(dtype: Any, engine: Any) -> None:
    rows: list[Any] = OCTETS if dtype == pl.Binary else HOSTILE
    url = URINamespace(pl.col("url"))
    made = {}
    for name in FUNCTIONS:
        words, options = positional(name)
        bases = [BASE] if FUNCTIONS[name].second else []
        made[name] = getattr(url, name)(*bases, *words, **options)
    frame = pl.LazyFrame({"url": pl.Series(rows, dtype=dtype)}).select(**made)
    results = frame.collect(engine=engine)
    for name in FUNCTIONS:
        assert results[name].to_list() == expected(name)[: len(rows)], name


@pytest.mark.parametrize(
    "dtype",
    [
        *("str", "object", "category", pd.ArrowDtype(pa.large_string())),
        pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())),
    ],
    ids=str,
)
def test_pandas_gives_the_same_results(dtype: Any) -> None:
    url = URIAccessor(pd.Series(HOSTILE, dtype=dtype))
    for name in FUNCTIONS:
        words, options = positional(name)
        bases = [BASE] if FUNCTIONS[name].second else []
        made = getattr(url, name)(*bases, *words, **options)
        rows = expected(name)[:TEXTS]
        if isinstance(made, pd.DataFrame):
            # A data frame has no missing rows: for null, each of its columns is missing.
            rows = [row or dict.fromkeys(made.columns) for row in rows]
            found: list[Any] = made.astype(object).where(made.notna(), None).to_dict("records")
        else:
            found = [
                None if row is pd.NA or isinstance(row, float) else row for row in made.tolist()
            ]
            if FUNCTIONS[name].result == "map":
                found = [row and dict(row) for row in found]
        assert found == rows, name


#: The reference implementation takes as long for 4,000 rows as the kernel for 100,000.
MANY = 100_000 if uriverse.compiled else 4_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["parse", "normalize", "host", "port", "is_valid"])
def test_data_frames_and_duckdb_give_the_same_results_for_many_rows(name: str) -> None:
    given = table(MANY, 3986)
    rows = getattr(columns, name)(given).to_pylist()
    frame = pl.LazyFrame({"url": given}).select(getattr(URINamespace(pl.col("url")), name)())
    assert frame.collect(engine="streaming").to_series().to_list() == rows
    with duckdb.connect() as connection:
        register(connection)
        connection.register("given", pa.table({"place": range(MANY), "url": given}))
        made = connection.execute(f"SELECT uri_{name}(url) FROM given ORDER BY place").fetchall()
    assert [row for (row,) in made] == rows
    if name != "parse":
        series = getattr(URIAccessor(pd.Series(given, dtype="str")), name)().astype(object)
        assert series.where(series.notna(), None).tolist() == rows


def calls(engine: str) -> dict[str, str]:
    """Return the call of each SQL function with the options of the function's example."""
    made = {}
    for name, function in FUNCTIONS.items():
        options = dict(function.example.options)
        options.pop("fields", None)  # SQL functions have no such option.
        struct = [struct_of(options, engine)] if options else []
        made[name] = f"uri_{name}({', '.join([*inputs_of(name, BASE), *struct])}) AS {name}"
    return made


def compare(got: dict[str, list[Any]], rows: int) -> None:
    for name in FUNCTIONS:
        found = got[name]
        if name == "match":
            found = [None if row is None else json.loads(row) for row in found]
        if fields := FUNCTIONS[name].example.options.get("fields"):
            found = [row and {field: row[field] for field in fields} for row in found]
        assert found == expected(name)[:rows], name


def test_duckdb_gives_the_same_results() -> None:
    with duckdb.connect() as connection:
        register(connection)
        connection.register("given", pa.table({"place": range(TEXTS), "url": HOSTILE}))
        query = f"SELECT {', '.join(calls('duckdb').values())} FROM given ORDER BY place"
        relation = connection.sql(query)
        found = map(list, zip(*relation.fetchall(), strict=True))
        compare(dict(zip(FUNCTIONS, found, strict=True)), TEXTS)


@pytest.fixture(scope="module")
def given_in_spark() -> Any:
    """A Spark frame with the rows, also those that are not UTF-8, and their numbers."""
    sparks.require_arrow_udf()
    table = pa.table({"place": range(len(OCTETS)), "octets": pa.array(OCTETS, pa.binary())})
    frame = sparks.session().createDataFrame(table).repartition(2)
    return frame.selectExpr("place", "cast(octets AS string) AS url")


@sparks.needed
def test_spark_gives_the_same_results(given_in_spark: Any) -> None:
    from pyspark.sql.functions import lit

    from uriverse.columns import spark as uri

    made = []
    for name, function in FUNCTIONS.items():
        words, options = positional(name)
        inputs = [lit(BASE) if each == function.second else "url" for each in function.inputs]
        made.append(getattr(uri, name)(*inputs, *words, **options).alias(name))
    results = given_in_spark.select("place", *made).toArrow().sort_by("place")
    for name in FUNCTIONS:
        got = results.column(name).to_pylist(maps_as_pydicts="strict")
        assert got == expected(name), name


@sparks.needed
def test_spark_sql_gives_the_same_results(given_in_spark: Any) -> None:
    from uriverse.columns import spark as uri

    uri.register(sparks.session())
    given_in_spark.createOrReplaceTempView("alike")
    query = f"SELECT {', '.join(calls('spark').values())} FROM alike ORDER BY place"
    results = sparks.session().sql(query).toArrow()
    got = {name: results.column(name).to_pylist(maps_as_pydicts="strict") for name in FUNCTIONS}
    compare(got, len(OCTETS))
