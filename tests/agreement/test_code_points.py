"""Each component accepts exactly the code points that RFC 3986 and RFC 3987 list for it."""

from string import ascii_letters, digits

import pytest
from engines import SPEC

from uriverse._uri import engine

CODE_POINTS = range(0x110000)

# Typed from RFC 3986, sections 2.2, 2.3, 3.1 and 3.2.2 and appendix A.
UNRESERVED = {*ascii_letters, *digits, *"-._~"}
SUB_DELIMS = set("!$&'()*+,;=")
PCHAR = UNRESERVED | SUB_DELIMS | set(":@")
SCHEME = {*ascii_letters, *digits, *"+-."}

# Typed from RFC 3987, section 2.2: inclusive ranges.
UCSCHAR = (
    (0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF),
    (0x10000, 0x1FFFD), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
    (0x40000, 0x4FFFD), (0x50000, 0x5FFFD), (0x60000, 0x6FFFD),
    (0x70000, 0x7FFFD), (0x80000, 0x8FFFD), (0x90000, 0x9FFFD),
    (0xA0000, 0xAFFFD), (0xB0000, 0xBFFFD), (0xC0000, 0xCFFFD),
    (0xD0000, 0xDFFFD), (0xE1000, 0xEFFFD),
)  # fmt: skip
IPRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))

#: Delimiters that end one component and start the next, so that the string stays valid.
DELIMITERS = set("/?#")

#: For each position: the string before it, the string after it, the characters that a URI allows
#: there, and the ranges of non-ASCII characters that an IRI also allows.
POSITIONS = {
    "first character of the scheme": ("", "b:c", set(ascii_letters) | DELIMITERS, ()),
    "second character of the scheme": ("a", "b:c", SCHEME | set(":") | DELIMITERS, ()),
    "userinfo": ("//a", "b@c", UNRESERVED | SUB_DELIMS | set(":") | DELIMITERS, UCSCHAR),
    "reg-name": ("//a", "b", UNRESERVED | SUB_DELIMS | set("@") | DELIMITERS, UCSCHAR),
    "IPvFuture": ("//[v1.a", "b]", UNRESERVED | SUB_DELIMS | set(":"), ()),
    "version of IPvFuture": ("//[v", "1.a]", {*digits, *"abcdefABCDEF"}, ()),
    "IPv6address": ("//[::a", "b]", {*digits, *"abcdefABCDEF:"}, ()),
    # An "@" after the digits turns host and port into userinfo.
    "port": ("//a:1", "2", set(digits) | set("@") | DELIMITERS, ()),
    "segment": ("/a", "b", PCHAR | DELIMITERS, UCSCHAR),
    "first segment of a relative path": ("%41", "b", PCHAR - {":"} | DELIMITERS, UCSCHAR),
    "query": ("?a", "b", PCHAR | DELIMITERS, UCSCHAR + IPRIVATE),
    "fragment": ("#a", "b", PCHAR | set("/?"), UCSCHAR),
    "first digit of a triplet": ("/%", "0", {*digits, *"abcdefABCDEF"}, ()),
    "second digit of a triplet": ("/%0", "b", {*digits, *"abcdefABCDEF"}, ()),
}


def expected(position: str, *, iri: bool) -> set[int]:
    """Return the code points that a URI (or an IRI) allows at a position."""
    _, _, characters, non_ascii = POSITIONS[position]
    accepted = {ord(character) for character in characters}
    if iri:
        accepted.update(c for first, last in non_ascii for c in range(first, last + 1))
    return accepted


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("name", ["is_uri_reference", "is_iri_reference"])
@pytest.mark.parametrize(
    "module", [engine, SPEC.module], ids=["running engine", "reference implementation"]
)
def test_each_component_accepts_exactly_the_code_points_of_its_rule(
    module: object, name: str, position: str
) -> None:
    before, after, _, _ = POSITIONS[position]
    accepts = getattr(module, name)
    accepted = {c for c in CODE_POINTS if accepts(f"{before}{chr(c)}{after}")}
    assert accepted == expected(position, iri="iri" in name)
