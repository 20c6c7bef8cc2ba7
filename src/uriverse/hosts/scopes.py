"""Scopes of IP addresses, from IANA's registries."""

from __future__ import annotations

from functools import cache
from ipaddress import IPv4Address, IPv6Address

from uriverse._grammar.iana_hosts import IPV4, IPV6
from uriverse.typing import Scope

from .embedded import embedded_addresses, number_in

#: The scopes of the blocks in IANA's registries that are not globally reachable, by the name
#: of the block. Those with other names are "special".
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

#: Blocks that these registries do not cover: first address, prefix length, scope.
BESIDES_IPV4: tuple[tuple[int, int, Scope], ...] = (
    (0, 0, "global"),
    (0xE000_0000, 4, "multicast"),  # RFC 5771, 3
)
BESIDES_IPV6: tuple[tuple[int, int, Scope], ...] = (
    # Unicast addresses are only allocated from 2000::/3; the rest is reserved (RFC 4291, 2.4, and
    # IANA's registry of the IPv6 address space).
    (0, 0, "reserved"),
    (0x2000 << 112, 3, "global"),
    (0, 96, "transition"),  # "compatible": RFC 4291, 2.5.5.1
    (0xFFFF_0000 << 32, 96, "transition"),  # "translated": RFC 2765, 2.1
    (0xFEC0 << 112, 10, "site-local"),  # RFC 3879: deprecated, and not to be reassigned
    (0xFF00 << 112, 8, "multicast"),  # RFC 4291, 2.7
)


#: The scopes of public addresses, and of addresses that represent other addresses: `scopes` returns
#: a subset of these for a public address.
PUBLIC_SCOPES: frozenset[Scope] = frozenset({"global", "transition"})


def scope(ip: IPv4Address | IPv6Address, /) -> Scope:
    """Return the scope of an IP address, such as `"global"` or `"private"`.

    The scope is that of the most specific block that contains the address in IANA's registries of
    special-purpose addresses ([RFC 6890](https://www.rfc-editor.org/rfc/rfc6890)):

    - `"global"`: no block contains it, or the registry lists the block as globally reachable;
    - `"unspecified"` (`0.0.0.0`, `::`), which often connects to the local machine, and
      `"this-network"` (the rest of `0.0.0.0/8`);
    - `"loopback"`, `"link-local"`, `"multicast"`, `"broadcast"`;
    - `"private"` (RFC 1918), `"unique-local"` (RFC 4193), `"site-local"` (`fec0::/10`, the
      deprecated equivalent), and `"shared"` (RFC 6598, between a provider and its customers);
    - `"documentation"`, `"benchmarking"`;
    - `"transition"`: an IPv6 address that represents an IPv4 address: mapped, compatible,
      translated, Teredo, 6to4, or local NAT64; see `scopes`;
    - `"special"`: not globally reachable for another reason (`192.0.0.0/24`, `100::/64`);
    - `"reserved"`: for future use. In IPv6, these are all addresses outside `2000::/3` that have
      no other use.

    If an address embeds another one, only the outer one counts: `64:ff9b::/96` is global. `scopes`
    considers both.

    Raises:
        TypeError: `ip` is not an address.

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
    """Return the scopes of an IP address and of all addresses embedded in it.

    See `embedded_addresses`. To allow public addresses only, accept an address if all its scopes
    are in `PUBLIC_SCOPES`.

    Raises:
        TypeError: `ip` is not an address.

    >>> scopes(IPv6Address("::ffff:9.9.9.9")) <= PUBLIC_SCOPES
    True
    >>> sorted(scopes(IPv6Address("::ffff:127.0.0.1"))), sorted(scopes(IPv6Address("2620:fe::9")))
    (['loopback', 'transition'], ['global'])
    """
    return frozenset(scope(embedded.address) for embedded in embedded_addresses(ip))


def is_globally_reachable(ip: IPv4Address | IPv6Address, /) -> bool:
    """Return whether an IP address is globally reachable by IANA's registries (RFC 8190).

    False where they have "N/A" or no value, as for Teredo, 6to4 and deprecated blocks, and for
    multicast and reserved addresses. True for exactly the addresses with the scope `"global"`.

    Raises:
        TypeError: `ip` is not an address.

    >>> is_globally_reachable(IPv4Address("192.0.0.9"))
    True
    >>> is_globally_reachable(IPv6Address("2002::"))
    False
    """
    return scope(ip) == "global"


@cache
def blocks(version: int) -> list[tuple[int, dict[int, Scope]]]:
    """Return, for each prefix length from the longest on, a mapping from prefix to scope."""
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
