"""Backslash escapes and character references in the text of Markdown (CommonMark 2.4 and 2.5)."""

from __future__ import annotations

import re
from html.entities import html5

PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
ESCAPE = re.compile(rf"\\([{PUNCTUATION}])")
REFERENCE = re.compile(
    r"&(?:#(?:[xX]([0-9a-fA-F]{1,6})|([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]{1,31}));"
)
ENCODED = re.compile(f"{ESCAPE.pattern}|{REFERENCE.pattern}")


def decode_references(text: str) -> str:
    """Decode character references."""
    return REFERENCE.sub(decode_reference, text) if "&" in text else text


def decode_reference(reference: re.Match[str]) -> str:
    """Return the characters that a character reference stands for."""
    hexadecimal, decimal, name = reference.groups()
    if name:
        return html5.get(f"{name};", reference[0])
    number = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if number == 0 or 0xD800 <= number < 0xE000 or number > 0x10FFFF:
        return "\ufffd"
    return chr(number)


def decode_with_places(text: str) -> tuple[str, list[int]]:
    """Decode escapes and character references, and return where each character starts."""
    if "\\" not in text and "&" not in text:
        return text, list(range(len(text) + 1))
    characters: list[str] = []
    places: list[int] = []
    position = 0
    for encoded in ENCODED.finditer(text):
        places.extend(range(position, encoded.start()))
        characters.append(text[position : encoded.start()])
        decoded = encoded[1] or decode_references(encoded[0])
        characters.append(decoded)
        places.extend([encoded.start()] * len(decoded))
        position = encoded.end()
    places.extend(range(position, len(text) + 1))
    return "".join(characters) + text[position:], places
