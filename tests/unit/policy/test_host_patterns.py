"""Patterns of hosts."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from uriverse import RuleError
from uriverse._policy.hosts import HostIndex, HostPattern, host_pattern, with_embedded


@pytest.mark.parametrize(
    ("text", "kind", "canonical"),
    [
        *(("A.Example", "name", "a.example"), ("a.example.", "name", "a.example")),
        ("b\u00fccher.example", "name", "xn--bcher-kva.example"),
        ("*.B\u00dcCHER.example", "subdomains", "*.xn--bcher-kva.example"),
        *(("1.2.3.4", "address", "1.2.3.4"), ("[2001:DB8::0:1]", "address", "2001:db8::1")),
        ("2001:db8:0:0::1", "address", "2001:db8::1"),
        ("::ffff:1.2.3.4", "address", "::ffff:1.2.3.4"),
        *(("10.0.0.0/8", "network", "10.0.0.0/8"), ("2001:DB8::/32", "network", "2001:db8::/32")),
    ],
)
def test_a_pattern_has_a_canonical_form(text: str, kind: str, canonical: str) -> None:
    assert host_pattern(text) == (kind, canonical)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        *(("", 0), ("*", 0), ("a*", 1), ("*.*.a", 2), ("127.1", 0), ("*.127.0.0.1", 0)),
        *(("fe80::1%1", 0), ("10.0.0.0/x", 0), ("10.0.0.1/8", 0), ("fe80::%1/64", 6)),
        *(("*.10.0.0.0/8", 0), ("a..b", 2), ("*.a..b", 4), ("a" * 64, 0), ("a\n", 0)),
    ],
)
def test_an_invalid_pattern_raises_an_error_with_a_position(text: str, position: int) -> None:
    with pytest.raises(RuleError) as caught:
        host_pattern(text)
    assert caught.value.position == position


def index_of(*patterns: str) -> HostIndex[str]:
    """Return an index of patterns whose values are the patterns themselves."""
    index: HostIndex[str] = HostIndex()
    for pattern in patterns:
        index.get_or_add(host_pattern(pattern), pattern)
    return index


def test_an_index_finds_names_and_addresses_and_the_wildcards_and_networks_around_them() -> None:
    index = index_of("a.b.example", "*.b.example", "*.example", "b.example", "*.a.b.example")
    assert [*index.find_name("a.b.example")] == ["a.b.example", "*.b.example", "*.example"]
    assert [*index.find_name("b.example")] == ["b.example", "*.example"]
    assert [*index.find_name("example")] == []
    assert [*index.find_name("ab.example")] == ["*.example"]
    # An index finds an address and its networks.
    index = index_of("10.0.0.1", "10.0.0.0/8", "::/0", "fe80::1", "0.0.0.0/0")
    assert [*index.find_address(ip_address("10.0.0.1"))] == ["10.0.0.1", "10.0.0.0/8", "0.0.0.0/0"]
    assert [*index.find_address(ip_address("fe80::1%3"))] == ["fe80::1", "::/0"]
    assert [*index.find_address(ip_address("::ffff:10.0.0.1"))] == ["::/0"]
    # An index returns the first value of equal patterns.
    first: HostIndex[int] = HostIndex()
    for number, text in enumerate(("10.0.0.0/8", "10.0.0.0/8", "A.example", "a.example")):
        first.get_or_add(host_pattern(text), number)
    assert [*first.find_address(ip_address("10.0.0.1"))] == [0]
    assert [*first.find_name("a.example")] == [2]


@pytest.mark.parametrize(
    ("text", "widened"),
    [
        *(("::ffff:10.0.0.1", "10.0.0.1/32"), ("::ffff:10.0.0.0/104", "10.0.0.0/8")),
        *(("::fffe:0:0/95", "::fffe:0:0/95"), ("10.0.0.1", "10.0.0.1/32"), ("::1", "::1/128")),
    ],
)
def test_a_mapped_address_is_denied_as_an_ipv4_address(text: str, widened: str) -> None:
    assert with_embedded(host_pattern(text)) == HostPattern("network", widened)
    assert with_embedded(host_pattern("a.example")) == host_pattern("a.example")
