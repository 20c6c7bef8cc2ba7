"""`uriverse._uri.editing`: the name, the suffixes and the parents of an identifier."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

import pytest

from uriverse import IRI, URI, BuildError, IRIReference, URIReference, parse

KINDS = (IRIReference, IRI, URIReference, URI)
NAMES = ("name", "stem", "suffix")


@pytest.mark.parametrize(
    ("text", "name", "stem", "suffixes"),
    [
        ("http://a/b/c.tar.gz?d.e#f.g", "c.tar.gz", "c.tar", (".tar", ".gz")),
        ("http://a/b/", "", "", ()),
        ("http://a/", "", "", ()),
        ("http://a.example", "", "", ()),
        ("http://a/.rc", ".rc", ".rc", ()),
        ("http://a/..rc.x", "..rc.x", "..rc", (".x",)),
        ("http://a/b.", "b.", "b.", ()),
        ("http://a/..", "..", "..", ()),
        ("http://a/b%2Fc%2Ed", "b/c.d", "b/c", (".d",)),
        ("http://a/%FF.%C3%A9", "\udcff.é", "\udcff", (".é",)),
        ("urn:a:b.c", "a:b.c", "a:b", (".c",)),
        ("", "", "", ()),
        ("b.c", "b.c", "b", (".c",)),
        ("//a.b", "", "", ()),
        ("/é.ü", "é.ü", "é", (".ü",)),
    ],
)
def test_the_name_is_the_decoded_last_segment(
    text: str, name: str, stem: str, suffixes: tuple[str, ...]
) -> None:
    value = parse(text)
    assert (value.name, value.stem, value.suffixes) == (name, stem, suffixes)
    assert value.suffix == (suffixes[-1] if suffixes else "")
    assert (value.stem + value.suffix, value.segments.name) == (name, name)


@pytest.mark.parametrize("path", ["/a/b.tar.gz", "/a/b", "/.rc", "/.a.b", "/a.b.c.d", "/a", "/"])
def test_names_are_those_of_pathlib(path: str) -> None:
    value, other = URI(f"http://h{path}"), PurePosixPath(path)
    assert (value.name, value.stem, value.suffix) == (other.name, other.stem, other.suffix)
    assert list(value.suffixes) == other.suffixes
    assert [parent.path for parent in value.parents] == list(map(str, other.parents))


@pytest.mark.parametrize(
    ("text", "parents"),
    [
        ("http://a/b/c?d#e", ["http://a/b", "http://a/"]),
        ("http://a/b/c/", ["http://a/b/c", "http://a/b", "http://a/"]),
        ("http://a/b//c", ["http://a/b/", "http://a/b", "http://a/"]),
        ("http://a//", ["http://a/"]),
        ("http://a/?b", []),
        ("http://a?b", []),
        ("urn:b/c", ["urn:b", "urn:"]),
        ("urn:", []),
        ("b/c#d", ["b", ""]),
        ("../b", ["..", ""]),
        ("/.//b", ["/./", "/.", "/"]),
        ("/é/b", ["/é", "/"]),
        ("", []),
    ],
)
def test_parents_have_fewer_segments_and_neither_query_nor_fragment(
    text: str, parents: list[str]
) -> None:
    value = parse(text)
    assert list(map(str, value.parents)) == parents
    without = str(value.replace(query=None, fragment=None))
    assert str(value.parent) == (parents[0] if parents else without)
    for parent in (value.parent, *value.parents):
        assert type(parent) is type(value)


def test_a_root_without_query_is_its_own_parent() -> None:
    for value in (URI("http://a/"), URI("http://a"), URIReference("")):
        assert value.parent is value
        assert value.parents[:] == []


def test_parents_are_a_sequence() -> None:
    parents = URI("http://h/a/b/c").parents
    assert isinstance(parents, Sequence)
    assert (len(parents), bool(parents), bool(URI("http://h/").parents)) == (3, True, False)
    assert (parents[0], parents[-1]) == (URI("http://h/a/b"), URI("http://h/"))
    assert parents[1:] == [URI("http://h/a"), URI("http://h/")]
    assert (parents.index(URI("http://h/a")), URI("http://h/") in parents) == (1, True)
    assert repr(parents) == "<3 parents of a path>"
    for index in (3, -4):
        with pytest.raises(IndexError):
            parents[index]


@pytest.mark.parametrize(
    ("text", "name", "edited"),
    [
        ("http://a/b/c.txt?d#e", "f.md", "http://a/b/f.md"),
        ("http://a/b/", "c", "http://a/b/c"),
        ("http://a/", "b", "http://a/b"),
        ("http://a", "b", "http://a/b"),
        ("http://a?b", "", "http://a/"),
        ("http://a/b/c", "", "http://a/b/"),
        ("http://a/b", "c/d e?#%", "http://a/c%2Fd%20e%3F%23%25"),
        ("http://a/%7eb/c", b"\xff", "http://a/%7eb/%FF"),
        ("http://a/b", "\udcff", "http://a/%FF"),
        ("http://a/b", "é", "http://a/%C3%A9"),
        ("http://a/b", ".rc", "http://a/.rc"),
        ("urn:a:b?c", "d:e", "urn:d:e"),
        ("b", "c:d", "c%3Ad"),
        ("b/c", "d:e", "b/d:e"),
        ("//a", "b:c", "//a/b:c"),
        ("", "b", "b"),
        ("", "", ""),
        ("/b", "é", "/%C3%A9"),
        ("/é", "ü", "/ü"),
    ],
)
def test_with_name_replaces_the_name_and_removes_query_and_fragment(
    text: str, name: str | bytes, edited: str
) -> None:
    before = parse(text)
    after = before.with_name(name)
    assert (str(after), type(after)) == (edited, type(before))
    assert parse(str(after)) == after


@pytest.mark.parametrize(
    ("text", "stem", "edited"),
    [
        ("http://a/b/c.tar.gz?d", "f", "http://a/b/f.gz"),
        ("http://a/b/c", "f.md", "http://a/b/f.md"),
        ("http://a/b/c%2ed", "f", "http://a/b/f%2ed"),
        ("http://a/b/", "f", "http://a/b/f"),
        ("http://a", "f", "http://a/f"),
        ("http://a/b.c", ".", "http://a/..c"),
        ("b.c", "d:e", "d%3Ae.c"),
    ],
)
def test_with_stem_keeps_the_suffix(text: str, stem: str, edited: str) -> None:
    assert str(parse(text).with_stem(stem)) == edited


@pytest.mark.parametrize(
    ("text", "suffix", "edited"),
    [
        ("http://a/b/c.tar.gz?d#e", ".zip", "http://a/b/c.tar.zip"),
        ("http://a/b/c", ".x y", "http://a/b/c.x%20y"),
        ("http://a/b/c.tar.gz", "", "http://a/b/c.tar"),
        ("http://a/b/c.gz", b".\xff", "http://a/b/c.%FF"),
        ("http://a/.rc", ".d", "http://a/.rc.d"),
        ("http://a/b%2Ec", ".d", "http://a/b.d"),
        ("http://é/b", ".ü", "http://é/b.ü"),
        ("b", ".c:d", "b.c%3Ad"),
    ],
)
def test_with_suffix_keeps_the_stem(text: str, suffix: str | bytes, edited: str) -> None:
    assert str(parse(text).with_suffix(suffix)) == edited


def test_edits_of_the_name_that_change_nothing_return_the_same_object() -> None:
    for kind in KINDS:
        value = kind("http://a/b.c")
        assert value.with_name("b.c") is value
        assert value.with_stem("b") is value
        assert value.with_suffix(".c") is value
        assert type(value.with_name("d")) is kind


@pytest.mark.parametrize(
    ("edit", "text", "data", "reason"),
    [
        ("with_name", "http://a/b", ".", 'invalid segment "."'),
        ("with_name", "http://a/b", b"..", 'invalid segment ".."'),
        ("with_name", "http://a/b", "\ud800", "invalid lone surrogate"),
        ("with_stem", "http://a/b.c", "", "empty stem"),
        ("with_stem", "http://a/b", "..", 'invalid segment ".."'),
        ("with_stem", "http://a/b", "\ud800", "invalid lone surrogate"),
        ("with_suffix", "http://a/b", "c", "invalid suffix: expected a dot"),
        ("with_suffix", "http://a/b", ".", "invalid suffix: expected a dot"),
        ("with_suffix", "http://a/b/", ".c", "missing name"),
        ("with_suffix", "http://a", ".c", "missing name"),
        ("with_suffix", "http://a/..", ".c", "missing name"),
        ("with_suffix", "http://a/..c", "", "invalid suffix: the name would become"),
    ],
)
def test_names_that_a_path_cannot_have_are_rejected(
    edit: str, text: str, data: str | bytes, reason: str
) -> None:
    with pytest.raises(BuildError) as caught:
        getattr(URI(text), edit)(data)
    assert caught.value.reason.startswith(reason)
    assert caught.value.component == "path"


@pytest.mark.parametrize("part", NAMES)
@pytest.mark.parametrize("wrong", [None, 1, ["a"], URI("a:b")])
def test_data_of_a_wrong_type_raises_a_type_error_that_names_the_method(
    part: str, wrong: Any
) -> None:
    with pytest.raises(TypeError, match=rf"^with_{part}\(\): {part} must be a str or bytes, not "):
        getattr(URI("http://a/b"), f"with_{part}")(wrong)


class Labeled(URI):
    """A subclass that stores an attribute."""

    label = "default"

    def __init__(self, text: str) -> None:
        self.label = f"label of {text}"


def test_every_edit_of_the_name_of_a_subclass_returns_the_public_type() -> None:
    value = Labeled("http://a/b/c.d")
    edited = (
        value.parent,
        value.parents[1],
        value.with_name("e"),
        value.with_stem("e"),
        value.with_suffix(".e"),
    )
    for made in edited:
        assert type(made) is URI
    assert copy.copy(value).label == value.label
