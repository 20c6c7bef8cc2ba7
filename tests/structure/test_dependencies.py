import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str | dict[str, str]]] = PYPROJECT["dependency-groups"]

#: The files in which a command can install a group.
TEXTS = [
    path
    for pattern in ("*.md", ".*.yaml", ".ci/*", ".github/**/*.yml", "docs/**/*.md", "*/*.md")
    for path in ROOT.glob(pattern)
    if "_build" not in path.parts and path.is_file()
] + [
    path for folder in ("tests", "compare", "conformance") for path in (ROOT / folder).rglob("*.py")
]


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ;]", requirement)[0].lower().replace("_", "-")


def packages(group: str) -> set[str]:
    names: set[str] = set()
    for one in GROUPS[group]:
        names |= {name_of(one)} if isinstance(one, str) else packages(one["include-group"])
    return names


@pytest.mark.parametrize("group", GROUPS)
def test_a_dependency_group_does_not_name_uriverse(group: str) -> None:
    assert "uriverse" not in packages(group)


def test_no_extra_but_test_is_for_developers() -> None:
    assert GROUPS.keys() & EXTRAS.keys() == set()
    tools = {"pytest", "ruff", "mypy", "sphinx", "coverage", "playwright", "build"}
    with_tools = {
        extra for extra, required in EXTRAS.items() if tools & {name_of(one) for one in required}
    }
    assert with_tools == {"test"}


def test_the_tests_have_every_package_of_every_extra() -> None:
    tested = packages("extended") | {name_of(one) for one in EXTRAS["test"]}
    for included in re.findall(r"uriverse\[([\w,-]+)\]", " ".join(EXTRAS["test"])):
        for extra in included.split(","):
            tested |= {name_of(one) for one in EXTRAS[extra]}
    required = {name_of(one) for extra in EXTRAS.values() for one in extra}
    assert required - tested == {"uriverse"} - tested


def test_every_group_that_a_command_installs_exists() -> None:
    installed = {
        (path, group)
        for path in TEXTS
        for group in re.findall(r"--group ([a-z][\w-]*)", path.read_text("utf-8"))
    }
    assert {group for _, group in installed} == GROUPS.keys()


def test_no_text_names_a_group_as_an_extra() -> None:
    for path in TEXTS:
        extras = re.findall(r"pip install .*\.\[([\w,-]+)\]", path.read_text("utf-8"))
        assert {one for names in extras for one in names.split(",")} <= EXTRAS.keys(), path


def test_the_classifiers_are_the_versions_of_python_that_ci_tests() -> None:
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    matrix = re.search(r'^ +python: \[("[\d.", ]+")\]$', workflow, re.MULTILINE)
    assert matrix
    tested = re.findall(r"3\.\d+", matrix[1])
    classifiers = PYPROJECT["project"]["classifiers"]
    declared = [one for one in classifiers if re.fullmatch(r".* :: Python :: 3\.\d+", one)]
    assert declared == [f"Programming Language :: Python :: {version}" for version in tested]
    free_threading = [one for one in classifiers if ":: Free Threading ::" in one]
    assert len(free_threading) == len(re.findall(r'python-version: "3\.\d+t"', workflow)) == 1
    wheels = PYPROJECT["tool"]["cibuildwheel"]["build"]
    assert {f"cp{version.replace('.', '')}-*" for version in tested} < set(wheels)
