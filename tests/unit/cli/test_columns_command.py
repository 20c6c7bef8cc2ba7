"""Tests of `uriverse columns`: options, messages and exit statuses."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sparks
from click.testing import CliRunner, Result
from platforms import unix

from uriverse._cli.commands import uriverse
from uriverse._cli.progress import Bar
from uriverse._cli.signals import ended_by_signals
from uriverse.columns._registry import OPERATIONS
from uriverse.tables import Plan, TableError
from uriverse.tables._sources import Source
from uriverse.tables._writing import Output

# pyarrow has no type annotations.
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


def test_lines_are_read_and_written() -> None:
    result = run("--format", "lines", "-", "--op", "host", "-o", "-")
    assert (result.exit_code, result.stdout) == (1, "a\n\n\n")
    assert result.stderr == "3 rows, 1 bad: path 1\n"
    result = run("--format", "lines", "-", "--op", "host", "-o", "-", "-q", given="a\n")
    assert (result.exit_code, result.output) == (0, "\n")


def test_input_and_output_may_have_different_formats() -> None:
    words = ("--input-format", "lines", "--output-format", "ndjson", "-", "-o", "-")
    result = run(*words, "--op", "is-valid")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows == [
        {"text": "http://a/?q=1", "is_valid": True},
        {"text": "b c", "is_valid": False},
        {"text": "", "is_valid": True},
    ]


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_operation_runs(op: str) -> None:
    function = OPERATIONS[op]  # type: ignore[index]
    values = {"NAME": "q", "NAME,...": "q", "VALUE": "x", "SCHEME": "s", "HOST": "h", "PORT": "1"}
    values |= {"FILE": "in.toml", "TEMPLATE": "{+x}", "COMPONENT": "query"}
    Path("in.toml").write_text("x = '{+x}'\n" if op == "route" else "allow = ['a']\n", "utf-8")
    words = [
        word
        for option in function.options
        if option.required
        for word in (option.flag, values[option.metavar])
    ]
    words += [f"--{function.second}", "a:b"] if function.second else []
    result = run("--input-format", "lines", "-", "--op", op, *words, "-o", "out.json")
    # The invalid row can be repaired, and is valid as a string that is no URI.
    is_good = op == "repair" or not function.of_identifiers
    assert result.exit_code == (0 if is_good else 1)
    assert result.stderr.startswith("3 rows, ")


def test_the_help_lists_all_operations() -> None:
    shown = run("--help").stdout.partition("OPERATION is ")[2].partition(".")[0]
    assert {*shown.replace(",", " ").split()} - {"or"} == {*OPERATIONS}


def test_the_default_operation_is_parse() -> None:
    assert run("--input-format", "lines", "-", "-o", "out.csv").exit_code == 1
    header, first, *_ = Path("out.csv").read_text("utf-8").splitlines()
    assert header.startswith('"text","scheme","userinfo","host"')
    assert first == '"http://a/?q=1","http",,"a",,"/","q=1",,"reg-name",,'


def test_options_are_passed_to_operations() -> None:
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


def test_compression_sets_the_codec_of_parquet() -> None:
    table_in("in.parquet", url=["a"])
    for words, codec in (([], "SNAPPY"), (["--compression", "zstd"], "ZSTD")):
        assert run("in.parquet", *words, "-o", "out.parquet").exit_code == 0
        assert pq.ParquetFile("out.parquet").metadata.row_group(0).column(0).compression == codec


def test_escape_formulas_escapes_cells() -> None:
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


def test_escape_formulas_escapes_names_bytes_and_bad_rows() -> None:
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
    # The option also applies if only the bad rows are in CSV.
    assert run(*words, "--bad-rows", "bad.csv", "-o", "out.parquet").exit_code == 1
    assert Path("bad.csv").read_bytes() == bad
    assert pq.read_table("out.parquet")["url"][0].as_py() == "=1 "


def test_a_schema_keeps_no_input_columns_by_default() -> None:
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
def test_the_column_is_found_if_only_one_qualifies(
    columns: dict[str, list[Any]], told: str | None
) -> None:
    result = run(table_in("in.parquet", **columns), "--op", "host", "-o", "out.parquet")
    if told is None:
        assert result.exit_code == 0
    else:
        assert result.exit_code == 2
        assert result.stderr.startswith(f"uriverse columns: in.parquet: {told}")


def test_the_base_column_is_not_used_as_the_input_column() -> None:
    table_in("in.parquet", ref=["x"], page=["http://a/"])
    words = ("--op", "resolve", "--base-column", "page", "-o", "out.csv")
    assert run("in.parquet", *words).exit_code == 0
    assert Path("out.csv").read_text("utf-8").endswith('"x","http://a/","http://a/x"\n')


def test_the_other_column_is_not_used_as_the_input_column() -> None:
    table_in("in.parquet", first=["../a/"], second=["b"])
    words = ("--op", "then", "--other-column", "second", "-o", "out.csv")
    assert run("in.parquet", *words).exit_code == 0
    assert Path("out.csv").read_text("utf-8").endswith('"../a/","b","../a/b"\n')


def test_an_option_with_several_values_separates_them_by_commas() -> None:
    table_in("in.parquet", url=["/?a=1&b=2&utm_x=3"])
    for words in (
        ("--op", "without-params", "--names", "b,utm_x"),
        ("--op", "filter-params", "--drop-params", "utm_*,b"),
        ("--op", "filter-params", "--keep-params", "a,b", "--drop-params", "b"),
    ):
        result = run("in.parquet", *words, "--keep", "none", "-o", "-", "--output-format", "lines")
        assert result.stdout == "/?a=1\n"


def test_select_writes_several_results() -> None:
    table_in("in.parquet", n=[1, 2, 3], url=["HTTP://A:80/?q=x", "a b", None])
    results = "hostname, normalize(scheme=True) as key, query_param('q') as q, path_depth(),"
    result = run("in.parquet", "--select", results, "-o", "out.parquet", "--bad-rows", "bad.csv")
    assert (result.exit_code, result.stderr) == (1, "3 rows, 1 bad: path 1\n")
    assert pq.read_table("out.parquet").drop("url").to_pylist() == [
        {"n": 1, "hostname": "a", "key": "http://a/?q=x", "q": "x", "path_depth": 0},
        *({"n": n, "hostname": None, "key": None, "q": None, "path_depth": None} for n in (2, 3)),
    ]
    assert Path("bad.csv").read_text("utf-8").endswith('"in.parquet",2,"a b","path",1\n')


def test_a_condition_alone_writes_the_rows_that_meet_it_unchanged() -> None:
    words = ("-", "--format", "lines", "--where", "allowed", "--allow", "*.example", "-o", "-")
    result = run(*words, given="http://a.example/\nhttp://b/\nc d\n")
    assert (result.exit_code, result.stdout) == (0, "http://a.example/\n")
    assert result.stderr == "3 rows, 1 written, 0 bad\n"
    Path("policy.toml").write_text("allow = ['b']", "utf-8")
    table_in("in.parquet", n=[1, 2], url=["http://a/", "http://b/"])
    by_file = ("in.parquet", "--policy", "policy.toml", "--where", "allowed()")
    assert run(*by_file, "-o", "out.parquet").exit_code == 0
    assert pq.read_table("out.parquet").to_pylist() == [{"n": 2, "url": "http://b/"}]
    assert run(*by_file, "--select", "decision, host", "-o", "out.parquet").exit_code == 0
    found = pq.read_table("out.parquet").to_pylist()
    assert [(row["host"], row["decision"]["rule"]) for row in found] == [("b", "b")]


def test_bad_rows_are_moved_to_a_file() -> None:
    table_in("in.parquet", n=[1, 2, 3], url=["HTTP://A/", "a b", None])
    words = ("in.parquet", "--op", "normalize", "--replace", "--drop-bad", "--bad-rows", "bad.csv")
    result = run(*words, "-o", "out.parquet")
    assert (result.exit_code, result.stderr) == (1, "3 rows, 2 written, 1 bad: path 1\n")
    assert pq.read_table("out.parquet").to_pydict() == {"n": [1, 3], "url": ["http://a/", None]}
    assert Path("bad.csv").read_text("utf-8").endswith('"in.parquet",2,"a b","path",1\n')


def test_replace_works_on_lines_too() -> None:
    words = ("-", "--format", "lines", "--op", "normalize", "--replace", "-o", "-")
    assert run(*words, given="HTTP://A\n").stdout == "http://a\n"


@pytest.mark.parametrize(
    ("accepted", "status"),
    [("any", 1), ("never", 0), ("0%", 1), ("28%", 1), ("29%", 0), ("100%", 0)],
)
def test_fail_on_sets_how_many_bad_rows_are_accepted(accepted: str, status: int) -> None:
    given = "a b\n" * 29 + "a\n" * 71
    words = ("-", "--format", "lines", "--op", "host", "-o", "-", "--fail-on", accepted)
    assert run(*words, given=given).exit_code == status


def test_standard_output_has_the_format_of_the_first_input() -> None:
    Path("in.csv").write_text("url\nhttp://a/\n", "utf-8")
    assert run("in.csv", "--op", "host", "-o", "-").stdout == '"url","host"\n"http://a/","a"\n'
    words = ("-", "--input-format", "lines", "--op", "host", "-o", "-")
    assert run(*words, given="http://a/\n").stdout == "a\n"
    result = run("-", "--op", "host", "-o", "-")
    assert (result.exit_code, "set the format" in result.stderr) == (2, True)


def test_each_file_of_a_folder_has_an_output_file() -> None:
    Path("in/k=1").mkdir(parents=True)
    table_in("in/a.parquet", url=["http://a/", "a b"])
    Path("in/k=1/b.csv.gz").write_bytes(gzip.compress(b"url\nhttp://b/\n"))
    result = run("in", "--op", "host", "-o", "out/")
    assert (result.exit_code, result.stderr) == (1, "3 rows, 1 bad: path 1\n")
    assert pq.read_table("out/a.parquet")["host"].to_pylist() == ["a", None]
    written = gzip.decompress(Path("out/k=1/b.csv.gz").read_bytes())
    assert written == b'"url","host"\n"http://b/","b"\n'
    assert run("in", "--op", "host", "-o", "out/", "--output-format", "ndjson").exit_code == 1
    assert Path("out/k=1/b.ndjson").read_text("utf-8") == '{"url": "http://b/", "host": "b"}\n'


def test_resume_skips_files_that_are_complete() -> None:
    for name in ("a", "b", "c"):
        Path(f"{name}.csv").write_text(f"url\nhttp://{name}/\n", "utf-8")
    Path("b.csv").write_text("url\n1,2\n", "utf-8")
    words = ("*.csv", "--op", "host", "-o", "out", "--resume")
    result = run("*.csv", "--op", "host", "-o", "out/", "--resume")
    assert result.exit_code == 2
    assert [path.name for path in Path("out").iterdir()] == ["a.csv"]
    Path("out/a.csv").write_text("as it was", "utf-8")
    Path("b.csv").write_text("url\nhttp://b/\n", "utf-8")
    result = run(*words)
    assert (result.exit_code, result.stderr) == (
        0,
        "1 of 3 files are complete already\n2 rows, 0 bad\n",
    )
    assert Path("out/a.csv").read_text("utf-8") == "as it was"
    assert "http://c/" in Path("out/c.csv").read_text("utf-8")
    assert run(*words).stderr == "3 of 3 files are complete already\n0 rows, 0 bad\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["in.csv", "-o", "out.csv", "--resume"], "--resume needs a folder with a file for each"),
        (
            ["in.csv", "-o", "-", "--file-rows", "9"],
            "--partition-by and --file-rows write a",
        ),
        (["in.csv", "-o", "f/", "--bad-rows", "bad.csv"], "--bad-rows needs a single table as out"),
        (
            ["in.csv", "in.csv", "-o", "f/"],
            "have the same output file; process one of them",
        ),
        (["-", "--format", "csv", "-o", "f/"], "standard input has no name for a file in a folder"),
        (
            ["in.csv", "-o", "..", "--file-rows", "9"],
            "--output names a folder that contains an",
        ),
        (["in.csv", "-o", "f", "--file-rows", "0"], "invalid value for '--file-rows'"),
    ],
)
def test_options_that_do_not_fit_the_output_are_rejected(words: list[str], told: str) -> None:
    Path("in.csv").write_text("url\nhttp://a/\n", "utf-8")
    result = run(*words, "--op", "host")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert told in result.stderr
    assert [path.name for path in Path().iterdir()] == ["in.csv"]


def test_a_table_is_partitioned_by_its_results() -> None:
    table_in("in.parquet", n=[1, 2, 3], url=["http://a/x", "http://b/", "http://a/y"])
    words = ("--select", "hostname as site", "--partition-by", "site", "--file-rows", "5")
    assert run("in.parquet", *words, "-o", "out", "--output-format", "csv").exit_code == 0
    found = {str(path): path.read_text("utf-8") for path in Path("out").rglob("*.csv")}
    assert found == {
        "out/site=a/part-00000.csv": '"n","url"\n1,"http://a/x"\n3,"http://a/y"\n',
        "out/site=b/part-00001.csv": '"n","url"\n2,"http://b/"\n',
    }


def test_a_function_with_a_second_input_can_be_selected() -> None:
    words = ("--select", "resolve('http://a/b') as link", "--keep", "none")
    result = run("-", *words, "--format", "lines", "-o", "-", given="c\n")
    assert result.stdout == "http://a/c\n"


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ("", "--select has invalid syntax; write functions as in: host, query_param('id') as id"),
        ("host as", "--select has invalid syntax"),
        ("host, port): pass\nwith (path_depth", "--select has invalid syntax"),
        ("host): pass\nimport os\nif (1", "--select has invalid syntax"),
        ("(" * 300, "--select has invalid syntax"),
        ("\0", "--select has invalid syntax"),
        ("is-valid", "--select has invalid syntax"),
        ("path-depth", "'path - depth' is not a name"),
        ("host as a.b", "'a.b' is not a name"),
        ("hots", "unknown function 'hots'; did you mean host?"),
        ("xyzzy", "unknown function 'xyzzy'; see the list of operations in --help"),
        ("host, port as host", "two results 'host'; name one with: as NAME"),
        ("query_param(q)", "an option of query_param is not a value; write strings in quotes"),
        ("query_param()", "query_param() missing 1 required positional argument: 'name'"),
        ("allowed", "allowed() missing 1 required positional argument: 'policy'"),
        ("allowed('a.example')", "allowed: "),
        ("host(x=1)", "host() got an unexpected keyword argument 'x'"),
        ("normalize(**{'scheme': True})", "got an unexpected keyword argument '**'"),
        ("fingerprint('x')", "fingerprint: unknown level 'x'"),
        ("resolve('http://u:geheim@h:x')", "resolve: invalid"),
    ],
)
def test_an_invalid_selection_is_a_usage_error(results: str, told: str) -> None:
    result = run("-", "--select", results, "-o", "out.csv")
    assert result.exit_code == 2
    assert told in result.stderr
    assert "geheim" not in result.stderr
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--select", "host", "--op", "parse"], "--op contradicts --select; use one of them"),
        (
            ["--op", "host", "--op", "path-depth"],
            '--op takes one operation; for several, use --select "host, path_depth"',
        ),
        (["--where", "host"], "--where: host is not boolean; use is_same_origin, "),
        (["--where", "is_valid, allowed"], "--where: allowed() missing 1 required"),
        (["--where", "is_valid, is_flagged"], "--where has 2 functions; write only one"),
        (
            ["--where", "is_valid is"],
            "--where has invalid syntax; write a function",
        ),
        (["--where", "is_valid", "--allow", "a"], "--policy does not apply to select; use it with"),
        (["--op", "allowed"], "allowed needs --policy; add --policy FILE"),
        (["--op", "allowed", "--allow", "a b"], "invalid --allow: "),
        (["--fail-on", "some"], "invalid value for --fail-on: 'some'; write any, never or a perc"),
        (["--fail-on", "101%"], "invalid value for --fail-on"),
        (["--select", "host", "--name", "q"], "--name does not apply to select; use it with"),
        (["--base", "a:"], "--base does not apply to parse; use it with resolve or relativize"),
        (["--op", "then"], "then needs another URI; set --other or --other-column"),
        (["--op", "then", "--other", "%"], "invalid --other: "),
        (["--op", "with-host", "--new-host", "a b"], "host must be a valid host, not 'a b'"),
        (["--op", "with-host"], "with-host needs --new-host; add --new-host HOST"),
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
        (["--compression", "zstd"], "--compression applies to parquet and arrow only; the"),
        (
            ["--output-format", "arrow", "--compression", "brotli"],
            "arrow has no compression brotli; use zstd, lz4 or none",
        ),
        (
            ["--escape-formulas", "--output-format", "ndjson"],
            "--escape-formulas applies to csv and tsv only; the output is ndjson",
        ),
        (["--threads", "0"], "invalid value for '--threads'"),
    ],
)
def test_options_that_do_not_apply_are_usage_errors(words: list[str], told: str) -> None:
    result = run("-", *words, "-o", "out.csv")
    assert result.exit_code == 2
    assert told in result.stderr
    assert "geheim" not in result.stderr
    assert not list(Path().iterdir())


def test_errors_are_printed_in_one_line() -> None:
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


def test_subfolders_that_are_not_read_are_noted() -> None:
    for name in ("a", "k=1", "k=1/b", "k=1/c/d", "none", ".hidden"):
        Path("in", name).mkdir(parents=True)
    for name in ("k=1/e.csv", "k=1/b/e.csv", "k=1/c/d/e.csv", "none/_e.csv", ".hidden/e.csv"):
        Path("in", name).write_text("url\nhttp://a/\n", "utf-8")
    words = ("in", "-o", "-", "--op", "host", "--keep", "none")
    result = run(*words)
    assert result.stdout.split() == ['"host"', '"a"']
    note, _ = result.stderr.splitlines()
    assert note == (
        f"note: of subfolders, only partitions are read, not {Path('in/k=1/b')} and 1 more; "
        "to read them, use a pattern such as in/**/*.csv"
    )
    assert run(*words, "--quiet").stderr == ""
    Path("in/k=1/c/d/e.csv").unlink()
    assert f"{Path('in/k=1/b')}; to read" in run(*words).stderr
    Path("in/k=1/b/e.csv").unlink()
    assert run(*words).stderr == "1 row, 0 bad\n"


def test_bad_rows_are_written_with_file_and_row() -> None:
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


def test_bad_rows_have_more_columns_than_lines() -> None:
    Path("in.txt").write_text("a b\n", "utf-8")
    result = run("in.txt", "--op", "host", "-o", "out.txt", "--bad-rows", "bad.txt")
    assert result.exit_code == 2
    assert "--bad-rows writes several columns; name a file such as bad.csv" in result.stderr
    assert {path.name for path in Path().iterdir()} == {"in.txt"}


def test_the_file_of_bad_rows_is_empty_if_all_rows_are_valid() -> None:
    words = ("--format", "lines", "-", "--op", "host", "-o", "-", "--bad-rows", "bad.parquet")
    result = run(*words, given="http://a/")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "a\n", "1 row, 0 bad\n")
    assert pq.read_table("bad.parquet").num_rows == 0


@pytest.mark.parametrize("options", [[], ["--select", "host"]])
@pytest.mark.parametrize("missing", ["pyarrow", "nanoarrow"])
def test_a_missing_library_prints_how_to_install_it(missing: str, options: list[str]) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import uriverse._cli as c; c.main()"
    words = [sys.executable, "-c", program, "columns", "in.csv", "-o", "out.csv", *options]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == (
        f"uriverse columns: {missing} is not installed; run: pip install 'uriverse[files]'\n"
    )


def test_the_command_is_listed_without_optional_libraries() -> None:
    program = "import sys; sys.modules['nanoarrow'] = None; import uriverse._cli as c; c.main()"
    words = [sys.executable, "-c", program, "--help"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "columns " in result.stdout


@unix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_fatal_signals_raise_system_exit(name: str) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("this platform does not define the signal")
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


def test_the_progress_bar_shows_the_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty", reason="needs terminals of Unix")
    Path("in.txt").write_text(LINES, "utf-8")
    program = (
        "import uriverse._cli.progress as p; p.PATIENCE = 0; import uriverse._cli as c; c.main()"
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


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["in.csv"], "100% read, 3 rows, 1 bad\n3 rows, 1 bad: path 1\n"),
        (["-", "--format", "csv"], "3 rows, 1 bad\n3 rows, 1 bad: path 1\n"),
        (["in.csv", "--quiet"], ""),
    ],
)
def test_the_progress_is_printed_in_lines_without_a_terminal(
    words: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uriverse._cli.progress.PERIOD", 0)
    Path("in.csv").write_text("url\n" + LINES, "utf-8")
    given = Path("in.csv").read_bytes()
    assert run(*words, "--op", "host", "-o", "out.csv", given=given).stderr == told


def read_of(terminal: int) -> bytes:
    """Read from a terminal; return no bytes at its end."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def test_the_progress_bar_accepts_calls_without_a_description() -> None:
    with Bar(10) as bar:
        bar(3)
        bar(4, "some rows")
    assert bar.read == 7


@pytest.mark.spark
@pytest.mark.skipif(bool(sparks.MISSING), reason=sparks.MISSING)
def test_spark_numbers_bad_rows_by_their_file() -> None:
    from uriverse.tables._plan import Plan
    from uriverse.tables._spark import bad_rows_with

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
    """Tests of `--engine spark`."""

    @pytest.mark.usefixtures("_spark")
    def test_spark_writes_the_same_results(self) -> None:
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
    def test_spark_limits_the_rows_of_a_file(self) -> None:
        table_in("in.parquet", url=["http://a/", "http://b/", "http://c/"])
        words = ("--op", "host", "--engine", "spark", "--file-rows", "1", "-o", "out")
        assert run("in.parquet", *words).exit_code == 0
        sizes = [pq.read_metadata(path).num_rows for path in Path("out").glob("part-*.parquet")]
        assert sizes == [1, 1, 1]

    def test_spark_rejects_objects(self) -> None:
        from uriverse.tables._spark import transform

        source = Source("s3://bucket/in.parquet", "parquet")
        with pytest.raises(TableError, match="Spark jobs need local paths"):
            transform([source], lambda _: Plan("host", "url"), Output("out", "parquet"))

    @pytest.mark.usefixtures("_spark")
    def test_spark_reads_partitions_as_this_computer_does(self) -> None:
        kinds = ["a/b", "é=+%", None, "x y", "1", "+%2F"]
        urls = ["http://a/", "a b", None, "http://d/", "http://e/", "x:%"]
        columns: dict[str, list[Any]] = {"url": urls, "k.i`d ü=": kinds, "n": [1, 2, 3, 4, 5, 6]}
        table_in("in.parquet", **columns)
        partition = ("--partition-by", "k.i`d ü=,n", "-o", "folder")
        assert run("in.parquet", "--column", "url", "--op", "host", *partition).exit_code == 1
        for words in (
            ("--column", "url", "--op", "port", "--keep", "n,url,k.i`d ü="),
            ("--column", "k.i`d ü=", "--op", "decode", "--keep", "none"),
        ):
            found: list[Any] = []
            for engine in ("local", "spark"):
                output, bad = f"{engine}.parquet", f"{engine}.csv"
                to = ("-o", output, "--bad-rows", bad, "--engine", engine)
                assert run("folder", *words, *to).exit_code == 1
                found.append((in_order(output), Path(bad).read_text("utf-8")))
            assert found[0] == found[1]

    @pytest.mark.usefixtures("_spark")
    def test_spark_and_this_computer_write_the_same_partitions(self) -> None:
        kinds = ["a/b", "é", None, "1", "x"]
        table_in("in.parquet", url=["http://a/", "http://é/", "a b", "c", "d"], k=kinds)
        words = ("--select", "hostname as site", "--partition-by", "site,k", "-o")
        folders: dict[str, dict[str, int]] = {}
        for engine in ("local", "spark"):
            run("in.parquet", "--column", "url", *words, engine, "--engine", engine)
            folders[engine] = {
                str(path.parent.relative_to(engine)): pq.read_metadata(path).num_rows
                for path in Path(engine).glob("*/*/*.parquet")
            }
        assert folders["local"] == folders["spark"]

    @pytest.mark.usefixtures("_spark")
    def test_spark_replaces_an_existing_output_at_the_end(self) -> None:
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
    def test_spark_errors_are_printed_in_one_line(self) -> None:
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

    def test_the_command_starts_and_stops_spark_without_output(self) -> None:
        table_in("in.parquet", url=["http://a/"])
        words = ["columns", "in.parquet", "--op", "host", "--engine", "spark", "-o", "out.parquet"]
        command = [sys.executable, "-m", "uriverse", *words, "--master", "local[1]"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stdout) == (0, "")
        assert result.stderr.endswith("1 row, 0 bad\n")
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
def test_columns_of_any_type_are_written_to_parquet(kept: Any) -> None:
    pq.write_table(pa.table({"url": ["http://a/", "b c"], "kept": kept}), "in.parquet")
    result = run("in.parquet", "--column", "url", "--op", "host", "-o", "out.parquet")
    assert result.exit_code == 1, result.output
    assert pq.read_table("out.parquet")["kept"].to_pylist() == kept.to_pylist()


def test_passwords_in_column_names_are_masked() -> None:
    Path("in.csv").write_text("http://u:secret@h/,1\nhttp://b/,2\n", "utf-8")
    for words in ((), ("--column", "url")):
        result = run("in.csv", *words, "-o", "out.csv")
        assert result.exit_code == 2
        assert "secret" not in result.output
        assert "u:REDACTED@h" in result.output


@unix
def test_no_output_is_written_if_bad_rows_cannot_be() -> None:
    Path("in.csv").write_text("url\nhttp://a/\nb c\n", "utf-8")
    if not Path("/dev/full").exists():
        pytest.skip("/dev/full does not exist")
    Path("bad.csv").symlink_to("/dev/full")
    result = run("in.csv", "--op", "host", "-o", "out.csv", "--bad-rows", "bad.csv")
    assert (result.exit_code, Path("out.csv").exists()) == (2, False)


def test_a_result_that_ends_with_a_carriage_return_is_not_a_line() -> None:
    result = run(
        "-", "--format", "lines", "--op", "query-param", "--name", "x", "-o", "-", given="?x=a%0D\n"
    )
    assert (result.exit_code, "line break" in result.stderr) == (2, True)


def test_a_line_may_be_longer_than_one_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriverse.tables._text_lines.BLOCK", 4)
    result = run(
        "-", "--format", "lines", "--op", "host", "-o", "-", given="http://abc/\n//d\n\n//e"
    )
    assert result.stdout == "abc\nd\n\ne\n"


def test_a_replaced_file_keeps_its_permissions() -> None:
    Path("in.csv").write_text("url\nhttp://a/\n", "utf-8")
    Path("out.csv").touch(0o600)
    run("in.csv", "--op", "host", "-o", "out.csv")
    assert Path("out.csv").stat().st_mode & 0o777 == 0o600


def test_passwords_in_file_names_are_masked() -> None:
    done = run("http://user:secret@host/a.csv", "-o", "out.csv")
    assert done.exit_code == 2
    assert "http://user:REDACTED@host/a.csv: the only supported URLs are" in done.stderr


def test_empty_file_names_are_usage_errors() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    for words in (
        ("", "--format", "lines", "-o", "out.csv"),
        ("in.txt", "-o", ""),
        ("in.txt", "-o", "out.csv", "--bad-rows", ""),
    ):
        result = run(*words)
        assert (result.exit_code, "a file name is empty" in result.output) == (2, True)
    assert [path.name for path in Path().iterdir()] == ["in.txt"]


@unix
def test_symbolic_link_loops_are_errors() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    Path("loop.csv").symlink_to("loop.csv")
    for words in (("-o", "loop.csv"), ("-o", "out.csv", "--bad-rows", "loop.csv")):
        result = run("*.txt", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert "loop.csv: Too many levels of symbolic links" in result.stderr
    assert {path.name for path in Path().iterdir()} == {"in.txt", "loop.csv"}


def test_master_requires_the_spark_engine() -> None:
    Path("in.txt").write_text(LINES, "utf-8")
    result = run("in.txt", "--master", "local", "-o", "out.csv")
    assert (result.exit_code, "--master requires Spark; add --engine spark" in result.output) == (
        2,
        True,
    )
    assert "[default: local[*]]" in " ".join(run("--help").stdout.split())


@unix
@pytest.mark.parametrize(("given", "status"), [("http://a/", 0), ("b c", 1)])
def test_the_exit_status_is_the_same_if_stderr_is_full(given: str, status: int) -> None:
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
