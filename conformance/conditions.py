"""The conditions of a run: the date, the versions and the system, as every page states them.

The tools that write pages call `statement`. For a page that is written by hand, this command prints
the paragraph, with the versions of the given packages:

    python -m conformance.conditions [PACKAGE...]
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from textwrap import fill

#: The first words of the statement.
START = "These results are from a run on"

#: Where Linux describes the processors, whose model the module `platform` does not know.
PROCESSORS = Path("/proc/cpuinfo")


def conditions(uriverse: str, *, compiled: bool) -> dict[str, str]:
    """Return the date, the versions of uriverse and Python, and the system.

    Args:
        uriverse: the version of uriverse.
        compiled: whether the compiled kernel is used.
    """
    described = PROCESSORS.read_text("utf-8") if PROCESSORS.exists() else ""
    named = re.search(r"^model name\s*: (.+)", described, re.MULTILINE)
    model = named[1] if named else platform.processor()
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "uriverse": uriverse,
        "engine": "compiled kernel" if compiled else "reference implementation",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "processors": f"{os.cpu_count()} ({model})",
    }


def statement(run: Mapping[str, str], others: Mapping[str, str] | None = None) -> str:
    """Return the paragraph of a page that states the conditions of its run.

    Args:
        run: the result of `conditions`.
        others: the versions of other software, by its name, unless a table has them.
    """
    count, _, model = run["processors"].partition(" ")
    processors = f"{count} {'processor' if count == '1' else 'processors'} {model}"
    text = (
        f"{START} {run['date']}, with uriverse {run['uriverse']} ({run['engine']}) and"
        f" {run['python']} on {run['system']} with {processors}."
    )
    if others:
        versions = ", ".join(f"{name} {version}" for name, version in others.items())
        text += f" The versions of other software: {versions}."
    return fill(text, 100, break_on_hyphens=False, break_long_words=False)


def main(packages: Sequence[str]) -> None:
    """Print the statement of a run on this machine now, with the versions of packages."""
    from uriverse import __version__, compiled

    others = {package: version(package) for package in packages}
    print(statement(conditions(__version__, compiled=compiled), others))


if __name__ == "__main__":
    main(sys.argv[1:])
