from __future__ import annotations

import importlib
import inspect
import sys
from typing import Any

import fastjsonschema
import pytest
from fastjsonschema import JsonSchemaDefinitionException, JsonSchemaValueException
from hypothesis import given
from json_schema import FORMATS as NAMES
from json_schema import suite
from strategies import texts

from uriverse import (
    ParseError,
    TemplateError,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
)
from uriverse.integrations.fastjsonschema import FORMATS
from uriverse.integrations.fastjsonschema import compile as compiled

TESTS = dict(zip(NAMES[:4], (is_uri, is_uri_reference, is_iri, is_iri_reference), strict=True))
VALIDATORS = {name: compiled({"format": name}) for name in NAMES}
PAGE = {"type": "object", "properties": {"url": {"format": "uri"}, "n": {"type": "number"}}}


def conforms(name: str, value: object) -> bool:
    try:
        VALIDATORS[name](value)
    except JsonSchemaValueException:
        return False
    return True


def test_the_official_suite_passes() -> None:
    cases = suite()
    assert len(cases) == 119
    assert [case for case in cases if conforms(*case[:2]) is not case[2]] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_formats_are_active(name: str) -> None:
    assert not conforms(name, "a b")
    with pytest.raises(JsonSchemaValueException, match=f"data must be {name}"):
        fastjsonschema.validate({"format": name}, "%zz", formats=FORMATS)


@given(texts())
def test_a_string_conforms_if_and_only_if_its_type_accepts_it(text: str) -> None:
    for name, test in TESTS.items():
        assert conforms(name, text) is test(text)


@pytest.mark.parametrize("value", [None, 1, 1.5, True, [], {}, ["a b"]])
def test_values_that_are_not_strings_conform(value: object) -> None:
    assert all(conforms(name, value) for name in NAMES)


def test_an_error_has_the_path_the_reason_the_code_and_the_position() -> None:
    with pytest.raises(JsonSchemaValueException) as caught:
        compiled({"type": "array", "items": PAGE})([{"url": "http://a/"}, {"url": "http://a/b c"}])
    error = caught.value
    expected = "data[1].url must be uri: invalid space in path (syntax, position 10)"
    assert str(error) == error.message == expected
    assert error.path == ["data", "1", "url"]
    assert isinstance(error.__cause__, ParseError)
    assert (error.__cause__.code, error.__cause__.position) == ("syntax", 10)


def test_an_error_of_a_template_has_the_reason_and_the_position() -> None:
    with pytest.raises(JsonSchemaValueException) as caught:
        VALIDATORS["uri-template"]("/users/{user-id}")
    assert str(caught.value) == (
        "data must be uri-template: invalid character '-' in expression "
        "(template-syntax, position 12)"
    )
    assert isinstance(caught.value.__cause__, TemplateError)


def test_a_message_contains_no_secrets() -> None:
    with pytest.raises(JsonSchemaValueException) as caught:
        VALIDATORS["uri"]("http://me:hunter2@a b/?access_token=hunter2")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("schema", "rest"),
    [
        ({"additionalProperties": False}, "} properties"),
        (
            {"additionalProperties": {"format": "uri"}},
            "must be uri: invalid space in path (syntax, position 3)",
        ),
        ({"propertyNames": {"maxLength": 3}}, "data must be named by propertyName definition"),
    ],
)
@pytest.mark.parametrize("fast_fail", [True, False])
def test_a_message_contains_no_secrets_of_names(
    schema: dict[str, Any], rest: str, fast_fail: bool
) -> None:
    options: dict[str, Any] = {} if fast_fail else {"fast_fail": False}
    if options and not hasattr(fastjsonschema, "JsonSchemaValuesException"):
        pytest.skip("this version of fastjsonschema stops at the first error")
    with pytest.raises(ValueError, match="data") as caught:
        compiled(schema, **options)({"http://me:hunter2@a/?token=hunter2": "a:b c"})
    assert "hunter2" not in str(caught.value)
    assert str(caught.value).endswith(rest)


def test_each_of_several_errors_has_its_reason() -> None:
    several = getattr(fastjsonschema, "JsonSchemaValuesException", None)
    if several is None:
        pytest.skip("this version of fastjsonschema stops at the first error")
    validate = compiled(PAGE, fast_fail=False)
    assert validate({"url": "a:b"}) == {"url": "a:b"}
    with pytest.raises(several) as caught:
        validate({"url": "a:b c", "n": "x"})
    messages = [each.message for each in caught.value.errors]
    assert messages == [
        "data.url must be uri: invalid space in path (syntax, position 3)",
        "data.n must be number",
    ]
    assert str(caught.value) == caught.value.message == "; ".join(messages)


def test_other_errors_and_formats_are_those_of_fastjsonschema() -> None:
    schema = {"format": "uri"}
    with pytest.raises(JsonSchemaValueException) as caught:
        compiled(schema, formats={"uri": "^x"})("a")
    assert caught.value.message == "data must be uri"
    with pytest.raises(JsonSchemaValueException) as caught:
        compiled({"format": "even"}, formats={"even": lambda text: len(text) % 2 == 0})("a")
    assert caught.value.message == "data must be even"
    with pytest.raises(JsonSchemaDefinitionException):
        compiled({"type": "nothing"})


def test_the_options_of_fastjsonschema_are_available() -> None:
    options = inspect.signature(fastjsonschema.compile).parameters
    if "detailed_exceptions" not in options:
        pytest.skip("this version of fastjsonschema has fewer options")
    assert compiled({"format": "uri"}, use_formats=False)("a b") == "a b"
    with pytest.raises(JsonSchemaValueException) as caught:
        compiled({"format": "uri"}, detailed_exceptions=False)("a")
    assert caught.value.message == "data must be uri"


def test_a_format_in_a_branch_that_fails_does_not_raise() -> None:
    validate = compiled({"anyOf": [{"format": "uri"}, {"format": "iri-reference"}]})
    assert validate("é") == "é"
    with pytest.raises(JsonSchemaValueException):
        validate("a b")


def test_generated_code_accepts_the_formats() -> None:
    code = fastjsonschema.compile_to_code({"format": "iri"}, formats=FORMATS)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["validate"]("http://é/", FORMATS) == "http://é/"
    with pytest.raises(JsonSchemaValueException):
        names["validate"]("é", FORMATS)


def test_the_error_for_missing_fastjsonschema_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fastjsonschema", None)
    monkeypatch.delitem(sys.modules, "uriverse.integrations.fastjsonschema")
    with pytest.raises(
        ModuleNotFoundError,
        match=r"needs fastjsonschema; run pip install 'uriverse\[fastjsonschema\]'",
    ):
        importlib.import_module("uriverse.integrations.fastjsonschema")
