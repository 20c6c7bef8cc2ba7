"""Turn column functions into Spark functions that process Arrow batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._execution import is_string, run_function
from ._selecting import Expression, collect_expressions, select
from ._sql import SQL_FUNCTIONS, run_in_sql

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
functions: Any = import_module("pyspark.sql.functions")
arrow: Any = import_module("pyspark.sql.pandas.types")

#: The name of a column that says which rows are not null. No field has a name with a space.
IS_PRESENT = "is present"

#: Stands for a column in an expression.
IS_COLUMN = ...

#: A function that takes Arrow arrays and returns an Arrow array of the same length.
Batch = Callable[..., Any]


def run_on_spark(
    name: str, inputs: Sequence[Column | str], options: Mapping[str, object]
) -> Column:
    def process_batch(*arrays: Any) -> Any:
        return run_function(name, arrays, options, threads=1).to_pyarrow()

    return apply_batch(process_batch, name, inputs)


def select_on_spark(
    column: Column | str, results: Mapping[str, Expression] | None, named: Mapping[str, Expression]
) -> Column:
    columns: list[Column] = []
    expressions: dict[str, Expression] = {}
    for name, expression in collect_expressions(results, named).items():
        second = expression.second
        if second is None or is_string(second):
            expressions[name] = expression
        else:
            # Columns cannot be sent to the executors, which get their rows instead.
            columns.append(second)
            expressions[name] = replace(expression, second=IS_COLUMN)

    def process_batch(*arrays: Any) -> Any:
        # The second inputs arrive in the order of `columns`.
        *others, strings = arrays
        next_others = iter(others)
        row_expressions = {
            name: replace(expression, second=next(next_others))
            if expression.second == IS_COLUMN
            else expression
            for name, expression in expressions.items()
        }
        return select(strings, row_expressions, threads=1).to_pyarrow()

    return apply_batch(process_batch, "select", [*columns, column])


def apply_batch(batch: Batch, name: str, inputs: Sequence[Column | str]) -> Column:
    # Process an empty batch to get the result type and to check the options.
    kind = batch(*([] for _ in inputs)).type
    define = define_arrow_function if hasattr(functions, "arrow_udf") else define_pandas_function
    return define(batch, kind, name)(*inputs)


def register_on_spark(session: SparkSession) -> None:
    if not hasattr(functions, "arrow_udf"):
        raise NotImplementedError("SQL functions of uriverse require Spark 4.1 or newer")
    for name, function in SQL_FUNCTIONS.items():
        udf: Any = define_arrow_function(create_sql_batch(name), function.type, name)
        session.udf.register(name, udf)


def create_sql_batch(name: str) -> Batch:
    # Spark sends this function to the executors, which look up the other one by its name.
    def process_batch(*arguments: Any, **named: Any) -> Any:
        return run_in_sql(name, arguments, named)

    return process_batch


def define_arrow_function(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    return define_function(functions.arrow_udf, batch, kind, name)


def define_pandas_function(batch: Batch, kind: Any, name: str) -> Callable[..., Column]:
    """Define a Spark function that takes pandas Series, for Spark 4.0, which lacks `arrow_udf`."""
    if not pa.types.is_struct(kind):
        return define_function(functions.pandas_udf, adapt_to_series(batch, kind), kind, name)
    # A row of a pandas DataFrame cannot be null, so another column says which rows are not.
    marked = pa.struct([*kind, pa.field(IS_PRESENT, pa.bool_())])
    function = define_function(functions.pandas_udf, adapt_to_series(batch, kind), marked, name)
    return restore_nulls(function, [field.name for field in kind])


def adapt_to_series(batch: Batch, kind: Any) -> Batch:
    """Convert a function that takes Arrow arrays to a function that takes pandas Series.

    The new function returns a Series, or a DataFrame if the Arrow type of the result is a struct.
    """

    def process_series(*series: Any) -> Any:
        column = batch(*map(pa.Array.from_pandas, series))
        if pa.types.is_struct(kind):
            names = [*(field.name for field in kind), IS_PRESENT]
            column = pa.table([*column.flatten(), column.is_valid()], names)
        # By default, integers in a Series with nulls become floats, which are inexact, and maps
        # become lists, which Spark does not accept.
        return column.to_pandas(integer_object_nulls=True, maps_as_pydicts="strict")

    return process_series


def restore_nulls(function: Callable[..., Column], names: list[str]) -> Callable[..., Column]:
    """Wrap a Spark function that returns structs, so that a row that is not there is null."""

    def with_nulls(*columns: Column | str) -> Column:
        struct = function(*columns)
        fields = [struct[name].alias(name) for name in names]
        nullable: Column = functions.when(struct[IS_PRESENT], functions.struct(*fields))
        return nullable

    return with_nulls


def define_function(define: Any, batch: Any, kind: Any, name: str) -> Callable[..., Column]:
    # Spark would infer another kind of function from the annotations.
    batch.__annotations__ = {}
    batch.__name__ = name
    function: Callable[..., Column] = define(batch, arrow.from_arrow_type(kind))
    return function
