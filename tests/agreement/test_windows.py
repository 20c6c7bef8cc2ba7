"""Every way to glance at a text that this machine has says what reading byte by byte says."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from engines import Engine, both
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts
from walker import mutate, walk

from uriverse import ParseError

CORPORA = Path(
    os.environ.get("URIVERSE_CORPORA") or Path(__file__).resolve().parents[3] / "shared" / "corpora"
)
RULES = ("IRI-reference", "IRI", "URI-reference", "URI")

#: Around the edges of what is read at once: of 16, of 32 and of 64 bytes.
EDGES = (0, 1, 2, 15, 16, 17, 31, 32, 33, *range(61, 67), *range(127, 131))

#: Right texts that go on for ever in each component, and none at all.
ENDLESS = (
    ("", "a"),
    ("a", "1+-."),
    ("a:", "b/"),
    ("//", "h.%41"),
    ("http://u:p@h:80/", "a;b=c/"),
    ("http://h?", "q/?&=%4F"),
    ("//h#", "f/?%2f"),
    ("", "é日𐍈"),
    ("//h/", "/é"),
    ("?", "\ue000"),
)


@pytest.fixture(scope="module", autouse=True)
def kernel() -> Iterator[Engine]:
    _, kernel = both()
    yield kernel
    kernel.module._look(kernel.module._look()[0])


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
    *quick, bytewise = kernel.module._look()
    kernel.module._look(bytewise)
    expected = [opinion(kernel, text) for text in strings]
    for way in quick:
        kernel.module._look(way)
        for text, said in zip(strings, expected, strict=True):
            assert opinion(kernel, text) == said, (way, text)


def endless(start: str, more: str, length: int) -> str:
    """The first characters of a start and of what is repeated after it."""
    return (start + more * length)[:length]


def test_every_code_point_of_a_byte_at_every_edge() -> None:
    for start, more in ENDLESS:
        text = endless(start, more, 140)
        assert_agreed(
            text[:place] + chr(c) + text[place + 1 :] for place in EDGES for c in range(256)
        )


def test_every_code_point_of_a_byte_as_the_last_at_every_edge() -> None:
    for start, more in ENDLESS:
        assert_agreed(endless(start, more, place) + chr(c) for place in EDGES for c in range(256))


def test_texts_of_every_length() -> None:
    assert_agreed(endless(*form, length) for form in ENDLESS for length in range(201))


def test_triplets_across_every_edge() -> None:
    triplets = ("%41", "%fF", "%4", "%", "%%41", "%4g", "%g4", "%41%4", "%41%42", "%:1", "%é")
    assert_agreed(
        endless(start, "a", place) + triplet + end
        for start in ("", "http://a/", "//", "?", "#")
        for place in range(200)
        for triplet in triplets
        for end in ("", "b", "b" * 70)
    )


def test_delimiters_at_every_edge() -> None:
    delimiters = (":", "/", "?", "#", "@", "//", "##", "#?", "?#", ":1", ":1a", "u:p@h:1", "@@")
    assert_agreed(
        endless(start, "a", place) + first + "b" * far + second
        for start in ("", "a://", "//")
        for place in EDGES
        for first, second in product(delimiters, repeat=2)
        for far in (0, 1, 62, 63, 64, 65)
    )


def test_what_the_grammar_produces_and_mutations_of_it() -> None:
    random = Random(3)
    found = [walk(rule, random) for rule in RULES for _ in range(3000)]
    assert_agreed(found)
    assert_agreed(mutate(text, random) for text in found)
    assert_agreed("".join(random.choices(found, k=3)) for _ in range(3000))


@given(texts(), st.integers(0, 70), st.sampled_from(("", "a:", "a://b/", "//", "?", "#")))
def test_any_text_anywhere(text: str, place: int, start: str) -> None:
    assert_agreed([text, start + "a" * place + text, text + "a" * place])


def test_running_texts() -> None:
    if not CORPORA.is_dir():
        pytest.skip(f"no corpora in {CORPORA}; URIVERSE_CORPORA names another")
    read = (path.read_text("utf-8") for path in sorted(CORPORA.glob("*.txt")))
    assert_agreed(dict.fromkeys(line for text in read for line in text.split("\n")))


def glances(kernel: Engine, address: int, n: int) -> list[tuple[int, ...] | None]:
    """What a glance at some memory tells by each rule; `None` where it is not sure."""
    return [kernel.module._glance(address, n, rule) for rule in range(8)]


def test_a_glance_is_sure_of_plain_texts(kernel: Engine) -> None:
    *quick, bytewise = kernel.module._look()
    for form in ENDLESS:
        text = endless(*form, 150).encode()
        text = text.decode(errors="ignore").encode()
        kept = ctypes.create_string_buffer(text, len(text))
        for way in quick:
            kernel.module._look(way)
            sure = kernel.module._glance(ctypes.addressof(kept), len(text), 0)
            # A first component that is longer than a window takes a closer look.
            assert (sure is None) == (form[0] in {"", "a", "//"}), (way, text)
        kernel.module._look(bytewise)
        assert glances(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


def test_a_glance_is_not_sure_of_what_is_no_utf_8(kernel: Engine) -> None:
    for way in kernel.module._look():
        kernel.module._look(way)
        for octets in product((0x80, 0xBF, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xFF, 0x41), repeat=3):
            text = b"http://a/?" + bytes(octets)
            try:
                text.decode()
            except UnicodeDecodeError:
                kept = ctypes.create_string_buffer(text, len(text))
                assert glances(kernel, ctypes.addressof(kept), len(text)) == [None] * 8


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
    for way in kernel.module._look():
        kernel.module._look(way)
        for form in ENDLESS:
            for length in range(201):
                text = endless(*form, length).encode()
                n = len(text)
                ctypes.memmove(elsewhere, text.ljust(256, b"%")[:256], 256)
                expected = glances(kernel, ctypes.addressof(elsewhere), min(n, 256))
                for place in (page, page + mmap.PAGESIZE - n):
                    ctypes.memmove(place, text, n)
                    if n <= 256:
                        assert glances(kernel, place, n) == expected, (way, text)


def test_what_stands_past_a_text_does_not_matter(kernel: Engine) -> None:
    random = Random(8)
    memory = ctypes.create_string_buffer(512)
    for way in kernel.module._look():
        kernel.module._look(way)
        for form in ENDLESS:
            for length in range(150):
                text = endless(*form, length).encode()[:200]
                found = []
                for _ in range(4):
                    memory.raw = text + random.randbytes(512 - len(text))
                    found.append(glances(kernel, ctypes.addressof(memory), len(text)))
                assert found[1:] == found[:-1], (way, text)
