"""`tools/mutate.py` and `tools/mutate_kernel.py`: changes of the code that tests must notice."""

import ast
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"
pytestmark = pytest.mark.skipif(not TOOLS.exists(), reason="the tools are in the repository only")


def module(name: str) -> Any:
    found = spec_from_file_location(name, TOOLS / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    made = module_from_spec(found)
    found.loader.exec_module(made)
    return made


def test_each_mutation_of_the_kernel_can_be_applied_once() -> None:
    command = [sys.executable, str(TOOLS / "mutate_kernel.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout.split()[0]) >= 200


CYTHON = """cdef int f(int a, const unsigned char* p) noexcept nogil:
    if a < 1 and (
        p[a] == c"(" or not a  # a comment with a (
    ):
        return put(p, a + 1, b"//")
    for k in range(a):
        a += k
    b = a - (a > 1)
    return 1 if a else 2
"""
#: Each mutation, and the expression that contains it.
CYTHON_MUTATIONS = {
    ("if a < 1 and (", "if a <= 1 and ("): """ (<bint>(a <= 1 and (
        p[a] == c"(" or not a  # a comment with a (
    )) if is_mutated(0) else <bint>(a < 1 and (
        p[a] == c"(" or not a  # a comment with a (
    ))):""",
    ('p[a] == c"(" or not', 'p[a] == c")" or not'): """ (<bint>(p[a] == c")" or not a)""",
    ("a + 1", "a"): "put(p, ((a) if is_mutated(0) else (a + 1)), b",
    ('b"//"', 'b""'): """ ((put(p, a + 1, b"")) if is_mutated(0) else (put(p, a + 1, b"//")))""",
    ("range(a)", "range(a + 1)"): "range( ((a + 1) if is_mutated(0) else (a))):",
    ("a += k", "a += 0"): "a += ((0) if is_mutated(0) else (k))\n",
    ("(a > 1)", "(a > 2)"): "b = a - ( (<bint>(a > 2) if is_mutated(0) else <bint>(a > 1)))\n",
    ("- (a > 1)", "+ (a > 1)"): "b = ((a + (a > 1)) if is_mutated(0) else (a - (a > 1)))\n",
    ("1 if a", "3 if a"): "return ((3 if a else 2) if is_mutated(0) else (1 if a else 2))\n",
}


def test_a_mutation_of_the_kernel_becomes_a_conditional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    kernel = module("mutate_kernel")
    for (old, new), expected in CYTHON_MUTATIONS.items():
        found = kernel.switched(CYTHON, [(0, kernel.Mutation("f.pxi", old, new))])
        assert expected in found
        assert found.count("is_mutated") == 1
    line = "    for (int i = start + 1; i < n; i++) {\n"
    changes = [
        (5, kernel.Mutation("f.h", "i < n", "i <= n")),
        (6, kernel.Mutation("f.h", "start + 1", "start")),
        (7, kernel.Mutation("f.h", "; i < n;", "; i != n;")),
    ]
    assert kernel.switched(line, changes) == (
        "    for (int i = (is_mutated(6) ? (start) : (start + 1));"
        " (is_mutated(7) ? (i != n) : ((is_mutated(5) ? (i <= n) : (i < n)))); i++) {\n"
    )
    with pytest.raises(ValueError, match="not an expression"):
        kernel.switched("a = 1\n", [(0, kernel.Mutation("f.pxi", "a = 1", "a += 2"))])
    with pytest.raises(ValueError, match="not exactly once"):
        kernel.switched("a = 1\na = 1\n", [(0, kernel.Mutation("f.pxi", "a = 1", "a = 2"))])


def test_every_recorded_mutation_that_means_the_same_still_occurs_once() -> None:
    command = [sys.executable, str(TOOLS / "mutate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_record_of_changed_code_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mutate = module("mutate")
    (tmp_path / "code.py").write_text(SOURCE)
    table = tmp_path / "table.txt"
    monkeypatch.setattr(mutate, "ROOT", tmp_path)
    monkeypatch.setattr(mutate, "EQUIVALENT", table)
    valid = "code.py: f\n- return a < 5\n+ return a <= 5\n= a reason"
    table.write_text(f"# a comment\n\n{valid}\n")
    assert mutate.equivalents() == [("code.py", "f", "return a < 5", "return a <= 5")]
    assert mutate.stale_equivalents() == []
    for other in (valid, valid.replace(": f", ": g"), valid.replace("5", "6")):
        table.write_text(f"{valid}\n\n{other}\n")
        assert len(mutate.stale_equivalents()) == (2 if other == valid else 1)


SOURCE = '''
"""A docstring."""
def f(a: int, b: str = "x") -> bool:
    """Another one."""
    if TYPE_CHECKING:
        return 5
    if a < 1 and not b:
        return a < 5
    raise ValueError(f"{a + 1}")
'''


def test_each_mutation_of_python_code_changes_one_place() -> None:
    mutate = module("mutate")
    places = list(mutate.places(mutate.parsed(SOURCE)))
    original = ast.unparse(mutate.parsed(SOURCE)).splitlines()
    changes = []
    for number, place in enumerate(places):
        mutant = ast.unparse(mutate.mutated(SOURCE, number)).splitlines()
        changed = [(a, b) for a, b in zip(original, mutant, strict=True) if a != b]
        assert len(changed) == (mutate.change(place) is not None)
        if changed:
            [(old, new)] = changed
            assert mutate.change(place) == (old.strip(), new.strip())
            assert place.function == "f"
            changes.append(new.strip())
    assert sorted(changes) == [
        *("def f(a: int, b: str='xx') -> bool:", "if a < 1 and +b:", "if a < 1 or not b:"),
        *("if a < 2 and (not b):", "if a <= 1 and (not b):", "if not (a < 1 and (not b)):"),
        *("return None", "return a < 6", "return a <= 5"),
    ]


FUNCTIONS = """
from functools import lru_cache

@lru_cache
def one(): return 1

class Two:
    def get(self): return 2

pair = lambda: (one(), Two().get()), lambda: 4
"""


def test_a_mutation_replaces_the_code_of_functions_that_are_already_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    plugin, mutate = module("mutation_plugin"), module("mutate")
    file = tmp_path / "functions.py"
    names: dict[str, Any] = {}
    exec(compile(FUNCTIONS, str(file), "exec"), names)
    pair, other = names["pair"]
    assert pair() == (1, 2)
    seen = set()
    for number in range(len(list(mutate.places(mutate.parsed(FUNCTIONS))))):
        assert plugin.replace_code(mutate.mutated(FUNCTIONS, number), str(file))
        seen.add((*pair(), other()))
    assert seen == {(2, 2, 4), (None, 2, 4), (1, 3, 4), (1, None, 4), (1, 2, 5)}
    assert not plugin.replace_code(mutate.parsed(FUNCTIONS), str(tmp_path / "never imported"))


@pytest.mark.parametrize("notices", [True, False])
def test_a_mutation_that_survives_the_reference_implementation_is_tried_with_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notices: bool
) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    plugin, mutate = module("mutation_plugin"), module("mutate")
    file = tmp_path / "code.py"
    file.write_text(SOURCE)
    items = [SimpleNamespace(nodeid=f"test_code.py::test[{n}]") for n in range(2)]
    idle = [SimpleNamespace(nodeid="test_kernel.py::test")]
    tests = SimpleNamespace(
        of=lambda _lines, _file: items, of_file=lambda _: items, idle=idle, times={}, failing=[]
    )
    runs = []

    def tests_pass(_room: Path, names: list[str], kernel: str, *_: object) -> bool:
        runs.append((names, kernel, file.read_text() == SOURCE))
        return not notices

    monkeypatch.setattr(plugin, "in_child", lambda _: plugin.SURVIVED)
    monkeypatch.setattr(plugin, "tests_pass", tests_pass)
    places = enumerate(mutate.places(mutate.parsed(SOURCE)))
    number, place = next((n, one) for n, one in places if one.called)
    assert plugin.survives(file, place, number, tests) is not notices
    assert runs == [(["test_code.py::test", "test_kernel.py::test"], "auto", False)]
    assert file.read_text() == SOURCE


def test_a_crash_without_a_mutation_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    plugin = module("mutation_plugin")
    monkeypatch.chdir(tmp_path)
    Path("output.txt").write_text("the output")
    monkeypatch.setattr(plugin, "in_child", lambda _: -11)
    with pytest.raises(pytest.exit.Exception, match="crash without a mutation:\nthe output"):
        plugin.run_unmutated(lambda: 0)


@pytest.mark.extended
def test_one_command_mutates_a_module_and_prints_what_no_test_notices() -> None:
    pytest.importorskip("coverage")
    command = [sys.executable, str(TOOLS / "mutate.py"), "src/uriverse/_spec/relative.py"]
    command += ["--sample", "30", "--tests", "tests/unit/_spec", "tests/unit/uri"]
    done = subprocess.run(command, cwd=TOOLS.parent, capture_output=True, text=True, check=False)
    assert " mutations, " in done.stdout
    survived = int(done.stdout.rpartition(" survived")[0].split()[-1])
    assert 0 < survived < 30
    assert done.returncode == 1
