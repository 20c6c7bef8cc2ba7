"""Match the host of a URI against names, `*.` patterns, addresses and networks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Generic, Literal, NamedTuple, TypeVar

from uriverse import hosts
from uriverse._errors import ConvertError, RuleError, parse_safely
from uriverse._lazy import lazy_pattern
from uriverse._spec.ipv6 import canonicalize_address
from uriverse._uri import URI
from uriverse._uri.engine import to_ascii

T = TypeVar("T")

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

#: The beginning of a pattern that matches all names below a domain.
SUBDOMAINS = "*."

#: The length of the prefix of IPv4-mapped IPv6 addresses, ::ffff:0:0/96.
MAPPED_PREFIX = 96


#: Most names and `*.` patterns, which are in canonical form already: all labels are short, none is
#: an A-label, since those have two hyphens side by side, and the last one is not a number.
PLAIN_PATTERN = lazy_pattern(r"(?!.{64})(\*\.)?(?:[a-z0-9]++(?:-[a-z0-9]++)*+\.)*+[a-z][a-z0-9]*+")


class HostPattern(NamedTuple):
    """The hosts that a rule matches, in canonical form; `"subdomains"` is for `*.` and a name."""

    kind: Literal["name", "subdomains", "address", "network"]
    text: str

    @property
    def is_literal(self) -> bool:
        return self.kind in {"name", "address"}

    def covers(self, other: HostPattern) -> bool:
        """Return whether the pattern allows every host that another pattern allows.

        A pattern for a single host allows it in any scope, and the other patterns do not.
        """
        if self == other or not other.is_literal:
            return self.contains(other)
        if other.kind == "name":
            has_own_scope = bool(infer_scopes(other.text))
        else:
            address = get_network(other).network_address
            # The list begins with the address itself; each embedded address has its own scope.
            has_own_scope = len(hosts.embedded_addresses(address)) > 1
        return not has_own_scope and self.contains(other)

    def contains(self, other: HostPattern) -> bool:
        """Return whether the pattern matches every host that another pattern matches."""
        if self.kind == "subdomains":
            suffix = self.text.removeprefix("*")
            return other.kind in {"name", "subdomains"} and other.text.endswith(suffix)
        if self.kind == "network" and other.kind in {"address", "network"}:
            outer, inner = get_network(self), get_network(other)
            return outer.version == inner.version and inner.subnet_of(outer)  # type: ignore[arg-type]
        return self == other


def parse_plain_pattern(text: str) -> HostPattern | None:
    match = PLAIN_PATTERN.fullmatch(text)
    return match and HostPattern("subdomains" if match[1] else "name", text)


def parse_host_pattern(text: str) -> HostPattern:
    if plain_pattern := parse_plain_pattern(text):
        return plain_pattern
    if text == "*":
        reason = "this rule would match every host"
        hint = "name the hosts: without rules in allow, a policy allows every host"
        raise RuleError(text, 0, "host", "host", reason, hint)
    if "/" in text:
        return HostPattern("network", str(parse_network(text)))
    if text.startswith(SUBDOMAINS):
        return HostPattern("subdomains", SUBDOMAINS + parse_domain(text, len(SUBDOMAINS)))
    address = parse_address(text)
    if address is not None:
        return HostPattern("address", address)
    return HostPattern("name", parse_domain(text, 0))


def parse_address(text: str) -> str | None:
    """Return an IP address in canonical form, without brackets; `None` for other strings."""
    bracketed = text if text.startswith("[") else f"[{text}]"
    if hosts.ip(bracketed) is not None:
        return canonicalize_address(bracketed[1:-1])
    return text if hosts.ip(text) is not None else None


def parse_domain(text: str, name_start: int) -> str:
    """Return the canonical form of the domain name that begins at an index of a rule."""
    wildcard = text.find("*", name_start)
    if wildcard >= 0:
        reason = 'misplaced wildcard in host: "*" is only allowed as the first label'
        hint = 'write "*." and a name; without rules in allow, every host is allowed'
        raise RuleError(text, wildcard, "host", "host", reason, hint)
    try:
        domain = to_ascii(text[name_start:])
    except ConvertError as error:
        position = name_start + error.position
        hint = "write a domain name, *. and a name, an address, or a network"
        raise RuleError(text, position, "host", "host", error.reason, hint) from None
    if not is_plain_domain(domain):
        reason = "invalid host: other programs read it as an IPv4 address"
        raise RuleError(text, 0, "host", "host", reason, "write IPv4 addresses in full")
    return domain.removesuffix(".")


def parse_network(text: str) -> IPv4Network | IPv6Network:
    zone = text.find("%")
    if zone >= 0:
        reason = "unexpected zone identifier in network"
        raise RuleError(text, zone, "host", "host", reason, "remove the zone identifier")
    try:
        return parse_safely(ip_network, text)
    except ValueError as error:
        hint = "write a network such as 10.0.0.0/8, or a scheme before a host and a path"
        raise RuleError(text, 0, "host", "host", f"invalid network: {error}", hint) from None


@lru_cache(maxsize=1024)
def get_network(pattern: HostPattern) -> IPv4Network | IPv6Network:
    return ip_network(pattern.text)


def widen_host_pattern(pattern: HostPattern) -> HostPattern:
    """Return a pattern for a deny rule: IPv4-mapped IPv6 addresses become IPv4 addresses.

    A deny rule matches all addresses that are embedded in the address of a host.
    """
    if pattern.kind not in {"address", "network"}:
        return pattern
    network = get_network(pattern)
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped is not None and network.prefixlen >= MAPPED_PREFIX:
        network = IPv4Network((mapped, network.prefixlen - MAPPED_PREFIX))
    return HostPattern("network", str(network))


class HostIndex(Generic[T]):
    """Values by patterns of hosts, which are found by hashing, however many they are."""

    __slots__ = ("by_pattern", "networks")

    def __init__(self) -> None:
        self.by_pattern: dict[str, T] = {}
        #: For each version of IP and number of bits after a prefix, the values by prefix.
        self.networks: dict[tuple[int, int], dict[int, T]] = {}

    def get_or_add(self, pattern: HostPattern, value: T) -> T:
        if pattern.kind == "network" and pattern.text not in self.by_pattern:
            network = get_network(pattern)
            host_bits = network.max_prefixlen - network.prefixlen
            networks = self.networks.setdefault((network.version, host_bits), {})
            networks[int(network.network_address) >> host_bits] = value
        return self.by_pattern.setdefault(pattern.text, value)

    def find_name(self, name: str) -> Iterator[T]:
        """Yield the values of the name and of all `*.` patterns that match it."""
        if not self.by_pattern:
            return  # as in most indexes
        if name in self.by_pattern:
            yield self.by_pattern[name]
        # The patterns that match a.b.c are *.b.c and *.c.
        dot = name.find(".")
        while dot >= 0:
            pattern = f"*{name[dot:]}"
            if pattern in self.by_pattern:
                yield self.by_pattern[pattern]
            dot = name.find(".", dot + 1)

    def find_address(self, address: IPv4Address | IPv6Address) -> Iterator[T]:
        """Yield the values of all patterns that match an address, in any zone."""
        exact = format_address(address)
        if exact in self.by_pattern:
            yield self.by_pattern[exact]
        # Networks of one size do not overlap, so at most one of them contains the address.
        for (version, host_bits), values_by_prefix in self.networks.items():
            prefix = int(address) >> host_bits
            if version == address.version and prefix in values_by_prefix:
                yield values_by_prefix[prefix]


def is_plain_domain(host: str) -> bool:
    """Return whether an ASCII host is a domain name whose last label is not a number.

    Browsers parse a host that ends in a number as an IPv4 address, or reject it.
    """
    last_label = host.removesuffix(".").rpartition(".")[2]
    try:
        return to_ascii(host) == host and hosts.ipv4_form(last_label) is None
    except ConvertError:
        return False


def classify_host(host: str) -> tuple[bool, str]:
    """Return whether a host is a domain name, and the address that others read in it, or ""."""
    # A long host is not cached, because the cache would keep it in memory.
    return (classify_host_cached if len(host) <= LONGEST_NAME else classify_host_uncached)(host)


def classify_host_uncached(host: str) -> tuple[bool, str]:
    lookalike = hosts.lookalike_ip(host)
    return lookalike is None and is_plain_domain(host), str(lookalike or "")


#: Programs send many requests to few hosts.
classify_host_cached = lru_cache(maxsize=1024)(classify_host_uncached)


def get_host_name(uri: URI) -> str:
    return (uri.hostname or "").removesuffix(".")


def format_address(ip: IPv4Address | IPv6Address) -> str:
    if isinstance(ip, IPv4Address):
        return str(ip)
    return canonicalize_address(str(IPv6Address(int(ip))))  # without its zone


@lru_cache(maxsize=1024)
def infer_scopes(name: str) -> frozenset[str]:
    """Return the scope that a host name implies before a look-up, if any."""
    domain = hosts.special_use(name)
    if domain is None or domain in IN_DOCUMENTS:
        return frozenset()
    return frozenset({"loopback" if domain == LOCALHOST else SPECIAL_USE})
