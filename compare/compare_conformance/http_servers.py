"""Real HTTP servers on the loopback interface, to which raw requests are sent."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any

#: Applications for ASGI and WSGI.
ASGIApp = Callable[
    [Mapping[str, Any], Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]],
    Awaitable[None],
]
WSGIApp = Callable[[Mapping[str, Any], Callable[..., Any]], list[bytes]]

LOOPBACK = "127.0.0.1"

#: The number of seconds to wait for an answer.
PATIENCE = 30


def exchange(port: int, request: bytes) -> tuple[int, str]:
    """Send a raw request to a server; return the status code and the body of the response."""
    with socket.create_connection((LOOPBACK, port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        response = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = response.partition(b"\r\n\r\n")
    return int(head.split(b" ", 2)[1]), body.decode()


def asgi_app(answer: Callable[[Mapping[str, Any]], str]) -> ASGIApp:
    """Return an application that responds with a string; status 400 for a `ValueError`."""

    async def app(
        scope: Mapping[str, Any],
        _receive: Callable[[], Awaitable[Any]],
        send: Callable[[Any], Awaitable[None]],
    ) -> None:
        status, body = result(answer, scope)
        headers = [(b"content-length", b"%d" % len(body)), (b"connection", b"close")]
        # A server for WebSockets sends this response instead of accepting the handshake.
        kind = "websocket.http" if scope["type"] == "websocket" else "http"
        await send({"type": f"{kind}.response.start", "status": status, "headers": headers})
        await send({"type": f"{kind}.response.body", "body": body})

    return app


def wsgi_app(answer: Callable[[Mapping[str, Any]], str]) -> WSGIApp:
    """Return an application that responds with a string; status 400 for a `ValueError`."""

    def app(environ: Mapping[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        status, body = result(answer, environ)
        headers = [("Content-Length", str(len(body))), ("Connection", "close")]
        start_response(f"{status} Status", headers)
        return [body]

    return app


def result(
    answer: Callable[[Mapping[str, Any]], str], request: Mapping[str, Any]
) -> tuple[int, bytes]:
    try:
        return 200, answer(request).encode()
    except ValueError as error:
        return 400, getattr(error, "reason", str(error)).encode()


@contextmanager
def uvicorn_server(app: ASGIApp, http: str, **options: Any) -> Iterator[int]:
    """Run an application with uvicorn, and yield its port.

    Args:
        app: the application.
        http: the parser: `"h11"` or `"httptools"`.
        options: other options of uvicorn.
    """
    import uvicorn

    quiet: dict[str, Any] = {
        "log_config": None,
        "log_level": "critical",
        "lifespan": "off",
        "ws": "none",
    }
    options = {"proxy_headers": False, **quiet, **options}
    server = uvicorn.Server(uvicorn.Config(app, http=http, **options))
    listening = socket.create_server((LOOPBACK, 0))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def werkzeug_server(app: WSGIApp) -> Iterator[int]:
    """Run an application with the development server of werkzeug, and yield its port."""
    import logging

    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = make_server(LOOPBACK, 0, app)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
