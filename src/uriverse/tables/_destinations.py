"""Write output files atomically, so that no incomplete file appears at the output path."""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, cast

from uriverse._atomic_files import AtomicFile, close
from uriverse._redaction import redacted_invalid

from ._found_columns import TableError
from ._object_stores import is_object, path_in, upload
from ._partitions import is_partition
from ._sources import BLOCK, PACKED, failing, real

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: The value of `wbits` for gzip files with the largest window.
GZIP = 15 + 16

#: The names of files in an output folder: those of uriverse, Spark and Hadoop.
PART = re.compile(r"\.?(?:part-.*|_SUCCESS)(?:\.crc)?")


@contextmanager
def octets_to(name: str, *, packed: bool) -> Generator[BinaryIO, None, None]:
    """Open an output file for writing, and compress it if `packed` is set and its name says how.

    A regular file is written under a temporary name, and renamed when it is complete. An object in
    a store is uploaded when it is complete. A pipe or a device is written to directly.

    Raises:
        TableError: the file cannot be written.
    """
    if name == "-":
        yield sys.stdout.buffer
        with failing(name):
            sys.stdout.buffer.flush()
        return
    if is_object(name):
        with uploaded(name, packed=packed) as stream:
            yield stream
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
        packing = packing_of(name, file) if packed else None
        yield cast("BinaryIO", packing or file)
        with failing(name):
            if packing:
                packing.finish()
            if new:
                atomic.put()
            else:
                file.flush()


@contextmanager
def uploaded(name: str, *, packed: bool) -> Generator[BinaryIO, None, None]:
    """Open a temporary file for writing, and upload it to an object store when it is complete."""
    with tempfile.TemporaryFile() as file:
        packing = packing_of(path_in(name), file) if packed else None
        yield cast("BinaryIO", packing or file)
        with failing(name):
            if packing:
                packing.finish()
            # A stream of pyarrow would upload a part of the file after an error.
            upload(file, name)


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


def packing_of(name: str, file: BinaryIO) -> Packing | None:
    """Return the stream that compresses a file as the extension of its name says, if it does."""
    _, end = os.path.splitext(name.lower())  # noqa: PTH122
    return {".gz": Packing, ".zst": ZstandardPacking}[end](file) if end in PACKED else None


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


class ZstandardPacking(Packing):
    """A stream that compresses octets into a Zstandard file, a frame at a time."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self.waiting = io.BytesIO()

    def write(self, octets: Any, /) -> int:
        self.waiting.write(octets)
        if self.waiting.tell() >= BLOCK:
            self.finish()
        return len(octets)

    def finish(self) -> None:
        octets = self.waiting.getvalue()
        self.file.write(pa.Codec("zstd").compress(octets, asbytes=True))
        self.waiting = io.BytesIO()


@contextmanager
def folder_at(name: str) -> Generator[Path, None, None]:
    """Yield a temporary path, and rename it to the output folder if no error occurs.

    Raises:
        TableError: the output folder contains files that neither uriverse nor Spark has written.
    """
    place = real(name)
    if place.exists() and not may_be_replaced(place):
        shown = redacted_invalid(name)
        raise TableError(f"{shown}: the folder contains other files; choose another output")
    token = secrets.token_hex(4)
    aside = place.with_name(f".{place.name}.{token}.partial")
    try:
        yield aside
        before = place.with_name(f".{place.name}.{token}.replaced")
        if place.exists():
            place.rename(before)
        try:
            aside.rename(place)
        except BaseException:
            if before.exists():
                before.rename(place)
            raise
        removed(before)
    finally:
        removed(aside)


def removed(left: Path) -> None:
    """Remove a file or a folder, if it exists."""
    if left.is_file():
        left.unlink()
    shutil.rmtree(left, ignore_errors=True)


def may_be_replaced(place: Path) -> bool:
    """Return whether an output path is a file, or a folder with nothing but parts of a table."""
    return place.is_file() or all(
        may_be_replaced(entry)
        if entry.is_dir() and is_partition(entry.name)
        else PART.fullmatch(entry.name)
        for entry in place.iterdir()
    )
