"""Run fuzz targets, each in its own process, and summarize the results."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from random import SystemRandom

import uriverse

# The folder above contains the package.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from conformance.conditions import conditions, statement

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpus"
CRASHES = HERE / "crashes"

#: The fuzz targets: the modules in the folder "harnesses".
TARGETS = sorted(path.stem for path in (HERE / "harnesses").glob("[a-z]*.py"))

#: Exit statuses after a finding, and after Ctrl-C by the convention of shells.
FINDING, INTERRUPTED = 1, 130

EXECUTIONS = re.compile(r"^stat::number_of_executed_units: +(\d+)|^#(\d+)\s", re.MULTILINE)
FEATURES = re.compile(r"\bcov: (\d+) ft: (\d+)")


def main(words: Sequence[str]) -> int:
    """Run the targets that the command line names; return the exit status."""
    options = parser().parse_args(words)
    unknown = sorted({*options.targets} - {*TARGETS})
    if unknown:
        print(f"unknown target {unknown[0]!r}; targets: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    if options.input:
        if len(options.targets) != 1:
            print("--input needs the name of one target", file=sys.stderr)
            return 2
        return FINDING if worker(options.targets[0], "--input", str(options.input))[0] else 0
    others = {"atheris": version("atheris")} if find_spec("atheris") else {}
    run = conditions(uriverse.__version__, compiled=uriverse.compiled)
    print(statement(run, others), flush=True)
    if not others:
        print("atheris is not installed, so inputs are random: pip install atheris")
    findings = 0
    try:
        for target in options.targets or TARGETS:
            status, output = worker(
                target, f"--seconds={options.minutes * 60:.0f}", f"--seed={options.seed}"
            )
            findings += status != 0
            print(summary(target, status, output), flush=True)
    except KeyboardInterrupt:
        print("interrupted")
        return INTERRUPTED
    print(f"seed {options.seed}: {findings} of {len(options.targets or TARGETS)} targets failed")
    return FINDING if findings else 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="fuzz/run", description="Fuzz uriverse.")
    made.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}")
    made.add_argument(
        "--minutes", type=float, default=1, metavar="N", help="minutes for each target (default: 1)"
    )
    made.add_argument("--seed", type=int, default=SystemRandom().randrange(1, 1 << 31), metavar="N")
    made.add_argument("--input", type=Path, metavar="FILE", help="check one input, such as a crash")
    return made


def worker(target: str, *options: str) -> tuple[int, str]:
    """Run one target in its own process; return its exit status and its output."""
    command = [sys.executable, str(HERE / "worker.py"), target, *options]
    with subprocess.Popen(  # noqa: S603 - our own script
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            # Ctrl-C also interrupts the process of the target, which then ends by itself.
            process.communicate()
            raise
    return process.returncode, output


def summary(target: str, status: int, output: str) -> str:
    """Return a line with the results of a target; after a finding, its output follows."""
    executions = [int(a or b) for a, b in EXECUTIONS.findall(output)]
    line = f"{target}: {max(executions, default=0)} executions"
    for edges, features in FEATURES.findall(output)[-1:]:
        line += f", coverage {edges} (features {features})"
    if status == 0:
        return f"{line}, no findings"
    return f"{line}, FAILED with status {status}\n{''.join(relevant_lines(output))}"


def relevant_lines(output: str) -> Iterator[str]:
    """Yield the lines of an output without the progress reports of libFuzzer."""
    for line in output.splitlines(keepends=True)[-60:]:
        if not line.startswith(("#", "INFO:", "stat::", "MS:", "0x")):
            yield f"    {line}"
