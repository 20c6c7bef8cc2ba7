"""Check the formats of JSON Schema for URIs, IRIs and URI Templates with jsonschema.

The formats are `uri`, `uri-reference`, `iri`, `iri-reference` and `uri-template`. Without further
packages, [jsonschema][1] accepts every string for them. This module checks them by the grammars of
RFC 3986, RFC 3987 and RFC 6570.

[1]: https://python-jsonschema.readthedocs.io/

>>> from jsonschema import Draft202012Validator
>>> from uriverse.integrations.jsonschema import format_checker
>>> schema = {"type": "string", "format": "uri"}
>>> validator = Draft202012Validator(schema, format_checker=format_checker())
>>> for error in validator.iter_errors("http://example.org/a b"):
...     print(error.message)
'http://example.org/a b' is not a 'uri': invalid space in path (syntax, position 20)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from uriverse import (
    IRI,
    URI,
    IRIReference,
    URIReference,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    redact,
)
from uriverse._errors import ParseError, TemplateError
from uriverse._lazy import explain_missing_module
from uriverse.templates import Template

from ._parsing import redact_error_text, summarize_error

try:
    from jsonschema import Draft202012Validator, FormatChecker, validators
    from jsonschema.exceptions import FormatError
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "jsonschema")
    raise ModuleNotFoundError(_message, name=missing.name) from missing


__all__ = ["format_checker", "redacting", "register"]
__dir__ = __all__.copy


def format_checker(base: FormatChecker | None = None) -> FormatChecker:
    """Return a format checker that checks URIs, IRIs and URI Templates with uriverse.

    The new checker has the formats `uri`, `uri-reference`, `iri`, `iri-reference` and
    `uri-template`, and all other formats of `base`. As JSON Schema requires, values that are not
    strings conform to every format.

    The message of a `ValidationError` contains the reason, the code and the position of the error,
    and its `cause` is a `ParseError`, or a `TemplateError` for a template. Secrets are redacted in
    the message, but jsonschema keeps the invalid value in the attribute `instance`, and
    `str(error)` shows it. Use `redacting` to redact both, and the errors of other keywords as well.

    Args:
        base: the checker with the other formats, which is not changed; `None` for that of draft
            2020-12.

    Returns:
        A new format checker.

    >>> from jsonschema import Draft7Validator, ValidationError
    >>> checker = format_checker(Draft7Validator.FORMAT_CHECKER)
    >>> validator = Draft7Validator({"format": "iri"}, format_checker=checker)
    >>> try:
    ...     validator.validate("//example.org/rosé")
    ... except ValidationError as error:
    ...     print(error.cause.code, error.cause.position, error.cause.reason)
    syntax 0 missing scheme: an IRI starts with a scheme and a colon
    """
    checker = FormatChecker(())
    checker.checkers = {**(base or Draft202012Validator.FORMAT_CHECKER).checkers}
    register(checker)
    return checker


def register(checker: FormatChecker, /) -> None:
    """Add the formats for URIs, IRIs and URI Templates to an existing format checker.

    The checker then checks these formats with uriverse, as the result of `format_checker` does.

    Args:
        checker: the checker to change. The checkers of drafts, such as
            `Draft202012Validator.FORMAT_CHECKER`, are shared by the whole program.

    >>> from jsonschema import FormatChecker
    >>> checker = FormatChecker(["date"])
    >>> register(checker)
    >>> checker.conforms("http://example.org/", "uri"), checker.conforms("a b", "uri")
    (True, False)
    """
    for name, test in _TESTS.items():
        checker.checks(name)(_make_check(name, test))


def _make_check(name: str, test: Callable[[str], bool]) -> Callable[[object], bool]:
    def check(instance: object) -> bool:
        if not isinstance(instance, str) or test(instance):
            return True
        error = _find_error(instance, name)
        # jsonschema uses the message of this exception. For any other exception, it writes its own
        # message, which would show the secrets of the string.
        message = f"{redact_error_text(error)!r} is not a {name!r}: {summarize_error(error)}"
        raise FormatError(message, cause=error)

    return check


#: The type stubs of `extend` are incomplete.
_untyped: Any = validators


def redacting(cls: Any = Draft202012Validator, /) -> Any:
    """Return a validator class that replaces the secrets of URIs in all errors.

    jsonschema quotes invalid values in most messages, and `str(error)` shows them again. For errors
    of the new class, secrets are replaced in `message`, `instance` and `path`.

    Args:
        cls: the validator class with the keywords, for example that of another draft.

    Returns:
        A new validator class.

    >>> schema = {"type": "object"}
    >>> for error in redacting()(schema).iter_errors("https://me:hunter2@example.org/"):
    ...     print(error.message)
    'https://me:REDACTED@example.org/' is not of type 'object'
    """
    return _untyped.extend(
        cls, {name: _redact_keyword(function) for name, function in cls.VALIDATORS.items()}
    )


def _redact_keyword(function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    def validate(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        for error in function(validator, value, instance, schema) or ():
            error.relative_path = error.path = deque(map(_redact_json, error.relative_path))
            # jsonschema stores the keyword after this function, so it is only known in errors of
            # members of arrays and objects, which are redacted already.
            is_error_of_member = isinstance(error.validator, str)
            if not is_error_of_member:
                _redact_error(error, instance)
            yield error

    return validate


def _redact_error(error: Any, instance: Any) -> None:
    """Replace the secrets in an error and in its message, which quotes `instance`."""
    if isinstance(error.cause, ParseError | TemplateError):
        # `_make_check` has redacted the rest of the message.
        error.instance = redact_error_text(error.cause)
        error.message = error.message.replace(repr(instance), repr(error.instance))
    else:
        error.instance = _redact_json(instance)
        error.message = redact(error.message.replace(repr(instance), repr(error.instance)))


def _redact_json(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_redact_json(member) for member in cast("Iterable[object]", value)]
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        return {_redact_json(name): _redact_json(member) for name, member in members}
    return value


def _is_uri_template(text: str) -> bool:
    try:
        Template(text)
    except TemplateError:
        return False
    return True


#: The function that tests a string, by the name of the format.
_TESTS: dict[str, Callable[[str], bool]] = {
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "uri-template": _is_uri_template,
}

#: The type of the strings that conform to a format, by the name of the format.
_TYPES: dict[str, type[IRIReference | Template]] = {
    "uri": URI,
    "uri-reference": URIReference,
    "iri": IRI,
    "iri-reference": IRIReference,
    "uri-template": Template,
}


def _find_error(text: str, name: str) -> ParseError | TemplateError:
    try:
        _TYPES[name](text)
    except (ParseError, TemplateError) as error:
        return error
    raise AssertionError("the test and the type of a format accept the same strings")
