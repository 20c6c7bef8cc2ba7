"""Emphasis and strikethrough in Markdown (CommonMark 6.2, GFM 6.5).

Emphasis opens nothing, but its markers end an e-mail address in text: `_a@b.example_` contains the
address `a@b.example`, and `_a@b.example` contains `_a@b.example`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

RUN = re.compile(r"\\.|\*+|_+|~+", re.DOTALL)


class Delimiter:
    """A run of `*`, `_` or `~` that may open or close emphasis."""

    __slots__ = ("character", "closes", "length", "next", "opens", "previous", "start", "stop")

    def __init__(self, character: str, start: int, stop: int, flanking: tuple[bool, bool]) -> None:
        """Keep the span of the run, and whether it can open and close emphasis."""
        self.character = character
        self.start, self.stop = start, stop
        self.length = stop - start
        self.opens, self.closes = flanking
        self.previous: Delimiter | None = None
        self.next: Delimiter | None = None


def is_space(character: str) -> bool:
    """Return whether a character is Unicode white space (CommonMark 2.1)."""
    return character in "\t\n\f\r" or unicodedata.category(character) == "Zs"


def is_punctuation(character: str) -> bool:
    """Return whether a character is a Unicode punctuation character (CommonMark 2.1)."""
    if character < "\x80":
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character)[0] == "P"


def flanking_of(text: str, start: int, stop: int) -> tuple[bool, bool]:
    """Return whether a run of delimiters can open and close emphasis (CommonMark 6.2)."""
    before_at, after_at = start - 1, stop
    if text[start] != "~":
        while before_at > 0 and text[before_at] == "~":
            before_at -= 1
        while after_at < len(text) and text[after_at] == "~":
            after_at += 1
    before = text[before_at] if before_at >= 0 else "\n"
    after = text[after_at] if after_at < len(text) else "\n"
    if text[start] != "~":
        before, after = ("\n" if each == "~" else each for each in (before, after))
    before_mark, after_mark = is_punctuation(before), is_punctuation(after)
    left = not is_space(after) and (not after_mark or is_space(before) or before_mark)
    right = not is_space(before) and (not before_mark or is_space(after) or after_mark)
    if text[start] != "_":
        return left, right
    return left and (not right or before_mark), right and (not left or after_mark)


def markers_in(text: str, spans: Sequence[tuple[int, int]]) -> set[int]:
    """Return the indexes of the characters in the spans that are markers of emphasis."""
    first: Delimiter | None = None
    last: Delimiter | None = None
    for begin, end in spans:
        for run in RUN.finditer(text, begin, end):
            character, (start, stop) = run[0][0], run.span()
            if character == "\\" or (character == "~" and stop - start > 2):
                continue
            delimiter = Delimiter(character, start, stop, flanking_of(text, start, stop))
            delimiter.previous = last
            if last is None:
                first = delimiter
            else:
                last.next = delimiter
            last = delimiter
    return matched_markers(first)


def matched_markers(closer: Delimiter | None) -> set[int]:
    """Match closers with openers (the procedure "process emphasis" of the specification)."""
    markers: set[int] = set()
    bottoms: dict[tuple[int, str], Delimiter | None] = {}
    while closer is not None:
        if not closer.closes:
            closer = closer.next
            continue
        key = closer.length % 3, closer.character
        opener = closer.previous
        while opener is not None and opener is not bottoms.get(key):
            if opener.opens and opener.character == closer.character and may_match(opener, closer):
                break
            opener = opener.previous
        else:
            bottoms[key] = closer.previous
            if not closer.opens:
                remove(closer)
            closer = closer.next
            continue
        closer = match_pair(opener, closer, markers)
    return markers


def may_match(opener: Delimiter, closer: Delimiter) -> bool:
    """Return whether the lengths of two runs allow them to match (rules 9 and 10)."""
    total = opener.length + closer.length
    return not (opener.closes or closer.opens) or closer.length % 3 == 0 or total % 3 != 0


def match_pair(opener: Delimiter, closer: Delimiter, markers: set[int]) -> Delimiter | None:
    """Mark the characters that a pair uses, and return the next possible closer."""
    sizes = opener.stop - opener.start, closer.stop - closer.start
    if closer.character == "~" and sizes[0] != sizes[1]:
        return closer.next
    count = 2 if min(sizes) >= 2 else 1
    markers.update(range(opener.stop - count, opener.stop))
    markers.update(range(closer.start, closer.start + count))
    opener.stop -= count
    closer.start += count
    opener.next, closer.previous = closer, opener
    if opener.start == opener.stop:
        remove(opener)
    if closer.start == closer.stop:
        remove(closer)
        return closer.next
    return closer


def remove(delimiter: Delimiter) -> None:
    """Remove a run from the list of runs."""
    if delimiter.previous is not None:
        delimiter.previous.next = delimiter.next
    if delimiter.next is not None:
        delimiter.next.previous = delimiter.previous
