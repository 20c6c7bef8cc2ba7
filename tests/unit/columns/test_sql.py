from importlib import import_module
from typing import Any

import pytest

from uriverse import columns
from uriverse.columns import _sql, uri
from uriverse.columns._selecting import combine_expressions
from uriverse.columns._sql import SQL_FUNCTIONS, run_in_sql
from uriverse.typing import Grammar

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

URLS = ["http://a/é?q=1", "%", None, "HTTP://A:80/?q=2"]


def run(name: str, *arguments: Any, **named: Any) -> list[Any]:
    given = [pa.array(each) if isinstance(each, list) else each for each in arguments]
    options = {key: pa.array(value) for key, value in named.items()}
    made = run_in_sql(name, given, options)
    assert isinstance(made, pa.Array)
    rows: list[Any] = made.to_pylist()
    return rows


def test_options_can_be_named() -> None:
    expected = columns.normalize(URLS, scheme=True).to_pylist()
    assert run("uri_normalize", URLS, scheme=[True] * 4) == expected
    assert run("uri_normalize", URLS, scheme=[True, True, True, False])[3] == "http://a:80/?q=2"
    assert run("uri_encode", ["a/b"], ["segment"], iri=[True]) == ["a%2Fb"]
    assert run("uri_normalize", URLS, [{"scheme": True}] * 4) == expected
    # The same value for another option is another call.
    for name in ("case", "scheme", "case"):
        made = run("uri_normalize", URLS, **{name: [True] * 4})
        assert made == columns.normalize(URLS, scheme=name == "scheme").to_pylist()
    grammars: list[Grammar] = ["uri", "iri", "uri"]
    for grammar in grammars:
        made = run("uri_is_valid", URLS, [grammar] * 4)
        assert made == columns.is_valid(URLS, grammar).to_pylist()


@pytest.mark.parametrize("name", SQL_FUNCTIONS)
def test_a_batch_without_rows_has_the_type_of_the_function(name: str) -> None:
    function = SQL_FUNCTIONS[name]
    nothing = [pa.array([], pa.string())] * function.n_columns
    options = [pa.array([], pa.string())] * len(function.function.sql_arguments)
    assert run_in_sql(name, [*nothing, *options], {}).type.equals(function.type)
    if not any(option.required for option in function.function.options):
        assert run_in_sql(name, nothing, {}).type.equals(function.type)


def test_rows_without_options_are_null() -> None:
    nulls = pa.array([None] * 4, pa.string())
    assert run("uri_is_valid", URLS, pa.nulls(4)) == [None] * 4
    assert run("uri_query_param", URLS, nulls) == [None] * 4
    assert run("uri_is_valid", URLS, nulls, grammar=["a", "b", "c", "d"]) == [None] * 4
    assert run("uri_query_param", URLS, ["q", "q", "q", None]) == ["1", None, None, None]
    parsed = run_in_sql("uri_parse", [pa.array(URLS), pa.nulls(4)], {})
    assert parsed.type.num_fields == len(columns.FIELDS)


@pytest.mark.parametrize(
    "array",
    [
        *(pa.array(URLS, kind) for kind in (pa.string(), pa.large_string(), pa.string_view())),
        *(pa.array(URLS).cast(pa.binary()), pa.array(URLS).dictionary_encode()),
    ],
    ids=lambda array: str(array.type),
)
def test_columns_of_all_layouts_are_accepted(array: Any) -> None:
    for given in (array, array[1:], pa.chunked_array([array[:1], array[1:]]), array[:0]):
        rows = [row.decode() if isinstance(row, bytes) else row for row in given.to_pylist()]
        assert run("uri_host", given) == columns.host(rows).to_pylist()
        names = ["q", "r", "q", "q"][: len(rows)]
        params = columns.query_param(rows, "q").to_pylist()
        expected = [p if name == "q" else None for p, name in zip(params, names, strict=True)]
        assert run("uri_query_param", given, pa.array(names, pa.string())) == expected
    assert run("uri_host", pa.nulls(2)) == [None, None]


def test_a_base_may_be_a_constant_or_a_column() -> None:
    assert run("uri_resolve", ["http://a/"] * 2, ["b", "c"]) == ["http://a/b", "http://a/c"]
    assert run("uri_resolve", ["http://a/", "%"], ["b", "c"]) == ["http://a/b", None]
    assert run("uri_resolve", ["%", "%"], ["b", "c"]) == [None, None]
    assert run("uri_resolve", ["http://a/"] * 2, ["b", "b"]) == ["http://a/b", "http://a/b"]
    assert run("uri_relativize", ["http://a/b", "http://a/c"], ["http://a/d"] * 2) == ["b", "c"]


def test_strings_beyond_one_array_are_computed_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_sql, "FULL", 20)
    assert run("uri_normalize", URLS) == columns.normalize(URLS).to_pylist()
    # A function that runs by itself is selected in pieces.
    call, _ = combine_expressions({"then": uri.then("http://a/")}, {})
    assert _sql.try_single_call(call, [(pa.array(["b"]), False)], 1) is None
    # Policies and templates are parsed once.
    allowed = ("uri_allowed", URLS, ["allow = ['http://a/']"] * 4)
    assert run(*allowed) == [True, False, None, True]
    before = _sql.bind_sql_options.cache_info()
    assert run(*allowed) == run("uri_allowed", URLS, ["allow = ['http://a/']"] * 4)
    assert _sql.bind_sql_options.cache_info().misses == before.misses
