"""The paths that servers read where RFC 3986 has one; rules must hold for every reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, islice
from typing import NamedTuple
from unicodedata import normalize

from uriverse._engine import kernel
from uriverse._lazy import lazy_pattern
from uriverse._spec.letters import IGNORABLE, LOOKALIKES
from uriverse._spec.percent import pct_decode
from uriverse._spec.resolution import remove_dot_segments
from uriverse.diagnosis._dot_segments import (
    DECODINGS,
    END,
    IN_SPACE,
    SPACE,
    START,
    SUFFIX,
    decode_leniently,
)

from .paths import PathPattern

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
A_SPACE = lazy_pattern(SPACE)
LOOKALIKE = lazy_pattern(f"[{''.join(map(chr, LOOKALIKES))}]")
INVISIBLE = lazy_pattern(rf"[\0-\x1f\x7f-\x9f{IGNORABLE}]+")
SPACES_AND_PLUS = lazy_pattern(rf"(?:(?!\0){SPACE}|\+)+")
SUFFIX_BUT_NUL = lazy_pattern(r"[;?#].*", re.DOTALL)

#: Segments of dots and spaces, and the dots and spaces at the end of the other segments. The
#: possessive quantifiers keep the time linear. The first character stands before what precedes it,
#: because a search for a character is fast.
DOTS_AT_END = lazy_pattern(rf"\.(?<!\.\.)(?!(?<={START}\.)\.?{END})\.*+{END}")
DOTS = lazy_pattern(rf"\.{END}")
DOTS_AND_SPACES = lazy_pattern(rf"[.{IN_SPACE}](?<![^/\\](?s:.))[.{IN_SPACE}]*+{END}")
AT_START = lazy_pattern(rf"{SPACE}(?<![^/\\](?s:.)){SPACE}*+")
AT_END = lazy_pattern(rf"[.{IN_SPACE}](?<=[^./\\{IN_SPACE}](?s:.))[.{IN_SPACE}]*+{END}")


#: A segment that may become empty in a decoded path.
MAY_BE_EMPTY = lazy_pattern(rf"[/\\]{SPACE}*[;?#\0/\\]")

#: A dot segment, or what may become one, in a decoded path.
MAY_CLIMB = lazy_pattern(rf"{START}(?:{SPACE}|\+)*+\.")

#: The largest number of segments of a path with something like a dot segment, and of odd segments
#: or characters of a path whose readings a deny rule needs.
MOST_ODD = 100

#: How often the characters of a path are converted in the search for its readings, and the number
#: of characters that are converted in any case. A normal path needs few conversions.
MOST_CONVERSIONS = 6
MOST_CONVERTED = 100_000

#: A run of more combining marks than any name has, of which the first ones are kept. Marks are no
#: word characters; only two letters decompose to marks.
MARK = r"[^\w\s\0-\x7f]"
MARKS = lazy_pattern(rf"({MARK}{{16}}){MARK}+")

#: Characters that become many by normalization. No name has as many of them.
EXPANDING = lazy_pattern("[\u3200-\u33ff\ufdf0-\ufdff\U0001d15e-\U0001d1c0]")

#: A noncharacter that replaces the percent sign.
PERCENT = "\uffff"


class Effect(NamedTuple):
    """The lowest depth in a segment and the depth after it, relative to the depth before it."""

    lowest: int
    after: int


def is_one_name(segment: str) -> bool:
    return find_worst_effect(segment) == (0, 1)


def stays_in_subtree(path: str, depth: int) -> bool:
    """Return whether all servers read a path that is in the subtree of its first segments.

    The path has no dot segments. `depth` is the number of slashes in the path of the subtree.
    """
    decoded = decode_fully(path)
    has_hidden_dot_segment = "." in decoded and MAY_CLIMB.search(decoded) is not None
    if not has_hidden_dot_segment:
        return True
    *segments, last_segment = path.split("/")[depth:]
    if len(segments) > MOST_ODD:
        return False  # it takes too long to read them
    # The smallest number of segments between the subtree and the current one.
    depth_below = 0
    for segment in segments:
        effect = find_worst_effect(segment)
        if depth_below + effect.lowest < 0:
            return False
        depth_below += effect.after
    effect = find_worst_effect(last_segment, is_last=True)
    return depth_below + effect.lowest >= 0


def seems_to_start_with_host(path: str) -> bool:
    """Return whether a server may read two slashes at the start of a path.

    If it redirects to such a path, a browser takes the first segment for a host.
    """
    decoded = decode_fully(path)
    if not MAY_BE_EMPTY.search(decoded):
        return False
    stripped = SPACES.sub("", LONG_SUFFIX.sub("", decoded)).replace("\\", "/")
    return stripped.startswith("//") or remove_dot_segments(stripped).startswith("//")


def has_disputed_dot_segments(path: str) -> bool:
    """Return whether a path has dot segments that some servers do not remove like RFC 3986.

    Normalization decodes encoded dots, and so removes encoded dot segments too.
    """
    if "." not in path and "%2" not in path:
        return False
    segments = ENCODED_DOT.sub(".", path).split("/")[1:]
    if not {".", ".."}.intersection(segments):
        return False
    if len(segments) > MOST_ODD:
        return True  # it takes too long to read them
    # If a server drops a segment, or reads it as several, a ".." removes another one.
    names = [segment for segment in segments[:-1] if segment not in {".", ".."}]
    return not all(map(is_one_name, names))


def find_worst_effect(segment: str, *, is_last: bool = False) -> Effect:
    """Return the worst effect of a segment over all its readings.

    No conversion hides a separator, or a dot segment between two separators. So the readings are
    prefixes of the decoded segment, in which every part but the first may be missing: it counts if
    it climbs, and it does not count if it is a name. A server removes each NUL, or reads the part
    up to it.

    If the path ends there, some programs read a dot segment without the slash at its end: `/a/b/..`
    as `/a`, which is not below `/a/`.
    """
    if NAME.fullmatch(segment):
        return Effect(0, 1)
    lowest = depth = 0  # relative to the depth before the segment
    parts = SEPARATOR.split(decode_fully(segment))
    for index, part in enumerate(parts):
        pieces = SPACES_AND_PLUS.sub("", SUFFIX_BUT_NUL.sub("", part)).split("\0")
        name = "".join(pieces)
        dot_count = len(name) - len(name.lstrip("."))
        # The numbers of dots that a server may read, if it cuts the name at a NUL.
        readable_dots = [end for end in accumulate(map(len, pieces)) if 0 < end <= dot_count]
        is_name = pieces[0].strip(".") != ""
        if is_name and index == 0:
            depth += 1
        elif not is_name and readable_dots and readable_dots[-1] > 1:
            depth -= 1
        # A server may remove all that follows a semicolon, a question mark, a number sign or a NUL.
        may_be_last = is_last and (index + 1 == len(parts) or SUFFIX.search(part) is not None)
        may_lack_slash = may_be_last and bool(readable_dots)
        lowest = min(lowest, depth - 1 if may_lack_slash else depth)
    return Effect(lowest, depth)


def decode_fully(text: str) -> str:
    if (
        kernel is not None
        and (decoded := kernel.decode_leniently(text, DECODINGS, True)) is not None
    ):
        return str(decoded)
    for _ in range(DECODINGS):
        text = decode_leniently(text).translate(LOOKALIKES)
    return text


def decode_except_slashes(text: str) -> str:
    return "%2f".join(map(decode_leniently, ENCODED_SLASH.split(text)))


def decode_without_overlong(text: str) -> str:
    if kernel is not None and (
        (decoded := kernel.decode_leniently(text, 1, False, False)) is not None
    ):
        return str(decoded)
    return pct_decode(text).decode(errors="ignore")


def strip_segment_ends(text: str) -> str:
    if text.isascii() and text.isprintable() and " " not in text:
        return DOTS_AT_END.sub("", text)
    return AT_END.sub("", DOTS_AND_SPACES.sub(extract_dot_segment, text))


def extract_dot_segment(match: re.Match[str]) -> str:
    dots = SPACES.sub("", match[0])
    return dots if dots in {".", ".."} else ""


#: The ways to decode a path once. The last one drops the octets of overlong sequences.
DECODERS: tuple[Callable[[str], str], ...] = (
    decode_leniently,
    lambda text: decode_except_slashes(text) if "%2f" in text.lower() else "",
    decode_without_overlong,
)

#: The conversions of paths by servers, except for decoding, after the characters that they convert:
#: a dot stands for one at the end of a segment, a space for all characters of `SPACE`.
CONVERSIONS: tuple[tuple[str, Callable[[str], str]], ...] = (
    (".", remove_dot_segments),
    (". ", strip_segment_ends),
    (";?#\0", lambda text: SUFFIX.sub("", text)),
    (";?#\0", lambda text: LONG_SUFFIX.sub("", text)),
    ("?#\0", lambda text: QUERY.sub("", text)),
    (":", lambda text: STREAM.sub("", text)),
    (" ", lambda text: AT_START.sub("", text)),
    ("+", lambda text: text.replace("+", " ")),
    ("\\", lambda text: text.replace("\\", "/")),
    ("/", lambda text: SLASHES.sub("/", text) if "//" in text else text),
    (" ", lambda text: INVISIBLE.sub("", text)),
)


def apply_conversions(text: str) -> Iterator[str]:
    """Yield the results of all conversions that change a path, each applied to the path alone."""
    is_plain = text.isascii() and text.isprintable() and " " not in text
    # A space stands for all characters of `SPACE`, and a dot for one at the end of a segment.
    class_triggers = {
        " ": not is_plain and A_SPACE.search(text) is not None,
        ".": DOTS.search(text) is not None,
    }
    for triggers, convert in CONVERSIONS:
        if any(class_triggers.get(trigger, trigger in text) for trigger in triggers):
            converted = convert(text)
            if converted != text:
                yield converted
    if not text.isascii() and LOOKALIKE.search(text):
        yield text.translate(LOOKALIKES)


def list_readings(*paths: str) -> list[str] | None:
    """Return all that servers may read for paths, folded; `None` for too many readings."""
    if all(map(PLAIN_PATH.fullmatch, paths)):
        return [*map(fold_text, paths)]
    readings: dict[str, None] = {}
    decoded_paths: Iterable[str] = paths
    #: The number of characters that may still be converted.
    budget = max(MOST_CONVERTED, MOST_CONVERSIONS * sum(map(len, paths)))
    # Servers convert a path in any order, and decode it several times.
    for _ in range(DECODINGS + 1):
        previous_count = len(readings)
        budget = add_conversions(readings, decoded_paths, budget)
        if budget < 0:
            return None
        new_readings = islice(readings, previous_count, None)
        encoded = [path for path in new_readings if "%" in path]
        decoded_paths = {decode(path): None for path in encoded for decode in DECODERS}
        decoded_paths.pop("", None)  # the result of a decoder that does not apply
        budget -= sum(map(len, decoded_paths))
    # A path with dot segments is only a step to the path without them, which is a reading too.
    return [
        fold_text(path) for path in readings if "." not in path or remove_dot_segments(path) == path
    ]


def is_excessive(text: str) -> bool:
    patterns = [] if text.isascii() else [EXPANDING]
    if text.count("/") > MOST_ODD:
        patterns.append(DOTS_AND_SPACES)
    # Each pattern is searched for one match more than the allowed number.
    return any(next(islice(pattern.finditer(text), MOST_ODD, None), None) for pattern in patterns)


def add_conversions(readings: dict[str, None], texts: Iterable[str], budget: int) -> int:
    """Add strings and all their conversions; return the remaining budget, or -1 if it ran out."""
    pending = [*texts]
    for text in pending:  # also those that the loop adds
        if text not in readings:
            readings[text] = None
            if is_excessive(text):
                return -1
            converted = [*apply_conversions(text)]
            budget -= sum(map(len, converted)) + len(text)
            if budget < 0:
                return -1
            pending += converted
    return budget


def fold_text(text: str) -> str:
    """Return a string as it is compared with deny rules: without case, and in the form NFKC.

    The letters that Turkish has in the place of "i" count as "i". A "%" in a decoded path does not
    begin a percent-encoded triplet, so it is replaced.
    """
    if not text.isascii():
        # Normalization takes more than linear time for long runs of marks, which no name has.
        text = MARKS.sub(r"\1", text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a"))
        text = normalize("NFKC", text)
        text = text.casefold().replace("\u0131", "i").replace("i\u0307", "i")
    return text.casefold().replace("%", PERCENT)


def has_safe_wildcards(pattern: PathPattern, path: str) -> bool:
    """Return whether every server reads a path so that the wildcards of a pattern match it.

    Otherwise, a server that drops or cuts a segment would read a path outside of the pattern.
    """
    segments = path.split("/", len(pattern.segments))
    last_index = None if pattern.below else len(pattern.segments) - 1
    return all(
        isinstance(pieces, str) or is_safe_match(pieces, segment, is_last=index == last_index)
        for index, (pieces, segment) in enumerate(zip(pattern.segments, segments, strict=False))
    )


def is_safe_match(pieces: tuple[str, ...], segment: str, *, is_last: bool) -> bool:
    """Return whether all servers read a segment that matches a pattern as one that matches it.

    The wildcards of the pattern are between the pieces. A server may cut what follows the segment.
    """
    if NAME.fullmatch(segment):
        return True
    if not is_one_name(segment):
        return False
    decoded, drops_octets = segment, False
    for _ in range(DECODINGS):
        octets = pct_decode(decoded)
        if octets.decode(errors="ignore").encode() != octets:
            drops_octets = True
        decoded = decode_leniently(decoded)
    plain = decode_fully(segment).replace("+", " ")
    if len(SEPARATOR.findall(plain)) > len(SEPARATOR.findall(decoded)):
        return False  # a lookalike of a slash; a policy can accept encoded slashes
    is_any_name = not any(pieces)  # the pattern is `*` alone
    if is_any_name:
        return is_last or not set("?#\0") & set(plain)
    # A literal next to a wildcard must not be in a part that servers remove.
    return (
        not drops_octets
        and not set(";?#/\\") & set(plain)
        and not INVISIBLE.search(plain)
        and strip_segment_ends(AT_START.sub("", plain)) == plain
    )
