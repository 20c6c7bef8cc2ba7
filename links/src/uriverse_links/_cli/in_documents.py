"""Find the destinations in a document, with the positions of their characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from uriverse_links import DocumentFormat, Link, links
from uriverse_links._destinations import Lines

from .placeholders import is_filled_in
from .places import Place
from .running_text import find_places

#: Escapes in any format, and white space that browsers remove. Not every match is an escape: the
#: decoded destination decides.
ESCAPE = re.compile(
    r"(?P<reference>&(?:#[0-9]{1,7}+|#[xX][0-9A-Fa-f]{1,6}+|[A-Za-z][A-Za-z0-9]{1,31}+);?+)"
    r"|\\(?:u(?P<unit>[0-9A-Fa-f]{4})|(?P<number>[0-9A-Fa-f]{1,6}+)[ \t\n\r\f]?+|(?P<itself>[^\n]))"
    r"|(?P<space>[ \t\n\r\f])"
)


def strings_in(
    name: str, text: str, form: DocumentFormat, lines: Lines
) -> Iterator[tuple[str, Place]]:
    """Yield the decoded destinations in a document, with their positions.

    In plain text, strings that are meant as URIs but are invalid are included. Destinations with
    placeholders of templates are not.

    Raises:
        ParseError: the document is malformed.
    """
    if form == "text":
        yield from find_places(name, text)
        return
    for link in links(text, form):
        if not is_filled_in(link):
            yield link.destination, place_of(name, link, lines)


def place_of(name: str, link: Link, lines: Lines) -> Place:
    """Return the position of a destination in a file."""
    place = Place(name, *lines.place(link.start))
    if (moved := moves(link.written, link.destination)) is None:
        return place._replace(end=lines.place(link.end))
    breaks = ((index, *lines.place(link.start + written)) for index, written in moved)
    return place._replace(breaks=tuple(breaks))


def moves(written: str, destination: str) -> list[tuple[int, int]] | None:
    """Find where a destination and its decoded form do not run in parallel.

    Returns:
        The index of each character in the decoded destination that follows an escape, and its index
        in the written one; `None` if they cannot be aligned.
    """
    if written == destination:
        return []
    if destination.endswith(written):  # as in `www.a.example`, a link to `http://www.a.example`
        return [(len(destination) - len(written), 0)]
    found: list[tuple[int, int]] = []
    at = done = 0
    for escape in ESCAPE.finditer(written):
        plain = written[done : escape.start()]
        decoded = decoded_at(escape, destination, at + len(plain))
        if decoded is None or not destination.startswith(plain, at):
            return None
        at, done = at + len(plain) + len(decoded), escape.end()
        if decoded != escape[0]:
            found.append((at, done))
    return found if destination[at:] == written[done:] else None


def decoded_at(escape: re.Match[str], destination: str, index: int) -> str | None:
    """Return the characters for which an escape stands at an index of the decoded destination."""
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
    return next((each for each in candidates if destination.startswith(each, index)), None)
