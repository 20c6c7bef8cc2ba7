import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from uriverse import __version__

ROOT = Path(__file__).resolve().parents[2]

IGNORED = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")

#: Requirements besides uriverse, and files in the wheel, by the folder of a distribution.
REQUIRED = {"compare": [], "links": ["pathspec>=1", "pyromark>=0.10.3", "turbohtml>=1.15.4"]}
CONTAINED = {"compare": "workers/read.go", "links": "_cli/output.py"}


@pytest.mark.parametrize("name", REQUIRED)
def test_the_version_and_the_license_are_those_of_uriverse(name: str) -> None:
    project = tomllib.loads((ROOT / name / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    assert project["dependencies"] == [f"uriverse=={__version__}", *REQUIRED[name]]
    assert (ROOT / name / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def wheel(source: Path, folder: Path) -> Path:
    shutil.copytree(source, folder, ignore=IGNORED)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", "dist", "."],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1600000000"},
        capture_output=True,
        check=True,
    )
    [built] = folder.glob("dist/*.whl")
    return built


@pytest.mark.slow
@pytest.mark.xdist_group("builds")
@pytest.mark.parametrize("name", REQUIRED)
def test_a_wheel_contains_all_sources_and_wheels_are_identical(name: str, tmp_path: Path) -> None:
    for package in ("build", "setuptools"):
        pytest.importorskip(package, reason=f"needs {package} (pip install --group test-all)")
    built = wheel(ROOT / name, tmp_path / "one")
    module = f"uriverse_{name}"
    assert built.name == f"{module}-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(built) as file:
        others = re.compile(r"-info/|\.data/data/share/man/man1/uriverse-\w+\.1$")
        names = {each for each in file.namelist() if not others.search(each)}
        [path] = [each for each in file.namelist() if each.endswith("/METADATA")]
        metadata = message_from_bytes(file.read(path))
    sources = ROOT / name / "src"
    assert names == {
        path.relative_to(sources).as_posix()
        for path in sources.rglob("*")
        if path.is_file() and not {"__pycache__", f"{module}.egg-info"} & set(path.parts)
    }
    assert {f"{module}/py.typed", f"{module}/{CONTAINED[name]}"} <= names
    assert metadata["Name"] == f"uriverse-{name}"
    assert built.read_bytes() == wheel(ROOT / name, tmp_path / "another one").read_bytes()
