"""How a function goes over columns: in pieces, several at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, pairwise
from typing import Any, get_args

from uriverse import _engine
from uriverse.typing import Layout

from . import arrow
from .arrow import Array, ArrayOfOneChunk, Column, Shape, Texts
from .buffers import FULL, Built

LAYOUTS: tuple[Layout, ...] = get_args(Layout)

#: What is said of a text that no array of a layout holds.
TOO_LONG = "a text is longer than this layout takes: use large_string"

#: How many rows are worth a thread of their own.
LEAST = 1 << 14


@dataclass(frozen=True, slots=True)
class Function:
    """What is done with each row of one column, or of several.

    Attributes:
        shape: of what comes out.
        row: what it makes of one row, of which it is given the texts; `None` is null.
        act: what the kernel calls it; empty where all rows are left to `row`.
        options: what else the kernel is to know.
    """

    shape: Shape
    row: Callable[..., Any]
    act: str = ""
    options: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of an array from `start` on; or, of an array of one row, this for all rows."""

    rows: Texts
    start: int
    repeated: bool

    @property
    def few(self) -> bool:
        """Whether rows share values: one string for all rows, or a dictionary."""
        return self.repeated or self.rows.array.dictionary is not None

    def after(self, rows: int) -> Part:
        """What stands behind so many rows."""
        return self if self.repeated else Part(self.rows, self.start + rows, repeated=False)

    def texts(self, rows: int) -> list[str | None]:
        """The texts of so many rows."""
        if self.repeated:
            return self.rows[self.start : self.start + 1] * rows
        return self.rows[self.start : self.start + rows]


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows that stand beside each other, of one chunk of each column."""

    parts: tuple[Part, ...]
    rows: int

    def split(self, rows: int) -> tuple[Piece, Piece]:
        """So many rows, and those behind them."""
        behind = tuple(part.after(rows) for part in self.parts)
        return Piece(self.parts, rows), Piece(behind, self.rows - rows)


def over(
    function: Function,
    *given: object,
    layout: Layout | None,
    threads: int | None,
) -> Array:
    """What a function makes of the rows of columns.

    Args:
        function: what is done.
        given: the columns, the one that the layout follows last; of those before it, one may be a
            text for all rows.
        layout: of the texts that come out; `None` for that of the column.
        threads: how many work at the same time; `None` for one for each processor.

    Raises:
        TypeError: something is no column of text.
        ValueError: the columns differ in length, or there is no such layout or number.
    """
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"layout is one of {', '.join(LAYOUTS)}, not {layout!r}")
    if threads is not None and (type(threads) is not int or threads < 1):
        raise ValueError(f"threads is a number from 1 on, not {threads!r}")
    repeated = [is_text(column) for column in given[:-1]] + [False]
    columns = [
        Column([column] if once else column) for column, once in zip(given, repeated, strict=True)
    ]
    # The kernel takes exact strings only, not members of a `StrEnum`.
    rest: Layout = columns[-1].layout if layout is None else LAYOUTS[LAYOUTS.index(layout)]
    if rest == "string_view" and not _engine.compiled:
        # nanoarrow reads views, and crashes where it hands them on (0.9).
        rest = "large_string"
    pieces = list(beside(columns, repeated))
    schema = arrow.schema_of(function.shape, rest)
    made = list(worked(function, pieces, rest, threads or processors()))
    # Without any rows there is a chunk too, as not everybody takes none.
    made = made or [arrow.of_values([], function.shape, rest)]
    arrays = [arrow.handed_over(schema, part) if isinstance(part, Built) else part for part in made]
    kind = ArrayOfOneChunk if len(arrays) == 1 else Array
    return kind(function.shape, schema, arrays)


def is_text(given: object) -> bool:
    return isinstance(given, str | _engine.Identifier)


def processors() -> int:
    """How many of them this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def beside(columns: list[Column], repeated: list[bool]) -> Iterator[Piece]:
    """The rows of columns in pieces that end where a chunk of any of them does.

    Raises:
        ValueError: the columns differ in length.
    """
    varied = [column for column, once in zip(columns, repeated, strict=True) if not once]
    if len({len(column) for column in varied}) > 1:
        raise ValueError(f"the columns differ in length: {', '.join(map(str, map(len, varied)))}")
    ends = sorted({end for column in varied for end in ends_of(column)})
    sizes = [end - start for start, end in pairwise([0, *ends])]
    columns_of_parts = [
        parts(column, sizes, repeated=once) for column, once in zip(columns, repeated, strict=True)
    ]
    for rows, *row_of_parts in zip(sizes, *columns_of_parts, strict=True):
        yield Piece(tuple(row_of_parts), rows)


def ends_of(column: Column) -> Iterator[int]:
    """Behind which rows of the column its chunks end that are not empty."""
    return accumulate(chunk.rows for chunk in column.chunks if chunk.rows)


def parts(column: Column, sizes: list[int], *, repeated: bool) -> Iterator[Part]:
    """Where the rows of pieces of these sizes stand, none of which is in two chunks."""
    chunks = iter(column.chunks)
    chunk = next(chunks, None)
    done = 0
    for rows in sizes:
        while chunk and done == chunk.rows:
            chunk, done = next(chunks, None), 0
        assert chunk, "the sizes are those of the column's rows"
        yield Part(chunk.texts, chunk.start + done, repeated)
        done += 0 if repeated else rows


def worked(function: Function, pieces: list[Piece], layout: Layout, threads: int) -> Iterator[Any]:
    """What a function makes of pieces, in their order: arrays of the kernel, or buffers."""
    if not _engine.compiled or not function.act:
        for piece in pieces:
            yield from by_rows(function, piece, layout)
        return
    total = sum(piece.rows for piece in pieces)
    # More pieces than threads, as processors are not all as fast.
    most = total if threads == 1 else max(LEAST, -(-total // (2 * threads)))
    shares = [share for piece in pieces for share in shared(piece, most)]
    if min(threads, len(shares)) < 2:
        for share in shares:
            yield from by_kernel(function, share, layout)
        return

    def done(share: Piece) -> list[Any]:
        return list(by_kernel(function, share, layout))

    # Once, as the rules of schemes are not to change while others read them.
    arrow.kernel_of_columns()
    with ThreadPoolExecutor(threads) as pool:
        yield from chain.from_iterable(pool.map(done, shares))


def by_kernel(function: Function, piece: Piece, layout: Layout, full: int = FULL) -> Iterator[Any]:
    """Arrays that the kernel makes of a piece: several, where they are more than one can tell.

    Raises:
        OverflowError: a single text is more than that.
    """
    kernel = arrow.kernel_of_columns()
    while True:
        sources = tuple((part.rows.rows, part.start, part.repeated) for part in piece.parts)
        made, done = kernel.apply(
            function.act, sources, piece.rows, layout, function.row, function.options, full
        )
        yield made
        if done == piece.rows:
            return
        piece = piece.split(done)[1]


def shared(piece: Piece, most: int) -> Iterator[Piece]:
    """A piece in smaller ones of so many rows at most."""
    while piece.rows > most:
        share, piece = piece.split(most)
        yield share
    yield piece


def by_rows(function: Function, piece: Piece, layout: Layout) -> Iterator[Built]:
    """The same as `by_kernel`, by the types that hold one identifier."""
    row = cache(function.row) if all(part.few for part in piece.parts) else function.row
    for share in shared(piece, LEAST):
        columns = [part.texts(share.rows) for part in share.parts]
        values = [
            None if any(text is None for text in texts) else row(*texts)
            for texts in zip(*columns, strict=True)
        ]
        yield from as_buffers(values, function.shape, layout)


def as_buffers(values: list[Any], shape: Shape, layout: Layout) -> Iterator[Built]:
    """The buffers of values: several, where they are more than the offsets of one can tell.

    Raises:
        OverflowError: a single text is more than that.
    """
    try:
        yield arrow.of_values(values, shape, layout)
    except OverflowError:
        half = len(values) // 2
        if not half:
            raise OverflowError(TOO_LONG) from None
        yield from as_buffers(values[:half], shape, layout)
        yield from as_buffers(values[half:], shape, layout)
