"""`uriverse.compat.urllib` loses nothing, and rejects what is not a URI."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from urllib.parse import unquote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile, references

from uriverse import BuildError, ParseError, URIError, parse
from uriverse.compat.urllib import (
    SplitResult,
    parse_qsl,
    quote,
    quote_plus,
    unquote,
    urldefrag,
    urlencode,
    urljoin,
    urlsplit,
    urlunsplit,
)


@given(references())
def test_splitting_and_joining_changes_nothing(text: str) -> None:
    result = urlsplit(text)
    assert result.geturl() == urlunsplit(result) == text
    assert copy.copy(result).geturl() == text
    assert pickle.loads(pickle.dumps(result)).geturl() == text
    assert result._replace(path=result.path).geturl() == text


@given(references())
def test_a_fragment_is_the_only_thing_that_urldefrag_removes(text: str) -> None:
    url, fragment = urldefrag(text)
    assert url == text.partition("#")[0]
    assert fragment == text.partition("#")[2]
    assert urldefrag(text).geturl() == (text if fragment else url)


@given(hostile())
def test_hostile_strings_raise_errors_of_one_family(text: str) -> None:
    for function in (urlsplit, urldefrag, parse_qsl, quote, unquote):
        try:
            function(text)
        except URIError as error:
            assert error.text is not None  # noqa: PT017 - most strings raise no error


@given(references(), references())
def test_urljoin_resolves_like_rfc_3986(base: str, url: str) -> None:
    start = parse(base)
    expected = start.then(url) if start.scheme is None else start.resolve(url)
    assert urljoin(base, url) == str(expected)


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["", "/", ":/?#[]@!$&'()*+,;="]),
)
@example("é", "")
def test_unquote_inverts_quote(data: str, safe: str) -> None:
    assert unquote(quote(data, safe)) == data
    assert unquote_plus(quote_plus(data)) == data
    assert quote(data.encode(), safe) == quote(data, safe)
    assert unquote(quote(data).encode()) == data


@given(st.lists(st.tuples(st.text("aé &=+%"), st.text("aé &=+%"))))
def test_parse_qsl_inverts_urlencode(pairs: list[tuple[str, str]]) -> None:
    named = [(name, value) for name, value in pairs if name or value]
    assert parse_qsl(urlencode(named), keep_blank_values=True) == named
    assert parse_qsl(urlencode(named)) == [pair for pair in named if pair[1]]


def test_components_that_would_move_are_rejected() -> None:
    for components in (
        ("", "", "//evil.example", "", ""),
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
    assert urlsplit("http://a/?b#c")._replace(netloc="", path="").geturl() == "http:?b#c"


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


def test_wrong_types_raise_type_error() -> None:
    wrong: Any
    for wrong in (b"http://a/", None, 3):
        for function in (urlsplit, urldefrag, parse_qsl):
            with pytest.raises(TypeError):
                function(wrong)
        with pytest.raises(TypeError):
            urljoin("http://a/", wrong)
    for wrong in (None, 3):
        with pytest.raises(TypeError):
            quote(wrong)
        with pytest.raises(TypeError):
            unquote(wrong)
    with pytest.raises(TypeError, match="cannot encode bytes"):
        quote(b"a", encoding="utf-8")
    wrong = "a=b"
    with pytest.raises(TypeError, match="mapping or pairs"):
        urlencode(wrong)


def test_parse_qsl_limits_and_validates_parameters() -> None:
    with pytest.raises(ValueError, match="max_num_fields=1"):
        parse_qsl("a=1&b=2", max_num_fields=1)
    with pytest.raises(ValueError, match="without an equals sign"):
        parse_qsl("a=1&b", strict_parsing=True)
    assert parse_qsl("a=1;b=2", separator=";") == [("a", "1"), ("b", "2")]
    assert parse_qsl("a=%E9", encoding="latin-1") == [("a", "é")]
    assert parse_qsl("&&a=1&") == [("a", "1")]


def test_urlencode_repeats_names_only_for_sequences() -> None:
    assert urlencode({"a": [1, 2], "b": "cd"}, doseq=True) == "a=1&a=2&b=cd"
    assert urlencode({"a": [1, 2]}) == "a=%5B1%2C+2%5D"
    assert urlencode([(b"a ", "é")], encoding="latin-1") == "a+=%E9"
    assert urlencode({"a": "b c"}, quote_via=quote) == "a=b%20c"
    assert urlencode({"a": ()}, doseq=True) == ""


def test_a_path_after_an_authority_gets_a_slash() -> None:
    assert urlunsplit(("http", "a", "b", "", "")) == "http://a/b"
    assert urlunsplit(("file", "", "/b", "", "")) == "file:///b"
    assert urlunsplit(("file", "", "b", "", "")) == "file:b"
    assert urlunsplit(("http", "a", "", None, None)) == "http://a"


def test_percent_signs_are_encoded_and_decoded_only_in_triplets() -> None:
    for text in ("%", "%zz", "a%4"):
        with pytest.raises(ParseError):
            unquote(text)
        with pytest.raises(ParseError):
            unquote(text.encode())
    with pytest.raises(ValueError, match="only reserved characters, not '%'"):
        quote("a", safe="/%")


def test_fragments_are_rejected_if_they_are_not_allowed() -> None:
    with pytest.raises(ParseError) as caught:
        urlsplit("http://a/?b#c", allow_fragments=False)
    assert (caught.value.component, caught.value.position) == ("fragment", 11)
    with pytest.raises(ParseError):
        urljoin("http://a/", "#", allow_fragments=False)
    assert urlsplit("http://a/%23", allow_fragments=False).path == "/%23"


def test_a_fragment_may_contain_non_ascii_characters() -> None:
    assert urldefrag("a:b#\u00e9").geturl() == "a:b#\u00e9"


def test_the_representation_shows_no_secrets() -> None:
    text = "http://me:hidden@a/?token=hidden#access_token=hidden"
    assert "hidden" not in repr(urlsplit(text))
    assert "hidden" not in repr(urldefrag(text))
    assert repr(urlsplit("a:b")) == (
        "SplitResult(scheme='a', netloc='', path='b', query='', fragment='')"
    )


def test_the_parts_of_an_invalid_authority_are_not_guessed() -> None:
    result = SplitResult("http", "good/@evil", "", "", "")
    with pytest.raises(BuildError):
        _ = result.hostname
    with pytest.raises(BuildError):
        _ = result.port


def test_quote_accepts_byte_arrays_and_only_strings_as_safe_characters() -> None:
    wrong: Any = b"/"
    assert quote(bytearray(b"\xff/")) == "%FF/"
    with pytest.raises(TypeError, match="safe must be str"):
        quote("a", safe=wrong)
