"""Run the functions of `uriverse.columns`, in compiled code and in several threads if possible."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple, TypeGuard, TypeVar, cast, get_args

from uriverse._errors import quote_argument
from uriverse._uri import engine as _engine
from uriverse._uri.types import Resolver
from uriverse.typing import Field, Layout

from . import _arrow, _buffers
from ._arrow import Array, Column, Shape, Texts
from ._buffers import FULL, Built, Kind
from ._registry import DECISION, FIELDS, FUNCTIONS, SECOND_INPUTS, ColumnFunction
from ._templates import shape_of

T = TypeVar("T")

LAYOUTS: tuple[Layout, ...] = get_args(Layout)

#: The fields of `parse` that are not strings.
FIELD_KINDS: dict[str, Kind] = {"error_position": "position", "bounds": "bounds"}

#: The error message for a string that is too long for its layout.
TOO_LONG = "a string is too long for this layout; use large_string"

#: The minimum number of rows per thread. Fewer rows do not make up for the cost of a thread.
ROWS_PER_THREAD = 1 << 14


@dataclass(frozen=True, slots=True)
class Call:
    """A column function with its options.

    Attributes:
        shape: the type of the result.
        row: the Python function that computes the result for one row. Its arguments are the strings
            of the row, which are not null. It returns `None` if the result is null.
        name: the name of the function in the compiled kernel.
        arguments: the options as the compiled kernel takes them; `None` if the compiled kernel
            does not support these options. `row` then computes all rows.
        takes_null: whether `row` also computes rows that contain a null.
        check_string: a function that raises an error if one string for all rows is invalid.
        selected: the functions of `select`, whose results are the fields of a struct; empty for a
            single function.
    """

    shape: Shape
    row: Callable[..., Any]
    name: str = ""
    arguments: tuple[Any, ...] | None = None
    takes_null: bool = False
    check_string: Callable[[str | _engine.Identifier], object] = Resolver
    selected: tuple[Selected, ...] = ()


class Selected(NamedTuple):
    """One result of `select`: its name, its function, and the index of its second input, if any."""

    name: str
    call: Call
    second: int | None

    def inputs(self, inputs: Sequence[T]) -> tuple[T, ...]:
        """Choose the inputs of the function from those of `select`, of which the column is last."""
        return (inputs[-1],) if self.second is None else (inputs[self.second], inputs[-1])

    def in_kernel(self, kernel: Any) -> tuple[Any, ...] | None:
        """Return the function for `apply_each` of the kernel; `None` if it must run by itself."""
        name, arguments = self.call.name, self.call.arguments
        if self.second is not None or arguments is None or not kernel.is_shared(name, arguments):
            return None
        return name, self.call.row, arguments


def bind(name: str, options: Mapping[str, Any]) -> Call:
    """Validate the options of a column function, and bind them to the function.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option has an invalid value.
    """
    function = FUNCTIONS[name]
    checked = function.checked(options)
    shape: Shape
    if function.result == "fields":
        shape = shape_of_fields(checked["fields"])
    elif function.result == "match_fields":
        shape = shape_of(checked["template"])
    else:
        shape = fixed_shape(function)
    row = partial(function.row, **checked) if checked else function.row
    arguments = None if function.kernel is None else function.kernel(**checked)
    return Call(shape, row, name, arguments, check_string=function.check_second)


def bind_all(selected: tuple[Selected, ...]) -> Call:
    """Combine several column functions, whose results are the fields of a struct."""
    shape: Shape = tuple((one.name, one.call.shape) for one in selected)

    def row(*strings: str | None) -> dict[str, Any]:
        return {
            one.name: None if None in one.inputs(strings) else one.call.row(*one.inputs(strings))
            for one in selected
        }

    # Each function has checked its own second input.
    check = _engine.as_text
    return Call(shape, row, "", (), takes_null=True, check_string=check, selected=selected)


def fixed_shape(function: ColumnFunction) -> Shape:
    """Return the type of the result of a column function with the default options.

    Only the type of `match` has no default, because it depends on the template.
    """
    if function.result == "fields":
        return shape_of_fields(FIELDS)
    if function.result == "decision_fields":
        return DECISION
    return cast("Kind", function.result)


def shape_of_fields(fields: Iterable[Field]) -> Shape:
    return tuple((field, FIELD_KINDS.get(field, "text")) for field in fields)


def run(
    name: str,
    inputs: tuple[object, ...],
    options: Mapping[str, Any],
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    call = bind(name, options)
    return execute(call, *base_first(name, inputs), layout=layout, threads=threads)


def base_first(name: str, inputs: Sequence[T]) -> Sequence[T]:
    return inputs[::-1] if FUNCTIONS[name].inputs[-1] in SECOND_INPUTS else inputs


def execute(
    call: Call, *inputs: object, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """Run a column function on columns; the first of two may be one string for all rows.

    The layout `None` is that of the last column; `None` threads are one per processor.
    """
    *bases, last = inputs
    for base in bases:
        if is_string(base):
            call.check_string(base)
    return execute_on(
        call, [*map(imported, bases), (Column(last), False)], layout=layout, threads=threads
    )


def imported(given: object) -> tuple[Column, bool]:
    """Import a column, or one string for all rows; also return whether it is a string."""
    return (Column([given]), True) if is_string(given) else (Column(given), False)


def execute_on(
    call: Call, inputs: list[tuple[Column, bool]], *, layout: Layout | None, threads: int | None
) -> Array:
    """Run a column function on columns, of which each may have one row that is repeated."""
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"unknown layout {quote_argument(layout)}; use {', '.join(LAYOUTS)}")
    if threads is not None and (type(threads) is not int or threads < 1):
        raise ValueError(f"threads must be an int of at least 1, not {quote_argument(threads)}")
    columns = [column for column, _ in inputs]
    repeated = [once for _, once in inputs]
    last = [column for column, once in inputs if not once][-1]
    # The kernel accepts only plain `str` objects, not subclasses such as `StrEnum` members.
    chosen: Layout = last.layout if layout is None else LAYOUTS[LAYOUTS.index(layout)]
    if chosen == "string_view" and not _engine.compiled:
        # nanoarrow 0.9 reads views, but crashes when it exports them.
        chosen = "large_string"
    pieces = list(align(columns, repeated))
    schema = _arrow.schema_of(call.shape, chosen)
    arrays = list(results_of(call, pieces, chosen, threads or processors()))
    # Even a result without rows has a chunk, because some libraries reject empty streams.
    arrays = arrays or [_arrow.of_values([], call.shape, chosen)]
    arrays = [_arrow.handed_over(schema, one) if isinstance(one, Built) else one for one in arrays]
    return Array(call.shape, schema, arrays)


def is_string(given: object) -> TypeGuard[str | _engine.Identifier]:
    return isinstance(given, str | _engine.Identifier)


def processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- results


def results_of(call: Call, pieces: list[Piece], layout: Layout, threads: int) -> Iterator[Any]:
    """Run a column function on ranges of rows, and yield the results in the order of the rows.

    The results are kernel arrays, or buffers if the function runs without the compiled kernel.
    """
    if not _engine.compiled or call.arguments is None:
        for piece in pieces:
            yield from by_reference(call, piece, layout)
        return
    total = sum(piece.rows for piece in pieces)
    # Use more pieces than threads, so that no thread waits long for a slower one.
    most = total if threads == 1 else max(ROWS_PER_THREAD, -(-total // (2 * threads)))
    shares = [share for piece in pieces for share in split_evenly(piece, most)]
    if min(threads, len(shares)) < 2:
        for share in shares:
            yield from by_kernel(call, share, layout)
        return

    def results(share: Piece) -> list[Any]:
        return list(by_kernel(call, share, layout))

    # Load the scheme rules first, because they must not change while threads read them.
    _buffers.kernel_of_columns()
    with ThreadPoolExecutor(threads) as pool:
        yield from chain.from_iterable(pool.map(results, shares))


def by_kernel(call: Call, piece: Piece, layout: Layout, full: int = FULL) -> Iterator[Any]:
    """Run a column function in the compiled kernel, and yield the results as Arrow arrays.

    If the strings do not fit in one array, yield several arrays.

    Raises:
        OverflowError: a single string is too long for the layout.
    """
    if call.selected:
        yield from each_by_kernel(call, piece, layout, full)
        return
    kernel = _buffers.kernel_of_columns()
    name, row, arguments = call.name, call.row, call.arguments or ()
    while True:
        sources = tuple((part.strings.rows, part.start, part.repeated) for part in piece.parts)
        array, rows = kernel.apply(name, sources, piece.rows, layout, row, arguments, full)
        yield array
        if rows == piece.rows:
            return
        piece = piece.split(rows)[1]


def each_by_kernel(call: Call, piece: Piece, layout: Layout, full: int) -> Iterator[Any]:
    """Run the functions of `select` in the compiled kernel, and yield arrays of structs.

    The kernel reads and parses the rows once for all functions that can share this work. Functions
    with two inputs, and those that the kernel does not have, run by themselves.
    """
    kernel = _buffers.kernel_of_columns()
    functions: list[tuple[Any, ...]] = []
    together: list[list[Any]] = []
    columns: list[list[Any]] = []
    for one in call.selected:
        if function := one.in_kernel(kernel):
            functions.append(function)
            together.append([])
            columns.append(together[-1])
        else:
            alone = Piece(one.inputs(piece.parts), piece.rows)
            columns.append(list(arrays_of(one.call, alone, layout)))
    rest = piece
    while functions:
        part = rest.parts[-1]
        source = (part.strings.rows, part.start)
        made, rows = kernel.apply_each(tuple(functions), source, rest.rows, layout, full)
        for arrays, array in zip(together, made, strict=True):
            arrays.append(array)
        if rows == rest.rows:
            break
        rest = rest.split(rows)[1]
    yield from structs(columns, kernel)


def arrays_of(call: Call, piece: Piece, layout: Layout) -> Iterator[Any]:
    """Run a column function on a range of rows, and yield the results as arrays of the kernel."""
    if call.arguments is not None:
        yield from by_kernel(call, piece, layout)
        return
    schema = _arrow.schema_of(call.shape, layout)
    for built in by_reference(call, piece, layout):
        yield _arrow.handed_over(schema, built)


def structs(columns: list[list[Any]], kernel: Any) -> Iterator[Any]:
    """Combine columns of the same rows, each in one or more arrays, to arrays of structs."""
    ends = [list(accumulate(map(len, arrays))) for arrays in columns]
    for start, end in pairwise([0, *sorted(set(chain.from_iterable(ends)))]):
        fields: list[Any] = []
        for arrays, their_ends in zip(columns, ends, strict=True):
            k = bisect_right(their_ends, start)
            before = their_ends[k] - len(arrays[k])
            fields.append(arrays[k].sliced(start - before, end - start))
        yield kernel.made_of(end - start, 0, (None,), tuple(fields))


def by_reference(call: Call, piece: Piece, layout: Layout) -> Iterator[Built]:
    """Run a column function in pure Python, row by row, and yield the results as Arrow buffers."""
    row = cache(call.row) if all(part.has_shared_values for part in piece.parts) else call.row
    for share in split_evenly(piece, ROWS_PER_THREAD):
        columns = [part.values(share.rows) for part in share.parts]
        values = [
            row(*strings) if call.takes_null or None not in strings else None
            for strings in zip(*columns, strict=True)
        ]
        yield from as_buffers(values, call.shape, layout)


def as_buffers(values: list[Any], shape: Shape, layout: Layout) -> Iterator[Built]:
    """Encode Python values as the buffers of one or more Arrow arrays.

    If the strings do not fit in one array, yield several arrays.

    Raises:
        OverflowError: a single string is too long for the layout.
    """
    try:
        yield _arrow.of_values(values, shape, layout)
    except OverflowError:
        half = len(values) // 2
        if not half:
            raise OverflowError(TOO_LONG) from None
        yield from as_buffers(values[:half], shape, layout)
        yield from as_buffers(values[half:], shape, layout)


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
        rest = tuple(part.after(rows) for part in self.parts)
        return Piece(self.parts, rows), Piece(rest, self.rows - rows)


def align(columns: list[Column], repeated: list[bool]) -> Iterator[Piece]:
    """Split columns of equal length into ranges of rows that do not cross the end of a chunk.

    If columns have chunks of different sizes, all columns are split at the ends of all chunks.

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
    while piece.rows > most:
        first, piece = piece.split(most)
        yield first
    yield piece
