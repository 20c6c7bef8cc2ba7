"""The help of the command line, and of `uriverse` without a command."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable

from .commands import COMMANDS, EXAMPLES
from .declarations import HELP, Command, Parameter, command, option
from .output import version_line


# The summary is one paragraph, so that the help fits on a screen.
@command(
    "uriverse",
    summary="Parse, check, edit, resolve and compare URIs and IRIs (RFC 3986, RFC 3987), in "
    "arguments or on standard input. The exit status is 1 if any is invalid.",
)
@option("--version", is_flag=True, help="Print the version and exit.")
def program(version: bool) -> None:  # noqa: ARG001 - no other option has an effect
    print(version_line())


def format_help(command: Command) -> str:
    """Return the help of a command, for the width of the terminal."""
    width = max(min(shutil.get_terminal_size().columns, 100) - 2, 50)
    sections = [f"Usage: {format_usage(command)}"]
    sections += [format_paragraph(paragraph, width) for paragraph in split_paragraphs(command)]
    sections.append(f"Options:\n{format_rows(list_options(command), width)}")
    if command is program:
        room = width - 6 - max(map(len, COMMANDS))
        # Each row is a line, on a narrow terminal too.
        rows = [
            (name, textwrap.shorten(summary, room, placeholder="..."))
            for name, (_, summary) in COMMANDS.items()
        ]
        sections.append(f"Commands:\n{format_rows(rows, width)}")
    examples = "\n".join(f"  {example}" for example in EXAMPLES[command.name])
    sections.append(f"Examples:\n{examples}")
    if command is program:
        advice = "Run 'uriverse COMMAND --help' for the options and examples of a command."
        sections.append(format_paragraph(advice, width))
    return "\n\n".join(sections)


def format_usage(command: Command) -> str:
    """Return the command with its arguments, such as `uriverse normalize [OPTIONS] [URI]...`."""
    if command is program:
        return "uriverse [OPTIONS] COMMAND [ARGS]..."
    arguments = [each.metavar for each in command.parameters if not each.flags]
    return " ".join(["uriverse", command.name, "[OPTIONS]", *arguments])


def split_paragraphs(command: Command) -> list[str]:
    # Docstrings are indented before Python 3.13.
    return [textwrap.dedent(paragraph) for paragraph in command.summary.strip().split("\n\n")]


def format_paragraph(paragraph: str, width: int) -> str:
    """Wrap and indent a paragraph. A table, which is aligned by spaces, keeps its lines."""
    if "  " in paragraph:
        return textwrap.indent(paragraph, "  ")
    return textwrap.fill(paragraph, width, initial_indent="  ", subsequent_indent="  ")


def list_options(command: Command) -> list[tuple[str, str]]:
    """Return the options of a command with their help, as rows."""
    hidden = {name for _, _, names in command.condensed for name in names}
    rows = [(title, text) for title, text, _ in command.condensed]
    options = [each for each in (*command.parameters, HELP) if each.flags]
    return rows + [describe_option(each) for each in options if each.name not in hidden]


def describe_option(option: Parameter) -> tuple[str, str]:
    """Return the flags of an option with its value, and its help with its default."""
    flags, settings = ", ".join(option.flags), option.settings
    note = f"  [x>={settings['least']}]" if "least" in settings else ""
    if settings.get("show_default"):
        note = f"  [default: {settings['default']}]"
    return flags if option.is_flag else f"{flags} {option.metavar}", f"{settings['help']}{note}"


def format_rows(rows: Iterable[tuple[str, str]], width: int) -> str:
    """Return lines in two columns: titles, and texts that are wrapped."""
    indent = 4 + max(len(title) for title, _ in rows)
    return "\n".join(
        textwrap.fill(
            text,
            max(width, indent + 10),
            initial_indent=f"  {title}".ljust(indent),
            subsequent_indent=" " * indent,
        )
        for title, text in rows
    )


def describe_unknown_command(name: str) -> str:
    """Return the message about an unknown command."""
    from difflib import get_close_matches
    from shlex import quote

    meant = " or ".join(map(repr, get_close_matches(name, COMMANDS)))
    if not meant and any(character in name for character in ":/."):
        return f"no command before the URI; run: uriverse explain {quote(name)}"
    return f"no such command {name!r}" + (f"; did you mean {meant}?" if meant else "")
