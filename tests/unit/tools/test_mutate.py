"""`tools/mutate.py` and `tools/mutate_kernel.py`: changes of the code that tests must notice."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
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
    count = len(list(mutate.places(mutate.parsed(SOURCE))))
    found = {mutate.mutant(SOURCE, number) for number in range(count)} - {None}
    original = ast.unparse(mutate.parsed(SOURCE)).splitlines()
    changes = []
    for one in found:
        changed = [b for a, b in zip(original, one.splitlines(), strict=True) if a != b]
        assert len(changed) == 1
        changes += changed
    assert sorted(line.strip() for line in changes) == [
        "def f(a: int, b: str='xx') -> bool:",
        "if a < 1 and +b:",
        "if a < 1 or not b:",
        "if a < 2 and (not b):",
        "if a <= 1 and (not b):",
        "if not (a < 1 and (not b)):",
        "return None",
        "return a < 6",
        "return a <= 5",
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


@pytest.mark.extended
def test_one_command_mutates_a_module_and_prints_what_no_test_notices() -> None:
    pytest.importorskip("coverage")
    command = [sys.executable, str(TOOLS / "mutate.py"), "src/uriverse/_spec/relative.py"]
    command += ["--sample", "30", "--tests", "tests/unit/_spec", "tests/unit/identifiers"]
    done = subprocess.run(command, cwd=TOOLS.parent, capture_output=True, text=True, check=False)
    assert "30 mutations, " in done.stdout
    survived = int(done.stdout.partition("30 mutations, ")[2].split()[0])
    assert 0 < survived < 30
    assert done.returncode == 1
