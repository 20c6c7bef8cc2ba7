import asyncio
import inspect
import re
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from copy import copy, deepcopy
from dataclasses import replace
from ipaddress import ip_address
from itertools import cycle
from pickle import dumps, loads
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from web import (
    CLIENTS,
    LOCAL,
    NO_TRUST,
    Answer,
    answering,
    asynchronous,
    client,
    connector,
    refused,
    refusing,
    serving,
    silent,
)

from uriverse import Policy, PolicyError, dial
from uriverse.dial import _gate

Fetch = Callable[..., list[str]]


@pytest.fixture(params=CLIENTS)
def fetch(request: pytest.FixtureRequest) -> Fetch:
    return client(request.param)


def refusal(fetch: Fetch, policy: Policy, urls: list[str], *addresses: str) -> str:
    with pytest.raises(PolicyError) as caught:
        fetch(policy, urls, answering(*addresses), context=NO_TRUST)
    return caught.value.code


@pytest.mark.parametrize(
    "name",
    [name for name in dial.__all__ if name.startswith(("httpx", "requests", "urllib", "aio"))],
)
def test_the_docstring_of_a_connector_lists_all_arguments_and_errors(name: str) -> None:
    function = getattr(dial, name)
    described = re.findall(r"^    (\w+): ", inspect.getdoc(function) or "", re.MULTILINE)
    assert described[: len(inspect.signature(function).parameters)] == [
        *inspect.signature(function).parameters
    ]
    assert "PolicyError" in described


def test_the_host_field_contains_the_name_and_not_the_address(fetch: Fetch) -> None:
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        assert fetch(LOCAL, [url], answering("127.0.0.1"), context=NO_TRUST) == [url[7:-1]]
    # A host that is not ASCII is connected by its a labels.
    policy = replace(Policy.public_web(), ports=None, scopes={"loopback"})
    with serving() as server:
        url = f"http://bücher.example:{server.server_port}/é?ü#ä"
        host = f"xn--bcher-kva.example:{server.server_port}"
        assert fetch(policy, [url], answering("127.0.0.1"), context=NO_TRUST) == [host]
    # Redirects are followed if the policy allows them.
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        urls = [f"{url}to/{url}b", f"{url}to/%2Fc"]
        lax = replace(LOCAL, allowed={"encoded-slash"})
        assert fetch(lax, urls, answering("127.0.0.1"), context=NO_TRUST) == [url[7:-1]] * 2


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("http://169.254.169.254/latest/", "scope-not-allowed"),
        *(("http://b.example/", "host-not-allowed"), ("http://a.example:1/", "port-not-allowed")),
        ("https://a.example/", "scheme-not-allowed"),
    ],
)
def test_a_forbidden_redirect_raises_an_error(fetch: Fetch, target: str, why: str) -> None:
    with serving() as server:
        policy = Policy(
            schemes={"http"},
            allow={"a.example", "*.168.example", "127.0.0.1"},
            ports={server.server_port},
        )
        if why == "scope-not-allowed":
            policy = replace(policy, allow=None, ports=None, scopes={"loopback", "global"})
        url = f"http://a.example:{server.server_port}/to/{target}"
        assert (refusal(fetch, policy, [url], "127.0.0.1"), server.accepted) == (why, 1)


def test_a_name_with_a_forbidden_address_is_not_connected(fetch: Fetch) -> None:
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        assert refusal(fetch, Policy(), [url], "127.0.0.1", "::1") == "address-not-allowed"
        assert server.accepted == 0
    # Schemes that are not HTTP are refused.
    anything = Policy(schemes=None, scopes=None, unambiguous=False)
    for url in ("file:///etc/hostname", "ftp://a.example/", "data:,a"):
        with pytest.raises(Exception) as caught:  # noqa: PT011  # of different packages
            fetch(anything, [url], answering("127.0.0.1"), context=NO_TRUST)
        assert not isinstance(caught.value, AssertionError)


def test_an_error_hides_passwords(fetch: Fetch) -> None:
    if fetch is CLIENTS["aiohttp"]:
        pytest.skip("aiohttp removes userinfo before it calls a connector")
    with pytest.raises(PolicyError) as caught:
        fetch(LOCAL, ["http://me:hunter2@a.example/"], answering("::1"), context=NO_TRUST)
    assert caught.value.code == "userinfo-not-allowed"
    assert "hunter2" not in str(caught.value) + repr(caught.value)


def test_another_address_is_connected_although_others_refuse_or_never_answer(fetch: Fetch) -> None:
    with refusing() as port, serving("127.0.0.2", port):
        url = f"http://a.example:{port}/"
        resolver = answering("127.0.0.1", "127.0.0.2")
        assert fetch(LOCAL, [url], resolver, context=NO_TRUST) == [url[7:-1]]
    # Another address is connected although others never answer.
    dead = ["127.0.0.1", "127.0.0.3"]
    with silent() as port, ExitStack() as others, serving("127.0.0.2", port):
        for address in dead[1:]:
            others.enter_context(silent(address, port))
        url = f"http://a.example:{port}/"
        resolver = answering(*dead, "127.0.0.2")
        assert fetch(LOCAL, [url], resolver, context=NO_TRUST) == [url[7:-1]]


@pytest.mark.parametrize("name", ["httpx", "httpx2", "requests", "urllib3", "urllib"])
def test_a_slow_lookup_counts_for_the_timeout(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def slow(name: str) -> Answer:
        nonlocal now
        now += 60
        return [ip_address("127.0.0.1")]

    monkeypatch.setattr(_gate, "monotonic", lambda: now)
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        with pytest.raises(Exception, match="timed out"):
            client(name)(LOCAL, [url], slow, context=NO_TRUST)
        assert server.accepted == 0


def test_connection_and_lookup_errors_are_those_of_the_client(fetch: Fetch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    def failing(name: str) -> Answer:
        raise socket.gaierror(socket.EAI_NONAME, name)

    for resolver in (answering("127.0.0.1"), failing, answering()):
        with pytest.raises(Exception) as caught:  # noqa: PT011  # of different packages
            fetch(LOCAL, [f"http://a.example:{port}/"], resolver, context=NO_TRUST)
        root = type(caught.value).__module__.partition(".")[0]
        assert root in {"httpx", "httpx2", "requests", "urllib3", "aiohttp", "urllib"}


def test_urllib3_reports_a_timeout() -> None:
    urllib3 = pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")

    def slow(name: str) -> Answer:
        raise TimeoutError

    with (
        dial.urllib3_pool(LOCAL, resolver=slow, retries=False) as pool,
        pytest.raises(urllib3.exceptions.ConnectTimeoutError),
    ):
        pool.request("GET", "http://a.example/")


def test_a_pooled_connection_is_used_again_and_a_new_one_is_looked_up_again(fetch: Fetch) -> None:
    asked: list[str] = []

    def resolver(name: str) -> Answer:
        asked.append(name)
        return [ip_address("127.0.0.1")]

    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        fetch(LOCAL, [url, url, f"{url}close", url], resolver, context=NO_TRUST)
        pooled = 4 if fetch is CLIENTS["urllib"] else 2
        assert (server.accepted, len(asked)) == (pooled, pooled)


def test_a_name_that_becomes_forbidden_is_not_connected_again(fetch: Fetch) -> None:
    answers = cycle([[ip_address("127.0.0.2")], [ip_address("127.0.0.1")]])
    policy = Policy(allow={"a.example", "127.0.0.2"})
    with serving("127.0.0.2") as server, serving(port=server.server_port) as victim:
        url = f"http://a.example:{server.server_port}/close"
        with refused("address-not-allowed"):
            fetch(policy, [url, url], lambda _name: next(answers), context=NO_TRUST)
        assert (server.accepted, victim.accepted) == (1, 0)


def rebinding(seed: int) -> Iterator[Answer]:
    """Yield answers that change at random between a listed address and loopback addresses."""
    random = Random(seed)
    good, bad = ip_address("127.0.0.2"), [ip_address("127.0.0.1"), ip_address("::1")]
    while True:
        yield random.choice([[good], bad[:1], bad, [good, *bad], [*bad, good]])


def test_a_name_that_changes_its_addresses_never_reaches_loopback(fetch: Fetch) -> None:
    policy = Policy(allow={"a.example", "127.0.0.2"})
    fetched = denied = 0
    with serving("127.0.0.2") as server, serving(port=server.server_port) as victim:
        url = f"http://a.example:{server.server_port}/close"
        for run in range(40):
            answers = rebinding(run)
            try:
                fetch(policy, [url, url], lambda _name, a=answers: next(a), context=NO_TRUST)
                fetched += 1
            except PolicyError:
                denied += 1
        assert victim.accepted == 0
        assert fetched > 3
        assert denied > 3


def test_a_policy_is_required() -> None:
    with pytest.raises(TypeError, match=r"^policy must be a Policy, not str$"):
        dial.urllib_opener("public")  # type: ignore[arg-type]


def refusal_of_httpx(
    httpx: Any, url: str, method: str = "GET", extensions: Any = None, **options: Any
) -> str:
    transport = connector(httpx, "transport")(LOCAL, verify=NO_TRUST, **options)
    with httpx.Client(transport=transport) as browser, pytest.raises(PolicyError) as caught:
        browser.request(method, url, extensions=extensions)
    if "resolver" in options:
        options["resolver"] = asynchronous(options["resolver"])

    async def fetch_async() -> None:
        twin = connector(httpx, "async_transport")(LOCAL, verify=NO_TRUST, **options)
        async with httpx.AsyncClient(transport=twin) as browser:
            await browser.request(method, url, extensions=extensions)

    with refused(caught.value.code):
        asyncio.run(fetch_async())
    return caught.value.code


def test_unix_sockets_are_refused(httpx: Any) -> None:
    code = refusal_of_httpx(httpx, "http://127.0.0.1/info", uds="/run/docker.sock")
    assert code == "address-not-allowed"


def test_retries_of_httpx_look_up_the_name_again(httpx: Any) -> None:
    answers = cycle([[ip_address("127.0.0.1")], [ip_address("10.0.0.1")]])
    with refusing() as port:
        url = f"http://a.example:{port}/"
        code = refusal_of_httpx(httpx, url, resolver=lambda _name: next(answers), retries=1)
    assert code == "address-not-allowed"


def test_a_slow_lookup_counts_for_the_connect_timeout_of_async_httpx(httpx: Any) -> None:
    async def slow(name: str) -> Answer:
        await asyncio.sleep(30)
        raise AssertionError(name)

    async def fetch_async() -> None:
        transport = connector(httpx, "async_transport")(LOCAL, resolver=slow, verify=NO_TRUST)
        async with httpx.AsyncClient(transport=transport, timeout=0.05) as browser:
            await browser.get("http://a.example/")

    with pytest.raises(httpx.ConnectTimeout):
        asyncio.run(fetch_async())


def test_httpcore_pools_use_the_backends(httpcore: Any) -> None:
    resolver = answering("127.0.0.1")
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        backend = connector(httpcore, "backend")(LOCAL, resolver=resolver)
        with httpcore.ConnectionPool(network_backend=backend) as pool:
            assert pool.request("GET", url).status == 200

        async def fetch_async(policy: Policy) -> int:
            twin = connector(httpcore, "async_backend")(policy, resolver=asynchronous(resolver))
            async with httpcore.AsyncConnectionPool(network_backend=twin) as pool:
                status: int = (await pool.request("GET", url)).status
                return status

        assert asyncio.run(fetch_async(LOCAL)) == 200
        with pytest.raises(PolicyError):
            asyncio.run(fetch_async(Policy()))


@pytest.mark.parametrize("host", ["a b", "a@b", "a/b", "[::1", "fe80::1%eth0", "127.1", ""])
def test_a_host_that_a_uri_cannot_have_is_not_connected(host: str) -> None:
    pytest.importorskip("httpcore", reason="needs httpcore (pip install '.[test]')")
    backend = dial.httpcore_backend(Policy(), resolver=answering("9.9.9.9"))
    with pytest.raises(PolicyError):
        backend.connect_tcp(host, 80)


class Stream:
    def __init__(self, peer: object) -> None:
        self.peer = peer
        self.closed = False

    def get_extra_info(self, _info: str) -> object:
        if isinstance(self.peer, Exception):
            raise self.peer
        return self.peer

    async def aclose(self) -> None:
        self.closed = True


def connected_through(
    httpcore: Any, connect: Callable[[str], Coroutine[Any, Any, Stream]], *addresses: str
) -> Any:
    async def connect_tcp(address: str, *arguments: object) -> Stream:
        return await connect(address)

    from uriverse.dial._httpcore_backends import create_async_backend

    checks = _gate.create_gate(
        LOCAL, resolver=asynchronous(answering(*addresses)), asynchronous=True
    )
    backend = create_async_backend(httpcore, checks, SimpleNamespace(connect_tcp=connect_tcp))
    return backend.connect_tcp("a.example", 80)


@pytest.mark.parametrize(
    ("peer", "error"),
    [
        *((("127.0.0.9", 80), "PolicyError"), (None, "ConnectError")),
        (OSError(107, "not connected"), "ConnectError"),
    ],
)
def test_a_stream_to_another_address_is_closed(httpcore: Any, peer: object, error: str) -> None:
    stream = Stream(peer)

    async def connect(address: str) -> Stream:
        return stream

    with pytest.raises(Exception, match=r"another address|closed|not connected") as caught:
        asyncio.run(connected_through(httpcore, connect, "127.0.0.1"))
    assert type(caught.value).__name__ == error
    assert stream.closed


def test_only_one_of_two_streams_that_connect_at_once_stays_open(httpcore: Any) -> None:
    streams: list[Stream] = []

    async def connected() -> Stream:
        both = asyncio.Event()

        async def connect(address: str) -> Stream:
            streams.append(Stream((address, 80)))
            if len(streams) == 2:
                both.set()
            await both.wait()
            return next(stream for stream in streams if stream.peer == (address, 80))

        winner: Stream = await connected_through(httpcore, connect, "127.0.0.1", "127.0.0.2")
        return winner

    winner = asyncio.run(connected())
    assert [stream for stream in streams if not stream.closed] == [winner]


def test_all_attempts_end_if_the_request_is_cancelled(httpcore: Any) -> None:
    ended: list[str] = []

    async def connected() -> None:
        async def connect(address: str) -> Stream:
            if address == "127.0.0.2":
                task.cancel()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(address)
            raise AssertionError(address)

        addresses = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
        task = asyncio.ensure_future(connected_through(httpcore, connect, *addresses))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(connected())
    assert sorted(ended) == ["127.0.0.1", "127.0.0.2"]


def test_a_stream_is_closed_if_the_request_is_cancelled_when_it_connects(httpcore: Any) -> None:
    stream = Stream(("127.0.0.1", 80))

    async def connected() -> None:
        async def connect(address: str) -> Stream:
            task.cancel()
            return stream

        task = asyncio.ensure_future(connected_through(httpcore, connect, "127.0.0.1"))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(connected())
    assert stream.closed


@pytest.mark.parametrize(
    ("method", "extensions"), [("GET", {"target": b"http://10.0.0.1/"}), ("CONNECT", {})]
)
def test_httpx_sends_exact_targets(httpx: Any, method: str, extensions: dict[str, object]) -> None:
    with serving() as server:
        url = f"http://127.0.0.1:{server.server_port}/"
        assert refusal_of_httpx(httpx, url, method, extensions) == "target-not-allowed"
        assert server.accepted == 0


def test_copies_of_a_requests_session_keep_the_policy() -> None:
    copied: Any
    for copied in [copy, deepcopy, lambda it: loads(dumps(it))]:
        pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
        with serving() as server, dial.requests_session(LOCAL) as session:
            url = f"http://127.0.0.1:{server.server_port}/"
            again: Any = copied(session)
            assert again.get(url).status_code == 200
            with pytest.raises(PolicyError):
                again.get("http://10.0.0.1/")
            again.close()
    # Mounting an adapter on a session has no effect.
    requests = pytest.importorskip(
        "requests", reason="needs requests (pip install --group test-all)"
    )
    with dial.requests_session(Policy.public_web()) as session, serving() as server:
        session.mount("http://127.0.0.1", requests.adapters.HTTPAdapter())
        with pytest.raises(PolicyError):
            session.get(f"http://127.0.0.1:{server.server_port}/")
        assert server.accepted == 0


def test_aiohttp_connects_only_to_the_requested_address_family() -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")

    async def fetch_async(*addresses: str) -> None:
        resolver = asynchronous(answering(*addresses))
        connector = dial.aiohttp_connector(LOCAL, resolver=resolver, family=socket.AF_INET)
        async with (
            aiohttp.ClientSession(connector=connector) as session,
            session.get(f"http://a.example:{server.server_port}/") as response,
        ):
            assert response.status == 200

    with serving() as server:
        asyncio.run(fetch_async("::1", "127.0.0.1"))
        with pytest.raises(aiohttp.ClientConnectorError):
            asyncio.run(fetch_async("::1"))


def test_websockets_of_aiohttp_need_a_policy_that_allows_their_scheme() -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")
    from aiohttp import web as application

    async def echo(request: Any) -> Any:
        socket = application.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(await socket.receive_str())
        return socket

    async def echoed(policy: Policy) -> str:
        app = application.Application()
        app.router.add_get("/", echo)
        runner = application.AppRunner(app)
        await runner.setup()
        site = application.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        url = f"ws://a.example:{runner.addresses[0][1]}/"
        resolver = asynchronous(answering("127.0.0.1"))
        try:
            connector = dial.aiohttp_connector(policy, resolver=resolver)
            async with (
                aiohttp.ClientSession(connector=connector) as session,
                session.ws_connect(url) as socket,
            ):
                await socket.send_str("hello")
                answer: str = await socket.receive_str()
                return answer
        finally:
            await runner.cleanup()

    assert asyncio.run(echoed(replace(LOCAL, schemes={"ws"}))) == "hello"
    with refused("scheme-not-allowed"):
        asyncio.run(echoed(LOCAL))


def test_aiohttp_closes_a_connection_to_a_forbidden_address() -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")

    async def fetch_async() -> None:
        connector = dial.aiohttp_connector(LOCAL, resolver=asynchronous(answering("127.0.0.1")))
        # A client that connects to an address that the resolver did not return.
        connector._gate = dial.aiohttp_connector(Policy())._gate  # type: ignore[attr-defined]
        async with aiohttp.ClientSession(connector=connector) as session:
            await session.get(f"http://a.example:{server.server_port}/")

    with serving() as server:
        with refused("address-not-allowed"):
            asyncio.run(fetch_async())
        assert server.requests == []


def test_aiohttp_reports_a_connection_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")
    closed: list[str] = []
    connection = SimpleNamespace(
        protocol=None, transport=None, close=lambda: closed.append("closed")
    )

    async def connect(*arguments: object) -> SimpleNamespace:
        return connection

    async def connected() -> object:
        connector = dial.aiohttp_connector(LOCAL)
        request = SimpleNamespace(proxy=None, method="GET", url="http://127.0.0.1/")
        try:
            return await connector.connect(request, [], aiohttp.ClientTimeout())  # type: ignore[arg-type]
        finally:
            await connector.close()

    monkeypatch.setattr(aiohttp.TCPConnector, "connect", connect)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        asyncio.run(connected())
    assert closed == ["closed"]
