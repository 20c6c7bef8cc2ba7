"""The command line: reads texts, asks the library, prints."""

from __future__ import annotations

import contextlib
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import NoReturn

#: The status for what is used wrongly, or can't be done.
MISUSE = 2

#: What a shell calls the end by Ctrl-C, and by a closed pipe: 128 and the signal's number.
INTERRUPTED = 130
PIPE_CLOSED = 141


def main() -> None:
    """Run the command line, and leave with its status whatever happens."""
    if sys.stderr is None:
        # Else what is meant for it would be printed among the results.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        leave("standard output is closed")
    try:
        with leaving_quietly():
            if sys.argv[1:] == ["--version"]:
                # What scripts ask for, often, needs nothing of what takes time to import.
                print(version_line())
                status = 0
            else:
                status = run()
    except OSError as error:
        leave(problem(error))
    except KeyboardInterrupt:
        status = INTERRUPTED
    sys.exit(status)


def run() -> int:
    """Run what the words of the command line ask for; its status."""
    try:
        import click

        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        leave(f"the command line needs {missing.name}: pip install 'uriverse[cli]'")
    # What an old encoding has no character for is written as an escape, not lost.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status: int | None = uriverse.main(prog_name="uriverse", standalone_mode=False)
    except click.ClickException as error:
        from uriverse.errors import message_without_passwords, visible

        # It may quote an argument, which may contain passwords and control characters.
        said = io.StringIO()
        error.show(said)
        lines = message_without_passwords(said.getvalue()).expandtabs(4).splitlines()
        say("\n".join(map(visible, lines)))
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status or 0


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
    from uriverse import engine
    from uriverse.version import __version__

    work = "compiled kernel" if engine.compiled else "specification, no kernel"
    return f"uriverse {__version__} ({work})"


def problem(error: OSError) -> str:
    """Describe an `OSError` in one line: the file name, if there is one, and the reason."""
    from uriverse.errors import visible, without_passwords

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
