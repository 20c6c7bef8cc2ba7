"""The command line: reads texts, asks the library, prints."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

#: The status for what is used wrongly, or can't be done.
MISUSE = 2

#: What a shell calls the end by Ctrl-C: 128 and the signal's number.
INTERRUPTED = 130


def main() -> None:
    """Run the command line, and leave with its status whatever happens."""
    if sys.argv[1:] == ["--version"] and sys.stdout is not None:
        # What is asked for by scripts, often, needs nothing of what takes time to import.
        print(version_line())
        sys.exit(0)
    if sys.stderr is None:
        # Else what is meant for it would be printed among the results.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    try:
        import click

        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        leave(f"the command line needs {missing.name}: pip install 'uriverse[cli]'")
    if sys.stdout is None:
        leave("standard output is closed")
    # What an old encoding has no character for is written as an escape, not lost.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status = uriverse.main(prog_name="uriverse", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:
        leave(str(error))
    sys.exit(status)


def version_line() -> str:
    """What `--version` prints."""
    from uriverse import engine
    from uriverse.version import __version__

    work = "compiled kernel" if engine.compiled else "specification, no kernel"
    return f"uriverse {__version__} ({work})"


def leave(message: str) -> NoReturn:
    """Say why nothing can be done, and end as for misuse."""
    print(f"uriverse: {message}", file=sys.stderr)
    sys.exit(MISUSE)
