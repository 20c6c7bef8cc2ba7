"""Redirect URIs ([RFC 6749, 3.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2))."""

from __future__ import annotations

from uriverse._engine import Identifier, as_text
from uriverse._identifiers import URI
from uriverse.schemes._registry import LARGEST_PORT

from ._canonical import reject_fragment
from ._loopback import has_loopback_host


def redirect_uri_matches(
    registered: str | Identifier, requested: str | Identifier, *, localhost: bool = False
) -> bool:
    """Return True if an authorization server may redirect to the URI that a client requests.

    The two URIs must be identical, character by character ([RFC 6749, 3.1.2.3][1], and
    [RFC 9700, 4.1.3][2]). They are never normalized.

    Only the port may differ, and only for native apps on the machine of the user
    ([RFC 8252, 7.3][3]): if the scheme of the registered URI is `http`, and its host is `[::1]` or
    an IPv4 address in 127.0.0.0/8, then the requested URI may have any port from 1 to 65535, or no
    port. Neither URI may have userinfo then.

    To check a request, call the function for each URI that the client has registered.

    [1]: https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3
    [2]: https://www.rfc-editor.org/rfc/rfc9700#section-4.1.3
    [3]: https://www.rfc-editor.org/rfc/rfc8252#section-7.3
    [4]: https://www.rfc-editor.org/rfc/rfc8252#section-8.3
    [5]: https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2

    Args:
        registered: a redirect URI that the client has registered.
        requested: the value of the parameter `redirect_uri` of a request. If it is not a valid URI,
            the result is False.
        localhost: whether `localhost` counts as a loopback host too. [RFC 8252, 8.3][4] advises
            against this name: it can resolve to an address of another machine.

    Raises:
        ParseError: `registered` is not a valid URI.
        PolicyError: `registered` has a fragment ([RFC 6749, 3.1.2][5]). The `code` is `"fragment"`.
        TypeError: an argument is neither a `str` nor one of the four URI types.

    >>> redirect_uri_matches("https://app.example/cb", "https://app.example/cb")
    True
    >>> redirect_uri_matches("https://app.example/cb", "https://app.example/cb/../admin")
    False
    >>> redirect_uri_matches("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb")
    True
    >>> redirect_uri_matches("http://localhost/cb", "http://localhost:49152/cb")
    False
    """
    expected, text = URI(registered), as_text(requested)
    reject_fragment(expected)
    if text == str(expected):
        return True
    if expected.scheme.lower() != "http" or not has_loopback_host(expected, localhost=localhost):
        return False
    # In "http://127.0.0.1:80@evil.example/", the address is userinfo, which is compared too.
    found = URI.try_parse(text)
    return (
        found is not None
        and expected.userinfo is None
        and is_requestable_port(found.port_text)
        and found.with_port(None) == expected.with_port(None)
    )


def is_requestable_port(port: str | None) -> bool:
    """Return whether a port is absent, or a number from 1 to 65535 without leading zeros."""
    if port is None:
        return True
    # Ports are compared as strings, because Python limits the digits that `int` converts.
    largest = str(LARGEST_PORT)
    return port[:1] not in {"", "0"} and (len(port), port) <= (len(largest), largest)
