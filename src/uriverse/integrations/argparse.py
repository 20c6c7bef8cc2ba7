"""Arguments of `argparse` parsers whose values are URIs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import overload

from uriverse import URI
from uriverse._errors import ParseError

from ._parsing import T, format_with_caret, parse_value
from .constraints import Constraints

__all__ = ["uri_type"]
__dir__ = __all__.copy


@overload
def uri_type(*, constraints: Constraints | None = None) -> Callable[[str], URI]: ...
@overload
def uri_type(kind: type[T], constraints: Constraints | None = None) -> Callable[[str], T]: ...
def uri_type(
    kind: type[T] = URI,  # type: ignore[assignment]  # the first overload has the exact type
    constraints: Constraints | None = None,
) -> Callable[[str], T]:
    """Return a function for the argument `type` of [`add_argument`][1].

    With `type=URI`, argparse would report an invalid URI without a reason, and would print its
    secrets. With this function, the message has the reason, the code, the position and a caret, and
    secrets are redacted. If a parser has many arguments with `type=URI`, register the function
    instead: `parser.register("type", URI, uri_type(URI))` ([reference][2]). Subparsers do not
    inherit it.

    [1]: https://docs.python.org/3/library/argparse.html#type
    [2]: https://docs.python.org/3/library/argparse.html#registering-custom-types-or-actions

    Args:
        kind: one of the four URI types, or a subclass such as `HTTPURI`.
        constraints: additional rules, such as the allowed schemes.

    Returns:
        A function that parses one string. It raises `argparse.ArgumentTypeError` if the string is
        invalid.

    >>> parser = argparse.ArgumentParser()
    >>> web = uri_type(URI, Constraints(schemes={"http", "https"}, host_required=True))
    >>> _ = parser.add_argument("uri", type=web)
    >>> parser.parse_args(["https://example.org/"])
    Namespace(uri=URI('https://example.org/'))
    >>> try:
    ...     web("https://example.org/a b")
    ... except argparse.ArgumentTypeError as error:
    ...     print(error)
    invalid space in path (syntax, position 21)
      https://example.org/a b
                           ^
    hint: percent-encode it as %20
    """

    def parse(text: str) -> T:
        try:
            return parse_value(text, kind, constraints)
        except ParseError as error:
            raise argparse.ArgumentTypeError(format_with_caret(error)) from None

    # argparse shows the name of the function if the function raises another error.
    parse.__name__ = kind.__name__
    return parse
