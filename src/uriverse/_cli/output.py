"""Messages and exit statuses for all commands, in a module that is fast to import."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

#: The exit status for usage errors, and for other errors that stop a command.
MISUSE = 2

#: The number that shells add to the number of a signal to get the exit status.
KILLED = 128

#: The name of the running command, such as "uriverse check".
program_name = "uriverse"

#: The exit status after Ctrl-C, which sends the signal 2.
INTERRUPTED = KILLED + 2

#: The exit status after a closed pipe, which sends the signal 13.
PIPE_CLOSED = KILLED + 13


class KilledExit(SystemExit):
    """Raised by the handler of a signal that ends the program."""

    def __init__(self, number: int) -> None:
        super().__init__(KILLED + number)


class MisuseError(Exception):
    """Raised if a command is used incorrectly, such as with an invalid value of an option."""


class UnreadableError(OSError):
    """Raised if an input file cannot be read; any other `OSError` concerns the output."""


class LeavingQuietly:
    """Exit without a message if standard output is a pipe that the other end has closed."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        try:
            sys.stdout.flush()
            closed = isinstance(error, BrokenPipeError)
        except BrokenPipeError:
            closed = True
        if closed:
            # Prevent Python from flushing the remaining output at exit, which would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(PIPE_CLOSED)


def version_line() -> str:
    """Return the output of `--version`."""
    from uriverse._uri.engine import compiled, kernel_absence
    from uriverse._uri.version import __version__

    engine = "compiled kernel" if compiled else f"pure Python, {kernel_absence}"
    return f"uriverse {__version__} ({engine})"


def problem(error: OSError) -> str:
    """Describe an `OSError` in one line: the file name, if known, and the reason."""
    from uriverse._errors import visible
    from uriverse._redaction import redacted_invalid

    reason = error.strerror or type(error).__name__
    # The user may have given a URL, with secrets, instead of a file name.
    if error.filename is None:
        return reason
    return f"{visible(redacted_invalid(os.fsdecode(error.filename))) or repr('')}: {reason}"


def say(message: str) -> None:
    """Print a message to standard error; ignore errors if it cannot be written."""
    try:  # noqa: SIM105 - `contextlib` takes long to import
        print(message, file=sys.stderr, flush=True)
    except OSError:
        pass


def complain(message: str) -> None:
    """Print an error message as `uriverse COMMAND: <message>` to standard error.

    Args:
        message: what is wrong, a semicolon, and what to do about it.
    """
    say(f"{program_name}: {message}")


def report_misuse(message: str) -> None:
    """Print the message of a `MisuseError`, which may quote secrets and control characters."""
    from uriverse._errors import visible
    from uriverse._redaction import redacted_message

    message = message.rstrip(".")
    if "; " not in message and "\n" not in message:
        message += f"; see '{program_name} --help'"
    lines = redacted_message(message).expandtabs(4).splitlines()
    complain("\n".join(map(visible, lines)))


def leave(message: str) -> NoReturn:
    """Print an error message and exit with the status for errors."""
    complain(message)
    sys.exit(MISUSE)


def name_program(name: str) -> None:
    """Set the name of the running command."""
    global program_name  # noqa: PLW0603 - a process runs one command
    program_name = name
