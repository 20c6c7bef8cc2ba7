import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from email import message_from_bytes
from importlib.util import find_spec
from pathlib import Path

import pytest
from interpreters import run_python

from uriverse._uri.version import __version__

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    # One worker builds everything that several tests look at.
    pytest.mark.xdist_group("builds"),
    *(
        pytest.mark.skipif(
            # A folder of that name, such as "build", is found too, but has no origin.
            getattr(find_spec(name), "origin", None) is None,
            reason=f"needs {package} (pip install --group test-all)",
        )
        for name, package in (
            ("build", "build"),
            ("Cython", "Cython"),
            ("setuptools", "setuptools"),
        )
    ),
]

#: A time in 2020. The files are newer.
EPOCH = "1600000000"

#: Folders that a build does not need, and that may contain other files than those of a release.
IGNORED = shutil.ignore_patterns(
    *("*.egg-info", "*.so", "*.pyd", "core.c", "columns.c"),
    *("__pycache__", "build", "dist", "_build"),
    *(".git", ".venv*", ".*_cache", ".hypothesis", ".coverage*"),
)


def copied(folder: Path) -> Path:
    shutil.copytree(ROOT, folder, ignore=IGNORED)
    return folder


def build(
    source: Path, *kinds: str, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    words = ("-m", "build", "--no-isolation", *kinds, "--outdir", "dist", ".")
    environment = {"SOURCE_DATE_EPOCH": EPOCH, **environment}
    return run_python(*words, cwd=source, check=check, env=environment)


def only(folder: Path, pattern: str) -> Path:
    [path] = folder.glob(pattern)
    return path


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source archive, and a wheel without the kernel that was built from the same files."""
    folder = copied(tmp_path_factory.mktemp("first") / "uriverse")
    build(folder, "--sdist", "--wheel", URIVERSE_KERNEL="disable")
    return folder


@pytest.mark.slow
def test_a_wheel_without_the_kernel_is_tagged_for_every_platform(source: Path) -> None:
    wheel = only(source / "dist", "*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as file:
        tags = file.read(next(name for name in file.namelist() if name.endswith("/WHEEL")))
    assert b"Root-Is-Purelib: true" in tags
    assert b"Tag: py3-none-any" in tags


@pytest.mark.slow
def test_a_wheel_contains_only_what_runs(source: Path) -> None:
    with zipfile.ZipFile(only(source / "dist", "*.whl")) as file:
        names = [name for name in file.namelist() if ".data/" not in name and "-info/" not in name]
    assert {Path(name).parts[0] for name in names} == {"uriverse"}
    assert {Path(name).suffix for name in names} == {".py", ".pyi", ".typed"}


@pytest.mark.slow
def test_the_description_of_a_package_has_no_relative_links(source: Path) -> None:
    with zipfile.ZipFile(only(source / "dist", "*.whl")) as file:
        name = next(name for name in file.namelist() if name.endswith("/METADATA"))
        described = message_from_bytes(file.read(name)).get_payload()
    assert isinstance(described, str)
    links = re.findall(r"\]\(([^)\s]+)", described)
    assert f"https://github.com/uriverse/uriverse/blob/v{__version__}/CHANGELOG.md" in links
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


@pytest.mark.slow
def test_the_source_archive_contains_tests_and_docs_but_no_generated_c(source: Path) -> None:
    with tarfile.open(only(source / "dist", "*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        *("CHANGELOG.md", "benchmarks/README.md", "compare/pyproject.toml", "links/pyproject.toml"),
        *("conftest.py", "docs/conf.py", "src/uriverse/_spec/grammar/rfc3986.abnf"),
        *("src/uriverse/_kernel/fast_scan.h", "src/uriverse/_kernel/core.pyx"),
        *("tests/support/variants.c", "tools/make_grammar.py"),
    } <= names
    assert not {"src/uriverse/_kernel/core.c", "src/uriverse/_kernel/columns.c"} & names
    assert [name for name in names if name.endswith((".so", ".pyc"))] == []


@pytest.mark.slow
def test_two_builds_of_the_same_files_are_identical(
    source: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # The other folder has a different name, and its files have different times.
    again = copied(tmp_path_factory.mktemp("second") / "another name")
    for path in again.rglob("*"):
        path.touch()
    build(again, "--sdist", "--wheel", URIVERSE_KERNEL="disable")
    for name in sorted(path.name for path in (source / "dist").iterdir()):
        assert (again / "dist" / name).read_bytes() == (source / "dist" / name).read_bytes(), name


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="chooses the compiler by the variable CC")
def test_a_failed_compilation_is_an_error_or_makes_a_wheel_for_any_platform(tmp_path: Path) -> None:
    folder = copied(tmp_path / "uriverse")
    done = build(folder, "--wheel", check=False, URIVERSE_KERNEL="require", CC="false")
    assert done.returncode != 0
    assert list(folder.glob("dist/*.whl")) == []
    build(folder, "--wheel", URIVERSE_KERNEL="auto", CC="false")
    assert only(folder / "dist", "*.whl").name.endswith("-py3-none-any.whl")


#: A compiler that cannot compile the module of the kernel for columns.
COMPILER = """#!/bin/sh
case "$*" in *columns.c*) exit 1 ;; esac
exec cc "$@"
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler")
def test_a_wheel_has_both_modules_of_the_kernel_or_none(tmp_path: Path) -> None:
    folder = copied(tmp_path / "uriverse")
    compiler = tmp_path / "compiler"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    build(folder, "--wheel", URIVERSE_KERNEL="auto", CC=str(compiler), CFLAGS="-O0")
    wheel = only(folder / "dist", "*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as file:
        assert [name for name in file.namelist() if name.endswith((".so", ".pyd"))] == []


@pytest.mark.extended
def test_two_compiled_wheels_are_identical_and_have_no_debug_data(tmp_path: Path) -> None:
    made = []
    for name in ("one", "another one"):
        folder = copied(tmp_path / name)
        build(folder, "--wheel", URIVERSE_KERNEL="require")
        made.append(only(folder / "dist", "*.whl"))
    one, other = made
    assert not one.name.endswith("-none-any.whl")
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as file:
        modules = [info for info in file.infolist() if info.filename.endswith((".so", ".pyd"))]
        octets = b"".join(map(file.read, modules))
    assert len(modules) == 2
    assert len(octets) < 1_500_000
    assert os.fsencode(tmp_path) not in octets
    assert b".debug_info" not in octets
