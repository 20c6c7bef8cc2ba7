"""Measure `check` for each kind of string and for whole files, and compare it with `parse`.

Also compare `repair` with its peers.

    python benchmarks/findings.py
    python benchmarks/findings.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import can_ada
import measure
import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from inputs import corpus, generated, lines
from kinds import KINDS
from measure import Contender, Table
from references import compare, one, run
from w3lib.url import safe_url_string

from uriverse import IRI, URI, check, columns, parse, repair

#: The target for `check` of an ordinary URL, as a multiple of the time to parse it.
LIMIT = 5.0

#: Templates for distinct strings, in which `{}` is replaced with a number, and their targets.
SHAPES = {
    "http://www.example{}.org/a/b.html": LIMIT,
    "https://example.org:8443/a/b-c_d?e={}&f=%20g#h": LIMIT,
    "https://example.org/caf%C3%A9/{}": LIMIT,
    "http://good.example@0x7f.{}/a": None,
    "http://bücher{}.example/": None,
}

#: Templates of strings to repair, and the limits of `repair` in nanoseconds.
MALFORMED = {
    "https://www.example.org/a{}/b-c.html": 400,
    "https://www.example.org/a{}/b c[0].html": 2_000,
    " https://me:p|w@www.example.org/a{}\\b?c=d e#\u00e9 ": None,
}


#: The targets for `check` of a string of any kind, for the same in a column, and for the average
#: string of a file, in nanoseconds.
OF_KIND, OF_ROW, OF_LINE = 1_000, 1_200, 400
#: The targets for scheme-based normalization and comparison, in nanoseconds.
BY_SCHEME, EQUIVALENT = 500, 1_000


def kinds(strings: int, rounds: int) -> Iterator[Table]:
    texts = {kind: [*map(shape.format, range(strings))] for kind, shape in KINDS.items()}
    yield without_ratios("check, each kind", texts, OF_KIND, rounds)
    passes: Passes = {
        kind: (partial(columns.findings, pa.array(rows), threads=1), OF_ROW)
        for kind, rows in texts.items()
    }
    [table] = in_turn("columns.findings, each kind", passes, strings, rounds)
    yield replace(table, rows=tuple(replace(row, ratio=None) for row in table.rows))


def files(folder: Path | None, rounds: int) -> Iterator[Table]:
    """Measure `check` for every line of each file; a line that occurs twice counts twice."""
    texts = {"generated URLs": generated()}
    if folder is not None:
        texts = {file.stem: lines(file) for file in sorted(folder.glob("*.txt"))}
    yield without_ratios("check, each file", texts, OF_LINE, min(rounds, 9))


def without_ratios(
    title: str, texts: Mapping[str, Sequence[str]], limit: float, rounds: int
) -> Table:
    """Measure `check` for groups of strings, which are not compared with each other."""
    contenders = [Contender(name, [(check, some)], target=limit) for name, some in texts.items()]
    rows = [replace(row, ratio=None) for row in measure.in_turn(contenders, rounds)]
    counts = ", ".join(f"{len(some):,}" for some in texts.values())
    return Table(title, "ns", (f"{counts} strings; {rounds} rounds",), tuple(rows))


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
            BY_SCHEME,
            URI,
        ),
        one("uriverse normalize()", lambda uri: uri.normalize().host, None, URI),
    ]
    texts = map("HTTP://Example.org:80/{}".format, range(strings))
    yield compare("normalize", contenders, texts, strings, rounds)
    other = URI("http://example.org/a/../b")
    contenders = [
        one(
            'uriverse equivalent(level="scheme")',
            lambda uri: uri.equivalent(other, level="scheme") is not None,
            EQUIVALENT,
            URI,
        )
    ]
    texts = map("HTTP://Example.org:80/{}".format, range(strings))
    yield compare("equivalent by scheme", contenders, texts, strings, rounds)


def repairing(strings: int, rounds: int) -> Iterator[Table]:
    """Compare repairs. No peer lists its changes, and each encodes another set of characters."""
    for shape, limit in MALFORMED.items():
        contenders = [
            one("uriverse repair", lambda text: str(repair(text)) != "", limit),
            one("w3lib safe_url_string", lambda text: safe_url_string(text) != ""),
            one("can_ada.parse(text).href", lambda text: can_ada.parse(text).href != ""),
        ]
        yield compare(
            f"repair {shape}", contenders, map(shape.format, range(strings)), strings, rounds
        )


def main() -> None:
    arguments = options(
        "Compare the time of check with that of parse, and repair with peers."
    ).parse_args()
    strings, rounds = arguments.strings, arguments.rounds
    texts = corpus(arguments.corpora)
    run(
        arguments,
        [
            kinds(strings, rounds),
            files(arguments.corpora, rounds),
            checking(texts, "ordinary URLs", LIMIT, strings, rounds),
            *(
                checking([*map(shape.format, range(strings))], shape, limit, strings, rounds)
                for shape, limit in SHAPES.items()
            ),
            normalizing(strings, rounds),
            repairing(strings, rounds),
        ],
    )


if __name__ == "__main__":
    main()
