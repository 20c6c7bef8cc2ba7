"""Compare resolution, normalization, percent-encoding and IRI conversion with other libraries.

    python benchmarks/references.py
    python benchmarks/references.py --json figures.json

A table uses only strings for which all libraries return the same result. The exit status is 0 even
if a target is missed. See README.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, cycle
from urllib.parse import quote, unquote, urljoin

import can_ada
import measure
import rfc3986
import url
from identifiers import PAST_ASCII, options, show
from inputs import corpus
from measure import Contender, Table
from peers import versions
from yarl._quoting import _Quoter, _Unquoter

from uriverse import IRI, URI, URIReference, __version__, _engine, percent, split

BASE = "http://a.example/b/c/d;p?q"
#: A string of a megabyte, to show whether the time depends on the length.
LONG = "http://a.example/" + "b/" * 500_000

Texts = Sequence[str]


def compare(
    title: str, contenders: Sequence[Contender], texts: Iterable[str], strings: int, rounds: int
) -> Table:
    """Measure libraries on strings for which all results are equal; the first one is uriverse."""
    work: list[str] = []
    tried = 0
    others = dict.fromkeys([contender.name for contender in contenders[1:]], 0)
    for text in dict.fromkeys(texts):
        if len(work) == strings:
            break
        tried += 1
        wanted = result_of(contenders[0], text)
        different = [c.name for c in contenders[1:] if result_of(c, text) != wanted]
        for name in different:
            others[name] += 1
        if wanted is not None and not different:
            work.append(text)
    if not work:
        raise SystemExit(f"{title}: no string has the same result in all libraries")
    with_work = [
        Contender(c.name, [(c.work[0][0], work)], None, c.target, c.made_of) for c in contenders
    ]
    rows = measure.in_turn(with_work, rounds)
    mean = sum(map(len, work)) / len(work)
    counts = ", ".join(f"{name} {count}" for name, count in others.items() if count)
    taken = f"{len(work):,} strings with equal results, of {tried:,} tried"
    notes = (
        f"{taken}; different: {counts or 'none'}",
        f"{mean:.0f} characters on average; {rounds} rounds",
    )
    return Table(title, "ns", notes, rows)


def result_of(contender: Contender, text: str) -> object:
    """Return the result of a library for a string, or `None` after an error."""
    function = contender.work[0][0]
    try:
        return function(text if contender.made_of is None else contender.made_of(text))
    # Each library has its own exceptions, and some raise unintended ones.
    except Exception:  # noqa: BLE001
        return None


def one(
    name: str,
    function: Callable[..., object],
    target: float | None = None,
    made_of: Callable[[str], object] | None = None,
) -> Contender:
    return Contender(name, [(function, ())], None, target, made_of)


def references(texts: Texts) -> Iterator[str]:
    """Yield a reference made from each string: absolute, rooted or relative, in turn."""
    for kind, text in zip(cycle(range(5)), texts, strict=False):
        parts = split(text)
        tail = "" if parts.query is None else f"?{parts.query}"
        rootless = parts.path.lstrip("/")
        yield (text, f"{parts.path}{tail}", f"../{rootless}", f"./{rootless}", f"../../{tail}")[
            kind
        ]


def resolving(texts: Texts, strings: int, rounds: int) -> Iterator[Table]:
    ours, theirs = URI(BASE), url.URL.parse(BASE)
    contenders = [
        one("uriverse base.resolve(text), str", lambda text: str(ours.resolve(text))),
        one("url-py base.join(text), str", lambda text: str(theirs.join(text)), 0.45),
        one("urllib.parse.urljoin", lambda text: urljoin(BASE, text), 0.06),
    ]
    yield compare("resolve", contenders, references(texts), strings, rounds)


def untidy(texts: Texts) -> Iterator[str]:
    """Yield URIs that are not normalized: upper-case scheme and host, a dot segment in the path."""
    for text in texts:
        parts = split(text)
        if parts.scheme and parts.authority and parts.path.startswith("/"):
            rest = text[text.index(parts.authority) + len(parts.authority) + len(parts.path) :]
            path = parts.path.replace("/", "/./", 1)
            yield f"{parts.scheme.upper()}://{parts.authority.upper()}{path}{rest}"


def normalizing(texts: Texts, strings: int, rounds: int) -> Iterator[Table]:
    def contenders(*, made: bool) -> list[Contender]:
        return [
            one("uriverse value.normalize(), str", lambda value: str(value.normalize()), None, URI)
            if made
            else one(
                "uriverse URI(text).normalize(), str", lambda text: str(URI(text).normalize())
            ),
            one("can_ada.parse, str", lambda text: str(can_ada.parse(text)), 0.5 if made else 0.4),
            one("url.URL.parse, str", lambda text: str(url.URL.parse(text)), 0.5 if made else None),
            one(
                "rfc3986 normalize, unsplit",
                lambda text: rfc3986.uri_reference(text).normalize().unsplit(),
                0.03 if made else None,
            ),
        ]

    for name, some in (("", texts), (", untidy texts", list(untidy(texts)))):
        yield compare(f"normalize{name}", contenders(made=True), some, strings, rounds)
        yield compare(f"parse and normalize{name}", contenders(made=False), some, strings, rounds)


def percent_coding(texts: Texts, strings: int, rounds: int) -> Iterator[Table]:
    unquoter, quoter = _Unquoter(), _Quoter(requote=False)

    def decoders() -> list[Contender]:
        return [
            one("uriverse percent.decode", percent.decode),
            one("yarl _Unquoter", unquoter, 1.0),
            one("urllib.parse.unquote", unquote),
        ]

    def encoders() -> list[Contender]:
        return [
            one(
                "uriverse percent.encode, unreserved",
                lambda text: percent.encode(text, "unreserved"),
            ),
            # Call it through a lambda like uriverse, for a fair comparison.
            one("yarl _Quoter", lambda text: quoter(text), 1.0),  # noqa: PLW0108
            one("urllib.parse.quote", lambda text: quote(text, safe="")),
        ]

    paths = [part for text in texts for part in split(text).path.split("/") if part]
    data = [f"{unquote(part)} {PAST_ASCII[1:]}" for part in paths]
    yield compare("decode, segments", decoders(), paths, strings, rounds)
    yield compare("decode, encoded data", decoders(), map(quote, data), strings, rounds)
    yield compare("encode, segments", encoders(), paths, strings, rounds)
    yield compare("encode, data", encoders(), data, strings, rounds)


def converting(texts: Texts, strings: int, rounds: int) -> Iterator[Table]:
    contenders = [
        one("uriverse value.to_uri(), in ASCII", lambda value: value.to_uri(), None, URI),
        one("the same value", lambda value: value, None, URI),
    ]
    yield compare("to_uri", contenders, texts, strings, rounds)
    yield compare("to_uri, a megabyte", contenders, [LONG], 1, rounds)
    contenders = [
        one("uriverse IRI(text).to_uri(), str", lambda text: str(IRI(text).to_uri())),
        one("can_ada.parse, str", lambda text: str(can_ada.parse(text))),
        one("url.URL.parse, str", lambda text: str(url.URL.parse(text))),
    ]
    past_ascii = [text + PAST_ASCII for text in texts]
    yield compare("to_uri, past ASCII", contenders, past_ascii, strings, rounds)


def run(arguments: argparse.Namespace, groups: Iterable[Iterable[Table]]) -> None:
    """Print each table when it is complete, and write all of them to a file with `--json`."""
    machine = measure.machine(__version__, compiled=_engine.compiled)
    print(measure.statement(machine, versions()))
    tables = []
    for table in chain.from_iterable(groups):
        show(table)
        tables.append(table)
    if arguments.json:
        figures = {
            "machine": machine,
            "peers": versions(),
            "tables": [table.as_json() for table in tables],
        }
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare operations on references.").parse_args(command_line)
    texts = [text for text in corpus(arguments.corpora) if URIReference.try_parse(text)]
    groups = (resolving, normalizing, percent_coding, converting)
    run(arguments, (group(texts, arguments.strings, arguments.rounds) for group in groups))


if __name__ == "__main__":
    main()
