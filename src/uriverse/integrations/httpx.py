"""Convert between the types of uriverse and `httpx.URL`, without changing a character.

>>> import httpx
>>> from uriverse import URI
>>> from uriverse.integrations.httpx import from_url, to_url
>>> to_url(URI("http://example.org/%7Ea?b=c"))
URL('http://example.org/%7Ea?b=c')
>>> from_url(httpx.URL("http://example.org/"))
URI('http://example.org/')
"""

from __future__ import annotations

from typing import cast

from uriverse._extras import not_installed

try:
    import httpx
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "httpx") from missing

from uriverse import IRIReference

from ._exactness import exact_url, parse_url

__all__ = ["from_url", "to_url"]
__dir__ = __all__.copy


def to_url(uri: str | IRIReference, /) -> httpx.URL:
    """Convert a URI to an `httpx.URL` with exactly the same characters.

    httpx writes the scheme and the host in lower case, removes dot segments and default ports, and
    percent-encodes non-ASCII characters. A URI that it would change is rejected: normalize the URI
    first, or pass `str(uri)` to httpx.

    Raises:
        ConvertError: httpx would change or reject the URI.
        ParseError: `uri` is a string that is not a valid URI, IRI or reference.

    >>> try:
    ...     to_url("http://example.org:80/")
    ... except ConvertError as error:
    ...     print(error.reason)
    cannot keep every character: httpx would change the port
    """
    return cast("httpx.URL", exact_url(httpx, uri))


def from_url(url: httpx.URL, /) -> IRIReference:
    """Convert an `httpx.URL` to the narrowest of the four types.

    Raises:
        ParseError: httpx accepts the URL, but RFC 3986 and RFC 3987 do not.
        TypeError: `url` is not an `httpx.URL`.

    >>> from_url(httpx.URL("/a?b"))
    URIReference('/a?b')
    """
    return parse_url(httpx, url)
