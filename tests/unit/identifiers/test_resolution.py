"""`resolve`: the RFC's own examples, and what no library should get wrong."""

from __future__ import annotations

import pytest

from uriverse import IRI, URI, IRIReference, ParseError, ResolveError, Resolver, URIReference, parse
from uriverse._spec.components import split
from uriverse._spec.resolution import merge, remove_dot_segments

BASE = URI("http://a/b/c/d;p?q")

# RFC 3986, 5.4.1.
NORMAL = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
}

# RFC 3986, 5.4.2.
ABNORMAL = {
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}

# What libraries get wrong, and what the RFC's text says.
DECIDED = [
    ("http://a/b/c/..", "g", "http://a/b/c/g"),
    ("http://a/b/../c", "#x", "http://a/b/../c#x"),
    ("http://a/b/", "%2E%2E/g", "http://a/b/%2E%2E/g"),
    ("http://a/b#f", "g", "http://a/g"),
    ("urn:a:b", "c", "urn:c"),
    ("urn:a:b", "?q", "urn:a:b?q"),
    ("urn:a:b", "#f", "urn:a:b#f"),
    ("foo:a/b", "../c", "foo:/c"),
    ("scheme:a/b", "..//c", "scheme:/.//c"),
    ("foo:/a/b", "../..//c", "foo:/.//c"),
    ("foo:/a/b", "..//c", "foo:/.//c"),
    ("f:/a", ".//g", "f:/.//g"),
    ("http://a", "g", "http://a/g"),
    ("http://", "abc", "http:///abc"),
    ("s3://bucket/a/b", "../c", "s3://bucket/c"),
    ("gemini://h/a/", "b", "gemini://h/a/b"),
    ("http://a/b?c", "", "http://a/b?c"),
    ("http://a/b?c", "?", "http://a/b?"),
    ("http://a/b?c#d", "#", "http://a/b?c#"),
    ("http://é/ü/x", "../ö", "http://é/ö"),
    ("http://a/b", "日本?q", "http://a/日本?q"),
    ("http://a/" + "b/" * 3000, "../" * 2999 + "c", "http://a/b/c"),
]


@pytest.mark.parametrize(("reference", "target"), [*NORMAL.items(), *ABNORMAL.items()])
def test_the_examples_of_the_rfc_are_right(reference: str, target: str) -> None:
    assert str(BASE.resolve(reference)) == target


def test_there_are_42_examples() -> None:
    assert len(NORMAL) + len(ABNORMAL) == 42


@pytest.mark.parametrize(("reference", "target"), [*NORMAL.items(), *ABNORMAL.items()])
def test_not_strict_a_scheme_that_is_the_base_s_does_not_count(reference: str, target: str) -> None:
    expected = "http://a/b/c/g" if reference == "http:g" else target
    assert str(BASE.resolve(reference, strict=False)) == expected
    assert str(BASE.resolve("HTTP:g", strict=False)) == "http://a/b/c/g"
    assert str(BASE.resolve("https:g", strict=False)) == "https:g"


@pytest.mark.parametrize(("base", "reference", "target"), DECIDED)
def test_what_was_decided_is_so(base: str, reference: str, target: str) -> None:
    found = IRI(base).resolve(reference)
    assert str(found) == target
    assert found._bounds == parse(target)._bounds
    assert found == IRI(base).resolve(parse(reference))


def test_the_target_is_of_the_narrowest_type() -> None:
    assert type(URI("http://a/").resolve("b")) is URI
    assert type(IRI("http://a/").resolve("b")) is URI
    assert type(URI("http://a/").resolve("é")) is IRI
    assert type(IRI("http://é/").resolve("//a/b")) is URI


def test_a_base_has_a_scheme() -> None:
    for base in (URIReference("//a/b"), IRIReference("")):
        with pytest.raises(ResolveError) as caught:
            base.resolve("c")
        assert (caught.value.position, caught.value.component) == (0, "scheme")
    assert str(URIReference("http://a/b").resolve("c")) == "http://a/c"


def test_a_text_that_is_no_reference_is_not_resolved() -> None:
    with pytest.raises(ParseError) as caught:
        BASE.resolve("a b")
    assert caught.value.position == 1
    with pytest.raises(ParseError) as caught:
        BASE.resolve("é\ud800")
    assert caught.value.position == 1
    with pytest.raises(TypeError, match="expected a str or an identifier"):
        BASE.resolve(b"g")  # type: ignore[call-overload]


def test_what_is_relative_leads_nowhere_and_is_led_to_by_nothing() -> None:
    for target, base in (("a", "http://b/"), ("http://b/", "a")):
        with pytest.raises(ResolveError, match="missing scheme: relative_to needs") as caught:
            parse(target).relative_to(base)
        assert (caught.value.text, caught.value.component) == ("a", "scheme")


def test_the_functions_have_the_names_of_the_rfc() -> None:
    assert remove_dot_segments("/a/b/c/./../../g") == "/a/g"
    assert remove_dot_segments("mid/content=5/../6") == "mid/6"
    assert merge(split("http://a"), "g") == "/g"
    assert merge(split("urn:a:b"), "c") == "c"


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("", ""),
        (".", ""),
        ("..", ""),
        ("../..", ""),
        ("./a", "a"),
        ("../a", "a"),
        (".././a/.", "a/"),
        ("a/..", "/"),
        ("a/../b", "/b"),
        ("a/../..", "/"),
        ("/..", "/"),
        ("/.", "/"),
        ("/a/..", "/"),
        ("//..", "/"),
        ("//../a", "/a"),
        ("/a//..", "/a/"),
        ("...", "..."),
        ("/.a/..b/c.", "/.a/..b/c."),
        ("/a/.../b", "/a/.../b"),
    ],
)
def test_dot_segments_are_removed_step_by_step(path: str, left: str) -> None:
    assert remove_dot_segments(path) == left
    assert URI("x://h/").resolve(f"//h/y/{path}").path == remove_dot_segments(f"/y/{path}")


def test_a_resolver_keeps_its_base() -> None:
    resolve = Resolver("http://a/b/c")
    assert [str(resolve(reference)) for reference in ("d", "../e")] == [
        "http://a/b/d",
        "http://a/e",
    ]
    assert str(Resolver("http://a/b/c", strict=False)("http:d")) == "http://a/b/d"
    assert repr(Resolver("http://u:secret@a/")) == "Resolver(URI('http://u:***@a/'), strict=True)"
    with pytest.raises(ResolveError):
        Resolver("b/c")
    with pytest.raises(ParseError):
        Resolver("b c")
