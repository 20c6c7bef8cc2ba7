"""Conversions between IRIs and the `NamedNode` of pyoxigraph keep every character."""

from __future__ import annotations

import importlib
import sys

import pytest

pytest.importorskip("pyoxigraph", reason="needs pyoxigraph (pip install --group test-all)")

from hypothesis import given
from pyoxigraph import BlankNode, Literal, NamedNode
from strategies import hostile, produced

from uriverse import IRI, URI, URN, ConvertError, IRIReference, ParseError, URIError
from uriverse.integrations.pyoxigraph import from_named_node, to_named_node
from uriverse.rdf import PrefixMap


@given(produced("IRI"))
def test_the_characters_of_an_iri_are_kept(text: str) -> None:
    for given_iri in (text, IRI(text)):
        node = to_named_node(given_iri)
        assert node == NamedNode(text)
        assert node.value == text
        assert str(from_named_node(node)) == text


@given(hostile())
def test_other_strings_raise_errors_of_the_package(text: str) -> None:
    try:
        node = to_named_node(text)
    except URIError as error:
        assert isinstance(error, ConvertError | ParseError)  # noqa: PT017  # not always raised
    else:
        assert node.value == text


def test_the_result_is_a_uri_if_it_is_ascii() -> None:
    assert type(from_named_node(NamedNode("http://a/"))) is URI
    assert type(from_named_node(NamedNode("http://a/é"))) is IRI


def test_typed_uris_can_be_converted() -> None:
    assert to_named_node(URN("urn:isbn:0451450523")) == NamedNode("urn:isbn:0451450523")


def test_references_without_a_scheme_are_rejected() -> None:
    for reference in ("a", "", "//a/b", IRIReference("é")):
        with pytest.raises(ConvertError, match="missing scheme") as caught:
            to_named_node(reference)
        assert (caught.value.component, caught.value.position) == ("scheme", 0)


def test_invalid_strings_are_rejected_with_their_position() -> None:
    with pytest.raises(ParseError, match="invalid space") as caught:
        to_named_node("http://a/b c")
    assert (caught.value.code, caught.value.position) == ("syntax", 10)


@pytest.mark.parametrize("term", [Literal("http://a/"), BlankNode("b"), "http://a/", None])
def test_terms_that_are_not_iris_are_rejected(term: object) -> None:
    with pytest.raises(TypeError, match="expected a NamedNode, not"):
        from_named_node(term)  # type: ignore[arg-type]
    if not isinstance(term, str):
        with pytest.raises(TypeError):
            to_named_node(term)  # type: ignore[arg-type]


def test_curies_of_a_prefix_map_can_be_converted() -> None:
    prefixes = PrefixMap({"ex": "http://example.org/é/"})
    node = to_named_node(prefixes.expand("ex:a"))
    assert node.value == "http://example.org/é/a"
    assert prefixes.compact(from_named_node(node)) == "ex:a"


def test_the_error_for_missing_pyoxigraph_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    monkeypatch.delitem(sys.modules, "uriverse.integrations.pyoxigraph")
    with pytest.raises(
        ModuleNotFoundError, match=r"needs pyoxigraph; run pip install 'uriverse\[pyoxigraph\]'"
    ):
        importlib.import_module("uriverse.integrations.pyoxigraph")
