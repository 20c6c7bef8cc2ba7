"""What keeps a URI from being what its scheme's document produces."""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    """The first wrong place of a text, and the words for it: what an error is made of."""

    position: int
    component: str
    rule: str
    reason: str
    hint: str
