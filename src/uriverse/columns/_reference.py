"""Functions and checks of options that several modules of column functions use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriverse._errors import quote_argument
from uriverse._spec.percent import find_surrogate
from uriverse._spec.syntax import matches
from uriverse._uri import IRIReference
from uriverse._uri import engine as _engine

if TYPE_CHECKING:
    from uriverse.suffixes import Suffixes

#: The largest 64-bit integer.
LARGEST = 2**63 - 1


def parse_identifier(string: str) -> IRIReference:
    """Parse a string as the most specific of `URI`, `URIReference`, `IRI` and `IRIReference`."""
    return _engine.parse(string)  # type: ignore[return-value]  # an engine makes the public types


def is_unicode(string: str) -> bool:
    return find_surrogate(string) < 0


def require_unicode(kind: str, name: str) -> None:
    """Reject a name with surrogates, which the result of a column function cannot contain."""
    if not is_unicode(name):
        raise ValueError(f"the name of a {kind} must be valid Unicode, not {quote_argument(name)}")


#: The largest number of names or globs that the kernel compares with a parameter.
MOST_PATTERNS = 64


def check_name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"name must be a str, not {type(value).__name__}")
    return value


def check_added_scheme(value: Any) -> str | None:
    """Check the scheme that `repair` adds; `None` if it adds none."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"scheme must be a str or None, not {type(value).__name__}")
    if not matches(value, "scheme"):
        raise ValueError(f"scheme must be a valid scheme, not {quote_argument(value)}")
    return value


def check_suffix_list(value: Any) -> Suffixes:
    """Check a list of public suffixes; `None` is the list of the package `publicsuffixlist`."""
    from uriverse.hosts import _sites  # late: most programs need no list

    return _sites.check_suffixes(value)


def prepare_suffixes(suffixes: Suffixes) -> tuple[Any, ...] | None:
    from uriverse.hosts import _sites  # late: as above

    table = _sites.get_kernel_table(suffixes)
    return None if table is None else (table,)


def prepare_names(names: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the names in UTF-8.

    Return `None` if the kernel does not compare such names, or so many.
    """
    simple = len(names) <= MOST_PATTERNS and all(map(is_unicode, names))
    return (tuple(name.encode() for name in names),) if simple else None


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
    # Four lanes take 32 octets at once, and are then mixed into the key.
    end = len(data) - len(data) % 32
    if end:
        lanes = [(one + two) & WORD, two, 0, -one & WORD]
        for start in range(0, end, 8):
            lane = start // 8 % 4
            word = int.from_bytes(data[start : start + 8], "little")
            lanes[lane] = mix_word(lanes[lane], word)
        turns = (1, 7, 12, 18)
        key = sum(rotate_word(lane, by) for lane, by in zip(lanes, turns, strict=True)) & WORD
        for lane in lanes:
            key = ((key ^ mix_word(0, lane)) * one + four) & WORD
    else:
        key = five
    key = (key + len(data)) & WORD
    # The last octets are mixed in by 8, by 4, and one by one.
    while len(data) - end >= 8:
        lane = mix_word(0, int.from_bytes(data[end : end + 8], "little"))
        key = (rotate_word(key ^ lane, 27) * one + four) & WORD
        end += 8
    if len(data) - end >= 4:
        lane = int.from_bytes(data[end : end + 4], "little") * one & WORD
        key = (rotate_word(key ^ lane, 23) * two + three) & WORD
        end += 4
    for octet in data[end:]:
        key = rotate_word(key ^ (octet * five & WORD), 11) * one & WORD
    key = (key ^ key >> 33) * two & WORD
    key = (key ^ key >> 29) * three & WORD
    return key ^ key >> 32


def mix_word(lane: int, word: int) -> int:
    return rotate_word((lane + word * PRIMES[1]) & WORD, 31) * PRIMES[0] & WORD


def rotate_word(word: int, by: int) -> int:
    """Rotate a 64-bit word to the left."""
    return (word << by | word >> (64 - by)) & WORD
