"""Decode percent-encoded components to strings, and take data from callers as strings.

Octets that are not UTF-8 become surrogate escapes (U+DC80 to U+DCFF), as `os.fsdecode` makes
them. Encoding a surrogate escape gives its octet back.
"""

from __future__ import annotations

from uriverse import percent


def decode(text: str) -> str:
    """Decode the percent-encoding of a component, or of a part of one, once."""
    return percent.decode(text, "surrogateescape")


def data_text(data: object, name: str) -> str:
    """The exact `str` of data that a caller gives.

    Args:
        data: a `str`, or octets.
        name: the noun for it in the error, with its article.

    Raises:
        TypeError: it is neither `str` nor `bytes`.
    """
    # The methods of subclasses are not called: their own characters and octets count.
    if isinstance(data, str):
        return str.__str__(data)
    if isinstance(data, bytes):
        return bytes.decode(data, errors="surrogateescape")
    raise TypeError(f"{name} is a str or bytes, not {type(data).__name__}")
