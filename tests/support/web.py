"""HTTP servers on this machine that count their connections, and HTTP clients that use `dial`."""

from __future__ import annotations

import asyncio
import select
import socket
import ssl
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, TypeAlias
from urllib.error import HTTPError
from urllib.parse import unquote

import pytest

from uriverse import Policy, PolicyError, dial

Answer: TypeAlias = Iterable[IPv4Address | IPv6Address]
Asking: TypeAlias = Callable[[str], Answer]

#: A policy of tests with servers on this machine.
LOCAL = Policy(scopes={"loopback", "global"})

#: The seconds that a client waits for an answer: no test reaches them, even on a busy machine.
PATIENCE = 60

#: TLS settings without trusted certificates. Loading the default certificates takes long.
NO_TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Handler(BaseHTTPRequestHandler):
    """Answers with the Host field; redirects to the URI after `/to/`; closes after `/close`."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        path = self.path
        self.server.requests.append(path)
        body = f"{self.headers['Host']}".encode()
        if "/to/" in path:
            body = b""
            self.send_response(302)
            self.send_header("Location", unquote(path.partition("/to/")[2]))
        else:
            self.send_response(200)
        if path.endswith("/close"):
            self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self) -> None:
        """Act as a proxy for another server on this machine, and relay what it receives."""
        self.server.requests.append(self.path)
        assert self.server.upstream is not None
        with socket.create_connection(self.server.upstream) as other:
            self.send_response(200)
            self.end_headers()
            relay = threading.Thread(target=pump, args=(other, self.connection))
            relay.start()
            pump(self.connection, other)
            relay.join()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        target.close()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.accepted = 0
        self.requests: list[str] = []
        self.upstream: tuple[str, int] | None = None
        self.context: ssl.SSLContext | None = None
        super().__init__((host, port), Handler)

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        self.accepted += 1
        if self.context is not None:
            connection = self.context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def serving(host: str = "127.0.0.1", port: int = 0) -> Iterator[Server]:
    """Run a server in a thread; skip the test if the machine does not have the address."""
    try:
        server = Server(host, port)
    except OSError as error:
        pytest.skip(f"cannot listen on {host}: {error}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def silent(host: str = "127.0.0.1", port: int = 0) -> Iterator[int]:
    """Yield a port that accepts no further connections: attempts to connect stay pending.

    The queue of the listening socket is full. The test is skipped if the system does not have the
    address, or accepts connections without a limit.
    """
    with ExitStack() as opened:
        try:
            listener = opened.enter_context(socket.create_server((host, port), backlog=0))
        except OSError as error:
            pytest.skip(f"cannot listen on {host}: {error}")
        address = listener.getsockname()
        for _ in range(20):
            client = opened.enter_context(socket.socket())
            client.setblocking(False)
            with suppress(BlockingIOError):
                client.connect(address)
            if not select.select([], [client], [], 0.1)[1]:
                break
        else:
            pytest.skip("the system accepts connections without a limit")
        yield address[1]


@contextmanager
def refusing(host: str = "127.0.0.1") -> Iterator[int]:
    """Yield a port that refuses connections, and that no other process can listen on."""
    with socket.socket() as bound:
        bound.bind((host, 0))
        yield bound.getsockname()[1]


@contextmanager
def refused(code: str) -> Iterator[None]:
    """Check that a policy refuses what the block does, with an error that has the code."""
    with pytest.raises(PolicyError) as caught:
        yield
    assert caught.value.code == code


def answering(*addresses: str) -> Asking:
    found = [ip_address(address) for address in addresses]
    return lambda _name: found


def asynchronous(resolver: Asking) -> Callable[[str], Coroutine[Any, Any, Answer]]:
    async def resolve(name: str) -> Answer:
        return resolver(name)

    return resolve


# --- clients: each function sends GET, follows redirects and returns the bodies of all responses


def with_httpx(
    policy: Policy, urls: list[str], resolver: Asking, *, package: str = "httpx", **options: Any
) -> list[str]:
    httpx = import_module(package)
    tls = {"verify": options.pop("context")} if "context" in options else {}
    transport = connector(httpx, "transport")(policy, resolver=resolver, **options, **tls)
    with httpx.Client(transport=transport, follow_redirects=True, timeout=PATIENCE) as client:
        return [client.get(url).text for url in urls]


def with_httpx_async(
    policy: Policy, urls: list[str], resolver: Asking, **options: Any
) -> list[str]:
    work = through_httpx(policy, urls, resolver, **options)
    return asyncio.run(until_closed(work, tls="https" in urls[0]))


async def until_closed(work: Coroutine[Any, Any, list[str]], *, tls: bool) -> list[str]:
    """Await a result, and let the event loop close the connections of the client."""
    try:
        return await work
    finally:
        # Older versions of aiohttp do not wait until a TLS connection is closed.
        await asyncio.sleep(0.1 if tls else 0)


def with_httpx_on_trio(
    policy: Policy, urls: list[str], resolver: Asking, **options: Any
) -> list[str]:
    trio = pytest.importorskip("trio", reason="needs trio (pip install --group test-all)")
    return trio.run(lambda: through_httpx(policy, urls, resolver, **options))  # type: ignore[no-any-return]


async def through_httpx(
    policy: Policy, urls: list[str], resolver: Asking, *, package: str = "httpx", **options: Any
) -> list[str]:
    httpx = import_module(package)
    tls = {"verify": options.pop("context")} if "context" in options else {}
    asking = asynchronous(resolver)
    transport = connector(httpx, "async_transport")(policy, resolver=asking, **options, **tls)
    async with httpx.AsyncClient(
        transport=transport, follow_redirects=True, timeout=PATIENCE
    ) as client:
        return [(await client.get(url)).text for url in urls]


def with_requests(policy: Policy, urls: list[str], resolver: Asking, **options: Any) -> list[str]:
    pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
    context = options.pop("context", None)
    # An environment variable takes precedence over the attribute `verify` of a session.
    verify = None if context is None or context is NO_TRUST else context.file
    with dial.requests_session(policy, resolver=resolver, **options) as session:
        return [session.get(url, timeout=PATIENCE, verify=verify).text for url in urls]


def with_urllib3(policy: Policy, urls: list[str], resolver: Asking, **options: Any) -> list[str]:
    pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    if "context" in options:
        options["ssl_context"] = options.pop("context")
    with dial.urllib3_pool(
        policy, resolver=resolver, timeout=PATIENCE, retries=3, **options
    ) as pool:
        return [pool.request("GET", url).data.decode() for url in urls]


def with_aiohttp(policy: Policy, urls: list[str], resolver: Asking, **options: Any) -> list[str]:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")
    if "context" in options:
        options["ssl"] = options.pop("context")

    async def fetch() -> list[str]:
        found = []
        connector = dial.aiohttp_connector(policy, resolver=asynchronous(resolver), **options)
        proxy = options.get("proxy")
        async with aiohttp.ClientSession(
            connector=connector, timeout=aiohttp.ClientTimeout(total=PATIENCE)
        ) as session:
            for url in urls:
                async with session.get(url, proxy=proxy) as response:
                    found.append(await response.text())
        return found

    return asyncio.run(until_closed(fetch(), tls="https" in urls[0]))


def with_urllib(policy: Policy, urls: list[str], resolver: Asking, **options: Any) -> list[str]:
    opener = dial.urllib_opener(policy, resolver=resolver, **options)
    found = []
    for url in urls:
        try:
            with opener.open(url, timeout=PATIENCE) as response:
                found.append(response.read().decode())
        except HTTPError as error:
            with error:
                raise
    return found


#: The clients that follow redirects.
CLIENTS: dict[str, Callable[..., list[str]]] = {
    "httpx": with_httpx,
    "httpx-async": with_httpx_async,
    "httpx-trio": with_httpx_on_trio,
    "httpx2": partial(with_httpx, package="httpx2"),
    "httpx2-async": partial(with_httpx_async, package="httpx2"),
    "httpx2-trio": partial(with_httpx_on_trio, package="httpx2"),
    "requests": with_requests,
    "urllib3": with_urllib3,
    "aiohttp": with_aiohttp,
    "urllib": with_urllib,
}


def client(name: str) -> Callable[..., list[str]]:
    if name.startswith("httpx"):
        package_of(name)
    return CLIENTS[name]


def package_of(name: str) -> Any:
    """Import httpx or httpx2, of which `name` is a client; skip the test if it is not installed."""
    name = name.partition("-")[0]
    how = {"httpx": "'.[test]'", "httpx2": "--group test-all"}[name]
    return pytest.importorskip(name, reason=f"needs {name} (pip install {how})")


def connector(package: Any, kind: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(dial, f"{package.__name__}_{kind}")
    return found
