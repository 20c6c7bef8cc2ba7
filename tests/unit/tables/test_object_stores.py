"""Tests of tables in object stores, with an S3 server on this computer."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner, Result

from uriverse._cli.commands import uriverse

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

#: The program `moto_server`, of this environment or of the one that a variable names.
SERVER = os.environ.get("MOTO_SERVER") or shutil.which(
    "moto_server", path=str(Path(sys.executable).parent)
)

pytestmark = [
    pytest.mark.skipif(SERVER is None, reason="needs moto[server]"),
    pytest.mark.xdist_group("s3"),
]


@pytest.fixture(name="store", scope="module")
def running_store() -> Iterator[str]:
    """Start a server, and return the URL of a bucket in it, with a format string for a key."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(SERVER), "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            # The server prints its address when it accepts connections.
            while b"Running on" not in (line := process.stderr.readline()):
                assert line
            with urlopen(Request(f"http://127.0.0.1:{port}/bucket", method="PUT")):
                pass
            options = f"scheme=http&endpoint_override=127.0.0.1:{port}&region=us-east-1"
            yield f"s3://key:geheim@bucket/{{}}?{options}"
        finally:
            process.kill()


def run(*words: str) -> Result:
    return CliRunner().invoke(uriverse, ["columns", *words])


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("url\nhttp://a/\na b\n", "utf-8")


@pytest.mark.parametrize("end", ["parquet", "csv.gz", "ndjson.zst", "arrow"])
def test_objects_are_written_and_read(store: str, end: str) -> None:
    name = store.format(f"tables/a%20b.{end}")
    result = run("in.csv", "--op", "host", "-o", name)
    assert (result.exit_code, result.stderr) == (1, "2 rows, 1 bad: path 1\n")
    result = run(name, "--column", "url", "--op", "port", "-o", "out.csv")
    assert result.exit_code == 1, result.output
    assert Path("out.csv").read_text("utf-8").splitlines() == [
        '"url","host","port"',
        '"http://a/","a",',
        '"a b",,',
    ]


def write_rows(store: str, *places: str) -> None:
    """Write an object with the two rows of `in.csv` at each place."""
    for place in places:
        assert run("in.csv", "--op", "host", "-o", store.format(place)).exit_code == 1


def column_of(given: str, name: str) -> list[str | None]:
    """Return a column of all rows of an input, sorted."""
    words = ("--op", "path-depth", "--column", "url", "--keep", name, "-o", "out.parquet")
    result = run(given, *words, "--fail-on", "never")
    assert result.exit_code == 0, result.output
    values: list[str | None] = pq.read_table("out.parquet")[name].to_pylist()
    return sorted(values, key=str)


def test_the_objects_of_a_folder_are_read_with_their_partitions(store: str) -> None:
    write_rows(store, "many/k=1/a.csv", "many/k=a%252Fb/a.csv", "many/k=2/_x.csv")
    write_rows(store, "many/k=2/b.other.csv", "many/other/c.csv", "many/.h/d.csv")
    for name in ("many/", "many"):
        values = ["1", "1", "2", "2", "a/b", "a/b"]
        assert column_of(store.format(name), "k") == values, name


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("globs/*.csv", 2),
        ("globs/a*.csv", 1),
        ("globs/*%20*.csv", 1),
        ("globs/*/*.csv", 1),
        ("globs/**/*.csv", 4),
        ("globs/**", 4),
        ("globs/.h/*.csv", 1),
        ("globs/%2A.csv", None),
        ("globs/*.tsv", None),
        ("nowhere/*.csv", None),
        ("nowhere/", None),
    ],
)
def test_a_pattern_matches_objects_as_it_matches_files(
    store: str, pattern: str, count: int | None
) -> None:
    write_rows(store, "globs/a%20b.csv", "globs/c.csv", "globs/.h/d.csv")
    write_rows(store, "globs/x/e.csv", "globs/x/y/f.csv")
    result = run(store.format(pattern), "--op", "port", "-o", "out.csv", "--column", "url")
    if count is None:
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert "geheim" not in result.stderr
    else:
        assert result.stderr.startswith(f"{count * 2} rows"), result.stderr


def test_a_pattern_reads_the_partitions_below_it(store: str) -> None:
    write_rows(store, "hive/year=2025/a.csv", "hive/year=2026/a.csv")
    assert column_of(store.format("hive/*/*.csv"), "year") == ["2025"] * 2 + ["2026"] * 2
    # The folder in the pattern is no column, as for files.
    result = run(store.format("hive/year=2025/*.csv"), "--keep", "year", "-o", "out.csv")
    assert "no column 'year'" in result.stderr


def test_an_output_among_the_inputs_is_rejected(store: str) -> None:
    write_rows(store, "again/a.csv", "again/b.csv")
    result = run(store.format("again/"), "--op", "port", "-o", store.format("again/b.csv"))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "the inputs include the output" in result.stderr


def test_each_object_has_an_output_object_and_resume_skips_those_that_exist(store: str) -> None:
    write_rows(store, "each/k=1/a%20b.csv", "each/k=2/c.csv")
    words = ("--op", "host", "--column", "url", "--keep", "url", "--fail-on", "never")
    output = store.format("made/")
    result = run(store.format("each/*/a*.csv"), *words, "-o", output, "--resume")
    assert result.stderr == "0 of 1 files are complete already\n2 rows, 1 bad: path 1\n"
    result = run(store.format("each/"), *words, "-o", output, "--resume")
    assert result.stderr == "1 of 2 files are complete already\n2 rows, 1 bad: path 1\n"
    assert column_of(store.format("made/**"), "url") == ["a b", "a b", "http://a/", "http://a/"]


def test_an_object_appears_only_when_it_is_complete(store: str) -> None:
    Path("bad.csv").write_text("url\n" + "http://a/\n" * 10**6 + "1,2\n", "utf-8")
    name = store.format("half.csv")
    assert run("bad.csv", "--op", "host", "-o", name, "--fail-on", "never").exit_code == 2
    result = run(name, "--op", "port", "-o", "out.csv")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "half.csv" in result.stderr
    assert "geheim" not in result.stderr


def test_partitions_are_not_written_to_a_store(store: str) -> None:
    for words in (("--file-rows", "9"), ("--partition-by", "url")):
        result = run("in.csv", "--op", "host", "-o", store.format("x"), *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "an object store takes no partitions" in result.stderr


def test_a_store_that_cannot_be_reached_is_reported(store: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    name = f"s3://key:geheim@bucket/x/?scheme=http&endpoint_override=127.0.0.1:{port}&region=x"
    result = run("in.csv", "--op", "host", "-o", name, "--resume")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "geheim" not in result.stderr
