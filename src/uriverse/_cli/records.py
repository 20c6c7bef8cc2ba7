"""Records of files with one string to edit in each: lines, CSV, TSV and JSON Lines.

A record keeps all its octets, so that an edit changes nothing but the string.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from itertools import chain, takewhile
from json import JSONDecodeError, JSONDecoder, dumps, loads
from math import inf
from typing import Any, NamedTuple, TypeAlias

from uriverse import ConvertError
from uriverse._errors import quote_argument

from .output import MisuseError, UnreadableError, read_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    #: The lines of a file with their ends and numbers, in batches as they arrive.
    Batches: TypeAlias = Iterable[Iterable[tuple[int, bytes]]]


#: The maximum number of octets in a record with fields. Editing one takes several times its size.
MAX_RECORD_SIZE = 1 << 24


class Record(NamedTuple):
    """A record of a file, whose first line has the number `line`.

    Its string to edit is `text`, or `None` if there is nothing to edit. In the file, `raw` stands
    for it, such as `"a""b"`, between `before` and `after`, which contains the end of the line.
    """

    line: int
    before: bytes
    raw: bytes = b""
    after: bytes = b""
    text: str | None = None
    encode_string: Callable[[str, bytes], bytes] | None = None
    #: The reason why the record cannot be edited, or an empty string.
    problem: str = ""

    @property
    def octets(self) -> bytes:
        return self.before + self.raw + self.after

    def apply_edit(self, edit: Callable[[str], Any]) -> bytes:
        """Return the octets with an edited string; raise `URIError` if the format has none."""
        if self.text is None or self.encode_string is None:
            return self.octets
        new_text = str(edit(self.text))
        if new_text == self.text:
            return self.octets
        return self.before + self.encode_string(new_text, self.raw) + self.after


class LineFormat:
    """Files with a string in each line, which ends with a line feed or NUL. Empty lines stay."""

    def __init__(self, end: str) -> None:
        self.end = end.encode()

    def read_records(self, name: str) -> Iterator[Iterable[Record]]:
        for batch in read_numbered_lines(name, self.end):
            yield (self.make_record(number, line) for number, line in batch)

    def make_record(self, number: int, line: bytes) -> Record:
        before, line = split_mark(number, line)
        content = line.removesuffix(self.end)
        if self.end == b"\n":
            content = content.removesuffix(b"\r")
        if not content:
            return Record(number, before + line)
        text = content.decode("utf-8", "surrogateescape")
        return Record(number, before, content, line[len(content) :], text, self.encode_string)

    def encode_string(self, text: str, raw: bytes) -> bytes:  # noqa: ARG002
        octets = text.encode("utf-8", "surrogateescape")
        if self.end in octets or (self.end == b"\n" and octets.endswith(b"\r")):
            raise ConvertError(text, 0, "text", "text", "the result contains the end of a line")
        return octets


def read_numbered_lines(
    name: str, end: bytes, max_size: float = inf
) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Yield the lines of a file with their ends and numbers, in batches as they arrive."""
    line_parts: list[bytes] = []  # parts of a line whose end has not been read yet
    number, size = 1, 0
    for octets in read_chunks(name):
        if end not in octets:
            line_parts.append(octets)
            size += len(octets)
            if size > max_size:
                reason = f"the line is longer than {max_size:,} octets"
                raise UnreadableError.at_line(name, number, reason)
            continue
        *lines, last_part = b"".join([*line_parts, octets]).split(end)
        yield ((n, line + end) for n, line in enumerate(lines, number))
        number += len(lines)
        line_parts, size = [last_part], len(last_part)
    if last := b"".join(line_parts):
        yield iter([(number, last)])


def split_mark(number: int, line: bytes) -> tuple[bytes, bytes]:
    if number == 1 and line.startswith(BOM_UTF8):
        return BOM_UTF8, line[len(BOM_UTF8) :]
    return b"", line


QUOTE = b'"'

#: The problem of a quoted field that goes on until the end of the file.
NO_END = "a quoted field has no end"


class TableFormat:
    """CSV and TSV files with quotation marks as in RFC 4180.

    A field has a name, which the first record contains, or a number. Then the first record is data.
    """

    def __init__(self, field: str, delimiter: bytes) -> None:
        self.field = field
        self.delimiter = delimiter
        if field.isdecimal() and not int(field):
            raise MisuseError("the fields of --field count from 1; use --field 1")

    def read_records(self, name: str) -> Iterator[Iterable[Record]]:
        return self.parse_records(name, read_numbered_lines(name, b"\n", MAX_RECORD_SIZE))

    def parse_records(self, name: str, batches: Batches) -> Iterator[Iterable[Record]]:
        # The index of the field to edit, which the first record shows if the field has a name.
        index = int(self.field) - 1 if self.field.isdecimal() else None
        row = Row(self.delimiter)
        for batch in batches:
            records: list[Record] = []
            for number, line in batch:
                is_complete = row.add_line(number, line)
                if row.has_misplaced_quote:
                    reason = "characters follow a quoted field"
                    raise UnreadableError.at_line(name, number, reason)
                if not is_complete:  # a quoted field continues on the next line
                    if len(row.content) > MAX_RECORD_SIZE:
                        reason = f"{NO_END}, or is longer than {MAX_RECORD_SIZE:,} octets"
                        raise UnreadableError.at_line(name, row.line, reason)
                    continue
                if index is None:
                    index = self.find_index(name, row)
                    records.append(Record(row.line, row.octets))
                else:
                    records.append(self.make_record(row, index))
                row = Row(self.delimiter)
            yield records
        if row.content:  # the last record is not complete
            raise UnreadableError.at_line(name, row.line, NO_END)
        if index is None:
            reason = f"no field {quote_argument(self.field)}; the file is empty"
            raise UnreadableError.at_line(name, 1, reason)

    def find_index(self, name: str, row: Row) -> int:
        """Find the field in the first record of a file, which has the names of the fields."""
        field_names = [unquote_field(row.octets[start:end]) for start, end in row.bounds]
        if field_names.count(self.field) > 1:
            numbers = [str(n) for n, other in enumerate(field_names, 1) if other == self.field]
            advice = f"use a number: {' or '.join(numbers)}"
            reason = f"several fields {quote_argument(self.field)}; {advice}"
            raise UnreadableError.at_line(name, row.line, reason)
        if self.field not in field_names:
            fields = ", ".join(map(quote_argument, field_names))
            reason = f"no field {quote_argument(self.field)}; the fields are {fields}"
            raise UnreadableError.at_line(name, row.line, reason)
        return field_names.index(self.field)

    def make_record(self, row: Row, index: int) -> Record:
        first_start, first_end = row.bounds[0]
        if len(row.bounds) == 1 and first_start == first_end:
            return Record(row.line, row.octets)  # an empty line
        if index >= len(row.bounds):
            problem = f"the record has {len(row.bounds)} of at least {index + 1} fields"
            return Record(row.line, row.octets, problem=problem)
        start, end = row.bounds[index]
        octets = row.octets
        raw = octets[start:end]
        text = unquote_field(raw)
        if not text:
            return Record(row.line, octets)
        return Record(row.line, octets[:start], raw, octets[end:], text, self.encode_string)

    def encode_string(self, text: str, raw: bytes) -> bytes:
        octets = text.encode("utf-8", "surrogateescape")
        special = (QUOTE, self.delimiter, b"\r", b"\n")
        if raw.startswith(QUOTE) or any(octet in octets for octet in special):
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
        self.quote_start: int | None = None
        #: Whether a quoted field is followed by other characters than a delimiter.
        self.has_misplaced_quote = False

    @property
    def octets(self) -> bytes:
        return bytes(self.content)

    def add_line(self, number: int, line: bytes) -> bool:
        """Add a line, and return whether the record is complete."""
        self.line = self.line or number
        line_start = len(self.content)
        self.content += line
        end = len(line.removesuffix(b"\n").removesuffix(b"\r"))
        mark, _ = split_mark(number, line)
        index = len(mark)
        while True:
            field_start = line_start + index
            if self.quote_start is not None:
                field_start, index = self.quote_start, find_quote_end(line, index)
            elif line.startswith(QUOTE, index, end):
                index = find_quote_end(line, index + 1)
            else:
                next_delimiter = line.find(self.delimiter, index, end)
                index = end if next_delimiter < 0 else next_delimiter
            if index < 0:
                self.quote_start = field_start
                return False
            self.quote_start = None
            self.bounds.append((field_start, line_start + index))
            if index == end:
                return True
            if not line.startswith(self.delimiter, index):
                self.has_misplaced_quote = True
                return False
            index += 1


def find_quote_end(line: bytes, index: int) -> int:
    """Return the index after the quotation mark that ends a field, or -1 without one."""
    while (index := line.find(QUOTE, index)) >= 0:
        if not line.startswith(QUOTE, index + 1):
            return index + 1
        index += 2  # two quotation marks stand for one in the value
    return -1


def unquote_field(raw: bytes) -> str:
    if raw.startswith(QUOTE):
        raw = raw[1:-1].replace(QUOTE + QUOTE, QUOTE)
    return raw.decode("utf-8", "surrogateescape")


#: A value, and the indices of its start and its end in the line.
LocatedValue: TypeAlias = tuple[Any, int, int]

#: The white space of JSON, alone or around a character.
CHARACTER_PATTERNS = {
    character: re.compile(rf"[ \t\r\n]*{re.escape(character)}[ \t\r\n]*")
    for character in ("", *"{}[:,")
}

#: A step of a path: a name, a name in quotation marks, or an index.
PATH_STEP = re.compile(r"""(?:^|(?!^)\.)(?:([^."\[\]]+)|("(?:[^"\\]|\\.)*"))|\[([0-9]{1,9})\]""")

PATH_HINT = "write names and indices, as in a.b[0].c"


class JSONLinesFormat:
    """JSON Lines files, with a field such as `links[0].url`. Objects without it stay."""

    def __init__(self, field: str) -> None:
        self.field = field
        self.steps = parse_field_path(field)
        self.decode = JSONDecoder().raw_decode
        #: Whether objects were read, and whether one of them had the field.
        self.has_objects = self.has_field = False

    def read_records(self, name: str) -> Iterator[Iterable[Record]]:
        return self.parse_records(name, read_numbered_lines(name, b"\n", MAX_RECORD_SIZE))

    def parse_records(self, name: str, batches: Batches) -> Iterator[Iterable[Record]]:  # noqa: ARG002
        for batch in batches:
            yield (self.make_record(number, line) for number, line in batch)
        if self.has_objects and not self.has_field:
            reason = f"no object has the field {quote_argument(self.field)}; {PATH_HINT}"
            yield [Record(1, b"", problem=reason)]

    def make_record(self, number: int, octets: bytes) -> Record:
        unchanged = Record(number, octets)
        mark, octets = split_mark(number, octets)
        line = octets.decode("utf-8", "surrogateescape")
        if not line.strip():
            return unchanged
        try:
            values = self.find_values(line)
        except RecursionError:
            return unchanged._replace(problem="invalid JSON: too many nested values")
        except JSONDecodeError as error:
            return unchanged._replace(problem=f"invalid JSON: {error.msg}")
        except ValueError:
            return unchanged._replace(problem="invalid JSON: too many digits in a number")
        self.has_objects = True
        if not values:
            return unchanged
        self.has_field = True
        if len(values) > 1:
            return unchanged._replace(problem=f"several fields {quote_argument(self.field)}")
        [(value, start, end)] = values
        if value is None or value == "":
            return unchanged
        if not isinstance(value, str):
            problem = f"the value of {quote_argument(self.field)} is not a string"
            return unchanged._replace(problem=problem)
        parts = (line[:start], line[start:end], line[end:])
        before, raw, after = (part.encode("utf-8", "surrogateescape") for part in parts)
        return Record(number, mark + before, raw, after, value, self.encode_string)

    def find_values(self, line: str) -> list[LocatedValue]:
        """Return the values of the field; several if an object has several members of a name."""
        members, end = self.parse_members(line, 0)
        if end != len(line):
            raise JSONDecodeError("characters follow the object", line, end)
        first_step, *next_steps = self.steps
        values = [value for name, value in members if name == first_step]
        for step in next_steps:
            values = [inner for value in values for inner in self.select_members(line, value, step)]
        return values

    def select_members(self, line: str, value: LocatedValue, step: str | int) -> list[LocatedValue]:
        """Return the members of a value that a step of the path names: none, one or several."""
        content, start, _ = value
        if isinstance(content, dict) and isinstance(step, str):
            members, _ = self.parse_members(line, start)
            return [member for name, member in members if name == step]
        if isinstance(content, list) and isinstance(step, int):
            return self.parse_items(line, start)[step : step + 1]  # empty if the list is shorter
        return []

    def parse_members(self, line: str, index: int) -> tuple[list[tuple[str, LocatedValue]], int]:
        """Return the names and values of an object, and the index after it."""
        members: list[tuple[str, LocatedValue]] = []
        index = skip_character(line, index, "{")
        if line.startswith("}", index):
            return members, skip_character(line, index, "}")
        while True:
            if not line.startswith('"', index):
                raise JSONDecodeError("expected a name in double quotation marks", line, index)
            name, index = self.decode(line, index)
            index = skip_character(line, index, "")  # only white space
            start = skip_character(line, index, ":")
            value, end = self.decode(line, start)
            members.append((name, (value, start, end)))
            index = skip_character(line, end, "")
            if line.startswith("}", index):
                return members, skip_character(line, index, "}")
            index = skip_character(line, index, ",")

    def parse_items(self, line: str, index: int) -> list[LocatedValue]:
        items: list[LocatedValue] = []
        index = skip_character(line, index, "[")
        while not line.startswith("]", index):
            value, end = self.decode(line, index)
            items.append((value, index, end))
            index = skip_character(line, end, "")
            if line.startswith(",", index):
                index = skip_character(line, index, ",")
        return items

    def encode_string(self, text: str, raw: bytes) -> bytes:
        # Keep the style of the file: escaped non-ASCII characters, and escaped slashes as of PHP.
        literal = dumps(text, ensure_ascii=b"\\u" in raw)
        if b"\\/" in raw:
            literal = literal.replace("/", "\\/")
        return literal.encode("utf-8", "surrogateescape")


def skip_character(line: str, index: int, character: str) -> int:
    """Return the index after a character and the white space around it."""
    match = CHARACTER_PATTERNS[character].match(line, index)
    if match is None:
        expected = "an object" if character == "{" else f'"{character}"'
        raise JSONDecodeError(f"expected {expected}", line, index)
    return match.end()


def parse_field_path(field: str) -> tuple[str | int, ...]:
    """Parse a path as in jq: `a.b`, `a[0].b`, `"a.b"`."""
    steps: list[str | int] = []
    position = 0
    while position < len(field) and (match := PATH_STEP.match(field, position)):
        name, literal, index = match.groups()
        try:
            steps.append(int(index) if index else name or loads(literal))
        except ValueError:
            break  # a quoted name with an invalid escape
        position = match.end()
    if position < len(field) or not steps or not isinstance(steps[0], str):
        raise MisuseError(
            f"--field: invalid path {quote_argument(field)}; {PATH_HINT}, and "
            'names with other characters in quotation marks, as in "a.b".c'
        )
    return tuple(steps)


#: The delimiter of each table format, by the ending of file names.
DELIMITERS = {".csv": b",", ".tsv": b"\t"}

#: The endings of the names of JSON Lines files.
JSON_LINES = (".jsonl", ".ndjson")

#: The first line of a JSON array.
JSON_ARRAY = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:[\[\]{\"]|\Z)")


def choose_record_format(
    name: str, field: str | None, end: str
) -> LineFormat | TableFormat | JSONLinesFormat | DetectedFormat:
    if field is None:
        return LineFormat(end)
    if name == "-":
        return DetectedFormat(field)
    lower = name.lower()
    if lower.endswith(JSON_LINES):
        return JSONLinesFormat(field)
    for ending, delimiter in DELIMITERS.items():
        if lower.endswith(ending):
            return TableFormat(field, delimiter)
    raise MisuseError(
        f"--field: unknown format of {quote_argument(name)}; rename the file, so that it ends with "
        f"{', '.join(DELIMITERS)}, {' or '.join(JSON_LINES)}"
    )


class DetectedFormat:
    """Standard input, in the format that its first line shows. Empty lines before it stay."""

    def __init__(self, field: str) -> None:
        self.field = field

    def read_records(self, name: str) -> Iterator[Iterable[Record]]:
        batches = read_numbered_lines(name, b"\n", MAX_RECORD_SIZE)
        for batch in batches:
            lines = list(batch)
            empty_lines = list(takewhile(is_empty, lines))
            yield [Record(number, line) for number, line in empty_lines]
            lines = lines[len(empty_lines) :]
            if lines:
                number, line = lines[0]
                if JSON_ARRAY.match(line):
                    reason = "a JSON array is not read; write one JSON object per line"
                    raise UnreadableError.at_line(name, number, reason)
                record_format = self.detect_format(line)
                # This reads all other batches, so the loop ends.
                yield from record_format.parse_records(name, chain([lines], batches))

    def detect_format(self, line: bytes) -> TableFormat | JSONLinesFormat:
        if line.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
            return JSONLinesFormat(self.field)
        return TableFormat(self.field, DELIMITERS[".tsv" if b"\t" in line else ".csv"])


def is_empty(line: tuple[int, bytes]) -> bool:
    return not line[1].removeprefix(BOM_UTF8).strip()
