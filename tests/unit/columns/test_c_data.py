"""Arrow producers that violate the C data interface cause an error, never a crash.

Set `URIVERSE_FUZZ_ROUNDS=100000` for a long run. `tools/sanitized` runs the tests with
AddressSanitizer.
"""

import ctypes
import errno
import gc
import os
import weakref
from ctypes import c_void_p
from importlib import import_module
from random import Random
from typing import Any

import pytest
from arrow_c import Array, DeviceArray, Stream, capsule
from arrow_columns import runs, table
from arrow_producers import (
    KINDS,
    Producer,
    Streamed,
    broken_at_random,
    given_as,
    hosts,
    lies,
    producer,
    strings,
)

from uriverse import ColumnError, columns
from uriverse.columns._c_data import read_buffer

# nanoarrow has no type annotations.
device: Any = import_module("nanoarrow.device")

ROUNDS = int(os.environ.get("URIVERSE_FUZZ_ROUNDS", "200"))


@pytest.mark.parametrize("kind", KINDS)
def test_valid_arrays_are_read(kind: str) -> None:
    for given, again in zip(given_as(producer(kind)), given_as(producer(kind)), strict=True):
        found = columns.host(given).to_pylist()
        assert found == hosts(again)
        assert kind == "null" or set(found) <= {"a", "bcd", "ef", "abcdefghijklmnopq"}


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


def test_an_array_with_more_nulls_than_rows_is_rejected() -> None:
    made = Producer()
    made.add("u", 1, made.octets(b"\x00"), made.numbers("i", 0, 0), made.octets(b""))
    made.arrays[-1].null_count = 1
    assert columns.host(made).to_pylist() == [None]
    made.arrays[-1].null_count = 2
    with pytest.raises(ColumnError, match="the length, offset or null count is impossible"):
        columns.host(made)


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


def test_views_without_a_valid_buffer_of_sizes_are_rejected() -> None:
    made = producer("vu")
    made.arrays[-1].n_buffers = 2
    words = "the number of buffers or children does not match the type"
    with pytest.raises(ColumnError, match=words):
        columns.host(made)
    made = Producer()
    sizes = made.numbers("q", -1)
    made.add("vu", 1, None, made.octets(bytes(16)), made.octets(b""), sizes)
    with pytest.raises(ColumnError, match="a buffer is missing or has an impossible size"):
        columns.host(made)


@pytest.mark.parametrize("kind", KINDS)
def test_random_offsets_views_indices_and_runs_agree_with_the_reference(kind: str) -> None:
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


def streamed(kind: str = "u") -> Streamed:
    return Streamed(producer(kind))


@pytest.mark.parametrize("message", [None, b"", b"the disk is full", b"\xff\xfe", b"x" * 5000])
@pytest.mark.parametrize("function", ["get_schema", "get_next"])
def test_an_error_of_a_stream_is_reported(function: str, message: bytes | None) -> None:
    for code in (errno.EINVAL, errno.EIO, -1, 2**31 - 1):
        given = streamed()
        given.codes[function], given.message = code, message
        with pytest.raises(ColumnError, match="the producer failed: ") as caught:
            columns.host(given)
        assert message != b"the disk is full" or "the disk is full" in str(caught.value)


def test_a_stream_without_memory_or_a_callback_is_rejected() -> None:
    for function in ("get_schema", "get_next"):
        given = streamed()
        given.codes[function] = errno.ENOMEM
        with pytest.raises(MemoryError):
            columns.host(given)
    for member in ("get_schema", "get_next", "get_last_error", "release"):
        given = streamed()
        setattr(given.stream, member, None)
        with pytest.raises(ColumnError, match="the stream is released or lacks a callback"):
            columns.host(given)
    # A stream may end at any array.
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
    array = capsule(made.arrays[0], b"arrow_array")
    schema = capsule(made.schemas[0], b"arrow_schema")
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


def test_only_exceptions_of_a_producer_are_converted() -> None:
    for make in [AnsweringStream, AnsweringArray]:
        for error in (MemoryError(), KeyboardInterrupt(), SystemExit()):
            with pytest.raises(type(error)):
                columns.host(make(error))
        # An exception without a message is named.
        for exception in (IndexError(), SystemError(""), RecursionError()):
            with pytest.raises(
                ColumnError, match=f"the producer failed: {type(exception).__name__}\\b"
            ):
                columns.host(make(exception))

    # An error in the interface attribute of a producer is converted.
    class Failing:
        @property
        def __arrow_c_stream__(self) -> object:
            raise SystemError

    with pytest.raises(ColumnError, match="the producer failed"):
        columns.host(Failing())


def test_the_rows_of_a_table_or_of_runs_are_validated_before_they_are_read() -> None:
    for rows in [2**27, 2**40]:
        column = table(["//a"], "url")
        column.arrays[-1].length, column.arrays[-1].null_count = rows, -1
        with pytest.raises(ColumnError, match="some rows lie outside the buffers"):
            columns.host(column)
    # Runs that do not cover the rows once are rejected.
    for ends, rows, start in [
        # Without allocating memory for rows that no run covers.
        *(([1, 2], 2**45, 0), ([-(2**63)], 2**45, 1)),
        # Runs without rows.
        *(([1, 1, 3], 3, 0), ([2, 1, 3], 3, 0)),
    ]:
        column = runs(ends, ["//a", "//b", "//c"][: len(ends)])
        column.arrays[-1].length, column.arrays[-1].offset = rows, start
        with pytest.raises(ColumnError, match="the runs do not cover all rows"):
            columns.host(column)


def test_columns_in_gpu_memory_are_rejected() -> None:
    column = producer("u")
    on_device = DeviceArray(device_id=0, device_type=device.DeviceType.CUDA.value)
    ctypes.memmove(
        ctypes.byref(on_device.array), ctypes.byref(column.arrays[-1]), ctypes.sizeof(Array)
    )

    class OnDevice:
        def __arrow_c_device_array__(self, requested_schema: object = None, **_: object) -> object:
            schema = capsule(column.schemas[-1], b"arrow_schema")
            return schema, capsule(on_device, b"arrow_device_array")

    given = device.c_device_array(OnDevice())
    with pytest.raises(ColumnError, match="non-CPU"):
        columns.host(given)
    with pytest.raises(TypeError, match="the column is in CUDA memory; copy it to main memory"):
        columns.host(given.array)


class Owner:
    """An owner of memory that refers to the view of its memory."""

    view: memoryview


def view_in_a_cycle(memory: int) -> Owner:
    owner = Owner()
    owner.view = read_buffer(memory, 4, owner)
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
