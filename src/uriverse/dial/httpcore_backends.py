"""Network backends for httpcore: they look up and check a host, and connect to its addresses."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from time import monotonic
from typing import Any

import anyio
import httpcore

from .connecting import shares, verify_peer
from .gate import Gate, reject_unix_socket
from .planning import ConnectionPlan

#: An attempt that fails with one of these is followed by one with the next address.
FAILURES = (httpcore.ConnectError, httpcore.ConnectTimeout)


def verify_stream(
    plan: ConnectionPlan,
    address: IPv4Address | IPv6Address,
    stream: httpcore.NetworkStream | httpcore.AsyncNetworkStream,
) -> None:
    """Raise an error if a stream is not, or no longer, connected to an address."""
    try:
        peer = stream.get_extra_info("server_addr")
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error
    if peer is None:
        raise httpcore.ConnectError("the server closed the connection")
    verify_peer(plan, address, peer)


class CheckedBackend(httpcore.NetworkBackend):
    """A network backend that connects to the addresses that a gate allows."""

    def __init__(self, gate: Gate, backend: httpcore.NetworkBackend) -> None:
        self._gate = gate
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first allowed address of a host that accepts a connection."""
        try:
            plan = self._gate.plan(host, port)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        options = None if socket_options is None else tuple(socket_options)
        failure: Exception | None = None
        for address, share in shares(plan, timeout):
            try:
                stream = self._backend.connect_tcp(
                    str(address), port, share, local_address, options
                )
            except FAILURES as error:
                failure = error
                continue
            try:
                verify_stream(plan, address, stream)
            except FAILURES as error:
                stream.close()
                failure = error
            except BaseException:
                stream.close()
                raise
            else:
                return stream
        assert failure is not None, "a plan has at least one address"
        raise failure

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Reject a Unix socket."""
        reject_unix_socket()

    def sleep(self, seconds: float) -> None:
        """Wait before a retry."""
        self._backend.sleep(seconds)


class AsyncCheckedBackend(httpcore.AsyncNetworkBackend):
    """A network backend that connects to the addresses that a gate allows."""

    def __init__(self, gate: Gate, backend: httpcore.AsyncNetworkBackend) -> None:
        self._gate = gate
        self._backend = backend

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first allowed address of a host that accepts a connection."""
        started = monotonic()
        try:
            with anyio.fail_after(timeout):
                plan = await self._gate.plan_async(host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        if timeout is not None:
            timeout -= monotonic() - started
        options = None if socket_options is None else tuple(socket_options)
        failure: Exception | None = None
        for address, share in shares(plan, timeout):
            try:
                stream = await self._backend.connect_tcp(
                    str(address), port, share, local_address, options
                )
            except FAILURES as error:
                failure = error
                continue
            try:
                verify_stream(plan, address, stream)
            except FAILURES as error:
                await stream.aclose()
                failure = error
            except BaseException:
                await stream.aclose()
                raise
            else:
                return stream
        assert failure is not None, "a plan has at least one address"
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Reject a Unix socket."""
        reject_unix_socket()

    async def sleep(self, seconds: float) -> None:
        """Wait before a retry."""
        await self._backend.sleep(seconds)
