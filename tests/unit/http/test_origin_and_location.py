"""The `Origin` field, and redirects with fragments."""

from __future__ import annotations

import pickle

import pytest

from uriverse import HTTPURI, URI, ParseError
from uriverse.http import OriginField, parse_origin, redirect_target


@pytest.mark.parametrize(
    ("text", "origins"),
    [
        *(("null", ()), ("https://a.example", ("https://a.example",))),
        ("http://a.example:8080", ("http://a.example:8080",)),
        ("http://[::1]:80", ("http://[::1]:80",)),
        ("http://a.example https://b.example", ("http://a.example", "https://b.example")),
        ("chrome-extension://abc", ("chrome-extension://abc",)),
    ],
)
def test_an_origin_field_is_null_or_a_list_of_origins(text: str, origins: tuple[str, ...]) -> None:
    for found in (OriginField(text), parse_origin(text.encode())):
        assert (found.origins, str(found)) == (origins, text)
        assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("text", "position", "component"),
    [
        *(("", 0, "scheme"), ("NULL", 4, "scheme"), ("a.example", 9, "scheme")),
        *(("//a.example", 0, "scheme"), ("http:", 5, "host"), ("http://", 7, "host")),
        *(("http://:80", 7, "host"), ("urn:a", 4, "host"), ("http://me@a", 7, "userinfo")),
        *(("http://a/", 8, "path"), ("http://a?", 8, "path"), ("http://a#", 8, "path")),
        *(("http://a b", 10, "scheme"), ("http://a  http://b", 9, "scheme")),
        *((" http://a", 0, "scheme"), ("http://a,http://b", 14, "path")),
        *(("http://a http://b/", 17, "path"), ("http://a null", 13, "scheme")),
        ("http://\u00e9", 7, "host"),
    ],
)
def test_an_invalid_origin_field_is_rejected_with_a_position(
    text: str, position: int, component: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse_origin(text)
    assert (caught.value.position, caught.value.component) == (position, component)
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("field", "uri", "same"),
    [
        ("https://a.example", "https://A.example:443/b", True),
        ("https://a.example:443", "https://a.example/", True),
        ("https://a.example", "http://a.example/", False),
        ("https://a.example", "https://a.example:8443/", False),
        ("https://a.example https://a.example", "https://a.example/", True),
        ("https://a.example https://b.example", "https://a.example/", False),
        *(("https://a.example", "urn:a:b", False), ("null", "https://a.example/", False)),
        ("null", "urn:a:b", False),
    ],
)
def test_origins_are_compared_with_the_origin_of_a_uri(field: str, uri: str, same: bool) -> None:
    assert parse_origin(field).is_same_origin(uri) is same
    assert parse_origin(field).is_same_origin(URI(uri)) is same


def test_a_typed_uri_has_an_origin_too() -> None:
    assert parse_origin("http://a").is_same_origin(HTTPURI("http://a/b"))


@pytest.mark.parametrize(
    ("request_uri", "location", "expected"),
    [
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
    ],
)
def test_a_redirect_keeps_the_fragment_of_the_request(
    request_uri: str, location: str, expected: str
) -> None:
    assert str(redirect_target(request_uri, location)) == expected
    assert str(redirect_target(URI(request_uri), location.encode())) == expected


@pytest.mark.parametrize(
    ("location", "position"), [("/a b", 2), ("http://a b/", 8), ("/é".encode(), 1)]
)
def test_an_invalid_location_is_rejected(location: str | bytes, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        redirect_target("http://a/", location)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "location",
    [
        *("///evil", "////evil", "http:///evil", "http:evil", "https:/evil", "http:?a"),
        *("HTTP://:80", "//"),
    ],
)
def test_a_redirect_to_an_http_uri_without_a_host_is_rejected(location: str) -> None:
    # RFC 9110, 4.2.1. requests connects to "evil" for "////evil", other clients stay on "a".
    with pytest.raises(ParseError, match=r"host: an https? URI requires a host"):
        redirect_target("http://a/b", location)


def test_a_redirect_to_another_scheme_needs_no_host() -> None:
    assert str(redirect_target("http://a/b#c", "mailto:a@b")) == "mailto:a@b#c"
