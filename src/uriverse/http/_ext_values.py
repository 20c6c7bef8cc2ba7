"""Parameter values with characters that are not ASCII ([RFC 8187][1]).

[1]: https://www.rfc-editor.org/rfc/rfc8187
"""

from __future__ import annotations

import re
from typing import NamedTuple

from uriverse._errors import BuildError, ParseError
from uriverse._lazy import lazy_pattern
from uriverse._spec.messages import invalid
from uriverse._spec.percent import pct_decode, pct_encode, plain

from ._fields import named

# value-chars = *( pct-encoded / attr-char )
ATTR_CHAR = r"0-9A-Za-z!#$&+\-.^_`|~"
VALUE_CHARS = lazy_pattern(f"(?:[{ATTR_CHAR}]++|%[0-9A-Fa-f]{{2}})*+")
NOT_ATTR_CHARS = lazy_pattern(f"[^{ATTR_CHAR}]++")

# language = <Language-Tag, see RFC 5646, 2.1>
LANGUAGE = lazy_pattern(r"(?:[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*+)?")

CHARSET = "UTF-8"

VALUE_HINT = "write the value as in UTF-8'en'caf%C3%A9"
LANGUAGE_HINT = 'write a language tag such as "en"'


class ExtValue(NamedTuple):
    """A decoded value with its language, as `decode_ext_value` returns it.

    Attributes:
        value: the decoded string.
        language: the language tag; `""` if the value has no language.

    >>> decode_ext_value("UTF-8'en'%C2%A3").language
    'en'
    """

    value: str
    language: str


def decode_ext_value(text: str, /) -> ExtValue:
    """Decode the value of a parameter such as `title*` ([RFC 8187, 3.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1

    Args:
        text: the value, such as `UTF-8'en'%C2%A3`.

    Raises:
        ParseError: the value is invalid, or its encoding is not UTF-8, which RFC 8187 requires.

    >>> decode_ext_value("UTF-8''%e2%82%ac%20rates")
    ExtValue(value='€ rates', language='')
    """
    text = plain(text)
    charset, first, rest = text.partition("'")
    language, second, encoded = rest.partition("'")
    if not second:
        reason = "incomplete value: two single quotes expected"
        raise ParseError(text, len(text), "text", "ext-value", reason, VALUE_HINT)
    if charset.upper() != CHARSET:
        reason = f"unexpected encoding: RFC 8187 requires {CHARSET}"
        raise ParseError(text, 0, "text", "charset", reason, VALUE_HINT)
    if not LANGUAGE.fullmatch(language):
        reason = "invalid language tag"
        raise ParseError(text, len(charset + first), "text", "language", reason, LANGUAGE_HINT)
    start = len(text) - len(encoded)
    match = VALUE_CHARS.match(encoded)
    assert match, "the pattern also matches the empty string"
    if match.end() < len(encoded):
        place = start + match.end()
        reason = invalid(named(text, place), "value")
        hint = "percent-encode it as UTF-8"
        raise ParseError(text, place, "text", "value-chars", reason, hint)
    try:
        return ExtValue(pct_decode(encoded).decode(), language)
    except UnicodeDecodeError:
        reason, hint = "invalid UTF-8 in value", "encode the string as UTF-8"
        raise ParseError(text, start, "text", "value-chars", reason, hint) from None


def encode_ext_value(value: str, language: str = "", /) -> str:
    """Encode a string as the value of a parameter such as `title*` ([RFC 8187, 3.2.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1

    Args:
        value: the string.
        language: a language tag, such as `"en"`.

    Raises:
        BuildError: the language tag is invalid, or the string contains a lone surrogate.

    >>> encode_ext_value("€ rates", "en")
    "UTF-8'en'%E2%82%AC%20rates"
    """
    value, language = plain(value), plain(language)
    if not LANGUAGE.fullmatch(language):
        raise BuildError(language, 0, "text", "language", "invalid language tag", LANGUAGE_HINT)
    try:
        encoded = NOT_ATTR_CHARS.sub(encode_match, value)
    except UnicodeEncodeError as error:
        reason = "invalid lone surrogate in value"
        hint = "decode the original bytes again: a lone surrogate is not a character"
        raise BuildError(
            value, value.index(error.object[error.start]), "text", "value-chars", reason, hint
        ) from None
    return f"{CHARSET}'{language}'{encoded}"


def encode_match(match: re.Match[str]) -> str:
    return pct_encode(match[0].encode())
