"""Compare the parsing of query parameters, and edits of paths and queries, with other libraries.

    python benchmarks/edits.py
    python benchmarks/edits.py --json figures.json

A table uses only strings for which all libraries return the same result. The exit status is 0 even
if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import yarl
from ada_url import URLSearchParams
from identifiers import options
from references import compare, one, run

from uriverse import URI, Params

if TYPE_CHECKING:
    from measure import Table

#: Templates for distinct strings: each `{}` is replaced with a number.
QUERY = "a={}&b=2&c=%20x&d=&e=hello+world&f=3&f=4"
TEN = "http://example.org/a/b?" + "&".join(f"{name}={{}}" for name in "abcdefghij")

Texts = Sequence[str]


def reading(strings: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one('uriverse Params(text)["e"]', lambda text: Params(text)["e"]),
        one("urllib.parse.parse_qsl, dict", lambda text: dict(parse_qsl(text))["e"], 0.35),
        one("ada_url.URLSearchParams, get", lambda text: URLSearchParams(text).get("e"), 0.8),
        one("yarl.URL.build, query", lambda text: yarl.URL.build(query_string=text).query["e"]),
    ]
    texts = map(QUERY.format, range(strings))
    yield compare("one parameter of a query", contenders, texts, strings, rounds)
    contenders = [
        one("uriverse Params(text).items()", lambda text: list(Params(text).items())),
        one("urllib.parse.parse_qsl", lambda text: parse_qsl(text, keep_blank_values=True)),
        one("ada_url.URLSearchParams, items", lambda text: list(URLSearchParams(text).items())),
    ]
    texts = map(QUERY.format, range(strings))
    yield compare("all parameters of a query", contenders, texts, strings, rounds)


def editing(strings: int, rounds: int) -> Iterator[Table]:
    texts = [TEN.format(*range(number, number + 10)) for number in range(strings)]
    contenders = [
        one(
            "uriverse with_params(params.with_param()), str",
            lambda uri: str(uri.with_params(uri.params.with_param("e", "new value"))),
            None,
            URI,
        ),
        one(
            "yarl update_query, str",
            lambda url: str(url.update_query(e="new value")),
            0.15,
            yarl.URL,
        ),
    ]
    yield compare("one of ten parameters exchanged", contenders, texts, strings, rounds)
    contenders = [
        one(
            "uriverse with_params(params.updated()), str",
            lambda uri: str(uri.with_params(uri.params.updated({"e": [1, 2], "k": "l"}))),
            None,
            URI,
        ),
        one(
            "yarl update_query, str",
            lambda url: str(url.update_query({"e": [1, 2], "k": "l"})),
            None,
            yarl.URL,
        ),
    ]
    yield compare("two of ten parameters exchanged", contenders, texts, strings, rounds)
    contenders = [
        one(
            "uriverse with_segments(segments.with_name()), str",
            lambda uri: str(uri.with_segments(uri.segments.with_name("c d"))),
            None,
            URI,
        ),
        one("yarl with_name, str", lambda url: str(url.with_name("c d")), None, yarl.URL),
    ]
    paths = [f"http://example.org/a/b{number}/c" for number in range(strings)]
    yield compare("a name exchanged", contenders, paths, strings, rounds)
    contenders = [
        one("uriverse uri / segment, str", lambda uri: str(uri / "c d"), None, URI),
        one("yarl url / segment, str", lambda url: str(url / "c d"), None, yarl.URL),
    ]
    yield compare("a segment added", contenders, paths, strings, rounds)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare edits of paths and queries.").parse_args(command_line)
    run(arguments, (group(arguments.strings, arguments.rounds) for group in (reading, editing)))


if __name__ == "__main__":
    main()
