"""`uriverse._uri.editing`: edits of the query parameters in one call."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

from uriverse import IRI, URI, BuildError, IRIReference, Params, URIReference, parse

KINDS = (IRIReference, IRI, URIReference, URI)


@pytest.mark.parametrize(
    ("query", "name", "value", "edited"),
    [
        ("", "a", "b", "?a=b"),
        ("?", "a", "b", "?a=b"),
        ("?x=%7e&a=1&y", "a", "b c", "?x=%7e&a=b+c&y"),
        ("?a=1&x&a=2", "a", 3, "?a=3&x"),
        ("?a=1&x&a=2", "a", ["3", "4", "5"], "?a=3&x&a=4&a=5"),
        ("?a=1&x", "a", [], "?x"),
        ("?a=1", "a", [], ""),
        ("?a=1", "a", None, "?a"),
        ("?a=1", "b&=", "é&=", "?a=1&b%26%3D=%C3%A9%26%3D"),
        ("?a=1", b"\xff", b"\xfe", "?a=1&%FF=%FE"),
        ("?%61=1", "a", "2", "?%61=2"),
        ("?%61=1", "a", "1", "?%61=1"),
    ],
)
def test_with_param_replaces_the_values_of_a_name(
    query: str, name: str | bytes, value: Any, edited: str
) -> None:
    for kind in KINDS:
        before = kind(f"http://u:p@h:1/p{query}#f")
        after = before.with_param(name, value)
        assert (str(after), type(after)) == (f"http://u:p@h:1/p{edited}#f", kind)
        assert after == before.with_params(before.params.with_param(name, value))


@pytest.mark.parametrize(
    ("query", "name", "value", "edited"),
    [
        ("", "a", "b", "?a=b"),
        ("?a=%7e", "a", "b", "?a=%7e&a=b"),
        ("?a=1&", "b", "2", "?a=1&b=2"),
        ("?a=1", "a", [2, 3], "?a=1&a=2&a=3"),
        ("?a=1", "a", None, "?a=1&a"),
        ("?a=1", "a", [], "?a=1"),
    ],
)
def test_add_param_appends_to_the_query(query: str, name: str, value: Any, edited: str) -> None:
    before = URI(f"http://h/{query}#f")
    assert str(before.add_param(name, value)) == f"http://h/{edited}#f"


@pytest.mark.parametrize(
    ("query", "names", "edited"),
    [
        ("?a=1&b=%7e&a=2", ["a"], "?b=%7e"),
        ("?a=1&b=2", ["a", b"b"], ""),
        ("?a=1&b=2", ["c"], "?a=1&b=2"),
        ("?a=1", [], "?a=1"),
        ("?%61=1", ["a"], ""),
        ("?", ["a"], "?"),
        ("", ["a"], ""),
    ],
)
def test_without_params_removes_names(query: str, names: list[str | bytes], edited: str) -> None:
    before = URI(f"http://h/{query}#f")
    assert str(before.without_params(*names)) == f"http://h/{edited}#f"


def test_filter_params_keeps_and_drops_names_by_patterns() -> None:
    uri = URI("http://h/?q=1&utm_source=%7e&utm_medium=3&page=4#f")
    assert str(uri.filter_params(drop="utm_*")) == "http://h/?q=1&page=4#f"
    assert str(uri.filter_params(keep=["q", "utm_*"], drop="*_medium")) == (
        "http://h/?q=1&utm_source=%7e#f"
    )
    assert str(uri.filter_params(keep=())) == "http://h/#f"
    assert uri.filter_params() is uri


def test_update_params_accepts_mappings_pairs_params_and_keywords() -> None:
    uri = URI("http://h/?q=%7e&a=1&a=2#f")
    assert str(uri.update_params({"a": 3, "b": [4, 5]})) == "http://h/?q=%7e&a=3&b=4&b=5#f"
    assert str(uri.update_params([("a", 3), ("a", 4)])) == "http://h/?q=%7e&a=3&a=4#f"
    assert str(uri.update_params(iter([("a", 3)]))) == "http://h/?q=%7e&a=3#f"
    assert str(uri.update_params(Params("a=%7e&b"))) == "http://h/?q=%7e&a=%7E&b#f"
    assert (
        str(uri.update_params(MappingProxyType({"a": "3"}), b="4")) == "http://h/?q=%7e&a=3&b=4#f"
    )
    assert str(uri.update_params({"a": 3}, a=4)) == "http://h/?q=%7e&a=4#f"
    assert (
        str(uri.update_params(params="x", self="y")) == "http://h/?q=%7e&a=1&a=2&params=x&self=y#f"
    )
    assert uri.update_params() is uri


def test_with_params_replaces_the_whole_query() -> None:
    uri = URI("http://h/?q=%7e#f")
    assert str(uri.with_params({"a": "b c", "d": [1, 2]})) == "http://h/?a=b+c&d=1&d=2#f"
    assert str(uri.with_params([("a", "b"), ("a", "c")])) == "http://h/?a=b&a=c#f"
    assert str(uri.with_params(Params("x=%7e;+"))) == "http://h/?x=%7e;+#f"
    assert str(uri.with_params(None)) == str(uri.with_params({})) == "http://h/#f"
    assert uri.with_params(uri.params) is uri


def test_edits_that_change_nothing_return_the_same_object() -> None:
    for text in ("http://h/?q=%7e&a#f", "http://é/?q=%7e&a", "?q=~&a"):
        value = parse(text)
        assert value.with_param("q", "~") is value
        assert value.without_params("b") is value
        assert value.update_params(q="~") is value
        assert value.filter_params(drop="b") is value
        assert value.add_param("b", []) is value


def test_new_parameters_of_iris_and_references_are_encoded_in_ascii() -> None:
    assert str(IRI("http://é/?ü=ä").with_param("ö", "é")) == "http://é/?ü=ä&%C3%B6=%C3%A9"
    assert str(IRI("http://é/?ü=ä").with_param("ü", "x")) == "http://é/?ü=x"
    assert str(URIReference("").with_param("a", "b")) == "?a=b"
    assert str(URIReference("#f").with_params({"a": "b"})) == "?a=b#f"


def test_parameters_that_the_type_does_not_allow_are_rejected() -> None:
    with pytest.raises(BuildError) as caught:
        URI("http://h/").with_params(IRI("http://h/?é").params)
    assert caught.value.component == "query"
    with pytest.raises(BuildError, match="lone surrogate"):
        URI("http://h/").with_param("a", "\ud800")


EDITS: dict[str, Callable[[URI, Any], URI]] = {
    "with_param(name)": lambda uri, wrong: uri.with_param(wrong, "x"),
    "with_param(value)": lambda uri, wrong: uri.with_param("x", wrong),
    "add_param(name)": lambda uri, wrong: uri.add_param(wrong, "x"),
    "add_param(value)": lambda uri, wrong: uri.add_param("x", wrong),
    "without_params": lambda uri, wrong: uri.without_params(wrong),
    "with_params": lambda uri, wrong: uri.with_params(wrong),
    "update_params": lambda uri, wrong: uri.update_params(wrong),
    "filter_params(keep)": lambda uri, wrong: uri.filter_params(keep=wrong),
    "filter_params(drop)": lambda uri, wrong: uri.filter_params(drop=wrong),
    "build": lambda _, wrong: URI.build(scheme="a", params=wrong),
    "replace": lambda uri, wrong: uri.replace(params=wrong),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("wrong", [object(), URI("a:b"), [object()], 1j])
def test_arguments_of_a_wrong_type_raise_a_type_error(edit: str, wrong: Any) -> None:
    with pytest.raises(TypeError) as caught:
        EDITS[edit](URI("http://h/?q=1"), wrong)
    # No message mentions a private name.
    assert " _" not in f" {caught.value}"


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("with_param", "2 required positional arguments: 'name' and 'value'"),
        ("add_param", "2 required positional arguments: 'name' and 'value'"),
        ("with_params", "1 required positional argument: 'params'"),
    ],
)
def test_missing_arguments_raise_a_type_error_that_names_the_method(
    name: str, missing: str
) -> None:
    with pytest.raises(TypeError, match=rf"^URI\.{name}\(\) missing {missing}"):
        getattr(URI("http://h/"), name)()


class Labeled(URI):
    """A subclass that stores an attribute."""

    label = ""

    def __init__(self, text: str) -> None:
        self.label = f"label of {text}"


def test_every_edit_of_the_parameters_of_a_subclass_returns_the_public_type() -> None:
    value = Labeled("http://h/?q=1")
    for made in (
        value.with_param("q", 2),
        value.add_param("q", 2),
        value.without_params("q"),
        value.filter_params(drop="q"),
        value.update_params(q=2),
        value.with_params({"a": "b"}),
    ):
        assert type(made) is URI
    built = Labeled.build(scheme="http", host="h", params={"a": "b"})
    assert built.label == "label of http://h?a=b"


def test_sorted_params_sorts_by_name_and_keeps_the_order_of_equal_names() -> None:
    uri = URI("http://a/?b=2&%61=x&b=1&&a#f")
    assert str(uri.sorted_params()) == "http://a/?&%61=x&a&b=2&b=1#f"
    for unchanged in ("http://a/", "http://a/?", "http://a/?a&b"):
        assert str(URI(unchanged).sorted_params()) == unchanged
