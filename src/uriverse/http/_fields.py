"""The grammar that header fields share (RFC 9110, 5.6), and the field `Location`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, NoReturn

from uriverse._errors import ParseError
from uriverse._lazy import lazy_pattern
from uriverse._redaction import MASK
from uriverse._redaction.secrets import is_secret
from uriverse._spec.messages import format_reason, name_character
from uriverse._spec.percent import to_plain_str
from uriverse._spec.syntax import find_match_end
from uriverse._spec.violation import ComponentSpan
from uriverse._typed.http import HTTPURI, WEB_SCHEMES
from uriverse._uri import URI, URIReference
from uriverse._uri.engine import Identifier, redact

# The rule is: token = 1*tchar
token = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"  # noqa: S105 - no password
TOKEN = lazy_pattern(token)

# quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
# qdtext        = HTAB / SP / %x21 / %x23-5B / %x5D-7E / obs-text
# quoted-pair   = "\" ( HTAB / SP / VCHAR / obs-text )
quoted = r"(?:[\t !#-\[\]-~\x80-\xff]++|\\[\t -~\x80-\xff])*+"
QUOTED_STRING = lazy_pattern(f'"(?P<inside>{quoted})(?P<end>")?')
QUOTABLE = lazy_pattern(r"[\t -~\x80-\xff]*+")
QUOTED_PAIR = lazy_pattern(r"\\(.)")

# The rule is: OWS = *( SP / HTAB )
ows = r"[ \t]*+"
OWS = lazy_pattern(ows)

# Recipients ignore empty elements of lists (RFC 9110, 5.6.1.2).
COMMAS = lazy_pattern(r"[ \t,]*+")
AFTER_ELEMENT = lazy_pattern(r"[ \t]*+(?:,[ \t,]*+|\Z)")


def decode_field(value: str | bytes) -> str:
    """Return a field value as a string; octets become the characters U+0000 to U+00FF."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, str):
        return to_plain_str(value)
    raise TypeError(f"expected a str or bytes, not {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class Exact:
    """A value that keeps exactly the string that was passed in."""

    text: str

    def __str__(self) -> str:
        return self.text


def make_plain(value: object, *attributes: str) -> None:
    """Replace subclasses of `str` in an immutable object; raise `TypeError` for other types."""
    for name in attributes:
        object.__setattr__(value, name, to_plain_str(getattr(value, name)))


def redact_params(params: Iterable[tuple[str, str | None]]) -> tuple[tuple[str, str | None], ...]:
    return tuple(
        (name, value and (MASK if is_secret(name) else redact(value))) for name, value in params
    )


def require_host(uri: URI) -> URI:
    """Reject an `http` or `https` URI without a host, as RFC 9110, 4.2, requires."""
    if uri.host or uri.scheme.lower() not in WEB_SCHEMES:
        return uri
    return HTTPURI(uri)  # raises the error


def reraise_in_field(error: ParseError, text: str, position: int) -> NoReturn:
    hint = error.hint
    if text[position : position + 1] > "\x7f":
        # The characters of a field value represent octets, so the hint of the URI parser, which
        # encodes the character as UTF-8, would be wrong.
        hint = "percent-encode each octet that is not ASCII"
    raise ParseError(text, position, error.component, error.rule, error.reason, hint) from None


def name_field_character(text: str, position: int) -> str:
    """Return the name of a character for a reason; a character of a password is not named."""
    component = ComponentSpan("text", "", 0, len(text))
    return name_character(text, component, position, text[position])


def parse_without_slashes(text: str, rule: str) -> URIReference:
    """Parse an authority or an absolute path: two slashes before it make it a URI reference."""
    require_no_fragment(text, rule)
    try:
        return URIReference(f"//{text}")
    except ParseError as error:
        reraise_in_field(error, text, error.position - len("//"))


def require_no_fragment(text: str, rule: str) -> None:
    position = text.find("#")
    if position >= 0:
        reason = f"unexpected fragment: {rule} has no fragment"
        hint = 'remove the "#" and everything after it'
        raise ParseError(text, position, "fragment", rule, reason, hint)


class ParamValue(NamedTuple):
    """The value of a parameter, without quotes and backslashes, and its place in the field value.

    `raw_text` is the value as written, but without quotes; `start` is its offset.
    """

    text: str
    raw_text: str
    start: int

    def locate(self, index: int) -> int:
        """Convert an offset in `text` to an offset in the field value."""
        if self.text == self.raw_text:
            return self.start + index
        characters = islice(re.finditer(r"\\?.", self.raw_text), index)
        return self.start + sum(len(character[0]) for character in characters)


class Scanner:
    def __init__(self, value: str | bytes, field: str) -> None:
        self.text = decode_field(value)
        self.field = field
        self.position = 0

    def elements(self) -> Iterator[int]:
        """Yield the offset of each element of a list; the caller reads the element."""
        self.position = find_match_end(COMMAS, self.text)
        while self.position < len(self.text):
            yield self.position
            match = AFTER_ELEMENT.match(self.text, self.position)
            if match is None:
                self.skip_whitespace()
                self.reject("list", "write a comma between two elements")
            self.position = match.end()

    def skip_whitespace(self) -> None:
        self.position = find_match_end(OWS, self.text, self.position)

    def skip(self, character: str) -> bool:
        is_next = self.text.startswith(character, self.position)
        self.position += is_next
        return is_next

    def read_token(self, hint: str) -> str:
        match = TOKEN.match(self.text, self.position)
        if match is None:
            self.reject("token", hint)
        self.position = match.end()
        return match[0]

    def read_value(self) -> ParamValue:
        start = self.position
        if not self.text.startswith('"', start):
            text = self.read_token("write a token, or a string in double quotes")
            return ParamValue(text, text, start)
        match = QUOTED_STRING.match(self.text, start)
        assert match, "the pattern matches every string that starts with a double quote"
        self.position = match.end()
        if not match["end"]:
            if self.position == len(self.text):
                reason = f"unterminated quoted string in {self.field} field"
                hint = "end the string with a double quote"
                raise ParseError(self.text, start, "text", "quoted-string", reason, hint)
            self.reject("quoted-string", "remove the character from the quoted string")
        inside = match["inside"]
        return ParamValue(remove_backslashes(inside), inside, start + 1)

    def reject(self, rule: str, hint: str) -> NoReturn:
        part = f"{self.field} field"
        if self.position == len(self.text):
            reason = f"incomplete {part}: {rule} expected"
        else:
            reason = format_reason(name_field_character(self.text, self.position), part)
        raise ParseError(self.text, self.position, "text", rule, reason, hint)


def remove_backslashes(inside: str) -> str:
    return QUOTED_PAIR.sub(r"\1", inside) if "\\" in inside else inside


def write_param_value(value: str) -> str:
    """Write the value of a parameter: a token if possible, otherwise a quoted string."""
    if TOKEN.fullmatch(value):
        return value
    return '"{}"'.format(re.sub(r'(["\\])', r"\\\1", value))


def redirect_target(request: str | Identifier, location: str | bytes, /) -> URI:
    """Return the URI to which a response redirects ([RFC 9110, 10.2.2][1]).

    The value of `Location` is resolved against the URI of the request. If it has no fragment, the
    fragment of the request's URI is kept. An empty fragment (`#`) is a fragment.

    The rule about the fragment applies to redirects. If the status code is 201, resolve `Location`
    with `URI.resolve`. Check a redirect with `Policy.enforce` before you follow it.

    [1]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
    [2]: https://www.rfc-editor.org/rfc/rfc9110#section-4.2.1

    Args:
        request: the URI of the request, with its fragment.
        location: the value of `Location`; bytes are decoded as Latin-1.

    Raises:
        ParseError: `location` is not a URI reference; `request` is not a URI; or the result is an
            `http` or `https` URI without a host, as for `///a` ([RFC 9110, 4.2.1][2]).
        TypeError: an argument has the wrong type.

    >>> redirect_target("http://a.example/b#c", "/d")
    URI('http://a.example/d#c')
    >>> redirect_target("http://a.example/b#c", "/d#e")
    URI('http://a.example/d#e')
    """
    base = URI(request)
    text = decode_field(location)
    try:
        reference = URIReference(text)
    except ParseError as error:
        reraise_in_field(error, text, error.position)
    target = require_host(base.resolve(reference))
    return target if reference.fragment is not None else target.with_fragment(base.fragment)
