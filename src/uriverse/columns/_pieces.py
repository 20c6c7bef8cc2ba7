"""Ranges of rows that do not cross the end of a chunk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ._arrow import Column, Texts


@dataclass(frozen=True, slots=True)
class Part:
    """A range of rows in one chunk of a column, or a single row that is repeated.

    Attributes:
        strings: the array that contains the rows.
        start: the index of the first row, or of the single row.
        repeated: whether the row at `start` is repeated as often as needed.
    """

    strings: Texts
    start: int
    repeated: bool

    @property
    def has_shared_values(self) -> bool:
        """Whether several rows can share one stored value, as in a dictionary column."""
        return self.repeated or self.strings.array.dictionary is not None

    def after(self, rows: int) -> Part:
        """Return the range of rows that starts `rows` rows later.

        A repeated row is returned unchanged.
        """
        return self if self.repeated else Part(self.strings, self.start + rows, repeated=False)

    def values(self, rows: int) -> list[str | None]:
        """Return the first `rows` rows as Python strings, with `None` for null."""
        if self.repeated:
            return self.strings[self.start : self.start + 1] * rows
        return self.strings[self.start : self.start + rows]


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of rows that does not extend over two chunks of any input column.

    Attributes:
        parts: the rows of each input column.
        rows: the number of rows.
    """

    parts: tuple[Part, ...]
    rows: int

    def split(self, rows: int) -> tuple[Piece, Piece]:
        """Split a range of rows in two: the first `rows` rows, and the remaining rows."""
        rest = tuple(part.after(rows) for part in self.parts)
        return Piece(self.parts, rows), Piece(rest, self.rows - rows)


def align(columns: list[Column], repeated: list[bool]) -> Iterator[Piece]:
    """Split columns of equal length into ranges of rows that do not cross the end of a chunk.

    If columns have chunks of different sizes, all columns are split at the ends of all chunks.

    Args:
        columns: the columns.
        repeated: whether each column has one row that is repeated for all rows.

    Raises:
        ValueError: the columns differ in length.
    """
    varied = [column for column, once in zip(columns, repeated, strict=True) if not once]
    if len({len(column) for column in varied}) > 1:
        raise ValueError(f"the columns differ in length: {', '.join(map(str, map(len, varied)))}")
    ends = sorted({end for column in varied for end in ends_of_chunks(column)})
    sizes = [end - start for start, end in pairwise([0, *ends])]
    columns_of_parts = [
        parts_of(column, sizes, repeated=once)
        for column, once in zip(columns, repeated, strict=True)
    ]
    for rows, *parts in zip(sizes, *columns_of_parts, strict=True):
        yield Piece(tuple(parts), rows)


def ends_of_chunks(column: Column) -> Iterator[int]:
    """Yield the index after the last row of each non-empty chunk."""
    return accumulate(chunk.rows for chunk in column.chunks if chunk.rows)


def parts_of(column: Column, sizes: list[int], *, repeated: bool) -> Iterator[Part]:
    """Split a column into ranges of rows. No range may cross the end of a chunk."""
    chunks = iter(column.chunks)
    chunk = next(chunks, None)
    passed = 0
    for rows in sizes:
        while chunk and passed == chunk.rows:
            chunk, passed = next(chunks, None), 0
        assert chunk, "the sizes add up to the rows of the column"
        yield Part(chunk.texts, chunk.start + passed, repeated)
        passed += 0 if repeated else rows


def split_evenly(piece: Piece, most: int) -> Iterator[Piece]:
    """Split a range of rows into ranges of at most `most` rows."""
    while piece.rows > most:
        first, piece = piece.split(most)
        yield first
    yield piece
