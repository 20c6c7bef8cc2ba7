"""Results of the scheme modules: the first violation of a grammar, and findings for `check`."""

from __future__ import annotations

from typing import NamedTuple


class Violation(NamedTuple):
    """The first violation of a scheme's grammar; an error has the same attributes."""

    position: int
    component: str
    rule: str
    reason: str
    hint: str


class Found(NamedTuple):
    """A finding without its severity; an empty field means the default that its code defines."""

    code: str
    component: str
    start: int
    end: int
    message: str = ""
    suggestion: str | None = None
    reference: str = ""
