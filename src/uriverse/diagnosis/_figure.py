"""Draw a URI with a bracket and a name under each component, as in RFC 3986, section 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from uriverse._errors import display_width, visible

#: The indentation of the drawing. It leaves room for labels that are wider than their brackets.
INDENT = 2

#: The minimum number of columns between two labels.
GAP = 3

#: In the drawing of a string wider than `WIDEST` columns, components are cut to `CUT` columns.
WIDEST = 100
CUT = 20


class Named(NamedTuple):
    """A component to draw: its name, and its start and end in the URI."""

    name: str
    start: int
    end: int


class Bracket(NamedTuple):
    """The bracket that is drawn under a component of a URI, and the label under the bracket.

    The label is the name of the component, or the name and "(empty)".
    """

    first: int
    last: int
    label: str


class Canvas:
    """The rows and columns of a drawing. Each cell contains a character."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []

    def put(self, row: int, column: int, text: str) -> int:
        """Write a string into a row of the drawing, and return the column after the string."""
        while len(self.rows) <= row:
            self.rows.append([])
        cells = self.rows[row]
        for character in clusters(text):
            width = display_width(character)
            cells += [" "] * (column + width - len(cells))
            if width:
                # A wide character takes two cells, the second of which is empty.
                cells[column : column + width] = [character, ""][:width]
            else:
                # A combining mark without a base character is added to the cell on its left, which
                # exists because the drawing is indented.
                cells[column - 1] += character
            column += width
        return column

    def lines(self) -> list[str]:
        return ["".join(cells) for cells in self.rows]


def clusters(text: str) -> Iterator[str]:
    """Yield each character of a string together with the combining marks that follow it."""
    start = 0
    for index, character in enumerate(text):
        if index > start and display_width(character):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def cut_short(text: str) -> str:
    """Escape a string for display, and cut it to `CUT` columns with an ellipsis at the end."""
    shown = ""
    for character in text[:CUT]:
        if display_width(shown + visible(character)) >= CUT:
            break
        shown += visible(character)
    return shown + "…"


def figure(text: str, parts: list[Named]) -> list[str]:
    """Draw a URI with a bracket and a label under each component, and return the lines.

    The components must be sorted from left to right.
    """
    canvas = Canvas()
    brackets = draw_text(canvas, text, parts)
    for bracket in brackets:
        canvas.put(1, bracket.first, drawn(bracket))
    starts = in_one_row(brackets)
    if starts:
        for bracket, start in zip(brackets, starts, strict=True):
            canvas.put(2, pole(bracket, start), "|")
            canvas.put(3, start, bracket.label)
    else:
        draw_in_steps(canvas, brackets)
    return canvas.lines()


def draw_text(canvas: Canvas, text: str, parts: list[Named]) -> list[Bracket]:
    """Write a URI into the first row of a drawing, and return the brackets for the next row."""
    cut = len(text) > WIDEST or display_width(visible(text)) > WIDEST
    brackets: list[Bracket] = []
    column, done = INDENT, 0
    for name, start, end in parts:
        column = canvas.put(0, column, visible(text[done:start]))
        shown = visible(text[start:end])
        if cut and (display_width(shown) > CUT or len(shown) > WIDEST):
            shown = cut_short(text[start:end])
        after = canvas.put(0, column, shown)
        if after == column:
            # An empty component has no room for a bracket, so mark the delimiter before it.
            label = f"{name} (empty)" if start == end else name
            brackets.append(Bracket(column - 1, column - 1, label))
        else:
            brackets.append(Bracket(column, after - 1, name))
        column, done = after, end
    canvas.put(0, column, visible(text[done:]))
    return brackets


def drawn(bracket: Bracket) -> str:
    width = bracket.last - bracket.first + 1
    return "|" if width == 1 else "\\" + "_" * (width - 2) + "/"


def in_one_row(brackets: list[Bracket]) -> list[int]:
    """Return the columns at which the labels start if all labels fit into a single row.

    Otherwise, return an empty list.
    """
    latest: list[int] = []
    limit: int | None = None
    for bracket in reversed(brackets):
        last = bracket.last
        if limit is not None:
            last = min(last, limit - GAP - len(bracket.label))
        latest.insert(0, last)
        limit = last
    starts: list[int] = []
    free = 0
    for bracket, last in zip(brackets, latest, strict=True):
        ideal = (bracket.first + bracket.last - len(bracket.label) + 1) // 2
        start = max(min(ideal, last), free)
        if not start <= pole(bracket, start) < start + len(bracket.label):
            return []
        starts.append(start)
        free = start + len(bracket.label) + GAP
    return starts


def pole(bracket: Bracket, start: int) -> int:
    """Return the column of the vertical line that connects a bracket to its label.

    The column is halfway between the centers of the bracket and the label, but not under an end of
    the bracket. The figure in RFC 3986, section 3, is reproduced exactly.
    """
    doubled_middles = bracket.first + bracket.last + 2 * start + len(bracket.label) - 1
    inside = 1 if bracket.last - bracket.first > 1 else 0
    return min(max(doubled_middles // 4, bracket.first + inside), bracket.last - inside)


def draw_in_steps(canvas: Canvas, brackets: list[Bracket]) -> None:
    """Draw the labels of the components in several rows, because one row has no room for them."""
    row, limit = 3, None
    places: list[tuple[int, int, Bracket]] = []
    for bracket in reversed(brackets):
        column = (bracket.first + bracket.last) // 2
        if limit is not None and column + len(bracket.label) + GAP > limit:
            row += 1
        places.append((row, column, bracket))
        limit = column
    for row, column, bracket in places:
        for above in range(2, row):
            canvas.put(above, column, "|")
        canvas.put(row, column, bracket.label)
