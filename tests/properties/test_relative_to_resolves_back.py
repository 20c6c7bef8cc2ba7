"""`base.resolve(target.relative_to(base)) == target`, or an error says why not."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import produced

from uriverse import IRI, URI, ParseError, ResolveError, URIReference, is_uri_reference, parse
from uriverse._spec.resolution import remove_dot_segments

#: Paths that meet each other often.
PATHS = st.lists(st.sampled_from(["a", "b", "", "c:d", "..", ".", "%2E"]), max_size=5).map("/".join)


@st.composite
def near(draw: st.DrawFn) -> str:
    """A URI out of few."""
    prefix = draw(st.sampled_from(["x:", "x:/", "x://h", "x://h/", "x:///", "y://h/", "x://i/"]))
    suffix = draw(st.sampled_from(["", "?", "?q", "#f", "?q#f"]))
    path = draw(PATHS)
    text = prefix + (f"/{path}" if prefix == "x://h" and path else path) + suffix
    return text if URI.try_parse(text) else "x:"


@given(near(), near())
@example("x://h/a/c:d", "x://h/a/b")
@example("x://h//a", "x://h/b")
@example("x:/.//a", "x:/b")
@example("x://h", "x://h/a")
@example("x:a/b", "x:c")
def test_a_target_is_found_again(target: str, base: str) -> None:
    assert_found_again(target, base)


@given(produced("IRI"), produced("IRI"))
def test_any_target_is_found_again(target: str, base: str) -> None:
    assert_found_again(target, base)


def assert_found_again(target_text: str, base_text: str) -> None:
    target, base = parse(target_text), parse(base_text)
    try:
        reference = target.relative_to(base)
    except ResolveError:
        # Nothing but the base itself resolves to a path with dot segments.
        assert remove_dot_segments(target.path) != target.path or target.path.startswith("/.//")
        return
    assert base.resolve(reference) == target
    assert len(str(reference)) <= len(target_text)


@given(near(), near())
def test_without_climbing_a_reference_stays_in_the_directory(target: str, base: str) -> None:
    try:
        reference = URI(target).relative_to(base, climb=False)
    except ResolveError:
        return
    assert URI(base).resolve(reference) == URI(target)
    assert reference.is_relative
    assert reference.authority is None
    assert not reference.path.startswith("/")
    assert ".." not in reference.path.split("/")


@pytest.mark.parametrize(
    ("target", "base", "reference"),
    [
        ("http://a/b/c", "http://a/b/d", "c"),
        ("http://a/b/", "http://a/b/d", "."),
        ("http://a/b/", "http://a/b/", ""),
        ("http://a/b", "http://a/b/c/d/e", "/b"),
        ("http://a/b/longer/x", "http://a/b/longer/y/z", "../x"),
        ("http://a/b/c?q", "http://a/b/c?r", "?q"),
        ("http://a/b/c", "http://a/b/c?r", "c"),
        ("http://a/b/c?q#f", "http://a/b/c?q", "#f"),
        ("http://a/b/c?q", "http://a/b/c?q#f", ""),
        ("http://a/b/c:d", "http://a/b/e", "./c:d"),
        ("http://a/b//c", "http://a/b/e", ".//c"),
        ("http://a//b", "http://a/e", ".//b"),
        ("http://a", "http://a/b", "//a"),
        ("http://b/c", "http://a/b", "//b/c"),
        ("https://a/b", "http://a/b", "https://a/b"),
        ("urn:a:b", "urn:c:d", "./a:b"),
        ("http://a/b/../c", "http://a/b/../c", ""),
        ("http://é/ü/ö", "http://é/ü/ä", "ö"),
    ],
)
def test_the_shortest_reference_is_found(target: str, base: str, reference: str) -> None:
    assert str(IRI(target).relative_to(base)) == reference
    assert is_uri_reference(reference) == isinstance(IRI(target).relative_to(base), URIReference)


def test_what_no_reference_leads_to_is_an_error() -> None:
    with pytest.raises(ResolveError, match="a path with dot segments") as caught:
        URI("http://a/b/../c").relative_to("http://a/")
    assert (caught.value.position, caught.value.component) == (11, "path")
    with pytest.raises(ResolveError, match="outside the directory of the base"):
        URI("http://a/b").relative_to("http://a/c/d", climb=False)
    for target, base in (("//a", "http://a"), ("http://a", "//a")):
        with pytest.raises(ResolveError, match="missing scheme: "):
            parse(target).relative_to(base)
    with pytest.raises(ParseError):
        URI("http://a").relative_to("a b")


def test_a_path_is_split_at_no_other_place() -> None:
    assert str(URI("http://a/x/y/b%2Fc/d").relative_to("http://a/x/y/b/c")) == "../b%2Fc/d"


#: Every reference of up to four characters that could lead to a short path.
SHORT = [
    text
    for length in range(5)
    for letters in product("a./:", repeat=length)
    if is_uri_reference(text := "".join(letters))
]


@pytest.mark.parametrize(
    "base", ["x:", "x:/", "x:a/b", "x:/b/../c", "x:/b/..//a", "x:/.//a/b", "x://h/b/./c", "x://h"]
)
def test_no_reference_is_shorter(base: str) -> None:
    targets: dict[str, int] = {}
    staying: set[str] = set()
    for reference in SHORT:
        target = str(URI(base).resolve(reference))
        targets[target] = min(targets.get(target, 99), len(reference))
        parts = parse(reference)
        if parts.is_relative and parts.authority is None and ".." not in parts.path.split("/"):
            staying |= set() if reference.startswith("/") else {target}
    for target, length in targets.items():
        assert len(str(URI(target).relative_to(base))) <= length, target
    for target in staying:
        reference = str(URI(target).relative_to(base, climb=False))
        assert str(URI(base).resolve(reference)) == target
