"""Keys that sort identifiers by host, from the top of its domain down."""

from __future__ import annotations

from uriverse._spec.components import AllParts, all_parts
from uriverse._spec.syntax import matches


def reversed_labels(hostname: str) -> str:
    """A host with its labels in reverse order, so that it sorts by its domain.

    An address stays as it is: it is read from the left.

    Args:
        hostname: without brackets.

    >>> reversed_labels("www.example.org"), reversed_labels("127.0.0.1"), reversed_labels("::1")
    ('org.example.www', '127.0.0.1', '::1')
    """
    if ":" in hostname or matches(hostname, "IPv4address"):
        return hostname
    return ".".join(reversed(hostname.split(".")))


def surt_key(text: str) -> str | None:
    """The key of an identifier in normal form, as indexes of web archives sort by it.

    The labels of the host in reverse order, with commas between; the port, if there is one; a
    closing bracket; path and query. Scheme, userinfo and fragment are left out. Without a host it
    is all but the fragment; a relative reference without a host has no key.

    >>> surt_key("http://www.example.org:8080/a?b#c"), surt_key("urn:example:a"), surt_key("../a")
    ('org,example,www:8080)/a?b', 'urn:example:a', None)
    """
    parts = all_parts(text)
    query = "" if parts.query is None else f"?{parts.query}"
    if parts.host:
        return f"{place(parts)}){parts.path}{query}"
    if parts.scheme is None:
        return None
    return text if parts.fragment is None else text[: -len(parts.fragment) - 1]


def place(parts: AllParts) -> str:
    """Host and port as a key begins with them."""
    host = str(parts.host)
    if not host.startswith("["):
        host = reversed_labels(host)
        host = host if matches(host, "IPv4address") else host.replace(".", ",")
    return host if parts.port is None else f"{host}:{parts.port}"
