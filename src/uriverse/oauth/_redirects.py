"""Redirect URIs ([RFC 6749, 3.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2))."""

from __future__ import annotations

from uriverse._errors import PolicyError
from uriverse._policy import Decision
from uriverse._policy.rejections import parse_or_reject, reject
from uriverse._policy.rules import is_port
from uriverse._uri import URI
from uriverse._uri.engine import Identifier, as_text
from uriverse.schemes import SCHEMES

from ._canonical import (
    canonical_without_fragment,
    has_loopback_host,
    reject_fragment,
    reject_plain_http,
)

#: The schemes of URIs that browsers may execute.
SCRIPT_SCHEMES = {"blob", "data", "filesystem", "javascript", "vbscript"}


def check_redirect_uri_registration(
    uri: str | Identifier | None, *, localhost: bool = False
) -> Decision:
    """Decide whether a client may register a redirect URI, which may come from an attacker.

    Allowed are `https` URIs, `http` URIs with the host `[::1]` or an address in 127.0.0.0/8
    ([RFC 8252, 7.3][1], and [RFC 9700, 2.1][2]), and URIs whose scheme is a reversed domain name,
    such as `com.example.app:/cb` ([RFC 8252, 8.4][3]). URIs with userinfo, a fragment
    or a wildcard (`*`) are rejected. Register the string unchanged.

    [1]: https://www.rfc-editor.org/rfc/rfc8252#section-7.3
    [2]: https://www.rfc-editor.org/rfc/rfc9700#section-2.1
    [3]: https://www.rfc-editor.org/rfc/rfc8252#section-8.4

    Args:
        uri: an item of `redirect_uris`; `None` (code `"missing"`) if the request has none.
        localhost: whether `localhost` counts as a loopback host too; see `redirect_uri_matches`.

    Raises:
        TypeError: `uri` is neither `None` nor a `str` nor one of the four URI types.

    >>> check_redirect_uri_registration("https://app.example/cb").allowed
    True
    >>> check_redirect_uri_registration("javascript:alert(1)").code
    'scheme-not-allowed'
    """
    if uri is None:
        return Decision(False, None, None, "missing", "missing redirect URI", "", "")
    text = as_text(uri)
    try:
        given = parse_or_reject(text)
        reject_fragment(given)
        if not text.isascii():
            reject(given, "syntax", "path", "expected ASCII", "convert the IRI to a URI")
        if given.userinfo is not None:
            hint = "remove the userinfo"
            reject(given, "userinfo-not-allowed", "userinfo", "unexpected userinfo", hint)
        if "*" in text:
            hint = "register each URI" if "*" in (given.host or "") else "write %2A for a literal *"
            reject(given, "wildcard", "path", "unexpected wildcard", hint)
        scheme = (given.scheme or "").lower()
        if scheme in {"http", "https"}:
            reject_plain_http(given, canonical_without_fragment(given), localhost=localhost)
        elif "" in scheme.split(".") or "." not in scheme or scheme in SCHEMES:
            reason = "expected https, or a private-use scheme that is a reversed domain name"
            reject(given, "scheme-not-allowed", "scheme", reason)
        return Decision(True, URI(text), None, "", "", "", text)
    except PolicyError as error:
        return Decision(False, None, None, error.code, error.reason, error.hint, text)


def redirect_uri_matches(
    registered: str | Identifier, requested: str | Identifier | None, *, localhost: bool = False
) -> bool:
    """Return True if an authorization server may redirect to the URI that a client requests.

    The two URIs must be identical, character by character ([RFC 6749, 3.1.2.3][1], and
    [RFC 9700, 4.1.3][2]). They are never normalized.

    Only the port may differ, and only for native apps on the machine of the user
    ([RFC 8252, 7.3][3]): if the scheme of the registered URI is `http`, and its host is `[::1]` or
    an IPv4 address in 127.0.0.0/8, then the requested URI may have any port from 1 to 65535, or no
    port. Neither URI may have userinfo then. URIs that browsers may execute, such as
    `javascript:alert(1)`, never match.

    To check a request, call the function for each URI that the client has registered.

    [1]: https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3
    [2]: https://www.rfc-editor.org/rfc/rfc9700#section-4.1.3
    [3]: https://www.rfc-editor.org/rfc/rfc8252#section-7.3
    [4]: https://www.rfc-editor.org/rfc/rfc8252#section-8.3
    [5]: https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2

    Args:
        registered: a redirect URI that the client has registered.
        requested: the value of the parameter `redirect_uri` of a request. If it is not a valid URI,
            or if it is `None` because the request has no such parameter, the result is False.
        localhost: whether `localhost` counts as a loopback host too. [RFC 8252, 8.3][4] advises
            against this name: it can resolve to an address of another machine.

    Raises:
        ParseError: `registered` is not a valid URI.
        PolicyError: `registered` has a fragment ([RFC 6749, 3.1.2][5]). The `code` is `"fragment"`.
        TypeError: an argument has the wrong type.

    >>> redirect_uri_matches("https://app.example/cb", "https://app.example/cb")
    True
    >>> redirect_uri_matches("https://app.example/cb", "https://app.example/cb/../admin")
    False
    >>> redirect_uri_matches("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb")
    True
    >>> redirect_uri_matches("http://localhost/cb", "http://localhost:49152/cb")
    False
    """
    expected = URI(registered)
    reject_fragment(expected)
    if requested is None or expected.scheme.lower() in SCRIPT_SCHEMES:
        return False
    text = as_text(requested)
    if text == str(expected):
        return True
    if expected.scheme.lower() != "http" or not has_loopback_host(expected, localhost=localhost):
        return False
    # In "http://127.0.0.1:80@evil.example/", the address is userinfo, which is compared too.
    found = URI.try_parse(text)
    return (
        found is not None
        and expected.userinfo is None
        # Neither an empty port nor port 0 can be requested.
        and (found.port_text is None or (found.port_text != "0" and is_port(found.port_text)))
        and found.with_port(None) == expected.with_port(None)
    )
