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
from importlib import import_module
from typing import Any

from uriverse._lazy import explain_missing_module

try:
    from duckdb import DuckDBPyConnection  # noqa: TC002  # raises if not installed

    # pyarrow has no type annotations.
    _pa: Any = import_module("pyarrow")
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        explain_missing_module(missing, __name__, "duckdb"), name=missing.name
    ) from missing

from . import _registry
from ._execution import execute_call, is_string
from ._selecting import Expression, combine_expressions
from ._sql import SQL_FUNCTIONS, SQLFunction, combine_chunks, run_in_ranges, try_single_call

__all__ = ["register", "register_select"]
__dir__ = __all__.copy


def _adapt_parameters(function: SQLFunction) -> Callable[..., Any]:
    """Return a SQL function with the parameters that DuckDB accepts.

    DuckDB inspects the parameters. Each column needs a parameter. If the last one is variadic,
    calls may have further arguments of any type.
    """

    def call_with_column(column: Any) -> Any:
        return function((column,))

    def call_with_options(*arguments: Any) -> Any:
        return function(arguments)

    def call_with_two_columns(first: Any, *arguments: Any) -> Any:
        return function((first, *arguments))

    if function.n_columns == 2:
        return call_with_two_columns
    return call_with_options if function.function.sql_options else call_with_column


#: All SQL functions by name. This dictionary keeps them alive: DuckDB releases its references when
#: the cursor that registered them is closed.
_FUNCTIONS = {name: _adapt_parameters(function) for name, function in SQL_FUNCTIONS.items()}


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
            ["VARCHAR"] * function.n_columns,
            _registry.DUCKDB_TYPES[function.function.result],
            type="arrow",
            # By default, DuckDB lets a function return NULL for NULL only, not for an invalid row.
            null_handling="special",
        )


#: The functions of `register_select`, which this list keeps alive, as `_FUNCTIONS` does.
_SELECTIONS: list[Callable[..., Any]] = []


def register_select(
    connection: DuckDBPyConnection,
    name: str,
    results: Mapping[str, Expression] | None = None,
    /,
    **named: Expression,
) -> None:
    """Register a SQL function that computes several results for each row, in one pass.

    The function takes a column of strings, and returns a STRUCT with a field for each result. In
    SQL, `unnest` turns the fields into columns. See `uriverse.columns.select`.

    Args:
        connection: a connection to the database.
        name: the name of the SQL function.
        results: the expressions by the names of their results, which may be any strings.
        named: further expressions by the names of their results. The base of an expression must be
            a string.

    Raises:
        TypeError: a result is not an expression, or the base of one is not a string.
        ValueError: there is no result.

    >>> import duckdb
    >>> from uriverse.columns import uri
    >>> connection = duckdb.connect()
    >>> register_select(connection, "url_facts", host=uri.host(), port=uri.effective_port())
    >>> connection.execute("SELECT unnest(url_facts('https://a.example/'))").fetchall()
    [('a.example', 443)]
    >>> connection.close()
    """
    call, others = combine_expressions(results, named)
    if not all(map(is_string, others)):
        raise TypeError("in SQL, the base or the other URI of an expression must be a string")

    def select(column: Any) -> Any:
        array = combine_chunks(column)
        inputs = [*(([other], True) for other in others), (array, False)]
        return try_single_call(call, inputs[-1:], len(array)) or run_in_ranges(call, inputs)

    _SELECTIONS.append(select)
    database: Any = connection
    # DuckDB knows its own name of each Arrow type.
    empty = _pa.chunked_array(execute_call(call, *others, []))
    kind = database.from_arrow(_pa.table({"result": empty})).types[0]
    database.create_function(name, select, ["VARCHAR"], kind, type="arrow", null_handling="special")
