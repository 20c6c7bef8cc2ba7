"""Test the tests: change the kernel at chosen places, and see whether the tests notice.

    python tools/mutate_kernel.py --sample 20 --seed 1   # some mutations
    python tools/mutate_kernel.py                        # all of them
    python tools/mutate_kernel.py --check                # only whether each can be applied

All mutations of kernel_mutations.txt are compiled into one kernel, in a copy of the repository.
Each is a conditional expression, and a variable chooses the mutation at run time. For each
mutation, the tests that evaluate its expression run until one fails or crashes. If none fails, the
mutation has survived: a test is missing, or the mutated code means the same. In the second case,
the table gives the reason. The exit status is 1 if a mutation without a reason survives, or if the
tests notice one with a reason; it is 2 if a mutation cannot be applied or compiled.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from mutate import ROOT, copy_repository, read_blocks, run_tests

TABLE = ROOT / "tools" / "kernel_mutations.txt"
KERNEL = Path("src/uriverse/_kernel")

#: Tests that compare the kernel with the reference implementation, or call it directly.
TESTS = (
    *("tests/conformance/test_rfc_cases.py", "tests/agreement/test_engines.py"),
    "tests/conformance/test_complete.py",
    *("tests/hostile/test_fuzz_targets.py", "tests/agreement/test_edit_methods.py"),
    *("tests/agreement/test_resolving.py", "tests/agreement/test_normalizing.py"),
    *("tests/agreement/test_query_params.py", "tests/agreement/test_domains.py"),
    *("tests/agreement/test_findings_in_kernel.py", "tests/agreement/test_simd_variants.py"),
    *("tests/agreement/test_repairing_in_kernel.py", "tests/agreement/test_policies_in_kernel.py"),
    *("tests/properties", "tests/unit/uri", "tests/unit/test_percent.py"),
    *("tests/hostile/test_columns_broken.py", "tests/unit/columns/test_c_data.py"),
    *("tests/agreement/test_suffixes_in_kernel.py", "tests/unit/suffixes"),
    "tests/hostile/test_length_limit.py",
    *("tests/agreement/test_columns_by_row.py", "tests/agreement/test_selecting.py"),
    *("tests/agreement/test_redacting.py", "tests/unit/redaction"),
    *("tests/agreement/test_templates_in_kernel.py", "tests/unit/templates"),
    *("tests/unit/schemes", "tests/unit/policy", "tests/agreement/test_shortcuts.py"),
    *("tests/unit/diagnosis/test_each_code.py", "tests/unit/columns/test_rows_of_kernel.py"),
    "tests/unit/diagnosis/test_places_of_repairs.py",
)

#: Strings, comments, words, operators of two characters, spaces, and single characters.
TOKEN = re.compile(
    r'''""".*?"""|[cb]?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*.*?\*/|\#[^\n]*|\w+'''
    r"""|[-+*/%|&^<>=!]=|<<|>>|&&|\|\||->|\ +|.""",
    re.DOTALL,
)
CONDITIONS = {"and", "or", "not", "==", "!=", "<", "<=", ">", ">="}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "|=", "&="}
KEYWORDS = {"if", "elif", "while", "return", "in"}

#: The number of the chosen mutation, and which mutations the code has reached.
SWITCHES = """
#ifndef URIVERSE_MUTATIONS
#define URIVERSE_MUTATIONS
#include <stdlib.h>
int uriverse_mutation = -1, uriverse_mutations = {count};
unsigned char uriverse_reached[{count}];
__attribute__((constructor)) static void choose_mutation(void) {{
    const char *chosen = getenv("URIVERSE_MUTATION");
    if (chosen) uriverse_mutation = atoi(chosen);
}}
#define is_mutated(k) (uriverse_reached[k] = 1, uriverse_mutation == (k))
#endif
"""


class Mutation(NamedTuple):
    """A change of one place in a file of the kernel.

    Attributes:
        file: the name of the file.
        old: a part of a line; it occurs exactly once in the file.
        new: the code that replaces it.
        reason: why the mutated code means the same; empty if it does not.
    """

    file: str
    old: str
    new: str
    reason: str = ""

    def applied(self, source: str) -> str:
        """Return the mutated source of the file."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file}: not exactly once in the file: {self.old}")
        return source.replace(self.old, self.new)


def mutations() -> list[Mutation]:
    """Read the table."""
    return [Mutation(*block) for block in read_blocks(TABLE)]


class Tokens(list[str]):
    """The tokens of a file of the kernel, and the bracket around each of them."""

    def __init__(self, source: str) -> None:
        super().__init__(TOKEN.findall(source))
        self.closing: dict[int, int] = {-1: len(self)}
        self.around: list[int] = []
        opened = [-1]
        for number, part in enumerate(self):
            if part in {")", "]"} and len(opened) > 1:
                self.closing[opened.pop()] = number
            self.around.append(opened[-1])
            if part in {"(", "["}:
                opened.append(number)

    def is_end(self, number: int, bracket: int) -> bool:
        """Whether a part ends an expression that is directly inside a bracket."""
        part = self[number]
        if self.around[number] != bracket:
            return False
        if part in KEYWORDS:  # A keyword can also belong to a conditional expression.
            line = "".join(self[max(number - 30, 0) : number]).rpartition("\n")[2].split()
            return bracket < 0 and (not line or (part == "in" and line[0] == "for"))
        return (
            part in {",", ";", ":", "{", "}"}
            or part in ASSIGNMENTS
            or part.startswith("#")
            or (part == "\n" and bracket < 0)
        )

    def expression(self, start: int, end: int) -> tuple[int, int]:
        """Extend a range of tokens to the smallest whole expression."""
        bracket = self.around[start]
        while self.closing[bracket] < end:
            bracket = self.around[bracket]
        while True:
            inside = [n for n in range(start, end) if self.around[n] == bracket]
            # Bytes are Python objects in conditional expressions.
            if not any(self.is_end(n, bracket) or self[n].startswith('b"') for n in inside):
                break
            if bracket < 0:
                raise ValueError("not an expression: " + "".join(self[start:end]))
            start, end, bracket = bracket, self.closing[bracket] + 1, self.around[bracket]
        while start - 1 > bracket and not self.is_end(start - 1, bracket):
            start -= 1
        while end < self.closing[bracket] and not self.is_end(end, bracket):
            end += 1
        return start, end


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens at the start of two sequences are equal."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def switched(source: str, changes: Sequence[tuple[int, Mutation]]) -> str:
    """Return the source of a file with a conditional expression for each numbered mutation."""
    tokens = Tokens(source)
    found: list[tuple[int, int, int, str, str]] = []
    for number, mutation in changes:
        new = TOKEN.findall(mutation.applied(source))
        first = common(tokens, new)
        end = len(tokens) - common(tokens[first:][::-1], new[first:][::-1])
        start, end = tokens.expression(min(first, end - 1), end)
        changed = "".join(new[start : end + len(new) - len(tokens)])
        # Both sides of a conditional expression need the same type.
        parts = {tokens[n] for n in range(start, end) if tokens.around[n] == tokens.around[start]}
        cast = "<bint>" if parts & CONDITIONS and "else" not in parts else ""
        found.append((end - start, start, number, cast, changed.strip()))
    is_c = changes[0][1].file.endswith(".h")
    # Expressions inside others come first, so that their parentheses are inside.
    for length, start, number, cast, changed in sorted(found):
        before = f"{cast}({changed}) if is_mutated({number}) else {cast}("
        if is_c:
            before = f"is_mutated({number}) ? ({changed}) : ("
        tokens[start] = f" ({before}{tokens[start].lstrip(' ')}"
        tokens[start + length - 1] += "))"
    return "".join(tokens)


def switched_kernel(table: Sequence[Mutation]) -> dict[str, str]:
    """Return the files of the kernel that change, with an expression for each mutation."""

    def text(name: str) -> str:
        return (ROOT / KERNEL / name).read_text("utf-8")

    files = {
        name: switched(text(name), [(n, each) for n, each in enumerate(table) if each.file == name])
        for name in sorted({mutation.file for mutation in table})
    }
    files["mutations.h"] = SWITCHES.format(count=len(table))
    declaration = 'cdef extern from "mutations.h":\n    bint is_mutated(int) noexcept nogil\n\n'
    for name, added in (("core.pxd", declaration), ("scan.h", '#include "mutations.h"\n')):
        line = re.compile(r"^(?=cdef extern|#ifndef)", re.MULTILINE)
        files[name] = line.sub(added, files.get(name, text(name)), count=1)
    return files


def build(room: Path) -> None:
    """Compile the kernel in a copy of the repository."""
    # Without optimization, the compiler takes a third of the time.
    environment = {**os.environ, "CFLAGS": "-O0", "URIVERSE_KERNEL": "require"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force"]
    subprocess.run(command, cwd=room, env=environment, check=True, capture_output=True)  # noqa: S603


def main() -> int:
    """Apply the mutations that the command line selects; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only check the table")
    parser.add_argument("--sample", type=int, metavar="N", help="mutations (default: all)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--skip", type=int, default=0, metavar="N", help="skip the first N, to continue a run"
    )
    parser.add_argument("--tests", nargs="+", default=list(TESTS), metavar="TEST")
    options = parser.parse_args()
    table = mutations()
    try:
        files = switched_kernel(table)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.check:
        print(f"{len(table)} mutations, {sum(1 for each in table if each.reason)} equivalent")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "copy")
        copy_repository(room)
        for name, text in files.items():
            (room / KERNEL / name).write_text(text, "utf-8")
        try:
            build(room)
        except subprocess.CalledProcessError as error:
            print(error.stderr.decode(), file=sys.stderr)
            return 2
        chosen = list(enumerate(table))
        if options.sample:
            chosen = Random(options.seed).sample(chosen, min(options.sample, len(table)))  # noqa: S311
        (room / "mutations.json").write_text(json.dumps(chosen[options.skip :]))
        # The plugin reads the list of mutations, and runs the tests for each.
        done = run_tests(room, options.tests, "require", "-s", "-p", "mutate_kernel_plugin")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
