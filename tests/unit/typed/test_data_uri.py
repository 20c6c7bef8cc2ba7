"""`DataURI`: the "data" URL scheme (RFC 2397)."""

from __future__ import annotations

import encodings.aliases
import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from counting import assert_proportional
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import URI, BuildError, ConvertError, ParseError
from uriverse._spec.components import all_parts, composed
from uriverse._typed.data import DataURI
from uriverse.schemes._data import base64_violation, normalized

BASE64_IMAGE = (
    "R0lGODdhMAAwAPAAAAAAAP///ywAAAAAMAAwAAAC8IyPqcvt3wCcDkiLc7C0qwyGHhSWpjQu5yqmCYsapyuvUUlvONmO"
    "ZtfzgFzByTB10QgxOR0TqBQejhRNzOfkVJ+5YiUqrXF5Y5lKh/DeuNcP5yLWGsEbtLiOSpa/TPg7JpJHxyendzWTBfX0"
    "cxOnKPjgBzi4diinWGdkF8kjdfnycQZXZeYGejmJlZeGl9i2icVqaNVailT6F5iJ90m6mvuTS4OK05M0vDk0Q4XUtwvK"
    "Ozrcd3iq9uisF81M1OIcR7lEewwcLp7tuNNkM3uNna3F2JQFo97Vriy/Xl4/f1cf5VWzXyym7PHhhx4dbgYKAAA7"
)

TOKENS = st.text("ABCabc019!#$%&'*+-.^_`{|}~", min_size=1).filter(lambda t: t not in {".", ".."})
VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.just("\t"))


# --- the examples of RFC 2397, section 4


def test_the_text_example_of_rfc_2397_is_parsed() -> None:
    note = DataURI("data:,A%20brief%20note")
    assert (note.media_type, note.media_type_text, note.charset) == ("text/plain", None, "US-ASCII")
    assert (note.data, note.text(), note.is_base64) == (b"A brief note", "A brief note", False)
    assert dict(note.parameters) == {}


def test_the_base64_example_of_rfc_2397_is_parsed_and_built() -> None:
    image = DataURI(f"data:image/gif;base64,{BASE64_IMAGE}")
    assert (image.media_type, image.charset, image.is_base64) == ("image/gif", None, True)
    assert image.data.startswith(b"GIF87a\x30\x00\x30\x00")
    assert image.data.endswith(b";")
    assert DataURI.from_parts(image.data, "image/gif") == image


def test_the_corrected_charset_example_of_rfc_2397_is_parsed() -> None:
    # The "%fg" in the RFC is not a triplet. Erratum 2009 replaces it as below.
    greek = DataURI("data:text/plain;charset=iso-8859-7,%be%d3%be")
    assert greek.text() == "\u038e\u03a3\u038e"
    assert greek.parameters["charset"] == greek.charset == "iso-8859-7"
    with pytest.raises(ParseError):
        DataURI("data:text/plain;charset=iso-8859-7,%be%fg%be")


def test_the_media_type_example_of_rfc_2397_is_parsed() -> None:
    text = "data:application/vnd-xxx-query,select_vcount,fcol_from_fieldtable/local"
    assert DataURI(text).media_type == "application/vnd-xxx-query"
    assert DataURI(text).data == b"select_vcount,fcol_from_fieldtable/local"


# --- parsing


@pytest.mark.parametrize(
    ("text", "media_type", "charset", "parameters"),
    [
        ("data:,", "text/plain", "US-ASCII", {}),
        ("data:;base64,", "text/plain", "US-ASCII", {}),
        ("data:text/plain,", "text/plain", None, {}),
        ("data:;charset=UTF-8,", "text/plain", "UTF-8", {"charset": "UTF-8"}),
        ("data:;a=b,", "text/plain", None, {"a": "b"}),
        ("DATA:Text/HTML;CharSet=x;BASE64,", "text/html", "x", {"charset": "x"}),
        ("data:a/b;base64=c;base64,", "a/b", None, {"base64": "c"}),
        ("data:a/b;c=d;C=e,", "a/b", None, {"c": "d"}),
        ("data:%61/b%23,", "a/b#", None, {}),
        ("data:a/b;c=%2C%3b%3D%22,", "a/b", None, {"c": ',;="'}),
        ("data:a/b;c=%C3%A9%09,", "a/b", None, {"c": "é\t"}),
        ("data:a/b;c=%22%22,", "a/b", None, {"c": ""}),
        ("data:a/b;c=%22a:/=%5C%22%5Cb%2C%22,", "a/b", None, {"c": 'a:/="b,'}),
    ],
)
def test_media_type_charset_and_parameters_are_parsed(
    text: str, media_type: str, charset: str | None, parameters: Any
) -> None:
    value = DataURI(text)
    assert (value.media_type, value.charset) == (media_type, charset)
    assert dict(value.parameters) == parameters
    assert str(value) == text


def test_parameters_are_immutable() -> None:
    with pytest.raises(TypeError):
        DataURI("data:,").parameters["a"] = "b"  # type: ignore[index]


def test_media_type_text_is_the_exact_string() -> None:
    assert DataURI("data:Text/%68tml;A=%62;base64,").media_type_text == "Text/%68tml;A=%62"


@pytest.mark.parametrize(
    ("text", "position", "rule", "component"),
    [
        ("data:", 5, "dataurl", "path"),
        ("data:abc", 8, "dataurl", "path"),
        ("data:text/plain?,a", 15, "dataurl", "path"),
        ("data:text/plain#,a", 15, "dataurl", "path"),
        ("data://text/plain,a", 5, "type", "host"),
        ("data://text,a", 5, "type", "host"),
        ("data:/plain,a", 5, "type", "path"),
        ("data:text,a", 9, "mediatype", "path"),
        ("data:base64,a", 11, "mediatype", "path"),
        ("data:text/,a", 10, "subtype", "path"),
        ("data:text/a/b,a", 11, "subtype", "path"),
        ("data:te%20xt/plain,a", 7, "type", "path"),
        ("data:te%FFxt/plain,a", 7, "type", "path"),
        ("data:text/pl%2Cain,a", 12, "subtype", "path"),
        ("data:t%41:/b,a", 9, "type", "path"),
        ("data:a/b;,x", 9, "attribute", "path"),
        ("data:a/b;c,x", 10, "parameter", "path"),
        ("data:a/b;base64;c=d,x", 15, "parameter", "path"),
        ("data:a/b;%62ase65,x", 17, "parameter", "path"),
        ("data:a/b;=d,x", 9, "attribute", "path"),
        ("data:a/b;c%C3%A9=d,x", 10, "attribute", "path"),
        ("data:a/b;c=,x", 11, "value", "path"),
        ("data:a/b;c=d=e,x", 12, "value", "path"),
        ("data:a/b;c=d:e,x", 12, "value", "path"),
        ("data:a/b;c=d%0D%0Ae,x", 12, "value", "path"),
        ("data:a/b;c=%61%00,x", 14, "value", "path"),
        ("data:a/b;c=d%FF,x", 12, "value", "path"),
        ("data:a/b;c=%22d,x", 15, "value", "path"),
        ("data:a/b;c=%22%5C%22,x", 20, "value", "path"),
        ("data:a/b;c=%22d%22e,x", 18, "value", "path"),
        ("data:a/b;c=%22%0A%22,x", 14, "value", "path"),
        ("http://a/,", 0, "dataurl", "scheme"),
    ],
)
def test_invalid_data_urls_are_rejected(
    text: str, position: int, rule: str, component: str
) -> None:
    URI(text)
    with pytest.raises(ParseError) as caught:
        DataURI(text)
    assert (caught.value.position, caught.value.rule) == (position, rule)
    assert (caught.value.component, caught.value.text) == (component, text)
    assert normalized(all_parts(text)) == all_parts(text)


def test_hints_name_the_place_of_base64() -> None:
    for text in ("data:base64,a", "data:a/b;base64;c=d,x"):
        with pytest.raises(ParseError) as caught:
            DataURI(text)
        assert ";base64" in caught.value.hint


def test_data_uris_compare_pickle_and_repr_as_values() -> None:
    value = DataURI(URI("data:,a"))
    assert value == DataURI("data:,a") != DataURI("data:,b")
    assert pickle.loads(pickle.dumps(value)).data == b"a"
    assert repr(value) == "DataURI('data:,a')"


# --- the data


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("data:,", b""),
        ("data:,a?b", b"a?b"),
        ("data:,?,??", b"?,??"),
        ("data:,a#b", b"a"),
        ("data:,a?b#,c?d", b"a?b"),
        ("data:,%00%FF%2C%23+", b"\0\xff,#+"),
        ("data:;base64,", b""),
        ("data:;base64,YQ==#b", b"a"),
        ("data:;base64,YQ%3D%3d", b"a"),
        ("data:;base64,//8=", b"\xff\xff"),
        ("data:;base64,%2F%2f8=", b"\xff\xff"),
        ("data:;base64,YWJj", b"abc"),
    ],
)
def test_data_is_decoded_from_percent_encoding_or_base64(text: str, data: bytes) -> None:
    assert DataURI(text).data == data


@pytest.mark.parametrize(
    ("data", "place", "component"),
    [
        ("YQ", 2, "path"),
        ("YQ=", 3, "path"),
        ("Y", 1, "path"),
        ("Y===", 0, "path"),
        ("YQ===", 4, "path"),
        ("YWI==", 4, "path"),
        ("YWJj=", 4, "path"),
        ("====", 0, "path"),
        ("YR==", 1, "path"),
        ("YWK=", 2, "path"),
        ("YQ==YQ==", 4, "path"),
        ("Y%20Q==", 1, "path"),
        ("YQ%3D%0A", 5, "path"),
        ("%59%51", 6, "path"),
        ("YW_-", 2, "path"),
        ("YQ?==", 2, "path"),
        ("YWI=?", 4, "path"),
        ("YWJj?a", 4, "path"),
        ("%FF%FF%FF%FF", 0, "path"),
    ],
)
def test_invalid_base64_raises_a_convert_error(data: str, place: int, component: str) -> None:
    text = f"data:;base64,{data}#fragment"
    value = DataURI(text)
    with pytest.raises(ConvertError) as caught:
        _ = value.data
    assert caught.value.position == len("data:;base64,") + place
    assert (caught.value.text, caught.value.rule) == (text, "base64")
    assert caught.value.component == component


def test_errors_after_a_question_mark_name_the_query() -> None:
    with pytest.raises(ConvertError) as caught:
        DataURI("data:,a?%FF").text()
    assert (caught.value.component, caught.value.position) == ("query", 8)


# --- text


def test_text_uses_the_declared_or_given_charset() -> None:
    assert DataURI("data:;charset=utf-8,%C3%A9").text() == "é"
    assert DataURI("data:text/html,%C3%A9").text() == "é"
    assert DataURI("data:,%E9").text("latin-1") == "é"
    assert DataURI("data:;charset=utf-16;base64,//5hAA==").text() == "a"


@pytest.mark.parametrize(
    ("text", "encoding", "position"),
    [
        ("data:,caf%C3%A9", None, 9),
        ("data:text/html,a%C3", None, 16),
        ("data:,a%C3?", "utf-8", 7),
        ("data:;base64,YWHD", None, 15),
        ("data:;base64,YWJj%77w==", None, 17),
        ("data:;charset=nonsense,", None, 14),
        ("data:a/b;c=d;Charset=nonsense,x", None, 21),
        ("data:a/b;charset=nonsense;CHARSET=utf-8,x", None, 17),
        ("data:;charset=%22%22,x", None, 14),
        ("data:;charset=rot13,", None, 14),
        ("data:;charset=zlib,", None, 14),
        ("data:;charset=punycode,a", None, 14),
        ("data:;charset=raw-unicode-escape,a", None, 14),
        ("data:;charset=idna,a", None, 14),
        ("data:;charset=unicode_escape,%5Cq", None, 14),
        ("data:;charset=undefined,a", None, 14),
        # RFC 2978, 2.3 limits charset names to 40 characters of a fixed set.
        (f"data:;charset={'a' * 41},a", None, 14),
        ("data:;charset=utf%3A8,a", None, 14),
        ("data:;charset=utf%208,a", None, 14),
        ("data:;charset=utf%C3%A98,a", None, 14),
        ("data:,a", "nonsense", 6),
        ("data:,a", "a\0b", 6),
        ("data:,a", "", 6),
    ],
)
def test_undecodable_text_and_invalid_charsets_raise_convert_errors(
    text: str, encoding: str | None, position: int
) -> None:
    with pytest.raises(ConvertError) as caught:
        DataURI(text).text(encoding)
    assert (caught.value.position, caught.value.text) == (position, text)


@pytest.mark.parametrize("name", sorted({*encodings.aliases.aliases.values(), "idna", "undefined"}))
def test_text_raises_only_convert_errors_for_every_python_codec(name: str) -> None:
    for octets in (b"", b"a", b"+2AA\x1b$B\xff", bytes(range(256)), b"\xff\xfe\0", b"\\u12"):
        for base64 in (False, True):
            value = DataURI.from_parts(octets, parameters={"charset": name}, base64=base64)
            with suppress(ConvertError):
                assert isinstance(value.text(), str)


@pytest.mark.parametrize("name", ["a" * 41, "a" * 200_000, "a b", "a:b", "", "é", "a\0"])
def test_invalid_charset_names_are_not_passed_to_codecs_lookup(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("codecs.lookup", asked.append)
    with pytest.raises(ConvertError, match="unknown charset"):
        DataURI("data:,a").text(name)
    with pytest.raises(BuildError, match="unknown charset"):
        DataURI.from_parts("a", parameters={"charset": name})
    assert asked == []


@pytest.mark.parametrize("character", list("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\0"))
def test_build_rejects_line_breaks_in_parameters(character: str) -> None:
    value = f"a{character}b"
    with pytest.raises(BuildError) as caught:
        DataURI.from_parts(b"", parameters={"a": value})
    assert (caught.value.text, caught.value.position) == (value, 1)


# --- building


@given(st.binary(), st.sampled_from([None, True, False]))
@example(b"a/../b", None)
@example(b"?#,;%", False)
def test_build_keeps_the_data(data: bytes, base64: bool | None) -> None:
    value = DataURI.from_parts(data, base64=base64)
    assert value.data == data
    assert value.media_type_text is None
    if base64 is not None:
        assert value.is_base64 is base64
    # Normalizing and resolving the URI keep its data.
    assert DataURI(value.normalize()).data == data
    assert DataURI(URI("http://a/b").resolve(str(value))).data == data


@given(st.binary())
def test_build_chooses_the_shorter_encoding(data: bytes) -> None:
    lengths = [len(str(DataURI.from_parts(data, base64=choice))) for choice in (None, True, False)]
    assert lengths[0] == min(lengths)


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from([None, "text/html", "application/json"]),
    st.sampled_from([None, "utf-8", "utf-16", "UTF-32-LE"]),
)
def test_build_keeps_the_text(data: str, media_type: str | None, charset: str | None) -> None:
    parameters = None if charset is None else {"Charset": charset}
    value = DataURI.from_parts(data, media_type, parameters=parameters)
    assert value.text() == data
    assert value.charset == (charset or (None if media_type else "utf-8"))


@given(TOKENS, TOKENS, st.dictionaries(TOKENS.map(str.lower), VALUES), st.binary(max_size=9))
@example("a", "b", {"c": '"', "d": "", "e": '"\\"', "f": 'a"b\\'}, b"")
def test_build_keeps_the_media_type_and_its_parameters(
    type_: str, subtype: str, parameters: dict[str, str], data: bytes
) -> None:
    value = DataURI.from_parts(data, f"{type_}/{subtype}", parameters=parameters)
    assert value.media_type == f"{type_}/{subtype}".lower()
    assert dict(value.parameters) == parameters
    assert value.data == data
    for other in (value.normalize(), URI("http://a/b").resolve(str(value))):
        assert DataURI(other).media_type == value.media_type
        assert dict(DataURI(other).parameters) == parameters
        assert DataURI(other).data == data


def test_build_writes_the_expected_strings() -> None:
    build = DataURI.from_parts
    assert str(build(b"")) == "data:,"
    assert str(build(b"a b")) == "data:,a%20b"
    assert str(build("a b")) == "data:;charset=utf-8,a%20b"
    assert str(build("é", "text/html")) == "data:text/html,%C3%A9"
    assert str(build("é", parameters={"charset": "latin-1"})) == "data:;charset=latin-1,%E9"
    assert str(build(b"a", "A/B", parameters={"c": "d e"})) == "data:A/B;c=d%20e,a"
    assert str(build(b"a", "a/b", parameters={"c": 'd"'}, base64=True)) == (
        "data:a/b;c=d%22;base64,YQ=="
    )
    assert str(build(b"a/b")) == "data:,a%2Fb"


@pytest.mark.parametrize(
    ("data", "media_type", "parameters", "at_fault", "position", "rule"),
    [
        (b"", "", None, "", 0, "type"),
        (b"", "text", None, "text", 4, "mediatype"),
        (b"", "text/", None, "text/", 5, "subtype"),
        (b"", "/plain", None, "/plain", 0, "type"),
        (b"", "a b/c", None, "a b/c", 1, "type"),
        (b"", "text/é", None, "text/é", 5, "subtype"),
        (b"", "a/b;c=d", None, "a/b;c=d", 3, "subtype"),
        (b"", "a/b,c", None, "a/b,c", 3, "subtype"),
        (b"", "../a", None, "../a", 0, "type"),
        (b"", "./a", None, "./a", 0, "type"),
        (b"", None, {"": "a"}, "", 0, "attribute"),
        (b"", None, {"a=": "a"}, "a=", 1, "attribute"),
        (b"", None, {"a": "b\r\nc"}, "b\r\nc", 1, "value"),
        (b"", None, {"a": "b\ud800"}, "b\ud800", 1, "value"),
        (b"", None, {"a": "b", "A": "c"}, "A", 0, "attribute"),
        ("a", None, {"charset": "nonsense"}, "nonsense", 0, "value"),
        ("a", None, {"charset": ""}, "", 0, "value"),
        ("a", None, {"charset": "a" * 41}, "a" * 41, 0, "value"),
        ("a", None, {"charset": "utf 8"}, "utf 8", 0, "value"),
        (b"", None, {"a": "b\x85c"}, "b\x85c", 1, "value"),
        ("aé", None, {"charset": "ascii"}, "aé", 1, "data"),
        ("a\ud800", None, None, "a\ud800", 1, "data"),
    ],
)
def test_build_rejects_invalid_arguments(
    data: Any, media_type: Any, parameters: Any, at_fault: str, position: int, rule: str
) -> None:
    with pytest.raises(BuildError) as caught:
        DataURI.from_parts(data, media_type, parameters=parameters)
    assert (caught.value.text, caught.value.position) == (at_fault, position)
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("data", "media_type", "parameters"),
    [
        (1, None, None),
        (bytearray(b"a"), None, None),
        (b"", 1, None),
        (b"", b"a/b", None),
        (b"", None, {1: "a"}),
        ("", None, {"a": 1}),
    ],
)
def test_build_rejects_arguments_of_a_wrong_type(
    data: Any, media_type: Any, parameters: Any
) -> None:
    with pytest.raises(TypeError):
        DataURI.from_parts(data, media_type, parameters=parameters)


# --- normalizing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("data:,ABC", "data:,ABC"),
        ("data:Text/HTML,A?B#C", "data:text/html,A?B#C"),
        ("data:A/B;C=D;E=%4A;BASE64,YQ==", "data:a/b;c=D;e=%4A;base64,YQ=="),
        ("data:A%2a/b,x", "data:a%2a/b,x"),
        ("DATA:A/B,x", "DATA:a/b,x"),
        ("data:A;b", "data:A;b"),
        ("data:TEXT/b;base64;base64,", "data:TEXT/b;base64;base64,"),
        ("x-data:A/B,x", "x-data:a/b,x"),
        ("data://h/A/B,x", "data://h/A/B,x"),
    ],
)
def test_normalization_lowercases_case_insensitive_parts(text: str, expected: str) -> None:
    found = normalized(all_parts(text))
    assert composed(found) == expected
    assert normalized(found) == found


@given(st.lists(st.sampled_from([*"aB/;=,?#:%", "%22", "%4A", ";BASE64", "text/HTML"])))
def test_normalization_is_idempotent_and_keeps_the_data(pieces: list[str]) -> None:
    before = all_parts("data:" + "".join(pieces))
    after = normalized(before)
    assert normalized(after) == after
    assert composed(after).lower() == composed(before).lower()
    assert after.path.partition(",")[2] == before.path.partition(",")[2]


# --- hostile input


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (lambda n: "data:" + ";" * n + ",", "attribute"),
        (lambda n: "data:a/b;c=" + "%22" * n + ",", "value"),
        (lambda n: "data:a/b;c=%22" + "%5C%22" * n + ",", "value"),
        (lambda n: "data:a/b;c=" + "%C3%A9" * n + "%FF,", "value"),
        (lambda n: "data:" + "a/" * n + ",", "subtype"),
        (lambda n: "data:" + "a" * n, "dataurl"),
    ],
)
def test_rejecting_long_data_urls_takes_linear_time(text: Callable[[int], str], rule: str) -> None:
    def reject(size: int) -> None:
        with pytest.raises(ParseError) as caught:
            DataURI(text(size))
        assert caught.value.rule == rule

    reject(70_000)
    assert_proportional(reject)


def test_parsing_long_data_urls_is_fast() -> None:
    assert dict(DataURI("data:" + ";a=b" * 50_000 + ",").parameters) == {"a": "b"}
    assert len(DataURI("data:" + "," * 200_000).data) == 199_999


def test_decoding_long_data_is_fast() -> None:
    assert len(DataURI("data:;base64," + "AAAA" * 100_000).data) == 300_000
    assert base64_violation(b"AAAA" * 100_000 + b"!") is not None
    with pytest.raises(ConvertError):
        _ = DataURI("data:;base64," + "%41" * 100_001).data


@pytest.mark.parametrize("wrong", ["\x00", "\x7f", "\ud800"])
@pytest.mark.parametrize("before", ["", "a"])
def test_a_parameter_value_with_an_invalid_character_is_rejected(before: str, wrong: str) -> None:
    with pytest.raises(BuildError, match="in parameter value") as caught:
        DataURI.from_parts(b"x", "text/plain", parameters={"name": f"{before}{wrong}b"})
    assert (caught.value.component, caught.value.position) == ("path", len(before))
