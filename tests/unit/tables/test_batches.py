"""Tests of batches of limited size."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from uriverse.tables import _batches

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")


@pytest.fixture(autouse=True)
def _with_small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_batches, "ROWS", 4)
    monkeypatch.setattr(_batches, "OCTETS", 100)


def batch_of(column: Any) -> Any:
    return pa.record_batch({"a": column})


def sizes(column: Any) -> list[int]:
    found = list(_batches.bounded(batch_of(column)))
    rows = [row for batch in found for row in batch.column(0).to_pylist()]
    assert rows == column.to_pylist()
    return [batch.num_rows for batch in found]


def test_batches_are_split_by_rows_and_octets() -> None:
    assert sizes(pa.array(["x"] * 10)) == [4, 4, 2]
    assert sizes(pa.array(["x" * 40] * 4)) == [2, 2]
    assert sizes(pa.array(["x" * 1000, "y"])) == [1, 1]
    assert sizes(pa.array([], pa.string())) == []


def test_a_dictionary_value_counts_once_per_row() -> None:
    column = pa.array(["x" * 40, None, "x" * 40, "y"]).dictionary_encode()
    assert _batches.octets(column) == 81 + 16 + 1
    assert sizes(column) == [4]
    assert sizes(pa.array(["x" * 60] * 4).dictionary_encode()) == [1, 1, 1, 1]
    assert _batches.octets(pa.nulls(4, pa.dictionary(pa.int32(), pa.string()))) == 16 + 1
    numbers = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), pa.array([7, 8]))
    assert _batches.octets(numbers) == 24
    nothing = pa.DictionaryArray.from_arrays(pa.array([None], pa.int8()), pa.array([], pa.int64()))
    assert _batches.octets(nothing) == 0


def test_values_in_nested_columns_count() -> None:
    long = pa.array(["x" * 60, "x" * 60]).dictionary_encode()
    assert sizes(pa.StructArray.from_arrays([long], ["a"])) == [1, 1]
    for kind in (pa.ListArray, pa.LargeListArray):
        assert sizes(kind.from_arrays([0, 1, 2], long)) == [1, 1]
    assert sizes(pa.FixedSizeListArray.from_arrays(long, 1)) == [1, 1]


def test_small_batches_are_merged_up_to_the_limit() -> None:
    small = [batch_of(pa.array(["x" * size])) for size in (1, 1, 1, 1, 1, 80, 90, 99)]
    made = list(_batches.merged(small))
    assert [batch.num_rows for batch in made] == [4, 2, 1, 1]
    rows = [row for batch in made for row in batch.column(0).to_pylist()]
    assert [len(row) for row in rows] == [1, 1, 1, 1, 1, 80, 90, 99]
    assert list(_batches.merged([])) == []


def test_the_first_rows_determine_the_number_of_rows_to_decode() -> None:
    assert _batches.rows_at_once(None) == _batches.DECODED
    assert _batches.rows_at_once(batch_of(pa.nulls(3))) == _batches.DECODED
    assert _batches.rows_at_once(batch_of(pa.array(["x" * 16] * 5))) == 5
    assert _batches.rows_at_once(batch_of(pa.array(["x" * 1000] * 5))) == 1


def test_batches_of_several_iterators_are_aligned() -> None:
    first = iter([batch_of(pa.array([1, 2, 3])), batch_of(pa.array([4]))])
    second = iter([batch_of(pa.array([1])), batch_of(pa.array([2, 3, 4]))])
    made = [
        [part.column(0).to_pylist() for part in parts] for parts in _batches.beside([first, second])
    ]
    assert made == [[[1], [1]], [[2, 3], [2, 3]], [[4], [4]]]
