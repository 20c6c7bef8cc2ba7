"""What addresses are for, by IANA's registries."""

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

#: What those registries leave to others: first address, length of the prefix, scope.
BESIDES_IPV4: tuple[tuple[int, int, Scope], ...] = (
    (0, 0, "global"),
    (0xE000_0000, 4, "multicast"),  # RFC 5771, 3
)
BESIDES_IPV6: tuple[tuple[int, int, Scope], ...] = (
    # Unicast addresses are given out of 2000::/3 only; the rest waits (RFC 4291, 2.4, and
    # IANA's registry of the IPv6 address space).
    (0, 0, "reserved"),
    (0x2000 << 112, 3, "global"),
    (0, 96, "transition"),  # "compatible": RFC 4291, 2.5.5.1
    (0xFFFF_0000 << 32, 96, "transition"),  # "translated": RFC 2765, 2.1
    (0xFEC0 << 112, 10, "site-local"),  # RFC 3879: deprecated, and never for others
    (0xFF00 << 112, 8, "multicast"),  # RFC 4291, 2.7
)


#: The scopes of addresses that are for all to reach, and of those that stand for such: what
#: `scopes` gives of a public address is in it.
PUBLIC_SCOPES: frozenset[Scope] = frozenset({"global", "transition"})


def scope(ip: IPv4Address | IPv6Address, /) -> Scope:
    """What an address is for, in one word.

    The most specific block decides that has the address in IANA's registries of
    special-purpose addresses ([RFC 6890](https://www.rfc-editor.org/rfc/rfc6890)):

    - `"global"`: it is in none, or the registry says that it is globally reachable;
    - `"unspecified"` (`0.0.0.0`, `::`), which often leads to the own machine, and
      `"this-network"` (the rest of `0.0.0.0/8`);
    - `"loopback"`, `"link-local"`, `"multicast"`, `"broadcast"`;
    - `"private"` (RFC 1918), `"unique-local"` (RFC 4193), `"site-local"` (`fec0::/10`, once
      the same), and `"shared"` (RFC 6598, between a provider and its customers);
    - `"documentation"`, `"benchmarking"`;
    - `"transition"`: an IPv6 address that stands for an IPv4 address, mapped, compatible,
      translated, Teredo, 6to4, or local NAT64; see `scopes`;
    - `"special"`: not globally reachable for another reason (`192.0.0.0/24`, `100::/64`);
    - `"reserved"`: for the future. Of IPv6 that is all outside `2000::/3` that has no other use.

    Of an address that embeds another only the outer one is looked at: `64:ff9b::/96` is
    global. `scopes` looks at both.

    Raises:
        TypeError: it is no address.

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
    """What an address is for, and all that are embedded in it (`embedded_addresses`).

    A program that is to connect to public addresses only allows no others than those in
    `PUBLIC_SCOPES`.

    Raises:
        TypeError: it is no address.

    >>> scopes(IPv6Address("::ffff:9.9.9.9")) <= PUBLIC_SCOPES
    True
    >>> sorted(scopes(IPv6Address("::ffff:127.0.0.1"))), sorted(scopes(IPv6Address("2620:fe::9")))
    (['loopback', 'transition'], ['global'])
    """
    return frozenset(scope(embedded.address) for embedded in embedded_addresses(ip))


def is_globally_reachable(ip: IPv4Address | IPv6Address, /) -> bool:
    """Whether an address is globally reachable, as IANA's registries have it (RFC 8190).

    Not where they say "N/A" or nothing, as for Teredo, 6to4 and blocks that have been given
    up; nor are multicast addresses, which no host has, and those reserved. It is so of what has
    the scope `"global"`, and of no others.

    Raises:
        TypeError: it is no address.

    >>> is_globally_reachable(IPv4Address("192.0.0.9"))
    True
    >>> is_globally_reachable(IPv6Address("2002::"))
    False
    """
    return scope(ip) == "global"


@cache
def blocks(version: int) -> list[tuple[int, dict[int, Scope]]]:
    """For each length of prefix, the longest first, the scope by what the prefix is."""
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
