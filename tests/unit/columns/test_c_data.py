"""Arrow producers that violate the C data interface cause an error, never a crash.

Set `URIVERSE_FUZZ_ROUNDS=100000` for a long run. `tools/sanitized` runs the tests with
AddressSanitizer.
"""

from __future__ import annotations

import ctypes
import errno
import gc
import os
import struct
import weakref
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, c_int, c_void_p
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import pytest
from arrow_c import Array, DeviceArray, Schema, Stream, capsule, content

from uriverse import ColumnError, columns
from uriverse.columns import arrow
from uriverse.columns.c_data import buffer_at

# These packages have no type annotations.
pa: Any = import_module("pyarrow")
device: Any = import_module("nanoarrow.device")

ROUNDS = int(os.environ.get("URIVERSE_FUZZ_ROUNDS", "200"))

LARGEST = 2**63 - 1


def set_released(structure: type[Any]) -> Any:
    """Return a release callback for a structure."""

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
        """Create an array with its schema, and return the index of the array."""
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
        return (
            capsule(self.schemas[-1], b"arrow_schema"),
            capsule(self.arrays[-1], b"arrow_array"),
        )


class Streamed:
    """A stream of the same array, with callbacks that can fail."""

    def __init__(self, producer: Producer) -> None:
        self.producer = producer
        self.arrays = [producer.arrays[-1]]
        self.codes = {"get_schema": 0, "get_next": 0}
        self.message: bytes | None = None
        self.stream = Stream()
        self.functions = (
            FUNCTION(self.get_schema),
            FUNCTION(self.get_next),
            LAST_ERROR(self.get_last_error),
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
        column = arrow.Column(given)
        rows = [row for chunk in column.chunks for row in rows_of(chunk)]
    except (ColumnError, TypeError) as error:
        return type(error)
    return columns.host(rows).to_pylist()


def rows_of(chunk: Any) -> list[str | None]:
    found: list[str | None] = chunk.texts[chunk.start : chunk.start + chunk.rows]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_valid_arrays_are_read(kind: str) -> None:
    for given, again in zip(given_as(producer(kind)), given_as(producer(kind)), strict=True):
        found = columns.host(given).to_pylist()
        assert found == hosts(again)
        assert kind == "null" or set(found) <= {"a", "bcd", "ef", "abcdefghijklmnopq"}


# --- invalid members


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
                if not getattr(honest, f"n_{member}", True) or not getattr(honest, member, True):
                    continue  # The member is not used.
                if kind == "null" and member in {"n_buffers", "buffers"}:
                    continue  # Buffers of null arrays are ignored: producers disagree on them.
                honestly = getattr(honest, member)
                yield from ((kind, which, number, member, v) for v in values if v != honestly)


def test_invalid_members_are_rejected() -> None:
    for lie in lies():
        kind, which, number, member, value = lie
        made = producer(kind)
        setattr(getattr(made, which)[number], member, value)
        for given in given_as(made):
            if given is not made and made.arrays[-1].release is None:
                # A released array marks the end of a stream.
                assert columns.host(given).to_pylist() == []
                continue
            with pytest.raises(ColumnError, match="invalid Arrow data in ") as caught:
                columns.host(given)
            assert caught.value.rule == "ArrowArray", lie


@pytest.mark.parametrize("kind", KINDS)
def test_null_pointers_are_rejected(kind: str) -> None:
    honest = producer(kind)
    for number, array in enumerate(honest.arrays):
        for members, count in (("buffers", array.n_buffers), ("children", array.n_children)):
            # Only the validity bitmap is optional.
            for k in range(1 if members == "buffers" else 0, count):
                made = producer(kind)
                start = getattr(made.arrays[number], members)
                (c_void_p * count).from_address(start)[k] = None
                for given in given_as(made):
                    with pytest.raises(ColumnError, match="invalid Arrow data in "):
                        columns.host(given)
    for number, schema in enumerate(honest.schemas):
        for k in range(schema.n_children):
            made = producer(kind)
            (c_void_p * 1).from_address(made.schemas[number].children + 8 * k)[0] = None
            with pytest.raises(ColumnError, match="invalid Arrow data in "):
                columns.host(made)


FORMATS = (
    *("", "u", "U", "vu", "z", "Z", "vz", "n", "i", "c", "s", "l", "b", "w:3", "w:", "d:1,2"),
    *("tdD", "tsu:", "+s", "+r", "+l", "+w:2", "+ud:0", "+vl", "zz", "\xff", "%s%n", "x" * 9999),
)


@pytest.mark.parametrize("kind", KINDS)
def test_another_format_is_rejected_or_read(kind: str) -> None:
    for number in range(len(producer(kind).schemas)):
        for form in FORMATS:
            made = producer(kind)
            narrow = {"u": "U", "z": "Z", "vu": "U", "vz": "Z"}
            honest = ctypes.string_at(made.schemas[number].format).decode()
            if narrow.get(form, form) == narrow.get(honest, honest) or honest in narrow.values():
                continue
            if form in {"U", "Z", "s", "i", "l", "vu", "vz"}:
                continue  # The interface has no buffer sizes, so these errors are not detectable.
            made.schemas[number].format = made.octets(form.encode("latin-1"))
            for given in given_as(made):
                found = hosts(given)
                assert isinstance(found, type) or len(found) < 10


def test_nulls_without_a_bitmap_are_rejected() -> None:
    for kind in ("u", "U", "vu", "dictionary c", "table"):
        made = producer(kind)
        made.arrays[-1].null_count = 1
        with pytest.raises(ColumnError, match="an array has nulls but no validity bitmap"):
            columns.host(made)
        made.arrays[-1].null_count = -1
        assert columns.host(made).to_pylist() == hosts(made)


@pytest.mark.parametrize("nulls", [-1, 0, 1])
def test_only_null_rows_of_the_table_itself_are_rejected(nulls: int) -> None:
    for bits, valid in ((b"\x06", True), (b"\x07", True), (b"\x05", False), (b"\x00", False)):
        made = producer("table")
        made.arrays[-1].buffers = made.pointers(made.octets(bits))
        made.arrays[-1].null_count = nulls
        if valid or nulls == 0:
            assert columns.host(made).to_pylist() == ["bcd", "ef"]
        else:
            with pytest.raises(TypeError, match="the column is a struct with null rows"):
                columns.host(made)


def test_the_error_names_the_column() -> None:
    made = producer("table")
    made.arrays[0].length = -1
    with pytest.raises(ColumnError, match=r'^invalid Arrow data in column "url": ') as caught:
        columns.host(made)
    assert caught.value.component == "url"
    made = Producer()
    strings(made, name=b"\xff\xfe")
    made.arrays[-1].release = None
    with pytest.raises(
        ColumnError, match=r'data in column "\ufffd\ufffd": an array is missing or released'
    ):
        columns.host(made)


def test_views_without_a_buffer_of_sizes_are_rejected() -> None:
    made = producer("vu")
    made.arrays[-1].n_buffers = 2
    with pytest.raises(
        ColumnError, match="the number of buffers or children does not match the type"
    ):
        columns.host(made)


def test_negative_sizes_of_buffers_are_rejected() -> None:
    made = Producer()
    sizes = made.numbers("q", -1)
    made.add("vu", 1, None, made.octets(bytes(16)), made.octets(b""), sizes)
    with pytest.raises(ColumnError, match="a buffer is missing or has an impossible size"):
        columns.host(made)


# --- invalid numbers in buffers


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


@pytest.mark.parametrize("kind", KINDS)
def test_random_offsets_views_indices_and_runs_agree_with_the_reference_implementation(
    kind: str,
) -> None:
    random = Random(kind)
    seen = set()
    for _ in range(ROUNDS):
        made = broken_at_random(random, kind)
        expected = hosts(made)
        seen.add(expected if isinstance(expected, type) else "read")
        for given in given_as(made):
            try:
                found: Any = columns.host(given).to_pylist()
            except ColumnError as error:
                found = type(error)
            assert found == expected
    assert kind == "null" or seen == {"read", ColumnError}


# --- producers that fail


def streamed(kind: str = "u") -> Streamed:
    return Streamed(producer(kind))


@pytest.mark.parametrize("message", [None, b"", b"the disk is full", b"\xff\xfe", b"x" * 5000])
@pytest.mark.parametrize("function", ["get_schema", "get_next"])
@pytest.mark.parametrize("code", [errno.EINVAL, errno.EIO, -1, 2**31 - 1])
def test_an_error_of_a_stream_is_reported(function: str, code: int, message: bytes | None) -> None:
    given = streamed()
    given.codes[function], given.message = code, message
    with pytest.raises(ColumnError, match="the producer failed: ") as caught:
        columns.host(given)
    if message == b"the disk is full":
        assert "the disk is full" in str(caught.value)


@pytest.mark.parametrize("function", ["get_schema", "get_next"])
def test_a_stream_without_memory_raises_memory_error(function: str) -> None:
    given = streamed()
    given.codes[function] = errno.ENOMEM
    with pytest.raises(MemoryError):
        columns.host(given)


@pytest.mark.parametrize("member", ["get_schema", "get_next", "get_last_error", "release"])
def test_a_stream_without_a_callback_is_rejected(member: str) -> None:
    given = streamed()
    setattr(given.stream, member, None)
    with pytest.raises(ColumnError, match="the stream is released or lacks a callback"):
        columns.host(given)


def test_a_stream_may_end_at_any_array() -> None:
    given = streamed()
    given.arrays *= 2
    assert columns.host(given).to_pylist() == ["a", "bcd", "ef", "abcdefghijklmnopq"] * 2
    given = streamed()
    given.arrays = []
    assert columns.host(given).to_pylist() == []


class Answering:
    """An object whose method returns or raises any given value."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def answer_with(self, **_: object) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class AnsweringStream(Answering):
    __arrow_c_stream__ = Answering.answer_with


class AnsweringArray(Answering):
    __arrow_c_array__ = Answering.answer_with


def nonsense() -> list[Any]:
    made = producer("u")
    array, schema = (
        capsule(made.arrays[0], b"arrow_array"),
        capsule(made.schemas[0], b"arrow_schema"),
    )
    other = capsule(made.arrays[0], b"arrow")
    return [
        *(None, 5, "text", b"arrow_array_stream", (), (None, None), [], object(), Stream()),
        *(other, array, schema, (schema,), (array, schema), (schema, other), (other, array)),
        *((schema, array, array), (schema, None), (None, array)),
        *(ValueError("no"), AttributeError("no"), IndexError(), SystemError("no"), KeyError(5)),
        *(OverflowError(), RuntimeError("no"), NotImplementedError(), RecursionError(), OSError(5)),
        *(StopIteration(), TypeError("no"), UnicodeDecodeError("utf-8", b"", 0, 1, "no")),
    ]


@pytest.mark.parametrize("make", [AnsweringStream, AnsweringArray])
def test_a_producer_that_returns_nonsense_is_rejected(make: Any) -> None:
    for answer in nonsense():
        with pytest.raises(ColumnError, match="the producer failed: ") as caught:
            columns.host(make(answer))
        if isinstance(answer, BaseException):
            assert caught.value.__cause__ is answer


@pytest.mark.parametrize("make", [AnsweringStream, AnsweringArray])
@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt(), SystemExit()])
def test_memory_errors_and_interrupts_of_a_producer_are_not_converted(
    make: Any, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        columns.host(make(error))


@pytest.mark.parametrize("rows", [2**27, 2**40])
def test_a_table_with_more_rows_than_its_field_is_rejected_before_it_is_read(rows: int) -> None:
    field = pa.array(["//a"])
    table = pa.StructArray.from_arrays([field], ["url"], mask=pa.array([False]))
    made = capsules_of(table)
    address = content(made[1], b"arrow_array")
    array = Array.from_address(address)
    bits = ctypes.create_string_buffer(b"\xff")
    ctypes.c_void_p.from_address(array.buffers).value = ctypes.addressof(bits)
    array.length, array.null_count = rows, -1
    with pytest.raises(ColumnError, match="some rows lie outside the buffers"):
        columns.host(Given(made))


def test_runs_that_end_before_the_last_row_are_rejected_without_allocating_memory() -> None:
    made = capsules_of(pa.RunEndEncodedArray.from_arrays([1, 2], ["//a", "//b"]))
    Array.from_address(content(made[1], b"arrow_array")).length = 2**45
    with pytest.raises(ColumnError, match="the runs do not cover all rows"):
        columns.host(Given(made))


def test_a_run_that_ends_before_the_first_row_is_rejected_without_allocating_memory() -> None:
    ends = bytearray(struct.pack("<q", 5))
    buffers = [None, pa.py_buffer(ends)]
    numbers = pa.Array.from_buffers(pa.int64(), 1, buffers)
    made = capsules_of(pa.RunEndEncodedArray.from_arrays(numbers, ["//a"]).slice(1))
    ends[:] = struct.pack("<q", -(2**63))
    Array.from_address(content(made[1], b"arrow_array")).length = 2**45
    with pytest.raises(ColumnError, match="the runs do not cover all rows"):
        columns.host(Given(made))


def test_columns_in_gpu_memory_are_rejected() -> None:
    schema, made = capsules_of(pa.array(["//a"]))
    on_device = DeviceArray(device_id=0, device_type=device.DeviceType.CUDA.value)
    place = content(made, b"arrow_array")
    ctypes.memmove(ctypes.byref(on_device.array), place, ctypes.sizeof(Array))
    Array.from_address(place).release = None  # The array has moved.

    class Producer:
        def __arrow_c_device_array__(self, requested_schema: object = None, **_: object) -> object:
            return schema, capsule(on_device, b"arrow_device_array")

    given = device.c_device_array(Producer())
    with pytest.raises(ColumnError, match="non-CPU"):
        columns.host(given)
    with pytest.raises(TypeError, match="the column is in CUDA memory; copy it to main memory"):
        columns.host(given.array)


def test_an_error_in_the_interface_attribute_of_a_producer_is_converted() -> None:
    class Failing:
        @property
        def __arrow_c_stream__(self) -> object:
            raise SystemError

    with pytest.raises(ColumnError, match="the producer failed"):
        columns.host(Failing())


@pytest.mark.parametrize("make", [AnsweringStream, AnsweringArray])
@pytest.mark.parametrize("error", [IndexError(), SystemError(""), RecursionError()])
def test_an_exception_without_a_message_is_named(make: Any, error: Exception) -> None:
    with pytest.raises(ColumnError, match=f"the producer failed: {type(error).__name__}\\b"):
        columns.host(make(error))


class Given:
    """A producer that returns the given capsules."""

    def __init__(self, capsules: tuple[object, object]) -> None:
        self.capsules = capsules

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.capsules


def capsules_of(array: Any) -> tuple[object, object]:
    schema, content_of = array.__arrow_c_array__()
    return schema, content_of


class Owner:
    """An owner of memory that refers to the view of its memory."""

    view: memoryview


def view_in_a_cycle(memory: int) -> Owner:
    owner = Owner()
    owner.view = buffer_at(memory, 4, owner)
    return owner


def objects_behind(view: memoryview) -> list[Any]:
    """Return the view and the objects between it and the owner."""
    behind: list[Any] = [view]
    for one in behind:
        behind += [
            other
            for other in gc.get_referents(one)
            if not isinstance(other, (Owner, type)) and gc.is_tracked(other)
        ]
    return behind


def test_a_view_and_its_owner_in_a_cycle_are_collected() -> None:
    # A PickleBuffer of a memoryview crashed here, depending on which object was collected first.
    memory = ctypes.create_string_buffer(b"abcd")
    address = ctypes.addressof(memory)
    owner = view_in_a_cycle(address)
    count = len(objects_behind(owner.view))
    assert count > 1
    for first in range(count):
        owner = view_in_a_cycle(address)
        released = weakref.ref(owner)
        # The collector begins with the object that was in use at the collection before.
        used = objects_behind(owner.view)[first]
        del owner
        gc.collect()
        del used
        gc.collect()
        assert released() is None
