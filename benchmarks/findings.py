"""Compare `check` with `parse`, for strings with and without findings.

    python benchmarks/findings.py
    python benchmarks/findings.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from identifiers import options
from inputs import corpus
from references import compare, one, run

from uriverse import IRI, URI, check, parse

if TYPE_CHECKING:
    from measure import Table

#: The target for `check` of an ordinary URL, as a multiple of the time to parse it.
LIMIT = 5.0

#: Templates for distinct strings, in which `{}` is replaced with a number, and their targets.
SHAPES = {
    "http://www.example{}.org/a/b.html": LIMIT,
    "https://example.org:8443/a/b-c_d?e={}&f=%20g#h": LIMIT,
    "https://example.org/caf%C3%A9/{}": LIMIT,
    "https://example.org./{}": None,
    "http://good.example@0x7f.{}/a": None,
    "urn:example:{}": None,
    "mailto:a{}@example.org": None,
    "http://bücher{}.example/": None,
}


def checking(
    texts: Sequence[str], title: str, limit: float | None, strings: int, rounds: int
) -> Iterator[Table]:
    """Compare `check` with parsing; results are converted to True, because they must be equal."""
    peers = [
        one("uriverse parse(text)", lambda text: parse(text) is not None, limit),
        one("uriverse IRI(text)", lambda text: IRI(text) is not None),
    ]
    for profile in ("generic", "strict"):
        name = f'uriverse check(text, "{profile}")'
        ours = one(name, lambda text, profile=profile: check(text, profile) is not None)
        yield compare(title, [ours, *peers], texts, strings, rounds)


def normalizing(strings: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one(
            "uriverse normalize(scheme=True)",
            lambda uri: uri.normalize(scheme=True).host,
            None,
            URI,
        ),
        one("uriverse normalize()", lambda uri: uri.normalize().host, None, URI),
    ]
    texts = map("HTTP://Example.org:80/{}".format, range(strings))
    yield compare("normalize", contenders, texts, strings, rounds)


def main() -> None:
    arguments = options("Compare the time of check with that of parse.").parse_args()
    strings, rounds = arguments.strings, arguments.rounds
    texts = corpus(arguments.corpora)
    run(
        arguments,
        [
            checking(texts, "ordinary URLs", LIMIT, strings, rounds),
            *(
                checking([*map(shape.format, range(strings))], shape, limit, strings, rounds)
                for shape, limit in SHAPES.items()
            ),
            normalizing(strings, rounds),
        ],
    )


if __name__ == "__main__":
    main()
