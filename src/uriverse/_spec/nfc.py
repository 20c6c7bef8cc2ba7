"""Unicode Normalization Form C, in linear time ([RFC 3987, 5.3.2.2][1]).

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from unicodedata import combining, is_normalized, normalize

from .syntax import matches

#: Runs of characters that are data. A combining mark after anything else is drawn on that character
#: but does not compose with it: `=` followed by U+0338 is not `≠`, and a mark after a triplet does
#: not change the triplet's last digit.
RUN = re.compile(r"%[0-9A-Fa-f]{2}|([A-Za-z0-9._~-]|[^\0-\x7f])++")


def nfc(text: str) -> str:
    """Convert a string to Normalization Form C, except for triplets and delimiters."""
    return RUN.sub(lambda run: form_of(run[0]) if run[1] else run[0], text)


def is_nfc(text: str) -> bool:
    """Return whether `nfc` changes nothing."""
    return all(is_normalized("NFC", run[0]) for run in RUN.finditer(text) if run[1])


def form_of(run: str) -> str:
    if is_normalized("NFC", run):
        return run
    return normalize("NFC", "".join(in_canonical_order(run)))


def in_canonical_order(text: str) -> Iterator[str]:
    """Yield the canonical decomposition of a string, with each run of marks sorted by class.

    `normalize` sorts them too, but in time quadratic in the length of a run: seconds for 30,000
    marks. It does not sort what is already in order.
    """
    decomposed = (c for character in text for c in normalize("NFD", character))
    for are_marks, run in groupby(decomposed, key=lambda c: combining(c) > 0):
        characters = list(run)
        yield from sorted(characters, key=combining) if are_marks else characters


def misfit(text: str) -> int:
    """Return the index of the first character whose NFC is ASCII but not unreserved.

    That applies to U+037E, whose form is a semicolon, and U+1FEF, whose form is a grave accent.
    Returns `-1` if there are no such characters.
    """
    for index, character in enumerate(text):
        form = normalize("NFC", character)
        if form != character and form.isascii() and not matches(form, "unreserved"):
            return index
    return -1
