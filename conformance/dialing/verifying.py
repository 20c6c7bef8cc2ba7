"""Make requests with clients, and compare the connections with those that adapters report."""

from __future__ import annotations

import logging
import re
import socket
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv6Address
from typing import Any, NamedTuple

from conformance.dialing import programs, python_clients
from conformance.dialing.recording import Record, recording
from uriverse_compare import Parser, Reading, Target
from uriverse_compare._clients import PORTS
from uriverse_compare._comparison import canonicalize_host, find_target

#: The default ports of the schemes of all clients.
DEFAULT_PORTS = {
    **PORTS,
    **dict.fromkeys(("postgres", "postgresql"), 5432),
    **dict.fromkeys(("ssh", "git+ssh", "ssh+git"), 22),
    "ftp": 21,
    "git": 9418,
}

#: Matches a host that resolvers may read as an IPv4 address.
NUMERIC = re.compile(r"[0-9a-fx.]+", re.ASCII)

#: The hosts that count as the same: some clients resolve "localhost" themselves, or connect to a
#: loopback address or to the name of the machine in the place of an unspecified one.
LOOPBACK = frozenset(
    {"localhost", "127.0.0.1", "::1", "0.0.0.0", "::", socket.gethostname().lower()}  # noqa: S104
)

#: The number of strings at which a worker may fail.
MAX_FAILURES = 5

#: The connection for each string that a client requested; `None` for no connection.
Connections = Mapping[str, Target | None]


class Mismatch(NamedTuple):
    """A string for which an adapter is wrong: `None` stands for no connection."""

    text: str
    reported: Target | None
    dialed: Target | None


@dataclass
class Verification:
    """The result of the check of one adapter.

    Attributes:
        strings: the number of strings that the client requested.
        connections: the number of strings for which it tried to connect.
        mismatches: the strings for which the adapter reports another host or port.
    """

    strings: int = 0
    connections: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "mismatches": [one._asdict() for one in self.mismatches]}


def verified(parser: Parser, found: Connections) -> Verification:
    """Compare what an adapter reports with the connections of the client.

    A reading without a host is not compared, because some clients then connect to their own
    machine.
    """
    result = Verification()
    readings = parser.read(list(found))
    for (text, dialed), reading in zip(found.items(), readings, strict=True):
        if reading.outcome == "accepted" and not find_target(reading).host:
            continue
        reported = reported_target(parser, reading)
        result.strings += 1
        result.connections += dialed is not None
        if merged(reported) != merged(dialed):
            result.mismatches.append(Mismatch(text, reported, dialed))
    return result


def reported_target(parser: Parser, reading: Reading) -> Target | None:
    """Return the host and port to which software connects, according to its adapter."""
    scheme = (reading.scheme or "").lower()
    if reading.outcome != "accepted" or scheme not in parser.dials:
        return None
    host, port = find_target(reading)
    return Target(as_resolved(host), DEFAULT_PORTS[scheme] if port is None else port)


def dialed_target(record: Record) -> Target | None:
    """Return the host and port to which a client tried to connect."""
    if record.dialed is None:
        return None
    host, port = record.dialed
    # The system's resolver may read a number as an IPv4 address.
    address = record.connections[0][0] if is_number(host) else ""
    return Target(as_resolved(address or canonicalize_host(host)), port)


def merged(target: Target | None) -> Target | None:
    """Return the same target for all names and addresses of the machine itself."""
    local = target is not None and target.host in LOOPBACK
    return target._replace(host="localhost") if target and local else target


def is_number(host: str) -> bool:
    """Return whether the system's resolver reads a host as the number of an IPv4 address."""
    try:
        return bool(NUMERIC.fullmatch(host)) and bool(socket.inet_aton(host))
    except OSError:
        return False


def as_resolved(host: str) -> str:
    """Return a host as the system's resolver reads it.

    A number is an IPv4 address, and so is an IPv6 address that embeds it. A zone identifier is not
    a part of a recorded address.
    """
    if is_number(host):
        return socket.inet_ntoa(socket.inet_aton(host))
    if ":" not in host:
        return host
    bare = host.partition("%")[0]
    with suppress(ValueError):
        return str(IPv6Address(bare).ipv4_mapped or bare)
    return bare


def connections(name: str, texts: Iterable[str]) -> Connections | None:
    """Make a request with a client for each string; return `None` if the client cannot run here.

    Args:
        name: the name of the client's parser.
        texts: the strings. Programs are not given strings of other schemes.
    """
    if name in python_clients.CLIENTS:
        return of_package(name, texts)
    client = programs.CLIENTS.get(name)
    if client is None or programs.missing(client):
        return None
    return of_program(name, client, [text for text in texts if programs.readable(client, text)])


def of_package(name: str, texts: Iterable[str]) -> Connections:
    found: dict[str, Target | None] = {}
    with (
        python_clients.CLIENTS[name]() as request,
        recording() as record,
        warnings.catch_warnings(action="ignore"),
    ):
        for text in texts:
            record.clear()
            # Every request fails, because every connection is refused.
            with suppress(Exception):
                request(text)
            found[text] = dialed_target(record)
    return found


def of_program(name: str, client: programs.Client, texts: Sequence[str]) -> Connections | None:
    """Run a worker. If it fails at a string, start it again with the next string."""
    found: dict[str, Target | None] = {}
    rest = iter(texts)
    for _ in range(MAX_FAILURES):
        try:
            with programs.recorder(client) as request:
                for text in rest:
                    found[text] = dialed_target(request(text))
                return found
        except programs.RecordingError as error:
            logging.getLogger(__name__).warning("%s: %s", name, error)
    return found or None
