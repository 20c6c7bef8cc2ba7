"""Find IPv4 addresses that are embedded in IPv6 addresses."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

from uriverse.typing import Embedding

#: The first 32 bits of an ISATAP interface identifier (RFC 5214, 6.1). The second value is used if
#: the IPv4 address is globally unique.
ISATAP = (0x0000_5EFE, 0x0200_5EFE)

#: The possible prefix lengths within 64:ff9b:1::/48, the block for local NAT64 translators.
NAT64_LOCAL_LENGTHS = (48, 56, 64, 96)


class EmbeddedAddress(NamedTuple):
    """An IP address that another address contains, and the mechanism that embeds it.

    Attributes:
        address: the embedded address.
        how: the mechanism, such as `"mapped"` or `"nat64"`; `"itself"` for the outer address.

    >>> from ipaddress import IPv6Address
    >>> embedded_addresses(IPv6Address("::ffff:127.0.0.1"))[1]
    EmbeddedAddress(address=IPv4Address('127.0.0.1'), how='mapped')
    """

    address: IPv4Address | IPv6Address
    how: Embedding


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
    number = number_in(ip)
    found = [EmbeddedAddress(ip, "itself")]
    if isinstance(ip, IPv6Address):
        found += [EmbeddedAddress(IPv4Address(inner), how) for inner, how in embedded(number)]
    return tuple(found)


def embedded(number: int) -> list[tuple[int, Embedding]]:
    """Return the IPv4 addresses embedded in an IPv6 address; all addresses are integers."""
    low = number & 0xFFFF_FFFF
    found: list[tuple[int, Embedding]] = []
    prefix = number >> 32
    if prefix == 0xFFFF:
        found.append((low, "mapped"))
    if prefix == 0 and low > 1:
        found.append((low, "compatible"))
    if prefix == 0xFFFF_0000:
        found.append((low, "translated"))
    if prefix == 0x0064_FF9B << 64:
        found.append((low, "nat64"))
    if number >> 80 == 0x0064_FF9B_0001:
        readings = dict.fromkeys(translated(number, length) for length in NAT64_LOCAL_LENGTHS)
        found.extend((reading, "nat64-local") for reading in readings)
    if number >> 112 == 0x2002:
        found.append((number >> 80 & 0xFFFF_FFFF, "6to4"))
    if number >> 96 == 0x2001_0000:
        found.append((number >> 64 & 0xFFFF_FFFF, "teredo-server"))
        found.append((low ^ 0xFFFF_FFFF, "teredo-client"))  # RFC 4380, 4: the bits are inverted
    if prefix & 0xFFFF_FFFF in ISATAP:
        found.append((low, "isatap"))
    return found


def translated(number: int, length: int) -> int:
    """Return the IPv4 address that follows a NAT64 prefix in an IPv6 address (RFC 6052, 2.2).

    The prefix has the given length in bits. Bits 64 to 71 of the IPv6 address are skipped: they are
    never part of the IPv4 address. If the length is 96, these bits belong to the prefix.
    """
    octets = number.to_bytes(16, "big")
    if length < 96:
        octets = octets[:8] + octets[9:]
    start = length // 8
    return int.from_bytes(octets[start : start + 4], "big")


def number_in(ip: object) -> int:
    if not isinstance(ip, IPv4Address | IPv6Address):
        raise TypeError(f"ip must be an IPv4Address or IPv6Address, not {type(ip).__name__}")
    return int(ip)
