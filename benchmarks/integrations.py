"""Compare the integrations with other libraries, and with the creation of the values alone.

    python benchmarks/integrations.py
    python benchmarks/integrations.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from typing import Any

import measure
from identifiers import options
from measure import Contender, Table
from references import compare, one, run


def rdf_prefixes(number: int) -> dict[str, str]:
    """Return namespaces like those of ontologies and vocabularies; some are nested."""
    obo = "http://purl.obolibrary.org/obo/"
    found = {"OBO": obo}
    for k in range(number - 1):
        found[f"p{k}"] = (f"{obo}P{k}_", f"http://vocabulary-{k}.example/ns#")[k % 2]
    return found


def at_once(function: Callable[[Any], object], texts: Sequence[Any]) -> None:
    """Pass all strings to one call."""
    function(texts)


def call_with(function: Callable[[Any], object], given: object, _: object) -> object:
    """Call a function with an argument that was created before the clock started."""
    return function(given)


def compressed(converter: Any, rows: Sequence[str]) -> list[str]:
    return [*map(converter.compress, rows)]


def curies(strings: int, rounds: int) -> Iterator[Table]:
    """Compare CURIEs with the package `curies`."""
    import pyarrow as pa
    from curies import Converter

    from uriverse.rdf import PrefixMap

    for number in (10, 1000):
        given = rdf_prefixes(number)
        ours, theirs = PrefixMap(given), Converter.from_prefix_map(given)
        names = list(given)
        # With many prefixes, `curies` takes hundreds of microseconds to expand a CURIE.
        some = min(strings, 200_000 // number)
        texts = [f"{names[k % number]}:{k:07}" for k in range(strings)]
        iris = [str(ours.expand(text)) for text in texts]
        size = f"{number:,} prefixes"
        contenders = [
            one("uriverse PrefixMap.expand, str", lambda text, own=ours: str(own.expand(text))),
            one("curies Converter.expand", theirs.expand, 0.2),
        ]
        yield compare(f"expand a CURIE, {size}", contenders, texts, some, rounds)
        contenders = [
            one("uriverse PrefixMap.compact", ours.compact),
            one("curies Converter.compress", theirs.compress, 0.2),
        ]
        yield compare(f"compact an IRI, {size}", contenders, iris, strings, rounds)
        column = pa.array(iris)
        work: list[tuple[str, Callable[[Any], object], float | None]] = [
            ("uriverse compact_column, list", ours.compact_column, None),
            (
                "uriverse compact_column, Arrow",
                partial(call_with, ours.compact_column, column),
                None,
            ),
            ("curies compress, list", partial(compressed, theirs), 0.2),
        ]
        rows = measure.in_turn(
            [
                Contender(name, [(function, iris)], None, target, None, at_once)
                for name, function, target in work
            ],
            rounds,
        )
        notes = (f"{len(iris):,} strings; {rounds} rounds",)
        yield Table(f"compact a column, {size}", "ns", notes, rows)


def ntriples(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the check of N-Triples with parsers, and with `columns.parse` on the same IRIs."""
    import pyarrow as pa
    import pyoxigraph
    import rdflib

    from uriverse import columns
    from uriverse.rdf import check_ntriples

    objects = (
        "<http://dbpedia.org/resource/Object_{}>",
        '"A literal of {} in some words"@en',
        '"{}"^^<http://www.w3.org/2001/XMLSchema#integer>',
    )
    lines = [
        f"<http://dbpedia.org/resource/Subject_{k // 8}> <http://dbpedia.org/ontology/p{k % 50}>"
        f" {objects[k % 3].format(k)} .\n"
        for k in range(strings)
    ]
    document = "".join(lines).encode()
    iris = pa.array(re.findall("<(.*?)>", document.decode()))
    work: list[tuple[str, Callable[[Any], object]]] = [
        ("uriverse check_ntriples", lambda _: [*check_ntriples(BytesIO(document))]),
        ("uriverse columns.parse, only the IRIs", lambda _: columns.parse(iris, "iri", threads=1)),
        (
            "pyoxigraph.parse",
            lambda _: deque(pyoxigraph.parse(document, pyoxigraph.RdfFormat.N_TRIPLES), 0),
        ),
        ("rdflib Graph.parse", lambda _: rdflib.Graph().parse(data=document, format="nt")),
    ]
    contenders = [
        Contender(name, [(check, lines)], None, None, None, at_once) for name, check in work
    ]
    rows = measure.in_turn(contenders, rounds)
    mean = len(document) / len(lines)
    speeds = [f"{row.name} {1000 * mean / row.figure.median:,.0f} MB/s" for row in rows]
    notes = (
        f"{len(lines):,} triples; {mean:.0f} bytes per triple; {rounds} rounds",
        ", ".join(speeds),
    )
    yield Table("check the IRIs of N-Triples, per triple", "ns", notes, rows)


#: The comparisons of each library. Each function yields tables, for a number of strings and rounds.
GROUPS: tuple[Callable[[int, int], Iterator[Table]], ...] = (curies, ntriples)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare the integrations with other libraries.").parse_args(command_line)
    run(arguments, (group(arguments.strings, arguments.rounds) for group in GROUPS))


if __name__ == "__main__":
    main()
