from __future__ import annotations

import importlib
import sys
from typing import Any, get_args

import pandas as pd
import pyarrow as pa
import pytest
from tables import EVERY_CALL

from uriverse import SCHEMES, IRIReference, columns
from uriverse.columns.pandas import URIAccessor
from uriverse.schemes.registry import Scheme
from uriverse.typing import Field

NAN = float("nan")
TEXTS = ["HTTP://Example.org:80/a?b=c", "a b", None, "//bücher.example/%7e", ""]
HOSTS = ["Example.org", None, None, "bücher.example", None]

#: All but `parse` give a Series.
CALLS = {name: call for name, call in EVERY_CALL.items() if name != "parse"}

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
    """The values of a Series, with `None` for what is missing."""
    gone = series.isna()
    return [None if no else value for value, no in zip(series.tolist(), gone, strict=True)]


def test_every_function_has_a_method() -> None:
    functions = {name for name in columns.__all__ if name.islower()}
    assert functions == CALLS.keys() | {"parse", "resolve", "relativize"}
    assert functions == {name for name in dir(URIAccessor) if not name.startswith("_")}


@pytest.mark.parametrize("name", CALLS)
def test_a_method_does_what_the_function_does(name: str) -> None:
    words, options = CALLS[name]
    expected = getattr(columns, name)(TEXTS, *words, **options).to_pylist()
    given = texts(TEXTS, index=list("edcba"), name="url")
    made = getattr(uri(given), name)(*words, **options)
    assert values(made) == expected
    assert made.index.equals(given.index)
    assert made.name == "url"


def test_the_accessor_is_that_of_series() -> None:
    series: Any = texts(TEXTS)
    assert isinstance(series.uri, URIAccessor)
    assert values(series.uri.host()) == HOSTS


@pytest.mark.parametrize("dtype", [*STRINGS.values(), *OTHERS.values()], ids=[*STRINGS, *OTHERS])
def test_a_frame_has_a_column_for_each_field(dtype: Any) -> None:
    given = texts(TEXTS, dtype, index=[3, 1, 4, 1, 5])
    made = uri(given).parse("uri", fields=get_args(Field))
    assert list(made.columns) == list(get_args(Field))
    assert made.index.equals(given.index)
    expected = columns.parse(TEXTS, "uri", fields=get_args(Field)).to_pylist()
    for field in get_args(Field):
        told = [None if row is None else row[field] for row in expected]
        assert values(made[field]) == told


def test_the_fields_of_a_frame_are_those_asked_for() -> None:
    given = texts(["http://a/"], index=["x"])
    assert list(uri(given).parse(fields=["path", "host"]).columns) == ["path", "host"]
    assert uri(given).parse(fields=[]).shape == (1, 0)
    assert uri(given[:0]).parse().shape == (0, len(columns.FIELDS))


@pytest.mark.parametrize("dtype", STRINGS.values(), ids=STRINGS)
def test_texts_come_back_as_they_came(dtype: Any) -> None:
    made = uri(texts(TEXTS, dtype)).host()
    assert made.dtype == dtype
    assert values(made) == HOSTS
    assert uri(texts(TEXTS, dtype)).parse()["host"].dtype == dtype


@pytest.mark.parametrize("dtype", ["object", "category"])
def test_texts_that_were_no_strings_come_back_as_strings(dtype: str) -> None:
    made = uri(texts(TEXTS, dtype)).host()
    assert made.dtype == "str"
    assert values(made) == HOSTS


def test_numbers_and_flags_can_be_missing() -> None:
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


def test_a_dictionary_of_arrow_comes_back_as_its_values() -> None:
    made = uri(texts(TEXTS, OTHERS["arrow-dictionary"])).host()
    assert made.dtype == pd.ArrowDtype(pa.string())
    assert values(made) == HOSTS


def test_objects_may_be_identifiers_and_missing_in_any_way() -> None:
    given = [IRIReference("//a"), "//b", None, NAN, pd.NA, "\ud800"]
    assert values(uri(texts(given, "object")).host()) == ["a", "b", None, None, None, None]
    assert values(uri(texts(given, "object")).is_valid()) == [True, True, None, None, None, False]


def test_an_object_that_is_no_text_is_named_by_its_row() -> None:
    with pytest.raises(TypeError, match=r"row 1: expected a str or an identifier, not int"):
        uri(texts(["a", 3], "object")).host()


@pytest.mark.parametrize(
    "dtype", [*STRINGS.values(), "object", pd.CategoricalDtype(["a"])], ids=str
)
def test_series_of_missing_texts_and_of_none_stay_so(dtype: Any) -> None:
    assert values(uri(texts([None, None], dtype)).host()) == [None, None]
    empty = uri(texts([], dtype)).host()
    assert values(empty) == []
    assert empty.dtype == (dtype if dtype in STRINGS.values() else "str")


def test_what_arrow_knows_only_nulls_of_is_taken() -> None:
    assert values(uri(texts([None], pd.ArrowDtype(pa.null()))).host()) == [None]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (pd.Series([1]), "int64"),
        (pd.Series([NAN]), "float64"),
        (pd.Series([1], dtype="category"), "category"),
        (pd.Series([1], dtype=pd.ArrowDtype(pa.int64())), r"int64\[pyarrow\]"),
        (pd.Series(["a"], dtype=pd.ArrowDtype(pa.string_view())), r"string_view\[pyarrow\]"),
    ],
    ids=str,
)
def test_a_dtype_that_is_not_one_of_text_has_no_accessor(given: Any, named: str) -> None:
    with pytest.raises(AttributeError, match=f"Can only use .uri accessor with text, not {named}"):
        _ = given.uri
    assert not hasattr(given, "uri")


def test_a_registry_of_ones_own_is_asked() -> None:
    registry = SCHEMES.with_schemes(Scheme(name="game", default_port=7))
    assert values(uri(texts(["game://a:7/"])).normalize(scheme=True, schemes=registry)) == [
        "game://a/"
    ]


def test_dot_segments_of_rootless_paths_are_removed_on_request_only() -> None:
    column = uri(texts(["data:text/plain,a/../b"]))
    assert values(column.normalize()) == ["data:text/plain,a/../b"]
    assert values(column.normalize(dot_segments="all")) == ["data:text/b"]


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_a_series_has_references_to_a_text_or_to_its_bases(dtype: str) -> None:
    given = uri(texts(["c", "../d", None], index=[7, 8, 9], name="ref"))
    assert values(given.resolve("http://a/b/")) == ["http://a/b/c", "http://a/d", None]
    bases = texts(["http://a/b/", "x", "http://c"], dtype, index=[7, 8, 9], name="base")
    made = given.resolve(bases)
    assert values(made) == ["http://a/b/c", None, None]
    assert made.name == "ref"
    assert values(uri(texts(["http:c"])).resolve("http://a/b/", strict=False)) == ["http://a/b/c"]


def test_a_series_has_targets_to_reach_from_a_base() -> None:
    given = uri(texts(["http://a/b/d", "http://a/e"]))
    assert values(given.relativize("http://a/b/c")) == ["d", "/e"]
    assert values(given.relativize(texts(["http://a/b/c", "http://a/b/c/d"]))) == ["d", "/e"]
    assert values(given.relativize("http://a/b/c/e", climb=False)) == [None, None]


def test_bases_of_another_index_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the base has another index: align it first"):
        uri(texts(["c"], index=[1])).resolve(texts(["http://a"], index=[2]))


def test_what_is_told_wrong_is_refused() -> None:
    given: Any = uri(texts(TEXTS))
    with pytest.raises(ValueError, match="grammar is one of"):
        given.parse("url")
    with pytest.raises(ValueError, match="component is one of"):
        given.encode("port")
    with pytest.raises(TypeError, match="expected a column or a list of str, not int"):
        given.resolve(1)
    with pytest.raises(AttributeError, match="not int64"):
        given.resolve(pd.Series([1] * len(TEXTS)))


def test_slices_keep_their_rows() -> None:
    given = texts([f"http://host-{place}-with-a-long-name.example/" for place in range(7)])
    hosts = [text[7:-1] for text in given]
    assert values(uri(given[2:5]).host()) == hosts[2:5]
    assert values(uri(given[::-1]).host()) == hosts[::-1]
    joined = pd.concat([given, given], ignore_index=True)
    assert values(uri(joined).host()) == hosts * 2


def test_what_is_changed_is_seen() -> None:
    series: Any = texts(["http://a/"], "object")
    assert values(series.uri.host()) == ["a"]
    series.loc[0] = "http://b/"
    assert values(series.uri.host()) == ["b"]


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_without_a_library_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "uriverse.columns.pandas")
    with pytest.raises(
        ModuleNotFoundError, match=rf"needs {missing}: pip install 'uriverse\[pandas\]'"
    ):
        importlib.import_module("uriverse.columns.pandas")
