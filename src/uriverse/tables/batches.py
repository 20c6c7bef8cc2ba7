"""Batches whose size is bounded in rows and in decoded octets.

A dictionary or a compressed page takes little room in a file, however much its rows add up to. So
the number of rows alone says nothing about memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, TypeAlias

# pyarrow says nothing of its types.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any

#: The most rows in a batch.
ROWS = 1 << 16

#: The most octets in a batch of several rows.
OCTETS = 1 << 23

#: The most rows of Parquet that are decoded at once. How long they are is known only afterwards: a
#: dictionary of one value may stand for all of them.
DECODED = 1 << 8

#: How many rows are decoded first, to estimate how long the others are.
PROBED = 1 << 4


def bounded(batch: RecordBatch) -> Iterator[RecordBatch]:
    """Split a batch so that each part has at most `ROWS` rows and `OCTETS` octets, or one row."""
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
    """Return the size of a column in octets, as if each row held a copy of its dictionary value."""
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
    """Whether a type is a string or binary type with 32-bit or 64-bit offsets."""
    return bool(kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()))


def rows_at_once(probe: RecordBatch | None) -> int:
    """Return the number of rows to decode at once, estimated from the first rows."""
    if probe is None:
        return DECODED
    return max(1, min(DECODED, OCTETS * int(probe.num_rows) // max(int(probe.nbytes), 1)))


def merged(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
    """Combine consecutive batches as long as the result is within `ROWS` and `OCTETS`."""
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
    """Concatenate batches."""
    if len(batches) == 1:
        return batches[0]
    (batch,) = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return batch


def beside(sides: list[Iterator[RecordBatch]]) -> Iterator[list[RecordBatch]]:
    """Align iterators over the same rows: yield slices of their batches with equal row counts."""
    # As `Any`: a reader that has ended gives None, and then the loop ends.
    heads: list[Any] = [next(side, None) for side in sides]
    while None not in heads:
        rows = min(head.num_rows for head in heads)
        yield [head.slice(0, rows) for head in heads]
        heads = [
            head.slice(rows) if head.num_rows > rows else next(side, None)
            for head, side in zip(heads, sides, strict=True)
        ]
