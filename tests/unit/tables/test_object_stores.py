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


def test_all_objects_of_a_folder_are_read_with_their_partitions(store: str) -> None:
    for place in ("k=1/a.csv", "k=2/a.csv", "k=2/_x.csv", "k=2/b.other.csv"):
        assert run("in.csv", "--op", "host", "-o", store.format(f"many/{place}")).exit_code == 1
    words = ("--op", "path-depth", "--column", "url", "--keep", "k", "-o", "out.csv")
    assert run(store.format("many/"), *words).stderr == "6 rows, 3 bad: path 3\n"
    assert [line[:3] for line in Path("out.csv").read_text("utf-8").splitlines()[1::2]] == [
        '"1"',
        '"2"',
        '"2"',
    ]


def test_an_object_appears_only_when_it_is_complete(store: str) -> None:
    Path("bad.csv").write_text("url\n" + "http://a/\n" * 10**6 + "1,2\n", "utf-8")
    name = store.format("half.csv")
    assert run("bad.csv", "--op", "host", "-o", name, "--fail-on", "never").exit_code == 2
    result = run(name, "--op", "port", "-o", "out.csv")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "half.csv" in result.stderr
    assert "geheim" not in result.stderr


def test_folders_are_not_written_to_a_store(store: str) -> None:
    for words in (("-o", store.format("x"), "--file-rows", "9"), ("-o", "s3://bucket/x/")):
        result = run("in.csv", "--op", "host", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
