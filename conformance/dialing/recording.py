"""Record the hosts that a Python program looks up, and refuse its connections."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

#: The addresses with which names are answered, by address family.
LOOPBACK: dict[int, str] = {socket.AF_INET6: "::1"}


@dataclass
class Record:
    """The host that a client looked up, and the address and port of its first connection.

    Attributes:
        lookups: the hosts that the client passed to the resolver, in this order.
        connections: the addresses and ports to which the client tried to connect.
    """

    lookups: list[str] = field(default_factory=list)
    connections: list[tuple[str, int]] = field(default_factory=list)

    def clear(self) -> None:
        self.lookups.clear()
        self.connections.clear()

    @property
    def dialed(self) -> tuple[str, int] | None:
        """The host and port to which the client would have connected; `None` for nothing."""
        if not self.connections:
            return None
        address, port = self.connections[0]
        return (self.lookups or [address])[0], port


@contextmanager
def recording() -> Generator[Record]:
    """Replace the resolver and the connections of this process, and yield a record of their use.

    The system's resolver still reads the host and the port, but only as numbers
    (`AI_NUMERICHOST`), so it asks no server. The address of any other name is a loopback address.
    """
    record = Record()
    resolve = socket.getaddrinfo

    # The names of the parameters are those of the `socket` module.
    def getaddrinfo(
        host: Any,
        port: Any,
        family: int = 0,
        type: int = 0,  # noqa: A002
        proto: int = 0,
        flags: int = 0,
    ) -> Any:
        numeric = (family, type, proto, flags | socket.AI_NUMERICHOST)
        try:
            found = resolve(host, port, *numeric)
        except socket.gaierror as error:
            # No resolver finds an empty name.
            if error.errno != socket.EAI_NONAME or not host:
                raise
            found = resolve(LOOPBACK.get(family, "127.0.0.1"), port, *numeric)
        # As `getaddrinfo` of the socket module encodes a host.
        octets = host if isinstance(host, bytes) else str(host).encode("idna")
        record.lookups.append(octets.decode())
        return found

    def connect(_: socket.socket, address: Any) -> None:
        record.connections.append(address[:2])
        raise ConnectionRefusedError("connections are refused while they are recorded")

    with (
        patch.object(socket, "getaddrinfo", getaddrinfo),
        patch.object(socket.socket, "connect", connect),
    ):
        yield record
