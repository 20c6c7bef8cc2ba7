"""Conversion of IRIs to Unicode Normalization Form C ([RFC 3987, 5.3.2.2][1]), in linear time.

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from unicodedata import combining, is_normalized, normalize

from uriverse._lazy import lazy_pattern

from .syntax import matches

#: A percent-encoded triplet, or a run of characters that are data. Only the latter are normalized.
#: A combining mark after a delimiter or a triplet does not compose with it: `=` followed by U+0338
#: does not become `≠`, and a mark after a triplet does not change the last digit of the triplet.
RUN = lazy_pattern(r"%[0-9A-Fa-f]{2}|([A-Za-z0-9._~-]|[^\0-\x7f])++")


def convert_to_nfc(text: str) -> str:
    """Normalize runs of data; percent-encoded characters and delimiters stay."""
    if is_entirely_nfc(text):
        return text
    return RUN.sub(lambda run: normalize_run(run[0]) if run[1] else run[0], text)


def is_nfc(text: str) -> bool:
    """Return whether the runs of data are in NFC: `convert_to_nfc` keeps other characters."""
    return is_entirely_nfc(text) or all(
        is_normalized("NFC", run[0]) for run in RUN.finditer(text) if run[1]
    )


def is_entirely_nfc(text: str) -> bool:
    """Return whether all of a string is in NFC, so that each part of it is in NFC too."""
    return text.isascii() or is_normalized("NFC", text)


def normalize_run(run: str) -> str:
    if is_normalized("NFC", run):
        return run
    return normalize("NFC", "".join(decompose_in_order(run)))


def decompose_in_order(text: str) -> Iterator[str]:
    """Decompose a string into base characters and combining marks, in canonical order.

    `unicodedata.normalize` sorts marks too, but in quadratic time: seconds for a run of 30,000
    marks. It is fast if the marks are already in order.
    """
    decomposed = (c for character in text for c in normalize("NFD", character))
    for are_marks, run in groupby(decomposed, key=lambda c: combining(c) > 0):
        characters = list(run)
        yield from sorted(characters, key=combining) if are_marks else characters


def find_ascii_equivalent(text: str) -> int:
    """Return the index of the first character that NFC makes reserved or invalid ASCII, or -1."""
    for index, character in enumerate(text):
        composed = normalize("NFC", character)
        if composed != character and composed.isascii() and not matches(composed, "unreserved"):
            return index
    return -1
