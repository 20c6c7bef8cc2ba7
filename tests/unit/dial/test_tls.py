import asyncio
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from web import CLIENTS, LOCAL, Server, answering, asynchronous, client, connector, serving

from uriverse import Policy, PolicyError

trustme = pytest.importorskip("trustme", reason="needs trustme (pip install --group test-all)")

Fetch = Callable[..., list[str]]


@pytest.fixture(scope="module")
def authority() -> Any:
    return trustme.CA()


@pytest.fixture
def names() -> list[str]:
    return []


@pytest.fixture
def server(authority: Any, names: list[str]) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("a.example").configure_cert(context)

    def note(connection: object, name: str | None, context: ssl.SSLContext) -> None:
        names.append(str(name))

    context.sni_callback = note
    with serving() as found:
        found.context = context
        yield found


@pytest.fixture
def trusting(authority: Any, tmp_path: Path) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    path = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(path)
    context.file = str(path)  # type: ignore[attr-defined]  # for requests
    return context


@pytest.fixture(params=CLIENTS)
def fetch(request: pytest.FixtureRequest) -> Fetch:
    return client(request.param)


def test_the_certificate_is_verified_for_the_name(
    fetch: Fetch, server: Server, trusting: ssl.SSLContext, names: list[str]
) -> None:
    host = f"a.example:{server.server_port}"
    assert fetch(LOCAL, [f"https://{host}/"], answering("127.0.0.1"), context=trusting) == [host]
    assert set(names) == {"a.example"}


def test_a_certificate_for_another_name_is_rejected(
    fetch: Fetch, server: Server, trusting: ssl.SSLContext
) -> None:
    url = f"https://b.example:{server.server_port}/"
    with pytest.raises(Exception) as caught:  # noqa: PT011  # of different packages
        fetch(LOCAL, [url], answering("127.0.0.1"), context=trusting)
    assert not isinstance(caught.value, PolicyError)
    assert (server.accepted > 0, server.requests) == (True, [])


def test_a_tunnel_through_a_configured_proxy_verifies_the_server(
    fetch: Fetch, server: Server, trusting: ssl.SSLContext
) -> None:
    policy = Policy(allow={"a.example"})
    with serving() as proxy:
        proxy.upstream = ("127.0.0.1", server.server_port)
        host = f"a.example:{server.server_port}"
        options = {
            "proxy": f"http://proxy.example:{proxy.server_port}",
            "proxy_policy": LOCAL,
            "context": trusting,
        }
        found = fetch(policy, [f"https://{host}/"], answering("127.0.0.1"), **options)
        assert (found, proxy.requests) == ([host], [host])
        with pytest.raises(PolicyError):
            fetch(policy, ["https://b.example/"], answering("127.0.0.1"), **options)


def test_an_sni_extension_changes_the_verified_name_but_not_the_address(
    httpx: Any, server: Server, trusting: ssl.SSLContext, names: list[str]
) -> None:
    transport = connector(httpx, "transport")(
        LOCAL, resolver=answering("127.0.0.1"), verify=trusting
    )
    with httpx.Client(transport=transport) as browser:
        extensions = {"sni_hostname": "a.example"}
        url = f"https://b.example:{server.server_port}/"
        assert browser.get(url, extensions=extensions).status_code == 200
        with pytest.raises(PolicyError):
            browser.get("https://10.0.0.1/", extensions=extensions)
        with pytest.raises(PolicyError):
            browser.get("https://10.0.0.1/", headers={"Host": "a.example"})
    assert names == ["a.example"]


def test_http_2_works_over_a_checked_connection(
    httpx: Any, authority: Any, trusting: ssl.SSLContext
) -> None:
    pytest.importorskip("h2", reason="needs h2 (pip install --group test-all)")
    from h2.config import H2Configuration
    from h2.connection import H2Connection
    from h2.events import RequestReceived

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["h2"])
    authority.issue_cert("a.example").configure_cert(context)
    seen = SimpleNamespace(authorities=[])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    assert event.headers is not None
                    seen.authorities.append(dict[Any, Any](event.headers)[":authority"])
                    connection.send_headers(event.stream_id, [(":status", "200")], end_stream=True)
            writer.write(connection.data_to_send())
        writer.close()

    async def fetch_twice() -> list[str]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        url = f"https://a.example:{server.sockets[0].getsockname()[1]}/"

        async def resolver(name: str) -> Any:
            return answering("127.0.0.1")(name)

        transport = connector(httpx, "async_transport")(
            LOCAL, resolver=resolver, http2=True, verify=trusting
        )
        async with server, httpx.AsyncClient(transport=transport) as browser:
            versions = [(await browser.get(url)).http_version for _ in range(2)]
            server.close()
        assert seen.authorities == [url[8:-1]] * 2
        return versions

    assert asyncio.run(fetch_twice()) == ["HTTP/2", "HTTP/2"]


def test_a_backend_sends_requests_over_tls_if_the_policy_requires_https(
    httpcore: Any, server: Server, trusting: ssl.SSLContext
) -> None:
    policy = Policy(schemes={"https"}, scopes={"loopback"})
    url = f"https://a.example:{server.server_port}/"
    backend = connector(httpcore, "backend")(policy, resolver=answering("127.0.0.1"))
    with httpcore.ConnectionPool(ssl_context=trusting, network_backend=backend) as pool:
        assert pool.request("GET", url).status == 200

    async def fetch_async() -> int:
        resolver = asynchronous(answering("127.0.0.1"))
        twin = connector(httpcore, "async_backend")(policy, resolver=resolver)
        async with httpcore.AsyncConnectionPool(ssl_context=trusting, network_backend=twin) as pool:
            status: int = (await pool.request("GET", url)).status
            return status

    assert asyncio.run(fetch_async()) == 200
