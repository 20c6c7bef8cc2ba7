"""The paths that servers read where RFC 3986 has one reading.

A server may decode a path several times, strip path parameters, merge slashes, treat other
characters as dots and slashes, and strip the spaces and dots at the end of a segment, in any
combination. `check` reports most of these paths. A policy that accepts such a finding must still
keep a path inside its rule, and a deny rule must match every reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

from uriverse._matching.paths import PathPattern
from uriverse._patterns import lazy_pattern
from uriverse._spec.percent import pct_decode
from uriverse._spec.resolution import remove_dot_segments
from uriverse.diagnosis._dot_segments import (
    DECODINGS,
    END,
    IGNORABLE,
    LOOKALIKES,
    SPACE,
    START,
    SUFFIX,
    decoded_once,
)

#: The characters of a segment that every server reads as a name. Some servers take a plus sign for
#: a space, which others strip at the start and at the end.
IN_NAME = r"\w~!$&'()*+,=:@-"
AT_EDGE = IN_NAME.replace("+", "")
NAME = lazy_pattern(rf"[{AT_EDGE}](?:[.{IN_NAME}]*[{AT_EDGE}])?", re.ASCII)

#: A path that every server reads alike. Some servers take a colon for the start of a stream of a
#: file.
IN_PLAIN_NAME = AT_EDGE.replace(":", "")
PLAIN_PATH = lazy_pattern(
    rf"(?:/[{IN_PLAIN_NAME}](?:[.{IN_PLAIN_NAME}]*[{IN_PLAIN_NAME}])?)*+/?", re.ASCII
)

SEPARATOR = lazy_pattern(r"[/\\]")
SLASHES = lazy_pattern("/+")
ENCODED_DOT = lazy_pattern("%2[Ee]")
ENCODED_SLASH = lazy_pattern("%2[Ff]")
LONG_SUFFIX = lazy_pattern(r"[;?#\0][^/]*")
QUERY = lazy_pattern(r"[?#\0][^/\\]*")
#: A stream of a file on Windows, such as `::$DATA`.
STREAM = lazy_pattern(r":[^:/\\]*:\$[^/\\]*")
SPACES = lazy_pattern(f"{SPACE}+")
INVISIBLE = lazy_pattern(rf"[\0-\x1f\x7f-\x9f{IGNORABLE}]+")
SPACES_AND_PLUS = lazy_pattern(rf"(?:(?!\0){SPACE}|\+)+")
SUFFIX_BUT_NUL = lazy_pattern(r"[;?#].*", re.DOTALL)

#: Segments of dots and spaces, and the dots and spaces at the end of the other segments. The
#: possessive quantifiers keep the time linear.
DOTS_AND_SPACES = lazy_pattern(rf"{START}(?:\.|{SPACE})++{END}")
AT_START = lazy_pattern(rf"{START}{SPACE}++")
AT_END = lazy_pattern(rf"(?<=[^./\\\s\0-\x20\x7f-\x9f{IGNORABLE}])(?:\.|{SPACE})++{END}")


#: The number of readings of a path that are examined, if all are as long as the path. A normal path
#: has few readings.
MOST_READINGS = 100

#: A run of more combining marks than any name has, of which the first ones are kept.
MARK = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
MARKS = lazy_pattern(rf"({MARK}{{30}}){MARK}+")

#: A noncharacter that replaces the percent sign.
PERCENT = "\uffff"


class Effect(NamedTuple):
    """The effect of a segment on the depth of a path, in the worst of its readings.

    Attributes:
        lowest: the lowest depth while the segment is read, relative to the depth before it.
        after: the depth after the segment.
    """

    lowest: int
    after: int


def is_one_name(segment: str) -> bool:
    """Return whether every server reads a segment as at least one name, and never climbs."""
    return worst_effect(segment) == (0, 1)


def stays_below(path: str, depth: int) -> bool:
    """Return whether no server leaves the subtree that the first segments of a path name.

    Args:
        path: a path without dot segments.
        depth: the number of slashes in the path of the subtree, which ends with a slash.
    """
    level = 0
    *segments, last = path.split("/")[depth:]
    for segment in segments:
        effect = worst_effect(segment)
        if level + effect.lowest < 0:
            return False
        level += effect.after
    return level + worst_effect(last, is_last=True).lowest >= 0


def is_step(segment: str) -> bool:
    """Return whether a segment is a dot segment, percent-encoded or not."""
    return ENCODED_DOT.sub(".", segment) in {".", ".."}


def seems_to_start_with_host(path: str) -> bool:
    """Return whether a server may read two slashes at the start of a path.

    If it redirects to such a path, a browser takes the first segment for a host.
    """
    text = SPACES.sub("", LONG_SUFFIX.sub("", fully_decoded(path))).replace("\\", "/")
    return text.startswith("//") or remove_dot_segments(text).startswith("//")


def has_plain_steps(path: str) -> bool:
    """Return whether every server removes the dot segments of a path like RFC 3986.

    Normalization decodes encoded dots, and so removes encoded dot segments too.
    """
    segments = ENCODED_DOT.sub(".", path).split("/")[1:]
    if not {".", ".."}.intersection(segments):
        return True
    return all(segment in {".", ".."} or is_one_name(segment) for segment in segments[:-1])


def worst_effect(segment: str, *, is_last: bool = False) -> Effect:
    """Return the worst effect of a segment over all its readings.

    No conversion hides a separator, or a dot segment between two separators. So the readings are
    prefixes of the decoded segment, in which every part but the first may be missing: it counts if
    it climbs, and it does not count if it is a name. A server removes each NUL, or reads the part
    up to it.

    Args:
        segment: the segment.
        is_last: whether the path ends there. Some programs then read a dot segment without the
            slash at its end: `/a/b/..` as `/a`, which is not below `/a/`.
    """
    if NAME.fullmatch(segment):
        return Effect(0, 1)
    lowest = level = 0
    parts = SEPARATOR.split(fully_decoded(segment))
    for index, part in enumerate(parts):
        pieces = SPACES_AND_PLUS.sub("", SUFFIX_BUT_NUL.sub("", part)).split("\0")
        name = "".join(pieces)
        dots = len(name) - len(name.lstrip("."))
        steps = [end for end in accumulate(map(len, pieces)) if 0 < end <= dots]
        if pieces[0].strip("."):
            level += index == 0
        elif steps and steps[-1] > 1:
            level -= 1
        # A server may remove all that follows a semicolon, a question mark, a number sign or a NUL.
        may_end = is_last and bool(steps) and (index + 1 == len(parts) or SUFFIX.search(part))
        lowest = min(lowest, level - bool(may_end))
    return Effect(lowest, level)


def fully_decoded(text: str) -> str:
    """Decode a string several times, and replace the lookalikes of ASCII characters."""
    for _ in range(DECODINGS):
        text = decoded_once(text).translate(LOOKALIKES)
    return text


def decoded_between_slashes(text: str) -> str:
    """Decode a string like servers that keep an encoded slash."""
    return "%2f".join(map(decoded_once, ENCODED_SLASH.split(text)))


def without_spaces(text: str) -> str:
    """Remove the dots and spaces at the end of each segment, but no dot segment."""
    return AT_END.sub("", DOTS_AND_SPACES.sub(step_of, text))


def step_of(found: re.Match[str]) -> str:
    """Return the dot segment in a segment of dots and spaces; or `""`."""
    dots = SPACES.sub("", found[0])
    return dots if dots in {".", ".."} else ""


#: The ways to decode a path once. The last one drops the octets of overlong sequences.
DECODERS: tuple[Callable[[str], str], ...] = (
    decoded_once,
    decoded_between_slashes,
    lambda text: pct_decode(text).decode(errors="ignore"),
)

#: The conversions of paths by servers, except for decoding.
CONVERSIONS: tuple[Callable[[str], str], ...] = (
    remove_dot_segments,
    without_spaces,
    lambda text: SUFFIX.sub("", text),
    lambda text: LONG_SUFFIX.sub("", text),
    lambda text: QUERY.sub("", text),
    lambda text: STREAM.sub("", text),
    lambda text: AT_START.sub("", text),
    lambda text: text.replace("+", " "),
    lambda text: text.replace("\\", "/"),
    lambda text: SLASHES.sub("/", text),
    lambda text: text.translate(LOOKALIKES),
    lambda text: INVISIBLE.sub("", text),
)


def paths_of(path: str) -> list[str] | None:
    """Return the paths that servers may read, in the form of `folded`, for deny rules.

    Servers convert a path in any order. Return `None` if there are too many paths.
    """
    if PLAIN_PATH.fullmatch(path):
        return [folded(path)]
    found: dict[str, None] = {}
    texts = [path]
    room = MOST_READINGS * len(path)
    for _ in range(DECODINGS + 1):
        if not add_converted(found, texts, room):
            return None
        encoded = [text for text in found if "%" in text]
        texts = [decode(text) for text in encoded for decode in DECODERS]
    return [folded(text) for text in found if remove_dot_segments(text) == text]


def add_converted(found: dict[str, None], texts: Iterable[str], room: int) -> bool:
    """Add strings, and all that the conversions make of them.

    Return whether there is room for the characters of all strings.
    """
    new = [*texts]
    taken = sum(map(len, found))
    for text in new:
        if text not in found:
            found[text] = None
            taken += len(text)
            if taken > room:
                return False
            new += [convert(text) for convert in CONVERSIONS]
    return True


def folded(text: str) -> str:
    """Return a string as it is compared with deny rules: without case, and in the form NFKC.

    The letters that Turkish has in the place of "i" count as "i". A "%" in a decoded path does not
    begin a percent-encoded triplet, so it is replaced.
    """
    if not text.isascii():
        # Normalization takes more than linear time for long runs of marks, which no name has.
        text = normalize("NFKC", MARKS.sub(r"\1", text))
        text = text.casefold().replace("\u0131", "i").replace("i\u0307", "i")
    return text.casefold().replace("%", PERCENT)


def wildcards_are_names(pattern: PathPattern, path: str) -> bool:
    """Return whether every server reads a path so that the wildcards of a pattern match it.

    Otherwise, a server that drops or cuts a segment would read a path outside of the pattern.
    """
    segments = path.split("/")
    last = None if pattern.below else len(pattern.segments) - 1
    return all(
        isinstance(wanted, str) or is_wildcard(wanted, segment, is_last=index == last)
        for index, (wanted, segment) in enumerate(zip(pattern.segments, segments, strict=False))
    )


def is_wildcard(pieces: tuple[str, ...], segment: str, *, is_last: bool) -> bool:
    """Return whether every server reads a segment that matches pieces as one that matches them.

    Args:
        pieces: the literals around the wildcards.
        segment: a segment that matches.
        is_last: whether nothing follows the segment, so that a server may cut it.
    """
    if NAME.fullmatch(segment):
        return True
    if not is_one_name(segment):
        return False
    text, drops = segment, False
    for _ in range(DECODINGS):
        octets = pct_decode(text)
        drops = drops or octets.decode(errors="ignore").encode() != octets
        text = decoded_once(text)
    plain = fully_decoded(segment).replace("+", " ")
    if len(SEPARATOR.findall(plain)) > len(SEPARATOR.findall(text)):
        return False  # a lookalike of a slash; a policy can accept encoded slashes
    if any(pieces):
        # A literal next to a wildcard must not be in a part that servers remove.
        return not (
            drops
            or set(";?#/\\") & set(plain)
            or INVISIBLE.search(plain)
            or without_spaces(AT_START.sub("", plain)) != plain
        )
    return is_last or not set("?#\0") & set(plain)
