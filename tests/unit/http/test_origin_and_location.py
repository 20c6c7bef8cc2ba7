import pickle
from typing import Any

import pytest

from uriverse import HTTPURI, URI, ParseError
from uriverse.http import OriginField, parse_origin, redirect_target


def test_an_origin_field_is_null_or_a_list_of_origins() -> None:
    for text, origins in [
        *(("null", ()), ("https://a.example", ("https://a.example",))),
        ("http://a.example:8080", ("http://a.example:8080",)),
        ("http://[::1]:80", ("http://[::1]:80",)),
        ("http://a.example https://b.example", ("http://a.example", "https://b.example")),
        ("chrome-extension://abc", ("chrome-extension://abc",)),
    ]:
        for found in (OriginField(text), parse_origin(text.encode())):
            assert (found.origins, str(found)) == (origins, text)
            assert pickle.loads(pickle.dumps(found)) == found
    # An invalid origin field is rejected with a position.
    for text, position, component in [
        *(("", 0, "scheme"), ("NULL", 4, "scheme"), ("a.example", 9, "scheme")),
        *(("//a.example", 0, "scheme"), ("http:", 5, "host"), ("http://", 7, "host")),
        *(("http://:80", 7, "host"), ("urn:a", 4, "host"), ("http://me@a", 7, "userinfo")),
        *(("http://a/", 8, "path"), ("http://a?", 8, "path"), ("http://a#", 8, "path")),
        *(("http://a b", 10, "scheme"), ("http://a  http://b", 9, "scheme")),
        *((" http://a", 0, "scheme"), ("http://a,http://b", 14, "path")),
        *(("http://a http://b/", 17, "path"), ("http://a null", 13, "scheme")),
        ("http://\u00e9", 7, "host"),
    ]:
        with pytest.raises(ParseError) as caught:
            parse_origin(text)
        assert (caught.value.position, caught.value.component) == (position, component)
        assert caught.value.text == text


def test_origins_are_compared_with_the_origin_of_a_uri() -> None:
    for field, uri, same in [
        ("https://a.example", "https://A.example:443/b", True),
        ("https://a.example:443", "https://a.example/", True),
        ("https://a.example", "http://a.example/", False),
        ("https://a.example", "https://a.example:8443/", False),
        ("https://a.example https://a.example", "https://a.example/", True),
        ("https://a.example https://b.example", "https://a.example/", False),
        *(("https://a.example", "urn:a:b", False), ("null", "https://a.example/", False)),
        ("null", "urn:a:b", False),
    ]:
        assert parse_origin(field).is_same_origin(uri) is same
        assert parse_origin(field).is_same_origin(URI(uri)) is same
    # A typed URI has an origin too.
    assert parse_origin("http://a").is_same_origin(HTTPURI("http://a/b"))


def test_a_redirect_keeps_the_fragment_of_the_request() -> None:
    for request_uri, location, expected in [
        # The examples of RFC 9110, 10.2.2.
        (
            "http://www.example.org/~tim",
            "/People.html#tim",
            "http://www.example.org/People.html#tim",
        ),
        (
            "http://www.example.org/index.html#larry",
            "http://www.example.net/index.html",
            "http://www.example.net/index.html#larry",
        ),
        *(("http://a/b#c", "/d#", "http://a/d#"), ("http://a/b#", "/d", "http://a/d#")),
        *(("http://a/b", "", "http://a/b"), ("http://a/b?c#d", "", "http://a/b?c#d")),
        ("http://a/b", "//c", "http://c"),
    ]:
        assert str(redirect_target(request_uri, location)) == expected
        assert str(redirect_target(URI(request_uri), location.encode())) == expected
    # A redirect to another scheme needs no host.
    assert str(redirect_target("http://a/b#c", "mailto:a@b")) == "mailto:a@b#c"


def test_an_invalid_location_is_rejected() -> None:
    location: Any
    for location, position in [("/a b", 2), ("http://a b/", 8), ("/é".encode(), 1)]:
        with pytest.raises(ParseError) as caught:
            redirect_target("http://a/", location)
        assert caught.value.position == position
    # A redirect to an HTTP URI without a host is rejected.
    for location in [
        *("///evil", "////evil", "http:///evil", "http:evil", "https:/evil", "http:?a"),
        *("HTTP://:80", "//"),
    ]:
        # RFC 9110, 4.2.1. requests connects to "evil" for "////evil", other clients stay on "a".
        with pytest.raises(ParseError, match=r"host: an https? URI requires a host"):
            redirect_target("http://a/b", location)
