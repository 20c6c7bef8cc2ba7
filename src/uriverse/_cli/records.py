"""Records of files with one string to edit in each: lines, CSV, TSV and JSON Lines.

A record keeps all its octets, so that an edit changes nothing but the string.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from errno import EINVAL
from itertools import chain, takewhile
from json import JSONDecodeError, JSONDecoder, dumps, loads
from math import inf
from typing import Any, NamedTuple, NoReturn, TypeAlias

from uriverse import ConvertError
from uriverse._errors import quote_argument

from .output import MisuseError, UnreadableError, octets_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    #: The lines of a file with their ends and numbers, in batches as they arrive.
    Batches: TypeAlias = Iterable[Iterable[tuple[int, bytes]]]

    from collections.abc import Iterable


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
    if number == 1 and line.startswith(BOM_UTF8):
        return BOM_UTF8, line[len(BOM_UTF8) :]
    return b"", line


def fail(name: str, line: int, reason: str) -> NoReturn:
    raise UnreadableError(EINVAL, reason, f"{name}:{line}")


QUOTE = b'"'

#: The problem of a quoted field that goes on until the end of the file.
NO_END = "a quoted field has no end"


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
        if field.isdecimal() and not int(field):
            raise MisuseError("the fields of --field count from 1; use --field 1")

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        return self.records_in(name, numbered(name, b"\n", LONGEST))

    def records_in(self, name: str, batches: Batches) -> Iterator[Iterable[Record]]:
        by_number = self.field.isdecimal()
        index = int(self.field) - 1 if by_number else -1
        row = Row(self.delimiter)
        for batch in batches:
            records: list[Record] = []
            for number, line in batch:
                if not row.add(number, line):
                    if row.misplaced:
                        fail(name, number, "characters follow a quoted field")
                    if len(row.content) > LONGEST:
                        fail(name, row.line, f"{NO_END}, or is longer than {LONGEST:,} octets")
                    continue
                if index < 0:
                    index = self.index_in(name, row)
                    records.append(Record(row.line, row.octets))
                else:
                    records.append(self.record(row, index))
                row = Row(self.delimiter)
            yield records
        if row.content:
            fail(name, row.line, NO_END)
        if index < 0:
            fail(name, 1, f"no field {quote_argument(self.field)}; the file is empty")

    def index_in(self, name: str, row: Row) -> int:
        names = [value_of(row.octets[start:end]) for start, end in row.bounds]
        if names.count(self.field) > 1:
            numbers = [str(n) for n, each in enumerate(names, 1) if each == self.field]
            fail(
                name,
                row.line,
                f"several fields {quote_argument(self.field)}; "
                f"use a number: {' or '.join(numbers)}",
            )
        if self.field not in names:
            fields = ", ".join(map(quote_argument, names))
            fail(name, row.line, f"no field {quote_argument(self.field)}; the fields are {fields}")
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
    if written.startswith(QUOTE):
        written = written[1:-1].replace(QUOTE + QUOTE, QUOTE)
    return written.decode("utf-8", "surrogateescape")


#: A value, and the indices of its start and its end in the line.
Value: TypeAlias = tuple[Any, int, int]

#: The white space of JSON, alone or around a character.
SPACES = {
    character: re.compile(rf"[ \t\r\n]*{re.escape(character)}[ \t\r\n]*")
    for character in ("", *"{}[:,")
}

#: A step of a path: a name, a name in quotation marks, or an index.
STEP = re.compile(r"""(?:^|(?!^)\.)(?:([^."\[\]]+)|("(?:[^"\\]|\\.)*"))|\[([0-9]{1,9})\]""")

HOW_TO_WRITE = "write names and indices, as in a.b[0].c"


class Objects:
    """JSON Lines files: an object in each line. Objects without the field have nothing to edit.

    Args:
        field: the path of the field, such as `url`, `page.url` or `links[0].url`.
    """

    def __init__(self, field: str) -> None:
        self.field = field
        self.path = path_of(field)
        self.decode = JSONDecoder().raw_decode
        #: Whether objects were read, and whether one of them had the field.
        self.has_objects = self.has_field = False

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        return self.records_in(name, numbered(name, b"\n", LONGEST))

    def records_in(self, name: str, batches: Batches) -> Iterator[Iterable[Record]]:  # noqa: ARG002
        for batch in batches:
            yield (self.record(number, line) for number, line in batch)
        if self.has_objects and not self.has_field:
            reason = f"no object has the field {quote_argument(self.field)}; {HOW_TO_WRITE}"
            yield [Record(1, b"", problem=reason)]

    def record(self, number: int, octets: bytes) -> Record:
        before, octets = without_mark(number, octets)
        line = octets.decode("utf-8", "surrogateescape")
        if not line.strip():
            return Record(number, before + octets)
        found: list[Value] = []
        try:
            found += self.values_in(line)
        except RecursionError:
            problem = "invalid JSON: too many nested values"
        except JSONDecodeError as error:
            problem = f"invalid JSON: {error.msg}"
        except ValueError:
            problem = "invalid JSON: too many digits in a number"
        else:
            self.has_objects = True
            self.has_field = self.has_field or bool(found)
            problem = f"several fields {quote_argument(self.field)}" if len(found) > 1 else ""
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
                problem = f"the value of {quote_argument(self.field)} is not a string"
        return Record(number, before + octets, problem=problem)

    def values_in(self, line: str) -> list[Value]:
        """Return the values of the field; several if an object has several members of a name."""
        members, end = self.members(line, 0)
        if end != len(line):
            raise JSONDecodeError("characters follow the object", line, end)
        first, *steps = self.path
        values = [value for name, value in members if name == first]
        for step in steps:
            values = [inner for value in values for inner in self.inside(line, value, step)]
        return values

    def inside(self, line: str, value: Value, step: str | int) -> list[Value]:
        """Return the members of an object with a name, or the item of an array with an index."""
        content, start, _ = value
        if isinstance(content, dict) and isinstance(step, str):
            return [inner for name, inner in self.members(line, start)[0] if name == step]
        if isinstance(content, list) and isinstance(step, int):
            return self.items(line, start)[step : step + 1]
        return []

    def members(self, line: str, at: int) -> tuple[list[tuple[str, Value]], int]:
        """Return the names and values of an object, and the index after it."""
        members: list[tuple[str, Value]] = []
        at = after(line, at, "{")
        if line.startswith("}", at):
            return members, after(line, at, "}")
        while True:
            if not line.startswith('"', at):
                raise JSONDecodeError("expected a name in double quotation marks", line, at)
            name, at = self.decode(line, at)
            start = after(line, after(line, at, ""), ":")
            value, end = self.decode(line, start)
            members.append((name, (value, start, end)))
            at = after(line, end, "")
            if line.startswith("}", at):
                return members, after(line, at, "}")
            at = after(line, at, ",")

    def items(self, line: str, at: int) -> list[Value]:
        """Return the values of an array, which is valid JSON."""
        items: list[Value] = []
        at = after(line, at, "[")
        while not line.startswith("]", at):
            value, end = self.decode(line, at)
            items.append((value, at, end))
            at = after(line, end, "")
            if line.startswith(",", at):
                at = after(line, at, ",")
        return items

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


def path_of(field: str) -> tuple[str | int, ...]:
    """Return the names and indices in the path of a field, as in jq: `a.b`, `a[0].b`, `"a.b"`."""
    path: list[str | int] = []
    at = 0
    while at < len(field) and (step := STEP.match(field, at)):
        name, literal, index = step.groups()
        try:
            path.append(int(index) if index else name or loads(literal))
        except ValueError:
            break
        at = step.end()
    if at < len(field) or not path or not isinstance(path[0], str):
        raise MisuseError(
            f"--field: invalid path {quote_argument(field)}; {HOW_TO_WRITE}, and "
            'names with other characters in quotation marks, as in "a.b".c'
        )
    return tuple(path)


#: The delimiter of each table format, by the ending of file names.
DELIMITERS = {".csv": b",", ".tsv": b"\t"}

#: The endings of the names of JSON Lines files.
JSON_LINES = (".jsonl", ".ndjson")

#: The first line of a JSON array.
ARRAY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:[\[\]{\"]|\Z)")


def format_of(name: str, field: str | None, end: str) -> Lines | Table | Objects | Detected:
    """Return the format of a file.

    Args:
        name: the name of the file, which tells the format if there is a field to edit.
        field: the name or the number of the field; `None` to edit whole lines.
        end: the character after each line.
    """
    if field is None:
        return Lines(end)
    if name == "-":
        return Detected(field)
    lower = name.lower()
    if lower.endswith(JSON_LINES):
        return Objects(field)
    for ending, delimiter in DELIMITERS.items():
        if lower.endswith(ending):
            return Table(field, delimiter)
    raise MisuseError(
        f"--field: unknown format of {quote_argument(name)}; rename the file, so that it ends with "
        f"{', '.join(DELIMITERS)}, {' or '.join(JSON_LINES)}"
    )


class Detected:
    """Standard input, in the format that its first line shows. Empty lines before it stay.

    Args:
        field: the name, the path or the number of the field.
    """

    def __init__(self, field: str) -> None:
        self.field = field

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        batches = numbered(name, b"\n", LONGEST)
        for batch in batches:
            lines = list(batch)
            empty = list(takewhile(is_empty, lines))
            yield [Record(number, line) for number, line in empty]
            if lines := lines[len(empty) :]:
                number, line = lines[0]
                if ARRAY.match(line):
                    reason = "a JSON array is not read; write one JSON object per line"
                    fail(name, number, reason)
                yield from self.format_with(line).records_in(name, chain([iter(lines)], batches))

    def format_with(self, line: bytes) -> Table | Objects:
        if line.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
            return Objects(self.field)
        return Table(self.field, DELIMITERS[".tsv" if b"\t" in line else ".csv"])


def is_empty(line: tuple[int, bytes]) -> bool:
    return not line[1].removeprefix(BOM_UTF8).strip()
