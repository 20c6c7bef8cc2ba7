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

from uriverse._lazy import explain_missing_module

try:
    import polars as pl
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        explain_missing_module(missing, __name__, "polars"), name=missing.name
    ) from missing

from . import _functions
from ._arrow import Array
from ._execution import Call, bind_options, execute_call
from ._selecting import Expression, combine_expressions

__all__ = ["URINamespace"]
__dir__ = __all__.copy

#: An expression or a Series. The methods return an object of the same type.
_Column = TypeVar("_Column", bound=pl.Expr | pl.Series)


@pl.api.register_series_namespace("uri")
@pl.api.register_expr_namespace("uri")
class URINamespace(_functions.ColumnMethods[_Column, _Column, _Column], Generic[_Column]):
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
        return self._execute_call(bind_options(name, options), bases)

    def select(
        self, results: Mapping[str, Expression] | None = None, /, **named: Expression
    ) -> _Column:
        """Compute several results for each row, in one pass; see `uriverse.columns.select`.

        Args:
            results: the expressions by the names of their results, which may be any strings.
            named: further expressions by the names of their results. In an expression with a base,
                a string is always a URI, never the name of a column.

        Returns:
            A column of structs, with a field for each result. `struct.unnest()` turns them into
            columns.

        Raises:
            TypeError: a result is not an expression.
            ValueError: there is no result.

        >>> import polars as pl
        >>> import uriverse.columns.polars
        >>> from uriverse.columns import uri
        >>> frame = pl.DataFrame({"url": ["http://a:80/"]})
        >>> facts = pl.col("url").uri.select(host=uri.host(), port=uri.port())
        >>> frame.select(facts.struct.unnest()).rows()
        [('a', 80)]
        """
        call, others = combine_expressions(results, named)
        return self._execute_call(call, others)

    def _execute_call(self, call: Call, others: Sequence[str | _Column]) -> _Column:
        """Run a function on this column; a string is the second input of all rows."""
        columns = [other for other in others if isinstance(other, type(self._own))]

        def execute_series(strings: pl.Series, *series: pl.Series) -> Array:
            # The Series have the order of the columns among the other inputs.
            next_series = iter(series)
            inputs = [
                next(next_series) if isinstance(other, type(self._own)) else other
                for other in others
            ]
            return execute_call(call, *inputs, strings)

        inputs: tuple[Any, ...] = (self._own, *columns)
        if isinstance(self._own, pl.Series):
            return cast("_Column", _apply_function(execute_series, inputs).alias(self._own.name))
        # Process empty Series to get the result type, and to check a base of all rows.
        dtype = _apply_function(execute_series, [pl.Series(dtype=pl.String)] * len(inputs)).dtype
        expression = pl.map_batches(
            inputs, lambda batch: _apply_function(execute_series, batch), dtype, is_elementwise=True
        )
        return cast("_Column", expression)


def _apply_function(function: Callable[..., Array], inputs: Sequence[pl.Series]) -> pl.Series:
    """Apply a function to Polars Series. A Series with one row is repeated for all rows."""
    rows = next((len(series) for series in inputs if len(series) != 1), 1)
    repeated = (s if len(s) != 1 else s.new_from_index(0, rows) for s in inputs)
    series: pl.Series = function(*repeated).to_polars()
    return series
