from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from arrow_columns import Chunks, encoded, format_of, read, strings
from hypothesis import given
from hypothesis import strategies as st

from uriverse import TemplateError, columns
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


def pairs(*items: tuple[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in items]


def test_a_field_has_the_type_of_its_variable() -> None:
    rows = [str(TYPED.expand(VALUES)), None, "/"]
    found = columns.match(rows, TYPED)
    pairs = "+l(item: +s(key: u, value: u))"
    assert format_of(found) == (
        "+s(number: l, real: g, day: tdD, time: tsu:, uuid: u, choice: u, items: +l(item: u), "
        f"numbers: +l(item: u), pairs: {pairs}, rest: {pairs})"
    )
    expected = {
        **VALUES,
        "uuid": str(VALUES["uuid"]),
        "numbers": ["1", "2"],
        "pairs": [{"key": "one", "value": "1"}, {"key": "two", "value": "2"}],
        "rest": None,
    }
    assert read(found) == found.to_pylist() == [expected, None, None]
    assert read(columns.match(Chunks(rows, rows), TYPED)) == [expected, None, None] * 2


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
    # A time with an offset is converted to utc.
    template = Template("{?time}", types={"time": datetime})
    (row,) = columns.match(["?time=2026-01-01T00%3A30%3A00%2B01%3A00"], template).to_pylist()
    assert row["time"].replace(tzinfo=UTC) == datetime.fromisoformat("2025-12-31T23:30:00Z")


def test_a_row_has_the_fields_of_its_only_match() -> None:
    template: Any
    rows: Any
    expected: Any
    for template, rows, expected in [
        # An exploded variable without a type has pairs, also if it is a value elsewhere.
        ("{?tag*}", ["?tag=a&tag=b"], [{"tag": pairs(("tag", "a"), ("tag", "b"))}]),
        ("{?tag*}", ["?x=1&y=2", "?"], [{"tag": pairs(("x", "1"), ("y", "2"))}, {"tag": None}]),
        ("/{a}{?a*}", ["/1", "/1?a=1"], [{"a": pairs(("a", "1"))}, None]),
        (Template("/{a}{?a*}", types={"a": list}), ["/x"], [{"a": ["x"]}]),
        # A row that matches in more than one way is null.
        ("{a}-{b}", ["x-y", "x-y-z"], [{"a": "x", "b": "y"}, None]),
        # A variable that occurs twice has one field.
        ("/{x}/{x}", ["/a/a", "/a/b"], [{"x": "a"}, None]),
        ("/a", ["/a", "/b", None], [{}, None, None]),
    ]:
        assert columns.match(rows, template).to_pylist() == expected


def test_the_name_of_the_most_specific_route_is_returned() -> None:
    router = Router({"user": "/users/{id}", "me": "/users/me", "pair": "/{a}-{b}"})
    rows = ["/users/7", "/users/me?x", None, "/", "a b", "/x-y-z"]
    for column in (rows, encoded(rows)):
        expected = ["user", "me", None, None, None, None]
        assert columns.route(column, router).to_pylist() == expected
    # Routes are a mapping or a TOML document.
    assert columns.route(["/a", "/\xe9"], {"x": "/{x}"}).to_pylist() == ["x", "x"]
    with pytest.raises(TypeError, match="template must be a Template or a str, not int"):
        columns.route(["/a"], {"x": 1})  # type: ignore[dict-item]
    assert columns.route(["/a"], "a = '/{x}'").to_pylist() == ["a"]
    with pytest.raises(TemplateError, match="missing"):
        columns.route(["/a"], "a = '/{x'")
    for text in ("a", "/users/{id}"):
        with pytest.raises(ValueError, match="the router is a TOML document, such as user = '/u"):
            columns.route(["/a"], text)


def test_a_route_whose_name_no_column_can_contain_is_rejected_at_the_call() -> None:
    router = Router({"\udcff": "/a", "b": "/b"})
    message = r"the name of a route must be valid Unicode, not '\\udcff'"
    # The error does not depend on the rows.
    for rows in (["/a"], ["/b"], []):
        with pytest.raises(ValueError, match=message):
            columns.route(rows, router)


def test_a_template_is_expanded_for_each_row() -> None:
    values = {"host": "a.example", "id": ["a b", None, "7"], "page": ["2", "3", None]}
    assert columns.expand("https://{host}/{id}{?page}", values).to_pylist() == [
        *("https://a.example/a%20b?page=2", "https://a.example/?page=3", "https://a.example/7")
    ]
    # A string for all rows may be the last value. It has no layout.
    column = strings(["x", None] * 50, "large_string")
    found = columns.expand("http://h/{a}/{b}", {"a": column, "b": "y"})
    assert (found.to_pylist(), format_of(found)) == (["http://h/x/y", "http://h//y"] * 50, "U")
    # Columns may have chunks and dictionaries.
    pages = encoded(["1", "1", None])
    found = columns.expand("/{id}{?page}", {"id": Chunks(["a"], ["b", "c"]), "page": pages})
    assert found.to_pylist() == ["/a?page=1", "/b?page=1", "/c"]
    shared = columns.expand("{?page}", {"page": pages}, threads=1, layout="string_view")
    assert shared.to_pylist() == ["?page=1", "?page=1", ""]


def test_a_row_with_a_value_that_is_not_allowed_is_null() -> None:
    values: Any
    template: Any
    expected: Any
    for template, values, expected in [
        (Template("/{a}", types={"a": int}), ["7", "07", "x", None], ["/7", None, None, "/"]),
        (Template("/{a}", safe=True), ["a", "..", "a/b"], ["/a", None, None]),
        ("{+a}", ["a:b", "1:b"], ["a:b", None]),
        ("/{a}", strings([b"\xff", b"a"], "z"), [None, "/a"]),
        # A list has one item in each row.
        (Template("{?a*}", types={"a": list[int]}), ["7", None], ["?a=7", ""]),
    ]:
        assert columns.expand(template, {"a": values}).to_pylist() == expected


def test_wrong_columns_are_rejected() -> None:
    values: Any
    template: Any
    options: Any
    for template, values, options, words in [
        ("/{id}{?page}", {"ix": ["a"]}, {}, "unknown variable 'ix'; use id, page"),
        ("/{a}", {}, {}, "values must contain at least one column"),
        ("/{a}", {"a": "x"}, {}, "values must contain at least one column"),
        ("/{a}{b}", {"a": ["x"], "b": ["y", "z"]}, {}, "the columns differ in length: 1, 2"),
        ("/{a}", {"a": ["x"]}, {"layout": "wrong"}, "unknown layout"),
        ("/{a}", {"a": ["x"]}, {"threads": 0}, "threads must be"),
    ]:
        with pytest.raises(ValueError, match=words):
            columns.expand(template, values, **options)
        with pytest.raises(TypeError, match="the variable m cannot have a column: it is a mapping"):
            columns.expand(Template("{?m*}", types={"m": dict}), {"m": ["a"]})


@given(st.lists(st.tuples(st.text(min_size=1), st.none() | st.text()), min_size=1, max_size=9))
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
