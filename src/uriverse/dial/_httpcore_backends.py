"""Network backends for httpcore and httpcore2 that connect only to allowed addresses."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from uriverse._uri import URI

from ._connecting import ATTEMPT_DELAY, verify_peer
from ._gate import Gate, reject_unix_socket
from ._planning import ConnectionPlan

if TYPE_CHECKING:
    from httpcore import AsyncNetworkBackend, AsyncNetworkStream, NetworkBackend, NetworkStream
else:
    # The functions at the end of this module add the base class of the package in use.
    AsyncNetworkBackend = NetworkBackend = object

T = TypeVar("T")


class CheckedBackend(NetworkBackend):
    def __init__(self, package: ModuleType, gate: Gate) -> None:
        self._package = package
        self._gate = gate
        # The package does not export the class. If a version has moved it, this line fails.
        self._stream: Any = import_module(f"{package.__name__}._backends.sync").SyncStream

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> NetworkStream:
        source = None if local_address is None else (local_address, 0)
        options = (*(socket_options or ()), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1))
        # The first call of the client shows the scheme, and so which URI the policy must allow.
        forbidden_calls = self._gate.find_forbidden_calls(host, port)
        with map_errors(self._package):
            connection = self._gate.connect(host, port, timeout, source, options)
            stream: NetworkStream = self._stream(connection)
        return forbid_calls(stream, forbidden_calls, self._refuse)

    def _refuse(self, stream: NetworkStream, uri: URI, *_: object, **__: object) -> None:
        stream.close()
        self._gate.policy.enforce(uri)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> NetworkStream:
        reject_unix_socket()


class AsyncCheckedBackend(AsyncNetworkBackend):
    def __init__(self, package: ModuleType, gate: Gate, backend: AsyncNetworkBackend) -> None:
        self._package = package
        self._gate = gate
        self._backend = backend

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        options = None if socket_options is None else tuple(socket_options)

        async def connect_address(address: IPv4Address | IPv6Address) -> AsyncNetworkStream:
            text = str(address)
            stream = await self._backend.connect_tcp(text, port, None, local_address, options)
            try:
                verify_stream(plan, address, stream)
            except BaseException:
                await stream.aclose()
                raise
            return stream

        # The first call of the client shows the scheme, and so which URI the policy must allow.
        forbidden_calls = self._gate.find_forbidden_calls(host, port)
        with map_errors(self._package), anyio.fail_after(timeout):
            plan = await self._gate.plan_async(host, port)
            stream = await race_attempts(plan, connect_address)
            return forbid_calls(stream, forbidden_calls, self._refuse)

    async def _refuse(self, stream: AsyncNetworkStream, uri: URI, *_: object, **__: object) -> None:
        await stream.aclose()
        self._gate.policy.enforce(uri)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> AsyncNetworkStream:
        reject_unix_socket()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def forbid_calls(stream: T, forbidden_calls: dict[str, URI], refuse: Callable[..., object]) -> T:
    """Replace methods of a stream: each call closes the stream and raises `PolicyError`."""
    for name, uri in forbidden_calls.items():
        setattr(stream, name, partial(refuse, stream, uri))
    return stream


async def race_attempts(
    plan: ConnectionPlan,
    connect_address: Callable[[IPv4Address | IPv6Address], Awaitable[AsyncNetworkStream]],
) -> AsyncNetworkStream:
    """Return the stream that connects first; the next attempt starts after a failure or a delay."""
    connected_stream: AsyncNetworkStream | None = None
    failure: Exception = OSError("the plan has no address")
    attempt_failed = anyio.Event()

    async def try_address(address: IPv4Address | IPv6Address) -> None:
        nonlocal connected_stream, failure
        try:
            stream = await connect_address(address)
        except Exception as error:  # noqa: BLE001  # the group would wrap it
            failure = error
            attempt_failed.set()
            return
        if connected_stream is None:
            connected_stream = stream
            group.cancel_scope.cancel()
        else:  # Another attempt connected before it could be canceled.
            await stream.aclose()

    try:
        async with anyio.create_task_group() as group:
            for address in plan.addresses:
                attempt_failed = anyio.Event()
                group.start_soon(try_address, address)
                with anyio.move_on_after(ATTEMPT_DELAY):
                    await attempt_failed.wait()
    except BaseException:
        if connected_stream is not None:
            await connected_stream.aclose()
        raise
    if connected_stream is None:
        raise failure
    return connected_stream


def verify_stream(
    plan: ConnectionPlan, address: IPv4Address | IPv6Address, stream: AsyncNetworkStream
) -> None:
    peer = stream.get_extra_info("server_addr")
    if peer is None:
        raise ConnectionError("the server closed the connection")
    verify_peer(plan, address, peer)


@contextmanager
def map_errors(package: Any) -> Generator[None, None, None]:
    try:
        yield
    except TimeoutError as error:
        raise package.ConnectTimeout(str(error)) from error
    except OSError as error:
        raise package.ConnectError(str(error)) from error


def create_backend(package: Any, gate: Gate) -> Any:
    bases = (CheckedBackend, package.NetworkBackend)
    return type("CheckedBackend", bases, {})(package, gate)


def create_async_backend(package: Any, gate: Gate, backend: Any) -> Any:
    bases = (AsyncCheckedBackend, package.AsyncNetworkBackend)
    return type("AsyncCheckedBackend", bases, {})(package, gate, backend)
