"""Tables of long rows are read, worked on and written in bounded memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

# It says nothing of its types.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

pytestmark = pytest.mark.extended

#: The most memory that a run may take, in MB: any two copies of the rows are more.
MOST = 600

ROWS = 8000
LONG = "http://a/" + "b" * 100_000

#: Runs the command in a process of its own. The peak of a child includes that of its parent when
#: it was forked, so the parent has to be small.
PROGRAM = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "uriverse", "columns", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
sys.exit(done.returncode)
"""


def peak(*words: str, status: int = 0) -> int:
    """The most memory that the command takes, in MB."""
    run = [sys.executable, "-c", PROGRAM, *words, "--quiet"]
    done = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == status
    return int(done.stdout)


def written(rows: list[str], columns: int = 1) -> None:
    """A file of these rows, whose dictionary takes a few octets."""
    schema = pa.schema([(f"url{number}", pa.string()) for number in range(columns)])
    with pq.ParquetWriter("in.parquet", schema, compression="zstd", store_schema=False) as writer:
        for start in range(0, len(rows), 2000):
            texts = pa.array(rows[start : start + 2000])
            writer.write_table(pa.table([texts] * columns, schema=schema))


def as_dictionary(rows: list[str]) -> None:
    values = list(dict.fromkeys(rows))
    numbers = pa.array([values.index(row) for row in rows], pa.int32())
    column = pa.DictionaryArray.from_arrays(numbers, pa.array(values))
    pq.write_table(pa.table({"url0": column}), "in.parquet", compression="zstd")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
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
def test_rows_that_a_dictionary_stands_for_are_written_in_bounded_memory(
    words: tuple[str, ...],
) -> None:
    written([LONG] * ROWS)
    assert Path("in.parquet").stat().st_size < 10_000
    assert peak("in.parquet", *words) < MOST


@pytest.mark.parametrize(
    "write",
    [
        lambda: written([LONG] * ROWS, columns=3),
        lambda: written(["http://a/"] * 2000 + [LONG] * ROWS),
        lambda: as_dictionary([LONG] * ROWS),
    ],
    ids=["several columns", "after short rows", "type of dictionaries"],
)
def test_long_rows_are_read_in_bounded_memory(write: Callable[[], None]) -> None:
    write()
    assert peak("in.parquet", "--column", "url0", "-o", "out.parquet") < MOST
    assert pq.read_metadata("out.parquet").num_rows >= ROWS


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("in.txt", f"{LONG}\n"),
        ("in.csv", f'{LONG},"{LONG}"\n'),
        ("in.ndjson", f'{{"url": "{LONG}", "other": "{LONG}"}}\n'),
    ],
)
def test_long_rows_of_each_format_are_read_in_bounded_memory(name: str, row: str) -> None:
    with Path(name).open("w", encoding="utf-8") as file:
        file.write("url,other\n" if name == "in.csv" else "")
        file.writelines(row for _ in range(ROWS // 4))
    assert peak(name, "-o", "out.parquet") < MOST
