"""`uriverse.views`: text to data and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import segments

from uriverse import BuildError
from uriverse.views.decoding import decoded, text_of
from uriverse.views.segments import path_of, segment_text


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", ""),
        ("a", "a"),
        ("%41", "A"),
        ("%2f%2F", "//"),
        ("%2541", "%41"),
        ("%C3%A9", "é"),
        ("%C3", b"\xc3"),
        ("é%C3", "é".encode() + b"\xc3"),
        ("%F0%9F%98%80", "\U0001f600"),
        ("%C0%AF", b"\xc0\xaf"),
        ("+", "+"),
    ],
)
def test_a_text_is_decoded_once(text: str, data: str | bytes) -> None:
    assert decoded(text) == data


def test_octets_are_text_where_they_are_utf_8() -> None:
    assert text_of("é".encode()) == "é"
    assert text_of(b"\xff") == b"\xff"


@given(segments())
def test_a_segment_is_its_data_again_when_decoded(segment: str | bytes) -> None:
    for iri in (False, True):
        assert decoded(segment_text(segment, "segment", iri=iri)) == segment
        assert decoded(segment_text(segment, "segment-nz-nc", iri=iri)) == segment


@pytest.mark.parametrize(
    ("given_segments", "relative", "path"),
    [
        ([], True, ""),
        ([""], True, "/"),
        (["", ""], True, "/"),
        (["", "", ""], True, "//"),
        (["a"], True, "a"),
        (["a", ""], True, "a/"),
        (["", "a"], True, "/a"),
        (["a:b", "a:b"], True, "a%3Ab/a:b"),
        (["a:b", "a:b"], False, "a:b/a:b"),
        (["", "a:b"], True, "/a:b"),
        (["a/b", "%"], False, "a%2Fb/%25"),
    ],
)
def test_segments_are_joined_with_slashes(
    given_segments: list[str], relative: bool, path: str
) -> None:
    assert path_of(iter(given_segments), iri=False, relative=relative) == path


@pytest.mark.parametrize("step", [".", "..", b".", b".."])
def test_a_step_is_refused_and_its_escape_is_no_way_round(step: str | bytes) -> None:
    with pytest.raises(BuildError) as caught:
        segment_text(step, "segment", iri=False)
    assert (caught.value.component, caught.value.rule) == ("path", "segment")
    assert caught.value.hint == "give a path with such steps to with_path"
    assert segment_text("...", "segment", iri=False) == "..."
    assert segment_text("%2E", "segment", iri=False) == "%252E"


def test_a_lone_surrogate_is_refused_at_its_place() -> None:
    with pytest.raises(BuildError) as caught:
        segment_text("aé\udfff", "segment", iri=True)
    assert caught.value.position == 2
    assert caught.value.hint == "give the octets as bytes"


@pytest.mark.parametrize("wrong", [None, 1, ["a"], bytearray(b"a"), memoryview(b"a")])
def test_a_segment_is_text_or_octets(wrong: object) -> None:
    with pytest.raises(TypeError, match="a segment is a str or bytes, not"):
        segment_text(wrong, "segment", iri=False)  # type: ignore[arg-type]
