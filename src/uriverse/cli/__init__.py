"""The command line: reads texts, asks the library, prints."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; where its libraries are missing, say how to get them."""
    try:
        from .commands import uriverse
    except ModuleNotFoundError as missing:
        if missing.name not in {"click", "rich"}:
            raise
        print(
            f"uriverse: the command line needs {missing.name}: pip install 'uriverse[cli]'",
            file=sys.stderr,
        )
        sys.exit(2)
    uriverse(prog_name="uriverse")
