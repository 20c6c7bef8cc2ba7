"""Write the values of columns as JSON, without a Python object for each string."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, time
from importlib import import_module
from itertools import groupby
from typing import Any, TypeAlias

from uriverse._quoting import quoted

from ._batches import scalar_of
from ._found_columns import TableError

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any
RecordBatch: TypeAlias = Any
Buffer: TypeAlias = Any

#: Strings that are the same in each row, and columns of strings.
Parts: TypeAlias = list[Any]

#: The octets that JSON strings contain only in escaped form.
ESCAPED = bytes(range(32)) + b'"\\'

#: A regular expression for strings that contain such an octet.
HAS_ESCAPED = r'[\x00-\x1f"\\]'

#: The types of keys of maps that are written as objects.
TEXT_TYPES = (pa.string(), pa.large_string())


def lines_of(batch: RecordBatch) -> Buffer:
    """Return the rows of a batch as lines, each with a JSON object."""
    made = joined([*object_parts(batch.columns, batch.schema.names), "\n"])
    # The parts of a batch without values contain no column.
    return octets_of(made if isinstance(made, pa.Array) else pa.repeat(made, batch.num_rows))


def object_parts(columns: Iterable[Column], names: list[str]) -> Parts:
    """Return the parts of JSON objects, one for each row."""
    parts: Parts = []
    for column, name in zip(columns, names, strict=True):
        parts += [f"{', ' if parts else '{'}{dumped(name)}: ", *value_parts(column, name)]
    return [*parts, "}"]


def value_parts(column: Column, name: str) -> Parts:
    """Return the parts of the values of a column in JSON.

    Args:
        column: the column.
        name: the name of the column, for error messages.

    Raises:
        TableError: JSON cannot represent a value.
    """
    kind = column.type
    parts: Parts
    if column.null_count == len(column):
        return ["null"]
    if pa.types.is_dictionary(kind):
        return value_parts(column.dictionary_decode(), name)
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        parts = [column.cast(pa.large_string())]
    elif kind in (pa.string(), pa.large_string(), pa.string_view()):
        parts = string_parts(column.cast(pa.large_string()), name)
    elif is_plain_struct(kind):
        parts = object_parts(column.flatten(), kind.names)
    else:
        values = (None if value is None else as_json(value, name) for value in listed(column, name))
        parts = [pa.array(values, pa.large_string())]
    if column.null_count:
        parts = [pc.if_else(pc.is_valid(column), joined(parts), scalar_of("null"))]
    return parts


def string_parts(column: Column, name: str) -> Parts:
    """Return the parts of strings in JSON."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        raise not_json(name, NOT_UTF_8) from None
    parts: Parts = ['"', column, '"']
    octets: bytes = octets_of(column).to_pybytes()
    # Usually, no string is escaped, and looking at all octets is faster than at each string.
    if len(octets) == len(octets.translate(None, ESCAPED)):
        return parts
    special = pc.fill_null(pc.match_substring_regex(column, HAS_ESCAPED), False)
    written = pa.array(map(dumped, column.filter(special).to_pylist()), pa.large_string())
    return [pc.replace_with_mask(joined(parts), special, written)]


def joined(parts: Parts) -> Any:
    """Join the parts of each row; return one string if no part is a column."""
    pieces: list[Any] = []
    for literal, same in groupby(parts, lambda part: isinstance(part, str)):
        group = [*same]
        pieces += [scalar_of("".join(group))] if literal else group
    return pc.binary_join_element_wise(*pieces, scalar_of(""))


def is_plain_struct(kind: Any) -> bool:
    """Return whether a type is a struct with a field, and without two fields of the same name."""
    return bool(pa.types.is_struct(kind)) and 0 < kind.num_fields == len({*kind.names})


def octets_of(column: Column) -> Buffer:
    """Return the octets of all large strings of a column."""
    _, offsets, octets = column.buffers()
    places: Any = memoryview(offsets).cast("q")
    first = places[column.offset]
    return octets.slice(first, places[column.offset + len(column)] - first)


#: Why JSON cannot represent a value.
NOT_UTF_8 = "a string is not valid UTF-8"
NO_DATE = "JSON cannot represent some dates or structs"
NO_NUMBER = "JSON cannot represent bytes, NaN or infinity"


def not_json(name: str, reason: str) -> TableError:
    return TableError(f"column {quoted(name)}: {reason}; do not keep it, or write Parquet")


def listed(column: Column, name: str) -> list[Any]:
    """Convert a column to Python objects that `json` can write.

    Raises:
        TableError: a value cannot be represented as a Python object.
    """
    # A map is written as an object, unless a key occurs twice.
    is_object = pa.types.is_map(column.type) and column.type.key_type in TEXT_TYPES
    try:
        if is_object:
            with suppress(KeyError):
                objects: list[Any] = column.to_pylist(maps_as_pydicts="strict")
                return objects
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        raise not_json(name, NOT_UTF_8) from None
    except (ValueError, OverflowError):
        # Years outside 1 to 9999, nanoseconds, and structs with two fields of the same name.
        raise not_json(name, NO_DATE) from None
    return values


def as_json(value: object, name: str) -> str:
    """Convert a value to JSON."""
    try:
        return dumped(value)
    except (TypeError, ValueError):
        raise not_json(name, NO_NUMBER) from None


def dumped(value: object) -> str:
    """Convert a value to JSON. Dates, times and decimals become strings.

    Raises:
        TypeError: the value contains `bytes`.
        ValueError: the value contains NaN or infinity.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=as_text)


def as_text(value: object) -> str:
    """Convert a value without a JSON equivalent to a string."""
    if isinstance(value, bytes):
        raise TypeError(value)
    return value.isoformat() if isinstance(value, date | time) else str(value)
