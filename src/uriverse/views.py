"""Decoded looks at a component, and the way back: data in, text out."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import BuildError
from .percent import decode_bytes, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .spec.percent import Component

#: A segment as data: text, or the octets of one that is not UTF-8.
Segment = str | bytes


def decoded(text: str) -> Segment:
    """What a text stands for: text where its octets are UTF-8, else the octets."""
    return text_of(decode_bytes(text))


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
    given = list(map(exact_segment, segments))
    if given == [""]:
        return "/"
    first: Component = "segment-nz-nc" if relative else "segment"
    return "/".join(
        segment_text(segment, "segment" if index else first, iri=iri)
        for index, segment in enumerate(given)
    )


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


def segment_text(segment: Segment, component: Component, *, iri: bool) -> str:
    """One segment's data as text.

    Raises:
        BuildError: it is `.` or `..`, which are steps in a hierarchy and can't be
            escaped (RFC 3986, 6.2.2.3), or has a lone surrogate.
        TypeError: it is neither `str` nor `bytes`.
    """
    data = exact_segment(segment)
    if data in {".", ".."}:
        reason, hint = f'"{data!s}" is a step between segments, not data', "give the path as text"
        raise BuildError(str(data), 0, "path", "segment", reason, hint)
    return encode(data, component, iri=iri)
