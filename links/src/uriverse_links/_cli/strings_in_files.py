"""The strings that `check` reads from files, and their positions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from heapq import merge
from html import unescape
from operator import attrgetter, itemgetter
from typing import NamedTuple

from uriverse import extract
from uriverse_links import DocumentFormat, Link, links
from uriverse_links._destinations import Lines, skip_pattern

from .output import escape_controls


class Location(NamedTuple):
    """The position of a string in a file; lines and columns count from 1.

    A URI in running text may be broken over several lines, and a destination in a document may
    contain escapes. Then `breaks` has an entry for each character that does not directly follow
    the one before it: its index in the URI, its line and its column.

    If only the position of the whole string is known, `end` is the line and the column after it.
    """

    file: str
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()
    end: tuple[int, int] | None = None

    def __str__(self) -> str:
        # A file name can contain line breaks and escape sequences of a terminal.
        return f"{escape_controls(self.file)}:{self.line}:{self.column}"

    def locate_index(self, index: int) -> Location:
        if self.end:
            return Location(self.file, self.line, self.column)
        break_count = bisect_right(self.breaks, index, key=itemgetter(0))
        if break_count == 0:
            return Location(self.file, self.line, self.column + index)
        line_start, line, column = self.breaks[break_count - 1]
        return Location(self.file, line, column + index - line_start)

    def locate_span(self, start: int, end: int) -> tuple[Location, Location]:
        """Return the positions in the file of the first character of a span, and after the last."""
        if self.end:
            return self.locate_index(0), Location(self.file, *self.end)
        last, after = self.locate_index(max(start, end - 1)), self.locate_index(end)
        # The next character may be on another line.
        if end > start and after.line != last.line:
            after = last._replace(column=last.column + 1)
        return self.locate_index(start), after


#: A placeholder, such as `{{ url }}`, `${url}` or `<%= url %>`. Quotation marks in it may end the
#: destination.
PLACEHOLDER = re.compile(r"\{[{%]|\$\{|<%")

#: A placeholder, or a name in braces, such as `{id}`.
DESTINATION_PLACEHOLDER = re.compile(r"\{[{%]|\$\{|<%|\{[^{}]*+\}")


def has_placeholder(link: Link) -> bool:
    return DESTINATION_PLACEHOLDER.search(link.destination) is not None


#: Escapes in any format, and white space that browsers remove. Not every match is an escape: the
#: decoded destination decides.
ESCAPE = re.compile(
    r"(?P<reference>&(?:#[0-9]{1,7}+|#[xX][0-9A-Fa-f]{1,6}+|[A-Za-z][A-Za-z0-9]{1,31}+);?+)"
    r"|\\(?:u(?P<unit>[0-9A-Fa-f]{4})|(?P<number>[0-9A-Fa-f]{1,6}+)[ \t\n\r\f]?+|(?P<itself>[^\n]))"
    r"|(?P<space>[ \t\n\r\f])"
)


def list_strings(
    name: str, text: str, document_format: DocumentFormat, lines: Lines
) -> Iterator[tuple[str, Location]]:
    """Yield the decoded destinations in a document, with their positions.

    In plain text, they include invalid strings that are meant as URIs.
    """
    if document_format == "text":
        yield from locate_candidates(name, text)
        return
    for link in links(text, document_format):
        if not has_placeholder(link):
            yield link.destination, locate_link(name, link, lines)


def locate_link(name: str, link: Link, lines: Lines) -> Location:
    location = Location(name, *lines.locate(link.start))
    if (alignment := align_escapes(link.written, link.destination)) is None:
        return location._replace(end=lines.locate(link.end))
    breaks = (
        (index, *lines.locate(link.start + source_index)) for index, source_index in alignment
    )
    return location._replace(breaks=tuple(breaks))


def align_escapes(source: str, destination: str) -> list[tuple[int, int]] | None:
    """Return the index in a destination, and in its source, of each character after an escape.

    From there to the next such character, both strings are equal. Return `None` if `destination` is
    not `source` with its escapes decoded.
    """
    if source == destination:
        return []
    if destination.endswith(source):  # as in `www.a.example`, a link to `http://www.a.example`
        return [(len(destination) - len(source), 0)]
    alignment: list[tuple[int, int]] = []
    index = source_index = 0
    for escape in ESCAPE.finditer(source):
        plain_text = source[source_index : escape.start()]
        escape_index = index + len(plain_text)
        decoded = decode_escape_sequence(escape, destination, escape_index)
        if decoded is None or not destination.startswith(plain_text, index):
            return None
        index, source_index = escape_index + len(decoded), escape.end()
        # Not every match is an escape.
        if decoded != escape[0]:
            alignment.append((index, source_index))
    return alignment if destination[index:] == source[source_index:] else None


def decode_escape_sequence(escape: re.Match[str], destination: str, index: int) -> str | None:
    candidates = [escape[0]]
    match escape.lastgroup:
        case "reference":
            candidates.insert(0, unescape(escape[0]))
        case "unit":
            candidates.insert(0, chr(int(escape["unit"], 16)))
        case "number":
            code_point = int(escape["number"], 16)
            candidates[:0] = [chr(code_point)] if code_point <= 0x10FFFF else []
        case "itself":
            candidates.insert(0, escape["itself"])
        case _:  # white space
            candidates.append("")
    return next(
        (candidate for candidate in candidates if destination.startswith(candidate, index)), None
    )


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
    start: int
    end: int
    text: str
    is_valid: bool


def locate_candidates(name: str, text: str) -> Iterator[tuple[str, Location]]:
    lines = Lines(text)
    for start, end, string, _ in find_uri_candidates(text):
        breaks = locate_breaks(text, start, end, lines) if len(string) < end - start else ()
        yield string, Location(name, *lines.locate(start), tuple(breaks))


def locate_breaks(text: str, start: int, end: int, lines: Lines) -> Iterator[tuple[int, int, int]]:
    """Yield the index in a URI, the line and the column of each character after a line break."""
    removed = 0
    for gap in BROKEN.finditer(text, start, end):
        removed += len(gap[0])
        yield gap.end() - start - removed, *lines.locate(gap.end())


def find_uri_candidates(text: str) -> Iterator[Candidate]:
    """Find the URIs that `uriverse.extract` finds, and those that it skips as invalid."""
    valid = (
        Candidate(start, end, str(value), is_valid=True) for value, start, end in extract(text)
    )
    last_end = 0
    for candidate in merge(valid, find_enclosed(text), find_urls(text), key=attrgetter("start")):
        # An invalid candidate that starts in another one is a part of it.
        if candidate.is_valid or candidate.start >= last_end:
            yield candidate
            last_end = candidate.end


def find_enclosed(text: str) -> Iterator[Candidate]:
    """Find the strings between "<" and ">", and between quotation marks, that start like a URL."""
    last_end = 0
    for opening in ENCLOSED.finditer(text):
        if opening.start() >= last_end and (
            candidate := read_enclosed(text, opening.end(), opening[1])
        ):
            last_end = candidate.end
            yield candidate


def find_urls(text: str) -> Iterator[Candidate]:
    last_end = 0
    for scheme in URL.finditer(text):
        start = scheme.start()
        if start < last_end:
            continue
        character_before = text[start - 1 : start]
        candidate = read_enclosed(text, start, character_before)
        if candidate is None:
            end = last_end = skip_pattern(WORD, text, start)
            # A string with braces is a URI template.
            if text.startswith(("{", "}"), end):
                continue
            end = trim_end(text, start, end)
            candidate = Candidate(start, end, text[start:end], is_valid=False)
        last_end = candidate.end
        yield candidate


def read_enclosed(text: str, start: int, opening: str) -> Candidate | None:
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
    """Return the end of a URL in a sentence, without the punctuation after it.

    A closing parenthesis belongs to the URL if the opening one does.
    """
    extra_parentheses = text.count(")", start, end) - text.count("(", start, end)
    while True:
        last = text[end - 1]
        if last == "(":
            extra_parentheses += 1
        elif last == ")" and extra_parentheses > 0:
            extra_parentheses -= 1
        elif last not in PUNCTUATION:
            return end
        end -= 1
