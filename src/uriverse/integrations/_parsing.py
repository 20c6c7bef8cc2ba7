"""The step that all integrations for command lines share: parse a string, enforce constraints."""

from __future__ import annotations

from typing import Any, TypeVar

from uriverse._uri.engine import Identifier

from .constraints import Constraints

T = TypeVar("T", bound=Identifier)


def parsed(given: Any, kind: type[T], constraints: Constraints | None) -> T:
    """Return the value itself if it already has the type; parse it if it is a string.

    Raises:
        ParseError: the string is invalid, or violates a constraint.
    """
    value = given if isinstance(given, kind) else kind(given)
    if constraints is not None:
        constraints.enforce(value)
    return value
