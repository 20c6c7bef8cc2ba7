"""An opener of `urllib.request` that enforces a policy on requests and on connections."""

from __future__ import annotations

import socket
import ssl
from base64 import b64encode
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any, cast
from urllib import request

from uriverse._uri import URI

from ._gate import ANY_SCHEME, Gate, reject_target

DEFAULT_TIMEOUT: Any = vars(socket)["_GLOBAL_DEFAULT_TIMEOUT"]


def create_opener(gate: Gate, context: ssl.SSLContext | None) -> request.OpenerDirector:
    if gate.proxy is not None and gate.proxy.scheme != ANY_SCHEME:
        # urllib would send the request to the proxy without TLS.
        raise ValueError(f"proxy must have the scheme {ANY_SCHEME}, not {gate.proxy.scheme}")
    opener = request.OpenerDirector()
    for handler in (
        PolicyHandler(gate, context),
        request.UnknownHandler(),
        request.HTTPDefaultErrorHandler(),
        request.HTTPRedirectHandler(),
        request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


class PolicyHandler(request.AbstractHTTPHandler):
    # After `ProxyHandler`, whose proxy is checked, and before other handlers that open URLs.
    handler_order = 400

    def __init__(self, gate: Gate, context: ssl.SSLContext | None) -> None:
        super().__init__()
        self._gate = gate
        self._context = context or ssl.create_default_context()

    def http_open(self, req: request.Request) -> HTTPResponse:
        return self._send(req, HTTPConnection)

    def https_open(self, req: request.Request) -> HTTPResponse:
        return self._send(req, HTTPSConnection, context=self._context)

    def http_request(self, req: request.Request) -> request.Request:
        if not req.full_url.isascii():
            req.full_url = str(self._gate.policy.enforce(req.full_url))
        return self.do_request_(req)

    https_request = http_request

    def _send(self, req: request.Request, connection_class: Any, **options: Any) -> HTTPResponse:
        """Send a request whose URI, target and proxy the policy allows."""
        uri = self._gate.policy.enforce(req.full_url)
        expected_request = request.Request(req.full_url)  # noqa: S310 - is not opened
        has_proxy = req.has_proxy() or bool(vars(req)["_tunnel_host"])  # from another handler
        if has_proxy:
            self._gate.enforce_proxy(req.host)
            expected_request.set_proxy(req.host, req.type)
        # The attributes can differ from the URI, and `http.client` accepts spaces in a method.
        if describe_target(req) != describe_target(expected_request) or " " in req.get_method():
            reject_target(uri)
        if self._gate.proxy is not None and not has_proxy:
            use_proxy(req, self._gate.proxy)

        def create_connection(host: str, **arguments: Any) -> HTTPConnection:
            connection = connection_class(host, **arguments, **options)
            # If a version of Python uses another attribute, deleting this one fails.
            del connection._create_connection
            connection._create_connection = self._open_socket
            return cast("HTTPConnection", connection)

        return self.do_open(create_connection, req)

    def _open_socket(
        self, address: tuple[str, int], timeout: Any, source_address: tuple[str, int] | None
    ) -> socket.socket:
        if timeout is DEFAULT_TIMEOUT:
            timeout = socket.getdefaulttimeout()
        return self._gate.connect(*address, timeout, source_address)


def describe_target(req: request.Request) -> tuple[object, ...]:
    return req.type, req.host, req.selector, vars(req)["_tunnel_host"]


def use_proxy(req: request.Request, proxy: URI) -> None:
    # The proxy would receive the fragment.
    req.full_url = req.full_url.partition("#")[0]
    if proxy.userinfo is not None:
        credentials = f"{proxy.username}:{proxy.password or ''}".encode()
        req.add_header("Proxy-authorization", f"Basic {b64encode(credentials).decode()}")
    req.set_proxy(f"{proxy.host}:{proxy.effective_port}", str(proxy.scheme))
