"""A position in a line of Markdown, with its column (CommonMark 2.2)."""

from __future__ import annotations

#: The white space of the specification's ASCII rules.
BLANK = " \t"


class Cursor:
    """The position in the line that is read.

    Attributes:
        source: the document, whose lines end with line feeds.
        line: the start of the line.
        offset: the index of the next character.
        column: its column.
        inside_tab: whether the columns before it consumed a part of a tab.
        next: the index of the first character that is neither a space nor a tab.
        next_column: its column.
        indent: the number of columns before it.
        blank: whether it is the line feed.
    """

    def __init__(self, source: str) -> None:
        """Start at the first line."""
        self.source = source
        self.line: int = 0
        self.offset: int = 0
        self.column: int = 0
        self.inside_tab: bool = False
        self.next: int = 0
        self.next_column: int = 0
        self.indent: int = 0
        self.blank = False

    def start_line(self, start: int) -> None:
        """Move to the start of a line."""
        self.line = self.offset = start
        self.column, self.inside_tab = 0, False

    def line_end(self) -> int:
        """Return the index of the line feed."""
        return self.source.index("\n", self.offset)

    def skip_line(self) -> None:
        """Move to the line feed, where columns do not matter."""
        self.offset = self.line_end()

    def find_text(self) -> None:
        """Find the first character that is neither a space nor a tab."""
        if self.next <= self.offset:
            source, position, column = self.source, self.offset, self.column
            while (character := source[position]) in BLANK:
                column += 1 if character == " " else 4 - column % 4
                position += 1
            self.next, self.next_column, self.blank = position, column, character == "\n"
        self.indent = self.next_column - self.column

    def advance_to(self, position: int) -> None:
        """Move to an index in the line."""
        if self.source.find("\t", self.offset, position) < 0:
            self.column += position - self.offset
        else:
            for character in self.source[self.offset : position]:
                self.column += 4 - self.column % 4 if character == "\t" else 1
        self.offset = position
        self.inside_tab = False

    def advance_columns(self, count: int) -> None:
        """Move by a number of columns: a tab is as wide as the columns to the next tab stop."""
        while count > 0 and (character := self.source[self.offset]) != "\n":
            width = 4 - self.column % 4 if character == "\t" else 1
            self.inside_tab = width > count
            step = min(width, count)
            self.column += step
            self.offset += not self.inside_tab
            count -= step
