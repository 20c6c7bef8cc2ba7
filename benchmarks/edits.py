"""Compare the parsing of query parameters, and edits of paths and queries, with other libraries.

    python benchmarks/edits.py
    python benchmarks/edits.py --json figures.json

The first tables use only strings for which all libraries return the same result. The last ones
compare column functions with libraries that process one row at a time. The exit status is 0 even if
a target is missed. See README.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import cycle, islice
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

import pyarrow as pa
import yarl
from ada_url import URLSearchParams
from columns import Passes, in_turn
from identifiers import options
from inputs import corpus
from references import compare, one, run
from yarl import URL

from uriverse import URI, Params, columns

if TYPE_CHECKING:
    from pathlib import Path

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


def sorted_by_urllib(text: str) -> str:
    parts = urlsplit(text)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    return parts._replace(query=urlencode(sorted(pairs))).geturl()


#: The number of rows of each column.
ROWS = 100_000

#: The most nanoseconds per row of a column function that edits or lists, classifies, or finds parts
#: of hosts.
EDIT, CLASS, PART = 100, 60, 30

#: Column functions with their arguments, the most nanoseconds per row, and a library's name and
#: function for one row, if one does the same.
COLUMN_FUNCTIONS: tuple[
    tuple[str, tuple[object, ...], int | None, tuple[str, Callable[[str], object]] | None], ...
] = (
    ("is_flagged", (), CLASS, None),
    ("with_scheme", ("https",), EDIT, ("yarl", lambda text: str(URL(text).with_scheme("https")))),
    (
        "with_host",
        ("b.example",),
        EDIT,
        ("yarl", lambda text: str(URL(text).with_host("b.example"))),
    ),
    ("with_port", (8080,), EDIT, ("yarl", lambda text: str(URL(text).with_port(8080)))),
    ("with_param", ("p", "1"), EDIT, ("yarl", lambda text: str(URL(text).update_query(p="1")))),
    ("add_param", ("p", "1"), EDIT, ("yarl", lambda text: str(URL(text).extend_query(p="1")))),
    ("sorted_params", (), EDIT, ("urllib", sorted_by_urllib)),
    ("path_segments", (), EDIT, ("yarl", lambda text: URL(text).parts)),
    ("param_names", (), EDIT, ("yarl", lambda text: [*URL(text).query])),
    ("param_values", ("p",), EDIT, ("yarl", lambda text: URL(text).query.getall("p", []))),
    (
        *("is_same_origin", ("https://a.example/",), CLASS),
        ("yarl", lambda text: URL(text).origin() == URL("https://a.example")),
    ),
    ("scope", (), CLASS, None),
    ("ip", (), CLASS, None),
    ("display", (), None, ("yarl", lambda text: URL(text).human_repr())),
)


def on_columns(folder: Path | None, rounds: int) -> Iterator[Table]:
    """Measure column functions on URLs, and on the same URLs with two parameters."""
    urls = [text for text in corpus(folder) if text.startswith("http") and "://" in text]
    urls = [text for text in urls if URI.try_parse(text) and accepted_by_yarl(text)]
    inputs = {"links": urls, "queries": [f"{text.partition('?')[0]}?q=a&p=b+c" for text in urls]}
    for name, arguments, most, peer in COLUMN_FUNCTIONS:
        for kind, given in inputs.items():
            yield from on_column(name, arguments, most, kind, given, rounds, peer)
    if find_spec("publicsuffixlist"):
        from publicsuffixlist import PublicSuffixList

        known = PublicSuffixList()
        parts: dict[str, Callable[[str], object]] = {
            "public_suffix": lambda text: known.publicsuffix(urlsplit(text).hostname or ""),
            "registrable_domain": lambda text: known.privatesuffix(urlsplit(text).hostname or ""),
        }
        for name, of_row in parts.items():
            for kind, given in {"links": urls, "sorted links": sorted(urls)}.items():
                peer = "publicsuffixlist", of_row
                yield from on_column(name, (), PART, kind, given, rounds, peer)


def on_column(
    name: str,
    arguments: tuple[object, ...],
    most: int | None,
    kind: str,
    urls: list[str],
    rounds: int,
    peer: tuple[str, Callable[[str], object]] | None,
) -> Iterator[Table]:
    """Compare a column function with a library that processes one row at a time."""
    rows = [*islice(cycle(urls), ROWS)]
    function = partial(getattr(columns, name), pa.array(rows), *arguments, threads=1)
    passes: Passes = {f"uriverse columns.{name}": (function, most)}
    if peer:
        library, of_row = peer
        passes[f"{library}, each"] = (lambda: [of_row(text) for text in rows], 1 / 10)
    yield from in_turn(f"{name}, {kind}", passes, ROWS, rounds, clock=time.process_time_ns)


def accepted_by_yarl(text: str) -> bool:
    try:
        return bool(URL(text).host)
    except ValueError:
        return False


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare edits of paths and queries.").parse_args(command_line)
    groups = [group(arguments.strings, arguments.rounds) for group in (reading, editing)]
    run(arguments, [*groups, on_columns(arguments.corpora, min(arguments.rounds, 5))])


if __name__ == "__main__":
    main()
