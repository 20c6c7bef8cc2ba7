"""Who may import whom, and what every module and public name must have."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import uriverse
from uriverse.spec import identifier as spec

PACKAGE = Path(uriverse.__file__).parent

# From the top down: a module may import from its own layer and from those below.
LAYERS = (
    "__init__",
    "__main__",
    "cli",
    "columns",
    "policy",
    "diagnosis",
    "extraction",
    "schemes",
    "hosts",
    "identifiers",
    "views",
    "percent",
    "engine",
    "kernel",
    "spec",
    "grammar",
    "errors",
    "version",
)

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def layer_of(parts: tuple[str, ...]) -> str:
    return parts[0] if parts else "__init__"


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """What a module imports of the package, as dotted parts below the package's name."""
    here = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "uriverse":
                    yield tuple(alias.name.split(".")[1:])
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = here[: len(here) - node.level]
            elif (node.module or "").split(".")[0] == "uriverse":
                base = ()
            else:
                continue
            module = tuple((node.module or "").removeprefix("uriverse").strip(".").split("."))
            whole = (*base, *(part for part in module if part))
            # `from . import engine` names modules; `from .engine import x` names one module.
            yield from ([(*whole, alias.name) for alias in node.names] if not whole else [whole])


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_only_downwards(path: Path) -> None:
    own = layer_of(path.relative_to(PACKAGE).with_suffix("").parts)
    for parts in imported(path):
        layer = layer_of(parts)
        if layer in LAYERS:
            assert LAYERS.index(layer) >= LAYERS.index(own), f"{own} imports {'.'.join(parts)}"
        else:
            # A name of the package itself: only what stands above may want it.
            assert LAYERS.index(own) < LAYERS.index("diagnosis"), f"{own} imports {parts}"


def test_every_module_has_its_layer() -> None:
    found = {layer_of(path.relative_to(PACKAGE).with_suffix("").parts) for path in MODULES}
    assert found == set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "util", "helpers", "common", "misc", "manager"}
    assert not empty & {part for path in MODULES for part in path.with_suffix("").parts}


def test_the_kernel_imports_nothing_of_the_package() -> None:
    for path in (PACKAGE / "kernel").iterdir():
        if path.suffix in {".pyx", ".pxi", ".py"}:
            lines = path.read_text("utf-8").splitlines()
            assert not [line for line in lines if line.startswith(("import", "from uriverse"))]


def public_members() -> Iterator[tuple[str, object]]:
    for name in uriverse.__all__:
        public = getattr(uriverse, name)
        yield name, public
        if isinstance(public, type):
            for member, value in vars(public).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("name", [name for name, _ in public_members()])
def test_every_public_name_has_a_docstring_that_opens_with_a_sentence(name: str) -> None:
    docstring = inspect.getdoc(dict(public_members())[name])
    assert docstring
    assert docstring.split("\n\n")[0].rstrip().endswith((".", ":"))


def surface(module: object, kind: str) -> dict[str, str | None]:
    owner = getattr(module, kind) if kind else module
    names = {n for n in vars(spec if not kind else spec.Identifier) if not n.startswith("_")}
    return {name: inspect.getdoc(getattr(owner, name, None)) for name in names}


def test_both_engines_have_the_same_members_with_the_same_docstrings() -> None:
    kernel = pytest.importorskip("uriverse.kernel.identifier", reason="the kernel is not built")
    assert surface(kernel, "Identifier") == surface(spec, "Identifier")
    for name in ("is_uri", "is_uri_reference", "is_absolute_uri", "is_iri", "is_iri_reference"):
        assert inspect.getdoc(getattr(kernel, name)) == inspect.getdoc(getattr(spec, name))
    assert inspect.getdoc(kernel.parse) == inspect.getdoc(spec.parse)
    assert inspect.getdoc(kernel.Identifier) == inspect.getdoc(spec.Identifier)


def test_every_module_can_be_imported_alone() -> None:
    names = {m.name for m in pkgutil.walk_packages(uriverse.__path__, "uriverse.")}
    assert {"uriverse.spec.offence", "uriverse.cli.commands"} <= names


def test_all_public_names_are_listed_and_there() -> None:
    assert sorted(uriverse.__all__) == sorted(set(uriverse.__all__))
    assert set(uriverse.__all__) <= set(dir(uriverse))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = uriverse.nothing
