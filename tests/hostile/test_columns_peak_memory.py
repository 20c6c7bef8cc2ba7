"""Tables of long rows are read, processed and written in bounded memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from platforms import unix

# PyArrow has no type annotations.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

pytestmark = [pytest.mark.extended, unix]

#: The limit on the peak memory of a run, in MB. Two copies of the rows would exceed it.
LIMIT = 600

ROWS = 8000
LONG = "http://a/" + "b" * 100_000

#: A program that runs the command in a child process. The peak memory of a child includes that of
#: its parent at the time of the fork, so the parent must be small.
PROGRAM = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "uriverse", "columns", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
sys.exit(done.returncode)
"""


def peak(*arguments: str, status: int = 0) -> int:
    """Run the command and return its peak memory in MB."""
    run = [sys.executable, "-c", PROGRAM, *arguments, "--quiet"]
    done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == status
    return int(done.stdout)


def write_rows(rows: list[str], columns: int = 1) -> None:
    """Write a Parquet file of some rows, whose dictionary takes only a few bytes."""
    schema = pa.schema([(f"url{number}", pa.string()) for number in range(columns)])
    with pq.ParquetWriter("in.parquet", schema, compression="zstd", store_schema=False) as writer:
        for start in range(0, len(rows), 2000):
            texts = pa.array(rows[start : start + 2000])
            writer.write_table(pa.table([texts] * columns, schema=schema))


def write_dictionary(rows: list[str]) -> None:
    values = list(dict.fromkeys(rows))
    numbers = pa.array([values.index(row) for row in rows], pa.int32())
    column = pa.DictionaryArray.from_arrays(numbers, pa.array(values))
    pq.write_table(pa.table({"url0": column}), "in.parquet", compression="zstd")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "out.parquet"),
        ("-o", "out.parquet", "--schema", "commoncrawl"),
        ("-o", "/dev/null", "--output-format", "csv"),
        ("-o", "/dev/null", "--output-format", "ndjson", "--op", "surt", "--keep", "none"),
        ("-o", "/dev/null", "--output-format", "lines", "--op", "normalize"),
        ("-o", "/dev/null", "--output-format", "tsv", "--op", "findings", "--keep", "none"),
    ],
    ids=" ".join,
)
def test_dictionary_encoded_rows_are_written_in_bounded_memory(
    arguments: tuple[str, ...],
) -> None:
    write_rows([LONG] * ROWS)
    assert Path("in.parquet").stat().st_size < 10_000
    assert peak("in.parquet", *arguments) < LIMIT


@pytest.mark.parametrize(
    "write",
    [
        lambda: write_rows([LONG] * ROWS, columns=3),
        lambda: write_rows(["http://a/"] * 2000 + [LONG] * ROWS),
        lambda: write_dictionary([LONG] * ROWS),
    ],
    ids=["several columns", "after short rows", "type of dictionaries"],
)
def test_long_rows_are_read_in_bounded_memory(write: Callable[[], None]) -> None:
    write()
    assert peak("in.parquet", "--column", "url0", "-o", "out.parquet") < LIMIT
    assert pq.read_metadata("out.parquet").num_rows >= ROWS


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("in.txt", f"{LONG}\n"),
        ("in.csv", f'{LONG},"{LONG}"\n'),
        ("in.ndjson", f'{{"url": "{LONG}", "other": "{LONG}"}}\n'),
    ],
)
def test_long_rows_of_each_text_format_are_read_in_bounded_memory(name: str, row: str) -> None:
    with Path(name).open("w", encoding="utf-8") as file:
        file.write("url,other\n" if name == "in.csv" else "")
        file.writelines(row for _ in range(ROWS // 4))
    assert peak(name, "-o", "out.parquet") < LIMIT
