"""Compare the hosts and ports that adapters report with those to which clients connect."""

from __future__ import annotations

import logging
import re
import socket
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.dialing import programs, python_clients
from conformance.dialing.recording import Record, recording
from uriverse_compare import Parser, Reading, Target
from uriverse_compare._clients import PORTS
from uriverse_compare._comparison import canonical_host, target_of

#: The default ports of the schemes of all clients.
DEFAULT_PORTS = {**PORTS, "ftp": 21, "postgres": 5432, "postgresql": 5432}

#: Matches a host that resolvers may read as an IPv4 address.
NUMERIC = re.compile(r"[0-9a-fx.]+", re.ASCII)


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

    def add(self, text: str, reported: Target | None, record: Record) -> None:
        self.strings += 1
        self.connections += record.dialed is not None
        dialed = dialed_target(record)
        if reported is None or dialed is None:
            same = reported is dialed
        else:
            same = reported.port == dialed.port and same_host(reported.host, dialed.host)
        if not same:
            self.mismatches.append(Mismatch(text, reported, dialed))


def dialed_target(record: Record) -> Target | None:
    """Return the host and port to which a client tried to connect."""
    if record.dialed is None:
        return None
    host, port = record.dialed
    return Target(without_zone(canonical_host(host)), port)


def same_host(one: str, other: str) -> bool:
    """Return whether two hosts are equal, or the same IPv4 address in another notation."""
    return as_resolved(one) == as_resolved(other)


def as_resolved(host: str) -> str:
    """Return the IPv4 address as which resolvers read a number; return any other host unchanged."""
    if NUMERIC.fullmatch(host):
        with suppress(OSError):
            return socket.inet_ntoa(socket.inet_aton(host))
    return host


def reported_target(parser: Parser, reading: Reading) -> Target | None:
    """Return the host and port to which software connects, according to its adapter.

    Return `None` for a reading without a host: clients reject it, or connect to their own machine.
    """
    scheme = (reading.scheme or "").lower()
    if reading.outcome != "accepted" or scheme not in parser.dials:
        return None
    host, port = target_of(reading)
    if not host:
        return None
    return Target(without_zone(host), DEFAULT_PORTS[scheme] if port is None else port)


def without_zone(host: str) -> str:
    """Remove the zone identifier of an IPv6 address, which is not a part of a recorded address."""
    return host.partition("%")[0] if ":" in host else host


def verify(parser: Parser, texts: Sequence[str]) -> Verification | None:
    """Check an adapter; return `None` if the client cannot be run here."""
    if parser.name in python_clients.CLIENTS:
        return verify_package(parser, texts)
    client = programs.CLIENTS.get(parser.name)
    if client is None or programs.missing(client):
        return None
    chosen = [text for text in texts if programs.readable(client, text)]
    found = Verification()
    try:
        with programs.recorder(client) as request:
            for text, reading in zip(chosen, parser.read(chosen), strict=True):
                found.add(text, reported_target(parser, reading), request(text))
    except programs.RecordingError as error:
        logging.getLogger(__name__).warning("%s is not verified: %s", parser.name, error)
        return None
    return found


def verify_package(parser: Parser, texts: Sequence[str]) -> Verification:
    """Check the adapter of a Python package."""
    found = Verification()
    readings = parser.read(texts)
    with (
        python_clients.CLIENTS[parser.name]() as request,
        recording() as record,
        warnings.catch_warnings(action="ignore"),
    ):
        for text, reading in zip(texts, readings, strict=True):
            record.clear()
            # Every request fails, because every connection is refused.
            with suppress(Exception):
                request(text)
            found.add(text, reported_target(parser, reading), record)
    return found
