"""Writers of each format: Parquet, Arrow, CSV, TSV, NDJSON and plain lines."""

from __future__ import annotations

import errno
import io
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, Protocol, TypeAlias

from uriverse.typing import Compression

from ._batches import scalar_of
from ._found_columns import TableError, named
from ._json import as_json, lines_of, listed, octets_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: A Parquet row group is written once it has this many rows or octets.
GROUP_ROWS = 1 << 18
GROUP_OCTETS = 1 << 27

#: The number of rows to convert to JSON at once. They fit in the cache of a processor, and the
#: allocator reuses the memory.
JSON_ROWS = 1 << 13


class Writer(Protocol):
    """The interface of all classes that write a table."""

    def write(self, batch: RecordBatch, /) -> None:
        """Write a batch, now or together with later batches."""

    def close(self) -> None:
        """Write the rows that are still in memory, and complete the file."""

    def abandon(self) -> None:
        """Release resources after an error, without completing the file."""


class Tap(io.RawIOBase):
    """A stream that can be shut, so that later writes fail.

    A `pq.ParquetWriter` writes the footer when it is garbage-collected. Without this class, an
    incomplete file would look complete.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.written = 0
        self.shut = False

    def writable(self) -> bool:
        return True

    def write(self, octets: Any, /) -> int:
        if self.shut:
            raise OSError(errno.EPIPE, "the stream is shut")
        self.stream.write(octets)
        self.written += len(octets)
        return len(octets)

    def tell(self) -> int:
        return self.written


class ParquetWriter:
    """Write Parquet files with large row groups, which are the fastest to read."""

    def __init__(self, stream: BinaryIO, schema: Schema, compression: Compression) -> None:
        self.stream = Tap(stream)
        self.schema = schema
        self.compression = compression
        self.waiting: list[RecordBatch] = []
        self.writer: Any = None

    def write(self, batch: RecordBatch, /) -> None:
        self.waiting.append(batch)
        rows = sum(waiting.num_rows for waiting in self.waiting)
        if rows >= GROUP_ROWS or sum(waiting.nbytes for waiting in self.waiting) >= GROUP_OCTETS:
            self.write_group()

    def write_group(self) -> None:
        group = pa.Table.from_batches(self.waiting, self.schema)
        self.waiting = []
        if self.writer is None:
            self.writer = import_module("pyarrow.parquet").ParquetWriter(
                self.stream,
                self.schema,
                compression=self.compression,
                use_dictionary=repeating(group),
            )
        self.writer.write_table(group)

    def close(self) -> None:
        if self.waiting or self.writer is None:
            self.write_group()
        assert self.writer is not None
        self.writer.close()

    def abandon(self) -> None:
        self.stream.shut = True
        if self.writer is not None:
            # Otherwise, the writer would try to write the footer when it is garbage-collected.
            self.writer.is_open = False


def repeating(group: Any) -> bool | list[str]:
    """Return the Parquet columns to encode with a dictionary, or True to encode all columns so.

    A dictionary makes columns with repeated values smaller.
    """
    if any(pa.types.is_nested(field.type) for field in group.schema):
        return True
    first = group.slice(0, 1 << 12)
    return [
        name
        for name, column in zip(first.column_names, first.columns, strict=True)
        if repeats(column)
    ]


def repeats(column: Column) -> bool:
    """Return whether a column has at least twice as many rows as distinct values."""
    try:
        return bool(pc.count_distinct(column).as_py() * 2 <= len(column))
    except pa.ArrowNotImplementedError:
        # pyarrow cannot count values of some types, such as dictionaries and views.
        return True


class ArrowWriter:
    """Write Arrow IPC files, in the file format.

    Columns with dictionaries are written as plain columns, because all batches of a file must have
    the same dictionaries.
    """

    def __init__(self, stream: BinaryIO, schema: Schema, compression: Compression) -> None:
        ipc: Any = import_module("pyarrow.ipc")
        self.stream = Tap(stream)
        self.schema = pa.schema(map(without_dictionary, schema), schema.metadata)
        codec = None if compression == "none" else compression
        options = ipc.IpcWriteOptions(compression=codec)
        self.writer = ipc.new_file(self.stream, self.schema, options=options)

    def write(self, batch: RecordBatch, /) -> None:
        self.writer.write_batch(batch.cast(self.schema))

    def close(self) -> None:
        self.writer.close()

    def abandon(self) -> None:
        self.stream.shut = True


def without_dictionary(field: Any) -> Any:
    """Return a field of a schema with the type of its values, if it has a dictionary."""
    return field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field


class CSVWriter:
    """Write CSV or TSV files with a header line. Nested values are written as JSON.

    With `escape_formulas`, no spreadsheet reads a string or a column name as a formula.
    """

    def __init__(
        self, stream: BinaryIO, schema: Schema, delimiter: str, *, escape_formulas: bool = False
    ) -> None:
        self.escape_formulas = escape_formulas
        pa_csv: Any = import_module("pyarrow.csv")
        names = schema.names
        if escape_formulas:
            names = without_formulas(pa.array(names, pa.large_string())).to_pylist()
        types = [flat_type(field.type) for field in schema]
        self.schema = pa.schema(list(zip(names, types, strict=True)))
        options = pa_csv.WriteOptions(delimiter=delimiter)
        self.writer = pa_csv.CSVWriter(stream, self.schema, write_options=options)

    def write(self, batch: RecordBatch, /) -> None:
        flat = [*map(flattened, batch.columns, batch.schema.names)]
        if self.escape_formulas:
            flat = [without_formulas(column) for column in flat]
        self.writer.write_batch(pa.record_batch(flat, schema=self.schema))

    def close(self) -> None:
        self.writer.close()

    def abandon(self) -> None:
        with suppress(pa.ArrowException, OSError):
            self.writer.close()


class NDJSONWriter:
    """Write NDJSON files: one JSON object per line."""

    def __init__(self, stream: BinaryIO, schema: Schema) -> None:  # noqa: ARG002
        self.stream = stream

    def write(self, batch: RecordBatch, /) -> None:
        for start in range(0, batch.num_rows, JSON_ROWS):
            self.stream.write(lines_of(batch.slice(start, JSON_ROWS)))

    def close(self) -> None:
        pass

    def abandon(self) -> None:
        pass


class LinesWriter:
    """Write a table with a single column as a text file with one value per line.

    A null row becomes an empty line.
    """

    def __init__(self, stream: BinaryIO, schema: Schema) -> None:
        self.stream = stream
        self.rows = 0
        if len(schema) != 1:
            names = named(schema.names)
            raise TableError(
                f"lines have one column, not {len(schema)} ({names}); keep no other column"
            )

    def write(self, batch: RecordBatch, /) -> None:
        texts = flattened(batch.column(0), batch.schema.names[0]).cast(pa.large_string())
        if len(broken := pc.indices_nonzero(pc.match_substring_regex(texts, "\n|\r$"))):
            raise TableError(
                f"row {self.rows + broken[0].as_py() + 1}: the result contains a line break; "
                "write CSV, NDJSON or Parquet"
            )
        self.rows += len(texts)
        whole = pc.binary_join_element_wise(
            pc.fill_null(texts, scalar_of("")), scalar_of("\n"), scalar_of("")
        )
        self.stream.write(octets_of(whole))

    def close(self) -> None:
        pass

    def abandon(self) -> None:
        pass


def flat_type(kind: Any) -> Any:
    """Return the Arrow type that a column must have before it can be written as CSV or lines."""
    if pa.types.is_dictionary(kind):
        return flat_type(kind.value_type)
    views = (pa.string_view(), pa.binary_view())
    return pa.large_string() if pa.types.is_nested(kind) or kind in views else kind


def flattened(column: Column, name: str) -> Column:
    """Convert a column to a type that CSV and text files can contain. Nested values become JSON."""
    if not pa.types.is_nested(column.type):
        return column.cast(flat_type(column.type))
    values = (None if value is None else as_json(value, name) for value in listed(column, name))
    return pa.array(values, pa.large_string())


def without_formulas(column: Column) -> Column:
    """Write `'` before each string that a spreadsheet would read as a formula."""
    if column.type not in {pa.string(), pa.large_string(), pa.binary(), pa.large_binary()}:
        return column
    return pc.replace_substring_regex(column, pattern=r"^([=+\-@\t\r])", replacement=r"'\1")
