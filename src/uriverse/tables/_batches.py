"""Split and merge record batches to limit their size in memory.

A limit on the number of rows is not enough: a compressed or dictionary-encoded page can be small in
the file and very large in memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, TypeAlias

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any

#: The maximum number of rows in a batch.
ROWS = 1 << 16

#: The maximum number of octets in a batch of more than one row.
OCTETS = 1 << 23

#: The maximum number of Parquet rows to decode at once. Their size is only known after decoding,
#: because all rows may refer to the same large dictionary value.
DECODED = 1 << 8

#: The number of rows that are decoded first, to estimate the size of the other rows.
PROBED = 1 << 4


def scalar_of(text: str) -> Any:
    """Return the `large_string` scalar of a string.

    `pa.scalar` and `pa.array` would import pandas, which takes longer than everything else that a
    short run does.
    """
    octets = text.encode()
    buffers = [None, pa.py_buffer(array("q", [0, len(octets)])), pa.py_buffer(octets)]
    return pa.Array.from_buffers(pa.large_string(), 1, buffers)[0]


def bounded(batch: RecordBatch) -> Iterator[RecordBatch]:
    """Split a batch of rows into smaller batches.

    Each batch has at most `ROWS` rows and `OCTETS` octets. Only a batch of one row may be larger.
    """
    for start in range(0, batch.num_rows, ROWS):
        yield from halved(batch.slice(start, ROWS))


def halved(batch: RecordBatch) -> Iterator[RecordBatch]:
    if batch.num_rows == 1 or sum(map(octets, batch.columns)) <= OCTETS:
        yield batch
        return
    half = batch.num_rows // 2
    yield from halved(batch.slice(0, half))
    yield from halved(batch.slice(half))


def octets(column: Column) -> int:
    """Return the size of a column in octets. Dictionary values count once for each row."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        values = column.dictionary
        rows = column.indices.drop_null()
        if is_of_octets(values.type):
            lengths = pc.binary_length(values).take(rows)
            return int(pc.sum(lengths).as_py() or 0) + int(column.indices.nbytes)
        return len(rows) * int(values.nbytes) // max(len(values), 1)
    if pa.types.is_struct(kind):
        return sum(map(octets, column.flatten()))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return octets(column.flatten()) + 8 * len(column)
    return int(column.nbytes)


def is_of_octets(kind: Any) -> bool:
    """Return whether an Arrow type is a string type or a binary type, except view types."""
    return bool(kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()))


def rows_at_once(probe: RecordBatch | None) -> int:
    """Return the number of rows to decode at once, based on the size of the first rows."""
    if probe is None:
        return DECODED
    return max(1, min(DECODED, OCTETS * int(probe.num_rows) // max(int(probe.nbytes), 1)))


def merged(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
    """Concatenate small batches into batches with at most `ROWS` rows and `OCTETS` octets."""
    waiting: list[RecordBatch] = []
    rows = size = 0
    for batch in batches:
        more = batch.nbytes
        if waiting and (rows + batch.num_rows > ROWS or size + more > OCTETS):
            yield joined(waiting)
            waiting, rows, size = [], 0, 0
        waiting.append(batch)
        rows += batch.num_rows
        size += more
    if waiting:
        yield joined(waiting)


def joined(batches: list[RecordBatch]) -> RecordBatch:
    """Concatenate batches into one batch."""
    if len(batches) == 1:
        return batches[0]
    (batch,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return batch


def beside(sides: list[Iterator[RecordBatch]]) -> Iterator[list[RecordBatch]]:
    """Combine iterators over different columns of a table, and yield batches with the same rows."""
    # An exhausted iterator yields None, which ends the loop.
    heads: list[Any] = [next(side, None) for side in sides]
    while None not in heads:
        rows = min(head.num_rows for head in heads)
        yield [head.slice(0, rows) for head in heads]
        heads = [
            head.slice(rows) if head.num_rows > rows else next(side, None)
            for head, side in zip(heads, sides, strict=True)
        ]
