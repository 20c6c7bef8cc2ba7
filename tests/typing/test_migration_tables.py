import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from migration_tables import CODE, FOLDER, PEERS, rows

import uriverse

#: The objects that the idioms may use, in addition to the public names of uriverse.
OBJECTS = """
EXAMPLE = "http://user@example.com:8080/docs/report.tar.gz?q=a+b&page=2&page=3#top"
text = EXAMPLE
uri = URI(EXAMPLE)
base = URI("http://example.com/docs/")
ref = URIReference("a/b")
iri = IRI("http://example.com/é#a")
"""


def idioms() -> Iterator[str]:
    for page in PEERS:
        for row in rows(page, (FOLDER / page).read_text("utf-8")):
            if not row.is_string:
                yield from CODE.findall(row.cells[1])


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a module with all idioms, each of which is assigned to a name of its own."""
    folder = tmp_path_factory.mktemp("idioms")
    lines = [f"result_{number} = {code}" for number, code in enumerate(idioms())]
    assert len(lines) > 120
    code = "\n".join([OBJECTS, *lines, ""])
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    names = ", ".join(sorted(used.intersection(uriverse.__all__)))
    path = folder / "idioms.py"
    path.write_text(f"from uriverse import {names}\n{code}", "utf-8")
    # The checkers must read the package that the tests import.
    source = Path(uriverse.__file__).parents[1]
    search = [] if source.name == "site-packages" else [str(source)]
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11", "extraPaths": search}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    return path


def run(module: Path, *command: str) -> subprocess.CompletedProcess[str]:
    settings = json.loads((module.parent / "pyrightconfig.json").read_text("utf-8"))
    environment = os.environ | {"MYPYPATH": os.pathsep.join(settings["extraPaths"])}
    return subprocess.run(
        [sys.executable, "-m", *command, str(module)],
        cwd=module.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_idiom_is_an_expression() -> None:
    for code in idioms():
        ast.parse(code, mode="eval")


@pytest.mark.slow
def test_mypy_accepts_every_idiom(module: Path) -> None:
    pytest.importorskip("mypy", reason="needs mypy (pip install --group dev)")
    done = run(module, "mypy", "--strict", "--python-version=3.11")
    assert done.stdout.splitlines()[-1:] == ["Success: no issues found in 1 source file"], done


@pytest.mark.slow
def test_pyright_accepts_every_idiom(module: Path) -> None:
    pytest.importorskip("pyright", reason="needs pyright (pip install --group dev)")
    done = run(module, "pyright", f"--pythonpath={sys.executable}")
    assert done.returncode == 0, done
    assert "0 errors, 0 warnings" in done.stdout
