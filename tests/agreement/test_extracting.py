from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from amounts import scaled
from engines import both
from hypothesis import given
from hypothesis import strategies as st

from uriverse.diagnosis import _extraction

#: Parts of running text with URIs, delimiters, and prefixes.
PIECES = (
    *("http://", "https://", "http:", "://", "//", "http://a.b", "/d", "?q=1", "#f", "%41", "%"),
    *("a", "b.c", "1", "-", "_", "x", "=", "&", "~", "[", "]", "{", "}", "\\", "^", "`", "@"),
    *(" ", "  ", "\n", "\r", "\t", "\x1c", "\x00", "> ", '"', "<", ">", "(", ")", "'", "*", "|"),
    *(",", ";", ".", "!", "?", ":", "...", "URL:", "url: ", "uri:", "mailto:a@b.c", "mailto:"),
    *("urn:isbn:123", "urn:", "data:,x", "tel:+1", "12:30", "file:///x", "é", "“", "’", "日"),
    *("\u00a0", "\u200b", "。", "\u017f", "\u212a", "\u0131", "\U0001f600", "\ud800"),
    *("\u0085", "\u3000", "）", "「", "…", "‘", "http://例", "\u0661", "É", "ǅ", "\u200f", "です"),
)


@pytest.fixture(autouse=True, scope="module")
def kernel_in_use() -> Iterator[None]:
    """Let the module under test use the kernel, even if it is not the running engine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_extraction, "kernel", both()[1].module)
        yield


def assert_found_alike(text: str) -> None:
    found = _extraction.find_uris_by_kernel(text)
    taken = [t for t in _extraction.find_candidate_uris(text) if t.value is not None]
    expected = [(type(t.value).__name__, t.text, t.start, t.end) for t in taken]
    assert [(type(f.value).__name__, str(f.value), *f[1:]) for f in found] == expected, text


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_kernel_finds_the_same_uris_in_joined_pieces(text: str) -> None:
    assert_found_alike(text)


@pytest.mark.parametrize(
    "text",
    [
        *('"http://;http://a b"', "<http://;http://例え.jp」|x>"),
        *("(http://a.b)@c", "(http://a.b)。c"),
        *("[x](http://a/(b)).", "(http://a/(b(c)))", "*http://a.b*"),
        *("|http://a.b/c|", "('http://a')"),
        *("<http://a/b>", "<http://a/é>", "<http://a/\n> b>"),
        *("詳しくはhttp://a/bをご覧。", "éhttp://a/"),
        *("http://a/b’s c", "‘http://a/b’ c", "http://a.b」c"),
        *("http://a.b。c", "ſ://a K://a http://a"),
    ],
)
def test_kernel_finds_the_same_uris_next_to_delimiters(text: str) -> None:
    assert_found_alike(text)


def test_kernel_finds_the_same_uris_in_random_text() -> None:
    random = Random(31)
    for _ in range(scaled(10_000)):
        assert_found_alike("".join(random.choices(PIECES, k=random.randrange(1, 14))))


def test_kernel_finds_the_same_uris_before_and_after_every_pair_of_characters() -> None:
    characters = [chr(code) for code in range(0x80)] + list("é\u00a0’。\u200b\ud800")
    for first, second in product(characters, repeat=2):
        assert_found_alike(f"{first}{second}http://a{first}{second}")
    for character in characters:
        assert_found_alike(f"{character}http://a/b{character}c")
        assert_found_alike(f'"http://a/{character}" http:{character}//a x{character}://a')


@pytest.mark.parametrize("length", range(495, 505))
@pytest.mark.parametrize("end", ["", " ", "^", '"', "\u00a0", ".", "://x"])
def test_kernel_finds_the_same_uri_if_it_is_as_long_as_a_run(length: int, end: str) -> None:
    assert_found_alike("http://a/".ljust(length, "b") + end)
