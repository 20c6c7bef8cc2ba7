"""How the time to read a text grows with its length: t(4n) / t(n), for each input and engine.

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
}

TASKS = ("is_iri_reference", "parse", "str(error)", "segments")


def least_time(task: str, text: str, rounds: int) -> float:
    """The least CPU time of some rounds of a task, in seconds."""
    from uriverse import URIError, engine, parse

    error: URIError | None = None
    if task == "str(error)":
        try:
            parse(text)
        except URIError as caught:
            error = caught
        else:
            return 0.0
    best = float("inf")
    for _ in range(rounds):
        # A fresh string each time: one that was read before may remember its UTF-8.
        fresh = "".join((text[:1], text[1:]))
        start = time.process_time()
        try:
            if error is not None:
                str(error)
            elif task == "is_iri_reference":
                engine.is_iri_reference(fresh)
            elif task == "segments":
                _ = parse(fresh).segments
            else:
                parse(fresh)
        except URIError:
            pass
        best = min(best, time.process_time() - start)
    return best


def table(characters: int, rounds: int) -> None:
    """Print the ratios of the engine that runs."""
    from uriverse import engine

    name = "kernel" if engine.compiled else "specification"
    print(f"\n{name}: t({4 * characters:,}) / t({characters:,})")
    print(f"{'input':<34}" + "".join(f"{task:>20}" for task in TASKS))
    for name, (before, unit, after) in INPUTS.items():
        cells = []
        for task in TASKS:
            times = [
                least_time(task, before + unit * (size // len(unit)) + after, rounds)
                for size in (characters, 4 * characters)
            ]
            # Too short for the clock: it does not depend on the length, or hardly.
            ratio = f"{times[1] / times[0]:.1f}" if times[0] > 2e-5 else "-"
            cells.append(f"{ratio:>6} {times[1] * 1e3:8.2f} ms")
        print(f"{name:<34}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--characters", type=int, default=1_000_000, help="the shorter length")
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
