"""Shells complete commands, options and file names of `uriverse`.

Each test runs the shell itself, and is skipped where the shell is not installed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from platforms import unix

pytestmark = unix


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell that finds the command, and that reads no files of the user."""
    command = tmp_path / "bin" / "uriverse"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "uriverse"])} "$@"\n')
    command.chmod(0o755)
    (tmp_path / "READTHIS").write_text("See <http://found.example/>.", "utf-8")
    return {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "ZDOTDIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "TERM": "dumb",
    }


def shell(name: str) -> str:
    """Return the path of a shell, or skip the test."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_fish_completes_commands_options_and_files(
    environment: dict[str, str], tmp_path: Path
) -> None:
    script = """
    uriverse completion fish | source
    for words in "uriverse norm" "uriverse set --query-d" "uriverse extract READ"
        complete -C $words
    end
    """
    result = subprocess.run(
        [shell("fish"), "-c", script],
        capture_output=True,
        check=False,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    # A tab separates a completion from its description.
    found = [line.partition("\t")[0] for line in result.stdout.splitlines()]
    assert found == ["normalize", "--query-drop", "READTHIS"], result.stderr


def test_zsh_completes_commands_options_and_files(
    environment: dict[str, str], tmp_path: Path
) -> None:
    zsh = shell("zsh")
    pty = pytest.importorskip("pty", reason="needs terminals of Unix")
    (tmp_path / ".zshrc").write_text(
        'autoload -U compinit; compinit -u -D; eval "$(uriverse completion zsh)"\n', "utf-8"
    )
    lines = [
        "uriverse norm\tHTTP://A.example/",
        "uriverse set --query-d\tq 'http://b.example/?q'",
        "uriverse extract READ\t",
        "exit 0",
    ]
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [zsh, "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, cwd=tmp_path
    ):
        os.close(theirs)
        os.write(ours, "".join(f"{line}\n" for line in lines).encode())
        printed = b""
        try:
            while part := os.read(ours, 4096):
                printed += part
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    answers = printed.decode(errors="replace").replace("\r", "").splitlines()
    for answer in ("http://a.example/", "http://b.example/", "http://found.example/"):
        assert answer in answers, printed
