"""Connect to the addresses of a plan. The first connection wins (RFC 8305)."""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from math import inf
from selectors import EVENT_WRITE, DefaultSelector
from time import monotonic
from typing import Any

from uriverse._errors import PolicyError
from uriverse._policy import reject_uri

from ._planning import ConnectionPlan

#: The time between the starts of two attempts to connect, in seconds (RFC 8305, 8).
ATTEMPT_DELAY = 0.25

#: The longest time to wait at once, in seconds. Selectors reject some longer times.
MAX_WAIT = 3600.0


def connect(
    plan: ConnectionPlan,
    /,
    *,
    timeout: float | None = None,
    source_address: tuple[str, int] | None = None,
    socket_options: Iterable[tuple[Any, ...]] = (),
) -> socket.socket:
    """Connect a TCP socket to whichever address of a plan accepts a connection first.

    Attempts start in the order of the plan, 250 ms apart, or as soon as another attempt fails. They
    run at the same time, and the first connection wins ([RFC 8305, 5][1]).

    Args:
        plan: the result of `lookup`.
        timeout: the time for all attempts together, in seconds; `None` for no limit. It is also the
            timeout of the result.
        source_address: the local address and port to bind to.
        socket_options: arguments of `socket.setsockopt`, to set before connecting.

    Raises:
        TimeoutError: the time is up, and no address has accepted a connection.
        OSError: no address accepts a connection. The error is that of the last attempt.
        TypeError: `plan` is not a plan.

    [1]: https://www.rfc-editor.org/rfc/rfc8305#section-5

    >>> import socket
    >>> from uriverse import Policy, dial
    >>> server = socket.create_server(("127.0.0.1", 0))
    >>> uri = f"http://127.0.0.1:{server.getsockname()[1]}/"
    >>> with connect(dial.lookup(Policy(scopes={"loopback"}), uri), timeout=5) as client:
    ...     print(client.getpeername() == server.getsockname())
    True
    >>> server.close()
    """
    if not isinstance(plan, ConnectionPlan):
        raise TypeError(f"plan must be the result of lookup, not {type(plan).__name__}")
    options = tuple(socket_options)
    untried = deque(plan.addresses)
    next_start = monotonic()  # of the next attempt
    deadline = inf if timeout is None else next_start + timeout
    last_error: Exception = OSError("the plan has no address")
    with DefaultSelector() as selector:
        try:
            while untried or selector.get_map():
                now = monotonic()
                if now >= deadline:
                    raise TimeoutError("timed out")
                if untried and now >= next_start:
                    address = untried.popleft()
                    try:
                        connection = start_connection(address, plan.port, source_address, options)
                    except OSError as error:  # for example without IPv6
                        last_error = error
                        continue
                    selector.register(connection, EVENT_WRITE, (connection, address))
                    next_start = now + ATTEMPT_DELAY
                wake_time = min(deadline, next_start if untried else inf)
                for key, _ in selector.select(min(wake_time - now, MAX_WAIT)):
                    candidate: socket.socket
                    candidate, candidate_address = key.data
                    try:
                        verify_connected(candidate, plan, candidate_address)
                    except (OSError, PolicyError) as error:
                        last_error = error
                        next_start = now  # The next attempt need not wait.
                        selector.unregister(candidate)
                        candidate.close()
                    else:
                        candidate.settimeout(timeout)
                        selector.unregister(candidate)
                        return candidate
        finally:
            for key in selector.get_map().values():
                pending_connection, _ = key.data
                pending_connection.close()
    raise last_error


def start_connection(
    address: IPv4Address | IPv6Address,
    port: int,
    source_address: tuple[str, int] | None,
    options: Iterable[tuple[Any, ...]],
) -> socket.socket:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        for option in options:
            connection.setsockopt(*option)
        if source_address is not None:
            connection.bind(source_address)
        connection.setblocking(False)
        with suppress(BlockingIOError):  # The attempt has only started.
            connection.connect(make_socket_address(address, port))
    except BaseException:
        connection.close()
        raise
    return connection


def verify_connected(
    connection: socket.socket, plan: ConnectionPlan, address: IPv4Address | IPv6Address
) -> None:
    error = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise OSError(error, os.strerror(error))
    verify_peer(plan, address, connection.getpeername())


def make_socket_address(address: IPv4Address | IPv6Address, port: int) -> tuple[Any, ...]:
    if isinstance(address, IPv4Address):
        return str(address), port
    zone = address.scope_id or "0"
    index = int(zone) if zone.isdecimal() else socket.if_nametoindex(zone)
    return str(remove_zone(address)), port, 0, index


def remove_zone(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    return type(address)(int(address))


def verify_peer(
    plan: ConnectionPlan, address: IPv4Address | IPv6Address, peer: tuple[Any, ...]
) -> None:
    peer_address = ip_address(str(peer[0]).partition("%")[0])
    if (peer_address, peer[1]) != (remove_zone(address), plan.port):
        reason = f"connected to another address: {peer_address}"
        reject_uri(plan.uri, "address-not-allowed", "host", reason)
