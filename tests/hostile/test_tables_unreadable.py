"""A table that cannot be read ends the command with one line, and nothing is half written."""

from __future__ import annotations

import gzip
import io
import random
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from platforms import unix

from uriverse._cli.commands import uriverse

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

ROWS = 60_000
TABLE = pa.table(
    {
        "url": [f"http://a{n % 7}.example/{n}" for n in range(ROWS)],
        "k": [str(n % 3) for n in range(ROWS)],
    }
)
ROWS_OF_TABLE = TABLE.to_pylist()
CSV = "".join(["url,k\n", *(f"{row['url']},{row['k']}\n" for row in ROWS_OF_TABLE)]).encode()
NDJSON = "".join(f'{{"url":"{row["url"]}","k":"{row["k"]}"}}\n' for row in ROWS_OF_TABLE).encode()

#: Levels of nesting at which a recursive parser would crash.
DEEP = 100_000

#: The options for each kind of output that is a folder.
FOLDERS = {
    "partitions": ["--partition-by", "k", "-o", "out"],
    "files": ["--file-rows", "1000", "-o", "out"],
    "partitions of files": ["--partition-by", "k", "--file-rows", "1000", "-o", "out"],
}


def parquet() -> bytes:
    stream = io.BytesIO()
    pq.write_table(TABLE, stream, row_group_size=ROWS // 10)
    return stream.getvalue()


def arrow(*, is_stream: bool) -> bytes:
    stream = io.BytesIO()
    with (pa.ipc.new_stream if is_stream else pa.ipc.new_file)(stream, TABLE.schema) as writer:
        writer.write_table(TABLE, ROWS // 10)
    return stream.getvalue()


def with_a_bad_page() -> bytes:
    """Return a Parquet file with a corrupt page in its last row group."""
    whole = bytearray(parquet())
    column = pq.ParquetFile(io.BytesIO(whole)).metadata.row_group(9).column(0)
    start = column.dictionary_page_offset + 30
    whole[start : start + 400] = random.Random(1).randbytes(400)
    return bytes(whole)


def with_a_bad_offset() -> bytes:
    """Return an Arrow file with a string of which the offset is far outside the buffer."""
    whole = arrow(is_stream=False)
    middle = len(whole) // 2
    return whole[:middle] + b"\x7f" * 4000 + whole[middle + 4000 :]


def cut(whole: bytes) -> bytes:
    return whole[: len(whole) * 2 // 3]


def line(value: str) -> bytes:
    return f'{{"url":"a","k":{value}}}\n'.encode()


#: Files that cannot be read, most of them only after many rows.
UNREADABLE: dict[str, Callable[[], bytes]] = {
    "empty.parquet": bytes,
    "cut.parquet": lambda: cut(parquet()),
    "footer.parquet": lambda: b"PAR1" + b"\x7f" * 1000 + b"PAR1",
    "page.parquet": with_a_bad_page,
    "cut.arrow": lambda: cut(arrow(is_stream=False)),
    "cut.feather": lambda: cut(arrow(is_stream=True)),
    "offset.arrow": with_a_bad_offset,
    "cut.csv.gz": lambda: cut(gzip.compress(CSV)),
    "changed.csv.gz": lambda: gzip.compress(CSV)[:-8] + b"\0" * 8,
    "cut.ndjson.zst": lambda: cut(pa.Codec("zstd").compress(NDJSON, asbytes=True)),
    "bomb.csv.gz": lambda: gzip.compress(b"url,k\n" + b"a" * 10**8, 1),
    "bomb.ndjson.zst": lambda: pa.Codec("zstd").compress(line(f'"{"a" * 10**8}"'), asbytes=True),
    "line.csv": lambda: CSV + b"a" * 10**8 + b",1\n",
    "quote.csv": lambda: CSV + b'"' + b"a\n" * (5 * 10**7),
    "header.csv": lambda: b"url," + b"k" * 10**8,
    "fields.csv": lambda: CSV + b"1,2,3\n",
    "utf8.csv": lambda: CSV + b"http://\xff/,1\n",
    "line.ndjson": lambda: NDJSON + line(f'"{"a" * 10**8}"'),
    "array.ndjson": lambda: NDJSON + line("[" * DEEP + "]" * DEEP),
    "object.ndjson": lambda: line('{"k":' * DEEP + "1" + "}" * DEEP) + NDJSON,
    "opened.ndjson": lambda: NDJSON + line("[" * DEEP),
    "half.ndjson": lambda: NDJSON + b'{"url":"a","k"\n',
    "type.ndjson": lambda: NDJSON + line("1"),
    "null.ndjson": lambda: NDJSON + b"null\n",
}

#: Files that could fill the memory: the peak of a process that reads them is limited.
HUGE = [
    name for name in UNREADABLE if name.partition(".")[0] in {"bomb", "line", "quote", "header"}
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(name: str, *words: str) -> Result:
    words = ("columns", name, "--column", "url", "--op", "host", "-q", *words)
    return CliRunner().invoke(uriverse, words)


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_table_leaves_no_output(name: str) -> None:
    Path(name).write_bytes(UNREADABLE[name]())
    for words in (["-o", "out.parquet"], ["-o", "out.ndjson"], *FOLDERS.values()):
        result = run(name, *words)
        assert (result.exit_code, result.stdout) == (2, ""), words
        assert result.stderr.startswith(f"uriverse columns: {name}: ")
        assert result.stderr.count("\n") == 1
        assert len(result.stderr) < 300
        assert names() == [name], words


@pytest.mark.slow
@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_table_leaves_the_previous_folder(name: str) -> None:
    Path(name).write_bytes(UNREADABLE[name]())
    before = Path("out/k=1/part-00000.parquet")
    before.parent.mkdir(parents=True)
    before.write_bytes(b"before")
    for words in FOLDERS.values():
        assert run(name, *words).exit_code == 2
        assert [path for path in Path("out").glob("**/*") if path.is_file()] == [before]
        assert before.read_bytes() == b"before"
        assert names() == sorted([name, "out"])


@pytest.mark.slow
@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_table_in_a_folder_leaves_the_files_before_it(name: str) -> None:
    Path("in").mkdir()
    # The files of a folder are processed in the order of their names.
    pq.write_table(TABLE, "in/0.parquet")
    Path("in/1." + name.partition(".")[2]).write_bytes(UNREADABLE[name]())
    pq.write_table(TABLE, "in/2.parquet")
    for done in (0, 1):
        words = ("columns", "in", "--column", "url", "--op", "host", "-o", "out/", "--resume")
        result = CliRunner().invoke(uriverse, words)
        assert result.exit_code == 2
        progress, error = result.stderr.splitlines()
        assert progress == f"{done} of 3 files are complete already"
        assert error.startswith(
            f"uriverse columns: in{'/' if sys.platform != 'win32' else chr(92)}1."
        )
        assert [path.name for path in Path("out").iterdir()] == ["0.parquet"]
        assert pq.read_metadata("out/0.parquet").num_rows == ROWS


#: A program that prints its peak memory in MB. That of a child includes the memory of its parent at
#: the time of the fork, so a small program starts it.
PEAK = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "uriverse", *sys.argv[1:]], stderr=subprocess.PIPE)
print(done.returncode, done.stderr.count(b"\\n"))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
"""


def peak_of_error(*words: str) -> int:
    """Run a command that must fail with one line, and return its peak memory in MB."""
    program = [sys.executable, "-c", PEAK, *words]
    result = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=True)
    outcome, peak = result.stdout.splitlines()
    assert outcome == "2 1"
    return int(peak)


@unix
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
@pytest.mark.parametrize("name", HUGE)
def test_a_line_of_100_mb_is_rejected_in_little_memory(name: str) -> None:
    Path(name).write_bytes(UNREADABLE[name]())
    words = ["columns", name, "--column", "url", "--op", "host", "-q"]
    for output in (["-o", "out.parquet"], *FOLDERS.values()):
        assert peak_of_error(*words, *output) < 300
    if not name.endswith((".gz", ".zst")):
        form = "jsonl" if name.endswith("ndjson") else "csv"
        Path(name).rename(f"in.{form}")
        edit = ["normalize", "--field", "url", "--file", f"in.{form}", "--in-place"]
        if name != "header.csv":
            assert peak_of_error(*edit) < 100
