"""Write the held-out strings: `python -m compare_conformance.held_out`.

These are random strings for which mainstream clients connect to different hosts or ports. Their
seed was used for nothing else, and no finding of `uriverse.check` was written for one of them. The
file contains the connections, so a test without the clients can check that a finding concerns each
difference. If a finding changes because of one of these strings, the file needs a new seed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, filterfalse
from pathlib import Path
from typing import Any

from compare_conformance.clients import MAINSTREAM
from compare_conformance.explaining import explaining
from compare_conformance.mutants import STARTS, mutants
from compare_conformance.published import GROUPS
from compare_conformance.requesting import request_all, requestable, targets
from compare_conformance.tallies import differ, possible, written
from compare_conformance.telling import TELLING
from conformance.dialing.verifying import Connections
from conformance.report import environment
from uriverse_compare import Parser, Target, installed

FILE = Path(__file__).parent / "vectors" / "held-out.json"

#: The seed of the random strings, and the number of http and https URIs that are requested.
SEED, REQUESTS = 20261127, 1000


def requested(parsers: Sequence[Parser], seed: int, count: int) -> dict[str, Any]:
    """Request random strings, and return those for which clients differ."""
    texts = requestable(filterfalse(chosen().__contains__, mutants(seed, 20 * count)), count)
    made, _ = request_all(parsers, texts)
    return {
        "date": environment()["date"],
        "seed": seed,
        "requested": len(texts),
        "clients": {parser.name: parser.version for parser in parsers},
        "cases": list(differences(made, texts)),
    }


def chosen() -> set[str]:
    """Return the strings that were chosen, and could have guided a finding."""
    published = chain.from_iterable(group.texts for group in GROUPS)
    return {*STARTS, *chain.from_iterable(TELLING.values()), *published}


def differences(made: Mapping[str, Connections], texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the strings for which clients differ, with the clients of each host and port."""
    for text in texts:
        found = targets(made, text)
        if differ(list(found.values())):
            clients: dict[Target, list[str]] = {}
            for name, target in found.items():
                if target:
                    clients.setdefault(target, []).append(name)
            connections = [[*target, *names] for target, names in clients.items()]
            yield {"input": text, "connections": connections}


def load() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return data


def missed(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the strings with a difference that no finding concerns."""
    return [
        case["input"]
        for case in cases
        if not explaining(
            case["input"],
            {written(case["input"], Target(host, port)) for host, port, *_ in case["connections"]},
        )
    ]


def possible_count(cases: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of strings for which clients connect to different possible hosts."""
    return sum(
        differ(possible(Target(host, port) for host, port, *_ in case["connections"]))
        for case in cases
    )


def as_lines(data: Mapping[str, Any]) -> str:
    """Return JSON with a line for each case."""
    head = json.dumps({key: data[key] for key in data if key != "cases"})
    lines = ",\n".join(map(json.dumps, data["cases"]))
    return f'{head[:-1]}, "cases": [\n{lines}\n]}}\n'


def main() -> None:
    parsers = installed(MAINSTREAM)
    absent = {*MAINSTREAM} - {parser.name for parser in parsers}
    if absent:
        sys.exit(f"not installed: {', '.join(sorted(absent))}")
    FILE.write_text(as_lines(requested(parsers, SEED, REQUESTS)), "utf-8")


if __name__ == "__main__":
    main()
