"""Type checkers infer these types for `uriverse.http`; the file is type-checked and also run."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address
from typing import assert_type

from uriverse import URI
from uriverse.http import (
    AbsoluteForm,
    AsteriskForm,
    AuthorityForm,
    ClientRequest,
    ExtValue,
    ForwardedElement,
    HostField,
    Link,
    Node,
    OriginField,
    OriginForm,
    RequestTarget,
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


def test_a_request_target_is_one_of_four_forms() -> None:
    target = request_target("GET", b"/a?b")
    assert_type(target, OriginForm | AbsoluteForm | AuthorityForm | AsteriskForm)
    parts: list[str | None] = []
    match target:
        case OriginForm():
            parts += [assert_type(target.path, str), assert_type(target.query, str | None)]
        case AbsoluteForm():
            assert_type((target.uri, target.host_field), tuple[URI, str])
            assert_type(target.for_origin_server("GET"), OriginForm | AsteriskForm)
        case AuthorityForm():
            assert_type((target.host, target.port), tuple[str, int])
        case AsteriskForm():
            pass
    assert parts == ["/a", "b"]


def test_a_target_uri_is_a_uri() -> None:
    target: RequestTarget = OriginForm("/")
    assert_type(effective_uri(target, "a", scheme="http"), URI)
    assert_type(effective_uri(target, [b"a"], scheme="http", authority=b"a"), URI)
    assert_type(redirect_target("http://a/", b"/b"), URI)
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"a")]}
    assert_type(from_asgi(scope), URI)
    environ = {"REQUEST_METHOD": "GET", "wsgi.url_scheme": "http", "HTTP_HOST": "a"}
    assert_type(from_wsgi(environ, default_host="b"), URI)


def test_values_of_fields() -> None:
    host = assert_type(parse_host("a:80"), HostField)
    assert_type((host.port, host.port_text), tuple[int | None, str | None])
    origin = assert_type(parse_origin(b"null"), OriginField)
    assert_type(origin.origins, tuple[str, ...])
    assert_type(origin.is_same_origin(URI("http://a/")), bool)
    links = assert_type(parse_links("</a>; rel=next"), tuple[Link, ...])
    assert_type((links[0].rel, links[0].title), tuple[tuple[str, ...], str | None])
    assert_type(links[0].get("type"), str | None)
    assert_type(links[0].params, tuple[tuple[str, str | None], ...])
    assert_type(links[0].target_uri("http://a/"), URI)
    assert_type(links[0].context_uri("http://a/"), URI)
    assert_type(Link.build(URI("http://a/"), ["next"], title="b"), Link)
    assert_type(decode_ext_value(encode_ext_value("a", "en")), ExtValue)


def test_proxies() -> None:
    elements = assert_type(parse_forwarded("for=192.0.2.1"), tuple[ForwardedElement, ...])
    several = assert_type(x_forwarded(for_=b"192.0.2.1"), Sequence[ForwardedElement])
    assert_type(several[0], ForwardedElement)
    client_request(None, several, scheme="http", host="a")
    client_request(None, b"for=192.0.2.1", scheme="http", host="a")
    assert_type(elements[0].for_, Node | None)
    found = client_request(
        IPv4Address("10.0.0.1"), elements, scheme="http", host="a", networks=["10.0.0.0/8"]
    )
    assert_type((found, found.client.ip), tuple[ClientRequest, IPv4Address | IPv6Address | None])
    assert found.client == Node("192.0.2.1")
