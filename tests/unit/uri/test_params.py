import copy
import enum
import pickle
import weakref
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from misleading import MisleadingStr
from strategies import produced

import uriverse
from uriverse import IRI, URI, BuildError, IRIReference, Params, URIReference, _engine, parse
from uriverse._uri import pairs

Items = list[tuple[str, str]]


PlainEnum = enum.Enum("PlainEnum", {"ONE": "one"})
IntegerEnum = enum.IntEnum("IntegerEnum", {"ONE": 1})
StringEnum = enum.StrEnum("StringEnum", {"ONE": "one"})


class Index:
    def __index__(self) -> int:
        return 7


def make_odd(kind: Any, *arguments: Any, **named: Any) -> Any:
    odd = type("Odd", (kind,), {"__str__": lambda _: "odd", "__repr__": lambda _: "odd"})
    return odd(*arguments, **named)


class NotATime(datetime):
    """A missing time, as `pandas.NaT`: it does not equal itself."""

    __hash__ = datetime.__hash__

    def __eq__(self, other: object) -> bool:
        return False


#: The methods that take the name and the value of a parameter.
EDITS: list[Any] = [
    Params().with_param,
    Params().add_param,
    lambda name, value: Params.build({name: value}),
    lambda name, value: Params().updated([(name, value)]),
]


QUERIES: list[tuple[str | None, Items]] = [
    *((None, []), ("", []), ("a", [("a", "")]), ("a=", [("a", "")]), ("a=b=c", [("a", "b=c")])),
    *(("=", [("", "")]), ("=a", [("", "a")]), ("&&a=1&", [("a", "1")])),
    *(("a=1;b=2", [("a", "1;b=2")]), ("a+b=c+d", [("a b", "c d")])),
    *(("a%2Bb=%26%3D%3b", [("a+b", "&=;")]), ("caf%C3%A9=%FF", [("café", "\udcff")])),
    ("%FF=1&%ff=2", [("\udcff", "1"), ("\udcff", "2")]),
    *(("%C3=%a9&%C3%A9", [("\udcc3", "\udca9"), ("é", "")]), ("é%C3=1", [("é\udcc3", "1")])),
    *(("é=%20é", [("é", " é")]), ("%2541", [("%41", "")])),
]


@pytest.mark.parametrize(("query", "items"), QUERIES)
def test_names_and_values_are_decoded_once_and_in_order(query: str | None, items: Items) -> None:
    params = Params(query)
    assert list(params.items()) == items
    assert list(params) == list(params.keys()) == list(dict(items))
    assert list(params.values()) == [value for _, value in items]
    assert (len(params), bool(params)) == (len(items), bool(items))
    assert params.query == query
    assert str(params) == (query or "")


@pytest.mark.parametrize(("query", "items"), QUERIES)
def test_indexing_returns_the_first_value_and_getall_all(query: str | None, items: Items) -> None:
    params = Params(query)
    for name, _ in items:
        values = [value for found, value in items if found == name]
        assert params[name] == params.get(name, "default") == values[0]
        assert params.getall(name) == values
        assert name in params
    for missing in ("nothing", b"nothing", b"\xfe", "\udcfe", "\ud800", "\udcc3\udca9"):
        assert missing not in params
        assert params.get(missing) is None
        with pytest.raises(KeyError):
            params[missing]


def test_raw_items_are_exact_and_distinguish_none_from_empty() -> None:
    params = Params("y&z=&&%61=+b%2b&=&=a=b&é&")
    assert params.raw_items() == (
        ("y", None), ("z", ""), ("%61", "+b%2b"), ("", ""), ("", "a=b"), ("é", None),
    )  # fmt: skip
    assert Params("a=1&b;c", separator=";").raw_items() == (("a", "1&b"), ("c", None))
    assert Params().raw_items() == Params("").raw_items() == Params("&").raw_items() == ()


@given(produced("iquery"))
def test_raw_items_rebuild_the_query_except_for_empty_pieces(query: str) -> None:
    written = [name if value is None else f"{name}={value}"
               for name, value in Params(query).raw_items()]  # fmt: skip
    assert written == [piece for piece in query.split("&") if piece]


def test_missing_names_have_a_default() -> None:
    params = Params("y&z=")
    assert (params["y"], params["z"], params.get("x", "x"), params.get("x")) == ("", "", "x", None)
    assert params.getall("x", []) == []
    assert params.getall("x", default=None) is None
    with pytest.raises(KeyError, match="x"):
        params.getall("x")


def test_bytes_and_surrogate_escapes_name_the_same_parameter() -> None:
    params = Params("%FF=1&é=2")
    assert params["\udcff"] == params[b"\xff"] == "1"
    assert params["é"] == params["é".encode()] == "2"
    assert params.getall(b"\xff") == params.getall("\udcff") == ["1"]
    assert params.without(b"\xff").query == params.without("\udcff").query == "é=2"
    # These escapes spell the octets of "é", but decoding never produces them.
    assert "\udcc3\udca9" not in params
    assert Params("%ED%A0%80=1").get("\ud800") is None
    assert Params("%ED%A0%80=1")[b"\xed\xa0\x80"] == "1"
    assert str(params.with_param("é".encode(), b"\xff")) == "%FF=1&é=%FF"
    assert params.getall("\udcc3\udca9", []) == []


def test_str_subclasses_are_read_by_their_own_characters() -> None:
    assert Params("a=1")[MisleadingStr("a")] == "1"
    assert str(Params("a=1").with_param(MisleadingStr("a"), MisleadingStr("b"))) == "a=b"
    assert Params(MisleadingStr("a=1")).query == "a=1"
    assert type(Params(MisleadingStr("a=1")).query) is str


def test_the_codec_defines_the_meaning_of_a_plus_sign() -> None:
    params = Params("q=a+b")
    plain = params.with_codec(codec="rfc3986")
    assert (params["q"], plain["q"]) == ("a b", "a+b")
    data = "a b+c*~:@/?é&;="
    assert str(params.with_param("q", data)) == "q=a+b%2Bc*%7E%3A%40%2F%3F%C3%A9%26%3B%3D"
    assert str(plain.with_param("q", data)) == "q=a%20b%2Bc%2A~:@/?%C3%A9%26%3B%3D"
    assert plain.with_param("q", data)["q"] == params.with_param("q", data)["q"] == data
    assert plain.with_codec(codec="form") == params


@pytest.mark.parametrize("wrong", ["", "&&", ",", None, 1, "forms", []])
@pytest.mark.parametrize("name", ["separator", "codec"])
def test_unknown_codecs_and_separators_are_rejected(name: str, wrong: Any) -> None:
    message = {"separator": "must be one of & ;", "codec": "must be one of form, rfc3986"}
    for act in (partial(Params, "a"), partial(Params.build, {})):
        with pytest.raises(ValueError, match=f"{name} {message[name]}"):
            act(**{name: wrong})
    with pytest.raises(ValueError, match=f"{name} {message[name]}"):
        Params("a").with_codec(**{name: ""})  # type: ignore[arg-type]


def test_the_separator_can_be_a_semicolon() -> None:
    params = Params("a=1;b=2&3", separator=";")
    assert list(params.items()) == [("a", "1"), ("b", "2&3")]
    assert str(params.add_param("c", "x;y")) == "a=1;b=2&3;c=x%3By"
    assert (params.separator, params.codec) == (";", "form")
    assert params.with_codec(separator="&")["a"] == "1;b=2"


@pytest.mark.parametrize(
    ("query", "position"), [("a#b", 1), ("a b", 1), ("%zz", 1), ("é%", 2), ("\ud800", 0)]
)
def test_invalid_queries_are_rejected_with_a_position(query: str, position: int) -> None:
    with pytest.raises(uriverse.ParseError) as caught:
        Params(query)
    assert caught.value.position == position
    assert caught.value.component == "query"


def test_queries_and_names_of_a_wrong_type_are_rejected() -> None:
    wrong: Any = b"a=1"
    with pytest.raises(TypeError, match="query must be a str, not bytes"):
        Params(wrong)
    with pytest.raises(TypeError, match="parameter name must be a str or bytes, not int"):
        Params("a=1")[1]  # type: ignore[index]
    number: Any = 1
    assert number not in Params("1")


def test_errors_about_the_arguments_of_the_constructor_name_the_class() -> None:
    create: Any = Params
    for named in ({"query": None}, {"function": 1}, {"self": 1}):
        with pytest.raises(TypeError, match=r"^Params\(\) got "):
            create(**named)
    with pytest.raises(TypeError, match=r"^Params\(\) takes "):
        create("a", "b")


@pytest.mark.parametrize(
    ("query", "value", "edited"),
    [
        *((None, "1", "b=1"), ("", "1", "b=1"), ("a=1", "2", "a=1&b=2"), ("a=1&", "2", "a=1&b=2")),
        *(("&", "2", "&b=2"), ("b", "1", "b=1"), ("b=", "1", "b=1")),
        *(("b=1&a&b=2&&b=3&c=%20", "x", "b=x&a&&c=%20"), ("%62=1", "2", "%62=2")),
        *(("b=%7E", "~", "b=%7E"), ("b=x+y", "x y", "b=x+y"), ("b", None, "b"), ("b", "", "b")),
        *(("b=", None, "b"), ("a&b&b=", ["", ""], "a&b&b="), ("a&b&b=", [None, None], "a&b&b")),
        *(("b", b"", "b"), ("b=1", None, "b"), ("a", None, "a&b"), ("b=1", "", "b=")),
        *(("b=1&b=2&a", ["3"], "b=3&a"), ("b=1&a&b=2", ["1", "2"], "b=1&a&b=2")),
        *(("b=1&a&b=2", ["3", "4", "5"], "b=3&a&b=4&b=5"), ("b=1&a&b=2", [], "a")),
        *(("b=1", [], None), ("a=1&", [], "a=1&"), ("a", ("x", 1, None), "a&b=x&b=1&b")),
        *(("a", range(2), "a&b=0&b=1"), ("é&b=ü", "ä", "é&b=%C3%A4"), ("b=%FF", b"\xff", "b=%FF")),
        *(("b=%FF", b"\xfe", "b=%FE"), ("b=%ff", "\udcff", "b=%ff")),
        *(("b=%ff", "é\udcfe", "b=%C3%A9%FE"), ("b=1&b=2", "é&= #", "b=%C3%A9%26%3D+%23")),
    ],
)
def test_setting_a_parameter_leaves_other_parameters_unchanged(
    query: str | None, value: Any, edited: str | None
) -> None:
    before = (
        parse("http://u:p@h:1/p#f").with_query(query)
        if query is None or query.isascii()
        else (parse("http://é/#f").with_query(query))
    )
    for uri in (before, IRIReference(before)):
        after = uri.with_param("b", value)
        assert (str(after), type(after)) == (str(uri.with_query(edited)), type(uri))
        assert uri.update_params({"b": value}) == uri.update_params(b=value) == after
    assert Params(query).with_param("b", value).query == edited
    assert Params(query).updated({"b": value}).query == edited
    assert Params(query).updated([("b", value)]).query == edited
    assert Params(query).updated(b=value).query == edited


def test_values_with_one_obvious_text_are_converted_to_strings() -> None:
    for value, text in [
        *((0, "0"), (-7, "-7"), (10**639, "1" + "0" * 639), (1.5, "1.5"), (-0.0, "-0.0")),
        *((1e300, "1e%2B300"), (IntegerEnum.ONE, "1"), (StringEnum.ONE, "one")),
        *((make_odd(int, 1), "1"), (make_odd(float, 1.5), "1.5"), (Index(), "7")),
        *((Decimal("1.10"), "1.10"), (Decimal("-1E+2"), "-1E%2B2"), (make_odd(Decimal, 1), "1")),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (make_odd(UUID, int=1), "00000000-0000-0000-0000-000000000001"),
        (date(2026, 1, 31), "2026-01-31"),
        (datetime(2026, 1, 31, 12, tzinfo=UTC), "2026-01-31T12%3A00%3A00%2B00%3A00"),
        *((time(12, 30), "12%3A30%3A00"), (b"a b", "a+b")),
    ]:
        assert str(Params().with_param("a", value)) == f"a={text}"
        assert str(Params("a=0").add_param("a", [value])) == f"a=0&a={text}"
        assert str(Params.build({"a": value, "b": (value, None)})) == f"a={text}&b={text}&b"
        assert str(Params().updated(a=value)) == f"a={text}"


def test_numpy_and_pandas_values_are_converted_to_strings() -> None:
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    assert str(Params().with_param("a", [numpy.int8(-3), numpy.float64(1.5)])) == "a=-3&a=1.5"
    stamp = pandas.Timestamp("2026-01-31T12:00:00.000000001")
    assert Params().with_param("a", stamp)["a"] == "2026-01-31T12:00:00.000000001"
    with pytest.raises(TypeError, match="must not be a bool"):
        Params().with_param("a", numpy.True_)
    with pytest.raises(TypeError, match="not ndarray"):
        Params().with_param("a", numpy.array([1, 2]))
    with pytest.raises(BuildError, match="invalid time: NaT is not a time"):
        Params().with_param("a", pandas.NaT)


@pytest.mark.parametrize(
    "value",
    [object(), {}, {"a": 1}, {1, 2}, 1j, bytearray(b"a"), memoryview(b"a"), [["a"]], [{}],
     iter("ab"), timedelta(1), Fraction(1, 2)],
)  # fmt: skip
def test_values_of_unsupported_types_are_rejected(value: Any) -> None:
    kind = type(value[0] if isinstance(value, list) else value).__name__
    message = (
        "value of parameter 'a' must be a str, bytes, int, float, Decimal, UUID, date, time, None "
        f"or a sequence of them, not {kind}"
    )
    advice = 'must not be a bool: pass "true" or "false", or 1 or 0'
    member = "must not be a member of the enum PlainEnum: pass its value"
    for edit in EDITS:
        for name, wrong, reason in [
            *(("a", value, message), ("a", [1, True], f"value of parameter 'a' {advice}")),
            (b"a", PlainEnum.ONE, f"value of parameter 'a' {member}"),
        ]:
            with pytest.raises(TypeError) as caught:
                edit(name, wrong)
            assert str(caught.value) == reason


#: Values without a string form.
UNWRITABLE = [
    *(float("inf"), float("nan"), 10**640, -(10**640), "\ud800", "\udcc3\udca9", Decimal("inf")),
    *(Decimal("-nan"), Decimal("snan"), NotATime(1, 1, 1)),
]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("", None, "empty parameter"),
        ("\ud800", "a", "lone surrogate"),
        ("\udcc3\udca9", "a", "together they are the UTF-8 encoding"),
        *(("a", value, "^(invalid|number)") for odd in UNWRITABLE for value in (odd, [odd])),
    ],
)
def test_data_that_no_query_contains_is_rejected(name: str, value: Any, reason: str) -> None:
    for edit in (Params("é=1").with_param, Params("=1").with_param, *EDITS):
        with pytest.raises(BuildError, match=reason):
            edit(name, value)
    assert str(Params("a").with_param("", "")) == "a&="
    assert str(Params().with_param("\udcff", "\udcfe")) == "%FF=%FE"


@pytest.mark.parametrize("wrong", [1, None, ("a",)])
def test_names_must_be_str_or_bytes(wrong: Any) -> None:
    for act in (Params().without, Params().getall):
        with pytest.raises(TypeError, match="parameter name must be a str or bytes"):
            act(wrong)
    for edit in EDITS:
        with pytest.raises(TypeError, match="parameter name must be a str or bytes"):
            edit(wrong, "a")


def test_globs_must_be_str() -> None:
    for name in ("keep", "drop"):
        for wrong, message in [
            (b"a", f"{name} must be a str or an iterable of str, not bytes"),
            (3, f"{name} must be a str or an iterable of str, not int"),
            (None, f"{name} must be a str or an iterable of str, not NoneType"),
            (["a", b"a"], f"{name} must contain only str, not bytes"),
        ]:
            named: Any = {name: wrong}
            with pytest.raises(TypeError) as caught:
                Params("a").filter(**named)
            assert str(caught.value) == message


#: The methods of a URI that edit the parameters as those of `Params` do.
OF_URIS = {
    "without": "without_params",
    "updated": "update_params",
    "filter": "filter_params",
    "sorted": "sorted_params",
}
UTM = "utm_source=x&q=a+b&utm_%6Dedium=y&ids%5B%5D=1&Q&%FF=2"


@pytest.mark.parametrize(
    ("method", "query", "arguments", "named", "edited"),
    [
        ("add_param", "a=%7e", ["a", ["1", "2"]], {}, "a=%7e&a=1&a=2"),
        *(("add_param", "a&", ["b", None], {}, "a&b"), ("add_param", None, ["a", "b"], {}, "a=b")),
        ("add_param", None, ["a", []], {}, None),
        ("without", "a=1&b=%20&&%61=2&c", ["a"], {}, "b=%20&&c"),
        ("without", "a=1&b=%20&&%61=2&c", ["a", b"c"], {}, "b=%20&"),
        ("without", "a=1&b=%20&&%61=2&c", [], {}, "a=1&b=%20&&%61=2&c"),
        *(("without", "a=1&&c", ["z"], {}, "a=1&&c"), ("without", "a", ["a"], {}, None)),
        *(("without", "", ["a"], {}, ""), ("without", None, ["a"], {}, None)),
        ("updated", "a=1&b=2&a=3", [[("a", 4), ("c", 5), ("a", [6])]], {}, "a=4&b=2&a=6&c=5"),
        ("updated", "a=1&b=2&a=3", [{"a": 4}], {"b": 5}, "a=4&b=5"),
        ("updated", "a=1&b=2&a=3", [MappingProxyType({"a": 4})], {"a": 5}, "a=5&b=2"),
        # A parameter without "=" stays without "=".
        ("updated", "a=1&b=2&a=3", [Params("b=x+y&b&d")], {}, "a=1&b=x+y&b&a=3&d"),
        ("updated", "a=1&b=2&a=3", [Params("a").items()], {}, "a=&b=2"),
        ("updated", "a=1&b=2&a=3", [{"a": None}], {}, "a&b=2"),
        ("updated", "a=1", [], {"params": "x", "self": "y"}, "a=1&params=x&self=y"),
        ("updated", "a=%7e&&", [], {}, "a=%7e&&"),
        ("filter", UTM, [], {"drop": "utm_*"}, "q=a+b&ids%5B%5D=1&Q&%FF=2"),
        ("filter", UTM, [], {"keep": ["utm_*", "q"]}, "utm_source=x&q=a+b&utm_%6Dedium=y"),
        ("filter", UTM, [], {"keep": "utm_*", "drop": "*source"}, "utm_%6Dedium=y"),
        ("filter", UTM, [], {"keep": "ids[]"}, "ids%5B%5D=1"),
        ("filter", UTM, [], {"keep": "?", "drop": "[a-z]"}, "Q&%FF=2"),
        *(("filter", UTM, [], {}, UTM), ("filter", "a", [], {"keep": ()}, None)),
        # By octets, and stable.
        ("sorted", "b=2&%C3%A9&a=1&B&%FF&a=%7e&b=1&&%61=0", [], {},
         "&B&a=1&a=%7e&%61=0&b=2&b=1&%C3%A9&%FF"),
        *(("sorted", "", [], {}, ""), ("sorted", None, [], {}, None)),
    ],
)  # fmt: skip
def test_edits_keep_the_other_parameters(
    method: str, query: str | None, arguments: list[Any], named: dict[str, Any], edited: str | None
) -> None:
    assert getattr(Params(query), method)(*arguments, **named).query == edited
    for uri in (URI("http://u:p@h:1/p#f"), IRI("http://é/#é"), URIReference("")):
        before = uri.with_query(query)
        after = getattr(before, OF_URIS.get(method, method))(*arguments, **named)
        assert str(after) == str(before.with_query(edited))
        assert (after is before) is (query == edited)


@pytest.mark.parametrize(
    "query", ["", "a=1", "&x", "&a=1&&b=2&a=3&c=%7e&d&e=5&f=6&", "x&y&z", "f=%36&f&g"]
)
def test_updating_many_names_equals_updating_one_by_one(query: str) -> None:
    changes: dict[str, Any] = {
        "a": ["%", 2, None], "b": [], "c": "~", "d": b"\xff", "e": 5, "f": [6, 7], "g": None,
    }  # fmt: skip
    one_by_one = Params(query)
    for name, value in changes.items():
        one_by_one = one_by_one.with_param(name, value)
    assert Params(query).updated(changes).query == one_by_one.query
    assert Params(query).without(*changes).query == Params(query).filter(drop=list(changes)).query


@pytest.mark.parametrize("wrong", [1, "a=1", b"a", ["ab"], [("a",)], [("a", 1, 2)], [1]])
def test_arguments_that_are_neither_mappings_nor_pairs_are_rejected(wrong: Any) -> None:
    for act in (Params().updated, Params.build, URI("a:").with_params):
        with pytest.raises(TypeError, match="params must be"):
            act(wrong)


NOTHING: list[Any] = [{}, [], (), [("a", [])], Params(), Params("")]


def test_build_keeps_the_order_of_mappings_and_pairs() -> None:
    assert str(Params.build({"b": 1, "a": ["2 3", None], "c": []})) == "b=1&a=2+3&a"
    assert str(Params.build([("a", 1), ("b", 2), ("a", 3)])) == "a=1&b=2&a=3"
    assert str(Params.build((name, ["1", "2"]) for name in "ab")) == "a=1&a=2&b=1&b=2"
    lists: Any = [["a", 1], (b"\xff", 2)]
    assert str(Params.build(lists)) == "a=1&%FF=2"
    for nothing in NOTHING:
        assert Params.build(nothing).query is None


def test_build_encodes_params_again() -> None:
    params = Params("a=x+y&b&&c=%7e;")
    assert str(Params.build(params)) == "a=x+y&b&c=%7E%3B"
    again = Params.build(params, codec="rfc3986", separator=";")
    assert (again.query, again.codec, again.separator) == ("a=x%20y;b;c=~%3B", "rfc3986", ";")
    assert again == params


def test_with_params_replaces_the_whole_query() -> None:
    uri = URI("http://a/?a=1#f")
    mixed: Any = {"b": [1, "2 3"], "c": None}
    for params, query in (
        *((None, ""), (Params(), ""), ({}, ""), (mixed, "?b=1&b=2+3&c")),
        *(([("b", 1), ("c", 2), ("b", 3)], "?b=1&c=2&b=3"), (Params("x=%7e;+"), "?x=%7e;+")),
    ):
        assert str(uri.with_params(params)) == f"http://a/{query}#f"
    for text in ("http://a/", "http://a/?", "http://a/?a=%7e&&b#c"):
        assert (value := URI(text)).with_params(value.params) is value


def test_new_parameters_of_iris_and_references_are_encoded_in_ascii() -> None:
    assert str(IRI("http://é/?ü=ä").with_param("ö", "é")) == "http://é/?ü=ä&%C3%B6=%C3%A9"
    assert str(IRI("http://é/?ü=ä").with_param("ü", "x")) == "http://é/?ü=x"
    assert str(URIReference("").with_param("a", "b")) == "?a=b"
    assert str(URIReference("#f").with_params({"é": "b"})) == "?%C3%A9=b#f"


def test_parameters_that_the_type_does_not_allow_are_rejected() -> None:
    with pytest.raises(BuildError) as caught:
        URI("http://h/").with_params(IRI("http://h/?é").params)
    assert caught.value.component == "query"
    with pytest.raises(BuildError, match="lone surrogate"):
        URI("http://h/").with_param("a", "\ud800")


METHODS: dict[str, Callable[[URI, Any], URI]] = {
    "with_param(name)": lambda uri, wrong: uri.with_param(wrong, "x"),
    "with_param(value)": lambda uri, wrong: uri.with_param("x", wrong),
    "add_param(name)": lambda uri, wrong: uri.add_param(wrong, "x"),
    "add_param(value)": lambda uri, wrong: uri.add_param("x", wrong),
    "without_params": lambda uri, wrong: uri.without_params(wrong),
    "with_params": lambda uri, wrong: uri.with_params(wrong),
    "update_params": lambda uri, wrong: uri.update_params(wrong),
    "filter_params(keep)": lambda uri, wrong: uri.filter_params(keep=wrong),
    "filter_params(drop)": lambda uri, wrong: uri.filter_params(drop=wrong),
    "build": lambda _, wrong: URI.build(scheme="a", params=wrong),
    "replace": lambda uri, wrong: uri.replace(params=wrong),
}


@pytest.mark.parametrize("edit", METHODS)
@pytest.mark.parametrize("wrong", [object(), URI("a:b"), [object()], 1j])
def test_arguments_of_a_wrong_type_raise_a_type_error(edit: str, wrong: Any) -> None:
    with pytest.raises(TypeError) as caught:
        METHODS[edit](URI("http://h/?q=1"), wrong)
    # No message mentions a private name.
    assert " _" not in f" {caught.value}"


def test_params_implement_mapping_with_the_first_value_of_each_name() -> None:
    params = Params("a=1&b=2&a=3")
    assert isinstance(params, Mapping)
    assert dict(params) == {"a": "1", "b": "2"}
    match params:
        case {"a": value}:
            assert value == "1"
    assert ("b", "2") in params.items()
    assert ("b", "3") not in params.items()
    unhashable: Any = ("b", ["2"])
    assert unhashable not in params.items()
    assert "3" in params.values()
    assert None not in params.values()
    assert "b" in params.keys()  # noqa: SIM118
    assert len(params.items()) == len(params.values()) == len(params) == 3
    assert len(params.keys()) == 2


@pytest.mark.parametrize("query", ["", "a=1&b=2&a=3", "a=1&a=2&a=1", "x=%20&y="])
def test_params_agree_with_multidict(query: str) -> None:
    multidict: Any = pytest.importorskip(
        "multidict", reason="needs multidict (pip install --group test-all)"
    )
    params = Params(query)
    theirs = multidict.MultiDict(list(params.items()))
    assert Params.build(theirs) == params
    assert list(params.items()) == list(theirs.items())
    assert list(params.keys()) == list(theirs.keys())
    assert list(params.values()) == list(theirs.values())
    assert list(params) == list(theirs)
    assert (len(params), len(params.keys())) == (len(theirs), len(theirs.keys()))
    for name in theirs:
        assert params[name] == theirs[name]
        assert params.getall(name) == theirs.getall(name)
        assert params.get(name) == theirs.get(name)
    assert params.getall("z", []) == theirs.getall("z", [])


def test_params_equal_only_params_with_the_same_decoded_items() -> None:
    assert Params("a") == Params("a=")
    assert hash(Params("a")) == hash(Params("a="))
    assert Params("a").raw_items() != Params("a=").raw_items()
    assert Params("%FF=%ff") == Params("%ff=%FF")
    assert Params("a=%7E&&b") == Params("a=~&b")
    assert hash(Params("a=%7E&&b")) == hash(Params("a=~&b"))
    assert Params("a=1&b=2") != Params("b=2&a=1")
    # Otherwise equality would not be transitive: `dict` ignores the order.
    assert Params("a=1&b=2") != {"a": "1", "b": "2"}
    assert dict(Params("a=1&b=2")) == dict(Params("b=2&a=1"))
    assert Params("a=1") != [("a", "1")]


def test_concurrent_lookups_keep_the_first_index() -> None:
    Pairs: Any = Params.__mro__[1]  # noqa: N806  # it is a class

    class Interrupted(Pairs):  # type: ignore[misc]  # the base class depends on the engine
        def _decode_pairs(self) -> Any:
            if not made:
                # Simulate another thread that builds the index first.
                made.append({})
                made[0] = self._index_values()
            return super()._decode_pairs()

    made: list[Any] = []
    pairs = Interrupted("a=1&b=2")
    assert pairs._index_values() is made[0]
    assert pairs._index_values() is made[0]
    assert made[0] == {"a": ["1"], "b": ["2"]}


def test_repeated_lookups_do_not_parse_the_query_again() -> None:
    # If every lookup parsed the query, 50,000 lookups would take a minute.
    params = Params("&".join(f"n{number}=v" for number in range(50_000)))
    assert len(dict(params)) == 50_000
    assert params.items() == Params(params.query).items()
    assert all(name in params for name in params)
    assert params.get("n") is None
    assert params.getall("n7") == [params["n7"]] == ["v"]
    assert params.get(b"\xff", "missing") == "missing"
    assert params.get("\ud800", "missing") == "missing"


def test_repr_shows_the_constructor_call() -> None:
    assert repr(Params("a=1")) == "Params('a=1')"
    odd = Params("a", codec="rfc3986", separator=";")
    assert repr(odd) == "Params('a', codec='rfc3986', separator=';')"
    assert repr(Params()) == "Params(None)"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_copies_and_pickles_keep_the_exact_query(protocol: int) -> None:
    params = Params("a=%7e;b", codec="rfc3986", separator=";")
    again = pickle.loads(pickle.dumps(params, protocol))
    assert (again.query, again.codec, again.separator) == ("a=%7e;b", "rfc3986", ";")
    assert copy.copy(params) is copy.deepcopy(params) is params


def test_params_are_immutable_and_support_weak_references() -> None:
    params: Any = Params("a")
    assert weakref.ref(params)() is params
    for name in ("query", "codec", "separator", "other"):
        with pytest.raises(AttributeError):
            setattr(params, name, "b")


def test_params_inherit_from_the_running_engine() -> None:
    assert Params.__mro__[1] is (_engine.kernel.Pairs if _engine.compiled else pairs.Pairs)


@given(produced("iquery"), st.sampled_from(["form", "rfc3986"]), st.sampled_from("&;"))
def test_updating_params_with_themselves_is_no_edit(query: str, codec: Any, separator: Any) -> None:
    params = Params(query, codec=codec, separator=separator)
    again = Params(codec=codec, separator=separator).updated(params.items())
    assert sorted(again.items()) == sorted(params.items())
    assert params.updated(params.items()).query == query
    assert params.updated(params).query == query


def test_a_caller_may_change_the_list_of_values() -> None:
    params = Params("a=1&a=2")
    for _ in range(12):  # after some calls, the values are looked up in a table
        params.getall("a").append("3")
    assert params.getall("a") == ["1", "2"]
