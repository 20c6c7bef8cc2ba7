import enum
import os
import re
import struct
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any
from unittest.mock import ANY

import nanoarrow
import pytest
from arrow_columns import (
    FORMATS,
    Chunks,
    Column,
    dictionary,
    empty,
    encoded,
    format_of,
    read,
    read_chunks,
    runs,
    strings,
    table,
)
from tables import EVERY_CALL, OF_TWO_COLUMNS, POLICY

from uriverse import IRI, SCHEMES, URI, URIReference, _engine, columns
from uriverse._errors import URIError
from uriverse.columns import Array, _arrow, _buffers, _execution, _registry
from uriverse.typing import Field

#: The functions of two columns; -1 if the second input is the first argument.
ORDER = {name: -1 if name == "resolve" else 1 for name in sorted(OF_TWO_COLUMNS)}

#: Each column function, with its other arguments set.
FUNCTIONS: dict[str, Callable[..., Array]] = {
    **{
        name: lambda column, name=name, words=words, given=given, **more: getattr(columns, name)(
            column, *words, **(given | more)
        )
        for name, (words, given) in EVERY_CALL.items()
    },
    **{
        name: lambda column, name=name, order=order, **more: getattr(columns, name)(
            *(column, "http://a/")[::order], **more
        )
        for name, order in ORDER.items()
    },
    **{
        f"{name}, second": lambda column, name=name, order=order, **more: getattr(columns, name)(
            *(["http://a/"], column)[::order], **more
        )
        for name, order in ORDER.items()
    },
    "expand": lambda column, **more: columns.expand("/{a}", {"a": column}, **more),
    "select": lambda column, **more: columns.select(column, host=columns.uri.host(), **more),
}

#: The functions that also accept one string for all rows here.
ACCEPTS_STRING = {"expand", *(f"{name}, second" for name in ORDER)}

#: The functions whose results contain no strings.
WITHOUT_STRINGS = {
    name
    for name in FUNCTIONS
    if name not in {"expand", "select"}
    and not _registry.FUNCTIONS[name.partition(",")[0]].has_strings
}

LAYOUTS = ("string", "large_string", "string_view")


def test_the_table_contains_all_public_functions() -> None:
    public = {name for name in columns.__all__ if name.islower()} - {"uri"}
    assert public == {name.partition(",")[0] for name in FUNCTIONS}


def test_a_function_that_the_kernel_lacks_runs_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        _registry.FUNCTIONS, "host", replace(_registry.FUNCTIONS["host"], kernel=None)
    )
    assert _execution.bind_options("host", {}).arguments is None
    assert columns.host(["http://a/", "a b", None]).to_pylist() == ["a", None, None]


@pytest.mark.parametrize(
    "given",
    [
        *(5, None, b"http://a/", [5], [b"a"], bytearray(b"a"), {"http://a/": 1}, {"http://a/"}),
        *(empty("l"), empty("+l", "u"), empty("c", values="l"), empty("+vl", "u")),
        *(empty("l", field="a"), table(["a"], "a", "b"), empty("+s"), table(["b", ...], "a")),
        *(Chunks(table(["b"], "a"), table([...], "a")), empty("+r", "i", "l")),
    ],
    ids=lambda given: repr(given)[:20],
)
def test_inputs_that_are_not_string_columns_are_rejected(given: object) -> None:
    words = r"^expected (a|one) column|^row 0: expected a str|^(the )?column .*is .*; \w+ (it|a)"
    for function in FUNCTIONS.values():
        with pytest.raises(TypeError, match=words):
            function(given)


@pytest.mark.parametrize(
    ("column", "words"),
    [
        *((["l"], "int64; cast it to string"), (["c", "C"], "uint8; cast it to string")),
        *((["tsu:UTC"], "timestamp; cast it to string"), (["d:5,2"], "decimal; cast it to string")),
        (["w:3"], "fixed-size binary; cast it to binary"),
        (["+m", None, "+s"], "a map; select its keys or its values"),
        *((["+l", None, "u"], "a list; flatten it"), (["+vl", None, "u"], "a list; flatten it")),
        (["+us:0", None, "u"], "a union; select"),
        (["+s", None, "u"], "a struct; select a field"),
    ],
    ids=str,
)
def test_the_error_for_another_type_names_column_and_fix(column: list[Any], words: str) -> None:
    form, values, *children = [*column, None][: max(len(column), 2)]
    with pytest.raises(TypeError, match=f'^column "url" is {words}'):
        columns.host(empty(form, *children, values=values, field="url"))
    if form != "+s":
        with pytest.raises(TypeError, match=f"^the column is {words}"):
            columns.host(empty(form, *children, values=values))


def test_structs_with_null_rows_and_nested_run_end_encoding_are_rejected() -> None:
    rows = table(["//a", ..., "//b", "//c"], "a")
    with pytest.raises(TypeError, match=r"^the column is a struct with null rows; select a field$"):
        columns.host(rows)
    # The null count of a slice is unknown; this one has no nulls.
    assert columns.host(rows[2:]).to_pylist() == ["b", "c"]
    assert columns.host(Chunks(rows[2:])).to_pylist() == ["b", "c"]
    # Nested run end encoding is rejected.
    with pytest.raises(TypeError, match=r"^the column is run-end encoded .*; decode it$"):
        columns.host(runs([2], ["//a"], depth=4))


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - ACCEPTS_STRING))
@pytest.mark.parametrize("given", ["http://a/", URI("http://a/")], ids=["str", "URI"])
def test_a_single_string_is_rejected_as_a_column(given: object, name: str) -> None:
    with pytest.raises(TypeError, match=r"expected a column or a list of str, not (str|URI)"):
        FUNCTIONS[name](given)


def test_the_error_for_a_value_that_is_not_a_string_gives_its_row() -> None:
    with pytest.raises(TypeError, match=r"^row 2: .*int"):
        columns.host(["a", None, 5])
    # The error for a table with several columns lists their names.
    words = r"^expected one column, not a table with 2: a, b; select one$"
    with pytest.raises(TypeError, match=words):
        columns.host(table(["a"], "a", "b"))


def test_the_number_of_threads_and_the_layout_are_checked() -> None:
    for function in FUNCTIONS.values():
        for threads in (0, -1, True, 1.0, "2"):
            with pytest.raises(ValueError, match=r"threads must be an int of at least 1, not "):
                function(["a"], threads=threads)
    # Unknown layouts are rejected.
    for name in sorted(FUNCTIONS.keys() - WITHOUT_STRINGS):
        words = r"unknown layout .*; use string, large_string, string_view$"
        for layout in ("text", "", "binary", 5):
            with pytest.raises(ValueError, match=words):
                FUNCTIONS[name](["a"], layout=layout)


def test_options_that_are_not_possible_are_rejected() -> None:
    for call, words in [
        ("parse(['a'], 'url')", "unknown grammar 'url'; use uri, uri-reference, "),
        ("is_valid(['a'], 'IRI')", "unknown grammar 'IRI'; use uri, "),
        ("parse(['a'], fields=['hosts'])", "unknown field 'hosts'; use scheme, "),
        ("parse(['a'], fields='host')", r"^fields must be a list of names; use \['host'\]$"),
        ("to_uri(['a'], host='punycode')", "unknown host 'punycode'; use percent, idna$"),
        ("to_iri(['a'], host='punycode')", "unknown host 'punycode'; use percent, idna$"),
        ("repair(['a'], scheme='a b')", "scheme must be a valid scheme, not 'a b'"),
        ("repair(['a'], scheme=True)", "scheme must be a str or None, not bool"),
        ("with_scheme(['a'], '1')", "scheme must be a valid scheme, not '1'"),
        ("with_host(['a'], 'a b')", "host must be a valid host, not 'a b'"),
        ("with_port(['a'], 'x')", "port must be a valid port, not 'x'"),
        ("with_port(['a'], -1)", "port must be a valid port, not -1"),
        ("with_param(['a'], 'b', float('inf'))", "inf is not finite"),
        *(("then(['a'], 'a b')", "space in path"), ("is_same_origin(['a'], 'a:%')", "percent")),
        ("is_same_site(['a'], 'a:%')", "percent"),
        ("is_same_origin([], 'a.example')", "missing scheme(.|\n)*hint: add a scheme"),
        ("is_same_site([], 'a.example')", "missing scheme(.|\n)*hint: add a scheme"),
        ("uri.is_same_site('a.example')", "missing scheme(.|\n)*hint: add a scheme"),
        ("encode(['a'], 'text')", "unknown component 'text'; use "),
        ("decode(['a'], 'ignore')", "unknown errors 'ignore'; use strict, "),
        ("findings(['a'], 'none')", "unknown profile 'none'; use generic, "),
        ("fingerprint(['a'], 'all')", "unknown level 'all'; use string, syntax, scheme$"),
        ("normalize(['a'], dot_segments='none')", "dot_segments .* True, False or 'all', not 'no"),
        ("normalize(['a'], dot_segments=None)", "dot_segments .* bool or 'all', not NoneType"),
        ("normalize(['a'], scheme=None)", "scheme must be a bool or a Registry, not NoneType"),
        ("resolve(['a'], ['a', 'b'])", "the columns differ in length: 1, 2"),
        ("relativize([], ['a', 'b'])", "the columns differ in length: 2, 0"),
        ("query_param(['?a'], None)", "name must be a str, not NoneType"),
        ("allowed(['a:b'], None)", "policy must be a Policy or a str, not NoneType"),
        ("match(['a:b'], None)", "template must be a Template or a str, not NoneType"),
        ("route(['a:b'], None)", "router must be a Router, a mapping or a str, not NoneType"),
        ("select(['a:b'], uri.host())", r"name each result, as in select\(host=uri.host\(\)\)"),
    ]:
        wrong_type = re.search(r"=None|=True|, None\)|'host'\)|uri\.host", call)
        with pytest.raises(TypeError if wrong_type else ValueError, match=words):
            eval(call, vars(columns))


def test_null_rows_stay_null_and_invalid_rows_become_null() -> None:
    given = [None, "a b", "%"]
    found = ["relative", "missing-scheme", "syntax"]
    others: dict[str, list[Any]] = {
        "allowed": [None, False, False],
        "is_flagged": [None, True, True],
        "is_valid": [None, False, False],
        "repair": [None, "a%20b", None],
        "redact": given,
        "encode": [None, "a%20b", "%25"],
        "expand": ["/", "/a%20b", "/%25"],
        "decode": [None, "a b", None],
        "findings": [None, found, found],
        "parse": [None, ANY, ANY],
        "decision": [None, ANY, ANY],
        "select": [{"host": None}] * 3,
    }
    for name in FUNCTIONS.keys() - ACCEPTS_STRING | {"expand"}:
        assert FUNCTIONS[name](given).to_pylist() == others.get(name, [None] * 3), name
    errors = [row and row["error"] for row in columns.parse(given).to_pylist()]
    codes = [row and row["code"] for row in columns.decision(given, POLICY).to_pylist()]
    assert (errors, codes) == ([None, "path", "path"], [None, "syntax", "syntax"])


def test_findings_apply_the_rules_of_the_scheme_to_iris() -> None:
    wrong = ["mailto:no-ät", "urn:é", "urn::é", "urn:αβγ:abc", "tel:12é", "data:xé", "file:é"]
    right = ["mailto:jörg@a.example", "urn:example:é", "data:,é", "file://bücher.example/a"]
    for given in (wrong, columns.to_uri(wrong)):
        assert columns.findings(given).to_pylist() == [["scheme-syntax"]] * len(wrong)
    found = columns.findings([*right, "http://bücher.example/"]).to_pylist()
    assert found == [[], [], [], ["host-past-ascii", "file-host"], ["host-past-ascii"]]


def test_parse_reports_the_error_and_the_bounds_of_each_row() -> None:
    fields: list[Field] = ["error_position", "error", "host", "error"]
    parsed = columns.parse(["//h", "//a b", None, "\ud800"], fields=fields)
    assert parsed.to_pylist() == [
        {"error_position": None, "error": None, "host": "h"},
        {"error_position": 3, "error": "host", "host": None},
        None,
        {"error_position": 0, "error": "path", "host": None},
    ]
    # Bounds count characters.
    parsed = columns.parse(["a://\xe9@\xe9:1/\xe9?\xe9#\xe9", "", None, "%"], fields=["bounds"])
    assert parsed.to_pylist() == [
        *({"bounds": [1, 4, 6, 7, 9, 11, 13, 15]}, {"bounds": [-1, -1, -1, -1, 0, 0, 0, 0]}, None),
        {"bounds": None},
    ]
    # Parse without fields returns all rows.
    parsed = columns.parse(["a", None], fields=[])
    assert len(parsed) == 2
    assert read_chunks(parsed) == [parsed.to_pylist()] == [[{}, None]]


def test_the_grammar_decides_which_rows_are_valid() -> None:
    valid: Any
    grammar: Any
    for grammar, valid in [
        ("iri-reference", [True, True, True, True, True]),
        ("iri", [False, True, True, True, True]),
        ("absolute-iri", [False, True, True, False, False]),
        ("uri-reference", [True, True, False, True, False]),
        ("uri", [False, True, False, True, False]),
        ("absolute-uri", [False, True, False, False, False]),
    ]:
        given = ["a", "a:b", "a:\xe9", "a:b#c", "a:\xe9#c"]
        assert columns.is_valid(given, grammar).to_pylist() == valid
        errors = columns.parse(given, grammar, fields=["error"]).to_pylist()
        assert [row["error"] is None for row in errors] == valid


def test_each_kind_of_host_is_recognized() -> None:
    hosts = ["http://[::1]/", "http://[V1.a]/", "http://127.0.0.1/", "http://a/", "a:"]
    kinds = ["IPv6address", "IPvFuture", "IPv4address", "reg-name", None]
    parsed = columns.parse(hosts, fields=["host_kind"]).to_pylist()
    assert [row["host_kind"] for row in parsed] == kinds
    assert columns.reversed_host(hosts).to_pylist() == ["::1", "v1.a", "127.0.0.1", "a", None]
    assert columns.reversed_host(["//", "//B.a"]).to_pylist() == ["", "a.b"]
    assert columns.hostname(hosts).to_pylist() == ["::1", "v1.a", "127.0.0.1", "a", None]
    assert columns.host(hosts).to_pylist() == ["[::1]", "[V1.a]", "127.0.0.1", "a", None]


def test_default_ports_are_removed_and_other_ports_are_kept() -> None:
    for scheme in ["http", "https"]:
        for port in ["70", "81", "800", "343", "433", "444", "4430"]:
            text = f"{scheme}://a.b:{port}/"
            assert columns.origin([text]).to_pylist() == [text[:-1]]
            assert columns.surt([text]).to_pylist() == [f"b,a:{port})/"]
    # Opaque origins are null.
    given = ["HTTPS://me@A:443/b", "http://[::1]:1", "ftp://a", "file:///a", "urn:a:b", "//a"]
    origins = ["https://a", "http://[::1]:1", "ftp://a", None, None, None]
    assert columns.origin(given).to_pylist() == origins
    # Ports that exceed 64 bits are null.
    ports = ["//a:0", f"//a:{2**63 - 1}", f"//a:{2**63}", "//a:", "//a"]
    assert columns.port(ports).to_pylist() == [0, 2**63 - 1, None, None, None]
    # Any number of leading zeros in a port is ignored.
    zeros = "0" * 700
    given = [f"http://a:{zeros}/", f"http://a:{zeros}80/", f"http://a:{zeros}{2**63}/"]
    assert columns.port(given).to_pylist() == [0, 80, None]
    assert columns.origin(given[:2]).to_pylist() == ["http://a:0", "http://a"]
    assert columns.normalize(given[:2], scheme=True).to_pylist() == ["http://a:0/", "http://a/"]


def test_options_turn_steps_of_normalization_off() -> None:
    given = ["HTTP://A:80/%7e/./b"]
    off: dict[str, Any] = dict.fromkeys(("case", "percent_encoding", "dot_segments", "ipv6"), False)
    assert columns.normalize(given, **off).to_pylist() == given
    assert columns.normalize(given).to_pylist() == ["http://a:80/~/b"]
    for scheme in (True, SCHEMES):
        assert columns.normalize(given, scheme=scheme).to_pylist() == ["http://a/~/b"]


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


def test_resolve_and_relativize() -> None:
    base = ["http://a/b", "b", None, "%", "http://a/b", "http://a/b"]
    other = ["c", "c", "c", "c", "%", None]
    assert columns.resolve(base, other).to_pylist() == ["http://a/c", *[None] * 5]
    assert columns.resolve("http://a/b", ["http:c"], strict=False).to_pylist() == ["http://a/c"]
    targets = ["http://a/c", "c", None, "%", "x:y"]
    assert columns.relativize(targets, "http://a/b").to_pylist() == ["c", None, None, None, "x:y"]
    target, start = ["http://a/long/b"], IRI("http://a/long/c/d")
    assert columns.relativize(target, start).to_pylist() == ["../b"]
    assert columns.relativize(target, start, walk_up=False).to_pylist() == [None]
    assert columns.relativize(["http:"], "http://a/b").to_pylist() == ["http:"]
    # No reference resolves to a path with such segments.
    assert columns.relativize(["http://a/../b"], "http://a/c").to_pylist() == [None]


def test_to_uri_and_to_iri_with_idna_convert_hosts_only() -> None:
    given: list[str | None] = ["http://\xfc.example/\xe9", "http://\u0301/"]
    assert columns.to_uri(given, host="idna").to_pylist() == ["http://xn--tda.example/%C3%A9", None]
    assert columns.to_iri(["/%C3%A9%FF"]).to_pylist() == ["/\xe9%FF"]
    pairs = {
        "http://xn--tda.example/%C3%A9": "http://\xfc.example/\xe9",
        "//xn--tda/xn--tda": "//\xfc/xn--tda",
        "//a/%C3%A9": "//a/\xe9",
        "//%C3%BC.xn--tda": "//\xfc.\xfc",
        "//xn--tda ": None,
    }
    same = ["//xn--a/", "xn--tda", "http://XN--tda/", "http://[v1.xn--tda]/", "a:xn--tda", None]
    expected = [*pairs.values(), *same]
    assert columns.to_iri([*pairs, *same], host="idna").to_pylist() == expected
    # Repair is null for rows that cannot be repaired.
    given = ["http://a/b c", "http:/a/b c", "http://\xfc.example/", "a.example/b", None]
    expected = ["http://a/b%20c", None, "http://xn--tda.example/", "a.example/b", None]
    assert columns.repair(given).to_pylist() == expected
    fixed = columns.repair(given, scheme="https", slashes=True, iri=True).to_pylist()
    assert fixed[1:4] == ["http://a/b%20c", "http://\xfc.example/", "https://a.example/b"]


def test_results_that_are_not_valid_utf_8_are_null() -> None:
    wrong = strings([b"a\xff", b"%41\xff"])
    # Raw octets and triplets do not form a character together.
    mixed = strings([b"\xc3%A9", b"%C3\xa9", b"%C3%A9"])
    for errors in ("strict", "replace", "keep"):
        assert columns.decode(wrong, errors).to_pylist() == [None, None]
        assert columns.decode(mixed, errors).to_pylist() == [None, None, "é"]
    assert columns.encode(wrong, "path").to_pylist() == [None, None]
    assert columns.decode(["%FF"], "keep").to_pylist() == ["%FF"]
    assert columns.decode(["%FF"], "replace").to_pylist() == ["\ufffd"]
    # Arrow strings cannot have surrogate escapes.
    assert columns.decode(["%FF", "%C3%A9"], "surrogateescape").to_pylist() == [None, "é"]
    # Octets of parameters that are not UTF-8 stay percent encoded.
    given = ["?a=%FF%41&b", "?b&%FF=c", "/"]
    assert columns.query_params(given).to_pylist() == [
        [{"key": "a", "value": "%FFA"}, {"key": "b", "value": None}],
        [{"key": "b", "value": None}, {"key": "%FF", "value": "c"}],
        None,
    ]
    assert columns.query_param(given, "a").to_pylist() == ["%FFA", None, None]
    assert columns.query_param(given, "b").to_pylist() == [None, None, None]
    # A name with a lone surrogate matches no parameter.
    assert columns.query_param(["?%ED%A0%80=1&a=2"], "\ud800").to_pylist() == [None]
    assert columns.query_param(["?%FF=1&a=2", "?é=%FF"], "\udcff").to_pylist() == ["1", None]


def test_equivalent_uris_have_the_same_fingerprint_and_key() -> None:
    given = ["http://a:80/%7e", "HTTP://A:80/~", "http://a/~", "%"]
    kinds_of: dict[Any, int] = {"string": 3, "syntax": 2, "scheme": 1}
    for level, kinds in kinds_of.items():
        *numbers, none = columns.fingerprint(given, level).to_pylist()
        assert none is None
        assert len(set(numbers)) == kinds
    both = columns.fingerprint([f"x:{k}" for k in range(50)]).to_pylist()
    assert min(both) < 0 < max(both)
    # Surt keys start with the domain.
    given = ["http://b.a:80/c", "http://[::1]:1/", "http://1.2.3.4", "//b.a", "a", "x:y#z"]
    expected = ["a,b)/c", "[::1]:1)/", "1.2.3.4)/", "a,b)", None, "x:y"]
    assert columns.surt(given).to_pylist() == expected


def test_an_array_has_the_chunks_of_the_column() -> None:
    made = columns.host(["//a"] * 1234)
    assert repr(made) == "<Array of string, 1,234 rows>"
    assert (len(made), made.chunks) == (1234, 1)
    assert (len(columns.host([])), columns.host([]).chunks) == (0, 1)
    assert nanoarrow.c_schema(made).format == "u"
    # The result has the chunks of the column.
    made = columns.host(Chunks(["//a"], [], ["//b", None]))
    assert (made.chunks, len(made)) == (2, 3)
    assert read_chunks(made) == [["a"], ["b", None]]
    assert read(made) == made.to_pylist() == ["a", "b", None]
    assert read(columns.host(["//a"])) == ["a"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - ACCEPTS_STRING | {"expand"}))
def test_the_chunks_of_every_type_become_one_array(name: str, layout: Any) -> None:
    text = "http://u@a.example:80/x/y?q=1&q=%20&r#f"
    chunks: Any = ([text, None], [], ["//" + "b" * 50 + "?\xe9=1", "a b", text] * 5, [text] * 2)
    made = FUNCTIONS[name](Chunks(*chunks, layout=layout))
    rows = made.to_pylist()
    for part in (slice(0, 19), slice(1, 9), slice(1, 17), slice(3, 3), slice(5, 19)):
        assert read(made[part]) == list(chain(*read_chunks(made[part]))) == rows[part]


def test_strings_have_the_requested_layout() -> None:
    layout: Any
    function: Any
    for layout in LAYOUTS:
        # Without the kernel, results are nanoarrow arrays, which cannot export string views.
        exact = layout if _engine.compiled or layout != "string_view" else "large_string"
        given = ["http://\xfc" + "a" * 50 + ".example/", None, "x:"]
        column = strings(given, layout)
        idna = partial(columns.to_uri, host="idna")
        for function in (columns.host, idna, partial(columns.normalize, scheme=SCHEMES)):
            expected = function(given).to_pylist()
            for one in (function(given, layout=layout), function(column), function(encoded(given))):
                assert read(one) == one.to_pylist() == expected
                assert expected[1:] == [None, None if function is columns.host else "x:"]
            assert format_of(function(column)) == FORMATS[exact]
            assert format_of(function(given, layout=layout)) == FORMATS[exact]

    # A layout may be a member of an enumeration.
    class Named(enum.StrEnum):
        LARGE = "large_string"

    assert format_of(columns.host(["//a"], layout=Named.LARGE)) == "U"  # type: ignore[arg-type]


def test_all_kinds_of_string_columns_are_accepted() -> None:
    given = ["//a", None, "//" + "b" * 20, "//a"]
    expected = ["a", None, "b" * 20, "a"]
    for column in (
        iter(given),
        [IRI("http://a") if text == "//a" else text for text in given],
        *(strings(["", *given], layout)[1:] for layout in (*LAYOUTS, "z", "Z", "vz")),
        encoded(given),
        dictionary([0, 1, 2, 0], ["//a", None, given[2]], "C", "B"),
        *(table(["", *given], "a")[1:], Chunks(table(given, "a"))),
        *(nanoarrow.Array(given, nanoarrow.string()), columns.to_uri(given)),
    ):
        assert columns.host(column).to_pylist() == expected
    assert columns.host(empty("n")).to_pylist() == []
    assert columns.host(dictionary([0], [None])).to_pylist() == [None]


def test_the_kernel_is_used_if_it_is_compiled() -> None:
    assert (_buffers.kernel_of_columns() is None) == (not _engine.compiled)


def test_two_columns_may_have_different_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: Any
    monkeypatch.setattr(_execution, "ROWS_PER_THREAD", 2)
    base = Chunks([], ["http://a/"] * 3, [], ["http://b/"] * 4)
    other = Chunks(["1", "2", "3", "4", "5"], ["6", "7"], [])
    expected = [f"http://{'a' if k < 4 else 'b'}/{k}" for k in range(1, 8)]
    for threads in (1, 3):
        made = columns.resolve(base, other, threads=threads)
        assert made.to_pylist() == expected
        assert made.chunks >= 3
        assert columns.relativize(made, base).to_pylist() == [str(k) for k in range(1, 8)]
        assert columns.resolve("http://a/", other).to_pylist()[3:5] == ["http://a/4", "http://a/5"]
    # Pieces are returned in order.
    monkeypatch.setattr(_execution, "ROWS_PER_THREAD", 3)
    given = [f"//h{k}" for k in range(50)]
    for threads in (1, 2, 4, None):
        made = columns.host(given, threads=threads)
        assert made.to_pylist() == [f"h{k}" for k in range(50)]


def test_only_available_processors_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5, 6}, raising=False)
    assert _execution.count_processors() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert _execution.count_processors() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert _execution.count_processors() == 1


@pytest.mark.skipif(not _engine.compiled, reason="there is no kernel")
def test_the_kernel_returns_several_arrays_if_one_is_full() -> None:
    column = _arrow.Column(["x:" + "a" * 20] * 10)
    [piece] = _execution.align([column], [False])
    function = _execution.bind_options("to_iri", {})
    made = list(_execution.run_in_kernel(function, piece, "string", 50))
    assert [len(part) for part in made] == [2] * 5
    with pytest.raises(OverflowError, match="use large_string"):
        list(_execution.run_in_kernel(function, piece, "string", 10))


def rows_of(values: list[Any], layout: Any) -> list[int]:
    """Return the numbers of rows of the arrays that encode strings, in the kernel or without it."""
    arrays: Any = _execution.encode_buffers(values, "text", layout)
    return [one.length if isinstance(one, _buffers.ArrayBuffers) else len(one) for one in arrays]


def test_strings_that_exceed_32_bit_offsets_are_split_into_several_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def offsets(code: str, sizes: Iterable[int]) -> "array[int]":
        made = whole(code, sizes)
        if code == "i" and made[-1] > 50:
            raise OverflowError
        return made

    whole = _buffers.encode_offsets
    monkeypatch.setattr(_buffers, "encode_offsets", offsets)
    monkeypatch.setattr(_buffers, "FULL", 50)
    values = ["a" * 20] * 10
    assert rows_of(values, "string") == rows_of(values, "string_view") == [2, 1, 2, 2, 1, 2]
    assert rows_of(values, "large_string") == [10]
    with pytest.raises(OverflowError, match="use large_string"):
        list(_execution.encode_buffers(["a", "a" * 60], "text", "string"))


def test_a_list_beyond_32_bit_offsets_becomes_large_string(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_arrow, "FULL", 3)
    for rows, layout in ((["ab", None, "c"], "string"), (["ab", None, "cd"], "large_string")):
        assert _arrow.encode_strings(rows)[0] == layout
        assert _arrow.Column(rows).chunks[0].strings[0:3] == rows


def test_a_list_is_encoded_alike_with_and_without_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    class Text(str):
        __slots__ = ()

    rows: list[object] = ["a", None, "\xe9", "\ud800", "\udcff", URI("a:b"), IRI("a:\xe9")]
    rows += [Text("x"), "", "\U0001f600", "x" * 20_000, *["", "b"] * 20_000]
    for given in (rows, tuple(rows), iter(rows), [None], [""], []):
        given_rows = list(given)
        layout, strings = _arrow.encode_strings(given_rows)
        found = strings[0 : len(given_rows)]
        with monkeypatch.context() as patch:
            patch.setattr(_arrow, "kernel_of_columns", lambda: None)
            expected_layout, expected = _arrow.encode_strings(given_rows)
            assert (layout, found) == (expected_layout, expected[0 : len(given_rows)])
    expected_error = r"^row 1: expected a str or a URI, not bytes: decode it first$"
    with pytest.raises(TypeError, match=expected_error):
        columns.host(["a", b"b"])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", None, "b" * 20, ""], "text"),
        ([True, None, False, True, True, False, True, True, True], "flag"),
        *(([1, None, -(2**63), 2**63 - 1], "number"), ([1, None, -(2**31), 2**31 - 1], "position")),
        *(([[0, 1, 2, 3, 4, 5, 6, 7], None], "bounds"), ([["a", "b" * 20], None, []], "texts")),
        *(([{"a": "b", "c": None}, None, {}], "pairs"), ([{"a": "b", "c": None}, None, {}], "map")),
        *(([{}, None], "pairs"), ([], "pairs"), ([], "texts"), ([], "text")),
    ],
)
@pytest.mark.parametrize("layout", ["string", "large_string"])
def test_encoded_values_can_be_decoded(values: list[Any], kind: Any, layout: Any) -> None:
    schema = nanoarrow.c_schema(_arrow.create_type(kind, layout))
    given = [list(row.items()) if isinstance(row, dict) else row for row in values]
    made = Array(
        kind, schema, [_arrow.create_array(schema, _buffers.encode_values(given, kind, layout))]
    )
    if kind == "pairs":
        values = [row and [{"key": key, "value": row[key]} for key in row] for row in values]
        values = [[] if row == {} else row for row in values]
    assert read(made) == made.to_pylist() == values


def test_buffers_have_the_form_of_arrow() -> None:
    assert _buffers.encode_view(b"a" * 12, 5) == struct.pack("<i12s", 12, b"a" * 12)
    assert _buffers.encode_view(b"abcde" * 3, 5) == struct.pack("<i4sii", 15, b"abcd", 0, 5)
    assert _buffers.encode_view(b"", 5) == bytes(16)
    # A bitmap starts with the least significant bit.
    assert _buffers.pack_bits([]) == b""
    assert (
        _buffers.pack_bits([True, False, False, False, False, False, False, False, True]) == b"\1\1"
    )
    assert _buffers.encode_validity([True, True]) == (0, None)
    assert _buffers.encode_validity([True, False]) == (1, b"\1")
    # Offsets start at zero.
    assert list(_buffers.encode_offsets("i", [])) == [0]
    assert list(_buffers.encode_offsets("q", [2**31, 1])) == [0, 2**31, 2**31 + 1]
    with pytest.raises(OverflowError):
        _buffers.encode_offsets("i", [2**31])
    # Buffers of views hold long strings once.
    views, data, sizes = _buffers.encode_text_buffers([b"a", None, b"b" * 20], "string_view")
    assert (len(views), bytes(data), list(sizes)) == (48, b"b" * 20, [20])


def test_other_uris_may_be_relative() -> None:
    function: Any
    for function in (columns.is_same_origin, columns.is_same_site):
        assert function(["http://a/"], ["a"]).to_pylist() == [False]
    # The other reference of then may be relative.
    assert columns.then(["http://a/b"], "c").to_pylist() == ["http://a/c"]
    # Equal references are resolved against the base of their row.
    found = columns.resolve(["http://a/", "http://b/", "http://a/"], encoded(["c", "c", "c"]))
    assert found.to_pylist() == ["http://a/c", "http://b/c", "http://a/c"]
    # An invalid base for all rows is rejected.
    for function in [columns.resolve, lambda base, other: columns.relativize(other, base)]:
        for base in ["a b", "rel", URIReference("/a")]:
            for given in ([], ["c"]):  # The base is checked even if there are no rows.
                with pytest.raises(URIError):
                    function(base, given)
            assert function([str(base)], ["c"]).to_pylist() == [None]


def counted(column: Any, base: list[str] | None = None) -> tuple[list[str | None], list[str]]:
    """Return the results for a column, and the values passed to the scalar equivalent."""
    called: list[str] = []

    def row(*texts: str) -> str:
        called.append(texts[-1])
        return texts[-1].upper()

    # The kernel also calls the scalar equivalent for domain names that are not ASCII.
    function = _execution.Call("text", row, "to_uri", None if base else (True,))
    given = [column] if base is None else [encoded(base), column]
    made = _execution.execute_call(function, *given, layout=None, threads=1)
    return made.to_pylist(), called


def test_each_value_of_a_dictionary_is_processed_once() -> None:
    column = dictionary([1, 0, None, 1, 2, 1, 0, 2], ["//\xe9", "//\xfc", None, "//unused"])
    expected = ["//\xdc", "//\xc9", None, "//\xdc", None, "//\xdc", "//\xc9", None]
    assert counted(column) == (expected, ["//\xfc", "//\xe9"])
    assert counted(column[2:6]) == (expected[2:6], ["//\xfc"])
    assert counted(Chunks(column[:4], column[4:]))[0] == expected
    # Values without a row are not processed.
    column = dictionary([7, 7, 3], [f"//\xe9{number}" for number in range(1000)])
    made, called = counted(column)
    assert (made, set(called)) == (["//\xc97", "//\xc97", "//\xc93"], {"//\xe97", "//\xe93"})
    assert counted(column[1:1]) == ([], [])
    # Neither is a pair of values that came before.
    pairs = dictionary([0, 1, 0, 1], ["a", "b"])
    assert counted(pairs, ["x", "x", "x", "y"]) == (["A", "B", "A", "B"], ["a", "b", "b"])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_dictionary_columns_have_the_same_results_as_plain_columns(name: str, layout: Any) -> None:
    values = ["http://a:8/b?c=d&e#" + "f" * 40, "a b", None, "x:?a=%FF", "http://\xe9/", "", "?a"]
    numbers = [*range(7), None, *range(6, -1, -1)] * (1 if name in ACCEPTS_STRING else 3)
    rows = [None if number is None else values[number] for number in numbers]
    column, last = dictionary(numbers, values), 1 if name in ACCEPTS_STRING else None
    made = FUNCTIONS[name](column[:last], **({} if name in WITHOUT_STRINGS else {"layout": layout}))
    assert list(chain(*read_chunks(made))) == made.to_pylist()
    assert made.to_pylist() == FUNCTIONS[name](rows[:last]).to_pylist()


def broken_columns() -> Iterator[Column]:
    for code, ends in (("u", (0, 6, 3)), ("u", (-1, 3, 6)), ("U", (0, 6, 3))):
        column = Column()
        places = column.numbers("i" if code == "u" else "q", *ends)
        column.add(code, 2, None, places, column.octets(b"//a//b"))
        yield column
    column = Column()
    views = column.octets(struct.pack("<i12s", -1, b"") * 2)
    column.add("vu", 2, None, views, column.octets(b"//a"), column.numbers("q", 3))
    yield column
    yield dictionary([-1], ["//a"], "c", "b")
    column = table(["//a"], "a")
    column.arrays[-1].length = 9
    yield column


def test_a_column_with_rows_outside_its_buffers_is_rejected() -> None:
    for column in broken_columns():
        for function in (columns.host, partial(columns.to_uri, host="idna")):
            with pytest.raises(ValueError, match="invalid Arrow data in the column"):
                function(column)


def test_query_param_needs_no_other_import() -> None:
    code = r"from uriverse import columns; columns.query_param(['http://a/?b'], '\ud800')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("glob", ["\udcff", "?", "[\udcff]"])
def test_globs_that_the_kernel_does_not_support_select_parameters(glob: str) -> None:
    assert columns.filter_params(["a:?bc&%FF&d"], drop=[glob, "d"]).to_pylist() == ["a:?bc"]
