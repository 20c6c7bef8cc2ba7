"""The RFC's kind of figure: a text, a bracket under each part, and the parts' names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from uriverse.carets import display_width, visible

#: How far the figure is indented, so that a label can be wider than its part.
INDENT = 2

#: The least room between two labels.
GAP = 3

#: From how many columns on parts are cut short, and to how many.
WIDEST = 100
CUT = 20


class Named(NamedTuple):
    """A part to be drawn, by its name and its place in the text."""

    name: str
    start: int
    end: int


class Run(NamedTuple):
    """A piece of a line, and the name of the part that it belongs to, or `""`."""

    text: str
    part: str


Line = list[Run]


class Bracket(NamedTuple):
    """A part's columns on the canvas, both included, and its label."""

    name: str
    first: int
    last: int
    label: str


class Canvas:
    """Rows of cells; each holds a character and the name of its part."""

    def __init__(self) -> None:
        self.rows: list[list[Run]] = []

    def put(self, row: int, column: int, text: str, part: str) -> int:
        """Write a text from a column on; the column after it."""
        while len(self.rows) <= row:
            self.rows.append([])
        cells = self.rows[row]
        for character in clusters(text):
            width = display_width(character)
            cells += [Run(" ", "")] * (column + width - len(cells))
            if width:
                # The second column of a wide character is taken, and prints nothing.
                cells[column : column + width] = [Run(character, part), Run("", part)][:width]
            else:
                # Marks with nothing to stand on but what is there: the figure is indented.
                cells[column - 1] = Run(cells[column - 1].text + character, part)
            column += width
        return column

    def lines(self) -> list[Line]:
        """The rows, each as runs of one part's cells."""
        return [joined(row) for row in self.rows]


def clusters(text: str) -> Iterator[str]:
    """Each character of a text with the marks that stand on it."""
    start = 0
    for index, character in enumerate(text):
        if index > start and display_width(character):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def cut_short(text: str) -> str:
    """The beginning of a text, as it is drawn, in `CUT` columns."""
    shown = ""
    for character in text[:CUT]:
        if display_width(shown + visible(character)) >= CUT:
            break
        shown += visible(character)
    return shown + "…"


def joined(cells: list[Run]) -> Line:
    line: Line = []
    for cell in cells:
        if line and line[-1].part == cell.part:
            line[-1] = Run(line[-1].text + cell.text, cell.part)
        else:
            line.append(cell)
    return line


def figure(text: str, parts: list[Named]) -> list[Line]:
    """Draw a text with its parts, which stand in it in order."""
    canvas = Canvas()
    brackets = draw_text(canvas, text, parts)
    for bracket in brackets:
        canvas.put(1, bracket.first, drawn(bracket), bracket.name)
    starts = in_one_row(brackets)
    if starts:
        for bracket, start in zip(brackets, starts, strict=True):
            canvas.put(2, pole(bracket, start), "|", bracket.name)
            canvas.put(3, start, bracket.label, bracket.name)
    else:
        draw_in_steps(canvas, brackets)
    return canvas.lines()


def draw_text(canvas: Canvas, text: str, parts: list[Named]) -> list[Bracket]:
    """Write the text in the first row; the brackets that belong under it."""
    cut = len(text) > WIDEST or display_width(visible(text)) > WIDEST
    brackets: list[Bracket] = []
    column, done = INDENT, 0
    for name, start, end in parts:
        column = canvas.put(0, column, visible(text[done:start]), "")
        shown = visible(text[start:end])
        if cut and (display_width(shown) > CUT or len(shown) > WIDEST):
            shown = cut_short(text[start:end])
        after = canvas.put(0, column, shown, name)
        if after == column:
            # Nothing to put a bracket under: the delimiter before it has the mark.
            label = f"{name} (empty)" if start == end else name
            brackets.append(Bracket(name, column - 1, column - 1, label))
        else:
            brackets.append(Bracket(name, column, after - 1, name))
        column, done = after, end
    canvas.put(0, column, visible(text[done:]), "")
    return brackets


def drawn(bracket: Bracket) -> str:
    width = bracket.last - bracket.first + 1
    return "|" if width == 1 else "\\" + "_" * (width - 2) + "/"


def in_one_row(brackets: list[Bracket]) -> list[int]:
    """Where the labels start, if all find room in one row under their brackets; else `[]`."""
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
    """The column that joins a bracket with the label that starts there.

    It stands between the middles of the two, and under the bracket's inside: so the
    figure of RFC 3986, section 3, comes out as it is printed there.
    """
    doubled_middles = bracket.first + bracket.last + 2 * start + len(bracket.label) - 1
    inside = 1 if bracket.last - bracket.first > 1 else 0
    return min(max(doubled_middles // 4, bracket.first + inside), bracket.last - inside)


def draw_in_steps(canvas: Canvas, brackets: list[Bracket]) -> None:
    """Labels that have no room beside each other: one below another, from the right."""
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
            canvas.put(above, column, "|", bracket.name)
        canvas.put(row, column, bracket.label, bracket.name)
