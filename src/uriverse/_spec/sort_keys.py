"""Sort keys that order URIs by domain, starting with the top-level domain."""

from __future__ import annotations

from uriverse._spec.components import AllParts, split_all_parts
from uriverse._spec.syntax import matches


def reverse_labels(hostname: str) -> str:
    """Reverse the order of the labels in a host name, so that host names sort by domain.

    IP addresses are returned unchanged, because their most significant part already comes first.

    Args:
        hostname: the host, without brackets.

    >>> [reverse_labels(host) for host in ("www.example.org", "127.0.0.1", "::1")]
    ['org.example.www', '127.0.0.1', '::1']
    """
    if ":" in hostname or matches(hostname, "IPv4address"):
        return hostname
    return ".".join(reversed(hostname.split(".")))


def compute_surt_key(text: str) -> str | None:
    """Return the SURT key of a normalized URI, or None for a relative reference without a host.

    Web archives sort their indexes by SURT keys. The key consists of the labels of the host in
    reverse order, separated by commas; the port, if any; a closing parenthesis; the path; and the
    query. Scheme, userinfo and fragment are omitted. The key of a URI without a host is the whole
    URI without the fragment.

    >>> uris = "http://www.example.org:8080/a?b#c", "urn:example:a", "../a"
    >>> [compute_surt_key(uri) for uri in uris]
    ['org,example,www:8080)/a?b', 'urn:example:a', None]
    """
    parts = split_all_parts(text)
    query = "" if parts.query is None else f"?{parts.query}"
    if parts.host:
        return f"{format_surt_authority(parts)}){parts.path}{query}"
    if parts.scheme is None:
        return None
    return text if parts.fragment is None else text[: -len(parts.fragment) - 1]


def format_surt_authority(parts: AllParts) -> str:
    host = str(parts.host)
    if not host.startswith("[") and not matches(host, "IPv4address"):
        host = reverse_labels(host).replace(".", ",")
    return host if parts.port is None else f"{host}:{parts.port}"
