"""The "data" URL scheme ([RFC 2397](https://www.rfc-editor.org/rfc/rfc2397), with its errata).

    dataurl   := "data:" [ mediatype ] [ ";base64" ] "," data
    mediatype := [ type "/" subtype ] *( ";" parameter )
    parameter := attribute "=" value
    data      := *uric

Tokens and values are those of RFC 2045, percent-encoded where a URI requires it. So the URL is
split at its delimiters before anything is decoded: `%2C` does not end the media type.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from uriverse._errors import BuildError, ConvertError, ParseError, escape_unprintable
from uriverse._redaction import find_first_character
from uriverse._spec.components import AllParts, compose_all_parts
from uriverse._spec.grammar.rfc3986 import pct_encoded, unreserved
from uriverse._spec.percent import (
    ENCODE_AS_UTF8,
    decode,
    decode_unreserved_triplets,
    find_surrogate,
    locate_in_encoded,
    lowercase_letters,
    pct_encode,
)
from uriverse._spec.syntax import find_match_end, matches_iri

SCHEME = "data:"

#: The reason and the hint of errors about incomplete media types.
NO_SUBTYPE = 'missing "/" and subtype in media type'
MEDIA_TYPE_HINT = 'write the media type as in "text/plain;charset=utf-8"'

# token     := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>
# tspecials := "(" / ")" / "<" / ">" / "@" / "," / ";" / ":" / "\" / <">
#            / "/" / "[" / "]" / "?" / "="
tchar = r"[!#-'*+\-.0-9A-Z\^-~]"
TOKEN_START = re.compile(f"{tchar}*+")

# Characters allowed in a decoded value. RFC 2045 allows only ASCII, but file names are often UTF-8,
# as RFC 6532 permits for mail. ASCII controls other than the tab are not allowed, because a line
# break would end a header field.
TEXT = "\t -~\u0080-\U0010ffff"
TEXT_START = re.compile(f"[{TEXT}]*+")

# Characters allowed in a value that `encode_parameter` writes: the same characters except
# non-ASCII line separators.
WRITABLE_START = re.compile(rf"(?:(?![\x85\u2028\u2029])[{TEXT}])*+")

# quoted-string = <"> *(qtext/quoted-pair) <">     (RFC 822, as RFC 2045 refers to it)
QUOTED_START = re.compile(rf'"(?:[^\0-\x08\n-\x1f"\\\x7f]|\\[{TEXT}])*+(?P<end>")?+')

# The written form of a value that is not a quoted-string. RFC 2397 requires tspecials to be
# percent-encoded.
VALUE_START = re.compile(f"(?:[{unreserved}!$&'*+]|{pct_encoded})*+")

#: Runs of characters that are percent-encoded in a token or a value.
NOT_WRITTEN = re.compile(f"[^{unreserved}!$&'*+]++")

# RFC 4648, 4: four characters encode three octets. RFC 4648, 3.2: an incomplete group is padded.
# RFC 4648, 3.5: the unused bits are zero, so each octet string has exactly one encoding.
BASE64 = re.compile(
    rb"(?:[A-Za-z0-9+/]{4})*+"
    rb"(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?"
)
BASE64_START = re.compile(rb"[A-Za-z0-9+/]*+")


class Parameter(NamedTuple):
    """A decoded parameter of a media type, and the offset of its value in the data URL."""

    attribute: str
    value: str
    start: int


class DataURL(NamedTuple):
    """The components of a data URL, and the offset of the data; omitted types are `""`.

    The media type and the data are as written, but the type and the subtype are decoded.
    """

    mediatype: str
    type: str
    subtype: str
    parameters: tuple[Parameter, ...]
    is_base64: bool
    data: str
    start: int


def parse_data(text: str) -> DataURL:
    """Split a data URL (RFC 2397, 3); raise `ParseError` if it is invalid.

    In the generic syntax, "?" begins a query, but in a data URL it belongs to the data. The
    fragment does not.
    """
    start = len(SCHEME)
    path_end = find_first_character("?#", text, 0, len(text))
    comma = text.find(",", start, path_end)
    if comma < 0:
        hint = 'write a comma before the data, as in "data:,abc"'
        reject_data_url(text, path_end, "dataurl", "missing comma before the data", hint)
    # The media type is a type and subtype, such as "text/plain", and parameters. Both are optional.
    type_and_subtype, *options = text[start:comma].split(";")
    is_base64 = bool(options) and decode_unreserved_triplets(options[-1]).lower() == "base64"
    if is_base64:
        del options[-1]
    media_type = ";".join((type_and_subtype, *options))
    type_, subtype = parse_media_type(text, type_and_subtype) if type_and_subtype else ("", "")
    parameters: list[Parameter] = []
    option_start = start + len(type_and_subtype) + len(";")
    for option in options:
        option_end = option_start + len(option)
        parameters.append(parse_parameter(text, option_start, option_end))
        option_start = option_end + len(";")
    data_start = comma + len(",")
    data = text[data_start : find_first_character("#", text, comma, len(text))]
    return DataURL(media_type, type_, subtype, tuple(parameters), is_base64, data, data_start)


def parse_media_type(text: str, media_type: str) -> tuple[str, str]:
    start, end = len(SCHEME), len(SCHEME) + len(media_type)
    slash = text.find("/", start, end)
    type_ = parse_token(text, start, slash if slash >= 0 else end, "type")
    if slash < 0:
        hint = MEDIA_TYPE_HINT
        if media_type.lower() == "base64":
            hint = 'write ";base64" for base64 data'
        reject_data_url(text, end, "mediatype", NO_SUBTYPE, hint)
    return type_, parse_token(text, slash + 1, end, "subtype")


def parse_parameter(text: str, start: int, end: int) -> Parameter:
    equals = text.find("=", start, end)
    attribute = parse_token(text, start, equals if equals >= 0 else end, "attribute")
    if equals < 0:
        reason, hint = 'missing "=" in parameter', 'write the parameter as in "name=value"'
        if attribute.lower() == "base64":
            hint = 'write ";base64" at the end, just before the comma'
        reject_data_url(text, end, "parameter", reason, hint)
    return Parameter(attribute, parse_parameter_value(text, equals + 1, end), equals + 1)


def parse_token(text: str, start: int, end: int, rule: str) -> str:
    decoded = decode_range(text, start, end, rule)
    valid_length = find_match_end(TOKEN_START, decoded)
    if valid_length < len(decoded) or not decoded:
        position = start + locate_in_encoded(text[start:end], decoded, valid_length)
        reject_data_url(text, position, rule, *explain_token_error(decoded, valid_length, rule))
    return decoded


def parse_parameter_value(text: str, start: int, end: int) -> str:
    """Return the value in `text[start:end]`, decoded and without quotes and backslashes."""
    encoded, decoded = text[start:end], decode_range(text, start, end, "value")
    quoted_match = QUOTED_START.match(decoded)
    if quoted_match:
        valid_length = locate_in_encoded(encoded, decoded, quoted_match.end())
    else:
        # Both the value and its percent-encoded form are restricted.
        decoded_length = find_match_end(TEXT_START, decoded)
        valid_length = locate_in_encoded(encoded, decoded, decoded_length)
        valid_length = min(valid_length, find_match_end(VALUE_START, encoded))
    if valid_length < len(encoded):
        reason = "invalid character in parameter value"
        hint = "percent-encode special characters; control characters are not allowed at all"
        reject_data_url(text, start + valid_length, "value", reason, hint)
    if not decoded:
        hint = "write an empty value as %22%22"
        reject_data_url(text, end, "value", "empty parameter value", hint)
    if not quoted_match:
        return decoded
    if not quoted_match["end"]:
        reason, hint = "unterminated quoted string in parameter value", "end the string with %22"
        reject_data_url(text, end, "value", reason, hint)
    return re.sub(r"\\(.)", r"\1", decoded[1:-1])


def normalize(parts: AllParts) -> AllParts:
    """Convert "base64", the type, the subtype and the names of parameters to lower case.

    RFC 2045, 5.1, says that they are case-insensitive. Percent-encoded letters are kept, because
    syntax-based normalization decodes them. Components that together are not a valid data URL are
    returned unchanged.
    """
    text = compose_all_parts(parts._replace(scheme="data"))
    if not matches_iri(text):
        return parts
    try:
        parse_data(text)
    except ParseError:
        return parts
    media_type, comma, data = parts.path.partition(",")
    pieces: list[str] = []
    for piece in media_type.split(";"):
        name, equals, value = piece.partition("=")
        pieces.append(f"{lowercase_letters(name)}{equals}{value}")
    return parts._replace(path=f"{';'.join(pieces)}{comma}{data}")


def find_base64_violation(octets: bytes) -> tuple[int, str, str] | None:
    """Return the index of the first invalid octet, the reason and a hint; `None` for valid base64.

    RFC 2397 makes no exceptions: padding is required (RFC 4648, 3.2), characters outside the
    alphabet are invalid (RFC 4648, 3.3), and unused bits must be zero (RFC 4648, 3.5).
    """
    if BASE64.fullmatch(octets):
        return None
    end = find_match_end(BASE64_START, octets)
    actual_padding, needed_padding = octets[end:], b"=" * (-end % 4)
    if actual_padding == needed_padding:
        # Only the last character is wrong. A single character in the last group encodes less than
        # an octet, so "===" is never valid.
        reason = "invalid end of base64 data: the unused bits are not zero"
        return end - 1, reason, "check whether the data has been cut short"
    if needed_padding.startswith(actual_padding):
        hint = 'add "=" until the length is a multiple of four'
        return len(octets), "missing padding in base64 data", hint
    equals_count = len(actual_padding) - len(actual_padding.lstrip(b"="))
    position = end + min(equals_count, len(needed_padding))
    hint = 'encode the data as base64, or remove ";base64"'
    if octets[position] in b" \t\r\n-_":
        hint = 'remove whitespace, and write "+" and "/" instead of "-" and "_"'
    return position, "invalid character in base64 data", hint


def encode_media_type(media_type: str) -> str:
    type_, slash, subtype = media_type.partition("/")
    check_token(media_type, type_, 0, "type")
    if type_ in {".", ".."}:
        # "." and ".." are tokens, but reference resolution would remove them as dot segments.
        reason = f'invalid type "{type_}": a URI parser would treat it as a dot segment'
        raise BuildError(media_type, 0, "path", "type", reason, "use a registered media type")
    if not slash:
        end = len(media_type)
        raise BuildError(media_type, end, "path", "mediatype", NO_SUBTYPE, MEDIA_TYPE_HINT)
    check_token(media_type, subtype, len(type_) + 1, "subtype")
    return f"{encode_word(type_)}/{encode_word(subtype)}"


def encode_parameter(attribute: str, value: str) -> str:
    """Percent-encode a parameter of a media type, as `name=value` (RFC 2397, 3).

    An empty value, or a value that begins with a quotation mark, is written as a quoted string,
    because it could not be parsed otherwise.
    """
    check_token(attribute, attribute, 0, "attribute")
    valid_length = find_match_end(WRITABLE_START, value)
    position = valid_length if valid_length < len(value) else find_surrogate(value)
    if position >= 0:  # `find_surrogate` returns -1 for a valid value
        reason = f'invalid character "{escape_unprintable(value[position])}" in parameter value'
        raise BuildError(value, position, "path", "value", reason, "remove it")
    if not value or value.startswith('"'):
        value = '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
    return f"{encode_word(attribute)}={encode_word(value)}"


def encode_word(word: str) -> str:
    return NOT_WRITTEN.sub(lambda run: pct_encode(run[0].encode()), word)


def check_token(text: str, token: str, start: int, rule: str) -> None:
    valid_length = find_match_end(TOKEN_START, token)
    if valid_length < len(token) or not token:
        reason, hint = explain_token_error(token, valid_length, rule)
        raise BuildError(text, start + valid_length, "path", rule, reason, hint)


def explain_token_error(token: str, valid_length: int, rule: str) -> tuple[str, str]:
    if valid_length == len(token):
        return f"empty {rule} in media type", MEDIA_TYPE_HINT
    hint = "write only letters, digits and the symbols that RFC 2045 allows in a token"
    if token[valid_length] == ";":
        hint = "separate the parameters from the media type"
    return f'invalid character "{escape_unprintable(token[valid_length])}" in {rule}', hint


def decode_range(text: str, start: int, end: int, rule: str) -> str:
    try:
        return decode(text[start:end])
    except ConvertError as error:
        position = start + error.position
        component = find_data_component(text, position)
        raise ParseError(text, position, component, rule, error.reason, ENCODE_AS_UTF8) from None


def find_data_component(text: str, position: int) -> str:
    if text.startswith("//", len(SCHEME)):
        return "host"
    return "query" if "?" in text[:position] else "path"


def reject_data_url(text: str, position: int, rule: str, reason: str, hint: str) -> NoReturn:
    raise ParseError(text, position, find_data_component(text, position), rule, reason, hint)
