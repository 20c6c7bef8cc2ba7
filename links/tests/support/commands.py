"""Run the command `uriverse-links` in this process."""

import io
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from uriverse_links._cli import main
from uriverse_links._cli.output import Program


class Result(NamedTuple):
    exit_code: int
    stdout_bytes: bytes
    stderr_bytes: bytes

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "surrogateescape")

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode("utf-8", "surrogateescape")

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


class Stream(io.TextIOWrapper):
    def __init__(self, octets: bytes = b"", *, is_terminal: bool = False) -> None:
        self.octets = io.BytesIO(octets)
        super().__init__(self.octets, "utf-8", newline="", write_through=True)
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


def run(*words: str, given: bytes | str = b"", is_terminal: bool = False) -> Result:
    octets = given if isinstance(given, bytes) else given.encode()
    out, err = Stream(is_terminal=is_terminal), Stream(is_terminal=is_terminal)
    with (
        mock.patch.object(sys, "argv", ["uriverse-links", *words]),
        mock.patch.object(Program, "name", Program.name),
        mock.patch.multiple(sys, stdin=Stream(octets), stdout=out, stderr=err),
    ):
        try:
            status = main()
        except SystemExit as left:
            status = int(left.code or 0)
    return Result(status, out.octets.getvalue(), err.octets.getvalue())


def printed(*words: str, given: bytes | str = b"", status: int = 0) -> str:
    result = run(*words, given=given)
    assert (result.exit_code, result.stderr) == (status, ""), result.output
    return result.stdout


def failure(*words: str, given: bytes | str = b"", status: int = 2) -> str:
    result = run(*words, given=given)
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    return result.stderr


def write(name: str, content: str | bytes = "") -> None:
    octets = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(octets)
