"""URIs pass through the URL types of HTTP clients without a change, or are rejected."""

from __future__ import annotations

import importlib
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from strategies import produced, references

from uriverse import URI, ConvertError, IRIReference, ParseError, parse
from uriverse.integrations import urllib as for_urllib

httpx = pytest.importorskip("httpx", reason="needs httpx (pip install '.[test]')")
httpx2 = pytest.importorskip("httpx2", reason="needs httpx2 (pip install --group test-all)")
requests = pytest.importorskip("requests", reason="needs requests (pip install --group test-all)")
yarl = pytest.importorskip("yarl", reason="needs yarl (pip install '.[test]')")

from uriverse.integrations import httpx as for_httpx  # noqa: E402
from uriverse.integrations import httpx2 as for_httpx2  # noqa: E402
from uriverse.integrations import requests as for_requests  # noqa: E402
from uriverse.integrations import yarl as for_yarl  # noqa: E402

URLS: dict[str, Any] = {"httpx": for_httpx, "httpx2": for_httpx2, "yarl": for_yarl}


@pytest.mark.parametrize("name", URLS)
@given(text=references())
def test_a_url_has_exactly_the_characters_of_the_uri_or_is_rejected(name: str, text: str) -> None:
    module = URLS[name]
    value = parse(text)
    try:
        url = module.to_url(value)
    except ConvertError as error:
        assert error.text == text  # noqa: PT017 - most URIs are accepted
        assert error.position <= len(text)  # noqa: PT017
    else:
        assert str(url) == text
        back = module.from_url(url)
        assert (back, type(back)) == (value, type(value))


@given(produced("URI"))
def test_a_request_of_urllib_has_exactly_the_characters_of_the_uri(text: str) -> None:
    try:
        request = for_urllib.to_request(text)
    except ConvertError:
        assert text.endswith("#") or "//[v" in text.lower() or "@[v" in text.lower()
    else:
        assert request.full_url == text
        assert str(for_urllib.from_request(request)) == text


@given(produced("path-abempty"), produced("query"), produced("fragment"))
def test_a_request_of_requests_has_exactly_the_characters_of_the_uri(
    path: str, query: str, fragment: str
) -> None:
    for text in (f"http://a.example:80{path}?{query}#{fragment}", f"HTTPS://A.example{path}"):
        request = for_requests.to_request(text)
        assert request.url == text
        assert str(for_requests.from_request(request)) == text


@pytest.mark.parametrize(
    ("name", "text", "component", "position"),
    [
        ("httpx", "HTTP://a/", "scheme", 0),
        ("httpx2", "HTTP://a/", "scheme", 0),
        ("httpx", "http://A/", "host", 7),
        ("httpx", "http://a:80/", "port", 8),
        ("httpx2", "http://a:80/", "port", 8),
        ("httpx", "http://a/b/../c", "path", 9),
        ("httpx", "http://a/\u00e9", "path", 9),
        ("yarl", "HTTP://a/", "scheme", 0),
        ("yarl", "http://a/?", "query", 9),
        ("yarl", "http://a/#", "fragment", 9),
        ("yarl", "http://a?b", "query", 8),
    ],
)
def test_an_error_names_the_component_that_would_change(
    name: str, text: str, component: str, position: int
) -> None:
    with pytest.raises(ConvertError) as caught:
        URLS[name].to_url(text)
    error = caught.value
    assert (error.component, error.position) == (component, position)
    assert name in error.reason


def test_errors_do_not_show_passwords() -> None:
    for convert in (for_httpx.to_url, for_httpx2.to_url, for_yarl.to_url):
        with pytest.raises(ConvertError) as caught:
            convert("HTTP://me:hidden@a/")
        assert "hidden" not in str(caught.value)


def test_invalid_arguments_raise_our_errors() -> None:
    converters: list[Callable[[Any], object]] = [
        for_httpx.to_url,
        for_httpx2.to_url,
        for_yarl.to_url,
        for_requests.to_request,
        for_urllib.to_request,
    ]
    for convert in converters:
        with pytest.raises(ParseError):
            convert("http://a b/")
        with pytest.raises(TypeError):
            convert(3)
    with pytest.raises(ParseError):
        for_requests.to_request("ftp://a/")
    with pytest.raises(TypeError, match="must have a URL"):
        for_requests.from_request(requests.PreparedRequest())
    with pytest.raises(TypeError, match="with_params"):
        for_requests.to_request("http://a/", params={"b": "c"})


class Recorder(BaseHTTPRequestHandler):
    """Answers each request with its target."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode("latin-1"))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[URI]:
    with HTTPServer(("127.0.0.1", 0), Recorder) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield URI(f"http://127.0.0.1:{running.server_port}/%7Ea/b?c=%2F&d=+")
        running.shutdown()


def test_servers_receive_the_path_and_the_query_of_the_uri(server: URI) -> None:
    target = str(server.relative_form())
    with closing(requests.Session()) as session:
        session.trust_env = False
        assert session.send(for_requests.to_request(server)).text == target
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with closing(opener.open(for_urllib.to_request(server))) as response:
        assert response.read().decode() == target
    with httpx.Client(trust_env=False) as client:
        assert client.get(for_httpx.to_url(server)).text == target
    with httpx2.Client(trust_env=False) as newer:
        assert newer.get(for_httpx2.to_url(server)).text == target


def test_requests_accepts_a_uri_as_it_is(server: URI) -> None:
    with closing(requests.Session()) as session:
        session.trust_env = False
        assert session.get(server).ok


@pytest.mark.parametrize("name", ["httpx", "httpx2", "requests", "yarl"])
def test_a_missing_library_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"uriverse.integrations.{name}")
    with pytest.raises(
        ModuleNotFoundError, match=rf"needs {name}; run pip install 'uriverse\[{name}\]'"
    ):
        importlib.import_module(f"uriverse.integrations.{name}")


@pytest.mark.parametrize(
    ("convert", "text"),
    [
        (for_httpx.to_url, "http://1.2.3.400/"),
        (for_httpx2.to_url, "http://1.2.3.400/"),
        (for_yarl.to_url, "http://a\u2100b/"),
        (for_requests.to_request, "http://*a/"),
        (for_urllib.to_request, "a://[V0.:]"),
    ],
)
def test_rejections_of_the_library_are_our_errors(convert: Any, text: str) -> None:
    with pytest.raises(ConvertError, match="rejects the URI"):
        convert(text)


def test_the_message_of_a_rejection_shows_no_secrets() -> None:
    with pytest.raises(ConvertError, match="requests rejects the URI") as caught:
        for_requests.to_request("http://me:hidden@*a/")
    assert "hidden" not in f"{caught.value}{caught.value!r}{caught.value.as_dict()}"


def test_only_urls_of_the_library_are_converted() -> None:
    wrong: Any = "http://a/"
    for module in (for_httpx, for_httpx2, for_yarl):
        with pytest.raises(TypeError, match="url must be"):
            module.from_url(wrong)


def test_the_component_at_every_index_is_found() -> None:
    from uriverse.integrations._exactness import component_at

    value: IRIReference = parse("s://u@h:1/p?q#f")
    names = [component_at(value, index) for index in range(len(str(value)))]
    assert names == [
        *["scheme"] * 2,
        *["userinfo"] * 4,
        *["host"],
        *["port"] * 2,
        *["path"] * 2,
        *["query"] * 2,
        *["fragment"] * 2,
    ]
