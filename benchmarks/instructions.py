"""Count the CPU instructions of operations, columns and commands, with callgrind.

    python benchmarks/instructions.py            # print the counts
    python benchmarks/instructions.py --check    # exit with status 1 if a count grew by over 2 %
    python benchmarks/instructions.py --save     # store the counts in instructions.json

Unlike times, the counts hardly change if other programs run. They depend on the version of Python,
on the compiler and on the system, so `--check` exits with status 2 if the stored counts are those
of others. Requires valgrind. Valgrind does not know AVX-512, so the kernel uses AVX2 or plain code.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median_low
from typing import NoReturn

from counted import WORKS, Process, Work, programs

import uriverse

#: The number of rounds of each work. The first one is a warm-up.
ROUNDS = 6
#: The largest growth of a count that `--check` accepts. Two runs differ by up to 0.5 %.
TOLERANCE = 0.02
#: The same for counts that depend on addresses, which a change of unrelated code moves: `pickle`
#: finds objects in a table by their addresses.
TOLERANCES = {"pickle.dumps": 0.05}
VALGRIND = shutil.which("valgrind")
STORED = Path(__file__).with_name("instructions.json")
#: Two functions of the C library that nothing else calls. Callgrind resets its counts before the
#: first one, and writes them to a file before the second one.
MARKERS = ("--zero-before=getppid", "--dump-before=getpgrp")
#: Folders that processes find by links, so that paths have the same lengths everywhere. Others
#: would move memory.
LINKS = {
    "benchmarks": Path(__file__).parent,
    "packages": Path(uriverse.__file__).parents[1],
    "python": Path(sys.prefix),
}


def run_works(process: str, only: str) -> None:
    """Run each work in a fork of this process, and print its name and the number of the fork.

    All forks begin with the same memory, so a count does not depend on the other works.
    """
    works = [*WORKS[process]()]
    gc.collect()
    gc.disable()
    for work in works:
        if not fnmatchcase(work.name, only):
            continue
        number = os.fork()
        if not number:
            run_rounds(work)
        if os.waitpid(number, 0)[1]:
            print(work.name, "failed", file=sys.stderr)
        else:
            print(json.dumps([work.name, number, work.units]), flush=True)


def run_rounds(work: Work) -> NoReturn:
    """Run the rounds between the markers, and end this fork."""
    for _ in range(ROUNDS):
        function = work.begin()
        os.getppid()
        function()
        os.getpgrp()
    os._exit(0)


def callgrind(folder: Path, arguments: Sequence[str], lines: str = "") -> str:
    """Run Python in callgrind, and return its output; the counts are files in the folder."""
    links = folder / "links"
    links.mkdir()
    for name, target in LINKS.items():
        (links / name).symlink_to(target)
    # All variables, because their number and lengths move other memory, too.
    environment = {
        "PATH": os.defpath,
        "PYTHONPATH": str(links / "packages"),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    python = links / "python" / Path(sys.executable).relative_to(sys.prefix)
    setarch = shutil.which("setarch")
    command = [setarch, platform.machine(), "-R"] if setarch else []
    command += [VALGRIND or "", "--tool=callgrind", "-q", f"--callgrind-out-file={folder}/%p"]
    command += [*MARKERS, str(python), *arguments]
    return subprocess.run(
        command,
        cwd=links / "benchmarks",
        env=environment,
        input=lines,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout


def count_works(process: str, only: str) -> dict[str, int]:
    """Return the number of instructions of each work, for one call or row: the median round."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = Path(__file__).name
        output = callgrind(folder, [script, "--run", process, "--only", only])
        counts = {}
        for work, number, units in map(json.loads, output.splitlines()):
            rounds = [total(folder / f"{number}.{one}") for one in range(2, ROUNDS + 1)]
            counts[work] = round(median_low(rounds) / units)
    return counts


def count_process(process: Process) -> int:
    """Return the number of instructions of a process."""
    # The first run compiles bytecode, which is not counted.
    command = [sys.executable, *process.arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        command, env=environment, input=process.text, capture_output=True, check=True, text=True
    )
    with tempfile.TemporaryDirectory() as name:
        callgrind(Path(name), process.arguments, process.text)
        [file] = Path(name).glob("[0-9]*")
        return total(file)


def total(file: Path) -> int:
    found = re.search(r"^summary: (\d+)", file.read_text(), re.MULTILINE)
    if found is None:
        raise SystemExit(f"callgrind wrote no total to {file}")
    return int(found[1])


def count(only: str) -> dict[str, int]:
    """Return the counts of everything whose name matches a pattern."""
    if VALGRIND is None:
        raise SystemExit("valgrind was not found: install it with the package manager")
    chosen = [program for program in programs() if fnmatchcase(program.name, only)]
    processes = dict.fromkeys(one for program in chosen for one in (program.more, program.less))
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        of_works = [executor.submit(count_works, process, only) for process in WORKS]
        totals = dict(zip(processes, executor.map(count_process, processes), strict=True))
        counts = {name: found for work in of_works for name, found in work.result().items()}
    for program in chosen:
        counts[program.name] = round((totals[program.more] - totals[program.less]) / program.units)
    return counts


def conditions() -> dict[str, str]:
    """Return what the counts depend on, apart from the code."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def compared(counts: dict[str, int], before: dict[str, int]) -> bool:
    """Print each count with its change; return whether a count grew too much, or is missing."""
    failed = False
    for name in counts | before:
        new, old = counts.get(name, 0), before.get(name)
        mark = change = ""
        if old is not None:
            most = old * (1 + TOLERANCES.get(name, TOLERANCE))
            mark = "GONE" if not new else "MORE" if new > most else ""
            change = f"{new / old - 1:+.1%}"
        failed |= bool(mark)
        print(f"{name:<44}{new:>13,}{change:>9}  {mark}".rstrip())
    return failed


def main(command_line: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Count the CPU instructions of every operation.")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the operations to count")
    parser.add_argument("--check", action="store_true", help="fail if a count grew by over 2 %%")
    parser.add_argument("--save", action="store_true", help="store the counts")
    parser.add_argument("--run", choices=WORKS, help=argparse.SUPPRESS)
    arguments = parser.parse_args(command_line)
    if arguments.run:
        run_works(arguments.run, arguments.only)
        return 0
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"conditions": {}, "counts": {}}
    same = stored["conditions"] == conditions()
    if arguments.check and not same:
        print(f"nothing to compare: the stored counts are of {stored['conditions']},")
        print(f"not of {conditions()}")
        return 2
    counts = count(arguments.only)
    before = stored["counts"] if same else {}
    grown = compared(
        counts, {name: old for name, old in before.items() if fnmatchcase(name, arguments.only)}
    )
    if arguments.save:
        kept = {} if arguments.only == "*" else before
        content = {"conditions": conditions(), "counts": kept | counts}
        STORED.write_text(json.dumps(content, indent=1) + "\n")
    return int(arguments.check and grown)


if __name__ == "__main__":
    sys.exit(main())
