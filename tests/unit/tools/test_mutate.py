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
