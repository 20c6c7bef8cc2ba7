"""Compile `failing_malloc.c`, which makes chosen allocations of a process fail."""

import os
import platform
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

COMPILER = shlex.split(os.environ.get("CC", "cc"))
SOURCE = Path(__file__).with_suffix(".c")

needs_malloc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or shutil.which(COMPILER[0]) is None,
    reason="malloc is replaced as in glibc, by a C compiler",
)


def preloaded(folder: Path) -> str:
    library = folder / "failing_malloc.so"
    command = [*COMPILER, "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run(command, check=True)
    return str(library)
