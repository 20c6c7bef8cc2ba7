"""Show URIs: percent-decoded, except where that could mislead people, and in notebooks.

RFC 3986, 7.6, and RFC 3987, 8, describe the risks. The rules for characters that stay encoded are
simple, and strict when in doubt, because no rule can know the font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple
from unicodedata import bidirectional, category, combining, normalize

from uriverse._errors import ConvertError, escape_unprintable
from uriverse._spec.bidi import find_broken_rule
from uriverse._spec.components import AllParts, Bounds, compose_all_parts, match_appendix_b
from uriverse._spec.conversion import convert_to_uri
from uriverse._spec.domain import LONGEST_NAME, LONGEST_TEXT
from uriverse._spec.letters import LABELS, LIKE_LATIN, LIKE_STROKES, UNLIKE_LATIN
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import pct_encode
from uriverse._uri.engine import to_ascii, to_unicode

from . import engine as _engine

#: The octets that are decoded for display, and the prefix of A-labels.
DECODED = re.compile("%[89A-Fa-f]|[Xx][Nn]--")

#: Characters that never mislead, apart from letters in a host: ASCII, and letters and punctuation
#: marks of scripts in wide use. Other characters are examined one by one.
PLAIN_CHARACTERS = (
    "\0-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b"
    "\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0481\u048a-\u04ff\u0531-\u0556"
    "\u0561-\u0586\u0905-\u0939\u0e01-\u0e30\u10d0-\u10f0\u1ea0-\u1ef9\u2013\u2014\u2018\u2019\u201c\u201d"
    "\u3001\u3002\u3005\u3041-\u3096\u30a1-\u30fc\u3400-\u4db5\u4e00-\u9fa5\uac00-\ud7a3"
)
PLAIN = re.compile(f"[{PLAIN_CHARACTERS}]*+")
NOT_PLAIN = re.compile(f"[^{PLAIN_CHARACTERS}]++")

#: The blocks of all right-to-left characters, including those that Unicode may still add.
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)

#: Hebrew and Arabic words, whose letters never mislead, with underscores and hyphens between them.
RIGHT_TO_LEFT_WORDS = re.compile(
    "(?:[\u05d0-\u05ea\u0620-\u063f\u0641-\u064a\u0671-\u06d3]++[_-]*+)++(?<![_-])"
)

#: Patterns that split a component at its delimiters.
DELIMITERS = {delimiters: re.compile(f"([{delimiters}])") for delimiters in ("/", "&=")}

#: The Unicode bidirectional class of left-to-right letters, and those of all letters and digits.
LEFT_TO_RIGHT = "L"
DIRECTIONS = frozenset({LEFT_TO_RIGHT, "R", "AL", "EN", "AN"})

#: The numbers of cached results.
CACHED_HOSTS = 512
CACHED_CHARACTERS = 4096

#: Characters that look like "/", "\", "#", "@" or "?".
LIKE_DELIMITERS = frozenset(
    "\u2044\u2215\u29f8\u2571\u27cb\u3033\u2cc6\u1735\u2afd\u2cc7\u29f6\u2041\u2e4a\u31d3\u2f03"
    "\u2216\u29f5\u29f9\u2572\u27cd\u31d4\u266f\u2317\u22d5\u29e3\u2e2e\u24d0\u0241\u0294\u097d"
    "\u13ae\ua6eb\U0001d23a\U0001d20f\U0001d23b\U0001f67c"
)

#: Characters that are displayed as a space or not at all, although Unicode lists them as printable.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u2d7f\U0001d159\U00016fe4"
    + "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
)

BESIDE_LATIN = re.compile(f"[a-z0-9][{''.join(LIKE_STROKES)}]|[{''.join(LIKE_STROKES)}][a-z0-9]")


LOOKS_LATIN = "all letters of a label look like Latin letters"


class KeptLabel(NamedTuple):
    """The index of a label that stays encoded, or `None` for the whole host, and the reason."""

    label: int | None
    reason: str


def format_for_display(text: str) -> str:
    """Return a URI in readable form: decoded, except where that could mislead people."""
    if text.isascii() and not DECODED.search(text):
        return text
    iri = _engine.parse(text)._to_iri()
    text, host = str(iri), iri.host
    is_plain = PLAIN.fullmatch(text) is not None
    is_one_direction = is_plain or is_left_to_right(text)
    if not is_one_direction or not (iri.userinfo or "").isascii():
        parts, _ = display_components(iri)
        return compose_all_parts(parts)
    # Without right-to-left text, components do not affect each other: only the host has its rules.
    bounds = Bounds(*iri._bounds)
    text_after_host = text if host is None else text[bounds.host_end :]
    if not is_plain:
        text_after_host = NOT_PLAIN.sub(encode_misleading, text_after_host)
    if host is None:
        return text_after_host
    may_have_a_labels = "--" in host
    if may_have_a_labels or not host.isascii():
        host, _, _ = display_host(host, find_direction(text_after_host, LEFT_TO_RIGHT))
    return text[: bounds.host] + host + text_after_host


def list_kept_labels(text: str) -> list[KeptLabel]:
    """Return the labels of the host that stay in ASCII, because they could mislead."""
    # A valid URI stays valid if it is redacted as such, in contrast to a string of any kind.
    iri = _engine.parse(_engine.redact(_engine.parse(text)))._to_iri()
    return [*display_components(iri)[1]]


def display_components(iri: _engine.Identifier) -> tuple[AllParts, tuple[KeptLabel, ...]]:
    """Return the components in readable form, and the host labels that stay in ASCII."""
    fragment, query, host, userinfo = iri.fragment, iri.query, iri.host, iri.userinfo
    # Start at the end: right-to-left text is shown only if left-to-right text follows it.
    next_direction = LEFT_TO_RIGHT
    if fragment is not None:
        fragment, next_direction = display_component("", fragment, next_direction)
    if query is not None:
        query, next_direction = display_component("&=", query, next_direction)
    path, next_direction = display_component("/", iri.path, next_direction)
    next_direction = find_direction(iri.port_text or "", next_direction)
    kept_labels: tuple[KeptLabel, ...] = ()
    if host is not None:
        host, next_direction, kept_labels = display_host(host, next_direction)
    if userinfo is not None:
        userinfo = display_userinfo(userinfo, next_direction)
    return AllParts(iri.scheme, userinfo, host, iri.port_text, path, query, fragment), kept_labels


def display_component(delimiters: str, text: str, next_direction: str) -> tuple[str, str]:
    """Return a component in readable form, and the direction of its first letter.

    The component is split at the delimiters, and each piece is decoded or kept encoded separately.
    If the component has no letter, return the direction of the characters after it.
    """
    if is_left_to_right(text):
        # The text after a piece does not matter, and no mark combines with a delimiter.
        readable = display_text(text, next_direction)
        return readable, find_direction(readable, next_direction)
    pieces = DELIMITERS[delimiters].split(text) if delimiters else [text]
    for index in reversed(range(len(pieces))):
        if not pieces[index].isascii():
            pieces[index] = display_text(pieces[index], next_direction)
        next_direction = find_direction(pieces[index], next_direction)
    return "".join(pieces), next_direction


def is_left_to_right(text: str) -> bool:
    """Return whether a string certainly contains no right-to-left characters."""
    return not RIGHT_TO_LEFT.search(text)


def find_direction(text: str, otherwise: str) -> str:
    """Return the bidirectional class of the first letter or digit, or `otherwise` without one."""
    for character in text:
        direction = bidirectional(character)
        if direction in DIRECTIONS:
            return direction
    return otherwise


def display_userinfo(userinfo: str, next_direction: str) -> str:
    """Return the userinfo, whose password is replaced, with non-ASCII letters and digits decoded.

    It appears at the place where people expect the host, so other characters stay encoded.
    """

    def is_shown(character: str) -> bool:
        is_letter_or_digit = character.isalnum() and normalize("NFKC", character) == character
        return character.isascii() or is_letter_or_digit

    text = "".join(c if is_shown(c) else pct_encode(c.encode()) for c in userinfo)
    if LIKE_STROKES & set(text):
        text = convert_to_uri(text)
    return display_text(text, next_direction)


def display_host(host: str, next_direction: str) -> tuple[str, str, tuple[KeptLabel, ...]]:
    """Return the host for display, its text direction, and its labels that stay in punycode."""
    if host.startswith("[") or len(host) > LONGEST_TEXT:
        encoded = convert_to_uri(host)
        return encoded, find_direction(encoded, next_direction), ()
    # Names of this length are never valid, so that only attacks would fill the cache with them.
    cached = len(host) <= LONGEST_NAME + 1
    return (display_name if cached else display_name.__wrapped__)(host, next_direction)


@lru_cache(CACHED_HOSTS)
def display_name(host: str, next_direction: str) -> tuple[str, str, tuple[KeptLabel, ...]]:
    encoded_host = convert_to_uri(host)
    ascii_name = host
    if not host.isascii():
        try:
            ascii_name = to_ascii(host)
        except ConvertError:
            return encoded_host, find_direction(encoded_host, next_direction), ()
    ascii_labels = ascii_name.split(".")
    labels = [to_unicode(label) for label in ascii_labels]
    if not host.isascii() and ".".join(labels) != host.lower():
        kept_host = KeptLabel(None, "DNS would look up a different name")
        return encoded_host, find_direction(encoded_host, next_direction), (kept_host,)
    shown_labels = [*labels]
    kept_labels: list[KeptLabel] = []
    # Start at the end: right-to-left text is shown only if left-to-right text follows it.
    for index, label in reversed([*enumerate(labels)]):
        reason = explain_misleading_label(label, top=labels[-1], next_direction=next_direction)
        if reason:
            kept_labels.append(KeptLabel(index, reason))
            shown_labels[index] = lowercase_ascii(ascii_labels[index])
        next_direction = find_direction(shown_labels[index], next_direction)
    shown_name = ".".join(shown_labels)
    ascii_name = lowercase_ascii(ascii_name)
    if not shown_name.isascii() and not converts_back(shown_name, ascii_name):
        kept_host = KeptLabel(None, "the Unicode form is not looked up as the same name")
        return ascii_name, LEFT_TO_RIGHT, (kept_host,)
    return shown_name, next_direction, tuple(kept_labels)


def converts_back(shown_name: str, name: str) -> bool:
    """Return whether a displayed name is looked up as the given ASCII name.

    If one label is right-to-left, all labels must satisfy the Bidi rule (RFC 5893, 2).
    """
    try:
        return to_ascii(shown_name) == name
    except ConvertError:
        return False


def explain_misleading_label(label: str, *, top: str, next_direction: str) -> str:
    """Return the reason to keep a label in ASCII, or `""` to show it in Unicode."""
    if label.isascii():
        return ""
    if would_swap(label, next_direction):
        return "a right-to-left label would be displayed in the wrong place"
    if BESIDE_LATIN.search(label):
        return "next to a Latin letter, a character looks like a stroke or a 0"
    if UNLIKE_LATIN & set(label):
        return "a letter looks like another Latin letter"
    letters = {c for c in label if c.isalpha()}
    for script, pattern in LABELS.items():
        if pattern.fullmatch(label):
            looks_latin = letters <= LIKE_LATIN.get(script, frozenset[str]())
            in_script = not top.isascii() and pattern.fullmatch(top)
            return LOOKS_LATIN if looks_latin and not in_script else ""
    if any(letters <= like for like in LIKE_LATIN.values()):
        return LOOKS_LATIN
    known = all(any(pattern.fullmatch(c) for pattern in LABELS.values()) for c in set(label))
    return "a label mixes several scripts" if known else "one of its letters is rare in domains"


def display_text(part: str, next_direction: str) -> str:
    """Decode a part of a component, but keep misleading characters percent-encoded."""
    if PLAIN.fullmatch(part):
        return part
    if RIGHT_TO_LEFT_WORDS.fullmatch(part):
        return part if next_direction == LEFT_TO_RIGHT else convert_to_uri(part)
    text = NOT_PLAIN.sub(encode_misleading, part)
    if is_left_to_right(text):
        return text
    broken_rule, _ = find_broken_rule(text)
    if broken_rule or would_swap(text, next_direction):
        return convert_to_uri(text)  # all of it, as in RFC 3987, 4.2
    return text


def encode_misleading(run: re.Match[str]) -> str:
    text, start = run.string, run.start()
    # A triplet ends with a digit or an ASCII letter, but is not displayed as one.
    is_after_triplet = text.startswith("%", max(start - 3, 0), start)
    previous = "" if is_after_triplet else text[start - 1 : start]
    pieces: list[str] = []
    for character in run[0]:
        if is_misleading(character, previous):
            pieces.append(pct_encode(character.encode()))
            previous = ""
        else:
            pieces.append(character)
            previous = character
    return "".join(pieces)


def would_swap(part: str, next_direction: str) -> bool:
    """Return whether a right-to-left string would swap places with the string displayed after it.

    A delimiter between two right-to-left strings, and digits after one, take their direction.
    """
    if next_direction == LEFT_TO_RIGHT:
        return False
    return not {"R", "AL", "AN"}.isdisjoint(map(bidirectional, part))


@lru_cache(CACHED_CHARACTERS)
def is_misleading(character: str, previous: str) -> bool:
    """Return whether a character, after another or `""`, is invisible or could be mistaken."""
    compatible = normalize("NFKC", character)
    if not character.isprintable() or (LIKE_DELIMITERS | BLANK) & {character, *compatible}:
        return True
    if normalize("NFC", character) != character:
        return True
    # These are full-width letters and similar characters, but not Chinese punctuation marks.
    if compatible != character and any(c.isascii() and c not in "!()," for c in compatible):
        return True
    is_mark = category(character).startswith("M")
    return is_mark and is_misplaced(character, previous)


def is_misplaced(mark: str, previous: str) -> bool:
    """Return whether a combining mark may not be shown after a character, or after none (`""`)."""
    # Enclosing marks (Me), overlays (class 1), and marks over two letters (classes 233 and 234).
    if category(mark) == "Me" or combining(mark) in {1, 233, 234} or "\ufe20" <= mark <= "\ufe2f":
        return True
    on_a_letter = len(previous) == 1 and (previous.isalpha() or category(previous).startswith("M"))
    # If a precomposed character exists for a letter and its mark, the two must be written as that
    # character. A doubled mark looks like a single one.
    is_precomposed = len(normalize("NFC", previous + mark)) == 1
    return not on_a_letter or previous == mark or is_precomposed


#: Styles that are readable on a light and on a dark background.
CELL = "text-align: left; padding: 0 .1em; font-family: monospace; overflow-wrap: anywhere"
NAME = "text-align: left; padding: 0 .1em; font-size: smaller; opacity: .8"


def format_html(text: str) -> str:
    pieces = list(list_pieces(_engine.redact(text)))
    cells = "".join(
        f'<td style="{CELL}">{escape(escape_unprintable(piece))}</td>' for _, piece in pieces
    )
    names = "".join(f'<td style="{NAME}">{name}</td>' for name, _ in pieces)
    return f'<table style="display: inline-table"><tr>{cells}</tr><tr>{names}</tr></table>'


def list_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the components of a URI with their names, and its delimiters with the name `""`."""
    match = match_appendix_b(text)
    position = 0
    for name in AllParts._fields:
        start, end = match.span(name)  # -1 if the component is absent
        if start >= 0:
            # The delimiters ":" and "//" are pieces of their own.
            yield from (("", piece) for piece in re.findall("//|[:@?#]", text[position:start]))
            yield name, text[start:end]
            position = end
