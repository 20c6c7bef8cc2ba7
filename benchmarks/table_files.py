"""Measure `uriverse columns` on files: the time of each format, and the memory of partitions.

    python benchmarks/table_files.py
    python benchmarks/table_files.py --rows 100000000 --rounds 1 --only partitions

The memory is the peak of the whole process. The time is the CPU time of all threads. The exit
status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from identifiers import options
from measure import Row, Spread, Table, rows_of
from references import run

#: The number of rows to generate at once.
AT_ONCE = 1 << 20

#: The options of each output of many files. The URLs have `HOSTS` hosts.
OUTPUTS = {
    "partitions": ("--partition-by", "site"),
    "partitions of files": ("--partition-by", "site", "--file-rows", "100000"),
    "files": ("--file-rows", "1000000"),
}
HOSTS = 100

#: The largest memory of a job, in MB, whatever the number of rows.
MEMORY = 600

#: The largest ratio of the time for NDJSON to that for Parquet.
NDJSON = 1.5


def write_urls(path: Path, rows: int) -> None:
    """Write a Parquet file with distinct URLs, whose hosts alternate."""
    with pq.ParquetWriter(path, pa.schema([("url", pa.string())])) as writer:
        for start in range(0, rows, AT_ONCE):
            numbers = pa.array(range(start, min(start + AT_ONCE, rows)))
            host = pc.subtract(numbers, pc.multiply(pc.divide(numbers, HOSTS), HOSTS))
            parts = ("https://h", host, ".example/page/", numbers, "?q=a%20b#top")
            texts = [part if isinstance(part, str) else part.cast(pa.string()) for part in parts]
            url = pc.binary_join_element_wise(*texts, "")
            writer.write_table(pa.table({"url": url}))


def measured(*words: str) -> tuple[float, float]:
    """Run the command, and return its CPU time in seconds and its peak memory in MB."""
    command = [sys.executable, "-m", "uriverse", "columns", *words, "--quiet"]
    with subprocess.Popen(command) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def formats(source: Path, rows: int, rounds: int) -> Iterator[Table]:
    """Compare the time for NDJSON with that for Parquet."""
    targets = {"ndjson": None, "parquet": NDJSON, "csv": None}
    for op in ("parse", "host"):
        figures: dict[str, list[float]] = {form: [] for form in targets}
        for _ in range(rounds):
            for form, times in figures.items():
                seconds, _ = measured(
                    str(source),
                    "--op",
                    op,
                    "-o",
                    str(source.with_suffix(f".{form}2")),
                    "--output-format",
                    form,
                )
                times.append(seconds / rows * 1e9)
        names = [(f"to {form}", target) for form, target in targets.items()]
        notes = (f"{rows:,} rows; {rounds} rounds; CPU time",)
        yield Table(f"files, {op}", "ns", notes, rows_of(names, [*figures.values()]))


def partitions(source: Path, rows: int, rounds: int) -> Iterator[Table]:
    """Measure the peak memory of a job that writes many files."""
    found: list[Row] = []
    output = source.with_name("out")
    for name, words in OUTPUTS.items():
        peaks: list[float] = []
        for _ in range(rounds):
            select = ("--select", "hostname as site, path", *words)
            peaks.append(measured(str(source), *select, "-o", str(output))[1])
            shutil.rmtree(output)
        found.append(Row(name, Spread.of(peaks * 2), None, MEMORY))
    notes = (f"{rows:,} rows with {HOSTS} hosts; {rounds} rounds; peak memory of the process",)
    yield Table("memory of many files", "MB", notes, tuple(found))


GROUPS = {"formats": formats, "partitions": partitions}


def arguments_of(command_line: Sequence[str] | None) -> argparse.Namespace:
    parser = options("Measure `uriverse columns` on files.")
    parser.add_argument("--only", choices=GROUPS, help="measure only this group")
    parser.set_defaults(strings=1_000_000, rounds=5)
    return parser.parse_args(command_line)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = arguments_of(command_line)
    groups = [GROUPS[arguments.only]] if arguments.only else [*GROUPS.values()]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "urls.parquet"
        write_urls(source, arguments.strings)
        run(arguments, (group(source, arguments.strings, arguments.rounds) for group in groups))


if __name__ == "__main__":
    main()
