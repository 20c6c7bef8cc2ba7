"""The target URI of a request that a server has received (RFC 9112, 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from uriverse._errors import BuildError, ParseError
from uriverse._lazy import lazy_pattern
from uriverse._spec.percent import to_plain_str
from uriverse._spec.syntax import find_match_end
from uriverse._typed.http import WEB_SCHEMES
from uriverse._uri import URI
from uriverse.percent import encode

from ._fields import decode_field
from ._targets import (
    AbsoluteForm,
    AuthorityForm,
    HostField,
    OriginForm,
    RequestTarget,
    parse_host,
    request_target,
)

#: The schemes of requests, with those of WebSocket handshakes (RFC 6455, 3).
SCHEMES = (*WEB_SCHEMES, "ws", "wss")

#: The schemes of WebSocket URIs. A handshake names the http or https URI (RFC 6455, 4.1).
WEBSOCKET_SCHEMES = {"http": "ws", "https": "wss"}

REQUIRES_HOST = "1.1"

#: The part of a request target before its path: the scheme and the authority of an absolute-form,
#: and the whole asterisk-form or authority-form.
BEFORE_PATH = lazy_pattern(r"(?:[^/]++(?://[^/?]*+)?+)?+")

#: The keys with the request target as received, in servers for WSGI that provide it.
RAW_TARGETS = ("RAW_URI", "REQUEST_URI")


def effective_uri(
    target: RequestTarget,
    host: str | bytes | Sequence[str | bytes] = (),
    *,
    scheme: str,
    authority: str | bytes | None = None,
    default_host: str | None = None,
    http_version: str = REQUIRES_HOST,
) -> URI:
    """Return the target URI of a request that a server has received ([RFC 9112, 3.3][1]).

    An `http` or `https` URI as the target is the target URI itself: the client chooses its host and
    its scheme, and `host` and `scheme` are ignored. Otherwise the URI consists of the scheme, the
    host, and the path and query of the target. A server must check separately whether it serves
    that host and scheme ([RFC 9110, 7.4][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.3
    [2]: https://www.rfc-editor.org/rfc/rfc9110#section-7.4
    [3]: https://www.rfc-editor.org/rfc/rfc9113#section-8.3.1

    Args:
        target: the request target.
        host: the value of the `Host` field, or a sequence with the values of all `Host` field
            lines; `()` without a `Host` field. Two values are an error, even if they are equal.
        scheme: the scheme of the connection, `"https"` if it is encrypted, or the scheme that a
            trusted proxy reports. With `"ws"` or `"wss"`, the result is a WebSocket URI.
        authority: the value of `:authority` in HTTP/2 and HTTP/3; `None` in HTTP/1.1. If there is
            also a `Host` field, both must have the same host and port.
        default_host: the host, with an optional port, if the request names none; `None` rejects
            such a request. Configure it: the address of the connection does not show which host the
            client meant.
        http_version: the version of HTTP. Version `"1.1"` requires a `Host` field, even an empty
            one, and even with the absolute-form.

    Raises:
        ParseError: the `Host` field, `authority` or `default_host` is invalid.
        BuildError: the `Host` field is missing, empty or repeated, or differs from `authority`; the
            scheme is not one of the four; or the target is a URI whose scheme is not `http` or
            `https`, or any URI in HTTP/2 or HTTP/3 ([RFC 9113, 8.3.1][3]). To each of these errors,
            and to each `ParseError`, a server responds with the status code 400.

    >>> effective_uri(request_target("GET", "/a?b"), "a.example:8080", scheme="http")
    URI('http://a.example:8080/a?b')
    >>> effective_uri(request_target("GET", "http://b.example/"), "a.example", scheme="https")
    URI('http://b.example/')
    """
    scheme, http_version = to_plain_str(scheme), to_plain_str(http_version)
    if scheme not in SCHEMES:
        reason = "unexpected scheme: HTTP requests have http, https, ws or wss"
        hint = "pass the scheme in lower case, without a colon"
        raise BuildError(scheme, 0, "scheme", "scheme", reason, hint)
    request_host = parse_host_field(host)
    if authority is not None:
        authority_host = parse_host(authority)
        if request_host is not None:
            places = ":authority and in the Host field"
            require_same_host(authority_host, request_host, scheme, places)
        request_host = authority_host
    if request_host is None and http_version == REQUIRES_HOST:
        reject_request("", "host", "Host", "missing Host field: HTTP/1.1 requires it")
    if isinstance(target, AbsoluteForm):
        if authority is not None or not http_version.startswith("1"):
            reason = "unexpected absolute-form: only HTTP/1 allows it"
            reject_request(target.text, "scheme", ":path", reason)
        return require_http_uri(target, scheme)
    if isinstance(target, AuthorityForm):
        return URI(f"{scheme}://{target}")
    if request_host is None or not request_host.host:
        if default_host is None or not HostField(default_host).host:
            reason = "empty host: an HTTP request requires a host"
            hint = "pass the host of the server as default_host, or reject the request"
            raise BuildError(str(request_host or ""), 0, "host", "Host", reason, hint)
        request_host = HostField(default_host)
    return URI(f"{scheme}://{request_host}{target if isinstance(target, OriginForm) else ''}")


def reject_request(
    text: str, component: str, rule: str, reason: str, position: int = 0
) -> NoReturn:
    hint = "reject the request with status code 400"
    raise BuildError(text, position, component, rule, reason, hint)


def parse_host_field(host: str | bytes | Sequence[str | bytes]) -> HostField | None:
    values = [host] if isinstance(host, str | bytes) else host
    if len(values) > 1:
        text = ", ".join(map(decode_field, values))
        position = len(decode_field(values[0]))
        reject_request(text, "host", "Host", "more than one Host field", position)
    return parse_host(values[0]) if values else None


def require_same_host(first: HostField, second: HostField, scheme: str, places: str) -> None:
    uri = URI(f"{scheme}://{first}")
    if first != second and not uri.equivalent(f"{scheme}://{second}", level="scheme"):
        reject_request(second.text, "host", "Host", f"different hosts in {places}")


def require_http_uri(target: AbsoluteForm, scheme: str) -> URI:
    uri = target.uri
    uri_scheme = uri.scheme.lower()
    if uri_scheme not in WEB_SCHEMES:
        reason = "unexpected scheme: a server receives requests for http and https URIs"
        reject_request(target.text, "scheme", "absolute-form", reason)
    return uri.with_scheme(WEBSOCKET_SCHEMES[uri_scheme]) if scheme in {"ws", "wss"} else uri


def derive_uri(
    method: str,
    text: str,
    hosts: Sequence[str | bytes],
    connection_scheme: str,
    *,
    scheme: str | None,
    host: str | None,
    default_host: str | None,
    http_version: str,
) -> URI:
    """Return the target URI of a request that a server describes by ASGI or WSGI.

    A scheme or a host that the application passes replaces those that the client has sent.
    """
    target = request_target(method, text)
    effective_scheme = connection_scheme if scheme is None else scheme
    derive = partial(
        effective_uri,
        host=hosts if host is None else host,
        scheme=effective_scheme,
        default_host=default_host,
        http_version=http_version,
    )
    uri = derive(target)
    if host is not None and isinstance(target, AbsoluteForm):
        # The whole URI is allowed, but only its path and its query are used.
        uri = derive(target.for_origin_server(method))
    elif host is not None and isinstance(target, AuthorityForm):
        # The target of CONNECT is only a host and a port, so they must be those of `host`.
        places = "the request target and in host"
        require_same_host(HostField(str(target)), parse_host(host), effective_scheme, places)
    # A target that is a whole URI still has its own scheme.
    return uri if scheme is None else uri.with_scheme(scheme)


def from_asgi(
    scope: Mapping[str, Any],
    *,
    scheme: str | None = None,
    host: str | None = None,
    default_host: str | None = None,
) -> URI:
    """Return the target URI of an [ASGI][1] request (scope `http` or `websocket`).

    The path is `scope["raw_path"]`, the path as received. Servers that do not provide it only have
    a decoded path, in which `%2F` and `/` cannot be distinguished any more; it is encoded again. A
    `?` before an empty query is not part of the scope. `root_path` is not added, because `path`
    starts with it. `server` is not used: it is the address of the server's socket.

    [1]: https://asgi.readthedocs.io/en/latest/specs/www.html

    Args:
        scope: the scope of the connection.
        scheme: the scheme to use instead of `scope["scheme"]`, for example from `client_request`.
            It also replaces the scheme of a target that is a whole URI.
        host: the host to use instead of the `Host` field, for example from `client_request`. If the
            target is a whole URI, only its path and its query are used then.
        default_host: as in `effective_uri`.

    Raises:
        ParseError: the request target or the `Host` field is invalid.
        BuildError: as in `effective_uri`; or `host` is not the host of a `CONNECT` request.
        ValueError: a key is missing in the scope.

    >>> scope = {
    ...     "type": "http", "http_version": "1.1", "method": "GET", "scheme": "https",
    ...     "path": "/a b", "raw_path": b"/a%20b", "query_string": b"c=d",
    ...     "headers": [(b"host", b"a.example")],
    ... }
    >>> from_asgi(scope)
    URI('https://a.example/a%20b?c=d')
    """
    is_websocket = get_required(scope, "type") == "websocket"
    raw_path = scope.get("raw_path")
    decoded_path = to_plain_str(get_required(scope, "path"))
    path = (
        encode_path_of_target(decoded_path, decoded_path)
        if raw_path is None
        else decode_field(raw_path)
    )
    query = decode_field(scope.get("query_string", b""))
    # The handshake of a WebSocket is a GET request (RFC 6455, 4.1).
    method = "GET" if is_websocket else get_required(scope, "method")
    hosts = [value for name, value in get_required(scope, "headers") if name.lower() == b"host"]
    return derive_uri(
        method,
        f"{path}?{query}" if query else path,
        hosts,
        scope.get("scheme", "ws" if is_websocket else "http"),
        scheme=scheme,
        host=host,
        default_host=default_host,
        http_version=scope.get("http_version", REQUIRES_HOST),
    )


def from_wsgi(
    environ: Mapping[str, Any],
    *,
    scheme: str | None = None,
    host: str | None = None,
    default_host: str | None = None,
) -> URI:
    """Return the target URI of a [WSGI][1] request.

    The target is `RAW_URI` or `REQUEST_URI`, the request target as received. Servers that provide
    neither only have `SCRIPT_NAME` and `PATH_INFO`, the decoded octets of the path, as characters
    from U+0000 to U+00FF. They are encoded again, but `%2F` and `/` cannot be distinguished any
    more. `SERVER_NAME` and `SERVER_PORT` are not used: they are the address of the server.

    [1]: https://peps.python.org/pep-3333/#environ-variables

    Args:
        environ: the environment of the request.
        scheme: the scheme to use instead of `environ["wsgi.url_scheme"]`, as in `from_asgi`.
        host: the host to use instead of `HTTP_HOST`, as in `from_asgi`.
        default_host: as in `effective_uri`.

    Raises:
        ParseError: the request target or `HTTP_HOST` is invalid.
        BuildError: as in `from_asgi`. A comma in `HTTP_HOST` counts as a repeated field, because
            servers join repeated fields with commas.
        ValueError: a key is missing in the environment.

    >>> environ = {
    ...     "REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http",
    ...     "SCRIPT_NAME": "", "PATH_INFO": "/\u00c3\u00a9", "QUERY_STRING": "",
    ...     "HTTP_HOST": "a.example",
    ... }
    >>> from_wsgi(environ)
    URI('http://a.example/%C3%A9')
    """
    hosts: Iterable[str] = (
        to_plain_str(environ["HTTP_HOST"]).split(",") if "HTTP_HOST" in environ else ()
    )
    return derive_uri(
        get_required(environ, "REQUEST_METHOD"),
        get_wsgi_target(environ),
        [*hosts],
        get_required(environ, "wsgi.url_scheme"),
        scheme=scheme,
        host=host,
        default_host=default_host,
        http_version=environ.get("SERVER_PROTOCOL", "HTTP/1.1").removeprefix("HTTP/"),
    )


def get_wsgi_target(environ: Mapping[str, Any]) -> str:
    """Return the request target as received; if the server does not provide it, encode it again."""
    for key in RAW_TARGETS:
        if key in environ:
            return decode_field(environ[key])
    decoded = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
    try:
        path = encode_path_of_target(decoded, decoded.encode("latin-1")) or "/"
    except UnicodeEncodeError as error:
        reason = "invalid character in PATH_INFO: WSGI strings represent octets"
        hint = "encode the path as UTF-8, and decode it as Latin-1"
        raise ParseError(decoded, error.start, "path", "PATH_INFO", reason, hint) from None
    query = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def encode_path_of_target(decoded: str, octets: str | bytes) -> str:
    """Percent-encode the path of a decoded target; keep what precedes the path.

    `octets` is the target itself, to encode its path as UTF-8, or its octets in Latin-1, in which
    each character is one octet, so that the path starts at the same index.
    """
    # The brackets of an IPv6 address must stay, and an invalid host must not become a valid one.
    path_start = find_match_end(BEFORE_PATH, decoded)
    return decoded[:path_start] + encode(octets[path_start:], "path")


def get_required(mapping: Mapping[str, Any], key: str) -> Any:
    if key not in mapping:
        raise ValueError(f"expected the key {key!r}, which a server must provide")
    return mapping[key]
