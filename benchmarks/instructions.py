"""Count the CPU instructions of every operation of an identifier, with callgrind.

    python benchmarks/instructions.py            # print the counts
    python benchmarks/instructions.py --check    # exit with status 1 if a count grew by over 3 %
    python benchmarks/instructions.py --save     # store the counts in instructions.json

Unlike times, the counts hardly change if other programs run. They depend on the version of Python,
on the compiler and on the processor, so store your own counts before you change the code. Requires
valgrind. Valgrind does not know AVX-512, so the kernel uses AVX2 or plain code.
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
from fnmatch import fnmatchcase
from pathlib import Path

from everyday import exists
from everyday_libraries import FAMILIES, OURS, Code, Operation, installed
from everyday_operations import OPERATIONS

#: The number of calls that are counted, and before them the number of calls that are not.
CALLS, WARM_UP = 200, 20
#: The largest growth of a count that `--check` accepts. Two runs differ by up to 2 %.
TOLERANCE = 0.03
STORED = Path(__file__).with_name("instructions.json")
#: A function of the C library that nothing else calls. Callgrind writes its counts at each call.
MARKER = "getppid"


def chosen(only: str) -> list[Operation]:
    return [operation for operation in OPERATIONS if fnmatchcase(operation.name, only)]


def run_operations(only: str) -> None:
    """Run each operation between two calls of the marker."""
    names = installed([OURS])
    operations = [one for one in chosen(only) if exists(one, names[OURS]["URI"])]
    gc.disable()
    for operation in operations:
        code = Code(operation, OURS, names[OURS])
        values = [
            code.make(FAMILIES[operation.family](number)) for number in range(WARM_UP + CALLS)
        ]
        code.loop(None, values[:WARM_UP])
        os.getppid()
        code.loop(None, values[WARM_UP:])
        os.getppid()


def count(only: str) -> dict[str, int]:
    """Return the number of instructions of each operation, for one call."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit("valgrind was not found: install it with the package manager")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "counts")
        command = [valgrind, "--tool=callgrind", f"--callgrind-out-file={file}", "-q"]
        command += [f"--dump-before={MARKER}", sys.executable, __file__, "--run", "--only", only]
        environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, env=environment, check=True)
        # The files end in .1, .2 and so on. Each one has the counts since the one before.
        files = sorted(Path(folder).glob("counts.*"), key=lambda path: int(path.suffix[1:]))
        totals = [total(path) for path in files[1::2]]
    names = [operation.name for operation in chosen(only)]
    if len(totals) != len(names):
        raise SystemExit(f"callgrind counted {len(totals)} operations instead of {len(names)}")
    return {name: round(found / CALLS) for name, found in zip(names, totals, strict=True)}


def total(file: Path) -> int:
    found = re.search(r"^(?:totals|summary): (\d+)", file.read_text(), re.MULTILINE)
    if found is None:
        raise SystemExit(f"callgrind wrote no total to {file}")
    return int(found[1])


def conditions() -> dict[str, str]:
    """Return what the counts depend on, apart from the code."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": platform.python_compiler(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def compared(counts: dict[str, int], before: dict[str, int]) -> bool:
    """Print each count with its change; return whether a count grew too much."""
    grown = False
    for name, new in counts.items():
        old = before.get(name)
        change = 0.0 if old is None else new / old - 1
        mark = "  MORE" if change > TOLERANCE else ""
        grown |= bool(mark)
        print(f"{name:<36}{new:>9,}" + ("" if old is None else f"{change:>+9.1%}{mark}"))
    return grown


def main(command_line: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Count the CPU instructions of every operation.")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the operations to count")
    parser.add_argument("--check", action="store_true", help="fail if a count grew by over 3 %%")
    parser.add_argument("--save", action="store_true", help="store the counts")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(command_line)
    if arguments.run:
        run_operations(arguments.only)
        return 0
    stored = json.loads(STORED.read_text()) if STORED.exists() else {"conditions": {}, "counts": {}}
    same = stored["conditions"] == conditions()
    if arguments.check and not same:
        print(f"the stored counts are of {stored['conditions']}, not of {conditions()}")
        return 2
    counts = count(arguments.only)
    grown = compared(counts, stored["counts"] if same else {})
    if arguments.save:
        kept = stored["counts"] if same else {}
        content = {"conditions": conditions(), "counts": kept | counts}
        STORED.write_text(json.dumps(content, indent=1) + "\n")
    return int(arguments.check and grown)


if __name__ == "__main__":
    sys.exit(main())
