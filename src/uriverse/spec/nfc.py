"""Unicode's Normalization Form C, in linear time ([RFC 3987, 5.3.2.2][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from unicodedata import combining, is_normalized, normalize

from .syntax import matches


def nfc(text: str) -> str:
    """A text in Normalization Form C."""
    if is_normalized("NFC", text):
        return text
    return normalize("NFC", "".join(in_canonical_order(text)))


def in_canonical_order(text: str) -> Iterator[str]:
    """The text decomposed, and each run of marks sorted by class.

    `normalize` sorts them too, but in time that is quadratic in the length of a run: seconds
    for 30,000 marks. What is in order already it does not touch.
    """
    decomposed = (c for character in text for c in normalize("NFD", character))
    for are_marks, run in groupby(decomposed, key=lambda c: combining(c) > 0):
        characters = list(run)
        yield from sorted(characters, key=combining) if are_marks else characters


def misfit(text: str) -> int:
    """The index of the first character that no identifier may hold in this form; `-1` if none.

    U+1FEF is one: the form has a grave accent of ASCII for it.
    """
    for index, character in enumerate(text):
        form = normalize("NFC", character)
        if form != character and form.isascii() and not matches(form, "query"):
            return index
    return -1
