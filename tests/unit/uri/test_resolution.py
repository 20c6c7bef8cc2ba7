from typing import Any

import pytest
from engines import SPEC
from marked import list_rows

from uriverse import IRI, URI, IRIReference, ParseError, ResolveError, Resolver, URIReference, parse
from uriverse._spec.resolution import merge_paths, remove_dot_segments

BASE = URI("http://a/b/c/d;p?q")

# Cases that many libraries get wrong, with the results that the RFC requires.
EDGE_CASES = [
    *(("http://a/b/c/..", "g", "http://a/b/c/g"), ("http://a/b/../c", "#x", "http://a/b/../c#x")),
    *(("http://a/b/", "%2E%2E/g", "http://a/b/%2E%2E/g"), ("http://a/b#f", "g", "http://a/g")),
    *(("urn:a:b", "c", "urn:c"), ("urn:a:b", "?q", "urn:a:b?q"), ("urn:a:b", "#f", "urn:a:b#f")),
    *(("foo:a/b", "../c", "foo:/c"), ("scheme:a/b", "..//c", "scheme:/.//c")),
    *(("foo:/a/b", "../..//c", "foo:/.//c"), ("foo:/a/b", "..//c", "foo:/.//c")),
    *(("f:/a", ".//g", "f:/.//g"), ("http://a", "g", "http://a/g")),
    *(("http://", "abc", "http:///abc"), ("s3://bucket/a/b", "../c", "s3://bucket/c")),
    *(("gemini://h/a/", "b", "gemini://h/a/b"), ("http://a/b?c", "", "http://a/b?c")),
    *(("http://a/b?c", "?", "http://a/b?"), ("http://a/b?c#d", "#", "http://a/b?c#")),
    *(("http://é/ü/x", "../ö", "http://é/ö"), ("http://a/b", "日本?q", "http://a/日本?q")),
    ("http://a/" + "b/" * 3000, "../" * 2999 + "c", "http://a/b/c"),
]


def test_only_non_strict_resolve_ignores_the_scheme_of_the_base() -> None:
    # All other examples of RFC 3986, 5.4, are in the suite "uritools".
    assert str(BASE.resolve("http:g")) == "http:g"
    for reference, target in (("http:g", "http://a/b/c/g"), ("HTTP:g", "http://a/b/c/g")):
        assert str(BASE.resolve(reference, strict=False)) == target
    assert str(BASE.resolve("https:g", strict=False)) == "https:g"


@pytest.mark.parametrize(("base", "reference", "target"), EDGE_CASES)
def test_resolve_handles_edge_cases(base: str, reference: str, target: str) -> None:
    found = IRI(base).resolve(reference)
    assert str(found) == target
    assert found._bounds == parse(target)._bounds
    assert found == IRI(base).resolve(parse(reference))


@pytest.mark.parametrize(
    ("base", "reference", "kind"),
    [
        *(("http://a/", "b", URI), ("http://é/", "b", IRI), ("http://é/", "//a/b", URI)),
        *(("http://a/", IRIReference("é"), IRI), ("http://a/", IRIReference("b"), URI)),
    ],
)
def test_resolve_returns_the_narrowest_type(base: str, reference: Any, kind: type[IRI]) -> None:
    assert type(IRI(base).resolve(reference)) is kind
    assert type(parse(base).resolve(reference)) is kind


class OwnURI(URI):
    """A URI of an application."""


#: A non-ASCII reference, and the component and the position of its first non-ASCII character.
NON_ASCII = [
    *(("é", "path", 0), ("a/b?c=é#ö", "query", 6), ("#\u65e5", "fragment", 1)),
    *(("//bücher.example/", "host", 3), ("x://u:secrét@h/", "userinfo", 10)),
    ("?\ue000", "query", 1),
]


@pytest.mark.parametrize("kind", [URI, URIReference, OwnURI])
@pytest.mark.parametrize(("reference", "component", "position"), NON_ASCII)
def test_a_uri_resolves_no_string_that_is_not_ascii(
    kind: type[URI | URIReference], reference: str, component: str, position: int
) -> None:
    base = kind("http://a/b")
    start = "IRIReference(base)" if kind is URIReference else "IRI(base)"
    for operation in (base.resolve, base.then):
        with pytest.raises(ResolveError, match=": URI references are ASCII") as caught:
            operation(reference)
        error = caught.value
        assert (error.text, error.component, error.position) == (reference, component, position)
        assert error.hint.endswith(
            f"IRIReference(reference) instead of the string, or start from {start}"
        )
        assert "secr" not in str(error)
        found = operation(IRIReference(reference))
        assert found == getattr(IRI(base), operation.__name__)(reference)
        assert found == getattr(IRIReference(base), operation.__name__)(reference)


def test_relative_to_and_questions_accept_strings_that_are_not_ascii() -> None:
    assert BASE.relative_to("https://é/") == BASE
    assert BASE.relative_to("http://a/b/c/é") == URIReference("d;p?q")
    assert IRI("http://é/ü/ö").relative_to("http://é/ü/ä") == IRIReference("ö")
    assert BASE.is_same_document("#é")
    assert not BASE.is_same_document("é")
    assert not BASE.is_relative_to("http://a/é")


def test_a_resolver_resolves_non_ascii_references_against_any_base() -> None:
    for kind in (URI, URIReference, IRI, IRIReference, str):
        base = kind("http://a/b")
        resolve = Resolver(base)
        assert str(resolve("é")) == str(resolve(IRIReference("é"))) == "http://a/é"
        assert type(resolve("é")) is IRI
        assert type(resolve("c")) is URI
        assert str(resolve.base) == "http://a/b"
    own = OwnURI("http://a/b")
    assert Resolver(own).base is own


#: URIs that are relative to a base, and URIs that are not.
BELOW = {
    # Query and fragment do not count. Dot segments after the base may leave it.
    ("http://a/docs", True): (
        "http://a/docs http://a/docs/ http://a/docs/b/c http://a/docs?b#c http://a/docs/... "
        "http://a/docs/..b"
    ),
    ("http://a/docs", False): (
        "http://a/docs-old http://a/doc http://a/Docs/b http://a/docs/../admin "
        "http://a/docs/%2e%2E/admin http://a/docs/.%2E http://a/docs/./b"
    ),
    ("http://a/docs/", True): "http://a/docs/b http://a/docs//b",
    ("http://a/docs/", False): "http://a/docs http://a/docs?/b http://a/docs/b/../../admin",
    ("http://a/docs?x#y", True): "http://a/docs/b",
    ("http://a/docs/..", True): "http://a/docs/.. http://a/docs/../b",
    ("http://a/docs/..", False): "http://a/b",
    # The rest of the authority counts as well.
    ("http://a", True): "http://a http://a/ http://a/b",
    ("http://a", False): "http://a.evil.example/b http://a@evil.example/b",
    ("http://a/", True): "http://a/b",
    ("http://a/", False): ("http://a http://A/b https://a/b HTTP://a/b http://a:80/b http://u@a/b"),
    # Other schemes, and relative references.
    **{(base, False): "urn:a:b" for base in ("urn:a", "urn:")},
    ("x:", False): "x:/a",
    ("x:a", True): "x:a/b",
    # Normalization leaves nothing of the paths of these bases.
    **{(base, False): "x:./a x:../a" for base in ("x:.", "x:..", "x:./", "x:../")},
    ("..", True): "../a",
    ("x:/", False): "x:/.//b",
    ("a", True): "a/b",
    ("", True): "?b",
    ("", False): "a /a",
    ("//h", True): "//h/a",
    ("/", False): "//h/a",
    ("/é", True): "/é/a",
    ("/é", False): "/%C3%A9/a",
}


@pytest.mark.parametrize(("base", "expected", "uri"), list_rows(BELOW))
def test_is_relative_to_compares_whole_segments(base: str, expected: bool, uri: str) -> None:
    assert parse(uri).is_relative_to(base) is expected
    assert IRIReference(uri).is_relative_to(parse(base)) is expected


@pytest.mark.parametrize(
    "operation",
    [
        *(BASE.resolve, BASE.then, URIReference("a").then, BASE.is_relative_to),
        *(BASE.relative_to, BASE.is_same_document, BASE.is_same_origin),
    ],
)
def test_operations_reject_invalid_references(operation: Any) -> None:
    for text, position in (("http://a b/", 8), ("a b", 1), ("é b", 1), ("é\ud800", 1)):
        with pytest.raises(ParseError) as caught:
            operation(text)
        assert caught.value.position == position
    with pytest.raises(TypeError, match="expected a str or a URI"):
        operation(b"g")


def test_resolve_rejects_a_base_without_a_scheme() -> None:
    for base in (URIReference("//a/b"), IRIReference("")):
        with pytest.raises(ResolveError) as caught:
            base.resolve("c")
        assert (caught.value.position, caught.value.component) == (0, "scheme")
    assert str(URIReference("http://a/b").resolve("c")) == "http://a/c"


def test_relative_to_rejects_relative_references() -> None:
    for target, base in (("a", "http://b/"), ("http://b/", "a")):
        with pytest.raises(ResolveError, match="missing scheme: relative_to needs") as caught:
            parse(target).relative_to(base)
        assert (caught.value.text, caught.value.component) == ("a", "scheme")


def test_remove_dot_segments_and_merge_follow_the_rfc() -> None:
    assert remove_dot_segments("/a/b/c/./../../g") == "/a/g"
    assert remove_dot_segments("mid/content=5/../6") == "mid/6"
    assert merge_paths("a", "", "g") == "/g"
    assert merge_paths(None, "a:b", "c") == "c"
    # All short paths are in the complete suites.
    for path, left in (
        *(("/.a/..b/c.", "/.a/..b/c."), ("../..", ""), ("a/../..", "/"), ("...", "...")),
    ):
        assert remove_dot_segments(path) == left


def test_a_resolver_resolves_references_against_its_base() -> None:
    resolve = Resolver("http://a/b/c")
    assert [str(resolve(name)) for name in ("d", "../e")] == ["http://a/b/d", "http://a/e"]
    assert str(Resolver("http://a/b/c", strict=False)("http:d")) == "http://a/b/d"
    assert (
        repr(Resolver("http://u:secret@a/")) == "Resolver(URI('http://u:REDACTED@a/'), strict=True)"
    )
    with pytest.raises(ResolveError):
        Resolver("b/c")
    with pytest.raises(ParseError):
        Resolver("b c")


#: The results of `then`: by the first reference, and by the second.
THEN: dict[str, dict[str, str]] = {
    "a": {"b:c": "b:c", "//h/b": "//h/b", "./c:d": "./c:d"},
    "x:a": {"//h/b": "x://h/b", "y://h/b": "y://h/b", "/d": "x:/d", "./c:d": "x:c:d"},
    "a?b#c": {"": "a?b", "#d": "a?b#d", "?d": "a?d", "?": "a?", "/d": "/d"},
    "": {"": "", "a": "a"},
    "?b": {"a": "a"},
    "//h/a?b": {"/d": "//h/d"},
    "x://h": {"d": "x://h/d"},
    "//h": {"../d": "//h/d"},
    "x:": {"d": "x:d"},
    "x:a/b": {"..//c": "x:/.//c"},
    "/a": {"..//c": "/.//c"},
    "//h/a": {"..//c": "//h//c"},
    "/a/../b/c": {"d": "/b/d"},
    "a/b": {"c": "a/c"},
    "a/b/": {"../c": "a/b/../c"},
    "../a/": {"b": "../a/b"},
    "..": {"b": "../b"},
    "a/.": {"b": "a/./b"},
    ".": {"b": "./b"},
    "./c:d/e": {"f": "./c:d/f"},
    "é/a": {"b?ö": "é/b?ö"},
}


@pytest.mark.parametrize(
    ("first", "second", "combined"),
    [(first, *row) for first, rows in THEN.items() for row in rows.items()],
)
def test_then_combines_two_references(first: str, second: str, combined: str) -> None:
    both = IRIReference(first).then(second)
    assert (str(both), type(both)) == (combined, type(parse(combined)))
    assert parse(first).then(parse(second)) == both


@pytest.mark.parametrize("path", ["//", "//x"])
def test_a_path_that_starts_with_two_slashes_is_shielded_at_the_root(path: str) -> None:
    base = URI("http://a/b/c/d/e/f")
    assert str(URI(f"http://a{path}").relative_to(base)) == f"/.{path}"


def test_relative_form_removes_scheme_and_authority() -> None:
    for uri, form, path_and_query in [
        *(("http://u@a:1/b?c#d", "/b?c#d", "/b?c"), ("http://a", "", "")),
        *(("http://a?#", "?#", "?"), ("http://a//b?c", "/.//b?c", "//b?c"), ("//a/b", "/b", "/b")),
        *(("urn:a:b", "./a:b", "a:b"), ("urn:a/b:c", "a/b:c", "a/b:c")),
        *(("x:/.//b", "/.//b", "/.//b"), ("../a?b#c", "../a?b#c", "../a?b")),
        *(("http://a/é?ö", "/é?ö", "/é?ö"), ("http://é/b", "/b", "/b")),
    ]:
        relative = parse(uri).relative_form()
        assert (str(relative), type(relative)) == (form, type(parse(form)))
        assert parse(uri).path_and_query == path_and_query


@pytest.mark.parametrize(
    ("uri", "same", "other"),
    [
        (
            "http://a/b?c#d",
            ["", "#", "#e", "?c", "b?c#e", "//a/b?c", "http://a/b?c#e"],
            ["b", "?d"],
        ),
        ("http://a/x/../b", ["", "#f", "http://a/x/../b"], ["/b", "http://a/b", "x/../b"]),
        ("http://a/b", ["./b", "/x/../b"], ["HTTP://a/b", "http://a/x/../b", "b/"]),
        ("urn:a:b", ["#f", "urn:a:b#f", "./a:b"], ["urn:A:b", "b"]),
        ("../a?b#c", ["", "#d", "../a?b", "../a?b#d"], ["?b", "../a", "http://h/a?b"]),
        ("http://a/é", ["é", "#é"], ["%C3%A9"]),
    ],
)
def test_same_document_ignores_only_fragments(uri: str, same: list[str], other: list[str]) -> None:
    document = parse(uri)
    assert [document.is_same_document(reference) for reference in same] == [True] * len(same)
    assert [document.is_same_document(reference) for reference in other] == [False] * len(other)
    assert document.is_same_document(document)
    with pytest.raises(ParseError):
        document.is_same_document("a b")


def test_overlong_targets_violate_the_rule_of_references(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("_uri.identifier", "_spec.violation"):
        monkeypatch.setattr(f"uriverse.{module}.LONGEST_TEXT", 12)
    with pytest.raises(ParseError, match="string too long") as caught:
        SPEC.types["URI"]("http://a/b").resolve("c/d/e")
    assert (caught.value.rule, caught.value.text) == ("IRI-reference", "http://a/c/d/e")
