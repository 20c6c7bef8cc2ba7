"""Results of scheme rules: `Violation` (a syntax error) and `Problem` (what `check` reports)."""

from __future__ import annotations

from typing import NamedTuple


class Violation(NamedTuple):
    """The first syntax error by the grammar of a scheme, with fields like those of `URIError`."""

    position: int
    component: str
    rule: str
    reason: str
    hint: str


class Problem(NamedTuple):
    """A problem that `check` found in a URI, before its severity is known.

    An empty message, suggestion or reference means the default of the finding's code.
    """

    code: str
    component: str
    start: int
    end: int
    message: str = ""
    suggestion: str | None = None
    reference: str = ""
