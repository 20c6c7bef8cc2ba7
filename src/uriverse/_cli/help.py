"""The help of the command line, and the command `uriverse completion`."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable

from .commands import (
    COMMANDS,
    EXAMPLES,
    HELP,
    Command,
    Parameter,
    argument,
    command,
    find_command,
    option,
)
from .output import format_version


# The summary is one paragraph, so that the help fits on a screen.
@command(
    "uriverse",
    summary="Parse, check, edit, resolve and compare URIs and IRIs (RFC 3986, RFC 3987), in "
    "arguments or on standard input. The exit status is 1 if any is invalid.",
)
@option("--version", is_flag=True, help="Print the version and exit.")
def program(version: bool) -> None:  # noqa: ARG001 - no other option has an effect
    print(format_version())


def format_help(command: Command) -> str:
    width = max(min(shutil.get_terminal_size().columns, 100) - 2, 50)
    sections = [f"Usage: {format_usage(command)}"]
    sections += [format_paragraph(paragraph, width) for paragraph in split_paragraphs(command)]
    sections.append(f"Options:\n{format_rows(list_options(command), width)}")
    if command is program:
        # Each row is a line, on a narrow terminal too: what remains beside the names.
        room = width - 6 - max(map(len, COMMANDS))
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
    if command is program:
        return "uriverse [OPTIONS] COMMAND [ARGS]..."
    arguments = [parameter.metavar for parameter in command.parameters if not parameter.flags]
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
    """Return the rows of the help: those that stand for several options, and all other options."""
    rows = [(title, text) for title, text, _ in command.condensed]
    condensed_names = {name for _, _, names in command.condensed for name in names}
    options = [parameter for parameter in (*command.parameters, HELP) if parameter.flags]
    rows += [describe_option(option) for option in options if option.name not in condensed_names]
    return rows


def describe_option(option: Parameter) -> tuple[str, str]:
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
    from difflib import get_close_matches
    from shlex import quote

    similar_names = " or ".join(map(repr, get_close_matches(name, COMMANDS)))
    if not similar_names and any(character in name for character in ":/."):
        return f"no command before the URI; run: uriverse explain {quote(name)}"
    advice = f"; did you mean {similar_names}?" if similar_names else ""
    return f"no such command {name!r}{advice}"


#: The script of each shell. It passes the words before the cursor to this command, which prints
#: the words that may take the place of the last one. Without any, the shell completes files.
SCRIPTS = {
    "bash": """\
_uriverse() {
    local IFS=$'\\n'
    COMPREPLY=($(uriverse completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _uriverse uriverse""",
    "zsh": """\
_uriverse() {
    local output candidates
    if output=$(uriverse completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null); then
        candidates=("${(@f)output}")
        _describe 'uriverse' candidates
    else
        _files
    fi
}
compdef _uriverse uriverse""",
    "fish": """\
function __uriverse
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    uriverse completion fish -- $words[2..] "$word" 2>/dev/null
    or __fish_complete_path "$word"
end
complete -c uriverse -f -a '(__uriverse)'""",
}

#: The character between a word and its help, in the shells that show the help.
SEPARATORS = {"zsh": ":", "fish": "\t"}


@command("completion")
@argument("shell", type=tuple(SCRIPTS))
@argument("words", nargs=-1, metavar="[WORD]...")
def completion_command(shell: str, words: tuple[str, ...]) -> None:
    """Print a script that completes commands in a shell.

    SHELL is bash, zsh or fish. Run the script when the shell starts, as in the examples. It
    calls this command with the WORDs of a line, to list what may take the place of the last
    one.
    """
    if not words:
        print(SCRIPTS[shell])
        return
    # bash splits "--profile=w" into three words.
    *before, last = words
    before = [word for word in before if word != "="]
    candidates = list_candidates(before, last.removeprefix("="))
    for word, help_text in candidates.items():
        shows_help = help_text and shell in SEPARATORS
        print(f"{word}{SEPARATORS[shell]}{help_text}" if shows_help else word)
    sys.exit(0 if candidates else 1)


def list_candidates(before: list[str], last: str) -> dict[str, str]:
    if before and before[0] not in COMMANDS:
        return {}
    command = find_command(before[0]) if before else program
    flag, equals, _ = last.partition("=")
    # The last word may be the value of an option, after an equals sign or in a word of its own.
    previous_word = before[-1] if before else ""
    option = command.options.get(flag if equals else previous_word)
    candidates: dict[str, str] = {}
    if option and not option.is_flag:
        prefix = f"{flag}=" if equals else ""
        candidates = {f"{prefix}{choice}": "" for choice in option.choices}
    elif last.startswith("-"):
        candidates = {
            str(option): option.settings["help"]
            for option in dict.fromkeys(command.options.values())
            if option.multiple or str(option) not in before
        }
    elif not before:
        candidates = {name: summary for name, (_, summary) in COMMANDS.items()}
    elif len(before) == 1:
        argument = next(parameter for parameter in command.parameters if not parameter.flags)
        candidates = dict.fromkeys(argument.choices, "")
    return {word: text for word, text in candidates.items() if word.startswith(last)}
