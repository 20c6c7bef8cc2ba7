"""Write generated files, or check that they are up to date."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Mapping
from pathlib import Path


def write_or_check(description: str | None, made: Mapping[Path, str]) -> int:
    """Write generated files, or with `--check` print the differences to the existing files.

    Args:
        description: the description of the script, for `--help`.
        made: the generated contents, by path.

    Returns:
        The exit status: 1 if `--check` found a difference, otherwise 0.
    """
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--check", action="store_true", help="compare, write nothing")
    check = options.parse_args().check
    stale = 0
    for path, text in made.items():
        found = path.read_text("utf-8") if path.exists() else ""
        if found == text:
            continue
        if check:
            stale = 1
            sys.stdout.writelines(
                difflib.unified_diff(
                    found.splitlines(True), text.splitlines(True), str(path), "made"
                )
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return stale
