"""Read files and standard input as they arrive, whole or in lines."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8

from .output import UnreadableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import BufferedReader

#: The maximum number of octets per read. Results are printed before the next read, which may block.
AT_ONCE = 1 << 17


def octets_of(name: str) -> Iterator[bytes]:
    """Read a file or standard input (`-`), and yield octets as they arrive.

    Raises:
        UnreadableError: the file cannot be read.
    """
    try:
        if name == "-":  # not closed afterwards
            yield from octets_in(sys.stdin.buffer)  # type: ignore[arg-type]
        else:
            with open(name, "rb") as stream:  # noqa: PTH123
                yield from octets_in(stream)
    except OSError as error:
        raise UnreadableError(error.errno, error.strerror, name) from None


def octets_in(stream: BufferedReader) -> Iterator[bytes]:
    """Yield the octets of a file as they arrive."""
    while octets := stream.read1(AT_ONCE):
        yield octets


def lines_of(chunks: Iterable[bytes], end: bytes = b"\n") -> Iterator[list[str]]:
    """Read lines from a file that arrives in chunks. Yield the lines that each chunk completes.

    Args:
        chunks: the octets of the file.
        end: the octet after each line: a line feed or NUL.
    """
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    mark = BOM_UTF8  # removed at the start of the file
    for octets in chunks:
        whole, found, rest = octets.rpartition(end)
        if found:
            yield lines_in(b"".join([*begun, whole]).removeprefix(mark), end)
            begun, mark = [], b""
        begun.append(rest)
    if last := b"".join(begun).removeprefix(mark):
        yield lines_in(last, end)


def lines_in(octets: bytes, end: bytes) -> list[str]:
    """Split octets into lines without their line breaks."""
    # Octets that are not UTF-8 become lone surrogates, which no grammar allows.
    lines = octets.decode("utf-8", "surrogateescape").split(end.decode())
    if end == b"\n" and b"\r" in octets:
        return [line.removesuffix("\r") for line in lines]
    return lines
