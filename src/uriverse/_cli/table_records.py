"""Records of CSV and TSV files, with the bounds of their fields."""

from __future__ import annotations

from codecs import BOM_UTF8

from uriverse._errors import quoted

from .output import MisuseError
from .records import LONGEST, Record, fail, numbered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .records import Batches

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
