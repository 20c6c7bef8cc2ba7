"""Hazards in values: a dot segment or a slash can leave the directory that they are joined to.

Servers and programs decode values again, so the values that decoding yields are examined as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, get_args
from urllib.parse import unquote

from uriverse._errors import TemplateError
from uriverse.diagnosis._dot_segments import detect_hidden_dot_segment

from ._expansion import Piece, decode_reserved_expansion
from ._parsing import OPERATORS

#: The hazards that variables in a path contain only if the template allows them.
Hazard = Literal["slash", "dots", "empty"]
HAZARDS: tuple[Hazard, ...] = get_args(Hazard)

#: C0 and C1 control characters. No option allows them.
CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")

#: The largest number of times that a value may be percent-encoded.
MAX_DECODINGS = 3

#: The scheme, which may be invalid, and the slashes before an authority (RFC 3986, Appendix B).
PREFIX = re.compile("([^:/?#]*:)?(//)?")

#: Characters that end the host in an authority, or that no host contains.
HOST_DELIMITER = re.compile(r"[:@?#[\]]")

#: No option allows control characters, octets that are not UTF-8, and another authority.
Unsafe = Literal["control", "octets", "authority"]


def find_hazards(value: str, *, reserved: bool) -> Iterator[Hazard | Literal["control"]]:
    """Yield the hazards in a decoded value; `reserved` tells whether it may contain slashes."""
    if not value:
        yield "empty"
    slashes = value.count("/") if reserved else 0
    for text in (value, *decodings(value)):
        if CONTROL.search(text):
            yield "control"
        if "\\" in text or text.count("/") > slashes:
            yield "slash"
        if has_dot_segment(text):
            yield "dots"


def decodings(value: str) -> Iterator[str]:
    """Yield what decoding a value again and again yields, until nothing is percent-encoded."""
    if "%" not in value:
        return
    for _ in range(MAX_DECODINGS):
        decoded = unquote(value)
        if decoded == value:
            return
        yield decoded
        value = decoded
    if unquote(value) != value:
        # Further decodings are unknown, so expect slashes and dot segments.
        yield "/" * len(value) + ".."


def has_dot_segment(value: str) -> bool:
    """Return whether a segment is `.` or `..`, or what other programs take for one of them."""
    segments = value.replace("\\", "/").split("/")
    return any(s in {".", ".."} or detect_hidden_dot_segment(s)[0] != "" for s in segments)


class Head(NamedTuple):
    """The scheme, the authority and the path of a URI, percent-encoded."""

    text: str
    has_scheme: bool
    #: The indices of the authority and of the host, and the index after them, or -1.
    authority: int
    host: int
    authority_end: int
    #: The indices of the start and the end of each dot segment.
    dots: list[tuple[int, int]]


def parse_head(text: str) -> Head:
    prefix = PREFIX.match(text)
    assert prefix is not None
    scheme, slashes = prefix.groups()
    authority = host = authority_end = -1
    start = prefix.end()  # of the first segment
    if slashes:
        authority = start
        authority_end = text.find("/", authority) if "/" in text[authority:] else len(text)
        host = max(text.rfind("@", authority, authority_end) + 1, authority)
        start = authority_end + 1
    dots: list[tuple[int, int]] = []
    for segment in text[start:].split("/"):
        if has_dot_segment(segment):
            dots.append((start, start + len(segment)))
        start += len(segment) + 1
    return Head(text, scheme is not None, authority, host, authority_end, dots)


def find_surrounding_hazards(
    head: Head, start: int, end: int, *, reserved: bool
) -> Iterator[Hazard | Unsafe]:
    """Yield the hazards of the value `text[start:end]` together with the characters around it."""
    if reserved:
        # A value may contain the whole authority, or begin after it. Inside, it would extend the
        # host, as in `https://example.com{+path}` with ".evil.example/".
        if head.authority < start < head.authority_end:
            yield "authority"
        # The slashes before an authority are not those of a path. A value without a scheme may not
        # have them, because programs take `//evil.example` for a path.
        is_apart = start <= head.authority <= end and (head.has_scheme or start == head.authority)
        path_start = head.authority if is_apart else max(start - 1, 0)
        if "//" in head.text[path_start : end + 1]:
            yield "empty"
    elif head.host <= start and end <= head.authority_end:
        value = unquote(head.text[start:end])
        if any(HOST_DELIMITER.search(text) for text in (value, *decodings(value))):
            yield "authority"
    # The last dot segment that starts before the value ends: they touch if it ends after its start.
    index = bisect_right(head.dots, (end, len(head.text))) - 1
    if index >= 0:
        _, dots_end = head.dots[index]
        if dots_end >= start:
            yield "dots"


def check_expansion(
    pieces: list[Piece],
    allow: Mapping[str, frozenset[Hazard]],
    *,
    has_scheme: bool | None,
    has_authority: bool | None,
) -> None:
    """Raise a `TemplateError` if a variable in the path has a value that matching refuses."""
    text = "".join(piece.text for piece in pieces)
    path_end = min((text.find(mark) for mark in "?#" if mark in text), default=len(text))
    head = parse_head(text[:path_end])
    start = 0  # of each piece
    for piece, variable in pieces:
        if variable is not None and start <= path_end:
            reserved = OPERATORS[variable.operator].reserved
            for hazard in find_piece_hazards(head, piece, start, reserved=reserved):
                if hazard not in allow[variable.name]:
                    reject_value(variable.name, hazard)
        start += len(piece)
    # `None` stands for a template whose variable may contain the scheme and the authority.
    is_same_scheme = has_scheme in {None, head.has_scheme}
    is_same_authority = has_authority in {None, head.authority >= 0}
    if not is_same_scheme or not is_same_authority:
        reason = "unsafe expansion: the scheme or the authority is not that of the template"
        hint = "use other values; an undefined variable or an empty one may be the reason"
        raise TemplateError(text, 0, "text", "URI-Template", reason, hint)


def find_piece_hazards(
    head: Head, piece: str, start: int, *, reserved: bool
) -> Iterator[Hazard | Unsafe]:
    """Yield the hazards of an expanded value that starts in the head."""
    try:
        # Reserved expansion keeps triplets of reserved characters, so those remain encoded.
        decoded = decode_reserved_expansion(piece) if reserved else unquote(piece)
    except UnicodeDecodeError:
        yield "octets"
    else:
        yield from find_hazards(decoded, reserved=reserved)
    end, path_end = start + len(piece), len(head.text)
    if reserved and end > path_end:
        yield "slash"  # the value contains the "?" or "#" that ends the path
    yield from find_surrounding_hazards(head, start, min(end, path_end), reserved=reserved)


def reject_value(name: str, hazard: str) -> None:
    kinds = {
        "slash": "slash, backslash, or end of the path",
        "dots": "dot segment",
        "empty": "empty value or segment",
        "control": "control character",
        "octets": "octets that are not UTF-8",
        "authority": "part of an authority",
    }
    reason = f"unsafe {kinds[hazard]} in the value of {name}"
    hint = f'set allow={{"{hazard}"}} if the value is meant' if hazard in HAZARDS else ""
    raise TemplateError("", 0, "path", "varname", reason, hint, variable=name)
