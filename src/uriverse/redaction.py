"""Mask the passwords of URIs, valid or not, in error messages and logs."""

from __future__ import annotations

#: The string that replaces a password.
MASK = "***"

#: The length of two delimiters that are percent-encoded three times.
WIDEST = 2 * len("%25252F")

#: Schemes whose URIs may have a colon before an "@" although they have no password. The set only
#: decides what to mask; it is not a rule of these schemes.
WITH_COLONS = frozenset({"data", "mailto", "tag", "tel", "urn"})

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    #: A start and an end index.
    Span: TypeAlias = tuple[int, int]


def password_spans(text: str) -> list[Span]:
    """Find the spans of passwords in a URI, and in other URIs within its path or query.

    A password follows two slashes and a user name, as in `http://user:password@host`, or a scheme
    and a user name, as in `http:user:password@host`. After the authority, the delimiters may be
    percent-encoded up to three times.
    """
    if "@" not in text and "40" not in text:
        return []
    last = text.rfind("@")
    if "%" not in text and text.count(":", 0, last) < 2 and text.partition(":")[0].isalnum():
        return []  # The only colon before an "@" follows the scheme: the most common case.
    scheme_end = first_of(":/?#", text, 0)
    start = scheme_end + 1 if text.startswith(":", scheme_end) else 0
    rest, at = 0, -1
    spans: list[Span] = []
    if text.startswith("//", start):
        rest = first_of("/?#", text, start + 2)
        at = text.find("@", start, rest)
        colon = text.find(":", start, at) if at >= 0 else -1
        spans += [(colon + 1, at)] if 0 <= colon < at - 1 else []
    if "%" not in text and at == last:
        return spans  # There is no other "@", so there is no other password.
    by_schemes = text[:scheme_end].lower() not in WITH_COLONS
    spans += spans_in(text, by_schemes=by_schemes)
    for view in decoded_views(text[rest:]):
        found = spans_in(view, by_schemes=by_schemes)
        spans += [(rest + first, rest + end) for first, end in found]
    return united(spans)


def suspected_spans(text: str) -> list[Span]:
    """Find the spans of suspected passwords in a string that is not a valid URI.

    A password in such a string may contain delimiters, as in `//user:pa/ss@host` and
    `user:pass word@host`. So the span extends from the first colon to the last "@". The colon
    between a scheme and slashes is skipped, and so is a colon before a port number.
    """
    if "@" not in text and "40" not in text:
        return []
    import re

    before = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    colon = re.compile(r":(?![0-9]*+[/?#])" if before else ":")
    at = max(text.rfind("@"), 0)
    found = colon.search(text, before.end() if before else 0, at)
    spans = [(found.end(), at)] if found else []
    for view in decoded_views(text):
        spans += spans_in(view, by_schemes=True)
    return united(spans)


def decoded_views(text: str) -> Iterator[str]:
    """Yield a string with its percent-encoded delimiters decoded once, twice and three times.

    The delimiters are the characters `:/?#@&`. An encoded "@" may be written as `%40`, `%2540` or
    `%252540`. Decoded delimiters are padded with NULs, so that all characters keep their index.
    """
    for escape in ("%", "%25", "%2525"):
        if escape not in text:
            break
        for delimiter in ":/?#@&":
            triplet = f"{escape}{ord(delimiter):02X}"
            for written in (triplet, triplet.lower()):
                text = text.replace(written, delimiter.rjust(len(written), "\0"))
        yield text


def spans_in(text: str, *, by_schemes: bool) -> list[Span]:
    """Find the spans of passwords in URIs with slashes, as in `http://user:password@host`.

    If `by_schemes` is set, also find passwords in URIs without slashes, as in
    `http:user:password@host`.
    """
    import re

    # The parts between the delimiters "/", "?" and "#" that contain an "@".
    parts = re.finditer(r"(?:\A|(?<=[/?#]))[^/?#@]*+@[^/?#]*+", text)
    # If "&" follows a port, the "@" belongs to another query parameter.
    by_slashes = re.compile(r":(?![0-9]*+\0*+&)")
    by_scheme = re.compile(
        r"(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]*+\0*+:[^:]*+:(?![0-9]*+\0*+&)"
    )
    spans: list[Span] = []
    for part in parts:
        start = part.start()
        end = start + len(part[0][: part[0].rfind("@")].rstrip("\0"))
        if text[max(start - WIDEST, 0) : start].replace("\0", "").endswith(("//", ":/")):
            found = by_slashes.search(text, start, end)
        else:
            found = by_scheme.search(text, start, end) if by_schemes else None
        if found and found.end() < end:
            spans.append((found.end(), end))
    return spans


def united(spans: list[Span]) -> list[Span]:
    """Sort spans and merge those that overlap or touch."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def first_of(characters: str, text: str, start: int) -> int:
    """Return the index at which any of the given characters first occurs in a string.

    If none of them occurs, return the length of the string.
    """
    end = len(text)
    for character in characters:
        found = text.find(character, start, end)
        end = end if found < 0 else found
    return end


def masked(text: str, position: int, spans: list[Span]) -> tuple[str, int]:
    """Replace spans of a string with `***`; return the new string and the adjusted position.

    The new position refers to the same character as `position` in the original string.
    """
    pieces: list[str] = []
    done = moved = 0
    for start, end in spans:
        pieces += text[done:start], MASK if start < end else ""
        done = end
        if position >= end > start:
            moved += len(MASK) - (end - start)
        elif start < position < end:
            moved += start - position
    return "".join(pieces) + text[done:], position + moved


def without_passwords(text: str, *, valid: bool = False) -> str:
    """Return a string in which the passwords of URIs are replaced with `***`.

    Set `valid` if the whole string is a valid URI. In any other string, everything that may be a
    password is masked.
    """
    return masked(text, 0, password_spans(text) if valid else suspected_spans(text))[0]


def message_without_passwords(message: str) -> str:
    """Return a message in which the passwords of quoted URIs are replaced with `***`."""
    import re

    quoted = re.search(r"(?<!\S)\S*:\S", message)
    start = quoted.start() if quoted else len(message)
    return message[:start] + without_passwords(message[start:])


def mask_userinfo(userinfo: str) -> str:
    """Mask the password in userinfo: everything after the first colon."""
    name, colon, password = userinfo.partition(":")
    return name + colon + (MASK if password else "")
