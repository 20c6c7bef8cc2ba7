"""The column functions for Spark DataFrames, for use in `select`, `where` and `withColumn`.

Pass each column by name or as a `Column`, as in `pyspark.sql.functions`, and one value for all rows
as `lit(...)`. Options are checked when the column is defined, before Spark reads any row. Spark
passes the rows in Arrow batches, and each task runs in one thread. In the examples, `frame` has one
row, with the string `http://www.Example.org:80/a/../caf%C3%A9?q=1&r#s` in the column `url`.

>>> from uriverse.columns import spark as uri
>>> url = uri.parse("url")
>>> frame.select(url.scheme, url.host, url.error).first()[:]
('http', 'www.Example.org', None)
"""

# The functions call `run_on_spark`, and their annotations use the other names that are imported.
# pyright: reportUnusedImport=false, reportUnsupportedDunderAll=false
# ruff: noqa: F401

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from uriverse import Policy
from uriverse.schemes._registry import Registry
from uriverse.suffixes import Suffixes
from uriverse.templates import Router, Template
from uriverse.typing import Component, Field, Grammar, Host, Level, ParamValues

from . import _front_ends
from ._registry import FIELDS, FUNCTIONS
from ._spark_execution import register_on_spark, run_on_spark, select_on_spark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, SparkSession

    from ._selecting import Expression

__all__ = [*FUNCTIONS, "register", "select"]  # noqa: PLE0604  # the keys are strings
__dir__ = __all__.copy


def register(session: SparkSession) -> None:
    """Register the column functions as SQL functions of a Spark session.

    The SQL functions have the names of the column functions with the prefix `uri_`, for example
    `uri_host`. Options are further arguments: those that the Python functions take by position,
    and all others by name, as in `uri_normalize(url, scheme => true)`. The options `fields`
    and `suffixes` do not exist. NULL rows stay NULL, and invalid rows become NULL.

    The functions exist until the session ends. Registering them again has no effect.

    Args:
        session: the session, which may be a Spark Connect session.

    Raises:
        NotImplementedError: the version of Spark is older than 4.1.

    >>> from uriverse.columns.spark import register
    >>> spark = frame.sparkSession
    >>> register(spark)
    >>> spark.sql("SELECT uri_host('http://a/') AS host, uri_is_valid('é', 'uri') AS ok").first()
    Row(host='a', ok=False)
    """
    register_on_spark(session)


def select(
    column: Column | str, results: Mapping[str, Expression] | None = None, /, **named: Expression
) -> Column:
    """Compute several results for each row, in one pass; see `uriverse.columns.select`.

    Args:
        column: a column of strings, given as its name or as a `Column`.
        results: the expressions by the names of their results, which may be any strings.
        named: further expressions by the names of their results. In an expression with a base, a
            string is always a URI, never the name of a column.

    Returns:
        A column of structs, with a field for each result. `select("name.*")` turns the fields into
        columns.

    Raises:
        TypeError: a result is not an expression.
        ValueError: there is no result.

    >>> from uriverse.columns import spark, uri
    >>> facts = spark.select("url", host=uri.hostname(), page=uri.query_param("q"))
    >>> frame.select(facts.alias("facts")).select("facts.*").first()[:]
    ('www.example.org', '1')
    """
    return select_on_spark(column, results, named)


globals().update(_front_ends.SPARK.define(globals()))
