from ipaddress import ip_address

import pytest

from uriverse import Policy, columns, hosts

#: The address for each way to embed 10.0.0.1, and the block of such addresses.
EMBEDDED = {
    "mapped": ("::ffff:a00:1", "::ffff:0:0/96"),
    "compatible": ("::a00:1", "::/96"),
    "translated": ("::ffff:0:a00:1", "::ffff:0:0:0/96"),
    "nat64": ("64:ff9b::a00:1", "64:ff9b::/96"),
    # RFC 6052, 2.2: the prefix lengths that the block of RFC 8215 has room for
    "nat64-local 48": ("64:ff9b:1:a00:0:100::", "64:ff9b:1::/48"),
    "nat64-local 56": ("64:ff9b:1:a:0:1::", "64:ff9b:1::/56"),
    "nat64-local 64": ("64:ff9b:1:0:a:0:100:0", "64:ff9b:1::/64"),
    "nat64-local 96": ("64:ff9b:1::a00:1", "64:ff9b:1::/96"),
    "6to4": ("2002:a00:1::", "2002::/16"),
    "teredo-server": ("2001:0:a00:1::", "2001::/32"),
    "teredo-client": ("2001::f5ff:fffe", "2001::/32"),
    "isatap": ("2001:db8::5efe:a00:1", "2001:db8::/32"),
}

#: Policies that deny and that allow such an address. "net" is the block, and "ip" the address.
DENIED: list[dict[str, list[str]]] = [
    *({"deny": [rule]} for rule in ("10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "net", "ip")),
    # All IPv4-mapped addresses are all IPv4 addresses.
    *({"deny": [rule]} for rule in ("::ffff:0:0/96", "::ffff:a00:0/104", "::ffff:a00:1")),
    {"deny": ["::/0"]},
    *({"deny": ["11.0.0.0/8", rule]} for rule in ("10.0.0.0/8", "::ffff:0:0/96")),
    *({"deny": [rule, "11.0.0.0/8"]} for rule in ("10.0.0.0/8", "::ffff:0:0/96")),
    # Allow rules match the outer address only.
    *({"allow": [rule]} for rule in ("10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "a.example")),
    *({"allow": ["net"], "deny": ["10.0.0.0/8"]}, {"allow": ["10.0.0.0/8"], "deny": ["net"]}),
    {"allow": ["net", "10.0.0.0/8"], "deny": ["::ffff:0:0/96"]},
    {"allow": ["10.0.0.0/8", "net"], "deny": ["11.0.0.0/8", "10.0.0.1"]},
]
ALLOWED: list[dict[str, list[str]]] = [
    *({}, {"deny": ["11.0.0.0/8"]}, {"deny": ["::ffff:b00:0/104"]}, {"allow": ["net"]}),
    {"allow": ["ip"]},
    {"allow": ["10.0.0.0/8", "net"], "deny": ["11.0.0.0/8", "2606::/16"]},
    {"allow": ["net", "10.0.0.0/8"]},
]


@pytest.mark.parametrize("way", EMBEDDED)
def test_rules_apply_to_embedded_addresses(way: str) -> None:
    ip, net = EMBEDDED[way]
    named = {"ip": ip, "net": net}
    for rules, expected in [*((r, False) for r in DENIED), *((r, True) for r in ALLOWED)]:
        lists = {key: [named.get(rule, rule) for rule in rules[key]] for key in rules}
        policy = Policy(**lists, scopes=None, unambiguous=False)  # type: ignore[arg-type]
        url = f"http://[{ip}]/"
        assert policy.allows(url) is expected, lists
        assert columns.allowed([url], policy).to_pylist() == [expected], lists


@pytest.mark.parametrize("way", EMBEDDED)
def test_an_embedded_private_address_is_not_public(way: str) -> None:
    ip, net = EMBEDDED[way]
    assert "private" in hosts.scopes(ip_address(ip))
    found = hosts.embedded_addresses(ip_address(ip))
    assert ("10.0.0.1", way.partition(" ")[0]) in [(str(each.address), each.how) for each in found]
    for policy in (Policy(unambiguous=False), Policy(allow=[net], unambiguous=False)):
        assert not policy.allows(f"http://[{ip}]/")
        assert columns.allowed([f"http://[{ip}]/"], policy).to_pylist() == [False]


def test_addresses_without_an_embedded_one_follow_their_own_rules() -> None:
    policy = Policy(deny=["0.0.0.0/0", "::ffff:0:0/96"], unambiguous=False)
    urls = ["http://[2620:fe::a00:1]/", "http://[64:ff9b:2::a00:1]/", "http://[2003:a00:1::]/"]
    assert [policy.allows(url) for url in urls] == [True, False, True]  # the second is reserved
    assert columns.allowed(urls, policy).to_pylist() == [True, False, True]
