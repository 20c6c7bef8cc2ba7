"""Hooks for [msgspec](https://jcristharif.com/msgspec/) that decode and encode URIs.

msgspec calls `dec_hook`, `enc_hook` and `schema_hook` for types that it does not know. The hooks of
this module support the four URI types and their subclasses.

>>> import msgspec
>>> from uriverse import URI
>>> Page = msgspec.defstruct("Page", [("link", URI)])
>>> page = msgspec.json.decode(b'{"link":"HTTP://example.org/%7e"}', type=Page, dec_hook=dec_hook)
>>> page
Page(link=URI('HTTP://example.org/%7e'))
>>> msgspec.json.encode(page, enc_hook=enc_hook)
b'{"link":"HTTP://example.org/%7e"}'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Self

from uriverse import ParseError
from uriverse._errors import quote_argument
from uriverse._lazy import explain_missing_module
from uriverse._uri.engine import Identifier
from uriverse._uri.types import get_rule

from ._parsing import summarize_error
from .constraints import Constraints

try:
    # The hooks do not use msgspec. This import only fails if it is missing.
    import msgspec as msgspec  # noqa: PLC0414
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "msgspec")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__ = [
    "FieldError",
    "dec_hook",
    "enc_hook",
    "make_dec_hook",
    "make_enc_hook",
    "make_schema_hook",
    "schema_hook",
]
__dir__ = __all__.copy


class FieldError(ParseError):
    """The cause of a `msgspec.ValidationError`: a `ParseError` whose `str()` is a single line.

    Its attributes are those of `ParseError`. msgspec adds the path of the field to the line.

    >>> import msgspec
    >>> from uriverse import URI
    >>> try:
    ...     msgspec.json.decode(b'["a:b c"]', type=list[URI], dec_hook=dec_hook)
    ... except msgspec.ValidationError as error:
    ...     print(error.__cause__.code, error.__cause__.position, error.__cause__.hint)
    syntax 3 percent-encode it as %20
    """

    @classmethod
    def _from_error(cls, error: ParseError) -> Self:
        arguments: tuple[Any, ...] = error.__reduce__()[1]
        field_error = cls(*arguments)
        field_error.code, field_error.well_formed = error.code, error.well_formed
        return field_error

    def __str__(self) -> str:
        return summarize_error(self)


def _is_supported(kind: object) -> bool:
    """Generic types, such as `list[int]`, are not classes."""
    return isinstance(kind, type) and issubclass(kind, Identifier)


def _reject_type(kind: object, *_: object) -> NoReturn:
    raise NotImplementedError(f"type {quote_argument(kind)} is not supported")


def make_dec_hook(
    constraints: Mapping[type[Any], Constraints] | None = None,
    fallback: Callable[[type[Any], Any], Any] = _reject_type,
) -> Callable[[type[Any], Any], Any]:
    """Return a `dec_hook` that also enforces constraints, or supports types of your own.

    A `dec_hook` receives only the type of a field. So define a subclass for fields with
    constraints.

    Args:
        constraints: the constraints of types. They also apply to subclasses of these types.
        fallback: the `dec_hook` for all other types.

    Returns:
        The hook. If it rejects a string, msgspec raises `ValidationError` with the reason, the code
        and the position, and with the path of the field. Its `__cause__` is a `FieldError`.

    >>> import msgspec
    >>> from uriverse import URI
    >>> class SecureURI(URI):
    ...     __slots__ = ()
    >>> hook = make_dec_hook({SecureURI: Constraints(schemes={"https"})})
    >>> try:
    ...     msgspec.json.decode(b'["http://a/"]', type=list[SecureURI], dec_hook=hook)
    ... except msgspec.ValidationError as error:
    ...     print(error)
    unexpected scheme: expected https (scheme-not-allowed, position 0) - at `$[0]`
    """
    constraints = dict(constraints or {})
    #: The constraints of each type that the hook has seen; `None` for a type of the fallback.
    constraints_by_type: dict[Any, list[Constraints] | None] = {}

    def find_constraints(kind: Any) -> list[Constraints] | None:
        if not _is_supported(kind):
            return None
        return [constraints[base] for base in kind.__mro__ if base in constraints]

    def dec_hook(kind: Any, text_or_value: Any) -> Any:
        try:
            rules = constraints_by_type[kind]
        except KeyError:
            rules = constraints_by_type[kind] = find_constraints(kind)
        if rules is None:
            return fallback(kind, text_or_value)
        try:
            # `msgspec.convert` also passes values that already have the type.
            has_type = type(text_or_value) is not str and isinstance(text_or_value, kind)
            value: Any = text_or_value if has_type else kind(text_or_value)
            for constraint in rules:
                constraint.enforce(value)
        except ParseError as error:
            raise FieldError._from_error(error) from None
        return value

    return dec_hook


def make_enc_hook(fallback: Callable[[Any], Any] = _reject_type) -> Callable[[Any], Any]:
    """Return an `enc_hook` that also supports types of your own.

    Args:
        fallback: the `enc_hook` for objects of all other types.

    >>> import msgspec
    >>> from uriverse import URN
    >>> hook = make_enc_hook(fallback=list)
    >>> msgspec.json.encode({"id": URN("urn:example:a"), "numbers": range(3)}, enc_hook=hook)
    b'{"id":"urn:example:a","numbers":[0,1,2]}'
    """

    def enc_hook(value: Any) -> Any:
        return str(value) if isinstance(value, Identifier) else fallback(value)

    return enc_hook


def make_schema_hook(
    constraints: Mapping[type[Any], Constraints] | None = None,
    fallback: Callable[[type[Any]], dict[str, Any]] = _reject_type,
) -> Callable[[type[Any]], dict[str, Any]]:
    """Return a `schema_hook` that writes the maximum length, or supports types of your own.

    Args:
        constraints: the same constraints as those of `make_dec_hook`.
        fallback: the `schema_hook` for all other types.

    >>> import msgspec
    >>> from uriverse import URI
    >>> class ShortURI(URI):
    ...     __slots__ = ()
    >>> hook = make_schema_hook({ShortURI: Constraints(max_length=2000)})
    >>> msgspec.json.schema(ShortURI, schema_hook=hook)
    {'type': 'string', 'format': 'uri', 'maxLength': 2000}
    """
    constraints = dict(constraints or {})

    def schema_hook(kind: Any) -> dict[str, Any]:
        if not _is_supported(kind):
            return fallback(kind)
        schema: dict[str, Any] = {"type": "string", "format": get_rule(kind).lower()}
        for base in reversed(kind.__mro__):
            if base in constraints:
                schema = constraints[base]._json_schema(schema)
        return schema

    return schema_hook


_dec_hook, _enc_hook, _schema_hook = make_dec_hook(), make_enc_hook(), make_schema_hook()


def dec_hook(kind: type[Any], value: Any, /) -> Any:
    """Decode a string as a URI type: the `dec_hook` of msgspec.

    Args:
        kind: the type of the field.
        value: the decoded string; `msgspec.convert` may also pass a value of uriverse.

    Returns:
        A value of the type. Its string is exactly `value`.

    Raises:
        ParseError: the string is invalid. msgspec raises `ValidationError` instead, with the
            reason, the code and the position, and with the path of the field.
        TypeError: `value` is not a string. msgspec raises `ValidationError` instead.
        NotImplementedError: `kind` is not a URI type.

    >>> import msgspec
    >>> from uriverse import URI
    >>> try:
    ...     msgspec.json.decode(b'["http://a/ b"]', type=list[URI], dec_hook=dec_hook)
    ... except msgspec.ValidationError as error:
    ...     print(error)
    invalid space in path (syntax, position 9) - at `$[0]`
    """
    return _dec_hook(kind, value)


def enc_hook(value: Any, /) -> Any:
    """Encode a URI as its string: the `enc_hook` of msgspec.

    Raises:
        NotImplementedError: `value` is not a URI.

    >>> import msgspec
    >>> from uriverse import URI
    >>> msgspec.to_builtins([URI("http://example.org/")], enc_hook=enc_hook)
    ['http://example.org/']
    """
    return _enc_hook(value)


def schema_hook(kind: type[Any], /) -> dict[str, Any]:
    """Return the JSON schema of a URI type: the `schema_hook` of msgspec.

    The `format` is `"uri"`, `"uri-reference"`, `"iri"` or `"iri-reference"`.

    Raises:
        NotImplementedError: `kind` is not a URI type.

    >>> import msgspec
    >>> from uriverse import IRIReference
    >>> msgspec.json.schema(IRIReference, schema_hook=schema_hook)
    {'type': 'string', 'format': 'iri-reference'}
    """
    return _schema_hook(kind)
