"""`uriverse.http.request_target` and `parse_host`: the four forms, and errors with positions."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import pytest

from uriverse import URI, ParseError
from uriverse.http import (
    AbsoluteForm,
    AsteriskForm,
    AuthorityForm,
    ForwardedElement,
    HostField,
    Link,
    Node,
    OriginField,
    OriginForm,
    parse_host,
    request_target,
)


@pytest.mark.parametrize(
    ("method", "text", "kind"),
    [
        *(("GET", "/", OriginForm), ("GET", "/a/b?c", OriginForm), ("GET", "/a?", OriginForm)),
        *(("GET", "//a.example/b", OriginForm), ("GET", "/a:b@c", OriginForm)),
        *(("OPTIONS", "/*", OriginForm), ("get", "/", OriginForm)),
        ("GET", "http://a.example", AbsoluteForm),
        ("GET", "HTTPS://A.example:/?b", AbsoluteForm),
        *(("GET", "ftp://me@a.example/", AbsoluteForm), ("GET", "urn:a:b", AbsoluteForm)),
        *(("CONNECT", "a.example:443", AuthorityForm), ("CONNECT", "[::1]:65535", AuthorityForm)),
        ("CONNECT", "a.example:00000000443", AuthorityForm),
        *(("CONNECT", "a.example:0", AuthorityForm), ("OPTIONS", "*", AsteriskForm)),
    ],
)
def test_a_target_has_the_form_that_its_method_and_string_select(
    method: str, text: str, kind: type
) -> None:
    for given in (text, text.encode()):
        found = request_target(method, given)
        assert type(found) is kind
        assert str(found) == text
        assert pickle.loads(pickle.dumps(found)) == found
        assert {found: 1}[request_target(method, text)] == 1


def test_a_uri_that_ends_like_a_host_and_a_port_is_an_absolute_form() -> None:
    assert request_target("GET", "a:b:80") == AbsoluteForm("a:b:80")


def test_the_parts_of_a_target_can_be_read() -> None:
    origin = OriginForm("//a/b?c")
    assert (origin.path, origin.query, OriginForm("/").query) == ("//a/b", "c", None)
    assert AbsoluteForm("http://a/b").uri == URI("http://a/b")
    authority = AuthorityForm("[::1]:0443")
    assert (authority.host, authority.port) == ("[::1]", 443)


@pytest.mark.parametrize(
    ("method", "text", "component", "position"),
    [
        # The form does not belong to the method.
        *(("GET", "*", "text", 0), ("options", "*", "text", 0)),
        *(("GET", "a.example:443", "text", 0), ("OPTIONS", "[::1]:80", "text", 0)),
        *(("connect", "a.example:443", "text", 0), ("CONNECT", "/", "host", 0)),
        *(("CONNECT", "http://a.example/", "host", 5), ("CONNECT", "*", "port", 1)),
        # The method is not a token.
        *(("", "/", "text", 0), ("GE T", "/", "text", 2), (" GET", "/", "text", 0)),
        # The origin-form.
        *(("GET", "", "path", 0), ("GET", "a", "path", 0), ("GET", "?a", "path", 0)),
        *(("GET", " /", "path", 0), ("GET", "/a b", "path", 2), ("GET", "/a\t", "path", 2)),
        *(("GET", "/a#b", "fragment", 2), ("GET", "/a?b#", "fragment", 4)),
        *(("GET", "/\u00c3\u00a9", "path", 1), ("GET", "/a?\\", "query", 3)),
        *(("GET", "/%zz", "path", 2), ("GET", "/a\r\nHost: b", "path", 2)),
        # The absolute-form.
        *(("GET", "http://a/#b", "fragment", 9), ("GET", "http://me:secret@a/", "userinfo", 7)),
        *(("GET", "HTTPS://@a/", "userinfo", 8), ("GET", "http:///a", "host", 7)),
        *(("GET", "http:a", "host", 5), ("GET", "http://a b/", "host", 8)),
        ("GET", ":a", "scheme", 0),
        # The authority-form.
        *(("CONNECT", "a.example", "port", 9), ("CONNECT", "a.example:", "port", 10)),
        ("CONNECT", "a.example:65536", "port", 10),
        ("CONNECT", "a.example:" + "9" * 5000, "port", 10),
        *(("CONNECT", ":443", "host", 0), ("CONNECT", "me@a.example:443", "host", 2)),
        *(("CONNECT", "a.example:80/", "host", 12), ("CONNECT", "a.example:8o", "port", 11)),
        *(("CONNECT", "::1:443", "port", 1), ("CONNECT", "", "host", 0)),
    ],
)
def test_an_invalid_target_is_rejected_with_a_position(
    method: str, text: str, component: str, position: int
) -> None:
    with pytest.raises(ParseError) as caught:
        request_target(method, text)
    assert (caught.value.component, caught.value.position) == (component, position)
    assert caught.value.text in {text, method}
    assert caught.value.hint or "large" in caught.value.reason


@pytest.mark.parametrize("kind", [OriginForm, AbsoluteForm, AuthorityForm, HostField])
def test_a_form_cannot_be_created_from_a_string_of_another_form(kind: type) -> None:
    with pytest.raises(ParseError):
        kind("*/?")


def test_errors_do_not_show_passwords() -> None:
    for method in ("GET", "CONNECT"):
        with pytest.raises(ParseError) as caught:
            request_target(method, "http://me:secret@a.example/")
        assert "secret" not in str(caught.value)
    with pytest.raises(ParseError) as caught:
        parse_host("me:secret@a.example")
    assert "secret" not in str(caught.value)


def test_the_hint_about_an_octet_does_not_encode_it_as_utf_8() -> None:
    for text in ("/é", "http://a.example/é"):
        with pytest.raises(ParseError) as caught:
            request_target("GET", text.encode())
        assert caught.value.hint == "percent-encode each octet that is not ASCII"


@pytest.mark.parametrize("value", [None, 1, bytearray(b"/")])
def test_a_value_that_is_neither_a_string_nor_bytes_is_rejected(value: Any) -> None:
    for parse in (parse_host, partial(request_target, "GET")):
        with pytest.raises(TypeError, match="expected a str or bytes"):
            parse(value)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        *(("", "", None), ("a.example", "a.example", None), ("A.example:80", "A.example", 80)),
        *(("a.example:", "a.example", None), (":80", "", 80)),
        *(("[2001:db8::1]:8080", "[2001:db8::1]", 8080), ("a,b", "a,b", None)),
    ],
)
def test_a_host_field_is_a_host_and_a_port(text: str, host: str, port: int | None) -> None:
    found = parse_host(text.encode())
    assert (found.host, found.port, str(found)) == (host, port, text)
    assert found == HostField(text)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        *(("a.example/", 9), ("http://a.example", 5), ("me@a.example", 2), ("a.example ", 9)),
        *((" a.example", 0), ("a.example:80a", 12), ("2001:db8::1", 5), ("[::1", 4), ("a?b", 1)),
        *(("a#b", 1), ("\u00e9", 0)),
    ],
)
def test_an_invalid_host_field_is_rejected_with_a_position(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse_host(text)
    assert caught.value.position == position
    assert caught.value.text == text


@pytest.mark.parametrize(
    "value",
    [
        *(OriginForm("/"), AbsoluteForm("http://a"), AuthorityForm("a:80"), AsteriskForm()),
        *(HostField("a"), OriginField("null"), Link("/a"), Node("unknown"), ForwardedElement()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_immutable_and_hashable(value: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        value.text = "/b"
    assert not hasattr(value, "__dict__")
    assert "_reference" not in repr(value)
    assert "uri=" not in repr(value)
    assert {value: 1}[pickle.loads(pickle.dumps(value))] == 1


@pytest.mark.parametrize(
    ("text", "hint"), [("me@a", "remove the userinfo"), ("a/b", "write only the host and the port")]
)
def test_the_hint_about_a_host_names_the_part_to_remove(text: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_host(text)
    assert caught.value.hint == hint
