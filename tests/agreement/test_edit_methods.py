"""Both engines give the same results and errors when URIs are built and edited."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from inspect import unwrap
from random import Random
from types import FunctionType
from typing import Any

import pytest
from amounts import scaled
from engines import Engine, both
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import characters, produced
from walker import mutate, sample, walk

from uriverse import URIError
from uriverse._identifiers.building import Buildable
from uriverse._identifiers.editing import Editable
from uriverse._identifiers.names import Named
from uriverse._identifiers.parameters import Parameterized

TYPES = ("URI", "URI-reference", "IRI", "IRI-reference")
MIXINS = (Buildable, Editable, Parameterized, Named)

#: The methods with a fast path in the kernel, with the components that they replace.
FAST = (
    *("scheme", "authority", "userinfo", "username", "password", "host", "port"),
    *("path", "query", "fragment"),
)

#: The grammar rule of each component.
RULES = {
    "scheme": "scheme",
    "authority": "iauthority",
    "userinfo": "iuserinfo",
    "username": "iuserinfo",
    "password": "iuserinfo",
    "host": "ihost",
    "port": "port",
    "path": "ipath-abempty",
    "query": "iquery",
    "fragment": "ifragment",
}


def types_of(engine: Engine) -> dict[str, Any]:
    """Return the four types of an engine, with the methods that edit URIs."""
    # The types derive from each other, so only the first one needs the methods.
    widest = engine.types["IRI-reference"]
    if not hasattr(widest, "replace"):
        add_methods(engine, widest)
    return engine.types


def add_methods(engine: Engine, widest: Any) -> None:
    for mixin in MIXINS:
        for name, member in vars(mixin).items():
            function = unwrap(getattr(member, "__func__", member))
            if isinstance(member, classmethod):
                function = classmethod(function)
            if isinstance(function, FunctionType | classmethod | property):
                setattr(widest, name, function)
    if engine.name == "kernel":
        widest.build = classmethod(
            engine.module.FastMethod("build", vars(widest)["build"].__func__)
        )
        widest.replace = engine.module.FastMethod("replace", vars(widest)["replace"])
        for component in FAST:
            name = f"with_{component}"
            setattr(widest, name, engine.module.FastMethod(component, vars(widest)[name]))


def outcome(engine: Engine, rule: str, text: str, method: str, *arguments: Any) -> tuple[Any, ...]:
    """Return the string and the bounds of an edited URI, or the error."""
    before = types_of(engine)[rule](text)

    def edit() -> Any:
        after = getattr(before, method)
        return after(*arguments) if callable(after) else after

    return result_of(edit, before)


def result_of(function: Callable[[], Any], before: object = None) -> tuple[Any, ...]:
    try:
        after = function()
    except URIError as error:
        return type(error), error.text, error.position, error.component, error.rule, error.reason
    except TypeError as error:
        return TypeError, str(error)
    return type(after)._rule, str(after), tuple(after._bounds), after is before


def assert_same(rule: str, text: str, method: str, *arguments: Any) -> tuple[Any, ...]:
    spec, kernel = both()
    found = outcome(spec, rule, text, method, *arguments)
    assert found == outcome(kernel, rule, text, method, *arguments), (text, method, arguments)
    return found


@pytest.mark.parametrize("component", FAST)
def test_engines_replace_a_component_with_the_same_result(component: str) -> None:
    random = Random(component)
    rounds, changed = scaled(1500), 0
    for _ in range(rounds):
        rule = random.choice(TYPES)
        new = random.choice(
            (None, "", 80, walk(RULES[component], random), sample("ihost", random), "a:b", "é")
        )
        if isinstance(new, str) and random.random() < 0.3:
            new = mutate(new, random)
        found = assert_same(rule, walk(rule, random), f"with_{component}", new)
        changed += found[0] in TYPES
    assert rounds // 10 < changed


def data() -> st.SearchStrategy[Any]:
    """Data of any kind, some of which no URI can contain."""
    text = st.text(characters(), max_size=6)
    return st.one_of(
        text, text, st.sampled_from([".", "..", "", ".a", ":"]), st.binary(max_size=4), st.none()
    )


@pytest.mark.parametrize(
    "method",
    ["with_username", "with_password", "with_name", "with_stem", "with_suffix", "joinpath"],
)
@given(st.data())
@settings(max_examples=scaled(200))
def test_engines_encode_the_same_data(method: str, draw: st.DataObject) -> None:
    rule = draw.draw(st.sampled_from(TYPES))
    assert_same(rule, draw.draw(produced(rule)), method, draw.draw(data()))


@pytest.mark.parametrize(
    "method", ["parent", "without_userinfo", "without_query", "without_fragment"]
)
@given(st.data())
@settings(max_examples=scaled(200))
def test_engines_remove_the_same_parts(method: str, draw: st.DataObject) -> None:
    rule = draw.draw(st.sampled_from(TYPES))
    assert_same(rule, draw.draw(produced(rule)), method)


#: Values of query parameters, some of which have no valid text.
VALUES = st.one_of(
    data(), st.integers(), st.floats(), st.sampled_from(["a b", "é", True, 10**640, object()])
)


@pytest.mark.parametrize("method", ["with_param", "add_param", "without_params", "with_params"])
@given(st.data())
@settings(max_examples=scaled(200))
def test_engines_edit_parameters_with_the_same_result(method: str, draw: st.DataObject) -> None:
    rule = draw.draw(st.sampled_from(TYPES))
    text = draw.draw(produced(rule))
    if rule in {"URI", "IRI"} and draw.draw(st.booleans()):
        text = draw.draw(st.sampled_from(["a:?a=1&b=%7e&%61=2", "a:?", "a://u:p@h?&&a#f", "a:?a&"]))
    name = draw.draw(st.one_of(data(), st.sampled_from("ab")))
    values = draw.draw(st.one_of(VALUES, st.lists(VALUES, max_size=3)))
    arguments: dict[str, tuple[Any, ...]] = {
        "without_params": (name, "b"),
        "with_params": ([(name, values), ("b", "c d")],),
    }
    assert_same(rule, text, method, *arguments.get(method, (name, values)))


@pytest.mark.parametrize("method", ["build", "replace"])
@given(st.data())
@settings(max_examples=scaled(1000))
def test_engines_set_several_components_with_the_same_result(
    method: str, draw: st.DataObject
) -> None:
    rule = draw.draw(st.sampled_from(TYPES))
    before = draw.draw(produced(rule))
    names = draw.draw(st.sets(st.sampled_from([*RULES, "segments", "params", "protect_path", "x"])))
    arguments = {name: draw.draw(argument(name)) for name in draw.draw(st.permutations([*names]))}
    results = [
        result_of(partial(getattr(types_of(engine)[rule](before), method), **arguments))
        for engine in both()
    ]
    assert results[0] == results[1], (before, arguments)


def argument(name: str) -> st.SearchStrategy[Any]:
    """Values of an argument of `build`, most of which are valid."""
    special = {
        "segments": st.lists(data(), max_size=3),
        "params": st.dictionaries(data(), VALUES, max_size=2),
        "protect_path": st.booleans(),
        "port": st.one_of(st.integers(-1, 70_000), produced("port")),
        "username": data(),
        "password": data(),
        "x": st.none(),
    }
    usual = special[name] if name in special else produced(RULES[name])
    return st.one_of(usual, usual, usual, st.none(), data())


def test_engines_build_from_names_that_are_not_interned() -> None:
    arguments = {name.encode().decode(): name[0] for name in ("scheme", "host", "fragment")}
    assert not any(name is sys.intern(name) for name in arguments)
    for engine in both():
        uri = types_of(engine)["URI"]
        assert str(uri.build(**arguments)) == "s://h#f"
        with pytest.raises(TypeError):
            uri.build("a", **arguments)
