"""An `Array` as a sequence of rows, and as the input of other libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from uriverse import columns

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

TEXTS = ["http://a:1/?b=c", None, "%", "//bücher.example?x&y=1", "urn:x", "", "http://c:2/?d"]

#: An array of each kind of result, in two chunks: strings, booleans, integers, lists and structs.
ARRAYS: dict[str, columns.Array] = {
    name: getattr(columns, name)(pa.chunked_array([TEXTS, [], TEXTS[::-1]]))
    for name in ("host", "is_valid", "port", "findings", "query_params")
}
ARRAYS["parse"] = columns.parse(pa.chunked_array([TEXTS, TEXTS]), fields=columns.FIELDS)
ARRAYS["bounds"] = columns.parse(TEXTS, fields=["bounds", "host"])

of_each_kind = pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)


@of_each_kind
def test_an_array_is_a_sequence_of_its_rows(array: columns.Array) -> None:
    rows = array.to_pylist()
    assert list(array) == rows
    assert [array[k] for k in range(len(rows))] == rows
    assert [array[k - len(rows)] for k in range(len(rows))] == rows
    assert array[np.int64(1)] == rows[1]
    assert list(reversed(array)) == rows[::-1]
    assert rows[0] in array
    assert "missing" not in array


@of_each_kind
def test_a_slice_has_the_rows_of_a_slice_of_a_list(array: columns.Array) -> None:
    rows = array.to_pylist()
    for start in range(-1, len(rows) + 2):
        for stop in (None, *range(start, len(rows) + 2)):
            part = array[start:stop]
            assert part.to_pylist() == rows[start:stop]
            assert pa.chunked_array(part).to_pylist() == rows[start:stop]
            assert pa.table({"x": part})["x"].to_pylist() == rows[start:stop]
    assert array[2:9][1:4].to_pylist() == rows[2:9][1:4]
    assert array[5:2].to_pylist() == []
    assert pl.Series(array[2:9]).to_list() == pl.Series(array).to_list()[2:9]


def test_a_slice_shares_the_memory_of_the_array() -> None:
    array = columns.host(["//a", "//b", None]).to_pyarrow()
    given = columns.host(["//a", "//b", None])
    part = given[1:].to_pyarrow()
    assert part.offset == 1
    assert part.buffers()[1].address == given.to_pyarrow().buffers()[1].address
    del given
    assert part.to_pylist() == array[1:].to_pylist() == ["b", None]
    part.validate(full=True)
    assert part.null_count == 1


def test_a_slice_of_one_chunk_is_a_single_arrow_array() -> None:
    array = ARRAYS["host"]
    assert (array.chunks, array[: len(TEXTS)].chunks, array[3:9].chunks) == (2, 1, 2)
    assert pa.array(array[8:]).to_pylist() == array.to_pylist()[8:]
    assert columns.hostname(columns.normalize(TEXTS)[3:]).to_pylist()[0] == "bücher.example"


def test_rows_that_are_not_there_are_rejected() -> None:
    array = columns.host(["//a"])
    for row in (1, -2):
        with pytest.raises(IndexError, match=rf"row {row} of 1 rows"):
            array[row]
    with pytest.raises(ValueError, match="the step of a slice must be 1, not -1"):
        array[::-1]
    with pytest.raises(TypeError):
        array["a"]  # type: ignore[call-overload]


def test_iteration_continues_after_the_rows_that_are_converted_at_once() -> None:
    array = columns.host([f"//h{k}" for k in range(10_000)])
    assert list(array) == [f"h{k}" for k in range(10_000)]


def test_arrays_with_the_same_rows_are_equal() -> None:
    array = columns.host(["//a", None])
    assert array == columns.host(pa.chunked_array([["//a"], [None]]), layout="large_string")
    assert array != columns.host(["//a"])
    assert array != columns.host(["//a", "//b"])
    assert columns.port([None]) != columns.host([None])
    assert array != ["a", None]
    with pytest.raises(TypeError, match="unhashable"):
        hash(array)


@of_each_kind
def test_numpy_has_one_element_for_each_row(array: columns.Array) -> None:
    made = np.asarray(array)
    assert (made.dtype, made.shape) == (np.dtype("object"), (len(array),))
    assert made.tolist() == array.to_pylist()


def test_numbers_and_booleans_without_nulls_have_their_dtype_in_numpy() -> None:
    ports = np.asarray(columns.port(["//a:1", "//a:2"]))
    assert (ports.dtype, ports.tolist()) == (np.dtype("int64"), [1, 2])
    valid = np.asarray(columns.is_valid(["a", "%"]))
    assert (valid.dtype, valid.tolist()) == (np.dtype("bool"), [True, False])
    assert np.asarray(columns.port(["//a:1"]), dtype="float64").tolist() == [1.0]
    assert np.array(columns.host([]), copy=True).tolist() == []
    with pytest.raises(ValueError, match="always a copy"):
        np.array(columns.host(["//a"]), copy=False)


@of_each_kind
def test_a_pandas_series_has_one_element_for_each_row(array: columns.Array) -> None:
    series = pd.Series(array)
    assert len(series) == len(array)
    assert series.astype("object").where(series.notna(), None).tolist() == array.to_pylist()


def test_a_pandas_series_has_the_dtype_of_the_rows() -> None:
    assert str(pd.Series(columns.host(["//a", None])).dtype) == "str"
    assert str(pd.Series(columns.port(["//a:1"])).dtype) == "int64"
    assert str(pd.Series(columns.is_valid(["a"])).dtype) == "bool"
    assert pd.DataFrame({"host": columns.host(["//a"])})["host"].tolist() == ["a"]


def test_a_polars_series_has_the_rows_of_the_array() -> None:
    assert ARRAYS["host"].to_polars().to_list() == ARRAYS["host"].to_pylist()
    assert ARRAYS["port"].to_polars().dtype == pl.Int64
