"""The command line: what it prints, where, and its exit status."""

from __future__ import annotations

import importlib
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import uriverse
from uriverse.cli.commands import uriverse as command_line

COMMAND = [sys.executable, "-m", "uriverse"]


def run(*words: str, given: bytes | str = "") -> Result:
    return CliRunner().invoke(command_line, words, input=given)


def test_explain_prints_the_figure() -> None:
    result = run("explain", "foo://example.com:8042/over/there?name=ferret#nose")
    assert result.exit_code == 0
    assert result.output.startswith("  foo://example.com:8042/over/there?name=ferret#nose\n  \\_/")


def test_explain_of_some_invalid_texts_explains_all_and_says_so_by_its_status() -> None:
    result = run("explain", given="a b\nhttp://a/\n")
    assert result.exit_code == 1
    assert "a space can't stand in the path" in result.output
    assert "URI, host: reg-name" in result.output


def test_explain_as_json_is_an_object_a_line() -> None:
    result = run("explain", "--json", "a", "b c")
    assert result.exit_code == 1
    assert [json.loads(line)["valid"] for line in result.output.splitlines()] == [True, False]


def test_parse_prints_undefined_as_null_and_empty_as_empty() -> None:
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
        "error": None,
    }


def test_parse_reads_lines_whatever_ends_them() -> None:
    result = run("parse", given="a:b\r\n\nc:d")
    assert [json.loads(line)["text"] for line in result.output.splitlines()] == ["a:b", "", "c:d"]


def test_parse_says_what_is_wrong_and_goes_on() -> None:
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
def test_check_is_silent_and_tells_by_its_status(kind: str, text: str, status: int) -> None:
    result = run("check", "--type", kind, text)
    assert (result.exit_code, result.output) == (status, "")


def test_check_says_what_is_wrong_on_standard_error_with_the_number_of_the_line() -> None:
    result = run("check", "--verbose", given="a:b\na b\n")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("2: a space can't stand in the path")


def test_resolve_prints_a_target_a_line_and_errors_aside() -> None:
    result = run("resolve", "http://a/b/c", given="d\na b\n../e\n")
    assert result.exit_code == 1
    assert result.stdout == "http://a/b/d\nhttp://a/e\n"
    assert result.stderr.startswith("2: a space can't stand in the path")
    assert run("resolve", "--not-strict", "http://a/b", "http:c").stdout == "http://a/c\n"


def test_relativize_prints_a_reference_a_line() -> None:
    result = run("relativize", "http://a/b/c", "http://a/b/d", "http://a/", "http://a/b/../c")
    assert result.exit_code == 1
    assert result.stdout == "d\n/\n"
    assert "a path with dot segments" in result.stderr
    stay = run("relativize", "--no-climb", "--json", "http://a/b/c", "http://a/")
    assert json.loads(stay.stdout)["result"] is None


def test_a_base_that_is_none_is_misuse() -> None:
    for command in ("resolve", "relativize"):
        for base in ("a", "a b"):
            assert run(command, base, "c").exit_code == 2


def test_normalize_prints_a_form_a_line_and_errors_aside() -> None:
    result = run("normalize", given="HTTP://A/%7e/..\na b\ns:A\n")
    assert result.exit_code == 1
    assert result.stdout == "http://a/\ns:A\n"
    assert result.stderr.startswith("2: a space can't stand in the path")
    text = "HTTP://[::0]/%7e/.."
    for step, form in (
        ("case", "HTTP://[::]/"),
        ("percent-encoding", "http://[::]/"),
        ("dot-segments", "http://[::]/~/.."),
        ("ipv6", "http://[::0]/"),
    ):
        assert run("normalize", f"--keep-{step}", text).stdout == f"{form}\n"


def test_normalize_tells_what_would_change() -> None:
    result = run("normalize", "--changes", "S:a", "b")
    assert result.exit_code == 0
    first, second = map(json.loads, result.output.splitlines())
    change = {"step": "case", "component": "scheme", "before": "S", "after": "s"}
    assert first == {"text": "S:a", "result": [change], "error": None}
    assert second["result"] == []


def test_compare_tells_by_its_status() -> None:
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
    assert run("compare", "--level", "scheme", "a", "b").exit_code == 2


def test_encode_takes_any_octets() -> None:
    result = run("encode", "--component", "segment", given=b"a/b\n\xff %\n\n")
    assert (result.exit_code, result.stdout) == (0, "a%2Fb\n%FF%20%25\n\n")
    assert run("encode", "\u00e9?").stdout == "%C3%A9%3F\n"
    assert run("encode", "--iri", "--component", "query", "\u00e9?").stdout == "\u00e9?\n"


def test_decode_has_a_policy_for_what_is_not_utf_8() -> None:
    result = run("decode", "caf%C3%A9", "%FF", "%zz")
    assert (result.exit_code, result.stdout) == (1, "caf\u00e9\n")
    assert "2: what is encoded is not UTF-8" in result.stderr
    assert "3: two hexadecimal digits" in result.stderr
    assert run("decode", "--errors", "keep", "%FF").stdout == "%FF\n"
    assert run("decode", "--errors", "replace", "%FF").stdout == "\ufffd\n"


def test_a_byte_order_mark_before_the_first_line_is_none_of_the_text() -> None:
    given = b"\xef\xbb\xbfa:b\n\xef\xbb\xbfc\n"
    assert run("normalize", given=given).stdout == "a:b\n\ufeffc\n"


def test_a_terminal_is_not_steered_by_what_is_decoded() -> None:
    words = ["decode", "%1B%5B31m%0Aa"]
    assert on_a_terminal(words) == ("\\x1b[31m\\na\r\n", 0)
    assert run(*words).stdout == "\x1b[31m\na\n"


def test_iris_and_uris_are_mapped_to_each_other() -> None:
    iri = "http://b\u00fccher.example/ros\u00e9"
    uri = "http://b%C3%BCcher.example/ros%C3%A9"
    assert run("to-uri", iri).stdout == f"{uri}\n"
    assert run("to-iri", uri).stdout == f"{iri}\n"
    named = run("to-uri", "--host", "idna", iri, "http://\u2603/")
    assert named.exit_code == 1
    assert named.stdout == "http://xn--bcher-kva.example/ros%C3%A9\n"
    assert named.stderr.startswith('2: the label "\u2603" is not one of a domain name')
    as_json = json.loads(run("to-iri", "--json", uri).stdout)
    assert as_json == {"text": uri, "result": iri, "error": None}


def test_examples_in_a_help_text_stay_on_their_lines() -> None:
    for name, command in command_line.commands.items():
        lines = run(name, "--help").stdout.splitlines()
        examples = [line for line in lines if line.startswith(f"  uriverse {name} ")]
        assert len(examples) >= 2 or name == "check", (name, command)


def test_misuse_ends_with_status_2() -> None:
    assert run("nothing").exit_code == 2
    assert run("check", "--type", "url", "a").exit_code == 2


def test_the_version_says_which_engine_works() -> None:
    engine = "compiled kernel" if uriverse.engine.compiled else "specification, no kernel"
    assert run("--version").output == f"uriverse {uriverse.__version__} ({engine})\n"


def test_what_needs_no_texts_ends_well() -> None:
    for word in ("--version", "--help"):
        result = subprocess.run([*COMMAND, word], capture_output=True, check=True, text=True)
        assert "uriverse" in result.stdout


def on_a_terminal(words: list[str], **environment: str) -> tuple[str, int]:
    """What a command prints on a terminal, and its status."""
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


def test_a_terminal_gets_colour_unless_it_is_refused() -> None:
    printed, status = on_a_terminal(["explain", "http://a/"])
    assert status == 0
    assert "\x1b[" in printed
    assert "\x1b[" not in on_a_terminal(["explain", "http://a/"], NO_COLOR="1")[0]


def test_a_pipe_gets_no_colour() -> None:
    result = subprocess.run(
        [*COMMAND, "explain", "http://a/"], capture_output=True, check=True, text=True
    )
    assert "\x1b" not in result.stdout


def test_a_terminal_without_texts_is_misuse() -> None:
    printed, status = on_a_terminal(["explain"])
    assert status == 2
    assert "give texts, or lines on standard input" in printed


def test_a_reader_that_goes_away_is_no_error_worth_a_word() -> None:
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


def test_ctrl_c_is_told_from_a_text_that_is_not_valid() -> None:
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


@pytest.mark.parametrize(
    ("shell", "status", "said"),
    [
        ('"$@" parse <&-', 2, "give texts, or lines on standard input"),
        ('"$@" parse a:b <&-', 0, ""),
        ('"$@" parse a:b >&-', 2, "standard output is closed"),
        ('"$@" parse a:b >/dev/full', 2, "No space left on device"),
        ('"$@" parse a:b >/dev/full 2>&-', 2, ""),
        ('"$@" resolve a b 2>&-', 2, ""),
    ],
)
def test_streams_that_are_closed_or_full_are_no_traceback(
    shell: str, status: int, said: str
) -> None:
    result = subprocess.run(
        ["sh", "-c", shell, "sh", *COMMAND], capture_output=True, check=False, text=True
    )
    assert result.returncode == status
    assert said in result.stderr
    assert "rror" not in result.stdout.replace('"error": null', "")
    assert "Traceback" not in result.stderr


def test_what_an_encoding_has_no_character_for_is_written_as_an_escape() -> None:
    result = subprocess.run(
        [*COMMAND, "explain", "https://例え.jp/"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert rb"https://\u4f8b\u3048.jp/" in result.stdout


def test_output_comes_line_by_line() -> None:
    with subprocess.Popen(
        [*COMMAND, "parse"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"a:b\n")
        process.stdin.flush()
        # This would wait for ever if the line were held back.
        assert json.loads(process.stdout.readline())["text"] == "a:b"
        process.stdin.close()


def with_click_missing(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line where importing click finds the module of a name missing."""
    (folder / "click.py").write_text(f"raise ModuleNotFoundError({name!r}, name={name!r})")
    paths = [str(folder), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(COMMAND, capture_output=True, check=False, text=True, env=environment)


def test_without_its_libraries_the_command_line_says_how_to_get_them(tmp_path: Path) -> None:
    result = with_click_missing("click", tmp_path)
    assert result.returncode == 2
    assert "pip install 'uriverse[cli]'" in result.stderr


def test_a_module_that_is_missing_elsewhere_is_not_blamed_on_the_installation(
    tmp_path: Path,
) -> None:
    assert "ModuleNotFoundError: other" in with_click_missing("other", tmp_path).stderr


def test_the_module_of_the_command_line_does_nothing_when_imported() -> None:
    importlib.import_module("uriverse.__main__")
