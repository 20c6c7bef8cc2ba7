"""Build the playground page: one folder of static files that needs no network.

python tools/make_playground.py            # write docs/_build/html/playground
python tools/make_playground.py FOLDER     # write another folder

The first run downloads Pyodide with `npm` and idna with `pip`, in fixed versions, and checks their
digests. Later runs use the copies in build/playground. The folder is replaced as a whole, and only
if every step succeeds.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "playground"
TARGET = ROOT / "docs/_build/html/playground"

#: The folder with the downloaded archives. Git ignores it.
ARCHIVES = ROOT / "build/playground"

#: The files of the page, in `SOURCE`.
PAGE = ("index.html", "playground.css", "worker.js", "licenses/MPL-2.0.txt", "licenses/Python.txt")

#: The files of Pyodide that a browser loads.
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")

#: The list of the files that the worker downloads, with their sizes. It also marks a folder that
#: this script may replace.
MANIFEST = "files.json"


class Archive(NamedTuple):
    """A file to download.

    Attributes:
        name: the name of the file.
        digest: the SHA-512 digest of the file in base64.
        command: the command that writes the file into the current folder.
    """

    name: str
    digest: str
    command: tuple[str, ...]


PYODIDE = Archive(
    "pyodide-0.29.5.tgz",
    "TkYrUv9m8QmfImADKRmpwZulL48E0uUaBSO+dvRQKyAJc0qh9gu7jn8btyHPh3NZm1r2IH2YrJhIr7Q2B9urAw==",
    ("npm", "pack", "--silent", "pyodide@0.29.5"),
)
IDNA = Archive(
    "idna-3.20-py3-none-any.whl",
    "jxSHzOA8m7t0+rv8PhRDZMDwK53hP+7mZqf8Zh5BqABiQWHAyC6QxDIRLuIjfFq7lz1Zn3opctE8DCwrIctJiA==",
    (
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "--no-deps",
        "--only-binary=:all:",
        "idna==3.20",
    ),
)


class BuildError(Exception):
    """A step of the build failed."""


def fetch(archive: Archive, folder: Path = ARCHIVES) -> Path:
    """Download an archive, unless the folder already contains it, and check its digest.

    Returns:
        The path of the archive.

    Raises:
        BuildError: the download failed, or the archive has another digest.
    """
    path = folder / archive.name
    if path.exists() and digest_of(path) == archive.digest:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as aside:
        run(archive.command, Path(aside))
        fetched = Path(aside, archive.name)
        if not fetched.exists() or digest_of(fetched) != archive.digest:
            raise BuildError(f"{archive.name} does not have the expected digest")
        fetched.replace(path)
    return path


def digest_of(path: Path) -> str:
    """Return the SHA-512 digest of a file in base64, as npm writes it."""
    return base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode("ascii")


def run(command: tuple[str, ...], folder: Path, **environment: str) -> None:
    """Run a command in a folder.

    Raises:
        BuildError: the command is not installed, or it failed.
    """
    program = shutil.which(command[0])
    if program is None:
        raise BuildError(f"needs {command[0]}, which is not installed")
    done = subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BuildError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def build_wheel(folder: Path) -> Path:
    """Build the wheel of uriverse without the kernel, and return its path."""
    source = folder / "source"
    source.mkdir()
    for name in ("LICENSE", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, source)
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.c", "*.egg-info")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), "."]
    if has_setuptools():
        # Otherwise, pip downloads setuptools.
        command.insert(4, "--no-build-isolation")
    run(tuple(command), source, URIVERSE_KERNEL="disable", SOURCE_DATE_EPOCH=str(epoch()))
    [wheel] = folder.glob("uriverse-*-py3-none-any.whl")
    return wheel


def has_setuptools() -> bool:
    """Return whether this environment can build the wheel without a download."""
    try:
        return int(version("setuptools").partition(".")[0]) >= 77
    except PackageNotFoundError:
        return False


def epoch() -> int:
    """Return the time to write into archives, so that equal files give equal archives."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", "1577836800"))


def write_page(folder: Path, wheel: Path) -> None:
    """Write all files of the page into an empty folder."""
    for name in [*PAGE, *sorted(path.name for path in SOURCE.glob("*.js"))]:
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(SOURCE / name, target)
    shutil.copyfile(ROOT / "docs/_static/favicon.svg", folder / "favicon.svg")
    shutil.copyfile(ROOT / "LICENSE", folder / "licenses/uriverse.txt")

    runtime = folder / "python"
    runtime.mkdir()
    with tarfile.open(fetch(PYODIDE)) as archive:
        for name in RUNTIME:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            (runtime / name).write_bytes(member.read())
        lock = archive.extractfile("package/pyodide-lock.json")
        assert lock is not None
        about = json.load(lock)["info"]
    idna = fetch(IDNA)
    with zipfile.ZipFile(idna) as packed:
        [license_name] = [name for name in packed.namelist() if "/licenses/" in name]
        (folder / "licenses/idna.txt").write_bytes(packed.read(license_name))
    packages = [idna, wheel]
    for package in packages:
        shutil.copyfile(package, runtime / package.name)
    pack_answers(runtime / "answers.zip")
    manifest = {
        # The list of packages that Pyodide can install: none.
        "lock": {"info": about, "packages": {}},
        "packages": [*(package.name for package in packages), "answers.zip"],
        # The worker imports the scripts, so it cannot see how much of them is downloaded.
        "sizes": {
            path.name: path.stat().st_size
            for path in sorted(runtime.iterdir())
            if path.suffix not in {".js", ".mjs"}
        },
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


def pack_answers(path: Path) -> None:
    """Write the Python part of the page as a zip archive, without times and owners."""
    with zipfile.ZipFile(path, "w") as archive:
        for source in sorted(SOURCE.glob("answers/*.py")):
            entry = zipfile.ZipInfo(f"answers/{source.name}")
            archive.writestr(entry, source.read_bytes(), zipfile.ZIP_DEFLATED)


def make(target: Path) -> None:
    """Build the page, and replace the target folder with it.

    Raises:
        BuildError: a step failed, or the target folder has other contents than the page.
    """
    if target.exists() and any(target.iterdir()) and not (target / MANIFEST).exists():
        raise BuildError(f"{target} contains other files: remove it, or choose another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".playground-", dir=target.parent) as room:
        made, wheels, old = Path(room, "made"), Path(room, "wheels"), Path(room, "old")
        made.mkdir()
        wheels.mkdir()
        write_page(made, build_wheel(wheels))
        if target.exists():
            target.replace(old)
        made.replace(target)


def main() -> int:
    """Run the script, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET, metavar="FOLDER")
    target: Path = parser.parse_args().folder.resolve()
    try:
        make(target)
    except BuildError as error:
        sys.stderr.write(f"make_playground: {error}\n")
        return 1
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    sys.stdout.write(f"{target}: {size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
