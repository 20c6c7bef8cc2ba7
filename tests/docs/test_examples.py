import ast
import doctest
import importlib
import inspect
import linecache
import pkgutil
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import python_blocks
from command_runner import run_uriverse
from commands import run as run_links

import uriverse
import uriverse_compare
import uriverse_links
from uriverse._cli.commands import COMMANDS
from uriverse.columns import _front_ends
from uriverse.columns._registry import FUNCTIONS

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^ *>>> ", re.MULTILINE)
#: Examples that need Java are run by tests/unit/columns/test_spark.py.
ON_SPARK = {"spark.md", "uriverse.columns.spark", "uriverse.columns._spark_execution"}
DOCUMENTS = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")]
    if path.name not in ON_SPARK
)
MODULES = sorted(
    module.name
    for package in (uriverse, uriverse_compare, uriverse_links)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.name.startswith(("uriverse._kernel.", "uriverse.__main__"))
    and module.name != "uriverse_links.__main__"
    and module.name not in ON_SPARK
)


DJANGO_MODULES = [name for name in MODULES if name.startswith("uriverse.integrations.django")]


class Finder(doctest.DocTestFinder):
    """Find the examples in all definitions of a module, whatever `__module__` names."""

    def _from_module(self, module: ModuleType, found: Any) -> bool:
        if inspect.isclass(found) and found.__module__.startswith("uriverse"):
            start = rf"^class {found.__name__}\b"
            return re.search(start, inspect.getsource(module), re.MULTILINE) is not None
        # Some methods are wrapped in objects of the compiled kernel.
        found = inspect.unwrap(getattr(found, "__func__", found))
        if inspect.isroutine(found):
            return inspect.isfunction(found) and found.__globals__ is vars(module)
        return bool(super()._from_module(module, found))  # type: ignore[misc]


def docstrings_of_variables(source: str) -> Iterator[str]:
    """Yield each docstring of a variable: a string that follows an assignment in a module."""
    for before, after in pairwise(ast.parse(source).body):
        match before, after:
            case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(docstring))):
                yield docstring


#: Packages that the default installation of the tests lacks, by the module or page that needs them.
NEEDED = {
    **dict.fromkeys(
        (
            *("README.md", "column-jobs.md", "columns/index.md", "getting-started.md"),
            *("suffixes.md", "uriverse._errors"),
            *("uriverse.columns._functions", "uriverse.columns._arrow", "uriverse.columns._sql"),
            *("uriverse.columns.duckdb", "uriverse.columns.pandas", "uriverse.columns.polars"),
        ),
        ("duckdb", "pandas", "polars", "pyarrow"),
    ),
    "agents.md": ("fastapi", "mcp", "pydantic_ai"),
    "django.md": ("django",),
    "django-rest-framework.md": ("django", "rest_framework"),
    "jsonschema.md": ("fastjsonschema", "jsonschema"),
    "sqlalchemy.md": ("sqlalchemy",),
    **dict.fromkeys(DJANGO_MODULES, ("django",)),
    "uriverse.integrations.django.serializers": ("django", "rest_framework"),
    "uriverse.integrations.jsonschema": ("jsonschema",),
    "uriverse.integrations.sqlalchemy": ("sqlalchemy",),
    "attrs.md": ("cattrs",),
    "click.md": ("click", "typer"),
    "uriverse.integrations.click": ("click",),
    "msgspec.md": ("msgspec",),
    "pydantic.md": ("fastapi", "pydantic"),
    "uriverse._uri.pydantic_schema": ("pydantic",),
    "uriverse.integrations.attrs": ("attrs",),
    "uriverse.integrations.msgspec": ("msgspec",),
    "uriverse.integrations.typer": ("typer",),
    "http-clients.md": ("requests",),
    "rdf.md": ("pyoxigraph", "rdflib"),
    "uriverse.dial._aiohttp_connectors": ("aiohttp",),
    "uriverse.dial._connectors": ("aiohttp", "httpx2", "requests"),
    "uriverse.dial._requests_sessions": ("requests",),
}


def require_packages(name: str) -> None:
    for package in NEEDED.get(name, ()):
        pytest.importorskip(package, reason=f"needs {package} (pip install --group test-all)")
        if package == "django":
            # Examples need settings, as in a project.
            importlib.import_module("django_site")


def composed_docstrings(name: str) -> str:
    if name != "uriverse.columns._functions":
        return ""
    front_ends = (_front_ends.write_function_docstring, _front_ends.write_method_docstring)
    return "\n".join(compose(one) for compose in front_ends for one in FUNCTIONS.values())


@pytest.fixture(autouse=True)
def _few_cached_files() -> None:
    """Forget the lines of files: `doctest` examines each cached file before each docstring."""
    linecache.clearcache()


@pytest.mark.parametrize("name", ["uriverse", "uriverse_compare", "uriverse_links", *MODULES])
def test_examples_in_docstrings_print_the_output_shown(name: str) -> None:
    require_packages(name)
    module = importlib.import_module(name)
    # Docstrings use public names, without importing them.
    names = vars(module) | {name: getattr(uriverse, name) for name in uriverse.__all__}
    written = len(EXAMPLE.findall(inspect.getsource(module) + composed_docstrings(name)))
    runner = doctest.DocTestRunner()
    for example in Finder().find(module, extraglobs=names):
        runner.run(example)
    for docstring in docstrings_of_variables(inspect.getsource(module)):
        runner.run(doctest.DocTestParser().get_doctest(docstring, dict(names), name, None, 0))
    assert (runner.failures, runner.tries) == (0, written)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_python_block_in_a_document_works_alone_or_names_what_it_continues(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_packages("columns/index.md" if path.parent.name == "columns" else path.name)
    monkeypatch.chdir(tmp_path)  # Some examples write files.
    assert python_blocks.run(path) == (0, len(EXAMPLE.findall(path.read_text("utf-8"))))


def console_examples() -> Iterator[tuple[str, str, str, str]]:
    for path in DOCUMENTS:
        for block in CONSOLE.findall(path.read_text("utf-8")):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, output = example.partition("\n")
                echoed, bar, last = command.rpartition(" | ")
                given = shlex.split(echoed)[1] if bar else ""
                if last.startswith(("uriverse ", "uriverse-links ")):
                    yield str(path.relative_to(ROOT)), given.replace("\\n", "\n"), last, output


@pytest.mark.parametrize(("document", "given", "command", "output"), list(console_examples()))
def test_commands_in_documents_print_the_output_shown(
    document: str, given: str, command: str, output: str
) -> None:
    program, *words = shlex.split(command)
    if program == "uriverse-links":
        assert run_links(*words, given=given).output.rstrip("\n") == output.rstrip("\n"), document
        return
    if words[0] == "sql":
        pytest.importorskip("duckdb", reason="needs duckdb (pip install --group test-all)")
    result = run_uriverse(words, input=given)
    assert result.output.rstrip("\n") == output.rstrip("\n"), document


def test_every_command_has_an_example_in_the_documents() -> None:
    commands = [shlex.split(command) for _, _, command, _ in console_examples()]
    shown = {command for program, command, *_ in commands if program == "uriverse"}
    # Other tests run the output of `completion` in each shell.
    assert set(COMMANDS) - shown == {"completion"}
