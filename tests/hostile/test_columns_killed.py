"""Tables are whole or not there, whenever the program ends and however full the disk is."""

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

# It says nothing of its types.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

pytestmark = pytest.mark.slow

ROWS = 150_000
BEFORE = b"what was there before"

#: Batches are small, so that there are many moments to end at.
PROGRAM = """
from uriverse.tables import batches, writing
batches.ROWS = 500
writing.GROUP_ROWS = 1000
from uriverse.cli import main
main()
"""


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "columns", *words]


@pytest.fixture(autouse=True)
def _with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"url": [f"http://{n}.example/" for n in range(ROWS)]}), "in.parquet")


def left() -> set[str]:
    """What is there but the input and the output."""
    return {path.name for path in Path().iterdir()} - {"in.parquet", "out.parquet"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("moment", range(3))
def test_whoever_ends_the_program_leaves_the_output_as_it_was(number: int, moment: int) -> None:
    output = Path("out.parquet")
    output.write_bytes(BEFORE)
    words = command("in.parquet", "--op", "host", "-o", "out.parquet", "--threads", "2", "-q")
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        while not left() and process.poll() is None:
            time.sleep(0.001)
        # A moment by chance, while it writes.
        time.sleep(random.random() * moment / 10)
        process.send_signal(number)
        _, told = process.communicate()
    if process.returncode == 0:
        assert pq.read_table("out.parquet").num_rows == ROWS
    else:
        assert output.read_bytes() == BEFORE
        assert b"Traceback" not in told
        assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    # Nobody takes for a table what SIGKILL left.
    for name in left():
        assert number == signal.SIGKILL
        assert name.startswith(".out.parquet.")
        assert name.endswith(".partial")


@pytest.fixture(name="small")
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
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
    pytest.skip("nobody but root may make a small disk")


@pytest.mark.parametrize("end", ["parquet", "csv", "ndjson", "txt"])
def test_a_full_disk_is_told_in_one_line_and_leaves_what_was_there(small: Path, end: str) -> None:
    output = small / f"out.{end}"
    output.write_bytes(BEFORE)
    words = command("in.parquet", "--op", "host", "-o", str(output), "-q")
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == f"uriverse columns: {output}: No space left on device\n"
    assert output.read_bytes() == BEFORE
    assert list(small.iterdir()) == [output]
