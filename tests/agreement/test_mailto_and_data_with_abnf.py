"""`MailtoURI` and `DataURI` accept exactly what the ABNF of RFC 6068 and RFC 2397 produces.

Here the ABNF of each RFC lists every character as it appears in a URI: as is, percent-encoded, or
both, as the RFC requires. Ranges such as `%d33-39` are spelled out as triplets.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import ClassVar

import pytest
from abnf import ParseError as NotProduced
from abnf import Rule
from amounts import scaled

from uriverse import ParseError, is_uri
from uriverse._spec.components import all_parts
from uriverse._typed.base import TypedURI
from uriverse._typed.data import DataURI
from uriverse._typed.mailto import MailtoURI
from uriverse.schemes._data import normalized as normalized_data
from uriverse.schemes._mailto import normalized as normalized_mailto

STRINGS = scaled(3000)


def encoded(characters: Iterable[str]) -> str:
    """Return ABNF alternatives: the percent-encoded triplet of each character."""
    return " / ".join(f'"%{ord(character):02X}"' for character in characters)


def within(*ranges: tuple[int, int]) -> str:
    """Return all characters in some inclusive ranges of code points."""
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


ALPHANUMERIC = within((48, 57), (65, 90), (97, 122))

# RFC 3986, and percent-encoded UTF-8 by RFC 3629, section 4.
GENERIC = [
    'fragment = *( pchar / "/" / "?" )',
    'pchar = unreserved / pct-encoded / sub-delims / ":" / "@"',
    'pct-encoded = "%" HEXDIG HEXDIG',
    'unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"',
    'sub-delims = "!" / "$" / "&" / "\'" / "(" / ")" / "*" / "+" / "," / ";" / "="',
    "pct-utf8 = utf8-2 / utf8-3 / utf8-4",
    'tail = "%" ( "8" / "9" / "A" / "B" ) HEXDIG',
    'utf8-2 = "%" ( "C" ( %x32-39 / "A" / "B" / "C" / "D" / "E" / "F" ) / "D" HEXDIG ) tail',
    "utf8-3 = first-of-3 tail",
    'first-of-3 = "%E0%" ( "A" / "B" ) HEXDIG / "%ED%" ( "8" / "9" ) HEXDIG / middle-of-3 tail',
    'middle-of-3 = "%E" ( %x31-39 / "A" / "B" / "C" / "E" / "F" )',
    "utf8-4 = first-of-4 tail tail",
    'first-of-4 = "%F0%" ( "9" / "A" / "B" ) HEXDIG / "%F4%8" HEXDIG / "%F" %x31-33 tail',
]


class Mailto(Rule):
    """RFC 6068, section 2, and the rules of RFC 5322 that it uses."""

    grammar: ClassVar[list[str] | str] = [
        'mailtoURI = "mailto:" [ to ] [ hfields ] [ "#" fragment ]',
        'to = addr-spec *( "," addr-spec )',
        'hfields = "?" hfield *( "&" hfield )',
        'hfield = hfname "=" hfvalue',
        "hfname = *qchar",
        "hfvalue = *qchar",
        'addr-spec = local-part "@" domain',
        "local-part = dot-atom-text / quoted-string",
        'domain = dot-atom-text / "%5B" *dtext-no-obs "%5D"',
        "qchar = unreserved / pct-encoded / some-delims",
        'some-delims = "!" / "$" / "\'" / "(" / ")" / "*" / "+" / "," / ";" / ":" / "@"',
        "dot-atom-text = 1*atext *( dot 1*atext )",
        'dot = "." / "%2E"',
        'atext = ALPHA / DIGIT / "!" / "$" / "\'" / "*" / "+" / "-" / "_" / "~" / pct-utf8 / '
        + encoded(ALPHANUMERIC + "!#$%&'*+-/=?^_`{|}~"),
        'quoted-string = "%22" *( qtext / quoted-pair ) "%22"',
        # The characters that item 1 of section 2 allows unencoded in quotes and brackets.
        'in-addr-spec = unreserved / "!" / "$" / "\'" / "(" / ")" / "*" / "+" / "," / ":" / "@"',
        "qtext = in-addr-spec / pct-utf8 / " + encoded(within((33, 33), (35, 91), (93, 126))),
        'quoted-pair = "%5C" ( in-addr-spec / pct-utf8 / '
        + encoded(within((9, 9), (32, 126)))
        + " )",
        "dtext-no-obs = in-addr-spec / " + encoded(within((33, 90), (94, 126))),
        *GENERIC,
    ]


class Data(Rule):
    """RFC 2397, section 3, and the rules of RFC 2045 and RFC 822 that it uses."""

    grammar: ClassVar[list[str] | str] = [
        'dataurl = "data:" [ mediatype ] [ ";base64" ] "," data [ "#" fragment ]',
        'mediatype = [ type "/" subtype ] *( ";" parameter )',
        'parameter = attribute "=" value',
        "type = token",
        "subtype = token",
        "attribute = token",
        'data = *( pchar / "/" / "?" )',
        "token = 1*( written / " + encoded(ALPHANUMERIC + "!#$%&'*+-.^_`{|}~") + " )",
        'written = unreserved / "!" / "$" / "&" / "\'" / "*" / "+"',
        # A value is UTF-8 without control characters other than the tab.
        'value = quoted-string / ( written / text ) *( written / text / "%22" )',
        "text = pct-utf8 / " + encoded(within((9, 9), (32, 33), (35, 126))),
        'quoted-string = "%22" *( qtext / quoted-pair ) "%22"',
        # An unencoded comma or semicolon is always a delimiter, even in quotes.
        'in-quotes = written / "(" / ")" / "=" / ":" / "@" / "/"',
        "qtext = in-quotes / pct-utf8 / " + encoded(within((9, 9), (32, 33), (35, 91), (93, 126))),
        'quoted-pair = "%5C" ( in-quotes / pct-utf8 / ' + encoded(within((9, 9), (32, 126))) + " )",
        *GENERIC,
    ]


for kind in (Mailto, Data):
    for rule in kind.grammar:
        kind.create(rule)


def is_produced(rule: Rule, text: str) -> bool:
    try:
        rule.parse_all(text)
    except NotProduced:
        return False
    return True


def is_accepted(view: type[TypedURI], text: str) -> bool:
    try:
        view(text)
    except ParseError:
        return False
    return True


MAILTO_PIECES = [
    *("a", "B1", ".", "@", ",", "a@b", "?", "&", "=", "?x=y", "&z=", "#", "/", ";", ":", "!", "~"),
    *("%22", "%22a,@%22@b", "%5C", "%5B", "%5D", "@%5B1.2%5D", "%40", "%2C", "%2e", "%2F", "%25"),
    *("%C3%A9", "%c3", "%ED%A0%80", "%F0%9F%98%80", "%0D%0A", "%20", "%09", "%00", "%7F", "(", "+"),
]
MAILTO_SEEDS = [
    "mailto:",
    "mailto:chris@example.com",
    "mailto:a@b,c.d@%5B::1%5D",
    "mailto:?to=a@b&cc=c@d",
    "mailto:%22not%40me%22@example.org?subject=x",
    "mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org",
    "mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO",
    "mailto:unlikely%3Faddress@example.com?blat=foop#x",
]
DATA_PIECES = [
    *("a", "B1", "/", ";", ",", "=", "?", "#", ";a=b", ";base64", ";BASE64", "a/b", "+", ":", "("),
    *(
        "%22",
        "%22a%22",
        "%5C",
        "%2C",
        "%3B",
        "%2F",
        "%3D",
        "%61",
        "%23",
        "%28",
        "%25",
        "!",
        ".",
        "@",
    ),
    *("%C3%A9", "%c3", "%ED%A0%80", "%F0%9F%98%80", "%0D%0A", "%20", "%09", "%00", "%7F"),
]
DATA_SEEDS = [
    "data:,",
    "data:,A%20brief%20note",
    "data:text/plain;charset=iso-8859-7,%be%d3%be",
    "data:image/gif;base64,R0lG",
    "data:;a=%22b:%5C%22%22;base64,?",
    "data:a/b;c=d%2C,e?f#g",
]


def mutated_seed(seeds: list[str], pieces: list[str], random: Random) -> str:
    """Return a valid string with up to three random changes."""
    text = random.choice(seeds)
    for _ in range(random.randrange(4)):
        start = random.randrange(text.index(":") + 1, len(text) + 1)
        end = min(start + random.choice([0, 0, 1, 3]), len(text))
        text = text[:start] + random.choice(pieces) * random.choice([1, 1, 1, 2]) + text[end:]
    return text


def random_string(seeds: list[str], pieces: list[str], random: Random) -> str:
    """Return the scheme followed by a few random pieces."""
    scheme = seeds[0].partition(":")[0]
    return f"{scheme}:" + "".join(random.choices(pieces, k=random.randrange(8)))


@pytest.mark.parametrize(
    ("view", "rule", "seeds", "pieces"),
    [
        (MailtoURI, Mailto("mailtoURI"), MAILTO_SEEDS, MAILTO_PIECES),
        (DataURI, Data("dataurl"), DATA_SEEDS, DATA_PIECES),
    ],
    ids=["mailto", "data"],
)
def test_a_view_accepts_exactly_what_the_abnf_of_its_rfc_produces(
    view: type[TypedURI], rule: Rule, seeds: list[str], pieces: list[str]
) -> None:
    random = Random(rule.name)
    normalized = normalized_data if view is DataURI else normalized_mailto
    valid = 0
    disagreed: list[tuple[str, bool]] = []
    for _ in range(STRINGS):
        text = random.choice([mutated_seed, mutated_seed, random_string])(seeds, pieces, random)
        verdict = is_produced(rule, text)
        valid += verdict
        if is_accepted(view, text) is not verdict:
            disagreed.append((text, verdict))
        if is_uri(text) and not verdict:
            assert normalized(all_parts(text)) == all_parts(text)
    assert disagreed == []
    assert STRINGS // 4 <= valid <= STRINGS - STRINGS // 4
