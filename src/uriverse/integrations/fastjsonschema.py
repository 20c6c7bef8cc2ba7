"""Check the formats of JSON Schema for URIs, IRIs and URI Templates with fastjsonschema.

The formats are `uri`, `uri-reference`, `iri`, `iri-reference` and `uri-template`.
[fastjsonschema][1] checks `uri` with a short regular expression, and accepts every string for the
others. This module checks all of them by the grammars of RFC 3986, RFC 3987 and RFC 6570.

[1]: https://horejsek.github.io/python-fastjsonschema/

>>> from uriverse.integrations import fastjsonschema
>>> validate = fastjsonschema.compile({"properties": {"url": {"format": "uri"}}})
>>> validate({"url": "http://example.org/"})
{'url': 'http://example.org/'}
>>> try:
...     validate({"url": "http://example.org/a b"})
... except ValueError as error:
...     print(error)
data.url must be uri: invalid space in path (syntax, position 20)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from uriverse import redact
from uriverse._extras import not_installed

try:
    import fastjsonschema
    from fastjsonschema import JsonSchemaException, JsonSchemaValueException
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "fastjsonschema") from missing

from ._json_schema import TESTS, error_of
from ._summaries import summary

__all__ = ["FORMATS", "compile"]
__dir__ = __all__.copy

FORMATS: Mapping[str, Callable[[str], bool]] = dict(TESTS)
"""The functions that check the formats, by the names of the formats.

Pass them to functions of fastjsonschema as `formats`, for example to `compile_to_code`. Errors then
name only the format; for the reason and the position, use `compile` of this module.
"""


def compile(  # noqa: A001 - the name in fastjsonschema
    definition: Any, *, formats: Mapping[str, Any] | None = None, **options: Any
) -> Callable[..., Any]:
    """Compile a schema to a function that validates data, as `fastjsonschema.compile` does.

    The returned function checks the formats in `FORMATS` with uriverse. The message of its
    `JsonSchemaValueException` ends with the reason, the code and the position of the error, and the
    `__cause__` of the exception is a `ParseError`, or a `TemplateError` for a template. Messages
    contain no secrets of values, but the attribute `value` is the invalid string itself.

    Args:
        definition: the schema.
        formats: further formats, or replacements for those in `FORMATS`.
        options: other arguments of `fastjsonschema.compile`. With `detailed_exceptions=False`,
            errors do not have the invalid value, and messages name only the format.

    Returns:
        A function that returns the valid data.

    Raises:
        fastjsonschema.JsonSchemaDefinitionException: the schema is invalid.

    >>> validate = compile({"format": "uri-reference"})
    >>> validate("../a?b")
    '../a?b'
    >>> try:
    ...     validate("a b")
    ... except ValueError as error:
    ...     print(error.__cause__.code, error.__cause__.position)
    syntax 1
    """
    validate: Callable[..., Any] = fastjsonschema.compile(
        definition, formats={**FORMATS, **(formats or {})}, **options
    )
    replaced = frozenset(formats or ())

    @functools.wraps(validate)
    def validate_with_reasons(data: Any, *arguments: Any, **keywords: Any) -> Any:
        try:
            return validate(data, *arguments, **keywords)
        except JsonSchemaValueException as invalid:
            _explain(invalid, replaced)
            raise
        except JsonSchemaException as exception:
            # With `fast_fail=False`, the exception has a list of errors.
            error: Any = exception
            for each in error.errors:
                _explain(each, replaced)
            error.message = "; ".join(each.message for each in error.errors)
            error.args = (error.message,)
            raise

    return validate_with_reasons


def _explain(error: JsonSchemaValueException, replaced: frozenset[str]) -> None:
    """Add the reason and the cause to an error of one of the formats in `FORMATS`.

    Replace the secrets in the message of any error: it may contain the names of properties.
    """
    error.message = redact(error.message)
    name: Any = error.rule_definition if error.rule == "format" else None
    if name in FORMATS and name not in replaced:
        cause = error_of(error.value, name)
        error.message = f"{error.message}: {summary(cause)}"
        error.__cause__ = cause
    error.args = (error.message,)
