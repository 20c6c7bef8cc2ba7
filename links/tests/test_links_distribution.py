"""The wheel of uriverse-links: its contents, its metadata, and that builds are repeatable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from uriverse import __version__

FOLDER = Path(__file__).resolve().parents[1]

IGNORED = shutil.ignore_patterns("__pycache__", "build", "*.egg-info")


def test_the_version_and_the_license_are_those_of_uriverse() -> None:
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    assert project["dependencies"] == [
        f"uriverse=={__version__}",
        "pathspec>=1",
        "pyromark>=0.10.3",
        "turbohtml>=1.15.4",
    ]
    assert (FOLDER / "LICENSE").read_bytes() == (FOLDER.parent / "LICENSE").read_bytes()


def wheel(folder: Path) -> Path:
    """Build a wheel from a copy of the package in another folder."""
    shutil.copytree(FOLDER, folder, ignore=IGNORED)
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
def test_a_wheel_contains_all_sources_and_two_wheels_are_identical(tmp_path: Path) -> None:
    for package in ("build", "setuptools"):
        pytest.importorskip(package, reason=f"needs {package} (pip install --group test-all)")
    built = wheel(tmp_path / "one")
    assert built.name == f"uriverse_links-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(built) as file:
        names = {name for name in file.namelist() if "-info/" not in name}
        [name] = [name for name in file.namelist() if name.endswith("/METADATA")]
        metadata = message_from_bytes(file.read(name))
    sources = (path for path in (FOLDER / "src").rglob("*") if path.is_file())
    assert names == {
        path.relative_to(FOLDER / "src").as_posix()
        for path in sources
        if not {"__pycache__", "uriverse_links.egg-info"} & set(path.parts)
    }
    assert {"uriverse_links/py.typed", "uriverse_links/_cli/output.py"} <= names
    assert metadata["Name"] == "uriverse-links"
    assert built.read_bytes() == wheel(tmp_path / "another one").read_bytes()
