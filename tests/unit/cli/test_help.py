"""The help of each command: its examples run, and its options have one line each."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from uriverse._cli.commands import uriverse
from uriverse._cli.examples import EXAMPLES
from uriverse._cli.loading import COMMANDS

#: The files that the examples read.
FILES = {
    "log.csv": "url\nhttp://example.org/\n",
    "urls.txt": "http://example.org/a?utm_id=1&q=2\nHTTP://example.org/%7eb\n",
    "docs.txt": "https://example.org/docs/a\nhttps://example.org/docs/b/c\n",
    "links.txt": "a.html\n../b?c\n",
    "iris.txt": "http://bücher.example/rosé\n",
    "names.txt": "50% of a/b\n",
    "queries.txt": "caf%C3%A9\n%FF\n",
    "README.md": "See <http://example.org/a>, or http://example.org/b.\n",
    "routes.txt": "page http://example.org/{page}{?q}\n",
    "policy.toml": 'allow = ["example.org", "*.example.org"]\n',
    "docs/a.md": "[Home](../README.md) ![Logo](logo.png)",
    "docs/logo.png": "",
    "in/a.csv": "url,page\n../c,http://example.org/a/b\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("docs", "in"):
        Path(folder).mkdir()
    for name, content in FILES.items():
        Path(name).write_text(content, "utf-8")
    parquet: Any = import_module("pyarrow.parquet")
    table: Any = import_module("pyarrow").table
    parquet.write_table(table({"url": ["http://example.org/"]}), "log.parquet")


def parsed(example: str) -> tuple[list[str], str]:
    """Return the arguments of `uriverse` in a shell command, and its standard input."""
    # Unwrap a command substitution, and remove a comment at the end.
    plain = re.sub(r"\s+# .*", "", re.sub(r'eval "\$\((.*)\)"', r"\1", example))
    words = shlex.shlex(plain, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    words.commenters = ""
    tokens = list(words)
    given = tokens[1] if tokens[0] == "echo" else ""
    arguments: list[str] = []
    for word in tokens[tokens.index("uriverse") + 1 :]:
        if word in {"|", ">", "<", "&&"}:
            break
        arguments.append(word)
    if "<" in tokens:
        given = Path(tokens[tokens.index("<") + 1]).read_text("utf-8")
    return arguments, given


@pytest.mark.parametrize("example", list(chain.from_iterable(EXAMPLES.values())))
def test_every_example_succeeds(example: str) -> None:
    arguments, given = parsed(example)
    result = CliRunner().invoke(uriverse, arguments, input=given)
    assert result.exit_code == 0, result.output
    is_quiet = {"check", "policy"} & {arguments[0]} or {"--in-place", "--dead", "-o"} & {*arguments}
    assert result.output or is_quiet


def test_every_command_has_examples() -> None:
    assert list(EXAMPLES) == ["uriverse", *COMMANDS]
    for command, examples in EXAMPLES.items():
        assert 2 <= len(examples) <= 3
        assert all(command in example for example in examples)


def test_the_table_of_commands_repeats_the_summary_of_each_command() -> None:
    context = click.Context(uriverse)
    commands = {name: uriverse.get_command(context, name) for name in COMMANDS}
    summaries = {name: c and c.get_short_help_str(limit=1000) for name, c in commands.items()}
    assert {name: summary for name, (_, summary) in COMMANDS.items()} == summaries


def test_the_main_help_imports_no_command() -> None:
    program = "import sys; from uriverse._cli import run; sys.argv[1:] = ['--help']; run();"
    modules = {f"uriverse._cli.{module}" for module, _ in COMMANDS.values()}
    program += f"print({modules!r} & sys.modules.keys())"
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert printed.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_one_line_in_the_help(name: str) -> None:
    lines = CliRunner().invoke(uriverse, [name, "--help"]).stdout.splitlines()
    options = lines[lines.index("Options:") + 1 : lines.index("Examples:") - 1]
    assert [line for line in options if not line.startswith("  -")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_is_a_sentence(name: str) -> None:
    command = uriverse.get_command(click.Context(uriverse), name)
    assert command
    helps = [option.help or "" for option in command.params if isinstance(option, click.Option)]
    # A default may follow the sentence.
    sentences = [text.partition("  [")[0] for text in helps]
    assert [text for text in sentences if not text[:1].isupper() or text[-1] not in ".)"] == []
