"""Transports for httpx that enforce a policy on requests and on connections."""

from __future__ import annotations

from typing import Any

import httpx

from uriverse.policy.rejections import reject

from .gate import Gate
from .httpcore_backends import AsyncCheckedBackend, CheckedBackend


class PolicyTransport(httpx.HTTPTransport):
    """A transport for `httpx.Client`."""

    def __init__(self, gate: Gate, **options: Any) -> None:
        super().__init__(proxy=proxy_url(gate), **options)
        self._gate = gate
        # httpx has no argument for the backend. If a version uses another attribute, reading this
        # one fails.
        pool: Any = self._pool
        pool._network_backend = CheckedBackend(gate, pool._network_backend)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request if the policy allows its URI."""
        enforce_request(self._gate, request)
        return super().handle_request(request)


class AsyncPolicyTransport(httpx.AsyncHTTPTransport):
    """A transport for `httpx.AsyncClient`."""

    def __init__(self, gate: Gate, **options: Any) -> None:
        super().__init__(proxy=proxy_url(gate), **options)
        self._gate = gate
        pool: Any = self._pool
        pool._network_backend = AsyncCheckedBackend(gate, pool._network_backend)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request if the policy allows its URI."""
        enforce_request(self._gate, request)
        return await super().handle_async_request(request)


def enforce_request(gate: Gate, request: httpx.Request) -> None:
    """Raise `PolicyError` if the policy forbids a request, or if its target is not its URI."""
    uri = gate.policy.enforce(str(request.url))
    if "target" in request.extensions or request.method == "CONNECT":
        reason = "the policy forbids another request target"
        hint = "do not use CONNECT, or the extension target"
        reject(uri, "target-not-allowed", "host", reason, hint)


def proxy_url(gate: Gate) -> str | None:
    """Return the proxy of a gate as an argument of httpx."""
    return None if gate.proxy is None else str(gate.proxy)
