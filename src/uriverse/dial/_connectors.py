"""Make HTTP clients connect only to addresses that a policy allows."""

# ruff: noqa: D417 - `complete_docstring` adds the other arguments.

from __future__ import annotations

import inspect
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from uriverse._policy import Policy
from uriverse._uri.engine import Identifier

from ._gate import Gate, create_gate
from ._planning import AsyncResolver, Resolver

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

    import aiohttp
    import httpcore
    import httpcore2
    import httpx
    import httpx2
    import requests
    import urllib3

T = TypeVar("T")
R_contra = TypeVar("R_contra", contravariant=True)
T_co = TypeVar("T_co", covariant=True)


class Connector(Protocol[R_contra, T_co]):
    def __call__(
        self,
        policy: Policy,
        /,
        *,
        resolver: R_contra | None = None,
        proxy: str | Identifier | None = None,
        proxy_policy: Policy | None = None,
        **options: Any,
    ) -> T_co:
        """Return an object to pass to the client, or the client itself.

        Args:
            policy: the policy for requests and for addresses.
            resolver: the function that looks up names; for an asynchronous client, a coroutine
                function. `None` for `system_resolver` or `system_resolver_async`.
            proxy: the URI of the only allowed HTTP proxy. The policy then applies to the URIs of
                requests, and the proxy looks up their hosts.
            proxy_policy: the policy for the proxy and its addresses; if it is `None`, `policy`
                applies to them.

        Raises:
            PolicyError: the policy does not allow the proxy. Requests raise it as well.
            TypeError: `policy` is not a policy, or `resolver` is not the right kind of function.
            ImportError: the package is not installed.
        """
        ...


def connector(create: Callable[..., T]) -> Connector[Resolver, T]:
    """Turn a function that takes a `Gate` into a function that takes a policy."""
    return wrap_connector(create, asynchronous=False)


def async_connector(create: Callable[..., T]) -> Connector[AsyncResolver, T]:
    return wrap_connector(create, asynchronous=True)


def wrap_connector(create: Callable[..., T], *, asynchronous: bool) -> Connector[Any, T]:
    def connect(
        policy: Policy,
        /,
        *,
        resolver: Any = None,
        proxy: str | Identifier | None = None,
        proxy_policy: Policy | None = None,
        **options: Any,
    ) -> T:
        gate = create_gate(policy, resolver, proxy, proxy_policy, asynchronous=asynchronous)
        return create(gate, **options)

    connect.__name__, connect.__qualname__ = create.__name__, create.__qualname__
    connect.__doc__ = complete_docstring(inspect.getdoc(create) or "")
    return_type = create.__annotations__["return"]
    resolver_type = "AsyncResolver | None" if asynchronous else "Resolver | None"
    connect.__annotations__.update({"resolver": resolver_type, "return": return_type})
    return connect


def complete_docstring(docstring: str) -> str:
    """Add the arguments and the errors that all connectors share to the docstring of one."""
    introduction, args, sections = docstring.partition("Args:\n")
    options, _, example = sections.partition("\n\n")
    shared_sections = (inspect.getdoc(vars(Connector)["__call__"]) or "").partition("Args:\n")[2]
    arguments, _, errors = shared_sections.partition("\n\n")
    return f"{introduction}{args}{arguments}\n{options}\n\n{errors}\n\n{example}"


@connector
def httpx_transport(gate: Gate, **options: Any) -> httpx.HTTPTransport:
    """Return a transport for `httpx.Client` that enforces a policy.

    A client with `transport=` ignores proxies in the environment. If a client would send a request
    with a transport without a policy, because of `proxy`, of `mounts` or of a proxy in the
    environment, the request raises `PolicyError`.

    Args:
        options: other arguments of `httpx.HTTPTransport`, such as `http2` and `verify`.

    >>> import httpx
    >>> from uriverse import Policy
    >>> with httpx.Client(transport=httpx_transport(Policy.public_web())) as client:
    ...     try:
    ...         client.get("http://169.254.169.254/latest/meta-data/")
    ...     except PolicyError as error:
    ...         print(error.code)
    scope-not-allowed
    """
    from ._httpx_transports import create_transport

    return cast("httpx.HTTPTransport", create_transport("httpx", gate, **options))


@async_connector
def httpx_async_transport(gate: Gate, **options: Any) -> httpx.AsyncHTTPTransport:
    """Return a transport for `httpx.AsyncClient` that enforces a policy.

    It works like that of `httpx_transport`, with asyncio and with trio.

    Args:
        options: other arguments of `httpx.AsyncHTTPTransport`.

    >>> import httpx
    >>> from uriverse import Policy
    >>> client = httpx.AsyncClient(transport=httpx_async_transport(Policy.public_web()))
    """
    from ._httpx_transports import create_async_transport

    return cast("httpx.AsyncHTTPTransport", create_async_transport("httpx", gate, **options))


@connector
def httpx2_transport(gate: Gate, **options: Any) -> httpx2.HTTPTransport:
    """Return a transport for `httpx2.Client` that enforces a policy.

    Args:
        options: other arguments of `httpx2.HTTPTransport`.

    >>> import httpx2
    >>> from uriverse import Policy
    >>> client = httpx2.Client(transport=httpx2_transport(Policy.public_web()))
    """
    from ._httpx_transports import create_transport

    return cast("httpx2.HTTPTransport", create_transport("httpx2", gate, **options))


@async_connector
def httpx2_async_transport(gate: Gate, **options: Any) -> httpx2.AsyncHTTPTransport:
    """Return a transport for `httpx2.AsyncClient` that enforces a policy.

    It works like that of `httpx_transport`, with asyncio and with trio.

    Args:
        options: other arguments of `httpx2.AsyncHTTPTransport`.

    >>> import httpx2
    >>> from uriverse import Policy
    >>> client = httpx2.AsyncClient(transport=httpx2_async_transport(Policy.public_web()))
    """
    from ._httpx_transports import create_async_transport

    return cast("httpx2.AsyncHTTPTransport", create_async_transport("httpx2", gate, **options))


def httpcore_backend(
    policy: Policy, /, *, resolver: Resolver | None = None
) -> httpcore.NetworkBackend:
    """Return a network backend for `httpcore.ConnectionPool` that enforces a policy.

    It checks the scheme, the host, the port and the addresses of each connection. It sees no paths
    and no queries: if rules limit them, use `httpx_transport`. Do not pass it to a pool that uses a
    proxy: it would check only the proxy.

    Args:
        policy: the policy for schemes, hosts, ports and addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.

    Raises:
        ValueError: a rule of the policy has a path or a query.
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

    from ._httpcore_backends import create_backend

    gate = create_gate(policy, resolver, alternative="httpx_transport")
    return cast("httpcore.NetworkBackend", create_backend(httpcore, gate))


def httpcore_async_backend(
    policy: Policy, /, *, resolver: AsyncResolver | None = None
) -> httpcore.AsyncNetworkBackend:
    """Return a network backend for `httpcore.AsyncConnectionPool` that enforces a policy.

    Args:
        policy: the policy for schemes, hosts, ports and addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.

    Raises:
        ValueError: a rule of the policy has a path or a query.
        ImportError: httpcore or anyio is not installed.

    >>> import httpcore
    >>> from uriverse import Policy
    >>> backend = httpcore_async_backend(Policy.public_web())
    >>> pool = httpcore.AsyncConnectionPool(network_backend=backend)
    """
    import httpcore

    from ._httpcore_backends import create_async_backend

    gate = create_gate(policy, resolver, asynchronous=True, alternative="httpx_async_transport")
    backend = create_async_backend(httpcore, gate, httpcore.AnyIOBackend())
    return cast("httpcore.AsyncNetworkBackend", backend)


def httpcore2_backend(
    policy: Policy, /, *, resolver: Resolver | None = None
) -> httpcore2.NetworkBackend:
    """Return a network backend for `httpcore2.ConnectionPool` that enforces a policy.

    Args:
        policy: the policy for schemes, hosts, ports and addresses.
        resolver: the function that looks up names; `None` for `system_resolver`.

    Raises:
        ValueError: a rule of the policy has a path or a query.
        ImportError: httpcore2 is not installed.

    >>> import httpcore2
    >>> from uriverse import Policy
    >>> backend = httpcore2_backend(Policy.public_web())
    >>> pool = httpcore2.ConnectionPool(network_backend=backend)
    """
    import httpcore2

    from ._httpcore_backends import create_backend

    gate = create_gate(policy, resolver, alternative="httpx2_transport")
    return cast("httpcore2.NetworkBackend", create_backend(httpcore2, gate))


def httpcore2_async_backend(
    policy: Policy, /, *, resolver: AsyncResolver | None = None
) -> httpcore2.AsyncNetworkBackend:
    """Return a network backend for `httpcore2.AsyncConnectionPool` that enforces a policy.

    Args:
        policy: the policy for schemes, hosts, ports and addresses.
        resolver: the coroutine function that looks up names; `None` for `system_resolver_async`.

    Raises:
        ValueError: a rule of the policy has a path or a query.
        ImportError: httpcore2 is not installed.

    >>> import httpcore2
    >>> from uriverse import Policy
    >>> backend = httpcore2_async_backend(Policy.public_web())
    >>> pool = httpcore2.AsyncConnectionPool(network_backend=backend)
    """
    import httpcore2

    from ._httpcore_backends import create_async_backend

    gate = create_gate(policy, resolver, asynchronous=True, alternative="httpx2_async_transport")
    backend = create_async_backend(httpcore2, gate, httpcore2.AnyIOBackend())
    return cast("httpcore2.AsyncNetworkBackend", backend)


@connector
def requests_session(gate: Gate, **options: Any) -> requests.Session:
    """Return a `requests.Session` that enforces a policy.

    The session uses its own adapter for all URIs; mounting another adapter has no effect. If the
    environment contains a proxy for a request, such as `HTTPS_PROXY`, the request raises
    `PolicyError`, unless the proxy is the given one. To ignore the environment, set
    `session.trust_env` to `False`.

    Args:
        options: other arguments of `requests.adapters.HTTPAdapter`, such as `max_retries`.

    >>> from uriverse import Policy
    >>> with requests_session(Policy.public_web()) as session:
    ...     try:
    ...         session.get("http://[::ffff:10.0.0.1]/")
    ...     except PolicyError as error:
    ...         print(error.code)
    ipv6-with-ipv4
    """
    from ._requests_sessions import PolicySession

    return PolicySession(gate, **options)


@connector
def urllib3_pool(gate: Gate, **options: Any) -> urllib3.PoolManager:
    """Return a pool manager of urllib3 that enforces a policy.

    Args:
        options: other arguments of `urllib3.PoolManager`, or of `urllib3.ProxyManager`.

    >>> from uriverse import Policy
    >>> with urllib3_pool(Policy.public_web()) as pool:
    ...     try:
    ...         pool.request("GET", "http://localhost/")
    ...     except PolicyError as error:
    ...         print(error.code)
    host-not-allowed
    """
    from ._urllib3_pools import PolicyPoolManager, PolicyProxyManager

    if gate.proxy is not None:
        return PolicyProxyManager(gate, str(gate.proxy), **options)
    return PolicyPoolManager(gate, **options)


@async_connector
def aiohttp_connector(gate: Gate, **options: Any) -> aiohttp.TCPConnector:
    """Return a connector for `aiohttp.ClientSession` that enforces a policy.

    Call this function in a coroutine. aiohttp removes userinfo from a URI before the connector
    receives it. The session decides whether to use a proxy: pass it to the session as well. A
    request with another proxy, also one from the environment, raises `PolicyError`.

    Args:
        options: other arguments of `aiohttp.TCPConnector`, such as `limit` and `ssl`.

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
    from ._aiohttp_connectors import PolicyConnector

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
    from ._urllib_handlers import create_opener

    return create_opener(create_gate(policy, resolver, proxy, proxy_policy), context)
