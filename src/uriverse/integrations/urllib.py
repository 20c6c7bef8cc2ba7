"""Convert between the types of uriverse and `urllib.request.Request`, without changing a character.

>>> from uriverse import URI
>>> from uriverse.integrations.urllib import from_request, to_request
>>> request = to_request(URI("http://example.org/%7ea"), headers={"Accept": "text/html"})
>>> request.full_url
'http://example.org/%7ea'
>>> from_request(request)
URI('http://example.org/%7ea')
"""

from __future__ import annotations

from typing import Any
from urllib.request import Request

from uriverse import URI, IRIReference, parse

from ._exactness import rejected, verify_unchanged

__all__ = ["from_request", "to_request"]
__dir__ = __all__.copy


def to_request(uri: str | URI, /, **options: Any) -> Request:
    """Create a request for `urllib.request.urlopen` that keeps every character of a URI.

    Args:
        uri: a URI. Convert an IRI with `to_uri(host="idna")` first.
        options: other arguments of `urllib.request.Request`, such as `headers` and `data`.

    Raises:
        ConvertError: urllib would change the URI, because it has an empty fragment, or rejects it.
        ParseError: `uri` is not a valid URI.

    >>> to_request("http://example.org/a?", method="HEAD").get_method()
    'HEAD'
    """
    value = URI(uri)
    try:
        request = Request(str(value), **options)  # noqa: S310 - the caller chooses the scheme
    except ValueError as error:
        raise rejected(value, "urllib", error) from None
    verify_unchanged(value, request.full_url, "urllib")
    return request


def from_request(request: Request, /) -> IRIReference:
    """Return the URI of a request, as the narrowest of the four types.

    Raises:
        ParseError: RFC 3986 and RFC 3987 do not allow the URL.

    >>> from_request(Request("http://example.org/a#b"))
    URI('http://example.org/a#b')
    """
    return parse(request.full_url)
