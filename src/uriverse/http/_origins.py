"""The `Origin` field (RFC 6454, 7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from uriverse._errors import ParseError
from uriverse._uri import URI
from uriverse._uri.engine import Identifier, get_bounds

from ._fields import Exact, decode_field, make_plain

NULL = "null"


@final
@dataclass(frozen=True, slots=True)
class OriginField(Exact):
    """The value of an `Origin` field: a list of origins, or `null` ([RFC 6454, 7][1]).

    `str()` returns exactly the string that was passed in. To write a field, join the origins of
    URIs with spaces, as in `OriginField(" ".join(origins))`.

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-7

    Args:
        text: the field value.

    Attributes:
        origins: the origins, as written; `()` for `null`.

    Raises:
        ParseError: the field value is invalid.

    >>> OriginField("https://a.example").origins
    ('https://a.example',)
    >>> OriginField("null").origins
    ()
    """

    origins: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        origins = () if self.text == NULL else tuple(self.text.split(" "))
        start = 0
        for origin in origins:
            require_origin(self.text, origin, start)
            start += len(origin) + 1
        object.__setattr__(self, "origins", origins)

    def is_same_origin(self, uri: str | Identifier, /) -> bool:
        """Return True if every origin in the field equals that of the URI ([RFC 6454, 5][1]).

        Hosts and default ports are compared as `URI.origin` does. `null` is not the origin of any
        URI. A list contains the origins of all servers that took part in a redirect, so one other
        origin is enough to return False.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-5

        Args:
            uri: a string or a URI.

        Raises:
            ParseError: `uri` is not a valid URI.
            TypeError: `uri` is neither a `str` nor a URI.

        >>> OriginField("https://a.example").is_same_origin("https://A.example:443/b")
        True
        >>> OriginField("null").is_same_origin("https://a.example/")
        False
        """
        other_origin = URI(uri).origin
        if other_origin is None or not self.origins:
            return False
        return all(URI(origin).origin == other_origin for origin in self.origins)


def require_origin(text: str, origin: str, start: int) -> None:
    """Raise an error unless an origin is `scheme "://" host [ ":" port ]` (RFC 6454, 7.1)."""
    rule = "serialized-origin"
    hint = 'write "null", or origins such as https://a.example with single spaces between them'
    try:
        uri = URI(origin)
    except ParseError as error:
        position = start + error.position
        reason = "invalid origin" if origin else "empty origin"
        raise ParseError(text, position, error.component, rule, reason, hint) from None
    offsets = get_bounds(uri)
    if not uri.host:
        # A URI without an authority has no offset of a host.
        position = start + (offsets.scheme_end + 1 if uri.host is None else offsets.host)
        raise ParseError(text, position, "host", rule, "missing host in origin", hint)
    if uri.userinfo is not None:
        position, reason = start + offsets.authority, "unexpected userinfo in origin"
        raise ParseError(text, position, "userinfo", rule, reason, hint)
    if offsets.path < len(origin):
        position, reason = start + offsets.path, "unexpected path in origin"
        raise ParseError(text, position, "path", rule, reason, hint)


def parse_origin(value: str | bytes, /) -> OriginField:
    """Parse an `Origin` field ([RFC 6454, 7][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-7

    Args:
        value: the field value; bytes are decoded as Latin-1.

    Raises:
        ParseError: the field value is invalid.
        TypeError: the value is neither a `str` nor `bytes`.

    >>> parse_origin(b"https://a.example").is_same_origin("https://a.example/")
    True
    """
    return OriginField(decode_field(value))
