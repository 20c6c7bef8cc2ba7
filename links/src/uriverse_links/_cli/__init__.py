"""The command `uriverse-links`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any, cast

from uriverse_links._destinations import quote_text

from .output import (
    KILLED,
    MISUSE,
    MisuseError,
    Program,
    describe_os_error,
    print_error,
    write_to_stderr,
)

#: The commands: the module and the function of each, and its line in the help.
COMMANDS = {
    "find": ("finding", "find_links", "Print the links in documents."),
    "dead": ("finding", "find_dead", "Report links to missing files and anchors."),
    "check": ("checking", "check_files", "Report invalid, ambiguous and misleading URIs."),
    "set": ("editing", "set_components", "Edit components and query parameters of links."),
    "normalize": ("editing", "normalize_links", "Normalize links (RFC 3986, 6.2.2)."),
    "repair": ("editing", "repair_links", "Turn malformed links into valid URIs."),
    "resolve": ("editing", "resolve_links", "Make links absolute (RFC 3986, 5)."),
    "relativize": ("editing", "relativize_links", "Make links relative to their document."),
}

SUMMARY = "Find, check and edit the links in Markdown, HTML, XML and other documents.\n\ncommands:"
ADVICE = "Run 'uriverse-links COMMAND --help' for the options and examples of a command."

#: The exit status after Ctrl-C, which sends the signal 2, and after a closed pipe (signal 13).
INTERRUPTED, PIPE_CLOSED = KILLED + 2, KILLED + 13


def main() -> int:
    """Run the command that `sys.argv` names, and return its exit status."""
    Program.name = "uriverse-links"
    if cast("Any", sys.stdout) is None:
        print_error("standard output is closed; redirect it to a file or /dev/null")
        return MISUSE
    # Escape characters that the encoding of the terminal does not have.
    cast("Any", sys.stdout).reconfigure(errors="backslashreplace")
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Prevent Python from flushing the remaining output at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = PIPE_CLOSED
    except MisuseError as error:
        print_error(str(error))
        status = MISUSE
    except OSError as error:
        print_error(describe_os_error(error))
        status = MISUSE
    except KeyboardInterrupt:
        write_to_stderr("")
        status = INTERRUPTED
    return status


def run(words: list[str]) -> int:
    if not words or words[0] in {"-h", "--help"}:
        print(format_help())
        return 0 if words else MISUSE
    if words[0] == "--version":
        from uriverse import __version__, compiled

        engine = "compiled kernel" if compiled else "pure Python, no compiled kernel"
        print(f"uriverse-links {__version__} ({engine})")
        return 0
    name = words[0]
    if name not in COMMANDS:
        nearest = get_close_matches(name, COMMANDS, n=1)
        advice = f"did you mean {nearest[0]!r}?" if nearest else "see 'uriverse-links --help'"
        raise MisuseError(f"no such command {quote_text(name)}; {advice}")
    Program.name = f"uriverse-links {name}"
    from .options import create_parser

    options = create_parser(name).parse(words[1:])
    module, function, _ = COMMANDS[name]
    command: Callable[[Any], int] = getattr(import_module(f".{module}", __name__), function)
    return command(options)


def format_help() -> str:
    rows = [f"  {name:<12}{summary}" for name, (_, _, summary) in COMMANDS.items()]
    return "\n".join(["usage: uriverse-links COMMAND ...", "", SUMMARY, *rows, "", ADVICE])
