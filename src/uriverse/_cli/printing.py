"""Print the results of commands as lines or as a JSON array."""

from __future__ import annotations

import sys

from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Unanswered(Exception):  # noqa: N818  # nothing has failed
    """Raised for an invalid string if the error belongs on standard output, or is not printed.

    Attributes:
        line: the line for standard output; `None` to print nothing.
    """

    def __init__(self, line: str | None) -> None:
        super().__init__(line)
        self.line = line


class Output:
    """Write lines to standard output, and flush it after each batch.

    Attributes:
        end: the character after each line of the input and the output: a line feed or NUL.

    As a context manager, it is closed when the command exits or fails. After a usage error
    (`MisuseError`), it is not closed, so nothing is printed.
    """

    end = "\n"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if not isinstance(error, MisuseError):
            self.close()

    def write(self, lines: list[str]) -> None:
        if lines:
            sys.stdout.write(self.end.join(lines) + self.end)
            sys.stdout.flush()

    def close(self) -> None:
        pass


class Array(Output):
    """Write lines to standard output as the elements of a JSON array."""

    begun = False
    opening = "["

    def write(self, lines: list[str]) -> None:
        if lines:
            before = ",\n" if self.begun else f"{self.opening}\n"
            # Set before writing: Ctrl-C may arrive as soon as any output is visible.
            self.begun = True
            sys.stdout.write(before + ",\n".join(lines))
            sys.stdout.flush()

    def close(self) -> None:
        print("\n]" if self.begun else "[]", flush=True)
