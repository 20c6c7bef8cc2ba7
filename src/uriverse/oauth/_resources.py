"""Resources ([RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2))."""

from __future__ import annotations

from typing import overload

from uriverse._uri import URI
from uriverse._uri.engine import Identifier

from ._canonical import canonical_without_fragment


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
    canonical = canonical_without_fragment(uri)
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
    covering, covered = canonical_resource(resource), canonical_resource(requested)
    if covering is None or covered is None:
        return False
    has_query = covering.query is None or covering.query == covered.query
    directory = covering.with_path(covering.path.removesuffix("/"))
    return has_query and covered.is_relative_to(directory)
