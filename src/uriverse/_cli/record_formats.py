"""The format of a file whose records are edited, by its name or by its first line."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from itertools import chain, takewhile

from uriverse._errors import quoted

from .object_records import Objects
from .output import MisuseError
from .records import LONGEST, Lines, Record, fail, numbered
from .table_records import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        f"--field: unknown format of {quoted(name)}; rename the file, so that it ends with "
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
