import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command_runner import failure, printed, run
from platforms import unix

from uriverse._cli import atomic_files, sql

pytest.importorskip("duckdb", reason="needs duckdb (pip install '.[test]')")
pytest.importorskip("pyarrow", reason="needs pyarrow (pip install '.[test]')")

PROGRAM = [sys.executable, "-m", "uriverse", "sql"]
#: Never ends before a test does: each row calls a function of uriverse.
ENDLESS = "SELECT uri_host('http://h/' || n) FROM range(100000000000) t(n) WHERE n < 0 OR n > 5"


def query(text: str, *options: str, given: str | bytes = "") -> str:
    return printed("sql", text, *options, given=given)


def fail(text: str, *options: str) -> str:
    """Run a query that fails, and return its error, which is one line."""
    message = failure("sql", text, *options)
    assert message.startswith("uriverse sql: ")
    assert message.count("\n") == 1
    return message.removeprefix("uriverse sql: ").rstrip("\n")


def write(name: str, text: str) -> None:
    Path(name).write_text(text, "utf-8")


def names() -> list[str]:
    return [path.name for path in Path().iterdir()]


@pytest.mark.parametrize(
    ("content", "text", "expected"),
    [
        # Semicolons in URLs separate nothing, and values stay strings.
        ("url\n" + "http://h/?a=1;b=1\n" * 10, "SELECT count(*) AS n, min(url) AS url FROM 'x.csv'",
         "n,url\n10,http://h/?a=1;b=1\n"),
        ('a,b,c\n1.50,,""\n007,2020-01-01,"x\ny"\n', "SELECT typeof(a) AS t FROM 'x.csv' LIMIT 1",
         "t\nVARCHAR\n"),
        ('a,b,c\n1.50,,""\n007,2020-01-01,"x\ny"\n', "FROM 'x.csv'",
         'a,b,c\n1.50,,""\n007,2020-01-01,"x\ny"\n'),
        # A table of the query is not a file.
        ("a\nfile\n", 'WITH "x.csv" AS (SELECT \'table\' AS a) FROM "x.csv"', "a\ntable\n"),
        ("a\n1\n", "CREATE TABLE t AS FROM 'x.csv' WHERE false; SELECT count(*) AS n FROM t",
         "n\n0\n"),
    ],
)  # fmt: skip
def test_csv_files_are_read_without_guesses(content: str, text: str, expected: str) -> None:
    write("x.csv", content)
    assert query(text) == expected


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


def test_standard_input_is_a_table() -> None:
    for text, options, given, expected in [
        ("SELECT count(*) AS n FROM '-' AS x, '-' AS y", [], "url\na:\nb:\n", "n\n4\n"),
        ("FROM '-'; SELECT count(*) AS n FROM '-'", [], "url\na:\nb:\n", "n\n2\n"),
        # Lines are read and written without quoting.
        (
            "SELECT uri_normalize(text) FROM '-'",
            ["--format", "lines"],
            'http://a/?q="x",y;z\nHTTP://B/\n\n',
            "\nhttp://b/\n\n",
        ),
        ("FROM '-'", ["--format", "lines"], 'http://a/?q="x",y;z\n', 'http://a/?q="x",y;z\n'),
        ("SELECT uri_host(u) h FROM '-'", ["--format", "ndjson"], '{"u":"//a"}', '{"h":"a"}\n'),
        # Statements without rows print nothing.
        ("CREATE TABLE t (a INT)", [], "", ""),
        ("", [], "", ""),
        ("SELECT current_setting('memory_limit') AS m", ["--memory", "100MB"], "", "m\n95.3 MiB\n"),
    ]:
        assert query(text, *options, given=given) == expected


def test_errors_are_one_line_without_rows_and_secrets() -> None:
    write("x.csv", "a,b\n1,2,3\n")
    Path("x.txt").write_bytes(b"http://u:hunter2@h/\n\xff\n")
    Path("folder").mkdir()
    for part, words in {
        "x.csv": ("FROM 'x.csv'",),
        "utf-8": ("FROM 'x.txt'",),
        'Parser Error: syntax error at or near "SELEC"': ("SELEC",),
        "use one of .csv, .tsv, .ndjson": ("SELECT 1", "-o", "x.xlsx"),
        "select one": ("SELECT 1, 2", "-o", "y.txt"),
        "lines have one column; select one": ("SELECT 1, 2", "--format", "lines"),
        "not a regular file": ("SELECT 1", "-o", "folder"),
        "extensions are not supported; remove INSTALL and LOAD": ("INSTALL httpfs",),
        "extension": ("FROM 'https://h.invalid/x.csv'",),
        "does not exist": ("FROM connection",),
        "emory": ("SELECT 1", "--memory", "x"),
    }.items():
        assert part in fail(*words)
    assert "hunter2" not in fail("SELECT \"http://u:hunter2@h/\" FROM 'x.txt'")
    assert sorted(names()) == ["folder", "x.csv", "x.txt"]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert fail("SELECT 1") == "duckdb is not installed; run: pip install 'uriverse[duckdb]'"


def test_a_terminal_shows_a_table() -> None:
    result = run("sql", "SELECT uri_host('http://a/') AS h", is_terminal=True)
    assert "│ a       │" in result.stdout


@unix
def test_standard_output_is_appended_to_a_log_and_may_be_a_closed_pipe() -> None:
    write("log", "before\n")
    with Path("log").open("ab") as log:
        words = [*PROGRAM, "SELECT 2 AS a", "-o", "/dev/stdout"]
        subprocess.run(words, stdout=log, check=True)
    assert Path("log").read_text("utf-8") == "before\na\n2\n"
    command = f"{' '.join(PROGRAM)} 'FROM range(1000000)' | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("range\n141\n", "")


def test_the_old_output_survives_an_error() -> None:
    write("x.csv", "old\n")
    fail("SELECT error('no') AS e FROM range(3)", "-o", "x.csv")
    assert Path("x.csv").read_text("utf-8") == "old\n"
    assert names() == ["x.csv"]


@unix
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        # They take seconds, and leave the file in the same way.
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_the_old_output_survives_a_signal(number: int) -> None:
    write("x.csv", "old\n")
    done = subprocess.Popen([*PROGRAM, ENDLESS, "-o", "x.csv"], stderr=subprocess.PIPE)
    while len(names()) == 1 and done.poll() is None:
        time.sleep(0.01)
    done.send_signal(number)
    _, error = done.communicate(timeout=60)
    assert (done.returncode, error) == (-number if number == signal.SIGKILL else 128 + number, b"")
    assert Path("x.csv").read_text("utf-8") == "old\n"
    assert number == signal.SIGKILL or names() == ["x.csv"]


@unix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_between_queries_is_not_lost(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    write("x.csv", "old\n")
    for owner, name in ((sql, "copyfileobj"), (atomic_files.AtomicFile, "open")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, lambda *_arguments: signal.raise_signal(number))
            result = run("sql", "FROM '-'", "-o", "x.csv", given="a\n1\n")
        assert (result.exit_code, result.output.strip()) == (128 + number, ""), name
        assert names() == ["x.csv"], name
    assert Path("x.csv").read_text("utf-8") == "old\n"


@unix
def test_a_signal_in_a_function_of_a_query_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def call_function(connection: Any, *_arguments: object) -> None:
        connection.create_function("f", lambda: signal.raise_signal(signal.SIGTERM), [], "INTEGER")
        connection.execute("SELECT f()").fetchall()

    monkeypatch.setattr(sql, "run_statements", call_function)
    result = run("sql", "SELECT 1")
    assert (result.exit_code, result.output.strip()) == (128 + signal.SIGTERM, "")


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
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert Path("x.csv").read_text("utf-8") == "old\n"
    assert names() == ["x.csv"]
