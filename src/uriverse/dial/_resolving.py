"""Look up the addresses of a host name."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterable
from inspect import iscoroutinefunction
from ipaddress import IPv4Address, IPv6Address
from typing import TypeAlias

from uriverse._errors import quoted

#: A function that returns the addresses of a host name, the preferred address first. The name is
#: ASCII, in lower case and without a trailing dot. The function raises `OSError` if the lookup
#: fails.
Resolver: TypeAlias = Callable[[str], Iterable[IPv4Address | IPv6Address]]

#: A `Resolver` for asynchronous programs.
AsyncResolver: TypeAlias = Callable[[str], Awaitable[Iterable[IPv4Address | IPv6Address]]]

#: An entry in the result of `socket.getaddrinfo`.
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
    return addresses_in(socket.getaddrinfo(absolute(name), None, type=socket.SOCK_STREAM))


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

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # no loop of asyncio: trio runs this coroutine
        import trio.socket

        query = trio.socket.getaddrinfo(absolute(name), None, type=socket.SOCK_STREAM)
        return addresses_in(await query)
    return addresses_in(await loop.getaddrinfo(absolute(name), None, type=socket.SOCK_STREAM))


def absolute(name: str) -> bytes:
    """Return the name to look up, with a trailing dot unless it has only one label.

    Names with one label have addresses only in the hosts file and in the search list.
    """
    return (f"{name}." if "." in name else name).encode("ascii")


def addresses_in(found: Iterable[AddressInfo]) -> list[IPv4Address | IPv6Address]:
    """Return the addresses in a result of `getaddrinfo`, with their zones."""
    addresses: list[IPv4Address | IPv6Address] = []
    for family, _, _, _, place in found:
        address = str(place[0]).partition("%")[0]
        if family == socket.AF_INET:
            addresses.append(IPv4Address(address))
        elif family == socket.AF_INET6:
            zone = f"%{place[3]}" if len(place) == 4 and place[3] else ""
            addresses.append(IPv6Address(address + zone))
    return addresses


def require_resolver(resolver: object, *, asynchronous: bool = False) -> None:
    """Raise `TypeError` unless a resolver is `None` or a function of the right kind."""
    if resolver is None:
        return
    call = type(resolver).__call__ if callable(resolver) else None
    is_asynchronous = iscoroutinefunction(resolver) or iscoroutinefunction(call)
    if call is None or is_asynchronous is not asynchronous:
        kind = "a coroutine function" if asynchronous else "a function, but no coroutine function"
        raise TypeError(f"resolver must be {kind}, not {quoted(resolver)}")
