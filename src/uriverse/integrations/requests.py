"""Convert between the types of uriverse and `requests.PreparedRequest`.

`requests.get(uri)` and the methods of a session accept a `URI` directly, but requests then changes
some of its characters. The functions here keep the URI as it is.

>>> from uriverse import URI
>>> from uriverse.integrations.requests import from_request, to_request
>>> request = to_request(URI("http://example.org/%7ea"), headers={"Accept": "text/html"})
>>> request.url
'http://example.org/%7ea'
>>> from_request(request)
URI('http://example.org/%7ea')
"""

from __future__ import annotations

from typing import Any

from uriverse._extras import not_installed

try:
    import requests
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "requests") from missing

from uriverse import URI, IRIReference, parse
from uriverse._typed.http import HTTPURI

from ._exactness import rejected

__all__ = ["from_request", "to_request"]
__dir__ = __all__.copy


def to_request(uri: str | URI, method: str = "GET", /, **options: Any) -> requests.PreparedRequest:
    """Create a prepared request whose `url` has exactly the characters of a URI.

    Send the result with `requests.Session().send(...)`. In the request that it sends, requests
    writes percent-encoded triplets in upper case, and removes an empty query and the fragment.

    Args:
        uri: an `http` or `https` URI.
        method: the method of the request.
        options: other arguments of `requests.Request`, such as `headers` and `data`. Instead of
            `params`, use `URI.with_params`.

    Raises:
        ConvertError: requests rejects the URI.
        ParseError: `uri` is not a valid `http` or `https` URI.
        TypeError: `params` is given.

    >>> to_request("http://example.org/a?", "DELETE").url
    'http://example.org/a?'
    """
    if "params" in options:
        raise TypeError("params must be part of the URI: use URI.with_params")
    value = HTTPURI(uri)
    try:
        request = requests.Request(method, str(value), **options).prepare()
    except requests.exceptions.InvalidURL as error:
        raise rejected(value, "requests", error) from None
    request.url = str(value)
    return request


def from_request(request: requests.PreparedRequest, /) -> IRIReference:
    """Return the URI of a prepared request, as the narrowest of the four types.

    For the URI of a response, pass `response.request`.

    Raises:
        ParseError: RFC 3986 and RFC 3987 do not allow the URL.
        TypeError: the request has no URL.

    >>> from_request(requests.Request("GET", "http://example.org/a").prepare())
    URI('http://example.org/a')
    """
    if request.url is None:
        raise TypeError("request must have a URL")
    return parse(request.url)
