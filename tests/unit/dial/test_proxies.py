import asyncio
from collections.abc import Callable
from inspect import getclosurevars
from typing import Any
from unittest import mock
from urllib import request

import pytest
from web import (
    CLIENTS,
    LOCAL,
    NO_TRUST,
    Server,
    answering,
    client,
    connector,
    package_of,
    refused,
    serving,
)

from uriverse import URI, Policy, PolicyError, dial
from uriverse.dial._gate import Gate

Fetch = Callable[..., list[str]]

#: A policy for a proxy on this machine.
PROXY_POLICY = Policy(allow={"proxy.example"}, scopes={"loopback"}, userinfo=True)

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")

#: A resolver that finds the proxy and a public host.
ANSWERS = answering("127.0.0.1")


def through(proxy: Server, userinfo: str = "") -> dict[str, Any]:
    url = f"http://{userinfo}proxy.example:{proxy.server_port}"
    return {"resolver": ANSWERS, "proxy": url, "proxy_policy": PROXY_POLICY}


@pytest.fixture(params=CLIENTS)
def fetch(request: pytest.FixtureRequest) -> Fetch:
    return client(request.param)


@pytest.fixture(autouse=True)
def _without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def set_proxies(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name in VARIABLES[:3]:
        monkeypatch.setenv(name, url)
        monkeypatch.setenv(name.lower(), url)


def test_the_environment_sets_no_proxy(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy, serving() as server:
        set_proxies(monkeypatch, f"http://127.0.0.1:{proxy.server_port}")
        url = f"http://a.example:{server.server_port}/"
        if fetch is CLIENTS["requests"]:
            with pytest.raises(PolicyError) as caught:
                fetch(LOCAL, [url], ANSWERS, context=NO_TRUST)
            assert caught.value.code == "proxy-not-allowed"
            assert caught.value.hint.startswith("remove the proxy from the environment")
        else:
            assert fetch(LOCAL, [url], ANSWERS, context=NO_TRUST) == [url[7:-1]]
        assert proxy.accepted == 0


def test_requests_ignores_the_environment_if_the_session_does_not_trust_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
    with serving() as proxy, serving() as server:
        set_proxies(monkeypatch, f"http://127.0.0.1:{proxy.server_port}")
        with dial.requests_session(LOCAL, resolver=ANSWERS) as session:
            session.trust_env = False
            assert session.get(f"http://a.example:{server.server_port}/").status_code == 200
        assert proxy.accepted == 0


def test_aiohttp_refuses_proxies_of_environment_or_call(monkeypatch: pytest.MonkeyPatch) -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")

    async def get(*, trust_env: bool, proxy: str | None) -> None:
        connector = dial.aiohttp_connector(LOCAL)
        async with aiohttp.ClientSession(connector=connector, trust_env=trust_env) as session:
            await session.get("http://127.0.0.1:1/", proxy=proxy)

    with serving() as proxy:
        url = f"http://127.0.0.1:{proxy.server_port}"
        set_proxies(monkeypatch, url)
        for options in ({"trust_env": True, "proxy": None}, {"trust_env": False, "proxy": url}):
            with refused("proxy-not-allowed"):
                asyncio.run(get(**options))
        assert proxy.accepted == 0


def test_requests_refuses_another_proxy_than_the_configured_one() -> None:
    pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
    with (
        serving() as other,
        dial.requests_session(
            LOCAL, resolver=ANSWERS, proxy="http://proxy.example:3128", proxy_policy=PROXY_POLICY
        ) as session,
    ):
        proxies = {"http": f"127.0.0.1:{other.server_port}"}
        with refused("proxy-not-allowed"):
            session.get("http://a.example/", proxies=proxies)
        assert other.accepted == 0


def test_a_configured_proxy_is_used_and_the_uris_are_checked(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with serving() as proxy:
        urls = ["http://a.example/b", "http://a.example/to/http://10.0.0.1/"]
        with refused("scope-not-allowed"):
            fetch(Policy.public_web(), urls, context=NO_TRUST, **through(proxy))
        assert proxy.requests == urls


def test_the_address_of_a_proxy_is_checked(fetch: Fetch) -> None:
    with serving() as proxy:
        options = {"proxy": f"http://proxy.example:{proxy.server_port}", "context": NO_TRUST}
        with refused("address-not-allowed"):
            fetch(Policy(), ["http://a.example/"], ANSWERS, **options)
        assert proxy.accepted == 0


def test_the_uri_of_a_proxy_is_checked_before_the_first_request() -> None:
    pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
    for function in (dial.urllib_opener, dial.requests_session, dial.httpx_transport):
        with refused("scope-not-allowed"):
            function(Policy(), proxy="http://10.0.0.1:3128")
        with pytest.raises(PolicyError):
            function(Policy(), proxy="socks5://proxy.example:1080")


def test_a_connection_that_bypasses_the_configured_proxy_is_refused() -> None:
    gate = Gate(LOCAL, URI("http://proxy.example:3128/"), PROXY_POLICY, ANSWERS)
    assert gate.plan("proxy.example", 3128).port == 3128
    for host, port in (("a.example", 3128), ("proxy.example", 80), ("127.0.0.1", 3128)):
        with refused("proxy-not-allowed"):
            gate.plan(host, port)
    with pytest.raises(PolicyError):
        gate.enforce_proxy(None)
    gate.enforce_proxy("proxy.example:3128")
    gate.enforce_peer(URI("http://a.example/"), gate.plan("proxy.example", 3128).addresses[0])


def test_urllib_opens_urls_with_the_handler_of_the_policy_only() -> None:
    with serving() as proxy:
        opener = dial.urllib_opener(LOCAL, resolver=ANSWERS, context=NO_TRUST)
        opener.add_handler(
            request.ProxyHandler(dict.fromkeys(("http", "https"), f"127.0.0.1:{proxy.server_port}"))
        )
        for url in ("http://a.example/", "https://a.example/"):
            with refused("proxy-not-allowed"):
                opener.open(url)
        assert proxy.accepted == 0
    # Urllib opens URLs with the handler of the policy only.
    opener = dial.urllib_opener(LOCAL, resolver=ANSWERS, context=NO_TRUST)
    combined = request.build_opener(request.HTTPHandler(), *opener.handlers)  # type: ignore[attr-defined]
    with serving() as server:
        combined.open(f"http://a.example:{server.server_port}/").close()
        for url in ("http://10.0.0.1/", "https://10.0.0.1/"):
            with pytest.raises(PolicyError):
                combined.open(url)
    # Urllib does not support proxies with TLS.
    with pytest.raises(ValueError, match=r"^proxy must have the scheme http, not https$"):
        dial.urllib_opener(Policy(), proxy="https://proxy.example/")


def test_urllib_sends_the_credentials_of_a_proxy_but_no_fragment() -> None:
    with serving() as proxy:
        opener = dial.urllib_opener(LOCAL, **through(proxy, "me:p%40ss@"), context=NO_TRUST)
        asked = request.Request("http://a.example/b#secret")
        opener.open(asked, timeout=5).close()
        assert asked.get_header("Proxy-authorization") == "Basic bWU6cEBzcw=="
        assert proxy.requests == ["http://a.example/b"]


def get(httpx: Any, url: str, *, asynchronous: bool, **options: Any) -> None:
    if asynchronous:
        asyncio.run(httpx.AsyncClient(verify=NO_TRUST, **options).get(url))
    else:
        httpx.Client(verify=NO_TRUST, **options).get(url)


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    ("transport", "mounts", "others"),
    [
        (None, {"all://": "checked"}, {}),
        (None, {"http://127.0.0.1": "checked"}, {"trust_env": False}),
        *(("checked", {"all://": "plain"}, {}), ("plain", {"all://a.example": "checked"}, {})),
        ("checked", {}, {"proxy": "http://127.0.0.1:9"}),
    ],
)
def test_a_client_of_httpx_never_bypasses_the_transport_of_a_policy(
    httpx: Any,
    monkeypatch: pytest.MonkeyPatch,
    transport: str | None,
    mounts: dict[str, str],
    others: dict[str, Any],
    asynchronous: bool,
) -> None:
    kind = "async_transport" if asynchronous else "transport"
    plain = httpx.AsyncHTTPTransport if asynchronous else httpx.HTTPTransport
    transports = {
        "checked": connector(httpx, kind)(LOCAL, verify=NO_TRUST),
        "plain": plain(verify=NO_TRUST),
        None: None,
    }
    options = {
        "transport": transports[transport],
        "mounts": {pattern: transports[name] for pattern, name in mounts.items()},
        **others,
    }
    with serving() as proxy:
        set_proxies(monkeypatch, f"http://127.0.0.1:{proxy.server_port}")
        url = f"http://localhost:{proxy.server_port}/"
        with refused("transport-not-allowed"):
            get(httpx, url, asynchronous=asynchronous, **options)
        assert proxy.accepted == 0


@pytest.mark.parametrize("kind", ["transport", "async_transport"])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_client_class_that_another_program_restores_is_guarded_again(
    httpx: Any, monkeypatch: pytest.MonkeyPatch, asynchronous: bool, kind: str
) -> None:
    client = httpx.AsyncClient if asynchronous else httpx.Client
    create = connector(httpx, "async_transport" if asynchronous else "transport")
    options: dict[str, Any] = {"transport": create(LOCAL, verify=NO_TRUST)}
    # As at the end of a mock that was active when the program created its first transport.
    original = getclosurevars(client._transport_for_url).nonlocals["select_transport"]
    monkeypatch.setattr(client, "_transport_for_url", original)
    # A transport of either kind guards the clients of both kinds.
    connector(httpx, kind)(LOCAL, verify=NO_TRUST)
    with serving() as proxy:
        options["proxy"] = f"http://127.0.0.1:{proxy.server_port}"
        with refused("transport-not-allowed"):
            get(httpx, "http://localhost/", asynchronous=asynchronous, **options)
        assert proxy.accepted == 0


def test_a_client_class_that_is_new_is_guarded(httpx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    create = connector(httpx, "transport")
    create(LOCAL, verify=NO_TRUST)
    original = getclosurevars(httpx.Client._transport_for_url).nonlocals["select_transport"]
    # As after `importlib.reload`.
    body = {"_transport_for_url": original, "__module__": httpx.Client.__module__}
    monkeypatch.setattr(httpx, "Client", type("Client", (httpx.Client,), body))
    with serving() as proxy:
        transport, url = create(LOCAL, verify=NO_TRUST), f"http://127.0.0.1:{proxy.server_port}"
        with refused("transport-not-allowed"):
            get(httpx, "http://localhost/", asynchronous=False, transport=transport, proxy=url)
        assert proxy.accepted == 0


def test_mocks_of_httpx_replace_the_transport_of_a_policy(httpx: Any) -> None:
    create = connector(httpx, "transport")
    create(LOCAL, verify=NO_TRUST)
    guarded = httpx.Client._transport_for_url

    def choose(self: Any, url: Any) -> Any:
        return httpx.MockTransport(lambda _: httpx.Response(418))

    with mock.patch.object(httpx.Client, "_transport_for_url", choose):
        transport = create(LOCAL, verify=NO_TRUST)
        assert httpx.Client(transport=transport).get("http://localhost/").status_code == 418
    assert httpx.Client._transport_for_url is guarded
    with mock.patch.object(httpx, "Client", autospec=True):
        create(LOCAL, verify=NO_TRUST)
    create(LOCAL, verify=NO_TRUST)
    assert httpx.Client._transport_for_url is guarded


def test_clients_of_httpx_without_a_policy_may_use_any_transport(httpx: Any) -> None:
    connector(httpx, "transport")(LOCAL, verify=NO_TRUST)
    with (
        serving() as server,
        httpx.HTTPTransport(verify=NO_TRUST) as other,
        httpx.Client(mounts={"http://": other}, verify=NO_TRUST, trust_env=False) as browser,
    ):
        assert browser.get(f"http://127.0.0.1:{server.server_port}/").status_code == 200


def test_several_transports_of_policies_can_be_mounted(httpx: Any) -> None:
    here = connector(httpx, "transport")(LOCAL, resolver=ANSWERS, verify=NO_TRUST)
    nowhere = connector(httpx, "transport")(Policy(allow={"b.example"}), verify=NO_TRUST)
    with (
        serving() as server,
        httpx.Client(transport=nowhere, mounts={"all://a.example": here}) as browser,
    ):
        assert browser.get(f"http://a.example:{server.server_port}/").status_code == 200
        with refused("host-not-allowed"):
            browser.get("http://c.example/")


def test_a_transport_for_another_package_raises_an_error_that_says_so() -> None:
    httpx, httpx2 = package_of("httpx"), package_of("httpx2")
    with (
        httpx2.Client(transport=dial.httpx_transport(LOCAL, verify=NO_TRUST)) as browser,
        pytest.raises(
            TypeError, match=r"^request must be httpx.Request: use the function of dial for httpx2$"
        ),
    ):
        browser.get("http://a.example/")
    with (
        httpx.Client(transport=dial.httpx2_transport(LOCAL, verify=NO_TRUST)) as browser,
        pytest.raises(TypeError, match=r"^request must be httpx2.Request"),
    ):
        browser.get("http://a.example/")


def test_urllib3_opens_a_tunnel_without_an_explicit_timeout() -> None:
    urllib3 = pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    with serving() as proxy, serving() as server:
        pool = dial.urllib3_pool(LOCAL, **through(proxy))
        # The server does not speak TLS.
        with pytest.raises(urllib3.exceptions.MaxRetryError):
            pool.request("GET", f"https://a.example:{server.server_port}/", retries=0)
        assert proxy.accepted == 1
        pool.clear()
