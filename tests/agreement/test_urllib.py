"""`uriverse.compat.urllib` agrees with `urllib.parse`, except for the documented differences.

The cases are the calls that CPython's own tests of `urllib.parse` make.
"""

from __future__ import annotations

import importlib
import io
import re
import unittest
import urllib.parse
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from uriverse import check, is_iri_reference
from uriverse.compat import urllib as compat

FUNCTIONS = sorted(name for name in compat.__all__ if name.islower())
ORIGINALS = {name: getattr(urllib.parse, name) for name in FUNCTIONS}


class Case(NamedTuple):
    """A call, with its results in both modules; an error is represented by its class."""

    function: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    theirs: object
    ours: object

    @property
    def given(self) -> list[Any]:
        return [*self.args, *self.options.values()]


@cache
def recorded() -> list[Case]:
    """Run the tests of CPython, and return the calls that they make."""
    calls: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {}

    def recording(name: str) -> Callable[..., Any]:
        def function(*args: Any, **options: Any) -> Any:
            calls.setdefault(repr((name, args, options)), (name, args, options))
            return ORIGINALS[name](*args, **options)

        return function

    modules = [importlib.import_module(f"test.test_{name}") for name in ("urlparse", "urllib")]
    try:
        for name in FUNCTIONS:
            setattr(urllib.parse, name, recording(name))
        for module in modules:
            suite = unittest.defaultTestLoader.loadTestsFromModule(module)
            unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    finally:
        for name, original in ORIGINALS.items():
            setattr(urllib.parse, name, original)
    return [
        Case(name, args, options, *(result(f, args, options) for f in both(name)))
        for name, args, options in calls.values()
    ]


def both(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return ORIGINALS[name], getattr(compat, name)


def result(function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> object:
    try:
        found = function(*args, **options)
    except (ValueError, TypeError, AttributeError) as error:
        return type(error)
    return tuple(found) if isinstance(found, tuple) else found


def is_error(outcome: object) -> bool:
    return isinstance(outcome, type)


def is_different(case: Case) -> bool:
    return case.theirs != case.ours and not (is_error(case.theirs) and is_error(case.ours))


def strings(case: Case) -> Iterator[Any]:
    """Yield the strings among the arguments of a call, and in its tuples."""
    for value in case.given:
        yield from value if isinstance(value, tuple) else [value]


#: The differences that the guide lists, each with a test for the calls that show it.
DIFFERENCES: dict[str, Callable[[Case], bool]] = {
    "bytes": lambda case: (
        case.function != "unquote" and any(isinstance(one, bytes) for one in strings(case))
    ),
    "invalid strings": lambda case: (
        case.function in {"urlsplit", "urldefrag", "urljoin"}
        and is_error(case.ours)
        and not all(is_iri_reference(one) for one in strings(case) if isinstance(one, str))
    ),
    "invalid components": lambda case: case.function == "urlunsplit" and is_error(case.ours),
    "fragments that are not allowed": lambda case: (
        case.function in {"urlsplit", "urljoin"} and False in case.given and is_error(case.ours)
    ),
    "default schemes": lambda case: (
        case.function == "urlsplit" and bool(re.search("[^a-z]", str(case.options.get("scheme"))))
    ),
    "compatibility characters": lambda case: (
        case.function == "urlsplit"
        and case.theirs is ValueError
        and "host-compatible" in {finding.code for finding in check(case.args[0])}
    ),
    "empty authorities": lambda case: (
        case.function == "urlunsplit" and not case.args[0][1] and case.args[0][2][:1] == "/"
    ),
    "the fragment of the base": lambda case: case.function == "urljoin" and case.args[1] == "",
    "references with a scheme": lambda case: (
        case.function == "urljoin" and case.ours == case.args[1] and ":" in case.args[1]
    ),
    "safe characters": lambda case: (
        case.function in {"quote", "quote_plus"} and case.ours is ValueError
    ),
    "incomplete triplets": lambda case: (
        case.function == "unquote" and bool(re.search("%(?![0-9A-Fa-f]{2})", case.args[0]))
    ),
}


def test_every_difference_to_the_standard_library_is_documented() -> None:
    unexplained = [
        case
        for case in recorded()
        if is_different(case) and not any(explains(case) for explains in DIFFERENCES.values())
    ]
    assert unexplained == []


@pytest.mark.parametrize("name", DIFFERENCES)
def test_every_documented_difference_occurs(name: str) -> None:
    assert any(is_different(case) and DIFFERENCES[name](case) for case in recorded())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_most_calls_have_equal_results(name: str) -> None:
    cases = [case for case in recorded() if case.function == name]
    same = [case for case in cases if not is_different(case)]
    assert len(same) > len(cases) / 3
