"""Measure the start and CPU time of the command line, and how many lines it normalizes per second.

    python benchmarks/command_line.py
    python benchmarks/command_line.py --uriverse ~/.local/bin/uriverse --trurl /usr/bin/trurl

Measures whole processes, in alternation. The exit status is 0 even if a target is missed. See
README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path

from identifiers import show
from inputs import corpus
from measure import Row, Spread, Table, machine, rows_of
from peers import versions

from uriverse import URIReference, __version__, compiled

#: The `uriverse` command next to the interpreter that runs this script.
OURS = Path(sys.executable).with_name("uriverse")

#: Commands that read one line, each with the largest ratio of its CPU time to `python -c pass` that
#: meets the target.
ON_ONE_LINE = {
    **dict.fromkeys(
        (
            *("get host", "set --host a.example", "normalize", "parse", "resolve http://a/"),
            "compare a b",
        ),
        1.5,
    ),
    **dict.fromkeys(("to-uri", "encode", "redact", "explain", "check", "--help", "get --help"), 3),
    **dict.fromkeys(("extract", "repair"), 5),
}
LINE = "http://example.org/a?b=c&d=e#f\n"

#: Commands that read many lines, each with the form of a line and the largest CPU time per line
#: past the start, in nanoseconds.
ON_MANY_LINES = {
    "parse": ("{}", 3_000),
    "extract": ('127.0.0.1 GET {} 200 from "{}" (12 ms).', 3_000),
    "set --host a.example": ("{}", 2_000),
    "repair": ("{}/a b[1].html", 4_000),
    "get host": ("{}", None),
    "check": ("{}", None),
}

Command = Sequence[str]


def run(command: Command, given: Path | None) -> tuple[float, float]:
    """Run a command, and return its wall-clock time and its CPU time in seconds.

    The output of the command is discarded.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with (given or Path(os.devnull)).open("rb") as lines:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=lines,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return time.perf_counter() - start, usage.ru_utime + usage.ru_stime


def wall_time(command: Command, given: Path | None) -> float:
    return run(command, given)[0]


def cpu_time(command: Command, given: Path | None) -> float:
    return run(command, given)[1]


def in_turn(
    commands: dict[str, tuple[Command, float | None]],
    rounds: int,
    scale: float,
    given: Path | None,
    seconds: Callable[[Command, Path | None], float] = wall_time,
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


def starting(ours: Path, rounds: int) -> Table:
    commands: dict[str, tuple[Command, float | None]] = {
        "uriverse --version": ([str(ours), "--version"], None),
        "python -c pass": ([sys.executable, "-c", "pass"], 2.5),
        "uriverse --help": ([str(ours), "--help"], None),
    }
    figures = in_turn(commands, rounds, 1e3, None)
    return table("start", "ms", (f"{rounds} rounds",), commands, figures)


def on_one_line(ours: Path, rounds: int) -> Table:
    """Compare the CPU time of commands that read one line with that of `python -c pass`."""
    python = {
        f"python -c '{code}'": ([sys.executable, "-c", code], None)
        for code in ("pass", "import uriverse")
    }
    commands: dict[str, tuple[Command, float | None]] = {
        **python,
        **{
            f"uriverse {words}": ([str(ours), *words.split()], target)
            for words, target in ON_ONE_LINE.items()
        },
    }
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "line"
        given.write_text(LINE, "utf-8")
        base, *figures = in_turn(commands, rounds, 1e3, given, cpu_time)
    (name, _), *others = commands.items()
    rows = [
        Row(
            other,
            Spread.of(own),
            Spread.of([a / b for a, b in zip(own, base, strict=True)]),
            target,
        )
        for (other, (_, target)), own in zip(others, figures, strict=True)
    ]
    notes = (f"{rounds} rounds; the ratios are to the first row",)
    return Table("CPU time for one line", "ms", notes, (Row(name, Spread.of(base)), *rows))


def past_the_start(ours: Path, texts: Sequence[str], lines: int, rounds: int) -> Table:
    """Measure the CPU time per line of commands, without that for the first line."""
    rows: list[Row] = []
    for words, (form, limit) in ON_MANY_LINES.items():
        command = [str(ours), *words.split()]
        with tempfile.TemporaryDirectory() as folder:
            first, given = Path(folder) / "line", Path(folder) / "lines"
            written = [form.format(text, text) for text in islice(cycle(texts), lines)]
            first.write_text(f"{written[0]}\n", "utf-8")
            given.write_text("\n".join(written) + "\n", "utf-8")
            figures = [
                (cpu_time(command, given) - cpu_time(command, first)) * 1e9 / (lines - 1)
                for _ in range(rounds + 1)
            ][1:]
        rows.append(Row(f"uriverse {words}", Spread.of(figures), None, limit))
    notes = (f"{lines:,} lines, {rounds} rounds",)
    return Table("CPU time per line past the start", "ns", notes, tuple(rows))


def usual_lines(corpora: Path | None) -> list[str]:
    """Return valid URIs; `trurl` guesses missing schemes, and does not accept longer lines."""
    texts = [text for text in corpus(corpora) if URIReference.try_parse(text)]
    return [text for text in texts if "://" in text and len(text) < 4000]


def streaming(
    ours: Path, texts: Sequence[str], lines: int, rounds: int, trurl: str | None
) -> Table:
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "lines"
        given.write_text("\n".join(islice(cycle(texts), lines)) + "\n", "utf-8")
        commands: dict[str, tuple[Command, float | None]] = {
            "uriverse normalize": ([str(ours), "normalize"], None),
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
    parser.add_argument("--corpora", type=Path, help="a folder of text files with one URL per line")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    parser.add_argument("--uriverse", type=Path, default=OURS, help="the path of uriverse")
    parser.add_argument("--trurl", default=shutil.which("trurl"), help="the path of trurl")
    arguments = parser.parse_args(command_line)
    ours = arguments.uriverse
    if not ours.exists():
        raise SystemExit(f"no {ours}: install uriverse, or set its path with --uriverse")
    texts = usual_lines(arguments.corpora)
    tables = [
        starting(ours, 8 * arguments.rounds),
        on_one_line(ours, 8 * arguments.rounds),
        past_the_start(ours, texts, arguments.lines // 20, arguments.rounds),
        streaming(ours, texts, arguments.lines, arguments.rounds, arguments.trurl),
    ]
    for table in tables:
        show(table)
    if arguments.json:
        figures = {
            "machine": machine(__version__, compiled=compiled),
            "peers": versions(),
            "tables": [table.as_json() for table in tables],
        }
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
