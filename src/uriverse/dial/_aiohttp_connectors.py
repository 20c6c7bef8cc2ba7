"""A connector for aiohttp that enforces a policy on requests and on connections."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from ._gate import Gate, reject_target

if TYPE_CHECKING:
    from aiohttp.connector import Connection


class PolicyConnector(aiohttp.TCPConnector):
    def __init__(self, gate: Gate, **options: Any) -> None:
        # The cache would let a connection use addresses that another connection looked up.
        settings: dict[str, Any] = {"resolver": CheckedResolver(gate), "use_dns_cache": False}
        super().__init__(**settings, **options)  # pyright: ignore[reportUnknownMemberType]
        self._gate = gate
        # The protocols of connections whose address has been checked. The transports of some event
        # loops cannot be members of a `WeakSet`.
        self._verified: WeakSet[asyncio.Protocol] = WeakSet()

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        proxy = None if req.proxy is None else str(req.proxy)
        self._gate.enforce_proxy(proxy)
        uri = self._gate.policy.enforce(str(req.url))
        if req.method == "CONNECT":
            reject_target(uri)
        connection = await super().connect(req, traces, timeout)
        # A connection from the pool goes to the host of the request, and its address was checked.
        if connection.protocol in self._verified:
            return connection
        try:
            transport = connection.transport
            peer_name = None if transport is None else transport.get_extra_info("peername")
            if peer_name is None:
                raise aiohttp.ServerDisconnectedError  # noqa: TRY301
            address, _, _zone = peer_name[0].partition("%")
            self._gate.enforce_peer(uri, ip_address(address))
            assert connection.protocol is not None, "a transport has a protocol"
            self._verified.add(connection.protocol)
        except BaseException:
            connection.close()
            raise
        return connection


class CheckedResolver(AbstractResolver):
    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        plan = await self._gate.plan_async(host, port)
        families = {4: socket.AF_INET, 6: socket.AF_INET6}
        results = [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=families[address.version],
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in plan.addresses
            if family in {socket.AF_UNSPEC, families[address.version]}
        ]
        if not results:
            raise socket.gaierror(socket.EAI_NONAME, "the name has no address of the family")
        return results

    async def close(self) -> None:
        """Do nothing: the resolver has no resources."""
