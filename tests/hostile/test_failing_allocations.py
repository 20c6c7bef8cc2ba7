"""A call of the kernel that runs out of memory raises `MemoryError` and leaves no trace.

The functions of the C library are replaced, so that the memory of Python objects and of the
kernel's buffers fails alike. This needs glibc and a C compiler.
"""

import os
import sys
from pathlib import Path

import pytest
from entry_points import ENTRY_POINTS
from failing_malloc import SOURCE, needs_malloc, preloaded
from interpreters import run_python
from platforms import FREE_THREADED

from uriverse import _engine

pytestmark = [
    needs_malloc,
    pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built"),
    pytest.mark.skipif(FREE_THREADED, reason="the allocator of this Python cannot be replaced"),
    pytest.mark.skipif(
        sys.version_info[:2] in ((3, 12), (3, 13)),
        reason="CPython 3.12 and 3.13 crash if they have no memory to create a function",
    ),
]

#: Entry points that pass with Python 3.14 only. With 3.11, Python code raises further kinds of
#: `SystemError`, because CPython has no memory for the frame of a function and sets no exception.
#: nanoarrow 0.9 crashes without memory, so only functions that read Arrow structures are tested for
#: columns.
OPEN = frozenset({"check", "domains", "params", "percent"} if sys.version_info < (3, 14) else ())

#: The default step between failing allocations in the extended test.
STEP = int(os.environ.get("URIVERSE_ALLOCATION_STEP", "7"))

#: Entry points with so few allocations that all can fail by default, and one with more.
SHORT = ("is_uri", "is_iri", "is_uri_reference", "attributes", f"parse={10 * STEP}")


def run_with_failures(folder: Path, *words: str) -> None:
    search = [*sys.path, os.environ.get("PYTHONPATH", "")]
    environment = {"PYTHONPATH": os.pathsep.join(search), "URIVERSE_KERNEL": "require"}
    # Python's own allocator gets memory in large blocks, so few of its allocations could fail.
    environment |= {"LD_PRELOAD": preloaded(folder), "PYTHONMALLOC": "malloc"}
    program = str(SOURCE.with_name("failing_allocations.py"))
    done = run_python(program, *words, env=environment)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr[-3000:])


def test_every_allocation_of_short_calls_can_fail(tmp_path: Path) -> None:
    run_with_failures(tmp_path, *SHORT)


def test_every_allocation_can_fail_while_an_arrow_structure_is_read(tmp_path: Path) -> None:
    run_with_failures(tmp_path, "Arrow schema", "Arrow array")


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name in ENTRY_POINTS if name not in OPEN])
def test_allocations_of_each_entry_point_can_fail(name: str, tmp_path: Path) -> None:
    run_with_failures(tmp_path, f"{name}={STEP}")
