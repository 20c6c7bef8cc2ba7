"""Run the functions of `uriverse.columns`, in compiled code and in several threads if possible."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, chain, pairwise
from math import ceil
from typing import Any, NamedTuple, TypeGuard, TypeVar, cast, get_args

from uriverse._engine import compiled
from uriverse._errors import quote_argument
from uriverse._uri import engine as _engine
from uriverse._uri.types import Resolver
from uriverse.typing import Field, Layout

from . import _arrow, _buffers
from ._arrow import Array, Column, Shape, StringArray
from ._buffers import FULL, ArrayBuffers, Kind
from ._registry import DECISION, FIELDS, FUNCTIONS, SECOND_INPUTS, ColumnFunction
from ._templates import create_match_shape

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
    selected: tuple[SelectedFunction, ...] = ()


class SelectedFunction(NamedTuple):
    """One result of `select`: its name, its function, and the index of its second input, if any."""

    name: str
    call: Call
    second: int | None

    def choose_inputs(self, inputs: Sequence[T]) -> tuple[T, ...]:
        """Choose the inputs of the function from those of `select`, of which the column is last."""
        return (inputs[-1],) if self.second is None else (inputs[self.second], inputs[-1])

    def get_kernel_function(self, kernel: Any) -> tuple[Any, ...] | None:
        """Return the function for `apply_each` of the kernel; `None` if it must run by itself."""
        name, arguments = self.call.name, self.call.arguments
        if self.second is not None or arguments is None or not kernel.is_shared(name, arguments):
            return None
        return name, self.call.row, arguments


def bind_options(name: str, options: Mapping[str, Any]) -> Call:
    """Check the options of a column function, and return the function with them."""
    function = FUNCTIONS[name]
    checked_options = function.check_options(options)
    shape: Shape
    if function.result == "fields":
        shape = create_fields_shape(checked_options["fields"])
    elif function.result == "match_fields":
        shape = create_match_shape(checked_options["template"])
    else:
        shape = get_default_shape(function)
    row = partial(function.row, **checked_options) if checked_options else function.row
    arguments = None if function.kernel is None else function.kernel(**checked_options)
    return Call(shape, row, name, arguments, check_string=function.check_second)


def combine_functions(selected: tuple[SelectedFunction, ...]) -> Call:
    shape: Shape = tuple((function.name, function.call.shape) for function in selected)

    def compute_row(*strings: str | None) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for function in selected:
            inputs = function.choose_inputs(strings)
            fields[function.name] = None if None in inputs else function.call.row(*inputs)
        return fields

    # Each function has checked its own second input.
    check = _engine.as_text
    return Call(shape, compute_row, "", (), takes_null=True, check_string=check, selected=selected)


def get_default_shape(function: ColumnFunction) -> Shape:
    """Return the type of the result of a column function with the default options.

    Only the type of `match` has no default, because it depends on the template.
    """
    if function.result == "fields":
        return create_fields_shape(FIELDS)
    if function.result == "decision_fields":
        return DECISION
    return cast("Kind", function.result)


def create_fields_shape(fields: Iterable[Field]) -> Shape:
    return tuple((field, FIELD_KINDS.get(field, "text")) for field in fields)


def run_function(
    name: str,
    inputs: tuple[object, ...],
    options: Mapping[str, Any],
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    call = bind_options(name, options)
    return execute_call(call, *order_inputs(name, inputs), layout=layout, threads=threads)


def order_inputs(name: str, inputs: Sequence[T]) -> Sequence[T]:
    return inputs[::-1] if FUNCTIONS[name].inputs[-1] in SECOND_INPUTS else inputs


def execute_call(
    call: Call, *inputs: object, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """Run a column function on columns; the first of two may be one string for all rows.

    The layout `None` is that of the last column; `None` threads are one per processor.
    """
    *bases, last = inputs
    for base in bases:
        if is_string(base):
            call.check_string(base)
    return execute_on_columns(
        call, [*map(import_input, bases), (Column(last), False)], layout=layout, threads=threads
    )


def import_input(source: object) -> tuple[Column, bool]:
    """Import a column, or one string for all rows; also return whether it is a string."""
    return (Column([source]), True) if is_string(source) else (Column(source), False)


def execute_on_columns(
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
    if chosen == "string_view" and not compiled:
        # nanoarrow 0.9 reads views, but crashes when it exports them.
        chosen = "large_string"
    pieces = list(align(columns, repeated))
    schema = _arrow.create_schema(call.shape, chosen)
    arrays = list(compute_results(call, pieces, chosen, threads or count_processors()))
    # Even a result without rows has a chunk, because some libraries reject empty streams.
    arrays = arrays or [_arrow.encode_shaped_values([], call.shape, chosen)]
    arrays = [
        _arrow.create_array(schema, one) if isinstance(one, ArrayBuffers) else one for one in arrays
    ]
    return Array(call.shape, schema, arrays)


def is_string(source: object) -> TypeGuard[str | _engine.Identifier]:
    return isinstance(source, str | _engine.Identifier)


def count_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- results


def compute_results(
    call: Call, pieces: list[RowRange], layout: Layout, threads: int
) -> Iterator[Any]:
    """Run a column function on ranges of rows, and yield the results in the order of the rows.

    The results are kernel arrays, or buffers if the function runs without the compiled kernel.
    """
    if not compiled or call.arguments is None:
        for piece in pieces:
            yield from run_in_python(call, piece, layout)
        return
    rows = sum(piece.rows for piece in pieces)
    # Use more pieces than threads, so that no thread waits long for a slower one.
    most_rows = rows if threads == 1 else max(ROWS_PER_THREAD, ceil(rows / (2 * threads)))
    shares = [share for piece in pieces for share in split_evenly(piece, most_rows)]
    if min(threads, len(shares)) < 2:
        for share in shares:
            yield from run_in_kernel(call, share, layout)
        return

    def compute_share(share: RowRange) -> list[Any]:
        return list(run_in_kernel(call, share, layout))

    # Load the scheme rules first, because they must not change while threads read them.
    _buffers.kernel_of_columns()
    with ThreadPoolExecutor(threads) as pool:
        yield from chain.from_iterable(pool.map(compute_share, shares))


def run_in_kernel(call: Call, piece: RowRange, layout: Layout, full: int = FULL) -> Iterator[Any]:
    """Yield the results of a column function; several arrays if the strings do not fit in one.

    Except as `large_string`, an array contains `full` octets at most. A single string that is
    longer raises `OverflowError`.
    """
    if call.selected:
        yield from run_each_in_kernel(call, piece, layout, full)
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


def run_each_in_kernel(call: Call, piece: RowRange, layout: Layout, full: int) -> Iterator[Any]:
    """Run the functions of `select` in the compiled kernel, and yield arrays of structs.

    The kernel reads and parses the rows once for all functions that can share this work. Functions
    with two inputs, and those that the kernel does not have, run by themselves.
    """
    kernel = _buffers.kernel_of_columns()
    functions: list[tuple[Any, ...]] = []
    # The arrays of each function, and those of `functions`, which the loop below adds.
    columns: list[list[Any]] = []
    shared_columns: list[list[Any]] = []
    for function in call.selected:
        if kernel_function := function.get_kernel_function(kernel):
            functions.append(kernel_function)
            shared_columns.append([])
            columns.append(shared_columns[-1])
        else:
            own_inputs = RowRange(function.choose_inputs(piece.parts), piece.rows)
            columns.append(list(compute_arrays(function.call, own_inputs, layout)))
    while functions:
        part = piece.parts[-1]
        source = (part.strings.rows, part.start)
        fields, rows = kernel.apply_each(tuple(functions), source, piece.rows, layout, full)
        for arrays, array in zip(shared_columns, fields, strict=True):
            arrays.append(array)
        if rows == piece.rows:
            break
        piece = piece.split(rows)[1]
    yield from combine_structs(columns, kernel)


def compute_arrays(call: Call, piece: RowRange, layout: Layout) -> Iterator[Any]:
    if call.arguments is not None:
        yield from run_in_kernel(call, piece, layout)
        return
    schema = _arrow.create_schema(call.shape, layout)
    for buffers in run_in_python(call, piece, layout):
        yield _arrow.create_array(schema, buffers)


def combine_structs(columns: list[list[Any]], kernel: Any) -> Iterator[Any]:
    """Combine columns of the same rows, each in one or more arrays, to arrays of structs."""
    ends = [list(accumulate(map(len, arrays))) for arrays in columns]
    for start, end in pairwise([0, *sorted(set(chain.from_iterable(ends)))]):
        fields: list[Any] = []
        for arrays, array_ends in zip(columns, ends, strict=True):
            k = bisect_right(array_ends, start)
            array_start = array_ends[k] - len(arrays[k])
            fields.append(arrays[k].slice_rows(start - array_start, end - start))
        yield kernel.make_array(end - start, 0, (None,), tuple(fields))


def run_in_python(call: Call, piece: RowRange, layout: Layout) -> Iterator[ArrayBuffers]:
    """Run a column function in pure Python, row by row, and yield the results as Arrow buffers."""
    has_shared_values = all(part.has_shared_values for part in piece.parts)
    compute_row = cache(call.row) if has_shared_values else call.row
    for share in split_evenly(piece, ROWS_PER_THREAD):
        columns = [part.read_strings(share.rows) for part in share.parts]
        values = [
            compute_row(*strings) if call.takes_null or None not in strings else None
            for strings in zip(*columns, strict=True)
        ]
        yield from encode_buffers(values, call.shape, layout)


def encode_buffers(values: list[Any], shape: Shape, layout: Layout) -> Iterator[ArrayBuffers]:
    """Encode Python values as one Arrow array; as several if the strings do not fit in one.

    Raises:
        OverflowError: a single string is too long for the layout.
    """
    try:
        yield _arrow.encode_shaped_values(values, shape, layout)
    except OverflowError:
        half = len(values) // 2
        if not half:
            raise OverflowError(TOO_LONG) from None
        yield from encode_buffers(values[:half], shape, layout)
        yield from encode_buffers(values[half:], shape, layout)


@dataclass(frozen=True, slots=True)
class ColumnPart:
    """A range of rows in one chunk of a column, or the row at `start` as often as needed."""

    strings: StringArray
    start: int
    repeated: bool

    @property
    def has_shared_values(self) -> bool:
        """Whether several rows can share one stored value, as in a dictionary column."""
        return self.repeated or self.strings.array.dictionary is not None

    def skip(self, rows: int) -> ColumnPart:
        return self if self.repeated else replace(self, start=self.start + rows)

    def read_strings(self, rows: int) -> list[str | None]:
        if self.repeated:
            return self.strings[self.start : self.start + 1] * rows
        return self.strings[self.start : self.start + rows]


@dataclass(frozen=True, slots=True)
class RowRange:
    """A number of rows that does not extend over two chunks of any input column."""

    parts: tuple[ColumnPart, ...]
    rows: int

    def split(self, rows: int) -> tuple[RowRange, RowRange]:
        remaining_parts = tuple(part.skip(rows) for part in self.parts)
        return RowRange(self.parts, rows), RowRange(remaining_parts, self.rows - rows)


def align(columns: list[Column], repeated: list[bool]) -> Iterator[RowRange]:
    """Yield row ranges that lie within one chunk of every column."""
    pairs = list(zip(columns, repeated, strict=True))
    long_columns = [column for column, is_repeated in pairs if not is_repeated]
    lengths = [len(column) for column in long_columns]
    if len(set(lengths)) > 1:
        raise ValueError(f"the columns differ in length: {', '.join(map(str, lengths))}")
    ends = sorted({end for column in long_columns for end in list_chunk_ends(column)})
    sizes = [end - start for start, end in pairwise([0, *ends])]
    column_parts = [
        split_column(column, sizes, repeated=is_repeated) for column, is_repeated in pairs
    ]
    for rows, *parts in zip(sizes, *column_parts, strict=True):
        yield RowRange(tuple(parts), rows)


def list_chunk_ends(column: Column) -> Iterator[int]:
    return accumulate(chunk.rows for chunk in column.chunks if chunk.rows)


def split_column(column: Column, sizes: list[int], *, repeated: bool) -> Iterator[ColumnPart]:
    """Split a column into ranges of rows. No range may cross the end of a chunk."""
    chunks = iter(column.chunks)
    chunk = next(chunks, None)
    row = 0  # in the chunk
    for rows in sizes:
        while chunk and row == chunk.rows:
            chunk, row = next(chunks, None), 0
        assert chunk, "the sizes add up to the rows of the column"
        yield ColumnPart(chunk.strings, chunk.start + row, repeated)
        row += 0 if repeated else rows


def split_evenly(piece: RowRange, most_rows: int) -> Iterator[RowRange]:
    while piece.rows > most_rows:
        first, piece = piece.split(most_rows)
        yield first
    yield piece
