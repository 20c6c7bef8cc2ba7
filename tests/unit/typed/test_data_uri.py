"""`DataURI`: the "data" URL scheme (RFC 2397)."""

import encodings.aliases
import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marked import find_mark, list_marked_rows

from uriverse import URI, BuildError, ConvertError, DataURI

BASE64_IMAGE = (
    "R0lGODdhMAAwAPAAAAAAAP///ywAAAAAMAAwAAAC8IyPqcvt3wCcDkiLc7C0qwyGHhSWpjQu5yqmCYsapyuvUUlvONmO"
    "ZtfzgFzByTB10QgxOR0TqBQejhRNzOfkVJ+5YiUqrXF5Y5lKh/DeuNcP5yLWGsEbtLiOSpa/TPg7JpJHxyendzWTBfX0"
    "cxOnKPjgBzi4diinWGdkF8kjdfnycQZXZeYGejmJlZeGl9i2icVqaNVailT6F5iJ90m6mvuTS4OK05M0vDk0Q4XUtwvK"
    "Ozrcd3iq9uisF81M1OIcR7lEewwcLp7tuNNkM3uNna3F2JQFo97Vriy/Xl4/f1cf5VWzXyym7PHhhx4dbgYKAAA7"
)

TOKENS = st.text("ABCabc019!#$%&'*+-.^_`{|}~", min_size=1).filter(lambda t: t not in {".", ".."})
VALUES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.just("\t"))


def test_the_examples_of_rfc_2397_are_parsed() -> None:
    note = DataURI("data:,A%20brief%20note")
    assert (note.media_type, note.media_type_text, note.charset) == ("text/plain", None, "US-ASCII")
    assert (note.data, note.text(), note.is_base64) == (b"A brief note", "A brief note", False)
    assert dict(note.parameters) == {}
    image = DataURI(f"data:image/gif;base64,{BASE64_IMAGE}")
    assert (image.media_type, image.charset, image.is_base64) == ("image/gif", None, True)
    assert image.data.startswith(b"GIF87a\x30\x00\x30\x00")
    assert image.data.endswith(b";")
    assert DataURI.from_parts(image.data, "image/gif") == image
    # The "%fg" in the RFC is not a triplet. Erratum 2009 replaces it as below.
    greek = DataURI("data:text/plain;charset=iso-8859-7,%be%d3%be")
    assert greek.text() == "\u038e\u03a3\u038e"
    assert greek.parameters["charset"] == greek.charset == "iso-8859-7"
    query = DataURI("data:application/vnd-xxx-query,select_vcount,fcol_from_fieldtable/local")
    assert query.media_type == "application/vnd-xxx-query"
    assert query.data == b"select_vcount,fcol_from_fieldtable/local"


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
        *(("data:a/b;c=d;C=e,", "a/b", None, {"c": "d"}), ("data:%61/b%23,", "a/b#", None, {})),
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
    header = text[5 : text.index(",")]
    assert value.media_type_text == (re.sub("(?i);base64$", "", header) or None)
    with pytest.raises(TypeError):
        value.parameters["a"] = "b"  # type: ignore[index]


def test_data_is_decoded_from_percent_encoding_or_base64() -> None:
    for text, data in [
        *(("data:,", b""), ("data:,a?b", b"a?b"), ("data:,?,??", b"?,??"), ("data:,a#b", b"a")),
        *(("data:,a?b#,c?d", b"a?b"), ("data:,%00%FF%2C%23+", b"\0\xff,#+")),
        *(("data:;base64,", b""), ("data:;base64,YQ==#b", b"a"), ("data:;base64,YQ%3D%3d", b"a")),
        *(("data:;base64,//8=", b"\xff\xff"), ("data:;base64,%2F%2f8=", b"\xff\xff")),
        ("data:;base64,YWJj", b"abc"),
    ]:
        assert DataURI(text).data == data


INVALID_BASE64 = (
    "YQ^ YQ=^ Y^ ^Y=== YQ==^= YWI=^= YWJj^= ^==== Y^R== YW^K= YQ==^YQ== Y^%20Q== YQ%3D^%0A "
    "%59%51^ YW^_- YQ^?== YWI=^? YWJj^?a ^%FF%FF%FF%FF"
)


@pytest.mark.parametrize("marked", INVALID_BASE64.split())
def test_invalid_base64_raises_a_convert_error(marked: str) -> None:
    text, position = find_mark(f"data:;base64,{marked}#fragment")
    with pytest.raises(ConvertError) as caught:
        _ = DataURI(text).data
    assert (caught.value.text, caught.value.position) == (text, position)
    assert (caught.value.component, caught.value.rule) == ("path", "base64")


def test_text_uses_the_declared_or_given_charset() -> None:
    assert DataURI("data:;charset=utf-8,%C3%A9").text() == "é"
    assert DataURI("data:text/html,%C3%A9").text() == "é"
    assert DataURI("data:,%E9").text("latin-1") == "é"
    assert DataURI("data:;charset=utf-16;base64,//5hAA==").text() == "a"


@pytest.mark.parametrize(
    ("encoding", "text", "position"),
    list_marked_rows(
        {
            None: (
                "data:,a?^%FF "
                "data:,caf^%C3%A9 data:text/html,a^%C3 data:;base64,YW^HD data:;base64,YWJj^%77w== "
                "data:;charset=^nonsense, data:a/b;c=d;Charset=^nonsense,x "
                "data:a/b;charset=^nonsense;CHARSET=utf-8,x data:;charset=^%22%22,x "
                "data:;charset=^rot13, data:;charset=^zlib, data:;charset=^punycode,a "
                "data:;charset=^raw-unicode-escape,a data:;charset=^idna,a "
                "data:;charset=^unicode_escape,%5Cq data:;charset=^undefined,a "
                # RFC 2978, 2.3 limits charset names to 40 characters of a fixed set.
                "data:;charset=^utf%3A8,a data:;charset=^utf%208,a data:;charset=^utf%C3%A98,a "
                "data:;charset=^aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,a"
            ),
            "utf-8": "data:,a^%C3?",
            "nonsense": "data:,^a",
            "a\0b": "data:,^a",
            "": "data:,^a",
        }
    ),
)
def test_undecodable_text_and_invalid_charsets_raise_convert_errors(
    text: str, encoding: str | None, position: int
) -> None:
    with pytest.raises(ConvertError) as caught:
        DataURI(text).text(encoding)
    assert (caught.value.position, caught.value.text) == (position, text)
    assert caught.value.component == ("query" if "?" in text[:position] else "path")


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
