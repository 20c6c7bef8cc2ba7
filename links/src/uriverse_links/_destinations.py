"""Destinations as browsers read them from HTML and CSS, and errors for those that do not fit."""

from __future__ import annotations

import re

from uriverse import BuildError

#: The characters that the URL parser of browsers removes from both ends, and everywhere
#: (https://url.spec.whatwg.org/#url-parsing).
ENDS = "".join(map(chr, range(0x21)))
REMOVED = str.maketrans("", "", "\t\n\r")

#: A character that cannot be part of a destination in HTML or CSS.
UNSTABLE = re.compile(r"\A[\x00-\x20]|[\x00-\x20]\Z|[\t\n\r\0]")

#: Matches an empty destination, which some places cannot contain, because nothing loads it.
EMPTY = re.compile(r"\A\Z")


def as_browsers_read(text: str) -> str:
    r"""Return a destination as the URL parser of browsers reads it.

    >>> as_browsers_read(" java\nscript:a ")
    'javascript:a'
    """
    return text.strip(ENDS).translate(REMOVED)


def refuse(pattern: re.Pattern[str], destination: str, place: str) -> None:
    """Raise an error if a destination matches a pattern of what a place cannot contain.

    Raises:
        BuildError: the destination matches. The position is that of the first match.
    """
    if match := pattern.search(destination):
        if character := destination[match.start() : match.start() + 1]:
            reason = f"a destination in {place} cannot contain {character!a} here"
            hint = "percent-encode it"
        else:
            reason, hint = f"a destination in {place} cannot be empty", ""
        raise BuildError(destination, match.start(), "text", "destination", reason, hint)


def stable(destination: str, place: str) -> str:
    """Return the destination, unless browsers would read another one.

    Raises:
        BuildError: browsers remove or replace one of its characters.
    """
    refuse(UNSTABLE, destination, place)
    return destination
