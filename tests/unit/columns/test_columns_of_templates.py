"""Columns of URIs are matched against templates, and templates are expanded with columns."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import TemplateError, columns
from uriverse.columns.pandas import URIAccessor
from uriverse.templates import Router, Template

TYPED = Template(
    "/{number}/{real}/{day}/{time}/{uuid}/{choice}{/items*}{?numbers*,pairs*,rest*}",
    types={
        "number": int,
        "real": float,
        "day": date,
        "time": datetime,
        "uuid": UUID,
        "choice": ("a", "b"),
        "numbers": list[int],
        "pairs": dict[str, int],
    },
)

VALUES: dict[str, Any] = {
    "number": -7,
    "real": 1.5,
    "day": date(1969, 12, 31),
    "time": datetime(1969, 1, 2, 3, 4, 5, 6),  # noqa: DTZ001
    "uuid": UUID(int=7),
    "choice": "b",
    "items": ["x", "y"],
    "numbers": [1, 2],
    "pairs": {"one": 1, "two": 2},
}


# --- match


def test_a_field_has_the_type_of_its_variable() -> None:
    rows = [str(TYPED.expand(VALUES)), None, "/"]
    found = columns.match(rows, TYPED)
    pairs = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
    assert pa.chunked_array(found).type == pa.struct(
        [
            ("number", pa.int64()),
            ("real", pa.float64()),
            ("day", pa.date32()),
            ("time", pa.timestamp("us")),
            ("uuid", pa.string()),
            ("choice", pa.string()),
            ("items", pa.list_(pa.string())),
            ("numbers", pa.list_(pa.string())),
            ("pairs", pairs),
            ("rest", pairs),
        ]
    )
    expected = {
        **VALUES,
        "uuid": str(VALUES["uuid"]),
        "numbers": ["1", "2"],
        "pairs": [{"key": "one", "value": "1"}, {"key": "two", "value": "2"}],
        "rest": None,
    }
    assert found.to_pylist() == [expected, None, None]
    assert found.to_pyarrow().to_pylist() == [expected, None, None]
    chunks = pa.array(columns.match(pa.chunked_array([rows, rows]), TYPED))
    chunks.validate(full=True)
    assert chunks.to_pylist() == [expected, None, None] * 2
    assert pl.Series(found).to_list() == [expected, None, None]


def test_a_row_with_a_value_that_a_field_cannot_contain_is_null() -> None:
    template = Template("/{id}{?time}", types={"id": int, "time": datetime})
    largest, smallest = 2**63 - 1, -(2**63)
    rows = [
        *(f"/{largest}", f"/{largest + 1}", f"/{smallest}", f"/{smallest - 1}"),
        *("/1?time=0001-01-01T00%3A00%3A00%2B01%3A00", "/1?time=0001-01-01T00%3A00%3A00"),
    ]
    assert all(map(template.match, rows))
    found = columns.match(rows, template).to_pylist()
    first = datetime(1, 1, 1)  # noqa: DTZ001
    assert [row and row["id"] for row in found] == [largest, None, smallest, None, None, 1]
    assert found[-1]["time"] == first


def test_a_time_with_an_offset_is_converted_to_utc() -> None:
    template = Template("{?time}", types={"time": datetime})
    (row,) = columns.match(["?time=2026-01-01T00%3A30%3A00%2B01%3A00"], template).to_pylist()
    assert row["time"].replace(tzinfo=UTC) == datetime.fromisoformat("2025-12-31T23:30:00Z")


def test_an_exploded_variable_without_a_type_has_pairs() -> None:
    found = columns.match(["?tag=a&tag=b", "?x=1&y=2", "?"], "{?tag*}").to_pylist()
    assert found == [
        {"tag": [{"key": "tag", "value": "a"}, {"key": "tag", "value": "b"}]},
        {"tag": [{"key": "x", "value": "1"}, {"key": "y", "value": "2"}]},
        {"tag": None},
    ]


def test_a_row_that_matches_in_more_than_one_way_is_null() -> None:
    assert columns.match(["x-y", "x-y-z"], "{a}-{b}").to_pylist() == [{"a": "x", "b": "y"}, None]


def test_a_variable_that_occurs_twice_has_one_field() -> None:
    found = columns.match(["/a/a", "/a/b"], "/{x}/{x}").to_pylist()
    assert found == [{"x": "a"}, None]


def test_a_template_without_variables_has_no_fields() -> None:
    assert columns.match(["/a", "/b", None], "/a").to_pylist() == [{}, None, None]


def test_fields_of_pandas_have_nullable_types() -> None:
    rows = pd.Series([str(TYPED.expand(VALUES)), None], name="url", dtype="str")
    found = URIAccessor(rows).match(TYPED)
    types = {name: str(dtype) for name, dtype in found.dtypes.items()}
    assert types["number"] == "Int64"
    assert types["real"] == "Float64"
    assert types["day"] == "date32[day][pyarrow]"
    assert types["time"] == "timestamp[us][pyarrow]"
    assert types["uuid"] == types["choice"] == "str"
    assert found["number"][0] == -7
    assert found["day"][0] == VALUES["day"]
    assert found.isna().iloc[1].all()


# --- route


def test_the_name_of_the_most_specific_route_is_returned() -> None:
    router = Router({"user": "/users/{id}", "me": "/users/me", "pair": "/{a}-{b}"})
    rows = ["/users/7", "/users/me?x", None, "/", "a b", "/x-y-z"]
    expected = ["user", "me", None, None, None, None]
    assert columns.route(rows, router).to_pylist() == expected
    dictionary = pa.array(rows).dictionary_encode()
    assert columns.route(dictionary, router).to_pylist() == expected


def test_routes_can_be_a_mapping() -> None:
    assert columns.route(["/a", "/\xe9"], {"x": "/{x}"}).to_pylist() == ["x", "x"]
    with pytest.raises(TypeError, match="template must be a Template or a str, not int"):
        columns.route(["/a"], {"x": 1})  # type: ignore[dict-item]


def test_routes_are_a_toml_document() -> None:
    assert columns.route(["/a"], "a = '/{x}'").to_pylist() == ["a"]
    with pytest.raises(TemplateError, match="missing"):
        columns.route(["/a"], "a = '/{x'")
    for text in ("a", "/users/{id}"):
        with pytest.raises(ValueError, match="the router is a TOML document, such as user = '/u"):
            columns.route(["/a"], text)


# --- expand


def test_a_template_is_expanded_for_each_row() -> None:
    values = {"host": "a.example", "id": pa.array(["a b", None, "7"]), "page": ["2", "3", None]}
    found = columns.expand("https://{host}/{id}{?page}", values)
    assert found.to_pylist() == [
        "https://a.example/a%20b?page=2",
        "https://a.example/?page=3",
        "https://a.example/7",
    ]


def test_a_string_for_all_rows_may_be_the_last_value() -> None:
    column = pa.array(["x", None] * 50, pa.large_string())
    found = columns.expand("http://h/{a}/{b}", {"a": column, "b": "y"})
    assert found.to_pylist() == ["http://h/x/y", "http://h//y"] * 50
    # The string is no column, so the result has the layout of the column.
    assert pa.array(found).type == pa.large_string()


def test_columns_may_have_chunks_and_dictionaries() -> None:
    ids = pa.chunked_array([["a"], ["b", "c"]])
    pages = pa.array(["1", "1", None]).dictionary_encode()
    found = columns.expand("/{id}{?page}", {"id": ids, "page": pages})
    assert found.to_pylist() == ["/a?page=1", "/b?page=1", "/c"]
    shared = columns.expand("{?page}", {"page": pages}, threads=1, layout="string_view")
    assert shared.to_pylist() == ["?page=1", "?page=1", ""]


def test_a_row_with_a_value_that_is_not_allowed_is_null() -> None:
    typed = Template("/{id}", types={"id": int})
    assert columns.expand(typed, {"id": ["7", "07", "x", None]}).to_pylist() == [
        *("/7", None, None, "/"),
    ]
    safe = Template("/{id}", safe=True)
    assert columns.expand(safe, {"id": ["a", "..", "a/b"]}).to_pylist() == ["/a", None, None]
    assert columns.expand("{+id}", {"id": ["a:b", "1:b"]}).to_pylist() == ["a:b", None]
    octets = pa.array([b"\xff", b"a"])
    assert columns.expand("/{id}", {"id": octets}).to_pylist() == [None, "/a"]


def test_a_list_has_one_item_in_each_row() -> None:
    template = Template("{?id*}{&tag*}", types={"id": list[int]})
    found = columns.expand(template, {"id": ["7", None], "tag": ["a", "b"]})
    assert found.to_pylist() == ["?id=7&tag=a", "&tag=b"]


def test_wrong_columns_are_rejected() -> None:
    mapping = Template("{?m*}", types={"m": dict})
    with pytest.raises(ValueError, match="unknown variable 'ix'; use id, page"):
        columns.expand("/{id}{?page}", {"ix": ["a"]})
    with pytest.raises(TypeError, match="the variable m cannot have a column: it is a mapping"):
        columns.expand(mapping, {"m": ["a"]})
    for values in ({}, {"a": "x"}):
        with pytest.raises(ValueError, match="values must contain at least one column"):
            columns.expand("/{a}", values)
    with pytest.raises(ValueError, match="the columns differ in length: 1, 2"):
        columns.expand("/{a}{b}", {"a": ["x"], "b": ["y", "z"]})
    with pytest.raises(ValueError, match="unknown layout"):
        columns.expand("/{a}", {"a": ["x"]}, layout="wrong")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads must be"):
        columns.expand("/{a}", {"a": ["x"]}, threads=0)


@given(st.lists(st.tuples(st.text(min_size=1), st.none() | st.text()), min_size=1))
def test_matching_the_expansions_returns_the_columns(rows: list[tuple[str, str | None]]) -> None:
    template = Template("/{id}{?page}", allow={"dots", "slash"})
    ids, pages = ([*column] for column in zip(*rows, strict=True))
    found = columns.match(columns.expand(template, {"id": ids, "page": pages}), template)
    expected = [
        match and {"id": match.variables["id"], "page": match.variables.get("page")}
        for id_, page in rows
        for match in [template.match(template.expand(id=id_, page=page))]
    ]
    assert found.to_pylist() == expected
    for (id_, page), row in zip(rows, expected, strict=True):
        assert row in (None, {"id": id_, "page": page})


def test_a_variable_that_is_a_value_and_a_list_has_a_field_for_lists() -> None:
    found = columns.match(["/1", "/1?a=1"], "/{a}{?a*}").to_pylist()
    assert found[0] == {"a": [{"key": "a", "value": "1"}]}
    found = columns.match(["/x"], Template("/{a}{?a*}", types={"a": list})).to_pylist()
    assert found == [{"a": ["x"]}]
