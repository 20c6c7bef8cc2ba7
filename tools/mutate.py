"""Test the tests: change Python code at random places, and see whether the tests notice.

    python tools/mutate.py --sample 100 --seed 1 src/uriverse/_spec

Each mutation changes one operator, constant, condition or statement, in a copy of the repository.
The tests that execute the changed statement then run with the reference implementation, until one
fails. If none fails, the tests of the file run with the compiled kernel, if it is built. If none of
those fails, the mutation has survived: a test is missing, or the mutated code means the same. The
file equivalent_mutations.txt records those that mean the same, and why. The exit status is 1 if
more than 5 % of the others survive; with `--check`, it is 2 if the code of a record has changed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
#: The mutations that mean the same as the original code, each with the reason.
EQUIVALENT = ROOT / "tools" / "equivalent_mutations.txt"

#: The tests, the fastest first, because testing stops at the first failure.
TESTS = (
    *("tests/conformance/test_rfc_cases.py", "tests/unit/_spec", "tests/unit/uri"),
    *(
        "tests/unit/hosts",
        "tests/unit/typed",
        "tests/unit/schemes",
        "tests/unit/diagnosis",
    ),
    *("tests/unit/redaction", "tests/unit/templates", "tests/unit/policy"),
    "tests/unit/suffixes",
    *("tests/unit/http", "tests/unit/oauth"),
    *("tests/structure/test_messages.py", "tests/unit/test_errors.py"),
    "tests/unit/test_percent.py",
    *("tests/unit/test_lazy.py", "tests/docs"),
    # The kernel does not contain the mutation, so a comparison of the engines finds it.
    *("tests/agreement/test_engines.py", "tests/agreement/test_edit_methods.py"),
    *("tests/agreement/test_resolving.py", "tests/agreement/test_normalizing.py"),
    *("tests/agreement/test_domains.py", "tests/agreement/test_findings_in_kernel.py"),
    *("tests/agreement/test_redacting.py", "tests/agreement/test_templates_in_kernel.py"),
    *("tests/agreement/test_policies_in_kernel.py", "tests/agreement/test_repairing_in_kernel.py"),
    *("tests/hostile/test_hostile_strings.py", "tests/hostile/test_fuzz_targets.py"),
    *("tests/conformance/test_special_purpose.py", "tests/conformance/test_suites.py"),
    "tests/conformance/test_complete.py",
    # Some other tests of the structure compare the written code, which is formatted otherwise
    # after a mutation.
    *("tests/structure/test_commands.py", "tests/structure/test_imports.py"),
    *("tests/structure/test_public_names.py", "tests/structure/test_scheme_modules.py"),
    *("tests/structure/test_introspection.py", "tests/properties"),
)
#: How much longer than usual tests may take, in seconds, before they count as a failure. A mutation
#: can cause an endless loop.
MORE_TIME = 300

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


NO_STATEMENT = ast.Pass()


class Place(NamedTuple):
    """A part of the code that can be changed.

    Attributes:
        node: the node of the syntax tree.
        statement: the statement that contains it.
        function: the name of the function or class that contains it, or an empty string.
        called: whether it is executed by calls of a function, and not by the import.
    """

    node: ast.AST
    statement: ast.stmt
    function: str
    called: bool


def places(
    tree: ast.AST, statement: ast.stmt = NO_STATEMENT, function: str = "", *, called: bool = False
) -> Iterator[Place]:
    """Yield the places that can be mutated, without annotations and docstrings."""
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = f"{function}.{tree.name}".lstrip(".")
    body = getattr(tree, "body", ()) if isinstance(tree, FUNCTIONS) else ()
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
        within = called or child is body or (isinstance(body, list) and child in body)
        own = child if isinstance(child, ast.stmt) else statement
        if (
            isinstance(child, ast.If | ast.Return)
            or type(child) in SWAPS
            or (
                isinstance(child, ast.Constant)
                and isinstance(child.value, int | str)
                and not is_prose(child.value)
            )
        ):
            yield Place(child, own, function, within)
        yield from places(child, own, function, called=within)


def is_prose(value: int | str) -> bool:
    """Whether a constant is written for people; messages are tested elsewhere."""
    return isinstance(value, str) and " " in value.strip()


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
        elif isinstance(node, ast.Return) and node.value is not None:
            node.value = ast.Constant(None)
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            node.value = not node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value += "x"
        return node


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
OPERATORS = (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)


def parsed(source: str) -> ast.Module:
    """Parse code into a tree without shared nodes: `ast` uses one node for all equal operators."""

    class Unshared(ast.NodeTransformer):
        def generic_visit(self, node: ast.AST) -> ast.AST:
            return type(node)() if isinstance(node, OPERATORS) else super().generic_visit(node)

    tree = ast.parse(source)
    Unshared().visit(tree)
    return tree


def change(place: Place) -> tuple[str, str] | None:
    """Return the changed line of a statement, before and after the mutation of a place."""
    statement, node = deepcopy((place.statement, place.node))
    before = ast.unparse(statement).splitlines()
    Mutation(node).visit(statement)
    after = ast.unparse(ast.fix_missing_locations(statement)).splitlines()
    pairs = zip(before, after, strict=True)
    return next(((old.strip(), new.strip()) for old, new in pairs if old != new), None)


def mutated(source: str, number: int) -> ast.Module:
    """Return the syntax tree of code with the mutation of a number."""
    tree = parsed(source)
    place = list(places(tree))[number]
    Mutation(place.node).visit(tree)
    return ast.fix_missing_locations(tree)


def read_blocks(table: Path) -> list[list[str]]:
    """Read a table of mutations, which are separated by empty lines.

    Return the file, the old code, the new code and, if the table gives it, the reason why both mean
    the same.
    """
    blocks = [block.splitlines() for block in table.read_text("utf-8").split("\n\n")]
    return [[file, *(line[2:] for line in more)] for file, *more in blocks if file[0] != "#"]


def equivalents() -> list[tuple[str, str, str, str]]:
    """Return the recorded mutations that mean the same: file, function, old line and new line."""
    blocks = read_blocks(EQUIVALENT)
    return [(*place.partition(": ")[::2], old, new) for place, old, new, _ in blocks]


def stale_equivalents() -> list[tuple[str, str, str, str]]:
    """Return the recorded mutations that do not occur exactly once in the code."""
    recorded = equivalents()
    functions = {(file, function) for file, function, _, _ in recorded}
    found = Counter(
        (file, place.function, *(change(place) or ()))
        for file in {file for file, _ in functions}
        for place in places(parsed((ROOT / file).read_text("utf-8")))
        if (file, place.function) in functions
    )
    return [one for one in recorded if found[one] != 1 or recorded.count(one) != 1]


def copy_repository(room: Path) -> None:
    """Copy the repository to a folder, with the compiled kernel if it is built."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache")
    shutil.copytree(ROOT, room, ignore=ignored)


def run_tests(
    room: Path, tests: Sequence[str], kernel: str, *options: str, **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run tests in a copy of the repository, until one fails.

    Args:
        room: the folder of the copy.
        tests: the files, folders or names of the tests.
        kernel: the value of `URIVERSE_KERNEL`, which chooses the engine.
        options: more options of pytest.
        more: arguments of `subprocess.run`.
    """
    folders = os.pathsep.join([str(room / "src"), str(room / "tools")])
    environment = {**os.environ, "PYTHONPATH": folders, "URIVERSE_KERNEL": kernel}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not spark"]
    command += ["-p", "no:cacheprovider", "--hypothesis-profile=unshrunk", *options]
    # A file has room for more names than a command line.
    listed = room / "tests.txt"
    listed.write_text("\n".join(tests), "utf-8")
    command.append(f"@{listed}")
    return subprocess.run(command, cwd=room, env=environment, check=False, **more)  # noqa: S603


def tests_pass(
    room: Path,
    tests: Sequence[str],
    kernel: str,
    without: Sequence[str],
    usual: float,
) -> bool:
    """Run tests in a copy of the repository, without some; return whether all pass in time.

    Args:
        room: the folder of the copy.
        tests: the files, folders or names of the tests.
        kernel: the value of `URIVERSE_KERNEL`, which chooses the engine.
        without: the names of the tests that do not run.
        usual: the time that the tests take without a mutation, in seconds.
    """
    longest = usual + MORE_TIME
    options = [f"--deselect={name}" for name in without]
    try:
        done = run_tests(room, tests, kernel, *options, capture_output=True, timeout=longest)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main() -> int:
    """Mutate the files that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    parser.add_argument("--check", action="store_true", help="only check the recorded mutations")
    parser.add_argument(
        "--sample", type=int, default=100, metavar="N", help="mutations (default: 100)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="skip the first N, to continue a run"
    )
    parser.add_argument("--tests", nargs="+", default=list(TESTS), metavar="TEST")
    options = parser.parse_args()
    if options.check:
        stale = stale_equivalents()
        for file, function, old, new in stale:
            print(f"not exactly once: {file}: {function}\n- {old}\n+ {new}", file=sys.stderr)
        return 2 if stale else 0
    files = [f for path in options.paths for f in (sorted(path.rglob("*.py")) or [path])]
    every = [
        (str(file.resolve().relative_to(ROOT)), number)
        for file in files
        for number in range(len(list(places(parsed(file.read_text("utf-8"))))))
    ]
    chosen = Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    chosen = chosen[options.skip :]
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "copy")
        copy_repository(room)
        (room / "mutations.json").write_text(json.dumps(chosen))
        # The plugin reads the list of mutations, and runs the tests for each.
        done = run_tests(room, options.tests, "disable", "-s", "-p", "mutation_plugin")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
