"""The autolinks that GFM adds (GFM 6.9): URLs, domains and e-mail addresses in text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

WHITE_SPACE = " \t\n\v\f\r"
ASCII_LETTERS = re.compile(r"[A-Za-z]*+")
SCHEMES = ("http://", "https://", "ftp://")
#: A domain up to the first character that cmark-gfm accepts in none.
DOMAIN = re.compile(r"[A-Za-z0-9._\-]*+")
WORD = re.compile(r"[^ \t\n\v\f\r<]*+")
ENTITY_AT_END = re.compile(r"&[A-Za-z]+;\Z")
TRAILING = "?!.,:*_~'\""

#: A decoded "@" needs more than a pattern: it may be written as an escape or as a reference.
EMAIL_IN_TEXT = re.compile(r"@|&(?:#(?:64|[xX]0*40)|#0+64|commat);")


def is_host_character(character: str) -> bool:
    """Return whether a domain may start with a character."""
    category = unicodedata.category(character)
    return category not in {"Zs", "Cc"} and category[0] != "P" and character not in "$+<=>^`|~"


def www_at(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of the extended www autolink at an index."""
    if start and text[start - 1] not in "*_~(" and text[start - 1] not in WHITE_SPACE:
        return None
    return None if not is_domain(text, start) else trimmed(text, start, start)


def url_at(text: str, colon: int) -> tuple[int, int] | None:
    """Return the span of the extended URL autolink whose scheme ends at a colon."""
    start = colon
    while start and text[start - 1].isascii() and text[start - 1].isalpha():
        start -= 1
    after = colon + 3
    if text[start:after].lower() not in SCHEMES or after >= len(text):
        return None
    if not is_host_character(text[after]) or not is_domain(text, after):
        return None
    return trimmed(text, start, after)


def is_domain(text: str, start: int) -> bool:
    """Return whether the last two labels of the domain at an index contain no underscore.

    As in cmark-gfm, the first and the last character of the text do not count.
    """
    found = DOMAIN.match(text, start + 1, max(len(text) - 1, start + 1))
    labels = found[0].split(".") if found else []
    return not any("_" in label for label in labels[-2:])


def trimmed(text: str, start: int, after: int) -> tuple[int, int] | None:
    """Return the span of an autolink without the punctuation at its end (GFM 6.9)."""
    found = WORD.match(text, after)
    end = found.end() if found else after
    unopened = text.count(")", start, end) - text.count("(", start, end)
    while end > start:
        last = text[end - 1]
        if last == ";":
            entity = ENTITY_AT_END.search(text, max(start, end - 40), end)
            end = entity.start() if entity and entity.start() > start else end - 1
        elif last == ")" and unopened > 0:
            unopened -= 1
            end -= 1
        elif last in TRAILING:
            end -= 1
        else:
            return start, end
    return None


def emails_in(
    text: str, atoms: Sequence[tuple[int, int]], inside: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int, str]]:
    return iter(())
