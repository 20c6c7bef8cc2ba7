from typing import TYPE_CHECKING, Any, TypeAlias, assert_type

import pandas as pd
import polars as pl
import pytest

from uriverse import columns
from uriverse.columns import Array, Expression
from uriverse.columns.pandas import URIAccessor
from uriverse.columns.polars import URINamespace

Series: TypeAlias = "pd.Series[Any]"

if TYPE_CHECKING:
    from pyspark.sql import Column

    from uriverse.columns import spark

    def types_on_spark(column: Column) -> None:
        assert_type(spark.host("url"), Column)
        assert_type(spark.parse(column, "uri", fields=["host"]), Column)
        assert_type(spark.resolve(column, "link", strict=False), Column)
        spark.host("url", threads=1)  # type: ignore[call-arg]
        spark.fingerprint("url", "schema")  # type: ignore[arg-type]


def test_expressions_are_the_results_of_select() -> None:
    assert_type(columns.uri.resolve("http://a/"), Expression)
    assert_type(columns.uri.parse("uri", fields=["host"]), Expression)
    assert_type(columns.select(["a"], {"a b": columns.uri.host()}), Array)
    assert_type(URINamespace(pl.col("url")).select(a=columns.uri.host()), pl.Expr)
    assert_type(URIAccessor(pd.Series(["a"])).select(a=columns.uri.host()), pd.DataFrame)
    with pytest.raises(TypeError):
        columns.select(["a"], host="host")  # type: ignore[arg-type]


def test_methods_return_the_type_of_their_column() -> None:
    url, urls = URINamespace(pl.col("url")), URINamespace(pl.Series(["http://a/"]))
    assert_type(url.parse("uri", fields=["host"]), pl.Expr)
    assert_type(url.resolve(pl.col("base"), strict=False), pl.Expr)
    assert_type(url.query_param("q"), pl.Expr)
    assert_type(urls.normalize(scheme=True, dot_segments="all"), pl.Series)
    with pytest.raises(TypeError):
        urls.host(threads=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unknown level"):
        urls.fingerprint("schema")  # type: ignore[arg-type]
    # Methods of pandas return series and frames.
    accessor = URIAccessor(pd.Series(["http://a/"]))
    assert_type((accessor.parse(), accessor.fingerprint("scheme")), tuple[pd.DataFrame, Series])
    assert_type(accessor.resolve("http://a/"), Series)
    with pytest.raises(TypeError):
        accessor.host(layout="string")  # type: ignore[call-arg]
