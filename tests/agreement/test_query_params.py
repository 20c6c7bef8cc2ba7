"""Both engines parse and edit query parameters with equal results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import pytest
from engines import both
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, produced

from uriverse import URIError
from uriverse.views import pairs as specification

CODECS = ("form", "rfc3986")
SEPARATORS = ("&", ";")
SETTINGS = list(product(CODECS, SEPARATORS))

#: Names and values; some of them are not UTF-8, and some are not allowed.
DATA = st.one_of(
    st.text(max_size=4),
    st.binary(max_size=4),
    produced("iquery"),
    st.sampled_from(["\ud800", "", "\udcff", "é\udcff", "\udcc3\udca9"]),
    st.binary(max_size=3).map(lambda octets: octets.decode(errors="surrogateescape")),
)


def pairs_classes() -> tuple[Any, Any]:
    _, kernel = both()
    return specification.Pairs, kernel.module.Pairs


def outcome(function: Callable[[], Any]) -> object:
    """Return the result of a function, the query of the pairs it returns, or its error."""
    try:
        made = function()
    except URIError as error:
        return type(error), error.as_dict()
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return (made.query, made.codec, made.separator) if hasattr(made, "query") else made


def results(
    kind: Any, query: Any, name: Any, value: Any, codec: str, separator: str
) -> list[object]:
    try:
        pairs = kind(query, codec=codec, separator=separator)
    except (URIError, TypeError) as error:
        return [type(error), str(error)]
    return [
        (pairs.query, pairs.codec, pairs.separator),
        pairs._pieces(),
        pairs._pairs(),
        outcome(lambda: pairs._first(name, "missing")),
        outcome(lambda: pairs._put(name, [value])),
        outcome(lambda: pairs._put(name, [value, None, "x&=", value])),
        outcome(lambda: pairs._put("", [None])),
        outcome(lambda: pairs._put(name, ["", value])),
        outcome(lambda: [pairs._first(name, "missing") for _ in range(10)]),
        outcome(pairs._values),
        *(pairs._first(found, None) for found, _ in pairs._pairs()),
        *(outcome(partial(pairs._put, found, [None, ""])) for found, _ in pairs._pairs()),
        *(outcome(partial(pairs._put, found, ["", None])) for found, _ in pairs._pairs()),
        *(outcome(partial(pairs._put, found, [])) for found, _ in pairs._pairs()),
        *(outcome(partial(pairs._put, found, ["x&=", "a"])) for found, _ in pairs._pairs()),
    ]


def assert_engines_agree(query: object, name: object = "a", value: object = "b") -> None:
    spec, kernel = pairs_classes()
    for codec, separator in SETTINGS:
        case = (query, name, value, codec, separator)
        assert results(spec, *case) == results(kernel, *case), case


@given(produced("iquery"), DATA, DATA)
def test_engines_parse_and_edit_valid_queries_the_same(
    query: str, name: str | bytes, value: str | bytes
) -> None:
    assert_engines_agree(query, name, value)


@given(hostile(), DATA)
def test_engines_parse_and_edit_hostile_queries_the_same(query: str, name: str | bytes) -> None:
    assert_engines_agree(query, name)


@pytest.mark.parametrize("length", [*range(6), pytest.param(6, marks=pytest.mark.slow)])
def test_engines_parse_and_edit_all_short_sequences_of_delimiters_the_same(length: int) -> None:
    for characters in product("a=&;+", repeat=length):
        assert_engines_agree("".join(characters))


@pytest.mark.parametrize("query", [None, 1, b"a", "\ud800", "%", "%4", "a" * 3000, "é" * 3000])
def test_engines_handle_wrong_types_and_surrogates_in_params_the_same(query: object) -> None:
    assert_engines_agree(query)
    given_pairs: list[tuple[object, object]] = [
        *(("a", 1), (1, "a"), (b"a", "b"), ("\ud800", "a"), ("a", "\ud800")),
        *(("\udcff", "é\udcff"), ("\udcc3\udca9", "a"), ("a", "\udcff\udcc3\udca9")),
        *(("ÿ\udcff" * 700, "\udcff" * 2000), ("a", "€\udcff\U0001f600")),
    ]
    for name, value in given_pairs:
        assert_engines_agree("a=1", name, value)
        assert_engines_agree("%FF=1&%C3%A9=%C3&a", name, value)


@pytest.mark.slow
def test_engines_parse_and_edit_params_around_buffer_sizes_the_same() -> None:
    for size in (84, 85, 86, 254, 255, 256, 257, 340, 341, 342, 1021, 1022, 1023, 1024, 1025):
        for unit in ("a", "+", "%41", "é", "%C3%A9", "%FF"):
            assert_engines_agree(f"a={unit * size}&b", "a", "ü" * size)
            assert_engines_agree(f"{unit * size}=1", "b" * size, "&")


@given(st.one_of(st.binary(), st.text(st.characters(exclude_categories=["Cs"]))))
def test_engines_encode_parameter_values_the_same_and_decode_them_again(data: bytes | str) -> None:
    spec, kernel = pairs_classes()
    octets = data if isinstance(data, bytes) else data.encode()
    for codec, separator in SETTINGS:
        written = spec(codec=codec, separator=separator)._put("a", [data]).query
        assert written == kernel(codec=codec, separator=separator)._put("a", [data]).query
        [(name, value)] = spec(written, codec=codec, separator=separator)._pairs()
        assert name == "a"
        assert value.encode(errors="surrogateescape") == octets


@pytest.mark.parametrize("size", [340, 341, 342, 343, 5000])
def test_engines_encode_long_parameters_the_same(size: int) -> None:
    spec, kernel = pairs_classes()
    for unit in ("a", "é", " "):
        put = [kind()._put(unit * size, [unit * size]).query for kind in (spec, kernel)]
        assert put[0] == put[1]


def test_engines_reject_unknown_codecs_and_separators_with_the_same_error() -> None:
    spec, kernel = pairs_classes()
    for named in ({"codec": "x"}, {"separator": "x"}, {"codec": None}, {"separator": ""}):
        assert outcome(partial(spec, "a", **named)) == outcome(partial(kernel, "a", **named))


def test_the_constructor_of_pairs_rejects_other_classes() -> None:
    _, kernel = pairs_classes()
    with pytest.raises(TypeError):
        kernel._made.__func__(str, "a", "form", "&")
