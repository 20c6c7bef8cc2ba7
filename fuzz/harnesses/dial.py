"""A plan contains only addresses that the policy allows, and no input causes another error."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, ip_network

from draws import Draws
from outcomes import outcome

from harnesses.policy import policy_of
from uriverse import Policy, dial, hosts
from uriverse.hosts._names import PLATFORM_NETWORKS

#: Prefixes of IPv6 addresses: global, and those that embed or are special.
PREFIXES = (0x2606_4700 << 96, 0, 0xFFFF << 32, 0x64_FF9B << 96, 0x2002 << 112, 0xFE80 << 112)


def address_of(draws: Draws) -> IPv4Address | IPv6Address:
    """Return any address, which is often internal."""
    number = draws.choice((0x7F00_0001, 0x0A00_0001, 0xA83F_8110, draws.getrandbits(32)))
    if draws.randrange(2):
        return IPv4Address(number)
    wide = draws.choice((number, draws.getrandbits(128)))
    zone = draws.choice(("", "", "%1", "%eth0"))
    return IPv6Address(f"{IPv6Address((draws.choice(PREFIXES) | wide) % 2**128)}{zone}")


def check(data: bytes) -> None:
    """Look up one string with one policy and a resolver with random answers."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference", "IRI")))
    policy = draws.choice((Policy.public_web(), Policy(), policy_of(draws)))
    if draws.randrange(2):
        text = draws.choice(("http://a.example/", "HTTPS://localhost", "http://%67ood.example"))
    answer = [address_of(draws) for _ in range(draws.randrange(5))]
    asked: list[str] = []

    def resolver(name: str) -> list[IPv4Address | IPv6Address]:
        asked.append(name)
        return answer

    async def resolver_async(name: str) -> list[IPv4Address | IPv6Address]:
        return resolver(name)

    plans: list[dial.ConnectionPlan] = []
    try:
        error = outcome(lambda: plans.append(dial.lookup(policy, text, resolver=resolver)))
    except socket.gaierror:
        assert not answer
        return
    if not plans:
        assert error[0] == "PolicyError"
        return
    (plan,) = plans
    assert len(asked) <= 1
    assert plan.addresses
    assert 0 <= plan.port <= 65535
    assert plan == asyncio.run(dial.lookup_async(policy, text, resolver=resolver_async))
    for address in plan.addresses:
        items = {str(rule) for rule in policy.allow or ()}
        listed = bool(items) and plan.host in {str(address), "localhost"}
        listed |= str(address).partition("%")[0] in items
        assert listed or policy.scopes is None or hosts.scopes(address) <= {*policy.scopes}
        if policy == Policy.public_web():
            inner = [embedded.address for embedded in hosts.embedded_addresses(address)]
            assert not any(ip in ip_network(net) for ip in inner for net in PLATFORM_NETWORKS)
