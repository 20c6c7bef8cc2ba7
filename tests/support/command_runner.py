"""Run `uriverse` in this process, with its standard streams captured."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from unittest.mock import patch

from uriverse._cli import run
from uriverse._cli.output import name_program


class Result(NamedTuple):
    """The output of a command, and its exit status.

    Attributes:
        output: both streams, in the order of writing.
    """

    exit_code: int
    stdout_bytes: bytes
    stderr: str
    output: str

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace").replace("\r\n", "\n")


class Copying(io.BytesIO):
    """A stream that also writes to another one."""

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
) -> Result:
    """Run `uriverse` with arguments and standard input, and return what it printed.

    An error that the command does not expect is raised.
    """
    both = io.BytesIO()
    outputs, errors = Copying(both), Copying(both)
    octets = input.encode("utf-8", "surrogateescape") if isinstance(input, str) else input or b""
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(octets), "utf-8"),
        "stdout": io.TextIOWrapper(outputs, "utf-8", "backslashreplace", write_through=True),
        "stderr": io.TextIOWrapper(errors, "utf-8", "backslashreplace", write_through=True),
    }
    with patch.multiple(sys, **streams), patch.dict(os.environ, env or {}):
        try:
            status = run(list(words))
        finally:
            name_program("uriverse")
    return Result(
        status,
        outputs.getvalue(),
        errors.getvalue().decode("utf-8", "replace"),
        both.getvalue().decode("utf-8", "replace"),
    )
