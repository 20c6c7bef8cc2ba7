"""Arrow producers whose arrays, schemas and buffers a test can overwrite."""

import ctypes
import struct
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, c_int, c_void_p
from functools import partial
from random import Random
from typing import Any

from arrow_c import Array, Schema, Stream, capsule

from uriverse import ColumnError, columns
from uriverse.columns import _arrow

LARGEST = 2**63 - 1


def set_released(structure: type[Any]) -> Any:
    def release(address: int) -> None:
        structure.from_address(address).release = None

    return CFUNCTYPE(None, c_void_p)(release)


release_schema, release_array, release_stream = map(set_released, (Schema, Array, Stream))

CALLBACKS = ("get_schema", "get_next", "get_last_error")
FUNCTION = CFUNCTYPE(c_int, c_void_p, c_void_p)
LAST_ERROR = CFUNCTYPE(c_void_p, c_void_p)


class Producer:
    """An array with its schema, in structures that a test can overwrite."""

    def __init__(self) -> None:
        self.kept: list[Any] = []
        self.schemas: list[Schema] = []
        self.arrays: list[Array] = []
        #: Offsets, views, indices and run ends: the format character, the bytes, and the number of
        #: values that are validated.
        self.places: list[tuple[str, bytearray, int]] = []

    def pointer(self, made: Any) -> int:
        self.kept.append(made)
        return ctypes.addressof(made)

    def pointers(self, *addresses: int | None) -> int:
        # NULL pointers follow, for tests with a count that is too large.
        return self.pointer((c_void_p * (len(addresses) + 16))(*addresses))

    def octets(self, data: bytes) -> int:
        return self.pointer((ctypes.c_char * (len(data) + 1)).from_buffer(bytearray(data + b"\0")))

    def numbers(self, code: str, *values: int, believed: int = 0) -> int:
        """Create a buffer of integers. The last `believed` integers cannot be validated."""
        data = bytearray(struct.pack(f"={len(values)}{code}", *values))
        self.places.append((code, data, len(values) - believed))
        return self.pointer((ctypes.c_char * len(data)).from_buffer(data))

    def add(
        self,
        form: str,
        length: int,
        *buffers: int | None,
        name: bytes = b"",
        children: tuple[int, ...] = (),
        dictionary: int | None = None,
        offset: int = 0,
    ) -> int:
        schema, array = Schema(), Array()
        schema.format, schema.name = self.octets(form.encode()), self.octets(name)
        schema.n_children = array.n_children = len(children)
        schema.children = self.pointers(*(ctypes.addressof(self.schemas[k]) for k in children))
        array.children = self.pointers(*(ctypes.addressof(self.arrays[k]) for k in children))
        array.length, array.offset = length, offset
        array.n_buffers, array.buffers = len(buffers), self.pointers(*buffers)
        if dictionary is not None:
            schema.dictionary = ctypes.addressof(self.schemas[dictionary])
            array.dictionary = ctypes.addressof(self.arrays[dictionary])
        schema.release = ctypes.cast(release_schema, c_void_p).value
        array.release = ctypes.cast(release_array, c_void_p).value
        self.schemas.append(schema)
        self.arrays.append(array)
        return len(self.arrays) - 1

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[Any, Any]:
        return capsule(self.schemas[-1], b"arrow_schema"), capsule(self.arrays[-1], b"arrow_array")


class Streamed:
    """A stream of the same array, with callbacks that can fail."""

    def __init__(self, producer: Producer) -> None:
        self.producer = producer
        self.arrays = [producer.arrays[-1]]
        self.codes = {"get_schema": 0, "get_next": 0}
        self.message: bytes | None = None
        self.stream = Stream()
        self.functions = (
            *(FUNCTION(self.get_schema), FUNCTION(self.get_next), LAST_ERROR(self.get_last_error)),
        )
        for name, function in zip(CALLBACKS, self.functions, strict=True):
            setattr(self.stream, name, ctypes.cast(function, c_void_p).value)
        self.stream.release = ctypes.cast(release_stream, c_void_p).value

    def get_schema(self, _: int, out: int) -> int:
        ctypes.memset(out, 0, ctypes.sizeof(Schema))
        if not self.codes["get_schema"]:
            ctypes.memmove(out, ctypes.byref(self.producer.schemas[-1]), ctypes.sizeof(Schema))
        return self.codes["get_schema"]

    def get_next(self, _: int, out: int) -> int:
        ctypes.memset(out, 0, ctypes.sizeof(Array))
        if self.arrays and not self.codes["get_next"]:
            ctypes.memmove(out, ctypes.byref(self.arrays.pop(0)), ctypes.sizeof(Array))
        return self.codes["get_next"]

    def get_last_error(self, _: int) -> int | None:
        return None if self.message is None else self.producer.octets(self.message)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return capsule(self.stream, b"arrow_array_stream")


TEXT = b"//a//bcd//ef//abcdefghijklmnopq"


def strings(p: Producer, form: str = "u", name: bytes = b"") -> int:
    code = "i" if form in {"u", "z"} else "q"
    ends = p.numbers(code, 0, 3, 8, 12, len(TEXT), believed=1)
    return p.add(form, 4, None, ends, p.octets(TEXT), name=name)


def views(p: Producer, form: str = "vu", name: bytes = b"") -> int:
    short = struct.pack("<i12s", 3, b"//a")
    long = struct.pack("<i4sii", 19, b"//ab", 0, 12)
    octets = p.numbers("i", *struct.unpack("<12i", short + long + short))
    sizes = p.numbers("q", len(TEXT), believed=1)
    return p.add(form, 3, None, octets, p.octets(TEXT), sizes, name=name)


def dictionary(p: Producer, form: str = "c", code: str = "b", name: bytes = b"") -> int:
    values = strings(p)
    return p.add(form, 3, None, p.numbers(code, 2, 0, 3), dictionary=values, name=name)


def runs(p: Producer, form: str = "i", code: str = "i", of: Any = strings) -> int:
    ends = p.add(form, 3, None, p.numbers(code, 2, 3, 7))
    return p.add("+r", 6, children=(ends, of(p)))


def table(p: Producer, column: Any = strings) -> int:
    return p.add("+s", 2, None, children=(column(p, name=b"url"),), offset=1)


def nulls(p: Producer) -> int:
    return p.add("n", 4)


KINDS: dict[str, Callable[[Producer], int]] = {
    **{form: partial(strings, form=form) for form in ("u", "U", "z", "Z")},
    **{form: partial(views, form=form) for form in ("vu", "vz")},
    "null": nulls,
    **{
        f"dictionary {form}": partial(dictionary, form=form, code=code)
        for form, code in zip("cCsSiIlL", "bBhHiIqQ", strict=True)
    },
    **{
        f"runs {form}": partial(runs, form=form, code=code)
        for form, code in zip("sil", "hiq", strict=True)
    },
    "runs of views": partial(runs, of=views),
    "runs of a dictionary": partial(runs, of=dictionary),
    "table": table,
    "table of views": partial(table, column=views),
    "table of a dictionary": partial(table, column=dictionary),
}


def producer(kind: str) -> Producer:
    made = Producer()
    KINDS[kind](made)
    return made


def given_as(made: Producer) -> Iterator[Any]:
    """Yield the array, and a stream with the array."""
    yield made
    yield Streamed(made)


def hosts(given: Any) -> list[Any] | type[Exception]:
    """Return the host of each row, read by the reference implementation, or the error type."""
    try:
        column = _arrow.Column(given)
        rows = [row for chunk in column.chunks for row in rows_of(chunk)]
    except (ColumnError, TypeError) as error:
        return type(error)
    return columns.host(rows).to_pylist()


def rows_of(chunk: Any) -> list[str | None]:
    found: list[str | None] = chunk.strings[chunk.start : chunk.start + chunk.rows]
    return found


#: Invalid values for the members of an `ArrowArray`.
ARRAY_LIES: dict[str, tuple[int | None, ...]] = {
    "length": (-1, -(2**63), 2**58, 2**62, LARGEST),
    "null_count": (-2, -(2**63), 100, LARGEST),
    "offset": (-1, -(2**63), 2**58, 2**62, LARGEST),
    "n_buffers": (-1, 1, 9, 2**31, 2**62, LARGEST, -(2**63)),
    "n_children": (-1, 1, 3, 2**62, LARGEST, -(2**63)),
    "buffers": (None,),
    "children": (None,),
    "dictionary": (None,),
    "release": (None,),
}

#: Invalid values for the members of an `ArrowSchema`.
SCHEMA_LIES: dict[str, tuple[int | None, ...]] = {
    "format": (None,),
    "n_children": (-1, -(2**63)),
    "children": (None,),
    "release": (None,),
}


def lies() -> Iterator[tuple[str, str, int, str, int | None]]:
    """Yield a kind of column, one of its arrays or schemas, a member, and an invalid value."""
    for kind in KINDS:
        made = producer(kind)
        nodes: list[tuple[str, int, Any, Any]] = []
        nodes += [("arrays", k, node, ARRAY_LIES) for k, node in enumerate(made.arrays)]
        nodes += [("schemas", k, node, SCHEMA_LIES) for k, node in enumerate(made.schemas)]
        for which, number, honest, members in nodes:
            for member, values in members.items():
                if not getattr(honest, f"n_{member}", True):
                    continue  # The member is not used.
                if kind == "null" and member in {"n_buffers", "buffers"}:
                    continue  # Buffers of null arrays are ignored: producers disagree on them.
                honestly = getattr(honest, member)
                yield from ((kind, which, number, member, v) for v in values if v != honestly)


def broken_at_random(random: Random, kind: str) -> Producer:
    """Return a column with random integers in some buffers."""
    made = producer(kind)
    for code, data, count in made.places:
        size = struct.calcsize(code)
        for _ in range(random.randrange(3)):
            value = random.choice((0, 1, 2, 3, 5, 12, 13, 31, 100, -1, -2, 2**31 - 1, -(2**31)))
            lowest = 0 if code.isupper() else -(2 ** (8 * size - 1))
            value = max(lowest, min(value, lowest + 2 ** (8 * size) - 1))
            if count:
                struct.pack_into(f"={code}", data, random.randrange(count) * size, value)
    return made
