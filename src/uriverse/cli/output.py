"""Print messages and leave: shared by all commands, and fast to import."""

from __future__ import annotations

import contextlib
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import NoReturn

#: The exit status for misuse, and for what cannot be done.
MISUSE = 2

#: The exit status after a closed pipe, as shells have it: 128 and the number of the signal.
PIPE_CLOSED = 141


@contextlib.contextmanager
def leaving_quietly() -> Generator[None, None, None]:
    """Where nobody reads any more what is printed, the program ends without a word."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # What is left must not be written when leaving either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)


def version_line() -> str:
    """What `--version` prints."""
    from uriverse import compiled
    from uriverse.version import __version__

    work = "compiled kernel" if compiled else "specification, no kernel"
    return f"uriverse {__version__} ({work})"


def problem(error: OSError) -> str:
    """Describe an `OSError` in one line: the file name, if there is one, and the reason."""
    from uriverse.carets import visible
    from uriverse.redaction import without_passwords

    reason = error.strerror or type(error).__name__
    # A URL may be given where a file is expected.
    if error.filename is None:
        return reason
    return f"{visible(without_passwords(os.fsdecode(error.filename))) or repr('')}: {reason}"


def say(message: str) -> None:
    """Print a message to standard error; if nothing can be written there, go on without it."""
    with contextlib.suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def complain(message: str) -> None:
    """Print a message to standard error."""
    say(f"uriverse: {message}")


def leave(message: str) -> NoReturn:
    """Say why nothing can be done, and end as for misuse."""
    complain(message)
    sys.exit(MISUSE)
