"""The kinds of characters that findings concern, and the differences that are due to each kind.

A kind is defined by characters alone, without `uriverse.check`, so that it can show which
differences the findings miss. A difference between two parsers is due to a kind if the parsers find
the same host and port after the characters of the kind are replaced.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from itertools import combinations
from typing import NamedTuple

from compare_conformance.uncounted import UNCOUNTED
from uriverse_compare import Comparison, Parser, Target
from uriverse_compare._comparison import find_target


class Kind(NamedTuple):
    """A kind of characters.

    Attributes:
        title: the characters in a few words.
        change: what replaces them.
        codes: the findings that concern them. Each finding has one kind.
        neutral: returns a string without these characters.
    """

    title: str
    change: str
    codes: tuple[str, ...]
    neutral: Callable[[str], str]


def replaced(pattern: str, by: str = "a") -> Callable[[str], str]:
    """Return a function that replaces all matches of a pattern."""
    return lambda text: re.sub(pattern, by, text)


def of_categories(*prefixes: str) -> Callable[[str], str]:
    """Return a function that replaces the characters of Unicode categories with the letter a."""
    return lambda text: "".join(
        "a" if unicodedata.category(character).startswith(prefixes) else character
        for character in text
    )


def past_ascii(text: str) -> str:
    return "".join(
        character if character.isascii() or of_categories("Cc", "Z")(character) == "a" else "a"
        for character in text
    )


def with_http(text: str) -> str:
    """Write "http" in place of everything before "://", or "http://" before the string."""
    _, mark, rest = text.partition("://")
    return f"http://{rest}" if mark else "http://" + text.lstrip("/\\")


LETTER = "the letter a"

#: Match the start and the end of a label.
START, END = r"(?<![^/@.:\\])", r"(?![^/@.:?#\\])"

KINDS = (
    Kind("backslashes", LETTER, ("backslash",), replaced(r"\\")),
    Kind("controls", LETTER, ("control",), of_categories("Cc")),
    Kind("spaces", LETTER, ("space",), of_categories("Z")),
    Kind(
        "non-ASCII characters",
        LETTER,
        ("host-past-ascii", "host-compatible", "deviation", "ignorable"),
        past_ascii,
    ),
    Kind(
        "percent-encoded triplets",
        LETTER,
        ("host-encoded", "host-with-delimiter", "encoded-control", "not-utf8", "double-encoding"),
        replaced("%[0-9A-Fa-f]{2}"),
    ),
    Kind(
        'an "@", and the characters before it up to a delimiter',
        "nothing",
        (
            *("userinfo", "userinfo-like-host", "userinfo-misplaced", "password"),
            *("several-at", "at-behind-host"),
        ),
        replaced(r"[^/?#\\]*@", ""),
    ),
    Kind(
        "brackets, and the characters between them",
        LETTER,
        ("bracket", "zone-identifier", "ipv6-with-ipv4"),
        replaced(r"\[[^\]/?#@]*\]?|\]"),
    ),
    Kind(
        'the last colon of an authority after "//", and the characters after it',
        "nothing",
        ("port-empty", "port-odd", "port-huge"),
        replaced(r"(//[^/?#\\]*):[^/?#\\@:\]]*(?=[/?#\\]|\Z)", r"\1"),
    ),
    Kind(
        "digits that follow neither a colon nor a percent sign",
        LETTER,
        (
            *("ipv4-short", "ipv4-integer", "ipv4-hex", "ipv4-octal", "ipv4-overflow"),
            *("last-label-number", "last-label-digit"),
        ),
        replaced("(?<![:%0-9])(?<!%[0-9A-Fa-f])[0-9]+"),
    ),
    Kind(
        "dots next to a delimiter or another dot",
        LETTER,
        ("trailing-dot", "empty-label"),
        replaced(rf"{START}\.+|\.+{END}"),
    ),
    Kind(
        "hyphens next to a delimiter or a dot",
        LETTER,
        ("label-edge-hyphen",),
        replaced(rf"{START}-+|-+{END}"),
    ),
    Kind('"xn--"', LETTER, ("bad-a-label",), replaced("(?i)xn--")),
    Kind("underscores", LETTER, ("label-with-underscore",), replaced("_")),
    Kind(
        "other punctuation in ASCII",
        LETTER,
        ("host-characters",),
        replaced(r"""[!"$&'()*+,;<=>^`{|}~]"""),
    ),
    Kind(
        "the slashes after the first colon",
        '"//"',
        ("slash-count", "authority-missing", "authority-empty", "single-slash", "host-missing"),
        replaced(r"\A([^/\\?#:]+:)[/\\]*", r"\1//"),
    ),
    Kind(
        'everything before "://"; nothing if the string does not contain it',
        '"http" or "http://"',
        ("missing-scheme", "scheme-odd", "scheme-like-host", "scheme-syntax"),
        with_http,
    ),
    Kind(
        "several slashes that do not follow a colon",
        "one slash",
        ("path-like-authority",),
        replaced("(?<=[^:/])/{2,}", "/"),
    ),
    Kind(
        'the scheme "file"',
        '"http"',
        ("file-host", "file-localhost"),
        replaced("(?i)^file:", "http:"),
    ),
    Kind(
        "a letter before a colon or a vertical bar, at the start of a segment",
        LETTER,
        ("drive-letter",),
        replaced(r"(?<![^/\\])[A-Za-z][:|](?=[/\\]|\Z)"),
    ),
)

#: The kind of each finding.
KIND_OF = {code: kind for kind in KINDS for code in kind.codes}


def changed(text: str) -> dict[str, str]:
    """Return a string without the characters of each kind that it contains, by the kind's title."""
    found = {kind.title: kind.neutral(text) for kind in KINDS}
    return {title: neutral for title, neutral in found.items() if neutral != text}


def is_due(before: Mapping[Parser, Target], after: Mapping[Parser, Target]) -> bool:
    """Return whether two parsers differ in a string, but not in the changed string."""
    return any(
        before[first] != before[second] and after[first] == after[second]
        for first, second in combinations(before.keys() & after.keys(), 2)
    )


def accepted(comparison: Comparison) -> dict[Parser, Target]:
    """Return the host and port of each parser that accepts a string."""
    return {
        parser: find_target(reading)
        for parser, reading in comparison.readings.items()
        if reading.outcome == "accepted"
    }


def connected(comparison: Comparison) -> dict[Parser, Target]:
    """Return those of them whose software connects to the host, except uncounted readings."""
    return {
        parser: target
        for parser, target in accepted(comparison).items()
        for reading in (comparison.readings[parser],)
        if target.host and (reading.scheme or "").lower() in parser.dials
        if not any(one.applies(parser, comparison.text, reading) for one in UNCOUNTED)
    }
