"""Strings and choices that are read from the input of a fuzzer."""

from __future__ import annotations

import json
from random import Random

from walker import mutate, sample

#: Separates the strings of a raw input. UTF-8 never contains this byte.
SEPARATOR = b"\xff"

#: First bytes below this number mark a raw input.
RAW = 64
#: First bytes from `RAW` to this number mark an input of short strings.
SHORT = 128

#: The beginnings and the pieces of short strings.
BEGINNINGS = ("", "s:", "//h", "http://h", "https://h", "s://h/a", "http://[", "?x=1&x")
PIECES = (*"//aA1.:?#@=&;%", "..", "%2f", "é", "::", "[", "]")
LONGEST = 6
LAST_GROUPS = ("1", "0", "ffff", "12345", "1.2.3.4", "1.2.3.256")


class Draws(Random):
    """Random numbers that are read from bytes; 0 after their end.

    Each byte decides one choice, so a small change of the bytes is a small change of the result.

    The first byte chooses the kind of the input. A structured input contains choices, from which
    strings of the grammar are made. Short strings are made of a few pieces. A raw input contains
    strings, and then choices.
    """

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.data = data
        self.at = 1
        self.raw: list[bytes] | None = None
        if data and data[0] < RAW:
            *self.raw, self.data = data[1:].split(SEPARATOR)
            self.at = 0

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of `k` bits, which consumes as few bytes as possible."""
        start = self.at
        self.at += (k + 7) // 8
        return int.from_bytes(self.data[start : self.at], "little") & ((1 << k) - 1)

    def random(self) -> float:
        """Return a number from 0 to 1, which consumes one byte."""
        return self.getrandbits(8) / 256

    def strings(self, *rules: str) -> list[str]:
        """Return one string for each rule of the ABNF.

        In a structured input, the strings match the rules, except for up to two mutations. In
        other inputs, they may be any strings. Short strings often have the same beginning, because
        many bugs need a base and a target with the same authority.
        """
        if self.raw is None and self.data[:1] < bytes([SHORT]):
            beginning = self.choice(BEGINNINGS)
            others = (beginning, beginning, self.choice(BEGINNINGS))
            return [self.short_string(self.choice(others)) for _ in rules]
        if self.raw is None:
            return [sample(rule, self) for rule in rules]
        return [decoded(self.raw.pop(0) if self.raw else self.rest()) for _ in rules]

    def short_string(self, beginning: str) -> str:
        """Return a string of a beginning and a few pieces."""
        if beginning.endswith("["):
            beginning += self.ipv6_address() + "]"
        return beginning + "".join(self.choice(PIECES) for _ in range(self.randrange(LONGEST)))

    def ipv6_address(self) -> str:
        """Return an IPv6 address, which may have too few or too many groups."""
        groups = ["1"] * self.randrange(9) + [self.choice(LAST_GROUPS)]
        at = self.randint(0, len(groups))
        return ":".join(groups[:at]) + self.choice((":", "::")) + ":".join(groups[at:])

    def rest(self) -> bytes:
        """Return the bytes that are not yet used."""
        rest = self.data[self.at :]
        self.at = len(self.data)
        return rest


def changed(data: bytes, random: Random) -> bytes:
    """Return other choices, or a raw input with one changed string, new choices, or both."""
    if not data or data[0] >= RAW or not random.randrange(3):
        return bytes([random.randrange(RAW, 256)]) + random.randbytes(random.choice((16, 64, 256)))
    *strings, choices = data[1:].split(SEPARATOR)
    kind = random.randrange(3)
    if kind < 2 and strings:
        at = random.randrange(len(strings))
        text, other = decoded(strings[at]), decoded(random.choice(strings))
        if random.randrange(2):
            text = other[: random.randint(0, len(other))] + text[random.randint(0, len(text)) :]
        strings[at] = mutate(text, random).encode("utf-8", "surrogatepass")
    if kind > 0:
        kept = choices[: random.randint(0, len(choices))]
        choices = kept + random.randbytes(random.choice((4, 16, 64))).replace(SEPARATOR, b"")
    return data[:1] + SEPARATOR.join([*strings, choices])


def decoded(octets: bytes) -> str:
    """Decode UTF-8. Lone surrogates are accepted, and other octets become surrogate escapes."""
    try:
        return octets.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return octets.decode("utf-8", "surrogateescape")


def seed_input(line: str) -> bytes:
    """Return the raw input that a line of a corpus describes.

    Args:
        line: a JSON array of the strings, and of the bytes of the choices as integers.
    """
    items: list[str | int] = json.loads(line)
    strings = [item.encode("utf-8", "surrogatepass") for item in items if isinstance(item, str)]
    choices = bytes(item for item in items if isinstance(item, int))
    return b"\0" + SEPARATOR.join([*strings, choices])
