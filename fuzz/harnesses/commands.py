"""The command line: no arguments and no input cause a traceback."""

from __future__ import annotations

import os
import tempfile

from command_runner import run_uriverse
from draws import Draws, decoded

from uriverse._cli.commands import COMMANDS, find_command

NAMES = tuple(COMMANDS)
OPTIONS = tuple(
    sorted({flag for name in NAMES for flag in find_command(name).options} - {"--help"})
)
#: Values of options, and other arguments.
WORDS = ("json", "host", "path", "x=1", "lines", "text", "-", "0", "")
#: Runs where no file exists, so that an argument never names one.
FOLDER = tempfile.mkdtemp(prefix="uriverse-fuzz-")


def check(data: bytes) -> None:
    """Run one command with random options, arguments and standard input."""
    draws = Draws(data)
    words = [draws.choice(NAMES)]
    for _ in range(draws.randrange(4)):
        kind = draws.randrange(4)
        if kind == 0:
            words.append(draws.choice(OPTIONS))
        elif kind == 1:
            words.append(draws.choice(WORDS))
        else:
            words += draws.strings("IRI-reference")
    words = [as_argument(word) for word in words]
    given = draws.choice((None, decoded(draws.rest())))
    before = os.getcwd()  # noqa: PTH109 - restored as it was
    os.chdir(FOLDER)
    try:
        octets = None if given is None else given.encode("utf-8", "surrogatepass")
        result = run_uriverse(words, octets)
    finally:
        os.chdir(before)
    assert result.exit_code in {0, 1, 2}, (words, given, result.exit_code, result.output)
    assert "Traceback" not in result.output


def as_argument(word: str) -> str:
    """Return a string that the operating system could pass as an argument (PEP 383)."""
    octets = word.replace("\0", "").encode("utf-8", "surrogatepass")
    return octets.decode("utf-8", "surrogateescape")
