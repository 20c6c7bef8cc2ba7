"""Tests of writing columns as JSON lines."""

from __future__ import annotations

import io
import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse.tables import TableError, _writers
from uriverse.tables._json import lines_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

TEXTS = ["", "a", 'say "x"', "back\\slash", "\x00\t\n\r\x1f\x7f", "é\u2028😀", None, "b"]

STRUCT = pa.struct([("x", pa.string()), ("n", pa.int64())])

COLUMNS: dict[str, Any] = {
    "string": pa.array(TEXTS),
    "large string": pa.array(TEXTS, pa.large_string()),
    "view": pa.array(TEXTS, pa.string_view()),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "dictionary with a null value": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None, 0, 1, 0, 0, 1], pa.int8()), pa.array(['"', None])
    ),
    "null": pa.nulls(8),
    "integer": pa.array([0, -1, 2**63 - 1, -(2**63), None, 1, 2, 3]),
    "unsigned": pa.array([2**64 - 1, *[None] * 7], pa.uint64()),
    "boolean": pa.array([True, False, None, True, False, True, True, True]),
    "float": pa.array([1.0, 1e300, -0.0, None, 0.1, 5e-324, 1e16, 2.5]),
    "list": pa.array([["a", None], [], None, ['"']] * 2),
    "struct": pa.array([{"x": '"', "n": 1}, None, {"x": None, "n": None}, {}] * 2, STRUCT),
    "list of structs": pa.array([[{"x": "\n", "n": 1}], None] * 4, pa.list_(STRUCT)),
    "empty struct": pa.array([{}, None] * 4, pa.struct([])),
    'a "name"': pa.array(range(8)),
}


def expected(batch: Any) -> bytes:
    rows = (json.dumps(row, ensure_ascii=False) for row in batch.to_pylist())
    return "".join(f"{row}\n" for row in rows).encode()


@pytest.mark.parametrize("name", COLUMNS)
def test_lines_are_those_of_the_standard_library(name: str) -> None:
    column = COLUMNS[name]
    for batch in (pa.record_batch({name: column}), pa.record_batch({"n": [1] * 8, name: column})):
        for start in range(9):
            for part in (batch.slice(start), batch.slice(0, start), batch.slice(start, 1)):
                assert lines_of(part).to_pybytes() == expected(part)


def test_columns_of_all_types_are_written_side_by_side() -> None:
    batch = pa.record_batch(COLUMNS)
    assert lines_of(batch).to_pybytes() == expected(batch)


def test_few_rows_are_converted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_writers, "JSON_ROWS", 3)
    batch = pa.record_batch(COLUMNS)
    stream = io.BytesIO()
    _writers.NDJSONWriter(stream, batch.schema).write(batch.slice(1))
    assert stream.getvalue() == expected(batch.slice(1))


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]))))
def test_all_strings_are_escaped_like_the_standard_library(texts: list[str | None]) -> None:
    batch = pa.record_batch({"x": pa.array(texts, pa.string())})
    assert lines_of(batch).to_pybytes() == expected(batch)


def test_strings_that_are_not_utf_8_are_rejected() -> None:
    column = pa.array([b"a", b"\xff"]).view(pa.string())
    with pytest.raises(TableError, match="column 'x': a string is not valid UTF-8; do not keep"):
        lines_of(pa.record_batch({"x": column}))


def test_invalid_utf_8_in_a_map_is_an_error() -> None:
    texts = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
    column = pa.MapArray.from_arrays([0, 1], pa.array(["k"]), texts)
    with pytest.raises(TableError, match=r"column 'a': .*UTF-8"):
        list(lines_of(pa.record_batch([column], ["a"])))
