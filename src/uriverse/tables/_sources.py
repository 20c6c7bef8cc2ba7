"""Find the input files of `uriverse columns`, and open each file as a binary stream."""

from __future__ import annotations

import csv
import errno
import glob
import gzip
import io
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from uriverse._redaction import redacted_invalid, redacted_message
from uriverse.typing import Format

from ._folders import files_in, folders_left_out, is_hidden, is_meant, matches
from ._found_columns import TableError
from ._object_stores import (
    expression_of,
    is_folder,
    is_object,
    key_in,
    object_in,
    opened_object,
    path_in,
    places_in,
    size_of,
    split_pattern,
)
from ._options import EXTENSIONS, USUAL_COMPRESSION
from ._partitions import Partition, folders_in, is_partition, partition_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

#: The file name extensions of files that are compressed as a whole, with gzip and Zstandard.
PACKED = (".gz", ".zst")

#: The number of octets to read at once. For CSV, pyarrow reads up to 32 blocks ahead.
BLOCK = 1 << 22

#: Why an input is rejected.
NO_FILE_IN_FOLDER = "the folder contains no files of a known format"
NO_FILE_LIKE_PATTERN = "no file matches this pattern"
NO_OBJECT_STORE = (
    "the only supported URLs are those of object stores: s3://, gs:// and abfss://; "
    "download other files first"
)

#: The start of a URL, which may also be the path of a file, because a folder may be called `http:`.
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")

#: The exceptions that a missing, unreadable or malformed file can cause.
FAILURES = (
    pa.ArrowException,
    OSError,
    EOFError,
    MemoryError,
    zlib.error,
    UnicodeDecodeError,
    csv.Error,
)


class Source(NamedTuple):
    """An input file and its format.

    Attributes:
        name: the path, as passed by the caller; `-` for standard input.
        form: the format.
        place: the path of the file in the folder or below the pattern that the caller passed.
        partition: the values of the columns in folder names.
    """

    name: str
    form: Format
    place: str = ""
    partition: Partition = ()

    @property
    def size(self) -> int | None:
        """The size of the file in octets, or None for standard input and pipes."""
        with failing(self.name):
            if is_object(self.name):
                return size_of(self.name)
            path = Path(self.name)
            return path.stat().st_size if self.name != "-" and path.is_file() else None


def sources(given: Collection[str], form: Format | None, output: str) -> list[Source]:
    """Return the input files for a list of file names, folders and glob patterns.

    Args:
        given: file names, folders and glob patterns; `-` for standard input. In a pattern, `**`
            matches any number of folders.
        form: the format of all files; `None` to infer the format from the file name extension.
        output: the name of the output file.

    Raises:
        TableError: a folder or pattern contains no input file, or contains the output file; a
            format is unknown; or standard input is not the only input.
    """
    found = [source for name in given for source in sources_of(name, form, output)]
    names = [source.name for source in found]
    if "-" in names and len(names) > 1:
        raise TableError("standard input must be the only input; remove the other inputs")
    return with_partitions(given, found)


def with_partitions(given: Iterable[str], found: list[Source]) -> list[Source]:
    """Add the columns in the names of folders, such as `year=2026`.

    Folders that the caller wrote, and that all files are in, do not count as partitions.
    """
    folders = [folders_in(path_of(source.name)) for source in found]
    written = [Path(path_of(name)).parts for name in given]
    shared = {part for parts in written for part in parts}
    for parts in [*written, *folders]:
        shared.intersection_update(parts)
    return [
        source._replace(partition=partition_of([name for name in names if name not in shared]))
        for source, names in zip(found, folders, strict=True)
    ]


def path_of(name: str) -> str:
    """Return the path of a file, or of an object in its bucket."""
    return key_in(name) if is_object(name) else name


def sources_of(name: str, form: Format | None, output: str) -> Iterator[Source]:
    if is_object(name):
        yield from objects_of(name, form, output)
        return
    path, told = Path(name), redacted_invalid(name)
    if URL.match(name) and not path.exists():
        raise TableError(f"{told}: {NO_OBJECT_STORE}")
    if name != "-" and path.is_dir():
        base = path
        files = sorted(str(file) for file in files_in(path) if form or told_by(file))
        if not files:
            raise TableError(f"{told}: {NO_FILE_IN_FOLDER}")
    elif glob.has_magic(name) and not path.exists():
        files = sorted({file for file in matches(name) if is_meant(Path(file))})
        base = Path(*takewhile(lambda part: not glob.has_magic(part), path.parts))
        if not files:
            raise TableError(f"{told}: {NO_FILE_LIKE_PATTERN}")
    else:
        if not (form or name == "-" or told_by(path) or path.exists()):
            raise TableError(f"{told}: {os.strerror(errno.ENOENT)}")
        yield Source(name, form or format_of(name), path.name)
        return
    if real(output) in map(real, files):
        raise include(name, output)
    for file in files:
        yield Source(file, form or format_of(file), str(Path(file).relative_to(base)))


def notes_on(given: Iterable[str], form: Format | None) -> Iterator[str]:
    """Yield a note for each folder with subfolders that are not read, but contain files to read."""
    for name in given:
        if name == "-" or is_object(name) or not Path(name).is_dir():
            continue
        folders = folders_left_out(Path(name), lambda path: form or told_by(path))
        if first := next(folders, None):
            told, others = redacted_invalid(str(first)), sum(1 for _ in folders)
            more = f" and {others:,} more" if others else ""
            yield (
                f"note: of subfolders, only partitions are read, not {told}{more}; to read them, "
                f"use a pattern such as {redacted_invalid(name.rstrip('/'))}/**/*.csv"
            )


def include(name: str, output: str) -> TableError:
    """Return the error for a folder or a pattern that includes the output."""
    told, written = redacted_invalid(name), redacted_invalid(output)
    return TableError(f"{told}: the inputs include the output {written}; list them by name")


def objects_of(name: str, form: Format | None, output: str) -> Iterator[Source]:
    """Yield an object in a store, or the objects in a folder or below a pattern, as for files."""
    with failing(name):
        folder, places = places_of(name, form)
    if places is None:
        yield Source(name, form or format_of(name), Path(key_in(name)).name)
        return
    for place in places:
        found = object_in(folder, place)
        if is_object(output) and key_in(found) == key_in(output):
            raise include(name, output)
        yield Source(found, form or format_of(place), place)


def places_of(name: str, form: Format | None) -> tuple[str, list[str] | None]:
    """Return a folder, and the paths of the objects in it that a folder or a pattern stands for.

    The paths are `None` for the name of a single object.
    """
    if "*" in path_in(name):
        folder, pattern = split_pattern(name)
        fits = expression_of(pattern).fullmatch
        every = places_in(folder, recursive="/" in pattern or "**" in pattern)
        places = [place for place in every if fits(f"{place}/")]
        reason = NO_FILE_LIKE_PATTERN
    elif is_folder(name):
        folder = name
        every = [place for place in places_in(name) if is_in_folder(place)]
        places = [place for place in every if form or told_by(Path(place))]
        reason = NO_FILE_IN_FOLDER
    else:
        return name, None
    if not places:
        raise TableError(reason)
    return folder, places


def is_in_folder(place: str) -> bool:
    """Return whether an object below a folder is in it, or in one of its partitions."""
    *folders, file = place.split("/")
    return all(map(is_partition, folders)) and not any(map(is_hidden, [*folders, file]))


def real(name: str) -> Path:
    """Return the absolute form of a path, with its symbolic links resolved.

    Unlike `Path.resolve`, which may raise an error for symbolic links that form a loop, this
    function leaves such links unresolved.
    """
    return Path(os.path.realpath(name))


def told_by(path: Path) -> Format | None:
    """Return the format for a file name extension, or None if the extension is unknown."""
    *_, before, end = "", "", *(suffix.lower() for suffix in path.suffixes)
    if end not in PACKED:
        return EXTENSIONS.get(end)
    form = EXTENSIONS.get(before)
    return None if form in USUAL_COMPRESSION else form


def format_of(name: str) -> Format:
    """Return the format for a file name extension.

    Raises:
        TableError: the extension is unknown.
    """
    if form := told_by(Path(path_in(name))):
        return form
    what = "standard input and output have" if name == "-" else f"{redacted_invalid(name)} has"
    ends = ", ".join(EXTENSIONS)
    raise TableError(f"{what} no known extension ({ends}); set the format")


@contextmanager
def failing(name: str) -> Generator[None, None, None]:
    """Convert read and write errors to `TableError`, with the name of the file."""
    try:
        yield
    except BrokenPipeError:
        # A closed output pipe is not an error: its consumer needs no more data.
        raise
    except (TableError, *FAILURES) as error:
        # The caller may have passed a URL with a password instead of a file name.
        file = "standard stream" if name == "-" else redacted_invalid(name)
        raise TableError(f"{file}: {reason_of(error)}") from None


def reason_of(error: BaseException) -> str:
    """Return the reason for an error, without file contents that may contain passwords."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "the file is not valid UTF-8"
    if isinstance(error, MemoryError):
        return "there is not enough memory, or the file is damaged"
    reason = str(error).split("\n")[0].strip() or type(error).__name__
    # pyarrow's messages contain column names.
    return reason if isinstance(error, TableError) else redacted_message(reason)


def stream_of(source: Source) -> BinaryIO:
    """Open a file as a binary stream, and decompress it if its name says that it is compressed."""
    stream: BinaryIO
    if is_object(source.name):
        stream = opened_object(source.name)
    elif source.name != "-":
        stream = open(source.name, "rb")  # noqa: PTH123, SIM115
    elif sys.stdin is None:
        raise TableError("standard input is closed")
    else:
        stream = sys.stdin.buffer
    path = path_in(source.name).lower()
    if path.endswith(".gz"):
        return cast("BinaryIO", Unpacked(stream))
    if path.endswith(".zst"):
        return cast("BinaryIO", io.BufferedReader(UnpackedZstandard(stream)))
    if source.form in USUAL_COMPRESSION and not stream.seekable():
        # The metadata of Parquet and Arrow is read first, but is at the end of the file.
        return spooled(stream)
    return stream


class Unpacked(gzip.GzipFile):
    """A stream that decompresses a gzip file. `packed` is the stream of the compressed file."""

    def __init__(self, packed: BinaryIO) -> None:
        super().__init__(fileobj=packed)
        self.packed = packed

    def close(self) -> None:
        super().close()
        self.packed.close()


class UnpackedZstandard(io.RawIOBase):
    """A stream that decompresses a Zstandard file. `packed` is the stream of the compressed file.

    The module `compression.zstd` would do the same, but needs Python 3.14.
    """

    def __init__(self, packed: BinaryIO) -> None:
        self.packed = packed
        self.stream = pa.CompressedInputStream(pa.PythonFile(packed, "r"), "zstd")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        octets: bytes = self.stream.read(len(buffer))
        buffer[: len(octets)] = octets
        return len(octets)

    def close(self) -> None:
        super().close()
        self.packed.close()


def spooled(stream: BinaryIO) -> BinaryIO:
    """Copy a pipe to a temporary file, and return that file."""
    whole = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115
    shutil.copyfileobj(stream, whole, BLOCK)
    whole.seek(0)
    return whole


def octets_read(stream: BinaryIO) -> Callable[[], int]:
    """Return a function that returns the number of octets read so far.

    The function always returns 0 if the stream has no position, like a pipe.
    """
    packed: BinaryIO = getattr(getattr(stream, "raw", stream), "packed", stream)
    octets = 0

    def read() -> int:
        nonlocal octets
        # After the last octet, pyarrow closes the file in another thread.
        with suppress(ValueError):
            octets = packed.tell()
        return octets

    return read if packed.seekable() else int
