"""The `Location` field ([RFC 9110, 10.2.2][1]).

[1]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
"""

from __future__ import annotations

from uriverse._errors import ParseError
from uriverse._uri import URI, URIReference
from uriverse._uri.engine import Identifier

from ._fields import field_text, moved, with_host


def redirect_target(request: str | Identifier, location: str | bytes, /) -> URI:
    """Return the URI to which a response redirects ([RFC 9110, 10.2.2][1]).

    The value of `Location` is resolved against the URI of the request. If it has no fragment, the
    fragment of the request's URI is kept. An empty fragment (`#`) is a fragment.

    The rule about the fragment applies to redirects. If the status code is 201, resolve `Location`
    with `URI.resolve`. Check a redirect with `Policy.enforce` before you follow it.

    [1]: https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2
    [2]: https://www.rfc-editor.org/rfc/rfc9110#section-4.2.1

    Args:
        request: the URI of the request, with its fragment.
        location: the value of `Location`; bytes are decoded as Latin-1.

    Raises:
        ParseError: `location` is not a URI reference; `request` is not a URI; or the result is an
            `http` or `https` URI without a host, as for `///a` ([RFC 9110, 4.2.1][2]).
        TypeError: an argument has the wrong type.

    >>> redirect_target("http://a.example/b#c", "/d")
    URI('http://a.example/d#c')
    >>> redirect_target("http://a.example/b#c", "/d#e")
    URI('http://a.example/d#e')
    """
    base = URI(request)
    text = field_text(location)
    try:
        reference = URIReference(text)
    except ParseError as error:
        raise moved(error, text, error.position) from None
    target = with_host(base.resolve(reference))
    return target if reference.fragment is not None else target.with_fragment(base.fragment)
