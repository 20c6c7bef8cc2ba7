"""Turn column functions into Spark functions that process Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._execution import is_string, run
from ._selecting import Expression, expressions_of, select
from ._sql import SQL_FUNCTIONS, run_in_sql

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
arrow: Any = import_module("pyspark.sql.pandas.types")

#: The name of a column that says which rows are there. No field has a name with a space.
IS_THERE = "is there"

#: Stands for a column in an expression.
IS_COLUMN = ...

#: A function that takes Arrow arrays and returns an Arrow array of the same length.
Batch = Callable[..., Any]


def run_on_spark(
    name: str, inputs: Sequence[Column | str], options: Mapping[str, object]
) -> Column:
    def batch(*arrays: Any) -> Any:
        return run(name, arrays, options, threads=1).to_pyarrow()

    return applied(batch, name, inputs)


def select_on_spark(
    column: Column | str, results: Mapping[str, Expression] | None, named: Mapping[str, Expression]
) -> Column:
    columns: list[Column] = []
    plain: dict[str, Expression] = {}
    for name, expression in expressions_of(results, named).items():
        second = expression.second
        if second is not None and not is_string(second):
            columns.append(second)
            # Columns cannot be sent to the executors, which get their rows instead.
            expression = replace(expression, second=IS_COLUMN)  # noqa: PLW2901
        plain[name] = expression

    def batch(*arrays: Any) -> Any:
        *others, strings = arrays
        rows = iter(others)
        filled = {
            name: replace(each, second=next(rows)) if each.second == IS_COLUMN else each
            for name, each in plain.items()
        }
        return select(strings, filled, threads=1).to_pyarrow()

    return applied(batch, "select", [*columns, column])


def applied(batch: Batch, name: str, inputs: Sequence[Column | str]) -> Column:
    # Process an empty batch to get the result type and to check the options.
    kind = batch(*([] for _ in inputs)).type
    define = from_arrow if hasattr(functions, "arrow_udf") else from_pandas
    return define(batch, kind, name)(*inputs)


def register_on_spark(session: SparkSession) -> None:
    if not hasattr(functions, "arrow_udf"):
        raise NotImplementedError("SQL functions of uriverse require Spark 4.1 or newer")
    for name, function in SQL_FUNCTIONS.items():
        udf: Any = from_arrow(batch_in_sql(name), function.type, name)
        session.udf.register(name, udf)


def batch_in_sql(name: str) -> Batch:
    # Spark sends this function to the executors, which look up the other one by its name.
    def batch(*arguments: Any, **named: Any) -> Any:
        return run_in_sql(name, arguments, named)

    return batch


def from_arrow(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    return defined(functions.arrow_udf, batch, kind, name)


def from_pandas(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function that takes pandas Series, for Spark 4.0, which lacks `arrow_udf`."""
    if not pa.types.is_struct(kind):
        return defined(functions.pandas_udf, over_series(batch, kind), kind, name)
    # A row of a pandas DataFrame cannot be null, so another column says which rows are not.
    marked = pa.struct([*kind, pa.field(IS_THERE, pa.bool_())])
    function = defined(functions.pandas_udf, over_series(batch, kind), marked, name)
    return null_where_missing(function, [field.name for field in kind])


def over_series(batch: Batch, kind: Any) -> Batch:
    """Convert a function that takes Arrow arrays to a function that takes pandas Series.

    The new function returns a Series, or a DataFrame if the Arrow type of the result is a struct.
    """

    def over_each(*series: Any) -> Any:
        column = batch(*map(pa.Array.from_pandas, series))
        if pa.types.is_struct(kind):
            names = [*(field.name for field in kind), IS_THERE]
            column = pa.table([*column.flatten(), column.is_valid()], names)
        # By default, integers in a Series with nulls become floats, which are inexact, and maps
        # become lists, which Spark does not accept.
        return column.to_pandas(integer_object_nulls=True, maps_as_pydicts="strict")

    return over_each


def null_where_missing(function: Callable[..., Column], names: list[str]) -> Callable[..., Column]:
    """Wrap a Spark function that returns structs, so that a row that is not there is null."""

    def with_nulls(*columns: Column | str) -> Column:
        found = function(*columns)
        fields = [found[name].alias(name) for name in names]
        result: Column = functions.when(found[IS_THERE], functions.struct(*fields))
        return result

    return with_nulls


def defined(define: Any, batch: Any, kind: Any, name: str) -> Callable[..., Column]:
    # Spark would infer another kind of function from the annotations.
    batch.__annotations__ = {}
    batch.__name__ = name
    function: Callable[..., Column] = define(batch, arrow.from_arrow_type(kind))
    return function
