import importlib
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime
from typing import Any, get_args, get_type_hints
from uuid import UUID

import pytest
from hypothesis import Phase, find, given, seed, settings
from hypothesis import strategies as st

from uriverse import IRIReference, ParseError, parse
from uriverse._spec import GRAMMARS
from uriverse._spec.syntax import matches
from uriverse._typed import list_typed_classes
from uriverse._typed.base import TypedURI
from uriverse.templates import Template
from uriverse.testing import strategies
from uriverse.typing import Grammar

#: The strategies for values of our types, with these types.
VALUES: dict[str, Any] = {
    name: get_args(get_type_hints(getattr(strategies, name))["return"])[0]
    for name in strategies.__all__
    if not name.endswith("strings") and name != "values_for"
}


@pytest.mark.parametrize("grammar", get_args(Grammar))
def test_strings_match_their_grammar(grammar: Grammar) -> None:
    @given(strategies.strings(grammar))
    def check(text: str) -> None:
        assert matches(text, GRAMMARS[grammar])

    check()


def test_an_unknown_grammar_is_rejected() -> None:
    for grammar in ("url", "uri-x", "absolute-uri-reference", ""):
        with pytest.raises(ValueError, match="grammar must be one of"):
            strategies.strings(grammar)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "kind"), VALUES.items())
def test_values_have_their_type(name: str, kind: type) -> None:
    @given(getattr(strategies, name)())
    def check(value: object) -> None:
        assert type(value) is kind or (isinstance(value, kind) and not isinstance(value, TypedURI))

    check()


@pytest.mark.parametrize("kind", sorted({*VALUES.values()} | list_typed_classes(), key=str))
def test_type_annotations_find_the_strategy(kind: type) -> None:
    @settings(max_examples=5)
    @given(st.from_type(kind))
    def check(value: object) -> None:
        assert isinstance(value, kind)
        assert type(value) is kind or not issubclass(kind, TypedURI)

    check()


#: Properties that some generated string must have.
VARIETY: dict[str, Callable[[IRIReference], object]] = {
    "an empty query": lambda value: value.query == "",
    "an empty fragment": lambda value: value.fragment == "",
    "an empty host": lambda value: value.host == "",
    "an empty port": lambda value: value.port_text == "",
    "a user name": lambda value: value.userinfo,
    "a password": lambda value: ":" in (value.userinfo or ""),
    "an IPv6 address": lambda value: value.host_kind == "IPv6address",
    "an IPv4 address": lambda value: value.host_kind == "IPv4address",
    "an address of the future": lambda value: value.host_kind == "IPvFuture",
    "a dot segment": lambda value: ".." in value.raw_segments,
    "an empty segment": lambda value: "//" in value.path,
    "an encoded octet that is not UTF-8": lambda value: "%FF" in str(value),
    "a relative path": lambda value: value.is_relative and value.path[:1] not in {"", "/"},
    "a non-ASCII host": lambda value: not (value.host or "").isascii(),
    "a private character": lambda value: "\ue000" in (value.query or ""),
    "a rootless path": lambda value: value.scheme and value.path[:1] not in {"", "/"},
}


def test_references_are_varied() -> None:
    class Complete(Exception):  # noqa: N818
        """Every property was found, so no more examples are needed."""

    missing = set(VARIETY)

    @seed(9)  # 340 examples are enough
    @settings(max_examples=2000, database=None, phases=[Phase.generate])
    @given(strategies.iri_references())
    def collect(value: IRIReference) -> None:
        missing.difference_update([name for name in missing if VARIETY[name](value)])
        if not missing:
            raise Complete

    with suppress(Complete):
        collect()
    assert missing == set()


@pytest.mark.slow
def test_shrinking_keeps_references_valid_and_finds_the_shortest() -> None:
    found = find(
        strategies.iri_references(),
        lambda value: value.host_kind == "IPv6address" and bool(value.query),
        settings=settings(max_examples=1000, derandomize=True, database=None),
    )
    assert parse(str(found)) == found
    assert len(str(found)) <= len("a://[::]?a=b")


def test_most_hostile_strings_are_invalid_and_some_are_valid() -> None:
    outcomes = []

    @settings(max_examples=300, derandomize=True, database=None)
    @given(strategies.hostile_strings())
    def run(text: str) -> None:
        try:
            parse(text)
        except ParseError:
            outcomes.append(False)
        else:
            outcomes.append(True)

    run()
    assert 0.5 < outcomes.count(False) / len(outcomes) < 1


#: Properties that some generated template must have.
VARIETY_OF_TEMPLATES: dict[str, Callable[[Template], object]] = {
    "many operators": lambda template: len({each.operator for each in template.variables}) > 3,
    "a fragment": lambda template: any(each.operator == "#" for each in template.variables),
    "a prefix": lambda template: any(each.prefix for each in template.variables),
    "a list": lambda template: any(each.explode for each in template.variables),
    "no variables": lambda template: not template.variables,
    "a non-ASCII literal": lambda template: not str(template).isascii(),
    "a variable with a type": lambda template: "VariableType" in repr(template.__reduce__()),
    "is reversible": lambda template: len(template.variables) > 1 and template.is_reversible,
    "is not reversible": lambda template: not template.is_reversible,
}


def test_templates_are_varied() -> None:
    missing = set(VARIETY_OF_TEMPLATES)

    @settings(max_examples=200, derandomize=True, database=None, phases=[Phase.generate])
    @given(strategies.templates())
    def collect(template: Template) -> None:
        tests = VARIETY_OF_TEMPLATES
        missing.difference_update([name for name in missing if tests[name](template)])

    collect()
    assert missing == set()


TYPES: dict[str, Any] = {
    "a": int,
    "b": float,
    "c": date,
    "d": datetime,
    "e": UUID,
    "g": list[int],
    "f": ("x", "y/z"),
    "h": dict[str, int],
    "i": ("x", "y/z"),
}


@given(strategies.values_for(Template("{/i}{?a,b,c,d,e,f,g*,h*}{&k*}", types=TYPES)))
def test_values_have_the_types_of_their_variables(values: dict[str, Any]) -> None:
    for name in {"a", "b", "c", "d", "e"} & values.keys():
        assert type(values[name]) is TYPES[name]
    assert values.get("f", "x") in TYPES["f"]
    assert values.get("i", "x") == "x"
    assert all(type(item) is int for item in values.get("g", []))
    assert all(type(item) is int for item in values.get("h", {}).values())
    assert all(values[name] for name in ("g", "h", "k") if name in values)


def test_optional_variables_may_be_missing_and_others_are_not() -> None:
    template = Template("{scheme}://{host}/{x,y}{/p}{?q}{#f}")
    found: set[str] = set()

    @settings(max_examples=60, derandomize=True, database=None)
    @given(strategies.values_for(template))
    def collect(values: dict[str, Any]) -> None:
        assert values.keys() >= {"scheme", "host", "x", "y"}
        found.update({"p", "q", "f"} - values.keys())
        found.update(name.upper() for name in {"p", "q", "f"} & values.keys())

    collect()
    assert found == {*"pqfPQF"}


@given(strategies.values_for(Template("/{a}{/b*}{?a,d}{&d,e:2}/{+c}")))
def test_values_in_a_path_are_safe(values: dict[str, Any]) -> None:
    for value in (values["a"], *values.get("b", [])):
        assert value
        assert not {"/", "\\", "\0"} & set(value)
        assert value not in {".", ".."}


@given(strategies.values_for(Template("/{+path}")))
def test_values_with_slashes_have_no_empty_segments(values: dict[str, Any]) -> None:
    assert not set(values["path"].split("/")) & {"", ".", ".."}


def test_a_missing_hypothesis_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "uriverse.testing.strategies")
    with pytest.raises(
        ModuleNotFoundError, match=r"needs hypothesis; run pip install 'uriverse\[hypothesis\]'"
    ):
        importlib.import_module("uriverse.testing.strategies")


def test_types_have_strategies_without_docstrings() -> None:
    program = "from uriverse.testing.strategies import URN, st; print(st.from_type(URN))"
    command = [sys.executable, "-OO", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "urn" in done.stdout
