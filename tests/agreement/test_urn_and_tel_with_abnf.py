"""`URN` and `TelURI` accept exactly what the ABNF of RFC 8141 and RFC 3966 produces.

The `abnf` package parses the strings. Rules that an RFC states only in prose are checked here on
top of the ABNF, each with its section.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from random import Random

import pytest
from abnf import ParseError as NotProduced
from abnf import Rule as BaseRule
from abnf.grammars import rfc3986
from amounts import scaled

from uriverse import ParseError
from uriverse._typed.tel import TelURI
from uriverse._typed.urn import URN

STRINGS = int(os.environ.get("URIVERSE_ABNF_STRINGS") or scaled(6000)) // 5

#: RFC 8141, section 2; `pchar` and `fragment` are those of RFC 3986.
URN_ABNF = """
namestring    = assigned-name [ rq-components ] [ "#" f-component ]
assigned-name = "urn" ":" NID ":" NSS
NID           = (alphanum) 0*30(ldh) (alphanum)
ldh           = alphanum / "-"
NSS           = pchar *(pchar / "/")
rq-components = [ "?+" r-component ] [ "?=" q-component ]
r-component   = pchar *( pchar / "/" / "?" )
q-component   = pchar *( pchar / "/" / "?" )
f-component   = fragment
alphanum      = ALPHA / DIGIT
"""

#: RFC 3966, section 3, with the errata 203 (`paramchar` in a subaddress) and 4376 (digits).
TEL_ABNF = """
telephone-uri        = "tel:" telephone-subscriber
telephone-subscriber = global-number / local-number
global-number        = global-number-digits *par
local-number         = local-number-digits *par context *par
par                  = parameter / extension / isdn-subaddress
isdn-subaddress      = ";isub=" 1*paramchar
extension            = ";ext=" 1*phonedigit
context              = ";phone-context=" descriptor
descriptor           = domainname / global-number-digits
global-number-digits = "+" *phonedigit DIGIT *phonedigit
local-number-digits  = *phonedigit-hex (HEXDIG / "*" / "#") *phonedigit-hex
domainname           = *( domainlabel "." ) toplabel [ "." ]
domainlabel          = alphanum / alphanum *( alphanum / "-" ) alphanum
toplabel             = ALPHA / ALPHA *( alphanum / "-" ) alphanum
parameter            = ";" pname ["=" pvalue ]
pname                = 1*( alphanum / "-" )
pvalue               = 1*paramchar
paramchar            = param-unreserved / unreserved / pct-encoded
unreserved           = alphanum / mark
mark                 = "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"
pct-encoded          = "%" HEXDIG HEXDIG
param-unreserved     = "[" / "]" / "/" / ":" / "&" / "+" / "$"
phonedigit           = DIGIT / visual-separator
phonedigit-hex       = HEXDIG / "*" / "#" / visual-separator
visual-separator     = "-" / "." / "(" / ")"
alphanum             = ALPHA / DIGIT
"""


class UrnRule(BaseRule):
    """The rules of RFC 8141."""


class TelRule(BaseRule):
    """The rules of RFC 3966."""


def load(kind: type[BaseRule], abnf: str) -> None:
    for line in abnf.strip().splitlines():
        kind.create(line)


load(UrnRule, URN_ABNF)
for _name in ("pchar", "fragment"):
    UrnRule(_name, rfc3986.Rule(_name).definition)
load(TelRule, TEL_ABNF)


def produces(kind: type[BaseRule], rule: str, text: str) -> bool:
    try:
        kind(rule).parse_all(text)
    except NotProduced:
        return False
    return True


def is_urn(text: str) -> bool:
    """Whether a string is a namestring by the ABNF and by section 2.3.1."""
    if not produces(UrnRule, "namestring", text):
        return False
    # "?=" ends an r-component (2.3.1), so a q-component follows the first "?=".
    rest = text.partition("#")[0].partition("?")[2]
    r, ends, q = rest.partition("?=")
    return not (rest.startswith("+") and ends) or (
        produces(UrnRule, "r-component", r[1:]) and produces(UrnRule, "q-component", q)
    )


def is_telephone_uri(text: str) -> bool:
    """Whether a string is a telephone-uri by the ABNF and by the prose of section 3.

    A fragment may follow, which belongs to no scheme (RFC 3986, 3.5).
    """
    text, sign, fragment = text.partition("#")
    if sign and not produces(UrnRule, "f-component", fragment):
        return False
    # A path of a URI cannot contain brackets or "#", so the key "#" is written as "%23".
    number, *pieces = text.split(";")
    written = ";".join((number.replace("%23", "#"), *pieces))
    if re.search(r"[\[\]]", text) or not produces(TelRule, "telephone-uri", written):
        return False
    # No parameter name may appear twice (section 3).
    names = [piece.partition("=")[0].lower() for piece in pieces]
    if len(set(names)) < len(names):
        return False
    # The rule `parameter` is for names without a rule of their own (5.4).
    own = {"ext": "extension", "isub": "isdn-subaddress", "phone-context": "context"}
    return all(
        produces(TelRule, own[name], f";{piece}")
        for name, piece in zip(names, pieces, strict=True)
        if name in own
    )


def is_accepted(kind: type[URN | TelURI], text: str) -> bool:
    try:
        kind(text)
    except ParseError:
        return False
    return True


def random_strings(seed: str, starts: tuple[str, ...], pieces: tuple[str, ...]) -> Iterator[str]:
    """Yield random starts followed by random pieces; some are valid, some are not."""
    random = Random(seed)
    for _ in range(STRINGS):
        count = random.randrange(7)
        yield random.choice(starts) + "".join(random.choice(pieces) for _ in range(count))


URN_STARTS = ("urn:ab:c", "URN:a-b:", "urn:", "urn:ab", "urn:a", f"urn:{'a' * 31}", "urn:ab:c?+d")
URN_PIECES = (
    *("a", "-", ":", "/", "?", "#", "?+", "?=", "=", "+", "%2f", "%", "@", "'", "~", "é", "["),
    *("ab", "9:z", "?+r", "?=q", "b:c"),
)
TEL_STARTS = ("tel:+1", "TEL:+", "tel:", "tel:7042;phone-context=example.com", "tel:12", "tel:+1;a")
TEL_PIECES = (
    *("1", "a", "F", "g", "-", ".", "(", "*", "+", "%23", "#", ";", "=", "?", "[", "%41", "é", "/"),
    *(
        ";ext=1",
        ";EXT=",
        ";isub=a",
        ";isub",
        ";phone-context=a.b",
        ";phone-context=+1",
        ";a",
        ";b=c",
    ),
)


@pytest.mark.parametrize("seed", ["one", "another"])
def test_urn_accepts_exactly_what_the_abnf_produces(seed: str) -> None:
    verdicts = [
        (text, is_urn(text), is_accepted(URN, text))
        for text in random_strings(seed, URN_STARTS, URN_PIECES)
    ]
    assert [verdict for verdict in verdicts if verdict[1] is not verdict[2]] == []
    assert STRINGS // 10 <= sum(valid for _, valid, _ in verdicts) <= STRINGS - STRINGS // 10


@pytest.mark.parametrize("seed", ["one", "another"])
def test_tel_uri_accepts_exactly_what_the_abnf_produces(seed: str) -> None:
    verdicts = [
        (text, is_telephone_uri(text), is_accepted(TelURI, text))
        for text in random_strings(seed, TEL_STARTS, TEL_PIECES)
    ]
    assert [verdict for verdict in verdicts if verdict[1] is not verdict[2]] == []
    assert STRINGS // 10 <= sum(valid for _, valid, _ in verdicts) <= STRINGS - STRINGS // 10


@pytest.mark.parametrize("rule", ["NID", "NSS", "r-component", "q-component", "f-component"])
def test_urn_build_accepts_exactly_the_components_that_the_abnf_produces(rule: str) -> None:
    starts = ("", "a", "ab", "a" * 30, "-", "/")
    names = {"r-component": "r_component", "q-component": "q_component"}
    verdicts = set()
    for text in random_strings(rule, starts, URN_PIECES):
        valid = produces(UrnRule, rule, text) and not (rule == "r-component" and "?=" in text)
        part = names.get(rule, rule.lower().replace("-", "_"))
        verdicts.add(valid)
        assert built(part, text) is valid, text
    assert verdicts == {True, False}


def built(part: str, text: str) -> bool:
    try:
        found = URN.from_parts(**{"nid": "example", "nss": "a", part: text})
    except ValueError:
        return False
    return bool(getattr(found, part) == text)


HOSTILE = (
    "",
    "urn:ab:c\n",
    "urn:ab:c?+d?=",
    "urn:ab:c?+d?=e?=",
    "urn:ab:c?+d?+e",
    "urn:ab:c#d#e",
    "urn:ab:c%",
    "urn:ab:c%4",
    "urn:ab:c%4g",
    "urn:ab:\u0661",
    "urn:\u0661\u0662:c",
    "urn:ab:c\ud800",
    "urn:ab:c\\d",
    "urn:ab:c d",
    "\u017ern:ab:c",
    "tel:+1\n",
    "tel:+\u0661",
    "tel:+1;ext=\u0661",
    "tel:+1;e\u017ft=1",
    "tel:+1;\u0130sub=1",
    "tel:1;phone-context=\u212a",
    "tel:+1;a=%2",
    "tel:+1;a=\x00",
    "tel:+1;a=b;",
    "tel:+1,2",
    "tel:+1//2",
    "tel:+1\ud800",
)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_urn_and_tel_uri_accept_or_reject_hostile_strings_as_the_abnf_does(text: str) -> None:
    assert is_accepted(URN, text) is is_urn(text)
    assert is_accepted(TelURI, text) is is_telephone_uri(text)
