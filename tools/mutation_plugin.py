"""A plugin of pytest for `mutate.py`: run the tests once for each mutation.

After pytest has collected the tests, each mutation is made in a child process, so that nothing is
imported twice. A mutation in a function replaces the code of the function. Only the tests that
execute the mutated statement run, the fastest first. Any other mutation, and one that survives, is
written to the file. Tests then run in a new interpreter, with the kernel if it is built.
"""

from __future__ import annotations

import ast
import functools
import gc
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from mutate import (
    Place,
    change,
    equivalents,
    mutated,
    parsed,
    places,
    statement_lines,
    tests_pass,
)

#: The longest time of one test on a processor, in seconds. A mutation can cause an endless loop.
LONGEST_TEST = 20
#: Exit statuses of child processes.
SURVIVED, KILLED, UNSUITABLE = 0, 1, 99


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the tests for each mutation of `mutations.json`, and print those that survive."""
    room = Path.cwd()
    chosen = json.loads((room / "mutations.json").read_text())
    # Some modules are imported when they are first used. Child processes need their functions.
    for name in {name for name, _ in chosen}:
        import_module(name.removeprefix("src/").removesuffix(".py").replace("/", "."))
    run_unmutated(functools.partial(record, session.items))
    tests = Executed(session.items, session.config.args)
    for name in tests.failing:
        print("skipped, because it fails without a mutation:", name)
    recorded = equivalents()
    survivors = equivalent = mutations = 0
    for done, (name, number) in enumerate(chosen, 1):
        source = (room / name).read_text("utf-8")
        place = list(places(parsed(source)))[number]
        lines = change(place)
        if lines is None:
            continue
        mutations += 1
        if survives(room / name, place, number, tests):
            is_recorded = (name, place.function, *lines) in recorded
            equivalent += is_recorded
            survivors += not is_recorded
            word = "equivalent" if is_recorded else "SURVIVED"
            print(f"{word}: line {place.statement.lineno}\n{name}: {place.function}")
            print("- {}\n+ {}".format(*lines))
        print(f"{done} of {len(chosen)} places, {survivors} survived", flush=True)
    print(f"{mutations} mutations, {equivalent} equivalent, {survivors} survived")
    session.testsfailed = survivors if survivors > (mutations - equivalent) / 20 else 0
    return True


def survives(file: Path, place: Place, number: int, tests: Executed) -> bool:
    """Return whether no test notices a mutation."""
    source = file.read_text("utf-8")

    def run_mutated(items: Sequence[pytest.Item]) -> int:
        if not replace_code(mutated(source, number), str(file)):
            return UNSUITABLE
        return KILLED if run(items) else SURVIVED

    items = tests.of(statement_lines(place.statement), file) if place.called else []
    status = UNSUITABLE
    if items:
        status = in_child(functools.partial(run_mutated, items))
        if status == SURVIVED:
            # The results of some functions are cached, so more tests depend on them.
            status = in_child(functools.partial(run_mutated, tests.of_file(file)))
        if status not in {SURVIVED, UNSUITABLE}:
            return False
    file.write_text(ast.unparse(mutated(source, number)), "utf-8")
    some = [*tests.of_file(file), *tests.idle]
    # The kernel is used if it is built.
    runs = [([*dict.fromkeys(one.nodeid.partition("[")[0] for one in some)], "auto")]
    if status == UNSUITABLE:
        # Other files may use a constant without executing a line of this file. Some functions are
        # called with the kernel only.
        every = sorted(tests.files, key=lambda test: file.parent.name not in test)
        runs.append((every, "disable" if items or not place.called else "auto"))
    usual = sum(tests.times.values())
    survived = all(
        tests_pass(Path.cwd(), chosen, kernel, tests.failing, usual)
        for chosen, kernel in runs
        if chosen
    )
    file.write_text(source, "utf-8")
    return survived


def in_child(function: Callable[[], int]) -> int:
    """Call a function in a child process without output; return its result."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    status = KILLED
    try:
        output = os.open("output.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        for stream in range(3):
            os.dup2(output, stream)
        status = function()
    except BaseException:  # noqa: BLE001 - whatever a mutation raises, it is noticed
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def run_unmutated(function: Callable[[], int]) -> None:
    """Call a function in a child process; end the command if the process crashes."""
    if in_child(function) != SURVIVED:
        pytest.exit(f"crash without a mutation:\n{Path('output.txt').read_text()}", 2)


def run(
    items: Sequence[pytest.Item], around: Callable[[pytest.Item], Any] = id, most: int = 1
) -> list[str]:
    """Run tests until a number of them have failed; return the names of these."""
    failing: list[str] = []
    for item, following in zip_longest(items, items[1:]):
        around(item)
        # Without a mutation, while lines are recorded, a test may take longer.
        signal.setitimer(signal.ITIMER_PROF, LONGEST_TEST if most == 1 else 0)
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            item.session.testsfailed = 0
            failing.append(item.nodeid)
            if len(failing) == most:
                break
    return failing


# --- the tests that execute a line


def record(items: Sequence[pytest.Item]) -> int:
    """Run all tests, and write the lines that each executes, and its time."""
    from coverage import Coverage

    package = f"{Path.cwd()}/src/uriverse/*"
    coverage = Coverage(data_file="executed.data", include=[package], config_file=False)
    starts: dict[str, float] = {}

    def switch(item: pytest.Item) -> None:
        coverage.switch_context(item.nodeid)
        starts[item.nodeid] = time.perf_counter()

    coverage.start()
    failing = run(items, switch, len(items))
    coverage.stop()
    coverage.save()
    ends = [*list(starts.values())[1:], time.perf_counter()]
    times = {name: end - start for (name, start), end in zip(starts.items(), ends, strict=True)}
    Path("times.json").write_text(json.dumps([times, failing]))
    return SURVIVED


class Executed:
    """The tests that execute each line, as saved by `record`."""

    def __init__(self, items: Sequence[pytest.Item], files: Sequence[str]) -> None:
        from coverage import CoverageData

        self.files = files
        self.times: dict[str, float]
        self.failing: list[str]
        self.times, self.failing = json.loads(Path("times.json").read_text())
        self.items = {item.nodeid: item for item in items if item.nodeid not in self.failing}
        self.data = CoverageData("executed.data")
        self.data.read()
        #: Most of the tests that execute no line need the kernel.
        executing = self.data.measured_contexts()
        self.idle = [item for name, item in self.items.items() if name not in executing]

    def of(self, lines: Iterable[int], file: Path) -> list[pytest.Item]:
        """Return the tests that execute one of the lines, the fastest first."""
        found = self.data.contexts_by_lineno(str(file))
        names = {name for line in lines for name in found.get(line, ())} & {*self.items}
        return [self.items[name] for name in sorted(names, key=self.times.__getitem__)]

    def of_file(self, file: Path) -> list[pytest.Item]:
        """Return the tests that execute any line of a file, the fastest first."""
        return self.of(self.data.lines(str(file)) or (), file)


# --- the code of functions


def replace_code(tree: ast.Module, file: str) -> bool:
    """Replace the code of all functions of a file; return False if a function does not allow it."""
    new = {key_of(code): code for code in codes(compile(tree, file, "exec"))}
    replaced = False
    gc.unfreeze()  # `get_objects` leaves out frozen objects.
    for one in gc.get_objects():
        # `isinstance` would evaluate the lazy objects of some libraries.
        if type(one) is FunctionType and one.__code__.co_filename == file:
            code = new.get(key_of(one.__code__))
            if code is None:
                return False
            try:
                one.__code__ = code
                replaced = True
            except ValueError:  # The mutated function no longer uses a variable around it.
                return False
        elif type(one) is functools._lru_cache_wrapper:
            one.cache_clear()
    return replaced


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield all code inside a code object."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from codes(constant)


def key_of(code: CodeType) -> tuple[object, ...]:
    """Return the name and the place of a function; lambdas of one line differ in their columns."""
    columns = [column for _, _, column, _ in code.co_positions() if column]
    lambda_column = min(columns, default=0) if code.co_name == "<lambda>" else 0
    return code.co_qualname, code.co_firstlineno, lambda_column


if __name__ == "__main__":
    sys.exit(f"{__file__} is used by mutate.py")
