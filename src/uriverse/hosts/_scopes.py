"""Scopes of IP addresses, from the registries of IANA, and IPv4 addresses within IPv6 addresses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import Literal, NamedTuple

from uriverse._spec.grammar.iana_hosts import IPV4, IPV6
from uriverse.typing import Scope

#: The scopes of the address blocks that IANA lists as not globally reachable, by the name of the
#: block. Blocks with other names are "special".
SCOPE_BY_NAME: dict[str, Scope] = {
    '"This network"': "this-network",
    '"This host on this network"': "unspecified",
    "Private-Use": "private",
    "Shared Address Space": "shared",
    "Loopback": "loopback",
    "Link Local": "link-local",
    **dict.fromkeys((f"Documentation (TEST-NET-{n})" for n in (1, 2, 3)), "documentation"),
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
OTHER_IPV4_BLOCKS: tuple[tuple[int, int, Scope], ...] = (
    (0, 0, "global"),
    (0xE000_0000, 4, "multicast"),  # RFC 5771, 3
)
OTHER_IPV6_BLOCKS: tuple[tuple[int, int, Scope], ...] = (
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
    number = to_integer(ip)
    return next(
        block_scope
        for length, scopes_by_prefix in load_blocks(ip.version)
        if (block_scope := scopes_by_prefix.get(number >> (ip.max_prefixlen - length)))
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
def load_blocks(version: int) -> list[tuple[int, dict[int, Scope]]]:
    """Return the scope of each known address block, by the length and the bits of its prefix.

    The longest prefix comes first, because the most specific block determines a scope.
    """
    if version == 4:
        address_length, registry, blocks = 32, IPV4, list(OTHER_IPV4_BLOCKS)
    else:
        address_length, registry, blocks = 128, IPV6, list(OTHER_IPV6_BLOCKS)
    for first_address, length, name, _, is_reachable in registry:
        block_scope = "global" if is_reachable else SCOPE_BY_NAME.get(name, "special")
        blocks.append((first_address, length, block_scope))
    scopes_by_length: dict[int, dict[int, Scope]] = {}
    for first_address, length, block_scope in blocks:
        prefix = first_address >> (address_length - length)
        scopes_by_length.setdefault(length, {})[prefix] = block_scope
    return sorted(scopes_by_length.items(), reverse=True)


#: The first 32 bits of an ISATAP interface identifier (RFC 5214, 6.1). The second value is used if
#: the IPv4 address is globally unique.
ISATAP = (0x0000_5EFE, 0x0200_5EFE)

#: The possible prefix lengths within 64:ff9b:1::/48, the block for local NAT64 translators.
NAT64_LOCAL_LENGTHS = (48, 56, 64, 96)


class EmbeddedAddress(NamedTuple):
    """An embedded IP address, and how it is embedded (mapped, NAT64, 6to4, ...).

    Attributes:
        address: the embedded address.
        how: the mechanism, such as `"mapped"` or `"nat64"`; `"itself"` for the outer address.

    >>> from ipaddress import IPv6Address
    >>> embedded_addresses(IPv6Address("::ffff:127.0.0.1"))[1]
    EmbeddedAddress(address=IPv4Address('127.0.0.1'), how='mapped')
    """

    address: IPv4Address | IPv6Address
    how: Literal[
        "itself",
        "mapped",
        "compatible",
        "translated",
        "nat64",
        "nat64-local",
        "6to4",
        "teredo-server",
        "teredo-client",
        "isatap",
    ]


def embedded_addresses(ip: IPv4Address | IPv6Address, /) -> tuple[EmbeddedAddress, ...]:
    """Return an IP address and all IPv4 addresses that are embedded in it.

    A connection to such an IPv6 address may reach the embedded IPv4 address, because the operating
    system, a translator or a tunnel converts it. Before you connect, check every address in the
    result.

    The attribute `how` of an embedded address is one of these values:

    - `"mapped"`, `::ffff:0:0/96` ([RFC 4291, 2.5.5.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2));
    - `"compatible"`, `::/96` except `::` and `::1` (deprecated by RFC 4291, 2.5.5.1);
    - `"translated"`, `::ffff:0:0:0/96` ([RFC 2765, 2.1](https://www.rfc-editor.org/rfc/rfc2765#section-2.1));
    - `"nat64"`, `64:ff9b::/96` ([RFC 6052](https://www.rfc-editor.org/rfc/rfc6052#section-2.1));
    - `"nat64-local"`, `64:ff9b:1::/48` ([RFC 8215](https://www.rfc-editor.org/rfc/rfc8215)): the
      operator chooses the prefix length, so the result contains the address for each possible
      length: 48, 56, 64 and 96 bits (RFC 6052, 2.2);
    - `"6to4"`, `2002::/16` ([RFC 3056](https://www.rfc-editor.org/rfc/rfc3056#section-2));
    - `"teredo-server"` and `"teredo-client"`, `2001::/32`
      ([RFC 4380, 4](https://www.rfc-editor.org/rfc/rfc4380#section-4));
    - `"isatap"`, an interface identifier that starts with `0:5efe` or `200:5efe`
      ([RFC 5214, 6.1](https://www.rfc-editor.org/rfc/rfc5214#section-6.1)).

    An operator can also choose a NAT64 prefix outside these blocks. Such addresses cannot be
    detected.

    Args:
        ip: an IPv4 or IPv6 address.

    Returns:
        The address itself, as `"itself"`, followed by the embedded addresses in the order above.

    Raises:
        TypeError: `ip` is neither an `IPv4Address` nor an `IPv6Address`.

    >>> embedded_addresses(IPv6Address("2002:7f00:1::"))[1]
    EmbeddedAddress(address=IPv4Address('127.0.0.1'), how='6to4')
    """
    number = to_integer(ip)
    addresses = [EmbeddedAddress(ip, "itself")]
    if isinstance(ip, IPv6Address):
        addresses += list_embedded_ipv4(number)
    return tuple(addresses)


def list_embedded_ipv4(number: int) -> Iterator[EmbeddedAddress]:
    """Yield the IPv4 addresses in an IPv6 address, which is given as a number of 128 bits."""
    first_96_bits, last_32_bits = number >> 32, number & 0xFFFF_FFFF
    if first_96_bits == 0xFFFF:  # ::ffff:0:0/96
        yield EmbeddedAddress(IPv4Address(last_32_bits), "mapped")
    if first_96_bits == 0 and last_32_bits > 1:  # neither :: nor ::1
        yield EmbeddedAddress(IPv4Address(last_32_bits), "compatible")
    if first_96_bits == 0xFFFF_0000:  # ::ffff:0:0:0/96
        yield EmbeddedAddress(IPv4Address(last_32_bits), "translated")
    if first_96_bits == 0x0064_FF9B << 64:  # 64:ff9b::/96
        yield EmbeddedAddress(IPv4Address(last_32_bits), "nat64")
    if number >> 80 == 0x0064_FF9B_0001:  # 64:ff9b:1::/48
        # The operator of a translator chooses the length of the prefix.
        candidates = (extract_translated_ipv4(number, length) for length in NAT64_LOCAL_LENGTHS)
        for candidate in dict.fromkeys(candidates):
            yield EmbeddedAddress(IPv4Address(candidate), "nat64-local")
    if number >> 112 == 0x2002:  # 2002::/16
        yield EmbeddedAddress(IPv4Address(number >> 80 & 0xFFFF_FFFF), "6to4")
    if number >> 96 == 0x2001_0000:  # 2001::/32
        yield EmbeddedAddress(IPv4Address(number >> 64 & 0xFFFF_FFFF), "teredo-server")
        # RFC 4380, 4: the bits are inverted.
        yield EmbeddedAddress(IPv4Address(last_32_bits ^ 0xFFFF_FFFF), "teredo-client")
    if first_96_bits & 0xFFFF_FFFF in ISATAP:
        yield EmbeddedAddress(IPv4Address(last_32_bits), "isatap")


def extract_translated_ipv4(number: int, length: int) -> int:
    """Return the IPv4 address after a NAT64 prefix of some length in bits (RFC 6052, 2.2).

    Bits 64 to 71 of the IPv6 address are never part of the IPv4 address.
    """
    octets = number.to_bytes(16, "big")
    if length < 96:
        octets = octets[:8] + octets[9:]
    start = length // 8
    return int.from_bytes(octets[start : start + 4], "big")


def to_integer(ip: object) -> int:
    if not isinstance(ip, IPv4Address | IPv6Address):
        raise TypeError(f"ip must be an IPv4Address or IPv6Address, not {type(ip).__name__}")
    return int(ip)
