"""`tools/count_names.py`: names that stop a reader, in Python and in Cython."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "count_names.py"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the tools are in the repository only")

PYTHON = '''\
class Uri:
    def normalize_path(self, path):
        """Docstring: raise_error()"""
        clean_path = path
        return clean_path

    @property
    def decoded(self):
        return self._decoded

    def __eq__(self, other):
        return False
'''
CYTHON = '''\
cdef struct Span:
    const unsigned char* p

cdef int declared_only(int found) nogil

cdef inline Py_ssize_t find_end(
    const unsigned char* p, Py_ssize_t start, int[2] sizes, str name=None
) noexcept nogil:
    """Return an end; `found = made()` is no code."""
    cdef unsigned char* out = <unsigned char*>call(p, start)  # given = 1
    cdef Py_ssize_t first = max(start, 1), last
    for index in range(first):
        last = index
    if last == first:
        return 0
    return last
'''


def count(*arguments: object) -> tuple[int, dict[str, float], str]:
    """Return the exit status, the counts by name, and the output."""
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    counts = {line[:17].strip(): line[17:22] for line in done.stdout.splitlines()[-7:]}
    return done.returncode, {name: float(count) for name, count in counts.items()}, done.stdout


def test_the_repository_is_within_the_limits() -> None:
    status, counts, output = count("--check")
    assert status == 0, output
    assert counts["words"] >= 2


def test_good_names_in_python_and_cython_are_within_the_limits(tmp_path: Path) -> None:
    (tmp_path / "uri.py").write_text(PYTHON)
    (tmp_path / "uri.pxi").write_text(CYTHON)
    status, counts, output = count("--check", "--list", tmp_path)
    assert status == 0, output
    assert {name for name, count in counts.items() if count} == {"words"}


@pytest.mark.parametrize(
    ("habit", "name", "source", "reason"),
    [
        ("participles", "a.py", "def decoded_text(a): ...", "a.py:1: decoded_text is named by"),
        ("participles", "a.pxi", "\ncdef int decoded_a(int a):\n    pass", "a.pxi:2: decoded_a is"),
        ("prepositions", "a.py", "def path_of(a): ...", "a.py:1: path_of ends in a preposition"),
        ("prepositions", "a.pyx", "def path_of(a):\n    pass", "path_of ends in a preposition"),
        ("vague_locals", "a.py", "def find_a():\n    found = 1", "has vague locals: found"),
        ("vague_locals", "a.py", "def find_a(*, given): ...", "has vague locals: given"),
        ("vague_locals", "a.pxi", "cdef f_a(char* rest):\n    pass", "has vague locals: rest"),
        ("vague_locals", "a.pxi", "cdef f_a():\n    cdef A b, found = g(1, 2)", "locals: found"),
        ("vague_locals", "a.pxi", "def f_a():\n    b, made = g()", "has vague locals: made"),
        ("vague_locals", "a.pxi", "def f_a():\n    for each in g():\n        h()", "locals: each"),
        ("weak_locals", "a.py", "def find_a():\n    result = 1\n" * 404, ""),
        ("weak_locals", "a.pxi", "def find_a(data not None):\n    pass\n" * 404, ""),
        ("words", "a.py", "def find(): ...", ""),
        ("words", "a.pxi", "cdef int find():\n    pass", ""),
        ("lowercase_raises", "a.py", "def find_a():\n    raise make_error(1)\n" * 6, "in place"),
        ("shared_names", "a.py", "def find_a(): ...", "find_a is in several modules"),
    ],
)
def test_each_habit_exceeds_its_limit(
    tmp_path: Path, habit: str, name: str, source: str, reason: str
) -> None:
    (tmp_path / name).write_text(source)
    if habit == "shared_names":
        (tmp_path / "b.py").write_text(source)
    status, counts, output = count("--check", "--list", tmp_path)
    assert status == 1
    assert reason in output
    exceeded = [line.split()[0] for line in output.splitlines() if line.endswith("the names")]
    assert exceeded == [habit]
    assert counts[habit] != 0
    assert count(tmp_path)[0] == 0


def test_a_name_in_a_python_module_and_in_the_kernel_is_not_shared(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def find_end(): ...")
    (tmp_path / "a.pxi").write_text("cdef find_end():\n    pass")
    assert count("--check", tmp_path)[1]["shared_names"] == 0
