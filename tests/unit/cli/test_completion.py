"""Shells complete commands, options, their values and file names of `uriverse`.

The tests of a shell run the shell itself, and are skipped where the shell is not installed.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import printed, run
from platforms import unix


def complete(*words: str, shell: str = "bash") -> list[str]:
    result = run(f"completion {shell} --", *words)
    assert (result.exit_code, result.stderr) == (0 if result.stdout else 1, "")
    return result.stdout.splitlines()


def test_the_last_word_is_completed() -> None:
    for words, candidates in [
        *((["norm"], ["normalize"]), (["--v"], ["--version"]), (["-"], ["--version", "--help"])),
        (["set", "--query-d"], ["--query-drop"]),
        (["get", "--json"], ["--json", "--json-array"]),
        # Only options that can be repeated are offered again.
        (["get", "--json", "--json"], ["--json-array"]),
        *((["get", "--file", "a", "--fil"], ["--file"]), (["check", "--profile", "w"], ["web"])),
        (["check", "--profile=w"], ["--profile=web"]),
        (["check", "--profile", "=", "w"], ["web"]),  # as bash splits the word
        (["check", "--profile", "="], ["generic", "web", "rdf", "strict"]),
        *((["check", "--policy", ""], []), (["template", "ex"], ["expand"])),
        *((["completion", ""], ["bash", "zsh", "fish"]), (["template", "expand", "ex"], [])),
        *((["extract", "READ"], []), (["sett", "--"], [])),
    ]:
        assert complete(*words) == candidates


def test_completions_have_descriptions_where_the_shell_shows_them() -> None:
    assert complete("norm", shell="zsh") == ["normalize:Normalize URIs (RFC 3986, 6.2.2)."]
    assert complete("get", "-z", shell="fish") == ["-z\tSeparate lines by NUL in input and output."]
    assert complete("policy", "r", shell="fish") == ["review"]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(name: str) -> None:
    assert f"uriverse completion {name} -- " in printed(f"completion {name}")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell that finds the command, and that reads no files of the user."""
    command = tmp_path / "bin" / "uriverse"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "uriverse"])} "$@"\n')
    command.chmod(0o755)
    (tmp_path / "READTHIS").write_text("See <http://found.example/>.", "utf-8")
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    folders = ("HOME", "ZDOTDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    return {**os.environ, "PATH": path, "TERM": "dumb", **dict.fromkeys(folders, str(tmp_path))}


def complete_in(shell: str, script: str, environment: dict[str, str]) -> list[str]:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    result = subprocess.run(
        [path, "-c", script], capture_output=True, check=False, text=True, env=environment
    )
    assert result.stderr == ""
    return result.stdout.splitlines()


@unix
def test_fish_completes_commands_options_and_files(environment: dict[str, str]) -> None:
    script = """
    uriverse completion fish | source
    for words in "uriverse norm" "uriverse set --query-d" "uriverse extract READ"
        complete -C $words
    end
    """
    # A tab separates a completion from its description.
    found = [line.partition("\t")[0] for line in complete_in("fish", script, environment)]
    assert found == ["normalize", "--query-drop", "READTHIS"]


@unix
def test_bash_completes_commands_and_options(environment: dict[str, str]) -> None:
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
    *found, registered = complete_in("bash", script, environment)
    assert found == ["normalize", "--query-drop", ""]
    # bash completes file names itself.
    assert "-o default" in registered


@unix
@pytest.mark.slow  # it takes 4 s, as long as all other tests of completion
def test_zsh_completes_commands_options_and_files(environment: dict[str, str]) -> None:
    pty = pytest.importorskip("pty", reason="needs terminals of Unix")
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("zsh is not installed")
    script = 'autoload -U compinit; compinit -u -D; eval "$(uriverse completion zsh)"\n'
    Path(".zshrc").write_text(script, "utf-8")
    lines = [
        *("uriverse norm\tHTTP://A.example/", "uriverse set --query-d\tq 'http://b.example/?q'"),
        *("uriverse extract READ\t", "exit 0"),
    ]
    ours, theirs = pty.openpty()
    with subprocess.Popen([zsh, "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        os.write(ours, "".join(f"{line}\n" for line in lines).encode())
        output = b""
        try:
            while part := os.read(ours, 4096):
                output += part
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    answers = output.decode(errors="replace").replace("\r", "").splitlines()
    for answer in ("http://a.example/", "http://b.example/", "http://found.example/"):
        assert answer in answers, output
