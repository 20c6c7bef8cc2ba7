"""Show the arguments of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from uriverse._uri.engine import redact

from .rules import Rule

#: The number of members of a collection that `shown_value` shows.
MOST_SHOWN = 6


def shown_value(value: object) -> str:
    """Return an argument as a string; a collection is sorted, and has only its first members."""
    if isinstance(value, str):
        return repr(redact(value))
    if isinstance(value, tuple):
        return shown_members("[", cast("tuple[object, ...]", value), "]")
    if isinstance(value, frozenset):
        return shown_members("{", sorted(cast("frozenset[str]", value)), "}")
    return repr(value)


def shown_members(start: str, members: Sequence[object], end: str) -> str:
    """Return the first members of a collection as a string; rules are shown as strings."""
    shown = [
        # A string is enough for most rules.
        repr(redact(str(one)) if isinstance(one, Rule) and one == Rule(str(one)) else one)
        for one in members[:MOST_SHOWN]
    ]
    more = len(members) - len(shown)
    return start + ", ".join(shown + [f"... and {more} more"] * bool(more)) + end
