from __future__ import annotations

import enum
import os
import struct
from array import array
from collections.abc import Callable, Iterable
from typing import Any

import nanoarrow
import pyarrow as pa
import pytest

from uriverse import IRI, SCHEMES, URI, URIReference, columns
from uriverse import _engine as engine
from uriverse.columns import Array, arrow, buffers, execution
from uriverse.errors import URIError
from uriverse.typing import Field

#: Each function, with what else it is told.
FUNCTIONS: dict[str, Callable[..., Array]] = {
    "parse": columns.parse,
    "is_valid": columns.is_valid,
    "host": columns.host,
    "hostname": columns.hostname,
    "port": columns.port,
    "origin": columns.origin,
    "reversed_host": columns.reversed_host,
    "normalize": columns.normalize,
    "resolve": lambda column, **more: columns.resolve("http://a/", column, **more),
    "resolve, base": lambda column, **more: columns.resolve(column, ["a"], **more),
    "relativize": lambda column, **more: columns.relativize(column, "http://a/", **more),
    "relativize, base": lambda column, **more: columns.relativize(["http://a/"], column, **more),
    "to_uri": columns.to_uri,
    "to_iri": columns.to_iri,
    "encode": lambda column, **more: columns.encode(column, "segment", **more),
    "decode": columns.decode,
    "query_param": lambda column, **more: columns.query_param(column, "a", **more),
    "query_params": columns.query_params,
    "findings": columns.findings,
    "surt": columns.surt,
    "fingerprint": columns.fingerprint,
}

#: The functions that take a text for all rows where others take a column.
WITH_A_TEXT = {"resolve, base", "relativize, base"}

#: The functions whose results contain no strings.
NO_TEXTS = {"is_valid", "port", "fingerprint"}

LAYOUTS = ("string", "large_string", "string_view")


def test_these_are_all_functions() -> None:
    public = {name for name in columns.__all__ if name.islower()}
    assert public == {name.partition(",")[0] for name in FUNCTIONS}


# --- what is refused


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "given",
    [
        5,
        None,
        b"http://a/",
        [5],
        [b"a"],
        bytearray(b"a"),
        pa.array([5]),
        pa.array([["a"]]),
        pa.array([5]).dictionary_encode(),
        pa.table({"a": ["a"], "b": ["b"]}),
        pa.table({"a": [1]}),
        pa.table({}),
        pa.array([{"a": "b"}, None]),
        pa.chunked_array([[{"a": "b"}], [None]]),
        pa.RunEndEncodedArray.from_arrays([1], [1]),
        pa.array([], pa.list_view(pa.string())),
    ],
    ids=lambda given: str(getattr(given, "type", repr(given)[:20])),
)
def test_what_is_no_column_of_text_is_refused(given: object, name: str) -> None:
    words = r"^expected (a|one) column|^row 0: expected a str|^(the )?column .*is .*; \w+ (it|a)"
    with pytest.raises(TypeError, match=words):
        FUNCTIONS[name](given)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (pa.array([1]), "int64; cast it to string"),
        (pa.array([1], pa.uint8()).dictionary_encode(), "uint8; cast it to string"),
        (pa.array([], pa.timestamp("us", "UTC")), "timestamp; cast it to string"),
        (pa.array([], pa.decimal128(5, 2)), "decimal; cast it to string"),
        (pa.array([], pa.binary(3)), "fixed-size binary; cast it to binary"),
        (pa.array([{"a": "b"}]), "a struct; choose a field"),
        (pa.array([], pa.map_(pa.string(), pa.string())), "a map; choose its keys or its values"),
        (pa.array([["a"]]), "a list; flatten it"),
        (pa.array([], pa.list_view(pa.string())), "a list; flatten it"),
        (pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array(["a"])]), "a union; choose"),
    ],
    ids=lambda given: str(getattr(given, "type", "")),
)
def test_the_error_for_another_type_names_the_column_and_a_remedy(values: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f'^column "url" is {words}'):
        columns.host(pa.table({"url": values}))
    if words != "a struct; choose a field":
        with pytest.raises(TypeError, match=f"^the column is {words}"):
            columns.host(values)


def test_structs_are_rejected_only_if_they_have_null_rows() -> None:
    rows = pa.array([{"a": "//a"}, None, {"a": "//b"}, {"a": "//c"}])
    with pytest.raises(TypeError, match=r"^the column is a struct with null rows; choose a field$"):
        columns.host(rows)
    # The null count of a slice is unknown; this one has no nulls.
    assert columns.host(rows.slice(2)).to_pylist() == ["b", "c"]
    assert columns.host(pa.chunked_array([rows.slice(2)])).to_pylist() == ["b", "c"]


def test_nested_run_end_encoding_is_rejected() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([2], ["//a"])
    for _ in range(3):
        runs = pa.RunEndEncodedArray.from_arrays([2], runs)
    with pytest.raises(TypeError, match=r"^the column is run-end encoded .*; decode it$"):
        columns.host(runs)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - WITH_A_TEXT))
@pytest.mark.parametrize("given", ["http://a/", URI("http://a/")], ids=["str", "URI"])
def test_a_text_is_no_column(given: object, name: str) -> None:
    with pytest.raises(TypeError, match=r"expected a column or a list of str, not (str|URI)"):
        FUNCTIONS[name](given)


def test_what_is_no_text_is_told_by_its_row() -> None:
    with pytest.raises(TypeError, match=r"^row 2: .*int"):
        columns.host(["a", None, 5])


def test_a_table_of_several_columns_is_told_by_their_names() -> None:
    with pytest.raises(
        TypeError, match=r"^expected one column of text, not a table of 2: a, b; choose one$"
    ):
        columns.host(pa.table({"a": ["a"], "b": ["b"]}))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("threads", [0, -1, True, 1.0, "2"])
def test_a_number_of_threads_is_one_or_more(threads: Any, name: str) -> None:
    with pytest.raises(ValueError, match=r"threads is a number from 1 on, not "):
        FUNCTIONS[name](["a"], threads=threads)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - NO_TEXTS))
@pytest.mark.parametrize("layout", ["text", "", "binary", 5])
def test_a_layout_is_one_of_three(layout: Any, name: str) -> None:
    with pytest.raises(ValueError, match=r"layout is one of string, large_string, string_view, "):
        FUNCTIONS[name](["a"], layout=layout)


#: As who does not check types sees it.
UNTYPED: Any = columns


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: UNTYPED.parse(["a"], "url"), "grammar is one of uri, .*, not 'url'"),
        (lambda: UNTYPED.is_valid(["a"], "IRI"), "grammar is one of .*, not 'IRI'"),
        (lambda: UNTYPED.parse(["a"], fields=["hosts"]), "a field is one of scheme, .*'hosts'"),
        (lambda: UNTYPED.to_uri(["a"], host="punycode"), "host is one of percent, idna, not"),
        (lambda: UNTYPED.encode(["a"], "text"), "component is one of .*, not 'text'"),
        (lambda: UNTYPED.decode(["a"], "ignore"), "errors is one of strict, .*, not 'ignore'"),
        (lambda: columns.findings(["a"], "none"), "profile is one of generic, .*, not 'none'"),
        (lambda: UNTYPED.fingerprint(["a"], "all"), "level is one of string, .*, not 'all'"),
        (
            lambda: UNTYPED.normalize(["a"], dot_segments="none"),
            "dot_segments is True, False or 'all', not 'none'",
        ),
        (lambda: columns.resolve(["a"], ["a", "b"]), "the columns differ in length: 1, 2"),
        (lambda: columns.relativize([], ["a", "b"]), "the columns differ in length: 2, 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_word_that_is_not_known_is_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_options_are_of_their_types() -> None:
    unknown: Any = None
    with pytest.raises(TypeError, match="scheme is a bool, not NoneType"):
        columns.normalize(["a"], scheme=unknown)
    with pytest.raises(TypeError, match="dot_segments is a bool or 'all', not NoneType"):
        columns.normalize(["a"], dot_segments=unknown)
    with pytest.raises(TypeError, match="a name is a str, not NoneType"):
        columns.query_param(["?a"], unknown)


# --- what is made


def test_null_stays_null_and_what_is_no_identifier_becomes_it() -> None:
    given = [None, "a b", "%"]
    for name, function in FUNCTIONS.items():
        if name in {"parse", "is_valid", "encode", "decode", "findings"} | WITH_A_TEXT:
            continue
        assert function(given).to_pylist() == [None, None, None], name
    assert columns.is_valid(given).to_pylist() == [None, False, False]
    assert columns.encode(given, "path").to_pylist() == [None, "a%20b", "%25"]
    assert columns.decode(given).to_pylist() == [None, "a b", None]
    found = ["missing-scheme", "syntax", "space"]
    assert columns.findings(given).to_pylist() == [None, found, ["missing-scheme", "syntax"]]


def test_the_rules_of_a_scheme_hold_for_iris_in_a_column() -> None:
    wrong = ["mailto:no-ät", "urn:é", "urn::é", "urn:αβγ:abc", "tel:12é", "data:xé", "file:é"]
    right = ["mailto:jörg@a.example", "urn:example:é", "data:,é", "file://bücher.example/a"]
    for given in (wrong, columns.to_uri(wrong)):
        assert columns.findings(given).to_pylist() == [["scheme-syntax"]] * len(wrong)
    found = columns.findings([*right, "http://bücher.example/"]).to_pylist()
    assert found == [[], [], [], ["host-past-ascii", "file-host"], ["host-past-ascii"]]


def test_a_row_tells_what_is_wrong_with_it() -> None:
    fields: list[Field] = ["error_position", "error", "host", "error"]
    parsed = columns.parse(["//h", "//a b", None, "\ud800"], fields=fields)
    assert parsed.to_pylist() == [
        {"error_position": None, "error": None, "host": "h"},
        {"error_position": 3, "error": "host", "host": None},
        None,
        {"error_position": 0, "error": "path", "host": None},
    ]


@pytest.mark.parametrize(
    ("grammar", "valid"),
    [
        ("iri-reference", [True, True, True, True, True]),
        ("iri", [False, True, True, True, True]),
        ("absolute-iri", [False, True, True, False, False]),
        ("uri-reference", [True, True, False, True, False]),
        ("uri", [False, True, False, True, False]),
        ("absolute-uri", [False, True, False, False, False]),
    ],
)
def test_a_grammar_is_chosen(grammar: Any, valid: list[bool]) -> None:
    given = ["a", "a:b", "a:\xe9", "a:b#c", "a:\xe9#c"]
    assert columns.is_valid(given, grammar).to_pylist() == valid
    errors = columns.parse(given, grammar, fields=["error"]).to_pylist()
    assert [row["error"] is None for row in errors] == valid


def test_bounds_count_characters() -> None:
    parsed = columns.parse(["a://\xe9@\xe9:1/\xe9?\xe9#\xe9", "", None, "%"], fields=["bounds"])
    assert parsed.to_pylist() == [
        {"bounds": [1, 4, 6, 7, 9, 11, 13, 15]},
        {"bounds": [-1, -1, -1, -1, 0, 0, 0, 0]},
        None,
        {"bounds": None},
    ]


def test_without_fields_there_are_rows() -> None:
    parsed = columns.parse(["a", None], fields=[])
    assert len(parsed) == 2
    assert pa.chunked_array(parsed).to_pylist() == parsed.to_pylist() == [{}, None]


def test_each_kind_of_host_is_told() -> None:
    hosts = ["http://[::1]/", "http://[V1.a]/", "http://127.0.0.1/", "http://a/", "a:"]
    kinds = ["IPv6address", "IPvFuture", "IPv4address", "reg-name", None]
    parsed = columns.parse(hosts, fields=["host_kind"]).to_pylist()
    assert [row["host_kind"] for row in parsed] == kinds
    assert columns.reversed_host(hosts).to_pylist() == ["::1", "v1.a", "127.0.0.1", "a", None]
    assert columns.reversed_host(["//", "//B.a"]).to_pylist() == ["", "a.b"]
    assert columns.hostname(hosts).to_pylist() == ["::1", "v1.a", "127.0.0.1", "a", None]
    assert columns.host(hosts).to_pylist() == ["[::1]", "[V1.a]", "127.0.0.1", "a", None]


def test_an_origin_is_told_of_what_has_one() -> None:
    given = ["HTTPS://me@A:443/b", "http://[::1]:1", "ftp://a", "file:///a", "urn:a:b", "//a"]
    origins = ["https://a", "http://[::1]:1", "ftp://a", None, None, None]
    assert columns.origin(given).to_pylist() == origins


def test_a_port_is_a_number_of_64_bits() -> None:
    ports = ["//a:0", f"//a:{2**63 - 1}", f"//a:{2**63}", "//a:", "//a"]
    assert columns.port(ports).to_pylist() == [0, 2**63 - 1, None, None, None]


def test_leading_zeros_of_a_port_do_not_count_however_many() -> None:
    zeros = "0" * 700
    given = [f"http://a:{zeros}/", f"http://a:{zeros}80/", f"http://a:{zeros}{2**63}/"]
    assert columns.port(given).to_pylist() == [0, 80, None]
    assert columns.origin(given[:2]).to_pylist() == ["http://a:0", "http://a"]
    assert columns.normalize(given[:2], scheme=True).to_pylist() == ["http://a:0/", "http://a/"]


def test_steps_of_normalising_are_chosen() -> None:
    given = ["HTTP://A:80/%7e/./b"]
    every: dict[str, Any] = {
        "case": False,
        "percent_encoding": False,
        "dot_segments": False,
        "ipv6": False,
    }
    assert columns.normalize(given, **every).to_pylist() == given
    assert columns.normalize(given).to_pylist() == ["http://a:80/~/b"]
    for schemes in (None, SCHEMES):
        assert columns.normalize(given, scheme=True, schemes=schemes).to_pylist() == [
            "http://a/~/b"
        ]


def test_dot_segments_of_rootless_paths_are_removed_on_request_only() -> None:
    given = [
        *("foo:a/../b", "data:text/plain,a/../b", "mailto:a/../b@c", "urn:example:a/../b"),
        *("scheme:..///x", "foo:a/%2E%2E/b", "scheme:/a/..//evil", "a/../b", "\xe9:a/.."),
    ]
    kept = [*given[:5], "foo:a/../b", "scheme:/.//evil", "a/../b", None]
    assert columns.normalize(given).to_pylist() == kept
    assert columns.normalize(given, dot_segments="all").to_pylist() == [
        *("foo:/b", "data:text/b", "mailto:/b@c", "urn:/b", "scheme:/.//x", "foo:/b"),
        *("scheme:/.//evil", "a/../b", None),
    ]
    by_scheme = columns.normalize(given[3:5], dot_segments="all", scheme=True)
    assert by_scheme.to_pylist() == ["urn:/b", "scheme:/.//x"]
    for level in ("syntax", "scheme"):
        assert len(set(columns.fingerprint([given[0], "foo:/b"], level).to_pylist())) == 2


def test_references_are_resolved_and_found() -> None:
    base = ["http://a/b", "b", None, "%", "http://a/b", "http://a/b"]
    other = ["c", "c", "c", "c", "%", None]
    assert columns.resolve(base, other).to_pylist() == ["http://a/c", *[None] * 5]
    assert columns.resolve("http://a/b", ["http:c"], strict=False).to_pylist() == ["http://a/c"]
    targets = ["http://a/c", "c", None, "%", "x:y"]
    assert columns.relativize(targets, "http://a/b").to_pylist() == ["c", None, None, None, "x:y"]
    target, start = ["http://a/long/b"], IRI("http://a/long/c/d")
    assert columns.relativize(target, start).to_pylist() == ["../b"]
    assert columns.relativize(target, start, climb=False).to_pylist() == [None]
    assert columns.relativize(["http:"], "http://a/b").to_pylist() == ["http:"]
    # No reference resolves to a path with such segments.
    assert columns.relativize(["http://a/../b"], "http://a/c").to_pylist() == [None]


def test_mapping_is_null_where_a_host_is_no_domain_name() -> None:
    given = ["http://\xfc.example/\xe9", "http://\u0301/"]
    assert columns.to_uri(given, host="idna").to_pylist() == ["http://xn--tda.example/%C3%A9", None]
    assert columns.to_iri(["/%C3%A9%FF"]).to_pylist() == ["/\xe9%FF"]


def test_what_is_no_text_has_no_place_in_a_column() -> None:
    wrong = pa.array([b"a\xff", b"%41\xff"], pa.binary()).view(pa.string())
    for errors in ("strict", "replace", "keep"):
        assert columns.decode(wrong, errors).to_pylist() == [None, None]
    assert columns.encode(wrong, "path").to_pylist() == [None, None]
    assert columns.decode(["%FF"], "keep").to_pylist() == ["%FF"]
    assert columns.decode(["%FF"], "replace").to_pylist() == ["\ufffd"]
    # Arrow strings cannot have surrogate escapes.
    assert columns.decode(["%FF", "%C3%A9"], "surrogateescape").to_pylist() == [None, "é"]


def test_parameters_that_are_no_text_stay_encoded() -> None:
    given = ["?a=%FF%41&b", "?b&%FF=c", "/"]
    assert columns.query_params(given).to_pylist() == [
        [{"key": "a", "value": "%FFA"}, {"key": "b", "value": None}],
        [{"key": "b", "value": None}, {"key": "%FF", "value": "c"}],
        None,
    ]
    assert columns.query_param(given, "a").to_pylist() == ["%FFA", None, None]
    assert columns.query_param(given, "b").to_pylist() == [None, None, None]


def test_keys_sort_by_domain() -> None:
    given = ["http://b.a:80/c", "http://[::1]:1/", "http://1.2.3.4", "//b.a", "a", "x:y#z"]
    expected = ["a,b)/c", "[::1]:1)/", "1.2.3.4)/", "a,b)", None, "x:y"]
    assert columns.surt(given).to_pylist() == expected


def test_equivalent_identifiers_have_one_fingerprint() -> None:
    given = ["http://a:80/%7e", "HTTP://A:80/~", "http://a/~", "%"]
    kinds_of: dict[Any, int] = {"string": 3, "syntax": 2, "scheme": 1}
    for level, kinds in kinds_of.items():
        *numbers, none = columns.fingerprint(given, level).to_pylist()
        assert none is None
        assert len(set(numbers)) == kinds
    both = columns.fingerprint([f"x:{k}" for k in range(50)]).to_pylist()
    assert min(both) < 0 < max(both)


# --- the array


def test_an_array_tells_what_it_is() -> None:
    made = columns.host(["//a"] * 1234)
    assert repr(made) == "<Array of string, 1,234 rows>"
    assert (len(made), made.chunks) == (1234, 1)
    assert len(columns.host([])) == 0
    assert columns.host([]).chunks == 1
    assert nanoarrow.c_schema(made).format == "u"


def test_chunks_stay_chunks() -> None:
    given = pa.chunked_array([["//a"], [], ["//b", None]])
    made = columns.host(given)
    assert (made.chunks, len(made)) == (2, 3)
    assert pa.chunked_array(made).to_pylist() == made.to_pylist() == ["a", "b", None]
    assert not hasattr(made, "__arrow_c_array__")
    assert pa.array(columns.host(["//a"])).to_pylist() == ["a"]


def test_a_layout_may_be_a_member_of_an_enumeration() -> None:
    class Named(enum.StrEnum):
        LARGE = "large_string"

    assert pa.array(columns.host(["//a"], layout=Named.LARGE)).type == pa.large_string()  # type: ignore[arg-type]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_texts_have_the_layout_that_is_asked_for(layout: Any) -> None:
    # nanoarrow, which hands over what the specification makes, can't hand over views.
    exact = layout if engine.compiled or layout != "string_view" else "large_string"
    given = ["//" + "a" * 50, "//b", None]
    for made in (
        columns.host(given, layout=layout),
        columns.host(pa.array(given, getattr(pa, layout)())),
        columns.host(pa.array(given, getattr(pa, layout)()).dictionary_encode()),
    ):
        assert str(pa.chunked_array(made).type) == exact
        assert made.to_pylist() == ["a" * 50, "b", None]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_done_by_rows_has_the_layout_that_is_asked_for(layout: Any) -> None:
    given = ["http://\xfc" + "a" * 20 + ".example/", None, "x:"]
    for made in (
        columns.to_uri(given, host="idna", layout=layout),
        columns.normalize(given, scheme=True, schemes=SCHEMES, layout=layout),
    ):
        read = pa.chunked_array(made)
        read.validate(full=True)
        assert read.to_pylist() == made.to_pylist()
        assert made.to_pylist()[1:] == [None, "x:"]


def test_columns_of_all_kinds_are_read() -> None:
    given = ["//a", None, "//" + "b" * 20, "//a"]
    expected = ["a", None, "b" * 20, "a"]
    for column in (
        iter(given),
        [IRI("http://a") if text == "//a" else text for text in given],
        pa.array(["", *given]).slice(1),
        pa.array(given, pa.large_string()),
        pa.array(["", *given], pa.string_view()).slice(1),
        pa.array(given).dictionary_encode(),
        pa.DictionaryArray.from_arrays(
            pa.array([0, 1, 2, 0], pa.uint8()), pa.array(["//a", None, given[2]])
        ),
        pa.table({"a": ["", *given]}).slice(1),
        pa.array([{"a": text} for text in ["", *given]]).slice(1),
        nanoarrow.Array(given, nanoarrow.string()),
        columns.to_uri(given),
    ):
        assert columns.host(column).to_pylist() == expected
    assert columns.host(pa.nulls(2)).to_pylist() == [None, None]
    nothing = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.nulls(1))
    assert columns.host(nothing).to_pylist() == [None]


def test_rules_of_schemes_are_known_to_the_kernel() -> None:
    assert (arrow.kernel_of_columns() is None) == (not engine.compiled)


# --- pieces


def test_chunks_of_two_columns_end_where_either_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "ROWS_PER_THREAD", 2)
    base = pa.chunked_array([[], ["http://a/"] * 3, [], ["http://b/"] * 4], pa.string())
    other = pa.chunked_array([["1", "2", "3", "4", "5"], ["6", "7"], []], pa.string())
    expected = [f"http://{'a' if k < 4 else 'b'}/{k}" for k in range(1, 8)]
    for threads in (1, 3):
        made = columns.resolve(base, other, threads=threads)
        assert made.to_pylist() == expected
        assert made.chunks >= 3
        assert columns.relativize(made, base).to_pylist() == [str(k) for k in range(1, 8)]
        assert columns.resolve("http://a/", other).to_pylist()[3:5] == ["http://a/4", "http://a/5"]


def test_pieces_come_back_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "ROWS_PER_THREAD", 3)
    given = [f"//h{k}" for k in range(50)]
    for threads in (1, 2, 4, None):
        made = columns.host(given, threads=threads)
        assert made.to_pylist() == [f"h{k}" for k in range(50)]


def test_processors_are_those_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 6}, raising=False)
    assert execution.processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert execution.processors() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert execution.processors() == 1


@pytest.mark.skipif(not engine.compiled, reason="there is no kernel")
def test_the_kernel_ends_an_array_that_is_full() -> None:
    column = arrow.Column(["x:" + "a" * 20] * 10)
    [piece] = execution.align([column], [False])
    function = execution.bind("to_iri", {})
    made = list(execution.by_kernel(function, piece, "string", 50))
    assert [len(part) for part in made] == [2] * 5
    with pytest.raises(OverflowError, match="use large_string"):
        list(execution.by_kernel(function, piece, "string", 10))


def test_rows_that_are_more_than_offsets_can_tell_are_several_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def offsets(code: str, sizes: Iterable[int]) -> array[int]:
        made = whole(code, sizes)
        if code == "i" and made[-1] > 50:
            raise OverflowError
        return made

    whole = buffers.offsets
    monkeypatch.setattr(buffers, "offsets", offsets)
    values = ["a" * 20] * 10
    made = list(execution.as_buffers(values, "text", "string"))
    assert [part.length for part in made] == [2, 1, 2, 2, 1, 2]
    assert [part.length for part in execution.as_buffers(values, "text", "large_string")] == [10]
    with pytest.raises(OverflowError, match="use large_string"):
        list(execution.as_buffers(["a", "a" * 60], "text", "string"))


def test_views_that_are_more_than_places_can_tell_are_several_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buffers, "FULL", 50)
    made = list(execution.as_buffers(["a" * 20] * 10, "text", "string_view"))
    assert sum(part.length for part in made) == 10
    assert len(made) > 1


# --- buffers


def test_a_column_of_more_than_32_bits_count_is_a_large_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrow, "FULL", 3)
    assert arrow.array_of(["ab", None, "c"]).schema.format == "u"
    assert arrow.array_of(["ab", None, "cd"]).schema.format == "U"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", None, "b" * 20, ""], "text"),
        ([True, None, False, True, True, False, True, True, True], "flag"),
        ([1, None, -(2**63), 2**63 - 1], "number"),
        ([1, None, -(2**31), 2**31 - 1], "position"),
        ([[0, 1, 2, 3, 4, 5, 6, 7], None], "bounds"),
        ([["a", "b" * 20], None, []], "texts"),
        ([[("a", "b"), ("c", None)], None, []], "pairs"),
        ([[], None], "pairs"),
        ([], "pairs"),
        ([], "texts"),
        ([], "text"),
    ],
)
@pytest.mark.parametrize("layout", ["string", "large_string"])
def test_values_are_read_back_from_their_buffers(values: list[Any], kind: Any, layout: Any) -> None:
    made = arrow.assembled(
        nanoarrow.c_schema(arrow.type_of(kind, layout)), buffers.built(values, kind, layout)
    )
    if kind == "pairs":
        expected = [
            None if row is None else [{"key": key, "value": value} for key, value in row]
            for row in values
        ]
    else:
        expected = values
    assert arrow.values(made, kind) == expected
    assert pa.array(made).to_pylist() == expected
    pa.array(made).validate(full=True)


def test_a_view_holds_a_short_text_itself() -> None:
    assert buffers.view(b"a" * 12, 5) == struct.pack("<i12s", 12, b"a" * 12)
    assert buffers.view(b"abcde" * 3, 5) == struct.pack("<i4sii", 15, b"abcd", 0, 5)
    assert buffers.view(b"", 5) == bytes(16)


def test_a_bitmap_begins_with_the_lowest_bit() -> None:
    assert buffers.bitmap([]) == b""
    assert buffers.bitmap([True, False, False, False, False, False, False, False, True]) == b"\1\1"
    assert buffers.validity([True, True]) == (0, None)
    assert buffers.validity([True, False]) == (1, b"\1")


def test_offsets_begin_with_zero() -> None:
    assert list(buffers.offsets("i", [])) == [0]
    assert list(buffers.offsets("q", [2**31, 1])) == [0, 2**31, 2**31 + 1]
    with pytest.raises(OverflowError):
        buffers.offsets("i", [2**31])


@pytest.mark.parametrize(
    "function", [columns.resolve, lambda base, other: columns.relativize(other, base)]
)
@pytest.mark.parametrize(
    "base", ["a b", "rel", URIReference("/a")], ids=["none", "rel", "URIReference"]
)
def test_a_text_that_is_no_base_is_refused_at_once(
    function: Callable[[object, object], Array], base: object
) -> None:
    for given in ([], ["c"]):  # before any row is looked at
        with pytest.raises(URIError):
            function(base, given)
    assert function([str(base)], ["c"]).to_pylist() == [None]


def test_octets_and_triplets_make_no_character_together() -> None:
    given = pa.array([b"\xc3%A9", b"%C3\xa9", b"%C3%A9"], pa.binary())
    broken = pa.Array.from_buffers(pa.string(), 3, given.buffers())
    for errors in ("strict", "keep", "replace"):
        assert columns.decode(broken, errors).to_pylist() == [None, None, "é"]


def test_a_name_that_is_no_text_is_the_name_of_no_parameter() -> None:
    assert columns.query_param(["?%ED%A0%80=1&a=2"], "\ud800").to_pylist() == [None]
    assert columns.query_param(["?%FF=1&a=2", "?é=%FF"], "\udcff").to_pylist() == ["1", None]


def test_texts_of_a_dictionary_are_looked_at_once() -> None:
    column = pa.array(["http://a/b", None, "http://a/b"]).dictionary_encode()
    assert columns.relativize(column, "http://a/c").to_pylist() == ["b", None, "b"]


def counted(column: Any, base: list[str] | None = None) -> tuple[list[str | None], list[str]]:
    """The results for a column, and the values that the function was called with, in order."""
    called: list[str] = []

    def row(*texts: str) -> str:
        called.append(texts[-1])
        return texts[-1].upper()

    # Domain names past ASCII are left to the function for one row, with the kernel too.
    function = execution.Call("text", row, "to_uri", None if base else (True,))
    given = [column] if base is None else [pa.array(base).dictionary_encode(), column]
    made = execution.execute(function, *given, layout=None, threads=1)
    return made.to_pylist(), called


def numbered(numbers: list[int | None], values: list[str | None]) -> Any:
    """A column of these values, by their numbers."""
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(values))


def test_each_value_of_a_dictionary_is_worked_on_once() -> None:
    column = numbered([1, 0, None, 1, 2, 1, 0, 2], ["//\xe9", "//\xfc", None, "//unused"])
    expected = ["//\xdc", "//\xc9", None, "//\xdc", None, "//\xdc", "//\xc9", None]
    assert counted(column) == (expected, ["//\xfc", "//\xe9"])
    assert counted(column.slice(2, 4)) == (expected[2:6], ["//\xfc"])
    chunks = pa.chunked_array([column.slice(0, 4), column.slice(4)])
    assert counted(chunks)[0] == expected


def test_of_a_large_dictionary_only_the_values_of_rows_are_worked_on() -> None:
    column = numbered([7, 7, 3], [f"//\xe9{number}" for number in range(1000)])
    expected = ["//\xc97", "//\xc97", "//\xc93"]
    made, called = counted(column)
    assert made == expected
    assert set(called) == {"//\xe97", "//\xe93"}
    assert counted(column.slice(1, 0)) == ([], [])


def test_each_pair_of_values_of_dictionaries_is_worked_on_once() -> None:
    column = numbered([0, 1, 0, 1], ["a", "b"])
    assert counted(column, ["x", "x", "x", "y"]) == (["A", "B", "A", "B"], ["a", "b", "b"])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_rows_of_one_value_are_all_alike(name: str, layout: Any) -> None:
    values = ["http://a:8/b?c=d&e#" + "f" * 40, "a b", None, "x:?a=%FF", "http://\xe9/", "", "?a"]
    column = numbered([*range(7), None, *range(6, -1, -1)] * 3, values)
    if name in WITH_A_TEXT:
        column = column.slice(0, 1)
    made = FUNCTIONS[name](column, **({} if name in NO_TEXTS else {"layout": layout}))
    plain = FUNCTIONS[name](column.cast(pa.string()))
    assert made.to_pylist() == plain.to_pylist()
    pa.chunked_array(made).validate(full=True)


def test_fields_that_are_one_text_are_refused() -> None:
    with pytest.raises(TypeError, match="a list of names, not 'host'"):
        UNTYPED.parse(["a"], fields="host")


def lying(kind: Any, well: bytes, broken: bytes) -> Any:
    """An array whose places are not what they were when it was made."""
    places = bytearray(well)
    buffers = [None, pa.py_buffer(places), pa.py_buffer(b"//a//b")]
    column = pa.Array.from_buffers(kind, 2, buffers)
    places[:] = broken
    return column


def broken_column(name: str) -> Any:
    """A column whose buffers do not hold its rows."""
    if name == "offsets":
        return lying(pa.string(), struct.pack("<3i", 0, 3, 6), struct.pack("<3i", 0, 6, 3))
    if name == "first offset":
        return lying(pa.string(), struct.pack("<3i", 0, 3, 6), struct.pack("<3i", -1, 3, 6))
    if name == "view":
        return lying(pa.string_view(), bytes(32), struct.pack("<i12s", -1, b"") * 2)
    if name == "dictionary":
        numbers = pa.array([-1], pa.int8())
        return pa.DictionaryArray.from_arrays(numbers, pa.array(["//a"]), safe=False)
    make: Any = nanoarrow.c_array_from_buffers
    field = nanoarrow.c_array(["//a"], nanoarrow.string())
    kind = nanoarrow.struct({"a": nanoarrow.string()})
    return make(kind, 9, [None], 0, children=[field], validation_level="none")


@pytest.mark.parametrize("name", ["offsets", "first offset", "view", "dictionary", "struct"])
def test_a_column_that_is_broken_is_told(name: str) -> None:
    column = broken_column(name)
    for function in (columns.host, lambda given: columns.to_uri(given, host="idna")):
        with pytest.raises(ValueError, match="the column is broken"):
            function(column)


@pytest.mark.parametrize("given", [{"http://a/": 1}, {"http://a/"}], ids=["dict", "set"])
def test_what_has_no_order_of_texts_is_no_column(given: object) -> None:
    with pytest.raises(TypeError, match="expected a column or a list of str"):
        columns.host(given)
