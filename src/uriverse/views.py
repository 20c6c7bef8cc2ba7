"""Decoded looks at a component, and the way back: data in, text out."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BuildError
from .spec.percent import encode_octets, encode_text, pct_decode

#: A segment as data: text, or the octets of one that is not UTF-8.
Segment = str | bytes


def decoded(text: str) -> Segment:
    """What a text stands for: text where its octets are UTF-8, else the octets."""
    return text_of(pct_decode(text))


def text_of(octets: bytes) -> Segment:
    """The text that octets are in UTF-8, or the octets where they are not."""
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets


def path_of(segments: Iterable[Segment], *, iri: bool, relative: bool) -> str:
    """The path that has these segments, each encoded so that it stays one.

    `("",)` is the root, as `("", "")` is. A colon in the first segment of a relative
    path is encoded too: it would be read as the end of a scheme.
    """
    if isinstance(segments, str | bytes):
        raise TypeError("segments are given one by one, not as one str or bytes")
    given = [exact_segment(segment) for segment in segments]
    if given == [""]:
        return "/"
    i = "i" if iri else ""
    first = f"{i}segment-nz-nc" if relative else f"{i}segment"
    rules = (first if index == 0 else f"{i}segment" for index in range(len(given)))
    return "/".join(map(segment_text, given, rules))


def exact_segment(segment: object) -> Segment:
    """A segment's data; the text, where its octets are UTF-8.

    Raises:
        TypeError: it is neither `str` nor `bytes`.
    """
    if isinstance(segment, str):
        # A subclass may compare or print itself otherwise; its own characters count.
        return str.__str__(segment)
    if isinstance(segment, bytes):
        return text_of(bytes(memoryview(segment)))
    raise TypeError(f"a segment is a str or bytes, not {type(segment).__name__}")


def segment_text(segment: Segment, rule: str) -> str:
    """One segment's data as text.

    Raises:
        BuildError: it is `.` or `..`, which are steps in a hierarchy and can't be
            escaped (RFC 3986, 6.2.2.3), or has a lone surrogate.
        TypeError: it is neither `str` nor `bytes`.
    """
    data = exact_segment(segment)
    if isinstance(data, bytes):
        return encode_octets(data, rule)
    if data in {".", ".."}:
        reason, hint = f'"{data}" is a step between segments, not data', "give the path as text"
        raise BuildError(data, 0, "path", rule, reason, hint)
    try:
        data.encode()
    except UnicodeEncodeError as error:
        reason, hint = "a lone surrogate is no character", "give the octets as bytes"
        raise BuildError(data, error.start, "path", rule, reason, hint) from None
    return encode_text(data, rule)
