"""Run several parsers on the same strings, and compare the hosts and ports that they find."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ._comparison import Comparison, Target, find_target
from ._installed import installed
from ._reading import Parser, Reading

#: A URI that every parser reads in the same way. An adapter that does not return its components is
#: faulty, so its other readings do not count.
CONTROL = "http://control.example:8080/a?b#c"


def compare(text: str, parsers: Sequence[Parser] | None = None) -> Comparison:
    """Read a string with several parsers, and compare the hosts and ports that they find.

    Args:
        text: any string.
        parsers: the parsers; `None` for all that `installed` returns.

    Returns:
        The readings, grouped by host and port.

    >>> from uriverse_compare import compare, installed
    >>> both = installed(["uriverse", "urllib.parse"])
    >>> compare("http://a.example/", both).differ
    False
    """
    return compare_all([text], parsers)[0]


def compare_all(texts: Sequence[str], parsers: Sequence[Parser] | None = None) -> list[Comparison]:
    """Compare many strings. This is faster than calling `compare` for each string.

    Programs that are written in other languages start only once.

    Args:
        texts: any strings.
        parsers: the parsers; `None` for all that `installed` returns.

    Returns:
        A comparison for each string, in the same order.

    >>> from uriverse_compare import compare_all, installed
    >>> both = installed(["uriverse", "urllib.parse"])
    >>> [found.differ for found in compare_all(["http://a/", "http://a:80/"], both)]
    [False, False]
    """
    chosen_parsers = installed() if parsers is None else parsers
    # The programs of other languages run at the same time.
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(run_with_control, parser, texts) for parser in chosen_parsers]
        columns = [future.result() for future in futures]
    return [
        Comparison(text, dict(zip(chosen_parsers, row, strict=True)))
        for text, *row in zip(texts, *columns, strict=True)
    ]


def run_with_control(parser: Parser, texts: Sequence[str]) -> list[Reading]:
    """Run a parser on strings; if it misreads the URI `CONTROL`, mark all results as failed."""
    control, *readings = parser.read([CONTROL, *texts])
    if control.outcome == "accepted" and find_target(control) == Target("control.example", 8080):
        return readings
    fault = f"the adapter is faulty: it reads {CONTROL} as {control!r}; {control.reason}"
    return [Reading("failed", reason=fault) for _ in texts]
