"""Compare HTTP parsers: `python -m compare_conformance.http_peers`, from a checkout."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from compare_conformance.http_servers import (
    LOOPBACK,
    asgi_app,
    exchange,
    uvicorn_server,
    werkzeug_server,
    wsgi_app,
)
from conformance.conditions import START, statement
from conformance.report import environment, markdown_table
from uriverse import URIError
from uriverse.http import effective_uri, request_target

PAGE = Path(__file__).resolve().parents[2] / "docs" / "http-peers.md"

REJECTED = "rejected"
ACCEPTED = "accepted"


class Case(NamedTuple):
    """A request, and the target URI that the RFCs require; `None` if they reject the request."""

    title: str
    line: str
    fields: tuple[str, ...]
    uri: str | None
    section: str

    @property
    def raw(self) -> bytes:
        return "\r\n".join((self.line, *self.fields, "Connection: close", "", "")).encode("latin-1")


def case(title: str, target: str, host: str | None, uri: str | None, section: str) -> Case:
    """Return a `GET` request with one `Host` field."""
    fields = () if host is None else (f"Host: {host}",)
    return Case(title, f"GET {target} HTTP/1.1", fields, uri, section)


A = "a.example"
CASES = (
    case("path and query", "/b?c", A, "http://a.example/b?c", "9112, 3.2.1"),
    case("encoded slash", "/b%2Fc", A, "http://a.example/b%2Fc", "9112, 3.2.1"),
    case("two slashes", "//b.example/c", A, "http://a.example//b.example/c", "9112, 3.2.1"),
    case("dot segments", "/b/../c", A, "http://a.example/b/../c", "9112, 3.2.1"),
    case("empty query", "/b?", A, "http://a.example/b?", "9112, 3.2.1"),
    case("absolute-form", "http://a.example/b", A, "http://a.example/b", "9112, 3.2.2"),
    case("another host", "http://b.example/c", A, "http://b.example/c", "9112, 3.2.2"),
    case("another scheme", "https://a.example/b", A, "https://a.example/b", "9112, 3.3"),
    case("userinfo", "http://me:pw@a.example/", A, None, "9110, 4.2.4"),
    case("no host in target", "http:///b", A, None, "9110, 4.2.1"),
    case("fragment", "/b#c", A, None, "9112, 3.2.1"),
    case("space", "/b c", A, None, "9112, 3.2"),
    case("tab", "/b\tc", A, None, "9112, 3.2"),
    case("octets above 127", "/\u00c3\u00a9", A, None, "9112, 3.2.1"),
    case("invalid triplet", "/%zz", A, None, "9112, 3.2.1"),
    case("circumflex", "/^", A, None, "9112, 3.2.1"),
    case("backslash", "/\\b.example", A, None, "9112, 3.2.1"),
    case("no slash", "b", A, None, "9112, 3.2"),
    case("asterisk", "*", A, None, "9112, 3.2.4"),
    Case("OPTIONS asterisk", "OPTIONS * HTTP/1.1", (f"Host: {A}",), f"http://{A}", "9112, 3.2.4"),
    Case(
        *("CONNECT", "CONNECT b.example:443 HTTP/1.1", ("Host: b.example:443",)),
        *("http://b.example:443", "9112, 3.2.3"),
    ),
    Case(
        *("CONNECT, no port", "CONNECT b.example HTTP/1.1", ("Host: b.example",)),
        *(None, "9110, 9.3.6"),
    ),
    case("host and port", "b.example:80", A, None, "9112, 3.2.3"),
    case("missing Host", "/", None, None, "9112, 3.2"),
    Case("missing, HTTP/1.0", "GET / HTTP/1.0", (), None, "9112, 3.3"),
    case("empty Host", "/", "", None, "9112, 3.3"),
    Case("equal Hosts", "GET / HTTP/1.1", (f"Host: {A}", f"Host: {A}"), None, "9112, 3.2"),
    Case("two Hosts", "GET / HTTP/1.1", (f"Host: {A}", "Host: b.example"), None, "9112, 3.2"),
    case("userinfo in Host", "/", "me@a.example", None, "9110, 7.2"),
    case("path in Host", "/", "a.example/b", None, "9110, 7.2"),
    case("invalid port", "/", "a.example:8o", None, "9110, 7.2"),
    case("space in Host", "/", "a b", None, "9110, 7.2"),
    case("IPv6 address", "/", "[::1]:8000", "http://[::1]:8000/", "9110, 7.2"),
)


def by_uriverse(cases: Sequence[Case]) -> Iterator[str]:
    for one in cases:
        method, _, rest = one.line.partition(" ")
        target, _, protocol = rest.rpartition(" ")
        hosts = [field.removeprefix("Host:").strip() for field in one.fields]
        try:
            yield str(
                effective_uri(
                    request_target(method, target),
                    hosts,
                    scheme="http",
                    http_version=protocol.removeprefix("HTTP/"),
                )
            )
        except URIError:
            yield REJECTED


def by_h11(cases: Sequence[Case]) -> Iterator[str]:
    import h11

    for one in cases:
        connection = h11.Connection(h11.SERVER)
        connection.receive_data(one.raw)
        try:
            connection.next_event()
        except h11.RemoteProtocolError:
            yield REJECTED
        else:
            yield ACCEPTED


def by_httptools(cases: Sequence[Case]) -> Iterator[str]:
    import httptools

    for one in cases:
        try:
            httptools.HttpRequestParser(object()).feed_data(one.raw)
        except httptools.HttpParserUpgrade:
            yield ACCEPTED  # The method is CONNECT.
        except httptools.HttpParserError:
            yield REJECTED
        else:
            yield ACCEPTED


def by_werkzeug(cases: Sequence[Case]) -> Iterator[str]:
    from werkzeug import Request

    def url(environ: Mapping[str, Any]) -> str:
        return Request(dict(environ)).url

    urls: list[str] = []
    with werkzeug_server(wsgi_app(recorded(url, urls))) as port:
        yield from answers(cases, port, urls)


def by_starlette(cases: Sequence[Case]) -> Iterator[str]:
    from starlette.requests import Request

    def url(scope: Mapping[str, Any]) -> str:
        return str(Request(dict(scope)).url)

    urls: list[str] = []
    with uvicorn_server(asgi_app(recorded(url, urls)), "h11") as port:
        yield from answers(cases, port, urls)


def recorded(
    url: Callable[[Mapping[str, Any]], str], urls: list[str]
) -> Callable[[Mapping[str, Any]], str]:
    """Return a function that appends its results to a list, and then raises `ValueError`.

    A successful response to CONNECT would open a tunnel, so all responses have status 400.
    """

    def wrapper(request: Mapping[str, Any]) -> str:
        urls.append(url(request))
        raise ValueError("the result is in the list")

    return wrapper


def answers(cases: Sequence[Case], port: int, urls: list[str]) -> Iterator[str]:
    for one in cases:
        urls.clear()
        exchange(port, one.raw)
        yield re.sub(rf"\b{LOOPBACK}:{port}\b", f"{LOOPBACK}:8000", urls[0]) if urls else REJECTED


class HTTPPeer(NamedTuple):
    """A parser, the package with its version, and all packages that it needs."""

    answers: Callable[[Sequence[Case]], Iterator[str]]
    packages: tuple[str, ...]


PEERS = {
    "uriverse": HTTPPeer(by_uriverse, ()),
    "h11": HTTPPeer(by_h11, ("h11",)),
    "httptools": HTTPPeer(by_httptools, ("httptools",)),
    "werkzeug": HTTPPeer(by_werkzeug, ("werkzeug",)),
    "starlette": HTTPPeer(by_starlette, ("starlette", "uvicorn", "h11")),
}


def versions() -> dict[str, str]:
    """Return the version of each package; `""` if it is not installed."""
    packages = dict.fromkeys(name for peer in PEERS.values() for name in peer.packages)
    return {name: version(name) if find_spec(name) else "" for name in packages}


INTRODUCTION = """\
# HTTP parsers compared

Which requests do HTTP parsers accept, and which target URI do they find in them? This page compares
uriverse with h11, httptools, werkzeug and starlette.

The RFCs require servers to reject some requests that these parsers accept. A program that uses one
of the parsers can check the request itself, as [HTTP requests and fields](how-to/http-messages.md)
explains."""

LEGEND = """\
A cell shows the target URI that the parser finds, or whether it accepts the request. h11 and
httptools do not create URIs. werkzeug runs with its development server, and starlette with uvicorn
and h11. Port 8000 of 127.0.0.1 is the address of the server itself. A dash means that the request
has no `Host` field."""

REPEAT = """\
## Repeat the comparison

```sh
pip install --group test-all ".[test]"
export PYTHONPATH=compare
python -m compare_conformance.http_peers          # writes this page
python -m compare_conformance.http_peers --check  # fails if its results are out of date
```"""


def code(text: str) -> str:
    return f"`{text}`" if text else "empty"


def shown(one: Case) -> str:
    """Return a request in a form that a table can contain."""
    method, _, rest = one.line.partition(" ")
    target = rest.rpartition(" ")[0]
    words = target if method == "GET" else f"{method} {target}"
    return code(words.replace("\t", "\\t").encode("latin-1").decode("utf-8"))


def hosts(one: Case) -> str:
    return " and ".join(code(field.removeprefix("Host:").strip()) for field in one.fields) or "-"


def section(one: Case) -> str:
    number, _, place = one.section.partition(", ")
    url = f"https://www.rfc-editor.org/rfc/rfc{number}#section-{place}"
    return f"[{number}, {place}]({url})"


def markdown() -> str:
    """Run all parsers, and return the page."""
    columns = [list(peer.answers(CASES)) for peer in PEERS.values()]
    table = markdown_table(
        ("case", "request target", "Host", "RFC", *PEERS),
        (
            (
                one.title,
                shown(one),
                hosts(one),
                section(one),
                *(cell if cell in {REJECTED, ACCEPTED} else code(cell) for cell in cells),
            )
            for one, *cells in zip(CASES, *columns, strict=True)
        ),
    ).replace("---:", "---")
    parts = (
        INTRODUCTION,
        statement(environment(), versions()),
        "## Results",
        LEGEND,
        table,
        REPEAT,
    )
    return "\n\n".join(parts) + "\n"


def undated(page: str) -> list[str]:
    """Return the paragraphs of a page without the one about the conditions of the run."""
    return [part for part in page.split("\n\n") if not part.startswith(START)]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page; with `--check`, return 1 if its results are out of date."""
    parser = argparse.ArgumentParser(
        prog="python -m compare_conformance.http_peers", description="Compare HTTP parsers."
    )
    parser.add_argument(
        "--check", action="store_true", help="fail if the results on the page are out of date"
    )
    page = markdown()
    if not parser.parse_args(argv).check:
        PAGE.write_text(page, "utf-8")
    elif undated(PAGE.read_text("utf-8")) != undated(page):
        command = "PYTHONPATH=compare python -m compare_conformance.http_peers"
        print(f"{PAGE.name} is out of date: run {command}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
