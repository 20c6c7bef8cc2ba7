import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from operator import attrgetter
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from strategies import produced, references

from uriverse import URI, ConvertError, ParseError, parse
from uriverse.integrations import _find_component, exact

httpx = pytest.importorskip("httpx", reason="needs httpx (pip install '.[test]')")
yarl = pytest.importorskip("yarl", reason="needs yarl (pip install --group test-all)")


def create_yarl_url(text: str) -> Any:
    return yarl.URL(text, encoded=True)


FACTORIES: dict[str, Callable[[str], Any]] = {"httpx": httpx.URL, "yarl": create_yarl_url}


@pytest.mark.parametrize("name", FACTORIES)
@given(text=references())
def test_a_url_has_exactly_the_characters_of_the_uri_or_is_rejected(name: str, text: str) -> None:
    try:
        url = exact(parse(text), FACTORIES[name])
    except ConvertError as error:
        assert error.text == text  # noqa: PT017 - most URIs are accepted
        assert error.position <= len(text)  # noqa: PT017
    else:
        assert str(url) == text


@given(produced("URI"))
def test_a_request_of_urllib_has_exactly_the_characters_of_the_uri(text: str) -> None:
    try:
        request = exact(text, urllib.request.Request, text=attrgetter("full_url"))
    except ConvertError:
        assert text.endswith("#") or "//[v" in text.lower() or "@[v" in text.lower()
    else:
        assert request.full_url == text


@given(produced("IRI"))
def test_an_iri_of_rdf_libraries_has_exactly_the_characters_of_the_iri(text: str) -> None:
    rdflib = pytest.importorskip("rdflib", reason="needs rdflib (pip install --group test-all)")
    needs = "needs pyoxigraph (pip install --group test-all)"
    pyoxigraph = pytest.importorskip("pyoxigraph", reason=needs)
    assert str(exact(text, rdflib.URIRef)) == text
    assert exact(text, pyoxigraph.NamedNode, text=attrgetter("value")).value == text


def test_an_error_names_the_component_that_would_change() -> None:
    for name, text, component, position in [
        *(("httpx", "HTTP://a/", "scheme", 0), ("httpx", "http://A/", "host", 7)),
        *(("httpx", "http://a:80/", "port", 8), ("httpx", "http://a/b/../c", "path", 9)),
        *(("httpx", "http://a/\u00e9", "path", 9), ("yarl", "HTTP://a/", "scheme", 0)),
        *(("yarl", "http://a/?", "query", 9), ("yarl", "http://a/#", "fragment", 9)),
        ("yarl", "http://a?b", "query", 8),
    ]:
        with pytest.raises(ConvertError) as caught:
            exact(text, FACTORIES[name])
        error = caught.value
        assert (error.component, error.position) == (component, position)
        assert f"{name} would change the {component}" in error.reason
    # Errors do not show passwords.
    for factory in FACTORIES.values():
        with pytest.raises(ConvertError) as caught:
            exact("HTTP://me:hidden@a/", factory)
        assert "hidden" not in str(caught.value)
    # The component at every index is found.
    value = parse("s://u@h:1/p?q#f")
    names = [_find_component(value, index) for index in range(len(str(value)))]
    assert names == [
        *["scheme"] * 2,
        *["userinfo"] * 4,
        *["host"],
        *["port"] * 2,
        *["path"] * 2,
        *["query"] * 2,
        *["fragment"] * 2,
    ]


def test_rejections_of_the_library_are_our_errors() -> None:
    with pytest.raises(ConvertError, match="httpx rejects the URI: "):
        exact("http://1.2.3.400/", httpx.URL)
    with pytest.raises(ConvertError, match="the other library rejects the URI: "):
        exact("http://a\u2100b/", create_yarl_url)
    # The message of a rejection shows no secrets.
    with pytest.raises(ConvertError, match="httpx rejects the URI") as caught:
        exact("http://me:hidden@1.2.3.400/", httpx.URL)
    assert "hidden" not in f"{caught.value}{caught.value!r}{caught.value.as_dict()}"
    # Invalid strings and factories raise at once.
    wrong: Any = 3
    with pytest.raises(ParseError):
        exact("http://a b/", httpx.URL)
    with pytest.raises(TypeError):
        exact(wrong, httpx.URL)
    with pytest.raises(TypeError):
        exact("http://a/", wrong)


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
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = exact(server, urllib.request.Request, text=attrgetter("full_url"))
    with closing(opener.open(request)) as response:
        assert response.read().decode() == target
    with httpx.Client(trust_env=False) as client:
        assert client.get(exact(server, httpx.URL)).text == target


def test_requests_keeps_the_url_that_a_prepared_request_is_given(server: URI) -> None:
    requests = pytest.importorskip(
        "requests", reason="needs requests (pip install --group test-all)"
    )
    with closing(requests.Session()) as session:
        session.trust_env = False
        request = requests.Request("GET", server).prepare()
        request.url = str(server)
        assert session.send(request).text == str(server.relative_form())
        assert session.get(server).ok
