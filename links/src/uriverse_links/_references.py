"""Character references in attribute values, as the HTML standard decodes them.

The sections are those of https://html.spec.whatwg.org/multipage/parsing.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.entities import html5
from typing import NamedTuple

#: The start of a character reference, and all that may belong to it (13.2.5.72 to 13.2.5.80).
REFERENCE = re.compile(
    r"&(?:#(?:[xX](?P<hex>[0-9A-Fa-f]++)|(?P<decimal>[0-9]++));?|(?P<name>[A-Za-z0-9]++;?))"
)
LONGEST = max(map(len, html5))

#: The characters that numbers for C1 controls stand for (13.2.5.80): those of windows-1252.
CONTROLS = {
    number: bytes([number]).decode("cp1252")
    for number in range(0x80, 0xA0)
    if number not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}
}


def decoded(written: str) -> str:
    """Decode the character references in an attribute value.

    >>> decoded("?a=1&amp;b=2&copy=3&#x26;")
    '?a=1&b=2&copy=3&'
    """
    if "\0" in written:
        written = written.replace("\0", "\ufffd")
    return REFERENCE.sub(replaced, written) if "&" in written else written


def replaced(match: re.Match[str]) -> str:
    """Return the replacement of a match of `REFERENCE`."""
    piece, length = reference(match)
    return piece + match[0][length:]


def reference(match: re.Match[str], *, in_text: bool = False) -> tuple[str, int]:
    """Decode the character reference that a match of `REFERENCE` starts with.

    Args:
        match: a match of `REFERENCE`.
        in_text: whether it is in the text between tags, and not in an attribute.

    Returns:
        The characters that it stands for, and its length as written. If it is not a reference,
        the ampersand itself.
    """
    name = match["name"]
    if not name:
        digits = match["hex"] or match["decimal"]
        return numbered(digits, 16 if match["hex"] else 10), len(match[0])
    # The longest name that matches counts. Without a semicolon, it counts in an attribute only if
    # no letter, digit or "=" follows, because `&copy=1` in a query is a parameter.
    for length in range(min(len(name), LONGEST), 1, -1):
        if found := html5.get(name[:length]):
            end = match.start() + 1 + length
            follows = match.string[end : end + 1]
            is_parameter = follows == "=" or (follows.isascii() and follows.isalnum())
            if is_parameter and name[length - 1] != ";" and not in_text:
                break
            return found, length + 1
    return "&", 1


def numbered(digits: str, base: int) -> str:
    """Return the character that a numeric reference stands for (13.2.5.80)."""
    digits = digits.lstrip("0")
    number = int(digits or "0", base) if len(digits) <= 7 else 0x110000
    if number == 0 or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        return "\ufffd"
    return CONTROLS.get(number) or chr(number)


class Value(NamedTuple):
    """A decoded part of a document.

    Attributes:
        text: the decoded part.
        places: the index in the document of each character, and the index after the last one.
    """

    text: str
    places: Sequence[int]


def value_at(document: str, start: int, end: int, *, in_text: bool = False) -> Value:
    """Decode an attribute value or text, and record where its characters are written."""
    written = document[start:end]
    if "&" not in written:
        return Value(decoded(written), range(start, end + 1))
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    written = written.replace("\0", "\ufffd")
    for match in REFERENCE.finditer(written):
        piece, length = reference(match, in_text=in_text)
        pieces += (written[at : match.start()], piece)
        places += range(start + at, start + match.start())
        places += [start + match.start()] * len(piece)
        at = match.start() + length
    pieces.append(written[at:])
    places += range(start + at, end + 1)
    return Value("".join(pieces), places)
