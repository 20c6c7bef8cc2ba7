"""Build the playground page: one folder of static files that needs no network.

python tools/make_playground.py            # write docs/_build/html/playground
python tools/make_playground.py FOLDER     # write another folder

The first run downloads Pyodide and the packages of playground/packages with `npm`, and idna and the
libraries to compare with `pip`, in fixed versions, and checks their digests. Later runs use the
copies in build/playground. The folder is replaced as a whole, and only if every step succeeds.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
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

#: The npm packages in fixed versions, with the scripts that use them.
PACKAGES = SOURCE / "packages"

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


def wheel_of(name: str, digest: str) -> Archive:
    """Return the archive of a wheel in pure Python, from the name of its file."""
    package, release, *_ = name.split("-")
    command = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:")
    # Otherwise, pip downloads the wheel for this machine.
    pure = ("--platform", "any", "--implementation", "py", "--abi", "none")
    return Archive(name, digest, (*command, *pure, f"{package}=={release}"))


#: idna, and the libraries whose reading of the host the page shows, with those that they need.
WHEELS = tuple(
    wheel_of(name, digest)
    for name, digest in {
        "idna-3.20-py3-none-any.whl": (
            "jxSHzOA8m7t0+rv8PhRDZMDwK53hP+7mZqf8Zh5BqABiQWHAyC6QxDIRLuIjfFq7lz1Zn3opctE8DCwrIctJiA=="
        ),
        "yarl-1.25.1-py3-none-any.whl": (
            "dAs0+ZDQ9Siul1Y64TOgPF4tQ7oZpjUMSzTN5gyaBo6qQEyY16s9a7Fe4xSMttI3CZ1lo2Ws7tvrfbnMWicpvQ=="
        ),
        "multidict-7.2.1-py3-none-any.whl": (
            "rteo5oDU0GptaAECO0ORlHAdCfUGbJ+1WPaVccgGtKIJqhIMEwrgXkxCY0zr0uky4S/a02qyLtuj5EQZtYyiCA=="
        ),
        "propcache-0.5.4-py3-none-any.whl": (
            "kc6m4UfrDX85PAR77VeQwdNrY8SuS3T7GcJzJD6edOxpvvuMLSDXQJ8qfzI/zPSuuug3S2aurofiVhH9uawp4A=="
        ),
        "rfc3986-2.0.0-py2.py3-none-any.whl": (
            "efgnycxEz8OcCvj6TfBRwLdiPhfXsqXWcKCxU0O89W91KPjMEekQhgE8KDKMymb9dkCYNYggER/c2fduDlplRA=="
        ),
    }.items()
)

#: The line of the service worker that names the build.
VERSION_LINE = 'const VERSION = "development";'


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


def install(source: Path = PACKAGES, archives: Path = ARCHIVES) -> Path:
    """Install the npm packages, unless they are installed already, and return their folder."""
    folder = archives / "packages"
    files = [path for path in source.iterdir() if path.is_file()]
    if all(is_copied(path, folder) for path in files):
        return folder
    archives.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=archives) as room:
        made = Path(room, "packages")
        made.mkdir()
        for path in files:
            shutil.copy(path, made)
        run(("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), made)
        shutil.rmtree(folder, ignore_errors=True)
        made.replace(folder)
    return folder


def is_copied(path: Path, folder: Path) -> bool:
    """Return whether a folder contains a copy of a file."""
    copy = folder / path.name
    return copy.exists() and copy.read_bytes() == path.read_bytes()


def write_packages(folder: Path) -> None:
    """Write the reference implementation of the URL Standard, its licenses, and the preview."""
    packages = install()
    with tempfile.TemporaryDirectory(dir=ARCHIVES) as room:
        report = Path(room, "report.json")
        esbuild = ("node", "node_modules/esbuild/bin/esbuild", "standard.js", "--bundle")
        output = (f"--outfile={folder / 'standard.js'}", f"--metafile={report}")
        run((*esbuild, "--minify", "--format=esm", *output), packages)
        bundled = packages_in(json.loads(report.read_text("utf-8"))["inputs"])
    licenses = [
        f"{name}\n\n{next((packages / 'node_modules' / name).glob('LICENSE*')).read_text('utf-8')}"
        for name in bundled
    ]
    (folder / "licenses/whatwg-url.txt").write_text("\n\n".join(licenses), "utf-8")
    preview = str(SOURCE / "preview.svg")
    run(("node", "draw.js", preview, str(folder / "preview.png")), packages)


def packages_in(paths: Iterable[str]) -> list[str]:
    """Return the names of the npm packages to which files belong."""
    matches = (re.match(r"node_modules/((?:@[^/]+/)?[^/]+)/", path) for path in paths)
    return sorted({match[1] for match in matches if match})


def write_page(folder: Path, wheel: Path) -> None:
    """Write all files of the page into an empty folder."""
    for name in [*PAGE, *sorted(path.name for path in SOURCE.glob("*.js"))]:
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(SOURCE / name, target)
    shutil.copyfile(SOURCE / "programs.json", folder / "programs.json")
    write_packages(folder)
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
    wheels = [fetch(archive) for archive in WHEELS]
    for path in wheels:
        with zipfile.ZipFile(path) as packed:
            (folder / f"licenses/{path.name.partition('-')[0]}.txt").write_bytes(license_in(packed))
    packages = [*wheels, wheel]
    for package in packages:
        shutil.copyfile(package, runtime / package.name)
    pack(runtime / "answers.zip", SOURCE, "answers/*.py")
    pack(runtime / "compare.zip", ROOT / "compare/src", "uriverse_compare/*.py")
    manifest = {
        # The list of packages that Pyodide can install: none.
        "lock": {"info": about, "packages": {}},
        "packages": [*(package.name for package in packages), "answers.zip", "compare.zip"],
        # The worker imports the scripts, so it cannot see how much of them is downloaded.
        "sizes": {
            path.name: path.stat().st_size
            for path in sorted(runtime.iterdir())
            if path.suffix not in {".js", ".mjs"}
        },
        # The files that the service worker stores.
        "files": [*files_of(folder), MANIFEST],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    service = folder / "service.js"
    source = service.read_text("utf-8")
    assert VERSION_LINE in source
    build = VERSION_LINE.replace("development", version_of(folder))
    service.write_text(source.replace(VERSION_LINE, build), "utf-8")


def license_in(packed: zipfile.ZipFile) -> bytes:
    """Return the licenses in a wheel."""
    names = [
        name for name in packed.namelist() if re.search(r"\.dist-info/.*(LICENSE|NOTICE)", name)
    ]
    return b"\n".join(map(packed.read, sorted(names)))


def files_of(folder: Path) -> list[str]:
    """Return the paths of all files in a folder, relative to it."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def version_of(folder: Path) -> str:
    """Return a digest of all files. It tells browsers that have stored the page of a new build."""
    digest = hashlib.sha256()
    for name in files_of(folder):
        digest.update(f"{name} {digest_of(folder / name)}\n".encode())
    return digest.hexdigest()[:16]


def pack(path: Path, folder: Path, pattern: str) -> None:
    """Write Python modules as a zip archive, without times and owners."""
    with zipfile.ZipFile(path, "w") as archive:
        for source in sorted(folder.glob(pattern)):
            entry = zipfile.ZipInfo(source.relative_to(folder).as_posix())
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
