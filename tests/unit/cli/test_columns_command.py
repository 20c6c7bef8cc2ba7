"""The command `columns`: its options, what it says, and its exit status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sparks
from click.testing import CliRunner, Result

from uriverse.cli.columns import ended_by_signals
from uriverse.cli.commands import uriverse
from uriverse.cli.progress import Bar
from uriverse.columns.registry import OPERATIONS

# It says nothing of its types.
pq: Any = import_module("pyarrow.parquet")
pa: Any = import_module("pyarrow")

LINES = "http://a/?q=1\nb c\n\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str, given: bytes | str = LINES) -> Result:
    return CliRunner().invoke(uriverse, ["columns", *words], input=given)


def table_in(name: str, **columns: list[Any]) -> str:
    pq.write_table(pa.table(columns), name)
    return name


def test_lines_go_through_as_lines() -> None:
    result = run("--format", "lines", "-", "--op", "host", "-o", "-")
    assert (result.exit_code, result.stdout) == (1, "a\n\n\n")
    assert result.stderr == "3 rows, 1 bad: path 1\n"
    result = run("--format", "lines", "-", "--op", "host", "-o", "-", "-q", given="a\n")
    assert (result.exit_code, result.output) == (0, "\n")


def test_formats_can_be_told_apart() -> None:
    words = ("--input-format", "lines", "--output-format", "ndjson", "-", "-o", "-")
    result = run(*words, "--op", "is-valid")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows == [
        {"text": "http://a/?q=1", "is_valid": True},
        {"text": "b c", "is_valid": False},
        {"text": "", "is_valid": True},
    ]


@pytest.mark.parametrize("op", OPERATIONS)
def test_each_operation_can_be_asked_for(op: str) -> None:
    more = {"resolve": ["--base", "a:b"], "relativize": ["--base", "a:"]}
    words = [*more.get(op, []), *(["--name", "q"] if op == "query-param" else [])]
    result = run("--input-format", "lines", "-", "--op", op, *words, "-o", "out.json")
    assert result.exit_code == 1
    assert result.stderr.startswith("3 rows, ")


def test_the_help_has_all_operations() -> None:
    shown = run("--help").stdout.partition("OPERATION is ")[2].partition(".")[0]
    assert set(shown.replace(",", " ").replace(" or ", " ").split()) == set(OPERATIONS)


def test_parse_is_what_is_done_if_nothing_is_told() -> None:
    assert run("--input-format", "lines", "-", "-o", "out.csv").exit_code == 1
    header, first, *_ = Path("out.csv").read_text("utf-8").splitlines()
    assert header.startswith('"text","scheme","userinfo","host"')
    assert first == '"http://a/?q=1","http",,"a",,"/","q=1",,"reg-name",,'


def test_options_of_operations_reach_them() -> None:
    table_in("in.parquet", url=["HTTP://A:80", "é"], base=["http://b/", "http://c/"], n=[1, 2])

    def made(*words: str) -> list[Any]:
        result = run("in.parquet", "--column", "url", "--keep", "none", "-o", "out.json", *words)
        assert result.exit_code < 2, result.output
        rows = map(json.loads, Path("out.json").read_text("utf-8").splitlines())
        return [value for row in rows for value in row.values()]

    assert made("--op", "normalize") == ["http://a:80", "é"]
    assert made("--op", "normalize", "--scheme") == ["http://a/", "é"]
    assert made("--op", "is-valid", "--grammar", "iri") == [True, False]
    assert made("--op", "resolve", "--base", "http://x/y")[1] == "http://x/é"
    assert made("--op", "resolve", "--base-column", "base")[1] == "http://c/é"
    assert made("--op", "findings", "--profile", "strict") != made("--op", "findings")
    assert run("in.parquet", "--column", "url", "--keep", "n,url", "--op", "port", "--prefix", "x-",
               "-o", "out.csv").exit_code == 0  # fmt: skip
    assert Path("out.csv").read_text("utf-8") == '"n","url","x-port"\n1,"HTTP://A:80",80\n2,"é",\n'


def test_parquet_is_compressed_as_it_is_told() -> None:
    table_in("in.parquet", url=["a"])
    for words, codec in (([], "SNAPPY"), (["--compression", "zstd"], "ZSTD")):
        assert run("in.parquet", *words, "-o", "out.parquet").exit_code == 0
        assert pq.ParquetFile("out.parquet").metadata.row_group(0).column(0).compression == codec


def test_a_cell_that_a_spreadsheet_reads_as_a_formula_is_exact_unless_it_is_escaped() -> None:
    table_in("query.parquet", url=["?=-1", "?==1", "?=%2B1", "?=%40a", "?=a", "?"], n=[-1] * 6)
    words = ("query.parquet", "--column", "url", "--op", "query-param", "--name", "")
    for form, comma in (("csv", ","), ("tsv", "\t")):
        assert run(*words, "-o", f"out.{form}").exit_code == 0
        found = [line.split(comma) for line in Path(f"out.{form}").read_text("utf-8").splitlines()]
        assert [row[2] for row in found] == [
            '"query_param"', '"-1"', '"=1"', '"+1"', '"@a"', '"a"', ""
        ]  # fmt: skip
        assert run(*words, "--escape-formulas", "-o", f"out.{form}").exit_code == 0
        found = [line.split(comma) for line in Path(f"out.{form}").read_text("utf-8").splitlines()]
        assert [row[2] for row in found] == [
            '"query_param"', "\"'-1\"", "\"'=1\"", "\"'+1\"", "\"'@a\"", '"a"', ""
        ]  # fmt: skip
        assert {row[1] for row in found[1:]} == {"-1"}  # a number is not a formula


def test_names_octets_and_bad_rows_are_escaped_too() -> None:
    others: dict[str, list[Any]] = {
        "=n": [b"=\xc3\xa9", b"a", None, b"-"],
        "none": [None] * 4,
        "list": [["=1"]] * 4,
    }
    table_in("in.parquet", url=["=1 ", "\t", "\r", "a"], **others)
    words = ("in.parquet", "--column", "url", "--op", "host", "--escape-formulas")
    assert run(*words, "--bad-rows", "bad.csv", "-o", "out.csv").exit_code == 1
    lines = Path("out.csv").read_bytes().split(b"\n")
    assert lines[0] == b'"url","\'=n","none","list","host"'
    assert lines[1] == b'"\'=1 ","\'=\xc3\xa9",,"[""=1""]",'
    bad = Path("bad.csv").read_bytes()
    assert b'"\'=1 "' in bad
    assert b'"\'\t"' in bad
    assert b'"\'\r"' in bad
    # Where only the bad rows are in CSV, it is for them.
    assert run(*words, "--bad-rows", "bad.csv", "-o", "out.parquet").exit_code == 1
    assert Path("bad.csv").read_bytes() == bad
    assert pq.read_table("out.parquet")["url"][0].as_py() == "=1 "


def test_a_preset_stands_alone_if_nothing_is_kept() -> None:
    table_in("in.parquet", url=["http://a.example/"], n=[1])
    assert run("in.parquet", "--schema", "ecs", "-o", "out.parquet").exit_code == 0
    assert pq.read_schema("out.parquet").names[0] == "url.original"
    words = ("--schema", "commoncrawl", "--keep", "n")
    assert run("in.parquet", *words, "-o", "out.parquet").exit_code == 0
    assert pq.read_schema("out.parquet").names[:3] == ["n", "url", "url_host_name"]


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"x": ["a"], "n": [1]}, None),
        ({"x": ["a"], "URL": ["a"]}, None),
        (
            {"x": ["a"], "y": ["a"]},
            "several columns contain strings; choose one with --column: x, y",
        ),
        (
            {"url": ["a"], "uri": ["a"]},
            "several columns contain strings; choose one with --column: url, uri",
        ),
        ({"n": [1]}, "no column contains strings; cast one to string: n (int64)"),
    ],
)
def test_the_column_need_not_be_named_where_it_is_plain(
    columns: dict[str, list[Any]], told: str | None
) -> None:
    result = run(table_in("in.parquet", **columns), "--op", "host", "-o", "out.parquet")
    if told is None:
        assert result.exit_code == 0
    else:
        assert result.exit_code == 2
        assert result.stderr.startswith(f"uriverse columns: in.parquet: {told}")


def test_a_column_of_bases_is_not_taken_for_the_other() -> None:
    table_in("in.parquet", ref=["x"], page=["http://a/"])
    words = ("--op", "resolve", "--base-column", "page", "-o", "out.csv")
    assert run("in.parquet", *words).exit_code == 0
    assert Path("out.csv").read_text("utf-8").endswith('"x","http://a/","http://a/x"\n')


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--base", "a:"], "--base does not apply to parse; use it with resolve or relativize"),
        (["--op", "host", "--schema", "ecs"], "--schema does not apply to host; use it with parse"),
        (
            ["--op", "host", "--grammar", "uri"],
            "--grammar does not apply to host; use it with parse or is-valid",
        ),
        (["--op", "resolve"], "resolve needs a base; set --base or --base-column"),
        (
            ["--op", "resolve", "--base", "http://a", "--base-column", "b"],
            "--base contradicts --base-column; use one of them",
        ),
        (
            ["--op", "relativize", "--base", "a:", "--base-column", "x"],
            "--base contradicts --base-column; use one of them",
        ),
        (["--op", "resolve", "--base", "http://u:geheim@h:x"], ""),
        (["--op", "resolve", "--base", "b"], ""),
        (["--op", "query-param"], "query-param needs --name; add --name NAME"),
        (["--op", "nothing"], "invalid value for '--op'"),
        (["--compression", "zstd"], "--compression applies to parquet only; the output is csv"),
        (
            ["--escape-formulas", "--output-format", "ndjson"],
            "--escape-formulas applies to csv and tsv only; the output is ndjson",
        ),
        (["--threads", "0"], "invalid value for '--threads'"),
    ],
)
def test_options_that_do_not_fit_are_misuse(words: list[str], told: str) -> None:
    result = run("-", *words, "-o", "out.csv")
    assert result.exit_code == 2
    assert told in result.stderr
    assert "geheim" not in result.stderr
    assert not list(Path().iterdir())


def test_what_can_not_be_done_is_one_line() -> None:
    for words in (
        ["in.csv", "-o", "out.csv"],
        ["-", "-o", "out.csv"],
        ["--input-format", "lines", "-", "-o", "out"],
        ["--input-format", "lines", "-", "-o", "out.csv", "--bad-rows", "bad"],
        ["--input-format", "lines", "-", "-o", "out.csv", "--bad-rows", "bad.txt"],
        ["--input-format", "lines", "-", "-o", "out.csv", "--column", "\x1b[2J"],
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert result.stderr.startswith("uriverse columns: ")
        assert len(result.stderr.splitlines()) == 1
        assert "\x1b" not in result.stderr
        assert not list(Path().iterdir())


def test_bad_rows_are_written_with_their_places() -> None:
    Path("a.txt").write_text("x\na b\n", "utf-8")
    Path("b.txt").write_text("http://u:p@h:x\n", "utf-8")
    words = ("a.txt", "b.txt", "--op", "host", "-o", "out.txt", "--bad-rows", "bad.csv")
    result = run(*words)
    assert (result.exit_code, result.stderr) == (1, "3 rows, 2 bad: path 1, port 1\n")
    assert Path("bad.csv").read_text("utf-8").splitlines() == [
        '"file","row","text","error","error_position"',
        '"a.txt",2,"a b","path",1',
        '"b.txt",1,"http://u:p@h:x","port",13',
    ]


def test_nothing_is_bad_where_all_is_well() -> None:
    words = ("--format", "lines", "-", "--op", "host", "-o", "-", "--bad-rows", "bad.parquet")
    result = run(*words, given="http://a/")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "a\n", "1 rows, 0 bad\n")
    assert pq.read_table("bad.parquet").num_rows == 0


@pytest.mark.parametrize("missing", ["pyarrow", "nanoarrow"])
def test_what_is_not_installed_is_told_with_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import uriverse.cli as c; c.main()"
    words = [sys.executable, "-c", program, "columns", "in.csv", "-o", "out.csv"]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == (
        f"uriverse columns: {missing} is not installed; run: pip install 'uriverse[files]'\n"
    )


def test_the_command_is_listed_whatever_is_installed() -> None:
    program = "import sys; sys.modules['nanoarrow'] = None; import uriverse.cli as c; c.main()"
    words = [sys.executable, "-c", program, "--help"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "columns " in result.stdout


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_to_end_clears_away_what_has_been_begun(name: str) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("there is no such signal here")
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as raised, ended_by_signals():
            signal.raise_signal(number)
        assert raised.value.code == 128 + number
        assert signal.getsignal(number) is signal.SIG_DFL
        signal.signal(number, signal.SIG_IGN)
        with ended_by_signals():
            signal.raise_signal(number)
    finally:
        signal.signal(number, before)


def test_a_bar_is_shown_on_a_terminal_that_tells_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    program = (
        "import uriverse.cli.progress as p; p.PATIENCE = 0; import uriverse.cli as c; c.main()"
    )
    words = ["columns", "in.txt", "--op", "host", "-o", "out.txt"]
    for more, shown in (([], True), (["--quiet"], False)):
        terminal, other_end = pty.openpty()
        command = [sys.executable, "-c", program, *words, *more]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
        with subprocess.Popen(command, stderr=other_end, env=environment) as process:
            os.close(other_end)
            told = b""
            while part := read_of(terminal):
                told += part
        os.close(terminal)
        assert process.returncode == 1
        assert (b"3 rows, 1 bad" in told) == shown
        assert (b"bytes" in told) == shown


def read_of(terminal: int) -> bytes:
    """What comes from a terminal; nothing at its end."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def test_a_bar_may_be_told_nothing_else() -> None:
    with Bar(10) as bar:
        bar(3)
        bar(4, "some rows")
    assert bar.read == 7


@pytest.mark.spark
@pytest.mark.skipif(bool(sparks.MISSING), reason=sparks.MISSING)
def test_a_row_that_is_bad_has_its_place_where_spark_works_on_a_part() -> None:
    from uriverse.tables.plan import Plan
    from uriverse.tables.spark import bad_rows_with

    batch = pa.record_batch({"url": ["x", "a b"], "file": ["f", "g"], "row": [6, 7]})
    assert bad_rows_with(Plan("host", "url"))(batch).to_pylist() == [
        {"file": "g", "row": 8, "text": "a b", "error": "path", "error_position": 1}
    ]


@pytest.fixture(name="_spark")
def spark_that_runs() -> None:
    sparks.session()


def in_order(name: str) -> list[dict[str, Any]]:
    return sorted(pq.read_table(name).to_pylist(), key=str)


@pytest.mark.spark
@pytest.mark.skipif(bool(sparks.MISSING), reason=sparks.MISSING)
@pytest.mark.xdist_group("spark")
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
class TestSpark:
    """The same by Spark."""

    @pytest.mark.usefixtures("_spark")
    def test_the_result_is_the_same(self) -> None:
        Path("in [1]").mkdir()
        texts = ["http://Ä.example/?q=1#f", "a b", None, "", "x:%"]
        table_in("in [1]/a b.parquet", url=texts, n=[1, 2, 3, 4, 5])
        table_in("in [1]/c.parquet", url=["%", *texts[:4]], n=[1, 2, 3, 4, 5])
        for words in (
            ["--op", "parse"],
            ["--op", "query-params", "--keep", "n"],
            ["--schema", "commoncrawl"],
            ["--schema", "ecs"],
        ):
            outputs: list[list[dict[str, Any]]] = []
            for engine in ("local", "spark"):
                output, bad = f"{engine}.parquet", f"{engine}.bad.csv"
                to = ("-o", output, "--bad-rows", bad, "--engine", engine)
                result = run("in [1]", "--column", "url", *words, *to)
                assert result.exit_code == 1
                assert result.stderr.endswith("10 rows, 4 bad: path 4\n")
                outputs.append(in_order(output))
            assert outputs[0] == outputs[1]
            assert Path("local.bad.csv").read_text("utf-8") == Path("spark.bad.csv").read_text(
                "utf-8"
            )
        assert not [path for path in Path().iterdir() if path.name.startswith(".")]

    @pytest.mark.usefixtures("_spark")
    def test_what_was_there_is_replaced_at_the_end(self) -> None:
        table_in("in.parquet", url=["http://a/"])
        Path("out.parquet").write_text("before", "utf-8")
        for column in ("url", "other"):
            words = ("--column", column, "--op", "host", "--engine", "spark", "-o", "out.parquet")
            assert run("in.parquet", *words).exit_code == (0 if column == "url" else 2)
            assert pq.read_table("out.parquet").to_pylist() == [{"url": "http://a/", "host": "a"}]
        result = run("in.parquet", "--engine", "spark", "--op", "port", "-o", "out.parquet", "-q")
        assert (result.exit_code, result.output) == (0, "")
        assert pq.read_table("out.parquet").column_names == ["url", "port"]
        assert {path.name for path in Path().iterdir()} == {"in.parquet", "out.parquet"}

    @pytest.mark.usefixtures("_spark")
    def test_what_it_can_not_do_is_one_line(self) -> None:
        table_in("in.parquet", url=["http://a/"])
        Path("in.txt").touch()
        for words in (
            ["in.txt", "-o", "out.parquet"],
            ["in.parquet", "-o", "out.csv"],
            ["in.parquet", "in.txt", "-o", "out.parquet"],
            ["in.parquet", "-o", "-", "--format", "parquet"],
            ["in.parquet", "-o", "in.txt/out.parquet"],
        ):
            result = run(*words, "--engine", "spark")
            assert result.exit_code == 2
            assert result.stderr.startswith("uriverse columns: ")
            assert len(result.stderr.splitlines()) == 1
        assert {path.name for path in Path().iterdir()} == {"in.parquet", "in.txt"}

    def test_it_starts_and_ends_with_the_command_and_prints_nothing(self) -> None:
        table_in("in.parquet", url=["http://a/"])
        words = ["columns", "in.parquet", "--op", "host", "--engine", "spark", "-o", "out.parquet"]
        command = [sys.executable, "-m", "uriverse", *words, "--master", "local[1]"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stdout) == (0, "")
        assert result.stderr.endswith("1 rows, 0 bad\n")
        assert in_order("out.parquet") == [{"url": "http://a/", "host": "a"}]


def test_bad_rows_are_not_written_over_the_output_or_an_input() -> None:
    Path("in.csv").write_text("url\nhttp://a/\nb c\n", "utf-8")
    for bad, what in (("./out.csv", "the output"), ("in.csv", "an input")):
        result = run("in.csv", "--op", "host", "-o", "out.csv", "--bad-rows", bad)
        assert (result.exit_code, f"--bad-rows names {what}" in result.output) == (2, True)
    assert Path("in.csv").read_text("utf-8").startswith("url\nhttp")
    words = ("-", "--format", "csv", "--op", "host", "-o", "-", "--bad-rows", "bad.csv")
    assert run(*words, given="url\na b\n").exit_code == 1


def test_a_column_is_kept_once() -> None:
    name = table_in("in.parquet", url=["http://a/"], n=[1])
    run(name, "--op", "host", "--keep", "n,n", "-o", "out.parquet")
    assert pq.read_table("out.parquet").column_names == ["n", "host"]


@pytest.mark.parametrize(
    "kept",
    [
        pa.array(["x", "x"]).dictionary_encode(),
        pa.nulls(2),
        pa.array(["x", "y" * 20], pa.string_view()),
    ],
    ids=["dictionary", "null", "views"],
)
def test_columns_of_any_kind_go_into_parquet(kept: Any) -> None:
    pq.write_table(pa.table({"url": ["http://a/", "b c"], "kept": kept}), "in.parquet")
    result = run("in.parquet", "--column", "url", "--op", "host", "-o", "out.parquet")
    assert result.exit_code == 1, result.output
    assert pq.read_table("out.parquet")["kept"].to_pylist() == kept.to_pylist()


def test_a_first_row_that_is_taken_for_names_is_told_without_its_password() -> None:
    Path("in.csv").write_text("http://u:secret@h/,1\nhttp://b/,2\n", "utf-8")
    for words in ((), ("--column", "url")):
        result = run("in.csv", *words, "-o", "out.csv")
        assert result.exit_code == 2
        assert "secret" not in result.output
        assert "u:***@h" in result.output


def test_bad_rows_that_can_not_be_written_leave_no_output() -> None:
    Path("in.csv").write_text("url\nhttp://a/\nb c\n", "utf-8")
    if not Path("/dev/full").exists():
        pytest.skip("there is no full device here")
    Path("bad.csv").symlink_to("/dev/full")
    result = run("in.csv", "--op", "host", "-o", "out.csv", "--bad-rows", "bad.csv")
    assert (result.exit_code, Path("out.csv").exists()) == (2, False)


def test_lines_hold_no_result_that_ends_with_a_carriage_return() -> None:
    result = run(
        "-", "--format", "lines", "--op", "query-param", "--name", "x", "-o", "-", given="?x=a%0D\n"
    )
    assert (result.exit_code, "line break" in result.stderr) == (2, True)


def test_a_line_may_be_longer_than_what_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriverse.tables.reading.BLOCK", 4)
    result = run(
        "-", "--format", "lines", "--op", "host", "-o", "-", given="http://abc/\n//d\n\n//e"
    )
    assert result.stdout == "abc\nd\n\ne\n"


def test_who_may_read_a_file_is_who_may_read_what_takes_its_place() -> None:
    Path("in.csv").write_text("url\nhttp://a/\n", "utf-8")
    Path("out.csv").touch(0o600)
    run("in.csv", "--op", "host", "-o", "out.csv")
    assert Path("out.csv").stat().st_mode & 0o777 == 0o600


def test_a_url_given_as_a_file_is_named_without_its_password() -> None:
    done = run("http://user:secret@host/a.csv", "-o", "out.csv")
    assert done.exit_code == 2
    assert "http://user:***@host/a.csv: No such file or directory" in done.stderr


def test_the_name_of_a_file_is_not_empty() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    for words in (
        ("", "--format", "lines", "-o", "out.csv"),
        ("in.txt", "-o", ""),
        ("in.txt", "-o", "out.csv", "--bad-rows", ""),
    ):
        result = run(*words)
        assert (result.exit_code, "a file name is empty" in result.output) == (2, True)
    assert [path.name for path in Path().iterdir()] == ["in.txt"]


def test_links_that_form_a_loop_are_not_followed() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    Path("loop.csv").symlink_to("loop.csv")
    for words in (("-o", "loop.csv"), ("-o", "out.csv", "--bad-rows", "loop.csv")):
        result = run("*.txt", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "loop.csv: Too many levels of symbolic links" in result.stderr
    assert {path.name for path in Path().iterdir()} == {"in.txt", "loop.csv"}


def test_a_master_is_for_spark() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    result = run("in.txt", "--master", "local", "-o", "out.csv")
    assert (result.exit_code, "--master requires Spark; add --engine spark" in result.output) == (
        2,
        True,
    )
    assert "[default: local[*]]" in " ".join(run("--help").stdout.split())


@pytest.mark.parametrize(("given", "status"), [("http://a/", 0), ("b c", 1)])
def test_a_tally_that_can_not_be_written_changes_no_status(given: str, status: int) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full does not exist")
    words = ["columns", "-", "--format", "lines", "-o", "out.csv", "--output-format", "csv"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        result = subprocess.run(
            [sys.executable, "-m", "uriverse", *words],
            input=given,
            stderr=full,
            check=False,
            text=True,
        )
    assert result.returncode == status
