"""Compare and derive the URIs of OAuth: redirect URIs, resources, and places of metadata.

The rules are those of OAuth 2.0 and 2.1, and of the authorization of the Model Context Protocol
(MCP), which is based on OAuth.

>>> from uriverse import oauth
>>> oauth.redirect_uri_matches("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb")
True
>>> oauth.canonical_resource("https://MCP.example.com:443/")
URI('https://mcp.example.com')
"""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import overload

from uriverse import schemes
from uriverse._errors import PolicyError
from uriverse._policy import Decision, Policy
from uriverse._policy.decisions import parse_or_reject, reject_uri
from uriverse._policy.judging import classify_findings, reject_first
from uriverse._policy.rules import is_port_number
from uriverse._uri import URI, IRIReference, parse
from uriverse._uri.engine import Identifier, as_text

__all__ = [
    "canonical_resource",
    "check_redirect_uri_registration",
    "issuer_metadata_uris",
    "redirect_uri_matches",
    "resource_covers",
    "resource_metadata_uris",
]
__dir__ = __all__.copy

#: Resources and issuers may be on internal hosts, but all programs must parse them alike.
_POLICY = Policy(schemes={"http", "https"}, scopes=None)


def _canonicalize_without_fragment(uri: str | Identifier) -> URI:
    """Return the canonical form of an `http` or `https` URI without userinfo and fragment."""
    canonical_uri = _POLICY.enforce(uri)
    _reject_fragment(parse(uri))
    # The policy has no rules, but servers compare the paths.
    for checked_uri in (parse(uri), canonical_uri):
        reject_first(checked_uri, classify_findings(_POLICY, checked_uri)[0])
    return canonical_uri


def _reject_fragment(reference: IRIReference) -> None:
    if reference.fragment is not None:
        reject_uri(reference, "fragment", "fragment", "unexpected fragment", "remove the fragment")


def _reject_plain_http(reference: IRIReference, uri: URI, *, localhost: bool) -> None:
    if uri.scheme != "https" and not _has_loopback_host(uri, localhost=localhost):
        reason = "http is allowed only for loopback hosts"
        hint = "write 127.0.0.1 instead of localhost" if uri.host == "localhost" else "use https"
        reject_uri(reference, "scheme-not-allowed", "scheme", reason, hint)


def _has_loopback_host(uri: URI, *, localhost: bool) -> bool:
    if uri.host == "localhost":
        return localhost
    # Other notations of ::1 are excluded, and so are IPv6 addresses with an IPv4 address in them.
    address = uri.ip
    return uri.host == "[::1]" or (isinstance(address, IPv4Address) and address.is_loopback)


#: The schemes of URIs that browsers may execute.
_SCRIPT_SCHEMES = {"blob", "data", "filesystem", "javascript", "vbscript"}


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
        reference = parse_or_reject(text)
        _reject_fragment(reference)
        if not text.isascii():
            reject_uri(reference, "syntax", "path", "expected ASCII", "convert the IRI to a URI")
        if reference.userinfo is not None:
            hint = "remove the userinfo"
            reject_uri(reference, "userinfo-not-allowed", "userinfo", "unexpected userinfo", hint)
        if "*" in text:
            in_host = "*" in (reference.host or "")
            hint = "register each URI" if in_host else "write %2A for a literal *"
            reject_uri(reference, "wildcard", "path", "unexpected wildcard", hint)
        scheme = (reference.scheme or "").lower()
        is_reversed_domain = "." in scheme and "" not in scheme.split(".")
        if scheme in {"http", "https"}:
            canonical = _canonicalize_without_fragment(reference)
            _reject_plain_http(reference, canonical, localhost=localhost)
        elif not is_reversed_domain or scheme in schemes.SCHEMES:
            reason = "expected https, or a private-use scheme that is a reversed domain name"
            reject_uri(reference, "scheme-not-allowed", "scheme", reason)
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
    registered_uri = URI(registered)
    _reject_fragment(registered_uri)
    if requested is None or registered_uri.scheme.lower() in _SCRIPT_SCHEMES:
        return False
    text = as_text(requested)
    if text == str(registered_uri):
        return True
    if registered_uri.scheme.lower() != "http":
        return False
    if not _has_loopback_host(registered_uri, localhost=localhost):
        return False
    # In "http://127.0.0.1:80@evil.example/", the address is userinfo, which is compared too.
    requested_uri = URI.try_parse(text)
    if requested_uri is None or registered_uri.userinfo is not None:
        return False
    port = requested_uri.port_text
    # Neither an empty port nor port 0 can be requested.
    if port is not None and (port == "0" or not is_port_number(port)):
        return False
    return requested_uri.with_port(None) == registered_uri.with_port(None)


@overload
def canonical_resource(uri: str | Identifier) -> URI: ...
@overload
def canonical_resource(uri: None) -> None: ...
def canonical_resource(uri: str | Identifier | None) -> URI | None:
    """Return the canonical form of a resource, such as the URI of an MCP server.

    Clients send this form as the parameter `resource` ([RFC 8707, 2][1], and MCP's
    [Canonical Server URI][2]), and servers publish it in their metadata and expect it as the
    audience of tokens. A `URI` never equals a `str`, so compare `str()` of the result with the
    audience.

    The scheme and the host are in lower case, default ports are removed, and percent-encoding and
    dot segments are normalized. An origin alone has no slash at its end. In all other paths, a
    slash at the end can be significant and is kept, and so is the query.

    [1]: https://www.rfc-editor.org/rfc/rfc8707#section-2
    [2]: https://modelcontextprotocol.io/specification/latest/basic/authorization#canonical-server-uri

    Args:
        uri: an `http` or `https` URI. If it is `None`, as for a request without a resource, the
            result is `None`.

    Raises:
        PolicyError: the URI is relative or invalid, has another scheme, userinfo or a fragment, or
            can be parsed differently by other programs. The attribute `code` is the reason:
            `"fragment"`, or one of the codes that `Policy.enforce` lists.
        TypeError: `uri` is neither `None` nor a `str` nor one of the four URI types.

    >>> canonical_resource("HTTPS://MCP.example.com:443/")
    URI('https://mcp.example.com')
    >>> canonical_resource("https://mcp.example.com/server/./mcp/")
    URI('https://mcp.example.com/server/mcp/')
    >>> canonical_resource("https://mcp.example.com#fragment")
    Traceback (most recent call last):
        ...
    uriverse.PolicyError: unexpected fragment (fragment, position 23)
      https://mcp.example.com#fragment
                             ^
    hint: remove the fragment
    """
    if uri is None:
        return None
    canonical = _canonicalize_without_fragment(uri)
    is_origin = canonical.path == "/" and canonical.query is None
    return canonical.with_path("") if is_origin else canonical


def resource_covers(resource: str | Identifier | None, requested: str | Identifier | None) -> bool:
    """Return True if metadata for `resource` may be used for the server at `requested`.

    An MCP client calls this function with the member `resource` of protected resource metadata and
    the URL of the server to which it wants to connect. If the result is False, the metadata is that
    of another server, and the client must not use it. [RFC 9728, 3.3][1] even requires that both
    are identical, but many MCP servers publish one document for all their endpoints.

    Never use this function for the audience of a token: the audience must be identical to the
    resource ([RFC 8707, 2][2], and [RFC 9068, 4][3]).

    Scheme, host and port must be equal, and the path of `resource` must be the first segments of
    the other path: `/mcp` covers `/mcp`, `/mcp/` and `/mcp/a`, but not `/mcpx`. As in the clients
    of MCP, a slash at the end of `resource` does not matter. If `resource` has a query, both
    queries must be equal; otherwise, the query of `requested` is ignored. The function compares the
    URIs that `canonical_resource` returns. If an argument is `None`, the result is False.

    [1]: https://www.rfc-editor.org/rfc/rfc9728#section-3.3
    [2]: https://www.rfc-editor.org/rfc/rfc8707#section-2
    [3]: https://www.rfc-editor.org/rfc/rfc9068#section-4

    Args:
        resource: the member `resource` of the metadata.
        requested: the URL of the server.

    Raises:
        PolicyError: `canonical_resource` rejects one of the URIs.
        TypeError: an argument is neither `None` nor a `str` nor one of the four URI types.

    >>> resource_covers("https://mcp.example.com/mcp", "https://mcp.example.com/mcp/a?b")
    True
    >>> resource_covers("https://mcp.example.com/mcp", "https://mcp.example.com/mcp/../admin")
    False
    >>> resource_covers("https://mcp.example.com", "https://mcp.example.com.evil.example/")
    False
    """
    resource_uri, requested_uri = canonical_resource(resource), canonical_resource(requested)
    if resource_uri is None or requested_uri is None:
        return False
    if resource_uri.query is not None and resource_uri.query != requested_uri.query:
        return False
    directory = resource_uri.with_path(resource_uri.path.removesuffix("/"))
    return requested_uri.is_relative_to(directory)


_AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
_OPENID_CONFIGURATION = "/.well-known/openid-configuration"
_PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"


def issuer_metadata_uris(issuer: str | Identifier) -> tuple[URI, ...]:
    """Return the URIs at which an authorization server may publish its metadata, in order.

    Request them in this order until one succeeds, as [MCP requires][1]:

    1. OAuth: the well-known path is inserted before the path of the issuer ([RFC 8414, 3.1][2]).
    2. OpenID Connect Discovery: the well-known path is inserted as well ([RFC 8414, 5][3]).
    3. If the issuer has a path: [OpenID Connect Discovery, 4][4]. The well-known path is appended.

    A slash at the end of the issuer is removed first.

    The member `issuer` of the metadata must be identical to `issuer`, character by character. If it
    is not, do not use the metadata ([RFC 8414, 3.3][5]).

    [1]: https://modelcontextprotocol.io/specification/latest/basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
    [2]: https://www.rfc-editor.org/rfc/rfc8414#section-3.1
    [3]: https://www.rfc-editor.org/rfc/rfc8414#section-5
    [4]: https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationRequest
    [5]: https://www.rfc-editor.org/rfc/rfc8414#section-3.3
    [6]: https://www.rfc-editor.org/rfc/rfc8414#section-2

    Args:
        issuer: the issuer identifier: an `https` URI without userinfo, query and fragment
            ([RFC 8414, 2][6]). For development, `http` is allowed for the hosts `localhost` and
            `[::1]`, and for addresses in 127.0.0.0/8.

    Raises:
        PolicyError: the URI is not such an identifier, or other programs parse it differently. The
            attribute `code` is the reason: `"query"`, `"fragment"`, or one of the codes that
            `Policy.enforce` lists, such as `"scheme-not-allowed"`.
        TypeError: `issuer` is neither a `str` nor one of the four URI types.

    >>> for uri in issuer_metadata_uris("https://auth.example.com/tenant1"):
    ...     print(uri)
    https://auth.example.com/.well-known/oauth-authorization-server/tenant1
    https://auth.example.com/.well-known/openid-configuration/tenant1
    https://auth.example.com/tenant1/.well-known/openid-configuration
    """
    uri = _canonicalize_without_fragment(issuer)
    _reject_plain_http(parse(issuer), uri, localhost=True)
    if uri.query is not None:
        reject_uri(parse(issuer), "query", "query", "unexpected query", "remove the query")
    path = uri.path.removesuffix("/")
    paths = [_AUTHORIZATION_SERVER + path, _OPENID_CONFIGURATION + path]
    if path:
        paths.append(path + _OPENID_CONFIGURATION)
    return tuple(map(uri.with_path, paths))


def resource_metadata_uris(resource: str | Identifier) -> tuple[URI, ...]:
    """Return the URIs at which a protected resource may publish its metadata, in order.

    If the server has not sent the URI of its metadata in a field `WWW-Authenticate`, request them
    in this order until one succeeds, as [MCP requires][1]:

    1. The well-known path is inserted before the path and the query ([RFC 9728, 3.1][2]).
    2. If the resource has a path or a query: the document of the origin.

    The member `resource` of the metadata must be identical to the resource identifier, character by
    character. If it is not, do not use the metadata ([RFC 9728, 3.3][3]). For MCP servers,
    `resource_covers` is a less strict check.

    [1]: https://modelcontextprotocol.io/specification/latest/basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
    [2]: https://www.rfc-editor.org/rfc/rfc9728#section-3.1
    [3]: https://www.rfc-editor.org/rfc/rfc9728#section-3.3

    Args:
        resource: the resource identifier: an `https` URI without userinfo and fragment. For servers
            inside a network, `http` is allowed as well.

    Raises:
        PolicyError: `canonical_resource` rejects the URI.
        TypeError: `resource` is neither a `str` nor one of the four URI types.

    >>> for uri in resource_metadata_uris("https://mcp.example.com/server/mcp"):
    ...     print(uri)
    https://mcp.example.com/.well-known/oauth-protected-resource/server/mcp
    https://mcp.example.com/.well-known/oauth-protected-resource
    """
    uri = _canonicalize_without_fragment(resource)
    # RFC 9728, 3.1 removes only the slash after the host: that of /mcp/ stays.
    path = "" if uri.path == "/" else uri.path
    resource_document = uri.with_path(_PROTECTED_RESOURCE + path)
    origin_document = resource_document.with_path(_PROTECTED_RESOURCE).without_query()
    return tuple(dict.fromkeys((resource_document, origin_document)))
