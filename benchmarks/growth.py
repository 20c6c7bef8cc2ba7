"""Measure how the time of an operation grows with the length of the string, for each library.

    python benchmarks/growth.py
    python benchmarks/growth.py --json figures.json

`plot.py` draws the results as curves. A library does not run at lengths where one call would take
longer than two seconds. The exit status is always 0.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urljoin, urlsplit

import can_ada
import rfc3986
import uritools
import url
import yarl
from measure import Contender, Function, Table, in_turn
from references import run
from yarl._url import encode_url

from uriverse import URI, percent

BASE = "http://a.example/b/c"
LENGTHS = (100, 1_000, 10_000, 100_000, 1_000_000)
#: The characters that a library processes in one pass, so that short strings can be measured too.
PASS = 200_000
#: The longest time of one call, in seconds.
LIMIT = 2.0


@dataclass(frozen=True)
class Operation:
    """An operation on long strings: a prefix and a repeated part.

    Attributes:
        name: the title of the chart.
        prefix: the beginning of the string; `{}` is replaced by a number, so that strings differ.
        part: what is repeated.
        functions: the libraries by name; the first one is uriverse.
    """

    name: str
    prefix: str
    part: str
    functions: dict[str, Function]

    def texts(self, length: int) -> list[str]:
        """Return distinct strings of about the given length."""
        repeated = self.part * (length // len(self.part))
        count = max(1, PASS // length)
        return [self.prefix.format(number) + repeated for number in range(count)]


def operations() -> list[Operation]:
    # Without the caches, because each pass has the same few strings.
    split: Any = urlsplit.__wrapped__  # type: ignore[attr-defined]
    yarl_url = encode_url.__wrapped__
    base, url_base, yarl_base = URI(BASE), url.URL.parse(BASE), yarl.URL(BASE)
    return [
        Operation(
            "parse a long path",
            "http://a{}.example/",
            "segment/",
            {
                "uriverse": URI,
                "can_ada": can_ada.parse,
                "url-py": url.URL.parse,
                "urllib": split,
                "yarl": yarl_url,
                "rfc3986": rfc3986.uri_reference,
                "uritools": uritools.urisplit,
            },
        ),
        Operation(
            "resolve dot segments",
            "d{}/",
            "../a/./b/",
            {
                "uriverse": lambda text: str(base.resolve(text)),
                "url-py": lambda text: str(url_base.join(text)),
                "urllib": lambda text: urljoin(BASE, text),
                "yarl": lambda text: str(yarl_base.join(yarl_url(text))),
                "rfc3986": lambda text: rfc3986.uri_reference(text).resolve_with(BASE).unsplit(),
                "uritools": lambda text: uritools.urijoin(BASE, text),
            },
        ),
        Operation(
            "decode escapes",
            "{}",
            "%C3%A9a",
            {
                "uriverse": percent.decode,
                "urllib": unquote,
                "uritools": uritools.uridecode,
            },
        ),
        Operation(
            "find a query parameter",
            "http://a{}.example/?",
            "name=value&",
            {
                "uriverse": lambda text: URI(text).params.get("other"),
                "urllib": lambda text: parse_qs(split(text).query).get("other"),
                "yarl": lambda text: yarl_url(text).query.get("other"),
                "uritools": lambda text: uritools.urisplit(text).getquerydict().get("other"),
            },
        ),
    ]


def seconds(function: Function, text: str) -> float:
    """Return the CPU time of one call, even of one that raises an error."""
    start = time.process_time()
    try:
        function(text)
    # Each library has its own exceptions for strings that are too long.
    except Exception:  # noqa: BLE001
        return 2 * LIMIT
    return time.process_time() - start


def growth(operation: Operation, lengths: Sequence[int], rounds: int) -> Iterator[Table]:
    """Measure an operation at each length."""
    functions = operation.functions
    slowest = dict.fromkeys(functions, 0.0)
    previous = lengths[0]
    for length in lengths:
        texts = operation.texts(length)
        # Time may grow with the square of the length, so estimate before calling.
        allowed = LIMIT * (previous / length) ** 2
        functions = {name: one for name, one in functions.items() if slowest[name] <= allowed}
        slowest = {name: seconds(one, texts[0]) for name, one in functions.items()}
        functions = {name: one for name, one in functions.items() if slowest[name] <= LIMIT}
        contenders = [Contender(name, [(one, texts)]) for name, one in functions.items()]
        rows = in_turn(contenders, rounds)
        notes = (f"{len(texts):,} strings of about {length:,} characters; {rounds} rounds",)
        yield Table(f"{operation.name}, {length:,} characters", "ns", notes, rows)
        previous = length


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure how times grow with the length.")
    parser.add_argument("--longest", type=int, default=LENGTHS[-1], help="(default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=7, help="(default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    arguments = parser.parse_args(command_line)
    lengths = [length for length in LENGTHS if length <= arguments.longest]
    run(arguments, (growth(one, lengths, arguments.rounds) for one in operations()))


if __name__ == "__main__":
    main()
