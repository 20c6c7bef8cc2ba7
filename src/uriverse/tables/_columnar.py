"""Read Parquet and Arrow files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any, BinaryIO, TypeAlias, get_args

from uriverse._quoting import quoted
from uriverse.typing import Compression

from ._batches import PROBED, ROWS, beside, merged, rows_at_once
from ._found_columns import TableError, number_of
from ._readers import DEEPEST, Columns, Reader, chosen
from ._sources import octets_read

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The first octets of Arrow IPC files in the file format.
ARROW_MAGIC = b"ARROW1"


def parquet(stream: BinaryIO, columns: Columns) -> Reader:
    # A reader that buffers in advance keeps all octets of the file in memory until it is closed.
    file: Any = import_module("pyarrow.parquet").ParquetFile(stream, pre_buffer=False)
    reject_deep_types(file.schema_arrow)
    names = columns(file.schema_arrow)
    done, rows, size = 0, file.metadata.num_rows, stream.seek(0, os.SEEK_END)
    coded = {field.name for field in file.schema_arrow if pa.types.is_dictionary(field.type)}

    def batches() -> Iterator[RecordBatch]:
        nonlocal done
        sides: list[Iterator[RecordBatch]] = []
        if plain := [name for name in names if name not in coded]:
            # For so few rows, threads cost more time than they save.
            read = partial(file.iter_batches, columns=plain, use_threads=False)
            sides.append(merged(read(rows_at_once(next(read(PROBED), None)))))
        if whole := [name for name in names if name in coded]:
            # These batches can be large: dictionary values are not copied to the rows. Small
            # batches would be slow, because the dictionary is read again for each batch.
            sides.append(file.iter_batches(ROWS, columns=whole))
        for parts in beside(sides):
            columns = {name: part.column(name) for part in parts for name in part.schema.names}
            done += parts[0].num_rows
            yield pa.record_batch({name: columns[name] for name in names})

    return Reader(
        chosen(file.schema_arrow, names),
        batches(),
        lambda: size * done // rows if rows else size,
        compression_of(file.metadata),
    )


def compression_of(metadata: Any) -> Compression | None:
    """Return the compression of the first column of a Parquet file, if uriverse can write it."""
    if not metadata.num_row_groups or not metadata.num_columns:
        return None
    name: str = metadata.row_group(0).column(0).compression.lower()
    names: dict[str, Compression] = {each: each for each in get_args(Compression)}
    return "none" if name == "uncompressed" else names.get(name)


def arrow(stream: BinaryIO, columns: Columns) -> Reader:
    """Read an Arrow IPC file, in the file format or in the stream format."""
    ipc: Any = import_module("pyarrow.ipc")
    is_file = stream.read(len(ARROW_MAGIC)) == ARROW_MAGIC
    opening = ipc.open_file if is_file else ipc.open_stream
    stream.seek(0)
    schema = opening(stream).schema
    reject_deep_types(schema)
    names = columns(schema)
    numbers = sorted(number_of(schema, name) for name in names)
    stream.seek(0)
    file = opening(stream, options=ipc.IpcReadOptions(included_fields=numbers))

    def batches() -> Iterator[RecordBatch]:
        found = map(file.get_batch, range(file.num_record_batches)) if is_file else file
        for batch in found:
            # The file could refer to octets outside its buffers.
            batch.validate(full=True)
            yield batch.select(names)

    return Reader(chosen(schema, names), batches(), octets_read(stream))


def reject_deep_types(schema: Schema) -> None:
    """Reject columns whose types are nested more than `DEEPEST` levels deep."""
    for field in schema:
        kinds = [field.type]
        for _ in range(DEEPEST + 1):
            kinds = [kind.field(n).type for kind in kinds for n in range(kind.num_fields)]
        if kinds:
            raise TableError(
                f"column {quoted(field.name)} is nested more than {DEEPEST} levels deep"
            )
