"""Apply a plan to a whole Spark DataFrame, in one pass over its batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql.types import DataType, NullType, StringType, StructType

from .plan import Plan

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# pyarrow has no types.
pa: Any = import_module("pyarrow")
arrow: Any = import_module("pyspark.sql.pandas.types")

__all__ = ["transform"]


def transform(frame: DataFrame, plan: Plan) -> DataFrame:
    """What a plan makes of a whole frame, in one pass over its batches.

    Args:
        frame: the rows.
        plan: what is done with them.

    Returns:
        The columns that are kept, as they are, and the results.

    Raises:
        TableError: the frame has not what the plan needs.

    >>> transform(frame, Plan("host", "url", keep=(), prefix="url_")).first()
    Row(url_host='www.Example.org')
    """
    given = [(field.name, as_planned(field.dataType)) for field in frame.schema]
    made = list(plan.schema(pa.schema(given)))
    # What is kept has the type, the comment and all else that it had.
    kept = [frame.schema[name] for name in (frame.columns if plan.keep is None else plan.keep)]
    results = arrow.from_arrow_schema(pa.schema(made[len(kept) :]))
    return over_batches(frame, plan, StructType([*kept, *results]))


def as_planned(kind: DataType) -> Any:
    """A type of Spark's as a plan is to see it: a text, or something else of that name."""
    if isinstance(kind, StringType | NullType):
        return pa.string()
    return pa.opaque(pa.null(), type_name=kind.simpleString(), vendor_name="Spark")


def over_batches(frame: DataFrame, act: Callable[[Any], Any], schema: Any) -> DataFrame:
    """What is made of a frame's batches of rows, one after the other."""
    # Spark takes a dot in the name of a column for a field of it, when it hands over rows.
    numbered = frame.toDF(*map(str, range(len(frame.columns))))
    rows: DataFrame = cast("Any", numbered).mapInArrow(one_by_one(act, frame.columns), schema)
    return rows


def one_by_one(act: Callable[[Any], Any], names: list[str]) -> Callable[[Iterator[Any]], Any]:
    """What is done with batches as Spark hands them over, when their columns have these names."""
    return lambda batches: (act(batch.rename_columns(names)) for batch in batches)
