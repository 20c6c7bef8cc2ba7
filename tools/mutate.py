"""Test the tests: change Python code at random places, and see whether the tests notice.

    python tools/mutate.py --sample 100 --seed 1 src/uriverse/_spec

Each mutation changes one operator, constant, condition or statement, in a copy of the repository.
Of the tests, those that execute the changed statement then run with the reference implementation,
until one fails. Some of them compare it with the compiled kernel, if that is built. If none fails,
the mutation has survived: a test is missing, or the mutated code means the same. Survivors are
printed as a diff. The exit status is 1 if more than 5 % of the mutations survive.
"""

from __future__ import annotations

import argparse
import ast
import copy
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[1]

#: The tests, the fastest first, because testing stops at the first failure.
TESTS = (
    *("tests/conformance/test_rfc_cases.py", "tests/unit/_spec", "tests/unit/identifiers"),
    *("tests/unit/hosts", "tests/unit/views", "tests/unit/schemes", "tests/unit/diagnosis"),
    *("tests/structure/test_messages.py", "tests/unit/test_errors.py"),
    *("tests/unit/test_percent.py", "tests/unit/test_policy.py", "tests/unit/test_repairing.py"),
    *("tests/unit/test_patterns.py", "tests/unit/test_extraction.py", "tests/docs"),
    # The kernel does not contain the mutation, so a comparison of the engines finds it.
    *("tests/agreement/test_engines.py", "tests/agreement/test_edit_methods.py"),
    *("tests/agreement/test_resolving.py", "tests/agreement/test_normalizing.py"),
    *("tests/agreement/test_domains.py", "tests/agreement/test_prefilter.py"),
    *("tests/hostile/test_hostile_strings.py", "tests/hostile/test_fuzz_targets.py"),
    *("tests/conformance/test_special_purpose.py", "tests/conformance/test_suites.py"),
    *("tests/structure", "tests/properties"),
)
#: Slower tests count as a failure, because a mutation can cause an endless loop.
LONGEST_TIME = 600

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Not: ast.UAdd,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
    ast.LShift: ast.RShift,
}


class Place(NamedTuple):
    """A part of the code that can be changed, and the lines of the statement that contains it."""

    node: ast.AST
    lines: range


def places(tree: ast.AST, lines: range = range(0)) -> Iterator[Place]:
    """Yield the places that can be mutated, without annotations and docstrings."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue  # Read by type checkers only.
        if isinstance(tree, ast.arg | ast.AnnAssign) and child is tree.annotation:
            continue
        if isinstance(tree, ast.FunctionDef) and child is tree.returns:
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # A docstring.
        if isinstance(child, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue  # Messages are tested elsewhere.
        own = statement_lines(child) if isinstance(child, ast.stmt) else lines
        if (
            isinstance(child, ast.If | ast.Return)
            or type(child) in SWAPS
            or (isinstance(child, ast.Constant) and isinstance(child.value, int | str))
        ):
            yield Place(child, own)
        yield from places(child, own)


def statement_lines(statement: ast.stmt) -> range:
    """Return the lines of a statement, up to the first nested statement."""
    nested = next(
        (one for one in ast.walk(statement) if one is not statement and isinstance(one, ast.stmt)),
        None,
    )
    end = nested.lineno if nested else (statement.end_lineno or statement.lineno) + 1
    return range(statement.lineno, max(end, statement.lineno + 1))


class Mutation(ast.NodeTransformer):
    """Replaces one node."""

    def __init__(self, place: ast.AST) -> None:
        self.place = place

    def visit(self, node: ast.AST) -> ast.AST:
        if node is not self.place:
            return self.generic_visit(node)
        if type(node) in SWAPS:
            return SWAPS[type(node)]()
        if isinstance(node, ast.If):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.Return):
            node.value = ast.Constant(None)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            node.value = not node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value += "x"
        return node


OPERATORS = (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)


def parsed(source: str) -> ast.Module:
    """Parse code into a tree without shared nodes: `ast` uses one node for all equal operators."""

    class Unshared(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            return type(node)() if isinstance(node, OPERATORS) else super().generic_visit(node)

    tree = ast.parse(source)
    Unshared().visit(tree)
    return tree


def mutant(source: str, number: int) -> str | None:
    """Return the code with the mutation of a number, or None if it would mean the same."""
    tree = parsed(source)
    place = list(places(tree))[number]
    before = ast.unparse(tree)
    after = ast.unparse(ast.fix_missing_locations(Mutation(place.node).visit(copy.copy(tree))))
    return None if after == before else after


def copy_repository(room: Path) -> None:
    """Copy the repository to a folder, with the compiled kernel if it is built."""
    ignored = shutil.ignore_patterns(".git", "build", ".*_cache")
    shutil.copytree(ROOT, room, ignore=ignored)


def tests_pass(room: Path, tests: Sequence[str], kernel: str, *options: str) -> bool:
    """Run tests in a copy of the repository; return whether all pass in time.

    Args:
        room: the folder of the copy.
        tests: the files, folders or names of the tests.
        kernel: the value of `URIVERSE_KERNEL`, which chooses the engine.
        options: more options of pytest.
    """
    folders = os.pathsep.join([str(room / "src"), str(room / "tools")])
    environment = {**os.environ, "PYTHONPATH": folders, "URIVERSE_KERNEL": kernel}
    # A file has room for more names than a command line.
    listed = room / "tests.txt"
    listed.write_text("\n".join(tests), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["--hypothesis-profile=unshrunk", *options, f"@{listed}"]
    try:
        done = subprocess.run(  # noqa: S603 - our own tests
            command,
            cwd=room,
            env=environment,
            capture_output=True,
            timeout=LONGEST_TIME,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Record the name of the test that executes each line, if coverage is measured."""
    from coverage import Coverage

    if coverage := Coverage.current():
        coverage.switch_context(item.nodeid)


class Executed:
    """The tests that execute each line of the package in a copy of the repository."""

    def __init__(self, room: Path, tests: Sequence[str]) -> None:
        """Run the tests. Raise RuntimeError if one fails."""
        from coverage import CoverageData

        # This module is also the plugin: see `pytest_runtest_setup`.
        cover = ("--cov", "--cov-report=", "-p", Path(__file__).stem)
        if not tests_pass(room, tests, "disable", *cover):
            raise RuntimeError("the tests fail without a mutation")
        self.room = room
        self.data = CoverageData(str(room / ".coverage"))
        self.data.read()
        self.tests = tests

    def by(self, file: Path, lines: range) -> list[str]:
        """Return the names of the tests that execute one of the lines.

        Lines that are executed during the import have effects elsewhere. For them, return the tests
        that execute any line of the file, or all tests if there are none.
        """
        found = self.data.contexts_by_lineno(str(self.room / file))
        exact = {one for line in lines for one in found.get(line, ())}
        if "" not in exact:
            return self.ordered(exact)
        same_file = self.ordered({one for names in found.values() for one in names})
        return same_file or sorted(self.tests, key=lambda test: file.parent.name not in test)

    def ordered(self, contexts: set[str]) -> list[str]:
        """Return the test functions of contexts, in the order of the list of tests."""
        functions = {one.partition("[")[0] for one in contexts - {""}}
        places = {
            one: next(k for k, t in enumerate(self.tests) if one.startswith(t)) for one in functions
        }
        return sorted(functions, key=lambda one: (places[one], one))


def main() -> int:
    """Mutate the files that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument(
        "--sample", type=int, default=100, metavar="N", help="mutations (default: 100)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--tests", nargs="+", default=list(TESTS), metavar="TEST")
    options = parser.parse_args()
    files = [f for path in options.paths for f in (sorted(path.rglob("*.py")) or [path])]
    every = [
        (file.resolve().relative_to(ROOT), number)
        for file in files
        for number in range(len(list(places(parsed(file.read_text("utf-8"))))))
    ]
    chosen = Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    survivors = mutations = 0
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "copy")
        copy_repository(room)
        try:
            executed = Executed(room, options.tests)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 2
        for done, (file, number) in enumerate(chosen, 1):
            source = (ROOT / file).read_text("utf-8")
            changed = mutant(source, number)
            if changed is None:
                continue
            mutations += 1
            tests = executed.by(file, list(places(parsed(source)))[number].lines)
            (room / file).write_text(changed, "utf-8")
            if not tests or tests_pass(room, tests, "disable"):
                survivors += 1
                lines = ast.unparse(ast.parse(source)).splitlines(), changed.splitlines()
                print(
                    *difflib.unified_diff(*lines, str(file), str(file), n=1, lineterm=""), sep="\n"
                )
            (room / file).write_text(source, "utf-8")
            print(f"{done} of {len(chosen)} places, {survivors} survived", flush=True)
    print(f"{mutations} mutations, {survivors} survived")
    return 1 if survivors > mutations / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
