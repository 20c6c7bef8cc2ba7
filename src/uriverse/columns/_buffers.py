"""Encode Python values as the buffers of an [Arrow array][1], and decode such buffers.

[1]: https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from itertools import chain, islice, repeat
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from uriverse._engine import kernel
from uriverse._redaction import redact_invalid
from uriverse.typing import Layout

if TYPE_CHECKING:
    from uriverse._errors import Arguments

#: The kind of the values in a column.
Kind = Literal[
    "text",
    "flag",
    "number",
    "float",
    "date",
    "timestamp",
    "position",
    "bounds",
    "texts",
    "pairs",
    "map",
]


@cache
def kernel_of_columns() -> Any:
    """Return the module of the kernel for columns; `None` if the reference engine is used."""
    # The first calls wait for one thread, because the kernel reads the rules of schemes without
    # the global interpreter lock. Others take no lock: without memory, it might stay taken.
    with ONE_AT_A_TIME:
        return load_kernel()


@cache
def load_kernel() -> Any:
    if kernel is None:
        return None
    try:
        from uriverse._kernel import columns  # type: ignore[attr-defined]
    except ImportError as missing:
        raise ImportError(
            f"the compiled kernel lacks its module for columns ({missing}): install uriverse again"
        ) from missing
    kernel.load_schemes()
    return columns  # pyright: ignore[reportUnknownVariableType]


ONE_AT_A_TIME = Lock()

#: The largest 32-bit offset. All layouts except `large_string` use 32-bit offsets.
FULL = 2**31 - 1

#: The maximum length in octets of a string that is stored inside its view.
LONGEST_INLINE = 12

#: The fault of an array whose buffers are too short for its rows.
OUT_OF_BOUNDS = "some rows lie outside the buffers"


def count_days(value: date) -> int:
    return (value - EPOCH.date()).days


def count_microseconds(value: datetime) -> int:
    return (value - EPOCH) // timedelta(microseconds=1)


EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - Arrow timestamps without a time zone

#: The type codes of `array` for numbers, and the functions that convert values to numbers.
NUMBERS: dict[Kind, tuple[str, Callable[[Any], float]]] = {
    "number": ("q", int),
    "position": ("i", int),
    "float": ("d", float),
    "date": ("i", count_days),
    "timestamp": ("q", count_microseconds),
}


def describe_column(name: str) -> str:
    """Describe a column in an error message, without secrets."""
    return f'column "{redact_invalid(name)}"' if name else "the column"


def describe_column_fault(fault: str, column_name: str = "", row: int = 0) -> Arguments:
    reason = f"invalid Arrow data in {describe_column(column_name)}: {fault}"
    hint = "validate the data where it is created; in pyarrow, call validate(full=True)"
    return "", row, column_name, "ArrowArray", reason, hint


def describe_row_fault(row: int) -> Arguments:
    return describe_column_fault(f"row {row} lies outside the buffers", row=row)


class ArrayBuffers(NamedTuple):
    """The buffers of an Arrow array. The validity bitmap is `None` if no row is null."""

    length: int
    nulls: int
    buffers: tuple[Any, ...]
    children: tuple[ArrayBuffers, ...] = ()


def encode_values(values: Sequence[Any], kind: Kind, layout: Layout) -> Any:
    """Encode Python values as an Arrow array; `None` becomes null.

    The array is `ArrayBuffers`, except that the compiled kernel creates arrays of strings itself.
    A value of the kind "bounds" has eight numbers, and one of "timestamp" no time zone. A value of
    "pairs" or "map" is a list of names and values, or a value from `to_pylist`.

    Raises:
        OverflowError: the strings are too long for one array with this layout.
    """
    if kind == "text" and (kernel := kernel_of_columns()) is not None:
        encoded_array = kernel.encode_rows(list(values), layout, "strict", FULL)
        if encoded_array is None:
            raise OverflowError("the strings are too long for one array; use large_string")
        return encoded_array
    nulls, valid = encode_validity(value is not None for value in values)
    if kind == "text":
        octets = [value and value.encode() for value in values]
        return ArrayBuffers(len(values), nulls, (valid, *encode_text_buffers(octets, layout)))
    if kind == "flag":
        return ArrayBuffers(len(values), nulls, (valid, pack_bits(map(bool, values))))
    if kind in NUMBERS:
        code, encode = NUMBERS[kind]
        numbers = (encode(value) if value is not None else 0 for value in values)
        return ArrayBuffers(len(values), nulls, (valid, array(code, numbers)))
    if kind == "bounds":
        flat = array("i", [bound for value in values for bound in value or (0,) * 8])
        return ArrayBuffers(
            len(values), nulls, (valid,), (ArrayBuffers(len(flat), 0, (None, flat)),)
        )
    lists = [value.items() if hasattr(value, "items") else value or () for value in values]
    items: list[Any] = list(chain.from_iterable(lists))
    ends = encode_offsets("i", map(len, lists))
    if kind == "texts":
        return ArrayBuffers(
            len(values), nulls, (valid, ends), (encode_values(items, "text", layout),)
        )
    pairs = [item.values() if hasattr(item, "values") else item for item in items]
    columns = zip(*pairs, strict=True) if pairs else ((), ())
    pair = tuple(encode_values(column, "text", layout) for column in columns)
    return ArrayBuffers(
        len(values), nulls, (valid, ends), (ArrayBuffers(len(items), 0, (None,), pair),)
    )


def encode_text_buffers(octets: Sequence[bytes | None], layout: Layout) -> tuple[Any, ...]:
    """Create the buffers of an Arrow string array, without the validity bitmap."""
    # A null has an empty string.
    strings = [text or b"" for text in octets]
    if layout != "string_view":
        code = "i" if layout == "string" else "q"
        return encode_offsets(code, map(len, strings)), b"".join(strings)
    # A view contains a short string itself. Longer strings are in the only data buffer, whose size
    # is the last buffer.
    data = bytearray()
    views = bytearray()
    for string in strings:
        if len(data) + len(string) > FULL:
            raise OverflowError(len(data))
        views += encode_view(string, len(data))
        if len(string) > LONGEST_INLINE:
            data += string
    return bytes(views), bytes(data), array("q", [len(data)])


def encode_view(text: bytes, offset: int) -> bytes:
    """Encode a string as one 16-octet element of an Arrow string view array.

    A string of up to 12 octets is stored in the view. For a longer string, the view contains the
    length, the first four octets, the number of the data buffer, and the offset in that buffer.
    """
    if len(text) <= LONGEST_INLINE:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, offset)


def encode_offsets(code: str, sizes: Iterable[int]) -> array[int]:
    """Return the start offset of each item, followed by the end offset of the last item."""
    offsets = array(code, [0])
    offset = 0
    for size in sizes:
        offset += size
        offsets.append(offset)
    return offsets


def encode_validity(flags: Iterable[bool]) -> tuple[int, bytes | None]:
    """Return the number of nulls and the validity bitmap, which is `None` if no row is null."""
    flags = list(flags)
    nulls = flags.count(False)
    return nulls, pack_bits(flags) if nulls else None


def pack_bits(flags: Iterable[bool]) -> bytes:
    """Pack booleans into bits, starting with the least significant bit of each octet."""
    bits = "".join("1" if flag else "0" for flag in flags)[::-1]
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "little")


#: The bits of each octet as booleans, starting with the least significant bit.
BITS = [tuple(bool(octet >> bit & 1) for bit in range(8)) for octet in range(256)]


def unpack_bits(bits: memoryview, start: int, rows: int) -> list[bool]:
    """Return the bits of a range of rows. With an empty validity bitmap, no row is null."""
    if not bits:
        return [True] * rows
    octets = bits[start // 8 : (start + rows + 7) // 8]
    all_bits = chain.from_iterable(map(BITS.__getitem__, octets))
    return list(islice(all_bits, start % 8, start % 8 + rows))


def is_set(bits: memoryview, row: int) -> bool:
    """Return whether a row is not null. With an empty validity bitmap, no row is null."""
    return not bits or bool(bits[row // 8] >> row % 8 & 1)


def check_index(number: int, length: int = FULL + 1) -> int:
    """Return an index, or raise `IndexError` if it is negative or not less than the length."""
    if not 0 <= number < length:
        raise IndexError(number)
    return number


def indices_of_runs(ends: Sequence[int], offset: int, length: int) -> array[int]:
    """For each row of a run-end encoded array, return the index of the run that contains the row.

    Runs after the last row are not read. Raise `IndexError` if the runs do not cover all rows.
    """
    indices = array("q")
    previous_end = 0
    for run, end in enumerate(ends):
        is_invalid = end <= previous_end
        if is_invalid or len(indices) == length:
            break
        previous_end = end
        indices.extend(repeat(run, min(end - offset, length) - len(indices)))
    if len(indices) < length:
        raise IndexError(length)
    return indices


def slice_octets(data: memoryview, start: int, end: int) -> bytes:
    if not 0 <= start <= end <= len(data):
        raise IndexError(start, end)
    return bytes(data[start:end])


def slice_strings(ends: memoryview, data: memoryview, rows: Iterable[int]) -> list[bytes]:
    """Raise `IndexError` if a row lies outside the buffer."""
    return [slice_octets(data, ends[row], ends[row + 1]) for row in rows]


def read_string_views(
    views: memoryview, data: Sequence[memoryview], rows: Iterable[int]
) -> list[bytes]:
    """Read Arrow's string views; raise `IndexError` if a row lies outside the buffers."""
    strings: list[bytes] = []
    for row in rows:
        # A view has 16 bytes: the size, and 12 bytes with the string if it is short.
        size, text = struct.unpack_from("<i12s", views, 16 * row)
        if check_index(size) > LONGEST_INLINE:
            # Otherwise, they have a prefix of 4 bytes, the number of a buffer, and an offset in it.
            buffer, offset = struct.unpack_from("<ii", text, 4)
            text = slice_octets(data[check_index(buffer)], offset, offset + size)
        strings.append(text[:size])
    return strings
