import json
import pkgutil
from pathlib import Path

import pytest
from interpreters import run_python
from platforms import unix

import uriverse

SOURCES = Path(uriverse.__file__).parent.parent

#: First uses that import modules inside of functions.
USES = (
    "from uriverse import Policy; Policy.public_web().allows('https://bücher.example/a')",
    "from uriverse import check, repair; check('http://1.2.3/'), repair('http://h/a b')",
    "from uriverse import IRI; IRI('http://é.example/').normalize(scheme=True).to_uri(host='idna')",
    "from uriverse.schemes import SCHEMES; SCHEMES['mailto']",
)

#: A program in which 16 threads begin with other statements, in a number of processes. It prints
#: the errors. The processes are forked from one that has imported all modules of other packages
#: that ours import: some of those fail in such a race themselves.
RACE = """
import contextlib, json, os, random, sys, threading, traceback

def race(statements):
    barrier = threading.Barrier(len(statements))
    errors = []

    def begin(statement):
        barrier.wait()
        try:
            exec(statement, {})
        except ModuleNotFoundError as error:
            # Only a package that is not installed excuses a module.
            if (error.name or PACKAGE).startswith(PACKAGE):
                errors.append(traceback.format_exc())
        except BaseException:
            errors.append(traceback.format_exc())

    threads = [threading.Thread(target=begin, args=(item,), daemon=True) for item in statements]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        if thread.is_alive():
            errors.append("a thread waits for ever")
    return errors

def imported_from_others(statements):
    for statement in statements:
        with contextlib.suppress(Exception):
            exec(statement, {})
    return [name for name in sys.modules if name.partition(".")[0] != PACKAGE]

def in_a_fork(function, statements):
    reader, writer = os.pipe()
    if os.fork() == 0:
        with open(writer, "w") as stream:
            json.dump(function(statements), stream)
        os._exit(0)
    os.close(writer)
    with open(reader) as stream:
        result = stream.read()
    os.wait()
    return json.loads(result or '["the process died"]')

PACKAGE, runs, *statements = sys.argv[1:]
for name in in_a_fork(imported_from_others, statements):
    with contextlib.suppress(Exception):
        __import__(name)
sys.setswitchinterval(1e-5)  # more often than usual
for number in range(int(runs)):
    chance = random.Random(number)
    few = chance.sample(statements, min(len(statements), chance.choice((2, 4, 8, 16))))
    print(json.dumps(in_a_fork(race, chance.choices(few, k=16))), flush=True)
"""


def failed_races(package: str, path: Path, runs: int, statements: list[str]) -> list[str]:
    program = f"import sys; sys.path.insert(0, {str(path)!r})\n{RACE}"
    done = run_python("-c", program, package, str(runs), *statements, check=True)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == runs, done.stderr
    return ["\n".join(errors) for errors in results if errors]


def public_modules() -> list[str]:
    walk = pkgutil.walk_packages(uriverse.__path__, "uriverse.")
    names = [module.name for module in walk if not module.name.endswith(".__main__")]
    return ["uriverse", *(name for name in names if not any(p[0] == "_" for p in name.split(".")))]


@unix
@pytest.mark.slow  # before each merge, `possible_deadlocks` in test_imports.py finds such imports
def test_threads_may_begin_with_any_public_module() -> None:
    runs = 200
    statements = [f"from {name} import *" for name in public_modules()]
    assert "from uriverse.columns.polars import *" in statements
    errors = failed_races("uriverse", SOURCES, runs, ["import uriverse", *statements, *USES])
    assert not errors, f"{len(errors)} of {runs} processes failed:\n{errors[0]}"


@unix
def test_a_thread_that_cannot_import_a_module_is_detected(tmp_path: Path) -> None:
    package = tmp_path / "planted"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "wrong.py").write_text("from . import missing")
    statements = ["import planted", "import planted.wrong", "import not_installed_anywhere"]
    errors = failed_races("planted", tmp_path, 8, statements)
    assert errors
    assert all("cannot import name 'missing'" in error for error in errors)
