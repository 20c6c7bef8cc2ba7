import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from platforms import unix

from uriverse import __version__
from uriverse_links._cli import COMMANDS, main, output, rewriting
from uriverse_links._cli.options import DESCRIPTIONS, EXAMPLES, create_parser

LINKS = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "uriverse_links"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(LINKS / "src"), prepend=os.pathsep)


def test_the_help_lists_all_commands() -> None:
    for words, status in ((["--help"], 0), (["-h"], 0), ([], 2)):
        result = run(*words)
        assert result.exit_code == status
        assert all(f"\n  {name} " in result.stdout for name in COMMANDS)
    assert COMMANDS.keys() == DESCRIPTIONS.keys() == EXAMPLES.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_and_all_options(name: str) -> None:
    result = run(name, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 100
    for option in create_parser(name).names:
        assert option in result.stdout
    for example in EXAMPLES[name]:
        assert example in result.stdout


@pytest.mark.parametrize("example", [each for examples in EXAMPLES.values() for each in examples])
def test_every_example_succeeds(example: str) -> None:
    Path("docs").mkdir()
    for name in ("README.md", "docs/a.md"):
        Path(name).write_text("# A\n\n[a](#a) ![b](../README.md) <http://old.example/%7e>\n")
    Path("docs/README.md").write_text("")
    Path("README.md").write_text("# A\n\n[a](#a) ![b](README.md) <http://old.example/%7e>\n")
    words, _, _ = example.partition(" > ")
    result = run(*shlex.split(words)[1:])
    assert (result.exit_code, result.stderr) == (0, "")


def test_the_version_is_that_of_uriverse() -> None:
    assert run("--version").stdout.startswith(f"uriverse-links {__version__} (")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chek"], "uriverse-links: no such command 'chek'; did you mean 'check'?"),
        (["x"], "uriverse-links: no such command 'x'; see 'uriverse-links --help'"),
        (
            ["https://me:hunter2@a.example/"],
            (
                "uriverse-links: no such command 'https://me:REDACTED@a.example/'; "
                "see 'uriverse-links --help'"
            ),
        ),
        (
            ["find", "--uniqe"],
            "uriverse-links find: no such option --uniqe; did you mean --unique?",
        ),
        (
            ["find", "--xyz=1", "a.md"],
            "uriverse-links find: no such option --xyz; see 'uriverse-links find --help'",
        ),
        (
            ["find", "--base", "http://a/", "--base", "http://b/"],
            "uriverse-links find: --base is set more than once; set it once",
        ),
        (["check"], "uriverse-links check: no files; give files or folders as arguments"),
    ],
)
def test_a_mistake_is_one_line_with_advice(words: list[str], message: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")


@pytest.mark.parametrize("value", ["0", "-1", "x"])
def test_a_limit_is_a_positive_number(value: str) -> None:
    result = run("check", f"--max-errors={value}", "a.md")
    assert result.exit_code == 2
    assert "argument --max-errors: invalid" in result.stderr


def test_options_may_follow_files_and_every_word_after_two_hyphens_is_a_file() -> None:
    for name in ("a.md", "b.md", "--x.md"):
        Path(name).write_text("[a](b)")
    assert run("find", "a.md", "--unique", "b.md").stdout == "b\n"
    assert run("find", "--unique", "--", "--x.md").stdout == "b\n"


@unix
def test_a_closed_pipe_ends_the_command_without_a_message() -> None:
    Path("a.md").write_text("[a](b)")
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [*COMMAND, "find", "a.md"], stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


def test_standard_output_must_be_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main() == 2
    assert "standard output is closed" in capsys.readouterr().err


def test_an_error_of_the_output_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    Path("a.md").write_text("[a](b)")
    monkeypatch.setattr("uriverse_links._cli.output.Output.write", fail)
    result = run("find", "a.md")
    assert (result.exit_code, result.stderr) == (
        2,
        "uriverse-links find: No space left on device\n",
    )


@unix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary_file(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.md").write_text("[a](HTTP://b)")
    monkeypatch.setattr(os, "fsync", lambda _: signal.raise_signal(number))
    result = run("normalize", "--in-place", "a.md")
    assert result.exit_code == output.KILLED + number
    assert [path.name for path in Path().iterdir()] == ["a.md"]
    assert Path("a.md").read_text() == "[a](HTTP://b)"


@unix
def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with output.exit_on_signals():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@unix
def test_replaced_files_keep_their_mode_and_their_symbolic_link() -> None:
    Path("real.md").write_text("[a](HTTP://b)")
    Path("real.md").chmod(0o640)
    Path("a.md").symlink_to("real.md")
    assert run("normalize", "--in-place", "--backup", "~", "a.md").exit_code == 0
    assert Path("a.md").is_symlink()
    assert Path("real.md").read_text() == "[a](http://b)"
    assert Path("a.md~").read_text() == "[a](HTTP://b)"
    assert {Path(name).stat().st_mode & 0o777 for name in ("real.md", "a.md~")} == {0o640}


@unix
def test_only_regular_files_are_replaced() -> None:
    os.mkfifo("a.md")
    result = run("normalize", "--in-place", "a.md")
    message = "uriverse-links normalize: a.md: not a regular file\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)


def test_files_are_replaced_where_folders_cannot_be_synced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "CAN_SYNC_FOLDERS", False)
    Path("a.md").write_text("[a](HTTP://b)")
    assert run("normalize", "--in-place", "a.md").exit_code == 0
    assert Path("a.md").read_text() == "[a](http://b)"


def test_documents_are_escaped_on_a_terminal() -> None:
    Path("a.md").write_text("\x1b [a](HTTP://b)\n")
    result = run("normalize", "a.md", is_terminal=True)
    assert result.stdout == "\\x1b [a](http://b)\n"


def test_errors_have_colors_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    Path("a.md").write_text("[a](http://[b)")
    assert run("normalize", "a.md", is_terminal=True).stderr.startswith("\x1b[31ma.md:1: missing")
    assert run("normalize", "--quiet", "a.md").stderr == ""


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["set", "-s", "host=ä.example"], "http://a/b", "http://%C3%A4.example/b"),
        (["set", "-s", "path=c d"], "http://a/b", "http://a/c%20d"),
        (["set", "-s", "path=", "-s", "port=1"], "http://a/b", "http://a:1"),
        (["set", "-s", "fragment:=%41"], "http://a/b", "http://a/b#%41"),
        (["set", "-s", "scheme?=ftp", "-s", "port?=8"], "http://a/b", "http://a:8/b"),
        (["set", "-s", "username?=u"], "http://a/", "http://u@a/"),
        (["set", "-s", "host=[::1]"], "http://a/", "http://[::1]/"),
        (["set", "-s", "host="], "//a/b", "/b"),
        (["set", "--path", "-"], "http://a/b", "http://a"),
        (["set", "--redirect", "../c"], "http://a/b/d", "http://a/c"),
        (["set", "-a", "path=c d", "-a", "query=e=f"], "http://a/b", "http://a/b/c%20d?e=f"),
        (["set", "--query-set", "a=2", "--query-add", "b"], "?a=1", "?a=2&b"),
        (["set", "--query-replace", "a=2", "--query-replace", "c=3"], "?a=1", "?a=2"),
        (["set", "--query-replace", "*=x y"], "?a=1&&b", "?a=x+y&&b=x+y"),
        (["set", "--query-replace", "?=x"], "http://a/", "http://a/"),
        (["set", "--query-keep", "a*"], "?ab=1&c=2", "?ab=1"),
        (["set", "--sort-query"], "?b&a", "?a&b"),
        (
            ["set", "--query-separator", ";", "--codec", "rfc3986", "--query-set", "a=b c"],
            "?a=1;d",
            "?a=b%20c;d",
        ),
        (["set", "--normalize"], "HTTP://A/%7e", "http://a/~"),
        (["set", "--default-port"], "http://a/", "http://a:80/"),
        (["set", "--default-port"], "http://a:8/", "http://a:8/"),
        (["set", "--punycode"], "http://é.example/", "http://xn--9ca.example/"),
        (["set", "--accept-host", "b", "--host", "c"], "http://a/", "http://a/"),
        (["set", "--username", "a:b"], "http://c/", "http://c/"),
        (["normalize", "--keep-case", "--scheme"], "http://A:80/%7e", "http://A/~"),
        (["normalize", "--all-dot-segments"], "foo:a/../b", "foo:/b"),
        (["repair", "--scheme", "https"], "a.example/b c", "https://a.example/b%20c"),
    ],
)
def test_options_edit_links(words: list[str], before: str, after: str) -> None:
    Path("a.html").write_text(f'<a href="{before}">', "utf-8")
    result = run(*words, "a.html")
    written = result.stdout.removeprefix('<a href="').removesuffix('">').replace("&amp;", "&")
    assert written == after
