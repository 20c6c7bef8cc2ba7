"""Results and errors in a form that tests can compare, from both engines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engines import KERNEL, SPEC, Engine

from uriverse import URIError

ENGINES = (SPEC,) if KERNEL is None else (SPEC, KERNEL)


def described(result: Any) -> Any:
    """Return the type, the string and the offsets of a value; return other results unchanged."""
    rule = getattr(type(result), "_rule", None)
    return result if rule is None else (rule, str(result), tuple(result._bounds))


def outcome(function: Callable[[], Any]) -> Any:
    """Return the result of a function, or a description of the error that it raises.

    Only `URIError` is caught. Every other exception is a bug.
    """
    try:
        return described(function())
    except URIError as error:
        check_error(error)
        return type(error).__name__, error.text, error.as_dict()


def agreed(function: Callable[[Engine], Any]) -> Any:
    """Assert that a function has the same outcome with both engines, and return the outcome."""
    first, *others = (outcome(partial(function, engine)) for engine in ENGINES)
    for other in others:
        assert first == other, f"the engines disagree: {first!r} != {other!r}"
    return first


def check_error(error: URIError) -> None:
    """Assert that an error has a message, and a position in its string."""
    assert 0 <= error.position <= len(error.text), (error.position, error.text)
    assert error.reason
    assert str(error)
