"""Import string columns from Arrow producers, and export the results as Arrow arrays.

Both use the [Arrow PyCapsule protocol][1], so libraries can share data without copying it.

[1]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from functools import cache, cached_property
from importlib import import_module
from itertools import chain, pairwise
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, cast, overload

from uriverse._lazy import explain_missing_module

try:
    import nanoarrow
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        explain_missing_module(missing, __name__.rpartition(".")[0], "columns"), name=missing.name
    ) from missing

from uriverse._errors import ColumnError
from uriverse._uri import engine as _engine
from uriverse.typing import Layout

from ._buffers import (
    EPOCH,
    FULL,
    OUT_OF_BOUNDS,
    ArrayBuffers,
    Kind,
    check_index,
    describe_column_fault,
    encode_text_buffers,
    encode_validity,
    encode_values,
    is_set,
    kernel_of_columns,
    read_string_views,
    slice_strings,
    unpack_bits,
)
from ._c_data import (
    LAYOUTS,
    ArrowType,
    ImportedArray,
    call_producer,
    check_stream,
    find_layout,
    find_text_type,
    forget_nulls,
    list_formats,
    read_chunk,
    read_type,
)

#: ARROW_DEVICE_CPU of the [Arrow C device data interface][1].
#:
#: [1]: https://arrow.apache.org/docs/format/CDeviceDataInterface.html
CPU = 1

#: The string types, by layout.
TEXT: dict[Layout, Any] = {
    "string": nanoarrow.string(),
    "large_string": nanoarrow.large_string(),
    "string_view": nanoarrow.string_view(),
}


#: The number of rows that iteration converts at once.
ROWS_PER_CHUNK = 1 << 12

#: Types that are iterable but not accepted as columns.
NON_COLUMNS: tuple[type[Any], ...] = (str, bytes, Mapping, AbstractSet)

#: The fields of one query parameter.
PAIR: tuple[tuple[str, Kind], ...] = (("key", "text"), ("value", "text"))

#: The type of a column: one kind of value, or a struct with the names and types of its fields.
Shape: TypeAlias = "Kind | tuple[tuple[str, Shape], ...]"


class StringArray:
    """An Arrow array of strings, for use in Python and in the compiled kernel."""

    def __init__(self, array: ImportedArray | Any) -> None:
        self.array = array  # an `ImportedArray`, or the `Rows` of the kernel

    def __getitem__(self, span: slice) -> list[str | None]:
        if kernel_of_columns() is None:
            return decode_strings(self.array, span.start, span.stop - span.start)
        strings: list[str | None] = self.rows.strings(span.start, span.stop - span.start)
        return strings

    @cached_property
    def rows(self) -> Any:
        array, kernel = self.array, kernel_of_columns()
        if not isinstance(array, ImportedArray):
            return array
        # For an array with a dictionary, the kernel ignores the layout.
        layout = "null" if array.format == "n" else LAYOUTS.get(array.format, "string")
        dictionary = None if array.dictionary is None else StringArray(array.dictionary).rows
        return kernel.Rows(layout, array.length, array.offset, array.buffers, dictionary)


class Chunk(NamedTuple):
    """Consecutive rows of one array: `rows` of them, of which `start` is the first."""

    strings: StringArray
    start: int
    rows: int


class Column:
    """A string column, imported from an Arrow producer or an iterable.

    The source is a string column that implements the PyCapsule protocol, or a table with one such
    column; or an iterable of `str` and URI objects, with `None` for null. The layout is that of the
    strings; of a dictionary-encoded column, that of the dictionary's values.
    """

    def __init__(self, source: object) -> None:
        self.layout: Layout
        self.chunks: list[Chunk]
        if call_producer(hasattr, source, "__arrow_c_stream__"):
            stream = call_producer(nanoarrow.c_array_stream, source)
            check_stream(stream._addr())
            self._read_stream(call_producer(stream.get_schema), lambda: call_producer(list, stream))
        elif call_producer(hasattr, source, "__arrow_c_array__"):
            array = call_producer(nanoarrow.c_array, source)
            # nanoarrow returns its own arrays unchanged, even if they are in GPU memory.
            if array.device_type_id != CPU:
                name = array.device_type.name
                raise TypeError(f"the column is in {name} memory; copy it to main memory first")
            self._read_stream(array.schema, lambda: [array])
        elif isinstance(source, NON_COLUMNS) or not isinstance(source, Iterable):
            name = type(source).__name__
            raise TypeError(f"expected a column or a list of str, not {name}")
        else:
            self.layout, strings = encode_strings(cast("Iterable[object]", source))
            self.chunks = [Chunk(strings, 0, strings.array.length)]

    def _read_stream(self, schema: Any, arrays: Callable[[], list[Any]]) -> None:
        """Set `layout` and `chunks` from the `nanoarrow` schema and arrays of a column."""
        kind = read_type(schema._addr())
        self.layout = find_layout(find_text_type(kind))
        formats = list_formats(kind)
        self.chunks = [import_chunk(array, kind, formats) for array in arrays()]

    def __len__(self) -> int:
        return sum(chunk.rows for chunk in self.chunks)


def import_chunk(array: Any, kind: ArrowType, formats: tuple[str, ...] | None) -> Chunk:
    """Read a `nanoarrow` array, in the kernel if `list_formats` returns formats for its type."""
    kernel = kernel_of_columns()
    if kernel is not None and formats is not None:
        rows = kernel.read_array(array._addr(), formats, array)
        if rows is not None:
            return Chunk(StringArray(rows), 0, rows.length)
    strings, start, length = read_chunk(array._addr(), kind, array)
    return Chunk(StringArray(strings), start, length)


def encode_strings(rows: Iterable[object]) -> tuple[Layout, StringArray]:
    """Encode strings, as `large_string` if they are too long for 32-bit offsets.

    A lone surrogate becomes invalid UTF-8, which makes the row invalid.
    """
    rows, kernel = list(rows), kernel_of_columns()
    if kernel is None:
        return encode_strings_in_python(rows)
    layout: Layout = "string"
    encoded_array = kernel.encode_rows(rows, layout, "surrogatepass", FULL)
    if encoded_array is None:  # too long
        layout = "large_string"
        encoded_array = kernel.encode_rows(rows, layout, "surrogatepass", FULL)
    return layout, StringArray(encoded_array.rows(layout))


def encode_strings_in_python(rows: list[object]) -> tuple[Layout, StringArray]:
    octets: list[bytes | None] = []
    for row, text in enumerate(rows):
        try:
            string = None if text is None else _engine.as_text(text)
        except TypeError as error:
            raise TypeError(f"row {row}: {error}") from None
        octets.append(None if string is None else string.encode(errors="surrogatepass"))
    layout: Layout = "string"
    if sum(map(len, filter(None, octets))) > FULL:
        layout = "large_string"
    _, valid = encode_validity(text is not None for text in octets)
    buffers = (valid or b"", *encode_text_buffers(octets, layout))
    format_string = "u" if layout == "string" else "U"
    array = ImportedArray(format_string, len(rows), 0, tuple(map(memoryview, buffers)))
    return layout, StringArray(array)


def decode_strings(array: ImportedArray, start: int, rows: int) -> list[str | None]:
    """Decode rows. Octets that are not valid UTF-8 become surrogates, which no grammar accepts."""
    if array.format == "n":
        return [None] * rows
    valid, *buffers = array.buffers
    first = array.offset + start
    all_rows = range(first, first + rows)
    valid_rows = [row for row in all_rows if is_set(valid, row)] if valid else all_rows
    try:
        strings = decode_valid_rows(array, buffers, valid_rows)
    except IndexError:
        raise ColumnError(*describe_column_fault(OUT_OF_BOUNDS)) from None
    if not valid:
        return strings
    strings_by_row = dict(zip(valid_rows, strings, strict=True))
    return [strings_by_row.get(row) for row in all_rows]


def decode_valid_rows(
    array: ImportedArray, buffers: list[memoryview], rows: Sequence[int]
) -> list[str | None]:
    """Decode rows that are not null; raise `IndexError` if one lies outside the buffers."""
    if array.dictionary is not None:
        indices = [check_index(buffers[0][row], array.dictionary.length) for row in rows]
        # Decode each value once, and only the values that a row refers to.
        strings = {index: decode_strings(array.dictionary, index, 1)[0] for index in set(indices)}
        return [strings[index] for index in indices]
    if LAYOUTS[array.format] == "string_view":
        octets = read_string_views(buffers[0], buffers[1:], rows)
    else:
        octets = slice_strings(buffers[0], buffers[1], rows)
    return [text.decode(errors="surrogateescape") for text in octets]


@cache
def create_schema(shape: Shape, layout: Layout) -> Any:
    return nanoarrow.c_schema(create_type(shape, layout))


def create_type(shape: Shape, layout: Layout) -> nanoarrow.Schema:
    if isinstance(shape, tuple):
        return nanoarrow.struct({name: create_type(kind, layout) for name, kind in shape})
    types: dict[Kind, Callable[[], nanoarrow.Schema]] = {
        "text": lambda: TEXT[layout],
        "flag": nanoarrow.bool_,
        "number": nanoarrow.int64,
        "float": nanoarrow.float64,
        "date": nanoarrow.date32,
        "timestamp": lambda: nanoarrow.timestamp("us"),
        "position": nanoarrow.int32,
        "bounds": lambda: nanoarrow.fixed_size_list(nanoarrow.int32(), 8),
        "texts": lambda: nanoarrow.list_(TEXT[layout]),
        "pairs": lambda: nanoarrow.list_(create_type(PAIR, layout)),
        "map": lambda: nanoarrow.map_(TEXT[layout], TEXT[layout]),
    }
    return types[shape]()


def find_string_layout(schema: Any) -> Layout | None:
    layouts = (LAYOUTS.get(schema.format), *map(find_string_layout, schema.children))
    return next(filter(None, layouts), None)


def create_array(schema: Any, parts: Any) -> Any:
    """Create an array of the kernel, or of `nanoarrow` if there is no kernel."""
    kernel = kernel_of_columns()
    if kernel is None:
        return assemble_array(schema, parts)
    if not isinstance(parts, ArrayBuffers):
        return parts
    pairs = zip(schema.children, parts.children, strict=True)
    children = tuple(create_array(child, part) for child, part in pairs)
    return kernel.make_array(parts.length, parts.nulls, parts.buffers, children)


def assemble_array(schema: Any, parts: ArrayBuffers) -> Any:
    children = [
        assemble_array(child, part)
        for child, part in zip(schema.children, parts.children, strict=True)
    ]
    return nanoarrow.c_array_from_buffers(
        schema, parts.length, parts.buffers, parts.nulls, children=children
    )


def encode_shaped_values(values: list[Any], shape: Shape, layout: Layout) -> Any:
    """Encode Python values, of which those of a struct are mappings."""
    if not isinstance(shape, tuple):
        return encode_values(values, shape, layout)
    nulls, valid = encode_validity(value is not None for value in values)
    fields = (
        encode_shaped_values(
            [None if value is None else value[name] for value in values], kind, layout
        )
        for name, kind in shape
    )
    return ArrayBuffers(len(values), nulls, (valid,), tuple(fields))


#: The functions that convert numbers to values.
DECODERS: dict[Shape, Callable[[int], Any]] = {
    "date": lambda number: EPOCH.date() + timedelta(days=number),
    "timestamp": lambda number: EPOCH + timedelta(microseconds=number),
}


def decode_values(array: Any, start: int, rows: int, shape: Shape) -> list[Any]:
    """Convert a range of rows of a `nanoarrow` array to a list of Python values.

    The array must be a result of this package, because arrays of other libraries are not validated.
    """
    if shape == "text":
        kind = read_type(array.schema._addr())
        return import_chunk(array, kind, list_formats(kind)).strings[start : start + rows]
    view = array.view()
    valid, *buffers = (memoryview(view.buffer(k)) for k in range(view.n_buffers))
    first = array.offset + start
    span = range(first, first + rows)
    row_values: list[Any]
    if isinstance(shape, tuple):
        # The offset of a struct also applies to its fields.
        fields = [
            decode_values(array.child(k), first, rows, kind) for k, (_, kind) in enumerate(shape)
        ]
        row_values = [
            {name: column[row] for (name, _), column in zip(shape, fields, strict=True)}
            for row in range(rows)
        ]
    elif shape == "flag":
        row_values = [*unpack_bits(buffers[0], first, rows)]
    elif shape == "bounds":
        numbers = memoryview(array.child(0).view().buffer(1))
        row_values = [numbers[8 * row : 8 * row + 8].tolist() for row in span]
    elif shape in {"texts", "pairs", "map"}:
        ends = buffers[0][first : first + rows + 1].tolist() or [0]
        item_shape: Shape = "text" if shape == "texts" else PAIR
        items = decode_values(array.child(0), ends[0], ends[-1] - ends[0], item_shape)
        row_values = [items[low - ends[0] : high - ends[0]] for low, high in pairwise(ends)]
        if shape == "map":
            row_values = [{item["key"]: item["value"] for item in row} for row in row_values]
    else:
        row_values = buffers[0][first : first + rows].tolist()
        if shape in DECODERS:
            row_values = list(map(DECODERS[shape], row_values))
    flags = unpack_bits(valid, first, rows)
    if all(flags):
        return row_values
    return [value if flag else None for flag, value in zip(flags, row_values, strict=True)]


def join_ranges(schema: Any, shape: Shape, ranges: list[tuple[Any, int, int]]) -> Any:
    """Copy the rows of `nanoarrow` arrays to one array.

    Each range is an array with the index of its first row and the number of rows.
    """
    if not isinstance(shape, tuple):
        decoded_ranges = (decode_values(*row_range, shape) for row_range in ranges)
        rows = list(chain.from_iterable(decoded_ranges))
        return encode_values(rows, shape, find_string_layout(schema) or "string")
    # The offset of a struct also applies to its fields.
    ranges = [(array, array.offset + start, count) for array, start, count in ranges]
    has_value: list[bool] = []
    for array, start, count in ranges:
        bitmap = memoryview(array.view().buffer(0))
        has_value += unpack_bits(bitmap, start, count)
    nulls, valid = encode_validity(has_value)
    fields: list[Any] = []
    for index, (child_schema, (_, kind)) in enumerate(zip(schema.children, shape, strict=True)):
        child_ranges = [(array.child(index), start, count) for array, start, count in ranges]
        fields.append(join_ranges(child_schema, kind, child_ranges))
    return ArrayBuffers(len(has_value), nulls, (valid,), tuple(fields))


def slice_array(array: Any, start: int, rows: int) -> Any:
    if kernel_of_columns() is not None:
        return array.slice_rows(start, rows)
    part = array[start : start + rows]
    forget_nulls(part._addr())
    return part


class Array:
    """The result of a column function: an Arrow column with one or more chunks.

    An `Array` implements the Arrow PyCapsule protocol. Pass it to `pyarrow.chunked_array`, to
    `polars.Series`, to another function of `uriverse.columns`, or to any other Arrow consumer.

    An `Array` is also a sequence of its rows, and `numpy.asarray` and `pandas.Series` accept it.
    Two arrays are equal if they have the same rows. Arrays cannot be changed and have no hash.

    >>> from uriverse import columns
    >>> hosts = columns.host(["http://a/", "http://b/"])
    >>> hosts
    <Array of string, 2 rows>
    >>> hosts[-1], list(hosts[:1]), hosts == columns.host(["//a", "//b"])
    ('b', ['a'], True)
    """

    __module__ = "uriverse.columns"

    __slots__ = ("_arrays", "_schema", "_shape")

    def __init__(self, shape: Shape, schema: Any, arrays: list[Any]) -> None:
        """Create the result of a column function from its chunks.

        Args:
            shape: the type of the result.
            schema: the Arrow schema of the result.
            arrays: the chunks: arrays of the compiled kernel, or `nanoarrow` arrays if there is no
                kernel.
        """
        self._shape: Shape = shape
        self._schema = schema
        self._arrays = arrays

    @property
    def chunks(self) -> int:
        """The number of chunks, which is at least one.

        >>> from uriverse import columns
        >>> columns.host([]).chunks
        1
        """
        return len(self._arrays)

    def __len__(self) -> int:
        return sum(len(array) for array in self._arrays)

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, index: slice, /) -> Array: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> Any:
        """Return a row as a Python object, or a range of rows as an `Array` without a copy.

        Raises:
            IndexError: there is no such row.
            ValueError: the step of the slice is not 1.
        """
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                raise ValueError(f"the step of a slice must be 1, not {step}")
            return self._slice_rows(start, max(start, stop))
        row = operator.index(index)
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self):,} rows")
        row %= len(self)
        return self._slice_rows(row, row + 1).to_pylist()[0]

    def _slice_rows(self, start: int, stop: int) -> Array:
        arrays: list[Any] = []
        array_start = 0
        for array in self._arrays:
            low, high = max(start - array_start, 0), min(stop - array_start, len(array))
            if low < high:
                arrays.append(slice_array(array, low, high - low))
            array_start += len(array)
        arrays = arrays or [slice_array(self._arrays[0], 0, 0)]
        return Array(self._shape, self._schema, arrays)

    def __iter__(self) -> Iterator[Any]:
        for start in range(0, len(self), ROWS_PER_CHUNK):
            yield from self[start : start + ROWS_PER_CHUNK].to_pylist()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Array):
            return NotImplemented
        is_comparable = self._shape == other._shape and len(self) == len(other)
        return is_comparable and all(map(operator.eq, self, other))

    # An array can contain lists, which have no hash either.
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the rows as a NumPy array with one dimension.

        Booleans and integers without nulls have the dtypes `bool` and `int64`. All other rows are
        Python objects, as in `to_pylist`.

        Args:
            dtype: the dtype, if it is not the one above.
            copy: `False` if the rows must not be copied, which is impossible.

        Raises:
            ValueError: `copy` is `False`.
        """
        if copy is False:
            raise ValueError("a NumPy array of an Array is always a copy")
        numpy: Any = import_module("numpy")
        rows = self.to_pylist()
        exact_dtype = {"flag": "bool", "number": "int64"}.get(str(self._shape), "object")
        own_dtype = "object" if None in rows else exact_dtype
        array = numpy.fromiter(rows, own_dtype, len(rows))
        return array if dtype is None else array.astype(dtype)

    def __repr__(self) -> str:
        kind = str(nanoarrow.Schema(self._schema)).removeprefix("<Schema> ")
        return f"<Array of {kind}, {len(self):,} rows>"

    def __arrow_c_schema__(self) -> object:
        """Return the Arrow schema of the array as a PyCapsule."""
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the chunks as a PyCapsule with an Arrow stream. `requested_schema` is ignored."""
        kernel = kernel_of_columns()
        if kernel is not None:
            return kernel.stream(self, self._arrays)
        return nanoarrow.Array.from_chunks(self._arrays).__arrow_c_stream__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Return the schema and the rows as PyCapsules. `requested_schema` is ignored.

        Several chunks are copied to one array, so consumers that accept a stream are faster.

        Raises:
            OverflowError: the chunks are too long for one array.
        """
        array = self._arrays[0]
        if len(self._arrays) > 1:
            array = create_array(
                self._schema, join_ranges(self._schema, self._shape, self._export_ranges())
            )
        if kernel_of_columns() is None:
            pair: tuple[object, object] = array.__arrow_c_array__()
            return pair
        return self._schema.__arrow_c_schema__(), array.capsule()

    def _export_ranges(self) -> list[tuple[Any, int, int]]:
        """Return the chunks as `nanoarrow` arrays, each with its first row and its length."""
        chunks = (Array(self._shape, self._schema, [array]) for array in self._arrays)
        return [(nanoarrow.c_array(chunk), 0, len(chunk)) for chunk in chunks]

    def to_pyarrow(self) -> Any:
        """Return the rows as one `pyarrow.Array`.

        The rows are copied only if there are several chunks.

        Raises:
            ModuleNotFoundError: pyarrow is not installed.

        >>> from uriverse import columns
        >>> columns.host(["http://a/"]).to_pyarrow().to_pylist()
        ['a']
        """
        chunks: Any = import_module("pyarrow").chunked_array(self)
        return chunks.chunk(0) if chunks.num_chunks == 1 else chunks.combine_chunks()

    def to_polars(self) -> Any:
        """Return the rows as a `polars.Series`.

        Raises:
            ModuleNotFoundError: Polars is not installed.

        >>> from uriverse import columns
        >>> columns.port(["http://a:80/"]).to_polars().to_list()
        [80]
        """
        # Polars prefers an array to a stream, which needs no copy.
        return import_module("polars").Series(nanoarrow.c_array_stream(self))

    def to_pylist(self) -> list[Any]:
        """Return the rows as Python objects: null as `None`, each struct and each map as a `dict`.

        >>> from uriverse import columns
        >>> columns.is_valid(["a", "%"]).to_pylist()
        [True, False]
        """
        if self._shape == "text" and kernel_of_columns() is not None:
            layout = LAYOUTS[self._schema.format]
            rows = (array.rows(layout).strings(0, len(array)) for array in self._arrays)
            return list(chain.from_iterable(rows))
        return list(
            chain.from_iterable(decode_values(*part, self._shape) for part in self._export_ranges())
        )
