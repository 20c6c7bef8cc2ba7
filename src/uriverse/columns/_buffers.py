"""Encode Python values as the buffers of an [Arrow array][1], and decode such buffers.

[1]: https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import cache
from itertools import chain, repeat
from threading import Lock
from typing import Any, Literal, NamedTuple

from uriverse._errors import ColumnError
from uriverse._redaction import redact_invalid
from uriverse._uri import engine as _engine
from uriverse.typing import Layout

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


def kernel_of_columns() -> Any:
    """Return the module of the kernel for columns; `None` if the reference engine is used."""
    # The lock is needed because the kernel reads the rules of schemes without the global
    # interpreter lock.
    with ONE_AT_A_TIME:
        return load_kernel()


@cache
def load_kernel() -> Any:
    if _engine.kernel is None:
        return None
    try:
        from uriverse._kernel import columns  # type: ignore[attr-defined]
    except ImportError as missing:
        raise ImportError(
            f"the compiled kernel lacks its module for columns ({missing}): install uriverse again"
        ) from missing
    _engine.kernel.know_schemes()
    return columns


ONE_AT_A_TIME = Lock()

#: The largest 32-bit offset. All layouts except `large_string` use 32-bit offsets.
FULL = 2**31 - 1

#: The maximum length in octets of a string that is stored inside its view.
LONGEST_INLINE = 12

#: The fault of an array whose buffers are too short for its rows.
OUT_OF_BOUNDS = "some rows lie outside the buffers"


def days(value: date) -> int:
    return (value - EPOCH.date()).days


def microseconds(value: datetime) -> int:
    """Return the number of microseconds since 1970-01-01T00:00."""
    return (value - EPOCH) // timedelta(microseconds=1)


EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - Arrow timestamps without a time zone

#: The type codes of `array` for numbers, and the functions that convert values to numbers.
NUMBERS: dict[Kind, tuple[str, Callable[[Any], float]]] = {
    "number": ("q", int),
    "position": ("i", int),
    "float": ("d", float),
    "date": ("i", days),
    "timestamp": ("q", microseconds),
}


def label(name: str) -> str:
    """Describe a column in an error message, without secrets, for example as `column "url"`.

    A column without a name is called `the column`.
    """
    return f'column "{redact_invalid(name)}"' if name else "the column"


def broken(fault: str, name: str = "", row: int = 0) -> ColumnError:
    """Create the error for an array that violates the Arrow specification."""
    reason = f"invalid Arrow data in {label(name)}: {fault}"
    hint = "validate the data where it is created; in pyarrow, call validate(full=True)"
    return ColumnError("", row, name, "ArrowArray", reason, hint)


def broken_row(row: int) -> ColumnError:
    return broken(f"row {row} lies outside the buffers", row=row)


class Built(NamedTuple):
    """The buffers of an Arrow array.

    Attributes:
        length: the number of rows.
        nulls: the number of nulls.
        buffers: the buffers of the layout. The validity bitmap is `None` if no row is null.
        children: the child arrays of a nested type.
    """

    length: int
    nulls: int
    buffers: tuple[Any, ...]
    children: tuple[Built, ...] = ()


def built(values: Sequence[Any], kind: Kind, layout: Layout) -> Any:
    """Encode Python values as an Arrow array; `None` becomes null.

    The array is `Built`, except that the compiled kernel creates arrays of strings itself.

    Args:
        values: the values. Their type depends on the kind: `str` for `"text"`; `bool` for
            `"flag"`; 64-bit `int` for `"number"`; 32-bit `int` for `"position"`; sequences of
            eight 32-bit `int` for `"bounds"`; lists of `str` for `"texts"`; lists of tuples with
            a name and a value for `"pairs"` and `"map"`, or what `to_pylist` returns; `float` for
            `"float"`; `date` for `"date"`; `datetime` without a time zone for `"timestamp"`.
        kind: the kind of the values.
        layout: the layout of the strings in the array.

    Raises:
        OverflowError: the strings are too long for one array with this layout.
    """
    if kind == "text" and (kernel := kernel_of_columns()) is not None:
        made = kernel.encode_rows(list(values), layout, "strict", FULL)
        if made is None:
            raise OverflowError("the strings are too long for one array; use large_string")
        return made
    nulls, valid = validity(value is not None for value in values)
    if kind == "text":
        octets = [value and value.encode() for value in values]
        return Built(len(values), nulls, (valid, *text_buffers(octets, layout)))
    if kind == "flag":
        return Built(len(values), nulls, (valid, bitmap(map(bool, values))))
    if kind in NUMBERS:
        code, encode = NUMBERS[kind]
        numbers = (encode(value) if value is not None else 0 for value in values)
        return Built(len(values), nulls, (valid, array(code, numbers)))
    if kind == "bounds":
        flat = array("i", [bound for value in values for bound in value or (0,) * 8])
        return Built(len(values), nulls, (valid,), (Built(len(flat), 0, (None, flat)),))
    lists = [value.items() if hasattr(value, "items") else value or () for value in values]
    items: list[Any] = list(chain.from_iterable(lists))
    ends = offsets("i", map(len, lists))
    if kind == "texts":
        return Built(len(values), nulls, (valid, ends), (built(items, "text", layout),))
    pairs = [item.values() if hasattr(item, "values") else item for item in items]
    columns = zip(*pairs, strict=True) if pairs else ((), ())
    pair = tuple(built(column, "text", layout) for column in columns)
    return Built(len(values), nulls, (valid, ends), (Built(len(items), 0, (None,), pair),))


def text_buffers(octets: Sequence[bytes | None], layout: Layout) -> tuple[Any, ...]:
    """Create the buffers of an Arrow string array, without the validity bitmap.

    Raises:
        OverflowError: the strings are too long for the offsets of the layout.
    """
    if layout != "string_view":
        code = "i" if layout == "string" else "q"
        sizes = (len(text or b"") for text in octets)
        return offsets(code, sizes), b"".join(text or b"" for text in octets)
    data = bytearray()
    views = bytearray()
    for text in octets:
        if text and len(data) + len(text) > FULL:
            raise OverflowError(len(data))
        views += view(text or b"", len(data))
        if text and len(text) > LONGEST_INLINE:
            data += text
    return bytes(views), bytes(data), array("q", [len(data)])


def view(text: bytes, place: int) -> bytes:
    """Encode a string as one 16-octet element of an Arrow string view array.

    A string of up to 12 octets is stored in the view. For a longer string, the view contains the
    length, the first four octets, the number of the data buffer, and the offset in that buffer.
    """
    if len(text) <= LONGEST_INLINE:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, place)


def offsets(code: str, sizes: Iterable[int]) -> array[int]:
    """Return the start offset of each item, followed by the end offset of the last item.

    Raises:
        OverflowError: an offset exceeds its integer type.
    """
    places = array(code, [0])
    place = 0
    for size in sizes:
        place += size
        places.append(place)
    return places


def validity(there: Iterable[bool]) -> tuple[int, bytes | None]:
    """Return the number of nulls and the validity bitmap, which is `None` if no row is null."""
    flags = list(there)
    nulls = flags.count(False)
    return nulls, bitmap(flags) if nulls else None


def bitmap(flags: Iterable[bool]) -> bytes:
    """Pack booleans into bits, starting with the least significant bit of each octet."""
    bits = "".join("1" if flag else "0" for flag in flags)[::-1]
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "little")


def is_set(bits: memoryview, row: int) -> bool:
    """Return whether a row is not null. With an empty validity bitmap, no row is null."""
    return not bits or bool(bits[row // 8] >> row % 8 & 1)


def index_of(number: int, length: int = FULL + 1) -> int:
    """Check that an index is valid for a sequence of the given length, and return the index.

    Raises:
        IndexError: the index is negative, or not less than the length.
    """
    if not 0 <= number < length:
        raise IndexError(number)
    return number


def indices_of_runs(ends: Sequence[int], offset: int, length: int) -> array[int]:
    """For each row of a run-end encoded array, return the index of the run that contains the row.

    Runs after the last row are not read.

    Args:
        ends: the index of the first row after each run.
        offset: the index of the first row.
        length: the number of rows.

    Raises:
        IndexError: the runs do not cover all rows.
    """
    indices = array("q")
    before = 0
    for run, end in enumerate(ends):
        if end <= before or len(indices) == length:
            break
        before = end
        indices.extend(repeat(run, min(end - offset, length) - len(indices)))
    if len(indices) < length:
        raise IndexError(length)
    return indices


def part_of(data: memoryview, start: int, end: int) -> bytes:
    if not 0 <= start <= end <= len(data):
        raise IndexError(start, end)
    return bytes(data[start:end])


def octets_with_offsets(ends: memoryview, data: memoryview, rows: Iterable[int]) -> list[bytes]:
    """Raise `IndexError` if a row lies outside the buffer."""
    return [part_of(data, ends[row], ends[row + 1]) for row in rows]


def octets_in_views(
    views: memoryview, data: Sequence[memoryview], rows: Iterable[int]
) -> list[bytes]:
    """Raise `IndexError` if a row lies outside the buffers."""
    octets: list[bytes] = []
    for row in rows:
        size, text = struct.unpack_from("<i12s", views, 16 * row)
        if index_of(size) > LONGEST_INLINE:
            buffer, place = struct.unpack_from("<ii", text, 4)
            text = part_of(data[index_of(buffer)], place, place + size)
        octets.append(text[:size])
    return octets
