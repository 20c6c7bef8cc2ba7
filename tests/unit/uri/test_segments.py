import copy
import pickle
import weakref
from typing import Any

import pytest
from hypothesis import given
from misleading import MisleadingBytes, MisleadingStr
from strategies import segments

from uriverse import IRI, URI, BuildError, ParseError, Segments, URIReference
from uriverse._uri.engine import decode_if_bytes
from uriverse._uri.pairs import validate_query
from uriverse._uri.segments import decode_segment, encode_segment, join_segments


def test_segments_decode_the_path() -> None:
    for path, data, absolute, slash in [
        *(("", (), False, False), ("/", ("", ""), True, True), ("a", ("a",), False, False)),
        *(("a/", ("a", ""), False, True), ("/a%2Fb/", ("", "a/b", ""), True, True)),
        ("/%FF//%25", ("", "\udcff", "", "%"), True, False),
        *(("é:b/..", ("é:b", ".."), False, False), ("//", ("", "", ""), True, True)),
    ]:
        segments = Segments(path)
        assert tuple(segments) == segments == data
        assert [segments[i] for i in range(len(segments))] == list(data)
        assert (len(segments), bool(segments)) == (len(data), bool(data))
        assert (segments.is_absolute, segments.has_trailing_slash) == (absolute, slash)
        assert str(segments) == segments.path == path
        assert segments.raw == (tuple(path.split("/")) if path else ())


def test_slices_keep_the_percent_encoding() -> None:
    segments = Segments("/%7Ea/b%2Fc/d/")
    assert str(segments[:2]) == "/%7Ea"
    assert str(segments[1:3]) == "%7Ea/b%2Fc"
    assert str(segments[::-1]) == "/d/b%2Fc/%7Ea/"
    assert (str(segments[:1]), str(segments[:0])) == ("/", "")
    # A slice of only the empty first segment is the root.
    assert segments[:1] == Segments("/")
    assert isinstance(segments[1:], Segments)
    with pytest.raises(IndexError):
        segments[9]


@pytest.mark.parametrize(
    ("data", "position", "hint"),
    [
        *((step, 0, "use with_path for a path with dot segments") for step in (".", "..", b"..")),
        *(("aé\udfff", 2, "pass the octets as bytes"), ("\ud800", 0, "pass the octets as bytes")),
        ("\udcc3\udca9", 0, ""),
    ],
)
def test_dot_segments_and_lone_surrogates_are_rejected_as_data(
    data: str | bytes, position: int, hint: str
) -> None:
    for edit in (
        Segments("/a").with_name,
        lambda data: Segments("/a").with_segment(1, data),
        lambda data: URI("http://a/").with_segments(["", data]),
        lambda data: URI("http://a/") / data,
    ):
        with pytest.raises(BuildError) as caught:
            edit(data)
        assert (caught.value.component, caught.value.position) == ("path", position)
        assert caught.value.hint == (hint or caught.value.hint)
    assert str(URI("a:/") / "..." / "%2E") == "a:/.../%252E"


@pytest.mark.parametrize("wrong", [None, 0, 1, [], ["a"], bytearray(b"a"), memoryview(b"a")])
def test_segment_data_must_be_str_or_bytes(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^a segment must be a str or bytes, not"):
        Segments("/a").with_segment(0, wrong)
    with pytest.raises(TypeError, match="a path must be a str, not"):
        Segments(wrong)


def test_with_segment_replaces_the_segment_at_an_index() -> None:
    segments = Segments("/%7ea/b/c")
    assert str(segments.with_segment(2, "x/y")) == "/%7ea/x%2Fy/c"
    assert str(segments.with_segment(-1, "")) == "/%7ea/b/"
    assert str(segments.with_segment(-3, b"~a")) == "/~a/b/c"
    assert str(Segments("a").with_segment(0, "b")) == "b"
    assert str(Segments("a/c").with_segment(-2, "b")) == "b/c"
    for index in (4, -5):
        with pytest.raises(IndexError):
            segments.with_segment(index, "x")
    for path, segment in (("/a", "b"), ("/", ""), ("a", ""), ("a/b", b"")):
        with pytest.raises(BuildError, match="change whether the path is absolute"):
            Segments(path).with_segment(0, segment)


@pytest.mark.parametrize(
    ("path", "position"), [("a?", 1), ("/ ", 1), ("%zz", 1), ("/\ud800", 1), ("a#b", 1)]
)
def test_invalid_paths_are_rejected_with_a_position(path: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        Segments(path)
    assert (caught.value.position, caught.value.component) == (position, "path")


def test_overlong_paths_and_queries_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    # The real limit, 2,147,483,647 characters, would take too much memory for a unit test.
    monkeypatch.setattr("uriverse._spec.syntax.LONGEST_TEXT", 5)
    monkeypatch.setattr("uriverse._spec.messages.LONGEST_TEXT", 5)
    for read in (Segments, validate_query):
        assert str(read("/abcd")) == "/abcd"
        with pytest.raises(ParseError, match="string too long: the limit is 5 characters"):
            read("/abcde")


def test_with_segments_of_unchanged_segments_returns_the_same_object() -> None:
    for text in ("http://a", "http://a/%7e//b/", "urn:a:b", "a:"):
        uri = URI(text)
        assert uri.with_segments(uri.segments) is uri


def test_build_and_replace_accept_segments_and_data() -> None:
    segments = Segments("/%7ea")
    assert str(URI.build(scheme="a", segments=segments)) == "a:/%7ea"
    assert str(URI("a:b?c").replace(segments=segments)) == "a:/%7ea?c"
    assert str(URI("a:b?c").replace(segments=["", "d/e"])) == "a:/d%2Fe?c"


def test_segments_of_an_iri_are_written_as_an_iri() -> None:
    iri = IRI("http://a/é/b")
    assert str(iri.with_segments(iri.segments.with_name("ü"))) == "http://a/é/ü"
    uri = URI("http://a/%C3%A9/b")
    assert str(uri.with_segments(uri.segments.with_name("ü"))) == "http://a/%C3%A9/%C3%BC"
    # Valid UTF-8 bytes become characters; other bytes are percent-encoded.
    assert str(iri / "ü\udcff") == str(iri / b"\xc3\xbc\xff") == "http://a/é/b/ü%FF"


def test_a_colon_is_encoded_if_it_would_end_a_scheme() -> None:
    reference = URIReference("a/b")
    assert str(reference.with_segments(reference.segments.with_segment(0, "x:y"))) == "x%3Ay/b"
    uri = URI("urn:a/b")
    assert str(uri.with_segments(uri.segments.with_segment(0, "x:y"))) == "urn:x:y/b"


def test_a_path_that_starts_with_two_slashes_is_rejected_or_shielded() -> None:
    uri = URI("a:/b//c")
    with pytest.raises(BuildError):
        uri.with_segments(["", "", "c"])
    assert str(uri.with_segments(["", "", "c"], protect_path=True)) == "a:/.//c"
    shielded = URI("a:/.//c")
    assert str(shielded.with_segments(shielded.segments[2:], protect_path=True)) == "a:/c"


def test_segments_equal_segments_and_tuples_with_the_same_data() -> None:
    assert Segments("/%7Ea") == Segments("/~a") == ("", "~a")
    assert hash(Segments("/%7Ea")) == hash(("", "~a"))
    # Otherwise equality would not be transitive: a list does not equal a tuple.
    assert Segments("/a") != ["", "a"]
    assert Segments("/a") != ("", "b")
    assert Segments("a") != "a"
    assert repr(Segments("/a%2Fb")) == "Segments('/a%2Fb')"
    assert weakref.ref(segments := Segments("/a"))() is segments
    match Segments("/a/b"):
        case ["", first, *rest]:
            assert (first, rest) == ("a", ["b"])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_segments_survive_copying_and_pickling(protocol: int) -> None:
    segments = IRI("http://a/é%7e/b").segments
    again = pickle.loads(pickle.dumps(segments, protocol))
    assert again.raw == segments.raw
    assert str(again.with_name("ü")) == "/é%7e/ü"
    assert copy.copy(segments) is copy.deepcopy(segments) is segments


def test_decode_decodes_exactly_once() -> None:
    for text, data in [
        *(("", ""), ("a", "a"), ("%41", "A"), ("%2f%2F", "//"), ("%2541", "%41"), ("%C3%A9", "é")),
        *(("%C3", "\udcc3"), ("é%C3", "é\udcc3"), ("%F0%9F%98%80", "\U0001f600")),
        *(("%C0%AF", "\udcc0\udcaf"), ("%ED%A0%80", "\udced\udca0\udc80"), ("+", "+")),
    ]:
        assert decode_segment(text) == data


def test_data_text_returns_an_exact_str_for_subclasses() -> None:
    for data, text in [
        *((MisleadingStr("é"), "é"), (MisleadingBytes(b"a"), "a"), ("é".encode(), "é"))
    ]:
        assert decode_if_bytes(data, "a name") == text
        assert type(decode_if_bytes(data, "a name")) is str
    assert decode_if_bytes(b"\xff", "a name") == "\udcff"
    with pytest.raises(TypeError, match="a name must be a str or bytes, not int"):
        decode_if_bytes(1, "a name")


@given(segments())
def test_encoded_segments_decode_to_the_same_data(segment: str | bytes) -> None:
    text = decode_if_bytes(segment, "a segment")
    for iri in (False, True):
        assert decode_segment(encode_segment(segment, "segment", iri=iri)) == text
        assert decode_segment(encode_segment(segment, "segment-nz-nc", iri=iri)) == text


def test_path_of_joins_segments_with_slashes() -> None:
    for given_segments, relative, path in [
        *(([], True, ""), (["", ""], True, "/"), (["", "", ""], True, "//"), (["a"], True, "a")),
        *((["a", ""], True, "a/"), (["", "a"], True, "/a"), (["a:b", "a:b"], True, "a%3Ab/a:b")),
        *((["a:b", "a:b"], False, "a:b/a:b"), (["", "a:b"], True, "/a:b")),
        (["a/b", "%"], False, "a%2Fb/%25"),
    ]:
        assert join_segments(iter(given_segments), iri=False, relative=relative) == path
