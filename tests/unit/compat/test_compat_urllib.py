"""`uriverse.compat.urllib` loses nothing, and accepts the arguments that `urllib.parse` accepts."""

from __future__ import annotations

import copy
import pickle
import urllib.parse
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, references

from uriverse import ParseError, URIError, parse
from uriverse.compat import urllib as compat
from uriverse.compat.urllib import (
    SplitResult,
    urldefrag,
    urljoin,
    urlparse,
    urlsplit,
    urlunparse,
    urlunsplit,
)


@given(references())
def test_splitting_and_joining_changes_nothing(text: str) -> None:
    result = urlsplit(text)
    assert result.geturl() == urlunsplit(result) == text
    assert copy.copy(result).geturl() == text
    assert pickle.loads(pickle.dumps(result)).geturl() == text
    assert result._replace(path=result.path).geturl() == text


@given(hostile())
def test_hostile_strings_raise_errors_of_one_family(text: str) -> None:
    try:
        urlsplit(text)
    except URIError as error:
        assert error.text is not None  # noqa: PT017 - most strings raise no error


@given(references(), references())
def test_urljoin_resolves_like_rfc_3986(base: str, url: str) -> None:
    start = parse(base)
    reference = parse(url)
    expected = start.then(reference) if start.scheme is None else start.resolve(reference)
    assert urljoin(base, url) == str(expected)


def test_components_that_would_move_are_rejected() -> None:
    for components in (
        ("", "", "a:b", "", ""),
        ("http", "a@b@c", "/", "", ""),
        ("http", "a", "/b?c", "", ""),
        ("1", "", "", "", ""),
    ):
        with pytest.raises(URIError):
            urlunsplit(components)
        with pytest.raises(URIError):
            SplitResult(*components).geturl()


def test_a_component_that_is_replaced_with_an_empty_string_is_removed() -> None:
    result = urlsplit("http://a/?#")
    assert result._replace(path="/b").geturl() == "http://a/b?#"
    assert result._replace(query="c")._replace(query="").geturl() == "http://a/?#"
    assert urlsplit("http://a/?b#c")._replace(query="").geturl() == "http://a/#c"
    # As in the standard library, an empty authority stays in URLs with the scheme "http".
    assert urlsplit("http://a/?b#c")._replace(netloc="").geturl() == "http:///?b#c"
    assert urlsplit("coap://a/?b#c")._replace(netloc="").geturl() == "coap:/?b#c"


def test_the_scheme_is_in_lower_case_so_that_programs_can_compare_it() -> None:
    result = urlsplit("JavaScript:alert(1)")
    assert result.scheme == "javascript"
    assert result.geturl() == "JavaScript:alert(1)"
    assert result._replace(scheme="x").geturl() == "x:alert(1)"


def test_attributes_have_the_form_of_the_standard_library() -> None:
    result = urlsplit("http://U%41:P%41:@H.Example:080/")
    assert (result.username, result.password) == ("U%41", "P%41:")
    assert (result.hostname, result.port) == ("h.example", 80)
    result = urlsplit("http://[2001:DB8::1]:/")
    assert (result.username, result.password, result.port) == (None, None, None)
    assert result.hostname == "2001:db8::1"
    assert urlsplit("a:b").hostname is None
    assert urlsplit("//@:1").username == ""


def test_a_default_scheme_is_used_only_without_a_scheme() -> None:
    assert urlsplit("//a", "http").geturl() == "http://a"
    assert urlsplit("ftp://a", "http").scheme == "ftp"


@pytest.mark.parametrize("wrong", [3, ["http://a/"], object()])
def test_wrong_types_raise_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="must be str or bytes"):
        urlsplit(wrong)
    with pytest.raises(TypeError, match="cannot mix"):
        urljoin("http://a/", wrong)
    with pytest.raises(TypeError, match="cannot mix"):
        urlunsplit(("http", wrong, "", "", ""))


def test_a_path_after_an_authority_gets_a_slash() -> None:
    assert urlunsplit(("http", "a", "b", "", "")) == "http://a/b"
    assert urlunsplit(("file", "", "/b", "", "")) == "file:///b"
    assert urlunsplit(("file", "", "b", "", "")) == "file:b"
    assert urlunsplit(("git", "", "", "", "")) == "git://"
    assert urlunsplit(("coap", "", "/b", "", "")) == "coap:/b"
    # These paths would be parsed as an authority.
    assert urlunsplit(("", "", "//b", "", "")) == "////b"
    assert urlunsplit((None, None, "//b", None, None), keep_empty=True) == "////b"
    assert urlunsplit(("http", "a", "", None, None)) == "http://a"


def test_fragments_are_rejected_if_they_are_not_allowed() -> None:
    with pytest.raises(ParseError) as caught:
        urlsplit("http://a/?b#c", allow_fragments=False)
    assert (caught.value.component, caught.value.position) == ("fragment", 11)
    with pytest.raises(ParseError):
        urljoin("http://a/", "#", allow_fragments=False)
    assert urlsplit("http://a/%23", allow_fragments=False).path == "/%23"


def test_the_representation_shows_no_secrets() -> None:
    text = "http://me:hidden@a/?token=hidden#access_token=hidden"
    assert "hidden" not in repr(urlsplit(text))
    assert "hidden" not in repr(urlsplit(text.encode()))
    assert "hidden" not in repr(urlparse(text))
    assert "hidden" not in repr(urldefrag(text))
    for password in ("hidden", 'hid"den', "<hidden>", "hid den", "hidden@"):
        for name in ("me", "CORP\\me", ""):
            assert "hid" not in repr(urlparse(f"http://{name}:{password}@a/"))
    assert repr(urlsplit("a:b")) == (
        "SplitResult(scheme='a', netloc='', path='b', query='', fragment='')"
    )
    assert repr(urldefrag(b"a:b", missing_as_none=True)) == (
        "DefragResultBytes(url=b'a:b', fragment=None)"
    )


@given(references())
def test_undefined_components_are_none_if_missing_as_none_is_true(text: str) -> None:
    parsed = parse(text)
    result = urlsplit(text, missing_as_none=True)
    scheme = parsed.scheme and parsed.scheme.lower()
    assert result == (scheme, parsed.authority, parsed.path, parsed.query, parsed.fragment)
    assert (result.username, result.hostname) == (urlsplit(text).username, urlsplit(text).hostname)
    assert result.geturl() == urlunsplit(result) == text
    assert urlunsplit(result, keep_empty=True) == text
    assert urlunsplit(result, keep_empty=False) == urlunsplit(tuple(urlsplit(text)))
    assert urlunsplit(tuple(result), keep_empty=True) == text.replace(
        parsed.scheme or "", scheme or "", 1
    )


@given(references(), st.booleans())
def test_a_result_is_the_same_after_each_conversion(text: str, missing_as_none: bool) -> None:
    ascii_text = text.encode("ascii", "ignore").decode()
    functions: tuple[Any, ...] = (urlsplit, urlparse, urldefrag)
    for function in functions:
        try:
            result = function(ascii_text, missing_as_none=missing_as_none)
        except ValueError:
            continue  # The string without its other characters, or its IP address, may be invalid.
        octets = function(ascii_text.encode(), missing_as_none=missing_as_none)
        url = result.geturl()
        assert result.encode() == octets
        assert octets.decode() == result
        assert (octets.geturl(), octets.decode().geturl()) == (url.encode(), url)
        for same in (copy.copy(result), copy.deepcopy(result), result._replace()):
            assert (same, same.geturl(), type(same)) == (result, url, type(result))
        for one in (result, octets):
            same = pickle.loads(pickle.dumps(one))
            assert (same, same.geturl(), type(same)) == (one, one.geturl(), type(one))


def test_results_are_instances_of_the_classes_of_the_standard_library() -> None:
    for function in (urlsplit, urlparse, urldefrag):
        for url in ("http://a/", b"http://a/"):
            result = function(url)
            assert isinstance(result, getattr(urllib.parse, type(result).__name__))


def test_urlparse_keeps_empty_components_if_missing_as_none_is_true() -> None:
    for text in ("http://a/b;?#", "//?", "a;?", "x:", "#", "", "http:///;", "mailto:a;?b#"):
        result = urlparse(text, missing_as_none=True)
        assert result.geturl() == urlunparse(result) == text
        assert urlparse(text.encode(), missing_as_none=True).geturl() == text.encode()
    assert urlparse(" \x01x:\n//a\t?", missing_as_none=True).geturl() == "x://a?"
    assert urlparse("a", missing_as_none=True).hostname is None
    assert urlparse("//a:1?", missing_as_none=True)._replace(path="b").geturl() == "//a:1/b?"


@pytest.mark.parametrize(
    ("arguments", "components"),
    [
        (("http://a/b;c",), ("http", "a", "/b", "c", None, None)),
        (("a;",), (None, None, "a", "", None, None)),
        (("a;", "mailto"), ("mailto", None, "a;", None, None, None)),
        (("//a#b;/c?#", "", False), ("", "a", "#b;/c", None, "#", None)),
        (("//a#b?", "", False), ("", "a", "#b", None, "", None)),
        ((b"//a;?",), (None, b"a;", b"", None, b"", None)),
    ],
)
def test_urlparse_represents_undefined_components_by_none(
    arguments: tuple[Any, ...], components: tuple[Any, ...]
) -> None:
    assert tuple(urlparse(*arguments, missing_as_none=True)) == components


def test_keep_empty_decides_what_an_empty_string_means() -> None:
    assert urlunsplit(("http", "a", "", "", None), keep_empty=True) == "http://a?"
    assert urlunsplit(("http", "a", "", "", None), keep_empty=False) == "http://a"
    assert urlunsplit((None, b"", b"/a", None, b""), keep_empty=True) == b"///a#"
    assert urlunsplit(urlsplit("HTTP://a?"), keep_empty=True) == "HTTP://a?"
    assert urlunsplit(urlsplit("HTTP://a?"), keep_empty=False) == "http://a"
    assert urlunsplit(urlsplit("http://a?", missing_as_none=True), keep_empty=False) == "http://a"
    assert urlsplit("http://a?", missing_as_none=True)._replace(query=None).geturl() == "http://a"
    assert urlsplit("http://a", missing_as_none=True)._replace(query="").geturl() == "http://a?"
    assert urlunparse(("http", "a", None, "", "", None), keep_empty=True) == "http://a/;?"
    assert urlunparse((None, None, "//a", None, None, ""), keep_empty=True) == "////a#"
    assert urlunparse(urlparse("http://a?", missing_as_none=True), keep_empty=False) == "http://a"
    with pytest.raises(ValueError, match="missing_as_none=True"):
        urlunparse(urlparse("http://a?"), keep_empty=True)


def test_urldefrag_distinguishes_an_empty_fragment_from_an_undefined_one() -> None:
    assert urldefrag("a#b").geturl() == "a#b"
    assert urldefrag(b"a#b").geturl() == b"a#b"
    assert urldefrag("a#").geturl() == urldefrag("a").geturl() == "a"
    assert urldefrag("a#", missing_as_none=True).geturl() == "a#"
    assert urldefrag(b"a", missing_as_none=True).fragment is None
    assert urldefrag(b"a#", missing_as_none=True).geturl() == b"a#"
    assert urldefrag("a", missing_as_none=True).geturl() == "a"


def test_bytes_are_split_and_joined_as_strings_are() -> None:
    result = urlsplit(b"HTTP://me:x@A%2EB:80/?#")
    assert result == (b"http", b"me:x@A%2EB:80", b"/", b"", b"")
    assert (result.username, result.password, result.port) == (b"me", b"x", 80)
    assert result.geturl() == urlunsplit(result) == b"HTTP://me:x@A%2EB:80/?#"
    assert result._replace(path=b"/b").geturl() == b"HTTP://me:x@A%2EB:80/b?#"
    assert urlsplit(b"//a", b"http") == (b"http", b"a", b"", b"", b"")
    assert urlsplit(b"//a", "") == (b"", b"a", b"", b"", b"")
    assert urljoin(b"coap://a/b", b"../c") == b"coap://a/c"
    assert urljoin(b"coap://a/b", b"") == b"coap://a/b"
    with pytest.raises(ParseError):
        urlsplit(b"http://a b/")
    with pytest.raises(UnicodeDecodeError):
        urlsplit(b"http://\xff/")
    with pytest.raises(TypeError, match="cannot mix"):
        urljoin("coap://a/b", b"c")  # type: ignore[type-var]


def test_none_is_an_empty_string() -> None:
    missing: Any = None
    assert urlsplit(missing) == urlsplit("")
    assert urlparse(missing, missing_as_none=True).query is None
    assert urljoin(missing, "a") == urljoin("a", None) == "a"
    assert urlunsplit(("http", "a", None, None, None)) == "http://a"
    assert urlsplit("a", None) == urlsplit("a", "")
    assert urlsplit("a", "", missing_as_none=True).scheme == ""


def test_a_host_is_in_lower_case_except_after_a_percent_sign() -> None:
    assert urlsplit("//EXAMPLE%2EORG").hostname == "example%2EORG"
    assert urllib.parse.urlsplit("//EXAMPLE%2EORG").hostname == "example%2EORG"


def test_names_that_urllib_parse_does_not_list_are_those_of_the_standard_library() -> None:
    assert compat.unwrap is urllib.parse.unwrap  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        compat.nothing  # type: ignore[attr-defined]  # noqa: B018


PASSWORD_WITH_SLASH = "http://user:hunter2/x@example.org/"


@pytest.mark.parametrize("url", [PASSWORD_WITH_SLASH, PASSWORD_WITH_SLASH.encode()])
def test_repr_masks_the_start_of_a_password_that_has_a_slash(url: Any) -> None:
    assert "hunter2" not in repr(urlparse(url))
    assert "user:REDACTED" in repr(urlparse(url))


@pytest.mark.parametrize("netloc", ["a:", "a:80", "[::1]", "[::1]:80", "a"])
def test_repr_shows_authorities_without_a_password(netloc: str) -> None:
    assert f"netloc={netloc!r}" in repr(urlparse(f"//{netloc}/@"))


def test_repr_masks_secrets_in_params() -> None:
    assert "hunter2" not in repr(urlparse("http://example.org/a;password=hunter2"))


@pytest.mark.parametrize("url", [PASSWORD_WITH_SLASH, PASSWORD_WITH_SLASH.encode()])
def test_errors_of_port_do_not_show_a_password(url: Any) -> None:
    with pytest.raises(ValueError, match="Port could not be cast to integer value") as caught:
        _ = urlparse(url).port
    assert "hunter2" not in str(caught.value)
