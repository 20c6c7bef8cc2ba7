import gc
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import duckdb
import pytest
from tables import OF_ONE_COLUMN, OF_TWO_COLUMNS

from uriverse import columns
from uriverse.columns._registry import FUNCTIONS
from uriverse.columns.duckdb import _FUNCTIONS, register, register_select

TEXTS = ["HTTP://Example.org:80/a?b=c", "a b", None, "//bücher.example/%7e", ""]

#: The column function for each SQL function with one argument.
SAME: dict[str, Callable[..., columns.Array]] = {
    **{f"uri_{name}": getattr(columns, name) for name in OF_ONE_COLUMN},
    "uri_normalize_scheme": partial(columns.normalize, scheme=True),
}

#: The SQL functions of two columns.
TWO = {f"uri_{name}" for name in OF_TWO_COLUMNS}

#: The number of required arguments of other SQL functions.
REQUIRED = {
    f"uri_{name}": sum(option.required for option in function.options)
    for name, function in FUNCTIONS.items()
    if name not in {*OF_ONE_COLUMN, *OF_TWO_COLUMNS}
}


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
    assert _FUNCTIONS.keys() == SAME.keys() | TWO | REQUIRED.keys()
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
        *((None, {"path": None, "bounds": None}, None), (None, None, None)),
    ]
    # A registered selection has one base for all rows.
    with pytest.raises(TypeError, match="in SQL, the base or the other URI of an expression"):
        register_select(connection, "facts", link=columns.uri.resolve(["http://a/"]))


@pytest.mark.parametrize("name", SAME)
def test_a_sql_function_returns_the_results_of_the_column_function(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    expected = SAME[name](TEXTS).to_pylist()
    assert column(connection, f"SELECT {name}(text) FROM given ORDER BY place") == expected
    assert column(connection, f"SELECT {name}(NULL)") == [None]
    assert column(connection, f"SELECT {name}(text) FROM given WHERE text IS NULL") == [None]
    assert column(connection, f"SELECT {name}(text) FROM given WHERE place > 99") == []


@pytest.mark.parametrize("name", sorted(TWO | REQUIRED.keys()))
def test_a_null_argument_gives_null(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    nulls = ", ".join(["NULL"] * REQUIRED.get(name, 1))
    assert column(connection, f"SELECT {name}(text, {nulls}) FROM given") == [None] * len(TEXTS)
    assert column(connection, f"SELECT {name}('path', {nulls})") == [None]
    if name in TWO:
        assert column(connection, f"SELECT {name}(NULL, 'path')") == [None]


def test_each_row_may_have_its_own_options(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "(VALUES (1, 'a', '1'), (2, 'a', '2'), (3, 'b', '1'), (4, 'b', NULL)) t(n, k, v)"
    query = f"SELECT uri_with_param('/?a=x', k, v) FROM {rows} ORDER BY n"
    assert column(connection, query) == ["/?a=1", "/?a=2", "/?a=x&b=1", None]
    # The last argument may differ from row to row.
    connection.execute(
        "CREATE TABLE pieces AS FROM VALUES ('a/ b', 'segment'), ('a/ b', 'path'), ('a/ b', NULL),"
        " (NULL, 'path'), ('?', 'segment') t(text, component)"
    )
    encoded = column(connection, "SELECT uri_encode(text, component) FROM pieces")
    assert encoded == ["a%2F%20b", "a/%20b", None, None, "%3F"]
    assert column(connection, "SELECT uri_encode('é', 'path')") == ["%C3%A9"]
    named = "SELECT uri_query_param('?a=1&b=2', n) FROM VALUES ('b'), ('c') t(n)"
    assert column(connection, named) == ["2", None]
    # Options may differ from row to row.
    count = 3000  # More than DuckDB passes at once.
    connection.execute(
        "CREATE TABLE mixed AS SELECT range place, 'http://é/' || range url,"
        " CASE range % 3 WHEN 0 THEN 'uri' WHEN 1 THEN 'iri' END grammar, range % 2 = 0 scheme"
        f" FROM range({count})"
    )
    got = column(connection, "SELECT uri_is_valid(url, grammar) FROM mixed ORDER BY place")
    assert got == [(False, True, None)[place % 3] for place in range(count)]
    query = "SELECT uri_normalize('HTTP://A:80/' || place, {'scheme': scheme}) FROM mixed"
    ports = ("", ":80")
    expected = [f"http://a{ports[place % 2]}/{place}" for place in range(count)]
    assert column(connection, f"{query} ORDER BY place") == expected
    # Each row has another option.
    query = "SELECT uri_query_param('?a1=x&a' || place || '=' || place, 'a' || place) FROM mixed"
    got = column(connection, f"{query} ORDER BY place")
    assert got == [str(place) if place != 1 else "x" for place in range(count)]
    hosts = column(connection, "SELECT uri_path(url) FROM mixed ORDER BY place")
    assert hosts == [f"/{place}" for place in range(count)]


def test_policies_routes_and_templates_are_strings(connection: duckdb.DuckDBPyConnection) -> None:
    for name in ["allowed", "decision"]:
        policy = "allow = ['https://*.example/', 'http://h']"
        expected = getattr(columns, name)(TEXTS, policy).to_pylist()
        query = f"SELECT uri_{name}(text, $${policy}$$) FROM given ORDER BY place"
        assert column(connection, query) == expected
        with pytest.raises(duckdb.InvalidInputException, match="unknown key"):
            connection.execute(f"SELECT uri_{name}('a', 'allowd = []')").fetchall()
    # Routes are the text of a TOML document.
    routes = "page = '{+start}/a'\nempty = ''"
    query = f"SELECT uri_route(text, $${routes}$$) FROM given ORDER BY place"
    assert column(connection, query) == ["page", None, None, None, "empty"]
    # The variables of a template are a JSON object.
    template = "{scheme}://{host}:{port}/{+path}{?a*}"
    first, *rest = column(
        connection, f"SELECT uri_match(text, '{template}') FROM given ORDER BY place"
    )
    variables = {"scheme": "HTTP", "host": "Example.org", "port": "80", "path": "a"}
    assert (json.loads(first), rest) == ({**variables, "a": {"b": "c"}}, [None] * 4)
    assert column(connection, "SELECT uri_match('/users/é', '/users/{id}') ->> 'id'") == ["é"]


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
        *("VARCHAR", "INTEGER")
    }
    del types["uri_parse"]
    assert set(types.values()) == {"VARCHAR"}


def test_both_inputs_may_be_constants_or_columns(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE pairs AS FROM VALUES ('http://a/b', 'c'), ('%', 'd') p(b, r)")
    assert column(connection, "SELECT uri_resolve(b, r) FROM pairs") == ["http://a/c", None]
    resolved = column(connection, "SELECT uri_resolve('http://x/', r) FROM pairs")
    assert resolved == ["http://x/c", "http://x/d"]
    assert column(connection, "SELECT uri_resolve(b, 'e') FROM pairs") == ["http://a/e", None]
    assert column(connection, "SELECT uri_resolve('http://x/', 'e')") == ["http://x/e"]
    near = column(connection, "SELECT uri_relativize('http://a/b/c', b) FROM pairs")
    assert near == ["b/c", None]
    # Options of functions with a base.
    references = "FROM VALUES (0, 'http:g'), (1, NULL), (2, '%') t(place, text) ORDER BY place"
    lax = f"SELECT uri_resolve('http://a/b', text, {{'strict': false}}) {references}"
    assert column(connection, lax) == ["http://a/g", None, None]
    query = "SELECT uri_relativize('http://a/b/c', 'http://a/d/e', {'walk_up': false})"
    assert column(connection, query) == [None]


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
        ("uri_normalize_scheme('HTTP://h:80', {'scheme': false})", "http://h:80"),
        # Values that are equal but differ as strings are different options.
        *((f"uri_with_param('/', 'a', {v})", f"/?a={v}") for v in ("1", "1.0", "1.00", "1")),
    ],
)
def test_null_is_a_null_result_or_a_default_or_none(
    connection: duckdb.DuckDBPyConnection, call: str, result: str | None
) -> None:
    for _ in range(2):
        assert column(connection, f"SELECT {call}") == [result]


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
        ("uri_with_param('a', 'b', true)", "must not be a bool"),
        ("uri_host('a', 'b')", "No function matches"),
        ("uri_encode(text, 'port') FROM given", "unknown component 'port'; use "),
        # Even if the only row is NULL.
        ("uri_encode(NULL, 'port')", "unknown component 'port'; use "),
    ],
)
def test_options_that_cannot_be_used_are_rejected(
    connection: duckdb.DuckDBPyConnection, call: str, message: str
) -> None:
    expected = (duckdb.InvalidInputException, duckdb.BinderException)
    with pytest.raises(expected, match=re.escape(message)):
        connection.execute(f"SELECT {call}").fetchall()


def test_rows_can_be_filtered_and_joined_by_results(connection: duckdb.DuckDBPyConnection) -> None:
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


@pytest.mark.parametrize("setting", ["arrow_large_buffer_size", "produce_arrow_string_view"])
def test_strings_may_have_any_layout(connection: duckdb.DuckDBPyConnection, setting: str) -> None:
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

    # Several threads can use the functions at once.
    def ask(number: int) -> list[Any]:
        with connection.cursor() as cursor:
            return column(cursor, f"SELECT uri_host('http://h{number}/' || text) FROM given")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(20)))
    assert [hosts[0] for hosts in answers] == [f"h{number}" for number in range(20)]


def test_other_functions_with_the_same_name_are_not_replaced() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO uri_host(text) AS 'mine'")
        words = r"already has functions named uri_host; drop them first$"
        with pytest.raises(ValueError, match=words):
            register(connection)
        assert column(connection, "SELECT uri_host('http://a/')") == ["mine"]
        connection.execute("DROP MACRO uri_host")
        register(connection)
        assert column(connection, "SELECT uri_host('http://a/')") == ["a"]
    # Functions outlive the cursor that registered them.
    with duckdb.connect() as connection:
        with connection.cursor() as cursor:
            register(cursor)
        del cursor
        gc.collect()
        assert column(connection, "SELECT uri_host('http://a/')") == ["a"]
