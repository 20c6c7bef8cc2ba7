"""Look up the addresses of a host, and decide to which of them a program may connect."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from inspect import iscoroutinefunction
from ipaddress import IPv4Address, IPv6Address
from itertools import chain, zip_longest
from typing import TypeAlias

from uriverse._errors import quote_argument
from uriverse._policy import Policy
from uriverse._policy.decisions import reject_uri
from uriverse._policy.hosts import get_host_name
from uriverse._policy.judging import find_connection_prohibition
from uriverse._uri import URI
from uriverse._uri.engine import Identifier

#: The largest number of addresses to try for a name. Without it, a hostile DNS server could make a
#: program start thousands of connections.
MAX_ADDRESSES = 16


@dataclass(frozen=True, slots=True)
class RejectedAddress:
    """An address that a policy forbids, and the reason.

    Attributes:
        address: the address.
        code: the code of the reason, such as `"scope-not-allowed"`.
        reason: the reason.
    """

    address: IPv4Address | IPv6Address
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class ConnectionPlan:
    """The addresses that a program may connect to for a URI.

    Attributes:
        uri: the canonical URI.
        host: the host for TLS and for the `Host` field: without brackets and trailing dot.
        port: the port.
        addresses: the first 16 allowed addresses, in the order in which to try them. The address
            families alternate ([RFC 8305, 4][1]).
        rejected: the addresses that the policy forbids.

    [1]: https://www.rfc-editor.org/rfc/rfc8305#section-4
    """

    uri: URI
    host: str
    port: int
    addresses: tuple[IPv4Address | IPv6Address, ...]
    rejected: tuple[RejectedAddress, ...] = ()


def lookup(
    policy: Policy,
    uri: str | Identifier,
    /,
    *,
    base: str | Identifier | None = None,
    resolver: Resolver | None = None,
) -> ConnectionPlan:
    """Check a URI and the addresses of its host against a policy.

    If the name has allowed and forbidden addresses, the plan contains only the allowed ones. The
    scopes of the policy apply to all addresses, also to those of a name that a rule contains in
    full. There are two exceptions: an address may have any scope if `Policy.allow` contains the
    address or a network around it, and `localhost` may have loopback addresses if it is in a rule.

    Args:
        policy: the policy.
        uri: a URI or an IRI; any reference if there is a base.
        base: the URI against which a relative reference is resolved, as in `Policy.enforce`.
        resolver: the function that looks up a name; `None` for `system_resolver`. It is not called
            if the host is an IP address.

    Raises:
        PolicyError: the policy does not allow the URI, or it allows none of the addresses (code
            `"address-not-allowed"`), or the URI has no host (`"host-missing"`) or no port
            (`"port-missing"`).
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.
        OSError: the lookup fails, or the name has no address.
        TypeError: an argument has the wrong type.

    >>> from ipaddress import ip_address
    >>> from uriverse import Policy, PolicyError
    >>> try:
    ...     lookup(Policy(), "http://a.example/", resolver=lambda name: [ip_address("10.0.0.1")])
    ... except PolicyError as error:
    ...     print(error.code, error.reason, sep=": ")
    address-not-allowed: 10.0.0.1: the policy forbids the scope of the host: private
    """
    canonical = require_policy(policy).enforce(uri, base=base)
    require_resolver(resolver)
    resolve = resolver or system_resolver
    name, _ = require_endpoint(canonical)
    return plan_literal(canonical) or plan_connection(policy, canonical, resolve(name))


async def lookup_async(
    policy: Policy,
    uri: str | Identifier,
    /,
    *,
    base: str | Identifier | None = None,
    resolver: AsyncResolver | None = None,
) -> ConnectionPlan:
    """Check a URI and the addresses of its host against a policy, without blocking the event loop.

    Args:
        policy: the policy.
        uri: a URI or an IRI; any reference if there is a base.
        base: the URI against which a relative reference is resolved, as in `Policy.enforce`.
        resolver: the coroutine function that looks up a name; `None` for `system_resolver_async`.

    Raises:
        PolicyError: the policy does not allow the URI, or any of the addresses (see `lookup`).
        ResolveError: `base` has no scheme.
        ParseError: `base` is not an IRI reference.
        OSError: the lookup fails, or the name has no address.
        TypeError: an argument has the wrong type.

    >>> import asyncio
    >>> from uriverse import Policy
    >>> asyncio.run(lookup_async(Policy(), "http://9.9.9.9/")).addresses
    (IPv4Address('9.9.9.9'),)
    """
    canonical = require_policy(policy).enforce(uri, base=base)
    require_resolver(resolver, asynchronous=True)
    resolve = resolver or system_resolver_async
    name, _ = require_endpoint(canonical)
    return plan_literal(canonical) or plan_connection(policy, canonical, await resolve(name))


def require_policy(policy: Policy, name: str = "policy") -> Policy:
    if not isinstance(policy, Policy):
        raise TypeError(f"{name} must be a Policy, not {type(policy).__name__}")
    return policy


def require_endpoint(uri: URI) -> tuple[str, int]:
    """Return the host and the port of a canonical URI, which must have both."""
    if not uri.host:
        reject_uri(uri, "host-missing", "host", "missing host: there is nothing to connect to")
    port = uri.effective_port
    if port is None:
        reject_uri(uri, "port-missing", "port", "missing port: the scheme has no default port")
    return get_host_name(uri), port


def plan_literal(uri: URI) -> ConnectionPlan | None:
    """Return the plan for a canonical URI whose host is an IP address; `None` for a name."""
    address = uri.ip
    return None if address is None else ConnectionPlan(uri, *require_endpoint(uri), (address,))


def plan_connection(
    policy: Policy, uri: URI, addresses: Iterable[IPv4Address | IPv6Address]
) -> ConnectionPlan:
    """Divide the addresses of a host into those to connect to and those that the policy forbids."""
    name, port = require_endpoint(uri)
    allowed: list[IPv4Address | IPv6Address] = []
    rejected: list[RejectedAddress] = []
    for address in dict.fromkeys(addresses):
        if type(address) not in {IPv4Address, IPv6Address}:  # a subclass may be another string
            type_name = type(address).__name__
            raise TypeError(f"resolver must return IPv4Address or IPv6Address, not {type_name}")
        prohibition = find_connection_prohibition(policy, name, address)
        if prohibition is None:
            allowed.append(address)
        else:
            rejected.append(RejectedAddress(address, prohibition.code, prohibition.reason))
    if rejected and not allowed:
        first, *others = rejected
        suffix = f" (and {len(others)} more)" if others else ""
        reject_uri(uri, "address-not-allowed", "host", f"{first.address}: {first.reason}{suffix}")
    if not allowed:
        raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
    first_addresses = interleave_families(allowed)[:MAX_ADDRESSES]
    return ConnectionPlan(uri, name, port, first_addresses, tuple(rejected))


def interleave_families(
    addresses: list[IPv4Address | IPv6Address],
) -> tuple[IPv4Address | IPv6Address, ...]:
    """Alternate between the address families, beginning with the first (RFC 8305, 4)."""
    version = addresses[0].version
    first = [address for address in addresses if address.version == version]
    second = [address for address in addresses if address.version != version]
    return tuple(filter(None, chain.from_iterable(zip_longest(first, second))))


#: A function that returns the addresses of a host name, the preferred address first. The name is
#: ASCII, in lower case and without a trailing dot. The function raises `OSError` if the lookup
#: fails.
Resolver: TypeAlias = Callable[[str], Iterable[IPv4Address | IPv6Address]]

#: A `Resolver` for asynchronous programs.
AsyncResolver: TypeAlias = Callable[[str], Awaitable[Iterable[IPv4Address | IPv6Address]]]

AddressInfo: TypeAlias = tuple[
    int, int, int, str, tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
]


def system_resolver(name: str, /) -> list[IPv4Address | IPv6Address]:
    """Look up a host name with the resolver of the operating system.

    If the name contains a dot, it is absolute: the search list of the system does not apply, and
    most systems do not find such a name in the hosts file. The order of the addresses is that of
    [RFC 6724][1].

    [1]: https://www.rfc-editor.org/rfc/rfc6724

    Args:
        name: a host name in ASCII.

    Raises:
        OSError: the name has no address, or the lookup fails.

    >>> system_resolver("localhost")[0].is_loopback
    True
    """
    return extract_addresses(socket.getaddrinfo(make_absolute(name), None, type=socket.SOCK_STREAM))


async def system_resolver_async(name: str, /) -> list[IPv4Address | IPv6Address]:
    """Look up a host name with the operating system's resolver, in asyncio or trio.

    Args:
        name: a host name in ASCII.

    Raises:
        OSError: the name has no address, or the lookup fails.

    >>> import asyncio
    >>> asyncio.run(system_resolver_async("localhost"))[0].is_loopback
    True
    """
    import asyncio

    absolute_name = make_absolute(name)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # no loop of asyncio: trio runs this coroutine
        import trio.socket

        query = trio.socket.getaddrinfo(absolute_name, None, type=socket.SOCK_STREAM)
        return extract_addresses(await query)
    return extract_addresses(await loop.getaddrinfo(absolute_name, None, type=socket.SOCK_STREAM))


def make_absolute(name: str) -> bytes:
    """Add a trailing dot, except to single labels: those are in hosts files or search lists."""
    return (f"{name}." if "." in name else name).encode("ascii")


def extract_addresses(entries: Iterable[AddressInfo]) -> list[IPv4Address | IPv6Address]:
    addresses: list[IPv4Address | IPv6Address] = []
    for family, _, _, _, socket_address in entries:
        address, _, _ = str(socket_address[0]).partition("%")
        if family == socket.AF_INET:
            addresses.append(IPv4Address(address))
        elif family == socket.AF_INET6:
            # The fourth member is the number of the zone; 0 means that the address has none.
            zone_index = socket_address[3] if len(socket_address) == 4 else 0
            addresses.append(IPv6Address(f"{address}%{zone_index}" if zone_index else address))
    return addresses


def require_resolver(resolver: object, *, asynchronous: bool = False) -> None:
    if resolver is None:
        return
    # An object with the method `__call__` can be a resolver too.
    call_method = type(resolver).__call__ if callable(resolver) else None
    is_asynchronous = iscoroutinefunction(resolver) or iscoroutinefunction(call_method)
    if call_method is None or is_asynchronous is not asynchronous:
        kind = "a coroutine function" if asynchronous else "a function, but no coroutine function"
        raise TypeError(f"resolver must be {kind}, not {quote_argument(resolver)}")
