"""The functions of `uriverse.columns` in the SQL of DuckDB.

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
from typing import Any, NamedTuple

try:
    from duckdb import DuckDBPyConnection  # noqa: TC002  # asks whether it is there

    # They have no types.
    pa: Any = import_module("pyarrow")
    pc: Any = import_module("pyarrow.compute")
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"uriverse.columns.duckdb needs {missing.name}: pip install 'uriverse[duckdb]'",
        name=missing.name,
    ) from missing

from uriverse import columns

from . import Array

__all__ = ["register"]


class SQLFunction(NamedTuple):
    """A function of SQL.

    Attributes:
        run: what it makes of columns.
        arguments: how many it has; each is a text.
        gives: the type of what comes back.
    """

    run: Callable[..., Any]
    arguments: int
    gives: str


def of_one(function: Callable[[object], Array], gives: str = "VARCHAR") -> SQLFunction:
    """What is made of one column."""

    def run(texts: object) -> Any:
        return pa.chunked_array(function(texts))

    return SQLFunction(run, 1, gives)


def of_two(function: Callable[[object, object], Array]) -> SQLFunction:
    """What is made of the rows of two columns beside each other."""

    def run(first: object, second: object) -> Any:
        return pa.chunked_array(function(first, second))

    return SQLFunction(run, 2, "VARCHAR")


def of_option(function: Callable[[object, Any], Array]) -> SQLFunction:
    """What is made of a column that is told the same for all rows; in SQL each may say another."""

    def run(texts: Any, options: Any) -> Any:
        # DuckDB may be set to give views, of which Arrow can't choose.
        texts, options = texts.cast(pa.large_string()), options.cast(pa.large_string())
        made = pa.chunked_array([pa.nulls(len(texts), pa.large_string())])
        for option in options.drop_null().unique():
            # Rows that say another are null here, as are those that say nothing.
            asked = pc.if_else(pc.equal(options, option), texts, None)
            made = pc.coalesce(made, pa.chunked_array(function(asked, option.as_py())))
        return made

    return SQLFunction(run, 2, "VARCHAR")


#: What `uri_parse` gives: of its fields only the position is no text.
PARSED = ", ".join(
    f"{field} {'INTEGER' if field == 'error_position' else 'VARCHAR'}" for field in columns.FIELDS
)

#: All functions, by their names. DuckDB keeps no hold of what it was given to run when the cursor
#: that registered it is gone: this does.
FUNCTIONS: dict[str, SQLFunction] = {
    "uri_parse": of_one(columns.parse, f"STRUCT({PARSED})"),
    "uri_is_valid": of_one(columns.is_valid, "BOOLEAN"),
    "uri_host": of_one(columns.host),
    "uri_hostname": of_one(columns.hostname),
    "uri_port": of_one(columns.port, "BIGINT"),
    "uri_origin": of_one(columns.origin),
    "uri_reversed_host": of_one(columns.reversed_host),
    "uri_normalize": of_one(columns.normalize),
    "uri_normalize_scheme": of_one(lambda texts: columns.normalize(texts, scheme=True)),
    "uri_resolve": of_two(columns.resolve),
    "uri_relativize": of_two(columns.relativize),
    "uri_to_uri": of_one(columns.to_uri),
    "uri_to_iri": of_one(columns.to_iri),
    "uri_encode": of_option(columns.encode),
    "uri_decode": of_one(columns.decode),
    "uri_query_param": of_option(columns.query_param),
    "uri_query_params": of_one(columns.query_params, "STRUCT(key VARCHAR, value VARCHAR)[]"),
    "uri_findings": of_one(columns.findings, "VARCHAR[]"),
    "uri_surt": of_one(columns.surt),
    "uri_fingerprint": of_one(columns.fingerprint, "BIGINT"),
}


def register(connection: DuckDBPyConnection) -> None:
    """Make the functions known to a database, for all its connections.

    Each is the function of `uriverse.columns` of the same name, with what that takes by default;
    `uri_normalize_scheme` also normalises by the rules of the scheme. They are vectorised, run in
    DuckDB's threads, and depend on nothing but what they are given. NULL gives NULL, and so does
    what is no identifier.

    Args:
        connection: to the database; where the functions are there already, nothing is done.

    Raises:
        ValueError: the database has other functions of some of these names.

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
    # The types of its parameters are made of pyarrow's, which has none.
    database: Any = connection
    for name, function in FUNCTIONS.items():
        database.create_function(
            name,
            function.run,
            ["VARCHAR"] * function.arguments,
            function.gives,
            type="arrow",
            # What is no identifier gives NULL: by default that may be given for NULL only.
            null_handling="special",
        )
