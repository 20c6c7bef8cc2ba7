"""The command `uriverse-compare`."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import Any, NoReturn

from uriverse import __version__, compiled, redact

from ._browsers import FINDERS as BROWSERS
from ._comparison import compare_all
from ._drawing import escape_controls
from ._installed import NAMES, installed

DESCRIPTION = """\
Show which hosts and ports other software finds in URIs.

The command runs the Python packages, C libraries and other languages that are installed.
Parsers that find the same host and port share a line. No parser opens a network connection."""

EXAMPLES = """\
examples:
  uriverse-compare 'http://good.example\\@evil.example/'
  uriverse-compare --all "http://good.example:80/"
  uriverse-compare --json 'http://0x7f.1/' | jq .groups"""


class Program(ArgumentParser):
    """A parser whose errors are one line without secrets."""

    def print_help(self, file: Any = None) -> None:
        # The method of argparse ignores that standard output is closed.
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {escape_controls(redact(message))}; see '{self.prog} --help'\n")


def make_parser() -> ArgumentParser:
    program = Program(
        "uriverse-compare",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    program.add_argument("texts", nargs="+", metavar="URI")
    for flag, text in (
        ("--all", "Print every component that each parser finds."),
        ("--browsers", "Run browsers too, which takes some seconds."),
        ("--json", "Print one JSON object per line."),
    ):
        program.add_argument(flag, action="store_true", help=text)
    engine = "compiled kernel" if compiled else "pure Python, no compiled kernel"
    version = f"uriverse-compare {__version__} ({engine})"
    text = "Print the version and exit."
    program.add_argument("--version", action="version", version=version, help=text)
    return program


def run(arguments: Sequence[str]) -> None:
    options = make_parser().parse_args(arguments)
    parsers = installed([*NAMES, *BROWSERS]) if options.browsers else None
    comparisons = compare_all(options.texts, parsers)
    if options.json:
        print("\n".join(json.dumps(comparison.as_dict()) for comparison in comparisons))
    else:
        drawings = [
            comparison.in_full() if options.all else str(comparison) for comparison in comparisons
        ]
        print("\n\n".join(drawings))


def print_error(message: str) -> None:
    print(f"uriverse-compare: {message}", file=sys.stderr, flush=True)


def main() -> NoReturn:
    """Run the command with the arguments of the process, and exit with its status."""
    if sys.stdout is None:
        print_error("standard output is closed; redirect it to a file or /dev/null")
        sys.exit(2)
    # Escape characters that the encoding of the terminal does not have.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        try:
            run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Prevent Python from flushing the remaining output at exit, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + 13)
    except OSError as error:
        print_error(str(error.strerror))
        os._exit(2)  # standard output cannot be flushed
    except KeyboardInterrupt:
        sys.exit(128 + 2)
    sys.exit()
