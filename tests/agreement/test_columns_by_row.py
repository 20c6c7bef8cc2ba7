"""A row's result depends on that row and on the options of this call, and on nothing else.

The registry provides the functions and their options, so that a new function is tested without any
change here. Each result is compared with that of the row function, and row functions with methods.
The fuzz target `arrow` does so for any string.
"""

import gc
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from ipaddress import IPv4Address, IPv6Address
from itertools import pairwise, product
from operator import attrgetter
from random import Random
from typing import Any

import duckdb
import nanoarrow
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from amounts import scaled
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import texts

import uriverse
from compare_conformance.mutants import mutants
from uriverse import IRI, SCHEMES, URI, IRIReference, Policy, _engine, columns, hosts, percent
from uriverse._errors import URIError
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse.columns import Array, _execution
from uriverse.columns._checks import ALL_FIELDS
from uriverse.columns._execution import run_function
from uriverse.columns._reference import xxh64
from uriverse.columns._registry import FUNCTIONS, SECOND_INPUTS, ColumnFunction, Option
from uriverse.diagnosis._findings import PROFILES
from uriverse.hosts._scopes import load_blocks
from uriverse.suffixes import Suffixes

Rows = list[str | None]

SUFFIXES = Suffixes()
LAYOUTS: tuple[Any, ...] = ("string", "large_string", "string_view")
needs_kernel = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")


#: Components for which some scheme or function has special rules.
STARTS = (
    *("http:", "https:", "HTTP:", "ws:", "wss:", "ftp:", "file:", "FILE:", "urn:", "urn:isbn:"),
    *("mailto:", "data:", "tel:", "sip:", "x:", "news:", "git+ssh:", "", "%41:", "\xe9:", "1:"),
)
AUTHORITIES = (
    *("", "", "//", "//h", "//H.Example", "//localhost", "//LOCALHOST", "//%4cocalhost", "//u@h"),
    *("//u:p@h", "//@h", "//h:", "//h:80", "//h:0080", "//h:443", "//h:0", "//h:00", "//h:000021"),
    *("//h:65536", "//h:9223372036854775807", "//h:9223372036854775808", "//[::1]", "//[::A]:80"),
    *("//[1:2:3:4:5:6:7:8]", "//[1::0:0:8]", "//[::ffff:1.2.3.4]", "//[v1.a:B]", "//[V1.a]"),
    *("//[::1", "//[]", "//127.0.0.1", "//1.2.3.4.5", "//1.2.3.256", "//01.2.3.4", "//a.b.c."),
    *("//.", "//a..b", "//b\xfccher.example", "//%C3%BC", "//%c3%bc.Example", "//%FF", "//xn--a"),
    *("//xn--bcher-kva.example", "//a%20b", "//h:a", "//\U0001f600", "//\u202e", "///", "////"),
    *("//www.a.example", "//a-b.c", "//-a.b", "//a.b-", "//a--b.c", "//a_b.c", "//a.1", "//a.1b"),
    *("//10.1.2.3:8080", "//[2001:db8::1]", "//[64:ff9b::1.2.3.4]", "//" + "a" * 70 + ".b"),
)
PATHS = (
    *("", "/", "/a", "a", "a/b", ".", "..", "../a", "./a", "/./a/../b", "/a/..", "/%7e", "/%7E"),
    *("/%41%2f", "/%c3%a9", "/\xe9", "/%E2%80%AE", "/\u202e", "/%FF", "/%f0%9f%98%80", "/%e", "/%"),
    *("/a./b", "/a../b", "/a.", "/..a", "/.//a", "/a--b", "/a%2Db", "/" + "a" * 45 + "./b"),
    *("//a", "/a//b", "/C:/a", "/c|/a", "a:b", ".//a", "isbn:0451450523", "a@b.example", "me@B"),
    *("text/plain,a", "text/plain;base64,YQ==", "+1-201-555-0123", "/\ue000", "/a b", "/\ud800"),
    *("/\udcff", "/" + "a" * 70, "/" + "a" * 62 + "\xe9", "/" + "a" * 15, "/a" * 40 + "/.."),
)
QUERIES = (
    *("", "", "?", "?x", "?x=", "?x=1", "?x=1&x=2", "?y&x=a+b", "?x=%41%7e", "?x=%ff", "?%78=1"),
    *("?&&x=1&", "?=1", "?=", "?x=\xe9", "?\xe9+%2B=1", "?%C3%A9+%2b=2", "?x=\ue000", "?x=a=b"),
    *("?x=%E2%82", "?x=1;y=2", "?x=" + "a" * 20, "?x= ", "?%", "?x=%0", "?[", "?" + "&x" * 9),
    *("?b&a&x", "?b=2&%61=1&b=1", "?&b&a", "?a+b&a%20b", "?a%20b&a+b=1", "?%FF&%25FF"),
    *("?x&y&x&z&x", "?token=a@b"),
    "?" + "&".join(f"{number % 7}" for number in range(70)),
)
FRAGMENTS = ("", "", "#", "#a", "#a#b", "#%7e", "#\xe9", "#%C3%A9", "#%")
KINDS_OF_PARTS = (STARTS, AUTHORITIES, PATHS, QUERIES, FRAGMENTS)

#: Strings that take different paths through the kernel. `~` is replaced by a letter, so that rows
#: differ in their content, but not in their length or position.
TEMPLATES = (
    *("http://a~.example/~", "HTTP://A~.Example:080/%7e~/./x?Q~=1#~", "https://h~/?x=~&y&x=2#f"),
    *("http://\xfc~.example/\xe9~?x=\xe9~", "http://h/~%C3%A9%E2%82%AC?x=~%FF&~&y=%C3%A9", "../~"),
    *("http://h/?~&y&z&%FF~=1&x=~%FF", "http://h/%FF~?x&y&~=%FF", "?~=1&x=~+a%20b", "", "/~/../b"),
    *("http://me:pw~@h/?token=~&b=~", "http://[::~%41]/", "http://h b~/", "~ %zz", "http:/h~/x"),
    *("http://[2001:DB8::A:1]/~", "//H~:81/~", "file:///%7e~", "urn:isbn:~%3a", "x:~/a/../b"),
    *("mailto:~@b.example", "data:,~", "%~", "http://1.2.3.4:8~/", "http://h:99999999999999999999"),
    "http://h/" + "long/" * 9 + "~?x=" + "y" * 20 + "~",
    *("http://b\xfccher~.example/" + "\U0001f600" * 5 + "~", "//\xe9/~%C3%A9", "/%7e~?%C3%A9=\xe9"),
)
MUTANTS = tuple(mutants(8, 1000))

#: A few rows of every kind.
SAMPLE: Rows = [
    *("http://Example.org:80/a?x=1&y=%41#z", None, "a b", "", None, "urn:isbn:0451450523"),
    "//h:0080/" + "p" * 30 + "?x=%7e" + "q" * 30,
    *("?x=%ff&b&&c=d+e", "file://localhost/%7ea", "x:" + "a" * 11),
    "https://b\xfccher.example/" + "\xe9" * 20 + "?x=" + "\xe9" * 20,
    "http://[::ffff:1.2.3.4]:443/../a/./b?x=a%20b%20c%20d%20e%20f%20g#" + "f" * 40,
]


def compositions(random: Random, count: int) -> Rows:
    """Return strings of a random value for each component, and templates with equal lengths."""
    rows: Rows = [None, *("".join(map(random.choice, KINDS_OF_PARTS)) for _ in range(count))]
    rows += [text.replace("~", random.choice("abAz9")) for text in TEMPLATES]
    rows += [*random.sample(MUTANTS, count // 4), *(f"x:{query}" for query in QUERIES)]
    random.shuffle(rows)
    return rows


def any_string() -> st.SearchStrategy[str | None]:
    composed = st.tuples(*map(st.sampled_from, KINDS_OF_PARTS)).map("".join)
    letters = st.builds(
        str.replace, st.sampled_from(TEMPLATES), st.just("~"), st.sampled_from("abAz9")
    )
    return st.one_of(st.none(), composed, letters, texts(), st.sampled_from(MUTANTS))


def is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


#: Many names, of which none is an encoded form of another; and more than the kernel compares.
MANY = ["x", "y", "\xe9 +", "", "z", "w"]
TOO_MANY = [*MANY, *map(str, range(64))]
RULES = ["*.example", "http://a/", "https://example.org/*/b", "http://127.0.0.1", "http://h"]
ROUTES = "page = '{scheme}://{host}/{+path}{?x}'\nempty = ''"
MORE_ROUTES = "\n".join(f"r{n} = 'http://{{host}}/{n}/{{a}}'" for n in range(65)) + "\nx = '/{a}'"

#: The values of options that are neither flags nor choices, by their names or their types.
VALUES: dict[str, tuple[Any, ...]] = {
    "dot_segments": (True, False, "all"),
    "fields": (ALL_FIELDS, columns.FIELDS, ("path",), ("error", "error_position"), ("bounds",)),
    "name": ("x", "\xe9 +", "", "\udcff", "%&=", "y"),
    "policy": (
        *("", "scopes = 'any'", Policy.public_web(), Policy(allow=RULES, deny=["*.b.example"])),
        *(Policy(allow=RULES, restrictions=[Policy(allow=RULES[:3])] * n) for n in (1, 9)),
    ),
    "template": (
        *("{scheme}://{host}/{+path}{?x,q*}", "http://{+rest}", "/{%7e}{?y}", "/{a}"),
        *("{+before}-{after}", "http://{host}/x{/path*}{?q}{#f}"),
    ),
    "names": (["x", "%FF", "y"], ["a b"], ("\xe9", "~", "a", "b", "c", "x"), (), MANY, TOO_MANY),
    "keep": ("*", "x", ["[xy]", "\xe9"], (), ("x", "\xe9*"), "[!x]*", "**", "a b", TOO_MANY),
    "drop": ("?", (), ["y*", "x"], ["*x", "?"], "[", ["*x*", "*\xe9*+", "a*b*c"], ["\udcff"]),
    "value": ("1", ["a b", None], "\xe9", "", None, [], b"\xff", ["1"] * 3, MANY * 3, 2),
    "scheme, str | None": ("https", None, "HTTP", "x+1"),
    "host, Host | None": ("a.example", "::1", "\xe9", None, "[::1]", "%C3%BC", ""),
    "port": (8080, "", None, 0, "080", 2**70),
    "router": (ROUTES, MORE_ROUTES),
    "bool | Registry": (True, False, SCHEMES),
    "str | None": (None, "https"),
    "suffixes": (None,),
}


def values_of(option: Option) -> tuple[Any, ...]:
    if option.type == "bool":
        return (True, False)
    both = VALUES.get(f"{option.name}, {option.type}")
    values = option.choices or both or VALUES.get(option.name) or VALUES.get(option.type)
    assert values, f"add values of the option {option.name!r} to VALUES in {__file__}"
    return values


def list_options(name: str, most: int) -> list[dict[str, Any]]:
    """List combinations of options; each value of an option is in one of the first."""
    options = FUNCTIONS[name].options
    values = [values_of(option) for option in options]
    count = max(map(len, values), default=1)
    combinations = [[row[i % len(row)] for row in values] for i in range(count)]
    random = Random(name)
    combinations += [[random.choice(row) for row in values] for _ in range(most - count)]
    names = [option.name for option in options]
    return [dict(zip(names, row, strict=True)) for row in combinations]


def as_decoded(text: str) -> str:
    """Return a row as Python decodes it: bytes that are not UTF-8 become surrogate escapes."""
    return text.encode(errors="surrogatepass").decode(errors="surrogateescape")


def answers(name: str, options: Mapping[str, Any], *inputs: Rows) -> list[Any]:
    """Return the result of the row function for each row, as Arrow represents it."""
    function = FUNCTIONS[name]
    checked = function.check_options(options)
    return [
        None if None in row else in_arrow(function, function.row(*map(as_decoded, row), **checked))
        for row in zip(*inputs, strict=True)
    ]


def in_arrow(function: ColumnFunction, value: Any) -> Any:
    match function.result:
        case _ if value is None:
            return None
        case "pairs":
            return [{"key": name, "value": data} for name, data in value]
        case "map":
            return dict(value)
        case "match_fields":
            return {name: pairs_in(data) for name, data in value.items()}
        case "fields" if value.get("bounds"):
            return value | {"bounds": list(value["bounds"])}
    return value


def pairs_in(data: Any) -> Any:
    """Return a value of a template, with each pair as Arrow represents it."""
    if not data or not isinstance(data, list | tuple) or isinstance(data[0], str | None):
        return list(data) if isinstance(data, tuple) else data
    return [{"key": key, "value": value} for key, value in data]


def call(name: str, options: Mapping[str, Any], *inputs: Any, **more: Any) -> Array:
    in_order = inputs[::-1] if FUNCTIONS[name].inputs[-1] in SECOND_INPUTS else inputs
    return run_function(name, in_order, options, **more)


def check_values(array: Array) -> list[Any]:
    """Return the values of an array, after comparing `to_pylist` with what PyArrow reads."""
    values = array.to_pylist()
    assert len(values) == len(array)
    read = pa.chunked_array(array)
    read.validate(full=True)
    assert read.to_pylist(maps_as_pydicts="strict") == values
    # The reference implementation exports through nanoarrow, which omits empty chunks.
    assert read.num_chunks == array.chunks or not values
    assert read.null_count == values.count(None)
    return values


def bases_of(rows: Rows, seed: int = 4) -> Rows:
    """Return another row, or a base, for each row."""
    others = [f"http://h{letter}.example/{letter}/d?{letter}" for letter in "abc"]
    others += ["", "b", "http://a b.exampl/a/d?", "HTTP://h/%7e/..", "http://a", "HTTP://A:80"]
    random = Random(seed)
    return [random.choice([*others, None, row, random.choice(rows)]) for row in rows]


def inputs_of(name: str, rows: Rows) -> list[Rows]:
    return [bases_of(rows), rows] if FUNCTIONS[name].second else [rows]


def defaults_of(name: str) -> dict[str, Any]:
    return {option.name: values_of(option)[0] for option in FUNCTIONS[name].options}


@cache
def answers_of_sample(name: str) -> list[Any]:
    return answers(name, defaults_of(name), *inputs_of(name, SAMPLE))


def call_sample(
    name: str, make: Callable[[Rows], Any] = list, times: int = 1, **more: Any
) -> Array:
    inputs = [make(rows * times) for rows in inputs_of(name, SAMPLE)]
    return call(name, defaults_of(name), *inputs, **more)


def layouts_of(name: str) -> tuple[Any, ...]:
    return LAYOUTS if FUNCTIONS[name].has_strings else (None,)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_row_has_the_answer_of_the_row_function(name: str) -> None:
    random = Random(name)
    every = list_options(name, 8)
    # The first options follow again after all others.
    for k, options in enumerate([*every, every[0]]):
        inputs = inputs_of(name, compositions(random, 80))
        given = list(inputs) if k % 2 else [dictionary(rows) for rows in inputs]
        expected = answers(name, options, *inputs)
        for row, got, wanted in zip(
            inputs[-1], check_values(call(name, options, *given)), expected, strict=True
        ):
            assert got == wanted, (options, ascii(row))


@pytest.mark.slow
@needs_kernel
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_kernel_and_the_reference_implementation_give_equal_columns(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = inputs_of(name, [*compositions(Random(9), 1500), *MUTANTS])
    for options in list_options(name, 20):
        with monkeypatch.context() as patch:
            got = call(name, options, *inputs).to_pylist()
            patch.setattr(_execution, "compiled", False)
            assert got == call(name, options, *inputs).to_pylist(), options


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].second])
def test_a_base_of_the_same_length_replaces_the_base_before(name: str) -> None:
    options = defaults_of(name)
    bases: Rows = ["http://a/b/c", "http://x/y/z", "http://a b/c", "http://x/y/z", None, "m:a@b"]
    rows: Rows = ["http://a/b/d", "http://x/y/w"] * 2
    for (first, second), kind in product(product(bases, bases), COLUMNS):
        column = [first, second, second, first]
        made = check_values(call(name, options, kind(column), kind(rows)))
        assert made == answers(name, options, column, rows), column


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].second])
def test_a_single_base_is_used_for_every_row(name: str) -> None:
    function, options = FUNCTIONS[name], defaults_of(name)
    for base in ("http://a/b;c/d?e#f", "HTTP://EXAMPLE.org:080", "urn:a", "http://b\xfccher/"):
        expected = answers(name, options, [base] * len(SAMPLE), SAMPLE)
        for column, given_base in product((SAMPLE, chunks(SAMPLE)), (base, IRI(base))):
            assert check_values(call(name, options, given_base, column)) == expected
    for wrong in ("%", *([] if function.relative_other else ["b"])):
        with pytest.raises(URIError):
            call(name, options, wrong, SAMPLE)


@needs_kernel
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "discarded", ["?%FF", "?a&b&c&d=%FF", "?a=1&b&c=%FF", "?" + "a&" * 40 + "b=%FF"]
)
def test_the_answer_of_the_row_function_replaces_all_that_the_kernel_wrote(
    discarded: str, layout: Any
) -> None:
    # The kernel writes the parameters up to "%FF", and then calls the row function.
    def row(text: str) -> Any:
        return {discarded: None, "?again=%FF": [("a", "1"), ("b", None)]}[text]

    function = _execution.Call("pairs", row, "query_params", ())
    kept = "&".join(f"k{number}={number}" for number in range(50))
    given = ["?x&y=2", discarded, f"?{kept}", discarded, "?again=%FF", "?z"]
    made = pa.chunked_array(_execution.execute_call(function, given, layout=layout))
    made.validate(full=True)
    pairs = [
        None if row is None else [(p["key"], p["value"]) for p in row] for row in made.to_pylist()
    ]
    assert pairs[:2] == [[("x", None), ("y", "2")], None]
    assert pairs[2:4] == [[(f"k{number}", str(number)) for number in range(50)], None]
    assert pairs[4:] == [[("a", "1"), ("b", None)], [("z", None)]]


def identifier(text: str) -> IRIReference | None:
    try:
        return uriverse.parse(text)
    except URIError:
        return None


def value_or_none(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except URIError:
        return None


def with_invalid_utf8_encoded(data: str) -> str:
    """Return the data of a parameter; bytes that are not UTF-8 are percent-encoded."""
    return percent.decode(percent.encode(data, "unreserved"), "keep")


def int64_or_none(value: int | None) -> int | None:
    return value if value is None or value < 2**63 else None


def reversed_host(value: IRIReference) -> str | None:
    name = value.hostname
    is_name = name is not None and value.host_kind == "reg-name"
    return ".".join(str(name).split(".")[::-1]) if is_name else name


def surt(value: IRIReference) -> str | None:
    form = value.to_uri().normalize(scheme=True)
    if not form.host:
        return None if form.scheme is None else str(form).partition("#")[0]
    name = form.host
    if form.host_kind == "reg-name":
        name = ",".join(name.split(".")[::-1])
    port = "" if form.port_text is None else f":{form.port_text}"
    query = "" if form.query is None else f"?{form.query}"
    return f"{name}{port}){form.path}{query}"


def pairs(value: IRIReference) -> list[tuple[str, str | None]] | None:
    """Return the decoded names and values; the value is None if the parameter has no "="."""
    raw = [written for _, written in value.params.raw_items()]
    rows = zip(value.params.items(), raw, strict=True)
    as_text = with_invalid_utf8_encoded
    found = [(as_text(n), None if w is None else as_text(data)) for (n, data), w in rows]
    return None if value.query is None else found


def fingerprint(value: IRIReference) -> int:
    key = xxh64(value.comparison_key("string").encode())
    return key - 2**64 if key >= 2**63 else key


def same_site(value: IRIReference, other: IRIReference) -> bool:
    if value.origin is None or other.origin is None:
        return False
    first, second = URI(value.origin), URI(other.origin)
    domains = [SUFFIXES.registrable_domain(one) for one in (first, second)]
    names = domains if domains[0] or domains[1] else [first.host, second.host]
    return first.scheme == second.scheme and names[0] == names[1]


#: Methods of identifiers, with the options of the column functions that have the same results.
METHODS: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    **{
        name: (attrgetter(name), {})
        for name in (
            *("scheme", "userinfo", "path", "query", "fragment", "path_and_query", "host_kind"),
            *("host", "hostname", "origin"),
        )
    },
    "port": (lambda value: int64_or_none(value.port), {}),
    "effective_port": (lambda value: int64_or_none(value.effective_port), {}),
    "reversed_host": (reversed_host, {}),
    "surt": (surt, {}),
    "fingerprint": (fingerprint, {"level": "string"}),
    "username": (lambda v: v.username and with_invalid_utf8_encoded(v.username), {}),
    "name": (lambda value: with_invalid_utf8_encoded(value.name), {}),
    "suffix": (lambda value: with_invalid_utf8_encoded(value.suffix), {}),
    "path_segments": (lambda value: [*map(with_invalid_utf8_encoded, value.segments)], {}),
    "path_depth": (lambda value: sum(map(bool, value.path.split("/"))), {}),
    "display": (lambda value: value.display(), {}),
    "query_params": (pairs, {}),
    "param_names": (lambda v: None if pairs(v) is None else [*dict(pairs(v) or [])], {}),
    "params": (lambda v: None if pairs(v) is None else dict((pairs(v) or [])[::-1]), {}),
    "param_values": (
        lambda v: None if pairs(v) is None else [d for n, d in pairs(v) or [] if n == "x"],
        {"name": "x"},
    ),
    "ip": (lambda value: value.ip and str(value.ip), {}),
    "scope": (lambda value: value.ip and hosts.scope(value.ip), {}),
    "special_use": (
        lambda v: hosts.special_use(v.host or "") if v.host_kind == "reg-name" else None,
        {},
    ),
    "normalize": (lambda value: str(value.normalize(scheme=True)), {"scheme": True}),
    "to_uri": (lambda value: str(value.to_uri(host="idna")), {"host": "idna"}),
    "to_iri": (lambda value: str(value.to_iri(host="idna")), {"host": "idna"}),
    "without_params": (lambda value: str(value.without_params("x")), {"names": "x"}),
    "with_port": (lambda value: str(value.with_port("080")), {"port": "080"}),
}

#: The same for two identifiers.
METHODS_OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "is_same_origin": lambda value, other: value.is_same_origin(other),
    "is_same_site": same_site,
    "then": lambda other, value: str(value.then(other)),
    "resolve": lambda base, other: str(base.resolve(other)) if base.scheme else None,
    "relativize": lambda base, target: (
        str(target.relative_to(base)) if base.scheme and target.scheme else None
    ),
}


def rows_of_texts(seed: int, count: int) -> Iterator[str]:
    return (row for row in compositions(Random(seed), count) if row is not None and is_unicode(row))


@pytest.mark.parametrize("name", METHODS)
def test_a_row_function_equals_the_method(name: str) -> None:
    method, options = METHODS[name]
    function = FUNCTIONS[name]
    checked = function.check_options(options)
    for text in rows_of_texts(5, 300):
        value = identifier(text)
        expected = None if value is None else value_or_none(partial(method, value))
        found = function.row(text, **checked)
        found = dict(found) if function.result == "map" and found is not None else found
        assert found == expected, ascii(text)


@pytest.mark.parametrize("name", METHODS_OF_TWO)
def test_a_row_function_of_two_strings_equals_the_method(name: str) -> None:
    texts_given = list(rows_of_texts(6, 300))
    function = FUNCTIONS[name]
    checked = function.check_options({})
    for one, other in zip(texts_given, bases_of([*texts_given]), strict=True):
        value, second = identifier(one), identifier(other or "")
        is_valid = value is not None and second is not None
        ask = partial(METHODS_OF_TWO[name], second, value)
        expected = value_or_none(ask) if is_valid else None
        assert function.row(other or "", one, **checked) == expected, (ascii(one), other)


def test_a_special_use_domain_is_found_at_the_end_of_a_host() -> None:
    forms = ["{}", "{}.", "{}..", "A.b.{}", ".{}", "x{}", "{}.x", "%6{}", "{}%2E", "ü.{}", "{}:1"]
    names = [*SPECIAL_USE_NAMES, "example.dev", "com", "a"]
    given: Rows = [f"//{form.format(name)}/" for name in names for form in forms]
    given += [row and row.upper() for row in given]
    assert check_values(columns.special_use(given)) == answers("special_use", {}, given)


def test_a_finding_that_the_profile_disables_flags_no_row() -> None:
    for text, profile in product(("x:a", "http://u@h/"), PROFILES):
        flagged = columns.is_flagged([text], profile).to_pylist()
        assert flagged == [bool(uriverse.check(text, profile))], (text, profile)


def test_the_scope_of_an_address_is_that_of_its_most_specific_block() -> None:
    numbers = {
        (version, (prefix << bits - length) + number)
        for version, bits in ((4, 32), (6, 128))
        for length, scopes in load_blocks(version)
        for prefix in scopes
        for number in (-1, 0, 1, (1 << bits - length) - 1, 1 << bits - length)
    }
    addresses = [
        IPv4Address(number) if version == 4 else IPv6Address(number)
        for version, number in numbers
        if 0 <= number < 1 << (32 if version == 4 else 128)
    ]
    rows = [f"//[{one}]" if one.version == 6 else f"//{one}" for one in addresses]
    assert columns.scope(rows).to_pylist() == [hosts.scope(one) for one in addresses]
    assert columns.ip(rows).to_pylist() == [str(one) for one in addresses]


#: Pairs of URIs whose origins differ in one part, or are written in two ways.
ORIGINS = (
    *("http://a", "HTTP://A", "https://a", "http://b", "http://a:80", "https://a:443", "http://ab"),
    *("http://a:0080", "http://a:", "http://a:81", "http://a:0", "http://a:00", "http://u@a/"),
    *("ws://a", "ftp://a", "//a", "http:", "http://[::1]", "http://[0::1]", "http://127.0.0.1"),
    *("http://%61", "http://\xe9", "http://xn--9ca", "file://a", "%", ""),
)


@pytest.mark.parametrize("name", ["is_same_origin", "is_same_site"])
def test_every_pair_of_origins_is_compared_as_by_the_row_function(name: str) -> None:
    first, second = ([*rows] for rows in zip(*product(ORIGINS, ORIGINS), strict=True))
    expected = answers(name, defaults_of(name), first, second)
    assert check_values(call(name, defaults_of(name), first, second)) == expected


def test_a_map_contains_a_name_once_however_it_is_encoded() -> None:
    given: Rows = [
        *("?a&%61=1&a+b=2&a%20b&%61=3", "?%FF=1&%25FF=2&%ff=3", "?=1&=2&&=", "?\xe9&%C3%A9=1&%E9"),
        *("?" + "&".join(f"{n % k}={n}" for n in range(90)) for k in (1, 7, 89)),
    ]
    assert check_values(columns.params(given)) == answers("params", {}, given)


# --- types of input columns (`test_engines_alike.py` has all Arrow types)


def sliced(rows: Rows, kind: Any = None, before: int = 3) -> Any:
    """Return a slice of an array, so that the rows start and end inside its buffers."""
    whole = pa.array(["//before"] * before + rows + [None, "//after"], kind or pa.string())
    return whole.slice(before, len(rows))


def chunks(rows: Rows, kind: Any = None, ends: tuple[int, ...] = (0, 1, 1, 5)) -> Any:
    """Return a chunked array whose chunks end at some rows; equal ends give an empty chunk."""
    places = [0, *(min(end, len(rows)) for end in sorted(ends)), len(rows)]
    parts = [sliced(rows[start:end], kind, start % 11) for start, end in pairwise(places)]
    return pa.chunked_array(parts, kind or pa.string())


def dictionary(rows: Rows, index: Any = None) -> Any:
    """Return a dictionary column in which some nulls are null indices, and some null values."""
    if not all(row is None or is_unicode(row) for row in rows):
        return list(rows)
    values = ["//unused", None, *dict.fromkeys(row for row in rows if row is not None)]
    numbers = [
        (None if place % 2 else 1) if row is None else values.index(row)
        for place, row in enumerate(rows)
    ]
    indices = pa.array([0, *numbers, 0], index or pa.int16())
    return pa.DictionaryArray.from_arrays(indices, sliced(values)).slice(1, len(rows))


def relation(rows: Rows) -> Any:
    table = pa.table({"row": range(len(rows)), "text": pa.array(rows, pa.string())})
    return duckdb.from_arrow(table).order("row").project("text")


KINDS = (pa.string(), pa.large_string(), pa.string_view())
INDICES = [getattr(pa, f"{sign}int{size}")() for sign in ("", "u") for size in (8, 16, 32, 64)]
MAKERS: tuple[Callable[[Rows], Any], ...] = (list, dictionary)
COLUMNS: tuple[Callable[[Rows], Any], ...] = (
    list,
    sliced,
    chunks,
    partial(chunks, kind=pa.string_view()),
    dictionary,
)

#: Functions that turn rows into each type of input that column functions accept.
INPUTS: dict[str, Callable[[Rows], Any]] = {
    "list": list,
    "tuple": tuple,
    "iterator": lambda rows: (row for row in rows),
    "identifiers": lambda rows: [row if row is None else identifier(row) or row for row in rows],
    "dictionary": dictionary,
    **{f"array of {kind}": partial(pa.array, type=kind) for kind in KINDS},
    **{f"slice of {kind}": partial(sliced, kind=kind, before=13) for kind in KINDS},
    **{f"chunks of {kind}": partial(chunks, kind=kind) for kind in KINDS},
    **{f"dictionary of {index}": partial(dictionary, index=index) for index in INDICES},
    "chunks of dictionaries": lambda rows: pa.chunked_array(
        [dictionary(rows[k : k + 4], pa.int8()) for k in range(0, 99, 4)]
    ),
    "table": lambda rows: pa.table({"text": pa.array(rows)}),
    "sliced table": lambda rows: pa.table({"text": sliced(rows)}).slice(0),
    "record batch": lambda rows: pa.record_batch({"text": sliced(rows, before=9)}),
    "struct": lambda rows: pa.StructArray.from_arrays([pa.array(["", *rows, ""])], ["text"]).slice(
        1, len(rows)
    ),
    "struct of a dictionary": lambda rows: pa.StructArray.from_arrays(
        [dictionary(["", *rows, ""], pa.uint16())], ["text"]
    ).slice(1, len(rows)),
    "reader": lambda rows: pa.table({"text": chunks(rows)}).to_reader(),
    "polars": lambda rows: pl.Series(rows, dtype=pl.String),
    "polars, sliced": lambda rows: pl.Series(["", *rows, ""], dtype=pl.String)[1:-1],
    "polars, chunked": lambda rows: pl.concat(
        [pl.Series(part, dtype=pl.String) for part in (rows[:1], rows[1:])], rechunk=False
    ),
    "polars, categorical": lambda rows: pl.Series(rows, dtype=pl.Categorical),
    "polars, enum": lambda rows: pl.Series(
        rows, dtype=pl.Enum(list(dict.fromkeys(row for row in rows if row is not None)))
    ),
    "polars, frame": lambda rows: pl.DataFrame({"text": pl.Series(rows, dtype=pl.String)}),
    "pandas": lambda rows: pd.Series(rows, dtype="str"),
    "pandas, object": lambda rows: pd.Series(rows, dtype=object),
    "pandas, categorical": lambda rows: pd.Series(rows, dtype="category"),
    "pandas, frame": lambda rows: pd.DataFrame({"text": pd.Series(rows, dtype="str")}),
    "duckdb": relation,
    "nanoarrow": lambda rows: nanoarrow.Array(rows, nanoarrow.string()),
    "nanoarrow, sliced": lambda rows: nanoarrow.c_array(sliced(rows)),
    "uriverse Array": lambda rows: columns.decode(columns.encode(rows, "unreserved")),
}


@pytest.mark.parametrize("input_type", INPUTS)
def test_column_functions_accept_every_type_of_input(input_type: str) -> None:
    for name in FUNCTIONS:
        made = call_sample(name, INPUTS[input_type])
        assert check_values(made) == answers_of_sample(name), name


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", [*KINDS, pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_columns_of_strings_have_the_requested_layout(kind: Any, layout: Any) -> None:
    def make(rows: Rows) -> Any:
        column = pa.array(rows, pa.string() if pa.types.is_dictionary(kind) else kind)
        return column.dictionary_encode() if pa.types.is_dictionary(kind) else column

    # The reference implementation exports through nanoarrow, which cannot export string views.
    exact = layout if _engine.compiled or layout != "string_view" else "large_string"
    for name in FUNCTIONS:
        if FUNCTIONS[name].has_strings:
            made = call_sample(name, make, layout=layout)
            assert check_values(made) == answers_of_sample(name), name
            if FUNCTIONS[name].result == "text":
                assert str(pa.chunked_array(made).type) == exact


def test_a_column_function_does_not_change_its_input() -> None:
    for kind, name in product(KINDS, FUNCTIONS):
        column = pa.array(SAMPLE, kind)
        call_sample(name, lambda _, column=column: column)  # type: ignore[misc]
        assert column.to_pylist() == SAMPLE, name


def test_empty_columns_and_columns_of_nulls_give_the_like() -> None:
    nulls: Rows = [None] * 11
    given: list[tuple[Rows, Callable[[], object]]] = [
        *(([], partial(pa.array, [], kind)) for kind in (*KINDS, pa.null())),
        ([], list),
        ([], lambda: pa.chunked_array([], pa.large_string())),
        ([], lambda: pa.chunked_array([[], []], pa.string())),
        ([], lambda: pa.array(["a", "b"]).slice(1, 0)),
        ([], lambda: pa.schema({"text": pa.string()}).empty_table()),
        ([], lambda: pl.Series([], dtype=pl.String)),
        ([], lambda: pl.Series([], dtype=pl.Categorical)),
        ([], lambda: pa.array([], pa.string()).dictionary_encode()),
        *((nulls, partial(pa.nulls, 11, kind)) for kind in (pa.string(), pa.null())),
        (nulls, lambda: pl.Series([None] * 11)),
    ]
    for (rows, make), name in product(given, FUNCTIONS):
        made = call_sample(name, lambda _, make=make: make())  # type: ignore[misc]
        assert check_values(made) == rows, name
        assert pl.Series(made).to_list() == rows
        assert made.chunks == 1


@given(
    st.lists(any_string().filter(lambda row: row is None or is_unicode(row)), max_size=40),
    st.lists(st.integers(0, 40), max_size=5).map(tuple),
    st.sampled_from(KINDS),
    st.sampled_from(["parse", "host", "normalize", "resolve", "is_same_origin"]),
)
@settings(max_examples=scaled(150))
def test_results_do_not_depend_on_where_chunks_end(
    rows: Rows, ends: tuple[int, ...], kind: Any, name: str
) -> None:
    inputs = inputs_of(name, rows)
    last = chunks(inputs[-1], kind, ends)
    others = [chunks(other, pa.string(), (len(rows) // 2,)) for other in inputs[:-1]]
    made = call(name, defaults_of(name), *others, last)
    assert check_values(made) == answers(name, defaults_of(name), *inputs)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_later_rows_may_be_longer_than_the_first_rows(layout: Any) -> None:
    host = "h" * 300
    column = pa.array(["//a/"] * 9000 + [f"//{host}/%7E"] * 900)
    assert columns.host(column, layout=layout).to_pylist() == ["a"] * 9000 + [host] * 900
    normal = columns.normalize(column, layout=layout)
    assert normal.to_pylist() == ["//a/"] * 9000 + [f"//{host}/~"] * 900
    read = columns.parse(column, fields=["host", "path"], layout=layout).to_pylist()
    assert read[8999:9001] == [{"host": "a", "path": "/"}, {"host": host, "path": "/%7E"}]


@pytest.mark.parametrize("threads", [1, 4, None])
def test_threads_keep_rows_in_order(threads: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "ROWS_PER_THREAD", 7)
    make = partial(chunks, kind=pa.string_view(), ends=(0, 3, 29, 29, 100, 207))
    for name in FUNCTIONS:
        made = call_sample(name, make, times=20, threads=threads)
        assert check_values(made) == answers_of_sample(name) * 20, name
        assert made.chunks > 4


@needs_kernel
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("full", [400, 1000])
def test_a_result_that_overflows_one_array_is_split_into_chunks(
    full: int, layout: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=full))
    for make, name in product(MAKERS, FUNCTIONS):
        more = {"layout": layout} if FUNCTIONS[name].has_strings else {}
        made = call_sample(name, make, times=20, threads=1, **more)
        assert check_values(made) == answers_of_sample(name) * 20, name
    # This column is a dictionary, so that views of its strings cannot share the input buffer.
    distinct = pa.array([f"//{row}/{'a' * 20}" for row in range(100)]).dictionary_encode()
    assert (columns.to_uri(distinct, layout=layout).chunks > 1) == (layout != "large_string")


@needs_kernel
@pytest.mark.parametrize("full", range(0, 80, 14))
def test_a_string_too_long_for_the_layout_raises_overflow_error(
    full: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=full))
    for name in FUNCTIONS:
        for layout in LAYOUTS if FUNCTIONS[name].has_strings else ():
            try:
                made = call_sample(name, dictionary, layout=layout)
            except OverflowError as refused:
                assert layout != "large_string"
                assert "use large_string" in str(refused)  # noqa: PT017 - it may fit
            else:
                assert check_values(made) == answers_of_sample(name), name
    with pytest.raises(OverflowError, match="use large_string"):
        columns.to_iri(pa.array(["x:" + "a" * 80]), layout="string")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_result_outlives_its_input_column(kind: Any) -> None:
    for name in FUNCTIONS:
        for layout in layouts_of(name):
            made = call_sample(name, partial(chunks, kind=kind, ends=(5, 50)), 9, layout=layout)
            read = [pa.chunked_array(made), pl.Series(made), pa.chunked_array(made).chunk(1)]
            expected = answers_of_sample(name) * 9
            del made
            # These objects overwrite freed memory.
            noise = [bytes([255]) * size for size in range(16, 4096, 64)]
            assert read[0].to_pylist(maps_as_pydicts="strict") == expected
            assert read[1].len() == len(expected)
            del read[0], read[0], noise[:]
            noise += [bytes([255]) * size for size in range(16, 4096, 64)]
            assert read[0].to_pylist(maps_as_pydicts="strict") == expected[5:50]


def test_a_result_can_be_exported_never_or_more_than_once() -> None:
    for name in FUNCTIONS:
        made = call_sample(name, partial(pa.array, type=pa.string_view()))
        for export in (made.__arrow_c_array__, made.__arrow_c_stream__, made.__arrow_c_schema__):
            export()
        read = [pa.chunked_array(made), pa.chunked_array(made), pa.array(made)]
        expected = answers_of_sample(name)
        for _ in range(2):
            for array in read:
                assert array.to_pylist(maps_as_pydicts="strict") == expected
            made = read.pop(0)


def test_a_field_outlives_its_struct_array() -> None:
    found = pa.chunked_array(columns.parse(pa.array(SAMPLE, pa.string_view()))).chunk(0).field(2)
    gc.collect()
    assert found.to_pylist() == columns.host(SAMPLE).to_pylist()


def test_a_result_can_be_released_in_another_thread() -> None:
    for name in FUNCTIONS:
        held = [
            [pa.chunked_array(call_sample(name, partial(pa.array, type=pa.string_view())))]
            for _ in range(4)
        ]
        threads = [threading.Thread(target=rest.clear) for rest in held[1:]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert held[0][0].to_pylist(maps_as_pydicts="strict") == answers_of_sample(name)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_result_can_be_passed_to_another_column_function(layout: Any) -> None:
    iris = columns.normalize(columns.to_iri(chunks(SAMPLE, pa.string_view(), (4,))))
    made = columns.decode(columns.encode(iris, "fragment"), "keep", layout=layout)
    gc.collect()
    rows = made.to_pylist()
    for name in FUNCTIONS:
        if not FUNCTIONS[name].second:
            options = defaults_of(name)
            assert check_values(call(name, options, made)) == answers(name, options, rows), name
    fields: Any = pa.chunked_array(columns.parse(made, fields=["path", "query"], layout=layout))
    path = fields.chunk(0).field(0)
    paths = path.to_pylist()
    del made, fields
    gc.collect()
    again = columns.decode(columns.encode(path, "path"), "keep")
    expected = [p and percent.decode(percent.encode(p, "path"), "keep") for p in paths]
    assert check_values(again) == expected
