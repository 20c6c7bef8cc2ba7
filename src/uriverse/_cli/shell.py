"""The command `uriverse completion`."""

from __future__ import annotations

import sys

from .commands import COMMANDS, find_command
from .declarations import argument, command
from .help import program

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
    for word, text in candidates.items():
        print(f"{word}{SEPARATORS[shell]}{text}" if shell in SEPARATORS and text else word)
    sys.exit(0 if candidates else 1)


def list_candidates(before: list[str], last: str) -> dict[str, str]:
    """Return the words that may take the place of the last one, with their help."""
    if before and before[0] not in COMMANDS:
        return {}
    command = find_command(before[0]) if before else program
    flag, equals, _ = last.partition("=")
    option = command.options.get(flag if equals else before[-1] if before else "")
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
        argument = next(each for each in command.parameters if not each.flags)
        candidates = dict.fromkeys(argument.choices, "")
    return {word: text for word, text in candidates.items() if word.startswith(last)}
