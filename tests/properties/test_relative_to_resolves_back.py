"""A reference from `relative_to` resolves to its target, or `relative_to` raises an error.

`conformance.complete` tests all short paths.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, ParseError, ResolveError, parse

#: Paths that often share segments.
PATHS = st.lists(st.sampled_from(["a", "b", "", "c:d", "..", ".", "%2E"]), max_size=5).map("/".join)


@st.composite
def similar_uris(draw: st.DrawFn) -> str:
    """A URI that often shares its scheme, authority and segments with another one."""
    prefix = draw(st.sampled_from(["x:", "x:/", "x://h", "x://h/", "x:///", "y://h/", "x://i/"]))
    suffix = draw(st.sampled_from(["", "?", "?q", "#f", "?q#f"]))
    path = draw(PATHS)
    text = prefix + (f"/{path}" if prefix == "x://h" and path else path) + suffix
    return text if URI.try_parse(text) else "x:"


@given(similar_uris(), similar_uris())
def test_relative_to_without_walk_up_never_returns_parent_segments(target: str, base: str) -> None:
    try:
        reference = URI(target).relative_to(base, walk_up=False)
    except ResolveError:
        return
    assert URI(base).resolve(reference) == URI(target)
    assert reference.is_relative
    assert reference.authority is None
    assert not reference.path.startswith("/")
    assert ".." not in reference.path.split("/")


def test_relative_to_raises_an_error_if_no_reference_resolves_to_the_target() -> None:
    with pytest.raises(ResolveError, match="dot segment in path") as caught:
        URI("http://a/b/../c").relative_to("http://a/")
    assert (caught.value.position, caught.value.component) == (11, "path")
    with pytest.raises(ResolveError, match="outside the directory of the base"):
        URI("http://a/b").relative_to("http://a/c/d", walk_up=False)
    for target, base in (("//a", "http://a"), ("http://a", "//a")):
        with pytest.raises(ResolveError, match="missing scheme: "):
            parse(target).relative_to(base)
    with pytest.raises(ParseError):
        URI("http://a").relative_to("a b")


def test_relative_to_does_not_split_a_path_at_an_encoded_slash() -> None:
    assert str(URI("http://a/x/y/b%2Fc/d").relative_to("http://a/x/y/b/c")) == "../b%2Fc/d"
