"""Every requirement (MUST) of RFC 9112, sections 3.2 and 3.3, has a test here."""

from __future__ import annotations

import pytest

from uriverse import HTTPURI, URI, BuildError, ParseError, URIError
from uriverse.http import (
    AbsoluteForm,
    AsteriskForm,
    OriginForm,
    effective_uri,
    parse_host,
    request_target,
)

ROOT = OriginForm("/")


# --- 3.2: the Host field


def test_a_client_sends_a_host_field_that_is_identical_to_the_authority_without_userinfo() -> None:
    assert HTTPURI("http://me:pw@A.example:80/b").host_header == "A.example:80"
    assert AbsoluteForm("ftp://me@A.example:21/b").host_field == "A.example:21"


def test_a_client_sends_an_empty_host_field_if_the_target_uri_has_no_authority() -> None:
    assert AbsoluteForm("urn:a:b").host_field == ""
    assert parse_host("").host == ""


def test_a_server_rejects_a_request_without_a_host_field() -> None:
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(ROOT, scheme="http")
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(ROOT, scheme="http", default_host="a.example")
    with pytest.raises(BuildError, match="missing Host field"):
        effective_uri(AbsoluteForm("http://a.example/"), scheme="http")


@pytest.mark.parametrize("second", ["a.example", "b.example", ""])
@pytest.mark.parametrize("target", [ROOT, AbsoluteForm("http://a.example/")], ids=str)
def test_a_server_rejects_a_request_with_more_than_one_host_field(
    target: OriginForm | AbsoluteForm, second: str
) -> None:
    with pytest.raises(BuildError, match="more than one Host field"):
        effective_uri(target, ["a.example", second], scheme="http")


@pytest.mark.parametrize("host", ["a b", "a/b", "me@a", "a:b", "\u00e9", "::1", "http://a"])
@pytest.mark.parametrize("target", [ROOT, AbsoluteForm("http://a.example/")], ids=str)
def test_a_server_rejects_a_request_with_an_invalid_host_field(
    target: OriginForm | AbsoluteForm, host: str
) -> None:
    with pytest.raises(ParseError):
        effective_uri(target, host, scheme="http")


# --- 3.2.1: the origin-form


def test_a_client_sends_only_the_absolute_path_and_the_query_to_an_origin_server() -> None:
    assert HTTPURI("http://me@a.example:80/b?c#d").request_target() == "/b?c"


def test_a_client_sends_a_slash_if_the_path_is_empty() -> None:
    assert HTTPURI("http://a.example?b").request_target() == "/?b"
    assert str(AbsoluteForm("http://a.example?b").for_origin_server("GET")) == "/?b"
    assert str(AbsoluteForm("http://a.example").for_origin_server("GET")) == "/"


# --- 3.2.2: the absolute-form


def test_a_client_sends_the_absolute_form_to_a_proxy() -> None:
    target = HTTPURI("http://me@a.example/b?c#d").request_target("absolute")
    assert target == "http://a.example/b?c"
    assert type(request_target("GET", target)) is AbsoluteForm


def test_a_client_sends_a_host_field_with_the_absolute_form_too() -> None:
    assert AbsoluteForm("http://a.example:81/b").host_field == "a.example:81"


def test_a_proxy_replaces_the_host_field_that_it_received() -> None:
    target = AbsoluteForm("http://a.example/b?c")
    assert effective_uri(target, "b.example", scheme="http").host == target.host_field
    assert str(target.for_origin_server("GET")) == "/b?c"


def test_an_origin_server_ignores_the_host_field_if_it_received_the_absolute_form() -> None:
    target = request_target("GET", "http://a.example/b")
    assert effective_uri(target, "b.example", scheme="https") == URI("http://a.example/b")


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "PROPFIND"])
def test_a_server_accepts_the_absolute_form(method: str) -> None:
    assert type(request_target(method, "http://a.example/b")) is AbsoluteForm


# --- 3.2.3: the authority-form


def test_a_client_sends_only_the_host_and_the_port_in_a_connect_request() -> None:
    assert HTTPURI("https://me@a.example/b").request_target("authority") == "a.example:443"
    for text in ("me@a.example:443", "a.example:443/", "https://a.example:443"):
        with pytest.raises(ParseError):
            request_target("CONNECT", text)


@pytest.mark.parametrize("text", ["a.example", "a.example:", "a.example:65536", "a.example:x"])
def test_a_server_rejects_a_connect_request_without_a_valid_port(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        request_target("CONNECT", text)
    assert caught.value.component == "port"


# --- 3.2.4: the asterisk-form


def test_a_client_sends_only_an_asterisk_to_request_options_of_the_whole_server() -> None:
    assert HTTPURI("http://a.example").request_target("asterisk") == "*"
    for text in ("*/", "**", "*?a", "*#a"):
        with pytest.raises(ParseError):
            request_target("OPTIONS", text)


def test_the_last_proxy_sends_an_asterisk_for_options_without_a_path_and_a_query() -> None:
    target = request_target("OPTIONS", "http://www.example.org:8001")
    assert isinstance(target, AbsoluteForm)
    assert target.for_origin_server("OPTIONS") == AsteriskForm()
    assert target.host_field == "www.example.org:8001"
    for text in ("http://a.example/", "http://a.example?"):
        assert type(AbsoluteForm(text).for_origin_server("OPTIONS")) is OriginForm


# --- 3.3: the target URI


@pytest.mark.parametrize(
    ("method", "text", "host", "scheme", "expected"),
    [
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
    ],
)
def test_the_target_uri_consists_of_scheme_authority_path_and_query(
    method: str, text: str, host: str, scheme: str, expected: str
) -> None:
    assert str(effective_uri(request_target(method, text), host, scheme=scheme)) == expected


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "file:///etc/passwd", "ftp://a.example/", "ws://a/", "urn:a:b"]
)
def test_a_target_with_a_scheme_other_than_http_and_https_is_rejected(text: str) -> None:
    # They are request targets, because a proxy may forward them. A server cannot serve them.
    target = request_target("GET", text)
    with pytest.raises(BuildError, match="unexpected scheme"):
        effective_uri(target, "a.example", scheme="http")


@pytest.mark.parametrize(
    ("text", "expected"), [("http://a/b?c", "ws://a/b?c"), ("HTTPS://a:1", "wss://a:1")]
)
@pytest.mark.parametrize("scheme", ["ws", "wss"])
def test_the_target_uri_of_a_websocket_handshake_is_a_websocket_uri(
    text: str, expected: str, scheme: str
) -> None:
    # RFC 6455, 4.1: the absolute-form in a handshake is an http or https URI.
    target = request_target("GET", text)
    assert str(effective_uri(target, "a", scheme=scheme)) == expected


@pytest.mark.parametrize("host", ["", ":80", ()])
def test_a_default_replaces_an_empty_authority(host: str | tuple[()]) -> None:
    version = "1.0"
    found = effective_uri(
        ROOT, host, scheme="http", default_host="a.example:81", http_version=version
    )
    assert found == URI("http://a.example:81/")


@pytest.mark.parametrize("default_host", [None, "", ":80"])
def test_an_empty_authority_without_a_default_is_rejected(default_host: str | None) -> None:
    with pytest.raises(URIError, match="empty host"):
        effective_uri(ROOT, "", scheme="http", default_host=default_host)
