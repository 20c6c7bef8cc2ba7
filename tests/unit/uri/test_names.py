from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from strategies import produced

from uriverse import IRI, URI, BuildError, IRIReference, Segments, URIReference, parse

KINDS = (IRIReference, IRI, URIReference, URI)
NAMES = ("name", "stem", "suffix")


def place(path: str) -> list[Any]:
    """Return the segments of a path, and identifiers with the path."""
    after_host = path.startswith("/") or not path
    hosts = [IRI(f"http://u@h:1{path}?q.r#f/g")] if after_host else []
    return [Segments(path), IRIReference(f"{path}?q.r#f/g"), *hosts]


@pytest.mark.parametrize(
    ("path", "name", "stem", "suffixes", "parents"),
    [
        *(("", "", "", (), []), ("/", "", "", (), []), ("a", "a", "a", (), [""])),
        *(("a/", "", "", (), ["a", ""]), ("/a", "a", "a", (), ["/"])),
        *(("/a/", "", "", (), ["/a", "/"]), ("/a/b.c", "b.c", "b", (".c",), ["/a", "/"])),
        *(("a/b.c/", "", "", (), ["a/b.c", "a", ""]), ("/a//b", "b", "b", (), ["/a/", "/a", "/"])),
        *(("a//b", "b", "b", (), ["a/", "a", ""]), ("/a//", "", "", (), ["/a/", "/a", "/"])),
        ("/a/b/c", "c", "c", (), ["/a/b", "/a", "/"]),
        ("x.tar.gz", "x.tar.gz", "x.tar", (".tar", ".gz"), [""]),
        *((".rc", ".rc", ".rc", (), [""]), ("..rc.x", "..rc.x", "..rc", (".x",), [""])),
        *(("a.", "a.", "a.", (), [""]), ("..", "..", "..", (), [""])),
        *(("../b", "b", "b", (), ["..", ""]), ("a%2Eb%2ec", "a.b.c", "a.b", (".b", ".c"), [""])),
        ("a%2Eb%2Fc", "a.b/c", "a", (".b/c",), [""]),
        ("%FF.%C3%A9", "\udcff.é", "\udcff", (".é",), [""]),
        *(("a%2Fb.c", "a/b.c", "a/b", (".c",), [""]), ("/é.ü", "é.ü", "é", (".ü",), ["/"])),
        ("/.//b", "b", "b", (), ["/./", "/.", "/"]),
    ],
)
def test_the_name_is_the_decoded_last_segment_even_if_it_is_empty(
    path: str, name: str, stem: str, suffixes: tuple[str, ...], parents: list[str]
) -> None:
    for value in place(path):
        assert (value.name, value.stem, value.suffixes) == (name, stem, suffixes)
        assert value.suffix == (suffixes[-1] if suffixes else "")
        found = [str(parent) for parent in value.parents]
        if value.__class__ is Segments:
            assert found == parents
            assert str(value.parent) == (parents[0] if parents else path)
            continue
        before = str(value).partition(f"{path}?q")[0]
        assert found == [before + parent for parent in parents]
        assert str(value.parent) == before + (parents[0] if parents else path)
        assert {type(parent) for parent in (value.parent, *value.parents)} == {type(value)}


def test_parents_of_paths_with_two_slashes_and_of_rootless_paths() -> None:
    assert list(map(str, Segments("//").parents)) == ["/"]
    assert list(map(str, Segments("//a").parents)) == ["/"]
    assert list(map(str, URI("http://a//").parents)) == ["http://a/"]
    assert list(map(str, URI("urn:b/c").parents)) == ["urn:b", "urn:"]
    assert list(map(str, URI("urn:").parents)) == []
    name = URI("urn:a:b.c")
    assert (name.name, name.stem, name.suffix) == ("a:b.c", "a:b", ".c")
    assert Segments("..b").suffixes == ()
    # A host is no name.
    assert URI("http://a.example").name == URIReference("//a.b").name == ""


@given(produced("ipath"))
def test_parents_equal_repeated_parent(path: str) -> None:
    segments = Segments(path)
    chain: list[Segments] = []
    for _ in Segments(path).parents:
        segments = segments.parent
        chain.append(segments)
    assert segments.parent == segments
    assert list(map(str, chain)) == list(map(str, Segments(path).parents))


def test_a_root_without_query_is_its_own_parent() -> None:
    for value in (URI("http://a/"), URI("http://a"), URIReference("")):
        assert value.parent is value
        assert value.parents[:] == []


def test_parents_are_a_sequence_that_is_made_when_it_is_read() -> None:
    uri = URI("http://h/a/b/c")
    for root, parents in (("http://h", uri.parents), ("", uri.segments.parents)):
        assert isinstance(parents, Sequence)
        assert (len(parents), bool(parents)) == (3, True)
        assert [str(parents[0]), str(parents[-1])] == [f"{root}/a/b", f"{root}/"]
        assert list(map(str, parents[1:])) == [f"{root}/a", f"{root}/"]
        assert (parents.index(parents[1]), parents[-1] in parents) == (1, True)
        assert repr(parents) == "<3 parents of a path>"
        for index in (3, -4):
            with pytest.raises(IndexError):
                parents[index]
    assert not URI("http://h/").parents
    many = Segments("/a" * 500_000).parents
    assert (len(many), str(many[-2])) == (500_000, "/a")


@pytest.mark.parametrize(
    ("edit", "path", "data", "edited"),
    [
        ("name", "/%7ea/b", "c", "/%7ea/c"),
        ("name", "/%7ea/b/", "c/d e?#%", "/%7ea/b/c%2Fd%20e%3F%23%25"),
        *(("name", "/a//", "c", "/a//c"), ("name", "/a/b", "", "/a/"), ("name", "", "a", "a")),
        *(("name", "/", "a", "/a"), ("name", "/a", ".rc", "/.rc"), ("name", "a/b", "c:d", "a/c:d")),
        *(("name", "a/b", b"\xff", "a/%FF"), ("name", "a/b", "\udcff", "a/%FF")),
        *(("name", "a/b", "é", "a/%C3%A9"), ("name", "é/b", "é", "é/é")),
        *(("stem", "/a/b.tar.%67z", "c/d", "/a/c%2Fd.%67z"), ("stem", "/b/c", "f.md", "/b/f.md")),
        *(("stem", "/b/c%2ed", "f", "/b/f%2ed"), ("stem", "/a/", "c", "/a/c")),
        *(("stem", "a.b", ".", "..b"), ("suffix", "/b/%7ea.b", ".c", "/b/%7ea.c")),
        ("suffix", "/b/c.tar.gz", ".zip", "/b/c.tar.zip"),
        *(("suffix", "/%7ea", ".x y", "/%7ea.x%20y"), ("suffix", "/%7ea.b", "", "/%7ea")),
        *(("suffix", "/%7ea", "", "/%7ea"), ("suffix", "/a%2Eb", ".c", "/a.c")),
        *(("suffix", "/.rc", ".bak", "/.rc.bak"), ("suffix", "/a.b", "./", "/a.%2F")),
        *(("suffix", "/a.b", b".\xff", "/a.%FF"), ("suffix", "/a.b", ".\udcff", "/a.%FF")),
        *(("suffix", "/%FF.b", ".c", "/%FF.c"), ("suffix", "/x/...a", ".b", "/x/...b")),
        ("suffix", "/é", ".ü", "/é.ü"),
    ],
)
def test_editing_names_keeps_the_rest(edit: str, path: str, data: str | bytes, edited: str) -> None:
    # Segments know nothing of IRIs, so only those of an IRI contain characters like its own.
    assert str(getattr(parse(path).segments, f"with_{edit}")(data)) == edited
    value = parse(f"{path}?q#f")
    after = getattr(value, f"with_{edit}")(data)
    assert (str(after), type(after)) == (edited, type(value))
    assert parse(str(after)) == after
    with_host = getattr(parse(f"//h/{path}?q#f"), f"with_{edit}")(data)
    assert str(with_host) == f"//h/{edited}"


def test_a_colon_in_a_new_name_ends_no_scheme() -> None:
    assert str(URIReference("b").with_name("c:d")) == "c%3Ad"
    assert str(URIReference("b.c").with_stem("d:e")) == "d%3Ae.c"
    assert str(URIReference("b").with_suffix(".c:d")) == "b.c%3Ad"
    assert str(Segments("a").with_name("b:c")) == "b:c"
    assert str(URI("urn:a:b?c").with_name("d:e")) == "urn:d:e"
    assert str(URIReference("//a").with_name("b:c")) == "//a/b:c"
    assert str(URI("http://a?b").with_name("")) == "http://a/"
    # After an authority, a path starts with a slash.
    for name in ("name", "stem"):
        assert str(getattr(URI("http://a?b"), f"with_{name}")("b")) == "http://a/b"


def test_edits_of_the_name_that_change_nothing_return_the_same_object() -> None:
    for kind in KINDS:
        value = kind("http://a/b.c")
        assert value.with_name("b.c") is value
        assert value.with_stem("b") is value
        assert value.with_suffix(".c") is value
        assert type(value.with_name("d")) is kind


SURROGATES = ("\ud800", "\udcc3\udca9")


def test_names_that_a_path_cannot_have_are_rejected() -> None:
    for edit, path, data, reason in [
        *(("name", "/b", data, f'invalid segment "{data}"') for data in (".", "..")),
        ("name", "/b", b"..", 'invalid segment ".."'),
        *(("name", "/b", data, "invalid ") for data in SURROGATES),
        *(("stem", "/b.c", data, "empty stem") for data in ("", b"")),
        ("stem", "/b", "..", 'invalid segment ".."'),
        ("stem", "/b", "\ud800", "invalid lone surrogate"),
        *(
            ("suffix", "/b", data, "invalid suffix: expected a dot")
            for data in ("c", ".", b".", b"a", "a.b", " .a")
        ),
        *(("suffix", path, ".c", "missing name") for path in ("", "/", "/b/", "//", ".", "/..")),
        ("suffix", "/..c", "", "invalid suffix: the name would become"),
        *(("suffix", "/x/...a", "", ""), ("suffix", "/x/..%FF", "", ""), ("suffix", "%2e", "", "")),
    ]:
        values = [Segments(path), URIReference(f"//h{path}" if path.startswith("//") else path)]
        for value in values:
            with pytest.raises(BuildError) as caught:
                getattr(value, f"with_{edit}")(data)
            assert caught.value.reason.startswith(reason)
            assert caught.value.component == "path"


@pytest.mark.parametrize("part", NAMES)
@pytest.mark.parametrize("wrong", [None, 0, 1, [], ["a"], URI("a:b")])
def test_data_of_a_wrong_type_raises_a_type_error_naming_the_method(part: str, wrong: Any) -> None:
    for value in (URI("http://a/b"), Segments("/a")):
        with pytest.raises(TypeError, match=rf"^with_{part}\(\): {part} must be a str or bytes"):
            getattr(value, f"with_{part}")(wrong)
