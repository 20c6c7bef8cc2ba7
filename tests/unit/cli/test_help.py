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

import pytest
from command_runner import run_uriverse

from uriverse._cli.commands import COMMANDS, EXAMPLES, find_command

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
    result = run_uriverse(arguments, input=given)
    assert result.exit_code == 0, result.output
    is_quiet = {"check", "policy"} & {arguments[0]} or {"--in-place", "--dead", "-o"} & {*arguments}
    assert result.output or is_quiet


def test_every_command_has_examples() -> None:
    assert list(EXAMPLES) == ["uriverse", *COMMANDS]
    for command, examples in EXAMPLES.items():
        assert 2 <= len(examples) <= 3
        assert all(command in example for example in examples)


def test_the_table_of_commands_repeats_the_summary_of_each_command() -> None:
    summaries = {name: find_command(name).summary.split("\n")[0] for name in COMMANDS}
    assert {name: summary for name, (_, summary) in COMMANDS.items()} == summaries


def test_the_main_help_imports_no_command() -> None:
    program = "import sys; from uriverse._cli import run; run(['--help']);"
    modules = {f"uriverse._cli.{module}" for module, _ in COMMANDS.values()}
    modules.remove("uriverse._cli.help")  # the module of `completion` too
    program += f"print({modules!r} & sys.modules.keys())"
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert printed.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_one_line_in_the_help(name: str) -> None:
    lines = run_uriverse([name, "--help"]).stdout.splitlines()
    options = lines[lines.index("Options:") + 1 : lines.index("Examples:") - 1]
    assert [line for line in options if not line.startswith("  -")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_is_a_sentence(name: str) -> None:
    sentences = [option.settings["help"] for option in find_command(name).options.values()]
    assert [text for text in sentences if not text[:1].isupper() or text[-1] not in ".)"] == []


def test_the_help_fits_the_terminal() -> None:
    for width in (50, 80, 200):
        lines = run_uriverse(["--help"], env={"COLUMNS": str(width)}).stdout.splitlines()
        text = lines[: lines.index("Examples:")]
        assert max(map(len, text)) <= min(width, 100)
        assert [name for name in COMMANDS if not any(f"  {name} " in line for line in text)] == []
    narrow = run_uriverse(["get", "--help"], env={"COLUMNS": "50"}).stdout
    start = "  --format FORMAT         Print FORMAT, such as\n"
    assert start + " " * 26 + "'{scheme}://{host}'.\n" in narrow


def test_the_help_shows_the_values_and_the_defaults_of_options() -> None:
    lines = run_uriverse(["to-uri", "--help"]).stdout.splitlines()
    assert "  --host [percent|idna]  Choose how to convert hosts.  [default: percent]" in lines
    assert "  --max-errors NUMBER    Stop at this many invalid IRIs.  [x>=1]" in lines
    assert "  -f, --file FILE        Read an IRI from each line of FILE; - is stdin." in lines
    usages = [run_uriverse([name, "-h"]).stdout.split("\n")[0] for name in ("compare", "template")]
    assert usages == [
        "Usage: uriverse compare [OPTIONS] A B",
        "Usage: uriverse template [OPTIONS] ACTION TEMPLATE|ROUTES [INPUT]...",
    ]
