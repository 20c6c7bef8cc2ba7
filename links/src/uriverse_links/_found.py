"""The destinations that the formats find in a document, and their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._types import LinkKind


#: The length of the longest base in a document. Every target contains a base, so that a long one
#: would make the targets of many links very large.
LONGEST_BASE = 8192


class Base:
    """A base URI that applies to a part of a document.

    Attributes:
        destination: the reference as it is decoded.
        outer: the base that it is resolved against; `None` for that of the document.
        start: the index of its first character in the document.
    """

    __slots__ = ("destination", "outer", "start")

    def __init__(self, destination: str, outer: Base | None, start: int) -> None:
        self.destination = destination
        self.outer = outer
        self.start = start


#: The base of a document without its own.
OUTERMOST = Base("", None, 0)


class Found(NamedTuple):
    """A destination that a format found in a document.

    Attributes:
        start: the index of its first character in the document.
        end: the index after its last character.
        destination: the destination as the renderer decodes it.
        kind: its role in the document.
        place: how a new destination is written there, a key of `PLACES`.
        base: the base that applies; `None` if it is the first one in the document, as in HTML.
    """

    start: int
    end: int
    destination: str
    kind: LinkKind
    place: str
    base: Base | None = None
