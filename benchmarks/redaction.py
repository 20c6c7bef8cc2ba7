"""Compare `redact` with OpenTelemetry's function, and `columns.redact` with `columns.parse`.

    python benchmarks/redaction.py
    python benchmarks/redaction.py --json figures.json

The peer is the package `opentelemetry-util-http`, which redacts fewer parameters. The exit status
is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from inputs import corpus
from opentelemetry.util.http import redact_url
from references import compare, one, run

from uriverse import columns, redact

if TYPE_CHECKING:
    from measure import Table

#: Templates for distinct strings, in which `{}` is replaced with a number.
SHAPES = (
    "https://www.example.org/articles/{}?page=2&sort=date",
    "https://me:pw@www.example.org/articles/{}?page=2",
    "https://www.example.org/articles/{}?page=2&sig=c2lnbmF0dXJl",
)

#: The largest time of a column in which one of ten rows has a secret, as a multiple of `parse`.
LIMIT = 1.5


def strings(count: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one("uriverse redact(usernames=True)", lambda text: redact(text, usernames=True)),
        one("opentelemetry redact_url", redact_url),
    ]
    for shape in SHAPES:
        yield compare(shape, contenders, [*map(shape.format, range(count))], count, rounds)


def rows(texts: Sequence[str], rounds: int) -> Iterator[Table]:
    with_secrets = [
        f"{text}{'&' if '?' in text else '?'}access_token=c2VjcmV0" if number % 10 == 0 else text
        for number, text in enumerate(texts)
    ]
    for title, given in (("URLs", texts), ("a tenth with a token", with_secrets)):
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
        [strings(arguments.strings, arguments.rounds), rows(texts, arguments.rounds)],
    )


if __name__ == "__main__":
    main()
