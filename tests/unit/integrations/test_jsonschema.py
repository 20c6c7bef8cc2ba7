from typing import Any

import pytest
from hypothesis import given
from json_schema import FORMATS, suite
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker, ValidationError
from strategies import texts

from uriverse import ParseError, TemplateError, is_iri, is_iri_reference, is_uri, is_uri_reference
from uriverse.integrations.jsonschema import format_checker, redacting, register

CHECKER = format_checker()
TESTS = dict(zip(FORMATS[:4], (is_uri, is_uri_reference, is_iri, is_iri_reference), strict=True))


def validator(name: str) -> Any:
    return Draft202012Validator({"format": name}, format_checker=CHECKER)


def error_of(name: str, text: str) -> ValidationError:
    error: ValidationError
    (error,) = validator(name).iter_errors(text)
    return error


def test_the_official_suite_passes() -> None:
    cases = suite()
    assert len(cases) == 119
    wrong = [case for case in cases if validator(case[0]).is_valid(case[1]) is not case[2]]
    assert wrong == []


def test_values_that_are_not_strings_conform() -> None:
    value: Any
    for name in FORMATS:
        assert not CHECKER.conforms("a b", name)
        assert not validator(name).is_valid("%zz")
        assert name in CHECKER.checkers
    # Values that are not strings conform.
    for name in FORMATS:
        for value in [None, 1, 1.5, True, [], {}, ["a b"]]:
            assert validator(name).is_valid(value)


@given(texts())
def test_a_string_conforms_if_and_only_if_its_type_accepts_it(text: str) -> None:
    for name, test in TESTS.items():
        assert CHECKER.conforms(text, name) is test(text)


def test_an_error_has_the_reason_the_code_and_the_position() -> None:
    error = error_of("uri", "http://example.org/a b")
    assert isinstance(error.cause, ParseError)
    assert (error.cause.code, error.cause.position) == ("syntax", 20)
    assert error.message == (
        "'http://example.org/a b' is not a 'uri': invalid space in path (syntax, position 20)"
    )
    assert (error.validator, error.instance) == ("format", "http://example.org/a b")
    # An error of a template has the reason and the position.
    error = error_of("uri-template", "/users/{user-id}")
    assert isinstance(error.cause, TemplateError)
    assert error.cause.position == 12
    assert error.message == (
        "'/users/{user-id}' is not a 'uri-template': invalid character '-' in expression "
        "(template-syntax, position 12)"
    )
    # A message contains no secrets.
    for text in ("http://me:hunter2@example.org/a b", "//h/?access_token=hunter2"):
        assert "hunter2" not in error_of("uri", text).message


SECRET = "https://svc:Hunter2@db/ x"

#: Schemas, and values that violate them and contain a password.
LEAKS: list[tuple[dict[str, Any], Any]] = [
    *(({"format": "uri"}, SECRET), ({"format": "uri"}, "//h/?access_token=Hunter2 x")),
    *(({"format": "uri-template"}, SECRET), ({"type": "number"}, SECRET)),
    *(({"type": "number"}, [{"a": SECRET}]), ({"enum": ["a"]}, SECRET), ({"maxLength": 3}, SECRET)),
    ({"pattern": "^a"}, SECRET),
    ({"anyOf": [{"format": "uri"}, {"type": "null"}]}, SECRET),
    ({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"format": "uri"}}}, [SECRET, 1]),
    ({"additionalProperties": False}, {SECRET: 1}),
    ({"additionalProperties": {"format": "uri"}}, {SECRET: SECRET}),
    ({"propertyNames": {"maxLength": 3}}, {SECRET: 1}),
    ({"uniqueItems": True}, [SECRET, SECRET]),
]


@pytest.mark.parametrize("cls", [Draft202012Validator, Draft7Validator])
@pytest.mark.parametrize(("schema", "value"), LEAKS)
def test_errors_of_redacting_classes_are_safe(cls: Any, schema: dict[str, Any], value: Any) -> None:
    errors = list(redacting(cls)(schema, format_checker=CHECKER).iter_errors(value))
    plain = list(cls(schema, format_checker=CHECKER).iter_errors(value))
    assert [error.validator for error in errors] == [error.validator for error in plain]
    assert any("Hunter2" in str(error) for error in plain) is bool(plain)
    for error in errors:
        shown = (error, error.message, error.instance, *error.path, *error.context)
        assert all("Hunter2" not in f"{each} {each!r}" for each in shown)
        assert "REDACTED" in str(error)


def test_a_redacting_class_accepts_what_its_base_accepts() -> None:
    schema = {"properties": {"a": {"format": "uri"}}, "required": ["a"]}
    validator = redacting()(schema, format_checker=CHECKER)
    assert validator.is_valid({"a": "http://me:pw@a/"})
    assert [error.message for error in validator.iter_errors({})] == ["'a' is a required property"]
    (error,) = validator.iter_errors({"a": "http://me:pw@a/ b"})
    assert list(error.path) == ["a"]
    assert error.message == (
        "'http://me:REDACTED@a/ b' is not a 'uri': invalid space in path (syntax, position 15)"
    )


def test_other_formats_of_the_base_are_kept() -> None:
    base = FormatChecker(["date", "ipv4"])
    checker = format_checker(base)
    assert set(checker.checkers) == {"date", "ipv4", *FORMATS}
    assert set(base.checkers) == {"date", "ipv4"}
    assert not checker.conforms("tomorrow", "date")
    assert set(format_checker().checkers) >= set(Draft202012Validator.FORMAT_CHECKER.checkers)
    # Registering changes only the given checker.
    shared = dict(Draft7Validator.FORMAT_CHECKER.checkers)
    checker = FormatChecker(())
    register(checker)
    assert set(checker.checkers) == set(FORMATS)
    assert Draft7Validator.FORMAT_CHECKER.checkers == shared
    assert "uri" in FormatChecker().checkers or "uri" not in shared


def test_a_format_in_a_branch_that_fails_does_not_raise() -> None:
    schema = {"anyOf": [{"format": "uri"}, {"format": "iri-reference"}], "not": {"format": "iri"}}
    branches: Any = Draft202012Validator(schema, format_checker=CHECKER)
    assert branches.is_valid("é")
    assert not branches.is_valid("a b")
    assert not branches.is_valid("http://é/")
    # References in the meta schema are checked.
    checker: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA, format_checker=CHECKER)
    assert checker.is_valid({"$id": "https://example.org/schema", "$ref": "#/$defs/a"})
    assert not checker.is_valid({"$ref": "#/$defs/a b"})
