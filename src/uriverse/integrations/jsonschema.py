"""Check the formats `uri`, `uri-reference`, `iri` and `iri-reference` with jsonschema.

Without further packages, [jsonschema][1] accepts every string for these formats. This module checks
them by the grammars of RFC 3986 and RFC 3987.

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

from collections.abc import Callable

from uriverse._extras import not_installed

try:
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.exceptions import FormatError
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "jsonschema") from missing

from ._json_schema import TESTS, error_of
from ._summaries import redacted_text, summary

__all__ = ["format_checker", "register"]


def format_checker(base: FormatChecker | None = None) -> FormatChecker:
    """Return a format checker that checks URIs and IRIs with uriverse.

    The new checker has the formats `uri`, `uri-reference`, `iri` and `iri-reference`, and all other
    formats of `base`. As JSON Schema requires, values that are not strings conform to every format.

    The message of a `ValidationError` contains the reason, the code and the position of the error,
    and its `cause` is a `ParseError`. Secrets are redacted in the message, but jsonschema keeps the
    invalid value in the attribute `instance`, and `str(error)` shows it.

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
    """Add the formats for URIs and IRIs to an existing format checker.

    The checker then checks `uri`, `uri-reference`, `iri` and `iri-reference` with uriverse, as the
    result of `format_checker` does.

    Args:
        checker: the checker to change. The checkers of drafts, such as
            `Draft202012Validator.FORMAT_CHECKER`, are shared by the whole program.

    >>> from jsonschema import FormatChecker
    >>> checker = FormatChecker(["date"])
    >>> register(checker)
    >>> checker.conforms("http://example.org/", "uri"), checker.conforms("a b", "uri")
    (True, False)
    """
    for name, test in TESTS.items():
        checker.checks(name)(check_of(name, test))


def check_of(name: str, test: Callable[[str], bool]) -> Callable[[object], bool]:
    """Return the function that jsonschema calls to check a format."""

    def check(instance: object) -> bool:
        if not isinstance(instance, str) or test(instance):
            return True
        error = error_of(instance, name)
        # jsonschema uses the message of this exception. For any other exception, it writes its own
        # message, which would show the secrets of the string.
        message = f"{redacted_text(error)!r} is not a {name!r}: {summary(error)}"
        raise FormatError(message, cause=error)

    return check
