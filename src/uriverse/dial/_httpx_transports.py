"""Transports for httpx and httpx2 that enforce a policy on requests and on connections."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from uriverse._policy import parse_or_reject, reject_uri

from ._gate import Gate, reject_target
from ._httpcore_backends import create_async_backend, create_backend

if TYPE_CHECKING:
    from httpx import AsyncHTTPTransport, HTTPTransport, Request, Response
else:
    # `combine_classes` adds the base class of the package in use.
    AsyncHTTPTransport = HTTPTransport = object

#: The classes of clients whose method `_transport_for_url` has been replaced.
GUARDED_CLIENTS: WeakSet[Any] = WeakSet()


class PolicyTransport(HTTPTransport):
    def __init__(self, package: ModuleType, gate: Gate, **options: Any) -> None:
        super().__init__(proxy=None if gate.proxy is None else str(gate.proxy), **options)
        self._package = package
        self._gate = gate
        # httpx has no argument for the backend. If a version uses another attribute, reading this
        # one fails.
        pool: Any = self._pool
        pool._network_backend = create_backend(import_httpcore(package), gate)

    def handle_request(self, request: Request) -> Response:
        enforce_request(self._package, self._gate, request)
        return super().handle_request(request)


class AsyncPolicyTransport(AsyncHTTPTransport):
    def __init__(self, package: ModuleType, gate: Gate, **options: Any) -> None:
        super().__init__(proxy=None if gate.proxy is None else str(gate.proxy), **options)
        self._package = package
        self._gate = gate
        pool: Any = self._pool
        backend = pool._network_backend
        pool._network_backend = create_async_backend(import_httpcore(package), gate, backend)

    async def handle_async_request(self, request: Request) -> Response:
        enforce_request(self._package, self._gate, request)
        return await super().handle_async_request(request)


def create_transport(name: str, gate: Gate, **options: Any) -> Any:
    package = import_guarded(name)
    return combine_classes(PolicyTransport, package.HTTPTransport)(package, gate, **options)


def create_async_transport(name: str, gate: Gate, **options: Any) -> Any:
    package = import_guarded(name)
    transport = combine_classes(AsyncPolicyTransport, package.AsyncHTTPTransport)
    return transport(package, gate, **options)


def import_guarded(name: str) -> ModuleType:
    package = import_module(name)
    for client in (package.Client, package.AsyncClient):
        guard_client(client)
    return package


@cache
def combine_classes(*classes: Any) -> type:
    return type(classes[0].__name__, classes, {})


def guard_client(client: Any) -> None:
    """Prevent clients that have a policy transport from using any other transport.

    A client chooses a transport for each request: `transport`, one of `mounts`, or one that it
    creates for `proxy` or for a proxy in the environment. A policy transport does not know of
    requests that its client sends with another one.

    Every new transport needs a guard: reloading the package creates new classes, and the end of a
    mock restores the method that it found. A mock that began later will restore the guard.
    """
    select_transport = client._transport_for_url
    module = str(select_transport.__module__)
    is_guard = module == __name__
    is_mock_of_guard = client in GUARDED_CLIENTS and not module.startswith(client.__module__)
    if is_guard or is_mock_of_guard:
        return
    policy_transports = (PolicyTransport, AsyncPolicyTransport)

    def select_checked(self: Any, url: Any) -> Any:
        transport = select_transport(self, url)
        client_transports = (self._transport, *self._mounts.values())
        has_policy = any(isinstance(other, policy_transports) for other in client_transports)
        if has_policy and not isinstance(transport, policy_transports):
            reason = "the client would send the request with a transport that has no policy"
            hint = "pass the transport to the client as transport, and the proxy to the transport"
            reject_uri(parse_or_reject(str(url)), "transport-not-allowed", "host", reason, hint)
        return transport

    GUARDED_CLIENTS.add(client)
    client._transport_for_url = select_checked


def enforce_request(package: Any, gate: Gate, request: Request) -> None:
    if not isinstance(request, package.Request):
        advice = f"use the function of dial for {type(request).__module__}"
        raise TypeError(f"request must be {package.__name__}.Request: {advice}")
    uri = gate.policy.enforce(str(request.url))
    if "target" in request.extensions or request.method == "CONNECT":
        reject_target(uri)


def import_httpcore(package: ModuleType) -> ModuleType:
    return import_module(package.__name__.replace("httpx", "httpcore"))
