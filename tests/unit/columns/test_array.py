from itertools import chain
from operator import index
from typing import Any

import pytest
from arrow_columns import Chunks, read, read_chunks

from uriverse import columns

TEXTS = ["http://a:1/?b=c", None, "%", "//bücher.example?x&y=1", "urn:x", "", "http://c:2/?d"]

#: An array of each kind of result, in two chunks: strings, booleans, integers, lists and structs.
ARRAYS: dict[str, columns.Array] = {
    name: getattr(columns, name)(Chunks(TEXTS, [], TEXTS[::-1]))
    for name in ("host", "is_valid", "port", "findings", "query_params", "parse")
}
ARRAYS["bounds"] = columns.parse(TEXTS, fields=["bounds", "host"])


class One:
    def __index__(self) -> int:
        return 1


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_an_array_is_a_sequence_of_its_rows(array: columns.Array) -> None:
    rows = array.to_pylist()
    assert (list(array), [array[k] for k in range(len(rows))]) == (rows, rows)
    assert [array[k - len(rows)] for k in range(len(rows))] == rows
    assert (array[One()], list(reversed(array))) == (rows[index(One())], rows[::-1])
    assert rows[0] in array
    assert "missing" not in array
    for start in range(-1, len(rows) + 2):
        for stop in (None, *range(start, len(rows) + 2)):
            part = array[start:stop]
            assert part.to_pylist() == list(chain(*read_chunks(part))) == rows[start:stop]
    assert (array[2:9][1:4].to_pylist(), array[5:2].to_pylist()) == (rows[2:9][1:4], [])


def test_rows_that_are_not_there_are_rejected() -> None:
    array: Any = columns.host(["//a"])
    for row in (1, -2):
        with pytest.raises(IndexError, match=rf"row {row} of 1 rows"):
            array[row]
    with pytest.raises(ValueError, match="the step of a slice must be 1, not -1"):
        array[::-1]
    with pytest.raises(TypeError):
        array["a"]
    # A slice of one chunk is a single arrow array.
    array = ARRAYS["host"]
    assert (array.chunks, array[: len(TEXTS)].chunks, array[3:9].chunks) == (2, 1, 2)
    assert read(array[8:]) == array.to_pylist()[8:]
    assert columns.hostname(columns.normalize(TEXTS)[3:]).to_pylist()[0] == "bücher.example"
    # Iteration continues after the rows that are converted at once.
    array = columns.host([f"//h{k}" for k in range(10_000)])
    assert list(array) == [f"h{k}" for k in range(10_000)]


def test_arrays_with_the_same_rows_are_equal() -> None:
    array = columns.host(["//a", None])
    assert array == columns.host(Chunks(["//a"], [None]), layout="large_string")
    assert array != columns.host(["//a"])
    assert array != columns.host(["//a", "//b"])
    assert columns.port([None]) != columns.host([None])
    assert array != ["a", None]
    with pytest.raises(TypeError, match="unhashable"):
        hash(array)
