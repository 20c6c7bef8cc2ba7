"""Find the strings that `uriverse check --from-files` checks, and their positions."""

from __future__ import annotations

from collections.abc import Iterator

from uriverse.diagnosis._extraction import BROKEN, Part, meant_in

from .extracting import parts_in
from .places import Place
from .streams import lines_of, octets_of


def lines_in(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Yield the non-empty lines of a file with their positions, in batches as they arrive."""
    number = 1
    for lines in lines_of(octets_of(name)):
        yield ((text, Place(name, n, 1)) for n, text in enumerate(lines, number) if text)
        number += len(lines)


def found_in(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Find URI candidates in a text file; yield them in batches, with their positions."""
    for part in parts_in(name):
        yield places_in(name, part)


def places_in(name: str, part: Part) -> Iterator[tuple[str, Place]]:
    """Find URI candidates in a part of a file; yield each with its position."""
    at, done = part._replace(text=""), 0
    for found in meant_in(part.text):
        at = at._replace(text=part.text[done : found.start]).followed_by("")
        done = found.start
        breaks = breaks_in(part.text[done : found.end], at) if found.broken else ()
        yield found.text, Place(name, at.line, at.column, tuple(breaks))


def breaks_in(broken: str, at: Part) -> Iterator[tuple[int, int, int]]:
    """Yield the index, the line and the column of the character after each line break in a URI.

    The index counts the characters of the URI without the line breaks.
    """
    done = removed = 0
    for match in BROKEN.finditer(broken):
        at = at._replace(text=broken[done : match.end()]).followed_by("")
        done = match.end()
        removed += len(match[0])
        yield done - removed, at.line, at.column
