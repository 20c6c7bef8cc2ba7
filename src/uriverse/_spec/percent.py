"""Percent-encoding ([RFC 3986, section 2](https://www.rfc-editor.org/rfc/rfc3986#section-2)).

The compiled kernel has the same public functions, with the same docstrings, for what
can be encoded and decoded at once; it leaves errors and policies to those here.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from uriverse._grammar.bidi import BIDI_FORMATTING
from uriverse.errors import BuildError, ConvertError, ParseError

from .syntax import matches, pattern

#: What data can be encoded for: the RFC's rules, and the path with its slashes.
Component = Literal[
    "unreserved", "userinfo", "reg-name", "path", "segment", "segment-nz-nc", "query", "fragment"
]

#: How octets that are not UTF-8 are decoded.
DecodeErrors = Literal["strict", "replace", "keep", "surrogateescape"]

#: Where data stands that is encoded by a rule, if that is not the rule's name.
COMPONENT_OF = {"segment": "path", "segment-nz-nc": "path", "reg-name": "host"}

#: Letters in upper case that belong to no triplet.
UPPER = re.compile("(?<!%)(?<!%[0-9A-Fa-f])[A-Z]++")

#: A surrogate that is not a surrogate escape.
OTHER_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")

#: Triplets of octets past ASCII, as many as follow one another.
PAST_ASCII = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])++")


def encode(data: str | bytes, component: Component, /, *, iri: bool = False) -> str:
    r"""Data as it is written in a component ([RFC 3986, 2.4 and 2.5][1]).

    Every character that the component's rule does not have is percent-encoded as UTF-8, and
    the percent sign always: a triplet in the data is encoded again. A surrogate escape (U+DC80
    to U+DCFF, as `os.fsdecode` makes them) is the octet that it stands for.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.4
    [2]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

    Args:
        data: a string, or octets.
        component: the rule that the result is to meet: `"segment"`, `"query"`,
            `"fragment"`, `"userinfo"`, `"reg-name"`, `"segment-nz-nc"` (the first segment
            of a relative path, without a colon), `"path"` (a slash stays), or
            `"unreserved"`, which leaves nothing that means anything anywhere.
        iri: whether characters past ASCII stay that an IRI may hold there; not those that
            format text which runs both ways ([RFC 3987, 4.1][2]).

    Raises:
        BuildError: the string has a lone surrogate that is not a surrogate escape, or
            surrogate escapes that are UTF-8 together: decoding would give another string.
        TypeError: the data is neither `str` nor `bytes`.
        ValueError: there is no such component.

    >>> encode("a b/é?", "segment"), encode("a b/é?", "query"), encode("é", "query", iri=True)
    ('a%20b%2F%C3%A9%3F', 'a%20b/%C3%A9?', 'é')
    >>> encode("\udcff", "segment")
    '%FF'
    """
    if component not in get_args(Component):
        raise ValueError(f"{component!r} is none of {', '.join(get_args(Component))}")
    rule = f"i{component}" if iri else component
    if isinstance(data, bytes):
        return encode_octets(bytes(memoryview(data)), rule)
    if not isinstance(data, str):
        raise TypeError(f"data is a str or bytes, not {type(data).__name__}")
    # A subclass may print itself otherwise; its own characters count.
    exact = str.__str__(data)
    if invalid_escape(exact) >= 0:
        raise encode_error(exact, COMPONENT_OF.get(component, component), rule)
    return encode_text(exact, rule)


def decode(text: str, /, errors: DecodeErrors = "strict") -> str:
    r"""The text that a percent-encoded text stands for ([RFC 3986, 2.1][1]).

    All triplets are decoded, once. So take the identifier apart first: what is decoded
    may hold any delimiter.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        text: a component, or a part of one. Other characters stand for themselves.
        errors: how octets that are not UTF-8 are decoded: `"strict"` raises, `"replace"`
            writes U+FFFD for them, `"keep"` leaves them encoded, in upper case, and
            `"surrogateescape"` makes each a surrogate escape, which `encode` reverses.

    Raises:
        ConvertError: what is encoded is not UTF-8, and `errors` is `"strict"`.
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is no `str`.
        ValueError: there is no such policy.

    >>> decode("caf%C3%A9%2F%2525")
    'café/%25'
    >>> decode("%FF!", errors="keep"), decode("%FF!", errors="surrogateescape")
    ('%FF!', '\udcff!')
    """
    if errors not in get_args(DecodeErrors):
        raise ValueError(f"{errors!r} is none of {', '.join(get_args(DecodeErrors))}")
    octets = decode_bytes(text)
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        if errors in {"replace", "surrogateescape"}:
            return octets.decode(errors=errors)
        if errors == "keep":
            found = octets.decode(errors="surrogateescape")
            return re.sub("[\udc80-\udcff]", encoded_again, found)
        reason = "what is encoded is not UTF-8"
        hint = "decode it as bytes, or with errors='surrogateescape', 'replace' or 'keep'"
        position = place_of_octet(text, error.start)
        raise ConvertError(text, position, "text", "pct-encoded", reason, hint) from None


def decode_bytes(text: str, /) -> bytes:
    r"""The octets that a percent-encoded text stands for ([RFC 3986, 2.1][1]).

    All triplets are decoded, once; characters past ASCII are given as UTF-8.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is no `str`.

    >>> decode_bytes("a%FFé")
    b'a\xff\xc3\xa9'
    """
    return pct_decode(encoded(text))


def decode_unreserved(text: str, /) -> str:
    """A text with the triplets decoded that stand for unreserved characters ([RFC 3986, 2.3][1]).

    The text means the same, but for a segment `%2E` or `%2E%2E` of a relative reference:
    resolution does not take those for steps.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.3

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is no `str`.

    >>> decode_unreserved("%7Ea%2fb%2525")
    '~a%2fb%2525'
    """
    return with_unreserved_decoded(encoded(text))


def uppercase(text: str, /) -> str:
    """A text with the digits of its triplets in upper case ([RFC 3986, 6.2.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is no `str`.

    >>> uppercase("a%3ab")
    'a%3Ab'
    """
    return with_uppercase_triplets(encoded(text))


# --- what they are made of


def pct_encode(octets: bytes) -> str:
    """Each octet as its `pct-encoded` triplet (2.1), the digits in upper case."""
    return "".join(f"%{octet:02X}" for octet in octets)


def is_written(character: str, rule: str) -> bool:
    """Whether a character of data stands for itself where a rule is met.

    What formats text that runs both ways does not, though the rule has it (RFC 3987, 4.1).
    """
    if formats_text(character):
        return False
    if rule in {"path", "ipath"}:
        return character == "/" or matches(character, rule.replace("path", "segment"))
    if rule == "iunreserved":
        return matches(character, "unreserved") or matches(character, "ucschar")
    return matches(character, rule)


def encode_text(data: str, rule: str) -> str:
    """Text as it stands in a component: what its rule has no character for, as UTF-8 (2.5).

    A percent sign is data like any other (2.4), and so always encoded. A surrogate escape is
    encoded as its octet.
    """
    if data.isalnum() and data.isascii():
        return data  # as many are; no component is without letters and digits
    return "".join(c if is_written(c, rule) else pct_encode(escaped_octets(c)) for c in data)


def encode_octets(data: bytes, rule: str) -> str:
    """As `encode_text`, for octets that are no text."""
    return "".join(
        chr(octet) if octet < 0x80 and is_written(chr(octet), rule) else f"%{octet:02X}"
        for octet in data
    )


def pct_decode(text: str) -> bytes:
    """The octets that a text stands for: triplets decoded, all else as UTF-8 (2.1)."""
    if "%" not in text:
        return text.encode()  # as most have none
    octets = bytearray()
    done = 0
    for triplet in pattern("pct-encoded").finditer(text):
        octets += text[done : triplet.start()].encode()
        octets += bytes.fromhex(triplet[0].removeprefix("%"))
        done = triplet.end()
    return bytes(octets + text[done:].encode())


def with_unreserved_decoded(text: str) -> str:
    """Section 2.3: what an unreserved character's triplet stands for is the character."""

    def decoded(triplet: re.Match[str]) -> str:
        character = chr(int(triplet[0][1:], 16))
        return character if matches(character, "unreserved") else triplet[0]

    return pattern("pct-encoded").sub(decoded, text)


def with_uppercase_triplets(text: str) -> str:
    """Section 6.2.2.1: the digits of triplets in upper case."""
    return pattern("pct-encoded").sub(lambda triplet: triplet[0].upper(), text)


def with_lowercase_letters(text: str) -> str:
    """A text with its ASCII letters in lower case, but those of triplets.

    >>> with_lowercase_letters("A%2Fb")
    'a%2Fb'
    """
    return UPPER.sub(lambda letters: letters[0].lower(), text)


def with_characters_decoded(text: str, component: str, *, upper: bool) -> str:
    """Triplets decoded that stand for characters past ASCII, where an IRI may hold those.

    That is [RFC 3987, 3.2](https://www.rfc-editor.org/rfc/rfc3987#section-3.2), steps 2 to
    4, for what lies past ASCII: not what is no strictly legal UTF-8, nor what section 2.2
    has no place for there, nor what 4.1 forbids.

    Args:
        text: a component of an identifier.
        component: its name; private use characters may stand in a query only.
        upper: whether triplets past ASCII that stay are to be in upper case, as those
            are that step 4 makes.
    """

    def decoded(run: re.Match[str]) -> str:
        found = run[0]
        octets = bytes.fromhex(found.replace("%", ""))
        result: list[str] = []
        done = 0
        # What is no legal UTF-8 becomes lone surrogates, octet by octet, and those no
        # rule allows.
        for c in octets.decode(errors="surrogateescape"):
            end = done + 3 * len(c.encode(errors="surrogateescape"))
            triplets = found[done:end]
            legal = is_legal(c, component)
            result.append(c if legal else triplets.upper() if upper else triplets)
            done = end
        return "".join(result)

    return PAST_ASCII.sub(decoded, text)


def formats_text(character: str) -> bool:
    """Whether a character formats text that runs both ways."""
    return any(first <= ord(character) <= last for first, last in BIDI_FORMATTING)


def is_legal(character: str, component: str) -> bool:
    """Whether a character past ASCII may be written in a component of an IRI."""
    if formats_text(character):
        return False
    in_query = component == "query" and matches(character, "iprivate")
    return in_query or matches(character, "ucschar")


# --- what is wrong


def encoded(text: object) -> str:
    """The exact `str` of a percent-encoded text.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits, or a lone
            surrogate stands there.
        TypeError: it is no `str`.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is a str, not {type(text).__name__}")
    exact = str.__str__(text)
    left_over = pattern("pct-encoded").sub("", exact) if "%" in exact else ""
    if "%" in left_over:
        signs = re.finditer("%[0-9A-Fa-f]{0,2}", exact)
        end = next(sign.end() for sign in signs if len(sign[0]) < len("%41"))
        reason = "two hexadecimal digits follow a percent sign"
        hint = "write %25 for a percent sign that is data"
        raise ParseError(exact, end, "text", "pct-encoded", reason, hint)
    surrogate = lone_surrogate(exact)
    if surrogate >= 0:
        reason = "a lone surrogate is not a character"
        hint = "decode the bytes with the right codec"
        raise ParseError(exact, surrogate, "text", "pct-encoded", reason, hint)
    return exact


def encode_error(data: str, component: str, rule: str) -> BuildError:
    """The error for a string that no octets decode to, at its `invalid_escape`."""
    position = invalid_escape(data)
    if OTHER_SURROGATE.match(data, position):
        reason, hint = "a lone surrogate is not a character", "give the octets as bytes"
    else:
        reason = "these surrogate escapes are the UTF-8 octets of a character"
        hint = "give the character, or the octets as bytes"
    return BuildError(data, position, component, rule, reason, hint)


def invalid_escape(text: str) -> int:
    """The index of the first lone surrogate that decoding would not give back; `-1` without one.

    A surrogate escape is one of U+DC80 to U+DCFF and stands for an octet that is not part of
    valid UTF-8. Octets that are UTF-8 together decode to a character, never to escapes.
    """
    if lone_surrogate(text) < 0:
        return -1
    other = OTHER_SURROGATE.search(text)
    end = other.start() if other else len(text)
    decoded = escaped_octets(text[:end]).decode(errors="surrogateescape")
    # Up to the first difference, both have the same characters at the same indexes.
    differences = (i for i, (one, two) in enumerate(zip(text, decoded)) if one != two)  # noqa: B905
    return next(differences, end if other else -1)


def escaped_octets(text: str) -> bytes:
    """The octets of a string in UTF-8, with those that its surrogate escapes stand for."""
    return text.encode(errors="surrogateescape")


def lone_surrogate(text: str) -> int:
    """The index of the first lone surrogate of a text; `-1` without one."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return -1


def encoded_again(escape: re.Match[str]) -> str:
    """The triplet of an octet that was escaped as a lone surrogate."""
    return pct_encode(escaped_octets(escape[0]))


def place_of_octet(text: str, index: int) -> int:
    """Where in a text that octet stands of those that it is decoded to."""
    octets = 0
    for unit in re.finditer("%[0-9A-Fa-f]{2}|(?s:.)", text):
        octets += 1 if len(unit[0]) > 1 else len(unit[0].encode())
        if octets > index:
            return unit.start()
    raise AssertionError("every octet is one of some character or triplet")
