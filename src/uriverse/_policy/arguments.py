"""Check the arguments of `Policy`, and show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from uriverse._engine import redact

#: The number of members of a collection that `shown_value` shows.
MOST_SHOWN = 6

T = TypeVar("T", str, int)


def require_bool(name: str, given: object) -> None:
    """Raise `TypeError` for a flag that is not a `bool`, such as the string "false"."""
    if type(given) is not bool:
        raise TypeError(f"{name} must be a bool, not {type(given).__name__}")


def collected(name: str, given: object, kind: type[T]) -> frozenset[T] | None:
    """Convert a collection of strings or numbers to a `frozenset`; return `None` for `None`."""
    if given is None:
        return None
    if isinstance(given, Iterable) and not isinstance(given, str):
        members = frozenset(cast("Iterable[T]", given))
        if all(type(member) is kind for member in members):
            return members
    raise TypeError(f"{name} must be a collection of {kind.__name__}, or None")


def shown_value(value: object) -> str:
    """Return an argument as a string; a collection is sorted, and has only its first members."""
    if isinstance(value, str):
        return repr(redact(value))
    if not isinstance(value, frozenset):
        return repr(value)
    members = sorted(cast("frozenset[str]", value))
    shown = [repr(member) for member in members[:MOST_SHOWN]]
    more = len(members) - len(shown)
    return "{" + ", ".join(shown + [f"... and {more} more"] * bool(more)) + "}"
