import os
import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from uriverse import _engine
from uriverse._uri import engine
from uriverse._uri import identifier as specification

BUILT = find_spec("uriverse._kernel.core") is not None

NAMES = (
    *("load_types", "is_absolute_uri", "is_iri", "is_iri_reference", "is_uri"),
    *("is_uri_reference", "parse"),
)

#: Code that makes importing the kernel fail, as if it had not been built.
HIDE_KERNEL = "import sys; sys.modules['uriverse._kernel.core'] = None; "

#: Code that prints the engine, whether the kernel was imported, and all imported modules.
PRINT_ENGINE = """
import sys
before = set(sys.modules)
from uriverse import URI, compiled
assert URI('a:b').path == 'b'
print(compiled, bool(sys.modules.get('uriverse._kernel.core')))
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


def run(code: str, choice: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != _engine.SWITCH}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    if choice is not None:
        environment[_engine.SWITCH] = choice
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_kernel_is_used_if_it_is_built_and_not_disabled() -> None:
    for choice, hidden, compiled in [
        *((choice, False, BUILT) for choice in (None, "auto")),
        *((choice, True, False) for choice in (None, "auto")),
        ("disable", False, False),
        *([("require", False, True)] * BUILT),
    ]:
        done = run(HIDE_KERNEL * hidden + PRINT_ENGINE, choice)
        assert done.stderr == ""
        engines, modules = done.stdout.splitlines()
        assert engines == f"{compiled} {compiled}"
        heavy = {"ipaddress", "unicodedata", "dataclasses", *(["typing", "re"] * compiled)}
        assert not heavy & set(modules.split())


def test_a_choice_that_cannot_be_followed_is_an_import_error() -> None:
    for choice, reason in [
        ("require", "URIVERSE_KERNEL is 'require', but the compiled kernel .* with a C compiler"),
        *(
            (choice, f"URIVERSE_KERNEL must be one of auto, require, disable, not {choice!r}")
            for choice in ("", "yes", "REQUIRE", "1")
        ),
    ]:
        done = run(HIDE_KERNEL + PRINT_ENGINE, choice)
        assert done.returncode == 1
        assert re.search(f"ImportError: {reason}", done.stderr, re.DOTALL)


#: Code that prints the engine of an interpreter, and the reason for it.
TELL_ENGINE = """
import sys; sys.path[:] = {path!r}
from uriverse import compiled
from uriverse._cli.output import format_version
print(compiled, format_version(), flush=True)
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


def test_the_running_engine_is_the_chosen_one() -> None:
    choice = os.environ.get(_engine.SWITCH, "auto")
    assert _engine.compiled is (BUILT and choice != "disable")
    assert engine.TYPE_CHECKING is False
    running = _engine.kernel if _engine.compiled else specification
    for name in (*NAMES, "Identifier"):
        found = getattr(engine, name)
        assert found is getattr(running, name) or not _engine.compiled, name
        assert callable(found)


@pytest.mark.skipif(not BUILT, reason="the kernel is not built")
def test_a_kernel_without_its_module_for_columns_says_so() -> None:
    hide = "import sys; sys.modules['uriverse._kernel.columns'] = None; "
    done = run(hide + "from uriverse import columns; columns.host(['//a'])", None)
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert re.fullmatch("ImportError: the compiled kernel lacks its module .* again", error)


@pytest.mark.skipif(not BUILT, reason="the kernel is not built")
def test_values_load_only_the_core_of_the_kernel() -> None:
    code = "import sys, uriverse; uriverse.check(uriverse.URI('http://a/')); "
    done = run(code + "print('uriverse._kernel.columns' in sys.modules)", "require")
    assert done.stdout == "False\n"
