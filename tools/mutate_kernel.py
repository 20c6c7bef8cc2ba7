"""Test the tests: change the kernel at chosen places, and see whether the tests notice.

    python tools/mutate_kernel.py --sample 20 --seed 1   # some mutations
    python tools/mutate_kernel.py                        # all of them: about 3 hours
    python tools/mutate_kernel.py --check                # only whether each can be applied

For each mutation in kernel_mutations.txt, the kernel is compiled in a copy of the repository, and
the tests run until one fails or crashes. If none fails, the mutation has survived: a test is
missing, or the mutated code means the same. The exit status is 1 if a mutation survives, and 2 if
a mutation cannot be applied or compiled.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import NamedTuple

from mutate import ROOT, copy_repository, tests_pass

TABLE = ROOT / "tools" / "kernel_mutations.txt"
KERNEL = Path("src/uriverse/_kernel")

#: Tests that compare the kernel with the reference implementation, the fastest first.
TESTS = (
    *("tests/conformance/test_rfc_cases.py", "tests/agreement/test_engines.py"),
    *("tests/hostile/test_fuzz_targets.py", "tests/agreement/test_edit_methods.py"),
    *("tests/agreement/test_resolving.py", "tests/agreement/test_normalizing.py"),
    *("tests/agreement/test_query_params.py", "tests/agreement/test_domains.py"),
    *("tests/agreement/test_findings_in_kernel.py", "tests/agreement/test_simd_variants.py"),
    *("tests/agreement/test_repairing_in_kernel.py", "tests/agreement/test_policies_in_kernel.py"),
    *("tests/properties", "tests/unit/identifiers", "tests/unit/test_percent.py"),
    *("tests/hostile/test_columns_broken.py", "tests/unit/columns/test_c_data.py"),
    *("tests/agreement/test_suffixes_in_kernel.py", "tests/hostile/test_length_limit.py"),
    "tests/agreement/test_columns_by_row.py",
    *("tests/agreement/test_redacting.py", "tests/unit/redaction"),
    *("tests/agreement/test_templates_in_kernel.py", "tests/unit/templates/test_router.py"),
)


class Mutation(NamedTuple):
    """A change of one place in a file of the kernel."""

    file: str
    old: str
    new: str

    def applied(self) -> str:
        """Return the mutated source; the old text must occur exactly once."""
        source = (ROOT / KERNEL / self.file).read_text("utf-8")
        if source.count(self.old) != 1:
            raise ValueError(f"{self.file}: not exactly once in the file: {self.old}")
        return source.replace(self.old, self.new)


def mutations() -> list[Mutation]:
    """Read the table."""
    text = TABLE.read_text("utf-8")
    blocks = [block.splitlines() for block in text.split("\n\n") if not block.startswith("#")]
    return [Mutation(file, old[2:], new[2:]) for file, old, new in blocks]


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
        for mutation in table:
            mutation.applied()
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if options.check:
        print(f"{len(table)} mutations")
        return 0
    if options.sample:
        table = Random(options.seed).sample(table, min(options.sample, len(table)))  # noqa: S311
    table = table[options.skip :]
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "copy")
        copy_repository(room)
        build(room)
        if not tests_pass(room, options.tests, "require"):
            print("the tests fail without a mutation", file=sys.stderr)
            return 2
        for mutation in table:
            path = room / KERNEL / mutation.file
            original = path.read_text("utf-8")
            path.write_text(mutation.applied(), "utf-8")
            try:
                build(room)
            except subprocess.CalledProcessError as error:
                print(f"cannot be compiled: {mutation}\n{error.stderr.decode()}", file=sys.stderr)
                return 2
            survived = tests_pass(room, options.tests, "require")
            survivors += survived
            word = "SURVIVED" if survived else "killed"
            print(f"{word}: {mutation.file}\n- {mutation.old}\n+ {mutation.new}", flush=True)
            path.write_text(original, "utf-8")
    print(f"{len(table)} mutations, {survivors} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
