"""Hive partitions: the columns of a table whose values are in the names of its folders.

The rows in the folder `year=2026/kind=a%2Fb` have the value "2026" in the column "year" and "a/b"
in the column "kind".
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import PurePath
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from uriverse._quoting import quoted

from ._batches import scalar_of
from ._found_columns import TableError, number_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The values of partition columns, by name. `None` is null.
Partition: TypeAlias = tuple[tuple[str, str | None], ...]

#: The value in folder names that stands for null, as in Hive and Spark.
NULL = "__HIVE_DEFAULT_PARTITION__"


def folders_in(path: str) -> list[str]:
    """Return the folder names of a path that are partitions, such as `year=2026`."""
    return [part for part in PurePath(path).parent.parts if is_partition(part)]


def is_partition(folder: str) -> bool:
    return "=" in folder.lstrip("=")


def partition_of(folders: list[str]) -> Partition:
    """Return the columns and values in the names of folders."""
    pairs = [folder.partition("=") for folder in folders]
    return tuple(
        (unquote(name), None if text == NULL else unquote(text)) for name, _, text in pairs
    )


def folder_of(partition: Partition) -> str:
    """Return the path of the folder for the rows with the given values."""
    return "/".join(
        f"{encoded(name)}={NULL if text is None else encoded(text)}" for name, text in partition
    )


def encoded(text: str) -> str:
    """Percent-encode the ASCII characters of a name or a value that could be special in a path.

    Spark decodes each octet to a character, so it would misread other percent-encoded characters.
    """
    return "".join(quote(each, safe="") if each.isascii() else each for each in text)


def with_partition(schema: Schema, partition: Partition) -> Schema:
    """Add partition columns to a schema.

    Raises:
        TableError: the schema already has a column with the same name.
    """
    for name, _ in partition:
        if name in schema.names:
            raise TableError(
                f"column {quoted(name)} is in the file and in the name of its folder; rename one"
            )
        schema = schema.append(pa.field(name, pa.string()))
    return schema


def filled(batch: RecordBatch, partition: Partition, names: list[str]) -> RecordBatch:
    """Add partition columns to a batch, and return its columns with the given names, in order."""
    for name, text in partition:
        column = pa.nulls(len(batch), pa.string())
        if text is not None:
            column = pa.repeat(scalar_of(text).cast(pa.string()), len(batch))
        batch = batch.append_column(name, column)
    return batch.select(names)


def split(batch: RecordBatch, names: tuple[str, ...]) -> Iterator[tuple[Partition, RecordBatch]]:
    """Yield each partition of a batch, with its rows in order and without the partition columns."""
    if not names:
        yield (), batch
        return
    texts = [as_texts(batch.column(number_of(batch.schema, name)), name) for name in names]
    rest = batch.drop_columns(list(names))
    codes = pc.multiply(pa.arange(0, len(batch)), 0)
    for column in texts:
        encoded = column.dictionary_encode("encode")
        codes = pc.add(pc.multiply(codes, len(encoded.dictionary)), encoded.indices)
        # With few distinct values, the product never overflows.
        codes = codes.dictionary_encode().indices.cast(pa.int64())
    order = pc.sort_indices(codes)
    start = 0
    for run in pc.value_counts(codes.take(order)).to_pylist():
        rows = order.slice(start, run["counts"])
        start += run["counts"]
        values = (column[rows[0].as_py()].as_py() for column in texts)
        yield tuple(zip(names, values, strict=True)), rest.take(rows)


def as_texts(column: Any, name: str) -> Any:
    """Return the values of a partition column as strings.

    Raises:
        TableError: the type has no strings that a folder name could contain.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    try:
        return column.cast(kind).cast(pa.large_string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise TableError(f"column {quoted(name)} cannot be in the names of folders") from None
