"""The kernel reads the structures of Arrow as the Python functions do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nanoarrow
import pyarrow as pa
import pytest

from uriverse import _engine
from uriverse.columns import _c_data
from uriverse.columns._arrow import StringArray
from uriverse.columns._buffers import kernel_of_columns

pytestmark = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")

ROWS = ["http://a/", None, "", "x" * 20, "\xe9", "x" * 20, "b"]
KINDS = (
    *(pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()),
    *(pa.dictionary(index, pa.string()) for index in (pa.int8(), pa.uint16(), pa.int64())),
    pa.dictionary(pa.int32(), pa.large_string()),
)


def read(array: pa.Array) -> tuple[Any, StringArray]:
    """Read an array in the kernel, if it does so, and with the Python functions."""
    c_array = nanoarrow.c_array(array)
    kind = _c_data.read_type(c_array.schema._addr())
    strings, start, rows = _c_data.read_chunk(c_array._addr(), kind, c_array)
    assert (start, rows) == (0, len(array))
    formats = _c_data.list_formats(kind)
    return formats and kernel_of_columns().read_array(
        c_array._addr(), formats, c_array
    ), StringArray(strings)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize(
    "change",
    [
        lambda array: array,
        lambda array: array.slice(2),
        lambda array: array.slice(1, 3),
        lambda array: array.slice(2, 4),
    ],
)
def test_the_kernel_reads_usual_arrays_itself(
    kind: pa.DataType, change: Callable[[pa.Array], pa.Array]
) -> None:
    array = change(pa.array(ROWS, pa.string()).cast(kind))
    rows, strings = read(array)
    assert rows.length == len(array)
    assert (rows.dictionary is not None) == pa.types.is_dictionary(kind)
    assert rows.strings(0, len(array)) == strings[0 : len(array)]


@pytest.mark.parametrize(
    "array", [pa.nulls(3), pa.array([], pa.string()), pa.RunEndEncodedArray.from_arrays([2], ["a"])]
)
def test_the_kernel_leaves_other_arrays_to_python(array: pa.Array) -> None:
    assert read(array)[0] is None


def test_the_kernel_reads_schemas_as_python_does() -> None:
    fields = [pa.field(f"f{number}\xe9", pa.string()) for number in range(12)]
    for kind in (*KINDS, pa.struct(fields), pa.list_(pa.string()), pa.nulls(1).type):
        schema = nanoarrow.c_schema(pa.field("name", kind))
        for most in (0, 1, 10):
            expected = _c_data.read_schema(schema._addr(), most, "")
            assert kernel_of_columns().read_schema(schema._addr(), most) == expected


def test_no_reader_follows_a_missing_or_released_structure() -> None:
    released = nanoarrow.c_schema(pa.string())
    address = released._addr()
    pa.DataType._import_from_c(address)  # releases the structure
    for where in (0, address):
        assert kernel_of_columns().read_schema(where, 1) is None
    assert kernel_of_columns().read_array(0, ("string",), None) is None
