from __future__ import annotations

import gc
import importlib
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import duckdb
import pytest
from tables import OF_ONE_COLUMN

from uriverse import columns
from uriverse.columns.duckdb import _FUNCTIONS, register, register_select

TEXTS = ["HTTP://Example.org:80/a?b=c", "a b", None, "//bücher.example/%7e", ""]

#: The column function and its options for each SQL function with one argument.
SAME: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"uri_{name}": (name, {}) for name in OF_ONE_COLUMN},
    "uri_normalize_scheme": ("normalize", {"scheme": True}),
}

#: The calls of SQL functions that take a string, or two strings, for the options.
REQUIRED: dict[str, tuple[str, ...]] = {
    "encode": ("path",),
    "query_param": ("b",),
    "param_values": ("b",),
    "without_params": ("b",),
    "with_param": ("b", "x y"),
    "add_param": ("b", ""),
    "with_scheme": ("https",),
    "with_host": ("::1",),
    "with_port": ("8080",),
}

#: The SQL functions of two columns.
TWO = {"uri_resolve", "uri_relativize", "uri_then", "uri_is_same_origin", "uri_is_same_site"}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        register(made)
        made.execute("CREATE TABLE given (place INTEGER, text VARCHAR)")
        made.executemany("INSERT INTO given VALUES (?, ?)", list(enumerate(TEXTS)))
        yield made


def column(connection: duckdb.DuckDBPyConnection, query: str) -> list[Any]:
    return [row for (row,) in connection.execute(query).fetchall()]


def test_every_column_function_is_a_sql_function() -> None:
    with_document = {"uri_allowed", "uri_decision", "uri_match", "uri_route"}
    with_options = {f"uri_{name}" for name in REQUIRED}
    assert _FUNCTIONS.keys() == SAME.keys() | TWO | with_options | with_document
    # A template has a column for each variable.
    functions = {name for name in columns.__all__ if name.islower()} - {"expand", "select", "uri"}
    assert functions <= {name.removeprefix("uri_") for name in _FUNCTIONS}


def test_a_registered_selection_returns_a_struct(connection: duckdb.DuckDBPyConnection) -> None:
    results = {"the host": columns.uri.host(), "all": columns.uri.parse(fields=["path", "bounds"])}
    register_select(connection, "facts", results, link=columns.uri.resolve("http://a/"))
    query = "SELECT unnest(facts(url)) FROM VALUES ('//b/'), ('a b'), (NULL) t(url)"
    found = connection.sql(query)
    assert found.columns == ["the host", "all", "link"]
    assert found.fetchall() == [
        ("b", {"path": "/", "bounds": (-1, 2, 2, 3, 3, 4, 4, 4)}, "http://b/"),
        (None, {"path": None, "bounds": None}, None),
        (None, None, None),
    ]


def test_a_registered_selection_has_one_base_for_all_rows(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    with pytest.raises(TypeError, match="in SQL, the base or the other URI of an expression"):
        register_select(connection, "facts", link=columns.uri.resolve(["http://a/"]))


@pytest.mark.parametrize("name", SAME)
def test_a_sql_function_returns_the_results_of_the_column_function(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    function, options = SAME[name]
    expected = getattr(columns, function)(TEXTS, **options).to_pylist()
    assert column(connection, f"SELECT {name}(text) FROM given ORDER BY place") == expected


@pytest.mark.parametrize("name", REQUIRED)
def test_required_options_are_sql_arguments(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    given = REQUIRED[name]
    expected = getattr(columns, name)(TEXTS, *given).to_pylist()
    words = ", ".join(f"'{word}'" for word in given)
    query = f"SELECT uri_{name}(text, {words}) FROM given ORDER BY place"
    assert column(connection, query) == expected
    nulls = ", ".join("NULL" for _ in given)
    assert column(connection, f"SELECT uri_{name}(text, {nulls}) FROM given") == [None] * 5


def test_each_row_may_have_its_own_options(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "(VALUES (1, 'a', '1'), (2, 'a', '2'), (3, 'b', '1'), (4, 'b', NULL)) t(n, k, v)"
    query = f"SELECT uri_with_param('/?a=x', k, v) FROM {rows} ORDER BY n"
    assert column(connection, query) == ["/?a=1", "/?a=2", "/?a=x&b=1", None]


@pytest.mark.parametrize("name", ["allowed", "decision"])
def test_a_policy_is_the_text_of_a_toml_document(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    policy = "allow = ['https://*.example/', 'http://h']"
    expected = getattr(columns, name)(TEXTS, policy).to_pylist()
    query = f"SELECT uri_{name}(text, $${policy}$$) FROM given ORDER BY place"
    assert column(connection, query) == expected
    assert column(connection, f"SELECT uri_{name}(text, NULL) FROM given") == [None] * len(TEXTS)
    with pytest.raises(duckdb.InvalidInputException, match="unknown key"):
        connection.execute(f"SELECT uri_{name}('a', 'allowd = []')").fetchall()


def test_the_variables_of_a_template_are_a_json_object(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    query = (
        "SELECT uri_match(text, '{scheme}://{host}:{port}/{+path}{?a*}') FROM given ORDER BY place"
    )
    first, *rest = column(connection, query)
    assert rest == [None] * 4
    assert json.loads(first) == {
        "scheme": "HTTP",
        "host": "Example.org",
        "port": "80",
        "path": "a",
        "a": {"b": "c"},
    }
    query = "SELECT uri_match('/users/é', '/users/{id}') ->> 'id', uri_match('/', NULL)"
    assert connection.execute(query).fetchone() == ("é", None)


def test_routes_are_the_text_of_a_toml_document(connection: duckdb.DuckDBPyConnection) -> None:
    routes = "page = '{+start}/a'\nempty = ''"
    query = f"SELECT uri_route(text, $${routes}$$) FROM given ORDER BY place"
    assert column(connection, query) == ["page", None, None, None, "empty"]


@pytest.mark.parametrize("name", SAME)
def test_null_rows_are_null(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    assert column(connection, f"SELECT {name}(NULL)") == [None]
    assert column(connection, f"SELECT {name}(text) FROM given WHERE text IS NULL") == [None]
    assert column(connection, f"SELECT {name}(text) FROM given WHERE place > 99") == []


@pytest.mark.parametrize("name", sorted(TWO))
def test_a_null_argument_gives_null(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    assert column(connection, f"SELECT {name}(NULL, 'path')") == [None]
    assert column(connection, f"SELECT {name}('path', NULL)") == [None]
    assert column(connection, f"SELECT {name}(text, NULL) FROM given") == [None] * len(TEXTS)


def test_the_types_are_known_before_a_query_runs(connection: duckdb.DuckDBPyConnection) -> None:
    calls = ", ".join(f"{name}(text)" for name in SAME)
    made = connection.sql(f"SELECT {calls} FROM given").types
    types = dict(zip(SAME, map(str, made), strict=True))
    for name in ("is_valid", "is_flagged"):
        assert types.pop(f"uri_{name}") == "BOOLEAN"
    for name in ("port", "effective_port", "path_depth", "fingerprint"):
        assert types.pop(f"uri_{name}") == "BIGINT"
    for name in ("findings", "path_segments", "param_names"):
        assert types.pop(f"uri_{name}") == "VARCHAR[]"
    assert types.pop("uri_params") == "MAP(VARCHAR, VARCHAR)"
    assert types.pop("uri_query_params").startswith("STRUCT(")
    parsed = connection.sql("SELECT unnest(uri_parse(text)) FROM given")
    assert tuple(parsed.columns) == columns.FIELDS
    assert {str(kind) for name, kind in zip(parsed.columns, parsed.types, strict=True)} == {
        "VARCHAR",
        "INTEGER",
    }
    del types["uri_parse"]
    assert set(types.values()) == {"VARCHAR"}


def test_bases_and_references_may_be_constants_or_columns(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("CREATE TABLE pairs AS FROM VALUES ('http://a/b', 'c'), ('%', 'd') p(b, r)")
    assert column(connection, "SELECT uri_resolve(b, r) FROM pairs") == ["http://a/c", None]
    resolved = column(connection, "SELECT uri_resolve('http://x/', r) FROM pairs")
    assert resolved == ["http://x/c", "http://x/d"]
    assert column(connection, "SELECT uri_resolve(b, 'e') FROM pairs") == ["http://a/e", None]
    assert column(connection, "SELECT uri_resolve('http://x/', 'e')") == ["http://x/e"]
    near = column(connection, "SELECT uri_relativize('http://a/b/c', b) FROM pairs")
    assert near == ["b/c", None]


def test_the_last_argument_may_differ_from_row_to_row(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(
        "CREATE TABLE pieces AS FROM VALUES ('a/ b', 'segment'), ('a/ b', 'path'), ('a/ b', NULL),"
        " (NULL, 'path'), ('?', 'segment') t(text, component)"
    )
    assert column(connection, "SELECT uri_encode(text, component) FROM pieces") == [
        "a%2F%20b",
        "a/%20b",
        None,
        None,
        "%3F",
    ]
    assert column(connection, "SELECT uri_encode('é', 'path')") == ["%C3%A9"]
    named = "SELECT uri_query_param('?a=1&b=2', n) FROM VALUES ('b'), ('c') t(n)"
    assert column(connection, named) == ["2", None]


#: SQL functions with options, and the same calls of the column functions.
WITH_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "uri_is_valid(text, 'uri')": ("is_valid", {"grammar": "uri"}),
    "uri_is_valid(text, {'grammar': 'uri'})": ("is_valid", {"grammar": "uri"}),
    "uri_fingerprint(text, 'scheme')": ("fingerprint", {"level": "scheme"}),
    "uri_findings(text, 'web')": ("findings", {"profile": "web"}),
    "uri_decode(text, 'keep')": ("decode", {"errors": "keep"}),
    "uri_encode(text, 'path', {'iri': true})": ("encode", {"component": "path", "iri": True}),
    "uri_parse(text, 'uri')": ("parse", {"grammar": "uri"}),
    "uri_normalize(text, {'scheme': true, 'case': false})": (
        "normalize",
        {"scheme": True, "case": False},
    ),
    "uri_normalize(text, {'dot_segments': 'all'})": ("normalize", {"dot_segments": "all"}),
    "uri_normalize_scheme(text, {'scheme': false})": ("normalize", {"scheme": False}),
    # A null in the struct means the default value.
    "uri_repair(text, {'scheme': NULL, 'slashes': true})": ("repair", {"slashes": True}),
    "uri_redact(text, {'usernames': true, 'paths': true})": (
        "redact",
        {"usernames": True, "paths": True},
    ),
    "uri_to_uri(text, {'host': 'idna'})": ("to_uri", {"host": "idna"}),
    "uri_to_iri(text, {'host': 'idna'})": ("to_iri", {"host": "idna"}),
}


@pytest.mark.parametrize("call", WITH_OPTIONS)
def test_options_are_arguments_or_the_fields_of_a_struct(
    connection: duckdb.DuckDBPyConnection, call: str
) -> None:
    function, options = WITH_OPTIONS[call]
    given = dict(options)
    first = [given.pop("component")] if function == "encode" else []
    expected = getattr(columns, function)(TEXTS, *first, **given).to_pylist()
    for _ in range(2):
        assert column(connection, f"SELECT {call} FROM given ORDER BY place") == expected
    # Each row on its own, with options that differ from row to row.
    cast_call = call.replace("text,", "text, CASE WHEN place = 0 THEN", 1)[:-1] + " END)"
    if first or "NULL" in call:
        return
    [row, *others] = column(connection, f"SELECT {cast_call} FROM given ORDER BY place")
    assert [row, *others] == [expected[0], None, None, None, None]


@pytest.mark.parametrize(
    ("call", "result"),
    [
        # An argument, a field of an option with a default value, and one without.
        ("uri_with_port('http://h:80/', NULL)", None),
        ("uri_filter_params('?a&b', {'keep': NULL, 'drop': 'a'})", "?b"),
        ("uri_with_port('http://h:80/', {'port': NULL})", "http://h/"),
        ("uri_with_host('http://h/a', {'host': NULL})", "http:/a"),
        ("uri_with_param('/', {'name': 'a', 'value': NULL})", "/?a"),
        ("uri_with_param('/', 'a', ['b', NULL])", "/?a=b&a"),
    ],
)
def test_null_is_a_null_result_or_a_default_or_none(
    connection: duckdb.DuckDBPyConnection, call: str, result: str | None
) -> None:
    assert column(connection, f"SELECT {call}") == [result]


def test_values_that_are_equal_but_differ_as_strings_are_different_options(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for value in ("1", "1.0", "1.00", "1"):
        assert column(connection, f"SELECT uri_with_param('/', 'a', {value})") == [f"/?a={value}"]
    with pytest.raises(duckdb.InvalidInputException, match="must not be a bool"):
        connection.execute("SELECT uri_with_param('/', 'a', true)").fetchall()


def test_options_of_functions_with_a_base(connection: duckdb.DuckDBPyConnection) -> None:
    resolved = "SELECT uri_resolve('http://a/b', text, {'strict': false}) FROM given ORDER BY place"
    references = ["http:g", None, "%"]
    connection.execute(
        "CREATE OR REPLACE TABLE given AS SELECT * FROM VALUES (0, 'http:g'),"
        " (1, NULL), (2, '%') t(place, text)"
    )
    expected = columns.resolve("http://a/b", references, strict=False).to_pylist()
    assert column(connection, resolved) == expected == ["http://a/g", None, None]
    near = "SELECT uri_relativize('http://a/b/c', 'http://a/d/e', {'walk_up': false})"
    assert column(connection, near) == [None]


def test_options_may_differ_from_row_to_row(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "CREATE TABLE mixed AS SELECT range place, 'http://é/' || range url,"
        " CASE range % 3 WHEN 0 THEN 'uri' WHEN 1 THEN 'iri' END grammar, range % 2 = 0 scheme"
        " FROM range(5000)"
    )
    got = column(connection, "SELECT uri_is_valid(url, grammar) FROM mixed ORDER BY place")
    assert got == [(False, True, None)[place % 3] for place in range(5000)]
    query = "SELECT uri_normalize('HTTP://A:80/' || place, {'scheme': scheme}) FROM mixed"
    assert column(connection, f"{query} ORDER BY place") == [
        f"http://a{'' if place % 2 == 0 else ':80'}/{place}" for place in range(5000)
    ]
    # Each row has another option.
    query = "SELECT uri_query_param('?a1=x&a' || place || '=' || place, 'a' || place) FROM mixed"
    got = column(connection, f"{query} ORDER BY place")
    assert got == [str(place) if place != 1 else "x" for place in range(5000)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("uri_is_valid('a', 'urix')", "unknown grammar 'urix'; use uri,"),
        ("uri_is_valid('a', 'uri', 'x')", "too many options without a name; the options of uri_is"),
        ("uri_normalize('a', true)", "the options of uri_normalize are case, percent_encoding"),
        ("uri_filter_params('a', 'b')", "are keep, drop; write {'keep': ...} in DuckDB, and keep"),
        ("uri_is_valid('a', {'gramma': 'uri'})", "unknown option 'gramma'; the options of"),
        ("uri_is_valid('a', 'uri', {'grammar': 'uri'})", "duplicate option 'grammar'; the options"),
        ("uri_parse('a', {'fields': ['host']})", "unknown option 'fields'"),
        ("uri_encode('a')", "uri_encode requires the argument component"),
        ("uri_query_param('a', 1)", "name must be a str, not int"),
        ("uri_query_param('a', ['b'])", "name must be a str, not tuple"),
        ("uri_query_param('a', {'name': NULL})", "name must be a str, not NoneType"),
        ("uri_without_params('a', ['b', NULL])", "names must contain only str, not NoneType"),
        ("uri_filter_params('a', {'drop': [NULL]})", "drop must contain only str, not NoneType"),
        ("uri_with_param('a', {'name': 'b'}, 'c')", "only the last argument may be a struct"),
        ("uri_with_param('a', 'b', {'value': {'c': 1}})", "its fields may not be structs"),
    ],
)
def test_options_that_cannot_be_used_are_rejected(
    connection: duckdb.DuckDBPyConnection, call: str, message: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException, match=re.escape(message)):
        connection.execute(f"SELECT {call}").fetchall()


def test_a_function_without_options_has_one_argument(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    with pytest.raises(duckdb.BinderException, match="No function matches"):
        connection.execute("SELECT uri_host('a', 'b')")


def test_unknown_components_are_rejected(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match=r"unknown component 'port'; use .*segment"):
        connection.execute("SELECT uri_encode(text, 'port') FROM given").fetchall()
    # Even if the only row is NULL.
    with pytest.raises(duckdb.Error, match=r"unknown component 'port'; use .*segment"):
        connection.execute("SELECT uri_encode(NULL, 'port')").fetchall()


def test_many_rows_keep_their_order(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "CREATE TABLE many AS SELECT range place, 'http://host-' || range || '.example/' url"
        " FROM range(5000)"
    )
    hosts = column(connection, "SELECT uri_host(url) FROM many ORDER BY place")
    assert hosts == [f"host-{place}.example" for place in range(5000)]


def test_rows_can_be_filtered_joined_and_grouped_by_results(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    assert column(connection, "SELECT place FROM given WHERE uri_port(text) = 80") == [0]
    assert column(
        connection,
        "SELECT count(*) FROM given GROUP BY uri_is_valid(text) ORDER BY uri_is_valid(text)",
    ) == [1, 3, 1]
    joined = (
        "SELECT a.place FROM given a JOIN given b"
        " ON uri_fingerprint(a.text) = uri_fingerprint(b.text)"
    )
    assert sorted(column(connection, joined)) == [0, 3, 4]


@pytest.mark.parametrize(
    "setting",
    ["arrow_large_buffer_size", "produce_arrow_string_view"],
)
def test_strings_may_have_another_layout(
    connection: duckdb.DuckDBPyConnection, setting: str
) -> None:
    if setting == "produce_arrow_string_view":
        connection.execute("SET arrow_output_version = '1.4'")
    connection.execute(f"SET {setting} = true")
    hosts = column(connection, "SELECT uri_host(text) FROM given ORDER BY place")
    assert hosts == ["Example.org", None, None, "bücher.example", None]
    encoded = column(connection, "SELECT uri_encode(text, 'path') FROM given ORDER BY place")
    assert encoded[1:3] == ["a%20b", None]
    assert column(connection, "SELECT uri_findings(text) FROM given WHERE place = 1")[0]


def test_registering_again_has_no_effect(connection: duckdb.DuckDBPyConnection) -> None:
    waiting = connection.sql("SELECT uri_host('http://a/')")
    register(connection)
    with connection.cursor() as other:
        register(other)
        assert column(other, "SELECT uri_host('http://a/')") == ["a"]
    assert waiting.fetchall() == [("a",)]


def test_functions_outlive_the_cursor_that_registered_them() -> None:
    with duckdb.connect() as connection:
        with connection.cursor() as cursor:
            register(cursor)
        del cursor
        gc.collect()
        assert column(connection, "SELECT uri_host('http://a/')") == ["a"]


def test_several_threads_can_use_the_functions_at_once(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    def ask(number: int) -> list[Any]:
        with connection.cursor() as cursor:
            return column(cursor, f"SELECT uri_host('http://h{number}/' || text) FROM given")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(20)))
    assert [hosts[0] for hosts in answers] == [f"h{number}" for number in range(20)]


def test_other_functions_with_the_same_name_are_not_replaced() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO uri_host(text) AS 'mine'")
        with pytest.raises(
            ValueError, match=r"already has functions named uri_host; drop them first$"
        ):
            register(connection)
        assert column(connection, "SELECT uri_host('http://a/')") == ["mine"]
        connection.execute("DROP MACRO uri_host")
        register(connection)
        assert column(connection, "SELECT uri_host('http://a/')") == ["a"]


@pytest.mark.parametrize("missing", ["duckdb", "pyarrow"])
def test_the_error_for_a_missing_package_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "uriverse.columns.duckdb")
    with pytest.raises(
        ModuleNotFoundError, match=rf"needs {missing}; run pip install 'uriverse\[duckdb\]'"
    ):
        importlib.import_module("uriverse.columns.duckdb")
