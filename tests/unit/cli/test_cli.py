"""Tests of all commands: their output, their errors and their exit statuses."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import Result, run_uriverse
from platforms import unix

import uriverse
from uriverse._cli.commands import COMMANDS
from uriverse._cli.lines import object_of
from uriverse._cli.output import AT_ONCE
from uriverse.hosts._sites import installed_suffixes

COMMAND = [sys.executable, "-m", "uriverse"]


def run(*words: str, given: bytes | str = "") -> Result:
    return run_uriverse(words, input=given)


def test_explain_prints_a_diagram() -> None:
    result = run("explain", "foo://example.com:8042/over/there?name=ferret#nose")
    assert result.exit_code == 0
    assert result.output.startswith("  foo://example.com:8042/over/there?name=ferret#nose\n  \\_/")


def test_explain_continues_after_an_invalid_uri_and_exits_with_1() -> None:
    result = run("explain", given="a b\nhttp://a/\n")
    assert result.exit_code == 1
    assert "invalid space in path" in result.output
    assert "URI, host: reg-name" in result.output


def test_explain_prints_one_json_object_per_line() -> None:
    result = run("explain", "--json", "a", "b c")
    assert result.exit_code == 1
    assert [json.loads(line)["valid"] for line in result.output.splitlines()] == [True, False]


def test_parse_prints_missing_components_as_null_and_empty_ones_as_empty() -> None:
    result = run("parse", "http://a:?")
    assert result.exit_code == 0
    assert json.loads(result.output) == {
        "text": "http://a:?",
        "type": "URI",
        "scheme": "http",
        "authority": "a:",
        "userinfo": None,
        "host": "a",
        "host_kind": "reg-name",
        "port": "",
        "path": "",
        "query": "",
        "fragment": None,
        "params": [],
        "error": None,
    }


def test_parse_prints_parameters_as_pairs() -> None:
    params = json.loads(run("parse", "?a=x+y&b&%FF=").output)["params"]
    assert params == [["a", "x y"], ["b", None], ["\ufffd", ""]]
    params = json.loads(run("parse", "?%C3%A9%C3=%FFa%FE").output)["params"]
    assert params == [["é\ufffd", "\ufffda\ufffd"]]


def test_parse_accepts_lf_and_crlf() -> None:
    result = run("parse", given="a:b\r\n\nc:d")
    assert [json.loads(line)["text"] for line in result.output.splitlines()] == ["a:b", "", "c:d"]


def test_parse_reports_an_invalid_uri_and_continues() -> None:
    result = run("parse", given=b"\xff\na:b\n")
    assert result.exit_code == 1
    wrong, right = map(json.loads, result.output.splitlines())
    assert wrong["error"]["position"] == 0
    assert wrong["type"] is None
    assert right["type"] == "URI"


@pytest.mark.parametrize(
    ("kind", "text", "status"),
    [
        ("uri", "http://a/", 0),
        ("uri", "a", 1),
        ("uri-reference", "a", 0),
        ("uri-reference", "é", 1),
        ("absolute-uri", "a:b", 0),
        ("absolute-uri", "a:b#c", 1),
        ("iri", "http://é/", 0),
        ("iri", "é", 1),
        ("iri-reference", "é", 0),
        ("absolute-iri", "é:b", 1),
        ("absolute-iri", "a:é", 0),
    ],
)
def test_check_type_sets_the_exit_status(kind: str, text: str, status: int) -> None:
    result = run("check", "--quiet", "--type", kind, text)
    assert (result.exit_code, result.output) == (status, "")


def test_resolve_prints_targets_to_stdout_and_errors_to_stderr() -> None:
    result = run("resolve", "http://a/b/c", given="d\na b\n../e\n")
    assert result.exit_code == 1
    assert result.stdout == "http://a/b/d\nhttp://a/e\n"
    assert result.stderr.startswith("2: invalid space in path")
    assert run("resolve", "--non-strict", "http://a/b", "http:c").stdout == "http://a/c\n"


def test_relativize_prints_one_reference_per_line() -> None:
    result = run("relativize", "http://a/b/c", "http://a/b/d", "http://a/", "http://a/b/../c")
    assert result.exit_code == 1
    assert result.stdout == "d\n/\n"
    assert "dot segment in path" in result.stderr
    stay = run("relativize", "--no-walk-up", "--json", "http://a/b/c", "http://a/")
    assert json.loads(stay.stdout)["result"] is None


def test_an_invalid_base_is_a_usage_error() -> None:
    for command in ("resolve", "relativize"):
        for base in ("a", "a b"):
            assert run(command, base, "c").exit_code == 2


def test_normalize_prints_results_to_stdout_and_errors_to_stderr() -> None:
    result = run("normalize", given="HTTP://A/%7e/..\na b\ns:A\n")
    assert result.exit_code == 1
    assert result.stdout == "http://a/\ns:A\n"
    assert result.stderr.startswith("2: invalid space in path")
    text = "HTTP://[::0]/%7e/.."
    for step, form in (
        ("case", "HTTP://[::]/"),
        ("percent-encoding", "http://[::]/"),
        ("dot-segments", "http://[::]/~/.."),
        ("ipv6", "http://[::0]/"),
    ):
        assert run("normalize", f"--keep-{step}", text).stdout == f"{form}\n"


def test_normalize_removes_dot_segments_from_rootless_paths_on_request() -> None:
    texts = ("data:text/plain,a/../b", "s:/a/../b", "a/../b")
    assert run("normalize", *texts).stdout == "data:text/plain,a/../b\ns:/b\na/../b\n"
    result = run("normalize", "--all-dot-segments", *texts)
    assert result.stdout == "data:text/b\ns:/b\na/../b\n"
    result = run("normalize", "--all-dot-segments", "--changes", "s:a/../b")
    (change,) = json.loads(result.stdout)["result"]
    assert change["after"] == "/b"
    result = run("normalize", "--all-dot-segments", "--keep-dot-segments", "s:a")
    assert result.exit_code == 2
    assert "use one of them" in result.stderr


def test_normalize_changes_prints_the_changes() -> None:
    result = run("normalize", "--changes", "S:a", "b")
    assert result.exit_code == 0
    first, second = map(json.loads, result.output.splitlines())
    change = {"step": "case", "component": "scheme", "before": "S", "after": "s"}
    assert first == {"text": "S:a", "result": [change], "error": None}
    assert second["result"] == []


@pytest.mark.parametrize(
    "words",
    [
        ("get", "registrable_domain", "http://a.example/"),
        ("get", "--json-array", "--format", "{registrable_domain}", "http://a.example/"),
    ],
)
def test_commands_without_a_list_of_suffixes_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    installed_suffixes.cache_clear()
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    command = f"uriverse {words[0]}"
    needed = "publicsuffixlist is not installed; run: pip install 'uriverse[suffixes]'"
    assert result.stderr == f"{command}: {needed}\n"


def test_compare_sets_the_exit_status() -> None:
    same = run("compare", "http://a/%7E", "HTTP://A/~")
    assert (same.exit_code, same.output) == (0, "equivalent\n")
    other = run("compare", "--level", "string", "http://a/%7E", "HTTP://A/~")
    assert (other.exit_code, other.output) == (1, "different\n")
    as_json = run("compare", "--json", "a", "b")
    assert as_json.exit_code == 1
    assert json.loads(as_json.output) == {
        "a": "a",
        "b": "b",
        "level": "syntax",
        "equivalent": False,
    }
    assert run("compare", "a b", "c").exit_code == 2
    assert run("compare", "--level", "other", "a", "b").exit_code == 2


def test_encode_accepts_any_bytes() -> None:
    result = run("encode", "--component", "segment", given=b"a/b\n\xff %\n\n")
    assert (result.exit_code, result.stdout) == (0, "a%2Fb\n%FF%20%25\n\n")
    assert run("encode", "\u00e9?").stdout == "%C3%A9%3F\n"
    assert run("encode", "--iri", "--component", "query", "\u00e9?").stdout == "\u00e9?\n"


def test_decode_errors_option_handles_invalid_utf_8() -> None:
    result = run("decode", "caf%C3%A9", "%FF", "%zz")
    assert (result.exit_code, result.stdout) == (1, "caf\u00e9\n")
    assert "2: invalid UTF-8 in the percent-encoded octets" in result.stderr
    assert '3: invalid percent-encoding: "%" needs' in result.stderr
    assert run("decode", "--errors", "keep", "%FF").stdout == "%FF\n"
    assert run("decode", "--errors", "replace", "%FF").stdout == "\ufffd\n"
    # The output is text, which cannot have surrogate escapes.
    assert run("decode", "--errors", "surrogateescape", "%FF").exit_code == 2


def test_a_byte_order_mark_at_the_start_is_removed() -> None:
    given = b"\xef\xbb\xbfa:b\n\xef\xbb\xbfc\n"
    assert run("normalize", given=given).stdout == "a:b\n\ufeffc\n"
    # A file of one line without a line break is read in another place.
    assert run("normalize", given=b"\xef\xbb\xbfA:b").stdout == "a:b\n"
    found = json.loads(run("extract", "--json", given=b"\xef\xbb\xbfhttp://a/").stdout)
    assert (found["text"], found["start"]) == ("http://a/", 0)
    assert run("normalize", given=b"\xef\xbb\xbf").stdout == ""


def test_decoded_control_characters_are_escaped_on_a_terminal() -> None:
    words = ["decode", "%1B%5B31m%0Aa"]
    assert on_a_terminal(words) == ("\\x1b[31m\\na\r\n", 0)
    assert run(*words).stdout == "\x1b[31m\na\n"


def test_edited_files_and_diffs_are_escaped_on_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"A:b\t\x1b[2J\xff\n")
    words = ["normalize", "--file", str(path), "--field", "1"]
    printed, status = on_a_terminal(words)
    assert (printed, status) == ("a:b\\t\\x1b[2J\\xff\r\n", 0)
    diff, status = on_a_terminal([*words, "--dry-run"])
    assert status == 0
    assert diff.endswith("-A:b\\t\\x1b[2J\\xff\r\n+a:b\\t\\x1b[2J\\xff\r\n")


def test_separators_that_a_command_prints_are_not_escaped() -> None:
    for words, shown in (
        (["set", "--iterate", "host=a,b", "http://x/"], "http://a/\r\nhttp://b/\r\n"),
        (["get", "scheme,host", "http://a/"], "http\ta\r\n"),
        (["get", "-g", r"{scheme}\t{path}\n", "a:%0A"], "a\t\\n\r\n\r\n"),
    ):
        printed, status = on_a_terminal(words)
        assert (printed.expandtabs(4), status) == (shown.expandtabs(4), 0)


def test_control_characters_in_quoted_arguments_are_escaped() -> None:
    for words in (
        ["set", "--accept-host", "\x1b[2J", "http://a/"],
        ["set", "--accept-scheme", "\x9b31m", "http://a/"],
        ["get", "--format", "{\x1b]0;x\x07}", "a:b"],
        ["get", "\x1b[2J", "a:b"],
        ["\x1b[2J"],
    ):
        result = subprocess.run([*COMMAND, *words], capture_output=True, check=False, text=True)
        assert result.returncode in {1, 2}
        assert not {"\x1b", "\x9b", "\x07"} & set(result.stderr)


def test_to_uri_and_to_iri_convert_iris_and_uris() -> None:
    iri = "http://b\u00fccher.example/ros\u00e9"
    uri = "http://b%C3%BCcher.example/ros%C3%A9"
    assert run("to-uri", iri).stdout == f"{uri}\n"
    assert run("to-iri", uri).stdout == f"{iri}\n"
    named = run("to-uri", "--host", "idna", iri, "http://\u2603/")
    assert named.exit_code == 1
    assert named.stdout == "http://xn--bcher-kva.example/ros%C3%A9\n"
    assert named.stderr.startswith('2: invalid label "\u2603" in domain name')
    assert run("to-iri", named.stdout.strip()).stdout == "http://xn--bcher-kva.example/ros\u00e9\n"
    assert run("to-iri", "--host", "idna", named.stdout.strip()).stdout == f"{iri}\n"
    as_json = json.loads(run("to-iri", "--json", uri).stdout)
    assert as_json == {"text": uri, "result": iri, "error": None}


#: For each command with strings as arguments, arguments of which one is the name of a file, and
#: what that is read as.
NAMES_OF_FILES = {
    "compare": (["a.txt", "b"], "URI"),
    "decode": (["a.txt"], "STRING"),
    "encode": (["a.txt"], "STRING"),
    "explain": (["a.txt"], "URI"),
    "get": (["path", "a.txt"], "URI"),
    "normalize": (["a.txt"], "URI"),
    "parse": (["b", "a.txt"], "URI"),
    "policy": (["test", "p.toml", "a.txt"], "URI"),
    "relativize": (["a.txt", "b"], "URI"),
    "repair": (["a.txt"], "STRING"),
    "resolve": (["http://a/", "a.txt"], "REFERENCE"),
    "set": (["--host", "b", "a.txt"], "URI"),
    "template": (["match", "a.txt", "b"], "template"),
    "to-iri": (["a.txt"], "URI"),
    "to-uri": (["a.txt"], "IRI"),
}
#: The commands whose arguments are files, and those without strings.
WITHOUT_STRINGS = {"check", "completion", "extract", "redact", "sql"}


@pytest.mark.parametrize("command", NAMES_OF_FILES)
def test_a_string_that_is_the_name_of_a_file_is_a_warning(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text('allow = ["http://a/"]', "utf-8")
    words, noun = NAMES_OF_FILES[command]
    before = run(command, *words).stderr
    Path("a.txt").write_text("http://a/\n", "utf-8")
    message = (
        f"uriverse {command}: a.txt is read as a {noun}, although there is a file of that name"
    )
    first, end, others = run(command, *words).stderr.partition("\n")
    start, _, advice = first.partition("; to read the ")
    assert (start.replace(" an ", " a "), end, others) == (message, "\n", before)
    assert advice in {"", f"{noun}s in the file, use --file"}


def test_a_quiet_command_does_not_warn_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("", "utf-8")
    assert run("parse", "-q", "a.txt").stderr == ""
    assert run("template", "match", "-q", "a.txt", "b").stderr == ""
    assert "although" not in run("template", "route", "a.txt", "b").stderr


def test_every_command_with_strings_is_tested() -> None:
    assert set(NAMES_OF_FILES) | WITHOUT_STRINGS == set(COMMANDS)


def test_repair_prints_valid_uris_or_an_error() -> None:
    result = run("repair", "http://a.example/b c", "http:/a.example/b c", "/\u00e9")
    assert result.stdout == "http://a.example/b%20c\n/%C3%A9\n"
    assert result.stderr.startswith("2: some programs read any number of slashes")
    assert result.exit_code == 1
    assert run("repair", "--slashes", "http:/a.example/b").stdout == "http://a.example/b\n"
    assert run("repair", "--add-scheme", "ftp", "a.example").stdout == "ftp://a.example\n"
    assert run("repair", "--iri", "/\u00e9 ").stdout == "/\u00e9\n"
    wrong = run("repair", "--add-scheme", "a b", "a.example")
    assert wrong.exit_code == 2
    assert "scheme must be a valid scheme" in wrong.stderr


def test_repair_prints_the_changes_as_json() -> None:
    printed = json.loads(run("repair", "--changes", "http://u:p|w@a.example/ ").stdout)
    change = {"kind": "encode", "start": 10, "end": 11, "before": "|", "after": "%7C"}
    trim = {"kind": "trim", "start": 23, "end": 24, "before": " ", "after": ""}
    assert printed["result"] == [{**change, "secret": True}, {**trim, "secret": False}]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_fits_a_screen_and_has_examples(name: str) -> None:
    lines = run(name, "--help").stdout.splitlines()
    # The list of operations grows with the column functions.
    first = next((n for n, line in enumerate(lines) if line.startswith("  OPERATION is ")), 0)
    operations = lines.index("", first) - first + 1 if first else 0
    assert len(lines) - operations <= 45
    assert max(map(len, lines)) <= 80
    examples = [line for line in lines if line.startswith(f"  uriverse {name} ")]
    if name == "completion":
        examples = [line for line in lines if "uriverse completion" in line]
    assert len(examples) >= 2 or name in {"check", "extract"}
    assert examples
    # The main help shows the first sentence without cutting it.
    assert f"{lines[2].strip()}\n" in run("--help").stdout


def test_the_main_help_fits_a_screen() -> None:
    lines = run("--help").stdout.splitlines()
    assert len(lines) <= 40
    assert [name for name in COMMANDS if not any(f"  {name} " in line for line in lines)] == []


def test_fail_fast_stops_at_the_first_invalid_uri() -> None:
    result = run("normalize", "--fail-fast", given="A:a\na b\nB:b\n")
    assert (result.exit_code, result.stdout) == (1, "a:a\n")
    assert result.stderr.startswith("2: invalid space")
    as_array = run("parse", "--fail-fast", "--json-array", given="A:a\na b\nB:b\n")
    assert [row["text"] for row in json.loads(as_array.stdout)] == ["A:a", "a b"]


@unix
def test_a_json_array_is_closed_if_a_command_fails(tmp_path: Path) -> None:
    found = subprocess.run(
        [*COMMAND, "extract", "--json-array", "-", str(tmp_path / "nothing")],
        input="http://a/b",
        capture_output=True,
        check=False,
        text=True,
    )
    assert (found.returncode, len(json.loads(found.stdout))) == (2, 1)
    with subprocess.Popen(
        [*COMMAND, "parse", "--json-array"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"a:b\n")
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert json.loads(begun + process.stdout.read())[0]["text"] == "a:b"
    assert process.returncode == 130


def test_extracted_uris_are_printed_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("see http://a/b.", "utf-8")
    assert on_a_terminal(["extract", str(tmp_path / "text")]) == ("http://a/b\r\n", 0)


def test_a_byte_order_mark_may_arrive_in_parts() -> None:
    with subprocess.Popen(
        [*COMMAND, "normalize"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for part in (b"\xef", b"\xbb\xbfA:b\nB:c"):
            process.stdin.write(part)
            process.stdin.flush()
        process.stdin.close()
        assert process.stdout.read() == b"a:b\nb:c\n"


@pytest.mark.parametrize(
    "words", [["compare", "a", "b"], ["--help"], ["set", "--help"], ["--version"], ["parse", "a"]]
)
def test_output_to_a_closed_pipe_prints_no_error(words: list[str]) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    result = subprocess.run([*COMMAND, *words], stdout=ours, stderr=subprocess.PIPE, check=False)
    os.close(ours)
    assert (result.returncode, result.stderr) == (141, b"")


def test_quiet_prints_no_errors() -> None:
    result = run("normalize", "--quiet", "a b", "c")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "c\n", "")


def test_json_array_prints_an_array_for_any_input() -> None:
    for given in ("", "a:b\n", "a b\n", "a:b\nc d\n\n"):
        rows = json.loads(run("normalize", "--json-array", given=given).stdout)
        assert [row["text"] for row in rows] == given.split("\n")[:-1]
    assert json.loads(run("explain", "--json-array", "a").stdout)[0]["valid"]
    assert json.loads(run("check", "--json-array", "a:b").stdout)[0]["findings"] == []


def test_the_file_option_reads_lines(tmp_path: Path) -> None:
    path = tmp_path / "texts"
    path.write_bytes(b"A:b\r\nC:d")
    assert run("normalize", "--file", str(path)).stdout == "a:b\nc:d\n"
    assert run("normalize", "-f", "-", given="A:b").stdout == "a:b\n"
    assert run("normalize", "-f", str(path), "a:b").exit_code == 2


@pytest.mark.parametrize(
    "words", [["normalize", "-f"], ["extract"], ["check", "--from-files", "lines"], ["check", "-f"]]
)
def test_an_unreadable_file_prints_one_line_and_exits_with_2(
    words: list[str], tmp_path: Path
) -> None:
    for path, reason in (
        (tmp_path, "Is a directory"),
        (tmp_path / "nothing\x1b[31m", "No such file or directory"),
    ):
        result = subprocess.run(
            [*COMMAND, *words, str(path)], capture_output=True, check=False, text=True
        )
        assert result.returncode == 2
        message = f"uriverse {words[0]}: {path}: {reason}\n"
        assert result.stderr == message.replace("\x1b", "\\x1b")


def test_lines_may_have_any_length() -> None:
    long = "HTTP://a/" + "b" * 1_000_000
    result = run("normalize", given=f"{long}\nS:c\n{long}")
    assert result.stdout == f"{long.lower()}\ns:c\n{long.lower()}\n"


def test_lines_may_arrive_in_parts() -> None:
    with subprocess.Popen(
        [*COMMAND, "normalize"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for part in (b"A:", b"b\nC", b":d\n"):
            process.stdin.write(part)
            process.stdin.flush()
            if b"\n" in part:
                assert process.stdout.readline() in {b"a:b\n", b"c:d\n"}
        process.stdin.close()


@pytest.mark.parametrize("words", [["extract"], ["check", "--from-files", "text", "-"]])
def test_running_text_is_searched_as_it_arrives(words: list[str]) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        for part in (b"see <http://", b"a./>\n", "http://é./ ".encode()[:8], b"\xa9./\n"):
            process.stdin.write(part)
            process.stdin.flush()
            if b"\n" in part:
                assert process.stdout.readline().endswith(b"\n")
        process.stdin.close()


def test_fail_fast_stops_at_an_error_after_the_first_batch() -> None:
    lines = AT_ONCE // 4 + 1000
    given = "S:a\n" * lines + "a b\n" + "S:c\n" * lines
    result = run("normalize", "--fail-fast", given=given)
    assert (result.exit_code, result.stdout) == (1, "s:a\n" * lines)
    assert result.stderr.startswith(f"{lines + 1}: invalid space")
    assert result.stderr.count("hint") == 1


@pytest.mark.parametrize("words", [["normalize"], ["extract"]])
def test_only_the_first_character_can_be_a_byte_order_mark(words: list[str]) -> None:
    line = f"http://{'a' * 100}/\n"
    count = AT_ONCE // len(line) + 1
    # In one of these lines, the mark is at the start of a batch.
    for place in range(count - 2, count + 2):
        given = line * place + "\ufeffhttp://b/\n" + line
        result = run(*words, given="\ufeff" + given)
        if words == ["normalize"]:
            assert result.exit_code == 1
            assert result.stderr.startswith(f"{place + 1}: invalid character U+FEFF")
        offset = json.loads(run("extract", "--json", given=given).stdout.splitlines()[place])
        assert (offset["text"], offset["start"]) == ("http://b/", place * len(line) + 1)


def test_usage_errors_exit_with_2() -> None:
    assert run("nothing").exit_code == 2
    assert run("check", "--type", "url", "a").exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sett"], "uriverse: no such command 'sett'; did you mean 'set'?"),
        (["normaliz"], "uriverse: no such command 'normaliz'; did you mean 'normalize'?"),
        (["nromalize"], "uriverse: no such command 'nromalize'; did you mean 'normalize'?"),
        (
            ["example.org/a b?c&d"],
            "uriverse: no command before the URI; run: uriverse explain 'example.org/a b?c&d'",
        ),
        (["xyzzy"], "uriverse: no such command 'xyzzy'; see 'uriverse --help'"),
        (
            ["http://u:secret@a/"],
            ("uriverse: no command before the URI; run: uriverse explain http://u:REDACTED@a/"),
        ),
    ],
)
def test_an_unknown_command_suggests_what_was_meant(words: list[str], message: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")


def test_an_unknown_option_suggests_what_was_meant() -> None:
    result = run("set", "--query-sett", "a=1", "http://a/")
    assert result.stderr.startswith("uriverse set: no such option '--query-sett'; did you mean")
    assert result.stderr.endswith("?\n")
    assert run("--versionn").stderr.startswith(
        "uriverse: no such option '--versionn'; did you mean"
    )


def test_version_names_the_engine() -> None:
    kernel = uriverse._uri.engine.compiled
    engine = "compiled kernel" if kernel else f"pure Python, {uriverse._uri.engine.kernel_absence}"
    assert run("--version").output == f"uriverse {uriverse.__version__} ({engine})\n"


def test_version_names_the_variable_that_disables_the_kernel() -> None:
    environment = {**os.environ, "URIVERSE_KERNEL": "disable"}
    done = subprocess.run(
        [*COMMAND, "--version"], env=environment, capture_output=True, check=True, text=True
    )
    assert done.stdout.endswith(" (pure Python, URIVERSE_KERNEL=disable)\n")


def test_version_and_help_succeed() -> None:
    for word in ("--version", "--help"):
        result = subprocess.run([*COMMAND, word], capture_output=True, check=True, text=True)
        assert "uriverse" in result.stdout


def on_a_terminal(words: list[str], **environment: str) -> tuple[str, int]:
    """Run a command on a terminal; return its output and its exit status."""
    pty = pytest.importorskip("pty", reason="needs terminals of Unix")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        COMMAND + words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not read:
                break
            printed += read
    os.close(ours)
    return printed.decode(), process.returncode


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (["check", "HTTP://a./\x1b[2J", "--severity", "form=info"], "1:8: warning trailing-dot: "),
        (["explain", "http://a/"], "  http://a/\r\n"),
        (["normalize", "a b"], "1: invalid space in path"),
    ],
)
def test_output_on_a_terminal_has_no_colors(words: list[str], start: str) -> None:
    assert on_a_terminal(words)[0].startswith(start)
    assert "\x1b" not in on_a_terminal(words)[0]


def test_a_command_without_input_on_a_terminal_is_a_usage_error() -> None:
    printed, status = on_a_terminal(["explain"])
    assert status == 2
    assert "give URIs as arguments, or one per line on standard input" in printed


@unix
def test_a_pipe_that_closes_early_prints_no_error() -> None:
    with subprocess.Popen(
        [*COMMAND, "parse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        try:
            process.stdin.write(b"a:b\n" * 100_000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == b""
    assert process.returncode == 141


@unix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_fatal_signal_sets_the_exit_status(name: str) -> None:
    program = (
        "import signal, uriverse._cli as cli\n"
        "from uriverse._cli.atomic_files import ended_by_signals\n"
        "def run(words):\n"
        f"    with ended_by_signals(): signal.raise_signal(signal.{name})\n"
        "cli.run = run; cli.main()"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (128 + getattr(signal, name), b"")


@unix
def test_ctrl_c_exits_with_130() -> None:
    with subprocess.Popen(
        [*COMMAND, "parse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"a:b\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.wait()
    assert process.returncode == 130


@unix
@pytest.mark.parametrize(
    ("shell", "status", "said"),
    [
        ('"$@" parse <&-', 2, "give URIs as arguments, or one per line on standard input"),
        ('"$@" extract <&-', 2, "give files as arguments, or text on standard input"),
        ('"$@" parse a:b <&-', 0, ""),
        ('"$@" parse a:b >&-', 2, "standard output is closed"),
        ('"$@" parse a:b >/dev/full', 2, "No space left on device"),
        ('"$@" parse a:b >/dev/full 2>&-', 2, ""),
        ('"$@" resolve a b 2>&-', 2, ""),
        ('"$@" --version >/dev/full', 2, "No space left on device"),
        ('"$@" nothing 2>/dev/full', 2, ""),
        ('"$@" extract /nothing 2>/dev/full', 2, ""),
        ('"$@" check --from-files text /nothing 2>/dev/full', 2, ""),
        ('"$@" normalize "a b" 2>/dev/full', 1, ""),
        ("\"$@\" parse -f ''", 2, "'': No such file or directory"),
    ],
)
def test_closed_or_full_streams_print_no_traceback(shell: str, status: int, said: str) -> None:
    result = subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND], capture_output=True, check=False, text=True
    )
    assert result.returncode == status
    assert said in result.stderr
    assert "rror" not in result.stdout.replace('"error": null', "")
    assert "Traceback" not in result.stderr


def test_characters_that_the_encoding_lacks_are_escaped() -> None:
    result = subprocess.run(
        [*COMMAND, "explain", "https://例え.jp/"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert rb"https://\u4f8b\u3048.jp/" in result.stdout


def test_output_is_flushed_line_by_line() -> None:
    with subprocess.Popen(
        [*COMMAND, "parse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"a:b\n")
        process.stdin.flush()
        # Without flushing, this would block forever.
        assert json.loads(process.stdout.readline())["text"] == "a:b"
        process.stdin.close()


def test_ctrl_c_during_imports_exits_with_130(tmp_path: Path) -> None:
    (tmp_path / "shutil.py").write_text("raise KeyboardInterrupt")
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [*COMMAND, "--help"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert (result.returncode, result.stderr) == (130, b"")


@unix
def test_ctrl_c_prints_the_end_of_the_line() -> None:
    with subprocess.Popen(
        [*COMMAND, "normalize"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b"a:b\n")
        assert process.stdout.read(4) == b"a:b\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b"\n"
    assert process.returncode == 130


@pytest.mark.parametrize("words", [["get", "host", "http://a/"], ["check", "http://a/"]])
def test_the_command_needs_no_package_but_idna(words: list[str], tmp_path: Path) -> None:
    for name in ("click", "rich", "pathspec", "argparse"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r})")
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    for arguments in (words, [words[0], "--help"], [words[0], "--nope"]):
        result = subprocess.run(
            [*COMMAND, *arguments], capture_output=True, check=False, text=True, env=environment
        )
        assert result.returncode == (2 if arguments[-1] == "--nope" else 0)
        assert "Error" not in result.stderr


def test_importing_the_main_module_runs_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "uriverse.__main__", raising=False)
    monkeypatch.setattr(sys, "argv", ["uriverse", "--version"])
    importlib.import_module("uriverse.__main__")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["-s", "scheme=x", "-s", "host=h", "-s", "path=a b"], "x://h/a%20b\n"),
        (["-s", "path=a b", "--host", "h"], "//h/a%20b\n"),
        (["-s", "path=a", "--iterate", "host=h,i"], "//h/a\n//i/a\n"),
        (["-s", "path=a"], "a\n"),
    ],
)
def test_a_path_gets_a_leading_slash_if_a_host_is_set_with_it(
    words: list[str], printed: str
) -> None:
    assert run("set", *words, "").stdout == printed


def test_a_path_gets_no_leading_slash_if_the_host_is_removed() -> None:
    assert run("set", "-s", "path=a", "--host", "-", "//h/b").stdout == "a\n"


def test_default_applies_to_a_port_without_digits() -> None:
    result = run("get", "-g", "{default:port}", "http://a:/", "http://a", "x://a:")
    assert result.stdout == "80\n80\n\n"


@pytest.mark.parametrize(
    "words",
    [
        ["http://u:secret@x/"],
        ["get", "http://u:secret word@x", "a"],
        ["set", "-s", "http://u:secret@x/", "a"],
        ["set", "--iterate", "http://u:secret@x/", "a"],
        ["check", "--severity", "http://u:secret@x/", "a"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_passwords_in_quoted_arguments_are_masked(words: list[str]) -> None:
    result = subprocess.run([*COMMAND, *words], capture_output=True, check=False, text=True)
    assert result.returncode == 2
    assert "secret" not in result.stderr
    assert "http://u:REDACTED@x" in result.stderr


def test_without_arguments_the_help_is_printed() -> None:
    result = run()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: uriverse [OPTIONS] COMMAND")


def test_a_string_without_a_result_and_an_error_has_no_object() -> None:
    assert object_of("http://a/", None) is None
