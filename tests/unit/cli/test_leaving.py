"""The end of a command: what could not be written does not change the exit status."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path

import pytest

from uriverse import _cli
from uriverse._cli.output import PIPE_CLOSED, LeavingQuietly


class Full:
    """An output stream that cannot be written."""

    def __init__(self, error: OSError, number: int = -1) -> None:
        self.error, self.number = error, number

    def flush(self) -> None:
        raise self.error

    def fileno(self) -> int:
        return self.number


class ExitError(Exception):
    """Raised instead of ending the process."""


def test_the_exit_status_survives_a_full_output(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(status: int) -> None:
        raise ExitError(status)

    monkeypatch.setattr(sys, "stdout", Full(OSError("no space left")))
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: None)
    with pytest.raises(ExitError, match=r"^1$"):
        _cli.end_at_once(1)


def test_a_pipe_that_closes_at_the_last_flush_ends_the_command_quietly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Path(tmp_path, "output").open("wb") as file:
        monkeypatch.setattr(sys, "stdout", Full(BrokenPipeError(), file.fileno()))
        with pytest.raises(SystemExit) as left, LeavingQuietly():
            pass
    assert left.value.code == PIPE_CLOSED


def test_a_file_that_cannot_be_read_ends_the_command(tmp_path: Path) -> None:
    name = str(tmp_path / "none.toml")
    command = [sys.executable, "-m", "uriverse", "policy", "review", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"uriverse policy: {name}: No such file or directory\n"
