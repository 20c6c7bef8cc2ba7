"""Test the tests: change Python code at random places, and see whether the tests notice.

    python tools/mutate.py --sample 100 --seed 1 src/uriverse/_spec

Each mutation changes one operator, constant, condition or statement, in a copy of the repository.
The tests then run with the reference implementation until one fails. If none fails, the mutation
has survived: a test is missing, or the mutated code means the same. Survivors are printed as a
diff. The exit status is 1 if more than 5 % of the mutations survive.
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
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]

#: Tests that find most mutations come first, because testing stops at the first failure.
TESTS = (
    *("tests/conformance/test_rfc_cases.py", "tests/properties", "tests/unit/_spec"),
    *("tests/unit/identifiers", "tests/unit/schemes", "tests/unit/hosts", "tests/unit/views"),
    *("tests/unit/diagnosis", "tests/unit/test_errors.py", "tests/unit/test_percent.py"),
    *(
        "tests/unit/test_policy.py",
        "tests/unit/test_repairing.py",
        "tests/agreement/test_engines.py",
    ),
    *("tests/agreement/test_resolving.py", "tests/agreement/test_normalizing.py"),
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


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that can be mutated, without annotations and docstrings."""
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
        if (
            isinstance(child, ast.If | ast.Return)
            or type(child) in SWAPS
            or (isinstance(child, ast.Constant) and isinstance(child.value, int | str))
        ):
            yield child
        yield from places(child)


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


def mutant(source: str, number: int) -> str | None:
    """Return the code with the mutation of a number, or None if it would mean the same."""
    tree = ast.parse(source)
    place = list(places(tree))[number]
    before = ast.unparse(tree)
    after = ast.unparse(ast.fix_missing_locations(Mutation(place).visit(copy.copy(tree))))
    return None if after == before else after


def copy_repository(room: Path) -> None:
    """Copy the repository to a folder, without the compiled kernel."""
    ignored = shutil.ignore_patterns(".git", "*.so", "build", ".*_cache")
    shutil.copytree(ROOT, room, ignore=ignored)


def tests_pass(room: Path, tests: list[str], kernel: str) -> bool:
    """Run tests in a copy of the repository; return whether all pass in time.

    Args:
        room: the folder of the copy.
        tests: the files or folders of the tests.
        kernel: the value of `URIVERSE_KERNEL`, which chooses the engine.
    """
    environment = {**os.environ, "PYTHONPATH": str(room / "src"), "URIVERSE_KERNEL": kernel}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
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
        for number in range(len(list(places(ast.parse(file.read_text("utf-8"))))))
    ]
    chosen = Random(options.seed).sample(every, min(options.sample, len(every)))  # noqa: S311
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "copy")
        copy_repository(room)
        if not tests_pass(room, options.tests, "disable"):
            print("the tests fail without a mutation", file=sys.stderr)
            return 2
        for done, (file, number) in enumerate(chosen, 1):
            source = (ROOT / file).read_text("utf-8")
            changed = mutant(source, number)
            if changed is None:
                continue
            (room / file).write_text(changed, "utf-8")
            if tests_pass(room, options.tests, "disable"):
                survivors += 1
                lines = ast.unparse(ast.parse(source)).splitlines(), changed.splitlines()
                print(
                    *difflib.unified_diff(*lines, str(file), str(file), n=1, lineterm=""), sep="\n"
                )
            (room / file).write_text(source, "utf-8")
            print(f"{done} of {len(chosen)} mutations, {survivors} survived", flush=True)
    return 1 if survivors > len(chosen) / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
