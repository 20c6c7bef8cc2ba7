"""Tests of plans, which apply a column function to a table batch by batch."""

from __future__ import annotations

import pickle
import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

import uriverse.tables
from uriverse import columns
from uriverse.columns._registry import OPERATIONS
from uriverse.tables import Options, Plan, TableError
from uriverse.tables._options import OPERATIONS_OF
from uriverse.tables._plan import BAD_ROWS
from uriverse.tables._presets import PRESETS
from uriverse.typing import Grammar, Operation, Preset

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")

TEXTS = [
    "HTTP://u:p:q@www.Example.org.:80/a.tar.gz?q=1#f",
    "a b",
    None,
    "http://[::1]:/",
    "",
    "http://1.2.3.4:99999999999/.x",
    "http://a%",
    "urn:a:b",
    "é",
]
BASE = "http://a/b/c"

#: The options that an operation requires.
REQUIRED: dict[str, Any] = {
    "resolve": {"base": BASE},
    "relativize": {"base": BASE},
    "query-param": {"name": "q"},
    "param-values": {"name": "q"},
    "then": {"other": "a?b"},
    "is-same-origin": {"other": BASE},
    "is-same-site": {"other": BASE},
    "without-params": {"names": "q"},
    "with-param": {"name": "q", "value": "1"},
    "add-param": {"name": "q", "value": "1"},
    "with-scheme": {"scheme": "x"},
    "with-host": {"host": "x"},
    "with-port": {"port": 1},
    "allowed": {"policy": "allow = ['a']"},
    "decision": {"policy": "allow = ['a']"},
    "match": {"template": "http://{host}/{x}"},
    "route": {"router": "root = 'http://{host}/'"},
    "encode": {"component": "query"},
}

#: Values of options that are not the defaults.
UNUSUAL: dict[str, Any] = {
    "grammar": "uri",
    "profile": "web",
    "name": "q",
    "value": "1",
    "names": ["q"],
    "keep": "[a-c]*",
    "drop": ("q", "b"),
    "host": "x",
    "port": 1,
    "errors": "keep",
    "add_scheme": "x",
}


def batch_of(texts: list[str | None], **more: Any) -> Any:
    return pa.record_batch({"url": pa.array(texts, pa.string()), **more})


@pytest.mark.parametrize("op", list(OPERATIONS)[1:])
def test_an_operation_returns_the_results_of_the_column_function(op: Operation) -> None:
    function = OPERATIONS[op]
    shown = [option for option in function.options if option.help]
    options = {o.name: UNUSUAL.get(o.word, UNUSUAL.get(o.name, True)) for o in shown}
    options |= REQUIRED.get(op, {})
    given: Any = dict(options)
    made = Plan(op, "url", given, keep=())(batch_of(TEXTS))
    assert made.schema.names == [op.replace("-", "_")]
    inputs = [TEXTS if name != function.second else options.pop(name) for name in function.inputs]
    required = [options.pop(option.name) for option in function.options if option.required]
    expected = getattr(columns, function.name)(*inputs, *required, **options)
    assert made.column(0).to_pylist() == pa.chunked_array(expected).to_pylist()
    assert Plan(op, "url", given, keep=()).schema(batch_of(TEXTS).schema) == made.schema


def test_a_row_is_bad_if_it_cannot_be_repaired() -> None:
    plan = Plan("repair", "url", {"scheme": "https"}, keep=())
    outcome = plan.outcome(batch_of(["www.a.example/b c", "a:/\\b", "http://b/", None]))
    assert outcome.batch["repair"].to_pylist() == [
        "https://www.a.example/b%20c",
        None,
        "http://b/",
        None,
    ]
    assert outcome.bad_rows.column("row").to_pylist() == [1]


def test_parse_has_a_column_for_each_field() -> None:
    made = Plan("parse", "url")(batch_of(TEXTS))
    assert made.schema.names == ["url", *columns.FIELDS]
    parsed = columns.parse(TEXTS).to_pylist()
    none = dict.fromkeys(columns.FIELDS)
    assert made.select(list(columns.FIELDS)).to_pylist() == [row or none for row in parsed]


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
        pa.null(),
    ],
    ids=str,
)
def test_the_output_has_the_schema_of_the_plan(op: Operation, kind: Any) -> None:
    plan = pickle.loads(pickle.dumps(Plan(op, "url", REQUIRED.get(op))))
    texts = pa.nulls(2) if kind == pa.null() else pa.array(["http://a/", None])
    dictionary = pa.types.is_dictionary(kind)
    column = texts.dictionary_encode().cast(kind) if dictionary else texts.cast(kind)
    batch = pa.record_batch({"n": [1, 2], "url": column})
    assert plan(batch).schema == plan.schema(batch.schema)
    assert plan(batch).column("url") == column
    assert plan(batch.slice(1)).num_rows == 1


def test_the_chosen_columns_are_kept() -> None:
    batch = batch_of(["http://a/"], n=pa.array([1], pa.int8()))
    assert Plan("host", "url")(batch).schema.names == ["url", "n", "host"]
    assert Plan("host", "url", keep=("n",))(batch).to_pylist() == [{"n": 1, "host": "a"}]
    assert Plan("host", "url", keep=(), prefix="url_")(batch).schema.names == ["url_host"]
    assert Plan("host", "url", keep=("n",)).needed(batch.schema) == ["n", "url"]
    assert Plan("host", "url").needed(batch.schema) == ["url", "n"]
    resolving = Plan("resolve", "url", {"base_column": "n"}, keep=())
    assert resolving.needed(batch.schema) == ["url", "n"]


def test_the_metadata_of_the_table_is_kept() -> None:
    batch = batch_of(["a"]).replace_schema_metadata({"told": "by someone"})
    assert Plan("host", "url")(batch).schema.metadata == {b"told": b"by someone"}


def bad_rows_of(plan: Plan, batch: Any) -> list[tuple[int, str, str, int | None]]:
    outcome = plan.outcome(batch)
    assert outcome.bad_rows.schema == BAD_ROWS
    assert outcome.batch == plan(batch)
    return [tuple(row.values()) for row in outcome.bad_rows.to_pylist()]


@pytest.mark.parametrize(
    "op",
    [
        op
        for op, function in OPERATIONS.items()
        if op not in {"repair", "resolve", "relativize"} and function.of_identifiers
    ],
)
def test_invalid_rows_are_bad_for_every_operation(op: Operation) -> None:
    found = bad_rows_of(Plan(op, "url", REQUIRED.get(op)), batch_of(TEXTS))
    assert found == [(1, "a b", "path", 1), (6, "http://a%", "host", 9)]


def test_rows_that_cannot_be_repaired_are_bad() -> None:
    assert bad_rows_of(Plan("repair", "url"), batch_of(TEXTS)) == [
        (6, "http://a%", "host", 9),
        (8, "é", "ambiguous", None),
    ]


def test_strings_that_are_no_identifiers_are_bad_only_without_a_result() -> None:
    batch = batch_of(["a b", "%41", "%", "%FF", None])
    for op in ("redact", "encode"):
        plan = Plan(op, "url", REQUIRED.get(op))
        assert bad_rows_of(plan, batch) == []
    assert bad_rows_of(Plan("decode", "url"), batch) == [
        (2, "%", "encoding", None),
        (3, "%FF", "encoding", None),
    ]


def test_rejected_rows_are_not_bad() -> None:
    batch = batch_of(["http://a/", "http://b/", "a b"])
    for op in ("allowed", "decision", "match", "route"):
        plan = Plan(op, "url", REQUIRED[op])
        assert [row for row, *_ in bad_rows_of(plan, batch)] == [2]


def test_a_result_replaces_the_strings_in_place() -> None:
    batch = pa.record_batch({"n": [1, 2], "url": ["HTTP://A", "a b"], "x": [3, 4]})
    assert Plan("normalize", "url", replace=True, prefix="p_")(batch).to_pydict() == {
        "n": [1, 2],
        "url": ["http://a", None],
        "x": [3, 4],
    }
    results = {"host": columns.uri.host(), "url": columns.uri.normalize()}
    made = Plan("select", "url", {"results": results}, replace=True)(batch)
    assert made.schema.names == ["n", "url", "x", "host"]
    assert made.column("url").to_pylist() == ["http://a", None]
    for plan, told in (
        (Plan("host", "url", keep=("n",), replace=True), "column 'url' is not kept"),
        (Plan("parse", "url", replace=True), "column 'url' cannot be replaced by 10 results; give"),
    ):
        with pytest.raises(TableError, match=told):
            plan.schema(batch.schema)


def test_only_rows_that_meet_a_condition_are_processed() -> None:
    batch = batch_of(TEXTS, n=[*range(len(TEXTS))])
    where = columns.uri.is_flagged()
    plan = pickle.loads(pickle.dumps(Plan("host", "url", keep=("n",), where=where)))
    flagged = columns.is_flagged(TEXTS).to_pylist()
    assert plan(batch).column("n").to_pylist() == [n for n, flag in enumerate(flagged) if flag]
    # The rows of reports are those of the whole batch.
    assert bad_rows_of(plan, batch) == bad_rows_of(Plan("host", "url"), batch)
    assert bad_rows_of(Plan("host", "url", where=columns.uri.is_valid()), batch) == []


def test_a_plan_may_only_filter_rows() -> None:
    batch = batch_of(["a", "a b", None], n=[1, 2, 3])
    plan = Plan("select", "url", {"results": {}}, where=columns.uri.is_valid())
    assert plan(batch) == batch.slice(0, 1)
    plan = Plan("select", "url", {"results": {}}, drop_bad=True)
    assert plan(batch).column("n").to_pylist() == [1, 3]


def test_bad_rows_are_dropped() -> None:
    batch = batch_of(TEXTS, n=[*range(len(TEXTS))])
    plan = Plan("host", "url", keep=("n",), drop_bad=True)
    assert plan(batch).column("n").to_pylist() == [0, 2, 3, 4, 5, 7, 8]
    assert bad_rows_of(plan, batch) == bad_rows_of(Plan("host", "url"), batch)
    resolving = Plan("resolve", "url", {"base": BASE}, drop_bad=True)
    assert resolving(batch).num_rows == 7


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("is_valid", "where must be an expression such as uri.is_valid(), not str"),
        (columns.uri.host(), "the result of host is not boolean; filter rows by is_same_origin, "),
        (columns.uri.is_same_site(["a"]), "the base or the other URI of where must be a string"),
    ],
)
def test_invalid_conditions_are_rejected(where: Any, told: str) -> None:
    with pytest.raises(TableError, match=re.escape(told)):
        Plan("host", "url", where=where)


def test_the_grammar_determines_the_bad_rows() -> None:
    for op in ("parse", "is-valid"):
        found = bad_rows_of(Plan(op, "url", {"grammar": "uri"}), batch_of(["é", "a", "a:b"]))
        assert [(row, error) for row, _, error, _ in found] == [(0, "scheme"), (1, "scheme")]


def test_valid_rows_without_a_result_for_their_base_are_bad() -> None:
    batch = batch_of(["x", "%", "y", None, "z"], base=["http://a/", "http://a/", "b", "b", None])
    assert bad_rows_of(Plan("resolve", "url", {"base_column": "base"}), batch) == [
        (1, "%", "path", 1),
        (2, "y", "base", None),
    ]
    batch = batch_of(["http://a/b", "x", "a b"])
    assert bad_rows_of(Plan("relativize", "url", {"base": BASE}), batch) == [
        (1, "x", "unrelated", None),
        (2, "a b", "path", 1),
    ]


@pytest.mark.parametrize("op", OPERATIONS)
def test_options_of_other_operations_are_rejected(op: Operation) -> None:
    function = OPERATIONS[op]
    own = {option.name for option in function.options if option.help}
    own |= {function.second, f"{function.second}_column"} if function.second else set()
    own |= {"preset"} if function.result == "fields" else set()
    for name in OPERATIONS_OF.keys() - own:
        options: Any = {**REQUIRED.get(op, {}), name: "x"}
        with pytest.raises(TableError, match=f"^{op} has no option '{name}'; it is for "):
            Plan(op, "url", options)


def test_the_error_for_an_option_names_the_operations_that_have_it() -> None:
    with pytest.raises(TableError, match=r"host has no option 'base'; .* resolve, relativize$"):
        Plan("host", "url", {"base": BASE})
    unknown: Any = {"layout": "string"}
    with pytest.raises(TableError, match=r"^host has no option 'layout'; it is for no operation$"):
        Plan("host", "url", unknown)


def test_the_options_of_an_operation_have_a_type() -> None:
    types = {frozenset(kind.__annotations__) for kind in get_args(Options)}
    names = {
        frozenset(name for name, operations in OPERATIONS_OF.items() if op in operations)
        for op in OPERATIONS
    }
    assert types == names - {frozenset()} | {frozenset({"results"})}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (None, "select needs the option 'results', and has no other"),
        ({"results": {"a": columns.uri.host()}, "iri": True}, "and has no other"),
        ({"results": {}}, "select needs at least one result"),
        ({"results": {"a": "host"}}, "the result 'a' must be an expression such as uri.host()"),
        ({"results": {1: columns.uri.host()}}, "the name of a result must be a str, not int"),
        (
            {"results": {"a": columns.uri.resolve([BASE])}},
            "the base or the other URI of 'a' must be a string",
        ),
    ],
)
def test_invalid_results_are_rejected(options: Any, told: str) -> None:
    with pytest.raises(TableError, match=re.escape(told)):
        Plan("select", "url", options)


def test_a_plan_with_several_results_can_be_sent_to_other_processes() -> None:
    results = {"link": columns.uri.resolve(BASE), "scheme": columns.uri.parse(fields=["scheme"])}
    plan = pickle.loads(pickle.dumps(Plan("select", "url", {"results": results}, keep=())))
    made = plan.outcome(batch_of(["a", "b c", None]))
    assert made.batch.to_pylist() == [
        {"link": "http://a/b/a", "scheme": {"scheme": None}},
        {"link": None, "scheme": {"scheme": None}},
        {"link": None, "scheme": None},
    ]
    assert made.bad_rows.column("row").to_pylist() == [1]


def test_options_that_are_not_set_have_the_defaults_of_the_column_function() -> None:
    batch = batch_of(["HTTP://A:80/%7e", "é"])
    assert Plan("normalize", "url", {"scheme": False})(batch) == Plan("normalize", "url")(batch)
    assert Plan("parse", "url", {"grammar": "iri-reference"})(batch) == Plan("parse", "url")(batch)


def test_errors_of_the_library_name_no_options_of_the_command_line() -> None:
    folder = Path(str(uriverse.tables.__file__)).parent
    for module in folder.glob("*.py"):
        assert not re.findall(r"[( ]--[a-z]+", module.read_text("utf-8")), module.name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"op": "nothing"}, "unknown operation 'nothing'; use parse, normalize"),
        ({"op": "resolve"}, "resolve needs a base; set either base or base_column"),
        (
            {"op": "relativize", "options": {"base": "a:", "base_column": "b"}},
            "relativize needs a base",
        ),
        ({"op": "then"}, "then needs another URI; set either other or other_column"),
        ({"op": "query-param"}, "query-param needs the option 'name'"),
        (
            {"op": "parse", "options": {"preset": "mine"}},
            "unknown preset 'mine'; use commoncrawl, ecs",
        ),
    ],
)
def test_incomplete_plans_are_rejected(words: dict[str, Any], message: str) -> None:
    with pytest.raises(TableError, match=message):
        Plan(**words, column="url")


def test_the_error_for_many_columns_lists_the_first_ones() -> None:
    schema = pa.schema([(f"c{number}", pa.string()) for number in range(1020)])
    with pytest.raises(TableError, match=r"choose one of c0, c1, .*, c19 and 1,000 more$"):
        Plan("host", "x").schema(schema)


def test_an_error_lists_all_of_20_columns_but_not_of_21() -> None:
    for count, end in ((20, "c18, c19$"), (21, "c18, c19 and 1 more$")):
        schema = pa.schema([(f"c{number}", pa.string()) for number in range(count)])
        with pytest.raises(TableError, match=end):
            Plan("host", "x").schema(schema)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            Plan("host", "uri", keep=()),
            "the table has no column 'uri'; choose one of url, host, n$",
        ),
        (Plan("host", "url"), "the table has 2 columns 'n'; rename them"),
        (Plan("host", "n", keep=()), "the table has 2 columns 'n'"),
        (Plan("host", "url", keep=("x",)), "the table has no column 'x'"),
        (
            Plan("host", "host", keep=()),
            "column 'host' is int64; cast it to string, or choose another column$",
        ),
        (Plan("host", "url", keep=("host",)), "the table already has a column 'host'; do not"),
        (
            Plan("resolve", "url", {"base_column": "host"}, keep=()),
            "column 'host' is int64; cast it to string, or choose another base column$",
        ),
        (Plan("resolve", "url", {"base_column": "x"}, keep=()), "the table has no column 'x'"),
    ],
)
def test_plans_that_do_not_fit_a_table_are_rejected_before_any_row_is_read(
    plan: Plan, message: str
) -> None:
    schema = pa.schema([("url", pa.string()), *((n, pa.int64()) for n in ("host", "n", "n"))])
    with pytest.raises(TableError, match=message):
        plan.schema(schema)


def test_the_error_for_a_table_without_columns_says_so() -> None:
    with pytest.raises(TableError, match="the table has no column 'url'; it has no columns"):
        Plan("host", "url").schema(pa.schema([]))


def preset_of(preset: Preset, text: str, grammar: Grammar = "iri-reference") -> Any:
    plan = Plan("parse", "url", {"preset": preset, "grammar": grammar}, keep=())
    return plan(batch_of([text])).to_pylist()[0]


def test_common_crawl_has_lowercase_names_and_their_labels_in_reverse_order() -> None:
    assert set(PRESETS) == set(get_args(Preset))
    assert preset_of("commoncrawl", "HTTP://a.B.c.D.www.Example.org.:080/p?q#f") == {
        "url": "HTTP://a.B.c.D.www.Example.org.:080/p?q#f",
        "url_host_name": "a.b.c.d.www.example.org",
        "url_host_tld": "org",
        "url_host_2nd_last_part": "example",
        "url_host_3rd_last_part": "www",
        "url_host_4th_last_part": "d",
        "url_host_5th_last_part": "c",
        "url_host_registry_suffix": "org",
        "url_host_registered_domain": "example.org",
        "url_host_private_suffix": "org",
        "url_host_private_domain": "example.org",
        "url_host_name_reversed": "org.example.www.d.c.b.a",
        "url_protocol": "http",
        "url_port": 80,
        "url_path": "/p",
        "url_query": "q",
    }
    schema = Plan("parse", "url", {"preset": "commoncrawl"}, keep=()).schema(batch_of([]).schema)
    assert schema.field("url_port").type == pa.int32()


@pytest.mark.parametrize(
    ("text", "name", "port"),
    [("http://127.0.0.1:99999999999/", "127.0.0.1", None), ("http://[::A]:1/", "[::a]", 1)],
)
def test_common_crawl_does_not_split_ip_addresses(text: str, name: str, port: int | None) -> None:
    row = preset_of("commoncrawl", text)
    assert (row["url_host_name"], row["url_port"]) == (name, port)
    assert row["url_host_name_reversed"] is None
    assert row["url_host_tld"] is None
    assert row["url_host_registry_suffix"] is None
    assert row["url_host_private_domain"] is None


@pytest.mark.parametrize(
    ("host", "domains"),
    [
        ("a.Me.github.io.", ("io", "github.io", "github.io", "me.github.io")),
        ("github.io", ("io", "github.io", "github.io", None)),
        ("co.uk", ("co.uk", None, "co.uk", None)),
        ("a.b.example.co.uk", ("co.uk", "example.co.uk", "co.uk", "example.co.uk")),
    ],
)
def test_common_crawl_has_the_domains_of_registries_and_of_everyone(
    host: str, domains: tuple[str | None, ...]
) -> None:
    row = preset_of("commoncrawl", f"http://{host}/")
    names = ("registry_suffix", "registered_domain", "private_suffix", "private_domain")
    assert tuple(row[f"url_host_{name}"] for name in names) == domains


@pytest.mark.parametrize(
    ("host", "domain", "suffix", "subdomain"),
    [
        ("a.b.Example.co.uk.", "example.co.uk", "co.uk", "a.b"),
        ("me.github.io", "me.github.io", "github.io", None),
        ("co.uk", None, "co.uk", None),
        ("[::1]", None, None, None),
    ],
)
def test_ecs_has_the_registered_domain(
    host: str, domain: str | None, suffix: str | None, subdomain: str | None
) -> None:
    row = preset_of("ecs", f"http://{host}/")
    assert row["url.domain"] == host
    assert row["url.registered_domain"] == domain
    assert row["url.top_level_domain"] == suffix
    assert row["url.subdomain"] == subdomain


def test_ecs_has_the_components_as_written() -> None:
    assert preset_of("ecs", "HTTP://u:p:q@[::A]:80/a.b/c.tar.gz?#f") == {
        "url.original": "HTTP://u:p:q@[::A]:80/a.b/c.tar.gz?#f",
        "url.full": "HTTP://u:p:q@[::A]:80/a.b/c.tar.gz?#f",
        "url.scheme": "HTTP",
        "url.username": "u",
        "url.password": "p:q",
        "url.domain": "[::A]",
        "url.registered_domain": None,
        "url.top_level_domain": None,
        "url.subdomain": None,
        "url.port": 80,
        "url.path": "/a.b/c.tar.gz",
        "url.extension": "gz",
        "url.query": "",
        "url.fragment": "f",
    }
    assert preset_of("ecs", "//u@a/")["url.password"] is None


@pytest.mark.parametrize("path", ["", "/", "/.x", "/a.b/c", "/a.", "a/.b"])
def test_ecs_has_no_extension_if_the_file_name_has_none(path: str) -> None:
    row = preset_of("ecs", path)
    assert row["url.extension"] is None
    assert row["url.full"] is None
    assert row["url.path"] == path


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_contain_only_the_string_of_an_invalid_row(preset: Preset) -> None:
    row = preset_of(preset, "http://é.example:80/", "uri")
    assert [value for value in row.values() if value is not None] == ["http://é.example:80/"]
