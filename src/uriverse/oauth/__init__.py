"""Compare and derive the URIs of OAuth: redirect URIs, resources, and places of metadata.

The rules are those of OAuth 2.0 and 2.1, and of the authorization of the Model Context Protocol
(MCP), which is based on OAuth.

>>> from uriverse import oauth
>>> oauth.redirect_uri_matches("http://127.0.0.1/cb", "http://127.0.0.1:49152/cb")
True
>>> oauth.canonical_resource("https://MCP.example.com:443/")
URI('https://mcp.example.com')
"""

from uriverse import _public_names

from ._metadata import issuer_metadata_uris, resource_metadata_uris
from ._redirects import check_redirect_uri_registration, redirect_uri_matches
from ._resources import canonical_resource, resource_covers

__all__ = [
    "canonical_resource",
    "check_redirect_uri_registration",
    "issuer_metadata_uris",
    "redirect_uri_matches",
    "resource_covers",
    "resource_metadata_uris",
]
__dir__ = __all__.copy

_public_names.publish(globals())
