import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import uriverse_links

SOURCES = Path(__file__).resolve().parents[1] / "src" / "uriverse_links"
MODULES = sorted(SOURCES.rglob("*.py"))


def find_private_names(source: str) -> Iterator[str]:
    """Yield the names of uriverse that a module imports although they are not public."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                names = [alias.name for alias in node.names]
                modules = [name for name in names if name.partition(".")[0] == "uriverse"]
                yield from (name for name in modules if "._" in name)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] == "uriverse":
                public = set() if "._" in module else {*import_module(module).__all__}
                public |= {"__version__"} if module == "uriverse" else set()
                for alias in node.names:
                    if alias.name not in public:
                        yield f"{module}.{alias.name}"
            case _:
                pass


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_only_public_names_are_imported(path: Path) -> None:
    source = path.read_text("utf-8")
    assert list(find_private_names(source)) == []
    assert ast.get_docstring(ast.parse(source))


def test_a_private_name_is_detected() -> None:
    for source in [
        *("import uriverse._uri.engine", "from uriverse import _engine"),
        "from uriverse._errors import ParseError",
        "def f():\n    from uriverse.diagnosis._codes import GROUPS",
        "from uriverse import data_version",
    ]:
        assert len(list(find_private_names(source))) == 1


def test_public_names_are_allowed() -> None:
    source = (
        "import uriverse.hosts\nfrom uriverse import URI, percent\nfrom uriverse_links import _css"
    )
    assert list(find_private_names(source)) == []


def test_no_module_is_larger_than_a_chapter() -> None:
    assert [path.name for path in MODULES if len(path.read_text("utf-8").splitlines()) > 600] == []


def test_finding_links_loads_no_policies() -> None:
    program = (
        "import sys, uriverse_links as u\n"
        "print([link.written for link in u.links('<http://a>', 'markdown')])\n"
        "print('uriverse._policy' in sys.modules, u.Guard.__module__)\n"
        "print('uriverse._policy' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES.parent), *sys.path])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['http://a']", "False uriverse_links", "True"]


def test_the_package_has_its_public_names_and_no_others() -> None:
    for name in uriverse_links.__all__:
        assert hasattr(uriverse_links, name)
    with pytest.raises(AttributeError, match="has no attribute 'guards'"):
        getattr(uriverse_links, "guards")  # noqa: B009 - type checkers know that it is missing
