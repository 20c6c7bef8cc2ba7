"""Percent-decode components of URIs, and convert arguments of type `bytes` to strings.

Bytes that are not valid UTF-8 become surrogate escapes (U+DC80 to U+DCFF), as in `os.fsdecode`.
Encoding a surrogate escape returns the original byte.
"""

from __future__ import annotations

from uriverse import percent


def decode(text: str) -> str:
    """Percent-decode a component, or a part of a component, exactly once."""
    return percent.decode(text, "surrogateescape")


def data_text(data: object, name: str) -> str:
    """Convert data that a caller passed, `str` or `bytes`, to a plain `str`.

    Args:
        data: a `str`, or `bytes`.
        name: the noun for the data in the error message, with its article.

    Raises:
        TypeError: `data` is neither `str` nor `bytes`.
    """
    # A subclass of `str` or `bytes` may override methods. Use its actual characters or bytes.
    if isinstance(data, str):
        return str.__str__(data)
    if isinstance(data, bytes):
        return bytes.decode(data, errors="surrogateescape")
    raise TypeError(f"{name} must be a str or bytes, not {type(data).__name__}")
