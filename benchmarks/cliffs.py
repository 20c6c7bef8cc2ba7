"""Find ordinary URLs that take a function much longer than plain ones.

    python benchmarks/cliffs.py                  # with the kinds of URLs below
    python benchmarks/cliffs.py --urls FILE      # and with those of a JSON file or a text file
    python benchmarks/cliffs.py --only "Policy*"

Print, for each function, the time for a plain URL, the kind of URL that takes longest, and the
ratio. Each call has another string, because caches would hide the work for a new one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
from measure import CLOCK

import uriverse
from uriverse import URI, Policy, columns, parse

#: The ratios above which a function has a cliff, for values and for columns.
LIMITS = {"value": 20, "column": 5}
CALLS, ROWS, ROUNDS = 40, 2_000, 5

#: Stands for the number in a URL that is turned into a template.
MARK = "zz0zz"

PLAIN = "https://www.example{}.com/a/b?c=d"
KINDS = {
    "no query": "https://www.example{}.com/a/b",
    "five parameters": "https://www.example{}.com/a?b=c&d=e&f=g&h=i&j=k",
    "port": "https://www.example{}.com:8080/a/b?c=d",
    "upper case": "HTTPS://WWW.Example{}.COM/a/b?c=d",
    "dot segments": "https://www.example{}.com/a/./b/../c?d=e",
    "%2e": "https://www.example{}.com/a%2eb?c=d",
    "%2F": "https://www.example{}.com/a%2Fb?c=d",
    "%C3%A9": "https://www.example{}.com/a%C3%A9b?c=d",
    "+": "https://www.example{}.com/a+b?c=d+e",
    "é in the path": "https://www.example{}.com/aéb?c=d",
    "CJK in the path": "https://www.example{}.com/日本語?c=d",
    "é in the query": "https://www.example{}.com/a?c=é",
    "fragment": "https://www.example{}.com/a?c=d#e",
    "userinfo": "https://user@www.example{}.com/a/b?c=d",
    "IPv4": "http://93.184.{1}.{2}/a/b?c=d",
    "IPv6": "http://[2606:4700::{}]/a/b?c=d",
    "xn--": "https://www.xn--bcher{}-kva.com/a/b?c=d",
    "IDN": "https://www.bücher{}.com/a/b?c=d",
    "CJK host": "https://www.例え{}.com/a/b?c=d",
    "an IDN seen before": "https://www.bücher.com/a{}/b?c=d",
    "file": "file:///a/b{}.txt",
    "mailto": "mailto:a{}@example.com",
    "urn": "urn:isbn:{}",
    "data": "data:text/plain,{}",
    "localhost": "http://localhost:8000/a{}",
}

BASE = URI("https://www.example.org/a/b/c?d#e")
POLICY = Policy(allow=["https://*.com/", "http://93.184.0.0/16", "http://[2606:4700::]/32"])
PUBLIC_WEB = Policy.public_web()


def ignore_errors(function: Callable[[Any], object]) -> Callable[[Any], object]:
    def call(argument: Any) -> object:
        try:
            return function(argument)
        except uriverse.URIError:
            return None

    return call


#: The functions of strings, and those of values.
OF_TEXT: dict[str, Callable[[str], object]] = {
    "parse": parse,
    "is_uri": uriverse.is_uri,
    "check": uriverse.check,
    "repair": uriverse.repair,
    "redact": uriverse.redact,
    "redact, a sentence": lambda text: uriverse.redact(f"see {text} and so on"),
    "extract": lambda text: [*uriverse.extract(f"see {text} and so on")],
    "Policy.allows": POLICY.allows,
    "Policy.allows, public_web": PUBLIC_WEB.allows,
    "resolve": BASE.resolve,
}
OF_VALUES: dict[str, Callable[[Any], object]] = {
    "str": str,
    "repr": repr,
    "hash": hash,
    "host": lambda uri: uri.host,
    "port": lambda uri: uri.port,
    "path": lambda uri: uri.path,
    "origin": lambda uri: uri.origin,
    "segments": lambda uri: uri.segments,
    "params": lambda uri: uri.params,
    "normalize": lambda uri: uri.normalize(),
    "normalize, scheme": lambda uri: uri.normalize(scheme=True),
    "is_normalized": lambda uri: uri.is_normalized(),
    "to_uri": lambda uri: uri.to_uri(),
    "to_uri, idna": lambda uri: uri.to_uri(host="idna"),
    "to_iri": lambda uri: uri.to_iri(),
    "display": lambda uri: uri.display(),
    "redacted": lambda uri: uri.redacted(),
    "replace, path": lambda uri: uri.replace(path="/x"),
    "with_param": lambda uri: uri.with_param("x", "y"),
    "without_params": lambda uri: uri.without_params("c"),
    "with_fragment": lambda uri: uri.with_fragment("x"),
    "relative_to": BASE.replace(host="www.example.com").relative_to,
    "equivalent": lambda uri: uri.equivalent(BASE),
    "hostname": lambda uri: getattr(uri, "hostname", None),
}
COLUMNS: dict[str, Callable[[Any], object]] = {
    "is_valid": columns.is_valid,
    "parse": columns.parse,
    "host": columns.host,
    "hostname": columns.hostname,
    "origin": columns.origin,
    "normalize": columns.normalize,
    "to_uri": columns.to_uri,
    "redact": columns.redact,
    "repair": columns.repair,
    "findings": columns.findings,
    "resolve": lambda rows: columns.resolve(str(BASE), rows),
    "allowed": lambda rows: columns.allowed(rows, POLICY),
    "allowed, public_web": lambda rows: columns.allowed(rows, PUBLIC_WEB),
    "surt": columns.surt,
}


def read_urls(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        yield from json.loads(text)["urls"]
    else:
        yield from text.splitlines()


def make_template(url: str) -> str:
    """Return a template for strings like a URL, with a number after the first slash of its path."""
    uri = parse(url)
    path = uri.path or "/"
    slash = path.find("/") + 1
    template = str(uri.replace(path=f"{path[:slash]}x{MARK}{path[slash:]}"))
    return template.replace("{", "{{").replace("}", "}}").replace(MARK, "{}")


def fill(template: str, number: int) -> str:
    return template.format(number, number % 250, number // 250)


def time_calls(function: Callable[[Any], object], arguments: Sequence[Sequence[Any]]) -> float:
    """Return the shortest time of a call in nanoseconds; each round has its own arguments."""
    times = []
    for values in arguments:
        start = CLOCK()
        for value in values:
            function(value)
        times.append((CLOCK() - start) / len(values))
    return min(times)


@dataclass(frozen=True)
class Measure:
    """A function to measure, with another one that makes its argument from a string."""

    function: Callable[[Any], object]
    make: Callable[[str], object] = str

    def take_time(self, template: str) -> float:
        """Return nanoseconds."""
        numbers = count()
        arguments = [
            [self.make(fill(template, next(numbers))) for _ in range(CALLS)] for _ in range(ROUNDS)
        ]
        return time_calls(ignore_errors(self.function), arguments)


class ColumnMeasure(Measure):
    def take_time(self, template: str) -> float:
        """Return nanoseconds for a row."""
        numbers = count()
        columns_of_urls = [
            [pa.array([fill(template, next(numbers)) for _ in range(ROWS)])] for _ in range(ROUNDS)
        ]
        return time_calls(self.function, columns_of_urls) / ROWS


MEASURES: dict[str, Measure] = {
    **{name: Measure(function) for name, function in OF_TEXT.items()},
    **{name: Measure(function, parse) for name, function in OF_VALUES.items()},
    **{f"columns.{name}": ColumnMeasure(function) for name, function in COLUMNS.items()},
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Find ordinary URLs that take much longer.")
    parser.add_argument("--urls", type=Path, action="append", default=[], help="a file of URLs")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the functions to measure")
    options = parser.parse_args()
    templates = dict(KINDS)
    for path in options.urls:
        urls = filter(uriverse.is_iri, read_urls(path))
        templates.update((url, make_template(url)) for url in urls)
    print("| function | plain | slowest | ratio | its URL |\n|---|---:|---:|---:|---|")
    for name, measure in MEASURES.items():
        if not fnmatchcase(name, options.only):
            continue
        measure.take_time(PLAIN)  # loads what the function needs
        plain_time = measure.take_time(PLAIN)
        times = {label: measure.take_time(template) for label, template in templates.items()}
        label = max(times, key=times.__getitem__)
        ratio = times[label] / plain_time
        limit = LIMITS["column" if isinstance(measure, ColumnMeasure) else "value"]
        mark = " **" if ratio > limit else ""
        cells = (
            name,
            f"{plain_time:,.0f} ns",
            f"{times[label]:,.0f} ns",
            f"{ratio:.1f}{mark}",
            label,
        )
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
