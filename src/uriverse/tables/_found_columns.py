"""Find columns of tables by their names, or raise the error of this package."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, TypeAlias

from uriverse._quoting import quoted
from uriverse._redaction import redacted_invalid

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Schema: TypeAlias = Any

#: The maximum number of column names that an error message lists.
NAMED = 20


class TableError(ValueError):
    """The error for a table that cannot be read, processed or written."""

    __module__ = "uriverse.tables"


def number_of(schema: Schema, name: str) -> int:
    """Return the index of the column with the given name.

    Raises:
        TableError: no column or more than one column has this name.
    """
    numbers: list[int] = schema.get_all_field_indices(name)
    if len(numbers) != 1:
        if numbers:
            raise TableError(f"the table has {len(numbers)} columns {quoted(name)}; rename them")
        names = named(dict.fromkeys(schema.names))
        remedy = f"choose one of {names}" if names else "it has no columns"
        raise TableError(f"the table has no column {quoted(name)}; {remedy}")
    return numbers[0]


def named(names: Iterable[str]) -> str:
    """Join the first 20 column names for an error message, without secrets."""
    every = list(names)
    first = ", ".join(map(redacted_invalid, every[:NAMED]))
    return first if len(every) <= NAMED else f"{first} and {len(every) - NAMED:,} more"


def text_column(batch: RecordBatch, name: str, noun: str = "column") -> Column:
    """Return the string column with the given name. String views become large strings.

    Args:
        batch: the batch.
        name: the name of the column.
        noun: what the column is, for the error message.

    Raises:
        TableError: the column is missing, occurs twice or does not contain strings.
    """
    column = batch.column(number_of(batch.schema, name))
    if not is_text(column.type):
        raise TableError(
            f"{noun} {quoted(name)} is {type_name(column.type)}; "
            f"cast it to string, or choose another {noun}"
        )
    # The results would also be views, which few formats and programs support.
    return column.cast(pa.large_string()) if column.type == pa.string_view() else column


def type_name(kind: Any) -> str:
    """Return the name of a column type for an error message, without secrets."""
    # The name of a struct type contains the field names, which may contain passwords.
    return redacted_invalid(str(kind.type_name if isinstance(kind, pa.OpaqueType) else kind))


def is_text(kind: Any) -> bool:
    """Return whether a column of this Arrow type contains strings, or only nulls."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    texts = (pa.string(), pa.large_string(), pa.string_view(), pa.null())
    return kind in texts
