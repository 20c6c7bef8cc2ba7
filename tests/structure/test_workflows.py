import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

# The folder is no package for type checkers, which would find the module twice.
workflow_environments: Any = import_module("tools.workflow_environments")

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

#: A use of an action of another repository, by digest and with its version.
PINNED = re.compile(r"[\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
#: A use of a workflow in this repository.
LOCAL = re.compile(r"\./\.github/workflows/[\w-]+\.yml\b")
USE = re.compile(r"^ *-? *uses: (.+)$", re.MULTILINE)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_digest(path: Path) -> None:
    uses = USE.findall(path.read_text("utf-8"))
    assert uses
    assert [use for use in uses if not PINNED.fullmatch(use) and not LOCAL.match(use)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_no_permissions_and_its_jobs_only_those_they_need(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "\npermissions: {}\n" in text
    # `contents: read` needs no explanation. Every other permission has one.
    permissions = re.findall(r"^ {6}([a-z-]+: (?:read|write).*)$", text, re.MULTILINE)
    assert [given for given in permissions if given != "contents: read" and "#" not in given] == []
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")


@pytest.mark.parametrize("linter", [["actionlint"], ["zizmor", "--offline", "--quiet", "."]])
def test_linters_find_nothing(linter: list[str]) -> None:
    if not (program := shutil.which(linter[0])):
        pytest.skip(f"needs {linter[0]} (on the PATH)")
    done = subprocess.run(
        [program, *linter[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_environment_of_a_workflow_is_built_every_night() -> None:
    built = [
        environment[0]
        for path in WORKFLOWS
        for environment in workflow_environments.environments(path.read_text("utf-8"))
    ]
    assert [command for command in built if "--group docs" in command]
    readme = re.search(r'pip install -q ("\.\[test\]") ', (ROOT / "README.md").read_text("utf-8"))
    assert readme
    assert "tools/workflow_environments.py" in (ROOT / ".ci" / "extended").read_text("utf-8")
    # The README's command installs the tests, the step `oldest` its oldest dependencies, and
    # fuzzing only adds atheris. The others install a built file, the package without extras,
    # what writes the man pages, or what only the playground needs.
    known = {
        readme[1],
        f"-e {readme[1]} atheris",
        '--system --resolution lowest-direct ".[test,duckdb,pandas,polars]"',
        "--no-cache-dir .",
        "idna",
        "--group playground",
        '"$wheel$extra"',
    }
    for path in WORKFLOWS:
        for command in re.findall(r"^.*\bpip install .*$", path.read_text("utf-8"), re.MULTILINE):
            line = command.strip().removeprefix("- ").removeprefix("run: ")
            assert line in built or line.partition("pip install ")[2] in known, (path.name, line)


def test_the_documentation_site_is_built_with_the_packages_of_its_workflow() -> None:
    text = (ROOT / ".github" / "workflows" / "docs.yml").read_text("utf-8")
    assert workflow_environments.environments(text) == [
        [
            'python -m pip install --group docs ".[test]"',
            "sphinx-build -n -W --keep-going docs docs/_build/html",
            "python -m pytest tests/docs",
        ]
    ]


def test_every_step_that_runs_before_a_release_runs_every_night() -> None:
    extended = (ROOT / ".ci" / "extended").read_text("utf-8")
    order = re.search(r"^order=\(([\w\s]+)\)$", extended, re.MULTILINE)
    assert order
    described = re.findall(r"^    \[(\w+)\]=", extended, re.MULTILINE)
    assert sorted(order[1].split()) == sorted(described)
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text("utf-8")
    steps = re.findall(r"^ {10}- (\w+)$", nightly, re.MULTILINE)
    # The programs are installed for every step.
    assert ["programs", *steps] == order[1].split()


def test_the_install_command_of_the_readme_installs_what_its_examples_import() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    command = re.search(r'pip install "\.\[([\w,-]+)\]"\n', text)
    assert command
    installed = {
        re.split(r"[<>=\[]", requirement)[0].lower()
        for extra in command[1].split(",")
        for requirement in extras[extra]
    }
    imported = set(re.findall(r"^>>> (?:import|from) (\w+)", text, re.MULTILINE))
    assert imported - sys.stdlib_module_names - {"uriverse"} <= installed
    assert "httpx" in imported


def test_the_addresses_of_the_project_are_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    repository, documentation = (project["urls"][name] for name in ("Repository", "Documentation"))
    paths = [*ROOT.glob("*.md"), ROOT / "CITATION.cff", *(ROOT / ".github").rglob("*.yml")]
    for path in paths:
        for address in re.findall(
            r"https://(?:github\.com|[\w.-]+\.readthedocs\.io)[\w./-]*", path.read_text("utf-8")
        ):
            if "uriverse" in address:
                assert address.startswith((repository, documentation)), (path, address)
