"""The column functions for pandas, as methods of the accessor `uri`.

Import this module to register the accessor for Series.

>>> import pandas as pd
>>> import uriverse.columns.pandas
>>> pd.Series(["http://example.org/a", "http://a b"], name="url").uri.host()
0    example.org
1            NaN
Name: url, dtype: str
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from uriverse._lazy import explain_missing_module

try:
    import pandas as pd

    # pyarrow has no type annotations.
    _pa: Any = import_module("pyarrow")
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        explain_missing_module(missing, __name__, "pandas"), name=missing.name
    ) from missing

from . import _functions
from ._execution import Call, bind_options, execute_call
from ._selecting import Expression, combine_expressions

__all__ = ["URIAccessor"]
__dir__ = __all__.copy

# The type stubs of pandas are incomplete for these two classes.
_ArrowDtype: Any = pd.ArrowDtype
_StringDtype: Any = pd.StringDtype

#: The dtype of strings in results if the Series has neither a string dtype nor an `ArrowDtype`.
_STRINGS = _StringDtype(na_value=float("nan"))

#: The dtypes of booleans and integers in results, by their Arrow types.
_NUMBERS: dict[str, Any] = {
    "bool": pd.BooleanDtype(),
    "int32": pd.Int32Dtype(),
    "int64": pd.Int64Dtype(),
    "double": pd.Float64Dtype(),
}

#: The Arrow types of strings that a Series may have. pandas does not support string views.
_ARROW_STRINGS = ("string", "large_string", "null")


@pd.api.extensions.register_series_accessor("uri")
class URIAccessor(_functions.ColumnMethods["pd.Series[Any]", pd.DataFrame, "pd.Series[Any]"]):
    """The column functions as methods of pandas Series, such as `series.uri.host()`.

    Each method is the column function with the same name, without the options `layout` and
    `threads`. The Series has a string dtype, an `ArrowDtype` of strings, or string categories. A
    Series of dtype `object` may contain `str`, URI objects and missing values. Missing values stay
    missing, and invalid rows become missing.

    Results have the index and the name of the Series. `parse`, `decision` and `match` return a
    `DataFrame` with a column for each field. Strings have the dtype of the Series if that is a
    string dtype or an `ArrowDtype`; otherwise, they have the dtype `str`. Other results have the
    nullable dtypes `boolean`, `Int64` and `Float64`, or an `ArrowDtype` for lists, dates and
    timestamps.

    Args:
        series: the Series. Type checkers do not know the attribute `uri`; for them, write
            `URIAccessor(series)` instead of `series.uri`.

    Raises:
        AttributeError: the Series does not contain strings.

    >>> URIAccessor(pd.Series(["http://example.org/"])).host().tolist()
    ['example.org']
    """

    def __init__(self, series: pd.Series[Any]) -> None:
        if not _is_text(series.dtype):
            raise AttributeError(
                f"the .uri accessor needs strings, not {series.dtype}; cast the Series to str"
            )
        self._series = series

    def _column(
        self, name: str, options: Mapping[str, object], *bases: str | pd.Series[Any]
    ) -> pd.Series[Any]:
        result = self._execute_call(bind_options(name, options), bases)
        return pd.Series(
            self._convert_values(result), index=self._series.index, name=self._series.name
        )

    def _struct(self, name: str, options: Mapping[str, object]) -> pd.DataFrame:
        return self._create_frame(self._execute_call(bind_options(name, options), ()))

    def select(
        self, results: Mapping[str, Expression] | None = None, /, **named: Expression
    ) -> pd.DataFrame:
        """Compute several results for each row, in one pass; see `uriverse.columns.select`.

        Args:
            results: the expressions by the names of their results, which may be any strings.
            named: further expressions by the names of their results. In an expression with a base,
                a Series of bases must have the same index.

        Returns:
            A `DataFrame` with a column for each result.

        Raises:
            TypeError: a result is not an expression.
            ValueError: there is no result, or a Series of bases has a different index.

        >>> from uriverse.columns import uri
        >>> urls = pd.Series(["http://a:80/", "http://b c"])
        >>> URIAccessor(urls).select(host=uri.host(), valid=uri.is_valid())
          host  valid
        0    a   True
        1  NaN  False
        """
        call, others = combine_expressions(results, named)
        return self._create_frame(self._execute_call(call, others))

    def _execute_call(self, call: Call, others: Sequence[str | pd.Series[Any]]) -> Any:
        return _pa.chunked_array(
            execute_call(call, *map(self._convert_base, others), self._get_strings())
        )

    def _create_frame(self, result: Any) -> pd.DataFrame:
        names = [field.name for field in result.type]
        # If a struct is null, `flatten` returns null for each of its fields.
        values = map(self._convert_values, result.flatten())
        return pd.DataFrame(dict(zip(names, values, strict=True)), index=self._series.index)

    def _get_strings(self) -> object:
        dtype: Any = self._series.dtype
        if pd.api.types.is_object_dtype(dtype) or getattr(dtype, "storage", "") == "python":
            return self._series.astype(object).where(self._series.notna(), None).tolist()
        return self._series

    def _convert_base(self, base: str | pd.Series[Any]) -> object:
        """Convert a base URI, or a Series of base URIs, to an input for `uriverse.columns`.

        Raises:
            ValueError: the base is a Series with a different index.
        """
        if not isinstance(base, pd.Series):
            return base
        if not base.index.equals(self._series.index):
            raise ValueError(
                "the base has a different index; align it first, for example with reindex"
            )
        return URIAccessor(base)._get_strings()

    def _convert_values(self, result: Any) -> Any:
        """Convert an Arrow array; strings get the type of this Series if it is one for strings."""
        dtype: Any = self._series.dtype
        is_time = _pa.types.is_temporal(result.type)
        if isinstance(dtype, _ArrowDtype) or _pa.types.is_nested(result.type) or is_time:
            dtype = _ArrowDtype(result.type)
        elif str(result.type) in _NUMBERS:
            dtype = _NUMBERS[str(result.type)]
        elif not isinstance(dtype, _StringDtype):
            dtype = _STRINGS
        return dtype.__from_arrow__(result)


def _is_text(dtype: Any) -> bool:
    if isinstance(dtype, pd.CategoricalDtype):
        return _is_text(dtype.categories.dtype)
    if not isinstance(dtype, _ArrowDtype):
        return pd.api.types.is_object_dtype(dtype) or isinstance(dtype, _StringDtype)
    arrow_type: Any = dtype.pyarrow_dtype
    if _pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    return str(arrow_type) in _ARROW_STRINGS
