"""The four forms of request targets, and the Host field (RFC 9112, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, final

from uriverse._errors import ParseError
from uriverse._lazy import lazy_pattern
from uriverse._spec.messages import format_reason
from uriverse._spec.percent import to_plain_str
from uriverse._spec.syntax import find_match_end
from uriverse._typed.http import WEB_SCHEMES
from uriverse._uri import URI, URIReference
from uriverse._uri.engine import get_bounds, redact
from uriverse.schemes._registry import LARGEST_PORT

from ._fields import (
    TOKEN,
    Exact,
    decode_field,
    make_plain,
    name_field_character,
    parse_without_slashes,
    require_host,
    require_no_fragment,
    reraise_in_field,
)

#: A string that ends with a colon and a port, and so looks like an authority.
HOST_AND_PORT = lazy_pattern(r"(?:\[[^/?#@]*\]|[^/?#@:]*):[0-9]++")

#: Delimiters that cannot be part of a host and a port.
NOT_IN_AUTHORITY = lazy_pattern("[/?#@]")

METHOD_HINT = 'write the method as in "GET"'


@final
@dataclass(frozen=True, slots=True)
class OriginForm(Exact):
    """The origin-form of a request target: an absolute path, and a query ([RFC 9112, 3.2.1][1]).

    `str()` returns exactly the string that was passed in. The path can start with two slashes, so
    do not parse an origin-form as a URI reference: `//a` would become a host.

    [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1

    Args:
        text: the request target.

    Raises:
        ParseError: the string is not an absolute path with an optional query.

    >>> target = OriginForm("//a/b?c")
    >>> target.path, target.query
    ('//a/b', 'c')
    """

    _reference: URIReference = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        if not self.text.startswith("/"):
            reason = "missing slash: the origin-form of a request target starts with a slash"
            hint = 'write "/" before the path'
            raise ParseError(self.text, 0, "path", "origin-form", reason, hint)
        object.__setattr__(self, "_reference", parse_without_slashes(self.text, "origin-form"))

    @property
    def path(self) -> str:
        """The path, which is never empty.

        >>> OriginForm("/").path
        '/'
        """
        return self._reference.path

    @property
    def query(self) -> str | None:
        """The query; `None` if there is no question mark.

        >>> OriginForm("/a?").query
        ''
        """
        return self._reference.query

    def __repr__(self) -> str:
        return f"OriginForm(text={redact(self.text)!r})"


@final
@dataclass(frozen=True, slots=True)
class AbsoluteForm(Exact):
    """The absolute-form of a request target: a URI without a fragment ([RFC 9112, 3.2.2][1]).

    Clients send it to proxies. Servers must accept it too, and must ignore the `Host` field then.
    An `http` or `https` URI must have a host, and must not have userinfo ([RFC 9110, 4.2][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
    [2]: https://www.rfc-editor.org/rfc/rfc9110#section-4.2

    Args:
        text: the request target.

    Attributes:
        uri: the URI.

    Raises:
        ParseError: the string is not such a URI.

    >>> AbsoluteForm("http://a.example/b").uri
    URI('http://a.example/b')
    """

    uri: URI = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        require_no_fragment(self.text, "absolute-form")
        try:
            uri = URI(self.text)
        except ParseError as error:
            reraise_in_field(error, self.text, error.position)
        if require_host(uri).userinfo is not None and uri.scheme.lower() in WEB_SCHEMES:
            start = get_bounds(uri).authority
            reason = f"unexpected userinfo: an {uri.scheme.lower()} target has no userinfo"
            hint = "remove the userinfo, and send an Authorization field"
            raise ParseError(self.text, start, "userinfo", "absolute-form", reason, hint)
        object.__setattr__(self, "uri", uri)

    @property
    def host_field(self) -> str:
        """The value of the `Host` field that a proxy sends with this target.

        It is the authority without userinfo, or `""` if the URI has no authority ([RFC 9112,
        3.2][1]). A proxy must not forward the `Host` field that it received.

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2

        >>> AbsoluteForm("http://a.example:81/b").host_field
        'a.example:81'
        """
        return self.uri.with_userinfo(None).authority or ""

    def for_origin_server(self, method: str) -> OriginForm | AsteriskForm:
        """Return the target that the last proxy sends to the origin server.

        For `OPTIONS`, a URI without a path and a query becomes `*` ([RFC 9112, 3.2.4][1]). For all
        other methods, an empty path becomes `/`.

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.4

        Args:
            method: the method of the request.

        Raises:
            ParseError: the path does not start with a slash, as in `urn:a:b`.

        >>> str(AbsoluteForm("http://a.example").for_origin_server("GET"))
        '/'
        >>> str(AbsoluteForm("http://a.example").for_origin_server("OPTIONS"))
        '*'
        """
        path, query = self.uri.path, self.uri.query
        if method == "OPTIONS" and not path and query is None:
            return AsteriskForm()
        return OriginForm((path or "/") if query is None else f"{path or '/'}?{query}")

    def __repr__(self) -> str:
        return f"AbsoluteForm(text={redact(self.text)!r})"


def parse_host_and_port(text: str, rule: str) -> URIReference:
    delimiter = NOT_IN_AUTHORITY.search(text)
    if delimiter:
        hint = "remove the userinfo" if delimiter[0] == "@" else "write only the host and the port"
        reason = format_reason(name_field_character(text, delimiter.start()), rule)
        raise ParseError(text, delimiter.start(), "host", rule, reason, hint)
    return parse_without_slashes(text, rule)


@final
@dataclass(frozen=True, slots=True)
class AuthorityForm(Exact):
    """The authority-form of a request target: a host and a port, for `CONNECT`.

    See [RFC 9112, 3.2.3][1]. The port has no default, so servers must reject a request without a
    valid port ([RFC 9110, 9.3.6][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.3
    [2]: https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6

    Args:
        text: the request target.

    Raises:
        ParseError: the string is not a host and a port, or the port is larger than 65535.

    >>> target = AuthorityForm("a.example:443")
    >>> target.host, target.port
    ('a.example', 443)
    """

    _reference: URIReference = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        text, rule = self.text, "authority-form"
        reference = parse_host_and_port(text, rule)
        if not reference.host:
            reason = "empty host: the authority-form requires a host"
            hint = "write the host before the port"
            raise ParseError(text, 0, "host", rule, reason, hint)
        if not reference.port_text:
            reason = "missing port: the authority-form requires a port"
            hint = "write the port, as in example.org:443"
            raise ParseError(text, len(text), "port", rule, reason, hint)
        digits = reference.port_text.lstrip("0") or "0"
        # `int` rejects thousands of digits, so compare the length first.
        if len(digits) > len(str(LARGEST_PORT)) or int(digits) > LARGEST_PORT:
            reason = f"port too large: the maximum is {LARGEST_PORT}"
            port_start = len(text) - len(reference.port_text)
            raise ParseError(text, port_start, "port", rule, reason, "")
        object.__setattr__(self, "_reference", reference)

    @property
    def host(self) -> str:
        """The host; an IPv6 address is in brackets.

        >>> AuthorityForm("[::1]:443").host
        '[::1]'
        """
        return str(self._reference.host)

    @property
    def port(self) -> int:
        """The port.

        >>> AuthorityForm("a.example:0443").port
        443
        """
        port = self._reference.port
        assert port is not None, "the port is required"
        return port


@final
@dataclass(frozen=True, slots=True)
class AsteriskForm:
    """The asterisk-form of a request target: `*`, for `OPTIONS` requests about the whole server.

    See [RFC 9112, 3.2.4](https://www.rfc-editor.org/rfc/rfc9112#section-3.2.4).

    >>> str(AsteriskForm())
    '*'
    """

    def __str__(self) -> str:
        return "*"


RequestTarget: TypeAlias = OriginForm | AbsoluteForm | AuthorityForm | AsteriskForm


def request_target(method: str, text: str | bytes, /) -> RequestTarget:
    """Parse the request target of an HTTP request ([RFC 9112, 3.2][1]).

    The method decides which forms are allowed. `CONNECT` requires the authority-form, which no
    other method allows. Only `OPTIONS` allows the asterisk-form. Methods are case-sensitive. A
    target such as `a.example:80`, which could be a host and a port or a URI with the scheme
    `a.example`, is a host and a port.

    [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2

    Args:
        method: the method of the request.
        text: the request target, between the two spaces of the request line.

    Returns:
        An `OriginForm`, `AbsoluteForm`, `AuthorityForm` or `AsteriskForm`.

    Raises:
        ParseError: the target is invalid, or its form is not allowed with the method; or the method
            is not a token.
        TypeError: the target is neither a `str` nor `bytes`.

    >>> request_target("GET", "/a?b")
    OriginForm(text='/a?b')
    >>> request_target("CONNECT", "a.example:443").port
    443
    >>> request_target("OPTIONS", "*")
    AsteriskForm()
    """
    method = to_plain_str(method)
    require_method(method)
    text = decode_field(text)
    if method == "CONNECT":
        return AuthorityForm(text)
    if text.startswith("/"):
        return OriginForm(text)
    if text == "*":
        if method == "OPTIONS":
            return AsteriskForm()
        reason = "unexpected asterisk-form: only OPTIONS allows it"
        hint = 'write "/" for the root of the server'
        raise ParseError(text, 0, "text", "asterisk-form", reason, hint)
    if HOST_AND_PORT.fullmatch(text):
        reason = "unexpected authority-form: only CONNECT allows it"
        hint = "write only the path and the query, or the whole URI with its scheme"
        raise ParseError(text, 0, "text", "authority-form", reason, hint)
    # A target without a scheme is invalid, as an origin-form without its slash.
    return AbsoluteForm(text) if ":" in text.partition("/")[0] else OriginForm(text)


def require_method(method: str) -> None:
    if TOKEN.fullmatch(method):
        return
    position = find_match_end(TOKEN, method)
    reason = "empty method"
    if method:
        reason = format_reason(name_field_character(method, position), "method")
    raise ParseError(method, position, "text", "method", reason, METHOD_HINT)


@final
@dataclass(frozen=True, slots=True)
class HostField(Exact):
    """The value of a `Host` field: a host, and an optional port ([RFC 9110, 7.2][1]).

    `str()` returns exactly the string that was passed in. The empty string is valid: clients send
    it if the target URI has no authority.

    [1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.2

    Args:
        text: the field value, without whitespace around it.

    Raises:
        ParseError: the string is not a host with an optional port.

    >>> value = HostField("a.example:8080")
    >>> value.host, value.port
    ('a.example', 8080)
    """

    _reference: URIReference = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        make_plain(self, "text")
        object.__setattr__(self, "_reference", parse_host_and_port(self.text, "Host"))

    @property
    def host(self) -> str:
        """The host, as written, or `""`; IPv6 addresses keep their brackets.

        >>> HostField("[::1]:80").host, HostField("").host
        ('[::1]', '')
        """
        return str(self._reference.host)

    @property
    def port(self) -> int | None:
        """The port; `None` if it is absent or empty.

        Raises:
            ConvertError: the port has more than 640 digits, not counting leading zeros.

        >>> HostField("a.example:80").port, HostField("a.example:").port
        (80, None)
        """
        return self._reference.port

    @property
    def port_text(self) -> str | None:
        """The digits of the port, as written; `None` if the field has no colon.

        >>> HostField("a.example:080").port_text, HostField("a.example:").port_text
        ('080', '')
        """
        return self._reference.port_text


def parse_host(value: str | bytes, /) -> HostField:
    """Parse a `Host` field ([RFC 9110, 7.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc9110#section-7.2

    Args:
        value: the field value, without whitespace around it.

    Raises:
        ParseError: the field value is not a host with an optional port.
        TypeError: the value is neither a `str` nor `bytes`.

    >>> parse_host(b"a.example:8080").port
    8080
    """
    return HostField(decode_field(value))
