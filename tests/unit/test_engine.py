"""`uriverse._engine`: which engine is taken, and what is said where none can be."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from uriverse import _engine as engine
from uriverse._spec import identifier as specification

BUILT = find_spec("uriverse._kernel.identifier") is not None

NAMES = (
    "register_types",
    "is_absolute_uri",
    "is_iri",
    "is_iri_reference",
    "is_uri",
    "is_uri_reference",
    "parse",
)

#: Makes the kernel impossible to import, as where it is not built.
UNBUILT = "import sys; sys.modules['uriverse._kernel.identifier'] = None; "


def run(code: str, choice: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != engine.SWITCH}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    if choice is not None:
        environment[engine.SWITCH] = choice
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


ASK = "from uriverse import URI, compiled; print(compiled, URI('a:b').path)"


@pytest.mark.parametrize("choice", [None, "auto"])
def test_the_kernel_is_taken_where_it_is_built(choice: str | None) -> None:
    done = run(ASK, choice)
    assert (done.stdout, done.stderr) == (f"{BUILT} b\n", "")


def test_the_kernel_is_never_taken_where_it_is_disabled() -> None:
    assert run(ASK, "disable").stdout == "False b\n"
    done = run(ASK + "; import sys; print('uriverse._kernel.identifier' in sys.modules)", "disable")
    assert done.stdout.splitlines()[1] == "False"


def test_the_kernel_can_be_required() -> None:
    done = run(ASK, "require")
    if BUILT:
        assert done.stdout == "True b\n"
    else:
        assert "the kernel of uriverse is not built here" in done.stderr


def test_the_specification_does_the_work_where_the_kernel_is_not_built() -> None:
    assert run(UNBUILT + ASK, None).stdout == "False b\n"
    assert run(UNBUILT + ASK, "auto").stdout == "False b\n"


def test_a_required_kernel_that_is_not_built_is_an_error_that_says_what_to_do() -> None:
    done = run(UNBUILT + ASK, "require")
    assert done.returncode == 1
    assert "ImportError: URIVERSE_KERNEL is 'require', but the compiled kernel" in done.stderr
    assert "with a C compiler" in done.stderr


@pytest.mark.parametrize("choice", ["", "yes", "REQUIRE", "1"])
def test_an_unknown_choice_is_an_error_that_names_the_right_ones(choice: str) -> None:
    done = run(ASK, choice)
    assert done.returncode == 1
    assert "ImportError: URIVERSE_KERNEL must be one of" in done.stderr
    assert f"auto, require, disable, not {choice!r}" in done.stderr


def test_the_engine_that_runs_is_the_one_that_was_chosen() -> None:
    choice = os.environ.get(engine.SWITCH, "auto")
    assert engine.compiled is (BUILT and choice != "disable")
    running = engine.kernel if engine.compiled else specification
    for name in (*NAMES, "Identifier"):
        assert getattr(engine, name) is getattr(running, name)


def test_the_type_checkers_never_see_the_kernel() -> None:
    assert engine.TYPE_CHECKING is False


def test_importing_the_package_imports_little() -> None:
    code = (
        "import sys; before = set(sys.modules); import uriverse; "
        "print(*sorted(m for m in set(sys.modules) - before if m.split('.')[0] != 'uriverse'))"
    )
    for choice, heavy in (
        ("auto", {"ipaddress", "unicodedata", "dataclasses", "typing", "re"} if BUILT else set()),
        ("disable", {"ipaddress", "unicodedata", "dataclasses"}),
    ):
        assert not heavy & set(run(code, choice).stdout.split())
