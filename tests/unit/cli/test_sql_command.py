"""`uriverse sql` reads files without guesses, and writes files whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_runner import run_uriverse
from platforms import unix

pytest.importorskip("duckdb", reason="needs duckdb (pip install '.[test]')")
pytest.importorskip("pyarrow", reason="needs pyarrow (pip install '.[test]')")

PROGRAM = [sys.executable, "-m", "uriverse", "sql"]
#: Never ends before a test does: each row calls a function of uriverse.
ENDLESS = "SELECT uri_host('http://h/' || n) FROM range(100000000000) t(n) WHERE n < 0 OR n > 5"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def query(text: str, *options: str, given: str | bytes = "") -> str:
    result = run_uriverse(["sql", text, *options], input=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def fail(text: str, *options: str, given: str | bytes = "") -> str:
    """Run a query that fails, and return its error, which is one line."""
    result = run_uriverse(["sql", text, *options], input=given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("uriverse sql: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("uriverse sql: ").rstrip("\n")


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def names() -> list[str]:
    return [path.name for path in Path().iterdir()]


# --- reading


def test_a_csv_file_with_semicolons_in_urls_keeps_all_rows() -> None:
    write("x.csv", "url\n" + "http://h/?a=1;b=1\n" * 10)
    assert (
        query("SELECT count(*) AS n, min(url) AS url FROM 'x.csv'")
        == "n,url\n10,http://h/?a=1;b=1\n"
    )


def test_values_of_csv_files_stay_strings() -> None:
    write("x.csv", 'a,b,c\n1.50,,""\n007,2020-01-01,"x\ny"\n')
    assert query("SELECT typeof(a) AS t FROM 'x.csv' LIMIT 1") == "t\nVARCHAR\n"
    assert query("FROM 'x.csv'") == 'a,b,c\n1.50,,""\n007,2020-01-01,"x\ny"\n'


def test_a_csv_row_with_too_many_fields_is_an_error() -> None:
    write("x.csv", "a,b\n1,2,3\n")
    assert "x.csv" in fail("FROM 'x.csv'")


def test_fields_that_occur_late_in_a_json_file_are_read() -> None:
    write("x.ndjson", '{"a": 1}\n' * 30_000 + '{"a": 2, "late": "x"}\n')
    assert query("SELECT late FROM 'x.ndjson' WHERE a = 2") == "late\nx\n"


def test_each_file_format_is_read_as_it_is_written() -> None:
    rows = "SELECT 'http://h/?a=1;b=\"' AS url, NULL AS nothing, '' AS empty"
    for name in ("x.csv", "x.tsv", "x.parquet", "x.ndjson", "x.jsonl", "x.csv.gz", "x.ndjson.gz"):
        query(rows, "-o", name)
        expected = 'url,nothing,empty\n"http://h/?a=1;b=""",,""\n'
        assert query(f"FROM '{name}'") == expected, name


def test_a_pattern_reads_several_files() -> None:
    write("a.txt", "http://a/\n")
    write("b.txt", "http://b/\n")
    assert query("SELECT uri_host(text) h FROM '*.txt' ORDER BY h") == "h\na\nb\n"


def test_standard_input_can_be_read_twice() -> None:
    given = "url\nhttp://a/\nhttp://b/\n"
    assert query("SELECT count(*) AS n FROM '-' AS x, '-' AS y", given=given) == "n\n4\n"
    assert query("FROM '-'; SELECT count(*) AS n FROM '-'", given=given) == "n\n2\n"


def test_lines_are_read_and_written_without_quoting() -> None:
    given = 'http://a/?q="x",y;z\nHTTP://B/\n\n'
    normalized = query("SELECT uri_normalize(text) FROM '-'", "--format", "lines", given=given)
    assert normalized == "\nhttp://b/\n\n"
    copied = query("FROM '-'", "--format", "lines", given='http://a/?q="x",y;z\n')
    assert copied == 'http://a/?q="x",y;z\n'


def test_json_is_read_and_written_in_a_pipe() -> None:
    result = query(
        "SELECT uri_host(u) AS h FROM '-'", "--format", "ndjson", given='{"u":"http://a"}'
    )
    assert result == '{"h":"a"}\n'


def test_a_table_of_the_query_is_not_a_file() -> None:
    write("x.csv", "a\nfile\n")
    assert query('WITH "x.csv" AS (SELECT \'table\' AS a) FROM "x.csv"') == "a\ntable\n"
    assert (
        query("CREATE TABLE t AS FROM 'x.csv' WHERE false; SELECT count(*) AS n FROM t") == "n\n0\n"
    )


def test_statements_without_rows_print_nothing() -> None:
    assert query("CREATE TABLE t (a INT)") == ""
    assert query("") == ""


# --- errors


def test_errors_are_one_line_without_rows_and_secrets() -> None:
    write("x.txt", "http://u:hunter2@h/\n")
    Path("x.txt").write_bytes(Path("x.txt").read_bytes() + b"\xff\n")
    assert "utf-8" in fail("FROM 'x.txt'")
    assert "hunter2" not in fail("SELECT \"http://u:hunter2@h/\" FROM 'x.txt'")
    assert fail("SELEC") == 'Parser Error: syntax error at or near "SELEC"'


def test_unknown_formats_are_rejected_before_the_query_runs() -> None:
    assert "use one of .csv, .tsv, .ndjson" in fail("SELECT 1", "-o", "x.xlsx")
    assert "select one" in fail("SELECT 1, 2", "-o", "x.txt")
    assert "select one" in fail("SELECT 1, 2", "--format", "lines")
    Path("folder").mkdir()
    assert "not a regular file" in fail("SELECT 1", "-o", "folder")
    assert names() == ["folder"]


def test_nothing_is_downloaded_and_no_local_variable_is_a_table() -> None:
    assert fail("INSTALL httpfs") == "extensions are not supported; remove INSTALL and LOAD"
    assert "extension" in fail("FROM 'https://h.invalid/x.csv'")
    assert "does not exist" in fail("FROM connection")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert fail("SELECT 1") == "duckdb is not installed; run: pip install 'uriverse[duckdb]'"


# --- writing


def test_standard_output_is_appended_to_a_log() -> None:
    write("log", "before\n")
    for arguments in (["SELECT 1 AS a"], ["SELECT 2 AS a", "-o", "/dev/stdout"]):
        with Path("log").open("ab") as log:
            subprocess.run([*PROGRAM, *arguments], stdout=log, check=True)
    assert Path("log").read_text("utf-8") == "before\na\n1\na\n2\n"


def test_memory_is_limited() -> None:
    assert (
        query("SELECT current_setting('memory_limit') AS m", "--memory", "100MB") == "m\n95.3 MiB\n"
    )
    assert "memory" in fail("SELECT 1", "--memory", "x").lower()


def test_the_old_output_survives_an_error() -> None:
    write("x.csv", "old\n")
    fail("SELECT error('no') AS e FROM range(3)", "-o", "x.csv")
    assert Path("x.csv").read_text("utf-8") == "old\n"
    assert names() == ["x.csv"]


@unix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_old_output_survives_a_signal(number: int) -> None:
    write("x.csv", "old\n")
    done = subprocess.Popen([*PROGRAM, ENDLESS, "-o", "x.csv"], stderr=subprocess.PIPE)
    while len(names()) == 1 and done.poll() is None:
        time.sleep(0.01)
    time.sleep(0.3)
    done.send_signal(number)
    _, error = done.communicate(timeout=60)
    assert (done.returncode, error) == (-number if number == signal.SIGKILL else 128 + number, b"")
    assert Path("x.csv").read_text("utf-8") == "old\n"
    if number != signal.SIGKILL:
        assert names() == ["x.csv"]


@unix
def test_the_old_output_survives_a_full_disk() -> None:
    write("x.csv", "old\n")

    import resource

    def limit_file_size() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    command = [*PROGRAM, "FROM range(1000000)", "-o", "x.csv"]
    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=limit_file_size, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert Path("x.csv").read_text("utf-8") == "old\n"
    assert names() == ["x.csv"]


@unix
def test_a_closed_pipe_ends_the_command_quietly() -> None:
    command = f"{' '.join(PROGRAM)} 'FROM range(1000000)' | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("range\n141\n", "")


@unix
def test_a_terminal_shows_a_table() -> None:
    import pty

    ours, theirs = pty.openpty()
    subprocess.run([*PROGRAM, "SELECT uri_host('http://a/') AS h"], stdout=theirs, check=True)
    assert "│ a       │" in os.read(ours, 4096).decode()
    os.close(ours)
    os.close(theirs)
