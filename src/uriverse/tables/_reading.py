"""Open files of all formats as tables, in batches of limited size."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, TypeAlias

from uriverse.typing import Format

from ._batches import bounded
from ._columnar import arrow, parquet
from ._delimited import DELIMITERS, separated
from ._json_lines import ndjson
from ._partitions import filled, with_partition
from ._readers import Columns, Reader, chosen
from ._sources import Source, failing, stream_of
from ._text_lines import lines

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any


@contextmanager
def opened(source: Source, columns: Columns) -> Generator[Reader, None, None]:
    """Open a table file for reading.

    Raises:
        TableError: the file cannot be read, or has another format.
    """
    with failing(source.name):
        stream = stream_of(source)
    with stream:
        with failing(source.name):
            reader = reader_of(source, stream, columns)
        yield reader._replace(batches=in_pieces(source.name, reader.batches))


def reader_of(source: Source, stream: BinaryIO, columns: Columns) -> Reader:
    """Return the parser of a file, which adds the columns in the names of its folders."""
    if not source.partition:
        return READERS[source.form](stream, columns)
    names: list[str] = []

    def own_columns(schema: Schema) -> list[str]:
        names[:] = columns(with_partition(schema, source.partition))
        own = [name for name in names if name in schema.names]
        # No format has rows without columns.
        return own or schema.names[:1]

    reader = READERS[source.form](stream, own_columns)
    return reader._replace(
        schema=chosen(with_partition(reader.schema, source.partition), names),
        batches=(filled(batch, source.partition, names) for batch in reader.batches),
    )


def in_pieces(name: str, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
    """Split batches into batches of limited size, and skip empty batches."""
    while True:
        with failing(name):
            batch = next(batches, None)
        if batch is None:
            return
        yield from bounded(batch)


#: The parser of each format.
READERS: dict[Format, Callable[[BinaryIO, Columns], Reader]] = {
    "parquet": parquet,
    "arrow": arrow,
    "csv": separated(DELIMITERS["csv"]),
    "tsv": separated(DELIMITERS["tsv"]),
    "ndjson": ndjson,
    "lines": lines,
}
