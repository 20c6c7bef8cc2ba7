"""`_uri.segments` and `_uri.params`: decoding components, and encoding data and segments."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import segments

from uriverse import BuildError
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


@pytest.mark.parametrize("step", [".", "..", b".", b".."])
def test_dot_segments_are_rejected_as_segment_data(step: str | bytes) -> None:
    with pytest.raises(BuildError) as caught:
        segment_text(step, "segment", iri=False)
    assert (caught.value.component, caught.value.rule) == ("path", "segment")
    assert caught.value.hint == "use with_path for a path with dot segments"
    assert segment_text("...", "segment", iri=False) == "..."
    assert segment_text("%2E", "segment", iri=False) == "%252E"


def test_lone_surrogates_are_rejected_with_their_position() -> None:
    with pytest.raises(BuildError) as caught:
        segment_text("aé\udfff", "segment", iri=True)
    assert caught.value.position == 2
    assert caught.value.hint == "pass the octets as bytes"


@pytest.mark.parametrize("wrong", [None, 1, ["a"], bytearray(b"a"), memoryview(b"a")])
def test_segments_must_be_str_or_bytes(wrong: object) -> None:
    with pytest.raises(TypeError, match="a segment must be a str or bytes, not"):
        segment_text(wrong, "segment", iri=False)  # type: ignore[arg-type]
