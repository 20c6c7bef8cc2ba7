from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import produced, references

from uriverse import IRI, URI, IRIReference, URIReference, is_uri, is_uri_reference, parse

SEGMENTS = ["a", "b", "", ".", "..", "...", "c:d", "%2E", "x;y=1"]
SUFFIXES = ["", "?", "?q", "#", "#f", "?q#f", "?..", "#/../g"]

#: Paths with many dot segments, with and without slashes at both ends.
PATHS = st.lists(st.sampled_from(SEGMENTS), max_size=6).map("/".join)


def dense(prefixes: list[str]) -> st.SearchStrategy[str]:
    """References with many dot segments after one of the prefixes."""
    return st.tuples(st.sampled_from(prefixes), PATHS, st.sampled_from(SUFFIXES)).map("".join)


#: Base URIs: with and without an authority, with rooted, rootless and empty paths.
BASES = st.one_of(
    dense(["x:", "x:/", "x:/.//", "x://h", "x://h/", "x://h//", "x:///"]).filter(is_uri),
    produced("URI"),
)

REFERENCES = st.one_of(
    dense(["", "/", "./", "../", "//h/", "//h", "x:", "x:/", "y://i/"]).filter(is_uri_reference),
    produced("URI-reference"),
)


# The fuzz target `resolve` has other strings.
def test_a_combined_reference_resolves_like_both() -> None:
    for base, first, second in [
        *(("x:/w", "/a/..", "b"), ("x:", "//h/a/b/..", "../c"), ("x:w", "/a/.", "../b")),
        *(("x:a", "..", "b"), ("x://h", "", "b"), ("x:a/b", "../c", "..//d")),
        *(("x:", "a/..", ".//b"), ("x:a", "x:b/..//c", "#f"), ("x:/a", "/..//b", "../../c")),
        ("x://h/\xe9", ".", "\xe9?\xe9"),
    ]:
        start, last = IRI(base), parse(second)
        target = start.resolve(first).resolve(last)
        assert start.resolve(parse(first).then(last)) == target


@pytest.mark.slow
@pytest.mark.parametrize("base", ["x:", "x:a/b", "x:/a/b", "x:/.//a", "x://h", "x://h/a/b", "s:a/"])
def test_all_short_references_combine(base: str) -> None:
    short = [
        text
        for length in range(4)
        for letters in product(("a", ".", "..", "/", "?", "s:"), repeat=length)
        if is_uri_reference(text := "".join(letters))
    ]
    start = URI(base)
    for first, second in product(short, repeat=2):
        target = start.resolve(first).resolve(second)
        assert start.resolve(URIReference(first).then(second)) == target, (first, second)


@given(REFERENCES, REFERENCES, REFERENCES, BASES)
def test_combining_is_associative(first: str, second: str, third: str, base: str) -> None:
    left = parse(first).then(second).then(third)
    right = parse(first).then(parse(second).then(third))
    assert URI(base).resolve(left) == URI(base).resolve(right)


@given(references())
def test_the_relative_form_has_the_same_path_query_and_fragment(text: str) -> None:
    value = parse(text)
    form = value.relative_form()
    assert (form.scheme, form.authority) == (None, None)
    assert (form.query, form.fragment) == (value.query, value.fragment)
    # A dot segment is inserted only before a path that would not be parsed as this path.
    alone = IRIReference.try_parse(value.path)
    if alone is not None and alone.path == value.path:
        assert form.path == value.path
    else:
        assert form.path in {f"/.{value.path}", f"./{value.path}"}
    if not value.is_relative and value.authority is not None and value.path:
        assert value.resolve(form) == value.resolve(text)


@given(produced("IRI"), references())
def test_references_to_the_same_document_resolve_to_it(base: str, reference: str) -> None:
    start = IRI(base)
    document = start.with_fragment(None)
    assert start.is_same_document(document)
    assert start.is_same_document(start.with_fragment("f"))
    if parse(reference).is_relative:
        same = start.resolve(reference).with_fragment(None) == document
        assert start.is_same_document(reference) == same
    else:
        assert start.is_same_document(reference) == parse(reference).is_same_document(start)
