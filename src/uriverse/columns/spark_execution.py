"""Run column functions on Spark, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .execution import run

if TYPE_CHECKING:
    from pyspark.sql import Column

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
arrow: Any = import_module("pyspark.sql.pandas.types")

#: A function that takes Arrow arrays, and returns one of the same length.
Batch = Callable[..., Any]


def run_on_spark(
    name: str, inputs: Sequence[Column | str], options: Mapping[str, object]
) -> Column:
    """Return the Spark column that results from applying a column function.

    Args:
        name: the name of the function.
        inputs: the columns or their names, in the order of its parameters.
        options: its options.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: an option has an unknown value.
    """

    def batch(*arrays: Any) -> Any:
        return run(name, arrays, options, threads=1).to_pyarrow()

    # An empty batch shows the result type, and checks the options before any task starts.
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
    """Define a Spark function that takes pandas Series, for Spark 4.0, which lacks `arrow_udf`.

    Args:
        batch: the function, which takes Arrow arrays.
        kind: the Arrow type of its result.
        name: its name in query plans.
    """
    function = defined(functions.pandas_udf, over_series(batch, kind), kind, name)
    # A row of a pandas DataFrame cannot be null as a whole.
    return null_where_null(function) if pa.types.is_struct(kind) else function


def over_series(batch: Batch, kind: Any) -> Batch:
    """Adapt a function of Arrow arrays to pandas Series; struct results become a DataFrame."""

    def over_each(*series: Any) -> Any:
        column = batch(*map(pa.Array.from_pandas, series))
        if pa.types.is_struct(kind):
            column = pa.table(column.flatten(), [field.name for field in kind])
        # 64-bit integers in a Series with nulls would otherwise become inexact floats.
        return column.to_pandas(integer_object_nulls=True)

    return over_each


def null_where_null(function: Callable[..., Column]) -> Callable[..., Column]:
    """Wrap a function of one column so that it returns null for null."""

    def strict(column: Column | str) -> Column:
        result: Column = functions.when(functions.isnotnull(column), function(column))
        return result

    return strict


def defined(define: Any, batch: Any, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function with the given factory (`arrow_udf` or `pandas_udf`)."""
    # Without annotations, because Spark would choose the kind of function from them.
    batch.__annotations__ = {}
    batch.__name__ = name
    function: Callable[..., Column] = define(batch, arrow.from_arrow_type(kind))
    return function
