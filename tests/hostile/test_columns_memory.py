import ctypes
import gc
import mmap
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nanoarrow
import pyarrow as pa
import pytest
from arrow_c import Array as ArrowArray
from arrow_c import content
from failing_malloc import needs_malloc, preloaded
from interpreters import run_python

from uriverse import SCHEMES, ColumnError, _engine, columns
from uriverse.columns import Array, _arrow, _checks, _components, _conversions, _execution
from uriverse.columns._buffers import kernel_of_columns

pytestmark = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")

LAYOUTS: tuple[Any, ...] = ("string", "large_string", "string_view")

#: A function for each shape of result; the last one runs row by row.
FUNCTIONS: dict[str, Callable[..., Array]] = {
    "parse": lambda column: columns.parse(column, fields=[*columns.FIELDS, "bounds"]),
    "is_valid": columns.is_valid,
    "host": columns.host,
    "port": columns.port,
    "findings": columns.findings,
    "query_params": columns.query_params,
    "params": columns.params,
    "without_query": columns.without_query,
    "filter_params": lambda column: columns.filter_params(column, drop="x*"),
    "resolve": lambda column: columns.resolve("http://a/b", column),
    "relativize": lambda column: columns.relativize(column, "http://a/b"),
    "normalize": lambda column: columns.normalize(column, scheme=SCHEMES),
}

TEXTS = ["http://user@Example.org:80/%41/caf\xe9?x=1&y#z", None, "a b", "", "urn:x:y", "?a=%20"]


def own_buffers(array: Any) -> Iterator[int]:
    addresses = array.buffers
    if array.schema.format == "vu":
        # The other buffers may be shared with the input column.
        addresses = (*addresses[:2], *addresses[-2:])
    yield from filter(None, addresses)
    for child in array.children:
        yield from own_buffers(child)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_output_buffers_are_aligned_to_64_bytes(name: str, layout: Any) -> None:
    # Empty and small columns, and large columns, whose memory is reused.
    many = TEXTS * (50 if name in {"findings", "normalize"} else 3000)
    for given in ([], TEXTS[:1], TEXTS, many, many, [None, None]):
        made = FUNCTIONS[name](pa.array(given, getattr(pa, layout)()))
        for array in nanoarrow.c_array_stream(made):
            addresses = list(own_buffers(array))
            assert addresses
            assert [address % 64 for address in addresses] == [0] * len(addresses)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_input_buffers_need_not_be_aligned(layout: Any, name: str) -> None:
    column = pa.array(TEXTS * 5, getattr(pa, layout)())
    moved = [b if b is None else off_by_one(b) for b in column.buffers()]
    shifted = pa.Array.from_buffers(column.type, len(column), moved)
    assert FUNCTIONS[name](shifted).to_pylist() == FUNCTIONS[name](column).to_pylist()


def off_by_one(buffer: Any) -> Any:
    return pa.py_buffer(b"\0" + buffer.to_pybytes()).slice(1)


@pytest.mark.parametrize("kind", ["int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_indices_and_run_ends_need_not_be_aligned(kind: str) -> None:
    indices = pa.array([0, 1, 0, 2], getattr(pa, kind)())
    values = pa.array(["//a", None, "//b"])
    moved = pa.Array.from_buffers(indices.type, 4, [None, off_by_one(indices.buffers()[1])])
    column = pa.DictionaryArray.from_arrays(moved, values)
    assert columns.host(column).to_pylist() == ["a", None, "a", "b"]
    if kind in {"int16", "int32", "int64"}:
        ends = pa.Array.from_buffers(
            indices.type, 3, [None, off_by_one(pa.array([1, 2, 4], indices.type).buffers()[1])]
        )
        runs = pa.RunEndEncodedArray.from_arrays(ends, values)
        assert columns.host(runs).to_pylist() == ["a", None, "b", "b"]


def buffers_in_use() -> int:
    kernel: Any = kernel_of_columns()
    count: int = kernel._count_buffers_in_use()
    return count


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Collect no garbage of other tests, which may own buffers, while buffers are counted.

    Collecting it before each test would take most of the time of all tests.
    """
    gc.disable()
    yield
    gc.enable()


def address_of(made: Array) -> tuple[Any, int]:
    _, capsule = made.__arrow_c_array__()
    return capsule, content(capsule, b"arrow_array")


def release(array: ArrowArray) -> None:
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(array.release)(ctypes.addressof(array))


def release_moved_children(made: Array) -> None:
    """Move the children of an array, as a consumer may, and release them after it."""
    capsule, address = address_of(made)
    array = ArrowArray.from_address(address)
    places = (ctypes.c_void_p * array.n_children).from_address(array.children or address)
    children = []
    for place in places:
        child = ArrowArray.from_address(place)
        children.append(ArrowArray.from_buffer_copy(child))
        child.release = None
    release(array)
    del capsule
    for child in children:
        release(child)


def release_array(made: Array) -> None:
    capsule, address = address_of(made)
    release(ArrowArray.from_address(address))
    del capsule


def read_one_chunk(made: Array) -> None:
    stream = nanoarrow.c_array_stream(made)
    stream.get_next()


ENDS: dict[str, Callable[[Array], object]] = {
    "not exported": len,
    "array, not consumed": lambda made: made.__arrow_c_array__(),
    "stream, not consumed": lambda made: made.__arrow_c_stream__(),
    "array, read": lambda made: pa.array(made).to_pylist(),
    "stream, read": lambda made: pa.chunked_array(made).to_pylist(),
    "stream, read in part": read_one_chunk,
    "array, released": release_array,
    "array, children moved": release_moved_children,
    "Python objects": lambda made: made.to_pylist(),
    "array, sliced": lambda made: pa.array(made).slice(1).to_pylist(),
    "array and stream": lambda made: (pa.array(made), pa.chunked_array(made)),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_buffers_of_a_column_are_freed_however_it_is_consumed(name: str, end: str) -> None:
    types = [getattr(pa, layout)() for layout in LAYOUTS]
    given = [
        *(pa.array(TEXTS, kind) for kind in types),
        *(pa.chunked_array([TEXTS, TEXTS[:2]], kind) for kind in types),
        *(pa.array(TEXTS).dictionary_encode(), pa.array(TEXTS * 3000)),
    ]
    for column in given if end == "not exported" else given[:-1]:
        before = buffers_in_use()
        made = FUNCTIONS[name](column)
        assert buffers_in_use() > before
        ENDS[end](made)
        del made
        assert buffers_in_use() == before


def test_buffers_are_freed_if_a_column_is_malformed() -> None:
    ends = bytearray(struct.pack("<4i", 0, 3, 6, 9))
    column = pa.Array.from_buffers(
        pa.string(), 3, [None, pa.py_buffer(ends), pa.py_buffer(b"a" * 9)]
    )
    ends[8:12] = struct.pack("<i", 2)
    for function in FUNCTIONS.values():
        before = buffers_in_use()
        with pytest.raises(ColumnError):
            function(column)
        assert buffers_in_use() == before


def test_buffers_are_freed_if_a_row_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(Exception):
        pass

    def stop(*_: Any) -> Any:
        raise StoppedError

    monkeypatch.setattr(_checks, "check", stop)
    monkeypatch.setattr(_components, "parse_identifier", stop)
    monkeypatch.setattr(_conversions, "parse_identifier", stop)
    for name in ("findings", "query_params", "normalize"):
        before = buffers_in_use()
        with pytest.raises(StoppedError):
            FUNCTIONS[name](pa.array(["//a", "//[::1]/ \xe9?%ff"] * 3 + ["mailto:a?x=%ff"]))
        assert buffers_in_use() == before


def test_buffers_are_freed_if_a_string_is_too_long() -> None:
    column = _arrow.Column(["x:" + "\xe9" * 20] * 10)
    [piece] = _execution.align([column], [False])
    function = _execution.bind_options("to_uri", {})
    before = buffers_in_use()
    with pytest.raises(OverflowError):
        list(_execution.run_in_kernel(function, piece, "string", 10))
    del piece
    rest = buffers_in_use()
    made = list(
        _execution.run_in_kernel(function, next(_execution.align([column], [False])), "string", 300)
    )
    assert len(made) > 1
    del made
    assert buffers_in_use() == rest >= before


def arrays_of(function: _execution.Call, texts: list[Any], layout: Any, full: int) -> list[Any]:
    [piece] = _execution.align([_arrow.Column(texts)], [False])
    return list(_execution.run_in_kernel(function, piece, layout, full))


TO_URI = _execution.bind_options("to_uri", {})
FINDINGS = _execution.bind_options("findings", {})


@pytest.mark.parametrize(
    ("function", "text", "layout"),
    [
        (TO_URI, "x:" + "\xe9" * 20, "string"),
        (TO_URI, "x:" + "\xe9" * 20, "string_view"),  # Up to 12 bytes fit into the view.
        (FINDINGS, "a b", "string"),
    ],
)
def test_an_array_is_filled_to_the_last_byte_before_another_starts(
    function: _execution.Call, text: str, layout: Any
) -> None:
    answer = function.row(text)
    octets = len("".join(answer))
    for rows_in_one in (1, 2, 3):
        full = rows_in_one * octets
        lengths = [len(part) for part in arrays_of(function, [text] * 6, layout, full)]
        assert lengths == [rows_in_one] * (6 // rows_in_one)
        if rows_in_one > 1:
            part, *_ = arrays_of(function, [text] * 6, layout, full - 1)
            assert len(part) == rows_in_one - 1
    with pytest.raises(OverflowError, match="use large_string"):
        arrays_of(function, [text], layout, octets - 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, untouched memory may be allocated")
@pytest.mark.parametrize(("size", "shared"), [(2**31 - 1, True), (2**31, False)])
def test_string_views_share_an_input_buffer_below_two_gigabytes(size: int, shared: bool) -> None:
    # Only the last page of the mapping is ever allocated.
    octets = mmap.mmap(-1, size)
    text = b"http://example.org/" + b"a" * 20
    octets[size - len(text) :] = text
    places = pa.py_buffer(struct.pack("<2q", size - len(text), size))
    column = pa.Array.from_buffers(pa.large_string(), 1, [None, places, pa.py_buffer(octets)])
    made = columns.to_iri(column, layout="string_view")
    assert made.to_pylist() == [text.decode()]
    [array] = nanoarrow.c_array_stream(made)
    assert (column.buffers()[2].address in array.buffers) == shared


def test_query_params_returns_all_parameters_of_long_queries() -> None:
    # More parameters than rows: the offsets and the bitmap of the values have to grow.
    queries = ["?" + "&".join(["a", "b=1", "c"] * many + ["d=2"]) for many in range(40)]
    for repeats in (1, 30):
        given = ["/", *queries, None] * repeats
        expected = [
            None
            if text is None or "?" not in text
            else [{"key": k, "value": v} for k, v in _components.query_params(text) or ()]
            for text in given
        ]
        for layout in LAYOUTS:
            made = columns.query_params(given, layout=layout)
            assert made.to_pylist() == expected
            table = pa.chunked_array(made)
            table.validate(full=True)
            assert table.to_pylist() == expected


#: Calls each function while its first allocation fails, then its second, until all succeed.
PROGRAM = r"""
import ctypes, sys
import nanoarrow, pyarrow as pa
from uriverse import columns
from uriverse._kernel import columns as kernel, core

malloc = ctypes.CDLL(None)
malloc.fail_after.argtypes = (ctypes.c_long, ctypes.c_long)
malloc.fail_only_for.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
for module in (core, kernel):
    lines = [line for line in open("/proc/self/maps") if module.__file__ in line]
    ends = [int(end, 16) for line in lines for end in line.split()[0].split("-")]
    malloc.fail_only_for(min(ends), max(ends))

TEXTS = ["http://u:p@Example.org:80/%41/café?x=%41&y#z", None, "a b", "", "urn:x:y", "?a=%20&b&c"]
PLAIN = "is_valid port reversed_host origin surt to_uri to_iri decode findings repair"
CALLS = {
    **{name: getattr(columns, name) for name in PLAIN.split()},
    **{
        name: lambda c, name=name: getattr(columns, name)(c, layout=layout)
        for name in ("host", "hostname", "query_params")
    },
    "parse": lambda c: columns.parse(c, fields=[*columns.FIELDS, "bounds"], layout=layout),
    "normalize": lambda c: columns.normalize(c, scheme=True, layout=layout),
    "encode": lambda c: columns.encode(c, "segment", layout=layout),
    "query_param": lambda c: columns.query_param(c, "a"),
    "fingerprint": lambda c: columns.fingerprint(c, "scheme"),
    "resolve": lambda c: columns.resolve("http://a/b", c),
    "relativize": lambda c: columns.relativize(c, "http://a/b"),
    "read": lambda c: pa.chunked_array(columns.parse(c, fields=["bounds", "host"])),
    "read as an array": lambda c: pa.array(columns.query_params(c)),
    "objects": lambda c: columns.parse(c).to_pylist(),
    "next of a stream": lambda c: next_of(columns.parse(c, fields=["bounds", "host"])),
}

def next_of(made):
    # Like a consumer that releases nothing after an error.
    capsule = made.__arrow_c_stream__()
    stream = (ctypes.c_void_p * 5).from_address(address_in(capsule, b"arrow_array_stream"))
    out = (ctypes.c_void_p * 10)()
    if ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(stream[1])(stream, out):
        assert not out[8], "the array is not released"
        raise MemoryError
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(out[8])(out)

address_in = ctypes.pythonapi.PyCapsule_GetPointer
address_in.restype, address_in.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
failed = 0
for layout in ("string", "string_view"):
    texts = pa.array(TEXTS * 20, getattr(pa, layout)())
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([*range(1, len(texts) + 1)]), texts)
    for column in (texts, texts.cast(pa.string()).dictionary_encode(), runs):
        for name, call in CALLS.items():
            call(column)
            before, number = kernel._count_buffers_in_use(), 0
            has_failed = True
            while has_failed:
                is_raised = False
                malloc.fail_after(number, 1)
                try:
                    call(column)
                except MemoryError:
                    is_raised = True
                has_failed = malloc.stop_failing()
                assert is_raised or not has_failed, (name, layout, number)
                assert kernel._count_buffers_in_use() == before, (name, layout, number)
                failed += is_raised
                number += 1
print(failed, flush=True)
"""


@needs_malloc
def test_a_failed_allocation_raises_memory_error_and_leaks_nothing(tmp_path: Path) -> None:
    environment = {"LD_PRELOAD": preloaded(tmp_path), "URIVERSE_KERNEL": "require"}
    ended = run_python("-X", "faulthandler", "-c", PROGRAM, timeout=600, env=environment)
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 500
