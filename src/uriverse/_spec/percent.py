"""Percent-encoding ([RFC 3986, section 2](https://www.rfc-editor.org/rfc/rfc3986#section-2)).

The compiled kernel has the same public functions, with equal docstrings. It calls the functions of
this module to raise errors, and to decode octets that are not valid UTF-8.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, get_args

from uriverse._errors import BuildError, ConvertError, ParseError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._spec import BIDI_FORMATTING
from uriverse._spec.grammar.rfc3987 import iprivate, ucschar
from uriverse._spec.grammar.rfc5234 import HEXDIG

from .syntax import compile_rule, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse._errors import Arguments

Component = Literal[
    "unreserved", "userinfo", "reg-name", "path", "segment", "segment-nz-nc", "query", "fragment"
]
"""The component for which data is percent-encoded, as in `percent.encode`.

Characters that the component may contain are kept, and all others are percent-encoded:

- `"unreserved"`: keep only letters, digits, `-`, `.`, `_` and `~`, which every component allows;
- `"userinfo"`: keep the characters that a userinfo may contain;
- `"reg-name"`: keep the characters that a host name may contain;
- `"path"`: keep the characters that a path may contain, including slashes;
- `"segment"`: keep the characters that a path may contain, except slashes;
- `"segment-nz-nc"`: keep the characters that a path may contain, except slashes and colons, for the
  first segment of a relative path;
- `"query"`: keep the characters that a query may contain;
- `"fragment"`: keep the characters that a fragment may contain.

Except for `"path"`, the values are names of grammar rules
([RFC 3986, Appendix A](https://www.rfc-editor.org/rfc/rfc3986#appendix-A)).

>>> encode("a/b", "segment"), encode("a/b", "path")
('a%2Fb', 'a/b')
"""

#: The allowed values of the arguments `component` and `errors`.
COMPONENTS = get_args(Component)
DECODE_ERRORS = ("strict", "replace", "keep", "surrogateescape")

#: The component that an error names, for the grammar rules that are not named after a component.
ERROR_COMPONENTS = {"segment": "path", "segment-nz-nc": "path", "reg-name": "host"}

#: Messages of errors about lone surrogates, percent signs and octets that are not UTF-8.
LONE_SURROGATE = "invalid lone surrogate: a surrogate is not a character"
DECODE_AGAIN = "decode the original bytes with the right codec"
LITERAL_PERCENT = 'write a literal "%" as %25'
ENCODE_AS_UTF8 = "percent-encode the characters as UTF-8"

#: The percent-encoded triplet of each octet, in upper case.
TRIPLETS = [f"%{octet:02X}" for octet in range(256)]

#: The octet for two hexadecimal digits, such as `b"/"` for `b"2F"` and `b"2f"`.
OCTETS = {
    f"{high}{low}".encode(): bytes.fromhex(high + low)
    for high in "0123456789ABCDEFabcdef"
    for low in "0123456789ABCDEFabcdef"
}

#: A percent sign that is not followed by two hexadecimal digits.
BARE_PERCENT = lazy_pattern(f"%(?![{HEXDIG}]{{2}})")

#: Upper-case letters outside percent-encoded triplets.
UPPER = lazy_pattern("(?<!%)(?<!%[0-9A-Fa-f])[A-Z]++")

#: A surrogate that is not a surrogate escape.
OTHER_SURROGATE = lazy_pattern("[\ud800-\udc7f\udd00-\udfff]")

#: Runs of consecutive percent-encoded triplets that encode non-ASCII octets.
PAST_ASCII = lazy_pattern(r"(?:%[89A-Fa-f][0-9A-Fa-f])++")


def encode(data: str | bytes, component: Component, /, *, iri: bool = False) -> str:
    r"""Percent-encode data for use in a component ([RFC 3986, 2.4 and 2.5][1]).

    Every character that is not allowed in the component is percent-encoded as UTF-8. The percent
    sign is always encoded, so `%20` becomes `%2520`. A surrogate escape (U+DC80 to U+DCFF, as
    returned by `os.fsdecode`) is encoded as the octet that it represents.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.4
    [2]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

    Args:
        data: a string or bytes.
        component: the component or grammar rule that the result must match: `"segment"`,
            `"query"`, `"fragment"`, `"userinfo"`, `"reg-name"`, `"segment-nz-nc"` (the first
            segment of a relative path, without a colon), `"path"` (slashes are kept), or
            `"unreserved"` (only unreserved characters are kept).
        iri: whether to keep non-ASCII characters if an IRI allows them in the component.
            Bidirectional formatting characters are encoded in any case ([RFC 3987, 4.1][2]).

    Raises:
        BuildError: the string contains a lone surrogate that is not a surrogate escape, or
            several surrogate escapes that form valid UTF-8. Decoding the result would return a
            different string.
        TypeError: `data` is neither a `str` nor `bytes`.
        ValueError: `component` is none of the listed values.

    >>> encode("a b/é?", "segment"), encode("a b/é?", "query"), encode("é", "query", iri=True)
    ('a%20b%2F%C3%A9%3F', 'a%20b/%C3%A9?', 'é')
    >>> encode("\udcff", "segment")
    '%FF'
    """
    if component not in COMPONENTS:
        choices = ", ".join(COMPONENTS)
        raise ValueError(f"component must be one of {choices}, not {quote_argument(component)}")
    rule = f"i{component}" if iri else component
    if type(data) is str:
        exact = data
    elif isinstance(data, str):
        exact = to_plain_str(data)
    elif isinstance(data, bytes):
        # A subclass of `bytes` may override its methods, so encode a plain `bytes` object.
        return encode_octets(data if type(data) is bytes else bytes(memoryview(data)), rule)
    else:
        raise TypeError(f"data must be a str or bytes, not {type(data).__name__}")
    try:
        octets = exact.encode()
    except UnicodeEncodeError:  # the string has surrogates
        if find_invalid_escape(exact) >= 0:
            error_component = ERROR_COMPONENTS.get(component, component)
            raise BuildError(*describe_encode_error(exact, error_component, rule)) from None
        octets = encode_escapes(exact)
    if iri and not exact.isascii():
        return compile_unwritable_pattern(rule).sub(encode_escape_match, exact)
    return encode_octets(octets, rule)


def decode(
    text: str, /, errors: Literal["strict", "replace", "keep", "surrogateescape"] = "strict"
) -> str:
    r"""Percent-decode a string ([RFC 3986, 2.1][1]).

    All percent-encoded triplets are decoded, but only once: `%2525` becomes `%25`. Split a URI into
    components before decoding them, because the result may contain delimiters.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        text: a component, or a part of a component. Only percent-encoded triplets are changed.
        errors: what to do with octets that are not valid UTF-8: `"strict"` raises an error,
            `"replace"` inserts U+FFFD, `"keep"` keeps them percent-encoded, in upper case, and
            `"surrogateescape"` returns a surrogate escape for each, which `encode` can encode.

    Raises:
        ConvertError: the decoded octets are not valid UTF-8, and `errors` is `"strict"`.
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.
        ValueError: `errors` is none of the listed values.

    >>> decode("caf%C3%A9%2F%2525")
    'café/%25'
    >>> decode("%FF!", errors="keep"), decode("%FF!", errors="surrogateescape")
    ('%FF!', '\udcff!')
    """
    if errors not in DECODE_ERRORS:
        choices = ", ".join(DECODE_ERRORS)
        raise ValueError(f"errors must be one of {choices}, not {quote_argument(errors)}")
    exact = to_plain_str(text)
    if "%" not in exact and exact.isascii():
        return exact  # the common case
    octets = decode_bytes(exact)
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        if errors in {"replace", "surrogateescape"}:
            return octets.decode(errors=errors)
        if errors == "keep":
            escaped = octets.decode(errors="surrogateescape")
            return re.sub("[\udc80-\udcff]", encode_escape_match, escaped)
        reason = "invalid UTF-8 in the percent-encoded octets"
        hint = "use decode_bytes, or set errors to 'surrogateescape', 'replace' or 'keep'"
        position = locate_octet(text, error.start)
        raise ConvertError(text, position, "text", "pct-encoded", reason, hint) from None


def decode_bytes(text: str, /) -> bytes:
    r"""Percent-decode a string to bytes ([RFC 3986, 2.1][1]).

    All percent-encoded triplets are decoded, but only once. Other characters are encoded as UTF-8.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.1

    Args:
        text: a component, or a part of a component.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> decode_bytes("a%FFé")
    b'a\xff\xc3\xa9'
    """
    exact = to_plain_str(text)
    try:
        return decode_strictly(exact)
    except (KeyError, UnicodeEncodeError):
        raise ParseError(*describe_decode_error(exact)) from None


def decode_unreserved(text: str, /) -> str:
    """Decode percent-encoded unreserved characters, and no others ([RFC 3986, 2.3][1]).

    The result is equivalent to the input, with one exception: in a relative reference, reference
    resolution treats `.` and `..` as dot segments, but not `%2E` and `%2E%2E`.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-2.3

    Args:
        text: a component, or a part of a component.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> decode_unreserved("%7Ea%2fb%2525")
    '~a%2fb%2525'
    """
    return decode_unreserved_triplets(validate_encoding(text))


def uppercase(text: str, /) -> str:
    """Convert percent-encoded triplets, such as `%3a`, to upper case ([RFC 3986, 6.2.2.1][1]).

    Characters that are not percent-encoded are not changed.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.1

    Args:
        text: a component, or a part of a component.

    Raises:
        ParseError: a percent sign is not followed by two hexadecimal digits.
        TypeError: `text` is not a `str`.

    >>> uppercase("a%3ab")
    'a%3Ab'
    """
    return uppercase_triplets(validate_encoding(text))


# --- building blocks


def pct_encode(octets: bytes) -> str:
    """RFC 3986, 2.1."""
    return "".join([TRIPLETS[octet] for octet in octets])


def is_left_unencoded(character: str, rule: str) -> bool:
    if rule in {"path", "ipath"}:
        return character == "/" or matches(character, rule.replace("path", "segment"))
    return matches(character, rule)


@cache
def build_encoding_table(rule: str) -> tuple[bytes, list[str]]:
    """Return the octets that `encode` keeps, and the string that it writes for each octet (2.4)."""
    allowed = bytes(octet for octet in range(128) if is_left_unencoded(chr(octet), rule))
    return allowed, [chr(octet) if octet in allowed else TRIPLETS[octet] for octet in range(256)]


def encode_octets(data: bytes, rule: str) -> str:
    allowed, strings = build_encoding_table(rule)
    if not data.rstrip(allowed):
        return data.decode()  # the common case: there is nothing to encode
    return "".join(map(strings.__getitem__, data))


@cache
def compile_unwritable_pattern(rule: str) -> re.Pattern[str]:
    """Match what `encode` does not keep in an IRI: bidi controls too (RFC 3987, 4.1)."""
    allowed = re.escape(build_encoding_table(rule)[0].decode()) + ucschar
    if rule == "iquery":
        allowed += iprivate
    formatting = "".join(f"{chr(first)}-{chr(last)}" for first, last in BIDI_FORMATTING)
    return re.compile(f"(?:[^{allowed}]|[{formatting}])++")


def decode_strictly(text: str) -> bytes:
    """Raise `KeyError` for a "%" without two digits, `UnicodeEncodeError` for a surrogate."""
    first, *others = text.encode().split(b"%")
    octets = [first]
    for piece in others:
        octets.append(OCTETS[piece[:2]])
        octets.append(piece[2:])
    return b"".join(octets)


def pct_decode(text: str) -> bytes:
    """Percent-decode a string to bytes; percent signs without two digits stay as they are."""
    if "%" not in text:
        return text.encode()  # the common case
    try:
        return decode_strictly(text)
    except KeyError:
        return decode_strictly(BARE_PERCENT.sub("%25", text))


def decode_unreserved_triplets(text: str) -> str:
    """RFC 3986, 2.3."""
    if "%" not in text:
        return text  # the common case
    characters = map_unreserved_triplets()
    return compile_rule("pct-encoded").sub(lambda run: characters.get(run[0], run[0]), text)


@cache
def map_unreserved_triplets() -> dict[str, str]:
    """Return the unreserved characters by their triplets: `"~"` for `"%7E"` and for `"%7e"`."""
    characters = {f"%{digits.decode()}": chr(octet[0]) for digits, octet in OCTETS.items()}
    return {triplet: c for triplet, c in characters.items() if matches(c, "unreserved")}


def uppercase_triplets(text: str) -> str:
    """RFC 3986, 6.2.2.1."""
    if "%" not in text:
        return text  # the common case
    return compile_rule("pct-encoded").sub(lambda triplet: triplet[0].upper(), text)


def lowercase_letters(text: str) -> str:
    """Convert ASCII letters to lower case, except in percent-encoded triplets.

    >>> lowercase_letters("A%2Fb")
    'a%2Fb'
    """
    return UPPER.sub(lambda letters: letters[0].lower(), text)


def decode_iri_characters(text: str, component: str, *, upper: bool) -> str:
    """Decode the non-ASCII characters that an IRI allows in a component (RFC 3987, 3.2, 2 to 4).

    Triplets stay encoded if they are not strictly legal UTF-8, or if RFC 3987, 2.2 or 4.1, does not
    allow the character. With `upper`, they become upper case, as step 4 encodes octets.
    """

    def decode_iri_run(run: re.Match[str]) -> str:
        triplets = run[0]
        octets = bytes.fromhex(triplets.replace("%", ""))
        pieces: list[str] = []
        start = 0
        # Each octet that is not legal UTF-8 becomes a lone surrogate. No rule allows surrogates, so
        # its triplet stays.
        for character in octets.decode(errors="surrogateescape"):
            end = start + 3 * len(character.encode(errors="surrogateescape"))
            if is_iri_character(character, component):
                pieces.append(character)
            else:
                encoded = triplets[start:end]
                pieces.append(encoded.upper() if upper else encoded)
            start = end
        return "".join(pieces)

    return PAST_ASCII.sub(decode_iri_run, text)


def is_iri_character(character: str, component: str) -> bool:
    """Return whether an IRI may contain a non-ASCII character as it is (RFC 3987, 2.2 and 4.1)."""
    if any(first <= ord(character) <= last for first, last in BIDI_FORMATTING):
        return False
    in_query = component == "query" and matches(character, "iprivate")
    return in_query or matches(character, "ucschar")


# --- errors


def to_plain_str(text: object) -> str:
    """Return a plain `str`, not a subclass; raise `TypeError` for other types."""
    if type(text) is str:
        return text
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    # A subclass of `str` may override `__str__`, so call the method of `str` itself.
    return str.__str__(text)


def validate_encoding(text: object) -> str:
    """Return a plain `str`; raise `ParseError` for invalid percent-encoding or a surrogate."""
    exact = to_plain_str(text)
    if ("%" in exact and BARE_PERCENT.search(exact)) or find_surrogate(exact) >= 0:
        raise ParseError(*describe_decode_error(exact))
    return exact


def describe_decode_error(text: str) -> Arguments:
    bare = BARE_PERCENT.search(text)
    if bare is None:
        position, reason, hint = find_surrogate(text), LONE_SURROGATE, DECODE_AGAIN
    else:
        # The first invalid character is the one in place of a hexadecimal digit.
        digit = compile_rule("HEXDIG").match(text, bare.end())
        position = digit.end() if digit else bare.end()
        reason = 'invalid percent-encoding: "%" needs two hexadecimal digits'
        hint = LITERAL_PERCENT
    return text, position, "text", "pct-encoded", reason, hint


def describe_encode_error(data: str, component: str, rule: str) -> Arguments:
    position = find_invalid_escape(data)
    if OTHER_SURROGATE.match(data, position):
        reason, hint = LONE_SURROGATE, "pass the octets as bytes"
    else:
        reason = "invalid surrogate escapes: together they are the UTF-8 encoding of a character"
        hint = "pass the character itself, or the octets as bytes"
    return data, position, component, rule, reason, hint


def find_invalid_escape(text: str) -> int:
    """Return the index of the first surrogate that encoding and decoding would change, or -1.

    A surrogate escape (U+DC80 to U+DCFF) represents an octet that is not part of valid UTF-8.
    Octets that form valid UTF-8 are decoded to a character, never to surrogate escapes.
    """
    if find_surrogate(text) < 0:
        return -1
    other_surrogate = OTHER_SURROGATE.search(text)
    escapes_end = other_surrogate.start() if other_surrogate else len(text)
    restored = encode_escapes(text[:escapes_end]).decode(errors="surrogateescape")
    # If escapes form valid UTF-8, `restored` has fewer characters.
    for index, (character, restored_character) in enumerate(zip(text, restored, strict=False)):
        if character != restored_character:
            return index
    return escapes_end if other_surrogate else -1


def encode_escapes(text: str) -> bytes:
    """Encode a string as UTF-8, and its surrogate escapes as the octets that they represent."""
    return text.encode(errors="surrogateescape")


def find_surrogate(text: str) -> int:
    """Return the index of the first surrogate, or -1."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return -1


def encode_escape_match(escape: re.Match[str]) -> str:
    return pct_encode(encode_escapes(escape[0]))


def locate_in_encoded(encoded: str, decoded: str, index: int) -> int:
    """Convert an offset in a decoded string to an offset in its percent-encoded form."""
    if index == len(decoded):
        return len(encoded)
    return locate_octet(encoded, len(decoded[:index].encode()))


def locate_octet(text: str, index: int) -> int:
    """Return the index of the character or triplet in `text` that an octet is decoded from."""
    octets = 0
    for unit in re.finditer("%[0-9A-Fa-f]{2}|(?s:.)", text):
        octets += 1 if len(unit[0]) > 1 else len(unit[0].encode())
        if octets > index:
            return unit.start()
    raise AssertionError("every octet belongs to a character or a triplet")
