"""Check the arguments of `Policy`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast, get_args

from uriverse._errors import quoted
from uriverse._policy.hosts import SPECIAL_USE
from uriverse._spec.syntax import matches
from uriverse.schemes._registry import LARGEST_PORT
from uriverse.typing import Scope

T = TypeVar("T", str, int)

#: The scopes that a policy can allow.
SCOPES = frozenset({*get_args(Scope), SPECIAL_USE})


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
    if isinstance(given, kind):
        advice = f"not a single {kind.__name__}: write [{quoted(given)}]"
        raise TypeError(f"{name} must be a collection of {kind.__name__}, {advice}")
    raise TypeError(f"{name} must be a collection of {kind.__name__}, or None")


def checked_schemes(given: object) -> frozenset[str] | None:
    """Check the schemes of a policy."""
    schemes = collected("schemes", given, str)
    for scheme in schemes or ():
        if not matches(scheme, "scheme") or scheme != scheme.lower():
            raise ValueError(f"schemes must be valid and in lower case, not {quoted(scheme)}")
    return schemes


def checked_ports(given: object) -> frozenset[int] | None:
    """Check the ports of a policy."""
    ports = collected("ports", given, int)
    for port in ports or ():
        if not 0 <= port <= LARGEST_PORT:
            raise ValueError(f"ports must be from 0 to {LARGEST_PORT}, not {port}")
    return ports


def checked_scopes(given: object) -> frozenset[str] | None:
    """Check the scopes of a policy."""
    scopes = collected("scopes", given, str)
    if scopes is not None and not scopes <= SCOPES:
        choices = ", ".join(sorted(SCOPES))
        raise ValueError(f"scopes must be among {choices}, not {quoted(min(scopes - SCOPES))}")
    return scopes
