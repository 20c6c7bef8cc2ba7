"""Run `uriverse` in this process, with its standard streams captured."""

import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from unittest.mock import patch

from uriverse import _cli
from uriverse._cli.output import name_program


class Result(NamedTuple):
    exit_code: int
    stdout_bytes: bytes
    stderr: str
    output: str  # both streams, in the order of writing

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace").replace("\r\n", "\n")


class Stream(io.TextIOWrapper):
    is_terminal = False

    def isatty(self) -> bool:
        return self.is_terminal


class Copying(io.BytesIO):
    def __init__(self, other: io.BytesIO) -> None:
        super().__init__()
        self.other = other

    def write(self, data: Any, /) -> int:
        self.other.write(data)
        return super().write(data)


def run_uriverse(
    words: Iterable[str],
    input: bytes | str | None = None,  # noqa: A002 - as for `subprocess.run`
    env: Mapping[str, str] | None = None,
    *,
    is_terminal: bool = False,
) -> Result:
    """Run `uriverse`; an error that the command does not expect is raised."""
    both = io.BytesIO()
    outputs, errors = Copying(both), Copying(both)
    octets = input.encode("utf-8", "surrogateescape") if isinstance(input, str) else input or b""
    streams: dict[str, Any] = {
        "stdin": Stream(io.BytesIO(octets), "utf-8"),
        "stdout": Stream(outputs, "utf-8", "backslashreplace", write_through=True),
        "stderr": Stream(errors, "utf-8", "backslashreplace", write_through=True),
    }
    for stream in streams.values():
        stream.is_terminal = is_terminal
    with patch.multiple(sys, **streams), patch.dict(os.environ, env or {}):
        try:
            status = _cli.run(list(words))
        finally:
            name_program("uriverse")
    return Result(
        status,
        outputs.getvalue(),
        errors.getvalue().decode("utf-8", "replace"),
        both.getvalue().decode("utf-8", "replace"),
    )


def run(
    command: str = "", *words: str, given: bytes | str = "", is_terminal: bool = False
) -> Result:
    """Run a command: words that spaces separate, and then words as they are."""
    return run_uriverse([*command.split(), *words], given, is_terminal=is_terminal)


def printed(command: str = "", *words: str, given: bytes | str = "", status: int = 0) -> str:
    result = run(command, *words, given=given)
    assert (result.exit_code, result.stderr) == (status, ""), words
    return result.stdout


def failure(command: str = "", *words: str, given: bytes | str = "", status: int = 2) -> str:
    result = run(command, *words, given=given)
    assert (result.exit_code, result.stdout) == (status, ""), words
    return result.stderr


def objects(command: str, *words: str, given: bytes | str = "") -> list[Any]:
    return [json.loads(line) for line in run(command, *words, given=given).stdout.splitlines()]
