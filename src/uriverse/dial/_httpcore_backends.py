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
        refusals = self._gate.find_refusals(host, port)
        with mapped_errors(self._package):
            connection = self._gate.connect(host, port, timeout, source, options)
            stream: NetworkStream = self._stream(connection)
        return refuse_methods(stream, refusals, self._refuse)

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

        async def start(address: IPv4Address | IPv6Address) -> AsyncNetworkStream:
            stream = await self._backend.connect_tcp(
                str(address), port, None, local_address, options
            )
            try:
                verify_stream(plan, address, stream)
            except BaseException:
                await stream.aclose()
                raise
            return stream

        refusals = self._gate.find_refusals(host, port)
        with mapped_errors(self._package), anyio.fail_after(timeout):
            plan = await self._gate.plan_async(host, port)
            return refuse_methods(await race(plan, start), refusals, self._refuse)

    async def _refuse(self, stream: AsyncNetworkStream, uri: URI, *_: object, **__: object) -> None:
        await stream.aclose()
        self._gate.policy.enforce(uri)

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> AsyncNetworkStream:
        reject_unix_socket()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def refuse_methods(stream: T, refusals: dict[str, URI], refuse: Callable[..., object]) -> T:
    """Replace methods of a stream by a function that raises `PolicyError`."""
    for name, uri in refusals.items():
        setattr(stream, name, partial(refuse, stream, uri))
    return stream


async def race(
    plan: ConnectionPlan,
    start: Callable[[IPv4Address | IPv6Address], Awaitable[AsyncNetworkStream]],
) -> AsyncNetworkStream:
    """Return the stream of the attempt that connects first, like `uriverse.dial.connect`."""
    winner: AsyncNetworkStream | None = None
    failure: Exception = OSError("the plan has no address")
    failed = anyio.Event()

    async def attempt(address: IPv4Address | IPv6Address) -> None:
        nonlocal winner, failure
        try:
            stream = await start(address)
        except Exception as error:  # noqa: BLE001  # the group would wrap it
            failure = error
            failed.set()
            return
        if winner is None:
            winner = stream
            group.cancel_scope.cancel()
        else:
            await stream.aclose()

    try:
        async with anyio.create_task_group() as group:
            for address in plan.addresses:
                failed = anyio.Event()
                group.start_soon(attempt, address)
                with anyio.move_on_after(ATTEMPT_DELAY):
                    await failed.wait()
    except BaseException:
        if winner is not None:
            await winner.aclose()
        raise
    if winner is None:
        raise failure
    return winner


def verify_stream(
    plan: ConnectionPlan, address: IPv4Address | IPv6Address, stream: AsyncNetworkStream
) -> None:
    """Raise an error if a stream is not, or no longer, connected to an address."""
    peer = stream.get_extra_info("server_addr")
    if peer is None:
        raise ConnectionError("the server closed the connection")
    verify_peer(plan, address, peer)


@contextmanager
def mapped_errors(package: Any) -> Generator[None, None, None]:
    """Raise the errors of httpcore instead of those of the system."""
    try:
        yield
    except TimeoutError as error:
        raise package.ConnectTimeout(str(error)) from error
    except OSError as error:
        raise package.ConnectError(str(error)) from error


def backend_of(package: Any, gate: Gate) -> Any:
    bases = (CheckedBackend, package.NetworkBackend)
    return type("CheckedBackend", bases, {})(package, gate)


def async_backend_of(package: Any, gate: Gate, backend: Any) -> Any:
    bases = (AsyncCheckedBackend, package.AsyncNetworkBackend)
    return type("AsyncCheckedBackend", bases, {})(package, gate, backend)
