"""Decoded looks at a component, and the way back: data in, text out."""

from __future__ import annotations

from uriverse.percent import decode_bytes

#: What a text stands for: text, or the octets of what is not UTF-8.
Data = str | bytes


def decoded(text: str) -> Data:
    """What a text stands for: text where its octets are UTF-8, else the octets."""
    return text_of(decode_bytes(text))


def text_of(octets: bytes) -> Data:
    """The text that octets are in UTF-8, or the octets where they are not."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets
