"""`uriverse.hosts` classifies every block of IANA's special-purpose address registries correctly.

The rows were typed from the registries' web pages of 2025-10-09. The table below each registry has
blocks that are not in the registry.
"""

from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest

from uriverse._spec.grammar.iana_hosts import IPV4, IPV6
from uriverse.hosts import is_globally_reachable, scope

# Prefix, "Globally Reachable" (None: not stated, or not applicable), scope.
IN_IPV4_REGISTRY = [
    *(("0.0.0.0/8", False, "this-network"), ("0.0.0.0/32", False, "unspecified")),
    *(("10.0.0.0/8", False, "private"), ("100.64.0.0/10", False, "shared")),
    *(("127.0.0.0/8", False, "loopback"), ("169.254.0.0/16", False, "link-local")),
    *(("172.16.0.0/12", False, "private"), ("192.0.0.0/24", False, "special")),
    *(("192.0.0.0/29", False, "special"), ("192.0.0.8/32", False, "special")),
    *(("192.0.0.9/32", True, "global"), ("192.0.0.10/32", True, "global")),
    *(("192.0.0.170/32", False, "special"), ("192.0.0.171/32", False, "special")),
    *(("192.0.2.0/24", False, "documentation"), ("192.31.196.0/24", True, "global")),
    *(("192.52.193.0/24", True, "global"), ("192.88.99.0/24", None, "special")),
    *(("192.88.99.2/32", False, "special"), ("192.168.0.0/16", False, "private")),
    *(("192.175.48.0/24", True, "global"), ("198.18.0.0/15", False, "benchmarking")),
    *(("198.51.100.0/24", False, "documentation"), ("203.0.113.0/24", False, "documentation")),
    *(("240.0.0.0/4", False, "reserved"), ("255.255.255.255/32", False, "broadcast")),
]
BESIDES_IPV4 = [("0.0.0.0/0", True, "global"), ("224.0.0.0/4", None, "multicast")]
IN_IPV6_REGISTRY = [
    *(("::1/128", False, "loopback"), ("::/128", False, "unspecified")),
    *(("::ffff:0:0/96", False, "transition"), ("64:ff9b::/96", True, "global")),
    *(("64:ff9b:1::/48", False, "transition"), ("100::/64", False, "special")),
    *(("100:0:0:1::/64", False, "special"), ("2001::/23", False, "special")),
    *(("2001::/32", None, "transition"), ("2001:1::1/128", True, "global")),
    *(("2001:1::2/128", True, "global"), ("2001:1::3/128", True, "global")),
    *(("2001:2::/48", False, "benchmarking"), ("2001:3::/32", True, "global")),
    *(("2001:4:112::/48", True, "global"), ("2001:10::/28", None, "special")),
    *(("2001:20::/28", True, "global"), ("2001:30::/28", True, "global")),
    *(("2001:db8::/32", False, "documentation"), ("2002::/16", None, "transition")),
    *(("2620:4f:8000::/48", True, "global"), ("3fff::/20", False, "documentation")),
    *(("5f00::/16", False, "special"), ("fc00::/7", False, "unique-local")),
    ("fe80::/10", False, "link-local"),
]
BESIDES_IPV6 = [
    *(("::/0", None, "reserved"), ("2000::/3", True, "global"), ("::/96", None, "transition")),
    *(("::ffff:0:0:0/96", None, "transition"), ("fec0::/10", None, "site-local")),
    ("ff00::/8", None, "multicast"),
]

TABLES = {4: IN_IPV4_REGISTRY + BESIDES_IPV4, 6: IN_IPV6_REGISTRY + BESIDES_IPV6}

Row = tuple[str, bool | None, str]


def row_of(ip: IPv4Address | IPv6Address) -> Row:
    """Return the most specific row that contains an address."""
    matching = [row for row in TABLES[ip.version] if ip in ip_network(row[0])]
    return max(matching, key=lambda row: ip_network(row[0]).prefixlen)


def around(prefix: str) -> list[IPv4Address | IPv6Address]:
    """Return the first and the last address of a block, and their neighbors outside the block."""
    network = ip_network(prefix)
    kind = type(network.network_address)
    first, last = int(network.network_address), int(network.broadcast_address)
    numbers = (first - 1, first, last, last + 1)
    return [kind(number) for number in numbers if 0 <= number < 2**network.max_prefixlen]


@pytest.mark.parametrize("row", [*TABLES[4], *TABLES[6]], ids=lambda row: row[0])
def test_scope_is_right_at_both_ends_of_each_block(row: Row) -> None:
    for ip in around(row[0]):
        _, reachable, expected_scope = row_of(ip)
        assert (ip, scope(ip)) == (ip, expected_scope)
        assert is_globally_reachable(ip) is (reachable is True)


@pytest.mark.parametrize("row", [*TABLES[4], *TABLES[6]], ids=lambda row: row[0])
def test_each_block_has_an_address_that_no_narrower_block_contains(row: Row) -> None:
    network = ip_network(row[0])
    size = network.num_addresses
    kind = type(network.network_address)
    inside = [int(network.network_address) + size * n // 16 for n in range(16)]
    assert any(row_of(kind(number)) == row and scope(kind(number)) == row[2] for number in inside)


@pytest.mark.parametrize(
    ("registry", "generated", "bits"), [(IN_IPV4_REGISTRY, IPV4, 32), (IN_IPV6_REGISTRY, IPV6, 128)]
)
def test_the_generated_tables_have_the_blocks_of_the_registries(
    registry: list[Row], generated: tuple[tuple[int, int, str, str, bool | None], ...], bits: int
) -> None:
    networks = {(ip_network(prefix), reachable) for prefix, reachable, _ in registry}
    kind = IPv4Address if bits == 32 else IPv6Address
    assert networks == {
        (ip_network((kind(first), length)), reachable)
        for first, length, _, _, reachable in generated
    }
