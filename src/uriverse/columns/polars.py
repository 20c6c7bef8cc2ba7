"""The functions of `uriverse.columns` for Polars, as methods such as `pl.col("url").uri.host()`.

Import this module to register the namespace for expressions and Series. The result type of each
method is known before the query runs, so lazy frames have schemas. All methods are elementwise, so
the streaming engine can run them in batches.

>>> import polars as pl
>>> import uriverse.columns.polars
>>> frame = pl.LazyFrame({"url": ["http://example.org/a", "http://a b", None]})
>>> frame.select(pl.col("url").uri.host()).collect().to_series().to_list()
['example.org', None, None]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

from uriverse._extras import not_installed

try:
    import polars as pl
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "polars") from missing

from ._accessor import ColumnMethods
from ._arrow import Array
from ._execution import bind, execute

__all__ = ["URINamespace"]
__dir__ = __all__.copy

#: An expression or a Series. The methods return an object of the same type.
_Column = TypeVar("_Column", bound=pl.Expr | pl.Series)


@pl.api.register_series_namespace("uri")
@pl.api.register_expr_namespace("uri")
class URINamespace(ColumnMethods[_Column, _Column], Generic[_Column]):
    """The column functions as methods of Polars columns, such as `pl.col("url").uri.host()`.

    Each method is the column function with the same name, without the options `layout` and
    `threads`. The column has the dtype `String`, `Categorical` or `Enum`, `Binary` with UTF-8, or
    `Null`. The result has the name of the column. Null rows stay null, and invalid rows become
    null.

    Invalid options raise an error when the expression is created. A column of another dtype raises
    a `TypeError` when the query runs.

    Args:
        column: an expression or a Series. Type checkers do not know the attribute `uri`; for them,
            write `URINamespace(column)` instead of `column.uri`.

    >>> URINamespace(pl.Series(["http://example.org/"])).host().to_list()
    ['example.org']
    """

    def __init__(self, column: _Column) -> None:
        self._own: _Column = column

    def _column(self, name: str, options: Mapping[str, object], *bases: str | _Column) -> _Column:
        call = bind(name, options)
        # An expression or a Series has a base for each row; a string is the base of all rows.
        columns = [base for base in bases if isinstance(base, type(self._own))]

        def function(strings: pl.Series, *others: pl.Series) -> Array:
            return execute(call, *(others or bases), strings)

        inputs: tuple[Any, ...] = (self._own, *columns)
        if isinstance(self._own, pl.Series):
            return cast("_Column", _applied(function, inputs).alias(self._own.name))
        # Process empty Series to get the result type, and to check a base of all rows.
        dtype = _applied(function, [pl.Series(dtype=pl.String)] * len(inputs)).dtype
        expression = pl.map_batches(
            inputs, lambda batch: _applied(function, batch), dtype, is_elementwise=True
        )
        return cast("_Column", expression)

    def _struct(self, name: str, options: Mapping[str, object]) -> _Column:
        return self._column(name, options)


def _applied(function: Callable[..., Array], inputs: Sequence[pl.Series]) -> pl.Series:
    """Apply a function to Polars Series. A Series with one row is repeated for all rows."""
    rows = next((len(series) for series in inputs if len(series) != 1), 1)
    repeated = (s if len(s) != 1 else s.new_from_index(0, rows) for s in inputs)
    return pl.Series(function(*repeated))
