"""Write the man pages of the commands, docs/man/*.1 and compare/man/*.1, from their help.

    python tools/make_man.py

The pages are not stored: a release makes them before it builds the archives.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from uriverse._cli.commands import COMMANDS, EXAMPLES, HELP, Command, find_command
from uriverse._cli.help import describe_option, format_usage, program, split_paragraphs
from uriverse._uri.version import __version__

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "man"

#: The pages whose name is not that of the command: `uriverse-compare` is a program of its own.
NAMES = {"compare": "compare-command"}


def format_page(command: Command) -> str:
    """Return the man page of a command."""
    name = "uriverse" if command is program else f"uriverse {command.name}"
    options = [option for option in command.options.values() if option is not HELP]
    lines = format_start(
        name,
        NAMES.get(command.name, command.name) if command is not program else "",
        format_usage(command).removeprefix(f"{name} "),
        split_paragraphs(command),
        [describe_option(option) for option in dict.fromkeys(options)],
    )
    if command is program:
        lines.append(".SH COMMANDS")
        for other, (_, summary) in COMMANDS.items():
            page = f"\\fBuriverse-{NAMES.get(other, other)}(1)\\fP"
            lines += [".PP", f"\\fB{other}\\fP", f"  {summary}"]
            lines.append(f"  See {page} for full documentation on the \\fB{other}\\fP command.")
    return finish_page(lines, EXAMPLES[command.name])


def format_comparing_program() -> str:
    """Return the page of the program `uriverse-compare`, which its distribution installs."""
    sys.path.insert(0, str(ROOT / "compare" / "src"))
    parser = importlib.import_module("uriverse_compare._cli").make_parser()
    _help, _texts, *flags = parser._actions
    options = [(flag.option_strings[0], flag.help) for flag in flags]
    paragraphs = parser.description.split("\n\n")
    lines = format_start(parser.prog, "", "[OPTIONS] URI...", paragraphs, options)
    return finish_page(lines, [line.strip() for line in parser.epilog.splitlines()[1:]])


def format_start(
    name: str, page: str, usage: str, paragraphs: list[str], options: list[tuple[str, str]]
) -> list[str]:
    """Return the lines of a page before its examples.

    Args:
        name: the name of the program and the command.
        page: the name of the command in the name of the page; empty for a program.
        usage: the arguments.
        paragraphs: the description.
        options: the flags and the help of each option.
    """
    title = f"{name.partition(' ')[0]}-{page}" if page else name
    first, *others = paragraphs
    lines = [
        # The date is missing, because it would change the pages every day.
        f'.TH "{name.upper()}" "1" " " "{__version__}" "{name} Manual"',
        ".SH NAME",
        f"{escape_hyphens(title)} \\- {first.rstrip('.')}",
        ".SH SYNOPSIS",
        f".B {name}",
        usage,
        ".SH DESCRIPTION",
        first,
    ]
    for paragraph in others:
        # roff does not join the lines of a table.
        is_table = "  " in paragraph
        lines += [".PP", *([".nf", escape_lines(paragraph), ".fi"] if is_table else [paragraph])]
    lines += [".SH OPTIONS"] * bool(options)
    for flags, text in options:
        flag, _, others_of_title = escape_hyphens(flags).partition(" ")
        lines += [".TP", f"\\fB{flag}\\fP {others_of_title}".rstrip(), text]
    return lines


def finish_page(lines: list[str], examples: Sequence[str]) -> str:
    return "\n".join([*lines, ".SH EXAMPLES", ".nf", escape_lines("\n".join(examples)), ".fi", ""])


def escape_hyphens(text: str) -> str:
    return text.replace("-", r"\-")


def escape_lines(lines: str) -> str:
    """Escape lines that start with a control character of roff, and backslashes."""
    return re.sub(r"^(?=[.'])", r"\\&", lines.replace("\\", "\\e"), flags=re.MULTILINE)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the file name and the content of each page."""
    for name in COMMANDS:
        yield f"uriverse-{NAMES.get(name, name)}.1", format_page(find_command(name))
    yield "uriverse.1", format_page(program)


def made() -> dict[Path, str]:
    """Return the content of each page by its path."""
    page = ROOT / "compare" / "man" / "uriverse-compare.1"
    return {page: format_comparing_program(), **{FOLDER / name: text for name, text in pages()}}


if __name__ == "__main__":
    for path, page in made().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, "utf-8")
