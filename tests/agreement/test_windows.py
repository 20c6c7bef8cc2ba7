"""Every way to glance at a text that this machine has says what reading byte by byte says."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from engines import Engine, both
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts
from windows import ENDLESS, FAMILIES, RULES, endless

from uriverse import ParseError


@pytest.fixture(scope="module", autouse=True)
def kernel() -> Iterator[Engine]:
    _, kernel = both()
    yield kernel
    kernel.module._simd_variants(kernel.module._simd_variants()[0])


def opinion(kernel: Engine, text: str) -> tuple[object, ...]:
    """What each question and each type says: the bounds, or the fault and its place."""
    said: list[object] = [kernel.accepts(text)]
    for rule in RULES:
        try:
            said.append(tuple(kernel.types[rule](text)._bounds))
        except ParseError as error:
            said.append((error.component, error.position))
    return tuple(said)


def assert_agreed(strings: Iterable[str]) -> None:
    _, kernel = both()
    strings = list(strings)
    *quick, bytewise = kernel.module._simd_variants()
    kernel.module._simd_variants(bytewise)
    expected = [opinion(kernel, text) for text in strings]
    for way in quick:
        kernel.module._simd_variants(way)
        for text, said in zip(strings, expected, strict=True):
            assert opinion(kernel, text) == said, (way, text)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_way_agrees_with_reading_byte_by_byte(family: str) -> None:
    assert_agreed(FAMILIES[family]())


@given(texts(), st.integers(0, 70), st.sampled_from(("", "a:", "a://b/", "//", "?", "#")))
def test_any_text_anywhere(text: str, place: int, start: str) -> None:
    assert_agreed([text, start + "a" * place + text, text + "a" * place])


def scans(kernel: Engine, address: int, n: int) -> list[tuple[int, ...] | None]:
    """What a glance at some memory tells by each rule; `None` where it is not sure."""
    return [kernel.module._fast_scan(address, n, rule) for rule in range(8)]


def test_a_glance_is_sure_of_plain_texts(kernel: Engine) -> None:
    *quick, bytewise = kernel.module._simd_variants()
    for form in ENDLESS:
        text = endless(*form, 150).encode()
        text = text.decode(errors="ignore").encode()
        kept = ctypes.create_string_buffer(text, len(text))
        for way in quick:
            kernel.module._simd_variants(way)
            sure = kernel.module._fast_scan(ctypes.addressof(kept), len(text), 0)
            # A first component that is longer than a window takes a closer look.
            assert (sure is None) == (form[0] in {"", "a", "//"}), (way, text)
        kernel.module._simd_variants(bytewise)
        assert scans(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


def test_a_glance_is_not_sure_of_what_is_no_utf_8(kernel: Engine) -> None:
    for way in kernel.module._simd_variants():
        kernel.module._simd_variants(way)
        for octets in product((0x80, 0xBF, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xFF, 0x41), repeat=3):
            text = b"http://a/?" + bytes(octets)
            try:
                text.decode()
            except UnicodeDecodeError:
                kept = ctypes.create_string_buffer(text, len(text))
                assert scans(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


@pytest.fixture
def page() -> Iterator[int]:
    """The address of a page of memory with none that can be read on either side."""
    if sys.platform == "win32":
        pytest.skip("memory is guarded otherwise on Windows")
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


def test_nothing_is_read_past_a_text_that_ends_its_page(kernel: Engine, page: int) -> None:
    elsewhere = ctypes.create_string_buffer(256)
    for way in kernel.module._simd_variants():
        kernel.module._simd_variants(way)
        for form in ENDLESS:
            for length in range(201):
                text = endless(*form, length).encode()
                n = len(text)
                ctypes.memmove(elsewhere, text.ljust(256, b"%")[:256], 256)
                expected = scans(kernel, ctypes.addressof(elsewhere), min(n, 256))
                for place in (page, page + mmap.PAGESIZE - n):
                    ctypes.memmove(place, text, n)
                    if n <= 256:
                        assert scans(kernel, place, n) == expected, (way, text)


def test_what_stands_past_a_text_does_not_matter(kernel: Engine) -> None:
    random = Random(8)
    memory = ctypes.create_string_buffer(512)
    for way in kernel.module._simd_variants():
        kernel.module._simd_variants(way)
        for form in ENDLESS:
            for length in range(150):
                text = endless(*form, length).encode()[:200]
                found = []
                for _ in range(4):
                    memory.raw = text + random.randbytes(512 - len(text))
                    found.append(scans(kernel, ctypes.addressof(memory), len(text)))
                assert found[1:] == found[:-1], (way, text)
