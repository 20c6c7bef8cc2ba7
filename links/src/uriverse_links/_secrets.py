"""Show strings in messages without their secrets."""

from __future__ import annotations

from ast import literal_eval

from uriverse import explain


def quote(text: object) -> str:
    """Return the `repr` of a wrong argument for an error message, with its secrets replaced."""
    if not isinstance(text, str):
        return hide_secrets(repr(text))
    # In a string that should be a URI but is invalid, more may be a secret than `redact` replaces.
    return repr(explain(text)).removeprefix("Explanation(").rpartition(", type=")[0]


def hide_secrets(text: str) -> str:
    """Replace the secrets in a string that should be a URI, but may be invalid."""
    hidden: str = literal_eval(quote(text))
    return hidden
