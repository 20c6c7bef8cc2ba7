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

from collections.abc import Callable
from importlib import import_module
from typing import Any

from uriverse._extras import not_installed

try:
    from duckdb import DuckDBPyConnection  # noqa: TC002  # raises if not installed

    import_module("pyarrow")
except ModuleNotFoundError as missing:
    raise not_installed(missing, __name__, "duckdb") from missing

from ._registry import RESULT_TYPES
from ._sql import SQL_FUNCTIONS, SQLFunction

__all__ = ["register"]
__dir__ = __all__.copy


def _accepted(function: SQLFunction) -> Callable[..., Any]:
    """Return a SQL function with the parameters that DuckDB accepts.

    DuckDB inspects the parameters. Each column needs a parameter. If the last one is variadic,
    calls may have further arguments of any type.
    """

    def over_one(column: Any) -> Any:
        return function((column,))

    def over_one_with_options(*arguments: Any) -> Any:
        return function(arguments)

    def over_two_with_options(first: Any, *arguments: Any) -> Any:
        return function((first, *arguments))

    if function.inputs == 2:
        return over_two_with_options
    return over_one_with_options if function.function.sql_options else over_one


#: All SQL functions by name. This dictionary keeps them alive: DuckDB releases its references when
#: the cursor that registered them is closed.
_FUNCTIONS = {name: _accepted(function) for name, function in SQL_FUNCTIONS.items()}


def register(connection: DuckDBPyConnection) -> None:
    """Register the column functions as SQL functions in a DuckDB database.

    The SQL functions have the names of the column functions with the prefix `uri_`, for example
    `uri_host`. Options are further arguments: those that the Python functions take by position,
    and then a struct with all others, as in `uri_normalize(url, {'scheme': true})`. The options
    `fields` and `suffixes` do not exist. NULL rows stay NULL, and invalid rows become NULL.

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
    >>> connection.execute("SELECT uri_is_valid('http://é/', 'uri')").fetchone()
    (False,)
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
    for name, function in SQL_FUNCTIONS.items():
        database.create_function(
            name,
            _FUNCTIONS[name],
            ["VARCHAR"] * function.inputs,
            RESULT_TYPES[function.function.result].duckdb,
            type="arrow",
            # By default, DuckDB lets a function return NULL for NULL only, not for an invalid row.
            null_handling="special",
        )
