"""Compare `redact` with OpenTelemetry's function, and `columns.redact` with `columns.parse`.

Also measure `redact` for nested URIs, and `str()` of errors, which contains a redacted string.

    python benchmarks/redaction.py
    python benchmarks/redaction.py --json figures.json

The peer is the package `opentelemetry-util-http`, which redacts fewer parameters. The exit status
is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from inputs import corpus
from opentelemetry.util.http import redact_url
from references import compare, one, run

from uriverse import URI, ParseError, columns, redact

if TYPE_CHECKING:
    from measure import Table

#: Templates for distinct strings, in which `{}` is replaced with a number.
SHAPES = (
    "https://www.example.org/articles/{}?page=2&sort=date",
    "https://me:pw@www.example.org/articles/{}?page=2",
    "https://www.example.org/articles/{}?page=2&sig=c2lnbmF0dXJl",
)

#: The same for invalid strings, by title, with the limit of `str(error)` in nanoseconds, and the
#: number of strings: a usual URL with 25 parameters, and a megabyte of delimiters.
INVALID = (
    (
        "an error for a URL with 25 parameters",
        "https://www.example.org/{}?" + "&".join(f"name{n}=value{n}" for n in range(25)) + "^",
        10_000,
        500,
    ),
    ("an error for 1 MB of delimiters", "https://h/{}?" + "@:/" * 350_000 + " ", 20_000_000, 3),
)

#: The limit for a URI inside up to three other URIs, in nanoseconds.
NESTED_LIMIT = 5_000

#: The largest time of a column in which one of ten rows has a secret, as a multiple of `parse`.
LIMIT = 1.5

#: Queries without secrets.
QUERIES = {
    "one parameter": "page=2",
    "five parameters": "page=2&sort=name&lang=en&q=word&id=7",
}


def strings(count: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one("uriverse redact(usernames=True)", lambda text: redact(text, usernames=True)),
        one("opentelemetry redact_url", redact_url),
    ]
    for shape in SHAPES:
        yield compare(shape, contenders, [*map(shape.format, range(count))], count, rounds)


def nested(count: int, rounds: int) -> Iterator[Table]:
    contenders = [one("uriverse redact", redact, NESTED_LIMIT)]
    with_paths = [one("uriverse redact", partial(redact, paths=True), NESTED_LIMIT)]
    texts = [*map(SHAPES[1].format, range(count))]
    for depth in range(1, 4):
        texts = [f"https://host/?page=2&next={quote(text, safe='')}" for text in texts]
        yield compare(f"a password in {depth} URIs", contenders, texts, count, rounds)
        yield compare(f"the same in {depth} URIs, and paths", with_paths, texts, count, rounds)


def errors(rounds: int) -> Iterator[Table]:
    for title, shape, limit, count in INVALID:
        contenders = [one("uriverse str(error)", str, limit, error_of)]
        yield compare(title, contenders, map(shape.format, range(count)), count, rounds)


def error_of(text: str) -> ParseError:
    """Return the error for an invalid URI, before anything has read its message."""
    try:
        URI(text)
    except ParseError as error:
        return error
    raise AssertionError(text)


def rows(texts: Sequence[str], rounds: int) -> Iterator[Table]:
    with_secrets = [
        f"{text}{'&' if '?' in text else '?'}access_token=c2VjcmV0" if number % 10 == 0 else text
        for number, text in enumerate(texts)
    ]
    columns_of_texts = {
        "URLs": texts,
        "a tenth with a token": with_secrets,
        **{
            f"URLs with {title}": [
                f"https://www.example.org/{n}?{query}" for n in range(len(texts))
            ]
            for title, query in QUERIES.items()
        },
    }
    for title, given in columns_of_texts.items():
        column = pa.array(given)
        passes: Passes = {
            "uriverse columns.redact": (partial(columns.redact, column, threads=1), None),
            "uriverse columns.parse": (partial(columns.parse, column, threads=1), LIMIT),
        }
        yield from in_turn(f"columns of {title}", passes, len(column), rounds)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare the redaction of URLs.").parse_args(command_line)
    texts = corpus(arguments.corpora)
    run(
        arguments,
        [
            strings(arguments.strings, arguments.rounds),
            nested(arguments.strings, arguments.rounds),
            errors(arguments.rounds),
            rows(texts, arguments.rounds),
        ],
    )


if __name__ == "__main__":
    main()
