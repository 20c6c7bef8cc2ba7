import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import duckdb
import pytest
import sparks
from sql_calls import inputs_of, literal, struct_of

from uriverse import columns
from uriverse.columns._registry import FUNCTIONS
from uriverse.columns.duckdb import register

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

ROWS = [
    "HTTP://User:pw@Ex.org:80/%7ea/./b?q=1&utm_id=2&b#f",
    *("http://[2001:DB8:0:0:0:0:0:1]/secret/", "foo:a/../b", "http://bücher.example/é"),
    *("http://xn--bcher-kva.example/", "http:g", "http:/h/a"),
    "https://hooks.slack.com/services/T0/B0/" + "x1" * 12,
    *("example.org\\a", "http://h/u/%FF", "http://10.0.0.1/", "http://x/a", "a b", "%", "", None),
]

#: The second column of functions of two columns.
BASE = "http://x/y/z"

#: The options that SQL functions lack, and why.
NOT_IN_SQL = {
    "fields": "the type of a SQL function cannot depend on an option",
    "suffixes": "a list is too long for a literal, and a path would let queries read files",
}

#: Values for each option, which all give different results. A key is the name of an option, or of a
#: function and an option.
VALUES: dict[str, list[Any]] = {
    "grammar": ["uri", "iri-reference"],
    "profile": ["web", "generic"],
    "case": [False, True],
    "percent_encoding": [False, True],
    "dot_segments": [False, True, "all"],
    "ipv6": [False, True],
    "scheme": [False, True],
    "strict": [False, True],
    "walk_up": [False, True],
    "names": ["q", ["q", "b"], []],
    "keep": ["u*", ["q", "b"], []],
    "drop": ["u*", ["utm_*", "q"], []],
    "name": ["q", "b"],
    "value": ["a b", 1, 1.0, ["1", "x"], [], None],
    "with_scheme.scheme": ["https", None],
    "repair.scheme": ["https", None],
    "with_host.host": ["h", "::1", None],
    "port": [8080, "080", None],
    "level": ["string", "syntax", "scheme"],
    "iri": [False, True],
    "slashes": [False, True],
    "policy": ["allow = ['http://x/']", "allow = ['http://x']\ndeny = ['http://x/a']"],
    "template": ["{scheme}:{+rest}", "http://x/{a}"],
    "router": ["a = 'http://{host}/{path}'", "b = '{+uri}'"],
    "usernames": [False, True],
    "paths": [False, True],
    "host": ["percent", "idna"],
    "component": ["path", "segment"],
    "errors": ["strict", "replace"],
}

#: All options, with the names of their functions.
OPTIONS = [
    (name, option.name)
    for name, function in FUNCTIONS.items()
    for option in function.options
    if option in function.sql_options
]

#: The option that a required option of the same function needs.
REQUIRED: dict[str, Any] = {"name": "q", "value": "v", "component": "path"}


def values_of(name: str, option: str) -> list[Any]:
    return VALUES.get(f"{name}.{option}", VALUES.get(option, []))


def expected(name: str, option: str, value: object) -> list[Any]:
    function = FUNCTIONS[name]
    required = {each.name: REQUIRED.get(each.name) for each in function.options if each.required}
    given = {**required, option: value}
    inputs = [BASE if each == function.second else ROWS for each in function.inputs]
    words = [given.pop(each) for each in required]
    rows: list[Any] = getattr(columns, name)(*inputs, *words, **given).to_pylist()
    return rows


def calls(name: str, option: str, value: object, engine: str) -> Iterator[str]:
    """Yield the calls of the SQL function that set the option.

    Options are fields of a struct; or arguments, by position or by name, which may not be NULL.
    """
    function = FUNCTIONS[name]
    inputs = inputs_of(name, BASE)
    required = [each.name for each in function.sql_arguments if each.required]
    given = {key: REQUIRED.get(key) for key in required} | {option: value}
    written = {key: literal(each, engine) for key, each in given.items()}
    yield f"uri_{name}({', '.join([*inputs, struct_of(given, engine)])})"
    if value is None:
        return
    if option in [each.name for each in function.sql_arguments]:
        yield f"uri_{name}({', '.join([*inputs, *written.values()])})"
    if engine == "spark":
        named = (f"{key} => {each}" for key, each in written.items())
        yield f"uri_{name}({', '.join([*inputs, *named])})"


def every_call(engine: str) -> list[str]:
    return [
        call
        for name, option in OPTIONS
        for value in values_of(name, option)
        for call in calls(name, option, value, engine)
    ]


@cache
def results(engine: str) -> dict[str, list[Any]]:
    made = every_call(engine)
    table = pa.table({"place": range(len(ROWS)), "url": ROWS})
    query = ", ".join(f"{call} AS c{place}" for place, call in enumerate(made))
    if engine == "duckdb":
        with duckdb.connect() as connection:
            register(connection)
            connection.register("given", table)
            # DuckDB writes maps as dictionaries only in rows.
            relation = connection.sql(f"SELECT {query} FROM given ORDER BY place")
            columns_of_rows = [list(column) for column in zip(*relation.fetchall(), strict=True)]
            return dict(zip(made, columns_of_rows, strict=True))
    from uriverse.columns import spark as uri

    sparks.require_arrow_udf()
    session = sparks.session()
    uri.register(session)
    session.createDataFrame(table).coalesce(1).createOrReplaceTempView("options_given")
    rows = session.sql(f"SELECT {query} FROM options_given ORDER BY place").toArrow()
    return dict(zip(made, [column.to_pylist() for column in rows.columns], strict=True))


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("spark", marks=sparks.MARKS)])
@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_option_can_be_set_in_sql(name: str, option: str, engine: str) -> None:
    values = values_of(name, option)
    assert len({repr(expected(name, option, value)) for value in values}) == len(values) > 1
    for value in values:
        for call in calls(name, option, value, engine):
            got = results(engine)[call]
            if name == "match":
                got = [None if row is None else json.loads(row) for row in got]
            assert got == expected(name, option, value), call


def test_the_options_that_cannot_be_set_are_listed_with_a_reason() -> None:
    lacking = {
        option.name
        for function in FUNCTIONS.values()
        for option in function.options
        if option not in function.sql_options
    }
    assert lacking == NOT_IN_SQL.keys()
