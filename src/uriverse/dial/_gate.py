"""The checks that all connectors make: of requests, of proxies and of connections."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from time import monotonic
from typing import Any, NoReturn

from uriverse._errors import BuildError, PolicyError, quote_argument
from uriverse._policy import Policy
from uriverse._policy.decisions import reject_uri
from uriverse._policy.hosts import get_host_name
from uriverse._policy.judging import find_connection_prohibition, find_narrow_rule, judge_endpoint
from uriverse._uri import URI, parse
from uriverse._uri.engine import Identifier

from ._connecting import connect
from ._planning import (
    AsyncResolver,
    ConnectionPlan,
    Resolver,
    plan_connection,
    plan_literal,
    require_endpoint,
    require_policy,
    require_resolver,
    system_resolver,
    system_resolver_async,
)

#: The scheme of URIs that consist of a host and a port. The policy does not check it.
ANY_SCHEME = "http"

#: The reason to reject a connection that does not go to the configured proxy.
BYPASS_REASON = "the connection bypasses the proxy"


@dataclass(frozen=True, slots=True)
class Gate:
    """The policy of a connector, its resolvers and its proxy.

    `proxy` is the canonical URI of the only allowed proxy; `None` rejects proxies. `resolver` is
    that of the system if it is `None`. `sees_uris` is whether the connector checks each request.
    """

    policy: Policy
    proxy: URI | None = None
    proxy_policy: Policy | None = None
    resolver: Any = None
    sees_uris: bool = True

    def enforce_proxy(self, used_proxy: str | None) -> None:
        """Raise `PolicyError` unless a client uses exactly the proxy that is configured, if any."""
        if used_proxy is None:
            if self.proxy is not None:
                reject_uri(self.proxy, "proxy-not-allowed", "host", BYPASS_REASON)
            return
        # Some clients know only the host and the port of the proxy.
        has_scheme = "://" in used_proxy
        proxy_uri = parse(used_proxy if has_scheme else f"{ANY_SCHEME}://{used_proxy}")
        if self.proxy is None or not self.proxy.is_same_origin(proxy_uri):
            reason = "the policy forbids the proxy"
            hint = "remove the proxy from the environment, or pass it to the connector as proxy"
            reject_uri(proxy_uri, "proxy-not-allowed", "host", reason, hint)

    def plan(self, host: str, port: int) -> ConnectionPlan:
        policy, uri = self._resolve_endpoint(host, port)
        resolver: Resolver = self.resolver or system_resolver
        name, _ = require_endpoint(uri)
        return plan_literal(uri) or plan_connection(policy, uri, resolver(name))

    def connect(
        self,
        host: str,
        port: int,
        timeout: float | None,
        source_address: tuple[str, int] | None,
        socket_options: Iterable[tuple[Any, ...]] = (),
    ) -> socket.socket:
        """Connect to an allowed address of a host; the timeout includes the lookup."""
        start = monotonic()
        plan = self.plan(host, port)
        remaining = None if timeout is None else timeout - (monotonic() - start)
        connection = connect(
            plan, timeout=remaining, source_address=source_address, socket_options=socket_options
        )
        connection.settimeout(timeout)
        return connection

    async def plan_async(self, host: str, port: int) -> ConnectionPlan:
        policy, uri = self._resolve_endpoint(host, port)
        resolver: AsyncResolver = self.resolver or system_resolver_async
        name, _ = require_endpoint(uri)
        return plan_literal(uri) or plan_connection(policy, uri, await resolver(name))

    def enforce_peer(self, uri: URI, peer: IPv4Address | IPv6Address) -> None:
        policy, target = self.policy, uri
        if self.proxy is not None:
            policy, target = self.proxy_policy or policy, self.proxy
        forbidden = find_connection_prohibition(policy, get_host_name(target), peer)
        if forbidden is not None:
            reject_uri(target, "address-not-allowed", "host", f"{peer}: {forbidden.reason}")

    def find_forbidden_calls(self, host: str, port: int) -> dict[str, URI]:
        """Return the methods that a client must not call on the stream, with the forbidden URIs.

        A connector that sees no URIs learns the scheme from the first method that a client calls:
        only `http` sends bytes before TLS starts, and only `https` starts it.
        """
        forbidden_calls: dict[str, URI] = {}
        if self.sees_uris:
            return forbidden_calls
        for method, scheme in (("write", "http"), ("start_tls", "https")):
            uri = build_endpoint_uri(scheme, host, port)
            if not self.policy.allows(uri):
                forbidden_calls[method] = uri
        if len(forbidden_calls) == 2:
            # The policy allows neither, so there is no reason to connect.
            self.policy.enforce(forbidden_calls["start_tls"])
        return forbidden_calls

    def _resolve_endpoint(self, host: str, port: int) -> tuple[Policy, URI]:
        endpoint = build_endpoint_uri(ANY_SCHEME, host, port)
        policy = self.policy
        if self.proxy is not None:
            policy = self.proxy_policy or policy
            proxy_endpoint = get_host_name(self.proxy), self.proxy.effective_port
            if (get_host_name(endpoint), port) != proxy_endpoint:
                reject_uri(endpoint, "proxy-not-allowed", "host", BYPASS_REASON)
        return policy, judge_endpoint(policy, endpoint, port)


def create_gate(
    policy: Policy,
    resolver: Resolver | AsyncResolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    *,
    asynchronous: bool = False,
    alternative: str = "",
) -> Gate:
    """Return the gate of a connector; `alternative` names another one if it sees no URIs."""
    require_policy(policy)
    require_policy(proxy_policy or policy, "proxy_policy")
    require_resolver(resolver, asynchronous=asynchronous)
    proxy_uri = None if proxy is None else (proxy_policy or policy).enforce(proxy)
    sees_uris = not alternative
    narrow_rule = None if sees_uris else find_narrow_rule(policy)
    if narrow_rule is not None:
        rule = quote_argument(str(narrow_rule))
        advice = f"use dial.{alternative}"
        raise ValueError(f"policy must not limit paths or queries, as {rule} does: {advice}")
    return Gate(policy, proxy_uri, proxy_policy, resolver, sees_uris)


def build_endpoint_uri(scheme: str, host: str, port: int | None) -> URI:
    """Build a URI from these components, or raise `PolicyError` if the host is invalid."""
    bracketed_host = f"[{host.strip('[]')}]" if ":" in host else host
    try:
        return URI.build(scheme=scheme, host=bracketed_host, port=port)
    except BuildError as error:
        hostless_uri = URI.build(scheme=scheme, host="")
        reject_uri(hostless_uri, "host-not-allowed", "host", error.reason)


def reject_target(uri: URI) -> NoReturn:
    reason = "the policy forbids another request target"
    hint = "send requests to their own URI: without CONNECT, and without another target"
    reject_uri(uri, "target-not-allowed", "host", reason, hint)


def reject_unix_socket() -> NoReturn:
    reason = "the policy forbids Unix sockets"
    code = "address-not-allowed"
    raise PolicyError("", 0, "text", code, reason, code=code)
