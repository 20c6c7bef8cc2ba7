"""Measure what the connectors of `uriverse.dial` add to a request, and what a dead address costs.

    python benchmarks/dialing.py
    python benchmarks/dialing.py --json figures.json --port 80

Each HTTP client sends requests to a server on this machine, which runs in its own process, over one
connection. Rounds with and without a connector alternate. The URLs of a round are distinct. Clients
that are not installed are skipped. URLs with another port than 80 take longer to normalize, but
only privileged programs can use port 80.

The last tables show the wall-clock time of a request to a host with two addresses, of which the
first never answers. Requests have a timeout of one second. Systems without the address 127.0.0.2
skip these tables. The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter_ns
from typing import Any
from unittest.mock import patch

from identifiers import options
from measure import CLOCK, Spread, Table, rows_of
from references import run

from uriverse import Policy, dial

#: The target for the CPU time that a connector adds, in microseconds for each request.
LIMIT = 50.0

#: A policy with the conditions of `Policy.public_web`, except that it allows the server.
DENIED = [rule for rule in Policy.public_web().deny if "localhost" not in str(rule)]
POLICY = Policy(scopes={"loopback", "global"}, deny=DENIED)

#: The timeout of requests, in seconds.
TIMEOUT = 1.0

#: A host with two addresses, of which the first never answers.
DEAD_FIRST = ("127.0.0.2", "127.0.0.1")

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

#: Sends a request to each URL.
Sending = Callable[[Sequence[str]], object]


def serve(listener: socket.socket) -> None:
    """Answer all requests that arrive."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readline():
            while await reader.readline() != b"\r\n":
                pass
            writer.write(RESPONSE)

    async def run() -> None:
        server = await asyncio.start_server(answer, sock=listener)
        await server.serve_forever()

    asyncio.run(run())


def with_httpx(package: str, guarded: bool) -> Sending:
    """Return a function that sends requests with httpx or httpx2."""
    httpx: Any = import_module(package)
    checked = getattr(dial, f"{package}_transport")
    transport = checked(POLICY) if guarded else httpx.HTTPTransport()
    client = httpx.Client(transport=transport, timeout=TIMEOUT)
    return lambda urls: [client.get(url) for url in urls]


def with_httpx_async(package: str, guarded: bool) -> Sending:
    """Return a function that sends requests with the asynchronous client of httpx or httpx2."""
    httpx: Any = import_module(package)
    checked = getattr(dial, f"{package}_async_transport")
    loop = asyncio.new_event_loop()

    async def send(urls: Sequence[str]) -> None:
        transport = checked(POLICY) if guarded else httpx.AsyncHTTPTransport()
        async with httpx.AsyncClient(transport=transport, timeout=TIMEOUT) as client:
            for url in urls:
                await client.get(url)

    return lambda urls: loop.run_until_complete(send(urls))


def with_requests(guarded: bool) -> Sending:
    """Return a function that sends requests with requests."""
    import requests

    session = dial.requests_session(POLICY) if guarded else requests.Session()
    session.trust_env = False
    return lambda urls: [session.get(url, timeout=TIMEOUT) for url in urls]


def with_urllib3(guarded: bool) -> Sending:
    """Return a function that sends requests with urllib3."""
    import urllib3

    options: dict[str, Any] = {"timeout": TIMEOUT, "retries": False}
    pool = dial.urllib3_pool(POLICY, **options) if guarded else urllib3.PoolManager(**options)
    return lambda urls: [pool.request("GET", url) for url in urls]


def with_aiohttp(guarded: bool) -> Sending:
    """Return a function that sends requests with aiohttp."""
    import aiohttp

    loop = asyncio.new_event_loop()

    async def send(urls: Sequence[str]) -> None:
        connector = dial.aiohttp_connector(POLICY) if guarded else aiohttp.TCPConnector()
        timeout = aiohttp.ClientTimeout(connect=TIMEOUT)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            for url in urls:
                async with session.get(url) as response:
                    await response.read()

    return lambda urls: loop.run_until_complete(send(urls))


CLIENTS: dict[str, Callable[[bool], Sending]] = {
    "httpx": partial(with_httpx, "httpx"),
    "httpx, asynchronous": partial(with_httpx_async, "httpx"),
    "httpx2": partial(with_httpx, "httpx2"),
    "httpx2, asynchronous": partial(with_httpx_async, "httpx2"),
    "requests": with_requests,
    "urllib3": with_urllib3,
    "aiohttp": with_aiohttp,
}


def compared(
    name: str, client: Callable[[bool], Sending], port: int, count: int, rounds: int
) -> Iterator[Table]:
    """Compare requests with and without a connector, in alternating rounds."""
    sendings = [client(True), client(False)]
    times: list[list[float]] = [[], []]
    for number in range(rounds + 1):
        origin = "http://localhost" if port == 80 else f"http://localhost:{port}"
        urls = [f"{origin}/dir/{number}/page{n}.html?q={n}" for n in range(count)]
        for sending, found in zip(sendings, times, strict=True):
            started = CLOCK()
            sending(urls)
            if number:  # The first round is a warm-up.
                found.append((CLOCK() - started) / count)
    added = (Spread.of(times[0]).median - Spread.of(times[1]).median) / 1000
    verdict = "met" if added <= LIMIT else "missed"
    note = f"added to a request: {added:.0f} µs, target {LIMIT:.0f} µs: {verdict}"
    names: list[tuple[str, float | None]] = [(f"{name} with uriverse.dial", None), (name, None)]
    notes = (note, f"{count} requests in a round, {rounds} rounds")
    yield Table(f"requests with {name}", "ns", notes, rows_of(names, times))


@contextmanager
def dead_address(port: int) -> Iterator[None]:
    """Let the host `dead.example` have an address that never answers, before that of the server."""

    def found(*_arguments: object, **_options: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port)) for host in DEAD_FIRST]

    with ExitStack() as opened:
        # The queue of this socket is full, so the system ignores attempts to connect to it.
        opened.enter_context(socket.create_server((DEAD_FIRST[0], port), backlog=0))
        for _ in range(3):
            client = opened.enter_context(socket.socket())
            client.setblocking(False)
            with suppress(BlockingIOError):
                client.connect((DEAD_FIRST[0], port))
        opened.enter_context(patch.object(socket, "getaddrinfo", found))
        yield


def past_dead_address(
    name: str, client: Callable[[bool], Sending], port: int, rounds: int
) -> Iterator[Table]:
    """Compare the time of the first request to a host whose first address never answers."""
    names: list[tuple[str, float | None]] = [(f"{name} with uriverse.dial", None), (name, None)]
    times: list[list[float]] = [[], []]
    failures = {}
    with dead_address(port):
        for _ in range(rounds):
            for guarded, found in zip((True, False), times, strict=True):
                sending = client(guarded)
                started = perf_counter_ns()
                try:
                    sending([f"http://dead.example:{port}/"])
                except Exception as error:  # noqa: BLE001  # of different packages
                    failures[names[not guarded][0]] = type(error).__name__
                found.append(perf_counter_ns() - started)
    notes = tuple(f"{failed}: the request raises {error}" for failed, error in failures.items())
    yield Table(f"a dead first address with {name}", "ns", notes, rows_of(names, times))


def main(command_line: Sequence[str] | None = None) -> None:
    parser = options("Measure the CPU time that connectors add to a request.")
    parser.set_defaults(strings=200)
    parser.add_argument("--port", type=int, default=0, help="the port of the server")
    arguments = parser.parse_args(command_line)
    listener = socket.create_server(("127.0.0.1", arguments.port))
    server: Any = multiprocessing.get_context("fork").Process(
        target=serve, args=(listener,), daemon=True
    )
    server.start()
    port = listener.getsockname()[1]
    installed = {
        name: client
        for name, client in CLIENTS.items()
        if find_spec(name.partition(",")[0]) is not None
    }
    tables = [
        compared(name, client, port, arguments.strings, arguments.rounds)
        for name, client in installed.items()
    ]
    with suppress(OSError), socket.create_server((DEAD_FIRST[0], 0)):
        tables += [
            past_dead_address(name, client, port, min(arguments.rounds, 5))
            for name, client in installed.items()
        ]
    try:
        run(arguments, tables)
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
