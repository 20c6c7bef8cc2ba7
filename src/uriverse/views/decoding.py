"""Percent-decode components to strings, and convert data from callers to strings.

Octets that are not UTF-8 become surrogate escapes (U+DC80 to U+DCFF), as in `os.fsdecode`. Encoding
a surrogate escape returns its octet.
"""

from __future__ import annotations

from uriverse import percent


def decode(text: str) -> str:
    """Percent-decode a component, or a part of one, once."""
    return percent.decode(text, "surrogateescape")


def data_text(data: object, name: str) -> str:
    """Convert data that a caller passed, `str` or `bytes`, to a plain `str`.

    Args:
        data: a `str`, or octets.
        name: the noun for the data in the error, with its article.

    Raises:
        TypeError: `data` is neither `str` nor `bytes`.
    """
    # Methods that a subclass overrides are not called: only its own characters or octets count.
    if isinstance(data, str):
        return str.__str__(data)
    if isinstance(data, bytes):
        return bytes.decode(data, errors="surrogateescape")
    raise TypeError(f"{name} must be a str or bytes, not {type(data).__name__}")
