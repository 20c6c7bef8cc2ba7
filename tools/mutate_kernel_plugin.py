"""A plugin of pytest for `mutate_kernel.py`: run the tests once for each mutation.

After pytest has collected the tests, each mutation is chosen in a child process, by a variable of
the compiled kernel. Only the tests that evaluate the mutated expression run, the fastest first.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from ctypes import CDLL, Array, c_int, c_ubyte, memset, sizeof
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mutate import tests_pass
from mutation_plugin import KILLED, LONGEST_TEST, SURVIVED, in_child, run, run_unmutated

if TYPE_CHECKING:
    import pytest


class Evaluated(NamedTuple):
    """A test, the time that it takes, and the mutations whose expressions it evaluates."""

    name: str
    time: float
    mutations: list[int]


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the tests for each mutation of `mutations.json`, and print the results."""
    chosen = json.loads(Path("mutations.json").read_text())
    # Each module of the kernel has a switch of its own, and a mutation may be in both.
    modules = [import_module(f"uriverse._kernel.{name}").__file__ for name in ("core", "columns")]
    libraries = [CDLL(path) for path in modules]
    switches = [c_int.in_dll(library, "uriverse_mutation") for library in libraries]
    count = c_int.in_dll(libraries[0], "uriverse_mutations").value
    reached = [(c_ubyte * count).in_dll(library, "uriverse_reached") for library in libraries]
    # The import and the collection of tests may have cached results.
    before = list(map(any, zip(*reached, strict=True)))

    run_unmutated(functools.partial(record, session.items, reached))
    rows, failing = json.loads(Path("evaluated.json").read_text())
    for name in failing:
        print("skipped, because it fails without a mutation:", name)
    tests = [Evaluated(*row) for row in rows if row[0] not in failing]
    items = {item.nodeid: item for item in session.items}

    def run_mutated(number: int, some: Sequence[pytest.Item]) -> int:
        for switch in switches:
            switch.value = number
        return KILLED if run(some) else SURVIVED

    results: Counter[str] = Counter()
    for number, (file, old, new, reason) in chosen:
        some = [items[test.name] for test in tests if number in test.mutations]
        # Tests may start an interpreter of their own.
        os.environ["URIVERSE_MUTATION"] = str(number)
        survived = in_child(functools.partial(run_mutated, number, some)) == SURVIVED
        # All tests have run before a reason is recorded, so they need not run again.
        if survived and before[number] and not reason:
            usual = sum(test.time for test in tests)
            survived = can_be_imported() and tests_pass(
                Path.cwd(), session.config.args, "require", failing, usual
            )
        if reason:
            result = "equivalent" if survived else "KILLED, although it has a reason"
        else:
            result = "SURVIVED" if survived else "killed"
        results[result] += 1
        print(f"{result}: {file}, {len(some)} tests\n- {old}\n+ {new}", flush=True)
    print(len(chosen), "mutations:", ", ".join(f"{n} {each}" for each, n in results.items()))
    session.testsfailed = len(chosen) - results["killed"] - results["equivalent"]
    return True


def can_be_imported() -> bool:
    """Return whether the library can be imported; a mutation can cause an endless loop."""
    command = [sys.executable, "-c", "import uriverse"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_TEST)  # noqa: S603
    except subprocess.SubprocessError:
        return False
    return True


def record(items: Sequence[pytest.Item], reached: Sequence[Array[c_ubyte]]) -> int:
    """Run all tests, and write which mutated expressions each evaluates, the fastest first."""
    starts: list[float] = []
    evaluated: list[list[int]] = []

    def switch(_: object = None) -> None:
        starts.append(time.perf_counter())
        flags = enumerate(zip(*reached, strict=True))
        evaluated.append([number for number, each in flags if any(each)])
        for one in reached:
            memset(one, 0, sizeof(one))

    failing = run(items, switch, len(items))
    switch()
    rows = [
        Evaluated(item.nodeid, end - start, numbers)
        for item, start, end, numbers in zip(items, starts, starts[1:], evaluated[1:], strict=False)
    ]
    rows.sort(key=lambda row: row.time)
    Path("evaluated.json").write_text(json.dumps([rows, failing]))
    return SURVIVED


if __name__ == "__main__":
    sys.exit(f"{__file__} is used by mutate_kernel.py")
