"""Shells complete commands, options, their values and file names of `uriverse`.

The tests of a shell run the shell itself, and are skipped where the shell is not installed.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import run_uriverse
from platforms import unix


def complete(*words: str, shell: str = "bash") -> list[str]:
    """Return the words that may take the place of the last one."""
    result = run_uriverse(["completion", shell, "--", *words])
    assert (result.exit_code, result.stderr) == (0 if result.stdout else 1, "")
    return result.stdout.splitlines()


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        (["norm"], ["normalize"]),
        (["--v"], ["--version"]),
        (["-"], ["--version", "--help"]),
        (["set", "--query-d"], ["--query-drop"]),
        (["get", "--json"], ["--json", "--json-array"]),
        # Only options that can be repeated are offered again.
        (["get", "--json", "--json"], ["--json-array"]),
        (["get", "--file", "a", "--fil"], ["--file"]),
        (["check", "--profile", "w"], ["web"]),
        (["check", "--profile=w"], ["--profile=web"]),
        (["check", "--profile", "=", "w"], ["web"]),  # as bash splits the word
        (["check", "--profile", "="], ["generic", "web", "rdf", "strict"]),
        (["check", "--policy", ""], []),
        (["template", "ex"], ["expand"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["template", "expand", "ex"], []),
        (["extract", "READ"], []),
        (["sett", "--"], []),
    ],
)
def test_the_last_word_is_completed(words: list[str], candidates: list[str]) -> None:
    assert complete(*words) == candidates


def test_completions_have_descriptions_where_the_shell_shows_them() -> None:
    assert complete("norm", shell="zsh") == ["normalize:Normalize URIs (RFC 3986, 6.2.2)."]
    assert complete("get", "-z", shell="fish") == ["-z\tSeparate lines by NUL in input and output."]
    assert complete("policy", "r", shell="fish") == ["review"]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(name: str) -> None:
    result = run_uriverse(["completion", name])
    assert (result.exit_code, result.stderr) == (0, "")
    assert f"uriverse completion {name} -- " in result.stdout


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


@unix
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


@unix
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


@unix
def test_bash_completes_commands_and_options(environment: dict[str, str], tmp_path: Path) -> None:
    # Call the function that `complete` registers, as bash does when a user presses Tab.
    script = """
    eval "$(uriverse completion bash)"
    for words in "uriverse norm" "uriverse set --query-d" "uriverse extract READ"; do
        COMPREPLY=() COMP_WORDS=($words) COMP_CWORD=$(($(wc -w <<< "$words") - 1))
        $(complete -p uriverse | sed 's/.*-F \\([^ ]*\\).*/\\1/') uriverse
        echo "${COMPREPLY[@]}"
    done
    complete -p uriverse
    """
    result = subprocess.run(
        [shell("bash"), "-c", script],
        capture_output=True,
        check=False,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    *found, registered = result.stdout.splitlines()
    assert found == ["normalize", "--query-drop", ""], result.stderr
    # bash completes file names itself.
    assert "-o default" in registered
