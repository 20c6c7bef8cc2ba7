from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tables import EVERY_CALL, HOSTILE

from uriverse import columns

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: The results of all functions, in two chunks.
CHUNKS = pa.chunked_array([HOSTILE, [], HOSTILE[::-1]])
ARRAYS: dict[str, columns.Array] = {
    name: getattr(columns, name)(CHUNKS, *words, **options)
    for name, (words, options) in EVERY_CALL.items()
}


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_has_the_same_rows_in_other_libraries(name: str) -> None:
    array, rows = ARRAYS[name], ARRAYS[name].to_pylist()
    for part, expected in ((array, rows), (array[3:40], rows[3:40]), (array[25:], rows[25:])):
        for read in (pa.chunked_array(part), pa.array(part), pa.table({"x": part})["x"]):
            read.validate(full=True)
            assert read.to_pylist(maps_as_pydicts="strict") == expected
    if name != "params":  # Polars has no maps.
        assert array.to_polars().to_list() == pl.Series(array).to_list()
        assert pl.Series(array[3:40]).to_list() == pl.Series(array).to_list()[3:40]
    made = np.asarray(array)
    assert (made.dtype, made.shape, made.tolist()) == (np.dtype("object"), (len(array),), rows)
    series = pd.Series(array)
    assert len(series) == len(array)
    assert series.astype("object").where(series.notna(), None).tolist() == rows


def test_numbers_and_booleans_without_nulls_have_their_dtype() -> None:
    ports = np.asarray(columns.port(["//a:1", "//a:2"]))
    assert (ports.dtype, ports.tolist()) == (np.dtype("int64"), [1, 2])
    valid = np.asarray(columns.is_valid(["a", "%"]))
    assert (valid.dtype, valid.tolist()) == (np.dtype("bool"), [True, False])
    assert np.asarray(columns.port(["//a:1"]), dtype="float64").tolist() == [1.0]
    assert np.array(columns.host([]), copy=True).tolist() == []
    with pytest.raises(ValueError, match="always a copy"):
        np.array(columns.host(["//a"]), copy=False)
    # A series has the dtype of the rows.
    assert str(pd.Series(columns.host(["//a", None])).dtype) == "str"
    assert str(pd.Series(columns.port(["//a:1"])).dtype) == "int64"
    assert str(pd.Series(columns.is_valid(["a"])).dtype) == "bool"
    assert pd.DataFrame({"host": columns.host(["//a"])})["host"].tolist() == ["a"]
    assert columns.port(["//a:1"]).to_polars().dtype == pl.Int64
    # A slice shares the memory of the array.
    given = columns.host(["//a", "//b", None])
    part = given[1:].to_pyarrow()
    assert part.offset == 1
    assert part.buffers()[1].address == given.to_pyarrow().buffers()[1].address
    del given
    assert part.to_pylist() == ["b", None]
    part.validate(full=True)
    assert part.null_count == 1
