from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from matches import captured

from uriverse import TemplateError
from uriverse.templates import Template

DAY = date(2020, 1, 2)
TIME = datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001 - naive datetimes are values as well
NUMBER = UUID(int=10)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        *((int, "7", 7), (int, "-7", -7), (int, "0", 0), (int, "9" * 640, 10**640 - 1)),
        *((int, "-" + "9" * 640, 1 - 10**640), (float, "1.5", 1.5), (float, "-0.0", -0.0)),
        *((float, "1e+16", 1e16), (float, "1e-07", 1e-7), (str, "07", "07"), (str, "a b", "a b")),
        *((date, "2020-01-02", DAY), (datetime, "2020-01-02T03:04:05", TIME)),
        (datetime, "2020-01-02T03:04:05.000001", TIME.replace(microsecond=1)),
        (datetime, "2020-01-02T03:04:05+00:00", TIME.replace(tzinfo=UTC)),
        (UUID, "00000000-0000-0000-0000-00000000000a", NUMBER),
        *((("a", "b c", "\u00e9/"), "b c", "b c"), (("a", "b c"), "a", "a")),
    ],
)
def test_values_are_read_as_they_are_written(kind: object, text: str, value: object) -> None:
    for template in (Template("/{a}", types={"a": kind}), Template("x{?a}", types={"a": kind})):
        uri = template.expand(a=value)
        assert str(uri).endswith(quote(text, safe=""))
        found = template.match(uri)
        assert found is not None
        assert found.variables == {"a": value}
        assert type(found.variables["a"]) is type(value)
        # Characters may be percent-encoded, or not.
        start = str(uri).removesuffix(quote(text, safe=""))
        every = "".join(f"%{octet:02X}" for octet in text.encode())
        assert template.match(start + every) == found


def test_another_string_does_not_match() -> None:
    for kind, text in [
        *((int, text) for text in ("07", "+7", "-0", "7.0", "1_0", " 7", "7 ", "\u0667", "a")),
        *((int, text) for text in ("9" * 641, "-" + "9" * 641, "1e3", "0x1", "-", "--7")),
        *((float, text) for text in ("1", "1.50", "1e5", "1e16", "1E+16", "nan", "inf", ".5", "e")),
        *((float, text) for text in ("1e+999", "--1.5", "1.5.5")),
        *((date, text) for text in ("20200102", "2020-W01-1", "2020-13-01", "2020-01-02T00:00:00")),
        *((datetime, text) for text in ("2020-01-02", "2020-01-02T03:04", "2020-01-02T03:04:05Z")),
        *((datetime, text) for text in ("2020-01-02 03:04:05", "2020-01-02T25:00:00")),
        *((UUID, text) for text in (str(NUMBER).upper(), NUMBER.hex, f"{{{NUMBER}}}", "a")),
        *((("a", "b c"), text) for text in ("b", "A", "a ", "ac", "c")),
    ]:
        in_path, in_query = (Template(form, types={"a": kind}) for form in ("x{/a}", "x{?a}"))
        assert in_path.match("x/" + quote(text, safe="")) is None
        assert in_query.match("x?a=" + quote(text, safe="")) is None
        assert None not in (in_path.match("x"), in_query.match("x"))


def test_a_value_of_another_type_is_a_type_error() -> None:
    for kind, value, expected in [
        *((int, "7", "int, not str"), (int, True, "int, not bool"), (int, 1.0, "int, not float")),
        *((float, 1, "float, not int"), (str, True, "a str or a number, not bool")),
        *((str, b"a", "a str or a number, not bytes"), (date, TIME, "date, not datetime")),
        *((datetime, DAY, "datetime, not date"), (UUID, str(NUMBER), "UUID, not str")),
        *((int, [1], "a single value, not list"), (str, {"a": 1}, "a single value, not dict")),
        *((list, "a", "a list, not str"), (list, {"a": 1}, "a list, not dict")),
        *((list, [("a", 1)], "a list, not list"), (list[int], ["1"], "int, not str")),
        *((dict, ["a"], "a mapping, not list"), (dict, 1, "a mapping, not int")),
        (dict[str, int], {"a": "1"}, "int, not str"),
        (("a", "b"), ["a"], "a single value, not list"),
    ]:
        with pytest.raises(TypeError, match=f"^the value of a must be {expected}$"):
            Template("{a}", types={"a": kind}).expand(a=value)


def test_an_exploded_variable_has_a_type_of_items() -> None:
    value: Any
    kind: Any
    for text in ["{?a*}", "{;a*}"]:
        template = Template(text, types={"a": int})
        for value in ([1, 2], {"b": 1, "c": 2}):
            assert captured(template.match(template.expand(a=value))) == {"a": value}
        with pytest.raises(TypeError, match="must be a list or a mapping, not int"):
            template.expand(a=1)
    # An exploded variable with names may be a typed list or mapping.
    for kind, value in (
        *((list[int], [1, 2]), (dict[str, int], {"b": 1}), (dict[str, date], {"b": DAY})),
    ):
        template = Template("x{;a*}", types={"a": kind})
        assert captured(template.match(template.expand(a=value))) == {"a": value}
        assert template.match("x;a=x") is None
    # An exploded variable without names with a type of items is a list.
    template = Template("{/a*}", types={"a": ("x", "y")})
    assert captured(template.match("/x/y")) == {"a": ["x", "y"]}
    assert template.match("/x/z") is None
    with pytest.raises(TypeError, match="must be a list, not str"):
        template.expand(a="x")
    # Empty lists and mappings are undefined.
    cases: list[tuple[type, object]] = [(list, []), (list, ()), (dict, {}), (dict, [])]
    for kind, value in cases:
        assert str(Template("x{?a}", types={"a": kind}).expand(a=value)) == "x"


def test_a_choice_is_one_of_the_strings() -> None:
    for value in ["c", "A", 1, None, DAY]:
        template = Template("x{/a}", types={"a": ("a", "b c")})
        if value is None:
            assert str(template.expand(a=value)) == "x"
            return
        with pytest.raises(TemplateError) as caught:
            template.expand(a=value)
        error = caught.value
        assert (error.component, error.rule, error.variable) == ("template", "varname", "a")
        assert "'a', 'b c'" in error.reason + error.hint

    # Members of string enums are strings.
    class Kind(StrEnum):
        A = "a"
        B = "b"

    template = Template("/{kind}", types={"kind": tuple(Kind)})
    assert (str(template.expand(kind=Kind.A)), str(template.expand(kind="b"))) == ("/a", "/b")


def test_another_type_is_rejected() -> None:
    types: Any
    kind: Any
    for kind in [
        *(bool, bytes, set, tuple, object, None, "int", 1, (), ("a", 1), [int], {}, int | None),
        *(list[bool], list[list[int]], dict[str, list[int]]),
    ]:
        with pytest.raises(
            TypeError, match=r"^the type of a must be str, int, .* or a tuple of str, not "
        ):
            Template("{a}", types={"a": kind})
    # Types must be a mapping.
    for types in [1, [("a", int)], "a"]:
        with pytest.raises(TypeError, match="types must be a mapping from names to types, not"):
            Template("{a}", types=types)
    # A variable with a prefix is a string.
    for kind in [int, date, list[int]]:
        with pytest.raises(TypeError, match="the type of a must be str: a prefix length applies"):
            Template("{a}{a:3}", types={"a": kind})
        assert Template("{a:3}", types={"a": str}).expand_text(a="abcd") == "abc"
    # A type may belong only to a variable.
    with pytest.raises(ValueError, match="unknown variable in types: 'b'"):
        Template("{a}", types={"b": int})
