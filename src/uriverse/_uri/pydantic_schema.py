"""Schemas of fields of our types, whose method `__get_pydantic_core_schema__` imports them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticKnownError,
    ValidationError,
    core_schema,
)

from uriverse import _redaction
from uriverse._errors import ParseError, TemplateError, find_error_secrets, get_code
from uriverse._uri.engine import Identifier

#: The message of all errors. pydantic replaces the names in braces with entries of `ctx`.
MESSAGE = "{reason} (position {position})"


#: Classes of URLs in other packages, by module. Lax mode accepts them: their `str()` is the URL.
URL_CLASSES = {"pydantic": "AnyUrl", "yarl": "URL"}


def create_field_schema(kind: type[Any]) -> CoreSchema:
    """Return the schema of a field with values of a type, or strings that it accepts.

    Strict mode accepts strings too, the only form of a URI in JSON. Lax mode also accepts the URLs
    of pydantic and yarl. JSON has the string; Python objects have the value.
    """
    # pydantic rejects the option `strict` of a field unless the schema distinguishes both modes.
    return core_schema.lax_or_strict_schema(
        create_plain_schema(kind, strict=False),
        create_plain_schema(kind, strict=True),
        serialization=core_schema.to_string_ser_schema(when_used="json"),
    )


def create_plain_schema(kind: type[Any], *, strict: bool) -> CoreSchema:
    """Return a schema that calls the constructor of a type, and converts its errors."""

    def validate(value: object) -> object:
        # The first test is the fastest one, and nearly all inputs are strings.
        if type(value) is not str and isinstance(value, kind):
            return value
        try:
            return kind(value)
        except (ParseError, TemplateError) as error:
            raise_validation_error(error, value)
        except TypeError:
            if isinstance(value, str | Identifier):
                raise  # The constructor of a subclass has a bug.
            if strict or not is_foreign_url(value):
                raise PydanticKnownError("string_type") from None
        # The value is a URL of another package, so its string is the URL.
        return validate(str(value))

    # pydantic shows the name of the function in the place of an error in a union.
    validate.__name__ = validate.__qualname__ = kind.__name__
    return core_schema.no_info_plain_validator_function(validate)


def is_foreign_url(value: object) -> bool:
    """Return whether a value is a URL of another package, without importing the package."""
    classes = (getattr(sys.modules.get(module), name, ()) for module, name in URL_CLASSES.items())
    return any(isinstance(value, cls) for cls in classes)


def create_json_schema(
    name: str, handler: Callable[[CoreSchema], dict[str, Any]]
) -> dict[str, Any]:
    """Return the JSON schema, with what an annotation such as `Field(description="...")` says."""
    return {"format": name, **handler(core_schema.str_schema())}


def constrain_schema(schema: CoreSchema, enforce: Callable[[Any], None]) -> CoreSchema:
    """Return a schema that also calls `enforce`, which raises `ParseError` for some values."""

    def validate(value: object) -> object:
        try:
            enforce(value)
        except ParseError as error:
            raise_validation_error(error, value)
        return value

    return core_schema.no_info_after_validator_function(validate, schema)


def raise_validation_error(error: ParseError | TemplateError, input_value: object) -> NoReturn:
    """Raise an error of pydantic with the code, the position and the reason of our error.

    pydantic adds the input to the error. If the input is a value, replace it with its string,
    which frameworks can write to JSON. If the input contains secrets, redact it.
    """
    # The argument must be a literal for type checkers, but the codes are those of `check`.
    code = get_code(error)
    error_type: Any = f"uri_{code.replace('-', '_')}"
    custom = PydanticCustomError(error_type, MESSAGE, {"code": code, **error.as_dict()})
    safe_text, _ = _redaction.mask_spans(error.text, error.position, find_error_secrets(error))
    if safe_text == input_value and isinstance(input_value, str):
        raise custom from None
    # If a validator raises `ValidationError`, pydantic keeps the inputs that this error contains.
    details = InitErrorDetails(type=custom, input=safe_text)
    raise ValidationError.from_exception_data("uriverse", [details]) from None
