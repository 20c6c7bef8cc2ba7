"""The positions of checked strings in files."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

from uriverse._errors import visible


class Place(NamedTuple):
    """The position of a string in a file or in the input; lines and columns count from 1.

    A URI in running text may be broken over several lines. Then `breaks` has an entry for the first
    character of each line: its index in the URI, its line and its column.
    """

    file: str | None
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}"
        # A file name can contain line breaks and escape sequences of a terminal.
        return place if self.file is None else f"{visible(self.file)}:{place}"

    def at(self, index: int) -> Place:
        """Convert an index in the string to a line and a column in the file."""
        number = bisect_right(self.breaks, index, key=itemgetter(0))
        begin, line, column = self.breaks[number - 1] if number else (0, self.line, self.column)
        return Place(self.file, line, column + index - begin)
