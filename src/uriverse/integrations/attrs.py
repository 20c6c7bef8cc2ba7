"""A validator that enforces constraints on attributes of [attrs](https://www.attrs.org/) classes.

The types themselves are converters.

>>> import attrs
>>> from uriverse import URI
>>> @attrs.frozen
... class Page:
...     link: URI = attrs.field(
...         converter=URI, validator=within(Constraints(schemes={"https"}))
...     )
>>> Page("https://example.org/%7e")
Page(link=URI('https://example.org/%7e'))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uriverse import ParseError
from uriverse._lazy import explain_missing_module
from uriverse._uri.engine import Identifier

from .constraints import Constraints

try:
    import attrs  # noqa: TC002  # The import fails if the package is missing.
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "attrs")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__ = ["within"]
__dir__ = __all__.copy


def within(constraints: Constraints) -> Callable[[Any, attrs.Attribute[Any], Any], None]:
    """Return a validator for an attribute that contains a URI.

    Args:
        constraints: the rules for the URI, such as the allowed schemes.

    Returns:
        A validator. It raises `ParseError` if the URI violates a constraint; a note on the error
        names the attribute. The validator raises `TypeError` if the value is not a URI.

    >>> from uriverse import URI
    >>> @attrs.define
    ... class Page:
    ...     link: URI = attrs.field(converter=URI, validator=within(Constraints(max_length=20)))
    >>> try:
    ...     Page("https://example.org/too/long")
    ... except ParseError as error:
    ...     print(error.code, error.position, error.__notes__)
    too-long 20 ["in the attribute 'link' of Page"]
    """

    def validate(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, Identifier):
            kind = type(value).__name__
            raise TypeError(f"{attribute.name!r} must be a URI, not {kind}; set converter=URI")
        try:
            constraints.enforce(value)
        except ParseError as error:
            owner = type(instance).__name__
            error.add_note(f"in the attribute {attribute.name!r} of {owner}")
            raise

    return validate
