"""`extract` finds valid URIs at exact positions in any string, also if it arrives in pieces."""

from __future__ import annotations

import re

from draws import Draws
from walker import mutate, walk

from uriverse import IRI, extract, parse
from uriverse.diagnosis._extraction import divide_input, find_uris

AROUND = (*' ()<>".,\n!?a\u300c\u3002', "\n> ", "URL:")


def check(data: bytes) -> None:
    """Extract URIs from one text of prose, delimiters and URIs."""
    draws = Draws(data)
    (text,) = draws.strings("IRI")
    for _ in range(draws.randrange(4)):
        piece = walk("IRI", draws) if draws.randrange(2) else draws.choice(AROUND)
        text += draws.choice(AROUND) + mutate(piece, draws) + draws.choice(AROUND)
    done = 0
    found = list(extract(text))
    for value, start, end in found:
        assert done <= start < end <= len(text)
        assert isinstance(value, IRI)
        assert parse(str(value)) == value
        taken = text[start:end]
        assert str(value) in {taken, re.sub(r"[\s>]", "", taken)}
        done = end
    cut = draws.randint(0, len(text))
    pieces = divide_input([text[:cut], text[cut:]])
    assert [
        (value, part.start + start, part.start + end)
        for part in pieces
        for value, start, end in find_uris(part.text)
    ] == [(value, start, end) for value, start, end in found]
