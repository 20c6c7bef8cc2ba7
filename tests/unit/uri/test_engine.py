"""`uriverse._uri.engine`: the choice between the kernel and the reference implementation."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from uriverse._uri import engine
from uriverse._uri import identifier as specification

BUILT = find_spec("uriverse._kernel.identifier") is not None

NAMES = (
    *("register_types", "is_absolute_uri", "is_iri", "is_iri_reference", "is_uri"),
    *("is_uri_reference", "parse"),
)

#: Code that makes importing the kernel fail, as if it had not been built.
HIDE_KERNEL = "import sys; sys.modules['uriverse._kernel.identifier'] = None; "


def run(code: str, choice: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != engine.SWITCH}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    if choice is not None:
        environment[engine.SWITCH] = choice
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


PRINT_ENGINE = "from uriverse import URI, compiled; print(compiled, URI('a:b').path)"


@pytest.mark.parametrize("choice", [None, "auto"])
def test_auto_uses_the_kernel_if_it_is_built(choice: str | None) -> None:
    done = run(PRINT_ENGINE, choice)
    assert (done.stdout, done.stderr) == (f"{BUILT} b\n", "")


def test_disable_never_imports_the_kernel() -> None:
    assert run(PRINT_ENGINE, "disable").stdout == "False b\n"
    done = run(
        PRINT_ENGINE + "; import sys; print('uriverse._kernel.identifier' in sys.modules)",
        "disable",
    )
    assert done.stdout.splitlines()[1] == "False"


def test_require_uses_the_kernel_or_fails() -> None:
    done = run(PRINT_ENGINE, "require")
    if BUILT:
        assert done.stdout == "True b\n"
    else:
        assert "the compiled kernel of uriverse cannot be imported" in done.stderr


def test_auto_falls_back_to_the_specification_without_the_kernel() -> None:
    assert run(HIDE_KERNEL + PRINT_ENGINE, None).stdout == "False b\n"
    assert run(HIDE_KERNEL + PRINT_ENGINE, "auto").stdout == "False b\n"


def test_require_without_the_kernel_raises_an_import_error_with_advice() -> None:
    done = run(HIDE_KERNEL + PRINT_ENGINE, "require")
    assert done.returncode == 1
    assert "ImportError: URIVERSE_KERNEL is 'require', but the compiled kernel" in done.stderr
    assert "with a C compiler" in done.stderr


#: Code that prints the engine of an interpreter, and the reason for it.
TELL_ENGINE = """
import sys; sys.path[:] = {path!r}
from uriverse import compiled
from uriverse._cli.output import version_line
print(compiled, version_line(), flush=True)
"""


def test_the_version_tells_that_the_kernel_is_not_built() -> None:
    code = """
import sys, types
sys.modules["uriverse._kernel"] = types.ModuleType("uriverse._kernel")
sys.modules["uriverse._kernel"].__path__ = []
"""
    done = run(code + TELL_ENGINE.format(path=sys.path), "auto")
    assert done.stdout.startswith("False ")
    assert done.stdout.endswith(" (pure Python, no compiled kernel)\n")


@pytest.mark.parametrize("second", [True, False])
def test_a_second_interpreter_tells_why_it_does_not_use_the_kernel(second: bool) -> None:
    tell = TELL_ENGINE.format(path=sys.path)
    code = f"""
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
try:
    other = interpreters.create("legacy")
except TypeError:  # before CPython 3.13
    other = interpreters.create(isolated=False)
run = getattr(interpreters, "exec", None) or interpreters.run_string
tell = {tell!r}
if {second}:
    exec(tell)
run(other, tell)
if not {second}:
    exec(tell)
"""
    if sys.implementation.name != "cpython":
        pytest.skip("needs the interpreters of CPython")
    first, last = run(code, None).stdout.splitlines()
    if not BUILT:
        assert first == last
        assert first.endswith("(pure Python, no compiled kernel)")
        return
    assert first.startswith("True ")
    assert first.endswith("(compiled kernel)")
    assert last.startswith("False ")
    assert "(pure Python, the kernel cannot be loaded: " in last
    assert "interpreter" in last


@pytest.mark.parametrize("choice", ["", "yes", "REQUIRE", "1"])
def test_an_unknown_engine_choice_raises_an_error_listing_the_valid_ones(choice: str) -> None:
    done = run(PRINT_ENGINE, choice)
    assert done.returncode == 1
    assert "ImportError: URIVERSE_KERNEL must be one of" in done.stderr
    assert f"auto, require, disable, not {choice!r}" in done.stderr


def test_the_running_engine_is_the_chosen_one() -> None:
    choice = os.environ.get(engine.SWITCH, "auto")
    assert engine.compiled is (BUILT and choice != "disable")
    running = engine.kernel if engine.compiled else specification
    for name in (*NAMES, "Identifier"):
        assert inspect.unwrap(getattr(engine, name)) is getattr(running, name)


def test_type_checking_is_false_at_run_time() -> None:
    assert engine.TYPE_CHECKING is False


def test_importing_uriverse_does_not_load_heavy_modules() -> None:
    code = (
        "import sys; before = set(sys.modules); import uriverse; "
        "print(*sorted(m for m in set(sys.modules) - before if m.split('.')[0] != 'uriverse'))"
    )
    for choice, heavy in (
        ("auto", {"ipaddress", "unicodedata", "dataclasses", "typing", "re"} if BUILT else set()),
        ("disable", {"ipaddress", "unicodedata", "dataclasses"}),
    ):
        assert not heavy & set(run(code, choice).stdout.split())
