"""Convert between the types of uriverse and `httpx2.URL`, without changing a character.

The functions work like those of `uriverse.integrations.httpx`.
"""

from __future__ import annotations

from typing import cast

from uriverse._extras import not_installed

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "httpx2") from missing

from uriverse import IRIReference

from ._exactness import exact_url, parse_url

__all__ = ["from_url", "to_url"]
__dir__ = __all__.copy


def to_url(uri: str | IRIReference, /) -> httpx2.URL:
    """Convert a URI to an `httpx2.URL` with exactly the same characters.

    Raises:
        ConvertError: httpx2 would change or reject the URI.
        ParseError: `uri` is a string that is not a valid URI, IRI or reference.

    >>> to_url("http://example.org/%7Ea?b=c")
    URL('http://example.org/%7Ea?b=c')
    """
    return cast("httpx2.URL", exact_url(httpx2, uri))


def from_url(url: httpx2.URL, /) -> IRIReference:
    """Convert an `httpx2.URL` to the narrowest of the four types.

    Raises:
        ParseError: httpx2 accepts the URL, but RFC 3986 and RFC 3987 do not.
        TypeError: `url` is not an `httpx2.URL`.

    >>> from_url(httpx2.URL("/a?b"))
    URIReference('/a?b')
    """
    return parse_url(httpx2, url)
