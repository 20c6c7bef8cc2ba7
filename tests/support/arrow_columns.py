"""Arrow columns that are built, and read, through the C data interface alone."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from ctypes import CFUNCTYPE, addressof, c_int, c_void_p, string_at
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

from arrow_c import Array, Schema, Stream, capsule, content
from arrow_producers import Producer, Streamed

Row = str | bytes | None

#: The format string of each layout of strings.
FORMATS = {"string": "u", "large_string": "U", "string_view": "vu"}

CALLBACK, RELEASE = CFUNCTYPE(c_int, c_void_p, c_void_p), CFUNCTYPE(None, c_void_p)

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001


#: All columns, because results can share the memory of a column that is gone.
COLUMNS: list[Column] = []


class Column(Producer):
    """A column that can be read several times."""

    def __init__(self) -> None:
        super().__init__()
        COLUMNS.append(self)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[Any, Any]:
        schema, array = map(copy_of, (self.schemas[-1], self.arrays[-1]))
        self.kept += schema, array
        return capsule(schema, b"arrow_schema"), capsule(array, b"arrow_array")

    def __getitem__(self, rows: slice) -> Column:
        part = Column()
        part.kept, part.schemas, part.arrays = [self], self.schemas, [copy_of(self.arrays[-1])]
        start, stop, _ = rows.indices(part.arrays[-1].length)
        part.arrays[-1].offset, part.arrays[-1].length = start, stop - start
        # The number of nulls is unknown.
        part.arrays[-1].null_count = -1
        return part

    def add_rows(self, form: str, rows: Sequence[Any], *buffers: int, **more: Any) -> int:
        valid = sum((row is not None) << k for k, row in enumerate(rows))
        bits = self.octets(valid.to_bytes(len(rows) // 8 + 1, "little"))
        index = self.add(form, len(rows), bits, *buffers, **more)
        self.arrays[index].null_count = list(rows).count(None)
        return index

    def add_strings(self, rows: Sequence[Row], form: str = "u", **more: Any) -> int:
        texts = [row.encode() if isinstance(row, str) else row or b"" for row in rows]
        ends = list(accumulate(map(len, texts), initial=0))
        data = b"".join(texts)
        if form in {"vu", "vz"}:
            views = b"".join(map(view, texts, ends))
            sizes = self.numbers("q", len(data))
            return self.add_rows(form, rows, self.octets(views), self.octets(data), sizes, **more)
        places = self.numbers("i" if form in {"u", "z"} else "q", *ends)
        return self.add_rows(form, rows, places, self.octets(data), **more)


def copy_of(structure: Any) -> Any:
    return type(structure).from_buffer_copy(structure)


def view(text: bytes, start: int) -> bytes:
    if len(text) <= 12:
        return struct.pack("<i12s", len(text), text)
    return struct.pack("<i4sii", len(text), text[:4], 0, start)


def strings(rows: Sequence[Row], layout: str = "string", name: bytes = b"") -> Column:
    """Create a column of strings in a layout, or with a format string such as `z`."""
    column = Column()
    column.add_strings(rows, FORMATS.get(layout, layout), name=name)
    return column


def dictionary(
    numbers: Sequence[int | None], values: Sequence[Row], form: str = "i", code: str = "i"
) -> Column:
    """Create a column with a dictionary; `code` is the `struct` format of the format string."""
    column = Column()
    index = column.add_strings(values)
    places = column.numbers(code, *(number or 0 for number in numbers))
    column.add_rows(form, numbers, places, dictionary=index)
    return column


def encoded(rows: Sequence[Row]) -> Column:
    values = [row for row in dict.fromkeys(rows) if row is not None]
    return dictionary([None if row is None else values.index(row) for row in rows], values)


def runs(ends: Sequence[int], values: Sequence[Row], depth: int = 1) -> Column:
    """Create a run-end encoded column whose values are run-end encoded as well, `depth` times."""
    column = Column()
    index = column.add_strings(values)
    for _ in range(depth):
        numbers = column.add("l", len(ends), None, column.numbers("q", *ends))
        index = column.add("+r", ends[-1], children=(numbers, index))
    return column


def table(rows: Sequence[Any], *names: str) -> Column:
    """Create a struct with the same strings in each field; a row of `...` is a null struct."""
    column = Column()
    values = [None if row is ... else row for row in rows]
    children = tuple(column.add_strings(values, name=name.encode()) for name in names)
    column.add_rows("+s", [None if row is ... else 0 for row in rows], children=children)
    return column


def empty(form: str, *children: str, values: str | None = None, field: str = "") -> Column:
    """Create a column without rows from format strings, or a table with the column in a field."""
    column = Column()
    indices = tuple(column.add(child, 0, None) for child in children)
    index = None if values is None else column.add(values, 0, None)
    index = column.add(form, 0, children=indices, dictionary=index, name=field.encode())
    if field:
        column.add("+s", 0, None, children=(index,))
    return column


class Chunks:
    """A column of several chunks, which can be read several times."""

    def __init__(self, *chunks: Column | Sequence[Row], layout: str = "string") -> None:
        self.chunks = [c if isinstance(c, Column) else strings(c, layout) for c in chunks]

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        self.stream = Streamed(self.chunks[0])
        self.stream.arrays = [copy_of(chunk.arrays[-1]) for chunk in self.chunks]
        return self.stream.__arrow_c_stream__()


def read(made: Any) -> list[Any]:
    schema, array = made.__arrow_c_array__()
    schema_address, array_address = content(schema, b"arrow_schema"), content(array, b"arrow_array")
    return rows_of(Schema.from_address(schema_address), Array.from_address(array_address))


def read_chunks(made: Any) -> list[list[Any]]:
    """Return the rows of each array of a stream, and validate its buffers."""
    owner = made.__arrow_c_stream__()
    address = content(owner, b"arrow_array_stream")
    stream, schema, chunks = Stream.from_address(address), Schema(), []
    assert CALLBACK(stream.get_schema)(address, addressof(schema)) == 0
    while CALLBACK(stream.get_next)(address, addressof(array := Array())) == 0 and array.release:
        chunks.append(rows_of(schema, array))
        RELEASE(array.release)(addressof(array))
    RELEASE(schema.release)(addressof(schema))
    return chunks


def format_of(made: Any) -> str:
    """Return the format string of an array, with those of its children in parentheses."""
    owner = made.__arrow_c_schema__()
    return formats(Schema.from_address(content(owner, b"arrow_schema")))


def formats(schema: Schema) -> str:
    names = (f"{text_at(child.name)}: {formats(child)}" for child in children_of(schema))
    return text_at(schema.format) + (f"({', '.join(names)})" if schema.n_children else "")


def text_at(address: int) -> str:
    return string_at(address).decode()


def children_of(structure: Any) -> list[Any]:
    pointers = c_void_p * structure.n_children
    addresses = pointers.from_address(structure.children) if structure.n_children else ()
    return [type(structure).from_address(address) for address in addresses]


def numbers(code: str, address: int, first: int, last: int) -> tuple[Any, ...]:
    size = struct.calcsize(f"={code}")
    data = string_at(address + first * size, (last - first) * size) if last > first else b""
    return struct.unpack(f"={last - first}{code}", data)


def spans(ends: Sequence[int]) -> list[slice]:
    assert ends[0] >= 0
    assert all(low <= high for low, high in pairwise(ends))
    return [slice(low, high) for low, high in pairwise(ends)]


def bits(address: int, first: int, last: int) -> list[bool]:
    found = int.from_bytes(string_at(address, (last + 7) // 8), "little")
    return [bool(found >> k & 1) for k in range(first, last)]


def viewed(octets: bytes, data: Sequence[int], sizes: Sequence[int]) -> bytes:
    length, prefix, buffer, start = struct.unpack("<i4sii", octets)
    if length <= 12:
        assert not any(octets[4 + length :])
        return octets[4 : 4 + length]
    assert 0 <= start <= start + length <= sizes[buffer]
    text = string_at(data[buffer] + start, length)
    assert text.startswith(prefix)
    return text


#: The number types, with the functions that return the Python objects of other types.
NUMBERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "l": ("q", int),
    "i": ("i", int),
    "g": ("d", float),
    "tdD": ("i", lambda number: (EPOCH + timedelta(days=number)).date()),
    "tsu:": ("q", lambda number: EPOCH + timedelta(microseconds=number)),
}


def rows_of(schema: Schema, array: Array) -> list[Any]:
    form = text_at(schema.format)
    first, last = array.offset, array.offset + array.length
    rows = range(first, last)
    buffers = list((c_void_p * array.n_buffers).from_address(array.buffers))
    valid = bits(buffers[0], first, last) if buffers[0] else [True] * len(rows)
    assert array.null_count in {-1, valid.count(False)}
    children = list(map(rows_of, children_of(schema), children_of(array)))
    made: Sequence[Any]
    if form in {"u", "U"}:
        octets = spans(numbers("i" if form == "u" else "q", buffers[1], first, last + 1))
        made = [string_at(buffers[2] + o.start, o.stop - o.start).decode() for o in octets]
    elif form == "vu":
        sizes = numbers("q", buffers[-1], 0, array.n_buffers - 3) if array.n_buffers > 3 else ()
        made = [
            viewed(string_at(buffers[1] + 16 * k, 16), buffers[2:], sizes).decode() for k in rows
        ]
    elif form == "b":
        made = bits(buffers[1], first, last)
    elif form == "+s":
        names = [text_at(child.name) for child in children_of(schema)]
        made = [dict(zip(names, (child[k] for child in children), strict=True)) for k in rows]
    elif form in {"+l", "+m"}:
        made = [children[0][span] for span in spans(numbers("i", buffers[1], first, last + 1))]
        if form == "+m":
            made = [{entry["key"]: entry["value"] for entry in row} for row in made]
    elif form.startswith("+w:"):
        size = int(form[3:])
        made = [children[0][k * size : (k + 1) * size] for k in rows]
    else:
        code, convert = NUMBERS[form]
        made = list(map(convert, numbers(code, buffers[1], first, last)))
    return [row if there else None for row, there in zip(made, valid, strict=True)]
