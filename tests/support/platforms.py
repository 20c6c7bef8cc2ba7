"""Differences between platforms: marks for tests, the size of the memory, and a lock."""

import os
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

#: Marks tests that use signals, a shell, symbolic links or files in /dev.
unix = pytest.mark.skipif(os.name != "posix", reason="tests a behavior of Unix")

#: Whether this Python can run without the GIL.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def memory() -> int:
    """Return the size of the memory in bytes; 0 on Windows, where Python cannot find it out."""
    if os.name != "posix":
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@contextmanager
def alone_on_this_machine(name: str) -> Iterator[None]:
    """Wait until no other process holds the lock with this name."""
    fcntl = pytest.importorskip("fcntl", reason="needs file locks of Unix")
    with Path(tempfile.gettempdir(), f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
