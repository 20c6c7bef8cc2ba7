"""The column functions for DuckDB, as SQL functions such as `uri_host`.

>>> import duckdb
>>> from uriverse.columns.duckdb import register
>>> connection = duckdb.connect()
>>> register(connection)
>>> connection.execute("SELECT uri_host('http://example.org/a'), uri_host('http://a b')").fetchone()
('example.org', None)
>>> connection.close()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from uriverse._extras import not_installed

try:
    from duckdb import DuckDBPyConnection  # noqa: TC002  # raises if not installed

    # pyarrow has no type annotations.
    _pa: Any = import_module("pyarrow")
    _pc: Any = import_module("pyarrow.compute")
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "duckdb") from missing

from ._arrow import Array
from ._declarations import ColumnFunction
from ._execution import Call, execute, run
from ._registry import FUNCTIONS as COLUMN_FUNCTIONS
from ._registry import RESULT_TYPES

__all__ = ["register"]
__dir__ = __all__.copy


class _SQLFunction(NamedTuple):
    """The definition of a SQL function.

    Attributes:
        run: a function that takes Arrow arrays and returns an Arrow array of the same length.
        arguments: the number of arguments. All arguments are strings.
        result: the SQL type of the result.
    """

    run: Callable[..., Any]
    arguments: int
    result: str


def _sql_function(function: ColumnFunction, options: Mapping[str, Any]) -> _SQLFunction:
    """Define the DuckDB SQL function that runs a function of `uriverse.columns`.

    Args:
        function: the column function. A required option becomes the last SQL argument.
        options: the options that the SQL function sets.
    """
    required = [option.name for option in function.options if option.required]

    # DuckDB inspects the parameters, so each number of arguments needs its own function.
    def over_one(column: Any) -> Any:
        return _pa.chunked_array(run(function.name, (column,), options))

    def over_two(first: Any, second: Any) -> Any:
        return _pa.chunked_array(run(function.name, (first, second), options))

    def over_values(strings: Any, values: Any) -> Any:
        # DuckDB can be configured to pass string views, which `if_else` does not support.
        strings, values = strings.cast(_pa.large_string()), values.cast(_pa.large_string())
        # The value of the option may differ from row to row. Rows without a value are null.
        results: list[Any] = []
        for value in values.drop_null().unique():
            selected = _pc.if_else(_pc.equal(values, value), strings, None)
            results.append(_pa.chunked_array(_run_with(function, selected, value.as_py())))
        return _pc.coalesce(*results) if results else _pa.chunked_array([_pa.nulls(len(strings))])

    over = over_values if required else over_two if function.has_base else over_one
    arguments = len(function.inputs) + len(required)
    return _SQLFunction(over, arguments, RESULT_TYPES[function.result].duckdb)


def _run_with(function: ColumnFunction, column: Any, value: str) -> Array:
    """Run a function of `uriverse.columns` with a value of its required option."""
    options = {option.name: value for option in function.options if option.required}
    if function.row_in_sql is None:
        return run(function.name, (column,), options)
    row = partial(function.row_in_sql, **function.checked(options))
    return execute(Call("text", row), column)


#: All SQL functions by name. This dictionary keeps them alive: DuckDB releases its references when
#: the cursor that registered them is closed.
_FUNCTIONS: dict[str, _SQLFunction] = {
    name: _sql_function(function, options)
    for function in COLUMN_FUNCTIONS.values()
    for name, options in function.sql_functions.items()
}


def register(connection: DuckDBPyConnection) -> None:
    """Register the column functions as SQL functions in a DuckDB database.

    The SQL functions have the names of the column functions with the prefix `uri_`, for example
    `uri_host`. All options have their default values; `uri_normalize_scheme` is `normalize` with
    `scheme=True`. NULL rows stay NULL, and invalid rows become NULL.

    All connections to the database can use the functions until the database is closed. If the
    functions are already registered, the call has no effect.

    Args:
        connection: a connection to the database.

    Raises:
        ValueError: the database has another function with one of these names.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.execute("SELECT uri_resolve('http://a/b/c', '../d')").fetchone()
    ('http://a/d',)
    >>> connection.close()
    """
    with connection.cursor() as cursor:
        known = cursor.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    taken = _FUNCTIONS.keys() & {name for (name,) in known}
    if taken == _FUNCTIONS.keys():
        return
    if taken:
        names = ", ".join(sorted(taken))
        raise ValueError(f"the database already has functions named {names}; drop them first")
    # The type hints of DuckDB refer to pyarrow, which has no type annotations.
    database: Any = connection
    for name, function in _FUNCTIONS.items():
        database.create_function(
            name,
            function.run,
            ["VARCHAR"] * function.arguments,
            function.result,
            type="arrow",
            # By default, DuckDB lets a function return NULL for NULL only, not for an invalid row.
            null_handling="special",
        )
