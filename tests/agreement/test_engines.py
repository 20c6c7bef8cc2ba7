"""The kernel and the reference implementation return equal values, bounds and errors."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from amounts import scaled
from engines import ASKED, Engine, both
from hypothesis import given, settings
from strategies import texts
from walker import mutate, sample, walk

from uriverse import ParseError

TYPES = ("URI", "URI-reference", "IRI", "IRI-reference")
ATTRIBUTES = (
    "scheme", "authority", "userinfo", "host", "port_text", "path", "query", "fragment",
    "path_and_query", "host_kind", "is_relative", "is_absolute", "has_port",
)  # fmt: skip


def value_or_error(read: Callable[[str], Any], text: str) -> tuple[object, ...]:
    """Return the components and bounds of a string, or the component and position of its error."""
    try:
        value = read(text)
    except ParseError as error:
        return error.component, error.position
    return value._rule, str(value), tuple(value._bounds), *(getattr(value, p) for p in ATTRIBUTES)


def results(engine: Engine, text: str) -> tuple[object, ...]:
    """Return the results of the `is_*` functions, the four types and `parse` for a string."""
    accepted = tuple(engine.types[rule].try_parse(text) is not None for rule in TYPES)
    read = tuple(value_or_error(engine.types[rule], text) for rule in TYPES)
    return engine.accepts(text), accepted, read, value_or_error(engine.parse, text)


@given(texts())
@settings(max_examples=scaled(1500))
def test_engines_agree_on_valid_and_hostile_strings(text: str) -> None:
    spec, kernel = both()
    assert results(spec, text) == results(kernel, text)


COMPONENT_RULES = ("scheme", "iuserinfo", "ihost", "port", "ipath-abempty", "iquery", "ifragment")


@pytest.mark.parametrize("rule", TYPES)
def test_engines_replace_a_component_with_the_same_result(rule: str) -> None:
    random = Random(rule)

    def edited(engine: Engine, text: str, part: int, new: str | None) -> tuple[object, ...] | None:
        value = engine.types[rule](text)._with_part(part, new)
        return None if value is None else (type(value)._rule, str(value), tuple(value._bounds))

    spec, kernel = both()
    rounds = scaled(8000)
    made = 0
    for _ in range(rounds):
        text = walk(rule, random)
        part = random.randrange(7)
        new = random.choice(
            (None, "", walk(COMPONENT_RULES[part], random), sample("ihost", random))
        )
        if new and random.random() < 0.3:
            new = mutate(new, random)
        found = edited(spec, text, part, new)
        assert found == edited(kernel, text, part, new), (text, part, new)
        made += found is not None
    assert rounds // 4 < made < rounds * 15 // 16


def test_engines_define_the_same_methods_and_functions() -> None:
    spec, kernel = both()
    specified = {name for name in vars(spec.module.Identifier) if not name.startswith("__")}
    compiled = {name for name in vars(kernel.module.Identifier) if not name.startswith("__")}
    # Internals of the reference implementation.
    assert specified - {"_text", "_found", "_match", "_of", "_derived", "_rule"} == compiled
    for name in ("register_types", "parse", *ASKED, "Identifier"):
        assert callable(getattr(spec.module, name))
        assert callable(getattr(kernel.module, name))


@pytest.mark.parametrize("wrong", [None, 1, b"a:", ["a:"], object()])
def test_both_engines_raise_type_error_for_other_types_than_str(wrong: object) -> None:
    for engine in both():
        for read in (engine.parse, *engine.types.values(), engine.module.is_uri):
            with pytest.raises(TypeError, match="expected a str or a URI, not"):
                read(wrong)


def test_engines_ignore_dunder_str_of_a_subclass_of_str() -> None:
    class Misleading(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "http://lie/"

    for engine in both():
        value = engine.parse(Misleading("http://truth/"))
        assert (str(value), type(str(value))) == ("http://truth/", str)


def test_engines_accept_an_identifier_in_place_of_a_string() -> None:
    for engine in both():
        narrow = engine.types["URI"]("a:b")
        assert engine.types["IRI-reference"](narrow) == narrow
        assert engine.module.is_absolute_uri(narrow)


def test_a_subclass_accepts_the_same_strings_with_both_engines() -> None:
    accepted = []
    for engine in both():
        kinds: list[Any] = [type("One", (kind,), {}) for kind in engine.types.values()]
        texts = ("a:b", "a:é", "b", "é")
        accepted.append([[kind.try_parse(t) is not None for t in texts] for kind in kinds])
    assert accepted[0] == accepted[1]


def test_pytest_cov_counts_no_branches_in_this_folder(pytestconfig: pytest.Config) -> None:
    # Without pytest-cov, `tools/mutate.py` records the lines that each test executes.
    counted = pytestconfig.pluginmanager.hasplugin("_cov") and "coverage" in repr(sys.gettrace())
    assert not counted
