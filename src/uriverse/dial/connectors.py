"""Make HTTP clients connect only to addresses that a policy allows.

Each function imports the package that it supports when it is called.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any, cast

from uriverse._engine import Identifier
from uriverse.policy import Policy

from .gate import gate_of
from .resolving import AsyncResolver, Resolver

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

    import aiohttp
    import httpcore
    import httpcore2
    import httpx
    import httpx2
    import requests
    import urllib3


def httpx_transport(
    policy: Policy,
    /,
    *,
    resolver: Resolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> httpx.HTTPTransport:
    """Return a transport for `httpx.Client` that enforces a policy.

    A client with `transport=` ignores proxies in the environment. If a client would send a request
    with a transport without a policy, because of `proxy`, of `mounts` or of a proxy in the
    environment, the request raises `PolicyError`.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.
        proxy: the URI of an HTTP proxy. The policy then applies to the URIs of requests, and the
            proxy looks up their hosts.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `httpx.HTTPTransport`, such as `http2` and `verify`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: httpx is not installed.

    >>> import httpx
    >>> from uriverse import Policy
    >>> with httpx.Client(transport=httpx_transport(Policy.public_web())) as client:
    ...     try:
    ...         client.get("http://169.254.169.254/latest/meta-data/")
    ...     except PolicyError as error:
    ...         print(error.code)
    scope-not-allowed
    """
    from .httpx_transports import transport_of

    gate = gate_of(policy, resolver=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return cast("httpx.HTTPTransport", transport_of("httpx", gate, **options))


def httpx_async_transport(
    policy: Policy,
    /,
    *,
    resolver: AsyncResolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> httpx.AsyncHTTPTransport:
    """Return a transport for `httpx.AsyncClient` that enforces a policy.

    It works like that of `httpx_transport`, with asyncio and with trio.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.
        proxy: the URI of an HTTP proxy.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `httpx.AsyncHTTPTransport`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: httpx is not installed.

    >>> import httpx
    >>> from uriverse import Policy
    >>> client = httpx.AsyncClient(transport=httpx_async_transport(Policy.public_web()))
    """
    from .httpx_transports import async_transport_of

    gate = gate_of(policy, resolver_async=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return cast("httpx.AsyncHTTPTransport", async_transport_of("httpx", gate, **options))


def httpx2_transport(
    policy: Policy,
    /,
    *,
    resolver: Resolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> httpx2.HTTPTransport:
    """Return a transport for `httpx2.Client` that enforces a policy, like `httpx_transport`.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.
        proxy: the URI of an HTTP proxy.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `httpx2.HTTPTransport`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: httpx2 is not installed.

    >>> import httpx2
    >>> from uriverse import Policy
    >>> client = httpx2.Client(transport=httpx2_transport(Policy.public_web()))
    """
    from .httpx_transports import transport_of

    gate = gate_of(policy, resolver=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return cast("httpx2.HTTPTransport", transport_of("httpx2", gate, **options))


def httpx2_async_transport(
    policy: Policy,
    /,
    *,
    resolver: AsyncResolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> httpx2.AsyncHTTPTransport:
    """Return a transport for `httpx2.AsyncClient` that enforces a policy.

    It works like that of `httpx_transport`, with asyncio and with trio.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.
        proxy: the URI of an HTTP proxy.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `httpx2.AsyncHTTPTransport`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: httpx2 is not installed.

    >>> import httpx2
    >>> from uriverse import Policy
    >>> client = httpx2.AsyncClient(transport=httpx2_async_transport(Policy.public_web()))
    """
    from .httpx_transports import async_transport_of

    gate = gate_of(policy, resolver_async=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return cast("httpx2.AsyncHTTPTransport", async_transport_of("httpx2", gate, **options))


def httpcore_backend(
    policy: Policy, /, *, resolver: Resolver | None = None
) -> httpcore.NetworkBackend:
    """Return a network backend for `httpcore.ConnectionPool` that enforces a policy.

    It checks the host, the port and the addresses of each connection. It does not know the URI of
    a request, so it does not check the scheme. `httpx_transport` checks both.

    Args:
        policy: the policy for hosts, ports and addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.

    Raises:
        ImportError: httpcore is not installed.

    >>> import httpcore
    >>> from uriverse import Policy
    >>> backend = httpcore_backend(Policy.public_web())
    >>> with httpcore.ConnectionPool(network_backend=backend) as pool:
    ...     try:
    ...         pool.request("GET", "http://127.0.0.1/")
    ...     except PolicyError as error:
    ...         print(error.code)
    scope-not-allowed
    """
    import httpcore

    from .httpcore_backends import backend_of

    return cast("httpcore.NetworkBackend", backend_of(httpcore, gate_of(policy, resolver=resolver)))


def httpcore_async_backend(
    policy: Policy, /, *, resolver: AsyncResolver | None = None
) -> httpcore.AsyncNetworkBackend:
    """Return a network backend for `httpcore.AsyncConnectionPool` that enforces a policy.

    Args:
        policy: the policy for hosts, ports and addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.

    Raises:
        ImportError: httpcore or anyio is not installed.

    >>> import httpcore
    >>> from uriverse import Policy
    >>> backend = httpcore_async_backend(Policy.public_web())
    >>> pool = httpcore.AsyncConnectionPool(network_backend=backend)
    """
    import httpcore

    from .httpcore_backends import async_backend_of

    gate = gate_of(policy, resolver_async=resolver)
    backend = async_backend_of(httpcore, gate, httpcore.AnyIOBackend())
    return cast("httpcore.AsyncNetworkBackend", backend)


def httpcore2_backend(
    policy: Policy, /, *, resolver: Resolver | None = None
) -> httpcore2.NetworkBackend:
    """Return a network backend for `httpcore2.ConnectionPool`, like `httpcore_backend`.

    Args:
        policy: the policy for hosts, ports and addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.

    Raises:
        ImportError: httpcore2 is not installed.

    >>> import httpcore2
    >>> from uriverse import Policy
    >>> backend = httpcore2_backend(Policy.public_web())
    >>> pool = httpcore2.ConnectionPool(network_backend=backend)
    """
    import httpcore2

    from .httpcore_backends import backend_of

    gate = gate_of(policy, resolver=resolver)
    return cast("httpcore2.NetworkBackend", backend_of(httpcore2, gate))


def httpcore2_async_backend(
    policy: Policy, /, *, resolver: AsyncResolver | None = None
) -> httpcore2.AsyncNetworkBackend:
    """Return a network backend for `httpcore2.AsyncConnectionPool`, like `httpcore_backend`.

    Args:
        policy: the policy for hosts, ports and addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.

    Raises:
        ImportError: httpcore2 is not installed.

    >>> import httpcore2
    >>> from uriverse import Policy
    >>> backend = httpcore2_async_backend(Policy.public_web())
    >>> pool = httpcore2.AsyncConnectionPool(network_backend=backend)
    """
    import httpcore2

    from .httpcore_backends import async_backend_of

    gate = gate_of(policy, resolver_async=resolver)
    backend = async_backend_of(httpcore2, gate, httpcore2.AnyIOBackend())
    return cast("httpcore2.AsyncNetworkBackend", backend)


def requests_session(
    policy: Policy,
    /,
    *,
    resolver: Resolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> requests.Session:
    """Return a `requests.Session` that enforces a policy.

    The session uses its own adapter for all URIs; mounting another adapter has no effect. If the
    environment contains a proxy for a request, such as `HTTPS_PROXY`, the request raises
    `PolicyError`, unless the proxy is the given one. To ignore the environment, set
    `session.trust_env` to `False`.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.
        proxy: the URI of an HTTP proxy. The policy then applies to the URIs of requests, and the
            proxy looks up their hosts.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `requests.adapters.HTTPAdapter`, such as `max_retries`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: requests is not installed.

    >>> from uriverse import Policy
    >>> with requests_session(Policy.public_web()) as session:
    ...     try:
    ...         session.get("http://[::ffff:10.0.0.1]/")
    ...     except PolicyError as error:
    ...         print(error.code)
    ipv6-with-ipv4
    """
    from .requests_sessions import PolicySession

    gate = gate_of(policy, resolver=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return PolicySession(gate, **options)


def urllib3_pool(
    policy: Policy,
    /,
    *,
    resolver: Resolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> urllib3.PoolManager:
    """Return a pool manager of urllib3 that enforces a policy.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.
        proxy: the URI of an HTTP proxy. The policy then applies to the URIs of requests, and the
            proxy looks up their hosts.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `urllib3.PoolManager`, or of `urllib3.ProxyManager`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: urllib3 is not installed.

    >>> from uriverse import Policy
    >>> with urllib3_pool(Policy.public_web()) as pool:
    ...     try:
    ...         pool.request("GET", "http://localhost/")
    ...     except PolicyError as error:
    ...         print(error.code)
    host-not-allowed
    """
    from .urllib3_pools import PolicyPoolManager, PolicyProxyManager

    gate = gate_of(policy, resolver=resolver, proxy=proxy, proxy_policy=proxy_policy)
    if gate.proxy is not None:
        return PolicyProxyManager(gate, str(gate.proxy), **options)
    return PolicyPoolManager(gate, **options)


def aiohttp_connector(
    policy: Policy,
    /,
    *,
    resolver: AsyncResolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    **options: Any,
) -> aiohttp.TCPConnector:
    """Return a connector for `aiohttp.ClientSession` that enforces a policy.

    Call this function in a coroutine. aiohttp removes userinfo from a URI before the connector
    receives it. The session decides whether to use a proxy: pass it to the session as well. A
    request with another proxy, also one from the environment, raises `PolicyError`.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.
        proxy: the URI of the only allowed HTTP proxy. The policy then applies to the URIs of
            requests, and the proxy looks up their hosts.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        options: other arguments of `aiohttp.TCPConnector`, such as `limit` and `ssl`.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ImportError: aiohttp is not installed.

    >>> import aiohttp, asyncio
    >>> from uriverse import Policy
    >>> async def status(uri):
    ...     connector = aiohttp_connector(Policy.public_web())
    ...     async with aiohttp.ClientSession(connector=connector) as session:
    ...         async with session.get(uri) as response:
    ...             return response.status
    >>> try:
    ...     asyncio.run(status("http://192.168.0.1/"))
    ... except PolicyError as error:
    ...     print(error.code)
    scope-not-allowed
    """
    from .aiohttp_connectors import PolicyConnector

    gate = gate_of(policy, resolver_async=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return PolicyConnector(gate, **options)


def urllib_opener(
    policy: Policy,
    /,
    *,
    resolver: Resolver | None = None,
    proxy: str | Identifier | None = None,
    proxy_policy: Policy | None = None,
    context: ssl.SSLContext | None = None,
) -> OpenerDirector:
    """Return an opener of `urllib.request` that enforces a policy.

    It opens only `http` and `https` URIs, and ignores proxies in the environment.

    Args:
        policy: the policy for requests and for addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.
        proxy: the URI of an HTTP proxy. The policy then applies to the URIs of requests, and the
            proxy looks up their hosts.
        proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy` applies
            to them.
        context: the TLS settings; `None` for the defaults of Python.

    Raises:
        PolicyError: the policy does not allow the proxy. Requests raise it as well.
        ValueError: the proxy has another scheme than `http`.

    >>> from uriverse import Policy
    >>> opener = urllib_opener(Policy.public_web())
    >>> try:
    ...     opener.open("http://0x7f.1/")
    ... except PolicyError as error:
    ...     print(error.code)
    ipv4-hex
    """
    from .urllib_handlers import opener_of

    gate = gate_of(policy, resolver=resolver, proxy=proxy, proxy_policy=proxy_policy)
    return opener_of(gate, context)
