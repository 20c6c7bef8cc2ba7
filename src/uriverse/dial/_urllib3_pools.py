"""Pool managers of urllib3 that enforce a policy on requests and on connections."""

from __future__ import annotations

import socket
from typing import Any

from urllib3 import PoolManager, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util import Timeout

from ._gate import Gate, build_endpoint_uri, reject_target


class PolicyPoolManager(PoolManager):
    def __init__(self, gate: Gate, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._gate = gate
        self.pool_classes_by_scheme = create_pool_classes(gate)

    def urlopen(self, method: str, url: str, redirect: bool = True, **options: Any) -> Any:  # type: ignore[override]
        self._gate.policy.enforce(url)
        return super().urlopen(method, url, redirect, **options)

    def connection_from_url(self, url: str, *arguments: Any, **options: Any) -> HTTPConnectionPool:
        self._gate.policy.enforce(url)
        return super().connection_from_url(url, *arguments, **options)


class PolicyProxyManager(PolicyPoolManager, ProxyManager):
    """A pool manager that sends all requests through a proxy."""


def create_pool_classes(gate: Gate) -> dict[str, type[HTTPConnectionPool]]:
    # If a version of urllib3 uses another method, this line fails.
    vars(HTTPConnection)["_new_conn"]

    class CheckedConnection(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return open_socket(gate, self)

    class CheckedTLSConnection(CheckedConnection, HTTPSConnection):
        pass

    class CheckedPool(HTTPConnectionPool):
        ConnectionCls = CheckedConnection  # pyright: ignore[reportAssignmentType]

        def urlopen(self, method: str, url: str, *arguments: Any, **options: Any) -> Any:
            enforce_target(gate, self, url)
            return super().urlopen(method, url, *arguments, **options)

    class CheckedTLSPool(CheckedPool, HTTPSConnectionPool):
        ConnectionCls = CheckedTLSConnection

    return {pool.scheme: pool for pool in (CheckedPool, CheckedTLSPool) if pool.scheme}


def enforce_target(gate: Gate, pool: HTTPConnectionPool, target: str) -> None:
    """Enforce the policy on the path or URI that is the target of a request to a host or proxy."""
    if target.startswith("/"):
        target = f"{build_endpoint_uri(str(pool.scheme), pool.host, pool.port)}{target}"
    uri = gate.policy.enforce(target)
    # A proxy forwards requests to any host. Another server could choose a host by the target.
    goes_to_proxy = pool.proxy is not None and pool.is_same_host(pool.proxy.url)
    if not goes_to_proxy and not pool.is_same_host(target):
        reject_target(uri)


def open_socket(gate: Gate, connection: HTTPConnection) -> socket.socket:
    try:
        return gate.connect(
            connection._dns_host,
            connection.port,
            Timeout.resolve_default_timeout(connection.timeout),
            connection.source_address,
            connection.socket_options or (),
        )
    except socket.gaierror as error:
        raise NameResolutionError(connection.host, connection, error) from error
    except TimeoutError as error:
        raise ConnectTimeoutError(connection, f"{connection.host} timed out") from error
    except OSError as error:
        raise NewConnectionError(connection, f"no connection: {error}") from error
