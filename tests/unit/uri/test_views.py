"""`_uri.segments` and `_uri.params`: decoding components, and encoding data and segments."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import segments

from uriverse._uri.engine import data_text
from uriverse._uri.segments import decode, path_of, segment_text


@pytest.mark.parametrize(
    ("text", "data"),
    [
        *(("", ""), ("a", "a"), ("%41", "A"), ("%2f%2F", "//"), ("%2541", "%41"), ("%C3%A9", "é")),
        *(("%C3", "\udcc3"), ("é%C3", "é\udcc3"), ("%F0%9F%98%80", "\U0001f600")),
        *(("%C0%AF", "\udcc0\udcaf"), ("%ED%A0%80", "\udced\udca0\udc80"), ("+", "+")),
    ],
)
def test_decode_decodes_exactly_once(text: str, data: str) -> None:
    assert decode(text) == data


def test_data_text_returns_an_exact_str_for_subclasses() -> None:
    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "other"

    class Octets(bytes):
        __slots__ = ()

        def decode(self, *_: object, **__: object) -> str:
            return "other"

    for data, text in [(Text("é"), "é"), (Octets(b"a"), "a"), ("é".encode(), "é")]:
        assert data_text(data, "a name") == text
        assert type(data_text(data, "a name")) is str
    assert data_text(b"\xff", "a name") == "\udcff"
    with pytest.raises(TypeError, match="a name must be a str or bytes, not int"):
        data_text(1, "a name")


@given(segments())
def test_encoded_segments_decode_to_the_same_data(segment: str | bytes) -> None:
    text = data_text(segment, "a segment")
    for iri in (False, True):
        assert decode(segment_text(segment, "segment", iri=iri)) == text
        assert decode(segment_text(segment, "segment-nz-nc", iri=iri)) == text


@pytest.mark.parametrize(
    ("given_segments", "relative", "path"),
    [
        *(([], True, ""), (["", ""], True, "/"), (["", "", ""], True, "//"), (["a"], True, "a")),
        *((["a", ""], True, "a/"), (["", "a"], True, "/a"), (["a:b", "a:b"], True, "a%3Ab/a:b")),
        *((["a:b", "a:b"], False, "a:b/a:b"), (["", "a:b"], True, "/a:b")),
        (["a/b", "%"], False, "a%2Fb/%25"),
    ],
)
def test_path_of_joins_segments_with_slashes(
    given_segments: list[str], relative: bool, path: str
) -> None:
    assert path_of(iter(given_segments), iri=False, relative=relative) == path
