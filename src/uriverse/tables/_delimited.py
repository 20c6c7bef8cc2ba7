"""Read CSV and TSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, TypeAlias

from ._found_columns import TableError
from ._readers import Columns, Reader, chosen
from ._sources import BLOCK, octets_read

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

RecordBatch: TypeAlias = Any

DELIMITERS = {"csv": ",", "tsv": "\t"}

#: How the rows in error messages are counted. pyarrow does not know the numbers of lines.
COUNTED = "rows are counted after the header line"

#: The error message of pyarrow for a row that is not UTF-8, with the number of the row.
INVALID_UTF8 = re.compile(".*Row #([0-9]+): .*invalid UTF8.*")

#: The maximum number of octets in the header of a CSV file.
LONGEST_HEADER = 1 << 20


def separated(delimiter: str) -> Callable[[BinaryIO, Columns], Reader]:
    """Return a CSV parser. All columns are strings, because CSV has no other types."""

    def read(stream: BinaryIO, columns: Columns) -> Reader:
        pa_csv: Any = import_module("pyarrow.csv")
        # Read the column names first, because pyarrow needs the type of each column.
        header = header_of(stream, delimiter)
        if not header:
            raise TableError("the file has no header line")
        schema = pa.schema([(name, pa.string()) for name in header])
        names = columns(schema)
        invalid_rows: list[tuple[int, int]] = []
        parsing = pa_csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            # In a table with one column, an empty line is a null row.
            ignore_empty_lines=len(header) > 1,
            invalid_row_handler=partial(skip_row, invalid_rows),
        )
        conversion = pa_csv.ConvertOptions(
            column_types=schema,
            include_columns=names,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        )

        def batches() -> Iterator[RecordBatch]:
            rows = 0
            # With threads, pyarrow does not know the numbers of rows, and is not faster here.
            options = pa_csv.ReadOptions(column_names=header, block_size=BLOCK, use_threads=False)
            try:
                for batch in pa_csv.open_csv(stream, options, parsing, conversion):
                    rows += batch.num_rows
                    yield batch
            except pa.ArrowInvalid as error:
                place = f" (after row {rows:,})" if rows else ""
                if invalid_rows:
                    number, count = invalid_rows[0]
                    fields = "field" if count == 1 else "fields"
                    reason = f"row {number:,} has {count} {fields}, not {len(header)}"
                    raise TableError(f"{reason}; {COUNTED}") from None
                if "straddling object" in str(error):
                    raise TableError(
                        f"a quote is not closed, or a row is longer than {BLOCK:,} octets{place}"
                    ) from None
                if str(error) != "Empty CSV file":
                    reason = INVALID_UTF8.sub(rf"row \1 is not valid UTF-8; {COUNTED}", str(error))
                    raise pa.ArrowInvalid(reason) from None

        return Reader(chosen(schema, names), batches(), octets_read(stream))

    return read


def header_of(stream: BinaryIO, delimiter: str) -> list[str] | None:
    """Return the column names of a CSV file, or None if the file is empty.

    Raises:
        TableError: the header is too long, or contains a carriage return without a line feed.
    """
    try:
        return next(csv.reader(header_lines(stream), delimiter=delimiter), None)
    except csv.Error as error:
        if "limit" in str(error):
            raise TableError(
                f"a column name is longer than {csv.field_size_limit():,} characters"
            ) from None
        raise TableError(
            "the header line contains a carriage return without a line feed; "
            "end lines with LF or CRLF"
        ) from None


def header_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a CSV header, which has several lines if a name contains line breaks."""
    left = LONGEST_HEADER
    while line := stream.readline(left + 1):
        left -= len(line)
        if left < 0:
            raise TableError(f"the header line is longer than {LONGEST_HEADER:,} octets")
        yield line.decode("utf-8-sig")


def skip_row(invalid_rows: list[tuple[int, int]], row: Any) -> str:
    """Store the number and the number of fields of an invalid CSV row, and make pyarrow stop.

    The caller needs them for a new error message. The message of pyarrow quotes the row, which may
    contain a password.
    """
    invalid_rows.append((row.number, row.actual_columns))
    return "error"
