"""Percent-encoding ([RFC 3986, section 2](https://www.rfc-editor.org/rfc/rfc3986#section-2))."""

from __future__ import annotations

from .syntax import matches, pattern


def pct_encode(octets: bytes) -> str:
    """Each octet as its `pct-encoded` triplet (2.1), the digits in upper case."""
    return "".join(f"%{octet:02X}" for octet in octets)


def encode_text(data: str, rule: str) -> str:
    """Data as it stands in a component: what its rule has no character for, as UTF-8 (2.5).

    A percent sign is data like any other (2.4), and so always encoded.
    """
    if "%" not in data and matches(data, rule):
        return data
    return "".join(c if matches(c, rule) else pct_encode(c.encode()) for c in data)


def encode_octets(data: bytes, rule: str) -> str:
    """As `encode_text`, for octets that are no text."""
    return "".join(
        chr(octet) if octet < 0x80 and matches(chr(octet), rule) else f"%{octet:02X}"
        for octet in data
    )


def pct_decode(text: str) -> bytes:
    """The octets that a text stands for: triplets decoded, all else as UTF-8 (2.1)."""
    octets = bytearray()
    done = 0
    for triplet in pattern("pct-encoded").finditer(text):
        octets += text[done : triplet.start()].encode()
        octets += bytes.fromhex(triplet[0].removeprefix("%"))
        done = triplet.end()
    return bytes(octets + text[done:].encode())
