"""Compare hosts with the entries of `Policy.hosts` and `Policy.denied_hosts`."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from uriverse import hosts
from uriverse._engine import to_ascii
from uriverse._errors import ConvertError
from uriverse._identifiers import URI
from uriverse._quoting import parsed_with, quoted
from uriverse._spec.ipv6 import canonical

#: The name of the local machine. It always resolves to a loopback address ([RFC 6761, 6.3][1]).
#:
#: [1]: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
LOCALHOST = "localhost"

#: Special-use names for documentation. They resolve to public hosts, unlike the other names.
IN_DOCUMENTS = {"example", "example.com", "example.net", "example.org"}

#: The maximum length of a domain name, with the dot at its end (RFC 1035, 2.3.4).
LONGEST_NAME = 254

#: The scope of all other special-use names. They never resolve to public hosts.
SPECIAL_USE = "special-use"

#: The length of the prefix of IPv4-mapped IPv6 addresses, ::ffff:0:0/96.
MAPPED_PREFIX = 96

#: The message about an invalid pattern.
INVALID_PATTERN = "hosts must be names, addresses, or '*.' and a name"


def canonical_pattern(pattern: str) -> str:
    """Return the canonical form of an entry of `Policy.hosts`: a host, or `*.` and a name."""
    wildcard, name = ("*.", pattern[2:]) if pattern.startswith("*.") else ("", pattern)
    bracketed = name if name.startswith("[") else f"[{name}]"
    if not wildcard and hosts.ip(bracketed) is not None:
        return canonical(bracketed[1:-1])
    if not wildcard and hosts.ip(name) is not None:
        return name
    try:
        domain = to_ascii(name)
    except ConvertError as error:
        raise ValueError(f"{INVALID_PATTERN}, not {quoted(pattern)}") from error
    if not is_plain_domain(domain):
        raise ValueError(f"{INVALID_PATTERN}, not {quoted(pattern)}: write IPv4 addresses in full")
    return wildcard + domain.removesuffix(".")


def canonical_denial(pattern: str) -> str:
    """Return the canonical form of an entry of `Policy.denied_hosts`: a name, or a network."""
    if "/" not in pattern:
        pattern = canonical_pattern(pattern)
        if ":" not in pattern and hosts.ip(pattern) is None:
            return pattern
    try:
        network = parsed_with(ip_network, pattern)
    except ValueError as error:
        raise ValueError(f"networks must be an address, '/' and a length: {error}") from error
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped is not None and network.prefixlen >= MAPPED_PREFIX:
        return str(IPv4Network((mapped, network.prefixlen - MAPPED_PREFIX)))
    return str(network)


def is_plain_domain(host: str) -> bool:
    """Return whether an ASCII host is a domain name whose last label is not a number.

    If the last label is a number, browsers parse the host as an IPv4 address or reject it (see the
    [URL standard][1]).

    [1]: https://url.spec.whatwg.org/#ends-in-a-number-checker
    """
    last_label = host.removesuffix(".").rpartition(".")[2]
    try:
        return to_ascii(host) == host and hosts.ipv4_form(last_label) is None
    except ConvertError:
        return False


def reading_of(host: str) -> tuple[bool, str]:
    """Return whether a host is a domain name, and the IPv4 address that other programs read."""
    # A long host is not cached, because the cache would keep it in memory.
    return (cached_reading_of if len(host) <= LONGEST_NAME else uncached_reading_of)(host)


def uncached_reading_of(host: str) -> tuple[bool, str]:
    """Compute the result of `reading_of`."""
    lookalike = hosts.lookalike_ip(host)
    return lookalike is None and is_plain_domain(host), str(lookalike or "")


#: Programs send many requests to few hosts.
cached_reading_of = lru_cache(maxsize=1024)(uncached_reading_of)


def is_listed(uri: URI, patterns: Collection[str]) -> bool:
    """Return whether the host of a canonical URI matches one of the canonical patterns."""
    name = name_of(uri)
    if name in patterns or uri.host_kind != "reg-name":
        return name in patterns
    labels = name.split(".")
    return any(f"*.{'.'.join(labels[n:])}" in patterns for n in range(1, len(labels)))


def name_of(uri: URI) -> str:
    """Return the host of a normalized URI, without its brackets and its trailing dot."""
    return (uri.hostname or "").removesuffix(".")


def pattern_of(ip: IPv4Address | IPv6Address) -> str:
    """Return the entry of `Policy.hosts` that matches exactly one address, in any zone."""
    return str(ip) if isinstance(ip, IPv4Address) else canonical(str(IPv6Address(int(ip))))


def in_networks(ip: IPv4Address | IPv6Address, denials: frozenset[str]) -> bool:
    """Return whether a denied network contains an address, or an address embedded in it."""
    networks = networks_in(denials)
    return bool(networks) and any(
        embedded.address in network
        for embedded in hosts.embedded_addresses(ip)
        for network in networks
    )


@lru_cache(maxsize=64)
def networks_in(denials: frozenset[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks among the entries of `Policy.denied_hosts`."""
    return tuple(ip_network(denial) for denial in sorted(denials) if "/" in denial)


@lru_cache(maxsize=1024)
def scopes_of_name(name: str) -> frozenset[str]:
    """Return the scope that a host name implies: `"loopback"` or `"special-use"`.

    The set is empty for a name whose scope is known only after a DNS lookup.
    """
    domain = hosts.special_use(name)
    if domain is None or domain in IN_DOCUMENTS:
        return frozenset()
    return frozenset({"loopback" if domain == LOCALHOST else SPECIAL_USE})
