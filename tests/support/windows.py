"""Strings that test the edges of the windows that the kernel scans: 16, 32 and 64 bytes."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from random import Random

import pytest
from corpora import CORPORA
from walker import mutate, walk

RULES = ("IRI-reference", "IRI", "URI-reference", "URI")

#: Offsets around the edges of windows.
EDGES = (0, 1, 2, 15, 16, 17, 31, 32, 33, *range(61, 67), *range(127, 131))

#: Valid strings for every component, each as a start and a piece to repeat.
ENDLESS = (
    *(("", "a"), ("a", "1+-."), ("a:", "b/"), ("//", "h.%41"), ("http://u:p@h:80/", "a;b=c/")),
    *(("http://h?", "q/?&=%4F"), ("//h#", "f/?%2f"), ("", "é日𐍈"), ("//h/", "/é"), ("?", "\ue000")),
)


def endless(start: str, more: str, length: int) -> str:
    """Repeat a piece after a start, up to a length."""
    return (start + more * length)[:length]


def code_points_at_edges() -> Iterator[str]:
    for start, more in ENDLESS:
        text = endless(start, more, 140)
        for place, c in product(EDGES, range(256)):
            yield text[:place] + chr(c) + text[place + 1 :]


def last_code_points_at_edges() -> Iterator[str]:
    for form, place, c in product(ENDLESS, EDGES, range(256)):
        yield endless(*form, place) + chr(c)


def lengths() -> Iterator[str]:
    for form, length in product(ENDLESS, range(201)):
        yield endless(*form, length)


def triplets_across_edges() -> Iterator[str]:
    triplets = ("%41", "%fF", "%4", "%", "%%41", "%4g", "%g4", "%41%4", "%41%42", "%:1", "%é")
    starts = ("", "http://a/", "//", "?", "#")
    for start, place, triplet in product(starts, range(200), triplets):
        for end in ("", "b", "b" * 70):
            yield endless(start, "a", place) + triplet + end


def delimiters_at_edges() -> Iterator[str]:
    delimiters = (":", "/", "?", "#", "@", "//", "##", "#?", "?#", ":1", ":1a", "u:p@h:1", "@@")
    for start, place in product(("", "a://", "//"), EDGES):
        for first, second in product(delimiters, repeat=2):
            for far in (0, 1, 62, 63, 64, 65):
                yield endless(start, "a", place) + first + "b" * far + second


@cache  # Generating these strings takes far longer than scanning them.
def walks_and_mutations() -> list[str]:
    random = Random(3)
    found = [walk(rule, random) for rule in RULES for _ in range(3000)]
    mutations = [mutate(text, random) for text in found]
    return [*found, *mutations, *("".join(random.choices(found, k=3)) for _ in range(3000))]


def corpora() -> Iterable[str]:
    """Return every distinct line of the corpora; skip the test if there are no corpora."""
    if not CORPORA.is_dir():
        pytest.skip("needs third-party corpora (URIVERSE_CORPORA=FOLDER)")
    read = (path.read_text("utf-8") for path in sorted(CORPORA.glob("*.txt")))
    return dict.fromkeys(line for text in read for line in text.split("\n"))


FAMILIES: dict[str, Callable[[], Iterable[str]]] = {
    "every code point below 256 at every edge": code_points_at_edges,
    "every code point below 256 as the last at every edge": last_code_points_at_edges,
    "every length": lengths,
    "triplets across every edge": triplets_across_edges,
    "delimiters at every edge": delimiters_at_edges,
    "valid strings and mutations of them": walks_and_mutations,
    "corpora": corpora,
}
