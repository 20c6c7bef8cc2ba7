"""Without one of its shortcuts, the kernel has the same results: a failure names the shortcut.

The shortcuts are in the tuple SHORTCUTS of the kernel. A bug in one of them, or in the code that it
usually replaces, changes a result when the shortcut is disabled.
"""

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tables import EVERY_CALL, HOSTILE, OF_TWO_COLUMNS

from conformance.results import run
from conformance.suites import VENDORED, load
from uriverse import IRIReference, URIReference, check, columns, parse, redact
from uriverse._engine import kernel
from uriverse.diagnosis import CODES

DATA = Path(__file__).parents[1] / "conformance" / "data"


def lines(name: str) -> list[str]:
    found = (DATA / name).read_text("utf-8").splitlines()
    return [line for line in found if line and line[0] != "#"]


#: Bases, and references and targets, of the tables of examples.
PAIRS = [
    *(tuple(line.split()[:2]) for line in lines("relative.txt")),
    *((line.split()[0], line.split()[2].strip("'")) for line in lines("relative.txt")),
    *((case["base"], case["input"]) for case in load(VENDORED / "uritools.json") if "base" in case),
]
EXAMPLES: list[str] = [
    *(json.loads(line.split(" ", 2)[2]) for line in lines("verdicts.txt")),
    *(case["text"] for case in json.loads((DATA / "components.json").read_text("utf-8"))),
    *chain.from_iterable((code.example, code.near_miss) for code in CODES.values()),
    *chain.from_iterable(PAIRS),
    *filter(None, HOSTILE),
]
#: A path of 64 bytes, the length of the windows of the fast scan.
WINDOW = f"http://a/{'b' * 54}/"
#: The examples, also after a first window.
STRINGS = [string for text in dict.fromkeys(EXAMPLES) for string in (text, WINDOW + text)]


def attempt(function: Callable[[Any], Any], argument: Any) -> object:
    try:
        result = function(argument)
    except ValueError as error:
        return str(error)
    return (str(result), result._bounds) if isinstance(result, IRIReference) else result


OF_STRINGS: dict[str, Callable[[Any], Any]] = {
    "parse": parse,
    "URIReference": URIReference,
    "check": check,
    "redact": redact,
    "normalize": lambda text: parse(text).normalize(),
    "normalize(scheme)": lambda text: parse(text).normalize(scheme=True),
    "normalize(case)": lambda text: parse(text).normalize(percent_encoding=False, ipv6=False),
    "normalize(dots)": lambda text: parse(text).normalize(dot_segments="all", case=False),
}
OF_PAIRS: dict[str, Callable[[Any], Any]] = {
    "resolve": lambda pair: parse(pair[0]).resolve(pair[1]),
    "resolve(strict)": lambda pair: parse(pair[0]).resolve(parse(pair[1]), strict=False),
    "relative_to": lambda pair: parse(pair[1]).relative_to(pair[0]),
    "relative_to(walk_up)": lambda pair: parse(pair[1]).relative_to(parse(pair[0]), walk_up=False),
}


def results() -> Iterator[tuple[str, object]]:
    for name, function in OF_STRINGS.items():
        yield name, [attempt(function, text) for text in STRINGS]
    for name, function in OF_PAIRS.items():
        yield name, [attempt(function, pair) for pair in PAIRS]
    rows = [None if "\ud800" <= max(text, default="") <= "\udfff" else text for text in STRINGS]
    for name, (arguments, options) in EVERY_CALL.items():
        yield f"columns.{name}", getattr(columns, name)(rows, *arguments, **options).to_pylist()
    bases, others = zip(*PAIRS, strict=True)
    for name in OF_TWO_COLUMNS:
        yield f"columns.{name}", getattr(columns, name)([*others], [*bases]).to_pylist()
    for suite in ("uritools", "haskell-network-uri", "w3c-rdf-jsonld-iri-resolution"):
        result = run(suite, load(VENDORED / f"{suite}.json"))
        yield suite, (result.passed, result.unexplained)


@pytest.fixture(scope="module")
def expected() -> dict[str, object]:
    return dict(results())


@pytest.mark.skipif(kernel is None, reason="the kernel is not compiled")
@pytest.mark.parametrize("shortcut", kernel.SHORTCUTS if kernel else ["none"])
def test_results_are_equal_without_a_shortcut(shortcut: str, expected: dict[str, object]) -> None:
    kernel._disable_shortcut(shortcut)
    try:
        for name, found in results():
            assert found == expected[name], f"{name} differs without {shortcut}"
    finally:
        kernel._disable_shortcut()
