"""[Typer](https://typer.tiangolo.com/) command parameters that take URIs."""

from __future__ import annotations

from collections.abc import Callable
from typing import overload

from uriverse import URI
from uriverse._errors import ParseError
from uriverse._lazy import explain_missing_module

from ._parsing import T, format_with_caret, parse_value
from .constraints import Constraints

try:
    import typer
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "typer")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__ = ["uri_parser"]
__dir__ = __all__.copy


@overload
def uri_parser(*, constraints: Constraints | None = None) -> Callable[[str | URI], URI]: ...
@overload
def uri_parser(kind: type[T], constraints: Constraints | None = None) -> Callable[[str | T], T]: ...
def uri_parser(
    kind: type[T] = URI,  # type: ignore[assignment]  # the first overload has the exact type
    constraints: Constraints | None = None,
) -> Callable[[str | T], T]:
    """Return a function for the argument `parser` of `typer.Argument` and `typer.Option`.

    typer reports an invalid URI as it reports every wrong value: it prints the usage, and exits
    with status 2. The message has the reason, the code, the position and a caret. Secrets are
    redacted.

    Args:
        kind: one of the four URI types, or a subclass such as `HTTPURI`.
        constraints: additional rules, such as the allowed schemes.

    Returns:
        A function that parses one string. It raises `typer.BadParameter` if the string is invalid.

    >>> from uriverse import HTTPURI
    >>> parse = uri_parser(HTTPURI, Constraints(schemes={"https"}))
    >>> parse("https://example.org/")
    HTTPURI('https://example.org/')
    >>> try:
    ...     parse("https://example.org/a b")
    ... except typer.BadParameter as error:
    ...     print(error.message)
    invalid space in path (syntax, position 21)
      https://example.org/a b
                           ^
    hint: percent-encode it as %20
    """

    def parse(text: str | T) -> T:
        try:
            return parse_value(text, kind, constraints)
        except ParseError as error:
            raise typer.BadParameter(format_with_caret(error)) from None

    # typer shows the name of the function as the type of the parameter.
    parse.__name__ = kind.__name__
    return parse
