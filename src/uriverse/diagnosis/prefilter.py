"""Recognize the strings, most in practice, in which `check` certainly finds nothing."""

from __future__ import annotations

import re

from uriverse import _engine
from uriverse._grammar.rfc3986 import sub_delims, unreserved
from uriverse._spec.normalization import Steps, normalized
from uriverse._spec.percent import pct_decode
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse.schemes.normalization import with_scheme_rules

#: A triplet whose octet is printable ASCII, and neither a dot nor a slash of either kind,
#: nor a percent sign; or one whose octet is past ASCII.
TRIPLET = "%(?:2[0-46-9A-D]|[346][0-9A-F]|5[0-9ABD-F]|7[0-9A-E]|[89A-F][0-9A-F])"

PAST_ASCII = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])++")

#: What Unicode keeps from being characters: the last two of each plane, and 32 more.
NONCHARACTERS = {
    *map(chr, range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
}

#: A label of a host name (RFC 1123, 2.1) that encodes none in Unicode.
LABEL = "(?!xn--)[a-z0-9](?:-*+[a-z0-9])*+"

#: A number up to 65535 without zeros before it.
PORT = (
    "(?:[1-5][0-9]{4}|6(?:[0-4][0-9]{3}|5(?:[0-4][0-9]{2}|5(?:[0-2][0-9]|3[0-5])))"
    "|[1-9][0-9]{0,3}(?![0-9]))"
)

CHARACTERS = f"{unreserved}{sub_delims}:@/"

PATH = rf"/(?!/)(?:[{CHARACTERS}]++|{TRIPLET})*+"
QUERY = rf"\?(?:[{CHARACTERS}?]++|{TRIPLET})*+"
FRAGMENT = rf"\#(?:[{CHARACTERS}?]++|{TRIPLET})*+"

#: A domain name whose last label begins with a letter, so that no parser reads an IPv4 address.
DOMAIN = rf"(?:{LABEL}\.)*+(?=[a-z]){LABEL}"

#: A URI of http or https without userinfo, and without an "@" between its authority and the next
#: slash; or of a file, without a host, whose path does not begin with what could be the letter of
#: a drive.
UNSUSPICIOUS = re.compile(
    rf"https?://{DOMAIN}(?::{PORT})?+(?![^/@]*+@)"
    rf"(?P<path>{PATH})?+(?:{QUERY})?+(?:{FRAGMENT})?+"
    rf"|file://(?!/[a-z][:%])(?P<name>{PATH})(?:{FRAGMENT})?+",
    re.IGNORECASE | re.ASCII,
)

#: A step in a path.
STEP = re.compile(r"/\.{1,2}(?![^/])")


def reference(text: str, best: bool, /) -> bool:
    """Return whether `check` certainly finds nothing in a string; false if that is not certain.

    Args:
        text: any string.
        best: whether the string must also be in normal form.
    """
    if len(text) > LONGEST_TEXT or not (found := UNSUSPICIOUS.fullmatch(text)):
        return False
    path = found["path"] or found["name"] or ""
    # Without its steps it might begin with two slashes.
    if "//" in path and STEP.search(path):
        return False
    if best and ("%" in text or not is_normal(text)):
        return False
    return all(encodes_characters(run[0]) for run in PAST_ASCII.finditer(text))


def is_normal(text: str) -> bool:
    """Whether a URI is in normal form by its scheme."""
    return with_scheme_rules(normalized(text, Steps(), iri=False)) == text


def encodes_characters(run: str) -> bool:
    """Whether triplets encode UTF-8, and characters by it."""
    try:
        return NONCHARACTERS.isdisjoint(pct_decode(run).decode())
    except UnicodeDecodeError:
        return False


#: The kernel's function where there is one; `reference` defines what it does.
has_no_findings = _engine.kernel.has_no_findings if _engine.compiled else reference
