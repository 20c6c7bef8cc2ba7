"""Execution of column functions by Spark, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .execution import run

if TYPE_CHECKING:
    from pyspark.sql import Column

# pyarrow has no types.
pa: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
arrow: Any = import_module("pyspark.sql.pandas.types")

#: Takes Arrow arrays, and returns one with as many rows.
Batch = Callable[..., Any]


def run_on_spark(
    name: str, inputs: Sequence[Column | str], options: Mapping[str, object]
) -> Column:
    """Define the column that a column function returns.

    Args:
        name: the name of the function.
        inputs: the columns, by name or as such, in the order of its parameters.
        options: its options.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option has an unknown value.
    """

    def batch(*arrays: Any) -> Any:
        return run(name, arrays, options, threads=1).to_pyarrow()

    # An empty batch shows the type of the result, and checks the options before any task starts.
    kind = batch(*([] for _ in inputs)).type
    define = from_arrow if hasattr(functions, "arrow_udf") else from_pandas
    return define(batch, kind, name)(*inputs)


def from_arrow(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function that takes Arrow arrays.

    Args:
        batch: the function.
        kind: the Arrow type of its result.
        name: its name in query plans.
    """
    return defined(functions.arrow_udf, batch, kind, name)


def from_pandas(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function that takes pandas Series, as Spark 4.0 needs it.

    Args:
        batch: the function, which takes Arrow arrays.
        kind: the Arrow type of its result.
        name: its name in query plans.
    """
    function = defined(functions.pandas_udf, over_series(batch, kind), kind, name)
    # A pandas DataFrame has no null rows.
    return null_where_null(function) if pa.types.is_struct(kind) else function


def over_series(batch: Batch, kind: Any) -> Batch:
    """Make a function of Arrow arrays one of pandas Series; structs become a DataFrame."""

    def over_each(*series: Any) -> Any:
        column = batch(*map(pa.Array.from_pandas, series))
        if pa.types.is_struct(kind):
            column = pa.table(column.flatten(), [field.name for field in kind])
        # 64-bit integers in a Series with nulls would otherwise become inexact floats.
        return column.to_pandas(integer_object_nulls=True)

    return over_each


def null_where_null(function: Callable[..., Column]) -> Callable[..., Column]:
    """Make a function of one column return null for null."""

    def strict(column: Column | str) -> Column:
        result: Column = functions.when(functions.isnotnull(column), function(column))
        return result

    return strict


def defined(define: Any, batch: Any, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function with `arrow_udf` or `pandas_udf`."""
    # Spark would choose the kind of function from annotations.
    batch.__annotations__ = {}
    batch.__name__ = name
    function: Callable[..., Column] = define(batch, arrow.from_arrow_type(kind))
    return function
