"""Scopes of IP addresses, from the special-purpose address registries of IANA."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Address, IPv6Address

from uriverse._spec.grammar.iana_hosts import IPV4, IPV6
from uriverse.typing import Scope

from ._embedded import embedded_addresses, number_in

#: The scopes of the address blocks that IANA lists as not globally reachable, by the name of the
#: block. Blocks with other names are "special".
SCOPE_OF: dict[str, Scope] = {
    '"This network"': "this-network",
    '"This host on this network"': "unspecified",
    "Private-Use": "private",
    "Shared Address Space": "shared",
    "Loopback": "loopback",
    "Link Local": "link-local",
    "Documentation (TEST-NET-1)": "documentation",
    "Documentation (TEST-NET-2)": "documentation",
    "Documentation (TEST-NET-3)": "documentation",
    "Benchmarking": "benchmarking",
    "Reserved": "reserved",
    "Limited Broadcast": "broadcast",
    "Loopback Address": "loopback",
    "Unspecified Address": "unspecified",
    "IPv4-mapped Address": "transition",
    "IPv4-IPv6 Translat.": "transition",
    "TEREDO": "transition",
    "6to4": "transition",
    "Documentation": "documentation",
    "Unique-Local": "unique-local",
    "Link-Local Unicast": "link-local",
}

#: Address blocks that are not in the special-purpose registries: the first address, the prefix
#: length and the scope.
BESIDES_IPV4: tuple[tuple[int, int, Scope], ...] = (
    (0, 0, "global"),
    (0xE000_0000, 4, "multicast"),  # RFC 5771, 3
)
BESIDES_IPV6: tuple[tuple[int, int, Scope], ...] = (
    # Unicast addresses are only allocated from 2000::/3. All others are reserved (RFC 4291, 2.4,
    # and IANA's registry of the IPv6 address space).
    (0, 0, "reserved"),
    (0x2000 << 112, 3, "global"),
    (0, 96, "transition"),  # "compatible": RFC 4291, 2.5.5.1
    (0xFFFF_0000 << 32, 96, "transition"),  # "translated": RFC 2765, 2.1
    (0xFEC0 << 112, 10, "site-local"),  # RFC 3879: deprecated, and not to be reassigned
    (0xFF00 << 112, 8, "multicast"),  # RFC 4291, 2.7
)


PUBLIC_SCOPES: frozenset[Scope] = frozenset({"global", "transition"})
"""The scopes that a public IP address may have: an address is public if it has no other scope.

`"transition"` is one of them because a public IPv4 address may be embedded in an IPv6 address.

>>> scopes(IPv4Address("10.0.0.1")) <= PUBLIC_SCOPES
False
"""


def scope(ip: IPv4Address | IPv6Address, /) -> Scope:
    """Return the scope of an IP address, such as `"global"` or `"private"`.

    The scope comes from IANA's registries of special-purpose addresses
    ([RFC 6890](https://www.rfc-editor.org/rfc/rfc6890)). If several address blocks contain the
    address, the most specific block decides.

    - `"global"`: public. No block contains the address, or the registry lists the block as globally
      reachable.
    - `"unspecified"`: `0.0.0.0` or `::`. Connections to it often reach the local machine.
    - `"this-network"`: the rest of `0.0.0.0/8`.
    - `"loopback"`, `"link-local"`, `"multicast"`, `"broadcast"`, `"documentation"`,
      `"benchmarking"`: the usual meaning.
    - `"private"`: a private IPv4 address (RFC 1918).
    - `"unique-local"`: a private IPv6 address (RFC 4193); `"site-local"`: its deprecated
      predecessor `fec0::/10`.
    - `"shared"`: an address between a provider and its customers (RFC 6598).
    - `"transition"`: an IPv6 address that represents an IPv4 address: mapped, compatible,
      translated, Teredo, 6to4 or local NAT64.
    - `"special"`: not globally reachable for another reason, such as `192.0.0.0/24` and `100::/64`.
    - `"reserved"`: reserved for future use. This includes all IPv6 addresses outside `2000::/3`
      without another purpose.

    The result does not consider embedded addresses: `64:ff9b::7f00:1` is global, although it embeds
    `127.0.0.1`. `scopes` considers them.

    Args:
        ip: an IPv4 or IPv6 address.

    Raises:
        TypeError: `ip` is neither an `IPv4Address` nor an `IPv6Address`.

    >>> scope(IPv4Address("192.168.0.1")), scope(IPv6Address("::1")), scope(IPv4Address("1.1.1.1"))
    ('private', 'loopback', 'global')
    >>> scope(IPv4Address("192.0.0.8")), scope(IPv4Address("192.0.0.9"))
    ('special', 'global')
    """
    number = number_in(ip)
    return next(
        found
        for length, scopes in blocks(ip.version)
        if (found := scopes.get(number >> (ip.max_prefixlen - length)))
    )


def scopes(ip: IPv4Address | IPv6Address, /) -> frozenset[Scope]:
    """Return the scopes of an IP address and of all addresses that are embedded in it.

    To connect to public addresses only, accept an address if `scopes(ip) <= PUBLIC_SCOPES`. See
    `scope` for the scopes, and `embedded_addresses` for the embedded addresses.

    Args:
        ip: an IPv4 or IPv6 address.

    Raises:
        TypeError: `ip` is neither an `IPv4Address` nor an `IPv6Address`.

    >>> scopes(IPv6Address("::ffff:9.9.9.9")) <= PUBLIC_SCOPES
    True
    >>> sorted(scopes(IPv6Address("::ffff:127.0.0.1"))), sorted(scopes(IPv6Address("2620:fe::9")))
    (['loopback', 'transition'], ['global'])
    """
    return frozenset(scope(embedded.address) for embedded in embedded_addresses(ip))


def is_globally_reachable(ip: IPv4Address | IPv6Address, /) -> bool:
    """Return whether IANA's registries list an IP address as globally reachable.

    The result is true for addresses with the `scope` `"global"` and false for all others. It is
    also false if the registry ([RFC 8190][1]) has "N/A" or no value, as for Teredo, 6to4 and
    deprecated blocks, and for multicast and reserved addresses.

    [1]: https://www.rfc-editor.org/rfc/rfc8190

    Args:
        ip: an IPv4 or IPv6 address.

    Raises:
        TypeError: `ip` is neither an `IPv4Address` nor an `IPv6Address`.

    >>> is_globally_reachable(IPv4Address("192.0.0.9"))
    True
    >>> is_globally_reachable(IPv6Address("2002::"))
    False
    """
    return scope(ip) == "global"


@cache
def blocks(version: int) -> list[tuple[int, dict[int, Scope]]]:
    """Return the known blocks of IPv4 or IPv6 addresses, with the scope of each block.

    The blocks are grouped by prefix length, and the longest prefix comes first. Each block is
    identified by its prefix, as an integer.
    """
    bits, registry, besides = (
        (32, IPV4, BESIDES_IPV4) if version == 4 else (128, IPV6, BESIDES_IPV6)
    )
    found: dict[int, dict[int, Scope]] = {}
    for first, length, word in besides:
        found.setdefault(length, {})[first >> (bits - length)] = word
    for first, length, name, _, reachable in registry:
        word = "global" if reachable else SCOPE_OF.get(name, "special")
        found.setdefault(length, {})[first >> (bits - length)] = word
    return sorted(found.items(), reverse=True)
