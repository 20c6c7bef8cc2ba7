from typing import Any, get_args
from urllib.parse import quote, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st
from misleading import MisleadingStr

from uriverse import IRI, BuildError, ConvertError, ParseError, percent
from uriverse._spec import percent as spec
from uriverse._spec.syntax import matches

STRINGS = st.text(st.characters(exclude_categories=["Cs"]))

#: The rule that validates an encoded component, if its name differs from the component's.
RULES = {"path": "path-abempty", "unreserved": "segment"}


@pytest.mark.parametrize(
    ("data", "component", "text"),
    [
        *(("a b/é?", "segment", "a%20b%2F%C3%A9%3F"), ("a b/é?", "query", "a%20b/%C3%A9?")),
        *(("a b/é?", "path", "a%20b/%C3%A9%3F"), ("a:b@c", "segment", "a:b@c")),
        *(("a:b@c", "segment-nz-nc", "a%3Ab@c"), ("a:b@c", "userinfo", "a:b%40c")),
        *(("a:b@c", "reg-name", "a%3Ab%40c"), ("a:b@c", "unreserved", "a%3Ab%40c")),
        *(("-._~!$", "unreserved", "-._~%21%24"), ("#?/", "fragment", "%23?/")),
        *(("%41", "segment", "%2541"), ("", "segment", ""), (b"a\xff/", "segment", "a%FF%2F")),
        *((b"", "query", ""), ("\udcff", "segment", "%FF"), ("a\udcc3/\udca9", "path", "a%C3/%A9")),
    ],
)
def test_encode_encodes_what_is_not_allowed(data: str | bytes, component: Any, text: str) -> None:
    assert percent.encode(data, component) == text


@pytest.mark.parametrize(
    ("data", "component", "text"),
    [
        *(("é\ue000\u200b", "query", "é\ue000\u200b"), ("é\ue000", "fragment", "é%EE%80%80")),
        *(("é/\x80", "path", "é/%C2%80"), ("é/", "unreserved", "é%2F")),
        # Bidi formatting characters are encoded.
        *(("é".encode(), "query", "%C3%A9"), ("a\u202eb\u2066", "segment", "a%E2%80%AEb%E2%81%A6")),
    ],
)
def test_encode_for_an_iri_keeps_allowed_non_ascii_characters(
    data: str | bytes, component: Any, text: str
) -> None:
    assert percent.encode(data, component, iri=True) == text
    assert IRI("http://a/") / "\u200e" == IRI("http://a/%E2%80%8E")
    plain = "a" * 50
    assert percent.decode(plain) == percent.encode(plain, "segment") == plain


@given(st.one_of(STRINGS, st.binary()), st.sampled_from(get_args(spec.Component)))
def test_encoded_data_matches_its_rule_and_decodes_back(data: str | bytes, component: Any) -> None:
    text = percent.encode(data, component)
    rule = RULES.get(component, component)
    slash = "/" if component == "path" else ""  # A nonempty path-abempty starts with "/".
    assert text == "" or matches(slash + text, rule)
    octets = data.encode() if isinstance(data, str) else data
    assert percent.decode_bytes(text) == octets
    iri = percent.encode(data, component, iri=True)
    assert percent.decode_bytes(iri) == octets
    assert iri == "" or matches(slash + iri, f"i{rule}")


@given(STRINGS)
def test_encode_unreserved_agrees_with_urllib_quote(text: str) -> None:
    assert percent.encode(text, "unreserved") == quote(text, safe="~")


@given(st.lists(st.sampled_from(["%41", "%2f", "%25", "%7e", "a", "é", "%FF", "%c3%a9"])))
def test_decoding_happens_only_once(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert percent.decode_bytes(text) == unquote_to_bytes(text)
    once = percent.decode_unreserved(text)
    assert percent.decode_unreserved(once) == once
    assert percent.decode_bytes(once) == percent.decode_bytes(text)
    assert percent.decode_bytes(percent.uppercase(text)) == percent.decode_bytes(text)


def test_decode_treats_invalid_utf8_as_the_errors_argument_specifies() -> None:
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
def test_incomplete_triplets_are_rejected_at_the_missing_digit(text: str, position: int) -> None:
    for function in (
        *(percent.decode, percent.decode_bytes, percent.decode_unreserved, percent.uppercase),
    ):
        with pytest.raises(ParseError) as caught:
            function(text)
        assert (caught.value.position, caught.value.rule) == (position, "pct-encoded")


def test_lone_surrogates_are_rejected_with_their_position() -> None:
    with pytest.raises(BuildError) as built:
        percent.encode("ab\ud800", "segment")
    assert (built.value.position, built.value.component) == (2, "path")
    with pytest.raises(BuildError, match="the UTF-8 encoding of a character") as built:
        percent.encode("ab\udcc3\udca9", "reg-name", iri=True)
    assert (built.value.position, built.value.component) == (2, "host")
    with pytest.raises(ParseError) as parsed:
        percent.decode("%41\ud800")
    assert parsed.value.position == 3
    texts = ("", "aé", "\udcff", "\ud800")
    assert [spec.find_invalid_escape(text) for text in texts] == [-1, -1, -1, 0]


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(TypeError, match="data must be a str or bytes, not int"):
        percent.encode(1, "segment")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="text must be a str, not bytes"):
        percent.decode(b"a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"component must be one of .* not 'host'"):
        percent.encode("a", "host")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be one of"):
        percent.encode("a", ["segment"])  # type: ignore[arg-type]


def test_subclasses_of_str_are_encoded_and_decoded_by_their_characters() -> None:
    assert percent.encode(MisleadingStr("a b"), "segment") == "a%20b"
    assert percent.decode(MisleadingStr("a%20b")) == "a b"
    with pytest.raises(TypeError, match="text must be a str"):
        percent.decode(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", [0x80, 0xFF, 0x100, 0xFFFD, 0x10000, 0x10FFFD])
def test_characters_of_every_width_are_decoded(code: int) -> None:
    assert percent.decode(percent.encode(chr(code), "path")) == chr(code)
