"""Targets and fields are kept when they are written and parsed again; target URIs are valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from draws import Draws
from outcomes import outcome

from uriverse import URI
from uriverse.http import (
    client_request,
    decode_ext_value,
    effective_uri,
    encode_ext_value,
    from_asgi,
    from_wsgi,
    parse_forwarded,
    parse_host,
    parse_links,
    parse_origin,
    redirect_target,
    request_target,
    x_forwarded,
)

METHODS = ("GET", "OPTIONS", "CONNECT", "options", "G T")
SCHEMES = ("http", "https", "ws", "ftp")
PEERS = ("192.0.2.1", "::1", "::ffff:10.0.0.1", None)
NETWORKS = (("10.0.0.0/8",), ("::/0", "0.0.0.0/0"), ())

#: Beginnings of fields, so that random strings reach the parsers of parameters.
STARTS = ("", "</a>; rel=next;", "</a>;title*=UTF-8''", "for=_a;", "http://a.example ", 'for="')


def check(data: bytes) -> None:
    """Parse one request, and one string as every field."""
    draws = Draws(data)
    target, host, rest = draws.strings("absolute-URI", "authority", "URI-reference")
    if draws.randrange(2):
        target = "/" + target
    check_request(draws, target, host)
    check_fields(draws, draws.choice(STARTS) + rest)


def check_request(draws: Draws, target: str, host: str) -> None:
    method, scheme = draws.choice(METHODS), draws.choice(SCHEMES)
    hosts = draws.choice(([host], [host, "a"], []))
    version = draws.choice(("1.1", "1.0", "2"))
    lossless(lambda: request_target(method, target), target)
    lossless(lambda: parse_host(host), host)
    lossless(lambda: parse_origin(target), target)
    uri = valid(
        lambda: effective_uri(
            request_target(method, target),
            hosts,
            scheme=scheme,
            default_host=draws.choice((None, "b.example", host)),
            http_version=version,
            authority=draws.choice((None, None, host)),
        )
    )
    if uri is not None and target.startswith("/") and method != "CONNECT":
        assert uri.endswith(target), (uri, target)
    octets = target.encode("utf-8", "surrogatepass").decode("latin-1")
    scope = {
        "type": draws.choice(("http", "websocket")),
        "method": method,
        "path": target,
        "raw_path": draws.choice((None, octets.encode("latin-1"))),
        "query_string": draws.rest(),
        "headers": [(b"host", each.encode("utf-8", "surrogatepass")) for each in hosts],
    }
    valid(lambda: from_asgi(scope))
    environ = {"REQUEST_METHOD": method, "wsgi.url_scheme": scheme, "HTTP_HOST": host}
    for key, text in (("PATH_INFO", target), ("PATH_INFO", octets), ("RAW_URI", target)):
        valid(lambda key=key, text=text: from_wsgi({**environ, key: text}))  # type: ignore[misc]


def check_fields(draws: Draws, text: str) -> None:
    written(parse_links, text)
    written(parse_forwarded, text)
    outcome(lambda: redirect_target("http://a.example/b#c", text))
    outcome(lambda: decode_ext_value(text))
    encoded: list[str] = []
    outcome(lambda: encoded.append(encode_ext_value(text)))
    for each in encoded:
        assert decode_ext_value(each) == (text, "")
    peer, networks = draws.choice(PEERS), draws.choice(NETWORKS)
    fields = x_forwarded(for_=text, proto=text, host=text, port=text)
    for elements in (fields, text):
        outcome(
            lambda elements=elements: client_request(  # type: ignore[misc]
                peer, elements, scheme="http", host="a", networks=networks
            )
        )


def lossless(parse: Callable[[], object], text: str) -> None:
    """Assert that a parsed value keeps its string."""
    found = outcome(parse)
    assert isinstance(found, tuple) or str(found) == text


def valid(function: Callable[[], URI]) -> str | None:
    """Assert that a target URI is valid; return it, or None if there is an error."""
    found: list[URI] = []
    outcome(lambda: found.append(function()))
    for uri in found:
        assert type(uri) is URI
        assert URI(str(uri)) == uri
        assert uri.fragment is None
    return str(found[0]) if found else None


def written(parse: Callable[[str], tuple[Any, ...]], text: str) -> None:
    """Assert that the values of a field are parsed again after they have been written."""
    found: list[tuple[Any, ...]] = []
    outcome(lambda: found.append(parse(text)))
    for values in found:
        assert parse(", ".join(map(str, values))) == values
