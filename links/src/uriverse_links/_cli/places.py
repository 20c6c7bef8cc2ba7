"""The positions of checked strings in files."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

from .output import escape_controls


class Place(NamedTuple):
    """The position of a string in a file; lines and columns count from 1.

    A URI in running text may be broken over several lines, and a destination in a document may
    contain escapes. Then `breaks` has an entry for each character that does not directly follow
    the one before it: its index in the URI, its line and its column.

    If only the position of the whole string is known, `end` is the line and the column after it.
    """

    file: str
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()
    end: tuple[int, int] | None = None

    def __str__(self) -> str:
        # A file name can contain line breaks and escape sequences of a terminal.
        return f"{escape_controls(self.file)}:{self.line}:{self.column}"

    def at(self, index: int) -> Place:
        """Convert an index in the string to a line and a column in the file."""
        if self.end:
            return Place(self.file, self.line, self.column)
        number = bisect_right(self.breaks, index, key=itemgetter(0))
        begin, line, column = self.breaks[number - 1] if number else (0, self.line, self.column)
        return Place(self.file, line, column + index - begin)

    def span(self, start: int, end: int) -> tuple[Place, Place]:
        """Return the positions in the file of the first character of a span, and after the last."""
        if self.end:
            return self.at(0), Place(self.file, *self.end)
        last, after = self.at(max(start, end - 1)), self.at(end)
        # The next character may be on another line.
        if end > start and after.line != last.line:
            after = last._replace(column=last.column + 1)
        return self.at(start), after
