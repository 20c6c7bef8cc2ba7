"""The destinations that the formats find in a document, and their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from uriverse.typing import LinkKind


class Found(NamedTuple):
    """A destination that a format found in a document.

    Attributes:
        start: the index of its first character in the document.
        end: the index after its last character.
        destination: the destination as the renderer decodes it.
        kind: its role in the document.
        place: how a new destination is written there, a key of `PLACES`.
    """

    start: int
    end: int
    destination: str
    kind: LinkKind
    place: str
