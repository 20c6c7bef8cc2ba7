"""The command line interface."""

from __future__ import annotations

import io
import os
import sys

from .output import leave, leaving_quietly, problem, say, version_line

#: The exit status after Ctrl-C, by the convention of shells: 128 plus the signal number.
INTERRUPTED = 130


def main() -> None:
    """Run the command line, and exit with its status."""
    if sys.stderr is None:
        # Otherwise error messages would be printed among the results.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        leave("standard output is closed")
    try:
        with leaving_quietly():
            if sys.argv[1:] == ["--version"]:
                # Fast path, because scripts often run this: skip imports that take time.
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
    """Run the command with its arguments, and return the exit status."""
    try:
        import click

        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        leave(f"the command line needs {missing.name}: pip install 'uriverse[cli]'")
    # Escape characters that the encoding of the terminal does not have.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status: int | None = uriverse.main(prog_name="uriverse", standalone_mode=False)
    except click.ClickException as error:
        from uriverse.carets import visible
        from uriverse.redaction import message_without_passwords

        # The message may quote an argument, with passwords and control characters.
        said = io.StringIO()
        error.show(said)
        lines = message_without_passwords(said.getvalue()).expandtabs(4).splitlines()
        say("\n".join(map(visible, lines)))
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return status or 0
