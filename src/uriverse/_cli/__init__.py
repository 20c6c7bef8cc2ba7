"""The `uriverse` command line."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys

from .output import KILLED, KilledExit, leave, leaving_quietly, problem, version_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    import click

#: The exit status after Ctrl-C, which sends the signal 2.
INTERRUPTED = KILLED + 2

#: How to get the packages of the command line, which the library does not need. Double quotes work
#: in the shells of Windows too.
INSTALLATION = (
    'run: pip install "uriverse[cli]", or: pipx install "uriverse[cli]", '
    'or without an installation: uvx --from "uriverse[cli]" uriverse ...'
)


def main() -> None:
    """Run the command that `sys.argv` names, and exit with its status."""
    execute(run)


def execute(program: Callable[[], int]) -> NoReturn:
    """Run a program, and exit with the status that it returns.

    Ctrl-C and a closed pipe end it without a traceback.
    """
    # Imports create no garbage: searching for it would take a fifth of the time of a short run.
    gc.disable()
    if sys.stderr is None:
        # Otherwise `print(file=sys.stderr)` would print messages to standard output.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        leave("standard output is closed; redirect it to a file or /dev/null")
    try:
        with leaving_quietly():
            status = program()
    except OSError as error:
        leave(problem(error))
    except KeyboardInterrupt:
        status = INTERRUPTED
    except KilledExit as killed:
        status = killed.status
    finally:
        # Otherwise the interpreter would search all objects for garbage before it exits.
        exempt_from_collection()
    if status > KILLED:
        end_at_once(status)
    sys.exit(status)


def end_at_once(status: int) -> None:
    """Exit after a signal, without the destructors of C++ libraries.

    Threads of Arrow may still be starting, and destroying them could abort the process.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    # The process ends even if a function that runs at exit raises an error.
    with contextlib.ExitStack() as stack:
        stack.callback(os._exit, status)
        atexit._run_exitfuncs()


def exempt_from_collection() -> None:
    """Exempt all existing objects from garbage collection, if the interpreter supports it."""
    with contextlib.suppress(AttributeError):  # on PyPy
        gc.freeze()


def run() -> int:
    """Run the command that `sys.argv` names, and return its exit status."""
    if sys.argv[1:] == ["--version"]:
        # Fast path, because scripts often run this: skip imports that take time.
        print(version_line())
        return 0
    try:
        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        leave(f"{missing.name} is not installed; {INSTALLATION}")
    return status_of(uriverse)


def status_of(command: click.Command) -> int:
    """Run a command with the arguments of the process, and return its exit status."""
    import click

    exempt_from_collection()
    gc.enable()
    # Escape characters that the encoding of the terminal does not have.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status: int | None = command.main(prog_name=command.name, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status or 0
