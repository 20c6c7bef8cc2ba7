"""The format of a file whose records are edited, by its name or by its first line."""

from __future__ import annotations

from codecs import BOM_UTF8
from itertools import chain

from uriverse._quoting import quoted

from .object_records import Objects
from .output import MisuseError
from .records import LONGEST, Lines, numbered
from .table_records import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .records import Record

#: The delimiter of each table format, by the ending of file names.
DELIMITERS = {".csv": b",", ".tsv": b"\t"}

#: The endings of the names of JSON Lines files.
JSON_LINES = (".jsonl", ".ndjson")


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
    """Standard input, in the format that its first line shows.

    Args:
        field: the name, the path or the number of the field.
    """

    def __init__(self, field: str) -> None:
        self.field = field

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        batches = (iter(list(batch)) for batch in numbered(name, b"\n", LONGEST))
        first = [*next(batches, ())]
        line = first[0][1] if first else b""
        yield from self.format_with(line).records_in(name, chain([iter(first)], batches))

    def format_with(self, line: bytes) -> Table | Objects:
        if line.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
            return Objects(self.field)
        return Table(self.field, DELIMITERS[".tsv" if b"\t" in line else ".csv"])
