"""Find the strings in text files that are meant as URIs, valid or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from uriverse import extract
from uriverse_links._destinations import Lines, after

from .places import Place

SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]*+"

#: A URI between "<" and ">" that may be wrapped over lines (RFC 3986, Appendix C), also in quoted
#: mail, where ">" follows a line break. Wrapping adds only line breaks, so spaces within a line
#: belong to the URI.
BREAK = r"[^\S\r\n]*+(?:\r\n?|\n)[^\S\r\n]*+(?:(?:>[^\S\r\n]*+)++(?=[^\s<>]))?+"
WRAPPED = rf"(?P<wrapped>[^\s<>]++(?:{BREAK}[^\s<>]++)*+)\s*+>"
IN_BRACKETS = re.compile(rf"{WRAPPED}|(?P<line>[^<>\r\n]++)>")
IN_QUOTES = re.compile(r'(?P<line>[^"\r\n]++)"')
BROKEN = re.compile(r"[\s>]+")

#: The start of a URI after "<" or a quotation mark, perhaps after the prefix "URL:".
ENCLOSED = re.compile(
    rf"([<\"])\s*+(?:ur[il]:\s*+)?+(?={SCHEME}://[^\s<>\"]|tel:\+?\(?[0-9]|doi:10\.[0-9]"
    r"|(?:mailto|sips?|acct|xmpp):[^\s<>\"/?#@]{1,200}@\w|urn:[a-z0-9][a-z0-9-]{0,31}:[^\s:])",
    re.IGNORECASE,
)

#: The start of a probable URL, even if a slash is missing or is a backslash.
URL = re.compile(r"(?<![a-z0-9+.\-])(?:https?|wss?|ftp|file):(?=[/\\])", re.IGNORECASE | re.ASCII)

#: The characters of a probable URL.
WORD = re.compile(r"[^\s<>\"`{}]++")

#: Punctuation that ends a clause.
PUNCTUATION = ".,;:!?'…‥–—·،؛؟।"


class Candidate(NamedTuple):
    """A string that may be a URI.

    Attributes:
        start: the index of its first character.
        end: the index after its last character.
        text: the string, without the line breaks that wrapping added.
        is_valid: whether it is a URI or an IRI.
    """

    start: int
    end: int
    text: str
    is_valid: bool


def find_places(name: str, text: str) -> Iterator[tuple[str, Place]]:
    """Yield the strings that are meant as URIs in a file, with their positions."""
    lines = Lines(text)
    for start, end, string, _ in find_candidates(text):
        breaks = find_breaks(text, start, end, lines) if len(string) < end - start else ()
        yield string, Place(name, *lines.place(start), tuple(breaks))


def find_breaks(text: str, start: int, end: int, lines: Lines) -> Iterator[tuple[int, int, int]]:
    """Yield the index, the line and the column of the character after each line break in a URI.

    The index counts the characters of the URI without the line breaks.
    """
    removed = 0
    for gap in BROKEN.finditer(text, start, end):
        removed += len(gap[0])
        yield gap.end() - start - removed, *lines.place(gap.end())


def find_candidates(text: str) -> Iterator[Candidate]:
    r"""Find the strings in running text that are probably meant as URIs, valid or not.

    They are those that `uriverse.extract` finds, and the URLs that it skips because they are
    invalid.

    >>> [found.text for found in find_candidates(r"http://a.example\\@b.example, <http://c d>")]
    ['http://a.example\\\\@b.example', 'http://c d']
    """
    valid = (
        Candidate(start, end, str(value), is_valid=True) for value, start, end in extract(text)
    )
    last: Candidate | None = None
    for candidate in merge(valid, find_enclosed(text), find_urls(text), key=lambda each: each[0]):
        if last is not None and candidate.start < last.end and not candidate.is_valid:
            continue
        if last is not None:
            yield last
        last = candidate
    if last is not None:
        yield last


def find_enclosed(text: str) -> Iterator[Candidate]:
    """Find the strings between "<" and ">", and between quotation marks, that start like a URL."""
    done = 0
    for opening in ENCLOSED.finditer(text):
        if opening.start() >= done and (found := read_enclosed(text, opening.end(), opening[1])):
            done = found.end
            yield found


def find_urls(text: str) -> Iterator[Candidate]:
    """Find the probable URLs."""
    done = 0
    for scheme in URL.finditer(text):
        start = scheme.start()
        if start >= done:
            found = read_enclosed(text, start, text[start - 1 : start])
            if found is None:
                end = done = after(WORD, text, start)
                # A string with braces is a URI template.
                if text[end : end + 1] in {"{", "}"}:
                    continue
                end = trim_end(text, start, end)
                found = Candidate(start, end, text[start:end], is_valid=False)
            done = found.end
            yield found


def read_enclosed(text: str, start: int, opening: str) -> Candidate | None:
    """Return the string between delimiters, whose first character is known."""
    pattern = {"<": IN_BRACKETS, '"': IN_QUOTES}.get(opening)
    enclosed = pattern.match(text, start) if pattern else None
    if enclosed is None:
        return None
    # Without a group of this name, the string is on one line.
    if wrapped := enclosed.groupdict().get("wrapped"):
        string = BROKEN.sub("", wrapped)
        return Candidate(start, start + len(wrapped), string, is_valid=False)
    string = enclosed["line"].rstrip()
    return Candidate(start, start + len(string), string, is_valid=False)


def trim_end(text: str, start: int, end: int) -> int:
    """Return the end of a URL, excluding trailing punctuation and unbalanced parentheses."""
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while (last := text[end - 1]) in PUNCTUATION or last == "(" or (last == ")" and unopened > 0):
        end -= 1
        unopened += (last == "(") - (last == ")")
    return end
