"""`uriverse.percent`: data in, text out, and the way back."""

from __future__ import annotations

from typing import Any, get_args
from urllib.parse import quote, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import IRI, BuildError, ConvertError, ParseError, percent
from uriverse._spec import percent as spec
from uriverse._spec.syntax import matches

TEXT = st.text(st.characters(exclude_categories=["Cs"]))

#: What a component's rule is by which its text is judged.
JUDGED = {"path": "path-abempty", "unreserved": "segment"}


@pytest.mark.parametrize(
    ("data", "component", "text"),
    [
        ("a b/é?", "segment", "a%20b%2F%C3%A9%3F"),
        ("a b/é?", "query", "a%20b/%C3%A9?"),
        ("a b/é?", "path", "a%20b/%C3%A9%3F"),
        ("a:b@c", "segment", "a:b@c"),
        ("a:b@c", "segment-nz-nc", "a%3Ab@c"),
        ("a:b@c", "userinfo", "a:b%40c"),
        ("a:b@c", "reg-name", "a%3Ab%40c"),
        ("a:b@c", "unreserved", "a%3Ab%40c"),
        ("-._~!$", "unreserved", "-._~%21%24"),
        ("#?/", "fragment", "%23?/"),
        ("%41", "segment", "%2541"),
        ("", "segment", ""),
        (b"a\xff/", "segment", "a%FF%2F"),
        (b"", "query", ""),
        ("\udcff", "segment", "%FF"),
        ("a\udcc3/\udca9", "path", "a%C3/%A9"),
    ],
)
def test_data_is_encoded_for_a_component(data: str | bytes, component: Any, text: str) -> None:
    assert percent.encode(data, component) == text


def test_an_iri_keeps_the_characters_that_it_may_hold() -> None:
    assert percent.encode("é\ue000\u200b", "query", iri=True) == "é\ue000\u200b"
    assert percent.encode("é\ue000", "fragment", iri=True) == "é%EE%80%80"
    assert percent.encode("é/\x80", "path", iri=True) == "é/%C2%80"
    assert percent.encode("é/", "unreserved", iri=True) == "é%2F"
    assert percent.encode("é".encode(), "query", iri=True) == "%C3%A9"


def test_what_formats_text_is_encoded_for_an_iri_too() -> None:
    assert percent.encode("a\u202eb\u2066", "segment", iri=True) == "a%E2%80%AEb%E2%81%A6"
    assert IRI("http://a/") / "\u200e" == IRI("http://a/%E2%80%8E")


@given(st.one_of(TEXT, st.binary()), st.sampled_from(get_args(spec.Component)))
def test_what_is_encoded_meets_its_rule_and_is_decoded_to_the_same(
    data: str | bytes, component: Any
) -> None:
    text = percent.encode(data, component)
    rule = JUDGED.get(component, component)
    slash = "/" if component == "path" else ""  # path-abempty begins with one
    assert text == "" or matches(slash + text, rule)
    octets = data.encode() if isinstance(data, str) else data
    assert percent.decode_bytes(text) == octets
    iri = percent.encode(data, component, iri=True)
    assert percent.decode_bytes(iri) == octets
    assert iri == "" or matches(slash + iri, f"i{rule}")


@given(TEXT)
def test_unreserved_is_what_quote_leaves(text: str) -> None:
    assert percent.encode(text, "unreserved") == quote(text, safe="~")


@given(st.lists(st.sampled_from(["%41", "%2f", "%25", "%7e", "a", "é", "%FF", "%c3%a9"])))
def test_what_is_decoded_is_decoded_once(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert percent.decode_bytes(text) == unquote_to_bytes(text)
    once = percent.decode_unreserved(text)
    assert percent.decode_unreserved(once) == once
    assert percent.decode_bytes(once) == percent.decode_bytes(text)
    assert percent.decode_bytes(percent.uppercase(text)) == percent.decode_bytes(text)


def test_each_policy_for_what_is_not_utf_8() -> None:
    assert percent.decode("%C3%A9%ff%C3", "replace") == "é\ufffd\ufffd"
    assert percent.decode("%C3%A9%ff%C3", errors="keep") == "é%FF%C3"
    with pytest.raises(ConvertError) as caught:
        percent.decode("aé%C3%A9%ff")
    assert caught.value.position == 8
    assert caught.value.rule == "pct-encoded"
    assert percent.decode("%C3%A9%ff%C3", "surrogateescape") == "é\udcff\udcc3"
    assert percent.decode("%C3%A9é", "surrogateescape") == "éé"
    with pytest.raises(ValueError, match="errors must be one of strict, replace, keep, surrogate"):
        percent.decode("a", "ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "position"),
    [("%", 1), ("a%4", 3), ("%zz", 1), ("%4z", 2), ("%%41", 1), ("%41%", 4), ("%4%41", 2)],
)
def test_a_percent_sign_alone_is_refused_at_what_is_missing(text: str, position: int) -> None:
    for function in (
        percent.decode,
        percent.decode_bytes,
        percent.decode_unreserved,
        percent.uppercase,
    ):
        with pytest.raises(ParseError) as caught:
            function(text)
        assert caught.value.position == position


def test_a_lone_surrogate_is_refused_at_its_place() -> None:
    with pytest.raises(BuildError) as built:
        percent.encode("ab\ud800", "segment")
    assert (built.value.position, built.value.component) == (2, "path")
    with pytest.raises(BuildError, match="the UTF-8 encoding of a character") as built:
        percent.encode("ab\udcc3\udca9", "reg-name", iri=True)
    assert (built.value.position, built.value.component) == (2, "host")
    with pytest.raises(ParseError) as parsed:
        percent.decode("%41\ud800")
    assert parsed.value.position == 3


def test_what_is_neither_text_nor_octets_is_refused() -> None:
    with pytest.raises(TypeError, match="data must be a str or bytes, not int"):
        percent.encode(1, "segment")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text must be a str, not bytes"):
        percent.decode(b"a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"component must be one of .* not 'host'"):
        percent.encode("a", "host")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be one of"):
        percent.encode("a", ["segment"])  # type: ignore[arg-type]


def test_nothing_to_do_changes_nothing() -> None:
    text = "a" * 50
    assert percent.decode(text) == percent.encode(text, "segment") == text
