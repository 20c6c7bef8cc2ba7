"""Find the input files of a table, and open them as streams of octets."""

from __future__ import annotations

import csv
import glob
import gzip
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from uriverse.redaction import message_without_passwords, without_passwords
from uriverse.typing import Format

from .options import EXTENSIONS
from .plan import TableError

# pyarrow has no types.
pa: Any = import_module("pyarrow")

#: The extension of compressed text formats.
PACKED = ".gz"

#: How many octets are read at once. pyarrow reads up to 32 blocks of CSV ahead.
BLOCK = 1 << 22

#: What a file that is not as it should be makes its reader raise.
FAILURES = (pa.ArrowException, OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error)


class Source(NamedTuple):
    """A file that is read.

    Attributes:
        name: as it was given; `-` for standard input.
        form: its format.
    """

    name: str
    form: Format

    @property
    def size(self) -> int | None:
        """How many octets there are; `None` where nobody knows before they have been read."""
        with failing(self.name):
            path = Path(self.name)
            return path.stat().st_size if self.name != "-" and path.is_file() else None


def sources(given: Iterable[str], form: Format | None, output: str) -> list[Source]:
    """The files that are meant: those of these names, those in folders, those that fit a pattern.

    Args:
        given: names of files and folders, and patterns, in which `**` stands for any folders;
            `-` is standard input.
        form: their format; `None` for what the ends of their names tell.
        output: the name of what is written: a file that is meant by its own name only.

    Raises:
        TableError: there is none, or its format can't be told.
    """
    found = [source for name in given for source in sources_of(name, form, output)]
    names = [source.name for source in found]
    if "-" in names and len(names) > 1:
        raise TableError("standard input is read alone, without other files")
    return found


def sources_of(name: str, form: Format | None, output: str) -> Iterator[Source]:
    path, told = Path(name), without_passwords(name)
    if name != "-" and path.is_dir():
        # As other programs do, what is hidden is passed over, and what tells of the others.
        known = (file for file in path.iterdir() if not file.name.startswith((".", "_")))
        files = sorted(str(file) for file in known if is_meant(file) and (form or told_by(file)))
        if not files:
            raise TableError(f"{told}: the folder has no files of a known format")
    elif glob.has_magic(name) and not path.exists():
        fitting = glob.iglob(name, recursive=True)  # noqa: PTH207  # it may begin at the root
        files = sorted(file for file in fitting if is_meant(Path(file)))
        if not files:
            raise TableError(f"{told}: no file fits this pattern")
    else:
        yield Source(name, form or format_of(name))
        return
    if real(output) in map(real, files):
        written = without_passwords(output)
        raise TableError(f"{told}: the output, {written}, is among the inputs; name the inputs")
    yield from (Source(file, form or format_of(file)) for file in files)


def is_meant(path: Path) -> bool:
    """Whether a path in a folder is a file, or a broken link, which is an error to read."""
    return path.is_file() or not path.exists()


def real(name: str) -> Path:
    """The path without links; unlike `Path.resolve`, it accepts links that form a loop."""
    return Path(os.path.realpath(name))


def told_by(path: Path) -> Format | None:
    """The format that the end of a name tells."""
    *_, before, end = "", "", *(suffix.lower() for suffix in path.suffixes)
    if end != PACKED:
        return EXTENSIONS.get(end)
    form = EXTENSIONS.get(before)
    return None if form == "parquet" else form


def format_of(name: str) -> Format:
    """The format that the end of a name tells.

    Raises:
        TableError: it tells none.
    """
    if form := told_by(Path(name)):
        return form
    what = "standard input and output have" if name == "-" else f"{without_passwords(name)} has"
    ends = ", ".join(EXTENSIONS)
    raise TableError(f"{what} no end of a name that tells the format ({ends}): give the format")


@contextmanager
def failing(name: str) -> Generator[None, None, None]:
    """What goes wrong with a file is told with its name."""
    try:
        yield
    except BrokenPipeError:
        # That nobody reads any more is no failure.
        raise
    except (TableError, *FAILURES) as error:
        # A URL may be given where a file is expected.
        file = "standard stream" if name == "-" else without_passwords(name)
        raise TableError(f"{file}: {reason_of(error)}") from None


def reason_of(error: BaseException) -> str:
    """What went wrong, without what stands in the file: there may be passwords in it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    reason = str(error).split("\n")[0].strip() or type(error).__name__
    # Messages of pyarrow contain the names of columns.
    return reason if isinstance(error, TableError) else message_without_passwords(reason)


def stream_of(source: Source) -> BinaryIO:
    """The octets of a file, unpacked."""
    if source.name != "-":
        stream: BinaryIO = open(source.name, "rb")  # noqa: PTH123, SIM115
    elif sys.stdin is None:
        raise TableError("it is closed")
    else:
        stream = sys.stdin.buffer
    if source.name.lower().endswith(PACKED):
        return cast("BinaryIO", Unpacked(stream))
    if source.form == "parquet" and not stream.seekable():
        # Its end is read first.
        return spooled(stream)
    return stream


class Unpacked(gzip.GzipFile):
    """What is packed with gzip; it tells how much of it has been read as it is packed."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed)
        self.packed = packed

    def close(self) -> None:
        super().close()
        self.packed.close()


def spooled(stream: BinaryIO) -> BinaryIO:
    """What comes by a pipe, in a file that nobody else sees."""
    whole = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115
    shutil.copyfileobj(stream, whole, BLOCK)
    whole.seek(0)
    return whole


def octets_read(stream: BinaryIO) -> Callable[[], int]:
    """What tells how many octets of a file have been read; 0 where nobody knows how many follow."""
    packed: BinaryIO = getattr(stream, "packed", stream)
    octets = 0

    def read() -> int:
        nonlocal octets
        # A reader of pyarrow closes what it has read, in a thread of its own.
        with suppress(ValueError):
            octets = packed.tell()
        return octets

    return read if packed.seekable() else int


#: Which columns are read, of a table that has this schema.
