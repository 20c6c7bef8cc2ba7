"""Write output files atomically, so that no incomplete file appears at the output path."""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from uriverse._atomic_files import AtomicFile, close

from ._plan import TableError
from ._sources import failing

#: The value of `wbits` for gzip files with the largest window.
GZIP = 15 + 16


@contextmanager
def octets_to(name: str, *, packed: bool) -> Generator[BinaryIO, None, None]:
    """Open an output file for writing, and compress it with gzip if `packed` is set.

    A regular file is written under a temporary name, and renamed when it is complete. A pipe or a
    device is written to directly.

    Raises:
        TableError: the file cannot be written.
    """
    if name == "-":
        yield sys.stdout.buffer
        with failing(name):
            sys.stdout.buffer.flush()
        return
    with failing(name):
        place, new = place_of(name)
    atomic = AtomicFile(place)
    with ExitStack() as left:
        if new:
            # Register this before creating the file, because a signal may arrive at any moment.
            left.callback(atomic.discard)
        with failing(name):
            file = atomic.open() if new else place.open("wb")
        left.callback(close, file)
        packing = Packing(file) if packed else None
        yield cast("BinaryIO", packing or file)
        with failing(name):
            if packing:
                packing.finish()
            if new:
                atomic.put()
            else:
                file.flush()


def place_of(name: str) -> tuple[Path, bool]:
    """Return the path to write to, and whether it is the path of a regular file.

    Raises:
        TableError: the path ends like that of a folder, for example in a slash.
        OSError: the path cannot be resolved, for example because symbolic links form a loop.
    """
    try:
        regular = stat.S_ISREG(Path(name).stat().st_mode)
    except FileNotFoundError:
        if os.path.basename(name) in {"", os.curdir, os.pardir}:  # noqa: PTH119
            raise TableError("this is the path of a folder; add a file name") from None
        regular = True
    # Keep a symbolic link and replace its target. The target of a link to a pipe has no path.
    return (Path(os.path.realpath(name)), True) if regular else (Path(name), False)


class Packing(io.RawIOBase):
    """A stream that compresses octets into a gzip file. `finish` writes the end of the file.

    `gzip.GzipFile` is not suitable: when it is garbage-collected, it writes the end of the file,
    and prints a warning if the file is closed or the disk is full.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.packer = zlib.compressobj(wbits=GZIP)

    def writable(self) -> bool:
        return True

    def write(self, octets: Any, /) -> int:
        self.file.write(self.packer.compress(octets))
        return len(octets)

    def finish(self) -> None:
        self.file.write(self.packer.flush())
