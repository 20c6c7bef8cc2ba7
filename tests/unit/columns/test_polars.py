from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import EVERY_CALL as CALLS
from tables import OF_TWO_COLUMNS

from uriverse import SCHEMES, columns
from uriverse.columns.polars import URINamespace
from uriverse.schemes._registry import Scheme

TEXTS = ["HTTP://Example.org:80/a?b=c", "a b", None, "//bücher.example/%7e", ""]


def uri(given: pl.Expr | pl.Series) -> URINamespace[Any]:
    return URINamespace(given)


def test_every_function_has_a_method() -> None:
    # A template has a column for each variable.
    functions = {name for name in columns.__all__ if name.islower()} - {"expand", "select", "uri"}
    assert functions == CALLS.keys() | OF_TWO_COLUMNS
    assert functions | {"select"} == {
        name for name in dir(URINamespace) if not name.startswith("_")
    }


def test_select_returns_a_struct_of_several_results() -> None:
    frame = pl.DataFrame({"url": ["//a/b", "a b", None, "d"], "base": ["http://c/"] * 3 + [None]})
    results = {"the host": columns.uri.host(), "link": columns.uri.resolve(pl.col("base"))}
    made = pl.col("url").uri.select(results, other=columns.uri.then("http://a/"))  # type: ignore[attr-defined]
    expected = [("a", "http://a/b", "http://a/"), *[(None,) * 3] * 2, (None, None, "http://a/")]
    assert frame.select(made.struct.unnest()).rows() == expected
    names = ["the host", "link", "other"]
    assert frame.lazy().select(made.struct.unnest()).collect_schema().names() == names
    results["link"] = columns.uri.resolve(frame["base"])
    series = frame["url"].uri.select(results, other=columns.uri.then("http://a/"))  # type: ignore[attr-defined]
    assert series.struct.unnest().rows() == expected


@pytest.mark.parametrize("name", CALLS)
def test_a_method_returns_the_results_of_the_function(name: str) -> None:
    words, options = CALLS[name]
    made = getattr(uri(pl.Series("url", TEXTS)), name)(*words, **options)
    assert made.to_list() == getattr(columns, name)(TEXTS, *words, **options).to_pylist()
    assert made.name == "url"
    # The type of an expression is known before the query runs.
    expression = getattr(uri(pl.col("url")), name)(*words, **options)
    frame = pl.LazyFrame({"url": TEXTS}).select(expression)
    schema = frame.collect_schema()
    assert schema.names() == ["url"]
    for engine in ("in-memory", "streaming"):
        collected = frame.collect(engine=engine)
        assert (collected.schema, collected["url"].to_list()) == (schema, made.to_list())


def test_the_other_uri_is_one_string_or_a_column() -> None:
    frame = pl.LazyFrame({"base": ["http://a/b/", None, "b"], "ref": ["c", "c", "c"]})
    one_base = uri(pl.Series(["c", "../d"])).resolve("http://a/b/")
    assert one_base.to_list() == ["http://a/b/c", "http://a/d"]
    made = frame.select(uri(pl.col("ref")).resolve(pl.col("base")))
    assert made.collect_schema() == {"ref": pl.String}
    assert made.collect()["ref"].to_list() == ["http://a/b/c", None, None]
    assert made.collect(engine="streaming")["ref"].to_list() == ["http://a/b/c", None, None]
    lax = uri(pl.Series(["http:c"])).resolve("http://a/b/", strict=False)
    assert lax.to_list() == ["http://a/b/c"]
    targets = uri(pl.Series(["http://a/b/d", "http://a/e"]))
    assert targets.relativize("http://a/b/c").to_list() == ["d", "/e"]
    assert targets.relativize(pl.Series(["http://a/b/c", "http://a/b/c/d"])).to_list() == [
        *("d", "/e")
    ]
    assert targets.relativize("http://a/b/c/e", walk_up=False).to_list() == [None, None]
    texts = pl.Series(["http://a/b/c", "http://a/", None])
    for name, other in (("then", "../d"), ("is_same_origin", "http://a:80/x")):
        expected = getattr(columns, name)(texts, other).to_pylist()
        assert getattr(uri(texts), name)(other).to_list() == expected
    assert uri(texts).is_same_site("http://a:81/x").to_list() == [True, True, None]
    with pytest.raises(ValueError, match="differ in length"):
        uri(pl.Series(["a", "b"])).resolve(pl.Series(["http://a"] * 3))


def test_invalid_options_and_columns_are_rejected() -> None:
    wrong: Any = uri(pl.col("url"))
    with pytest.raises(ValueError, match="unknown grammar"):
        wrong.parse("url")
    with pytest.raises(TypeError, match="name must be a str, not int"):
        wrong.query_param(1)
    with pytest.raises(TypeError, match="expected a column or a list of str, not int"):
        wrong.resolve(1)
    # Columns of other types are rejected.
    with pytest.raises(TypeError, match="the column is int64; cast it to string"):
        uri(pl.Series([1])).host()
    with pytest.raises(TypeError, match='column "a" is int64; cast it to string'):
        pl.DataFrame({"a": [1]}).select(uri(pl.col("a")).host())


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["http://a", "b", "http://c"])])
def test_categories_are_accepted(dtype: Any) -> None:
    series = pl.Series("url", ["http://a", None, "b", "http://c", "http://a"]).cast(dtype)
    assert uri(series).host().to_list() == ["a", None, None, "c", "a"]
    assert uri(series[1:4]).host().to_list() == [None, None, "c"]
    frame = pl.LazyFrame({"url": series}).select(uri(pl.col("url")).host())
    assert frame.collect_schema() == {"url": pl.String}
    assert frame.collect(engine="streaming")["url"].to_list() == ["a", None, None, "c", "a"]


def test_slices_and_chunks_keep_their_rows() -> None:
    texts = [f"http://host-{place}-with-a-long-name.example/" for place in range(7)]
    hosts = [text[7:-1] for text in texts]
    series = pl.concat([pl.Series(texts[:3]), pl.Series(texts[3:])], rechunk=False)
    assert (series.n_chunks(), uri(series).host().to_list()) == (2, hosts)
    assert uri(series[2:5]).host().to_list() == hosts[2:5]
    assert uri(series.reverse()).host().to_list() == hosts[::-1]
    # Columns of nulls and empty columns.
    for dtype in [pl.String, pl.Null, pl.Categorical]:
        nulls = pl.Series("url", [None, None], dtype=dtype)
        assert uri(nulls).host().to_list() == [None, None]
        assert (uri(nulls).parse().to_list(), uri(nulls[:0]).host().to_list()) == ([None, None], [])
        assert uri(nulls[:0]).host().dtype == pl.String
    # Normalize uses the given scheme registry.
    registry = SCHEMES.with_schemes(Scheme(name="game", default_port=7))
    made = uri(pl.Series(["game://a:7/"])).normalize(scheme=registry)
    assert made.to_list() == ["game://a/"]


def test_rows_can_be_grouped_and_filtered_by_results() -> None:
    frame = pl.LazyFrame({"url": ["http://a/1", "http://b/2", "http://a/3"], "n": [1, 2, 3]})
    sums = frame.group_by(host=uri(pl.col("url")).host()).agg(pl.col("n").sum()).sort("host")
    assert sums.collect().rows() == [("a", 4), ("b", 2)]
    hosts = frame.group_by("n").agg(uri(pl.col("url")).host()).sort("n").collect()
    assert hosts["url"].to_list() == [["a"], ["b"], ["a"]]
    kept = frame.filter(uri(pl.col("url")).host() == "b").select("n")
    assert kept.collect(engine="streaming").rows() == [(2,)]
    first = uri(pl.col("url")).host().first().over("n")
    assert frame.with_columns(host=first).collect()["host"].to_list() == ["a", "b", "a"]
    # Literals are repeated for all rows.
    pairs = pl.DataFrame({"ref": ["a", None, "b"], "base": ["http://a", "http://b", "http://c"]})
    one_base = pairs.select(uri(pl.col("ref")).resolve(pl.lit("http://x/")))
    assert one_base.to_series().to_list() == ["http://x/a", None, "http://x/b"]
    one_reference = pairs.select(uri(pl.lit("r")).resolve(pl.col("base")))
    assert one_reference.to_series().to_list() == ["http://a/r", "http://b/r", "http://c/r"]
    nowhere = pairs.select(uri(pl.col("ref")).resolve(pl.lit(None, pl.String)))
    assert nowhere.to_series().to_list() == [None] * 3
    assert pairs.clear().select(uri(pl.col("ref")).resolve(pl.lit("http://x/"))).height == 0
    assert pairs.select("base", host=uri(pl.lit("http://x/")).host())["host"].to_list() == ["x"] * 3


def test_the_streaming_engine_processes_files_in_batches(tmp_path: Path) -> None:
    texts = [f"http://host-{place}.example/" for place in range(500)]
    pl.DataFrame({"url": texts}).write_parquet(tmp_path / "in", row_group_size=100)
    query = pl.scan_parquet(tmp_path / "in").select("url", host=uri(pl.col("url")).host())
    query.sink_parquet(tmp_path / "out", engine="streaming")
    assert pl.read_parquet(tmp_path / "out").rows() == [(text, text[7:-1]) for text in texts]
