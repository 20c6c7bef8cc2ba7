"""The text of a block in Markdown, and its place in the document."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Content:
    """The text of a block, without the prefixes of its lines, and its place in the document."""

    __slots__ = ("footnote", "is_html", "pieces", "source")

    def __init__(
        self, source: str, pieces: list[tuple[int, int]], *, is_html: bool = False
    ) -> None:
        """Keep where the pieces of the text are: their start and end in the document."""
        self.source = source
        self.pieces = pieces
        self.is_html = is_html
        #: The innermost footnote definition that contains the block.
        self.footnote: object = None

    @property
    def text(self) -> str:
        """The text of the block."""
        source, pieces = self.source, self.pieces
        if len(pieces) == 1:
            return source[slice(*pieces[0])]
        return "".join([source[start:end] for start, end in pieces])

    def places(self) -> Places:
        """Return the mapping from the text to the document."""
        starts: list[int] = []
        length = 0
        for start, end in self.pieces:
            starts.append(length)
            length += end - start
        return Places(self.source, starts, self.pieces)

    def drop(self, count: int) -> None:
        """Remove the first characters."""
        pieces = self.pieces
        for index, (start, end) in enumerate(pieces):
            if end - start > count:
                pieces[: index + 1] = [(start + count, end)]
                return
            count -= end - start
        pieces.clear()


class Places(NamedTuple):
    """Where the characters of a block's text are in the document."""

    source: str
    starts: list[int]
    pieces: list[tuple[int, int]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the document of a span of the text."""
        first = bisect_right(self.starts, start) - 1
        begin = self.pieces[first][0] + start - self.starts[first]
        if start == end:
            return begin, begin
        last = bisect_right(self.starts, end - 1) - 1
        finish = self.pieces[last][0] + end - self.starts[last]
        # The text does not contain the backslash before a vertical bar in a table, but the
        # destination is written with it.
        if first and start == self.starts[first] and self.source[begin - 1] == "\\":
            begin -= 1
        return begin, finish
