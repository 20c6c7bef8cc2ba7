"""The places of metadata: well-known URIs ([RFC 8615](https://www.rfc-editor.org/rfc/rfc8615))."""

from __future__ import annotations

from uriverse._policy import reject
from uriverse._uri import URI, parse
from uriverse._uri.engine import Identifier

from ._canonical import canonical_without_fragment, reject_plain_http

AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
OPENID_CONFIGURATION = "/.well-known/openid-configuration"
PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"


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
    uri = canonical_without_fragment(issuer)
    reject_plain_http(parse(issuer), uri, localhost=True)
    if uri.query is not None:
        reject(parse(issuer), "query", "query", "unexpected query", "remove the query")
    path = uri.path.removesuffix("/")
    paths = [AUTHORIZATION_SERVER + path, OPENID_CONFIGURATION + path]
    if path:
        paths.append(path + OPENID_CONFIGURATION)
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
    uri = canonical_without_fragment(resource)
    # RFC 9728, 3.1 removes only the slash after the host: that of /mcp/ stays.
    path = "" if uri.path == "/" else uri.path
    inserted = uri.with_path(PROTECTED_RESOURCE + path)
    of_origin = inserted.with_path(PROTECTED_RESOURCE).without_query()
    return (inserted,) if inserted == of_origin else (inserted, of_origin)
