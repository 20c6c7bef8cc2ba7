"""The `uriverse` command line."""

from __future__ import annotations

import gc
import os
import sys

from .output import (
    KILLED,
    MISUSE,
    LeavingQuietly,
    MisuseError,
    UnreadableError,
    complain,
    leave,
    name_program,
    problem,
    say,
    version_line,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    import click

#: The exit status after Ctrl-C, which sends the signal 2.
INTERRUPTED = KILLED + 2

#: The environment variable with which shells request completions from click.
COMPLETION = "_URIVERSE_COMPLETE"

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
        with LeavingQuietly():
            status = program()
    except OSError as error:
        complain(problem(error))
        status = MISUSE
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SystemExit as left:
        status = int(left.code or 0)
    end_at_once(status)


def end_at_once(status: int) -> NoReturn:
    """Exit without destroying all objects, which takes as long as a short run does.

    Threads of Arrow may still be starting after a signal, and destroying them could abort the
    process.
    """
    import atexit

    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - `contextlib` takes long to import
            stream.flush()
        except OSError:
            pass
    # The process ends even if a function that runs at exit raises an error. Coverage is measured
    # by such a function.
    try:
        atexit._run_exitfuncs()
    finally:
        os._exit(status)  # pragma: no cover


def exempt_from_collection() -> None:
    """Exempt all existing objects from garbage collection, if the interpreter supports it."""
    freeze: Callable[[], None] = getattr(gc, "freeze", lambda: None)  # not on PyPy
    freeze()


def run() -> int:
    """Run the command that `sys.argv` names, and return its exit status."""
    if sys.argv[1:] == ["--version"]:
        # Fast path, because scripts often run this: skip imports that take time.
        print(version_line())
        return 0
    status = run_without_click(sys.argv[1:])
    if status is not None:
        return status
    try:
        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        leave(f"{missing.name} is not installed; {INSTALLATION}")
    return status_of(uriverse)


def run_without_click(words: list[str]) -> int | None:
    """Run a command whose arguments are ordinary; return `None` if click must parse them.

    The result is the same, but importing click takes longer than most commands.
    """
    from .declarations import Declared
    from .loading import COMMANDS, command_of

    # On Windows, click expands patterns of file names. The variable requests completions.
    if not words or words[0] not in COMMANDS or os.name == "nt" or COMPLETION in os.environ:
        return None
    command = command_of(words[0])
    options = command.parsed(words[1:]) if isinstance(command, Declared) else None
    if options is None:
        return None
    prepare()
    name_program(f"uriverse {words[0]}")
    try:
        return command.run(**options) or 0
    except MisuseError as error:
        from .commands import report_misuse

        return report_misuse(command, error)
    except UnreadableError as error:
        leave(problem(error))
    except KeyboardInterrupt:
        say("")  # as click does
        raise


def prepare() -> None:
    """Prepare the process for a command, after its imports."""
    exempt_from_collection()
    gc.enable()
    # Escape characters that the encoding of the terminal does not have.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def status_of(command: click.Command) -> int:
    """Run a command with the arguments of the process, and return its exit status."""
    import click

    prepare()
    try:
        status: int | None = command.main(prog_name=command.name, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status or 0
