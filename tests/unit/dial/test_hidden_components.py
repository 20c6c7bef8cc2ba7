import asyncio
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from web import LOCAL, answering, asynchronous, connector, refused, serving

from uriverse import Policy, PolicyError, dial

#: Policies that limit more than the scheme, the host, the port and the addresses.
LIMITED = [
    {"allow": ["http://site.example/docs/"]},
    {"allow": ["site.example", "http://site.example/docs"]},
    *({"allow": ["http://site.example/*"]}, {"allow": ["http://site.example/?"]}),
    {"deny": ["https://site.example/admin"]},
    {"restrictions": [Policy(restrictions=[Policy(deny=["https://site.example/a/"])])]},
]

#: Policies whose rules match every path.
UNLIMITED = [
    *({}, {"allow": None, "deny": ["b.example", "10.0.0.0/8"]}),
    {"allow": ["https://a.example/", "https://*.b.example", "http://c.example/**"]},
    *({"deny": ["http://a.example/"]}, {"restrictions": [Policy(schemes={"https"}, ports={443})]}),
]


def test_a_backend_is_made_only_for_a_policy_whose_rules_match_every_path(httpcore: Any) -> None:
    kind: Any
    conditions: Any
    for conditions in UNLIMITED:
        assert connector(httpcore, "backend")(Policy(**conditions))
        assert connector(httpcore, "async_backend")(Policy(**conditions))
    # A backend is not made for a policy with paths or queries.
    for conditions in LIMITED:
        for kind in ["", "async_"]:
            name = f"dial.{httpcore.__name__.replace('core', 'x')}_{kind}transport"
            with pytest.raises(
                ValueError, match=f"must not limit paths or queries, as '.*' does: use {name}$"
            ):
                connector(httpcore, f"{kind}backend")(Policy(**conditions))


def requested(httpcore: Any, policy: Policy, url: str) -> None:
    resolver = answering("127.0.0.1")

    async def request() -> None:
        twin = connector(httpcore, "async_backend")(policy, resolver=asynchronous(resolver))
        async with httpcore.AsyncConnectionPool(network_backend=twin) as pool:
            await pool.request("GET", url)

    codes = []
    backend = connector(httpcore, "backend")(policy, resolver=resolver)
    with (
        pytest.raises(PolicyError) as caught,
        httpcore.ConnectionPool(network_backend=backend) as pool,
    ):
        pool.request("GET", url)
    codes.append(caught.value.code)
    with pytest.raises(PolicyError) as caught:
        asyncio.run(request())
    assert codes == [caught.value.code] == ["scheme-not-allowed"]


def test_a_backend_uses_only_the_schemes_that_the_policy_allows(httpcore: Any) -> None:
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        for policy in (
            Policy(schemes={"https"}, scopes={"loopback"}),
            Policy(allow=["https://a.example:*/"], scopes={"loopback"}),
            LOCAL.restrict(Policy(schemes={"https", "ftp"}, scopes=None)),
        ):
            requested(httpcore, policy, url)
        assert server.requests == []
    # A backend does not start TLS if the policy forbids HTTPS.
    with serving() as server:
        url = f"https://a.example:{server.server_port}/"
        requested(httpcore, Policy(schemes={"http"}, scopes={"loopback"}), url)
        assert server.requests == []
    # A backend does not connect if the policy forbids both schemes.
    with serving() as server:
        url = f"http://a.example:{server.server_port}/"
        requested(httpcore, Policy(schemes={"ftp"}, scopes={"loopback"}), url)
        assert server.accepted == 0


def test_a_deny_rule_for_http_does_not_forbid_another_host(httpcore: Any) -> None:
    policy = Policy(deny=["http://b.example/"], scopes={"loopback"})
    backend = connector(httpcore, "backend")(policy, resolver=answering("127.0.0.1"))
    with serving() as server, httpcore.ConnectionPool(network_backend=backend) as pool:
        assert pool.request("GET", f"http://a.example:{server.server_port}/").status == 200
        with refused("denied"):
            pool.request("GET", f"http://b.example:{server.server_port}/")
        assert server.requests == ["/"]


def docs_policy(port: int) -> Policy:
    rules = [f"http://{host}:{port}/docs/" for host in ("a.example", "b.example")]
    return Policy(allow=rules, scopes={"loopback"})


def test_pools_of_urllib3_check_every_request() -> None:
    pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    with serving() as server:
        origin = f"http://a.example:{server.server_port}"
        manager = dial.urllib3_pool(
            docs_policy(server.server_port), resolver=answering("127.0.0.1"), retries=False
        )
        makers: list[Callable[[], Any]] = [
            lambda: manager.connection_from_url(f"{origin}/docs/"),
            lambda: manager.connection_from_host("a.example", server.server_port),
            lambda: manager.connection_from_context(
                {"scheme": "http", "host": "a.example", "port": server.server_port}
            ),
        ]
        for make in makers:
            pool = make()
            assert pool.request("GET", "/docs/").status == 200
            assert pool.request("GET", f"{origin}/docs/?q").status == 200
            for target in ("/admin", "/docs/../admin", f"{origin}/admin", "docs/", "*", ""):
                with pytest.raises(PolicyError):
                    pool.request("GET", target)
                with pytest.raises(PolicyError):
                    pool.urlopen("GET", target, assert_same_host=False)
        assert {path.partition("?")[0] for path in server.requests} <= {"/docs/", f"{origin}/docs/"}
        manager.clear()


def test_a_pool_of_urllib3_sends_the_uri_of_another_host_only_to_a_proxy() -> None:
    pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    with serving() as server:
        policy = docs_policy(server.server_port)
        url = f"http://b.example:{server.server_port}/docs/"
        with dial.urllib3_pool(policy, resolver=answering("127.0.0.1"), retries=False) as manager:
            pool = manager.connection_from_host("a.example", server.server_port)
            with refused("target-not-allowed"):
                pool.urlopen("GET", url, assert_same_host=False)
            assert server.accepted == 0
        proxy = f"http://proxy.example:{server.server_port}"
        with dial.urllib3_pool(
            policy, resolver=answering("127.0.0.1"), proxy=proxy, proxy_policy=LOCAL
        ) as manager:
            assert manager.request("GET", url).status == 200
            pool = manager.connection_from_host("a.example", server.server_port)
            for target in ("/docs/", f"http://b.example:{server.server_port}/"):
                with pytest.raises(PolicyError):
                    pool.urlopen("GET", target, assert_same_host=False)
        assert server.requests == [url]


def test_a_pool_of_urllib3_checks_redirects_and_urls() -> None:
    pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    with serving() as server:
        policy = docs_policy(server.server_port)
        with dial.urllib3_pool(policy, resolver=answering("127.0.0.1")) as manager:
            pool = manager.connection_from_host("a.example", server.server_port)
            with pytest.raises(PolicyError):
                pool.request("GET", "/docs/to/%2Fadmin", redirect=True)
        assert "/admin" not in server.requests
    # A pool of urllib3 is not made for a URL that the policy forbids.
    pytest.importorskip("urllib3", reason="needs urllib3 (pip install '.[test]')")
    with dial.urllib3_pool(docs_policy(80)) as manager:
        for url in ("http://a.example/admin", "http://a.example", "https://a.example/docs/"):
            with pytest.raises(PolicyError):
                manager.connection_from_url(url)


def test_the_pools_of_a_requests_session_check_every_request() -> None:
    pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
    with serving() as server:
        policy = docs_policy(server.server_port)
        url = f"http://a.example:{server.server_port}"
        with dial.requests_session(policy, resolver=answering("127.0.0.1")) as session:
            manager: Any = session.get_adapter(url).poolmanager  # type: ignore[attr-defined]
            assert manager.request("GET", f"{url}/docs/").status == 200
            with pytest.raises(PolicyError):
                manager.request("GET", f"{url}/admin")
            with pytest.raises(PolicyError):
                manager.connection_from_url(url).request("GET", "/admin")
        assert server.requests == ["/docs/"]


def test_aiohttp_sends_no_other_target_than_the_uri() -> None:
    aiohttp = pytest.importorskip("aiohttp", reason="needs aiohttp (pip install --group test-all)")

    async def request() -> None:
        made = dial.aiohttp_connector(LOCAL, resolver=asynchronous(answering("127.0.0.1")))
        async with aiohttp.ClientSession(connector=made) as session:
            await session.request("CONNECT", f"http://a.example:{server.server_port}/docs/")

    with serving() as server:
        with refused("target-not-allowed"):
            asyncio.run(request())
        assert server.accepted == 0


@pytest.mark.parametrize(
    "attributes",
    [
        *({"selector": "/admin"}, {"selector": "http://b.example/docs/"}, {"host": "b.example"}),
        *({"type": "https"}, {"method": "GET /admin"}),
    ],
)
def test_urllib_sends_no_other_target_than_the_uri(attributes: dict[str, str]) -> None:
    with serving() as server:
        policy = docs_policy(server.server_port)
        opener = dial.urllib_opener(policy, resolver=answering("127.0.0.1"))
        request = urllib.request.Request(f"http://a.example:{server.server_port}/docs/#a")
        opener.open(request).close()
        for name, value in attributes.items():
            port = f":{server.server_port}" if name == "host" else ""
            setattr(request, name, value + port)
        with pytest.raises(PolicyError):
            opener.open(request)
        assert (server.requests, server.accepted) == (["/docs/"], 1)


def test_urllib_asks_a_proxy_for_no_other_target_than_the_uri() -> None:
    with serving() as server:
        proxy = f"127.0.0.1:{server.server_port}"
        opener = dial.urllib_opener(
            Policy(), proxy=f"http://{proxy}", proxy_policy=Policy(allow=["127.0.0.1"])
        )
        request = urllib.request.Request("http://a.example/docs/")
        request.set_proxy(proxy, "http")
        opener.open(request).close()
        tunnel: Any = urllib.request.Request("https://a.example/docs/")
        tunnel.set_proxy(proxy, "https")
        tunnel._tunnel_host = "b.example"
        with refused("target-not-allowed"):
            opener.open(tunnel)
        assert server.requests == ["http://a.example/docs/"]


class SlowResolver:
    async def __call__(self, name: str) -> list[Any]:
        raise AssertionError(name)


SYNCHRONOUS = [
    name
    for name in dial.__all__
    if name.endswith(("backend", "transport", "connector", "session", "pool", "opener"))
    and "async" not in name
    and name != "aiohttp_connector"
]


def skip_without_package(connector: str) -> None:
    package = connector.partition("_")[0]
    pytest.importorskip(package, reason=f"needs {package} (pip install --group test-all)")


@pytest.mark.parametrize("name", SYNCHRONOUS)
def test_a_synchronous_connector_is_not_made_with_an_asynchronous_resolver(name: str) -> None:
    skip_without_package(name)
    wrong: list[Any] = [asynchronous(answering()), SlowResolver(), "9.9.9.9"]
    for resolver in wrong:
        with pytest.raises(TypeError, match=r"^resolver must be a function, but no coroutine"):
            getattr(dial, name)(LOCAL, resolver=resolver)


@pytest.mark.parametrize(
    "name", ["aiohttp_connector", *(name for name in dial.__all__ if "_async_" in name)]
)
def test_an_asynchronous_connector_is_not_made_with_a_synchronous_resolver(name: str) -> None:
    skip_without_package(name)
    wrong: list[Any] = [answering(), dial.system_resolver, "9.9.9.9"]
    for resolver in wrong:
        with pytest.raises(TypeError, match=r"^resolver must be a coroutine function, not"):
            getattr(dial, name)(LOCAL, resolver=resolver)

    async def make() -> None:
        for resolver in (dial.system_resolver_async, SlowResolver(), None):
            assert getattr(dial, name)(LOCAL, resolver=resolver)

    asyncio.run(make())
