"""A command imports only the modules that it needs, so that it starts fast."""

from __future__ import annotations

import subprocess
import sys

import pytest

import uriverse

#: The program of the command, which then prints the modules of the package that it has imported.
PROGRAM = """
import sys
from uriverse._cli import run
status = run(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "uriverse"))
sys.exit(status)
"""


def loaded_modules(*words: str) -> list[str]:
    """Run a command, and return the modules of the package that it imports."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, check=True, text=True
    )
    return result.stdout.splitlines()[-1].split()


@pytest.mark.skipif(not uriverse.compiled, reason="the reference implementation needs the grammar")
@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("check", "http://a/"), 25),
        (("get", "host", "http://a/"), 21),
        (("normalize", "http://a/"), 22),
    ],
)
def test_a_command_on_a_valid_uri_loads_few_modules(words: tuple[str, ...], most: int) -> None:
    modules = loaded_modules(*words)
    assert len(modules) <= most, modules


@pytest.mark.skipif(not uriverse.compiled, reason="the reference implementation needs the grammar")
def test_a_command_loads_no_module_of_another_command() -> None:
    others = {"checking", "coding", "editing", "policies", "reading", "sql", "templates", "texts"}
    assert not {f"uriverse._cli.{name}" for name in others} & {*loaded_modules("get", "host", "a:")}
