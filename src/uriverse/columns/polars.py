"""The namespace `uri` of Polars expressions and Series: the functions of `uriverse.columns`.

Importing this module registers the namespace. All functions process row by row, and their result
types are known before they run. Lazy frames therefore have schemas, and the streaming engine can
run the functions in batches.

>>> import polars as pl
>>> import uriverse.columns.polars
>>> frame = pl.LazyFrame({"url": ["http://example.org/a", "http://a b", None]})
>>> frame.select(pl.col("url").uri.host()).collect().to_series().to_list()
['example.org', None, None]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

try:
    import polars as pl
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"uriverse.columns.polars needs {missing.name}: pip install 'uriverse[polars]'",
        name=missing.name,
    ) from missing

from .accessor import ColumnMethods
from .arrow import Array
from .execution import bind, execute

__all__ = ["URINamespace"]

#: An expression or a Series: the namespace is an attribute of it, and methods return another one.
Column = TypeVar("Column", bound=pl.Expr | pl.Series)


@pl.api.register_series_namespace("uri")
@pl.api.register_expr_namespace("uri")
class URINamespace(ColumnMethods[Column, Column], Generic[Column]):
    """The methods of `pl.col("url").uri` and `series.uri`: the functions of `uriverse.columns`.

    Each method is the function of the same name, without `layout` and `threads`. Columns have the
    dtype `String`, `Categorical` or `Enum`; results keep the name of the column. An invalid option
    raises an error when the expression is created; a column of another dtype, when the query runs.

    Args:
        column: an expression or a Series. For type checkers, which do not know `.uri`, use
            `URINamespace(column)`.

    >>> URINamespace(pl.Series(["http://example.org/"])).host().to_list()
    ['example.org']
    """

    def __init__(self, column: Column) -> None:
        self._own: Column = column

    def _column(self, name: str, options: Mapping[str, object], *bases: str | Column) -> Column:
        call = bind(name, options)
        # A base of the column's own type has one value per row; a string is the base of all rows.
        columns = [base for base in bases if isinstance(base, type(self._own))]

        def function(strings: pl.Series, *others: pl.Series) -> Array:
            return execute(call, *(others or bases), strings)

        inputs: tuple[Any, ...] = (self._own, *columns)
        if isinstance(self._own, pl.Series):
            return cast("Column", applied(function, inputs).alias(self._own.name))
        # Empty Series show the result type, and raise the error for an invalid base of all rows.
        dtype = applied(function, [pl.Series(dtype=pl.String)] * len(inputs)).dtype
        expression = pl.map_batches(
            inputs, lambda batch: applied(function, batch), dtype, is_elementwise=True
        )
        return cast("Column", expression)

    def _struct(self, name: str, options: Mapping[str, object]) -> Column:
        return self._column(name, options)


def applied(function: Callable[..., Array], inputs: Sequence[pl.Series]) -> pl.Series:
    """Apply a function to Series of the same length; Polars may pass one row for a constant."""
    rows = next((len(series) for series in inputs if len(series) != 1), 1)
    repeated = (s if len(s) != 1 else s.new_from_index(0, rows) for s in inputs)
    return pl.Series(function(*repeated))
