"""Records of files with one string to edit in each, and files with a string in each line.

A record keeps all its octets, so that an edit changes nothing but the string.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from errno import EINVAL
from math import inf
from typing import Any, NamedTuple, NoReturn

from uriverse import ConvertError

from .output import UnreadableError
from .streams import octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    #: The lines of a file with their ends and numbers, in batches as they arrive.
    Batches: TypeAlias = Iterable[Iterable[tuple[int, bytes]]]

#: The maximum number of octets in a record with fields. Editing one takes several times its size.
LONGEST = 1 << 24


class Record(NamedTuple):
    """A record of a file.

    Attributes:
        line: the number of its first line.
        before: the octets before the string to edit.
        written: the string as the file has it, such as `"a""b"`.
        after: the octets after the string, with the end of the line.
        text: the string; `None` if there is nothing to edit.
        write: returns the octets of a new string.
        problem: the reason why the record cannot be edited, or an empty string.
    """

    line: int
    before: bytes
    written: bytes = b""
    after: bytes = b""
    text: str | None = None
    write: Callable[[str, bytes], bytes] | None = None
    problem: str = ""

    @property
    def octets(self) -> bytes:
        return self.before + self.written + self.after

    def edited(self, ask: Callable[[str], Any]) -> bytes:
        """Return the octets of the record with an edited string.

        Raises:
            URIError: the string is invalid, or the format cannot contain the result.
        """
        result = self.text if self.text is None else str(ask(self.text))
        if result is None or self.write is None or result == self.text:
            return self.octets
        return self.before + self.write(result, self.written) + self.after


class Lines:
    """Files with a string in each line. Empty lines have nothing to edit.

    Args:
        end: the character after each line: a line feed or NUL.
    """

    def __init__(self, end: str) -> None:
        self.end = end.encode()

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        for batch in numbered(name, self.end):
            yield (self.record(number, line) for number, line in batch)

    def record(self, number: int, line: bytes) -> Record:
        before, line = without_mark(number, line)
        content = line.removesuffix(self.end)
        if self.end == b"\n":
            content = content.removesuffix(b"\r")
        if not content:
            return Record(number, before + line)
        return Record(
            number,
            before,
            content,
            line[len(content) :],
            content.decode("utf-8", "surrogateescape"),
            self.write,
        )

    def write(self, text: str, written: bytes) -> bytes:  # noqa: ARG002
        octets = text.encode("utf-8", "surrogateescape")
        if self.end in octets or (self.end == b"\n" and octets.endswith(b"\r")):
            raise ConvertError(text, 0, "text", "text", "the result contains the end of a line")
        return octets


def numbered(name: str, end: bytes, longest: float = inf) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Yield the lines of a file with their ends and numbers, in batches as they arrive.

    Raises:
        UnreadableError: the file cannot be read, or a line has more octets than `longest`.
    """
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    number, size = 1, 0
    for octets in octets_of(name):
        if end not in octets:
            begun.append(octets)
            size += len(octets)
            if size > longest:
                fail(name, number, f"the line is longer than {longest:,} octets")
            continue
        *lines, rest = b"".join([*begun, octets]).split(end)
        yield ((n, line + end) for n, line in enumerate(lines, number))
        number += len(lines)
        begun, size = [rest], len(rest)
    if last := b"".join(begun):
        yield iter([(number, last)])


def without_mark(number: int, line: bytes) -> tuple[bytes, bytes]:
    """Split a byte order mark off the first line."""
    if number == 1 and line.startswith(BOM_UTF8):
        return BOM_UTF8, line[len(BOM_UTF8) :]
    return b"", line


def fail(name: str, line: int, reason: str) -> NoReturn:
    """Raise an error for a file whose records cannot be found."""
    raise UnreadableError(EINVAL, reason, f"{name}:{line}")
