"""Adapters for the HTTP clients among the Python packages.

Each client makes its request, with its defaults and without a proxy. A substitute for the function
that opens connections raises `DialedError`, which carries the host and the port, so the reading
contains the host and the port to which the client connects.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn
from urllib.parse import urlsplit

from ._reading import (
    Parse,
    Reading,
    RejectedError,
    UnreadError,
    format_port,
    make_accepted_reading,
    read_attributes,
)

#: The reason of `UnreadError` for other URIs.
HTTP_ONLY = "it connects to the hosts of http and https URIs only"

#: The reason of `RejectedError` for a request that ends without an error and without a connection.
NO_CONNECTION = "the client connects to nothing"

#: The default ports of the schemes of HTTP, and of those and the schemes of WebSocket.
HTTP_PORTS = {"http": 80, "https": 443}
PORTS = {**HTTP_PORTS, "ws": 80, "wss": 443}


class DialedError(BaseException):
    """The client would now connect. Clients do not catch it, because they catch `Exception`."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host, port)
        self.host = host
        self.port = port


def catch_connection(request: Callable[[], object]) -> tuple[str, int]:
    """Make a request, and return the host and the port to which the client would connect."""
    try:
        request()
    except DialedError as error:
        return error.host, resolve_port(error.host, error.port)
    raise RejectedError(NO_CONNECTION)


def resolve_port(host: str, port: int) -> int:
    """Return the port to which the system's resolver sends a connection.

    Most resolvers use the low 16 bits of a port. The resolver does not look up the host. Its
    errors, such as a host that cannot be encoded, end the request of a client.
    """
    flags = socket.AI_NUMERICHOST
    try:
        try:
            addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
        except socket.gaierror as error:
            # No resolver finds an empty name.
            if error.errno != socket.EAI_NONAME or not host:
                raise
            addresses = socket.getaddrinfo("127.0.0.1", port, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, OverflowError) as error:
        raise RejectedError(f"the resolver rejects the host or the port: {error}") from error
    return int(addresses[0][4][1])


def omit_default_port(scheme: str, port: int) -> int | None:
    """Return a port, or `None` for the default port of the scheme."""
    return None if port == PORTS[scheme] else port


def add_connection(reading: Reading, scheme: str, request: Callable[[], object]) -> Reading:
    """Add the host and the port to which a client connects to a reading."""
    host, port = catch_connection(request)
    return reading._replace(
        scheme=scheme,
        port=format_port(omit_default_port(scheme, port)),
        address=encode_idna_2003(host),
    )


def adapt_urllib_request(module: ModuleType) -> Parse:
    """Open a URL with `urllib.request`, without proxies."""
    from urllib.request import HTTPHandler, HTTPSHandler

    def refuse(address: tuple[str, int], *_: object) -> NoReturn:
        raise DialedError(*address)

    class Handler(HTTPHandler, HTTPSHandler):
        def do_open(self, http_class: Any, req: Any, **http_conn_args: Any) -> Any:
            def create_connection(host: str, **arguments: Any) -> Any:
                connection = http_class(host, **arguments)
                connection._create_connection = refuse
                return connection

            return super().do_open(create_connection, req, **http_conn_args)

    # Python in a browser has no `ssl`, and the playground uses other adapters of this package.
    import ssl

    # Loading the certificates of the system for each connection would take most of the time.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    opener = module.build_opener(module.ProxyHandler({}), Handler(context=context))

    def parse(text: str) -> Reading:
        request = module.Request(text)
        if request.type not in HTTP_PORTS:
            raise UnreadError(HTTP_ONLY)
        host, port = catch_connection(lambda: opener.open(request))
        return make_accepted_reading(
            request.type,
            None,
            host,
            omit_default_port(request.type, port),
            address=encode_idna_2003(host),
        )

    return parse


def encode_idna_2003(host: str) -> str:
    """Convert a host to the name that the `socket` module looks up, according to IDNA 2003."""
    return host if host.isascii() else host.encode("idna").decode()


def make_pool_classes() -> dict[str, Any]:
    """Return pools of urllib3 whose connections raise `DialedError`."""
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

    def refuse(connection: Any) -> NoReturn:
        # `create_connection` of urllib3 does the same with brackets.
        host = connection._dns_host
        raise DialedError(host.strip("[]") if host.startswith("[") else host, connection.port)

    def make_pool_class(base: Any, connection: Any) -> Any:
        connection_class = type("Connection", (connection,), {"_new_conn": refuse})
        return type("Pool", (base,), {"ConnectionCls": connection_class})

    return {
        "http": make_pool_class(HTTPConnectionPool, HTTPConnection),
        "https": make_pool_class(HTTPSConnectionPool, HTTPSConnection),
    }


def adapt_urllib3(module: ModuleType) -> Parse:
    """Parse a string with `parse_url`; if the scheme is http or https, request it."""
    pools = module.PoolManager()
    pools.pool_classes_by_scheme = make_pool_classes()

    def request(text: str, url: Any) -> None:
        if url.scheme is None:
            # A pool manager does the same, and warns.
            pool = pools.connection_from_host(url.host, url.port)
            pool.urlopen("GET", url.request_uri, retries=False)
        else:
            pools.request("GET", text, retries=False)

    def parse(text: str) -> Reading:
        url = module.util.parse_url(text)
        reading = read_attributes(url, url.auth, url.host)
        if url.scheme not in {None, "http", "https"}:
            return reading
        try:
            return add_connection(reading, url.scheme or "http", lambda: request(text, url))
        finally:
            pools.clear()

    return parse


def adapt_requests(module: ModuleType) -> Parse:
    adapter = module.adapters.HTTPAdapter()
    adapter.poolmanager.pool_classes_by_scheme = make_pool_classes()
    session = module.Session()
    session.trust_env = False
    session.mount("http://", adapter)
    session.mount("https://", adapter)

    def parse(text: str) -> Reading:
        prepared = session.prepare_request(module.Request("GET", text))
        url = urlsplit(str(prepared.url))
        if url.scheme not in HTTP_PORTS:
            raise UnreadError(HTTP_ONLY)
        try:
            host, port = catch_connection(lambda: session.send(prepared))
        finally:
            adapter.poolmanager.clear()
        user, at_sign, _ = url.netloc.rpartition("@")
        return make_accepted_reading(
            url.scheme,
            user if at_sign else None,
            url.hostname,
            omit_default_port(url.scheme, port),
            url.path,
            url.query,
            url.fragment,
            host,
        )

    return parse


def adapt_httpx(module: ModuleType) -> Parse:
    """Parse a string with `httpx.URL`; if the client supports the scheme, request it."""
    from httpcore import NetworkBackend

    class Backend(NetworkBackend):  # type: ignore[misc,unused-ignore]
        def connect_tcp(self, host: str, port: int, *_: object, **__: object) -> NoReturn:
            raise DialedError(host, port)

    # No connection is opened, so no certificate is verified.
    transport = module.HTTPTransport(verify=False)
    # httpx has no argument for the backend.
    transport._pool._network_backend = Backend()
    client = module.Client(transport=transport)

    def parse(text: str) -> Reading:
        url = module.URL(text)
        # `host` is the form for display; the client connects to `raw_host`.
        reading = make_accepted_reading(
            url.scheme,
            url.userinfo.decode(),
            url.raw_host.decode(),
            url.port,
            url.path,
            url.query.decode(),
            url.fragment,
        )
        if url.scheme not in PORTS:
            return reading
        return add_connection(reading, url.scheme, lambda: client.get(url))

    return parse


class Loop(asyncio.SelectorEventLoop):
    """An event loop that raises `DialedError` in the place of a connection."""

    def __init__(self) -> None:
        super().__init__()
        self.lookups: list[tuple[str, int]] = []

    async def getaddrinfo(self, host: Any, port: Any, **_: Any) -> Any:
        """Return a loopback address for each name."""
        self.lookups.append((host, port))
        address = ("127.0.0.1", resolve_port(host, port))
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", address)]

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:  # noqa: ARG002
        host, port = (self.lookups or [address])[0][:2]
        raise DialedError(host, port)


def adapt_aiohttp(module: ModuleType) -> Parse:
    from yarl import URL

    async def get(url: Any) -> None:
        # Other resolvers do not use the event loop.
        connector = module.TCPConnector(resolver=module.ThreadedResolver())
        async with module.ClientSession(connector=connector) as session:
            await session.get(url)

    def request(url: Any) -> None:
        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.run(get(url))

    def parse(text: str) -> Reading:
        url = URL(text)
        if url.scheme not in PORTS:
            raise UnreadError(HTTP_ONLY)
        host, port = catch_connection(lambda: request(url))
        return make_accepted_reading(
            url.scheme, None, url.raw_host, omit_default_port(url.scheme, port), address=host
        )

    return parse


def adapt_tornado(module: ModuleType) -> Parse:
    """Fetch a URL with `SimpleAsyncHTTPClient`, the default client."""
    netutil = import_module("tornado.netutil")

    class Resolver(netutil.Resolver):  # type: ignore[misc,name-defined]
        def initialize(self) -> None:
            self.lookups: list[tuple[str, int]] = []

        async def resolve(self, host: str, port: int, *_: object) -> NoReturn:
            # A request that ends with another kind of exception runs until its timeout.
            self.lookups.append((host, port))
            raise ConnectionRefusedError(NO_CONNECTION)

    async def fetch(text: str, resolver: Any) -> None:
        client = module.SimpleAsyncHTTPClient(force_instance=True, resolver=resolver)
        try:
            await client.fetch(text)
        finally:
            client.close()

    def request(text: str) -> None:
        resolver = Resolver()
        try:
            with asyncio.Runner() as runner:
                runner.run(fetch(text, resolver))
        except ConnectionRefusedError:
            raise DialedError(*resolver.lookups[0]) from None

    def parse(text: str) -> Reading:
        scheme = urlsplit(text).scheme
        if scheme not in HTTP_PORTS:
            raise UnreadError(HTTP_ONLY)
        host, port = catch_connection(lambda: request(text))
        return make_accepted_reading(
            scheme, None, host, omit_default_port(scheme, port), address=encode_idna_2003(host)
        )

    return parse
