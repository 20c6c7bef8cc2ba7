"""Write tables as Parquet, Arrow, CSV, TSV, NDJSON or plain lines."""

from __future__ import annotations

import errno
import io
import os
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol, TypeAlias

from uriverse.typing import Compression, Format

from ._batches import merged, scalar_of
from ._destinations import folder_at, octets_to
from ._json import as_json, lines_of, listed, octets_of
from ._object_stores import is_object
from ._options import EXTENSIONS, USUAL_COMPRESSION
from ._partitions import Partition, folder_of, split
from ._plan import TableError, named, number_of
from ._reading import DELIMITERS, Reader
from ._sources import failing

if TYPE_CHECKING:
    from typing import Self

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: A Parquet row group is written once it has this many rows or octets.
GROUP_ROWS = 1 << 18
GROUP_OCTETS = 1 << 27

#: The maximum number of open files in a folder of partitions.
MOST_OPEN = 128

#: The maximum number of batches that wait to be written.
WAITING = 2


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
        self.stream.write(lines_of(batch))

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


class Part:
    """A file in a folder of partitions, and the rows that wait to be written to it."""

    def __init__(self, path: Path, output: Output, schema: Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("xb")
        self.writer = output.writer(self.file, schema)
        self.rows = 0

    def write(self, batch: RecordBatch) -> None:
        self.rows += batch.num_rows
        self.writer.write(batch)

    def flush(self) -> None:
        if isinstance(self.writer, ParquetWriter) and self.writer.waiting:
            self.writer.write_group()

    def close(self) -> None:
        self.writer.close()
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def abandon(self) -> None:
        self.writer.abandon()
        with suppress(OSError):
            self.file.close()


class PartsWriter:
    """Write a folder of files: for each partition, one or more files.

    Rows wait in memory until there are enough for large row groups. The number of open files is
    limited.
    """

    def __init__(self, folder: Path, output: Output, schema: Schema) -> None:
        folder.mkdir()
        self.folder = folder
        self.output = output
        self.schema = pa.schema(
            [field for field in schema if field.name not in output.partition_by], schema.metadata
        )
        self.end = next(end for end, form in EXTENSIONS.items() if form == output.form)
        self.numbers = count()
        self.parts: dict[Partition, Part] = {}
        self.waiting: dict[Partition, list[RecordBatch]] = {}
        self.octets = 0

    def write(self, batch: RecordBatch, /) -> None:
        for partition, rows in split(batch, self.output.partition_by):
            self.waiting.setdefault(partition, []).append(rows)
        self.octets += batch.nbytes
        if self.octets >= GROUP_OCTETS:
            self.write_waiting()

    def write_waiting(self) -> None:
        """Write all rows that wait."""
        for partition, batches in self.waiting.items():
            for batch in merged(batches):
                self.write_to(partition, batch)
            # Otherwise, each open Parquet file would have rows in memory.
            if partition in self.parts:
                self.parts[partition].flush()
        self.waiting.clear()
        self.octets = 0

    def write_to(self, partition: Partition, batch: RecordBatch) -> None:
        """Write rows to the file of a partition, and to further files after `file_rows`."""
        limit = self.output.file_rows
        while batch.num_rows:
            part = self.part_of(partition)
            room = batch.num_rows if limit is None else limit - part.rows
            part.write(batch.slice(0, room))
            batch = batch.slice(room)
            if part.rows == limit:
                self.parts.pop(partition).close()

    def part_of(self, partition: Partition) -> Part:
        """Return the open file of a partition, or open a new one."""
        # The file that was used last is the last one of the dictionary.
        part = self.parts.pop(partition, None)
        if part is None:
            if len(self.parts) >= MOST_OPEN:
                self.parts.pop(next(iter(self.parts))).close()
            name = f"part-{next(self.numbers):05}{self.end}"
            part = Part(self.folder / folder_of(partition) / name, self.output, self.schema)
        self.parts[partition] = part
        return part

    def close(self) -> None:
        self.write_waiting()
        if not self.output.partition_by and next(self.numbers) == 0:
            # A file without rows has the schema at least.
            self.numbers = count()
            self.part_of(())
        for part in self.parts.values():
            part.close()

    def abandon(self) -> None:
        for part in self.parts.values():
            part.abandon()


class Output(NamedTuple):
    """An output file and its options.

    Attributes:
        name: the path; `-` for standard output.
        form: the format.
        compression: the compression of Parquet and Arrow files; `None` for that of the first input,
            or else for the usual one of the format.
        escape_formulas: whether to write `'` before strings that a spreadsheet would read as
            formulas, in CSV and TSV files.
        partition_by: the columns whose values become the names of folders; the output is then a
            folder.
        file_rows: the maximum number of rows of a file; the output is then a folder of files.
    """

    name: str
    form: Format
    compression: Compression | None = None
    escape_formulas: bool = False
    partition_by: tuple[str, ...] = ()
    file_rows: int | None = None

    def check(self, schema: Schema) -> None:
        """Check that a table with the given schema can be written.

        Raises:
            TableError: a column to partition by is missing, or no other column is left.
        """
        for name in self.partition_by:
            number_of(schema, name)
        if len(schema) == len(self.partition_by):
            raise TableError("no column is left to write beside the partition columns; keep one")

    def like(self, reader: Reader) -> Self:
        """Return an output with the compression of an input, unless a compression is set."""
        if self.compression or self.form != "parquet":
            return self
        return self._replace(compression=reader.compression)

    def writer(self, stream: BinaryIO, schema: Schema) -> Writer:
        """Return a writer for the format."""
        if self.form in USUAL_COMPRESSION:
            compression = self.compression or USUAL_COMPRESSION[self.form]
            return (ArrowWriter if self.form == "arrow" else ParquetWriter)(
                stream, schema, compression
            )
        if self.form in DELIMITERS:
            delimiter = DELIMITERS[self.form]
            return CSVWriter(stream, schema, delimiter, escape_formulas=self.escape_formulas)
        return (NDJSONWriter if self.form == "ndjson" else LinesWriter)(stream, schema)

    @contextmanager
    def opened(self, schema: Schema) -> Generator[Writer, None, None]:
        """Open the file or the folder, and yield its writer."""
        if self.partition_by or self.file_rows is not None:
            if is_object(self.name):
                raise TableError("an object store takes a single file; write the folder here first")
            with folder_at(self.name) as folder:
                with failing(self.name):
                    parts = PartsWriter(folder, self, schema)
                yield parts
            return
        with octets_to(self.name, packed=self.form not in USUAL_COMPRESSION) as stream:
            with failing(self.name):
                writer = self.writer(stream, schema)
            yield writer

    @contextmanager
    def written(self, schema: Schema) -> Generator[Callable[[RecordBatch], None], None, None]:
        """Open the file for writing, and yield a function to write batches.

        A regular file appears at its path only when it is complete.

        Raises:
            TableError: the file cannot be written.
        """
        self.check(schema)
        with self.opened(schema) as writer:
            # A separate thread writes batches while the next batches are read.
            pool = ThreadPoolExecutor(1)
            waiting: deque[Future[None]] = deque()

            def write(batch: RecordBatch) -> None:
                waiting.append(pool.submit(writer.write, batch))
                if len(waiting) > WAITING:
                    with failing(self.name):
                        waiting.popleft().result()

            try:
                yield write
                with failing(self.name):
                    for written_later in waiting:
                        written_later.result()
                    writer.close()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                writer.abandon()
                raise
            finally:
                pool.shutdown()
