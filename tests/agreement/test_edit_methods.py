import re
import sys
from collections.abc import Callable
from functools import partial
from inspect import unwrap
from itertools import product
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

from uriverse import BuildError, IRIReference, Params, Segments, URIError, _engine
from uriverse._uri import engine as running
from uriverse._uri import segments as specification

TYPES = ("URI", "URI-reference", "IRI", "IRI-reference")

#: The components that a method with a fast path in the kernel replaces.
FAST = (
    *("scheme", "authority", "userinfo", "username", "password", "host", "port"),
    *("path", "query", "fragment"),
)
#: The properties of the path with a fast path in the kernel.
PROPERTIES = ("name", "stem", "suffix", "suffixes", "parent", "raw_segments")
#: Other properties with a fast path. The class `Params` belongs to the running engine.
OTHERS = (
    *("segments", "effective_port", "is_default_port"),
    *(["params"] if _engine.compiled else []),
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


@pytest.fixture(autouse=True)
def texts_of_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the methods read the strings of values of both engines, not only of the running one."""
    monkeypatch.setattr(running, "as_text", str)


def types_of(engine: Engine) -> dict[str, Any]:
    """Return the four types of an engine, with the methods that edit URIs."""
    # The types derive from each other, so only the first one needs the methods.
    widest = engine.types["IRI-reference"]
    if not hasattr(widest, "replace"):
        add_methods(engine, widest)
    return engine.types


def add_methods(engine: Engine, widest: Any) -> None:
    members = {
        name: member
        for name, member in vars(IRIReference).items()
        if name in (*PROPERTIES, *OTHERS) or not hasattr(widest, name)
    }
    for name, member in members.items():
        function: Any = unwrap(getattr(member, "__func__", getattr(member, "fget", member)))
        if isinstance(function, FunctionType):
            if engine.name == "kernel" and hasattr(engine.module.URIMethods, name):
                twin = getattr(engine.module.URIMethods, name)
                twin.__wrapped__ = function
                function = twin
            if isinstance(member, classmethod | property):
                function = type(member)(function)
            setattr(widest, name, function)


def outcome(engine: Engine, rule: str, text: str, method: str, *arguments: Any) -> tuple[Any, ...]:
    before = types_of(engine)[rule](text)

    def edit() -> Any:
        after = getattr(before, method)
        if method == "parents":
            return [result_of(partial(after.__getitem__, i)) for i in range(len(after))]
        return after(*arguments) if callable(after) else after

    return result_of(edit, before)


def result_of(function: Callable[[], Any], before: object = None) -> tuple[Any, ...]:
    try:
        after = function()
    except URIError as error:
        return type(error), error.text, error.position, error.component, error.rule, error.reason
    except (TypeError, IndexError) as error:
        # The message for a wrong argument starts with the class, which differs here.
        return type(error), re.sub(r"^\w+\.", "", str(error))
    if isinstance(after, Segments | Params):
        return after.__reduce__()
    if not hasattr(after, "_bounds"):
        return type(after), after
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
    text = st.text(characters(), max_size=6)
    return st.one_of(
        text, text, st.sampled_from([".", "..", "", ".a", ":"]), st.binary(max_size=4), st.none()
    )


def values() -> st.SearchStrategy[Any]:
    """Values of query parameters, some of which have no valid text."""
    odd = st.sampled_from(["a b", "é", True, 10**640, object()])
    return st.one_of(data(), st.integers(), st.floats(), odd)


#: The arguments of methods. Iterators are used up, so that they are made for each call.
ARGUMENTS: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    **{
        method: st.tuples(data())
        for method in ("with_username", "with_password", "with_name", "with_stem", "with_suffix")
    },
    "joinpath": st.lists(data(), max_size=2).map(tuple),
    **{
        method: st.just(())
        for method in (
            *(*PROPERTIES, *OTHERS, "has_port", "is_absolute", "is_relative"),
            *("parents", "without_userinfo", "without_query"),
            "without_fragment",
        )
    },
    "with_segments": st.tuples(
        st.one_of(st.lists(data(), max_size=4), st.lists(data(), max_size=4).map(tuple))
    ),
    **{
        method: st.tuples(
            st.one_of(data(), st.sampled_from("ab")),
            st.one_of(values(), st.lists(values(), max_size=3)),
        )
        for method in ("with_param", "add_param")
    },
    "without_params": st.tuples(data(), st.just("b")),
    "with_params": st.tuples(st.lists(st.tuples(data(), values()), max_size=3)),
}
QUERIES = st.sampled_from(["a:?a=1&b=%7e&%61=2", "a:?", "a://u:p@h?&&a#f", "a:?a&"])


@pytest.mark.parametrize("method", ARGUMENTS)
@given(st.data())
@settings(max_examples=scaled(200))
def test_engines_read_and_edit_the_same(method: str, draw: st.DataObject) -> None:
    rule = draw.draw(st.sampled_from(TYPES))
    strings = st.one_of(produced(rule), QUERIES) if "-" not in rule else produced(rule)
    assert_same(rule, draw.draw(strings), method, *draw.draw(ARGUMENTS[method]))


#: Pieces of paths, and data for a name, a stem or a suffix. Some data is not allowed.
PIECES = ("/", ".", "a", "%2E", "%2f", ":")
NAMES: tuple[Any, ...] = (
    *("", ".", "..", "...", ".b", "b.", "b/c.d", "é:", "%2E", "\udcff", "\ud800", b"b", None),
    "é" * 400,
)


@pytest.mark.parametrize(
    "length", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4))]
)
def test_engines_agree_on_all_short_paths(length: int) -> None:
    for pieces in product(PIECES, repeat=length):
        for rule, before, after in (
            ("URI", "s://h", "?q"), ("IRI-reference", "", "#f"), ("IRI", "s:", ""),
            ("URI-reference", "//h", ""), ("URI", "s:", "?/.b#/c"), ("IRI", "s://é", "?é"),
        ):  # fmt: skip
            text = before + "".join(pieces) + after
            if both()[0].types[rule].try_parse(text) is None:
                continue
            for name in (*PROPERTIES, "parents"):
                assert_same(rule, text, name)
            for name in NAMES:
                for method in ("with_name", "with_stem", "with_suffix", "joinpath", "__truediv__"):
                    assert_same(rule, text, method, name)
                assert_same(rule, text, "with_segments", ["", name, "a"])
                assert_same(rule, text, "with_segments", [name])


@pytest.mark.parametrize("scheme", ["", "http:", "HTTPS:", "x:", "ssh:", f"{'y' * 99}:"])
@pytest.mark.parametrize("authority", ["", "//", "//h", "//é"])
@pytest.mark.parametrize(
    "port", ["", ":", ":0", ":00080", ":443", ":80443", ":0000000022", ":9" * 9]
)
def test_engines_find_the_same_effective_port(scheme: str, authority: str, port: str) -> None:
    text = f"{scheme}{authority}{port if authority else ''}/"
    for name in ("effective_port", "is_default_port"):
        for rule in ("IRI", "IRI-reference"):
            if both()[0].types[rule].try_parse(text) is not None:
                assert_same(rule, text, name)


def test_engines_split_and_decode_paths_the_same() -> None:
    spec, kernel = specification.ReferencePathParts, both()[1].module.PathParts
    pieces = ("/", ".a", "%2F", "%ff", "%C3%A9", "é", "%f0%9f%98%80")
    for length in range(4):
        for chosen in product(pieces, repeat=length):
            path = "".join(chosen)
            found = [read_path(kind(path)) for kind in (spec, kernel)]
            assert found[0] == found[1], path
    wrong_paths: list[Any] = [None, "?", "%", "a" * 3000 + "^", b"/"]
    for wrong in wrong_paths:
        errors = [result_of(partial(kind, wrong)) for kind in (spec, kernel)]
        assert errors[0] == errors[1]


def read_path(parts: Any) -> list[Any]:
    """Return everything that can be read from the parts of a path, twice: parts may be kept."""
    indices = range(-len(parts) - 1, len(parts) + 1)
    slices = [slice(first, last) for first in indices for last in indices]
    return [
        (
            *(parts.path, str(parts), parts.raw, len(parts), list(parts), parts._with("/x").path),
            *([result_of(partial(parts.__getitem__, i)) for i in indices]),
            *([parts[part].path for part in slices]),
        )
        for _ in range(2)
    ]


def test_the_constructor_of_path_parts_rejects_other_classes() -> None:
    _, kernel = both()
    with pytest.raises(TypeError):
        kernel.module.PathParts._from_valid_path.__func__(str, "a", iri=False, relative=False)
    with pytest.raises(TypeError, match="str must be a subclass of PathParts or Pairs"):
        kernel.module.register_view(str)


@pytest.mark.parametrize("method", ["build", "replace"])
@given(st.data())
@settings(max_examples=scaled(400))
def test_engines_set_several_components_alike(method: str, draw: st.DataObject) -> None:
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
    special = {
        "segments": st.lists(data(), max_size=3),
        "params": st.dictionaries(data(), values(), max_size=2),
        "protect_path": st.booleans(),
        "port": st.one_of(st.integers(-1, 70_000), produced("port")),
        "username": data(),
        "password": data(),
        "x": st.none(),
    }
    usual = special[name] if name in special else produced(RULES[name])
    return st.one_of(usual, usual, usual, st.none(), data())


def test_engines_reject_a_suffix_without_a_dot_alike() -> None:
    found = assert_same("URI-reference", "-", "with_suffix", "a")
    assert found[0] is BuildError


def test_engines_replace_only_named_components() -> None:
    for engine in both():
        value = types_of(engine)["URI"]("a:b")
        with pytest.raises(TypeError, match="positional"):
            value.replace("c", scheme="d")


def test_engines_build_from_parameters_alone() -> None:
    for engine in both():
        assert str(types_of(engine)["URI-reference"].build(params={"a": "b"})) == "?a=b"


def test_engines_build_from_names_that_are_not_interned() -> None:
    arguments = {name.encode().decode(): name[0] for name in ("scheme", "host", "fragment")}
    assert not any(name is sys.intern(name) for name in arguments)
    for engine in both():
        uri = types_of(engine)["URI"]
        assert str(uri.build(**arguments)) == "s://h#f"
        with pytest.raises(TypeError):
            uri.build("a", **arguments)
