"""What the finders of all formats return."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

LinkKind: TypeAlias = Literal[
    "link", "image", "form", "script", "style", "frame", "media", "redirect", "feed", "autolink",
    "definition", "base", "text",
]  # fmt: skip


class Found(NamedTuple):
    """A destination in a document.

    Attributes:
        start: the index of its first character as written.
        end: the index after its last character as written.
        destination: the decoded destination.
        kind: what a renderer does with it.
        place: how a destination is written there: a key of `PLACES`.
    """

    start: int
    end: int
    destination: str
    kind: LinkKind
    place: str
