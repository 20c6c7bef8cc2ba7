"""Apply a plan to a whole Spark DataFrame, in one pass over its batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql.types import DataType, NullType, StringType, StructType

from .plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
arrow: Any = import_module("pyspark.sql.pandas.types")

__all__ = ["transform"]


def transform(frame: DataFrame, plan: Plan) -> DataFrame:
    """Apply a plan to a whole DataFrame, in one pass over its batches.

    Args:
        frame: the rows.
        plan: the plan to apply.

    Returns:
        A DataFrame with the kept columns, unchanged, and the results.

    Raises:
        TableError: the frame does not have the columns that the plan needs.

    >>> transform(frame, Plan("host", "url", keep=(), prefix="url_")).first()
    Row(url_host='www.Example.org')
    """
    given = [(field.name, as_planned(field.dataType)) for field in frame.schema]
    made = list(plan.schema(pa.schema(given)))
    # Kept columns retain their Spark type, comment and other metadata.
    kept = [frame.schema[name] for name in (frame.columns if plan.keep is None else plan.keep)]
    results = arrow.from_arrow_schema(pa.schema(made[len(kept) :]))
    return over_batches(frame, plan, StructType([*kept, *results]))


def as_planned(kind: DataType) -> Any:
    """Return the Arrow type that a plan sees for a Spark type: string, or an opaque named type."""
    if isinstance(kind, StringType | NullType):
        return pa.string()
    return pa.opaque(pa.null(), type_name=kind.simpleString(), vendor_name="Spark")


def over_batches(frame: DataFrame, act: Callable[[Any], Any], schema: Any) -> DataFrame:
    """Apply a function to each record batch of a DataFrame."""
    # When Spark converts rows, it takes a dot in a column name as access to a struct field.
    numbered = frame.toDF(*map(str, range(len(frame.columns))))
    rows: DataFrame = cast("Any", numbered).mapInArrow(one_by_one(act, frame.columns), schema)
    return rows


def one_by_one(act: Callable[[Any], Any], names: list[str]) -> Callable[[Iterator[Any]], Any]:
    """Return a function that applies `act` to each batch under the original column names."""
    return lambda batches: (act(batch.rename_columns(names)) for batch in batches)
