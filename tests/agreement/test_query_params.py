import operator as op
from collections.abc import Callable, Hashable, ItemsView, Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from engines import both
from misleading import MisleadingBytes, MisleadingStr

from uriverse import Params, URIError
from uriverse._uri import pairs as specification

CODECS = ("form", "rfc3986")
SEPARATORS = ("&", ";")
SETTINGS = list(product(CODECS, SEPARATORS))


def pairs_classes() -> tuple[Any, Any]:
    _, kernel = both()
    return specification.Pairs, kernel.module.Pairs


def outcome(function: Callable[[], Any]) -> object:
    try:
        made = function()
    except URIError as error:
        return type(error), error.as_dict()
    except (TypeError, ValueError, KeyError) as error:
        return type(error), str(error)
    return (made.query, made.codec, made.separator) if hasattr(made, "query") else made


#: Values of all types that both engines write, and some that they reject.
ODD_VALUES: list[Any] = [
    None, "", "a", b"a", 0, -7, 2**63 - 1, -(2**63), 2**63, 10**639, 10**640, 1.5, -0.0, 1e300,
    float("inf"), float("nan"), True, False, Decimal("1.50"), UUID(int=1), date(2026, 1, 31),
    bytearray(b"a"), {"a"}, {}, [], (), ["a", 1, None], ("a", True), [["a"]], range(2), iter("ab"),
    ["\ud800", True], [None, "\ud800"], object,
]  # fmt: skip


def results(kind: Any, query: Any, name: Any, value: Any, codec: str, separator: str) -> list[Any]:
    try:
        pairs = kind(query, codec=codec, separator=separator)
    except (URIError, TypeError) as error:
        return [type(error), str(error)]
    found = [name for name, _ in pairs._decode_pairs()]
    return [
        (pairs.query, pairs.codec, pairs.separator),
        pairs._split_pieces(),
        pairs._decode_pairs(),
        list(pairs.items()),
        outcome(lambda: pairs.get(name, "missing")),
        outcome(lambda: pairs[name]),
        outcome(lambda: pairs.getall(name)),
        outcome(lambda: pairs.getall(name, "missing")),
        outcome(lambda: name in pairs),
        *edits(pairs, name, value),
        outcome(lambda: pairs.with_param("", [None])),
        outcome(lambda: [pairs.get(name, "missing") for _ in range(10)]),
        outcome(lambda: pairs.getall(name, "missing")),
        outcome(pairs._index_values),
        *(pairs.get(other) for other in found),
        *(pairs.getall(other) for other in found),
        *(outcome(partial(pairs.with_param, other, [None, ""])) for other in found),
        *(outcome(partial(pairs.with_param, other, ["", None])) for other in found),
        *(outcome(partial(pairs.with_param, other, [])) for other in found),
        *(outcome(partial(pairs.with_param, other, ["x&=", "a"])) for other in found),
        *(outcome(partial(pairs._remove, (name, other))) for other in found),
        outcome(partial(pairs._remove, (*found, name))),
        outcome(partial(pairs._remove, (*found, *"abcdef"))),
        outcome(partial(pairs._remove, (*found[1:], *"abcdef", name))),
    ]


def edits(pairs: Any, name: Any, value: Any) -> list[object]:
    values = [value, None, "x&=", value]
    sources = [{name: value, "x": values}] if isinstance(name, Hashable) else []
    return [
        outcome(lambda: pairs.with_param(name, value)),
        outcome(lambda: pairs.with_param(name, [value])),
        outcome(lambda: pairs.with_param(name, values)),
        outcome(lambda: pairs.with_param(name, ["", value])),
        outcome(lambda: pairs.add_param(name, value)),
        outcome(lambda: pairs.add_param(name, values)),
        outcome(lambda: pairs.add_param(name, tuple(values))),
        outcome(lambda: pairs._remove((name,))),
        *(outcome(partial(pairs._build, source)) for source in sources),
        outcome(lambda: pairs._build([(name, value), [name, values], (name, ())])),
        outcome(lambda: pairs._build(iter(((name, value), ("a", 1), (name, value))))),
    ]


def assert_engines_agree(query: object, name: object = "a", value: object = "b") -> None:
    spec, kernel = pairs_classes()
    for codec, separator in SETTINGS:
        case = (query, name, value, codec, separator)
        assert results(spec, *case) == results(kernel, *case), case


@pytest.mark.parametrize(
    "length", [*range(5), *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 6))]
)
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


@pytest.mark.parametrize("value", ODD_VALUES)
def test_engines_write_or_reject_every_type_of_value_the_same(value: Any) -> None:
    spec, kernel = pairs_classes()
    for query in (None, "", "a", "b=1&", "a=1&b&a=2"):
        for name in ("a", b"\xff", "", "\ud800", 1, None):
            assert edits(spec(query), name, value) == edits(kernel(query), name, value)


@pytest.mark.parametrize(
    "source", [None, 1, "a=1", b"a", ["ab"], [("a",)], [("a", 1, 2)], [1], {}, [], iter([]), {1: 2}]
)
def test_engines_accept_and_reject_the_same_sources(source: Any) -> None:
    spec, kernel = pairs_classes()
    assert outcome(partial(spec()._build, source)) == outcome(partial(kernel()._build, source))


def test_engines_use_the_characters_of_subclasses_of_str_and_bytes() -> None:
    spec, kernel = pairs_classes()
    for name, value in [
        (MisleadingStr("a"), MisleadingStr("é")),
        (MisleadingBytes(b"a"), MisleadingBytes(b"\xff")),
        (MisleadingStr("b"), [MisleadingStr("c")]),
    ]:
        for kind in (spec, kernel):
            assert kind("a=1").with_param(name, value).query in ("a=%C3%A9", "a=%FF", "a=1&b=c")
        assert edits(spec("a=1"), name, value) == edits(kernel("a=1"), name, value)


def test_a_dict_that_changes_while_it_is_written_does_no_harm() -> None:
    class Growing:
        def __index__(self) -> int:
            source[f"new{len(source)}"] = 1
            return 1

    source: dict[str, Any] = {"a": Growing(), "b": 2}
    for kind in pairs_classes():
        with pytest.raises(RuntimeError, match="changed size during iteration"):
            kind()._build(source)


@pytest.mark.slow
def test_engines_parse_and_edit_params_around_buffer_sizes_the_same() -> None:
    for size in (84, 85, 86, 254, 255, 256, 257, 340, 341, 342, 1021, 1022, 1023, 1024, 1025):
        for unit in ("a", "+", "%41", "é", "%C3%A9", "%FF"):
            assert_engines_agree(f"a={unit * size}&b", "a", "ü" * size)
            assert_engines_agree(f"{unit * size}=1", "b" * size, "&")


@pytest.mark.parametrize("query", [None, "", "a=1", "a=1&b&a=2", "a=1&a=1", "%61=+"])
def test_items_are_sets_in_both_engines(query: str | None) -> None:
    spec, kernel = pairs_classes()
    items = [kind(query).items() for kind in (spec, kernel)]
    assert issubclass(Params, Mapping)
    # The module of `Params` does so only if the kernel is in use.
    ItemsView.register(both()[1].module.Items)
    assert all(isinstance(found, ItemsView) for found in items)
    others: list[Any] = [
        set(), {("a", "1")}, frozenset([("a", "1"), ("b", "")]), {("a", "2"), ("c", "")}, {1, "x"},
        {"a": "1"}.items(), {"a": "1", "b": "", "c": "2"}.items(), *items, [("a", "1")],
    ]  # fmt: skip

    def result(operation: Any, first: Any, second: Any) -> object:
        # The messages of these errors name the classes, which differ.
        try:
            return operation(first, second)
        except TypeError:
            return TypeError

    for operation in SET_OPERATIONS:
        for other in others:
            first, second = (result(operation, found, other) for found in items)
            assert first == second, (operation, other)
            first, second = (result(operation, other, found) for found in items)
            assert first == second, (operation, other)
    for item in [("a", "1"), ("a", ""), ("b", ["1"]), None, "a"]:
        assert (item in items[0]) == (item in items[1])
    assert len(items[0]) == len(items[1]) == len(list(items[1]))
    assert items[0].isdisjoint({("a", "1")}) == items[1].isdisjoint({("a", "1")})
    assert [isinstance(operation(items[1], set()), set) for operation in SET_OPERATIONS[:4]]
    with pytest.raises(TypeError):
        hash(items[1])


SET_OPERATIONS: list[Any] = [
    op.and_, op.or_, op.sub, op.xor, op.eq, op.ne, op.lt, op.le, op.gt, op.ge,
]  # fmt: skip


@pytest.mark.parametrize("size", [340, 341, 342, 343, 5000])
def test_engines_encode_long_parameters_the_same(size: int) -> None:
    spec, kernel = pairs_classes()
    for unit in ("a", "é", " "):
        for names in ([unit * size], [unit] * size):
            pairs = [(name, unit * size) for name in names[:50]]
            built = [kind()._build(pairs).query for kind in (spec, kernel)]
            assert built[0] == built[1]


def test_engines_reject_unknown_codecs_and_separators_with_the_same_error() -> None:
    spec, kernel = pairs_classes()
    for named in ({"codec": "x"}, {"separator": "x"}, {"codec": None}, {"separator": ""}):
        assert outcome(partial(spec, "a", **named)) == outcome(partial(kernel, "a", **named))


def test_the_constructor_of_pairs_rejects_other_classes() -> None:
    _, kernel = pairs_classes()
    with pytest.raises(TypeError):
        kernel._create.__func__(str, "a", "form", "&")
