"""`Segments`: looking at a path, editing one segment, names and suffixes."""

from __future__ import annotations

import copy
import pickle
import weakref
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from strategies import produced

from uriverse import IRI, URI, BuildError, ParseError, Segments, URIReference
from uriverse.views.pairs import as_query


@pytest.mark.parametrize(
    ("path", "data", "absolute", "slash"),
    [
        ("", (), False, False),
        ("/", ("", ""), True, True),
        ("a", ("a",), False, False),
        ("a/", ("a", ""), False, True),
        ("/a%2Fb/", ("", "a/b", ""), True, True),
        ("/%FF//%25", ("", "\udcff", "", "%"), True, False),
        ("é:b/..", ("é:b", ".."), False, False),
        ("//", ("", "", ""), True, True),
    ],
)
def test_a_path_is_seen_as_its_segments(
    path: str, data: tuple[str, ...], absolute: bool, slash: bool
) -> None:
    segments = Segments(path)
    assert tuple(segments) == segments == data
    assert [segments[i] for i in range(len(segments))] == list(data)
    assert (len(segments), bool(segments)) == (len(data), bool(data))
    assert (segments.is_absolute, segments.has_trailing_slash) == (absolute, slash)
    assert str(segments) == segments.path == path
    assert segments.raw == (tuple(path.split("/")) if path else ())


@pytest.mark.parametrize(
    ("path", "name", "stem", "suffix", "parents"),
    [
        ("", "", "", "", []),
        ("/", "", "", "", []),
        ("a", "a", "a", "", [""]),
        ("a/", "a", "a", "", [""]),
        ("/a", "a", "a", "", ["/"]),
        ("/a/", "a", "a", "", ["/"]),
        ("/a/b.c", "b.c", "b", ".c", ["/a", "/"]),
        ("a/b.c/", "b.c", "b", ".c", ["a/", ""]),
        ("/a//b", "b", "b", "", ["/a/", "/"]),
        ("a//b", "b", "b", "", ["a/", ""]),
        ("/a//", "", "", "", ["/a/", "/"]),
        ("//", "", "", "", ["/"]),
        ("//a", "a", "a", "", ["/"]),
        ("/a/b/c", "c", "c", "", ["/a/b", "/a", "/"]),
        ("x.tar.gz", "x.tar.gz", "x.tar", ".gz", [""]),
        (".rc", ".rc", ".rc", "", [""]),
        ("a.", "a.", "a.", "", [""]),
        ("..", "..", "..", "", [""]),
        ("a%2Eb%2ec", "a.b.c", "a.b", ".c", [""]),
        ("%FF.%C3%A9", "\udcff.é", "\udcff", ".é", [""]),
        ("a%2Fb.c", "a/b.c", "a/b", ".c", [""]),
    ],
)
def test_a_name_stands_before_a_trailing_slash_and_has_a_stem_and_a_suffix(
    path: str, name: str, stem: str, suffix: str, parents: list[str]
) -> None:
    segments = Segments(path)
    assert (segments.name, segments.stem, segments.suffix) == (name, stem, suffix)
    assert list(map(str, segments.parents)) == parents
    assert len(segments.parents) == len(parents)
    assert str(segments.parent) == (parents[0] if parents else path)


@given(produced("ipath"))
def test_parents_are_the_parents_of_parents(path: str) -> None:
    segments = Segments(path)
    chain: list[Segments] = []
    for _ in Segments(path).parents:
        segments = segments.parent
        chain.append(segments)
    assert segments.parent == segments
    assert list(map(str, chain)) == list(map(str, Segments(path).parents))


def test_parents_are_a_sequence() -> None:
    parents = Segments("/a/b/c").parents
    assert isinstance(parents, Sequence)
    assert str(parents[-1]) == "/"
    assert list(map(str, parents[1:])) == ["/a", "/"]
    assert repr(parents) == "<parents of Segments('/a/b/c')>"
    with pytest.raises(IndexError):
        parents[3]


def test_parents_of_a_long_path_take_no_room() -> None:
    parents = Segments("/a" * 500_000).parents
    assert len(parents) == 500_000
    assert str(parents[-2]) == "/a"


def test_slices_are_segments_as_they_are_written() -> None:
    segments = Segments("/%7Ea/b%2Fc/d/")
    assert str(segments[:2]) == "/%7Ea"
    assert str(segments[1:3]) == "%7Ea/b%2Fc"
    assert str(segments[::-1]) == "/d/b%2Fc/%7Ea/"
    assert (str(segments[:1]), str(segments[:0])) == ("/", "")
    # The text is the value: there is no other way to write it.
    assert segments[:1] == Segments("/")
    assert isinstance(segments[1:], Segments)
    with pytest.raises(IndexError):
        segments[9]


@pytest.mark.parametrize(
    ("path", "name", "edited"),
    [
        ("/%7ea/b", "c", "/%7ea/c"),
        ("/%7ea/b/", "c/d", "/%7ea/c%2Fd/"),
        ("a", "b:c", "b:c"),
        ("/a//", "c", "/a/c/"),
        ("a/b", b"\xff", "a/%FF"),
        ("a/b", "\udcff", "a/%FF"),
        ("a/b", "é", "a/%C3%A9"),
    ],
)
def test_with_name_exchanges_one_segment(path: str, name: str | bytes, edited: str) -> None:
    assert str(Segments(path).with_name(name)) == edited


@pytest.mark.parametrize(
    ("path", "suffix", "edited"),
    [
        ("/%7ea.b/", ".c", "/%7ea.c/"),
        ("/%7ea", ".c", "/%7ea.c"),
        ("/%7ea.b", "", "/%7ea"),
        ("/%7ea", "", "/%7ea"),
        ("/a%2Eb", ".c", "/a.c"),
        ("/.rc", ".bak", "/.rc.bak"),
        ("/a.b", "./", "/a.%2F"),
        ("/a.b", b".\xff", "/a.%FF"),
        ("/a.b", ".\udcff", "/a.%FF"),
        ("/%FF.b", ".c", "/%FF.c"),
    ],
)
def test_with_suffix_leaves_the_stem_as_it_is_written(
    path: str, suffix: str | bytes, edited: str
) -> None:
    assert str(Segments(path).with_suffix(suffix)) == edited


@pytest.mark.parametrize("path", ["", "/", "//"])
def test_what_has_no_name_takes_no_suffix(path: str) -> None:
    with pytest.raises(BuildError, match="missing name"):
        Segments(path).with_suffix(".a")


@pytest.mark.parametrize("path", ["", "/"])
def test_a_root_and_an_empty_path_have_no_name_to_exchange(path: str) -> None:
    with pytest.raises(BuildError, match="missing name"):
        Segments(path).with_name("a")


@pytest.mark.parametrize("suffix", ["a", ".", b".", b"a", "a.b", " .a"])
def test_a_suffix_is_a_dot_and_more(suffix: str | bytes) -> None:
    with pytest.raises(BuildError, match="invalid suffix: expected a dot"):
        Segments("a").with_suffix(suffix)


@pytest.mark.parametrize("data", [".", "..", b"..", "\ud800", "\udcc3\udca9"])
def test_steps_and_lone_surrogates_are_no_segment(data: str | bytes) -> None:
    for edit in (Segments("/a").with_name, lambda d: Segments("/a").with_segment(1, d)):
        with pytest.raises(BuildError):
            edit(data)
    with pytest.raises(BuildError):
        URI("http://a/").with_segments(["", data])


def test_a_name_is_not_empty() -> None:
    for empty in ("", b""):
        with pytest.raises(BuildError, match="empty segment name"):
            Segments("/a").with_name(empty)


@pytest.mark.parametrize(
    ("path", "suffix"),
    [("/x/..a", ""), ("/x/...a", ""), ("/x/..%FF", ""), ("/x/..", ".md"), (".", ".a"), ("%2e", "")],
)
def test_no_suffix_makes_a_name_of_a_step_or_a_step_of_a_name(path: str, suffix: str) -> None:
    with pytest.raises(BuildError):
        Segments(path).with_suffix(suffix)
    assert str(Segments("/x/...a").with_suffix(".b")) == "/x/...b"


def test_one_segment_is_exchanged_by_its_index() -> None:
    segments = Segments("/%7ea/b/c")
    assert str(segments.with_segment(2, "x/y")) == "/%7ea/x%2Fy/c"
    assert str(segments.with_segment(-1, "")) == "/%7ea/b/"
    assert str(segments.with_segment(-3, b"~a")) == "/~a/b/c"
    assert str(Segments("a").with_segment(0, "b")) == "b"
    for index in (4, -5):
        with pytest.raises(IndexError):
            segments.with_segment(index, "x")


def test_what_is_before_the_first_slash_is_not_exchanged() -> None:
    for path, segment in (("/a", "b"), ("/", ""), ("a", ""), ("a/b", b"")):
        with pytest.raises(BuildError, match="change whether the path is absolute"):
            Segments(path).with_segment(0, segment)


@pytest.mark.parametrize("wrong", [None, 0, 1, [], ["a"]])
def test_data_is_text_or_octets(wrong: Any) -> None:
    segments = Segments("/a")
    for edit in (segments.with_name, segments.with_suffix, lambda d: segments.with_segment(0, d)):
        with pytest.raises(TypeError, match="a segment must be a str or bytes"):
            edit(wrong)


@pytest.mark.parametrize(
    ("path", "position"), [("a?", 1), ("/ ", 1), ("%zz", 1), ("/\ud800", 1), ("a#b", 1)]
)
def test_a_text_that_is_no_path_is_refused_with_its_place(path: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        Segments(path)
    assert (caught.value.position, caught.value.component) == (position, "path")


def test_a_text_that_is_too_long_is_no_path_and_no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    # A text of more than 2,147,483,647 characters takes too much memory for a test as small.
    monkeypatch.setattr("uriverse._spec.syntax.LONGEST_TEXT", 5)
    monkeypatch.setattr("uriverse._spec.messages.LONGEST_TEXT", 5)
    monkeypatch.setattr("uriverse.views.pairs.LONGEST_TEXT", 5)
    for read in (Segments, as_query):
        assert str(read("/abcd")) == "/abcd"
        with pytest.raises(ParseError, match="string too long: the limit is 5 characters"):
            read("/abcde")


def test_a_path_is_text() -> None:
    wrong: Any = b"/a"
    with pytest.raises(TypeError, match="a path must be a str, not bytes"):
        Segments(wrong)


# --- with identifiers


def test_what_is_given_back_unchanged_is_the_same_identifier() -> None:
    for text in ("http://a", "http://a/%7e//b/", "urn:a:b", "a:"):
        uri = URI(text)
        assert uri.with_segments(uri.segments) is uri


def test_building_takes_segments_as_they_are_written() -> None:
    segments = Segments("/%7ea")
    assert str(URI.build(scheme="a", segments=segments)) == "a:/%7ea"
    assert str(URI("a:b?c").replace(segments=segments)) == "a:/%7ea?c"
    assert str(URI("a:b?c").replace(segments=["", "d/e"])) == "a:/d%2Fe?c"


def test_segments_of_an_iri_are_written_as_an_iri() -> None:
    iri = IRI("http://a/é/b")
    assert str(iri.with_segments(iri.segments.with_name("ü"))) == "http://a/é/ü"
    uri = URI("http://a/%C3%A9/b")
    assert str(uri.with_segments(uri.segments.with_name("ü"))) == "http://a/%C3%A9/%C3%BC"
    # Octets that are UTF-8 are characters; others are encoded.
    assert str(iri / "ü\udcff") == str(iri / b"\xc3\xbc\xff") == "http://a/é/b/ü%FF"


def test_a_colon_is_encoded_where_it_would_end_a_scheme() -> None:
    reference = URIReference("a/b")
    assert str(reference.with_segments(reference.segments.with_segment(0, "x:y"))) == "x%3Ay/b"
    uri = URI("urn:a/b")
    assert str(uri.with_segments(uri.segments.with_segment(0, "x:y"))) == "urn:x:y/b"


def test_a_path_that_would_be_read_otherwise_is_refused_or_shielded() -> None:
    uri = URI("a:/b//c")
    with pytest.raises(BuildError):
        uri.with_segments(["", "", "c"])
    assert str(uri.with_segments(["", "", "c"], shield=True)) == "a:/.//c"
    shielded = URI("a:/.//c")
    assert str(shielded.with_segments(shielded.segments[2:], shield=True)) == "a:/c"


# --- as a value


def test_two_are_equal_that_say_the_same_and_so_is_any_sequence() -> None:
    assert Segments("/%7Ea") == Segments("/~a") == ("", "~a")
    assert hash(Segments("/%7Ea")) == hash(("", "~a"))
    assert Segments("/a") == ["", "a"]
    assert Segments("/a") != ("", "b")
    assert Segments("a") != "a"
    match Segments("/a/b"):
        case ["", first, *rest]:
            assert (first, rest) == ("a", ["b"])


def test_it_can_be_referred_to_weakly() -> None:
    segments = Segments("/a")
    assert weakref.ref(segments)() is segments


def test_it_is_shown_as_it_is_made() -> None:
    assert repr(Segments("/a%2Fb")) == "Segments('/a%2Fb')"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_it_is_copied_and_pickled(protocol: int) -> None:
    segments = IRI("http://a/é%7e/b").segments
    again = pickle.loads(pickle.dumps(segments, protocol))
    assert again.raw == segments.raw
    assert str(again.with_name("ü")) == "/é%7e/ü"
    assert copy.copy(segments) is copy.deepcopy(segments) is segments
