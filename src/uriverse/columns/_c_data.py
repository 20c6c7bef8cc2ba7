"""Read string arrays through the [Arrow C data interface][1], and validate every structure.

The interface passes raw pointers. This module rejects NULL pointers, impossible numbers and missing
buffers. It cannot detect a pointer to the wrong memory, because most buffers come without a size.

[1]: https://arrow.apache.org/docs/format/CDataInterface.html
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from errno import ENOMEM
from itertools import repeat
from pickle import PickleBuffer
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar, get_args

from uriverse._errors import ColumnError
from uriverse.typing import Layout

from . import _buffers
from ._buffers import FULL, OUT_OF_BOUNDS, describe_column, describe_column_fault

P = ParamSpec("P")
R = TypeVar("R")

#: Format characters of the `struct` module for integers.
Code = Literal["b", "B", "h", "H", "i", "I", "q", "Q"]

# The memory layouts of the three C structures.
SCHEMA = struct.Struct("3P2q4P")
ARRAY = struct.Struct("5q5P")
STREAM = struct.Struct("5P")

#: The first two members of an `ArrowArray` structure: the numbers of rows and of nulls.
ROWS_AND_NULLS = ctypes.c_int64 * 2

#: The size of a pointer.
POINTER = struct.calcsize("P")

#: String layouts by format string. Binary columns are read as UTF-8, and rows that are not valid
#: UTF-8 are invalid. For a column of nulls, the layout makes no difference.
LAYOUTS: dict[str, Layout] = {
    "u": "string",
    "U": "large_string",
    "vu": "string_view",
    "z": "string",
    "Z": "large_string",
    "vz": "string_view",
    "n": "string",
}

#: Format characters of the `struct` module, by Arrow format string.
INTEGERS: dict[str, Code] = dict(zip("cCsSiIlL", get_args(Code), strict=True))

#: The format strings that are allowed for run ends.
RUN_ENDS = ("s", "i", "l")

#: Names of all other types, by the start of the format string; and how to get strings from them.
OTHERS = {
    "b": ("bool", "cast it to string"),
    "c": ("int8", "cast it to string"),
    "C": ("uint8", "cast it to string"),
    "s": ("int16", "cast it to string"),
    "S": ("uint16", "cast it to string"),
    "i": ("int32", "cast it to string"),
    "I": ("uint32", "cast it to string"),
    "l": ("int64", "cast it to string"),
    "L": ("uint64", "cast it to string"),
    "e": ("float16", "cast it to string"),
    "f": ("float32", "cast it to string"),
    "g": ("float64", "cast it to string"),
    "d": ("decimal", "cast it to string"),
    "td": ("date", "cast it to string"),
    "tt": ("time", "cast it to string"),
    "ts": ("timestamp", "cast it to string"),
    "tD": ("duration", "cast it to string"),
    "ti": ("interval", "cast it to string"),
    "w": ("fixed-size binary", "cast it to binary"),
    "+s": ("a struct", "select a field"),
    "+u": ("a union", "select a field"),
    "+m": ("a map", "select its keys or its values"),
    **dict.fromkeys(("+l", "+L", "+w", "+v"), ("a list", "flatten it")),
    "+r": ("run-end encoded more than once", "decode it"),
}

#: The maximum number of columns of a table that an error message lists.
LISTED = 10

#: The maximum number of rows of an array. No buffer needs 64 bytes per row or more, so the sizes of
#: buffers cannot overflow.
MOST_ROWS = sys.maxsize // 64


class Memory(ctypes.c_char * sys.maxsize):  # type: ignore[misc]  # a class made by an operator
    """A `ctypes` array of raw memory that starts at a given address.

    The array ends at the end of the address space, so only slices are useful, and `value`, which
    ends before the first NUL. Each `memoryview` of it keeps `owner` alive, the object that owns the
    memory.

    `ctypes.string_at` is not used, because it raises `ArgumentError` if memory runs out.
    """

    __slots__ = ("owner",)

    owner: object


class ArrowType(NamedTuple):
    """The members of an `ArrowSchema` structure, with at most `LISTED` of the children."""

    format: str
    name: str
    n_children: int
    children: tuple[ArrowType, ...]
    dictionary: ArrowType | None


#: The members of an `ArrowSchema` structure: the format, the name, the number of children, the
#: addresses of the first ones, and that of the dictionary.
SchemaMembers: TypeAlias = tuple[str, str, int, tuple[int, ...], int]


class ArrayFields(NamedTuple):
    """The members of an `ArrowArray` structure, with pointers as integers."""

    length: int
    nulls: int
    offset: int
    buffers: tuple[int, ...]
    children: tuple[int, ...]
    dictionary: int


class ImportedArray(NamedTuple):
    """An Arrow string array that another library has created, without a copy of its buffers.

    The buffers are the validity bitmap, which is empty if no row is null; then the offsets, views
    or indices; then the bytes. The format of a dictionary array is that of the indices.
    """

    format: str
    length: int
    offset: int
    buffers: tuple[memoryview, ...]
    dictionary: ImportedArray | None = None


def call_producer(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """Call a function of the library that provides a column, and convert its exceptions."""
    try:
        return function(*arguments, **options)
    except MemoryError:
        raise
    except Exception as error:
        # nanoarrow reports the return value of a stream's callback as `code`.
        if getattr(error, "code", None) == ENOMEM:
            raise MemoryError from error
        reason = str(error) or type(error).__name__
        raise ColumnError(*describe_column_fault(f"the producer failed: {reason}")) from error


def check_stream(address: int) -> None:
    *callbacks, _ = STREAM.unpack_from(Memory.from_address(address))
    if not all(callbacks):
        raise ColumnError(*describe_column_fault("the stream is released or lacks a callback"))


def read_type(address: int, depth: int = 3, name: str | None = None) -> ArrowType:
    """Read an `ArrowSchema` structure, and the column's name if none is given.

    By default, read enough levels for a table with a run-end encoded column of dictionary values.
    """
    kernel = _buffers.kernel_of_columns()
    max_children = LISTED if depth else 0
    members: SchemaMembers | None = kernel and kernel.read_schema(address, max_children)
    # Python also explains what the kernel cannot read.
    if members is None:
        members = read_schema(address, max_children, name or "")
    format_string, own_name, count, child_addresses, dictionary = members
    name = own_name if name is None else name
    # The fields of a struct have their own names. Other children belong to the same column.
    child_name = None if format_string == "+s" else name
    return ArrowType(
        format_string,
        name,
        count,
        tuple(read_type(child, depth - 1, child_name) for child in child_addresses),
        read_type(dictionary, depth - 1, name) if dictionary and depth else None,
    )


def read_schema(address: int, max_children: int, name: str) -> SchemaMembers:
    # Without a structure, read the members of a released one.
    members = SCHEMA.unpack_from(Memory.from_address(address)) if address else (0,) * 9
    format_at, name_at, _, _, count, children, dictionary, release, _ = members
    if not format_at or not release or count < 0:
        raise ColumnError(*describe_column_fault("the schema is released or invalid", name))
    own_name = decode_c_string(name_at) if name_at else ""
    child_addresses = read_pointers(children, min(count, max_children))
    return decode_c_string(format_at), own_name, count, child_addresses, dictionary


def find_text_type(kind: ArrowType) -> ArrowType:
    """Return the type of a string column. For a table, return the type of its only column."""
    if kind.format != "+s" or (kind.name and kind.n_children != 1):
        return kind
    if kind.n_children != 1:
        ellipsis = ["..."] if kind.n_children > LISTED else []
        names = ", ".join([*(child.name for child in kind.children), *ellipsis])
        remedy = f": {names}; select one" if names else ""
        raise TypeError(f"expected one column, not a table with {kind.n_children}{remedy}")
    return kind.children[0]


def find_layout(kind: ArrowType) -> Layout:
    """Return the layout of the strings; of a dictionary or runs, that of the values."""
    if kind.dictionary is not None:
        if kind.format not in INTEGERS:
            fault = "the dictionary indices are not integers"
            raise ColumnError(*describe_column_fault(fault, kind.name))
        return find_layout(kind.dictionary)
    if kind.format == "+r" and kind.children:
        if kind.n_children != 2 or kind.children[0].format not in RUN_ENDS:
            raise ColumnError(*describe_column_fault("the runs have no valid ends", kind.name))
        return find_layout(kind.children[1])
    if kind.format in LAYOUTS:
        return LAYOUTS[kind.format]
    # Parameters may follow a colon, or two letters, as in "tdD" for dates in days.
    start = kind.format.partition(":")[0]
    other = OTHERS.get(start) or OTHERS.get(start[:2])
    name, remedy = other or (f"of an unknown type, {kind.format[:20]!r}", "cast it to string")
    raise TypeError(f"{describe_column(kind.name)} is {name}; {remedy}")


def list_formats(kind: ArrowType) -> tuple[str, ...] | None:
    """Return the formats of the indices of each dictionary, then the layout of the strings.

    The kernel reads arrays with these formats. Return `None` if only Python reads the array.
    """
    if kind.dictionary is not None:
        formats = list_formats(kind.dictionary)
        return None if formats is None else (INTEGERS[kind.format], *formats)
    # A null array has no buffers, and runs are read as a dictionary array.
    return (LAYOUTS[kind.format],) if kind.format in LAYOUTS and kind.format != "n" else None


def read_chunk(address: int, kind: ArrowType, owner: object) -> tuple[ImportedArray, int, int]:
    """Read a string array, or the only column of a table, from an `ArrowArray` structure.

    `find_layout(find_text_type(kind))` has accepted the type. Return the string array, the index of
    the first row of the chunk, and the number of rows. The `owner` keeps the memory alive.
    """
    column_type = find_text_type(kind)
    if column_type is kind:
        array = read_text_array(address, kind, owner)
        return array, 0, array.length
    table = read_array_fields(address, kind, n_buffers=range(1, 2), n_children=1)
    array = read_text_array(table.children[0], column_type, owner)
    # Check this before reading the bitmap, whose size depends on the length of the table.
    if table.offset + table.length > array.length:
        raise ColumnError(*describe_column_fault(OUT_OF_BOUNDS, kind.name))
    if table.nulls and table.buffers[0]:
        valid = (1 << table.length) - 1
        bits = int.from_bytes(read_bitmap(table, owner), "little") >> table.offset
        if bits & valid != valid:
            raise TypeError(
                f"{describe_column(kind.name)} is a struct with null rows; select a field"
            )
    # The fields of a struct do not include its offset.
    return array, table.offset, table.length


def read_text_array(address: int, kind: ArrowType, owner: object) -> ImportedArray:
    if kind.dictionary is not None:
        array = read_array_fields(address, kind, n_buffers=range(2, 3))
        values = read_text_array(array.dictionary, kind.dictionary, owner)
        indices = (read_bitmap(array, owner), read_numbers(array, INTEGERS[kind.format], owner))
        return ImportedArray(kind.format, array.length, array.offset, indices, values)
    if kind.format == "+r":
        return read_run_array(address, kind, owner)
    if kind.format == "n":
        # Producers disagree on the number of buffers of a null array, which needs no buffer.
        return ImportedArray("n", read_array_fields(address, kind).length, 0, ())
    layout = LAYOUTS[kind.format]
    # String views have any number of data buffers.
    n_buffers = range(3, FULL) if layout == "string_view" else range(3, 4)
    array = read_array_fields(address, kind, n_buffers=n_buffers)
    buffers: tuple[memoryview, ...]
    if layout == "string_view":
        # The last buffer contains the sizes of the data buffers.
        views = read_buffer(array.buffers[1], 16 * (array.offset + array.length), owner)
        sizes = read_buffer(array.buffers[-1], 8 * (len(array.buffers) - 3), owner).cast("q")
        buffers = (views, *map(read_buffer, array.buffers[2:-1], sizes, repeat(owner)))
    else:
        offsets = read_numbers(array, "i" if layout == "string" else "q", owner, more=1)
        buffers = (offsets, read_buffer(array.buffers[2], offsets[-1] if offsets else 0, owner))
    buffers = (read_bitmap(array, owner), *buffers)
    return ImportedArray(kind.format, array.length, array.offset, buffers)


def read_run_array(address: int, kind: ArrowType, owner: object) -> ImportedArray:
    """Read a run-end encoded array as a dictionary array."""
    array = read_array_fields(address, kind, n_buffers=range(1), n_children=2)
    ends_type = kind.children[0]
    ends_array = read_array_fields(array.children[0], ends_type, n_buffers=range(2, 3))
    ends = read_numbers(ends_array, INTEGERS[ends_type.format], owner)[ends_array.offset :]
    values = read_text_array(array.children[1], kind.children[1], owner)
    engine: Any = _buffers.kernel_of_columns() or _buffers
    try:
        indices = memoryview(engine.indices_of_runs(ends, array.offset, array.length))
    except IndexError:
        fault = "the runs do not cover all rows"
        raise ColumnError(*describe_column_fault(fault, kind.name)) from None
    return ImportedArray("l", array.length, 0, (memoryview(b""), indices), values)


def read_array_fields(
    address: int, kind: ArrowType, *, n_buffers: range | None = None, n_children: int = 0
) -> ArrayFields:
    """Read an `ArrowArray` structure, and check that its length, offset and counts are possible.

    `n_buffers` are the allowed numbers of buffers; `None` ignores the buffers.
    """
    members = ARRAY.unpack_from(Memory.from_address(address)) if address else (0,) * 10
    length, nulls, offset, buffer_count, child_count, *pointers, release, _ = members
    buffers_address, children_address, dictionary = pointers
    if not release:
        raise ColumnError(*describe_column_fault("an array is missing or released", kind.name))
    has_possible_rows = min(length, offset) >= 0 and length + offset <= MOST_ROWS
    if not has_possible_rows or not -1 <= nulls <= length:
        fault = "the length, offset or null count is impossible"
        raise ColumnError(*describe_column_fault(fault, kind.name))
    has_allowed_buffers = n_buffers is None or buffer_count in n_buffers
    if child_count != n_children or not has_allowed_buffers:
        fault = "the number of buffers or children does not match the type"
        raise ColumnError(*describe_column_fault(fault, kind.name))
    buffer_addresses = read_pointers(buffers_address, buffer_count) if n_buffers else ()
    if nulls > 0 and buffer_addresses and not buffer_addresses[0]:
        fault = "an array has nulls but no validity bitmap"
        raise ColumnError(*describe_column_fault(fault, kind.name))
    children_addresses = read_pointers(children_address, child_count)
    return ArrayFields(length, nulls, offset, buffer_addresses, children_addresses, dictionary)


def forget_nulls(address: int) -> None:
    """Make the number of nulls of an `ArrowArray` structure unknown, unless it is zero.

    nanoarrow 0.9 does not change the number when it slices an array.
    """
    counts = ROWS_AND_NULLS.from_address(address)
    counts[1] = -1 if counts[1] else 0


def read_bitmap(array: ArrayFields, owner: object) -> memoryview:
    has_bitmap = array.length and array.buffers[0]
    size = (array.offset + array.length + 7) // 8 if has_bitmap else 0
    return read_buffer(array.buffers[0], size, owner)


def read_numbers(array: ArrayFields, code: Code, owner: object, more: int = 0) -> memoryview:
    """Return the integers in the second buffer of an array: one for each row, and some more."""
    count = array.offset + array.length + more if array.length else 0
    return read_buffer(array.buffers[1], count * struct.calcsize(code), owner).cast(code)


def decode_c_string(address: int) -> str:
    octets: bytes = Memory.from_address(address).value
    return octets.decode(errors="replace")


def read_pointers(address: int, count: int) -> tuple[int, ...]:
    return tuple(read_buffer(address, count * POINTER, None).cast("P")) if count else ()


def read_buffer(address: int, size: int, owner: object) -> memoryview:
    """Return a `memoryview` of raw memory, which keeps the owner of the memory alive."""
    if not size:
        return memoryview(b"")
    if not address or not 0 < size <= sys.maxsize:
        raise ColumnError(*describe_column_fault("a buffer is missing or has an impossible size"))
    memory = Memory.from_address(address)
    memory.owner = owner
    # Python cannot index a memoryview of a ctypes array, but it can index raw bytes.
    # The PickleBuffer must not hold a memoryview: CPython before 3.12.7 crashes when the garbage
    # collector finds the two in a cycle (https://github.com/python/cpython/issues/77894).
    return PickleBuffer(memory).raw()[:size]
