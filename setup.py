"""Builds the kernel, where a compiler is at hand; all else is in pyproject.toml.

`URIVERSE_KERNEL` chooses: `auto` (the default) goes on without the kernel where it
can't be compiled, `require` fails then, `disable` does not try.
"""

import os
import platform
from pathlib import Path

from setuptools import Extension, setup

choice = os.environ.get("URIVERSE_KERNEL", "auto")
if choice not in {"auto", "require", "disable"}:
    raise SystemExit(f"URIVERSE_KERNEL is {choice!r}; it can be auto, require or disable")

extensions = [
    Extension(
        "uriverse._kernel.identifier",
        ["src/uriverse/_kernel/identifier.pyx"],
        depends=[
            str(path)
            for pattern in ("*.h", "*.pxi")
            for path in Path("src/uriverse/_kernel").glob(pattern)
        ],
        optional=choice == "auto",
    )
]
# Other interpreters run the specification faster than they would call the kernel.
suits = platform.python_implementation() == "CPython"
setup(
    ext_modules=extensions if choice == "require" or (suits and choice == "auto") else [],
    # Where `man` looks: beside the folder of the commands.
    data_files=[("share/man/man1", sorted(map(str, Path("docs/man").glob("*.1"))))],
)
