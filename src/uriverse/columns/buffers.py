"""Encode and decode values in the buffers of an [Arrow array][1].

[1]: https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, Literal, NamedTuple

from uriverse.errors import ColumnError
from uriverse.typing import Layout

#: The kind of the values of a column.
Kind = Literal["text", "flag", "number", "position", "bounds", "texts", "pairs"]

#: The largest 32-bit offset. All layouts except `large_string` use 32-bit offsets.
FULL = 2**31 - 1

#: The length in octets of the longest string that a view stores inline.
LONGEST_INLINE = 12


#: The fault of an array whose buffers are too short for its rows.
OUT_OF_BOUNDS = "rows of a chunk are not in its buffers"


def label(name: str) -> str:
    """Return the phrase that error messages use for a column."""
    return f'column "{name}"' if name else "the column"


def broken(fault: str, name: str = "", row: int = 0) -> ColumnError:
    """Create the error for an array that violates the Arrow specification.

    Args:
        fault: the violation.
        name: the name of the column; empty if it has none.
        row: the index of the invalid row in its chunk.
    """
    hint = (
        "validate the column in the program that creates it, as with pyarrow's validate(full=True)"
    )
    return ColumnError("", row, name, "ArrowArray", f"{label(name)} is broken: {fault}", hint)


def broken_row(row: int) -> ColumnError:
    """Create the error for a row that lies outside the buffers of its chunk."""
    return broken(f"row {row} of a chunk is not in its buffers", row=row)


class Built(NamedTuple):
    """The buffers of an array.

    Attributes:
        length: the number of rows.
        nulls: the number of nulls.
        buffers: the buffers of its layout; `None` instead of a bitmap without nulls.
        children: the child arrays of a nested type.
    """

    length: int
    nulls: int
    buffers: tuple[Any, ...]
    children: tuple[Built, ...] = ()


def built(values: Sequence[Any], kind: Kind, layout: Layout) -> Built:
    """Encode values as an array; `None` is null.

    Args:
        values: for `"text"`, `str`; for `"flag"`, `bool`; for `"number"` and `"position"`, 64-bit
            and 32-bit `int`; for `"bounds"`, sequences of eight 32-bit `int`; for `"texts"`, lists
            of `str`; for `"pairs"`, lists of pairs of a name and a value.
        kind: the kind of the values.
        layout: the layout of the strings among them.
    """
    nulls, valid = validity(value is not None for value in values)
    if kind == "text":
        octets = [value and value.encode() for value in values]
        return Built(len(values), nulls, (valid, *text_buffers(octets, layout)))
    if kind == "flag":
        return Built(len(values), nulls, (valid, bitmap(map(bool, values))))
    if kind in {"number", "position"}:
        code = "q" if kind == "number" else "i"
        return Built(len(values), nulls, (valid, array(code, [value or 0 for value in values])))
    if kind == "bounds":
        flat = array("i", [bound for value in values for bound in value or (0,) * 8])
        return Built(len(values), nulls, (valid,), (Built(len(flat), 0, (None, flat)),))
    items = [item for value in values for item in value or ()]
    ends = offsets("i", (len(value or ()) for value in values))
    if kind == "texts":
        return Built(len(values), nulls, (valid, ends), (built(items, "text", layout),))
    columns = zip(*items, strict=True) if items else ((), ())
    pair = tuple(built(column, "text", layout) for column in columns)
    return Built(len(values), nulls, (valid, ends), (Built(len(items), 0, (None,), pair),))


def text_buffers(octets: Sequence[bytes | None], layout: Layout) -> tuple[Any, ...]:
    """Return the buffers of a string array, without its validity bitmap.

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
    """Encode a 16-octet view: a short string inline; else length, prefix, buffer and offset."""
    if len(text) <= LONGEST_INLINE:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, place)


def offsets(code: str, sizes: Iterable[int]) -> array[int]:
    """Return the offset of each item, followed by the end of the last one.

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
    """Return the number of nulls, and the validity bitmap, which is `None` without nulls."""
    flags = list(there)
    nulls = flags.count(False)
    return nulls, bitmap(flags) if nulls else None


def bitmap(flags: Iterable[bool]) -> bytes:
    """Pack flags into bits, starting with the least significant bit of each octet."""
    bits = "".join("1" if flag else "0" for flag in flags)[::-1]
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "little")


def is_set(bits: memoryview, row: int) -> bool:
    """Return the bit of a row; true if the bitmap is empty, which means that no row is null."""
    return not bits or bool(bits[row // 8] >> row % 8 & 1)


def index_of(number: int, length: int = FULL + 1) -> int:
    """Return an index unchanged if it is in range, and reject it otherwise.

    Raises:
        IndexError: the index is negative, or not less than the length.
    """
    if not 0 <= number < length:
        raise IndexError(number)
    return number


def indices_of_runs(ends: Sequence[int], offset: int, length: int) -> array[int]:
    """Return, for each row, the index of the run that contains it.

    Args:
        ends: for each run, the index of the first row after it.
        offset: the first row.
        length: the number of rows.

    Raises:
        IndexError: the runs do not cover the rows. Runs after the last row are not read.
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
    """Return a range of octets of a buffer.

    Raises:
        IndexError: the range is not within the buffer.
    """
    if not 0 <= start <= end <= len(data):
        raise IndexError(start, end)
    return bytes(data[start:end])


def octets_with_offsets(ends: memoryview, data: memoryview, rows: list[int]) -> list[bytes]:
    """Return the octets of rows of a layout with offsets.

    Raises:
        IndexError: a row lies outside the buffer.
    """
    return [part_of(data, ends[row], ends[row + 1]) for row in rows]


def octets_in_views(views: memoryview, data: Sequence[memoryview], rows: list[int]) -> list[bytes]:
    """Return the octets of rows of a layout with views.

    Raises:
        IndexError: a row lies outside the buffers.
    """
    octets: list[bytes] = []
    for row in rows:
        size, text = struct.unpack_from("<i12s", views, 16 * row)
        if index_of(size) > LONGEST_INLINE:
            buffer, place = struct.unpack_from("<ii", text, 4)
            text = part_of(data[index_of(buffer)], place, place + size)
        octets.append(text[:size])
    return octets
