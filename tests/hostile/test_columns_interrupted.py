"""An output table is complete or unchanged, even if the program is killed or the disk is full."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

# PyArrow has no type annotations.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

if os.name != "posix":
    pytest.skip("sends signals of Unix", allow_module_level=True)

pytestmark = pytest.mark.slow

ROWS = 150_000
BEFORE = b"what was there before"

#: Small batches, so that the program can be interrupted at many points.
PROGRAM = """
from uriverse.tables import _batches, _writing
_batches.ROWS = 500
_writing.GROUP_ROWS = 1000
from uriverse._cli import main
main()
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "columns", *arguments]


@pytest.fixture(autouse=True)
def _with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"url": [f"http://{n}.example/" for n in range(ROWS)]}), "in.parquet")


def other_files() -> set[str]:
    """Return the names of files other than the input and the output."""
    return {path.name for path in Path().iterdir()} - {"in.parquet", "out.parquet"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("moment", range(3))
def test_a_killed_program_leaves_the_previous_output_in_place(number: int, moment: int) -> None:
    output = Path("out.parquet")
    output.write_bytes(BEFORE)
    arguments = command("in.parquet", "--op", "host", "-o", "out.parquet", "--threads", "2", "-q")
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as process:
        while not other_files() and process.poll() is None:
            time.sleep(0.001)
        # Interrupt the program at a random moment while it writes.
        time.sleep(random.random() * moment / 10)
        process.send_signal(number)
        _, stderr = process.communicate()
    if process.returncode == 0:
        assert pq.read_table("out.parquet").num_rows == ROWS
    else:
        assert output.read_bytes() == BEFORE
        assert b"Traceback" not in stderr
        assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    # The name of a file that SIGKILL leaves behind shows that the file is incomplete.
    for name in other_files():
        assert number == signal.SIGKILL
        assert name.startswith(".out.parquet.")
        assert name.endswith(".partial")


@pytest.fixture(name="small")
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    disk = tmp_path / "small"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    with contextlib.suppress(OSError):
        if (
            os.geteuid() == 0
            and subprocess.run(mount, capture_output=True, check=False).returncode == 0
        ):
            yield disk
            subprocess.run(["umount", str(disk)], check=True)
            return
    pytest.skip("only root can mount a small file system")


@pytest.mark.parametrize("extension", ["parquet", "csv", "ndjson", "txt"])
def test_a_full_disk_is_reported_in_one_line_and_keeps_the_previous_output(
    small: Path, extension: str
) -> None:
    output = small / f"out.{extension}"
    output.write_bytes(BEFORE)
    arguments = command("in.parquet", "--op", "host", "-o", str(output), "-q")
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == f"uriverse columns: {output}: No space left on device\n"
    assert output.read_bytes() == BEFORE
    assert list(small.iterdir()) == [output]
