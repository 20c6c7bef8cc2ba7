"""A PostgreSQL server for tests, which listens only on a Unix socket."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


@contextmanager
def serving() -> Iterator[Path]:
    """Run a new, empty server; the value is the folder of its socket."""
    binaries = programs()
    if binaries is None or os.name != "posix":
        pytest.skip("needs PostgreSQL (apt-get install postgresql)")
    # The path of a socket must be short, so the folder is not in a folder of pytest.
    folder = Path(tempfile.mkdtemp(prefix="uriverse-pg-"))
    as_user: list[str] = []
    if os.geteuid() == 0:
        # The server does not start for the superuser.
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(binaries / program), "-D", str(folder / "data"), *arguments]
        # The server inherits the file descriptors, so a pipe would stay open.
        done = subprocess.run(
            command, check=False, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert done.returncode == 0, command

    try:
        run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "-N")
        options = f"-c listen_addresses='' -k {folder} -F"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield folder
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
