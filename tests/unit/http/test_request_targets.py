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


def test_a_target_has_the_form_that_its_method_and_string_select() -> None:
    for method, text, kind in [
        *(("GET", "/", OriginForm), ("GET", "/a/b?c", OriginForm), ("GET", "/a?", OriginForm)),
        *(("GET", "//a.example/b", OriginForm), ("GET", "/a:b@c", OriginForm)),
        *(("OPTIONS", "/*", OriginForm), ("get", "/", OriginForm)),
        ("GET", "http://a.example", AbsoluteForm),
        ("GET", "HTTPS://A.example:/?b", AbsoluteForm),
        *(("GET", "ftp://me@a.example/", AbsoluteForm), ("GET", "urn:a:b", AbsoluteForm)),
        *(("CONNECT", "a.example:443", AuthorityForm), ("CONNECT", "[::1]:65535", AuthorityForm)),
        ("CONNECT", "a.example:00000000443", AuthorityForm),
        *(("CONNECT", "a.example:0", AuthorityForm), ("OPTIONS", "*", AsteriskForm)),
    ]:
        for given in (text, text.encode()):
            found = request_target(method, given)
            assert type(found) is kind
            assert (str(found), pickle.loads(pickle.dumps(found))) == (text, found)
            assert {found: 1}[request_target(method, text)] == 1
    # A URI that ends like a host and a port is an absolute form.
    assert request_target("GET", "a:b:80") == AbsoluteForm("a:b:80")
    # The parts of a target can be read.
    origin = OriginForm("//a/b?c")
    assert (origin.path, origin.query, OriginForm("/").query) == ("//a/b", "c", None)
    assert AbsoluteForm("http://a/b").uri == URI("http://a/b")
    authority = AuthorityForm("[::1]:0443")
    assert (authority.host, authority.port) == ("[::1]", 443)
    # A form cannot be created from a string of another form.
    for kind in [OriginForm, AbsoluteForm, AuthorityForm, HostField]:
        with pytest.raises(ParseError):
            kind("*/?")


def test_an_invalid_target_is_rejected_with_a_position() -> None:
    for method, text, component, position in [
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
    ]:
        with pytest.raises(ParseError) as caught:
            request_target(method, text)
        assert (caught.value.component, caught.value.position) == (component, position)
        assert caught.value.text in {text, method}
        assert caught.value.hint or "large" in caught.value.reason
    # The hint about an octet does not encode it as UTF-8.
    for text in ("/é", "http://a.example/é"):
        with pytest.raises(ParseError) as caught:
            request_target("GET", text.encode())
        assert caught.value.hint == "percent-encode each octet that is not ASCII"
    # Errors do not show passwords.
    for method in ("GET", "CONNECT"):
        with pytest.raises(ParseError) as caught:
            request_target(method, "http://me:secret@a.example/")
        assert "secret" not in str(caught.value)
    with pytest.raises(ParseError) as caught:
        parse_host("me:secret@a.example")
    assert "secret" not in str(caught.value)


def test_a_host_field_is_a_host_and_a_port() -> None:
    for text, host, port in [
        *(("", "", None), ("a.example", "a.example", None), ("A.example:80", "A.example", 80)),
        *(("a.example:", "a.example", None), (":80", "", 80)),
        *(("[2001:db8::1]:8080", "[2001:db8::1]", 8080), ("a,b", "a,b", None)),
    ]:
        found = parse_host(text.encode())
        assert (found.host, found.port, str(found)) == (host, port, text)
        assert found == HostField(text)
    # An invalid host field is rejected with a position.
    for text, position in [
        *(("a.example/", 9), ("http://a.example", 5), ("me@a.example", 2), ("a.example ", 9)),
        *((" a.example", 0), ("a.example:80a", 12), ("2001:db8::1", 5), ("[::1", 4), ("a?b", 1)),
        *(("a#b", 1), ("\u00e9", 0)),
    ]:
        with pytest.raises(ParseError) as caught:
            parse_host(text)
        assert (caught.value.position, caught.value.text) == (position, text)
    # The hint about a host names the part to remove.
    for text, hint in [("u@a", "remove the userinfo"), ("a/b", "write only the host and the port")]:
        with pytest.raises(ParseError) as caught:
            parse_host(text)
        assert caught.value.hint == hint


def test_values_are_immutable_and_hashable() -> None:
    value: Any
    parse: Any
    for value in [
        *(OriginForm("/"), AbsoluteForm("http://a"), AuthorityForm("a:80"), AsteriskForm()),
        *(HostField("a"), OriginField("null"), Link("/a"), Node("unknown"), ForwardedElement()),
    ]:
        with pytest.raises((AttributeError, TypeError)):
            value.text = "/b"
        assert not hasattr(value, "__dict__")
        assert "_reference" not in repr(value)
        assert "uri=" not in repr(value)
        assert {value: 1}[pickle.loads(pickle.dumps(value))] == 1
    # A value that is neither a string nor bytes is rejected.
    for value in [None, 1, bytearray(b"/")]:
        for parse in (parse_host, partial(request_target, "GET")):
            with pytest.raises(TypeError, match="expected a str or bytes"):
                parse(value)
