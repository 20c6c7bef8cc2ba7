"""Hosts of the local machine ([RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3))."""

from __future__ import annotations

from ipaddress import IPv4Address

from uriverse._identifiers import URI


def has_loopback_host(uri: URI, *, localhost: bool) -> bool:
    """Return whether the host is `[::1]`, an address in 127.0.0.0/8 or, if allowed, `localhost`."""
    if uri.host == "localhost":
        return localhost
    # Other notations of ::1 are excluded, and so are IPv6 addresses with an IPv4 address in them.
    address = uri.ip
    return uri.host == "[::1]" or (isinstance(address, IPv4Address) and address.is_loopback)
