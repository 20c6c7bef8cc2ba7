"""Classify hosts by grammar rule: IPv6 address, IPv4 address or registered name."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import Literal

from uriverse._errors import quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._spec.grammar.rfc3986 import IPv6address, pct_encoded, unreserved
from uriverse._spec.percent import pct_decode
from uriverse._spec.syntax import matches

#: RFC 6874: IPv6addrz = IPv6address "%25" ZoneID, ZoneID = 1*( unreserved / pct-encoded ).
IPV6_ADDRZ = lazy_pattern(rf"\[({IPv6address})%25((?:[{unreserved}]|{pct_encoded})++)\]")


def host_kind(
    host: str, /
) -> Literal["IPv6address", "IPvFuture", "IPv4address", "reg-name"] | None:
    """Return the grammar rule that a host matches, such as `"IPv4address"` or `"reg-name"`.

    The rules are those of [RFC 3986, 3.2.2][1]. A host that matches both `IPv4address` and
    `reg-name` is an `IPv4address`, as the RFC specifies. `URI.host_kind` is the same for the host
    of a URI.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

    Args:
        host: a host; an IPv6 address must be in brackets.

    Returns:
        `"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or `"reg-name"`; `None` if the string is not
        a valid host.

    Raises:
        TypeError: the host is not a `str`.

    >>> host_kind("[::1]"), host_kind("127.0.0.1"), host_kind("127.1"), host_kind("::1")
    ('IPv6address', 'IPv4address', 'reg-name', None)
    """
    if matches(host, "IPv4address"):
        return "IPv4address"
    if matches(host, "IP-literal"):  # either of the two, in brackets
        return "IPvFuture" if matches(host[1:-1], "IPvFuture") else "IPv6address"
    return "reg-name" if matches(host, "ireg-name") else None


def ip(host: str, /, *, zone: Literal["rfc6874"] | None = None) -> IPv4Address | IPv6Address | None:
    """Parse a host as an IP address; return `None` for any other host.

    Only the notations of the URI grammar ([RFC 3986, 3.2.2][3]) are recognized. For hosts such as
    `127.1`, which other programs interpret as addresses, see `lookalike_ip`.

    Args:
        host: a host; an IPv6 address must be in brackets.
        zone: `"rfc6874"` to accept an IPv6 address with a zone identifier, as in
            `[fe80::1%25eth0]` ([RFC 6874, 2][1]). That RFC is obsoleted by [RFC 9844][2], and zone
            identifiers are not allowed in URIs.

    Returns:
        The address; `None` if the host is a name, invalid, or an `IPvFuture`.

    Raises:
        TypeError: the host is not a `str`.
        ValueError: `zone` has another value.

    [1]: https://www.rfc-editor.org/rfc/rfc6874#section-2
    [2]: https://www.rfc-editor.org/rfc/rfc9844
    [3]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

    >>> ip("[::1]"), ip("127.0.0.1"), ip("127.1")
    (IPv6Address('::1'), IPv4Address('127.0.0.1'), None)
    >>> ip("[fe80::1%25eth0]") is None, ip("[fe80::1%25eth0]", zone="rfc6874")
    (True, IPv6Address('fe80::1%eth0'))
    """
    if zone not in {None, "rfc6874"}:
        raise ValueError(f"zone must be 'rfc6874' or None, not {quote_argument(zone)}")
    kind = host_kind(host)
    if kind == "IPv4address":
        return IPv4Address(host)
    if kind == "IPv6address":
        return IPv6Address(host[1:-1])
    match = IPV6_ADDRZ.fullmatch(host) if zone else None
    if match is None:
        return None
    address, encoded_zone = match.groups()
    zone_name = pct_decode(encoded_zone).decode(errors="replace")
    # `ipaddress` splits an address at the first percent sign, so a zone cannot contain one.
    return None if "%" in zone_name else IPv6Address(f"{address}%{zone_name}")
