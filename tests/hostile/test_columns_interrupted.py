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
from uriverse.tables import _batches, _writers
_batches.ROWS = 500
_writers.GROUP_ROWS = 1000
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
    return {path.name for path in Path().iterdir()} - {"in.parquet", "out.parquet", "out", "in"}


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("moment", range(3))
def test_a_killed_program_leaves_the_previous_folder_in_place(number: int, moment: int) -> None:
    before = Path("out/k=1/part-0.parquet")
    before.parent.mkdir(parents=True)
    before.write_bytes(BEFORE)
    options = ["--select", "path_depth as k, host", "--partition-by", "k", "--file-rows", "1000"]
    arguments = command("in.parquet", *options, "-o", "out", "--threads", "2", "-q")
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as process:
        while not other_files() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(random.random() * moment / 10)
        process.send_signal(number)
        _, stderr = process.communicate()
    if process.returncode == 0:
        assert (
            sum(pq.ParquetFile(path).metadata.num_rows for path in Path("out").glob("*/*")) == ROWS
        )
    else:
        # The old folder is only away for the moment in which the new one takes its place.
        [place] = [path for path in Path().glob("**/*.parquet") if path.read_bytes() == BEFORE]
        assert place == before or place.parts[0].endswith(".replaced")
        assert b"Traceback" not in stderr
    for name in other_files():
        assert number == signal.SIGKILL
        assert name.startswith(".out.")
        assert name.endswith((".partial", ".replaced"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_program_resumes_with_the_files_that_are_missing(number: int) -> None:
    Path("in").mkdir()
    for each in range(20):
        urls = [f"http://{each}.{n}.example/" for n in range(2000)]
        pq.write_table(pa.table({"url": urls}), f"in/{each:02}.parquet")
    arguments = command("in", "--op", "host", "-o", "out/", "--resume")
    done: dict[Path, float] = {}
    for least in (3, 9):
        with subprocess.Popen(arguments, stderr=subprocess.PIPE) as process:
            while len([*Path().glob("out/*.parquet")]) < least:
                time.sleep(0.001)
            process.send_signal(number)
            _, stderr = process.communicate()
        assert b"Traceback" not in stderr
        if number == signal.SIGTERM:
            assert not [*Path().glob("out/.*")]
        for path in Path("out").glob("*.parquet"):
            assert pq.ParquetFile(path).metadata.num_rows == 2000
            # A file that was complete is not written again.
            assert done.setdefault(path, path.stat().st_mtime_ns) == path.stat().st_mtime_ns
    result = subprocess.run(arguments, stderr=subprocess.PIPE, text=True, check=True)
    assert result.stderr.startswith(f"{len(done)} of 20 files are complete already\n")
    assert all(path.stat().st_mtime_ns == when for path, when in done.items())
    for each in range(20):
        found = pq.read_table(f"out/{each:02}.parquet")["host"].to_pylist()
        assert found == [f"{each}.{n}.example" for n in range(2000)]


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


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv", "csv.zst", "ndjson", "txt"])
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


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv", "ndjson", "txt"])
def test_a_full_disk_leaves_the_previous_folder_in_place(small: Path, extension: str) -> None:
    output = small / "out"
    before = output / "k=1" / f"part-0.{extension}"
    before.parent.mkdir(parents=True)
    before.write_bytes(BEFORE)
    form = {"txt": "lines"}.get(extension, extension)
    options = ["--select", "host, path_depth as k", "--partition-by", "k", "--keep", "none"]
    arguments = command("in.parquet", *options, "-o", str(output), "--output-format", form)
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == f"uriverse columns: {output}: No space left on device\n"
    assert before.read_bytes() == BEFORE
    assert list(small.iterdir()) == [output]


#: A limit on the size of each file, which needs no rights. A write beyond it is an error.
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
"""


def limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a limit on the size of its files."""
    program = [sys.executable, "-c", LIMITED + PROGRAM, "columns", *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv", "csv.gz", "ndjson.zst", "txt"])
def test_a_file_that_cannot_be_completed_keeps_the_previous_output(extension: str) -> None:
    output = Path(f"out.{extension}")
    output.write_bytes(BEFORE)
    done = limited("in.parquet", "--op", "host", "-o", output.name, "-q")
    assert done.returncode == 2
    assert done.stderr == f"uriverse columns: {output}: File too large\n"
    assert output.read_bytes() == BEFORE
    assert not other_files() - {output.name}


@pytest.mark.parametrize("extension", ["parquet", "arrow", "csv", "ndjson"])
@pytest.mark.parametrize("options", [["--partition-by", "k"], ["--file-rows", "100000"]])
def test_a_folder_that_cannot_be_completed_keeps_the_previous_one(
    extension: str, options: list[str]
) -> None:
    before = Path("out/k=1/part-0.parquet")
    before.parent.mkdir(parents=True)
    before.write_bytes(BEFORE)
    options = ["--select", "host, path_depth as k", *options, "--output-format", extension]
    done = limited("in.parquet", *options, "-o", "out", "-q")
    assert done.returncode == 2
    assert done.stderr == "uriverse columns: out: File too large\n"
    assert before.read_bytes() == BEFORE
    assert not other_files()


def test_files_that_were_completed_before_the_disk_was_full_are_kept() -> None:
    Path("in").mkdir()
    for number, rows in enumerate([10, ROWS, 10]):
        urls = [f"http://{n}.example/" for n in range(rows)]
        pq.write_table(pa.table({"url": urls}), f"in/{number}.parquet")
    arguments = ["in", "--op", "host", "-o", "out/", "--resume"]
    for complete in (0, 1):
        done = limited(*arguments)
        assert done.returncode == 2
        assert done.stderr == (
            f"{complete} of 3 files are complete already\n"
            "uriverse columns: out/1.parquet: File too large\n"
        )
        assert [path.name for path in Path("out").iterdir()] == ["0.parquet"]
    subprocess.run(command(*arguments), capture_output=True, check=True)
    counts = [pq.read_metadata(f"out/{number}.parquet").num_rows for number in range(3)]
    assert counts == [10, ROWS, 10]
