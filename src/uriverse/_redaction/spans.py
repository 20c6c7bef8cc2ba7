"""Find the secrets in strings that contain URIs."""

from __future__ import annotations

import sys

from uriverse._lazy import lazy_pattern

from .marks import CHUNK, marks, views
from .secrets import JWT
from .userinfo import is_token, userinfos
from .values import secret_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .userinfo import Span

#: Punctuation that does not belong to a URI if it follows the URI in a sentence.
CLOSING = ".,:;!?'*)]}"

#: Punctuation before a URI, with letters before it, as in `URI('...')`.
OPENING = lazy_pattern(r"[A-Za-z]*+['*(\[{]")


def secret_spans(
    text: str, start: int = 0, end: int = sys.maxsize, *, usernames: bool = False
) -> list[Span]:
    """Find the secrets in a URI, or in any text that may contain URIs.

    The secrets are passwords, the values of parameters with certain names (see `is_secret`), JSON
    Web Tokens, and user names if `usernames` is true. A parameter is in a query, in a fragment, or
    after a semicolon in a path. The delimiters may be percent-encoded up to three times, as they
    are in a URI that is the value of a parameter.

    Args:
        text: the string.
        start: the first index of the part that matters.
        end: the index after that part.
        usernames: whether user names are secrets as well.

    Returns:
        The start and the end of each secret that overlaps the part, sorted. No two of them overlap
        or touch.
    """
    if not has_sign(text):
        return []
    spans = [found.span() for found in JWT.finditer(text)]
    for chunk in CHUNK.finditer(text):
        first, last = chunk.span()
        is_alone = last - first == len(text) and not OPENING.match(text)
        every = list(marks(text, first, last))
        for view in views(every):
            spans += secret_values(text, view, last, closing="" if is_alone else CLOSING)
            for name, password in userinfos(text, view, every, first, last):
                spans.append(password)
                if usernames or is_token(text[slice(*name)]):
                    spans.append(name)
    return united(spans, start, end)


def suspected_spans(text: str, start: int = 0, end: int = sys.maxsize) -> list[Span]:
    """Find the spans of suspected secrets in a string that should be a URI, but is invalid.

    A password in such a string may contain delimiters, as in `//user:pa/ss@host` and
    `user:pass word@host`. So the span extends from the first colon to the last "@". The colon
    between a scheme and slashes is skipped, and so is a colon before a port number. The value of a
    parameter may contain spaces.
    """
    if not has_sign(text):
        return []
    spans = [found.span() for found in JWT.finditer(text)] + suspected_password(text)
    every = list(marks(text, 0, len(text), whole=True))
    # Between plain delimiters, every password is in the suspected one.
    is_encoded = any(mark.end - mark.start > 1 for mark in every)
    for view in views(every):
        spans += secret_values(text, view, len(text), whole=True)
        if is_encoded:
            found = userinfos(text, view, every, 0, len(text), whole=True)
            spans += [password for _, password in found]
    return united(spans, start, end)


#: Userinfo, also behind an empty port as in `//u:/pass@host`. Some programs take other characters
#: for "@".
USERINFO = lazy_pattern(
    r"(?s:(?:[^:/?#\\@]*+:)?+[/\\]*+([^/\\?#@]*:(?=[/\\?#]).*|[^/\\?#]*)(?:[@\uff20\ufe6b]|%40))"
)


def userinfo_spans(text: str) -> list[Span]:
    """Find the userinfo of a string that should be a URI, as a list of at most one span."""
    found = USERINFO.match(text)
    return [found.span(1)] if found else []


def has_sign(text: str) -> bool:
    """Return whether a string contains "@", "=" or the start of a JSON Web Token."""
    return any(sign in text for sign in ("@", "=", "40", "3D", "3d", "61;", "eyJ"))


def suspected_password(text: str) -> list[Span]:
    """Return what is between the first colon and the last "@", as a list of at most one span."""
    import re

    before = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    colon = re.compile(r":(?![0-9]*+[/?#])" if before else ":")
    at = max(text.rfind("@"), 0)
    found = colon.search(text, before.end() if before else 0, at)
    return [(found.end(), at)] if found else []


def united(spans: list[Span], start: int = 0, end: int = sys.maxsize) -> list[Span]:
    """Sort spans and merge those that overlap or touch; remove empty ones.

    Spans that do not overlap the part from `start` to `end` are removed as well.
    """
    result: list[Span] = []
    for first, last in sorted(spans):
        if first >= last or first >= end or last <= start:
            continue
        if result and first <= result[-1][1]:
            result[-1] = result[-1][0], max(last, result[-1][1])
        else:
            result.append((first, last))
    return result


def first_of(characters: str, text: str, start: int, end: int) -> int:
    """Return the index at which any of the given characters first occurs between two indexes.

    If none of them occurs, return `end`.
    """
    for character in characters:
        found = text.find(character, start, end)
        end = end if found < 0 else found
    return end
