"""`None` means that a component is undefined, `""` that it is present and empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import references

from uriverse import IRIReference, URIReference, compose, parse, split

#: For each component, a string without it, and a string in which it is empty.
PAIRS = [
    ("query", "http://a", "http://a?"),
    ("fragment", "http://a", "http://a#"),
    ("port_text", "http://a", "http://a:"),
    ("userinfo", "http://a", "http://@a"),
    ("authority", "file:/a", "file:///a"),
    ("host", "file:/a", "file:///a"),
]


@pytest.mark.parametrize(("name", "without", "empty"), PAIRS)
def test_an_undefined_component_differs_from_an_empty_one(
    name: str, without: str, empty: str
) -> None:
    assert (getattr(parse(without), name), getattr(parse(empty), name)) == (None, "")
    assert parse(without) != parse(empty)
    assert hash(parse(without)) != hash(parse(empty))


@pytest.mark.parametrize(("name", "without", "empty"), PAIRS)
def test_edits_keep_undefined_and_empty_components(name: str, without: str, empty: str) -> None:
    edit = f"with_{name.removesuffix('_text')}"
    for text in (without, empty):
        value = parse(text)
        assert str(value.replace()) == text
        assert str(value.replace(path=value.path)) == text
    edited = getattr(parse(empty), edit)(None)
    assert str(edited) == without
    # An empty component can be added again.
    assert str(getattr(edited, edit)("")) == empty


def test_the_path_is_always_defined() -> None:
    assert parse("").path == ""
    assert parse("?#").path == ""
    assert parse("//").path == ""


@given(references())
def test_a_component_is_defined_if_its_delimiter_is_present(text: str) -> None:
    value = IRIReference(text)
    before_fragment, hash_sign, _ = text.partition("#")
    before_query, question_mark, _ = before_fragment.partition("?")
    assert (value.fragment is not None) == bool(hash_sign)
    assert (value.query is not None) == bool(question_mark)
    has_authority = before_query.removeprefix(f"{value.scheme}:").startswith("//")
    assert (value.authority is not None) == has_authority
    assert (value.host is not None) == has_authority
    if value.authority is not None:
        assert (value.userinfo is not None) == ("@" in value.authority)
        after_host = value.authority.rpartition("]")[2].rpartition("@")[2]
        assert (value.port_text is not None) == (":" in after_host)
        assert value.has_port == (value.port_text is not None)


@given(references())
def test_compose_returns_the_string_that_was_split(text: str) -> None:
    value = IRIReference(text)
    parts = (value.scheme, value.authority, value.path, value.query, value.fragment)
    assert compose(*parts) == text
    assert split(text) == parts


@pytest.mark.parametrize(
    ("text", "port", "port_text"),
    [("//a", None, None), ("//a:", None, ""), ("//a:0", 0, "0"), ("//a:00", 0, "00")],
)
def test_port_zero_differs_from_an_empty_port(
    text: str, port: int | None, port_text: str | None
) -> None:
    value = URIReference(text)
    assert (value.port, value.port_text) == (port, port_text)


def test_username_and_password_are_none_without_their_delimiters() -> None:
    assert [(parse(t).username, parse(t).password) for t in ("//a", "//@a", "//u@a")] == [
        (None, None),
        ("", None),
        ("u", None),
    ]
    assert [(parse(t).username, parse(t).password) for t in ("//:@a", "//u:@a", "//:p@a")] == [
        ("", ""),
        ("u", ""),
        ("", "p"),
    ]
