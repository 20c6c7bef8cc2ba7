"""The command line: no arguments and no input cause a traceback."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from click.testing import CliRunner
from draws import Draws, decoded

from uriverse._cli.commands import uriverse
from uriverse._cli.loading import COMMANDS

#: The command that writes files, and the one whose output click generates.
OTHERS = {"columns", "completion"}
NAMES = tuple(name for name in COMMANDS if name not in OTHERS)
OPTIONS = tuple(
    sorted(
        {
            option
            for name in NAMES
            for parameter in uriverse.get_command(None, name).params  # type: ignore[union-attr, arg-type]
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("-") and option != "--help"
        }
    )
)
#: Values of options, and other arguments.
WORDS = ("json", "host", "path", "x=1", "lines", "text", "-", "0", "")
#: Runs where no file exists, so that an argument never names one.
FOLDER = tempfile.mkdtemp(prefix="uriverse-fuzz-")


class Runner(CliRunner):
    """Runs commands with a standard output that escapes characters, as `uriverse._cli.run` does."""

    @contextmanager
    def isolation(self, *given: Any, **named: Any) -> Iterator[Any]:
        with super().isolation(*given, **named) as streams:
            sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            yield streams


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
        result = Runner().invoke(
            uriverse, words, input=None if given is None else given.encode("utf-8", "surrogatepass")
        )
    finally:
        os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(words, given) from result.exception
    assert result.exit_code in {0, 1, 2}, (words, given, result.exit_code, result.output)
    assert "Traceback" not in result.output


def as_argument(word: str) -> str:
    """Return a string that the operating system could pass as an argument (PEP 383)."""
    octets = word.replace("\0", "").encode("utf-8", "surrogatepass")
    return octets.decode("utf-8", "surrogateescape")
