"""Apply a column function to one column of a Spark DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql.types import DataType, NullType, StringType, StructType

from ._plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
arrow: Any = import_module("pyspark.sql.pandas.types")

__all__ = ["transform"]


def transform(frame: DataFrame, plan: Plan) -> DataFrame:
    """Apply the column function of a `Plan` to a Spark DataFrame.

    Spark processes the DataFrame in one pass, in Arrow batches (`mapInArrow`).

    Args:
        frame: the DataFrame.
        plan: the column function, its options, and the columns to keep.

    Returns:
        A DataFrame with the kept columns, unchanged, followed by the results. The result of a row
        is null if its string is null or invalid.

    Raises:
        TableError: the DataFrame does not have the columns that the plan needs.

    >>> transform(frame, Plan("host", "url", keep=(), prefix="url_")).first()
    Row(url_host='www.Example.org')
    """
    given = [(field.name, as_planned(field.dataType)) for field in frame.schema]
    made = list(plan.schema(pa.schema(given)))
    # Kept columns have the same type, comment and metadata as before.
    kept = [frame.schema[name] for name in (frame.columns if plan.keep is None else plan.keep)]
    results = arrow.from_arrow_schema(pa.schema(made[len(kept) :]))
    return over_batches(frame, plan, StructType([*kept, *results]))


transform.__module__ = "uriverse.tables"


def as_planned(kind: DataType) -> Any:
    """Convert a Spark type to an Arrow type that a `Plan` can check.

    A string type becomes `string`. Any other type becomes an opaque type with the name of the Spark
    type, because a plan only processes strings.
    """
    if isinstance(kind, StringType | NullType):
        return pa.string()
    return pa.opaque(pa.null(), type_name=kind.simpleString(), vendor_name="Spark")


def over_batches(frame: DataFrame, act: Callable[[Any], Any], schema: Any) -> DataFrame:
    """Apply a function to each record batch of a DataFrame."""
    # Spark reads a dot in a column name as access to a struct field, so number the columns.
    numbered = frame.toDF(*map(str, range(len(frame.columns))))
    rows: DataFrame = cast("Any", numbered).mapInArrow(one_by_one(act, frame.columns), schema)
    return rows


def one_by_one(act: Callable[[Any], Any], names: list[str]) -> Callable[[Iterator[Any]], Any]:
    """Return a function that renames the columns of each batch, and then calls `act` with it."""
    return lambda batches: (act(batch.rename_columns(names)) for batch in batches)
