"""Measure how time grows with the length of hostile strings: t(4n) / t(n).

    python benchmarks/linear.py [--characters N] [--rounds N]

A ratio near 4 is linear; 16 is quadratic. Times are CPU times, the minimum of several rounds. The
exit status is always 0.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import Row, Spread, Table, machine
from peers import versions

#: For each input: a prefix, the string to repeat, and a suffix.
INPUTS = {
    "dot segments": ("", "/../", ""),
    "dot segments, wrong end": ("", "/../", " "),
    "percent signs": ("", "%", ""),
    "escapes": ("", "%41", ""),
    "escapes, wrong end": ("", "%41", "%4"),
    "brackets": ("", "[", ""),
    "colons": ("", ":", ""),
    "colons in brackets": ("http://[", ":", ""),
    "groups in brackets": ("http://[", "1:", "]"),
    "digits in brackets": ("http://[", "1", ""),
    "dots": ("", ".", ""),
    "IPvFuture": ("http://[v1.", "a", "]"),
    "IPvFuture, unclosed": ("http://[v1.", "a", ""),
    "IPvFuture, wrong end": ("http://[v1.", "a", "["),
    "version of IPvFuture, unclosed": ("http://[v", "1", ""),
    "userinfos": ("", "a@", ""),
    "userinfos of an authority": ("//", "a@", ""),
    "userinfo, wrong end": ("//", "a:", " @b"),
    "digits": ("", "1", ""),
    "digits of a port": ("//a:", "1", ""),
    "digits of a port, wrong end": ("//a:", "1", "x"),
    "slashes": ("", "//", ""),
    "past ASCII": ("", "\u00e9", ""),
    "past ASCII, wrong end": ("", "\u00e9", "\ud800"),
    "past ASCII in a host": ("//", "\u00e9", ":x"),
    "no scheme": ("1", "a", ":"),
    "password, wrong end": ("//a:", "b", "@[::1"),
    "spaces": ("", " ", ""),
    "steps back": ("a://b/", "a/../", ""),
    "steps up": ("a://b/", "../", ""),
    "empty segments": ("a:/.", "//", ""),
    "steps without a root": ("a:", "b/../", ""),
    "marks in a host": ("a://", "\u0301", ""),
    "marks out of order in a host": ("a://", "\u0316\u0301", ""),
    "escaped marks": ("a:", "%CC%96%CC%81", ""),
    "ignored characters in a host": ("a://", "\u00ad", ""),
    "labels": ("a://", "\u00e9.", ""),
    "A-labels": ("a://", "xn--9ca.", ""),
    "both directions": ("a:", "\u05d0b/", ""),
    "private use": ("a:?", "%EE%80%80", ""),
    "links": ("", '<a>;b="c",', ""),
    "parameters of a link": ("<a>", ";b=c", ";"),
    "quoted pairs": ('<a>;b="', "\\b", ""),
    "elements": ("", "for=_a;by=_b,", "for"),
    "commas": ("", ", ", "<a"),
    "nested passwords": ("?a=//b", ":c", "&d=e@f"),
}


def tasks() -> dict[str, Callable[[str], object]]:
    """Return the functions to measure, by name, with the engine of this process."""
    from uriverse import IRI, parse, percent, redact
    from uriverse._uri import engine
    from uriverse.http import parse_forwarded, parse_links, request_target

    base = IRI("http://a/b/c")
    return {
        "is": engine.is_iri_reference,
        "parse": parse,
        "segments": lambda text: parse(text).segments,
        "resolve": base.resolve,
        "normalize": lambda text: parse(text).normalize(),
        "key": lambda text: parse(text).comparison_key(),
        "to_uri": lambda text: parse(text).to_uri(),
        "idna": lambda text: parse(text).to_uri(host="idna"),
        "to_iri": lambda text: parse(text).to_iri(),
        "display": lambda text: parse(text).display(),
        "nfc": lambda text: parse(text).nfc(),
        "bidi": lambda text: parse(text).bidi_findings,
        "encode": lambda text: percent.encode(text, "segment"),
        "decode": lambda text: percent.decode(text, "keep"),
        "redact": redact,
        "target": lambda text: request_target("GET", text),
        "Link": parse_links,
        "Forwarded": parse_forwarded,
    }


def least_time(task: Callable[[str], object], text: str, rounds: int) -> float:
    """Return the minimum CPU time of a task in seconds, including that of error messages."""
    from uriverse import URIError

    best = float("inf")
    for _ in range(rounds):
        # Use a fresh string each time, because a string may cache its UTF-8 encoding.
        fresh = "".join((text[:1], text[1:]))
        start = time.process_time()
        try:
            task(fresh)
        except URIError as error:
            str(error)
        best = min(best, time.process_time() - start)
    return best


def engine_name() -> str:
    from uriverse import compiled

    return "compiled" if compiled else "without the kernel"


def table(characters: int, rounds: int) -> Table:
    """Print the ratios with the engine of this process, and return the largest of each input."""
    print(f"\n{engine_name()}: t({4 * characters:,}) / t({characters:,}), and the longest time")
    print(f"{'input':<32}" + "".join(f"{task:>10}" for task in tasks()) + f"{'ms':>10}")
    rows = []
    for name, (before, unit, after) in INPUTS.items():
        cells, longest, largest = [], 0.0, 0.0
        for task in tasks().values():
            times = [
                least_time(task, before + unit * (size // len(unit)) + after, rounds)
                for size in (characters, 4 * characters)
            ]
            # A shorter time cannot be measured; it hardly depends on the length.
            measured = times[0] > 1e-4
            cells.append(f"{times[1] / times[0]:.1f}" if measured else "-")
            largest = max(largest, times[1] / times[0] if measured else 0.0)
            longest = max(longest, times[1])
        row = "".join(f"{cell:>10}" for cell in cells)
        print(f"{name:<32}{row}{longest * 1e3:>10.1f}", flush=True)
        rows.append(Row(name, Spread(largest, largest, largest)))
    sizes = f"t({4 * characters:,}) / t({characters:,})"
    note = "the largest ratio of all tasks; 0 if all of them are too short to be measured"
    return Table(f"time for longer strings, {engine_name()}", sizes, (note,), tuple(rows))


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--characters", type=int, default=250_000, help="the shorter length")
    options.add_argument("--rounds", type=int, default=3, help="the number of measurements of each")
    options.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    options.add_argument("--this-engine", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.this_engine:
        result = table(chosen.characters, chosen.rounds)
        chosen.this_engine.write_text(json.dumps(result.as_json()))
        return 0
    tables = []
    # Each engine runs in its own process, because the engine is selected at import.
    with tempfile.TemporaryDirectory() as folder:
        for choice in ("require", "disable"):
            file = Path(folder, choice)
            command = [sys.executable, __file__, "--this-engine", str(file)]
            command += ["--characters", str(chosen.characters), "--rounds", str(chosen.rounds)]
            subprocess.run(command, env={**os.environ, "URIVERSE_KERNEL": choice}, check=False)
            if file.exists():
                tables.append(json.loads(file.read_text()))
            elif choice == "require":
                print("the kernel is not built here")
    if chosen.json:
        # Imported late, because the processes of both engines import this module.
        from uriverse import __version__, compiled

        run = machine(__version__, compiled=compiled)
        figures = {"machine": run, "peers": versions(), "tables": tables}
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
