"""The result of the parsers of all formats, and their choice of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from uriverse.typing import Compression

from ._found_columns import number_of

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The maximum nesting depth of values. pyarrow crashes at a much greater depth.
DEEPEST = 100


class Reader(NamedTuple):
    """An open input file.

    Attributes:
        schema: the schema of the rows.
        batches: the rows, in batches of limited size.
        read: a function that returns the number of octets read so far.
        compression: the compression of the columns, if the file says so.
    """

    schema: Schema
    batches: Iterator[RecordBatch]
    read: Callable[[], int]
    compression: Compression | None = None


#: A function that takes the schema of a file and returns the names of the columns to read.
Columns: TypeAlias = Callable[[Schema], list[str]]


def chosen(schema: Schema, names: list[str]) -> Schema:
    """Return a schema with only the named columns, all of them nullable.

    A column without nulls in this file may contain nulls in another input file.
    """
    fields = [schema.field(number_of(schema, name)).with_nullable(True) for name in names]
    return pa.schema(fields, schema.metadata)
