"""Messages and exit statuses, and how results are printed."""

from __future__ import annotations

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EINVAL
from types import FrameType
from typing import NoReturn, Self

from uriverse import Finding, URIError
from uriverse_links._destinations import Lines, hide_secrets

#: The exit status for usage errors, and for files that cannot be read or written.
MISUSE = 2

#: The number that shells add to the number of a signal to get the exit status.
KILLED = 128

#: The signals that end the program, if the platform defines them.
FATAL_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

#: The ANSI codes of colors.
COLORS = {"error": 31, "warning": 33, "info": 34}


class MisuseError(Exception):
    """Raised if a command is used incorrectly, such as with an invalid value of an option."""


class UnreadableError(OSError):
    """Raised if a file cannot be read or written; any other `OSError` concerns the output."""

    @classmethod
    def from_syntax_error(cls, name: str, text: str, error: URIError) -> Self:
        line, column = Lines(text).locate(error.position)
        return cls(EINVAL, error.reason, f"{name}:{line}:{column}")


class Program:
    name = "uriverse-links"


def escape_controls(text: str) -> str:
    if text.isprintable():
        return text
    return text.translate(
        {ord(c): c.encode("unicode_escape").decode() for c in set(text) if not c.isprintable()}
    )


def describe_os_error(error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    if error.filename is None:
        return reason
    # The user may have given a URL, with secrets, instead of a file name.
    return f"{escape_controls(hide_secrets(os.fsdecode(error.filename))) or repr('')}: {reason}"


def describe_finding(finding: Finding) -> str:
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    details = f"; also {', '.join(finding.details)}" if finding.details else ""
    return f"{finding.message}{advice} ({finding.reference}{details})"


def write_to_stderr(message: str) -> None:
    """Print a message to standard error; ignore errors if it cannot be written."""
    with suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def print_error(message: str) -> None:
    """Print a message as `uriverse-links COMMAND: <what is wrong>; <what to do about it>`."""
    write_to_stderr(f"{Program.name}: {message}")


def color_severity(text: str, severity: str) -> str:
    return text if os.environ.get("NO_COLOR") else f"\x1b[{COLORS[severity]}m{text}\x1b[0m"


class Output:
    """Write lines to standard output, and flush it after each batch.

    After a usage error (`MisuseError`), it is not closed, so nothing is printed.
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

    has_lines = False
    opening = "["

    def write(self, lines: list[str]) -> None:
        if lines:
            separator = ",\n" if self.has_lines else f"{self.opening}\n"
            # Set before writing: Ctrl-C may arrive as soon as any output is visible.
            self.has_lines = True
            sys.stdout.write(separator + ",\n".join(lines))
            sys.stdout.flush()

    def close(self) -> None:
        print("\n]" if self.has_lines else "[]", flush=True)


@dataclass(kw_only=True)
class Tally:
    """Counts URIs and errors, reports errors, and stops after too many of them.

    The number of changed URIs is `None` if no files are edited. A file that cannot be read or
    written makes `unread` true.
    """

    most_errors: int | None = None
    summary: bool = False
    quiet: bool = False
    total: int = 0
    invalid: int = 0
    changed: int | None = None
    unread: bool = False
    _reported: int = 0

    @classmethod
    def from_options(cls, options: Namespace) -> Self:
        most_errors = 1 if options.fail_fast else options.max_errors
        return cls(most_errors=most_errors, summary=options.summary, quiet=options.quiet)

    @property
    def stopped(self) -> bool:
        """Whether there are so many errors that the command stops."""
        return self.invalid == self.most_errors

    def report(self, error: str, name: str, line: int) -> None:
        if self.quiet:
            return
        self._reported += 1
        reason, *others = error.split("\n")
        head = f"{escape_controls(name)}:{line}: {reason}"
        head = color_severity(head, "error") if sys.stderr.isatty() else head
        write_to_stderr("\n".join([head, *others]))

    def report_unreadable(self, error: OSError) -> None:
        print_error(describe_os_error(error))
        self.unread = True

    def finish(self, failure: str) -> int:
        """Print the summary if it is due, and return the exit status."""
        if self.summary or self._reported > 1:
            total = "1 URI" if self.total == 1 else f"{self.total} URIs"
            changed = "" if self.changed is None else f", {self.changed} changed"
            stopped = "; stopped early" if self.stopped else ""
            print_error(f"{total}{changed}, {self.invalid} {failure}{stopped}")
        return MISUSE if self.unread else int(self.invalid > 0)


@contextmanager
def exit_on_signals() -> Generator[None, None, None]:
    """Turn fatal signals into `SystemExit`, so that temporary files are removed."""

    def end(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        sys.exit(KILLED + number)

    # Signals that are ignored, as under `nohup`, stay ignored, so that the program keeps running.
    old_handlers = {number: signal.getsignal(number) for number in FATAL_SIGNALS}
    for number, handler in old_handlers.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in old_handlers.items():
            signal.signal(number, handler)
