from __future__ import annotations

from datetime import date, datetime
from typing import Any, get_args

import pandas as pd
import pyarrow as pa
import pytest
from tables import EVERY_CALL, OF_TWO_COLUMNS

from uriverse import SCHEMES, IRIReference, columns
from uriverse.columns.pandas import URIAccessor
from uriverse.schemes._registry import Scheme
from uriverse.templates import Template
from uriverse.typing import Field

NAN = float("nan")
TEXTS = ["HTTP://Example.org:80/a?b=c", "a b", None, "//bücher.example/%7e", ""]
HOSTS = ["Example.org", None, None, "bücher.example", None]

#: The functions that return a DataFrame.
WITH_FIELDS = {"parse", "decision", "match"}

#: The functions that return a Series.
CALLS = {name: call for name, call in EVERY_CALL.items() if name not in WITH_FIELDS}

STRINGS = {
    "str": pd.StringDtype(na_value=NAN),
    "str-of-python": pd.StringDtype("python", na_value=NAN),
    "string": pd.StringDtype("pyarrow"),
    "string-of-python": pd.StringDtype("python"),
    "arrow-string": pd.ArrowDtype(pa.string()),
    "arrow-large-string": pd.ArrowDtype(pa.large_string()),
}

OTHERS = {
    "object": "object",
    "category": "category",
    "arrow-dictionary": pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())),
}


def uri(series: pd.Series[Any]) -> URIAccessor:
    return URIAccessor(series)


def texts(values: list[Any], dtype: Any = "str", **options: Any) -> pd.Series[Any]:
    series: pd.Series[Any] = pd.Series(values, dtype=dtype, **options)
    return series


def values(series: Any) -> list[Any]:
    """Return the values of a Series, with `None` for missing values."""
    gone = series.isna()
    return [None if no else value for value, no in zip(series.tolist(), gone, strict=True)]


def test_every_function_has_a_method() -> None:
    # A template has a column for each variable.
    functions = {name for name in columns.__all__ if name.islower()} - {"expand", "select", "uri"}
    assert functions == CALLS.keys() | WITH_FIELDS | OF_TWO_COLUMNS
    assert functions | {"select"} == {name for name in dir(URIAccessor) if not name.startswith("_")}


def test_select_returns_a_frame_of_several_results() -> None:
    urls = pd.Series(["//a/b", "a b", None, "d"], index=[3, 4, 5, 6])
    bases = pd.Series(["http://c/", "http://c/", "http://c/", None], index=[3, 4, 5, 6])
    results = {"the host": columns.uri.host(), "link": columns.uri.resolve(bases)}
    made = URIAccessor(urls).select(results, depth=columns.uri.path_depth())
    assert (list(made.columns), list(made.index)) == (["the host", "link", "depth"], [3, 4, 5, 6])
    assert made["link"].tolist()[0] == "http://a/b"
    assert made["depth"].tolist() == [1, pd.NA, pd.NA, 1]
    with pytest.raises(ValueError, match="the base has a different index"):
        URIAccessor(urls.reset_index(drop=True)).select(results)


@pytest.mark.parametrize("name", CALLS)
def test_a_method_returns_the_results_of_the_function(name: str) -> None:
    words, options = CALLS[name]
    expected = getattr(columns, name)(TEXTS, *words, **options).to_pylist()
    if name == "params":
        # pandas returns a map as a list of pairs.
        expected = [row and list(row.items()) for row in expected]
    given = texts(TEXTS, index=list("edcba"), name="url")
    made = getattr(uri(given), name)(*words, **options)
    assert values(made) == expected
    assert made.index.equals(given.index)
    assert made.name == "url"


def test_parse_returns_a_frame_with_a_column_for_each_field() -> None:
    for dtype in [*STRINGS.values(), *OTHERS.values()]:
        given = texts(TEXTS, dtype, index=[3, 1, 4, 1, 5])
        made = uri(given).parse("uri", fields=get_args(Field))
        assert list(made.columns) == list(get_args(Field))
        assert made.index.equals(given.index)
        expected = columns.parse(TEXTS, "uri", fields=get_args(Field)).to_pylist()
        for field in get_args(Field):
            told = [None if row is None else row[field] for row in expected]
            assert values(made[field]) == told
    # Parse returns the chosen fields.
    given = texts(["http://a/"], index=["x"])
    assert list(uri(given).parse(fields=["path", "host"]).columns) == ["path", "host"]
    assert uri(given).parse(fields=[]).shape == (1, 0)
    assert uri(given[:0]).parse().shape == (0, len(columns.FIELDS))


@pytest.mark.parametrize("dtype", [*STRINGS.values(), *OTHERS.values()], ids=[*STRINGS, *OTHERS])
def test_results_have_the_string_dtype_of_the_series(dtype: Any) -> None:
    plain: dict[Any, Any] = {"object": "str", "category": "str"}
    plain |= {OTHERS["arrow-dictionary"]: STRINGS["arrow-string"]}
    made = uri(texts(TEXTS, dtype)).host()
    assert (made.dtype, values(made)) == (plain.get(dtype, dtype), HOSTS)
    assert uri(texts(TEXTS, dtype)).parse()["host"].dtype == made.dtype


def test_integers_and_booleans_have_nullable_dtypes() -> None:
    given = uri(texts(TEXTS))
    assert given.port().dtype == given.fingerprint().dtype == "Int64"
    assert given.is_valid().dtype == "boolean"
    assert given.parse()["error_position"].dtype == "Int32"
    assert given.findings().dtype == pd.ArrowDtype(pa.list_(pa.large_string()))
    of_arrow = uri(texts(TEXTS, pd.ArrowDtype(pa.string())))
    assert of_arrow.port().dtype == pd.ArrowDtype(pa.int64())
    assert of_arrow.is_valid().dtype == pd.ArrowDtype(pa.bool_())
    assert of_arrow.parse()["error_position"].dtype == pd.ArrowDtype(pa.int32())
    assert of_arrow.findings().dtype == pd.ArrowDtype(pa.list_(pa.string()))
    template = Template(
        "/{n}/{real}/{d}/{t}", types={"n": int, "real": float, "d": date, "t": datetime}
    )
    found = uri(texts(["/-7/1.5/1969-12-31/1969-01-02T03:04:05", None])).match(template)
    dtypes = ["Int64", "Float64", "date32[day][pyarrow]", "timestamp[us][pyarrow]"]
    assert [str(dtype) for dtype in found.dtypes] == dtypes
    assert (found["n"][0], found["d"][0]) == (-7, date(1969, 12, 31))
    assert found.isna().iloc[1].all()


def test_objects_may_be_uris_and_missing_values() -> None:
    given = [IRIReference("//a"), "//b", None, NAN, pd.NA, "\ud800"]
    assert values(uri(texts(given, "object")).host()) == ["a", "b", None, None, None, None]
    assert values(uri(texts(given, "object")).is_valid()) == [True, True, None, None, None, False]
    with pytest.raises(TypeError, match=r"row 1: expected a str or a URI, not int"):
        uri(texts(["a", 3], "object")).host()
    # Series of missing values and empty series.
    for dtype in [*STRINGS.values(), "object", pd.CategoricalDtype(["a"])]:
        assert values(uri(texts([None, None], dtype)).host()) == [None, None]
        empty = uri(texts([], dtype)).host()
        assert (values(empty), empty.dtype) == ([], dtype if dtype in STRINGS.values() else "str")
        assert values(uri(texts([None], pd.ArrowDtype(pa.null()))).host()) == [None]


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_the_base_is_one_string_or_a_series(dtype: str) -> None:
    given = uri(texts(["c", "../d", None], index=[7, 8, 9], name="ref"))
    assert values(given.resolve("http://a/b/")) == ["http://a/b/c", "http://a/d", None]
    bases = texts(["http://a/b/", "x", "http://c"], dtype, index=[7, 8, 9], name="base")
    made = given.resolve(bases)
    assert (values(made), made.name) == (["http://a/b/c", None, None], "ref")
    assert values(uri(texts(["http:c"])).resolve("http://a/b/", strict=False)) == ["http://a/b/c"]
    given = uri(texts(["http://a/b/d", "http://a/e"]))
    assert values(given.relativize("http://a/b/c")) == ["d", "/e"]
    assert values(given.relativize(texts(["http://a/b/c", "http://a/b/c/d"], dtype))) == ["d", "/e"]
    assert values(given.relativize("http://a/b/c/e", walk_up=False)) == [None, None]
    with pytest.raises(ValueError, match=r"the base has a different index; align it first"):
        uri(texts(["c"], index=[1])).resolve(texts(["http://a"], index=[2]))


def test_invalid_options_and_bases_are_rejected() -> None:
    given: Any = uri(texts(TEXTS))
    with pytest.raises(ValueError, match="unknown grammar"):
        given.parse("url")
    with pytest.raises(TypeError, match="expected a column or a list of str, not int"):
        given.resolve(1)
    with pytest.raises(AttributeError, match="not int64"):
        given.resolve(pd.Series([1] * len(TEXTS)))
    # Series of other dtypes have no accessor.
    for given, named in [
        *((pd.Series([1]), "int64"), (pd.Series([NAN]), "float64")),
        (pd.Series([1], dtype="category"), "category"),
        (pd.Series([1], dtype=pd.ArrowDtype(pa.int64())), r"int64\[pyarrow\]"),
        (pd.Series(["a"], dtype=pd.ArrowDtype(pa.string_view())), r"string_view\[pyarrow\]"),
    ]:
        with pytest.raises(
            AttributeError, match=rf"the \.uri accessor needs strings, not {named}; cast"
        ):
            _ = given.uri
        assert not hasattr(given, "uri")


def test_slices_keep_their_rows_and_changes_are_visible() -> None:
    given = texts([f"http://host-{place}-with-a-long-name.example/" for place in range(7)])
    hosts = [text[7:-1] for text in given]
    assert values(uri(given[2:5]).host()) == hosts[2:5]
    assert values(uri(given[::-1]).host()) == hosts[::-1]
    assert values(uri(pd.concat([given, given], ignore_index=True)).host()) == hosts * 2
    # Changes of the series are visible.
    series: Any = texts(["http://a/"], "object")
    assert isinstance(series.uri, URIAccessor)
    assert values(series.uri.host()) == ["a"]
    series.loc[0] = "http://b/"
    assert values(series.uri.host()) == ["b"]
    # Normalize uses the given scheme registry.
    registry = SCHEMES.with_schemes(Scheme(name="game", default_port=7))
    assert values(uri(texts(["game://a:7/"])).normalize(scheme=registry)) == ["game://a/"]
    # The methods with another URI return the results of the functions.
    links: Any = texts(["http://a/b/c", "http://a/"])
    assert list(links.uri.then("../d")) == columns.then(list(links), "../d").to_pylist()
    assert list(links.uri.is_same_origin("http://a:80/x")) == [True, True]
    assert list(links.uri.is_same_site("http://a:81/x")) == [True, True]
