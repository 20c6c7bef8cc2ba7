"""Compare the parsing of request targets, target URIs and Link fields with other libraries.

    python benchmarks/http_messages.py
    python benchmarks/http_messages.py --json figures.json

A table uses only strings for which all libraries return the same result. The exit status is 0 even
if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httptools
from identifiers import options
from references import compare, one, run
from requests.utils import parse_header_links
from starlette.datastructures import URL
from werkzeug.wsgi import get_current_url

from uriverse.http import from_asgi, from_wsgi, parse_links, request_target

if TYPE_CHECKING:
    from measure import Table

#: Templates for distinct strings: each `{}` is replaced with a number.
TARGET = "/users/{}/posts?page=2&sort=date"
LINKS = '</items?page={}>; rel="next"; title="page", </items?page=9>; rel="last"; title="end"'


def environ(target: str) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "REQUEST_METHOD": "GET",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "https",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_HOST": "www.example.org",
    }


def scope(target: str) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"accept", b"*/*"), (b"host", b"www.example.org")],
    }


uncached: Any = urlsplit.__wrapped__  # type: ignore[attr-defined]


def targets(strings: int, rounds: int) -> Iterator[Table]:
    texts = [TARGET.format(number) for number in range(strings)]
    contenders = [
        one("uriverse request_target().path", lambda text: request_target("GET", text).path),  # type: ignore[union-attr]
        one(
            "httptools.parse_url().path",
            lambda text: httptools.parse_url(text.encode()).path.decode(),
        ),
        one("urlsplit().path, uncached", lambda text: uncached(text).path),
    ]
    yield compare("a request target", contenders, texts, strings, rounds)
    contenders = [
        one("uriverse from_wsgi, str", lambda given: str(from_wsgi(given)), None, environ),
        one("werkzeug get_current_url", get_current_url, None, environ),
    ]
    yield compare("the target URI of a WSGI request", contenders, texts, strings, rounds)
    contenders = [
        one("uriverse from_asgi, str", lambda given: str(from_asgi(given)), None, scope),
        one("starlette URL(scope=), str", lambda given: str(URL(scope=given)), None, scope),
    ]
    yield compare("the target URI of an ASGI request", contenders, texts, strings, rounds)


def links(strings: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one(
            "uriverse parse_links",
            lambda text: [{"url": each.target, **dict(each.params)} for each in parse_links(text)],
        ),
        one("requests parse_header_links", parse_header_links),
    ]
    texts = map(LINKS.format, range(strings))
    yield compare("a Link field with two links", contenders, texts, strings, rounds)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare the parsing of HTTP messages.").parse_args(command_line)
    run(arguments, (group(arguments.strings, arguments.rounds) for group in (targets, links)))


if __name__ == "__main__":
    main()
