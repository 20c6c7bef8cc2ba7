"""A fast test that recognizes most URIs without findings, so that `check` can skip its rules."""

from __future__ import annotations

import re

from uriverse._grammar.rfc3986 import sub_delims, unreserved
from uriverse._patterns import lazy_pattern
from uriverse._spec.normalization import Steps, normalized
from uriverse._spec.percent import pct_decode
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse.schemes._normalization import with_scheme_rules

from ._dot_segments import LOOKALIKES

#: A percent-encoded triplet of a non-ASCII octet, or of a printable ASCII character other than
#: ".", "/", "\" and "%".
TRIPLET = "%(?:2[0-46-9A-D]|[346][0-9A-F]|5[0-9ABD-F]|7[0-9A-E]|[89A-F][0-9A-F])"

PAST_ASCII = lazy_pattern("(?:%[89A-Fa-f][0-9A-Fa-f])++")

#: Unicode noncharacters: the last two code points of each plane, and 32 more.
NONCHARACTERS = {
    *map(chr, range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
}

#: A label of a host name (RFC 1123, 2.1) that does not have the prefix of A-labels.
LABEL = "(?!xn--)[a-z0-9](?:-*+[a-z0-9])*+"

#: A port number up to 65535 without leading zeros.
PORT = (
    "(?:[1-5][0-9]{4}|6(?:[0-4][0-9]{3}|5(?:[0-4][0-9]{2}|5(?:[0-2][0-9]|3[0-5])))"
    "|[1-9][0-9]{0,3}(?![0-9]))"
)

CHARACTERS = f"{unreserved}{sub_delims}:@/"

PATH = rf"/(?!/)(?:[{CHARACTERS}]++|{TRIPLET})*+"
QUERY = rf"\?(?:[{CHARACTERS}?]++|{TRIPLET})*+"
FRAGMENT = rf"\#(?:[{CHARACTERS}?]++|{TRIPLET})*+"

#: A domain name whose last label begins with a letter, so that no parser takes it for an IPv4
#: address.
DOMAIN = rf"(?:{LABEL}\.)*+(?=[a-z]){LABEL}"

#: An http or https URI without userinfo, and without an "@" between its authority and the next
#: slash; or a file URI without a host, whose path does not begin with a possible drive letter.
UNSUSPICIOUS = lazy_pattern(
    rf"https?://{DOMAIN}(?::{PORT})?+(?![^/@]*+@)"
    rf"(?P<path>{PATH})?+(?:{QUERY})?+(?:{FRAGMENT})?+"
    rf"|file://(?!/(?:%|[a-z][:%]))(?P<name>{PATH})(?:{FRAGMENT})?+",
    re.IGNORECASE | re.ASCII,
)

#: A dot segment in a path.
STEP = lazy_pattern(r"/\.{1,2}(?![^/])")

#: The start of a segment that other software may resolve as a dot segment: dots, possibly after
#: triplets, and before a parameter, a triplet or the end; or two dots after a name.
LIKE_STEP = lazy_pattern(r"/(?!\.{1,2}(?![^/]))(?:%..)*+\.++(?![^;%/])|[^/.]\.\.(?=/)", re.DOTALL)

#: Characters that `check` may report if they are percent-encoded: noncharacters, and those that
#: other software may read as a dot, a slash, a backslash or a percent sign.
SUSPICIOUS = NONCHARACTERS | {
    chr(code) for code, plain in LOOKALIKES.items() if plain in {".", "..", "/", "\\", "%"}
}


def reference(text: str, best: bool, /) -> bool:
    """Return True if `check` certainly has no findings for a string, and False if it may have some.

    If `best` is true, the string must be normalized too.
    """
    if len(text) > LONGEST_TEXT or not (found := UNSUSPICIOUS.fullmatch(text)):
        return False
    path = found["path"] or found["name"] or ""
    # A dot segment could remove an empty segment, or one that other software drops or merges.
    if STEP.search(path) and any(part in path for part in ("//", ";", "%")):
        return False
    if LIKE_STEP.search(path):
        return False
    if best and ("%" in text or not is_normal(text)):
        return False
    return all(encodes_characters(run[0]) for run in PAST_ASCII.finditer(text))


def is_normal(text: str) -> bool:
    """Return whether scheme-based normalization leaves a URI unchanged."""
    return with_scheme_rules(normalized(text, Steps(), iri=False), True) == text


def encodes_characters(run: str) -> bool:
    """Return whether a run of percent-encoded triplets decodes to valid UTF-8.

    Return false too if the UTF-8 contains a Unicode noncharacter, such as U+FFFE, or a character
    that resembles a dot or a slash.
    """
    try:
        return SUSPICIOUS.isdisjoint(pct_decode(run).decode())
    except UnicodeDecodeError:
        return False
