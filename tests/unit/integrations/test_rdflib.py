"""Conversions between IRIs and the `URIRef` of rdflib keep every character."""

from __future__ import annotations

import importlib
import sys

import pytest

pytest.importorskip("rdflib", reason="needs rdflib (pip install --group test-all)")

from hypothesis import given
from rdflib import BNode, Graph, Literal, URIRef
from strategies import hostile, produced

from uriverse import IRI, URI, URN, ConvertError, IRIReference, ParseError, URIError
from uriverse.integrations.rdflib import from_uriref, to_uriref
from uriverse.rdf import PrefixMap


@given(produced("IRI"))
def test_the_characters_of_an_iri_are_kept(text: str) -> None:
    for given_iri in (text, IRI(text)):
        ref = to_uriref(given_iri)
        assert type(ref) is URIRef
        assert str(ref) == text
        assert str(from_uriref(ref)) == text


@given(hostile())
def test_other_strings_raise_errors_of_the_package(text: str) -> None:
    for function in (to_uriref, lambda given_text: from_uriref(URIRef(given_text))):
        try:
            result = function(text)
        except URIError as error:
            assert isinstance(error, ConvertError | ParseError)  # noqa: PT017  # not always raised
        else:
            assert str(result) == text


def test_the_result_is_a_uri_if_it_is_ascii() -> None:
    assert type(from_uriref(URIRef("http://a/"))) is URI
    assert type(from_uriref(URIRef("http://a/é"))) is IRI


def test_typed_uris_can_be_converted() -> None:
    assert to_uriref(URN("urn:isbn:0451450523")) == URIRef("urn:isbn:0451450523")


def test_references_without_a_scheme_are_rejected() -> None:
    for reference in ("a", "", "//a/b", IRIReference("é")):
        with pytest.raises(ConvertError, match="missing scheme") as caught:
            to_uriref(reference)
        assert (caught.value.component, caught.value.position) == ("scheme", 0)
    with pytest.raises(ConvertError, match="missing scheme"):
        from_uriref(URIRef("a"))


def test_invalid_iris_of_a_graph_are_rejected_with_their_position() -> None:
    with pytest.raises(ParseError, match="invalid space") as caught:
        from_uriref(URIRef("http://a/b c"))
    assert (caught.value.code, caught.value.position) == ("syntax", 10)


@pytest.mark.parametrize("term", [Literal("http://a/"), BNode("b"), "http://a/", None])
def test_terms_that_are_not_iris_are_rejected(term: object) -> None:
    with pytest.raises(TypeError, match="expected a URIRef, not"):
        from_uriref(term)  # type: ignore[arg-type]
    if not isinstance(term, str):
        with pytest.raises(TypeError):
            to_uriref(term)  # type: ignore[arg-type]


def test_the_namespaces_of_a_graph_are_a_prefix_map() -> None:
    graph = Graph()
    graph.bind("ex", "http://example.org/é/")
    for prefixes in (PrefixMap(graph.namespaces()), PrefixMap(dict(graph.namespaces()))):
        assert str(prefixes.expand("ex:a")) == "http://example.org/é/a"
        assert prefixes.compact("http://example.org/é/b") == "ex:b"
        assert prefixes.compact(to_uriref("http://example.org/é/b")) == "ex:b"
        assert type(str(prefixes["ex"])) is str
        assert prefixes.compact("http://www.w3.org/1999/02/22-rdf-syntax-ns#type") == "rdf:type"


def test_a_prefix_map_can_be_bound_to_a_graph() -> None:
    graph = Graph()
    for prefix, namespace in PrefixMap({"ex": "http://example.org/"}).items():
        graph.bind(prefix, to_uriref(namespace))
    graph.add((to_uriref("http://example.org/a"), to_uriref("http://example.org/b"), Literal("c")))
    # Old versions of rdflib return bytes.
    assert "ex:a ex:b" in str(graph.serialize(format="turtle"))


def test_the_error_for_missing_rdflib_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rdflib", None)
    monkeypatch.setitem(sys.modules, "rdflib.term", None)
    monkeypatch.delitem(sys.modules, "uriverse.integrations.rdflib")
    with pytest.raises(
        ModuleNotFoundError, match=r"needs rdflib\S*; run pip install 'uriverse\[rdflib\]'"
    ):
        importlib.import_module("uriverse.integrations.rdflib")
