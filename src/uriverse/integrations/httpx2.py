"""Convert between the types of uriverse and `httpx2.URL`, without changing a character.

>>> import httpx2
>>> from uriverse import URI
>>> from uriverse.integrations.httpx2 import from_url, to_url
>>> to_url(URI("http://example.org/%7Ea?b=c"))
URL('http://example.org/%7Ea?b=c')
>>> from_url(httpx2.URL("http://example.org/"))
URI('http://example.org/')
"""

from __future__ import annotations

from typing import cast

from uriverse._extras import not_installed

try:
    import httpx2
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "httpx2") from missing

from uriverse.identifiers import IRIReference

from .exactness import exact_url, parse_url

__all__ = ["from_url", "to_url"]


def to_url(uri: str | IRIReference, /) -> httpx2.URL:
    """Convert a URI to an `httpx2.URL` with exactly the same characters.

    httpx2 writes the scheme and the host in lower case, removes dot segments and default ports, and
    percent-encodes non-ASCII characters. A URI that it would change is rejected: normalize the URI
    first, or pass `str(uri)` to httpx2.

    Raises:
        ConvertError: httpx2 would change or reject the URI.
        ParseError: `uri` is a string that is not a valid URI, IRI or reference.

    >>> try:
    ...     to_url("http://example.org:80/")
    ... except ConvertError as error:
    ...     print(error.reason)
    cannot keep every character: httpx2 would change the port
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
