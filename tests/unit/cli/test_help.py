import re
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from command_runner import printed, run_uriverse

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
def _files(_empty_folder: None) -> None:
    for name, content in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(content, "utf-8")


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
    if "log.parquet" in example:
        parquet: Any = pytest.importorskip("pyarrow.parquet")
        table: Any = pytest.importorskip("pyarrow").table
        parquet.write_table(table({"url": ["http://example.org/"]}), "log.parquet")
    arguments, given = parsed(example)
    if arguments[0] == "sql":
        pytest.importorskip("duckdb", reason="needs duckdb (pip install --group test-all)")
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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_one_line_in_the_help_that_is_a_sentence(name: str) -> None:
    lines = printed(f"{name} --help").splitlines()
    options = lines[lines.index("Options:") + 1 : lines.index("Examples:") - 1]
    assert [line for line in options if not line.startswith("  -")] == []
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
    lines = printed("to-uri --help").splitlines()
    assert "  --host [percent|idna]  Choose how to convert hosts.  [default: percent]" in lines
    assert "  --max-errors NUMBER    Stop at this many invalid IRIs.  [x>=1]" in lines
    assert "  -f, --file FILE        Read an IRI from each line of FILE; - is stdin." in lines
    assert printed("compare -h").startswith("Usage: uriverse compare [OPTIONS] A B\n")
    usage = "Usage: uriverse template [OPTIONS] ACTION TEMPLATE|ROUTES [INPUT]...\n"
    assert printed("template -h").startswith(usage)
