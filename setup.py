"""Builds the kernel, where a compiler is at hand; all else is in pyproject.toml.

`URIVERSE_KERNEL` chooses: `auto` (the default) goes on without the kernel where it
can't be compiled, `require` fails then, `disable` does not try.
"""

import os

from setuptools import Extension, setup

choice = os.environ.get("URIVERSE_KERNEL", "auto")
if choice not in {"auto", "require", "disable"}:
    raise SystemExit(f"URIVERSE_KERNEL is {choice!r}; it can be auto, require or disable")

extensions = [
    Extension(
        "uriverse.kernel.identifier",
        ["src/uriverse/kernel/identifier.pyx"],
        depends=["src/uriverse/kernel/scan.pxi"],
        optional=choice == "auto",
    )
]
setup(ext_modules=[] if choice == "disable" else extensions)
