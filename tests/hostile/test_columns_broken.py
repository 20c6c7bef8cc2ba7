import ctypes
import mmap
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import nanoarrow
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from interpreters import run_python
from platforms import alone_on_this_machine, memory, unix
from tables import EVERY_CALL

from uriverse import _engine, columns
from uriverse.columns import Array, _execution, _selecting
from uriverse.columns._arrow import Column

LAYOUTS = ("string", "large_string", "string_view")

#: Every column function, with one column as its argument.
FUNCTIONS: dict[str, Callable[[Any], Array]] = {
    **{
        name: partial(
            lambda name, words, options, column: getattr(columns, name)(column, *words, **options),
            *(name, words, options),
        )
        for name, (words, options) in EVERY_CALL.items()
    },
    "parse": lambda column: columns.parse(column, fields=[*columns.FIELDS, "bounds"]),
    "fingerprint of a string": columns.fingerprint,
    "normalize": lambda column: columns.normalize(column, scheme=True),
    "to_uri, utf-8": columns.to_uri,
    "to_iri, utf-8": columns.to_iri,
    "resolve": lambda column: columns.resolve("http://a/", column),
    "resolve, base": lambda column: columns.resolve(column, ["//a"] * len(column)),
    "relativize": lambda column: columns.relativize(column, "http://a/"),
}


def with_changed_buffer(kind: Any, before: bytes, after: bytes, *data: bytes) -> Any:
    """Return an array whose offsets or views change after PyArrow has validated them."""
    buffer = bytearray(before)
    rows = len(before) // (16 if kind == pa.string_view() else 4 if kind == pa.string() else 8)
    rows -= kind != pa.string_view()
    array = pa.Array.from_buffers(
        kind, rows, [None, pa.py_buffer(buffer), *map(pa.py_buffer, data)]
    )
    buffer[:] = after
    return array


def with_offsets(code: str, *places: int) -> Any:
    kind = pa.string() if code == "i" else pa.large_string()
    form = f"<{len(places)}{code}"
    return with_changed_buffer(
        kind, bytes(struct.calcsize(form)), struct.pack(form, *places), b"//a/b//c/d//e/f"
    )


def with_view(size: int, buffer: int, place: int, *more: bytes) -> Any:
    view = struct.pack("<i4sii", size, b"//a/", buffer, place)
    return with_changed_buffer(pa.string_view(), bytes(16), view, b"//a/b/c/d/e/f/g/h", *more)


MALFORMED: dict[str, Callable[[], Any]] = {
    f"offsets {code} {places}": partial(with_offsets, code, *places)
    for code in "iq"
    for places in (
        *((0, 10, 5), (0, 10, 5, 15), (0, 20, 15), (0, -1, 15), (0, -(2**31), 15), (10, 0, 15)),
        (0, 2**31 - 1, 15),
    )
}
MALFORMED |= {
    f"view {place}": partial(with_view, *place)
    for place in (
        *((-1, 0, 0), (-(2**31), 0, 0), (18, 0, 0), (17, 0, 1), (13, 0, -1), (13, 0, -(2**31))),
        *((13, 0, 2**31 - 1), (2**31 - 1, 0, 0), (2**31 - 1, 0, 2**31 - 1), (13, 1, 0)),
        *((13, 2, 0), (13, 7, 0), (13, -1, 0), (13, 2**31 - 1, 0), (13, -(2**31), 0)),
    )
}


def assert_malformed(column: Any) -> None:
    for function in FUNCTIONS.values():
        with pytest.raises(ValueError, match=r"invalid Arrow data in the column"):
            function(column)


@pytest.mark.parametrize("malformed", MALFORMED)
def test_rows_outside_their_buffers_raise_value_error(malformed: str) -> None:
    values = MALFORMED[malformed]()
    assert_malformed(values)
    indices = pa.array([*range(len(values))] * 64, pa.int16())
    assert_malformed(pa.DictionaryArray.from_arrays(indices, values, safe=False))


@pytest.mark.parametrize("code", ["i", "q"])
@pytest.mark.parametrize("places", [(-1, 5, 15), (0, 5, -1), (0, 5, -(2**31))])
def test_negative_first_or_last_offsets_raise_value_error(code: str, places: tuple[int]) -> None:
    assert_malformed(with_offsets(code, *places))


@pytest.mark.parametrize("malformed", MALFORMED)
def test_a_malformed_row_is_ignored_if_it_is_null(malformed: str) -> None:
    values = MALFORMED[malformed]()
    _, places, *data = values.buffers()
    buffer = bytearray(places.size)
    buffers = [pa.py_buffer(b"\0"), pa.py_buffer(buffer), *data]
    array = pa.Array.from_buffers(values.type, len(values), buffers)
    buffer[:] = places.to_pybytes()
    for function in (FUNCTIONS["host"], FUNCTIONS["relativize"]):
        assert function(array).to_pylist() == [None] * len(values)


@pytest.mark.parametrize(
    ("kind", "index"),
    [
        *((pa.int8(), -1), (pa.int8(), 2), (pa.int8(), 127), (pa.uint8(), 255)),
        *((pa.int16(), -(2**15)), (pa.uint16(), 2**16 - 1), (pa.int32(), -(2**31))),
        *((pa.uint32(), 2**32 - 1), (pa.int64(), -1), (pa.int64(), 2**63 - 1)),
        *((pa.int64(), -(2**63)), (pa.uint64(), 2**64 - 1), (pa.uint64(), 2**63)),
    ],
    ids=str,
)
def test_an_index_outside_the_dictionary_raises_value_error(kind: Any, index: int) -> None:
    indices = pa.array([0, 1, index], kind)
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["//a", "//b"]), safe=False)
    assert_malformed(column)
    assert columns.host(column.slice(0, 2)).to_pylist() == ["a", "b"]


def test_a_struct_longer_than_its_field_raises_value_error() -> None:
    texts = nanoarrow.c_array(["//a"], nanoarrow.string())
    make: Any = nanoarrow.c_array_from_buffers
    kind, options = nanoarrow.struct({"x": nanoarrow.string()}), {"validation_level": "none"}
    table = make(kind, 100_000, [None], 0, children=[texts], **options)
    for function in (columns.host, columns.is_valid, columns.parse):
        with pytest.raises(ValueError, match=r"invalid Arrow data in the column"):
            function(table)


#: Byte sequences that are not valid UTF-8.
INVALID_UTF8 = (
    *(b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc3", b"\xe0\x80\x80", b"\xe0\x9f\xbf"),
    b"\xe2",
    *(b"\xe2\x82", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf0\x80\x80\x80", b"\xf0\x8f\xbf\xbf"),
    *(b"\xf0\x9f", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xfe", b"\xff"),
)
TEMPLATES = (b"%s", b"http://a/%s", b"x://a/\xc3\xa9%s", b"//%s", b"?x=%s", b"%s:", b"a%sb?x=\xf0")


def rows_with_invalid_utf8() -> list[bytes]:
    return [place.replace(b"%s", wrong) for place in TEMPLATES for wrong in INVALID_UTF8]


# The reasons of `decision` name the first octet.
@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {"decision"}))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_invalid_utf_8_is_handled_like_surrogate_escapes(layout: str, name: str) -> None:
    rows = rows_with_invalid_utf8()
    binary = getattr(pa, layout.replace("string", "binary"))()
    column = pa.array(rows, binary).view(getattr(pa, layout)())
    texts = [row.decode(errors="surrogateescape") for row in rows]
    made = FUNCTIONS[name](column)
    if name != "findings":
        # Strings in the result are valid UTF-8.
        pa.chunked_array(made).validate(full=True)
    assert made.to_pylist() == FUNCTIONS[name](texts).to_pylist()


def test_parse_reports_the_position_of_invalid_utf_8() -> None:
    column = pa.array(rows_with_invalid_utf8(), pa.binary()).view(pa.string())
    parsed = columns.parse(column, fields=["error", "error_position"]).to_pylist()
    for row, result in zip(rows_with_invalid_utf8(), parsed, strict=True):
        text = row.decode(errors="surrogateescape")
        place = next(k for k, character in enumerate(text) if "\udc80" <= character <= "\udcff")
        assert result["error_position"] == place
    assert columns.is_valid(column).to_pylist() == [False] * len(column)
    assert columns.fingerprint(column).to_pylist() == [None] * len(column)


# --- rows at the end of readable memory


class Page:
    """A page of memory, followed by a page that cannot be read."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        libc = ctypes.CDLL(None, use_errno=True)
        behind = ctypes.c_void_p(self.start + mmap.PAGESIZE)
        assert libc.mprotect(behind, mmap.PAGESIZE, 0) == 0, ctypes.get_errno()

    def buffer_at_the_end(self, data: bytes) -> Any:
        place = mmap.PAGESIZE - len(data)
        self.memory[place : mmap.PAGESIZE] = data
        return pa.foreign_buffer(self.start + place, len(data), self)


ENDS = (
    *("", "a", "http:", "http:/", "http://", "http://a", "http://a:", "http://a:8", "//[", "//[:"),
    *("//[::1", "//[::1]", "//[v1.", "//1.2.3.4", "//1.2.3.", "//1.2.3.4:", "%", "%4", "%41", "?"),
    *("?%", "?x=%4", "?x=%41", "#", "#%C3%A9", "%c3%a", "/..", "/.", "/a/..", "\xe9", "\U0001f600"),
    *("//localhost", "file://localhost", "file:", "urn:", "?x", "?x=", "?x=1&", "?&", "//xn--"),
    *("//u@", "//u:p@", "http://a:0080", "http://A.B.", "//[1:2:3:4:5:6:7:8]", "a" * 63, "a" * 64),
    *("a" * 65, "http://a/" + "a" * 55, "http://a/" + "a" * 56, "http://a/" + "\xe9" * 60),
)


def column_at_the_end(pages: list[Page], text: str, layout: str) -> Any:
    """Return a column of one row, whose buffers end where memory cannot be read."""
    data = text.encode()
    if layout == "string_view":
        view = struct.pack("<i12s", len(data), data)
        if len(data) > 12:
            view = struct.pack("<i4sii", len(data), data[:4], 0, 0)
        buffers = [pages[0].buffer_at_the_end(view), pages[1].buffer_at_the_end(data)]
    else:
        code = "i" if layout == "string" else "q"
        places = struct.pack(f"<2{code}", 0, len(data))
        buffers = [pages[0].buffer_at_the_end(places), pages[1].buffer_at_the_end(data)]
    bits = pages[2].buffer_at_the_end(b"\x01")
    return pa.Array.from_buffers(getattr(pa, layout)(), 1, [bits, *buffers])


@unix
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mprotect")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_column_functions_never_read_past_the_last_row(layout: str) -> None:
    pages = [Page() for _ in range(3)]
    for text in ENDS:
        column = column_at_the_end(pages, text, layout)
        for name, function in FUNCTIONS.items():
            assert function(column).to_pylist() == function([text]).to_pylist(), (name, text)


#: Functions with one string for all rows, which is the last input of some of them.
FUNCTIONS_OF_A_STRING: tuple[Callable[[Any, Any], Array], ...] = (
    lambda column, text: columns.expand("{+a}{+b}", {"a": column, "b": text}),
    lambda column, text: columns.expand("{+b}{+a}", {"b": text, "a": column}),
    lambda column, text: columns.resolve(text, column),
    *(columns.relativize, columns.is_same_origin, columns.is_same_site),
    lambda column, text: columns.select(column, {"x": columns.uri.resolve(text)}),
)


@unix
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mprotect")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_column_functions_never_read_past_a_string_for_all_rows(
    layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [Page() for _ in range(3)]
    text, rows = "http://a/", ["http://a/b", None, "c"] * 2000
    expected = [function(rows, text).to_pylist() for function in FUNCTIONS_OF_A_STRING]

    def import_input(source: Any) -> tuple[Column, bool]:
        repeated = isinstance(source, str)
        return Column(column_at_the_end(pages, source, layout) if repeated else source), repeated

    for module in (_execution, _selecting):
        monkeypatch.setattr(module, "import_input", import_input)
    for function, results in zip(FUNCTIONS_OF_A_STRING, expected, strict=True):
        assert function(pa.array(rows, getattr(pa, layout)()), text).to_pylist() == results


def test_an_error_in_a_row_propagates_and_later_calls_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(Exception):
        pass

    def stop(*arguments: Any) -> Any:
        raise error

    from uriverse.columns import _checks, _components, _conversions

    column = pa.chunked_array([["http://a/", "a b"] * 50, ["mailto://\xe9@\xe9?x=%ff"] * 50])
    before = columns.findings(column).to_pylist()
    for error in (KeyboardInterrupt(), StoppedError(), MemoryError()):
        with monkeypatch.context() as patch:
            patch.setattr(_checks, "check", stop)
            for threads in (1, 2):
                with pytest.raises(type(error)):
                    columns.findings(column, threads=threads)
            patch.setattr(_components, "parse_identifier", stop)
            patch.setattr(_conversions, "parse_identifier", stop)
            with pytest.raises(type(error)):
                columns.query_params(column)
            with pytest.raises(type(error)):
                columns.to_uri(column, host="idna")
    assert columns.findings(column).to_pylist() == before


@unix
def test_ctrl_c_interrupts_column_functions() -> None:
    program = """
import os, signal, threading
from uriverse import columns
texts = ["a b", "http://a/"] * 20_000
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        columns.findings(texts, threads=2)
except KeyboardInterrupt:
    assert columns.host(["//a"]).to_pylist() == ["a"]
    print("ended", flush=True)
os._exit(0)
"""
    ended = run_python("-c", program, timeout=120)
    assert ended.stdout == "ended\n", ended.stderr


@pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")
def test_scheme_rules_are_loaded_before_threads_start() -> None:
    program = """
import time
import pyarrow as pa
from uriverse import columns
from uriverse.schemes import _normalization
calls = []
def slowly(rules=_normalization.list_kernel_rules):
    calls.append(1)
    time.sleep(0.002 * len(calls))
    return rules()
_normalization.list_kernel_rules = slowly
column = pa.array(["http://a:80/b", "ftp://a:21", "news:c", "https://h:443"] * 100_000)
first = pa.chunked_array(columns.normalize(column, scheme=True, threads=8))
assert first.equals(pa.chunked_array(columns.normalize(column, scheme=True, threads=1)))
assert calls == [1]
"""
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program], timeout=120, check=True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
def test_repeated_calls_do_not_leak_memory() -> None:
    resource = pytest.importorskip("resource", reason="needs resource usage of Unix")
    text = "http://Example.org/" + "\xe9" * 50 + "?x=%41&y=" + "b" * 50
    column = pa.array([text, None, "a b"] * (200 if _engine.compiled else 4))
    malformed = with_offsets("i", 0, 10, 5, 15)

    def call_all_functions() -> None:
        for function in FUNCTIONS.values():
            pa.chunked_array(function(column))
            function(column).__arrow_c_stream__()
            with suppress(ValueError):
                function(malformed)

    for _ in range(20):
        call_all_functions()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):
        call_all_functions()
    # A call allocates 100 kB or more. Leaking a tenth of that would exceed the limit ten times.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


MEMORY = memory()


@pytest.fixture
def alone() -> Iterator[None]:
    """Run one such test at a time, even in several processes: each uses most of the memory."""
    with alone_on_this_machine("uriverse-too-long"):
        yield


@pytest.mark.extended
@pytest.mark.skipif(MEMORY < 16 * 2**30, reason="needs 16 GB of memory (on another machine)")
@pytest.mark.skipif(not _engine.compiled, reason="takes minutes without the kernel")
@pytest.mark.xdist_group("too long")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_column_of_more_than_2_gb_is_returned_whole(layout: Any, alone: None) -> None:
    row = b"http://a/" + b"b" * (2**20 - 9)
    rows = 2**11 + 2
    offsets = struct.pack(f"<{rows + 1}q", *range(0, len(row) * (rows + 1), len(row)))
    column = pa.Array.from_buffers(
        pa.large_string(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(row * rows)]
    )
    made = columns.to_iri(column, layout=layout)
    del column
    read = pa.chunked_array(made)
    assert made.chunks == (1 if layout == "large_string" else 2)
    assert (len(made), len(read)) == (rows, rows)
    expected = row.decode()
    for chunk in read.chunks:
        chunk.validate()
        for k in (0, 1, len(chunk) // 2, len(chunk) - 1):
            assert chunk[k].as_py() == expected
        if layout != "string_view":
            assert pc.all(pc.equal(pc.binary_length(chunk), len(row))).as_py()


@pytest.mark.extended
@pytest.mark.skipif(MEMORY < 16 * 2**30, reason="needs 16 GB of memory (on another machine)")
@pytest.mark.skipif(not _engine.compiled, reason="takes minutes without the kernel")
@pytest.mark.xdist_group("too long")
def test_a_string_of_2_gb_raises_overflow_error_in_32_bit_layouts(alone: None) -> None:
    text = b"a" * 2**31
    offsets = struct.pack("<3q", 0, 1, 2**31)
    column = pa.Array.from_buffers(
        pa.large_string(), 2, [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    ).slice(1)
    small: tuple[Any, ...] = ("string", "string_view")
    for layout in small:
        # A string one byte shorter than the limit is accepted.
        assert len(columns.encode(column, "path", layout=layout)) == 1
    column = pa.Array.from_buffers(
        pa.large_string(), 1, [None, pa.py_buffer(struct.pack("<2q", 0, 2**31)), pa.py_buffer(text)]
    )
    for layout in small:
        with pytest.raises(OverflowError, match="use large_string"):
            columns.encode(column, "path", layout=layout)
    [result] = columns.parse(column, fields=["error", "error_position"]).to_pylist()
    assert result == {"error": "text", "error_position": 2**31 - 1}
