"""Each row of a column function's result equals the result for that string alone."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from itertools import pairwise, product
from operator import attrgetter
from random import Random
from typing import Any, get_args

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
from uriverse import IRI, SCHEMES, URI, IRIReference, Policy, columns, hosts, percent
from uriverse._errors import URIError
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._uri import engine
from uriverse.columns import Array, _execution
from uriverse.columns._reference import xxh64
from uriverse.columns._registry import FUNCTIONS
from uriverse.diagnosis import why_invalid
from uriverse.diagnosis._findings import PROFILES
from uriverse.hosts._scopes import blocks
from uriverse.suffixes import Suffixes
from uriverse.templates import Router, Template
from uriverse.typing import Component, Field

Rows = list[str | None]

SUFFIXES = Suffixes()

#: A function that returns the expected value of a row for one or two strings.
Scalar = Callable[..., Any]

LAYOUTS = ("string", "large_string", "string_view")

GRAMMARS = {
    "iri-reference": "IRI-reference",
    "iri": "IRI",
    "absolute-iri": "absolute-IRI",
    "uri-reference": "URI-reference",
    "uri": "URI",
    "absolute-uri": "absolute-URI",
}


# --- expected values


def identifier(text: str) -> IRIReference | None:
    try:
        return uriverse.parse(text)
    except URIError:
        return None


def on_identifier(question: Callable[[IRIReference], Any]) -> Scalar:
    """Return a function of a string; it returns None for invalid strings and on a `URIError`."""

    def scalar(text: str) -> Any:
        value = identifier(text)
        return None if value is None else value_or_none(lambda: question(value))

    return scalar


def value_or_none(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except URIError:
        return None


def parsed(grammar: str, fields: tuple[str, ...]) -> Scalar:
    def scalar(text: str) -> dict[str, Any]:
        found: dict[str, Any] = dict.fromkeys(get_args(Field))
        if wrong := why_invalid(text, GRAMMARS[grammar]):
            found |= {"error": wrong.component, "error_position": wrong.position}
        else:
            value = IRIReference(text)
            for name in ("scheme", "userinfo", "host", "path", "query", "fragment", "host_kind"):
                found[name] = getattr(value, name)
            found |= {"port": value.port_text, "bounds": bounds(value)}
        return {name: found[name] for name in fields}

    return scalar


def bounds(value: IRIReference) -> list[int]:
    """Compute the bounds of the components from their lengths."""
    scheme = -1 if value.scheme is None else len(value.scheme)
    authority = host = host_end = -1
    path = scheme + 1
    if value.authority is not None and value.host is not None:
        authority = path + 2
        host = authority if value.userinfo is None else authority + len(value.userinfo) + 1
        host_end = host + len(value.host)
        path = authority + len(value.authority)
    path_end = path + len(value.path)
    query_end = path_end if value.query is None else path_end + 1 + len(value.query)
    return [scheme, authority, host, host_end, path, path_end, query_end, len(str(value))]


def int64_or_none(value: int | None) -> int | None:
    return value if value is None or value < 2**63 else None


def as_int64(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def reversed_host(value: IRIReference) -> str | None:
    name = value.hostname
    if name is None or value.host_kind != "reg-name":
        return name
    return ".".join(name.split(".")[::-1])


def surt(value: IRIReference) -> str | None:
    form = value.to_uri().normalize(scheme=True)
    if not form.host:
        return None if form.scheme is None else str(form).partition("#")[0]
    place = form.host
    if form.host_kind == "reg-name":
        place = ",".join(place.split(".")[::-1])
    port = "" if form.port_text is None else f":{form.port_text}"
    query = "" if form.query is None else f"?{form.query}"
    return f"{place}{port}){form.path}{query}"


def with_invalid_utf8_encoded(data: str) -> str:
    """Return the data of a parameter; bytes that are not UTF-8 are percent-encoded."""
    return percent.decode(percent.encode(data, "unreserved"), "keep")


def pairs(value: IRIReference) -> list[tuple[str, str | None]]:
    """Return the decoded names and values; the value is None if the parameter has no "="."""
    raw = [written for _, written in value.params.raw_items()]
    items = zip(value.params.items(), raw, strict=True)
    return [
        (name, None if written is None else with_invalid_utf8_encoded(data))
        for (name, data), written in items
    ]


def params(value: IRIReference) -> list[dict[str, Any]] | None:
    if value.query is None:
        return None
    return [{"key": with_invalid_utf8_encoded(name), "value": data} for name, data in pairs(value)]


def decoded(errors: Any) -> Scalar:
    def scalar(text: str) -> str | None:
        found: str | None = value_or_none(lambda: percent.decode(text, errors))
        return None if found is None or not is_unicode(found) else found

    return scalar


def is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@dataclass(frozen=True)
class Call:
    """A column function with its arguments, and its counterpart for single strings."""

    name: str
    scalar: Scalar
    arguments: tuple[Any, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(self, *given: object, **more: Any) -> Array:
        options = {**dict(self.options), **more}
        made: Array = getattr(columns, self.name)(*given, *self.arguments, **options)
        return made

    def __str__(self) -> str:
        return f"{self.name}{self.arguments}{dict(self.options)}"

    @property
    def returns_strings(self) -> bool:
        return FUNCTIONS[self.name].has_strings

    def in_layout(self, layout: Any) -> dict[str, Any]:
        """Return the option `layout`, if the function has it."""
        return {"layout": layout} if self.returns_strings else {}

    def expected(self, rows: Rows) -> list[Any]:
        return [None if row is None else self.scalar(as_decoded(row)) for row in rows]


def as_decoded(text: str) -> str:
    """Return a row as Python decodes it: bytes that are not UTF-8 become surrogate escapes."""
    return text.encode(errors="surrogatepass").decode(errors="surrogateescape")


def call(name: str, scalar: Scalar, *arguments: Any, **options: Any) -> Call:
    return Call(name, scalar, arguments, tuple(options.items()))


def calls() -> Iterator[Call]:
    every = get_args(Field)
    for grammar, rule in GRAMMARS.items():
        yield call("parse", parsed(grammar, every), grammar, fields=every)
        yield call("is_valid", partial(lambda rule, t: why_invalid(t, rule) is None, rule), grammar)
    few = ("error", "host")
    yield call("parse", parsed("iri-reference", few), fields=few)
    yield call("host", on_identifier(lambda value: value.host))
    yield call("hostname", on_identifier(lambda value: value.hostname))
    yield call("port", on_identifier(lambda value: int64_or_none(value.port)))
    yield call("origin", on_identifier(lambda value: value.origin))
    yield call("reversed_host", on_identifier(reversed_host))
    yield call("surt", on_identifier(surt))
    yield call("to_uri", on_identifier(lambda value: str(value.to_uri())))
    yield call("to_uri", on_identifier(lambda value: str(value.to_uri(host="idna"))), host="idna")
    yield call("to_iri", on_identifier(lambda value: str(value.to_iri())))
    yield call("to_iri", on_identifier(lambda value: str(value.to_iri(host="idna"))), host="idna")
    yield call("query_params", on_identifier(params))
    yield from readings()
    yield from edits()
    for name in ("x", "\xe9 +", "", "\udcff"):
        yield call("param_values", on_identifier(partial(values, name)), name)
        yield call("query_param", on_identifier(partial(param, name)), name)
    for options in (
        {},
        {"case": False},
        {"percent_encoding": False},
        {"dot_segments": False},
        {"dot_segments": "all"},
        {"dot_segments": "all", "percent_encoding": False},
        {"ipv6": False},
        {"case": False, "percent_encoding": False, "dot_segments": False, "ipv6": False},
    ):
        for scheme in (False, True):
            steps = {**options, "scheme": scheme}
            yield call("normalize", on_identifier(partial(normal_form, steps)), **steps)
    yield call(
        "normalize",
        on_identifier(partial(normal_form, {"scheme": SCHEMES})),
        scheme=SCHEMES,
    )
    for level in ("string", "syntax", "scheme"):
        yield call("fingerprint", on_identifier(partial(fingerprint, level)), level)
    for profile in PROFILES:
        yield call("findings", partial(codes, profile), profile)
    for component in get_args(Component):
        for iri in (False, True):
            yield call("encode", partial(encoded, component, iri), component, iri=iri)
    for errors in ("strict", "replace", "keep", "surrogateescape"):
        yield call("decode", decoded(errors), errors)


def readings() -> Iterator[Call]:
    """Yield the calls that read a part of an identifier, or classify it."""
    as_text = with_invalid_utf8_encoded
    for name in ("scheme", "userinfo", "path", "query", "fragment", "path_and_query", "host_kind"):
        yield call(name, on_identifier(attrgetter(name)))
    for name in ("name", "suffix"):
        yield call(name, on_identifier(partial(lambda name, v: as_text(getattr(v, name)), name)))
    yield call("username", on_identifier(username))
    yield call("effective_port", on_identifier(lambda value: int64_or_none(value.effective_port)))
    yield call("path_segments", on_identifier(lambda value: [*map(as_text, value.segments)]))
    yield call("path_depth", on_identifier(lambda value: sum(map(bool, value.path.split("/")))))
    yield call("display", on_identifier(lambda value: value.display()))
    yield call("param_names", on_identifier(names))
    yield call("params", on_identifier(first_params))
    yield call("ip", on_identifier(lambda value: value.ip and str(value.ip)))
    yield call("scope", on_identifier(lambda value: value.ip and hosts.scope(value.ip)))
    yield call("special_use", on_identifier(special_use))
    for profile in PROFILES:
        yield call("is_flagged", partial(lambda p, t: bool(codes(p, t)), profile), profile)


def username(value: IRIReference) -> str | None:
    name = value.username
    return None if name is None else with_invalid_utf8_encoded(name)


def names(value: IRIReference) -> list[str] | None:
    if value.query is None:
        return None
    return [*dict.fromkeys(map(with_invalid_utf8_encoded, value.params.keys()))]


def first_params(value: IRIReference) -> dict[str, str | None] | None:
    items = params(value)
    return None if items is None else {item["key"]: item["value"] for item in items[::-1]}


def values(name: str, value: IRIReference) -> list[str | None] | None:
    return None if value.query is None else [data for key, data in pairs(value) if key == name]


def special_use(value: IRIReference) -> str | None:
    return hosts.special_use(value.host or "") if value.host_kind == "reg-name" else None


#: Many names, of which none is an encoded form of another.
MANY = ["x", "y", "\xe9 +", "", "z", "w"]

#: More names than the kernel compares.
TOO_MANY = [*MANY, *map(str, range(64))]


def edits() -> Iterator[Call]:
    """Yield the calls that edit an identifier."""
    for name in ("without_fragment", "without_query", "without_userinfo", "sorted_params"):
        yield edit(name)
    for removed in ("x", ["x"], ["x", "\xe9 +"], ("",), MANY, TOO_MANY, "\udcff", []):
        every = [removed] if isinstance(removed, str) else removed
        yield call("without_params", on_identifier(method("without_params", *every)), removed)
    kinds: tuple[dict[str, Any], ...] = (
        *({}, {"keep": "x"}, {"keep": ("x", "\xe9*")}, {"drop": "x"}, {"drop": ["*x", "?"]}),
        *({"keep": []}, {"drop": "*"}, {"keep": "[!x]*"}, {"keep": "", "drop": "["}),
        {"keep": ["*\xe9*", "x"], "drop": ["y", "\xe9"]},
        {"keep": "**", "drop": ["*x*", "*\xe9*+", "a*b*c"]},
        {"keep": TOO_MANY},
        {"drop": ["\udcff"]},
    )
    for options in kinds:
        yield call("filter_params", on_identifier(method("filter_params", **options)), **options)
    for name in ("with_param", "add_param"):
        for value in ("", "a b&\xe9", 2, None, ["1", None, "3"], [], b"\xff", ["1"] * 3, MANY * 3):
            yield edit(name, "x", value)
        for param in ("", "\xe9 +", "%&=", "\udcff"):
            yield edit(name, param, ["a=b", "1"])
        yield edit(name, "", None)
        yield edit(name, "\ud800", "x")
    for scheme in ("https", "HTTP", "x+1", None):
        yield edit("with_scheme", scheme)
    for host in ("a.example", "::1", ip_address("::1"), "[::1]", "b\xfccher", "%C3%BC", "", None):
        yield edit("with_host", host)
    for port in (0, "080", "", None, 2**70):
        yield edit("with_port", port)


def edit(name: str, *words: Any) -> Call:
    """Return the call of a column function that is named after a method of identifiers."""
    return call(name, on_identifier(method(name, *words)), *words)


def method(name: str, *words: Any, **options: Any) -> Callable[[IRIReference], str]:
    return lambda value: str(getattr(value, name)(*words, **options))


def decisions() -> Iterator[Call]:
    for policy in policies():
        yield call("allowed", policy.allows, policy)
        yield call("decision", partial(decision, policy), policy)


def matches() -> Iterator[Call]:
    texts = ("http://{host}/{name}{?a}", "{scheme}://{+rest}", "/{a}", "{+before}-{after}")
    for text in texts:
        template = Template(text, iri=True)
        yield call("match", partial(matched, template), template)
    router = Router({text: Template(text, iri=True) for text in texts})
    yield call("route", partial(routed, router), router)
    # The kernel has a program for each of these templates.
    typed = Template("/{n}", types={"n": int})
    files = Template("http://{host}/x{/path*}{?q}{#f}")
    simple = Router(
        {"number": typed, "user": "/users/{id}", "\xe9": "/{a}/{b}{?c,d}", "file": files}
    )
    yield call("route", partial(routed, simple), simple)
    more = Router({f"{n}": f"http://{{host}}/{n}/{{a}}" for n in range(65)} | {"x": "/{a}{?q}"})
    yield call("route", partial(routed, more), more)


def matched(template: Template, text: str) -> dict[str, Any] | None:
    found = value_or_none(lambda: template.match(text))
    return found and {each.name: found.variables.get(each.name) for each in template.variables}


def routed(router: Router, text: str) -> str | None:
    found: str | None = value_or_none(lambda: (router.match(text) or (None,))[0])
    return found


def repairs() -> Iterator[Call]:
    for options in (
        *({}, {"iri": True}, {"slashes": True}, {"scheme": "https"}),
        {"iri": True, "slashes": True, "scheme": "ftp"},
    ):
        yield call("repair", partial(repaired, options), **options)


def repaired(options: dict[str, Any], text: str) -> str | None:
    found: str | None = value_or_none(lambda: str(uriverse.repair(text, **options)))
    return found


def policies() -> Iterator[Policy]:
    """Yield policies that allow some URIs, also with more restrictions than the kernel applies."""
    allow = ["*.example", "http://a/", "https://example.org/*/b", "http://127.0.0.1", "http://h"]
    deny = ["http://a/admin", "*.b.example"]
    yield Policy(scopes=None)
    yield Policy.public_web()
    yield Policy(allow=allow, deny=deny)
    for count in (1, 9):
        yield Policy(allow=allow, restrictions=[Policy(allow=allow[:3])] * count)


def decision(policy: Policy, text: str) -> dict[str, Any]:
    made = policy.decide(text)
    known = {"uri": made.uri, "rule": made.rule, "code": made.code}
    known |= {"reason": made.reason, "hint": made.hint}
    return {
        "allowed": made.allowed,
        **{name: str(found or "") or None for name, found in known.items()},
    }


def param(name: str, value: IRIReference) -> str | None:
    return next((data for found, data in pairs(value) if found == name), None)


def normal_form(steps: dict[str, Any], value: IRIReference) -> str:
    return str(value.normalize(**steps))


def fingerprint(level: Any, value: IRIReference) -> int:
    return as_int64(xxh64(value.comparison_key(level).encode()))


def codes(profile: str, text: str) -> list[str]:
    return [finding.code for finding in uriverse.check(text, profile)]


def encoded(component: Any, iri: bool, text: str) -> Any:
    # A row that is not UTF-8 has surrogate escapes here; the column function returns null.
    return (
        value_or_none(lambda: percent.encode(text, component, iri=iri))
        if is_unicode(text)
        else None
    )


CALLS = (*calls(), *decisions(), *matches(), *repairs())
#: One call for each kind of implementation.
SAMPLE_CALLS = tuple(
    next(call for call in CALLS if call.name == name)
    for name in (
        *("parse", "is_valid", "host", "hostname", "port", "normalize", "to_uri", "encode"),
        *("decode", "repair", "query_param", "query_params", "findings", "surt", "fingerprint"),
        *("is_flagged", "with_scheme", "with_host", "with_port", "with_param", "sorted_params"),
        *("path_segments", "param_names", "param_values", "scope", "ip", "display"),
    )
)


def resolved(strict: bool, base: str, reference: str) -> str | None:
    start, other = identifier(base), identifier(reference)
    if start is None or other is None or start.scheme is None:
        return None
    found: str | None = value_or_none(lambda: str(start.resolve(other, strict=strict)))
    return found


def relativized(walk_up: bool, target: str, base: str) -> str | None:
    value, start = identifier(target), identifier(base)
    if not isinstance(value, IRI) or not isinstance(start, IRI):
        return None
    found: str | None = value_or_none(lambda: str(value.relative_to(start, walk_up=walk_up)))
    return found


def same_origin(one: str, two: str) -> bool | None:
    value, other = identifier(one), identifier(two)
    return None if value is None or other is None else value.is_same_origin(other)


def same_site(one: str, two: str) -> bool | None:
    value, other = identifier(one), identifier(two)
    if value is None or other is None:
        return None
    if value.origin is None or other.origin is None:
        return False
    first, second = URI(value.origin), URI(other.origin)
    domains = SUFFIXES.registrable_domain(first), SUFFIXES.registrable_domain(second)
    hosts = domains if domains[0] or domains[1] else (first.host, second.host)
    return first.scheme == second.scheme and hosts[0] == hosts[1]


def combined(one: str, two: str) -> str | None:
    value, other = identifier(one), identifier(two)
    return None if value is None or other is None else str(value.then(other))


def pair_calls() -> Iterator[Call]:
    yield Call("is_same_origin", same_origin)
    yield Call("is_same_site", same_site)
    yield Call("then", combined)
    for yes in (True, False):
        yield Call("resolve", partial(resolved, yes), (), (("strict", yes),))
        yield Call("relativize", partial(relativized, yes), (), (("walk_up", yes),))


PAIRS = tuple(pair_calls())


def expected_of_pairs(scalar: Callable[[str, str], Any], first: Rows, second: Rows) -> list[Any]:
    return [
        None if one is None or two is None else scalar(as_decoded(one), as_decoded(two))
        for one, two in zip(first, second, strict=True)
    ]


def checked_values(array: Array) -> list[Any]:
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


# --- strings


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
    *(
        "text/plain,a",
        "text/plain;base64,YQ==",
        "+1-201-555-0123",
        "/\ue000",
        "/a b",
        "/\ud800",
    ),
    *("/\udcff", "/" + "a" * 70, "/" + "a" * 62 + "\xe9", "/" + "a" * 15, "/a" * 40 + "/.."),
)
QUERIES = (
    *("", "", "?", "?x", "?x=", "?x=1", "?x=1&x=2", "?y&x=a+b", "?x=%41%7e", "?x=%ff", "?%78=1"),
    *("?&&x=1&", "?=1", "?=", "?x=\xe9", "?\xe9+%2B=1", "?%C3%A9+%2b=2", "?x=\ue000", "?x=a=b"),
    *("?x=%E2%82", "?x=1;y=2", "?x=" + "a" * 20, "?x= ", "?%", "?x=%0", "?[", "?" + "&x" * 9),
    *("?b&a&x", "?b=2&%61=1&b=1", "?&b&a", "?a+b&a%20b", "?%FF&%25FF", "?x&y&x&z&x", "?token=a@b"),
    "?" + "&".join(f"{number % 7}" for number in range(70)),
)
FRAGMENTS = ("", "", "#", "#a", "#a#b", "#%7e", "#\xe9", "#%C3%A9", "#%")


def composed() -> st.SearchStrategy[str]:
    """Strings of a random value for each component; some are valid, some are not."""
    parts = map(st.sampled_from, (STARTS, AUTHORITIES, PATHS, QUERIES, FRAGMENTS))
    return st.tuples(*parts).map("".join)


def any_string() -> st.SearchStrategy[str]:
    return st.one_of(composed(), composed(), texts(), st.integers(0, 999).map(MUTANTS.__getitem__))


def rows(most: int = 6) -> st.SearchStrategy[Rows]:
    return st.lists(st.one_of(st.none(), any_string(), any_string(), any_string()), max_size=most)


MUTANTS = tuple(mutants(8, 1000))


def compositions(seed: int, count: int) -> Rows:
    """Return `count` random strings; about 3 % of them are None."""
    random = Random(seed)
    kinds = (STARTS, AUTHORITIES, PATHS, QUERIES, FRAGMENTS)
    return [
        None if random.random() < 0.03 else "".join(map(random.choice, kinds)) for _ in range(count)
    ]


#: A few rows of every kind.
SAMPLE: Rows = [
    "http://Example.org:80/a?x=1&y=%41#z",
    None,
    "a b",
    "//h:0080/" + "p" * 30 + "?x=%7e" + "q" * 30,
    "",
    "?x=%ff&b&&c=d+e",
    "https://b\xfccher.example/" + "\xe9" * 20 + "?x=" + "\xe9" * 20,
    None,
    "urn:isbn:0451450523",
    "file://localhost/%7ea",
    "x:" + "a" * 11,
    "http://[::ffff:1.2.3.4]:443/../a/./b?x=a%20b%20c%20d%20e%20f%20g#" + "f" * 40,
]


def assert_rows(functions: tuple[Call, ...], given: Rows) -> None:
    for function in functions:
        assert checked_values(function(given)) == function.expected(given), str(function)


# --- rows


@given(rows())
@settings(max_examples=scaled(150))
def test_column_functions_equal_scalar_functions_in_every_row(given: Rows) -> None:
    assert_rows(CALLS, given)


@pytest.mark.parametrize("function", CALLS, ids=str)
def test_a_column_function_equals_the_scalar_function_in_900_rows(function: Call) -> None:
    given: Rows = [*compositions(5, 700), *MUTANTS[:200]]
    for row, got, expected in zip(
        given, checked_values(function(given)), function.expected(given), strict=True
    ):
        assert got == expected, ascii(row)


def test_a_special_use_domain_is_found_at_the_end_of_a_host() -> None:
    names = [*SPECIAL_USE_NAMES, "example.dev", "com", "a"]
    forms = (
        "{}",
        "{}.",
        "{}..",
        "A.b.{}",
        ".{}",
        "x{}",
        "{}.x",
        "%6{}",
        "{}%2E",
        "\xfc.{}",
        "{}:1",
    )
    given: Rows = [f"//{form.format(name)}/" for name in names for form in forms]
    given += [row and row.upper() for row in given]
    scalar = call("special_use", on_identifier(special_use))
    assert checked_values(scalar(given)) == scalar.expected(given)


def test_a_finding_that_the_profile_disables_flags_no_row() -> None:
    for text in ("x:a", "http://u@h/"):
        for profile in PROFILES:
            flagged = columns.is_flagged([text], profile).to_pylist()
            assert flagged == [bool(codes(profile, text))], (text, profile)


def test_the_scope_of_an_address_is_that_of_its_most_specific_block() -> None:
    numbers = {
        (version, (prefix << bits - length) + number)
        for version, bits in ((4, 32), (6, 128))
        for length, scopes in blocks(version)
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


def test_every_pair_of_origins_is_compared_as_by_the_method() -> None:
    first, second = ([*rows] for rows in zip(*product(ORIGINS, ORIGINS), strict=True))
    same = next(pair for pair in PAIRS if pair.name == "is_same_origin")
    expected = expected_of_pairs(same.scalar, first, second)
    assert checked_values(same(first, second)) == expected


def test_a_column_function_does_not_change_its_input() -> None:
    for kind in KINDS:
        column = pa.array([row for row in SAMPLE if row is None or is_unicode(row)], kind)
        before = column.to_pylist()
        for function in CALLS:
            function(column)
        assert column.to_pylist() == before


def test_a_map_contains_a_name_once_however_it_is_encoded() -> None:
    given: Rows = [
        *("?a&%61=1&a+b=2&a%20b&%61=3", "?%FF=1&%25FF=2&%ff=3", "?=1&=2&&=", "?\xe9&%C3%A9=1&%E9"),
        *("?" + "&".join(f"{n % k}={n}" for n in range(90)) for k in (1, 7, 89)),
    ]
    scalar = call("params", on_identifier(first_params))
    assert checked_values(scalar(given)) == scalar.expected(given)


@given(st.lists(st.tuples(st.none() | any_string(), st.none() | any_string()), max_size=6))
@settings(max_examples=scaled(150))
def test_resolve_and_relativize_equal_the_methods_in_every_row(
    given: list[tuple[str, str]],
) -> None:
    first: Rows = [one for one, _ in given]
    second: Rows = [two for _, two in given]
    for function in PAIRS:
        expected = expected_of_pairs(function.scalar, first, second)
        assert checked_values(function(first, second)) == expected, str(function)


@pytest.mark.parametrize("function", PAIRS, ids=str)
def test_resolve_and_relativize_equal_the_methods_in_600_rows(function: Call) -> None:
    given: Rows = [*compositions(6, 500), *MUTANTS[:100]]
    other = Random(7).sample(given, len(given))
    got = checked_values(function(given, other))
    assert got == expected_of_pairs(function.scalar, given, other)


@pytest.mark.slow
@pytest.mark.skipif(not engine.compiled, reason="the kernel is not built")
@pytest.mark.parametrize("function", CALLS, ids=str)
def test_the_kernel_and_the_reference_implementation_give_equal_columns(
    function: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: Rows = [*compositions(9, 1500), *MUTANTS]
    got = function(given).to_pylist()
    monkeypatch.setattr(engine, "compiled", False)
    for row, one, other in zip(given, got, function(given).to_pylist(), strict=True):
        assert one == other, ascii(row)


# --- types of input columns


def sliced(given: Rows, kind: Any, before: int, after: int) -> Any:
    """Return a slice of an array, so that the rows start and end inside its buffers."""
    whole = pa.array(["//before"] * before + given + [None] * after, kind)
    return whole.slice(before, len(given))


def with_dictionary(given: Rows, index: Any, kind: Any, *, before: int = 0) -> Any:
    """Return a dictionary array in which some nulls are null indices, and some null values."""
    values: Rows = ["//unused", None, *dict.fromkeys(row for row in given if row is not None)]
    at = [
        (1 if place % 2 else None) if row is None else values.index(row)
        for place, row in enumerate(given)
    ]
    indices = pa.array([0] * before + at + [0], index).slice(before, len(given))
    return pa.DictionaryArray.from_arrays(indices, pa.array(["", *values], kind).slice(1))


def chunked(given: Rows, kind: Any, places: list[int]) -> Any:
    """Return a chunked array whose chunks end at some rows; equal ends give an empty chunk."""
    ends = [0, *sorted(places), len(given)]
    chunks = [sliced(given[start:end], kind, start % 11, 1) for start, end in pairwise(ends)]
    return pa.chunked_array(chunks, kind)


def relation(given: Rows) -> Any:
    table = pa.table({"row": range(len(given)), "text": pa.array(given, pa.string())})
    return duckdb.from_arrow(table).order("row").project("text")


def as_identifiers(given: Rows) -> list[Any]:
    return [row if row is None else identifier(row) or row for row in given]


INDICES = (
    *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
    *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
)
KINDS = (pa.string(), pa.large_string(), pa.string_view())

#: Functions that turn rows into each type of input that column functions accept.
INPUTS: dict[str, Callable[[Rows], object]] = {
    "list": list,
    "tuple": tuple,
    "iterator": lambda given: (row for row in given),
    "identifiers": as_identifiers,
    "chunks": lambda given: chunked(given, pa.string(), [0, 1, 1, 5, len(given)]),
    "chunks of string views": lambda given: chunked(given, pa.string_view(), [0, 3, 3]),
    "chunks of dictionaries": lambda given: pa.chunked_array(
        [with_dictionary(given[k : k + 4], pa.int8(), pa.string()) for k in range(0, 99, 4)]
    ),
    "table": lambda given: pa.table({"text": pa.array(given)}),
    "sliced table": lambda given: pa.table({"text": sliced(given, pa.string(), 3, 1)}).slice(0),
    "record batch": lambda given: pa.record_batch({"text": sliced(given, pa.string(), 9, 1)}),
    "struct": lambda given: pa.StructArray.from_arrays(
        [pa.array(["", *given, ""])], ["text"]
    ).slice(1, len(given)),
    "struct of a dictionary": lambda given: pa.StructArray.from_arrays(
        [with_dictionary(["", *given, ""], pa.uint16(), pa.string_view(), before=3)], ["text"]
    ).slice(1, len(given)),
    "reader": lambda given: pa.table({"text": chunked(given, pa.string(), [2])}).to_reader(),
    "polars": lambda given: pl.Series(given, dtype=pl.String),
    "polars, sliced": lambda given: pl.Series(["", *given, ""], dtype=pl.String)[1:-1],
    "polars, chunked": lambda given: pl.concat(
        [pl.Series(part, dtype=pl.String) for part in (given[:1], given[1:])], rechunk=False
    ),
    "polars, categorical": lambda given: pl.Series(given, dtype=pl.Categorical),
    "polars, enum": lambda given: pl.Series(
        given, dtype=pl.Enum(list(dict.fromkeys(row for row in given if row is not None)))
    ),
    "polars, frame": lambda given: pl.DataFrame({"text": pl.Series(given, dtype=pl.String)}),
    "pandas": lambda given: pd.Series(given, dtype="str"),
    "pandas, object": lambda given: pd.Series(given, dtype=object),
    "pandas, categorical": lambda given: pd.Series(given, dtype="category"),
    "pandas, frame": lambda given: pd.DataFrame({"text": pd.Series(given, dtype="str")}),
    "duckdb": relation,
    "nanoarrow": lambda given: nanoarrow.Array(given, nanoarrow.string()),
    "nanoarrow, sliced": lambda given: nanoarrow.c_array(sliced(given, pa.string(), 3, 1)),
    "uriverse Array": lambda given: columns.decode(columns.encode(given, "unreserved")),
}
for kind in KINDS:
    INPUTS[f"array of {kind}"] = partial(pa.array, type=kind)
    INPUTS[f"sliced array of {kind}"] = partial(sliced, kind=kind, before=13, after=5)
    for index in INDICES:
        INPUTS[f"dictionary of {index}, {kind}"] = partial(
            with_dictionary, index=index, kind=kind, before=11
        )


@pytest.mark.parametrize("input_type", INPUTS)
def test_column_functions_accept_every_type_of_input(input_type: str) -> None:
    given = SAMPLE
    for function in SAMPLE_CALLS:
        assert checked_values(function(INPUTS[input_type](given))) == function.expected(given), str(
            function
        )
    for pair in PAIRS:
        expected = expected_of_pairs(pair.scalar, given, given[::-1])
        assert (
            checked_values(pair(INPUTS[input_type](given), INPUTS[input_type](given[::-1])))
            == expected
        ), str(pair)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", [*KINDS, pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_columns_of_strings_have_the_requested_layout(kind: Any, layout: Any) -> None:
    column = pa.array(SAMPLE).dictionary_encode() if "dict" in str(kind) else pa.array(SAMPLE, kind)
    for function in CALLS:
        if not function.returns_strings:
            continue
        made = function(column, layout=layout)
        assert checked_values(made) == function.expected(SAMPLE), str(function)
        # The reference implementation exports through nanoarrow, which cannot export string views.
        exact = layout if engine.compiled or layout != "string_view" else "large_string"
        if made.to_pylist()[0].__class__ is str:
            assert str(pa.chunked_array(made).type) == exact
    for pair in PAIRS:
        expected = expected_of_pairs(pair.scalar, SAMPLE, SAMPLE)
        assert checked_values(pair(column, column, **pair.in_layout(layout))) == expected, str(pair)


@pytest.mark.parametrize("function", SAMPLE_CALLS, ids=str)
def test_polars_imports_the_result_of_a_column_function(function: Call) -> None:
    for layout in LAYOUTS if function.returns_strings else (None,):
        made = function(SAMPLE, **({"layout": layout} if layout else {}))
        assert pl.Series(made).to_list() == function.expected(SAMPLE)


def test_an_empty_column_gives_an_empty_result() -> None:
    empty: list[Callable[[], object]] = [
        list,
        lambda: pa.array([], pa.string()),
        lambda: pa.array([], pa.string_view()),
        lambda: pa.chunked_array([], pa.large_string()),
        lambda: pa.chunked_array([[], []], pa.string()),
        lambda: pa.array(["a", "b"]).slice(1, 0),
        lambda: pa.array([], pa.null()),
        lambda: pa.table({"text": pa.array([], pa.string())}),
        lambda: pa.schema({"text": pa.string()}).empty_table(),
        lambda: pl.Series([], dtype=pl.String),
        lambda: pl.Series([], dtype=pl.Categorical),
        lambda: pa.array([], pa.string()).dictionary_encode(),
    ]
    for make in empty:
        for function in SAMPLE_CALLS:
            made = function(make())
            assert checked_values(made) == []
            assert made.chunks == 1
            assert pl.Series(made).to_list() == []
        for pair in PAIRS:
            assert checked_values(pair(make(), make())) == []


def test_a_column_of_nulls_gives_a_column_of_nulls() -> None:
    for column in (pa.nulls(11), pa.nulls(11, pa.string()).slice(0), pl.Series([None] * 11)):
        for function in SAMPLE_CALLS:
            assert checked_values(function(column)) == [None] * 11
        for pair in PAIRS:
            assert checked_values(pair(column, SAMPLE[:11])) == [None] * 11
            assert checked_values(pair(SAMPLE[:11], column)) == [None] * 11


@given(
    rows(40),
    st.lists(st.integers(0, 40), max_size=5),
    st.sampled_from(KINDS),
    st.integers(0, 17),
    st.integers(0, 17),
)
@settings(max_examples=scaled(100))
def test_results_do_not_depend_on_where_chunks_end(
    given: Rows, places: list[int], kind: Any, before: int, after: int
) -> None:
    given = [row if row is None or is_unicode(row) else "\ufffd" for row in given]
    places = [min(place, len(given)) for place in places]
    column = chunked(["//a"] * before + given + ["//b"] * after, kind, places)
    column = column.slice(before, len(given))
    for function in (SAMPLE_CALLS[0], SAMPLE_CALLS[2], SAMPLE_CALLS[5]):
        assert checked_values(function(column)) == function.expected(given), str(function)
    other = chunked(given[::-1], pa.string(), [len(given) // 2, *places[:1]])
    for pair in PAIRS[::2]:
        expected = expected_of_pairs(pair.scalar, given, given[::-1])
        assert checked_values(pair(column, other)) == expected, str(pair)


def test_a_single_base_is_used_for_every_row() -> None:
    base = "http://a/b;c/d?e#f"
    resolve, relativize, same = (
        next(p for p in PAIRS if p.name == n) for n in ("resolve", "relativize", "is_same_origin")
    )
    for column in (SAMPLE, chunked(SAMPLE, pa.string_view(), [0, 3, 5, 5])):
        every: Rows = [base] * len(SAMPLE)
        expected = expected_of_pairs(resolve.scalar, every, SAMPLE)
        assert (
            checked_values(resolve(base, column))
            == checked_values(resolve(IRI(base), column))
            == expected
        )
        expected = expected_of_pairs(relativize.scalar, SAMPLE, every)
        assert (
            checked_values(relativize(column, base))
            == checked_values(relativize(column, IRI(base)))
            == expected
        )
        for other in (
            base,
            "HTTP://EXAMPLE.org:080",
            "urn:a",
            "ws://a",
            "http://b\xfccher/",
        ):
            expected = expected_of_pairs(same.scalar, SAMPLE, [other] * len(SAMPLE))
            assert checked_values(same(column, other)) == expected
    for none in ("b", "%"):
        with pytest.raises(URIError):
            resolve(none, SAMPLE)


# --- many rows, many bytes


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_many_rows_have_equal_results_in_every_layout(kind: Any) -> None:
    given = [row if row is None or is_unicode(row) else "\ufffd" for row in compositions(11, 300)]
    column = pa.array(["//before", None, *given, "//after"], kind).slice(2, 300)
    for function in CALLS:
        expected = function(given).to_pylist()
        for layout in LAYOUTS if function.returns_strings else (None,):
            more = {} if layout is None else {"layout": layout}
            assert checked_values(function(column, **more)) == expected, (str(function), layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_later_rows_may_be_longer_than_the_first_rows(layout: Any) -> None:
    host = "h" * 300
    column = pa.array(["//a/"] * 9000 + [f"//{host}/%7E"] * 900)
    assert columns.host(column, layout=layout).to_pylist() == ["a"] * 9000 + [host] * 900
    normal = columns.normalize(column, layout=layout)
    assert normal.to_pylist() == ["//a/"] * 9000 + [f"//{host}/~"] * 900
    parsed = columns.parse(column, fields=["host", "path"], layout=layout).to_pylist()
    assert parsed[8999:9001] == [{"host": "a", "path": "/"}, {"host": host, "path": "/%7E"}]


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_threads_keep_the_order_of_rows(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "ROWS_PER_THREAD", 7)
    given: Rows = (SAMPLE * 20)[:233]
    column = chunked(given, pa.string_view(), [0, 3, 29, 29, 100, 207])
    for function in CALLS:
        made = function(column, threads=threads)
        assert checked_values(made) == (function.expected(SAMPLE) * 20)[:233], str(function)
        assert made.chunks > 4
    for pair in PAIRS:
        expected = expected_of_pairs(pair.scalar, SAMPLE, SAMPLE)
        assert checked_values(pair(column, given, threads=threads)) == (expected * 20)[:233], str(
            pair
        )


@pytest.mark.parametrize("threads", [1, 2, 4, None])
def test_40000_rows_keep_their_order_with_any_number_of_threads(threads: int | None) -> None:
    given: Rows = (SAMPLE * 4000)[:40_000]
    made = columns.host(given, threads=threads)
    expected = (columns.host(SAMPLE).to_pylist() * 4000)[:40_000]
    assert made.to_pylist() == expected
    assert pa.chunked_array(made).to_pylist() == expected


@pytest.mark.skipif(not engine.compiled, reason="the kernel is not built")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("full", [300, 400, 1000])
def test_a_result_that_overflows_one_array_is_split_into_chunks(
    full: int, layout: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_execution, "by_kernel", partial(_execution.by_kernel, full=full))
    given = SAMPLE * 20
    for column in (given, pa.array(given).dictionary_encode()):
        for function in CALLS:
            more = {"layout": layout} if function.returns_strings else {}
            made = function(column, threads=1, **more)
            assert checked_values(made) == function.expected(SAMPLE) * 20, str(function)
        for pair in PAIRS:
            expected = expected_of_pairs(pair.scalar, SAMPLE, SAMPLE) * 20
            assert checked_values(pair(column, given, **pair.in_layout(layout))) == expected, str(
                pair
            )
    # This column is a dictionary, so that views of its strings cannot share the input buffer.
    distinct = pa.array([f"//{row}/{'a' * 20}" for row in range(100)]).dictionary_encode()
    several = columns.to_uri(distinct, layout=layout).chunks > 1
    assert several == (layout != "large_string")


def result_if_it_fits(make: Callable[[], Array]) -> Array | None:
    """Return the result, or None if one of its rows is too long for the layout."""
    try:
        return make()
    except OverflowError as refused:
        if "use large_string" not in str(refused):
            raise
        return None


@pytest.mark.skipif(not engine.compiled, reason="the kernel is not built")
@pytest.mark.parametrize("full", range(0, 80, 7))
def test_a_string_too_long_for_the_layout_raises_overflow_error(
    full: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_execution, "by_kernel", partial(_execution.by_kernel, full=full))
    column = pa.array(SAMPLE).dictionary_encode()
    for function in CALLS:
        expected = function.expected(SAMPLE)
        if function.returns_strings:
            assert checked_values(function(column, layout="large_string")) == expected
        for layout in ("string", "string_view") if function.returns_strings else ():
            made = result_if_it_fits(partial(function, column, layout=layout))
            assert made is None or checked_values(made) == expected, str(function)
    with pytest.raises(OverflowError, match="use large_string"):
        columns.to_iri(pa.array(["x:" + "a" * 80]), layout="string")


# --- lifetime of buffers


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_result_outlives_its_input_column(kind: Any, layout: Any) -> None:
    for function in SAMPLE_CALLS:
        column = chunked(SAMPLE * 9, kind, [5, 50])
        made = function(column, **({"layout": layout} if function.returns_strings else {}))
        read = [pa.chunked_array(made), pl.Series(made), pa.chunked_array(made).chunk(1)]
        expected = function.expected(SAMPLE) * 9
        del column, made
        # These objects overwrite freed memory.
        noise = [bytes([255]) * size for size in range(16, 4096, 16)]
        assert read[0].to_pylist() == expected
        assert read[1].to_list() == expected
        del read[0], read[0], noise[:]
        noise += [bytes([255]) * size for size in range(16, 4096, 16)]
        assert read[0].to_pylist() == expected[5:50]


def test_a_result_can_be_exported_more_than_once() -> None:
    for function in SAMPLE_CALLS:
        made = function(pa.array(SAMPLE, pa.string_view()))
        first, second = pa.chunked_array(made), pa.chunked_array(made)
        third = pa.array(made)
        expected = function.expected(SAMPLE)
        assert first.to_pylist() == second.to_pylist() == third.to_pylist() == expected
        del first, made
        assert second.to_pylist() == third.to_pylist() == expected


def test_an_export_that_is_never_imported_leaves_the_array_intact() -> None:
    for function in SAMPLE_CALLS:
        made = function(SAMPLE)
        made.__arrow_c_array__()
        made.__arrow_c_stream__()
        made.__arrow_c_schema__()
        assert checked_values(made) == function.expected(SAMPLE)


def test_a_field_outlives_its_struct_array() -> None:
    hosts = pa.chunked_array(columns.parse(pa.array(SAMPLE, pa.string_view()))).chunk(0).field(2)
    gc.collect()
    assert hosts.to_pylist() == columns.host(SAMPLE).to_pylist()


def test_a_result_can_be_released_in_another_thread() -> None:
    for function in SAMPLE_CALLS:
        held = [[pa.chunked_array(function(pa.array(SAMPLE, pa.string_view())))] for _ in range(8)]
        threads = [threading.Thread(target=rest.clear) for rest in held[1:]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert held[0][0].to_pylist() == function.expected(SAMPLE)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_result_can_be_passed_to_another_column_function(layout: Any) -> None:
    made = columns.decode(
        columns.encode(
            columns.normalize(columns.to_iri(chunked(SAMPLE, pa.string_view(), [4]))), "fragment"
        ),
        "keep",
        layout=layout,
    )
    gc.collect()
    for function in SAMPLE_CALLS:
        assert checked_values(function(made)) == function.expected(made.to_pylist())
    fields: Any = pa.chunked_array(columns.parse(made, fields=["path", "query"], layout=layout))
    path = fields.chunk(0).field(0)
    texts = path.to_pylist()
    del made, fields
    gc.collect()
    again = columns.decode(columns.encode(path, "path"), "keep")
    scalar = call("", lambda text: percent.decode(percent.encode(text, "path"), "keep"))
    assert checked_values(again) == scalar.expected(texts)
