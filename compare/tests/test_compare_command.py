import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import pytest

from uriverse import __version__
from uriverse_compare import COMPONENTS, Parser, compare, installed
from uriverse_compare import _cli as command_line

COMMAND = [sys.executable, "-c", "from uriverse_compare._cli import main; main()"]
PARSERS = installed(["uriverse", "urllib.parse", "urllib.request"])


@pytest.fixture(autouse=True)
def three_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uriverse_compare._comparison.installed", lambda: PARSERS)


class Result(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


def run(*arguments: str) -> Result:
    status = 0
    with redirect_stdout(io.StringIO()) as output, redirect_stderr(io.StringIO()) as errors:
        try:
            command_line.run(arguments)
        except SystemExit as left:
            status = int(left.code or 0)
    return Result(status, output.getvalue(), errors.getvalue())


def test_each_string_has_a_table_in_the_order_of_the_arguments() -> None:
    texts = ["http://a.example/", "http://me@a.example/"]
    result = run(*texts)
    assert result.exit_code == 0
    assert result.stdout == "\n\n".join(str(compare(text, PARSERS)) for text in texts) + "\n"


def test_all_components_are_printed_on_request() -> None:
    result = run("--all", "http://a.example/b")
    assert result.exit_code == 0
    header = result.stdout.splitlines()[2].split()
    assert header == ["parser", *COMPONENTS]


def test_json_has_one_exact_object_per_line() -> None:
    texts = ["http://me:pw@a.example/", "x:y"]
    lines = run("--json", *texts).stdout.splitlines()
    assert [json.loads(line) for line in lines] == [
        json.loads(json.dumps(compare(text, PARSERS).as_dict())) for text in texts
    ]


def test_browsers_run_on_request_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []

    def recorded(names: Sequence[str]) -> list[Parser]:
        asked.append({*names})
        return PARSERS

    monkeypatch.setattr("uriverse_compare._cli.installed", recorded)
    assert run("http://a.example/").exit_code == 0
    assert asked == []
    assert run("--browsers", "http://a.example/").exit_code == 0
    assert {"Chromium", "Firefox", "WebKitGTK", "uriverse"} <= asked[0]
    assert not {"nginx", "git"} & asked[0]


def test_passwords_are_not_printed() -> None:
    assert "s3cret" not in run("--all", "http://me:s3cret@a.example/").stdout
    assert "s3cret" not in run("http://me:s3cret@a.example@b/").stdout


def test_an_error_names_the_program_and_shows_no_secret() -> None:
    assert "URI" in run().stderr
    message = (
        "uriverse-compare: unrecognized arguments: --https://me:REDACTED@a.example/; "
        "see 'uriverse-compare --help'\n"
    )
    assert run("http://a/", "--https://me:s3cret@a.example/") == (2, "", message)


def test_the_help_has_examples_and_the_version_is_that_of_uriverse() -> None:
    assert run("--help").stdout.endswith("uriverse-compare --json 'http://0x7f.1/' | jq .groups\n")
    assert run("--version").stdout.startswith(f"uriverse-compare {__version__} (")


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of Unix")
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [
        (">&-", "standard output is closed; redirect it to a file or /dev/null"),
        (">/dev/full", "No space left on device"),
    ],
)
def test_an_output_that_cannot_be_written_is_reported(redirection: str, reason: str) -> None:
    words = ["sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, "--help"]
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"uriverse-compare: {reason}\n")


def test_a_closed_pipe_ends_the_program_without_a_message() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as stdout:
        done = subprocess.run(
            [*COMMAND, "--help"],
            env=ENVIRONMENT,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_program_succeeds_with_a_uri(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["uriverse-compare", "http://a/"])
    with pytest.raises(SystemExit) as left:
        command_line.main()
    assert left.value.code is None
    assert capsys.readouterr().out.startswith("http://a/\n")


def test_interrupted_programs_have_the_status_of_interrupts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(_arguments: Sequence[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "run", interrupt)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SystemExit) as left:
        command_line.main()
    assert left.value.code == 130
