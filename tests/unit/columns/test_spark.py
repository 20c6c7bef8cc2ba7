import doctest
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import python_blocks
import sparks
from pyspark.errors import PythonException
from pyspark.sql import Column, DataFrame, functions
from pyspark.sql.functions import lit
from tables import EVERY_CALL, OF_ONE_COLUMN

import uriverse
from uriverse import columns
from uriverse.columns import _spark_execution
from uriverse.columns import spark as uri
from uriverse.columns._registry import FUNCTIONS
from uriverse.columns._sql import SQL_FUNCTIONS

# These packages have no type annotations.
pa: Any = import_module("pyarrow")
pd: Any = import_module("pandas")

pytestmark = sparks.MARKS

URL = "http://www.Example.org:80/a/../caf%C3%A9?q=1&r#s"
BASE = "http://base.example/b/c"
TEXTS = [
    *(URL, None, "", "a b", "http://[::1]:99999999999/%", "HTTP://bücher.example/ü?name=ß&leer"),
    "http://user:geheim@[2001:DB8:0:0:0:0:0:1]:8443/%7Ea?q=%FF",
    *("urn:isbn:0451450523", "data:text/plain,a/../b", "../d?x=%20+y"),
    *("http://example.org:99999999999999999999/", "//host/with\x00nul", "?a=1&b&a=2", "\U0001f600"),
]

#: The second column of functions of two columns.
OTHER = {
    "then": "../b?c",
    "is_same_origin": "http://www.example.org",
    "is_same_site": "http://example.org",
    "resolve": BASE,
    "relativize": "http://www.Example.org:80/b/",
}

#: Each function with its options, with its defaults, and with options that the others lack.
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((name, words, options) for name, (words, options) in EVERY_CALL.items()),
    *((name, (), {}) for name in OF_ONE_COLUMN if EVERY_CALL[name] != ((), {})),
    *((name, (), {}) for name in OTHER),
    *(("relativize", (), {"walk_up": False}), ("normalize", (), {"dot_segments": "all"})),
    *(("normalize", (), {"scheme": uriverse.SCHEMES}), ("repair", (), {"scheme": "https"})),
    ("parse", ("uri",), {"fields": ["bounds", "error_position"]}),
]

#: A call of each SQL function without options.
IN_SQL: dict[str, Callable[[Any], columns.Array]] = {
    **{f"uri_{name}(url)": getattr(columns, name) for name in OF_ONE_COLUMN},
    "uri_normalize_scheme(url)": partial(columns.normalize, scheme=True),
    f"uri_resolve('{BASE}', url)": partial(columns.resolve, BASE),
    **{
        f"uri_{name}(url, '{other}')": partial(
            lambda function, other, texts: function(texts, other), getattr(columns, name), other
        )
        for name, other in OTHER.items()
        if name != "resolve"
    },
    'uri_match(url, \'urn:{nid}:{nss}\') = \'{"nid": "isbn", "nss": "0451450523"}\'': (
        lambda texts: pa.array([None if text != "urn:isbn:0451450523" else True for text in texts])
    ),
}

needs_arrow_udf = pytest.mark.skipif(
    not hasattr(functions, "arrow_udf"), reason="Spark 4.0 supports pandas Series only"
)


def called(call: tuple[str, tuple[Any, ...], dict[str, Any]], module: Any, column: Any) -> Any:
    """Return the result of a function of Spark, or of `uriverse.columns`."""
    name, words, options = call
    if name in OTHER:
        other = OTHER[name] if module is columns else lit(OTHER[name])
        words = (column,) if name == "resolve" else (other,)
        column = other if name == "resolve" else column
    return getattr(module, name)(column, *words, **options)


def all_calls() -> list[Column]:
    return [called(call, uri, "url") for call in CALLS]


def frame_of(texts: list[str | None], partitions: int = 1) -> DataFrame:
    columns = (pa.array(range(len(texts)), pa.int32()), pa.array(texts, pa.string()))
    rows = pa.table(columns, names=["row", "url"])
    frame: DataFrame = sparks.session().createDataFrame(rows).repartition(partitions)
    return frame


@pytest.fixture
def setting(request: pytest.FixtureRequest) -> Iterator[None]:
    name, value = request.param
    sparks.session().conf.set(f"spark.sql.execution.arrow.{name}", value)
    yield
    sparks.session().conf.unset(f"spark.sql.execution.arrow.{name}")


def answers(frame: DataFrame, *made: Column) -> list[dict[str, Any]]:
    """Return the values of the given columns, by column number, in the order of the rows."""
    named = [column.alias(str(number)) for number, column in enumerate(made)]
    table = frame.select("row", *named).toArrow().sort_by("row")
    rows: list[dict[str, Any]] = table.drop_columns("row").to_pylist(maps_as_pydicts="strict")
    return rows


@cache
def all_answers() -> list[dict[str, Any]]:
    return answers(frame_of(TEXTS, 2), *all_calls())


@pytest.mark.parametrize("number", range(len(CALLS)), ids=[name for name, *_ in CALLS])
def test_a_spark_function_returns_the_results_of_the_column_function(number: int) -> None:
    got = [row[str(number)] for row in all_answers()]
    assert got == called(CALLS[number], columns, TEXTS).to_pylist()


@needs_arrow_udf
def test_pandas_series_give_the_same_results_as_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(functions, "arrow_udf")
    assert answers(frame_of(TEXTS), *all_calls()) == all_answers()


def test_every_column_function_is_a_spark_function() -> None:
    functions = set(columns.__all__) - {"Array", "Expression", "FIELDS", "expand", "uri"}
    assert set(uri.__all__) == functions | {"register"}
    assert {name for name, *_ in CALLS} == functions - {"select"}
    # The tests of options in SQL call the other functions.
    with_options = {f"uri_{name}" for name, function in FUNCTIONS.items() if function.sql_options}
    assert {call.partition("(")[0] for call in IN_SQL} | with_options == SQL_FUNCTIONS.keys()


@pytest.mark.parametrize("setting", [("maxRecordsPerBatch", "2")], indirect=True)
@pytest.mark.usefixtures("setting")
def test_no_row_is_lost_in_many_batches_and_empty_partitions() -> None:
    for partitions in (1, 20):
        rows = answers(frame_of(TEXTS * 3, partitions), uri.host("url"))
        assert [row["0"] for row in rows] == columns.host(TEXTS * 3).to_pylist()


@pytest.mark.parametrize("setting", [("useLargeVarTypes", "true")], indirect=True)
@pytest.mark.usefixtures("setting")
def test_strings_with_64_bit_offsets_are_supported() -> None:
    expected = columns.parse(TEXTS).to_pylist()
    assert answers(frame_of(TEXTS), uri.parse("url")) == [{"0": row} for row in expected]


def test_results_have_spark_types() -> None:
    frame = frame_of([])
    made = [uri.port("url"), uri.is_valid("url"), uri.host("url"), uri.findings("url")]
    types = [field.dataType.simpleString() for field in frame.select(*made).schema]
    assert types == ["bigint", "boolean", "string", "array<string>"]
    parsed = frame.select(uri.parse("url", fields=["host", "error_position", "bounds"]).alias("u"))
    assert parsed.select("u.*").dtypes == [
        *(("host", "string"), ("error_position", "int"), ("bounds", "array<int>"))
    ]
    pairs = frame.select(uri.query_params("url")).schema[0].dataType.simpleString()
    assert pairs == "array<struct<key:string,value:string>>"
    # Several fields are parsed only once.
    url = uri.parse("url")
    frame = frame_of([URL]).withColumn("parsed", url)
    for selected in (frame.select(url.host, url.path), frame.select("parsed.host", "parsed.path")):
        plan = selected._jdf.queryExecution().executedPlan().toString()
        assert plan.count("ArrowEvalPython") == 1
        assert "pythonUDF1" not in plan


@needs_arrow_udf
def test_sql_functions_have_the_results_of_the_column_functions() -> None:
    session = sparks.session()
    uri.register(session)
    uri.register(session)
    frame_of(TEXTS, 2).createOrReplaceTempView("given")
    query = f"SELECT row, {', '.join(IN_SQL)} FROM given ORDER BY row"
    table = session.sql(query).toArrow()
    for call, got in zip(IN_SQL, table.columns[1:], strict=True):
        assert got.to_pylist() == pa.array(IN_SQL[call](TEXTS)).to_pylist(), call
    # The options may differ from row to row.
    varied = session.sql(
        "SELECT uri_is_valid(url, if(row < 7, 'uri', 'iri')) FROM given ORDER BY row"
    )
    expected = [
        columns.is_valid([text], "uri" if row < 7 else "iri")[0] for row, text in enumerate(TEXTS)
    ]
    assert [row[0] for row in varied.collect()] == expected
    with pytest.raises(PythonException, match="unknown grammar 'url'"):
        session.sql("SELECT uri_is_valid(url, 'url') FROM given").collect()


def test_sql_functions_require_arrow_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(functions, "arrow_udf", raising=False)
    with pytest.raises(NotImplementedError, match=r"require Spark 4\.1 or newer"):
        uri.register(sparks.session())


#: A program that compares all functions on Spark with those of `uriverse.columns`, and calls
#: SQL functions with options.
ON_CLUSTER = """
import sys
import sparks
from importlib import import_module
from pyspark.sql import functions
from tables import BASE, EVERY_CALL, HOSTILE, OF_TWO_COLUMNS
pa = import_module("pyarrow")
spark = sparks.session(sys.argv[1], connect=sys.argv[2] == "connect")
from uriverse import columns
from uriverse.columns import spark as uri
table = pa.table({"row": range(len(HOSTILE)), "url": HOSTILE})
frame = spark.createDataFrame(table).repartition(2)
made = {}
expected = {}
for name, (words, options) in EVERY_CALL.items():
    made[name] = getattr(uri, name)("url", *words, **options).alias(name)
    expected[name] = getattr(columns, name)(HOSTILE, *words, **options)
base = functions.lit(BASE)
made["resolve"] = uri.resolve(base, "url").alias("resolve")
expected["resolve"] = columns.resolve(BASE, HOSTILE)
for name in OF_TWO_COLUMNS - {"resolve"}:
    made[name] = getattr(uri, name)("url", base).alias(name)
    expected[name] = getattr(columns, name)(HOSTILE, BASE)
got = frame.select("row", *made.values()).toArrow().sort_by("row")
for name, rows in expected.items():
    same = got.column(name).to_pylist(maps_as_pydicts="strict") == rows.to_pylist()
    assert same, (name, got.column(name).to_pylist(), rows.to_pylist())
uri.register(spark)
frame.createOrReplaceTempView("given")
filtered = "uri_filter_params(url, drop => array('q', 'utm_*')) f"
query = f"SELECT uri_normalize(url, scheme => true) n, {filtered} FROM given ORDER BY row"
got = spark.sql(query).toArrow()
assert got.column("n").to_pylist() == columns.normalize(HOSTILE, scheme=True).to_pylist()
filtered = columns.filter_params(HOSTILE, drop=["q", "utm_*"]).to_pylist()
assert got.column("f").to_pylist() == filtered
print(type(spark).__module__, len(expected))
"""


@pytest.mark.extended
@needs_arrow_udf
@pytest.mark.parametrize(
    ("master", "client"),
    [
        *(("local-cluster[2,1,1024]", "classic"), ("local[2]", "connect")),
        ("local-cluster[2,1,1024]", "connect"),
    ],
)
def test_all_functions_run_on_a_cluster_and_in_spark_connect(master: str, client: str) -> None:
    if client == "connect":
        pytest.importorskip(
            "grpc_status", reason="needs grpcio-status (pip install --group test-all)"
        )
    paths = [str(Path(uriverse.__file__).parents[1]), str(Path(sparks.__file__).parent)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "SPARK_LOCAL_IP": "127.0.0.1",
        # The server of Spark Connect listens on any free port.
        "SPARK_TESTING": "1",
    }
    command = [sys.executable, "-W", "ignore", "-c", ON_CLUSTER, master, client]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    module = "pyspark.sql.connect.session" if client == "connect" else "pyspark.sql.session"
    assert done.stdout.splitlines()[-1:] == [f"{module} {len(FUNCTIONS)}"], done.stderr


def selection() -> Column:
    results = {"the host": columns.uri.host(), "link": columns.uri.resolve(functions.col("base"))}
    return uri.select("url", results, other=columns.uri.then("http://a/"))


def test_select_returns_several_results(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("//a/b", "http://c/"), ("a b", "http://c/"), (None, "http://c/"), ("d", None)]
    frame = frame_of([]).sparkSession.createDataFrame(rows, "url string, base string")
    expected = [("a", "http://a/b", "http://a/"), (None, None, None), (None, None, None)]
    expected.append((None, None, "http://a/"))
    found = frame.select(selection().alias("all")).select("all.*")
    assert found.columns == ["the host", "link", "other"]
    assert [tuple(row) for row in found.collect()] == expected
    monkeypatch.delattr(functions, "arrow_udf")
    found = frame.select(selection().alias("all")).select("all.*")
    assert [tuple(row) for row in found.collect()] == expected


def test_a_column_of_nulls_stays_null() -> None:
    rows = answers(frame_of([None, None]), *all_calls())
    assert [set(row.values()) for row in rows] == [{None}, {None}]
    # A column without a type, and a frame without rows.
    null = [uri.parse(lit(None)), uri.port(lit(None))]
    assert answers(frame_of(["a"]), *null) == [{"0": None, "1": None}]
    assert answers(frame_of([]), uri.parse("url"), uri.findings("url")) == []


def test_functions_can_be_nested_and_rows_can_be_grouped() -> None:
    target = uri.resolve(lit(BASE), uri.to_uri("url"))
    got = answers(frame_of(["ü", "//Ü.example", "%"]), uri.host(target), uri.normalize(target))
    assert got == [
        {"0": "base.example", "1": "http://base.example/b/%C3%BC"},
        {"0": "%C3%9C.example", "1": "http://%C3%9C.example"},
        {"0": None, "1": None},
    ]
    # Rows can be filtered and grouped by results.
    frame = frame_of([*TEXTS, URL])
    assert frame.where(uri.hostname("url") == "www.example.org").count() == 2
    counted = frame.groupBy(uri.hostname("url").alias("name")).count().where("name like 'www%'")
    assert [row["count"] for row in counted.collect()] == [2]
    # Column names may contain dots.
    frame = frame_of(TEXTS).select(functions.col("url").alias("url.original"))
    made = frame.select(uri.host("`url.original`"))
    assert [row[0] for row in made.collect()] == columns.host(TEXTS).to_pylist()


@needs_arrow_udf
def test_a_row_that_is_not_utf_8_is_invalid() -> None:
    broken = functions.concat(lit("http://a/"), functions.unhex(lit("FF")).cast("string"))
    frame = frame_of(["b"]).withColumn("url", broken)
    [row] = answers(frame, uri.parse("url", fields=["error", "error_position"]), uri.host("url"))
    assert row == {"0": {"error": "path", "error_position": 9}, "1": None}


def test_invalid_options_and_columns_are_rejected() -> None:
    for name, words, options, message in [
        ("parse", ("url",), {}, "unknown grammar"),
        ("parse", (), {"fields": ["authority"]}, "unknown field"),
        ("encode", ("host name",), {}, "unknown component"),
        ("query_param", (1,), {}, "name must be a str"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            getattr(uri, name)("url", *words, **options)
    # Columns of other types are rejected.
    with pytest.raises(PythonException, match="the column is int32; cast it to string"):
        frame_of(["a"]).select(uri.host("row")).collect()


def test_pandas_series_become_exact_integers_and_frames() -> None:
    def run(function: Any, rows: list[str | None]) -> Any:
        kind = pa.array(function([])).type
        batch = _spark_execution.adapt_to_series(lambda texts: pa.array(function(texts)), kind)
        return batch(pd.Series(rows, dtype="object"))

    exact = columns.fingerprint(TEXTS).to_pylist()
    series = run(columns.fingerprint, TEXTS)
    assert [None if pd.isna(number) else number for number in series] == exact
    assert list(run(columns.fingerprint, [None, None]).isna()) == [True, True]
    parse = partial(columns.parse, fields=["host", "error_position"])
    frame = run(parse, ["http://a", "%", None])
    assert list(frame.columns) == ["host", "error_position", "is present"]
    assert list(frame["is present"]) == [True, True, False]
    assert list(frame["error_position"].isna()) == [True, False, True]


@pytest.mark.slow
def test_the_examples_in_the_documentation_are_correct() -> None:
    names = {"frame": frame_of([URL]), "uri": uri}
    runner = doctest.DocTestRunner()
    examples = doctest.DocTestFinder().find(uri, extraglobs=names)
    results = [runner.run(each) for each in examples]
    assert any(result.attempted for result in results)
    assert not any(result.failed for result in results)
    path = Path(__file__).resolve().parents[3] / "docs" / "columns" / "spark.md"
    failed, attempted = python_blocks.run(path)
    assert attempted
    assert not failed
