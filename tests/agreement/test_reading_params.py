"""Both engines read and write the parameters of a query alike."""

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

#: Names and values, of which some have no text.
DATA = st.one_of(
    st.text(max_size=4),
    st.binary(max_size=4),
    produced("iquery"),
    st.sampled_from(["\ud800", "", "\udcff", "é\udcff", "\udcc3\udca9"]),
    st.binary(max_size=3).map(lambda octets: octets.decode(errors="surrogateescape")),
)


def kinds() -> tuple[Any, Any]:
    _, kernel = both()
    return specification.Pairs, kernel.module.Pairs


def outcome(act: Callable[[], Any]) -> object:
    """What comes of it: a value, its text, or the error."""
    try:
        made = act()
    except URIError as error:
        return type(error), error.as_dict()
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return (made.query, made.codec, made.separator) if hasattr(made, "query") else made


def asked(kind: Any, query: Any, name: Any, value: Any, codec: str, separator: str) -> list[object]:
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


def assert_agreed(query: object, name: object = "a", value: object = "b") -> None:
    spec, kernel = kinds()
    for codec, separator in SETTINGS:
        case = (query, name, value, codec, separator)
        assert asked(spec, *case) == asked(kernel, *case), case


@given(produced("iquery"), DATA, DATA)
def test_engines_agree_on_queries(query: str, name: str | bytes, value: str | bytes) -> None:
    assert_agreed(query, name, value)


@given(hostile(), DATA)
def test_engines_agree_on_hostile_texts(query: str, name: str | bytes) -> None:
    assert_agreed(query, name)


@pytest.mark.parametrize("length", [*range(6), pytest.param(6, marks=pytest.mark.slow)])
def test_engines_agree_on_all_short_texts_of_what_delimits(length: int) -> None:
    for characters in product("a=&;+", repeat=length):
        assert_agreed("".join(characters))


@pytest.mark.parametrize("query", [None, 1, b"a", "\ud800", "%", "%4", "a" * 3000, "é" * 3000])
def test_engines_agree_on_what_is_given(query: object) -> None:
    assert_agreed(query)
    given_pairs: list[tuple[object, object]] = [
        *(("a", 1), (1, "a"), (b"a", "b"), ("\ud800", "a"), ("a", "\ud800")),
        *(("\udcff", "é\udcff"), ("\udcc3\udca9", "a"), ("a", "\udcff\udcc3\udca9")),
        *(("ÿ\udcff" * 700, "\udcff" * 2000), ("a", "€\udcff\U0001f600")),
    ]
    for name, value in given_pairs:
        assert_agreed("a=1", name, value)
        assert_agreed("%FF=1&%C3%A9=%C3&a", name, value)


@pytest.mark.slow
def test_engines_agree_around_the_sizes_of_buffers() -> None:
    for size in (84, 85, 86, 254, 255, 256, 257, 340, 341, 342, 1021, 1022, 1023, 1024, 1025):
        for unit in ("a", "+", "%41", "é", "%C3%A9", "%FF"):
            assert_agreed(f"a={unit * size}&b", "a", "ü" * size)
            assert_agreed(f"{unit * size}=1", "b" * size, "&")


@given(st.one_of(st.binary(), st.text(st.characters(exclude_categories=["Cs"]))))
def test_engines_write_data_the_same_and_it_is_read_back(data: bytes | str) -> None:
    spec, kernel = kinds()
    octets = data if isinstance(data, bytes) else data.encode()
    for codec, separator in SETTINGS:
        written = spec(codec=codec, separator=separator)._put("a", [data]).query
        assert written == kernel(codec=codec, separator=separator)._put("a", [data]).query
        [(name, value)] = spec(written, codec=codec, separator=separator)._pairs()
        assert name == "a"
        assert value.encode(errors="surrogateescape") == octets


@pytest.mark.parametrize("size", [340, 341, 342, 343, 5000])
def test_engines_write_long_data_the_same(size: int) -> None:
    spec, kernel = kinds()
    for unit in ("a", "é", " "):
        put = [kind()._put(unit * size, [unit * size]).query for kind in (spec, kernel)]
        assert put[0] == put[1]


def test_other_settings_are_refused_the_same() -> None:
    spec, kernel = kinds()
    for named in ({"codec": "x"}, {"separator": "x"}, {"codec": None}, {"separator": ""}):
        assert outcome(partial(spec, "a", **named)) == outcome(partial(kernel, "a", **named))


def test_only_pairs_are_made_of_pairs() -> None:
    _, kernel = kinds()
    with pytest.raises(TypeError):
        kernel._made.__func__(str, "a", "form", "&")
