"""Every requirement (MUST) of RFC 9112, sections 3.2 and 3.3, has a test here."""

from typing import Any

import pytest

from uriverse import HTTPURI, URI, BuildError, ParseError, URIError, http
from uriverse.http import AbsoluteForm, OriginForm, effective_uri, parse_host, request_target

ROOT = OriginForm("/")


# --- 3.2: the Host field


def test_a_client_sends_a_host_field_that_is_identical_to_the_authority_without_userinfo() -> None:
    assert HTTPURI("http://me:pw@A.example:80/b").host_header == "A.example:80"
    assert AbsoluteForm("ftp://me@A.example:21/b").host_field == "A.example:21"
    # A client sends an empty host field if the target URI has no authority.
    assert (AbsoluteForm("urn:a:b").host_field, parse_host("").host) == ("", "")


def test_a_server_rejects_a_request_without_exactly_one_valid_host_field() -> None:
    target: Any
    second: Any
    host: Any
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(ROOT, scheme="http")
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(ROOT, scheme="http", default_host="a.example")
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(AbsoluteForm("http://a.example/"), scheme="http")
    # A server rejects a request with more than one host field.
    for second in ["a.example", "b.example", ""]:
        for target in [ROOT, AbsoluteForm("http://a.example/")]:
            with pytest.raises(BuildError, match="more than one Host field"):
                effective_uri(target, ["a.example", second], scheme="http")
    # A server rejects a request with an invalid host field.
    for host in ["a b", "a/b", "me@a", "a:b", "\u00e9", "::1", "http://a"]:
        for target in [ROOT, AbsoluteForm("http://a.example/")]:
            with pytest.raises(ParseError):
                effective_uri(target, host, scheme="http")


# --- 3.2.1: the origin-form


def test_a_client_sends_the_absolute_path_and_the_query_to_an_origin_server() -> None:
    assert HTTPURI("http://me@a.example:80/b?c#d").request_target() == "/b?c"
    # A client sends a slash if the path is empty.
    assert HTTPURI("http://a.example?b").request_target() == "/?b"
    assert str(AbsoluteForm("http://a.example?b").for_origin_server("GET")) == "/?b"
    assert str(AbsoluteForm("http://a.example").for_origin_server("GET")) == "/"


# --- 3.2.2: the absolute-form


def test_a_client_sends_the_absolute_form_to_a_proxy() -> None:
    target = HTTPURI("http://me@a.example/b?c#d").request_target("absolute")
    assert target == "http://a.example/b?c"
    assert type(request_target("GET", target)) is AbsoluteForm
    # A client sends a host field with the absolute form too.
    assert AbsoluteForm("http://a.example:81/b").host_field == "a.example:81"
    # A proxy replaces the host field that it received.
    absolute = AbsoluteForm("http://a.example/b?c")
    assert effective_uri(absolute, "b.example", scheme="http").host == absolute.host_field
    assert str(absolute.for_origin_server("GET")) == "/b?c"
    # An origin server ignores the host field if it received the absolute form.
    received = request_target("GET", "http://a.example/b")
    assert effective_uri(received, "b.example", scheme="https") == URI("http://a.example/b")
    # A server accepts the absolute form.
    for method in ["GET", "POST", "OPTIONS", "PROPFIND"]:
        assert type(request_target(method, "http://a.example/b")) is AbsoluteForm


# --- 3.2.3: the authority-form


def test_a_connect_request_has_the_host_and_the_port() -> None:
    assert HTTPURI("https://me@a.example/b").request_target("authority") == "a.example:443"
    for text in ("me@a.example:443", "a.example:443/", "https://a.example:443"):
        with pytest.raises(ParseError):
            request_target("CONNECT", text)
    # A server rejects a connect request without a valid port.
    for text in ["a.example", "a.example:", "a.example:65536", "a.example:x"]:
        with pytest.raises(ParseError) as caught:
            request_target("CONNECT", text)
        assert caught.value.component == "port"


# --- 3.2.4: the asterisk-form


def test_an_asterisk_requests_options_of_the_whole_server() -> None:
    assert HTTPURI("http://a.example").request_target("asterisk") == "*"
    for text in ("*/", "**", "*?a", "*#a"):
        with pytest.raises(ParseError):
            request_target("OPTIONS", text)
    # The last proxy sends an asterisk for options without a path and a query.
    target = request_target("OPTIONS", "http://www.example.org:8001")
    assert isinstance(target, AbsoluteForm)
    assert target.for_origin_server("OPTIONS") == http.AsteriskForm()
    assert target.host_field == "www.example.org:8001"
    for text in ("http://a.example/", "http://a.example?"):
        assert type(AbsoluteForm(text).for_origin_server("OPTIONS")) is OriginForm


# --- 3.3: the target URI


def test_the_target_uri_consists_of_scheme_authority_path_and_query() -> None:
    for method, text, host, scheme, expected in [
        # The examples of the RFC.
        (
            *("GET", "/pub/WWW/TheProject.html", "www.example.org", "https"),
            "https://www.example.org/pub/WWW/TheProject.html",
        ),
        ("OPTIONS", "*", "www.example.org:8080", "http", "http://www.example.org:8080"),
        # An authority-form is the authority.
        ("CONNECT", "a.example:443", "b.example", "http", "http://a.example:443"),
        # An absolute-form is the URI.
        ("GET", "HTTP://A.example", "b.example", "https", "HTTP://A.example"),
        # The path and the query are those of the target, even if the path starts with "//".
        ("GET", "//b.example/c?", "a.example", "http", "http://a.example//b.example/c?"),
        ("GET", "/", "[::1]:80", "http", "http://[::1]:80/"),
    ]:
        assert str(effective_uri(request_target(method, text), host, scheme=scheme)) == expected
    # A target with a scheme other than HTTP and HTTPS is rejected.
    for text in ["javascript:alert(1)", "file:///etc/passwd", "ftp://a/", "ws://a/", "urn:a:b"]:
        # They are request targets, because a proxy may forward them. A server cannot serve them.
        target = request_target("GET", text)
        with pytest.raises(BuildError, match="unexpected scheme"):
            effective_uri(target, "a.example", scheme="http")
    # The target URI of a websocket handshake is a websocket URI.
    for text, expected in [("http://a/b?c", "ws://a/b?c"), ("HTTPS://a:1", "wss://a:1")]:
        for scheme in ["ws", "wss"]:
            # RFC 6455, 4.1: the absolute-form in a handshake is an http or https URI.
            target = request_target("GET", text)
            assert str(effective_uri(target, "a", scheme=scheme)) == expected


def test_a_default_replaces_an_empty_authority() -> None:
    for host in ["", ":80", ()]:
        version = "1.0"
        found = effective_uri(
            ROOT, host, scheme="http", default_host="a.example:81", http_version=version
        )
        assert found == URI("http://a.example:81/")
    # An empty authority without a default is rejected.
    for default_host in [None, "", ":80"]:
        with pytest.raises(URIError, match="empty host"):
            effective_uri(ROOT, "", scheme="http", default_host=default_host)
