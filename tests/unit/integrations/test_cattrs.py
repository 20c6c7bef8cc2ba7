from __future__ import annotations

import importlib
import json
import sys
from typing import Annotated, Any

import attrs
import cattrs
import pytest
from cattrs.preconf.json import make_converter
from hypothesis import given
from strategies import produced

from uriverse import IRI, URI, URN, IRIReference, ParseError
from uriverse.integrations.cattrs import configure, format_exception
from uriverse.integrations.constraints import Constraints

SECURE = Constraints(schemes={"https"})
SHORT = Constraints(max_length=20)


@attrs.define
class Page:
    link: URI
    urn: URN | None = None
    others: dict[IRIReference, list[IRI]] = attrs.Factory(dict)
    secure: Annotated[URI | None, SECURE, "other metadata", SHORT] = None


CONVERTERS: list[Any] = [
    configure(cattrs.Converter()),
    configure(cattrs.Converter(detailed_validation=False)),
    configure(make_converter()),
]
converters = pytest.mark.parametrize("converter", CONVERTERS)


@converters
@given(produced("URI"), produced("IRI-reference"), produced("IRI"))
def test_classes_keep_every_accepted_string(
    converter: Any, uri: str, reference: str, iri: str
) -> None:
    given = {"link": uri, "urn": None, "others": {reference: [iri]}, "secure": None}
    page = converter.structure(given, Page)
    assert [type(page.link), type(*page.others)] == [URI, IRIReference]
    assert converter.unstructure(page) == given
    assert json.loads(json.dumps(converter.unstructure(page))) == given


@converters
def test_typed_uris_values_and_constrained_fields(converter: Any) -> None:
    given = {"link": "a:b", "urn": "urn:example:A%2c", "others": {}, "secure": "https://a/"}
    page = converter.structure(given, Page)
    assert page.urn == URN("urn:example:A%2c")
    assert (type(page.secure), str(page.secure)) == (URI, "https://a/")
    assert converter.unstructure(page) == given
    assert converter.structure(page.link, URI) is page.link
    assert converter.structure(IRI("a:b"), URI) == page.link


@pytest.mark.parametrize("converter", [CONVERTERS[0], CONVERTERS[2]])
def test_an_error_of_cattrs_has_the_code_the_position_and_the_path(converter: Any) -> None:
    given = {
        "link": "http://me:secret@a/^",
        "urn": None,
        "others": {"": ["a:b c"]},
        "secure": "http://secret.a/",
    }
    with pytest.raises(cattrs.ClassValidationError) as caught:
        converter.structure(given, Page)
    assert cattrs.transform_error(caught.value, format_exception=format_exception) == [
        'invalid character "^" in path (syntax, position 19) @ $.link',
        "invalid space in path (syntax, position 3) @ $.others[''][0]",
        "unexpected scheme: expected https (scheme-not-allowed, position 0) @ $.secure",
    ]


def test_without_detailed_validation_the_error_is_a_parse_error() -> None:
    with pytest.raises(ParseError) as caught:
        CONVERTERS[1].structure({"link": "http://a/", "secure": "https://a/" + "b" * 20}, Page)
    assert (caught.value.code, caught.value.position) == ("too-long", 20)


@converters
def test_other_inputs_are_typeerrors(converter: Any) -> None:
    with pytest.raises(TypeError, match="expected a str"):
        converter.structure(1, URI)


@converters
def test_other_types_are_structured_by_cattrs(converter: Any) -> None:
    assert converter.structure(["1"], list[int]) == [1]
    assert converter.unstructure([1]) == [1]
    assert converter.structure("1", Annotated[int, "other metadata"]) == 1
    with pytest.raises(TypeError, match="Constraints requires a URI type such as URI, not int"):
        converter.structure("1", Annotated[int, SECURE])


def test_the_error_for_missing_cattrs_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cattrs", None)
    monkeypatch.delitem(sys.modules, "uriverse.integrations.cattrs")
    with pytest.raises(
        ModuleNotFoundError, match=r"needs cattrs; run pip install 'uriverse\[attrs\]'"
    ):
        importlib.import_module("uriverse.integrations.cattrs")
