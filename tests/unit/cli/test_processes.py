import atexit
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_runner import run
from platforms import unix

import uriverse
from uriverse import _cli
from uriverse._cli import atomic_files
from uriverse._cli.atomic_files import AtomicFile, exit_on_signals
from uriverse._cli.commands import COMMANDS
from uriverse._cli.output import PIPE_CLOSED, READ_SIZE, ClosedPipeGuard, KilledExit

COMMAND = [sys.executable, "-m", "uriverse"]


def start(*words: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *words], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)


def call(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    ("words", "parts", "last"),
    [
        ("normalize", [b"\xef", b"\xbb\xbfA:b\n", b"B:", b"c\nC", b":d\nD:e"], b"d:e\n"),
        ("extract", [b"see <http://", b"a./>\n", b"http://\xc3", b"\xa9./\n"], b""),
        (
            "check --from-files text -",
            [b"see <http://", b"a./>\n", b"http://\xc3", b"\xa9./\n"],
            b"",
        ),
    ],
)
def test_input_is_read_as_it_arrives(words: str, parts: list[bytes], last: bytes) -> None:
    with start(*words.split()) as process:
        assert process.stdin
        assert process.stdout
        for part in parts:
            process.stdin.write(part)
            if b"\n" in part:
                # Without flushing, this would block forever.
                assert process.stdout.readline().endswith(b"\n")
        process.stdin.close()
        assert process.stdout.read().endswith(last)


@unix
@pytest.mark.parametrize(
    ("shell", "status", "message"),
    [
        ('"$@" parse <&-', 2, "give URIs as arguments, or one per line on standard input"),
        ('"$@" extract <&-', 2, "give files as arguments, or text on standard input"),
        *(('"$@" parse a:b <&-', 0, ""), ('"$@" parse a:b >&-', 2, "standard output is closed")),
        ('"$@" parse a:b >/dev/full', 2, "No space left on device"),
        *(('"$@" parse a:b >/dev/full 2>&-', 2, ""), ('"$@" resolve a b 2>&-', 2, "")),
        ('"$@" --version >/dev/full', 2, "No space left on device"),
        *(('"$@" nothing 2>/dev/full', 2, ""), ('"$@" extract /nothing 2>/dev/full', 2, "")),
        ('"$@" normalize "a b" 2>/dev/full', 1, ""),
    ],
)
def test_closed_or_full_streams_print_no_traceback(shell: str, status: int, message: str) -> None:
    result = call("sh", "-c", shell, "sh", *COMMAND)
    assert result.returncode == status
    assert message in result.stderr
    assert "rror" not in result.stdout.replace('"error": null', "")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("words", [["compare", "a", "b"], ["set", "--help"], ["--version"]])
def test_output_to_a_closed_pipe_prints_no_error(words: list[str]) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    result = subprocess.run([*COMMAND, *words], stdout=ours, stderr=subprocess.PIPE, check=False)
    os.close(ours)
    assert (result.returncode, result.stderr) == (PIPE_CLOSED, b"")


@unix
def test_a_pipe_that_closes_early_prints_no_error() -> None:
    done = call(
        "bash",
        "-c",
        'yes a:b | "$@" | head -n 1; echo ${PIPESTATUS[1]}',
        "",
        *COMMAND,
        "get",
        "path",
    )
    assert (done.stdout, done.stderr) == ("b\n141\n", "")


def test_characters_that_the_encoding_lacks_are_escaped() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = call(*COMMAND, "explain", "https://例え.jp/", env=environment, encoding="cp1252")
    assert r"https://\u4f8b\u3048.jp/" in done.stdout


def test_a_command_without_input_on_a_terminal_is_a_usage_error() -> None:
    pty = pytest.importorskip("pty", reason="needs terminals of Unix")
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "explain"], stdin=theirs, stdout=theirs, stderr=theirs, check=False
    )
    printed = os.read(ours, 4096).decode()
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 2
    assert "give URIs as arguments, or one per line on standard input" in printed


class Full:
    """An output stream that cannot be written."""

    def __init__(self, error: OSError, number: int = -1) -> None:
        self.error, self.number = error, number

    def flush(self) -> None:
        raise self.error

    def fileno(self) -> int:
        return self.number


def test_the_exit_status_survives_a_full_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(status: int) -> None:
        raise KilledExit(status)

    monkeypatch.setattr(sys, "stdout", Full(OSError("no space left")))
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: None)
    with pytest.raises(KilledExit, match=r"^129$"):
        _cli.end_at_once(1)


def test_a_pipe_that_closes_at_the_last_flush_ends_the_command_quietly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Path("output").open("wb") as file:
        monkeypatch.setattr(sys, "stdout", Full(BrokenPipeError(), file.fileno()))
        with pytest.raises(SystemExit, match=f"^{PIPE_CLOSED}$"), ClosedPipeGuard():
            pass


@unix
@pytest.mark.parametrize("words", ["normalize", "parse --json-array"])
def test_ctrl_c_ends_the_line_and_a_json_array(words: str) -> None:
    with start(*words.split()) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"A:b\n")
        begun = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"\n")
    if words == "normalize":
        assert begun + output == b"a:b\n"
    else:
        assert json.loads(begun + output)[0]["text"] == "A:b"


def test_ctrl_c_during_imports_exits_with_130() -> None:
    Path("shutil.py").write_text("raise KeyboardInterrupt")
    path = os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])
    done = call(*COMMAND, "--help", env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stderr) == (130, "")


@unix
def test_a_signal_ends_the_program_unless_it_is_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with exit_on_signals():
            os.kill(os.getpid(), signal.SIGHUP)  # as under `nohup`
            with pytest.raises(KilledExit):
                os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@unix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_the_file_unchanged(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number = getattr(signal, name)

    def stop(_file: object) -> None:
        assert len(list(Path().iterdir())) == 2
        signal.raise_signal(number)

    Path("a").write_text("HTTP://a/\n")
    monkeypatch.setattr(os, "fsync", stop)
    result = run("normalize", "--file", "a", "--in-place")
    assert (result.exit_code, result.output.strip()) == (128 + number, "")
    assert Path("a").read_text() == "HTTP://a/\n"
    assert [path.name for path in Path().iterdir()] == ["a"]


@pytest.mark.parametrize("synced", [True, False])
def test_complete_files_replace_old_ones(synced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Windows cannot sync folders.
    is_synced = synced and atomic_files.CAN_SYNC_FOLDERS
    monkeypatch.setattr(atomic_files, "CAN_SYNC_FOLDERS", is_synced)
    path = Path("a").absolute()
    path.write_bytes(b"old")
    file = AtomicFile(path)
    file.open().write(b"new")
    assert path.read_bytes() == b"old"
    file.commit()
    file.discard()
    assert path.read_bytes() == b"new"
    assert [each.name for each in Path().iterdir()] == ["a"]


@unix
def test_a_full_disk_leaves_the_file_unchanged() -> None:
    content = "HTTP://a/\n" * (READ_SIZE // 10)
    Path("a").write_text(content)
    words = [*COMMAND, "normalize", "--file", "a", "--in-place", "--backup", ".bak"]
    # A limit on the size of files has the same effect as a full disk, also for a file of coverage.
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("COV")}
    done = call("bash", "-c", 'ulimit -f 100; exec "$@"', "-", *words, env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "uriverse normalize: a: File too large\n"
    assert Path("a").read_text() == content
    assert [path.name for path in Path().iterdir()] == ["a"]


#: Runs a command, and prints the modules of the package that it has imported.
LOADED = """
import sys
from uriverse._cli import run
status = run(sys.argv[1:])
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "uriverse"))
sys.exit(status)
"""


@pytest.mark.skipif(not uriverse.compiled, reason="the reference implementation needs the grammar")
@pytest.mark.parametrize(
    ("words", "own", "most"),
    [
        *(("check http://a/", {"checking"}, 26), ("get host http://a/", {"getting"}, 21)),
        *(("normalize http://a/", {"references"}, 22), ("--help", {"help"}, 21)),
    ],
)
def test_a_command_loads_few_modules_and_none_of_another_command(
    words: str, own: set[str], most: int
) -> None:
    modules = call(sys.executable, "-c", LOADED, *words.split()).stdout.splitlines()[-1].split()
    assert len(modules) <= most, modules
    others = {module for module, _ in COMMANDS.values()} - own
    assert not {f"uriverse._cli.{module}" for module in others} & {*modules}


#: Runs commands without packages that other programs of its kind need.
WITHOUT_PACKAGES = """
import sys
sys.modules.update(dict.fromkeys(["click", "rich", "pathspec", "argparse"]))
from uriverse._cli import run
for command in ["get", "host", "http://a/"], ["check", "http://a/"]:
    for words, status in (command, 0), ([command[0], "--help"], 0), ([command[0], "--nope"], 2):
        assert run(words) == status, words
"""


def test_the_command_needs_no_package_but_idna() -> None:
    done = call(sys.executable, "-c", WITHOUT_PACKAGES)
    assert done.returncode == 0, done.stderr


def test_version_names_the_variable_that_disables_the_kernel() -> None:
    done = call(*COMMAND, "--version", env={**os.environ, "URIVERSE_KERNEL": "disable"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(" (pure Python, URIVERSE_KERNEL=disable)\n")
