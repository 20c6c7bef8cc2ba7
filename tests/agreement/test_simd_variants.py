import ctypes
import mmap
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest
from engines import Engine, both
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts
from windows import ENDLESS, FAMILIES, RULES, endless

from uriverse import ParseError, columns


@pytest.fixture(scope="module", autouse=True)
def kernel() -> Iterator[Engine]:
    _, kernel = both()
    yield kernel
    kernel.module._simd_variants(kernel.module._simd_variants()[0])


def results(kernel: Engine, text: str) -> tuple[object, ...]:
    found: list[object] = [kernel.accepts(text)]
    for rule in RULES:
        try:
            found.append(tuple(kernel.types[rule](text)._bounds))
        except ParseError as error:
            found.append((error.component, error.position))
    return tuple(found)


def assert_variants_agree(strings: Iterable[str]) -> None:
    _, kernel = both()
    strings = list(strings)
    *simd, bytewise = kernel.module._simd_variants()
    kernel.module._simd_variants(bytewise)
    expected = [results(kernel, text) for text in strings]
    for variant in simd:
        kernel.module._simd_variants(variant)
        for text, found in zip(strings, expected, strict=True):
            assert results(kernel, text) == found, (variant, text)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_simd_variant_agrees_with_scanning_byte_by_byte(family: str) -> None:
    assert_variants_agree(FAMILIES[family]())


@given(texts(), st.integers(0, 70), st.sampled_from(("", "a:", "a://b/", "//", "?", "#")))
def test_simd_variants_agree_on_any_string_at_any_offset(text: str, place: int, start: str) -> None:
    assert_variants_agree([text, start + "a" * place + text, text + "a" * place])


#: Pieces that normalization or redaction changes or that `check` reports, and pieces like them.
PIECES = (
    *("A", "%41", "/.", "/./b", "/.b", "?a=b", "@", "é", "[::1]", "eyJhbGciOi", "&", "\\"),
    *("a./b", "..", "-", "--", "-.", ".-", "_", ".1", ".com", ".com/", ".c-m", "//", ":80"),
)


FUNCTIONS = (
    *(columns.parse, columns.normalize, columns.redact, columns.decode, columns.display),
    *(columns.is_flagged, columns.findings, partial(columns.is_flagged, profile="strict")),
)


def test_columns_have_the_same_results_with_every_simd_variant(kernel: Engine) -> None:
    strings = [
        start + "a" * place + piece + "b" * (place % 70)
        for start in ("http://", "http://h/", "a:", "")
        for place in (*range(3), *range(14, 18), *range(30, 34), *range(58, 70), *range(122, 134))
        for piece in PIECES
    ]
    found = []
    for variant in kernel.module._simd_variants():
        kernel.module._simd_variants(variant)
        found.append([function(strings).to_pylist() for function in FUNCTIONS])
    assert found[1:] == found[:-1]


def scans(kernel: Engine, address: int, n: int) -> list[tuple[int, ...] | None]:
    """Return the results of the fast scan for each rule; None if the fast scan is not sure."""
    return [kernel.module._fast_scan(address, n, rule) for rule in range(8)]


def test_the_fast_scan_is_sure_of_valid_strings(kernel: Engine) -> None:
    *simd, bytewise = kernel.module._simd_variants()
    for form in ENDLESS:
        text = endless(*form, 150).encode()
        text = text.decode(errors="ignore").encode()
        kept = ctypes.create_string_buffer(text, len(text))
        for variant in simd:
            kernel.module._simd_variants(variant)
            result = kernel.module._fast_scan(ctypes.addressof(kept), len(text), 0)
            # The fast scan is not sure if the first component is longer than a window.
            assert (result is None) == (form[0] in {"", "a", "//"}), (variant, text)
        kernel.module._simd_variants(bytewise)
        assert scans(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


def test_the_fast_scan_is_not_sure_of_invalid_utf_8(kernel: Engine) -> None:
    for variant in kernel.module._simd_variants():
        kernel.module._simd_variants(variant)
        for octets in product((0x80, 0xBF, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xFF, 0x41), repeat=3):
            text = b"http://a/?" + bytes(octets)
            try:
                text.decode()
            except UnicodeDecodeError:
                kept = ctypes.create_string_buffer(text, len(text))
                assert scans(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


@pytest.fixture
def page() -> Iterator[int]:
    """The address of a page of memory between two pages that cannot be read."""
    if sys.platform == "win32":
        pytest.skip("Windows has no mprotect")
    libc: Any = ctypes.CDLL(None, use_errno=True)
    libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    size = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * size)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for guard in (start, start + 2 * size):
        assert libc.mprotect(guard, size, 0) == 0
    yield start + size
    for guard in (start, start + 2 * size):
        assert libc.mprotect(guard, size, mmap.PROT_READ | mmap.PROT_WRITE) == 0


def test_the_fast_scan_never_reads_past_the_end_of_a_string(kernel: Engine, page: int) -> None:
    elsewhere = ctypes.create_string_buffer(256)
    for variant in kernel.module._simd_variants():
        kernel.module._simd_variants(variant)
        for form in ENDLESS:
            for length in range(201):
                text = endless(*form, length).encode()
                n = len(text)
                ctypes.memmove(elsewhere, text.ljust(256, b"%")[:256], 256)
                expected = scans(kernel, ctypes.addressof(elsewhere), min(n, 256))
                for place in (page, page + mmap.PAGESIZE - n):
                    ctypes.memmove(place, text, n)
                    if n <= 256:
                        assert scans(kernel, place, n) == expected, (variant, text)


def test_bytes_after_a_string_do_not_change_the_fast_scan(kernel: Engine) -> None:
    random = Random(8)
    memory = ctypes.create_string_buffer(512)
    for variant in kernel.module._simd_variants():
        kernel.module._simd_variants(variant)
        for form in ENDLESS:
            for length in range(150):
                text = endless(*form, length).encode()[:200]
                found = []
                for _ in range(4):
                    memory.raw = text + random.randbytes(512 - len(text))
                    found.append(scans(kernel, ctypes.addressof(memory), len(text)))
                assert found[1:] == found[:-1], (variant, text)
