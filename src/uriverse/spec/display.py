"""An identifier for people to read: as little encoded as can be shown without deceit.

What it shows is chosen so that two texts that are not the same look different
([RFC 3986, 7.6](https://www.rfc-editor.org/rfc/rfc3986#section-7.6), [RFC 3987, 8][1]). In
doubt it stays encoded.

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-8
"""

from __future__ import annotations

import re
from unicodedata import category, name, normalize

from uriverse.errors import MASK, ConvertError

from .bidi import broken_rule
from .components import AllParts, all_parts, composed
from .conversion import iri_text, uri_text
from .domain import LONGEST_TEXT, to_ascii, to_unicode
from .normalization import lower
from .percent import pct_encode

#: Characters that look like one of ASCII that delimits, and whose compatibility form does
#: not say so: slashes and solidi, colons, dots, question marks, and strokes laid over a letter.
LIKE_DELIMITERS = frozenset(
    "\u2044\u2215\u29f8\u2571\u27cb\u3033\u2cc6\u1735\u00f7"
    "\u02d0\u0589\u05c3\u0703\u0704\u1365\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\uff1a"
    "\u06d4\u0660\u06f0\u0701\u0702\u3002\uff61\ua60e\u2027\u30fb\u00b7"
    "\u0241\u0294\u097d\u13ae\ua6eb\u0335\u0336\u0337\u0338\u20d2\u20d3\u20d8\u20da\u20e5"
)

#: Letters without a shape: they are shown as nothing, or as a space.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
)

#: Letters of other scripts that look like Latin ones: a label of these alone looks Latin.
LIKE_LATIN = frozenset(
    "асԁеһіјӏорԛѕԝхуъьҽпгѵѡкмтвнԍзқѐёїўҫҳӕәүұ"  # Cyrillic
    "αικνρυωηοτχγεβςσϲϳ"  # Greek
    "ագզէլհյոսւօքց"  # Armenian
)

#: Letters of Japanese that look like a slash, a backslash or a hyphen between Latin ones.
LIKE_STROKES = frozenset("ノソゾンー一丨丶丿〵〳ㇵㇶヽヾへべぺ")

#: Scripts that are written together (UTS 39, 5.2, "highly restrictive").
TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)


def display(text: str) -> str:
    """The text of an identifier as it may be shown to people."""
    parts = all_parts(iri_text(text))
    userinfo, host = parts.userinfo, parts.host
    return composed(
        AllParts(
            parts.scheme,
            None if userinfo is None else shown_userinfo(userinfo),
            None if host is None else shown_host(host),
            parts.port,
            "/".join(map(shown, parts.path.split("/"))),
            None if parts.query is None else shown(parts.query),
            None if parts.fragment is None else shown(parts.fragment),
        )
    )


def shown_userinfo(userinfo: str) -> str:
    """The userinfo without its password (RFC 3986, 3.2.1)."""
    username, colon, password = userinfo.partition(":")
    return shown(username) + colon + (MASK if password else "")


def shown_host(host: str) -> str:
    """A host; where it is a domain name, its labels in Unicode if they are what they seem."""
    if host.startswith("[") or len(host) > LONGEST_TEXT:
        return uri_text(host)  # no domain name
    if not host.isascii():
        try:
            host = to_ascii(host)
        except ConvertError:
            return uri_text(host)
    return ".".join(map(shown_label, host.split(".")))


def shown_label(label: str) -> str:
    """A label in Unicode, if it leads back to the same and looks like nothing else."""
    candidate = to_unicode(label)
    seems_so = candidate.isascii() or (
        shown(candidate) == candidate and is_of_one_script(candidate) and not looks_latin(candidate)
    )
    return candidate if seems_so else lower(label)


def shown(part: str) -> str:
    """A part of an identifier, what would mislead encoded."""
    if part.isascii():
        return part
    if broken_rule(part)[0]:
        return uri_text(part)  # all of it, as RFC 3987, 4.2, says
    return "".join(
        pct_encode(c.encode()) if misleads(c, before) else c
        for before, c in zip(f"/{part}", part, strict=False)
    )


def misleads(character: str, before: str) -> bool:
    """Whether a character might be taken for another, or not be seen."""
    if character.isascii():
        return False
    if not character.isprintable() or character in BLANK or character in LIKE_DELIMITERS:
        return True
    if category(character).startswith("M"):
        # A mark would be drawn on the delimiter before it.
        return not (before.isalnum() or category(before).startswith("M"))
    form = normalize("NFKC", character)
    return any(c.isascii() and not c.isalnum() for c in form)


def is_of_one_script(label: str) -> bool:
    """Whether the letters of a label are of one script, or of those written together.

    The script is the first word of a letter's name: coarser than Unicode's property, and
    never so that two scripts are taken for one.
    """
    scripts = {script(c) for c in label if c.isalpha()}
    together = len(scripts) <= 1 or any(scripts <= some for some in TOGETHER)
    return together and not ("LATIN" in scripts and LIKE_STROKES & set(label))


def script(letter: str) -> str:
    word = re.split("[ -]", name(letter, "?"))[0]
    return "CJK" if word == "IDEOGRAPHIC" else word


def looks_latin(label: str) -> bool:
    """Whether a label has letters past ASCII, and all of them look like Latin ones."""
    letters = {c for c in label if c.isalpha() and not c.isascii()}
    return bool(letters) and letters <= LIKE_LATIN
