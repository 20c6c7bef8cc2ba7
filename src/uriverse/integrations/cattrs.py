"""Structure and unstructure URIs with [cattrs](https://catt.rs/).

>>> import attrs, cattrs
>>> from uriverse import URI
>>> Page = attrs.make_class("Page", {"link": attrs.field(type=URI)})
>>> converter = configure(cattrs.Converter())
>>> page = converter.structure({"link": "HTTP://example.org/%7e"}, Page)
>>> page
Page(link=URI('HTTP://example.org/%7e'))
>>> converter.unstructure(page)
{'link': 'HTTP://example.org/%7e'}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_args, get_origin

from uriverse import ParseError
from uriverse._engine import Identifier
from uriverse._extras import not_installed

from ._parsing import parsed
from ._summaries import summary
from .constraints import Constraints

try:
    from cattrs import Converter
    from cattrs.v import format_exception as default_format
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "attrs") from missing

__all__ = ["configure", "format_exception"]
__dir__ = __all__.copy

_C = TypeVar("_C", bound=Converter)


def configure(converter: _C) -> _C:
    """Register hooks for the four URI types and their subclasses.

    A field of the type `Annotated[URI, Constraints(...)]` also enforces the constraints.

    Args:
        converter: the converter to change, for example that of `cattrs.preconf.json`.

    Returns:
        The same converter. If a string is invalid, its `structure` raises
        `cattrs.ClassValidationError`, which contains a `ParseError`. `format_exception` formats
        this error for `cattrs.transform_error`.

    >>> import cattrs
    >>> from uriverse import URI
    >>> converter = configure(cattrs.Converter())
    >>> secure = Annotated[URI, Constraints(schemes={"https"})]
    >>> try:
    ...     converter.structure("ftp://example.org/", secure)
    ... except ParseError as error:
    ...     print(error.code, error.position)
    scheme-not-allowed 0
    """
    converter.register_unstructure_hook_func(_is_supported, str)
    converter.register_structure_hook_func(_is_supported, _structure)

    def factory(kind: Any) -> Callable[[Any, Any], Any]:
        return _structure_within(converter, kind)

    converter.register_structure_hook_factory(_has_constraints, factory)
    return converter


def format_exception(error: BaseException, kind: type | None) -> str:
    """Return the message for an error in one field.

    Pass this function to `cattrs.transform_error` as its argument `format_exception`.

    The message for an invalid URI has the reason, the code and the position. For all other errors,
    it is the message of cattrs.

    Args:
        error: the error of one field.
        kind: the expected type of the field.

    >>> import cattrs
    >>> from uriverse import URI
    >>> converter = configure(cattrs.Converter())
    >>> try:
    ...     converter.structure(["http://a/", "http://b/ c"], list[URI])
    ... except cattrs.BaseValidationError as group:
    ...     print(*cattrs.transform_error(group, format_exception=format_exception))
    invalid space in path (syntax, position 9) @ $[1]
    """
    return summary(error) if isinstance(error, ParseError) else default_format(error, kind)


def _is_supported(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Identifier)


def _structure(given: Any, kind: Any) -> Identifier:
    value: Identifier = parsed(given, kind, None)
    return value


def _constraints_of(kind: Any) -> list[Constraints]:
    """Return the constraints in the metadata of a type such as `Annotated[URI, Constraints()]`."""
    if get_origin(kind) is not Annotated:
        return []
    return [entry for entry in get_args(kind)[1:] if isinstance(entry, Constraints)]


def _has_constraints(kind: Any) -> bool:
    return bool(_constraints_of(kind))


def _structure_within(converter: Converter, kind: Any) -> Callable[[Any, Any], Any]:
    """Return the hook that structures values of a constrained type, also of `URI | None`."""
    constraints = _constraints_of(kind)
    base, *metadata = get_args(kind)
    others = tuple(entry for entry in metadata if entry not in constraints)
    inner: Any = Annotated[(base, *others)] if others else base

    def _structure(given: Any, _: Any) -> Any:
        value: object = converter.structure(given, inner)
        for each in constraints:
            each._enforce_unless_none(value)
        return value

    return _structure
