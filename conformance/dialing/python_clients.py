"""Requests of the HTTP clients that are Python packages, each with the client's defaults.

No client uses a proxy, because a proxy hides the host.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module

#: A function that makes a request; it raises an error, because every connection is refused.
Request = Callable[[str], object]

TIMEOUT = 20


@contextmanager
def urllib_request() -> Generator[Request]:
    from urllib.request import ProxyHandler, build_opener

    opener = build_opener(ProxyHandler({}))
    yield lambda url: opener.open(url, timeout=TIMEOUT)


@contextmanager
def urllib3() -> Generator[Request]:
    module = import_module("urllib3")
    pools = module.PoolManager()
    yield lambda url: pools.request("GET", url, retries=False, timeout=TIMEOUT)


@contextmanager
def requests() -> Generator[Request]:
    module = import_module("requests")
    with module.Session() as session:
        session.trust_env = False
        yield lambda url: session.get(url, timeout=TIMEOUT)


@contextmanager
def httpx() -> Generator[Request]:
    module = import_module("httpx")
    with module.Client(trust_env=False, timeout=TIMEOUT) as client:
        yield client.get


@contextmanager
def aiohttp() -> Generator[Request]:
    module = import_module("aiohttp")

    async def get(session: object, url: str) -> None:
        async with session.get(url):  # type: ignore[attr-defined]
            pass

    with asyncio.Runner() as runner:

        async def opened() -> object:
            # An answer of the resolver in the cache would not be recorded.
            connector = module.TCPConnector(use_dns_cache=False)
            return module.ClientSession(connector=connector, timeout=module.ClientTimeout(TIMEOUT))

        session = runner.run(opened())
        yield lambda url: runner.run(get(session, url))
        runner.run(session.close())  # type: ignore[attr-defined]


@contextmanager
def tornado() -> Generator[Request]:
    module = import_module("tornado.simple_httpclient")
    with asyncio.Runner() as runner:

        async def get(url: str) -> None:
            client = module.SimpleAsyncHTTPClient(force_instance=True)
            try:
                await client.fetch(url, connect_timeout=TIMEOUT)
            finally:
                client.close()

        yield lambda url: runner.run(get(url))


#: The clients, by the names of their parsers.
CLIENTS: dict[str, Callable[[], AbstractContextManager[Request]]] = {
    "urllib.request": urllib_request,
    "urllib3": urllib3,
    "requests": requests,
    "httpx": httpx,
    "aiohttp": aiohttp,
    "tornado": tornado,
}
