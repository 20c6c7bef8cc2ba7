"""Make the requests of all clients that can run here, and count their connections."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from conformance.clients import FUNCTIONS
from conformance.dialing.verifying import Connections, Verification, connections, verified
from uriverse_compare import Parser, Target

#: Matches the strings that all HTTP clients request.
WEB = re.compile(r"https?:", re.ASCII | re.IGNORECASE)


def requestable(texts: Iterable[str], count: int | None = None) -> list[str]:
    """Return the first strings with the scheme http or https; all without a count."""
    return list(islice(filter(WEB.match, texts), count))


def request_all(
    parsers: Sequence[Parser], texts: Sequence[str]
) -> tuple[dict[str, Connections], dict[str, Verification]]:
    """Request strings with each client; return its connections, and how its adapter did."""
    made: dict[str, Connections] = {}
    results: dict[str, Verification] = {}
    for parser in parsers:
        if parser.name not in FUNCTIONS:
            continue
        if sys.stderr.isatty():
            print(f"requests of {parser.name}", file=sys.stderr, flush=True)
        chosen = texts if "http" in parser.dials else list(map(for_libpq, texts))
        found = connections(parser.name, chosen)
        if found is None:
            continue
        results[parser.name] = verified(parser, found)
        if "http" in parser.dials:
            made[parser.name] = found
    return made, results


def for_libpq(text: str) -> str:
    """Replace the scheme, because libpq connects only to the hosts of its own schemes."""
    return WEB.sub("postgresql:", text, count=1)


def targets(made: Mapping[str, Connections], text: str) -> dict[str, Target | None]:
    """Return the connection of each client that requested a string."""
    return {name: found[text] for name, found in made.items() if text in found}
