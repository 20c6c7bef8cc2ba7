"""The results that scheme modules return: grammar violations, and findings for `check`."""

from __future__ import annotations

from typing import NamedTuple


class Violation(NamedTuple):
    """The first violation of a scheme's grammar, with the attributes of a `URIError`."""

    position: int
    component: str
    rule: str
    reason: str
    hint: str


class Found(NamedTuple):
    """A finding of `check` without its severity.

    An empty message, suggestion or reference means the default of the finding's code.
    """

    code: str
    component: str
    start: int
    end: int
    message: str = ""
    suggestion: str | None = None
    reference: str = ""
