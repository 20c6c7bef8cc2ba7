from collections.abc import Callable
from typing import Any

import pytest

from uriverse import URI, BuildError, ParseError, URIError
from uriverse.http import OriginForm, effective_uri, from_asgi, from_wsgi, request_target

ROOT = OriginForm("/")


def test_an_authority_that_differs_from_the_host_field_is_rejected() -> None:
    host: Any
    authority: Any
    for host, authority in [
        *(((), "a.example"), ("a.example", b"a.example"), ("A.example", "a.example")),
        ("a.example:443", "a.example"),
    ]:
        found = effective_uri(ROOT, host, scheme="https", authority=authority, http_version="2")
        assert str(found) == "https://a.example/"
    # An authority that differs from the host field is rejected.
    for host in ["b.example", "a.example:8443", ""]:
        with pytest.raises(BuildError, match="different hosts"):
            effective_uri(ROOT, host, scheme="https", authority="a.example", http_version="2")


def test_the_path_of_http_2_cannot_name_another_host() -> None:
    of_3 = {"http_version": "3", "authority": "a"}
    given: Any
    for given in [{"authority": "a"}, {"http_version": "2"}, of_3]:
        # RFC 9113, 8.3.1, and RFC 9114, 4.3.1: ":path" is a path and a query, or "*".
        target = request_target("GET", "http://evil.example/")
        with pytest.raises(BuildError, match="only HTTP/1 allows it"):
            effective_uri(target, "a", scheme="http", **given)
        for host in (None, "good.example"):
            with pytest.raises(BuildError, match="only HTTP/1 allows it"):
                from_asgi(scope(http_version="2", raw_path=b"http://evil.example/"), host=host)
            environment = environ(SERVER_PROTOCOL="HTTP/2.0", RAW_URI="http://evil.example/")
            with pytest.raises(BuildError, match="only HTTP/1 allows it"):
                from_wsgi(environment, host=host)
    # Only the schemes of HTTP are accepted.
    for scheme in ["ftp", "HTTP", "", "http:"]:
        with pytest.raises(BuildError, match="unexpected scheme"):
            effective_uri(ROOT, "a", scheme=scheme)
    # The scheme and the version must be strings.
    for given in [{"scheme": None}, {"scheme": "http", "http_version": None}]:
        with pytest.raises(TypeError, match="not NoneType"):
            effective_uri(ROOT, "a", **given)


def scope(**changes: Any) -> dict[str, Any]:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/a/b",
        "raw_path": b"/a%2Fb",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"accept", b"*/*"), (b"host", b"a.example")],
        "server": ("127.0.0.1", 8000),
        **changes,
    }


def test_the_target_uri_of_an_asgi_scope() -> None:
    expected: Any
    changes: Any
    for changes, expected in [
        *(({}, "http://a.example/a%2Fb"), ({"query_string": b"c=d"}, "http://a.example/a%2Fb?c=d")),
        ({"raw_path": None}, "http://a.example/a/b"),
        ({"raw_path": None, "path": "/é?# b"}, "http://a.example/%C3%A9%3F%23%20b"),
        # Servers add the root path to the path.
        ({"root_path": "/a"}, "http://a.example/a%2Fb"),
        ({"raw_path": b"http://b.example/c"}, "http://b.example/c"),
        ({"raw_path": b"*", "method": "OPTIONS"}, "http://a.example"),
        ({"scheme": "https"}, "https://a.example/a%2Fb"),
        ({"type": "websocket", "scheme": "wss"}, "wss://a.example/a%2Fb"),
        ({"headers": [(b"Host", b"b.example:81")]}, "http://b.example:81/a%2Fb"),
    ]:
        assert str(from_asgi(scope(**changes))) == expected


def test_optional_keys_of_an_asgi_scope_have_the_defaults_of_the_specification() -> None:
    for kind, scheme in [("http", "http"), ("websocket", "ws")]:
        minimal = scope(type=kind)
        for key in ("scheme", "raw_path", "query_string", "root_path", "server", "http_version"):
            del minimal[key]
        if kind == "websocket":
            del minimal["method"]
        assert str(from_asgi(minimal)) == f"{scheme}://a.example/a/b"
    # An ASGI scope without exactly one valid host is rejected.
    for headers in [[], [(b"host", b"a"), (b"host", b"a")], [(b"host", b"a b")], [(b"host", b"")]]:
        with pytest.raises(URIError):
            from_asgi(scope(headers=headers))
    # A missing key of an ASGI scope is named.
    for key in ["type", "method", "path", "headers"]:
        incomplete = scope(raw_path=None)
        del incomplete[key]
        with pytest.raises(ValueError, match=f"'{key}'"):
            from_asgi(incomplete)
    # A host and a scheme can replace those of an ASGI scope.
    found = from_asgi(scope(), scheme="https", host="b.example")
    assert str(found) == "https://b.example/a%2Fb"
    old = scope(headers=[], http_version="1.0")
    assert str(from_asgi(old, default_host="c.example")) == "http://c.example/a%2Fb"


#: Functions that return the target URI of a request with a method and a target.
INTERFACES: list[Callable[..., URI]] = [
    lambda method, text, **given: from_asgi(scope(method=method, raw_path=text.encode()), **given),
    lambda method, text, **given: from_wsgi(environ(REQUEST_METHOD=method, RAW_URI=text), **given),
    # Servers that provide only a decoded path.
    lambda method, text, **given: from_asgi(
        scope(method=method, raw_path=None, path=text), **given
    ),
    lambda method, text, **given: from_wsgi(
        environ(REQUEST_METHOD=method, PATH_INFO=text), **given
    ),
]


@pytest.mark.parametrize("target_uri", INTERFACES)
def test_the_scheme_and_the_host_of_the_application_win_over_those_of_the_target(
    target_uri: Callable[..., URI],
) -> None:
    for given, expected in [
        ({}, "http://evil.example:81/reset"),
        ({"scheme": "https"}, "https://evil.example:81/reset"),
        ({"host": "good.example"}, "http://good.example/reset"),
        ({"scheme": "https", "host": "good.example"}, "https://good.example/reset"),
        ({"host": "", "default_host": "good.example"}, "http://good.example/reset"),
    ]:
        assert str(target_uri("GET", "http://evil.example:81/reset", **given)) == expected


@pytest.mark.parametrize("target_uri", INTERFACES)
@pytest.mark.parametrize("text", ["javascript:alert(1)", "file:///etc/passwd", "ws://a.example/"])
@pytest.mark.parametrize("given", [{}, {"scheme": "https", "host": "good.example"}])
def test_a_target_that_is_not_an_http_uri_is_rejected(
    target_uri: Callable[..., URI], text: str, given: dict[str, str]
) -> None:
    with pytest.raises(BuildError, match="unexpected scheme"):
        target_uri("GET", text, **given)


@pytest.mark.parametrize("target_uri", INTERFACES)
def test_the_host_of_a_connect_request_must_be_the_host_of_the_application(
    target_uri: Callable[..., URI],
) -> None:
    found = target_uri("CONNECT", "Good.example:443", scheme="https", host="good.example")
    assert str(found) == "https://Good.example:443"
    with pytest.raises(BuildError, match="different hosts in the request target and in host"):
        target_uri("CONNECT", "evil.example:443", scheme="https", host="good.example")


@pytest.mark.parametrize("target_uri", INTERFACES)
@pytest.mark.parametrize("given", [{"scheme": ""}, {"scheme": "javascript"}, {"host": ""}])
def test_an_argument_that_cannot_win_is_rejected(
    target_uri: Callable[..., URI], given: dict[str, str]
) -> None:
    for text in ("/reset", "http://evil.example/reset"):
        with pytest.raises(BuildError):
            target_uri("GET", text, **given)


def environ(**changes: Any) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "GET",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/a/b",
        "QUERY_STRING": "",
        "HTTP_HOST": "a.example",
        "wsgi.url_scheme": "http",
        **changes,
    }


def test_the_target_uri_of_a_wsgi_environment() -> None:
    for changes, expected in [
        *(({}, "http://a.example/a/b"), ({"QUERY_STRING": "c=d"}, "http://a.example/a/b?c=d")),
        ({"SCRIPT_NAME": "/app"}, "http://a.example/app/a/b"),
        ({"SCRIPT_NAME": "/app", "PATH_INFO": ""}, "http://a.example/app"),
        *(({"PATH_INFO": ""}, "http://a.example/"), ({"PATH_INFO": "//b"}, "http://a.example//b")),
        ({"PATH_INFO": "/\u00c3\u00a9\u00ff?#%"}, "http://a.example/%C3%A9%FF%3F%23%25"),
        ({"PATH_INFO": "*", "REQUEST_METHOD": "OPTIONS"}, "http://a.example"),
        ({"RAW_URI": "/a%2Fb?"}, "http://a.example/a%2Fb?"),
        ({"REQUEST_URI": "/a%2Fb"}, "http://a.example/a%2Fb"),
        ({"REQUEST_URI": "http://b.example/c"}, "http://b.example/c"),
        ({"wsgi.url_scheme": "https", "HTTP_HOST": "[::1]:81"}, "https://[::1]:81/a/b"),
    ]:
        assert str(from_wsgi(environ(**changes))) == expected


def test_optional_keys_of_a_wsgi_environment_are_empty_by_default() -> None:
    minimal = environ()
    for key in ("SCRIPT_NAME", "QUERY_STRING", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL"):
        del minimal[key]
    assert str(from_wsgi(minimal)) == "http://a.example/a/b"
    del minimal["PATH_INFO"]
    assert str(from_wsgi(minimal)) == "http://a.example/"
    # The address of the server does not replace a missing host.
    missing = environ(SERVER_PROTOCOL="HTTP/1.0")
    del missing["HTTP_HOST"]
    with pytest.raises(BuildError, match="empty host"):
        from_wsgi(missing)
    assert str(from_wsgi(missing, default_host="b.example")) == "http://b.example/a/b"
    assert str(from_wsgi(missing, scheme="https", host="c")) == "https://c/a/b"
    # A comma in the host of WSGI is a repeated field.
    with pytest.raises(BuildError, match="more than one Host field"):
        from_wsgi(environ(HTTP_HOST="a.example,b.example"))
    # A path with characters that are not octets is rejected.
    with pytest.raises(ParseError) as caught:
        from_wsgi(environ(PATH_INFO="/a\u0101"))
    assert (caught.value.position, caught.value.rule) == (2, "PATH_INFO")
    # A missing key of a WSGI environment is named.
    for key in ["REQUEST_METHOD", "wsgi.url_scheme"]:
        incomplete = environ()
        del incomplete[key]
        with pytest.raises(ValueError, match=key):
            from_wsgi(incomplete)
    # A value of a WSGI environment must be a string.
    for key in ["HTTP_HOST", "RAW_URI"]:
        with pytest.raises(TypeError, match="not NoneType"):
            from_wsgi(environ(**{key: None}))


def test_only_http_1_1_requires_a_host_field_if_there_is_a_default() -> None:
    def missing(version: str) -> str:
        given = environ(SERVER_PROTOCOL=f"HTTP/{version}")
        del given["HTTP_HOST"]
        return str(from_wsgi(given, default_host="b.example"))

    for version in ("1.0", "2", "3"):
        assert missing(version) == "http://b.example/a/b"
    with pytest.raises(BuildError, match="missing Host field"):
        missing("1.1")
    with pytest.raises(BuildError, match="missing Host field"):
        from_asgi(scope(headers=[]), default_host="b.example")


def test_only_the_path_of_a_decoded_target_is_encoded_again() -> None:
    for method, target, expected in [
        ("GET", "http://[::1]:81/a b", "http://[::1]:81/a%20b"),
        ("GET", "http://b/\u00c3\u00a9", "http://b/%C3%A9"),
        *(("GET", "http://b?c/d", "http://b%3Fc/d"), ("CONNECT", "[::1]:443", "http://[::1]:443")),
        *(("OPTIONS", "*", "http://a"), ("GET", "//b c/d", "http://a//b%20c/d")),
    ]:
        # wsgiref passes an absolute-form in PATH_INFO.
        assert (
            str(from_wsgi(environ(REQUEST_METHOD=method, PATH_INFO=target, HTTP_HOST="a")))
            == expected
        )
        scope = {"type": "http", "method": method, "path": target.encode("latin-1").decode()}
        assert str(from_asgi({**scope, "headers": [(b"host", b"a")]})) == expected
    # An invalid host in a decoded target is not repaired.
    for method, target in [
        *(("GET", "http://b]c/"), ("GET", "http://b\\c/"), ("CONNECT", "b]c:80"), ("GET", "a:b c")),
    ]:
        with pytest.raises(ParseError):
            from_wsgi(environ(REQUEST_METHOD=method, PATH_INFO=target))
