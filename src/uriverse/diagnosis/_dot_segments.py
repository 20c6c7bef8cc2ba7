"""Find dot segments that only some servers and frameworks see, such as `..;a` and `%EF%BC%8E`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from uriverse._engine import kernel
from uriverse._lazy import lazy_pattern
from uriverse._spec.letters import IGNORABLE, LOOKALIKES, is_plain_letter
from uriverse._spec.percent import pct_decode
from uriverse._spec.syntax import matches
from uriverse.schemes._violation import Problem

#: The result of `pack_character` for a character that servers do not convert.
READ_AS_ITSELF = 0x8000

#: How often a path is decoded. More than two layers have a finding of their own.
DECODINGS = 3

SURROGATE = lazy_pattern("[\ud800-\udfff]")

#: Microsoft's encoding of a UTF-16 code unit.
UTF16_TRIPLET = lazy_pattern("%[uU]([0-9A-Fa-f]{4})")

#: An ASCII character in more octets than UTF-8 allows.
OVERLONG = re.compile(
    rb"(?:[\xc0\xc1]|(?:\xe0|\xf0\x80|\xf8\x80\x80|\xfc\x80\x80\x80)[\x80\x81])[\x80-\xbf]"
)

#: The start and the end of a segment in a decoded path.
START, END = r"(?<![^/\\])", r"(?![^/\\])"

#: Segments without dots and characters that are converted, with the slash after them.
HARMLESS = lazy_pattern(r"[\w~!$&'()*+,=:@-]++/?", re.ASCII)

STEP = lazy_pattern(rf"{START}\.{{1,2}}{END}")

#: The part of a segment that programs remove: a path parameter, or everything after a decoded
#: question mark, number sign or NUL.
SUFFIX = lazy_pattern(r"[;?#\0][^/\\]*")

#: Non-ASCII white space, except for U+0085. With `\s`, a search takes several times as long.
WHITE = "\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

#: Characters that programs strip from a segment, or ignore.
IN_SPACE = rf"\0-\x20\x7f-\x9f{WHITE}{IGNORABLE}"
SPACE = f"[{IN_SPACE}]"

#: A dot segment with such characters. Windows strips all dots and spaces at the end of a name.
SPACED_STEP = lazy_pattern(rf"{START}{SPACE}*+(\.{{1,2}}+)(?:{SPACE}(?:\.|{SPACE})*+)?+{END}")

#: A segment that disappears when a program merges slashes, or after a program strips all dots and
#: spaces at its end.
EMPTY = lazy_pattern(rf"(?:[/\\]|{SPACE}|\.{{3,}})*+")

#: A name that ends with two dots, before a slash.
DOTS_AFTER_NAME = lazy_pattern(r"[^./\\]\.\.[/\\]")


def find_hidden_dot_segments(
    path: str, start: int, *, opaque: bool, first_only: bool = False
) -> Iterator[Problem]:
    """Find segments that other software resolves as dot segments, or resolves differently.

    `start` is the offset of the path. An opaque path has no hierarchy, so that only encoded dots
    matter. With `first_only`, segments after the first one with the same code may be missing.
    """
    if first_only and kernel is not None:
        for code, first, end in kernel.find_hidden_dot_segments(path, opaque):
            yield Problem(code, "path", start + first, start + end)
        return
    segments = path.split("/")
    #: For each segment that ".." can remove, whether programs that merge slashes drop it first.
    dropped: list[bool] = []
    for index, segment in enumerate(segments):
        end = start + len(segment)
        if segment == "..":
            if dropped and dropped.pop() and not opaque:
                yield Problem("dot-after-slashes", "path", start, end)
        elif segment != "." and (segment or index):
            is_last = index == len(segments) - 1
            code, converted = detect_hidden_dot_segment(segment if is_last else f"{segment}/")
            dropped.append(EMPTY.fullmatch(converted) is not None)
            if code == "encoded-dot" or (code and not opaque):
                yield Problem(code, "path", start, end)
        start = end + 1


def detect_hidden_dot_segment(segment: str) -> tuple[str, str]:
    """Return the code of a finding, or `""`, and the segment after all conversions of programs.

    The code is that of the first conversion after which the segment contains a dot segment.
    """
    if HARMLESS.fullmatch(segment):
        return "", segment
    converted = segment
    revealing_codes: list[str] = []
    for code, convert in CONVERSIONS.items():
        converted = convert(converted)
        if STEP.search(converted):
            revealing_codes.append(code)
    # A dot segment behind a backslash is not hidden: the invalid backslash has a finding.
    is_hidden = not STEP.search(segment)
    if is_hidden and revealing_codes:
        return revealing_codes[0], converted
    if DOTS_AFTER_NAME.search(decode_repeatedly(segment)):
        return "dot-after-name", converted
    return "", converted


def pack_character(character: str) -> int:
    """Return how servers read a non-ASCII character, as the kernel stores it."""
    plain = LOOKALIKES.get(ord(character), "\0")
    count = len(plain.strip("\0"))
    is_space = re.fullmatch(SPACE, character) is not None
    return READ_AS_ITSELF | is_space << 14 | count << 8 | ord(plain[0])


def classify_examination(character: str) -> int:
    """Return a number of the kernel: 1 if no rule examines a character below the host.

    2 stands for the rules of the group "text", and 3 for others.
    """
    if is_plain_letter(character):
        return 1
    is_read_as_itself = pack_character(character) == READ_AS_ITSELF
    return 2 if is_read_as_itself and matches(character, "ucschar") else 3


def decode_repeatedly(text: str) -> str:
    for _ in range(DECODINGS):
        if "%" not in text:
            break
        text = decode_leniently(text)
    return text


def decode_leniently(text: str) -> str:
    """Percent-decode a string as lenient programs do, and drop invalid octets."""
    if kernel is not None and (decoded := kernel.decode_leniently(text, 1, False)) is not None:
        return str(decoded)
    text = UTF16_TRIPLET.sub(lambda triplet: chr(int(triplet[1], 16)), text)
    octets = OVERLONG.sub(decode_overlong, pct_decode(SURROGATE.sub("", text)))
    return octets.decode(errors="ignore")


def decode_overlong(match: re.Match[bytes]) -> bytes:
    *_, before, last = match[0]
    return bytes([(before & 1) << 6 | last & 0x3F])


#: The conversions that reveal a dot segment, in order, by finding code.
CONVERSIONS: dict[str, Callable[[str], str]] = {
    "encoded-dot": decode_repeatedly,
    "dot-lookalike": lambda text: decode_repeatedly(text.translate(LOOKALIKES)),
    "dot-with-parameter": lambda text: SUFFIX.sub("", text),
    "dot-with-space": lambda text: SPACED_STEP.sub(r"\1", text),
}
