"""Every code point in every place, against the character classes as the RFCs list them."""

from __future__ import annotations

from string import ascii_letters, digits

import pytest
from engines import SPEC

from uriverse import _engine as engine

CODE_POINTS = range(0x110000)

# Written out from RFC 3986, sections 2.2, 2.3, 3.1 and 3.2.2 and appendix A.
UNRESERVED = {*ascii_letters, *digits, *"-._~"}
SUB_DELIMS = set("!$&'()*+,;=")
PCHAR = UNRESERVED | SUB_DELIMS | set(":@")
SCHEME = {*ascii_letters, *digits, *"+-."}

# Written out from RFC 3987, section 2.2: inclusive ranges.
UCSCHAR = (
    (0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF),
    (0x10000, 0x1FFFD), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
    (0x40000, 0x4FFFD), (0x50000, 0x5FFFD), (0x60000, 0x6FFFD),
    (0x70000, 0x7FFFD), (0x80000, 0x8FFFD), (0x90000, 0x9FFFD),
    (0xA0000, 0xAFFFD), (0xB0000, 0xBFFFD), (0xC0000, 0xCFFFD),
    (0xD0000, 0xDFFFD), (0xE1000, 0xEFFFD),
)  # fmt: skip
IPRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))

#: What ends a component and begins another is right where it stands too.
ENDS = set("/?#")

#: A place: the text before and after, what may stand there in a URI, and which
#: characters past ASCII may in an IRI.
PLACES = {
    "first of the scheme": ("", "b:c", set(ascii_letters) | ENDS, ()),
    "later in the scheme": ("a", "b:c", SCHEME | set(":") | ENDS, ()),
    "userinfo": ("//a", "b@c", UNRESERVED | SUB_DELIMS | set(":") | ENDS, UCSCHAR),
    "reg-name": ("//a", "b", UNRESERVED | SUB_DELIMS | set("@") | ENDS, UCSCHAR),
    "IPvFuture": ("//[v1.a", "b]", UNRESERVED | SUB_DELIMS | set(":"), ()),
    "version of IPvFuture": ("//[v", "1.a]", {*digits, *"abcdefABCDEF"}, ()),
    "IPv6address": ("//[::a", "b]", {*digits, *"abcdefABCDEF:"}, ()),
    # With an "@" after it, what looks like a port is userinfo.
    "port": ("//a:1", "2", set(digits) | set("@") | ENDS, ()),
    "segment": ("/a", "b", PCHAR | ENDS, UCSCHAR),
    "first segment of a relative path": ("%41", "b", PCHAR - {":"} | ENDS, UCSCHAR),
    "query": ("?a", "b", PCHAR | ENDS, UCSCHAR + IPRIVATE),
    "fragment": ("#a", "b", PCHAR | set("/?"), UCSCHAR),
    "first digit of an escape": ("/%", "0", {*digits, *"abcdefABCDEF"}, ()),
    "second digit of an escape": ("/%0", "b", {*digits, *"abcdefABCDEF"}, ()),
}


def expected(place: str, *, iri: bool) -> set[int]:
    """The code points that make a reference at a place."""
    _, _, characters, past_ascii = PLACES[place]
    found = {ord(character) for character in characters}
    if iri:
        found.update(c for first, last in past_ascii for c in range(first, last + 1))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["is_uri_reference", "is_iri_reference"])
@pytest.mark.parametrize("module", [engine, SPEC.module], ids=["running engine", "specification"])
def test_a_place_takes_the_characters_of_its_rule(module: object, name: str, place: str) -> None:
    before, after, _, _ = PLACES[place]
    accepts = getattr(module, name)
    found = {c for c in CODE_POINTS if accepts(f"{before}{chr(c)}{after}")}
    assert found == expected(place, iri="iri" in name)
