"""Open an output file so that it appears at its path only when it is complete."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import sys
import zlib
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from .plan import TableError
from .sources import failing

#: What tells zlib to write as gzip does: the largest window, and 16.
GZIP = 15 + 16

#: Whether the entries of a folder are written to the disk on request. Windows opens no folders.
FOLDERS_ARE_SYNCED = os.name == "posix"

#: How many characters of the name of a file its temporary name has at most.
NAME_KEPT = 50


@contextmanager
def octets_to(name: str, *, packed: bool) -> Generator[BinaryIO, None, None]:
    """Open a file for writing octets, which are compressed with gzip if `packed` is set.

    A regular file is written under a temporary name and renamed at the end. A pipe or a device is
    written to directly.

    Raises:
        TableError: it cannot be written.
    """
    if name == "-":
        yield sys.stdout.buffer
        with failing(name):
            sys.stdout.buffer.flush()
        return
    with failing(name):
        place, new = place_of(name)
    # File systems limit names to 255 octets.
    begun = f".{place.name[:NAME_KEPT]}.{secrets.token_hex(4)}.partial"
    aside = place.with_name(begun) if new else place
    with ExitStack() as left:
        if new:
            # From here on, as a signal may come at any moment.
            left.callback(aside.unlink, missing_ok=True)
        with failing(name):
            file = open(aside, "xb" if new else "wb")  # noqa: PTH123, SIM115
        left.callback(closed, file)
        if new and place.exists():
            # From the beginning, as it may be meant for nobody else.
            shutil.copymode(place, aside)
        packing = Packing(file) if packed else None
        yield cast("BinaryIO", packing or file)
        with failing(name):
            if packing:
                packing.finish()
            file.flush()
            if new:
                os.fsync(file.fileno())
                # Windows cannot rename an open file.
                file.close()
                put(aside, place)


def place_of(name: str) -> tuple[Path, bool]:
    """The path that is written, and whether it is, or becomes, a regular file.

    Raises:
        TableError: no file can have this name.
        OSError: the path cannot be followed, as with links that form a loop.
    """
    try:
        regular = stat.S_ISREG(Path(name).stat().st_mode)
    except FileNotFoundError:
        if os.path.basename(name) in {"", os.curdir, os.pardir}:  # noqa: PTH119
            raise TableError("this is the name of a folder, not of a file") from None
        regular = True
    # A link stays a link, and its target is replaced. A link to a pipe has no target with a path.
    return (Path(os.path.realpath(name)), True) if regular else (Path(name), False)


class Packing(io.RawIOBase):
    """What packs octets as gzip does, for a file; without an end, if it is not told to finish.

    `gzip.GzipFile` writes an end whenever it goes, and says on the console that it can't where the
    file is closed, or the disk full.
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


def closed(file: BinaryIO) -> None:
    """Close a file, of which what has not been written by now is not wanted."""
    with suppress(OSError):
        file.close()


def put(aside: Path, place: Path) -> None:
    """Put a file in its place, for good."""
    aside.replace(place)
    if FOLDERS_ARE_SYNCED:
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
