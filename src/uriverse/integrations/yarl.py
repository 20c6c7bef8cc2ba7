"""Convert between the types of uriverse and `yarl.URL`, without changing a character.

aiohttp uses `yarl.URL` too: pass the result of `to_url` to its client.

>>> import yarl
>>> from uriverse import URI
>>> from uriverse.integrations.yarl import from_url, to_url
>>> to_url(URI("http://example.org/%7Ea?b=c"))
URL('http://example.org/%7Ea?b=c')
>>> from_url(yarl.URL("http://example.org/"))
URI('http://example.org/')
"""

from __future__ import annotations

from uriverse._extras import not_installed

try:
    import yarl
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "yarl") from missing

from uriverse import IRIReference, parse

from ._exactness import parse_url, rejected, verify_unchanged

__all__ = ["from_url", "to_url"]
__dir__ = __all__.copy


def to_url(uri: str | IRIReference, /) -> yarl.URL:
    """Convert a URI to a `yarl.URL` with exactly the same characters.

    yarl does not decode or encode the result (`encoded=True`). But it writes the scheme in lower
    case, and removes default ports, and the delimiters of an empty query or fragment. A URI that it
    would change is rejected: normalize the URI first, or pass `str(uri)` to yarl.

    Raises:
        ConvertError: yarl would change or reject the URI.
        ParseError: `uri` is a string that is not a valid URI, IRI or reference.

    >>> try:
    ...     to_url("http://example.org/?")
    ... except ConvertError as error:
    ...     print(error.reason)
    cannot keep every character: yarl would change the query
    """
    value = parse(uri)
    try:
        url = yarl.URL(str(value), encoded=True)
        converted = str(url)
    except ValueError as error:
        raise rejected(value, "yarl", error) from None
    verify_unchanged(value, converted, "yarl")
    return url


def from_url(url: yarl.URL, /) -> IRIReference:
    """Convert a `yarl.URL` to the narrowest of the four types.

    Raises:
        ParseError: yarl accepts the URL, but RFC 3986 and RFC 3987 do not.
        TypeError: `url` is not a `yarl.URL`.

    >>> from_url(yarl.URL("/a?b"))
    URIReference('/a?b')
    """
    return parse_url(yarl, url)
