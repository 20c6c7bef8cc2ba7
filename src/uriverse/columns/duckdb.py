"""The functions of `uriverse.columns` as SQL functions of DuckDB.

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
from typing import Any, NamedTuple

try:
    from duckdb import DuckDBPyConnection  # noqa: TC002  # checks that it is installed

    # pyarrow has no type annotations.
    pa: Any = import_module("pyarrow")
    pc: Any = import_module("pyarrow.compute")
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"uriverse.columns.duckdb needs {missing.name}: pip install 'uriverse[duckdb]'",
        name=missing.name,
    ) from missing

from .declarations import ColumnFunction
from .execution import run
from .registry import FUNCTIONS as COLUMN_FUNCTIONS
from .registry import RESULT_TYPES

__all__ = ["register"]


class SQLFunction(NamedTuple):
    """The definition of a SQL function.

    Attributes:
        run: takes Arrow arrays, and returns one of the same length.
        arguments: the number of its arguments, all of which are strings.
        result: the SQL type of its result.
    """

    run: Callable[..., Any]
    arguments: int
    result: str


def sql_function(function: ColumnFunction, options: Mapping[str, Any]) -> SQLFunction:
    """Define the SQL function for a column function.

    Args:
        function: the column function. Its required option, if any, becomes the last argument.
        options: the options that differ from the defaults.
    """
    required = [option.name for option in function.options if option.required]

    # DuckDB inspects the parameters, so each number of arguments needs its own function.
    def over_one(column: Any) -> Any:
        return pa.chunked_array(run(function.name, (column,), options))

    def over_two(first: Any, second: Any) -> Any:
        return pa.chunked_array(run(function.name, (first, second), options))

    def over_values(strings: Any, values: Any) -> Any:
        # DuckDB may be configured to return string views, for which Arrow lacks `if_else`.
        strings, values = strings.cast(pa.large_string()), values.cast(pa.large_string())
        result = pa.chunked_array([pa.nulls(len(strings), pa.large_string())])
        # Each row may set the option to another value; rows without a value are null.
        for value in values.drop_null().unique():
            selected = pc.if_else(pc.equal(values, value), strings, None)
            array = run(function.name, (selected,), {required[0]: value.as_py()})
            result = pc.coalesce(result, pa.chunked_array(array))
        return result

    over = over_values if required else over_two if function.has_base else over_one
    arguments = len(function.inputs) + len(required)
    return SQLFunction(over, arguments, RESULT_TYPES[function.result].duckdb)


#: All functions by SQL name. DuckDB does not keep them alive itself once the cursor that
#: registered them is gone.
FUNCTIONS: dict[str, SQLFunction] = {
    name: sql_function(function, options)
    for function in COLUMN_FUNCTIONS.values()
    for name, options in function.sql_functions.items()
}


def register(connection: DuckDBPyConnection) -> None:
    """Register the functions in a database, for all its connections.

    Each SQL function is the function of `uriverse.columns` with the same name after `uri_`, with
    default options; `uri_normalize_scheme` also applies scheme-based normalization. The functions
    are vectorized, run in DuckDB's threads, and have no side effects. They return NULL for NULL and
    for invalid rows.

    Args:
        connection: a connection to the database. If the functions are already registered, the call
            has no effect.

    Raises:
        ValueError: the database has other functions with some of these names.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.execute("SELECT uri_resolve('http://a/b/c', '../d')").fetchone()
    ('http://a/d',)
    >>> connection.close()
    """
    with connection.cursor() as cursor:
        known = cursor.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()
    taken = FUNCTIONS.keys() & {name for (name,) in known}
    if taken == FUNCTIONS.keys():
        return
    if taken:
        raise ValueError(f"the database has functions already named {', '.join(sorted(taken))}")
    # The type hints of DuckDB refer to pyarrow, which has no type annotations.
    database: Any = connection
    for name, function in FUNCTIONS.items():
        database.create_function(
            name,
            function.run,
            ["VARCHAR"] * function.arguments,
            function.result,
            type="arrow",
            # By default, a function may return NULL only for NULL, not for an invalid row.
            null_handling="special",
        )
