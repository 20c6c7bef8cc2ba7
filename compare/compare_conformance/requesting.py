"""Make the requests of all clients that can run here, and count their connections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from random import Random

from compare_conformance.clients import FUNCTIONS, SCHEMES, SLOW
from conformance.dialing.python_clients import CLIENTS as PACKAGES
from conformance.dialing.verifying import Connections, Verification, connections, verified
from uriverse_compare import Parser, Target

#: The number of programs that run at the same time.
WORKERS = 4

#: The number of strings that each of the slow clients requests.
SAMPLE = 500

#: Matches the strings that all HTTP clients request.
WEB = re.compile(r"https?:", re.ASCII | re.IGNORECASE)


def requestable(texts: Iterable[str], count: int | None = None) -> list[str]:
    """Return the first strings with the scheme http or https; all without a count."""
    return list(islice(filter(WEB.match, texts), count))


def request_all(
    parsers: Sequence[Parser], texts: Sequence[str]
) -> tuple[dict[str, Connections], dict[str, Verification]]:
    """Request strings with each client, and check each adapter.

    Returns:
        The connections of the clients that requested each string, by the name of the client, and
        the check of each adapter.
    """
    made: dict[str, Connections] = {}
    results: dict[str, Verification] = {}

    def request(parser: Parser) -> Connections | None:
        return connections(parser.name, requests_of(parser.name, texts))

    chosen = [parser for parser in parsers if parser.name in FUNCTIONS]
    packages = [parser for parser in chosen if parser.name in PACKAGES]
    others = [parser for parser in chosen if parser.name not in PACKAGES]
    # The packages share the resolver of this process.
    found = dict(zip(packages, map(request, packages), strict=True))
    with ThreadPoolExecutor(WORKERS) as pool:
        found |= zip(others, pool.map(request, others), strict=True)
    for parser in chosen:
        connected = found[parser]
        if connected is not None:
            results[parser.name] = verified(parser, connected)
            if parser.name not in {*SCHEMES, *SLOW}:
                made[parser.name] = connected
    return made, results


def requests_of(name: str, texts: Sequence[str]) -> list[str]:
    """Return the strings that a client requests: with its own schemes, or a sample of them."""
    if name in SLOW:
        # The strings must be the same for each client and in each run.
        return Random(0).sample(texts, min(SAMPLE, len(texts)))  # noqa: S311
    schemes = SCHEMES.get(name)
    if schemes is None:
        return list(texts)
    return [WEB.sub(f"{scheme}:", text, count=1) for scheme in schemes for text in texts]


def targets(made: Mapping[str, Connections], text: str) -> dict[str, Target | None]:
    """Return the connection of each client that requested a string."""
    return {name: found[text] for name, found in made.items() if text in found}
