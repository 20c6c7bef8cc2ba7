"""Values in the buffers that an [Arrow array][1] has.

[1]: https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

#: How texts are laid out: with offsets of 32 or 64 bits, or as views of 16 octets.
Layout = Literal["string", "large_string", "string_view"]

#: What the values of a column are.
Kind = Literal["text", "flag", "number", "position", "bounds", "texts", "pairs"]

#: What stands in the buffers of a column is counted in 32 bits, but for large strings.
FULL = 2**31 - 1

#: The longest text that a view holds itself.
LONGEST_INLINE = 12


class Built(NamedTuple):
    """The buffers of an array.

    Attributes:
        length: the rows.
        nulls: how many of them are null.
        buffers: those of its layout; `None` for a bitmap without nulls.
        children: of a nested type.
    """

    length: int
    nulls: int
    buffers: tuple[Any, ...]
    children: tuple[Built, ...] = ()


def built(values: Sequence[Any], kind: Kind, layout: Layout) -> Built:
    """The array of values, of which `None` is null.

    Args:
        values: of `"text"`, `str`; of `"flag"`, `bool`; of `"number"` and `"position"`, `int` of 64
            and 32 bits; of `"bounds"`, eight `int` of 32 bits; of `"texts"`, a list of `str`; of
            `"pairs"`, a list of a name and a value each.
        kind: what they are.
        layout: of the texts among them.
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
    """The buffers of texts, without the bitmap of those that are there.

    Raises:
        OverflowError: they are more than the layout can tell places in.
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
    """The 16 octets that stand for a text: it, or its length, its beginning, a buffer, a place."""
    if len(text) <= LONGEST_INLINE:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, place)


def offsets(code: str, sizes: Iterable[int]) -> array[int]:
    """Where each begins, and the last ends.

    Raises:
        OverflowError: a place is larger than an offset can be.
    """
    places = array(code, [0])
    place = 0
    for size in sizes:
        place += size
        places.append(place)
    return places


def validity(there: Iterable[bool]) -> tuple[int, bytes | None]:
    """How many values are null, and the bitmap of those that are not; `None` if all are there."""
    flags = list(there)
    nulls = flags.count(False)
    return nulls, bitmap(flags) if nulls else None


def bitmap(flags: Iterable[bool]) -> bytes:
    """A bit for each, the lowest of an octet first."""
    bits = "".join("1" if flag else "0" for flag in flags)[::-1]
    return int(bits or "0", 2).to_bytes((len(bits) + 7) // 8, "little")


def is_set(bits: memoryview, row: int) -> bool:
    """The bit of a row; without a bitmap all are set, as none is null."""
    return not bits or bool(bits[row // 8] >> row % 8 & 1)


def index_of(number: int) -> int:
    """An index that is to be one from the beginning.

    Raises:
        IndexError: it is negative.
    """
    if number < 0:
        raise IndexError(number)
    return number


def part_of(data: memoryview, start: int, end: int) -> bytes:
    """Some octets of a buffer.

    Raises:
        IndexError: they are not all in it.
    """
    if not 0 <= start <= end <= len(data):
        raise IndexError(start, end)
    return bytes(data[start:end])


def octets_with_offsets(ends: memoryview, data: memoryview, rows: list[int]) -> list[bytes]:
    """The octets of rows, by where they begin and end.

    Raises:
        IndexError: a row is not in the buffer.
    """
    return [part_of(data, ends[row], ends[row + 1]) for row in rows]


def octets_in_views(views: memoryview, data: Sequence[memoryview], rows: list[int]) -> list[bytes]:
    """The octets of rows, as views have them.

    Raises:
        IndexError: a row is not in the buffers.
    """
    octets: list[bytes] = []
    for row in rows:
        size, text = struct.unpack_from("<i12s", views, 16 * row)
        if index_of(size) > LONGEST_INLINE:
            buffer, place = struct.unpack_from("<ii", text, 4)
            text = part_of(data[index_of(buffer)], place, place + size)
        octets.append(text[:size])
    return octets
