"""Connect to the addresses of a plan."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from time import monotonic
from typing import Any

from uriverse.policy.rejections import reject

from .planning import ConnectionPlan

#: The least time for an attempt to connect, in seconds, while time remains. Systems repeat a lost
#: packet after one second.
LEAST_SHARE = 1.5

#: The least timeout of a socket, in seconds. Zero would mean a non-blocking socket.
LEAST_TIMEOUT = 0.001


def connect(
    plan: ConnectionPlan,
    /,
    *,
    timeout: float | None = None,
    source_address: tuple[str, int] | None = None,
    socket_options: Iterable[tuple[Any, ...]] = (),
) -> socket.socket:
    """Connect a TCP socket to the first address of a plan that accepts a connection.

    Args:
        plan: the result of `lookup`.
        timeout: the time for all attempts together, in seconds; `None` for no limit. Each address
            gets an equal share of the remaining time, but at least 1.5 seconds. It is also the
            timeout of the result.
        source_address: the local address and port to bind to.
        socket_options: arguments of `socket.setsockopt`, to set before connecting.

    Raises:
        OSError: no address accepts a connection. The error is that of the last address.

    >>> import socket
    >>> from uriverse import Policy, dial
    >>> server = socket.create_server(("127.0.0.1", 0))
    >>> uri = f"http://127.0.0.1:{server.getsockname()[1]}/"
    >>> with connect(dial.lookup(Policy(scopes={"loopback"}), uri), timeout=5) as client:
    ...     print(client.getpeername() == server.getsockname())
    True
    >>> server.close()
    """
    options = tuple(socket_options)
    failure: OSError | None = None
    for address, share in shares(plan, timeout):
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # the system does not support IPv6
            failure = error
            continue
        try:
            for option in options:
                connection.setsockopt(*option)
            if source_address is not None:
                connection.bind(source_address)
            connection.settimeout(share)
            connection.connect(socket_address(address, plan.port))
            verify_peer(plan, address, connection.getpeername())
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
        else:
            connection.settimeout(timeout)
            return connection
    assert failure is not None, "a plan has at least one address"
    raise failure


def shares(
    plan: ConnectionPlan, timeout: float | None
) -> Iterator[tuple[IPv4Address | IPv6Address, float | None]]:
    """Yield the addresses of a plan, each with its share of the time that remains.

    If no time remains, no further addresses are yielded.
    """
    deadline = None if timeout is None else monotonic() + timeout
    for index, address in enumerate(plan.addresses):
        if deadline is None:
            yield address, None
            continue
        remaining = deadline - monotonic()
        if index and remaining <= 0:
            return
        share = max(remaining / (len(plan.addresses) - index), LEAST_SHARE)
        yield address, max(min(share, remaining), LEAST_TIMEOUT)


def socket_address(address: IPv4Address | IPv6Address, port: int) -> tuple[Any, ...]:
    """Return the argument of `socket.connect` for an address, which may have a zone."""
    if isinstance(address, IPv4Address):
        return str(address), port
    zone = address.scope_id or "0"
    index = int(zone) if zone.isdecimal() else socket.if_nametoindex(zone)
    return str(without_zone(address)), port, 0, index


def without_zone(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return an address without its zone."""
    return type(address)(int(address))


def verify_peer(
    plan: ConnectionPlan, address: IPv4Address | IPv6Address, peer: tuple[Any, ...]
) -> None:
    """Raise `PolicyError` if a socket is connected to another address than the given one."""
    connected = ip_address(str(peer[0]).partition("%")[0])
    if (connected, peer[1]) != (without_zone(address), plan.port):
        reason = f"connected to another address: {connected}"
        reject(plan.uri, "address-not-allowed", "host", reason)
