"""Measure the start time of the command line, and how many lines it normalizes per second.

    python benchmarks/command_line.py
    python benchmarks/command_line.py --trurl /usr/bin/trurl

Measures whole processes, in alternation. The exit status is 0 even if a target is missed. See
README.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from identifiers import CORPORA, corpus, show
from measure import Table, rows_of

from uriverse import URIReference

#: The `uriverse` command next to the interpreter that runs this script.
OURS = Path(sys.executable).with_name("uriverse")

Command = Sequence[str]


def seconds(command: Command, given: Path | None = None) -> float:
    """Return the wall-clock time of a command in seconds; its output is discarded."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with (given or Path(os.devnull)).open("rb") as lines:
        start = time.perf_counter()
        subprocess.run(
            command,
            stdin=lines,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            check=False,
        )
        return time.perf_counter() - start


def in_turn(
    commands: dict[str, tuple[Command, float | None]], rounds: int, scale: float, given: Path | None
) -> list[list[float]]:
    """Run each command once per round, and return the times; the first round is not counted."""
    figures: list[list[float]] = [[] for _ in commands]
    for number in range(rounds + 1):
        for index, (command, _) in enumerate(commands.values()):
            figure = seconds(command, given) * scale
            if number:
                figures[index].append(figure)
    return figures


def table(
    title: str,
    unit: str,
    notes: tuple[str, ...],
    commands: dict[str, tuple[Command, float | None]],
    figures: Sequence[Sequence[float]],
) -> Table:
    named = [(name, target) for name, (_, target) in commands.items()]
    return Table(title, unit, notes, rows_of(named, figures))


def starting(rounds: int) -> Table:
    commands: dict[str, tuple[Command, float | None]] = {
        "uriverse --version": ([str(OURS), "--version"], None),
        "python -c pass": ([sys.executable, "-c", "pass"], 2.5),
        "uriverse --help": ([str(OURS), "--help"], None),
    }
    figures = in_turn(commands, rounds, 1e3, None)
    return table("start", "ms", (f"{rounds} rounds",), commands, figures)


def streaming(corpora: Path, lines: int, rounds: int, trurl: str | None) -> Table:
    texts = [text for text in corpus(corpora) if URIReference.try_parse(text)]
    # `trurl` guesses missing schemes, and does not accept longer lines.
    texts = [text for text in texts if "://" in text and len(text) < 4000]
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "lines"
        given.write_text("\n".join(islice(cycle(texts), lines)) + "\n", "utf-8")
        commands: dict[str, tuple[Command, float | None]] = {
            "uriverse normalize": ([str(OURS), "normalize"], None),
        }
        if trurl is not None:
            commands["trurl -f -"] = ([trurl, "-f", "-"], 1 / 1.5)
        figures = in_turn(commands, rounds, 1e9 / lines, given)
        size = given.stat().st_size
    median = sorted(figures[0])[len(figures[0]) // 2]
    notes = (
        f"{lines:,} lines, {size / 1e6:.0f} MB, {len(texts):,} of them distinct; {rounds} rounds",
        f"{1e9 / median:,.0f} lines a second (target: 500,000)",
        *(() if trurl else ("trurl was not found; set its path with --trurl",)),
    )
    return table("normalize, a line", "ns", notes, commands, figures)


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure the start time and the lines per second.")
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--trurl", default=shutil.which("trurl"), help="the path of trurl")
    arguments = parser.parse_args(command_line)
    if not OURS.exists():
        raise SystemExit(f"no {OURS.name} next to {Path(sys.executable).name}: install it")
    show(starting(8 * arguments.rounds))
    show(streaming(arguments.corpora, arguments.lines, arguments.rounds, arguments.trurl))


if __name__ == "__main__":
    main()
