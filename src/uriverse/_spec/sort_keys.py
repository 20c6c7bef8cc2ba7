"""Sort keys that order URIs by domain, starting with the top-level domain."""

from __future__ import annotations

from uriverse._spec.components import AllParts, split_all_parts
from uriverse._spec.syntax import matches


def reverse_labels(hostname: str) -> str:
    """Reverse the labels of a host name, so that names sort by domain; IP addresses stay."""
    if ":" in hostname or matches(hostname, "IPv4address"):
        return hostname
    return ".".join(reversed(hostname.split(".")))


def compute_surt_key(text: str) -> str | None:
    """Return the key by which web archives sort a normalized URI.

    It consists of the labels of the host in reverse, the port, the path and the query. Without a
    host, it is the URI without the fragment, or `None`.

    >>> uris = "http://www.example.org:8080/a?b#c", "urn:example:a", "../a"
    >>> [compute_surt_key(uri) for uri in uris]
    ['org,example,www:8080)/a?b', 'urn:example:a', None]
    """
    parts = split_all_parts(text)
    query = "" if parts.query is None else f"?{parts.query}"
    if parts.host:
        # By convention, only a closing parenthesis separates the authority from the path.
        return f"{format_surt_authority(parts)}){parts.path}{query}"
    return None if parts.scheme is None else text.partition("#")[0]


def format_surt_authority(parts: AllParts) -> str:
    host = str(parts.host)
    if not host.startswith("[") and not matches(host, "IPv4address"):
        host = reverse_labels(host).replace(".", ",")
    return host if parts.port is None else f"{host}:{parts.port}"
