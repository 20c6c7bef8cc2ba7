import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from platforms import unix

import uriverse
from compare_conformance.http_servers import LOOPBACK, asgi_app, exchange, uvicorn_server
from uriverse import Policy
from uriverse.http import client_request, from_asgi

SOURCE = Path(uriverse.__file__).parents[1]

#: The WSGI application that gunicorn runs.
APPLICATION = """
from compare_conformance.http_servers import wsgi_app
from uriverse.http import from_wsgi

fixed = {"scheme": "https", "host": "good.example"}
app = wsgi_app(
    lambda environ: str(from_wsgi(environ, **(fixed if "HTTP_X_FIXED" in environ else {})))
)
"""

#: The applications use their own scheme and host for requests with this field.
FIXED = "X-Fixed: yes"


def request(line: str, *fields: str) -> bytes:
    return "\r\n".join((line, *fields, "Connection: close", "", "")).encode("latin-1")


def target_uri(scope: Mapping[str, Any]) -> str:
    if any(name == b"x-fixed" for name, _ in scope["headers"]):
        return str(from_asgi(scope, scheme="https", host="good.example"))
    return str(from_asgi(scope))


@pytest.fixture(scope="module", params=["h11", "httptools", pytest.param("gunicorn", marks=unix)])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, int]]:
    """Gunicorn, or uvicorn with a parser; and its port."""
    if request.param != "gunicorn":
        for package in ("uvicorn", request.param):
            pytest.importorskip(package, reason=f"needs {package} (pip install --group test-all)")
        with uvicorn_server(asgi_app(target_uri), request.param) as port:
            yield request.param, port
        return
    pytest.importorskip("gunicorn", reason="needs gunicorn (pip install --group test-all)")
    folder = tmp_path_factory.mktemp("gunicorn")
    (folder / "application.py").write_text(APPLICATION)
    root = Path(__file__).resolve().parents[3]
    path = os.pathsep.join((str(SOURCE), str(root), *filter(None, sys.path)))
    with socket.create_server((LOOPBACK, 0)) as listening:
        command = [sys.executable, "-m", "gunicorn", "--bind", f"fd://{listening.fileno()}"]
        process = subprocess.Popen(
            [*command, "--log-level", "critical", "application:app"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            pass_fds=[listening.fileno()],
        )
        try:
            yield "gunicorn", listening.getsockname()[1]
        finally:
            process.terminate()
            process.wait()


#: Requests with a valid target and one valid Host field, and their target URIs.
VALID = [
    (request("GET / HTTP/1.1", "Host: a.example"), "http://a.example/"),
    (request("GET /a%2Fb%ff?c=%26 HTTP/1.1", "Host: A:81"), "http://A:81/a%2Fb%ff?c=%26"),
    (request("GET //b.example/c HTTP/1.1", "Host: a"), "http://a//b.example/c"),
    (request("GET /a/../b/./c HTTP/1.1", "Host: a"), "http://a/a/../b/./c"),
    (request("POST / HTTP/1.1", "Host: [::1]:8000"), "http://[::1]:8000/"),
    (request("OPTIONS * HTTP/1.1", "Host: a"), "http://a"),
    (request("GET / HTTP/1.0", "Host: a"), "http://a/"),
]

#: Requests that must be rejected, by the server or by uriverse.
INVALID = [
    *(request("GET / HTTP/1.1"), request("GET / HTTP/1.0")),
    request("GET / HTTP/1.1", "Host: a", "Host: a"),
    request("GET / HTTP/1.1", "Host: a", "Host: b"),
    *(request("GET / HTTP/1.1", "Host: a b"), request("GET / HTTP/1.1", "Host: me@a")),
    *(request("GET / HTTP/1.1", "Host: a/b"), request("GET / HTTP/1.1", "Host:")),
    *(request("GET * HTTP/1.1", "Host: a"), request("GET a HTTP/1.1", "Host: a")),
    request("GET /^ HTTP/1.1", "Host: a"),
    request("GET /\u00c3\u00a9 HTTP/1.1", "Host: a"),
    *(request("GET /%zz HTTP/1.1", "Host: a"), request("GET /a b HTTP/1.1", "Host: a")),
]


#: Requests whose targets have schemes that no HTTP server serves.
OTHER_SCHEMES = [
    request(f"GET {target} HTTP/1.1", "Host: a.example", *fields)
    for target in ("javascript:alert(1)", "file:///etc/passwd", "data:,a")
    for fields in ((), (FIXED,))
]

#: Requests to which an application with a fixed scheme and host responds with the same URI.
FIXED_HOST = [
    request("GET /reset?a HTTP/1.1", "Host: evil.example", FIXED),
    request("GET http://evil.example/reset?a HTTP/1.1", "Host: a.example", FIXED),
    request("GET https://evil.example:8443/reset?a HTTP/1.1", "Host: a.example", FIXED),
    request("GET HTTP://evil.example/reset?a HTTP/1.0", FIXED),
]


def test_a_client_cannot_choose_the_host(server: tuple[str, int]) -> None:
    for raw in FIXED_HOST:
        assert exchange(server[1], raw) == (200, "https://good.example/reset?a"), raw


@pytest.mark.parametrize(("raw", "uri"), VALID)
def test_a_server_provides_the_target_uri(server: tuple[str, int], raw: bytes, uri: str) -> None:
    assert exchange(server[1], raw) == (200, uri)


@pytest.mark.parametrize("raw", [*INVALID, *OTHER_SCHEMES])
def test_bad_requests_and_other_schemes_are_rejected(server: tuple[str, int], raw: bytes) -> None:
    assert exchange(server[1], raw)[0] == 400


@unix
@pytest.mark.parametrize("server", ["gunicorn"], indirect=True)
def test_gunicorn_provides_more_targets_than_uvicorn(server: tuple[str, int]) -> None:
    for raw, answer in (
        (request("GET http://b/c?d HTTP/1.1", "Host: a"), (200, "http://b/c?d")),
        (request("GET /a? HTTP/1.1", "Host: a"), (200, "http://a/a?")),
        (request("CONNECT b:443 HTTP/1.1", "Host: b:443"), (200, "http://b:443")),
        (request("GET http://me:pw@b/ HTTP/1.1", "Host: a"), 400),
        (request("CONNECT b HTTP/1.1", "Host: b"), 400),
    ):
        found = exchange(server[1], raw)
        assert answer in {found, found[0]}, raw


def test_uvicorn_with_httptools_removes_the_host_and_the_fragment(server: tuple[str, int]) -> None:
    parser, port = server
    raw = request("GET http://b.example/c?d HTTP/1.1", "Host: a.example")
    # The scope does not show that the target was an absolute-form.
    host = "a.example" if parser == "httptools" else "b.example"
    assert exchange(port, raw) == (200, f"http://{host}/c?d")
    status, _ = exchange(port, request("GET /a?b#c HTTP/1.1", "Host: a"))
    assert status == (200 if parser == "httptools" else 400)


def test_the_target_uri_starts_with_the_root_path_of_uvicorn() -> None:
    pytest.importorskip("uvicorn", reason="needs uvicorn (pip install --group test-all)")
    with uvicorn_server(asgi_app(target_uri), "h11", root_path="/api") as port:
        assert exchange(port, request("GET /a HTTP/1.1", "Host: a"))[1] == "http://a/api/a"


@pytest.mark.parametrize("parser", ["h11", "httptools"])
def test_a_websocket_handshake_has_a_websocket_uri(parser: str) -> None:
    pytest.importorskip("uvicorn", reason="needs uvicorn (pip install --group test-all)")
    pytest.importorskip(parser, reason="needs h11 and httptools (pip install --group test-all)")
    pytest.importorskip("wsproto", reason="needs wsproto (pip install --group test-all)")
    handshake = (
        *("Host: a.example", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"),
    )
    with uvicorn_server(asgi_app(target_uri), parser, ws="wsproto") as port:
        for target, fields, expected in (
            ("/a%2Fb?c", (), (200, "ws://a.example/a%2Fb?c")),
            ("//evil.example/", (), (200, "ws://a.example//evil.example/")),
            ("https://b.example/c", (), (200, "wss://b.example/c")),
            ("http://evil.example/reset?a", (FIXED,), (200, "https://good.example/reset?a")),
        ):
            raw = "\r\n".join((f"GET {target} HTTP/1.1", *handshake, *fields, "", ""))
            assert exchange(port, raw.encode()) == expected
        raw = "\r\n".join(("GET ws://evil.example/ HTTP/1.1", *handshake, "", ""))
        assert exchange(port, raw.encode())[0] == 400


def test_the_client_behind_a_trusted_proxy_is_found() -> None:
    pytest.importorskip("uvicorn", reason="needs uvicorn (pip install --group test-all)")

    def client(scope: Mapping[str, Any]) -> str:
        fields = [value for name, value in scope["headers"] if name == b"forwarded"]
        found = client_request(
            scope["client"][0],
            b", ".join(fields),
            scheme=scope["scheme"],
            host="local",
            networks=["127.0.0.0/8"],
        )
        uri = from_asgi(scope, scheme=found.scheme, host=found.host)
        return f"{found.client} {Policy().enforce(uri)}"

    with uvicorn_server(asgi_app(client), "h11") as port:
        raw = request(
            "GET /a HTTP/1.1",
            "Host: internal",
            'Forwarded: (null), for=203.0.113.9;host=evil.example;proto=http, for="',
            "Forwarded: for=198.51.100.7;host=example.org;proto=https",
        )
        assert exchange(port, raw) == (200, "198.51.100.7 https://example.org/a")
        assert exchange(port, request("GET / HTTP/1.1", "Host: a", "Forwarded: for"))[0] == 400
