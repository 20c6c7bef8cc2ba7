"""How time grows with a text's length: t(4n) / t(n), for each input, task and engine.

    python benchmarks/linear.py [--characters N] [--rounds N]

A ratio near 4 is linear; 16 is quadratic. Each time is CPU time, the least of several
rounds. Nothing is judged: the exit status is 0 whatever comes out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

#: What is repeated, and what stands before and after it.
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
}


def tasks() -> dict[str, Callable[[str], object]]:
    """What is done with each text, by the engine that runs."""
    from uriverse import URI, parse, percent
    from uriverse import _engine as engine

    base = URI("http://a/b/c")
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
    }


def least_time(task: Callable[[str], object], text: str, rounds: int) -> float:
    """The least CPU time of some rounds of a task, in seconds; with the error of one that fails."""
    from uriverse import URIError

    best = float("inf")
    for _ in range(rounds):
        # A fresh string each time: one that was read before may remember its UTF-8.
        fresh = "".join((text[:1], text[1:]))
        start = time.process_time()
        try:
            task(fresh)
        except URIError as error:
            str(error)
        best = min(best, time.process_time() - start)
    return best


def table(characters: int, rounds: int) -> None:
    """Print the ratios of the engine that runs."""
    from uriverse import _engine as engine

    name = "kernel" if engine.compiled else "specification"
    print(f"\n{name}: t({4 * characters:,}) / t({characters:,}), and the longest time")
    print(f"{'input':<32}" + "".join(f"{task:>10}" for task in tasks()) + f"{'ms':>10}")
    for name, (before, unit, after) in INPUTS.items():
        cells, longest = [], 0.0
        for task in tasks().values():
            times = [
                least_time(task, before + unit * (size // len(unit)) + after, rounds)
                for size in (characters, 4 * characters)
            ]
            # Too short for the clock: it does not depend on the length, or hardly.
            cells.append(f"{times[1] / times[0]:.1f}" if times[0] > 1e-4 else "-")
            longest = max(longest, times[1])
        row = "".join(f"{cell:>10}" for cell in cells)
        print(f"{name:<32}{row}{longest * 1e3:>10.1f}", flush=True)


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--characters", type=int, default=250_000, help="the shorter length")
    options.add_argument("--rounds", type=int, default=3, help="how often each is timed")
    options.add_argument("--this-engine", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.this_engine:
        table(chosen.characters, chosen.rounds)
        return 0
    # The engine is chosen when the package is imported: each runs in a process of its own.
    for choice in ("require", "disable"):
        command = [sys.executable, __file__, "--this-engine"]
        command += ["--characters", str(chosen.characters), "--rounds", str(chosen.rounds)]
        done = subprocess.run(command, env={**os.environ, "URIVERSE_KERNEL": choice}, check=False)
        if done.returncode and choice == "require":
            print("the kernel is not built here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
