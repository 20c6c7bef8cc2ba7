"""The XXH64 hash function, in pure Python."""

from __future__ import annotations

#: The bit mask for 64-bit integers.
WORD = 0xFFFFFFFFFFFFFFFF

#: The prime constants of XXH64.
PRIMES = (
    0x9E3779B185EBCA87,
    0xC2B2AE3D27D4EB4F,
    0x165667B19E3779F9,
    0x85EBCA77C2B2AE63,
    0x27D4EB2F165667C5,
)


def xxh64(data: bytes) -> int:
    """Return the [XXH64 hash](https://github.com/Cyan4973/xxHash) of octets, with seed 0.

    >>> hex(xxh64(b""))
    '0xef46db3751d8e999'
    """
    one, two, three, four, five = PRIMES
    end = len(data) - len(data) % 32
    if end:
        lanes = [(one + two) & WORD, two, 0, -one & WORD]
        for start in range(0, end, 32):
            for k in range(4):
                at = start + 8 * k
                lanes[k] = stirred(lanes[k], int.from_bytes(data[at : at + 8], "little"))
        turns = (1, 7, 12, 18)
        key = sum(turned(lane, by) for lane, by in zip(lanes, turns, strict=True)) & WORD
        for lane in lanes:
            key = ((key ^ stirred(0, lane)) * one + four) & WORD
    else:
        key = five
    key = (key + len(data)) & WORD
    while len(data) - end >= 8:
        lane = stirred(0, int.from_bytes(data[end : end + 8], "little"))
        key = (turned(key ^ lane, 27) * one + four) & WORD
        end += 8
    if len(data) - end >= 4:
        lane = int.from_bytes(data[end : end + 4], "little") * one & WORD
        key = (turned(key ^ lane, 23) * two + three) & WORD
        end += 4
    for octet in data[end:]:
        key = turned(key ^ (octet * five & WORD), 11) * one & WORD
    key = (key ^ key >> 33) * two & WORD
    key = (key ^ key >> 29) * three & WORD
    return key ^ key >> 32


def stirred(lane: int, word: int) -> int:
    """Mix a 64-bit word into a lane of the hash."""
    return turned((lane + word * PRIMES[1]) & WORD, 31) * PRIMES[0] & WORD


def turned(word: int, by: int) -> int:
    """Rotate a 64-bit word to the left."""
    return (word << by | word >> (64 - by)) & WORD
