"""Build the compiled kernel. All other settings are in pyproject.toml.

The environment variable `URIVERSE_KERNEL` determines whether to build the kernel. With `auto`, the
default, the installation continues without the kernel if it cannot be compiled; with `require`, it
fails. With `disable`, the kernel is not compiled.
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
# On other interpreters, such as PyPy, the pure-Python code is faster than calls of a C extension.
suits = platform.python_implementation() == "CPython"
setup(
    ext_modules=extensions if choice == "require" or (suits and choice == "auto") else [],
    # `man` looks for pages in this folder, next to the folder of the command.
    data_files=[("share/man/man1", sorted(map(str, Path("docs/man").glob("*.1"))))],
)
