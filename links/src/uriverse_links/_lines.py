"""Lines and columns of places in a document."""

from __future__ import annotations

import re
from bisect import bisect_right

LINE_END = re.compile(r"\r\n?|\n")


class Lines:
    """Where the lines of a document start, which is found when it is first needed.

    Args:
        text: the document.
        starts: the indexes at which its lines start, if they are known.
    """

    __slots__ = ("starts", "text")

    def __init__(self, text: str = "", starts: list[int] | None = None) -> None:
        self.text = text
        self.starts = starts

    def place(self, index: int) -> tuple[int, int]:
        """Return the line and the column of a character; both count from 1."""
        starts = self.found()
        line = bisect_right(starts, index)
        return line, index - starts[line - 1] + 1

    def found(self) -> list[int]:
        """Return the indexes at which the lines start."""
        if self.starts is None:
            self.starts = [0, *(end.end() for end in LINE_END.finditer(self.text))]
            self.text = ""
        return self.starts

    def __reduce__(self) -> tuple[type[Lines], tuple[str, list[int]]]:
        # A pickled link does not contain the document.
        return Lines, ("", self.found())
