"""Records of files with one string to edit in each: a line, or a field of CSV, TSV or JSON Lines.

A record keeps all its octets, so that an edit changes nothing but the string.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from errno import EINVAL
from json import JSONDecodeError, JSONDecoder, dumps
from typing import Any, NamedTuple, NoReturn

from uriverse import ConvertError
from uriverse._quoting import quoted

from .output import MisuseError, UnreadableError
from .streams import octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: The delimiter of each table format, by the ending of file names.
DELIMITERS = {".csv": b",", ".tsv": b"\t"}

#: The endings of the names of JSON Lines files.
JSON_LINES = (".jsonl", ".ndjson")

QUOTE = b'"'

#: The white space of JSON, alone or around a character.
SPACES = {
    character: re.compile(rf"[ \t\r\n]*{re.escape(character)}[ \t\r\n]*")
    for character in ("", *"{}:,")
}


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


class Table:
    """CSV and TSV files with quotation marks as in RFC 4180.

    Args:
        field: the name of a field, which the first record contains, or its number from 1. With a
            number, the first record is data.
        delimiter: the octet between fields.
    """

    def __init__(self, field: str, delimiter: bytes) -> None:
        self.field = field
        self.delimiter = delimiter

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        by_number = self.field.isdecimal()
        index = int(self.field) - 1 if by_number else -1
        row = Row(self.delimiter)
        for batch in numbered(name, b"\n"):
            records: list[Record] = []
            for number, line in batch:
                if not row.add(number, line):
                    if row.misplaced:
                        fail(name, number, "characters follow a quoted field")
                    continue
                if index < 0:
                    index = self.index_in(name, row)
                    records.append(Record(row.line, row.octets))
                else:
                    records.append(self.record(row, index))
                row = Row(self.delimiter)
            yield records
        if row.content:
            fail(name, row.line, "a quoted field has no end")
        if index < 0:
            fail(name, 1, f"no field {quoted(self.field)}; the file is empty")

    def index_in(self, name: str, row: Row) -> int:
        """Return the index of the field that has the name."""
        names = [value_of(row.octets[start:end]) for start, end in row.bounds]
        if names.count(self.field) > 1:
            numbers = [str(n) for n, each in enumerate(names, 1) if each == self.field]
            fail(
                name,
                row.line,
                f"several fields {quoted(self.field)}; use a number: {' or '.join(numbers)}",
            )
        if self.field not in names:
            fields = ", ".join(map(quoted, names))
            fail(name, row.line, f"no field {quoted(self.field)}; the fields are {fields}")
        return names.index(self.field)

    def record(self, row: Row, index: int) -> Record:
        if row.bounds == [(row.bounds[0][0],) * 2]:
            return Record(row.line, row.octets)  # an empty line
        if index >= len(row.bounds):
            problem = f"the record has {len(row.bounds)} of at least {index + 1} fields"
            return Record(row.line, row.octets, problem=problem)
        octets, (start, end) = row.octets, row.bounds[index]
        written = octets[start:end]
        text = value_of(written)
        if not text:
            return Record(row.line, octets)
        return Record(row.line, octets[:start], written, octets[end:], text, self.write)

    def write(self, text: str, written: bytes) -> bytes:
        octets = text.encode("utf-8", "surrogateescape")
        special = (QUOTE, self.delimiter, b"\r", b"\n")
        if written.startswith(QUOTE) or any(octet in octets for octet in special):
            return QUOTE + octets.replace(QUOTE, QUOTE + QUOTE) + QUOTE
        return octets


class Row:
    """The lines of one record of a table, and the bounds of its fields."""

    def __init__(self, delimiter: bytes) -> None:
        self.delimiter = delimiter
        self.line = 0
        #: One object for all lines, because a quoted field without an end may have millions.
        self.content = bytearray()
        self.bounds: list[tuple[int, int]] = []
        #: The start of a quoted field that continues on the next line.
        self.opened: int | None = None
        #: Whether a quoted field is followed by other characters than a delimiter.
        self.misplaced = False

    @property
    def octets(self) -> bytes:
        return bytes(self.content)

    def add(self, number: int, line: bytes) -> bool:
        """Add a line, and return whether the record is complete."""
        self.line = self.line or number
        base = len(self.content)
        self.content += line
        end = len(line.removesuffix(b"\n").removesuffix(b"\r"))
        at = 0
        if number == 1 and line.startswith(BOM_UTF8):
            at = len(BOM_UTF8)
        while True:
            quoted_field = self.opened is not None or line.startswith(QUOTE, at, end)
            start = base + at if self.opened is None else self.opened
            if quoted_field:
                at = after_quote(line, at + (self.opened is None))
                self.opened = start if at < 0 else None
                if at < 0:
                    return False
            else:
                at = line.find(self.delimiter, at, end)
                at = end if at < 0 else at
            self.bounds.append((start, base + at))
            if at == end:
                return True
            if not line.startswith(self.delimiter, at):
                self.misplaced = True
                return False
            at += 1


def after_quote(line: bytes, at: int) -> int:
    """Return the index after the quotation mark that ends a field, or -1 without one."""
    while (at := line.find(QUOTE, at)) >= 0:
        if not line.startswith(QUOTE, at + 1):
            return at + 1
        at += 2  # two quotation marks stand for one in the value
    return -1


def value_of(written: bytes) -> str:
    """Return the value of a field of a table."""
    if written.startswith(QUOTE):
        written = written[1:-1].replace(QUOTE + QUOTE, QUOTE)
    return written.decode("utf-8", "surrogateescape")


class Objects:
    """JSON Lines files: an object in each line. Objects without the field have nothing to edit.

    Args:
        field: the name of the field. It belongs to the object itself, not to a nested object.
    """

    def __init__(self, field: str) -> None:
        self.field = field
        self.decode = JSONDecoder().raw_decode

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        for batch in numbered(name, b"\n"):
            yield (self.record(number, line) for number, line in batch)

    def record(self, number: int, octets: bytes) -> Record:
        before, octets = without_mark(number, octets)
        line = octets.decode("utf-8", "surrogateescape")
        if not line.strip():
            return Record(number, before + octets)
        found: list[tuple[Any, int, int]] = []
        try:
            found += [member[1:] for member in self.members(line) if member[0] == self.field]
        except RecursionError:
            problem = "invalid JSON: too many nested values"
        except JSONDecodeError as error:
            problem = f"invalid JSON: {error.msg}"
        except ValueError:
            problem = "invalid JSON: too many digits in a number"
        else:
            problem = f"several fields {quoted(self.field)}" if len(found) > 1 else ""
        if problem:
            return Record(number, before + octets, problem=problem)
        for value, start, end in found:
            if isinstance(value, str) and value:
                head, written, rest = (
                    part.encode("utf-8", "surrogateescape")
                    for part in (line[:start], line[start:end], line[end:])
                )
                return Record(number, before + head, written, rest, value, self.write)
            if value is not None and value != "":
                problem = f"the value of {quoted(self.field)} is not a string"
        return Record(number, before + octets, problem=problem)

    def members(self, line: str) -> Iterator[tuple[str, Any, int, int]]:
        """Yield the name, the value, and the bounds of the value of each field of an object."""
        at = after(line, 0, "{")
        if line.startswith("}", at):
            at = after(line, at, "}")
        else:
            while True:
                if not line.startswith('"', at):
                    raise JSONDecodeError("expected a name in double quotation marks", line, at)
                name, at = self.decode(line, at)
                start = after(line, after(line, at, ""), ":")
                value, end = self.decode(line, start)
                yield name, value, start, end
                at = after(line, end, "")
                if line.startswith("}", at):
                    at = after(line, at, "}")
                    break
                at = after(line, at, ",")
        if at != len(line):
            raise JSONDecodeError("characters follow the object", line, at)

    def write(self, text: str, written: bytes) -> bytes:
        # Keep the style of the file: escaped non-ASCII characters, and escaped slashes as of PHP.
        literal = dumps(text, ensure_ascii=b"\\u" in written)
        if b"\\/" in written:
            literal = literal.replace("/", "\\/")
        return literal.encode("utf-8", "surrogateescape")


def after(line: str, at: int, character: str) -> int:
    """Return the index after a character and the white space around it."""
    found = SPACES[character].match(line, at)
    if found is None:
        expected = "an object" if character == "{" else f'"{character}"'
        raise JSONDecodeError(f"expected {expected}", line, at)
    return found.end()


def format_of(name: str, field: str | None, end: str) -> Lines | Table | Objects:
    """Return the format of a file.

    Args:
        name: the name of the file, which tells the format if there is a field to edit.
        field: the name or the number of the field; `None` to edit whole lines.
        end: the character after each line.
    """
    if field is None:
        return Lines(end)
    lower = name.lower()
    if lower.endswith(JSON_LINES):
        return Objects(field)
    for ending, delimiter in DELIMITERS.items():
        if lower.endswith(ending):
            if field.isdecimal() and not int(field):
                raise MisuseError("the fields of --field count from 1; use --field 1")
            return Table(field, delimiter)
    raise MisuseError(
        f"--field: unknown format of {quoted(name)}; rename the file, so that it ends with "
        f"{', '.join(DELIMITERS)}, {' or '.join(JSON_LINES)}"
    )


def numbered(name: str, end: bytes) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Yield the lines of a file with their ends and numbers, in batches as they arrive."""
    begun: list[bytes] = []  # parts of a line whose end has not been read yet
    number = 1
    for octets in octets_of(name):
        if end not in octets:
            begun.append(octets)
            continue
        *lines, rest = b"".join([*begun, octets]).split(end)
        yield ((n, line + end) for n, line in enumerate(lines, number))
        number += len(lines)
        begun = [rest]
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
