"""The `uriverse` command line."""

from __future__ import annotations

import gc
import os
import sys

from .output import (
    INTERRUPTED,
    MISUSE,
    ClosedPipeGuard,
    MisuseError,
    describe_os_error,
    exit_with_error,
    format_version,
    name_program,
    print_error,
    report_misuse,
    write_to_stderr,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command that `sys.argv` names, and exit with its status."""
    # Imports create no garbage: searching for it would take a fifth of the time of a short run.
    gc.disable()
    if sys.stderr is None:
        # Otherwise `print(file=sys.stderr)` would print messages to standard output.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        exit_with_error("standard output is closed; redirect it to a file or /dev/null")
    # Escape characters that the encoding of the terminal does not have.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    words = sys.argv[1:]
    end_at_once(run(expand_patterns(words) if os.name == "nt" else words))


def expand_patterns(words: list[str]) -> list[str]:
    """Replace patterns of file names, which the shells of Windows pass on."""
    from glob import glob

    return [name for word in words for name in glob(os.path.expanduser(word)) or [word]]  # noqa: PTH111, PTH207


def end_at_once(status: int) -> NoReturn:
    """Exit without destroying objects: it takes long, and threads of Arrow could abort."""
    import atexit

    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - `contextlib` takes long to import
            stream.flush()
        except OSError:
            pass
    try:  # the process ends even if such a function raises an error
        atexit._run_exitfuncs()
    finally:
        os._exit(status)  # pragma: no cover


def run(words: list[str]) -> int:
    name_program("uriverse")
    try:
        with ClosedPipeGuard():
            return run_command(words)
    except MisuseError as error:
        report_misuse(str(error))
        return MISUSE
    except OSError as error:
        print_error(describe_os_error(error))
        return MISUSE
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as exit_request:  # most commands end with `sys.exit`
        return int(exit_request.code or 0)


def run_command(words: list[str]) -> int:
    """Run a command, and return its exit status; raise `MisuseError` for wrong words."""
    if words == ["--version"]:
        # Fast path, because scripts often run this: skip imports that take time.
        print(format_version())
        return 0
    from .commands import COMMANDS, find_command

    if not words or words[0] not in COMMANDS:
        return run_program(words)
    name_program(f"uriverse {words[0]}")
    command = find_command(words[0])
    options = command.parse_words(words[1:])
    if options is None:
        from .help import format_help

        print(format_help(command))
        return 0
    if not gc.isenabled():  # `main` disabled it: all imports are done now, and never garbage
        freeze: Callable[[], None] = getattr(gc, "freeze", lambda: None)  # PyPy has none
        freeze()
        gc.enable()
    try:
        return command.run(**options) or 0
    except KeyboardInterrupt:
        write_to_stderr("")  # after the "^C" of the terminal
        raise


def run_program(words: list[str]) -> int:
    """Run `uriverse` with words that do not begin with a command."""
    from .help import describe_unknown_command, format_help, program

    if not words:
        write_to_stderr(format_help(program))
        return MISUSE
    if words[0] == "--":
        return run_command(words[1:])
    if words[0] == "-" or not words[0].startswith("-"):
        raise MisuseError(describe_unknown_command(words[0]))
    if (options := program.parse_words(words[:1])) is None:
        print(format_help(program))
    else:
        program.run(**options)
    return 0
