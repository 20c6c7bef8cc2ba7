"""The rows of tables in Markdown (GFM 4.10)."""

from __future__ import annotations

import re

#: A table (GFM 4.10): the delimiter row, and the cells of a row. A backslash before a vertical bar
#: escapes it, whatever precedes the backslash.
DELIMITER_CELL = r"[ \t\v\f]*+:?+-++:?+[ \t\v\f]*+"
DELIMITER_ROW = re.compile(rf"\|?+{DELIMITER_CELL}(?:\|{DELIMITER_CELL})*+\|?+[ \t\v\f]*+\n")
CELL = re.compile(r"(?:[^|\n]|(?<=\\)\|)*+")
CELL_END = re.compile(r"\|[ \t\v\f]*+")


def cells_of(source: str, position: int) -> list[tuple[int, int]]:
    """Return the spans of the cells of the row at an index (GFM 4.10)."""
    cells: list[tuple[int, int]] = []
    bar = CELL_END.match(source, position)
    offset = bar.end() if bar else position
    while True:
        cell = CELL.match(source, offset)
        end = cell.end() if cell else offset
        bar = CELL_END.match(source, end)
        if bar or end > offset:
            cells.append((offset, end))
        if bar is None:
            return cells
        offset = bar.end()


def unescaped(source: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return the pieces of a span without the backslashes before vertical bars."""
    pieces: list[tuple[int, int]] = []
    while (escape := source.find("\\|", start, end)) >= 0:
        pieces.append((start, escape))
        start = escape + 1
    pieces.append((start, end))
    return [(first, last) for first, last in pieces if first < last]
