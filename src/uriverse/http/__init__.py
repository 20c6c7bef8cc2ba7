"""Parse and write the URIs of HTTP messages: request targets, and header fields with URIs.

Functions that parse what a program has received accept `str` and `bytes`. Bytes are decoded as
Latin-1, so each character is one octet. WSGI decodes header fields in the same way.

>>> from uriverse import http
>>> target = http.request_target("GET", "/a?b")
>>> http.effective_uri(target, "a.example", scheme="https")
URI('https://a.example/a?b')
>>> http.parse_links("</b>; rel=next")[0].target_uri("https://a.example/a")
URI('https://a.example/b')
"""

from uriverse import _lazy

from ._effective import effective_uri, from_asgi, from_wsgi
from ._fields import redirect_target
from ._forwarded import ForwardedElement, Node, parse_forwarded, x_forwarded
from ._links import ExtValue, Link, decode_ext_value, encode_ext_value, parse_links
from ._origins import OriginField, parse_origin
from ._proxies import ClientRequest, client_request
from ._targets import (
    AbsoluteForm,
    AsteriskForm,
    AuthorityForm,
    HostField,
    OriginForm,
    RequestTarget,
    parse_host,
    request_target,
)

__all__ = [
    "AbsoluteForm",
    "AsteriskForm",
    "AuthorityForm",
    "ClientRequest",
    "ExtValue",
    "ForwardedElement",
    "HostField",
    "Link",
    "Node",
    "OriginField",
    "OriginForm",
    "RequestTarget",
    "client_request",
    "decode_ext_value",
    "effective_uri",
    "encode_ext_value",
    "from_asgi",
    "from_wsgi",
    "parse_forwarded",
    "parse_host",
    "parse_links",
    "parse_origin",
    "redirect_target",
    "request_target",
    "x_forwarded",
]
__dir__ = __all__.copy

_lazy.publish(globals())
