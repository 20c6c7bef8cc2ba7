"""Quote the arguments of callers in error messages."""

from __future__ import annotations

from ._redaction import redacted_invalid, redacted_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    A = TypeVar("A")
    T = TypeVar("T")


def quoted(argument: Any) -> str:
    """Return the `repr` of a wrong argument for an error message, with its secrets replaced.

    A program may pass a URL with a password where something else is expected.

    >>> print(f"unknown level {quoted('https://me:hunter2@example.org/')}")
    unknown level 'https://me:REDACTED@example.org/'
    """
    if isinstance(argument, str):
        return repr(redacted_invalid(argument))
    return redacted_invalid(repr(argument))


def parsed_with(parse: Callable[[A], T], argument: A) -> T:
    """Call a function of the standard library whose `ValueError` quotes its argument.

    The secrets in the message of the error are replaced.

    >>> from ipaddress import ip_network
    >>> parsed_with(ip_network, "https://me:hunter2@example.org/")
    Traceback (most recent call last):
        ...
    ValueError: 'https://me:REDACTED@example.org/' does not appear to be an IPv4 or IPv6 network
    """
    try:
        return parse(argument)
    except ValueError as error:
        reason = redacted_message(str(error))
    raise ValueError(reason)
