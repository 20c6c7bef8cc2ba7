import os
import stat
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreters import run_python
from strategies import hostile, references

from uriverse_compare import _programs as programs
from uriverse_compare._programs import Build, Program, create_program_parser, read_with_program
from uriverse_compare._reading import Reading

WORKER = Path(__file__).with_name("fake_worker.py")

VERSION = (sys.executable, "--version")

#: A string that UTF-8 cannot represent.
SURROGATE = "\ud800"


def worker(*arguments: str, build: Build | None = None) -> Program:
    return Program(VERSION, (sys.executable, str(WORKER), *arguments), build)


def one(answer: str, text: str = "a") -> Reading:
    [reading] = read_with_program(worker(answer), [text])
    return reading


@settings(max_examples=5)  # each of them starts a process
@given(st.lists(st.one_of(references(), hostile()), min_size=20, max_size=50))
def test_every_string_arrives_unchanged_and_in_order(texts: list[str]) -> None:
    for text, reading in zip(texts, read_with_program(worker("echo"), texts), strict=True):
        if any("\ud800" <= character <= "\udfff" for character in text):
            assert reading.outcome == "unread"
        else:
            assert reading == Reading("accepted", path=text)


def test_no_character_ends_a_string_and_a_full_pipe_does_not_block() -> None:
    texts = ["", "\0", "a\r\nb", "a" * 100_000, "\U0001f600", " "]
    texts += [str(number) * 1000 for number in range(3000)]
    assert [reading.path for reading in read_with_program(worker("echo"), texts)] == texts
    assert read_with_program(worker("echo"), []) == []


def test_components_and_outcomes_are_different() -> None:
    address = Reading("accepted", host="", query="\\xff", address="a")
    assert one("+ host= query=ff address=61") == address
    assert one("+") == Reading("accepted")
    assert one("refuse", "no") == Reading("rejected", reason="no")
    assert one("fault", "no") == Reading("failed", reason="no")


def test_a_lone_surrogate_is_unread_even_if_the_worker_fails() -> None:
    found = read_with_program(worker("crash"), ["a", SURROGATE, "b", "c"])
    assert [reading.outcome for reading in found] == ["failed", "unread", "failed", "failed"]


def test_a_worker_that_ends_early_fails_for_all_strings() -> None:
    found = read_with_program(worker("crash"), ["a"] * 5000)
    assert {reading.outcome for reading in found} == {"failed"}
    assert "status 1 after 1 of 5000 strings: no memory\ufffd" in found[0].reason


@pytest.mark.parametrize("mode", ["silent", "twice"])
def test_a_worker_that_prints_another_number_of_lines_fails(mode: str) -> None:
    assert {reading.outcome for reading in read_with_program(worker(mode), ["a", "b"])} == {
        "failed"
    }


def test_a_worker_that_prints_another_line_fails() -> None:
    for line in [
        *("", "=", "-", "- 6 1", "- 6", "! zz", "+ 61", "+ host", "+ host=6=1", "+ host=\u00e9"),
        *("+ outcome=61", "+ reason=61"),
    ]:
        reading = one(line)
        assert reading.outcome == "failed"
        assert "the program printed the line" in reading.reason


def test_a_worker_that_takes_too_long_is_stopped_with_its_children(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(programs, "TIME_LIMIT", 0.2)
    monkeypatch.setattr(programs, "TIME_PER_STRING", 0.4)
    number = tmp_path / "child"
    found = read_with_program(worker("hang", str(number)), ["a", "b"])
    assert {reading.outcome for reading in found} == {"failed"}
    assert found[0].reason == "stopped after 1 seconds"
    assert ends(int(number.read_text("ascii")))


def ends(process: int) -> bool:
    """Whether a process ends soon. One that has ended may remain as a zombie."""
    for _ in range(100):
        try:
            status = Path(f"/proc/{process}/stat").read_text("ascii")
        except FileNotFoundError:
            return True
        if status.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_worker_is_built_once(tmp_path: Path) -> None:
    count = tmp_path / "count"
    code = f"import pathlib; pathlib.Path({str(count)!r}).open('a').write('x')"
    build = Build((sys.executable, "-c", code))
    for _ in range(2):
        assert read_with_program(worker("+", build=build), ["a"]) == [Reading("accepted")]
    assert count.read_text("ascii") == "x"


def test_a_worker_that_cannot_be_built_or_start_fails() -> None:
    for program, reason in [
        (worker("+", build=Build((sys.executable, "-c", "raise SystemExit('no')"))), "no"),
        (Program(VERSION, ("no-such-program",)), "no-such-program"),
    ]:
        [reading] = read_with_program(program, ["a"])
        assert reading.outcome == "failed"
        assert reason in reading.reason


def test_a_parser_has_the_version_that_its_program_prints() -> None:
    found = create_program_parser("Python", worker("+"))
    assert found
    assert found.name == "Python"
    assert found.version == ".".join(map(str, sys.version_info[:3]))
    assert found.read(["a"]) == [Reading("accepted")]


def test_a_version_on_standard_error_is_read_too() -> None:
    code = "import sys; print('version 1.2.3', file=sys.stderr)"
    found = create_program_parser("Python", Program((sys.executable, "-c", code), VERSION))
    assert found
    assert found.version == "1.2.3"


def test_a_program_that_is_not_installed_is_not_a_parser() -> None:
    for program in [
        Program(("no-such-program",), VERSION),
        Program(VERSION, ("no-such-program",)),
        Program(VERSION, VERSION, Build(("no-such-program",))),
        Program((sys.executable, "-c", "raise SystemExit(1)"), VERSION),
        Program((sys.executable, "-c", "print('none')"), VERSION),
    ]:
        assert create_program_parser("missing", program) is None


def output_of(code: str) -> str:
    """Return what a program prints in another interpreter with the same import path."""
    return run_python(
        "-c", code, env={"PYTHONPATH": os.pathsep.join(sys.path)}, check=True
    ).stdout.strip()


def test_the_folder_of_workers_is_private_and_is_removed() -> None:
    assert stat.S_IMODE(programs.get_private_folder().stat().st_mode) == 0o700
    path = Path(
        output_of(
            "from uriverse_compare._programs import get_private_folder; print(get_private_folder())"
        )
    )
    assert path.name.startswith("uriverse-parsers-")
    assert not path.exists()


def test_threads_share_one_folder() -> None:
    code = (
        "import tempfile, threading, time\n"
        "from uriverse_compare import _programs as programs\n"
        "create = programs.mkdtemp\n"
        "programs.mkdtemp = lambda prefix: time.sleep(0.2) or create(prefix=prefix)\n"
        "found = []\n"
        "add = lambda: found.append(programs.get_private_folder())\n"
        "threads = [threading.Thread(target=add) for _ in range(5)]\n"
        "[thread.start() for thread in threads]\n"
        "[thread.join() for thread in threads]\n"
        "print(len(found), len(set(found)))\n"
    )
    assert output_of(code) == "5 1"


def test_importing_the_adapters_starts_nothing() -> None:
    names = "_browsers, _libraries, _probes, _programs"
    code = (
        "import subprocess, sys, ctypes\n"
        "subprocess.Popen = ctypes.CDLL = None\n"
        f"from uriverse_compare import {names}\n"
        "print(_programs.create_folder_once.cache_info().currsize)\n"
    )
    assert output_of(code) == "0"
