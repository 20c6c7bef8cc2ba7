"""Write a table as a folder of files, with a folder for each partition."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from ._batches import merged
from ._partitions import Partition, folder_of, split
from ._writers import GROUP_OCTETS, ParquetWriter, Writer

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The maximum number of open files in a folder of partitions.
MOST_OPEN = 128

#: A function that takes a stream and a schema, and returns the writer of a file.
NewWriter: TypeAlias = Callable[[BinaryIO, Schema], Writer]


class Part:
    """A file in a folder of partitions, and the rows that wait to be written to it."""

    def __init__(self, path: Path, new_writer: NewWriter, schema: Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("xb")
        self.writer = new_writer(self.file, schema)
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

    Args:
        folder: the path of the folder, which is created.
        schema: the schema of the table.
        new_writer: a function that returns the writer of a file.
        end: the file name extension.
        partition_by: the columns whose values become the names of folders.
        file_rows: the maximum number of rows of a file.
    """

    def __init__(
        self,
        folder: Path,
        schema: Schema,
        new_writer: NewWriter,
        end: str,
        partition_by: tuple[str, ...],
        file_rows: int | None,
    ) -> None:
        folder.mkdir()
        self.folder = folder
        self.new_writer = new_writer
        self.end = end
        self.partition_by = partition_by
        self.file_rows = file_rows
        self.schema = pa.schema(
            [field for field in schema if field.name not in partition_by], schema.metadata
        )
        self.numbers = count()
        self.parts: dict[Partition, Part] = {}
        self.waiting: dict[Partition, list[RecordBatch]] = {}
        self.octets = 0

    def write(self, batch: RecordBatch, /) -> None:
        for partition, rows in split(batch, self.partition_by):
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
        limit = self.file_rows
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
            path = self.folder / folder_of(partition) / name
            part = Part(path, self.new_writer, self.schema)
        self.parts[partition] = part
        return part

    def close(self) -> None:
        self.write_waiting()
        if not self.partition_by and next(self.numbers) == 0:
            # A file without rows has the schema at least.
            self.numbers = count()
            self.part_of(())
        for part in self.parts.values():
            part.close()

    def abandon(self) -> None:
        for part in self.parts.values():
            part.abandon()
