"""Calls that together enter every public function and method of the kernel.

Each call takes no arguments, and returns the same result every time. Errors are results, too.
"""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

from uriverse import (
    IRI,
    URI,
    IRIReference,
    Params,
    URIReference,
    _engine,
    check,
    extract,
    is_absolute_uri,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    parse,
    percent,
    repair,
)
from uriverse._uri import engine

#: An ASCII URI, an IRI with characters of two and four bytes, and a string that no short buffer
#: holds.
TEXT = "http://User:p%40ss@A.Example:8080/b/../c%7e;d?q=1&r=%C3%A9&q=2#f"
WIDE = "http://user@b\u00fccher.example:80/\u00e9/%c3%a9\U0001f600?\u00e9=\u20ac#\u00df"
LONG = "http://a.example/" + "b%7E/../\u00e9" * 200 + "?" + "x=%41&" * 200
#: Strings that are invalid at the end, in the host, or as percent-encoding.
INVALID = (TEXT + "^", "http://[::1", "http://a/%zz", "a b", "http://a/\ud800", LONG + "^")

VALUES: tuple[IRI, ...] = (URI(TEXT), IRI(WIDE), IRI(LONG), URI("urn:example:a-b"))
NAMES = (
    *("scheme", "authority", "userinfo", "host", "port_text", "path", "query", "fragment"),
    *("path_and_query", "port", "username", "password", "hostname", "origin", "host_kind"),
    *("_bounds", "is_relative", "is_absolute", "has_port"),
    *("name", "stem", "suffix", "suffixes", "parent", "raw_segments"),
)
ROWS = [TEXT, WIDE, None, "a b", LONG, "//a", "", "mailto:me@b\u00fccher.example", "urn:a:%41"]


class Odd(str):
    """A subclass of `str`, which the kernel copies."""

    __slots__ = ()


def outcome(call: Callable[[], Any]) -> Any:
    try:
        result = call()
    except (ValueError, TypeError, KeyError) as error:
        return type(error), str(error)
    if hasattr(result, "to_pylist"):
        return result.to_pylist()
    return (result.query, result.codec, result.separator) if isinstance(result, Params) else result


def each(function: Callable[..., Any], *given: Any) -> list[Any]:
    return [outcome(partial(function, one)) for one in given]


def attributes() -> list[Any]:
    """Return all components of new values, so that nothing is cached."""
    return [
        [getattr(value, name) for name in NAMES] for value in map(IRIReference, (TEXT, WIDE, LONG))
    ]


def comparisons() -> list[Any]:
    first, second = URI(TEXT), IRI(WIDE)
    values = sorted((first, second, *VALUES))
    return [
        *(first == second, first != TEXT, first < second, hash(first) == hash(URI(TEXT))),
        *(str(first), repr(second), f"{first}", bool(first), values, first == URI(TEXT)),
    ]


def edits() -> list[Any]:
    changes: list[tuple[str, tuple[Any, ...]]] = [
        *(("with_scheme", (one,)) for one in ("https", None, "\u00e9")),
        *(("with_userinfo", (one,)) for one in ("u:p", None, "a@")),
        *(("with_host", (one,)) for one in ("[::1]", "c", None, "a/b", "\u00fc")),
        *(("with_port", (one,)) for one in (1, "08", None, -1, "x")),
        *(("with_path", (one,)) for one in ("/x/%41", "", "//y", "?")),
        *(("with_query", (one,)) for one in ("x=\u00e9", "a", None, "#")),
        *(("with_fragment", (one,)) for one in ("g", None, "#")),
        *(("with_authority", (one,)) for one in ("u@h:1", None, "@@")),
        *((f"with_{part}", (".\u00e9" * 600,)) for part in ("name", "stem", "suffix")),
        *(("joinpath", one) for one in (("a b", ""), ("\u00e9" * 900,), ("..",))),
        *(("with_segments", (one,)) for one in (["", "a/b", "\u00e9"], [b"\xff"])),
        *(("joinpath", one) for one in (("a", "b"), ("/",), (b"\xff",))),
        *(("with_param", one) for one in (("q", "3"), ("z", ["\u00e9", None]), ("q", object()))),
        *(("add_param", one) for one in (("q", 4), ("", ""), ("\ud800", "a"))),
        *(("without_params", one) for one in (("q", "r"), ("none",))),
        ("update_params", ({"q": "5", "n": [1, 2]},)),
        ("with_params", ([("a", "b c"), ("a", None)],)),
    ]
    values = (*VALUES[:2], URIReference("a/b"))
    return [each(lambda v, n=n, g=g: getattr(v, n)(*g), *values) for n, g in changes]


def replaced() -> list[Any]:
    parts: list[dict[str, Any]] = [
        {"host": "h", "port": 1, "path": "/p"},
        {"userinfo": None, "query": None, "fragment": "\u00e9"},
        {"path": "//x", "host": None, "userinfo": None, "port": None},
        {"scheme": "s", "host": "a b"},
    ]
    return [
        *(outcome(partial(value.replace, **one)) for one in parts for value in VALUES),
        *(outcome(partial(kind.build, **one)) for one in parts for kind in (URI, IRIReference)),
    ]


def pairs() -> list[Any]:
    found = []
    for query in ("q=1&r=%C3%A9&q=2", "", "a+b=%ff;c", LONG.partition("?")[2], "x=" + "é" * 99):
        for codec in ("form", "rfc3986"):
            made = Params(query, codec=codec)
            found += [
                *(list(made.items()), list(made), len(made), made.get("q"), made.get("x")),
                *(made.getall("q", None), ("q", "1") in made.items(), made.items().isdisjoint([])),
                *each(made.without, "q", "x", b"\xff"),
                *each(
                    lambda value, m=made: m.with_param("q", value), "1", ["", None, "&"], "\udcff"
                ),
                *each(lambda value, m=made: m.add_param("\u00e9", value), 1, None, "\ud800"),
                *each(made.updated, {"q": "x"}, [("a", "b")], {"q": []}),
            ]
    return found


def coded() -> list[Any]:
    texts = ("a b/\u00e9", "%41%c3%a9", "%", "\udcff", LONG, "x" * 3000, b"\xff\x00" * 900, 7)
    return [
        each(function, *texts)
        for function in (
            lambda text: percent.encode(text, "segment"),
            lambda text: percent.encode(text, "query", iri=True),
            percent.decode,
            lambda text: percent.decode(text, "keep"),
            lambda text: percent.decode(text, "surrogateescape"),
            *(percent.decode_bytes, percent.decode_unreserved, percent.uppercase),
        )
    ]


def resolved() -> list[Any]:
    references = ("../x", "?y", "", "//h/\u00e9/..", "g:h/./i", "a b", Odd("./z"), LONG, "#\u00df")
    targets = (TEXT, WIDE, LONG, "http://User:p%40ss@A.Example:8080/b/x", "urn:a:b", "//x")
    return [
        *(each(value.resolve, *references) for value in VALUES),
        *(each(lambda target, v=v: parse(target).relative_to(v), *targets) for v in VALUES),
        *each(lambda value: value.relative_form(), *VALUES),
        *each(lambda value: value.resolve("http:g", strict=False), *VALUES),
    ]


def normalized() -> list[Any]:
    values = (*VALUES, IRI("s:a/%2E%2E/b"), URI("http://[2001:DB8::0:1]:80"), URI("HTTP://%41/"))
    return [
        each(function, *values)
        for function in (
            lambda value: value.normalize(),
            lambda value: value.normalize(scheme=True),
            lambda value: value.normalize(dot_segments="all", case=False),
            lambda value: value.is_normalized(),
            lambda value: value.to_uri(),
            lambda value: value.to_uri(host="idna"),
            lambda value: value.to_iri(),
            lambda value: value.to_iri(host="idna"),
            lambda value: value.comparison_key("scheme"),
            lambda value: pickle.loads(pickle.dumps(value)),
        )
    ]


def domains() -> list[Any]:
    names = ("b\u00fccher.example", "A.example", "xn--bcher-kva", "a..b", "\u0301a", "x" * 300)
    return [*each(engine.to_ascii, *names), *each(engine.to_unicode, *names)]


def found_in(text: str) -> list[Any]:
    return list(extract(text))


#: The calls, by their names.
ENTRY_POINTS: dict[str, Callable[[], Any]] = {
    "is_uri": lambda: each(is_uri, TEXT, WIDE, LONG, *INVALID, Odd(TEXT), 1),
    "is_uri_reference": lambda: each(is_uri_reference, TEXT, WIDE, "//a", *INVALID, None),
    "is_absolute_uri": lambda: each(is_absolute_uri, TEXT, WIDE, "a:b", *INVALID),
    "is_iri": lambda: each(is_iri, TEXT, WIDE, LONG, *INVALID, Odd(WIDE)),
    "is_iri_reference": lambda: each(is_iri_reference, TEXT, WIDE, LONG, *INVALID),
    "parse": lambda: each(
        parse, TEXT, WIDE, LONG, "a", "\u00e9", *INVALID, Odd(WIDE), VALUES[0], 1
    ),
    "types": lambda: [each(kind, TEXT, WIDE, *INVALID) for kind in (URI, IRI, URIReference)],
    "try_parse": lambda: [each(kind.try_parse, TEXT, WIDE, *INVALID) for kind in (URI, IRI)],
    "attributes": attributes,
    "comparisons": comparisons,
    "edits": edits,
    "replace and build": replaced,
    "params": pairs,
    "percent": coded,
    "resolve and relative_to": resolved,
    "normalize": normalized,
    "domains": domains,
    "redact": lambda: each(engine.redact, TEXT, "http://u:p@a/?token=b#\u00e9", "?a=eyJ%3D", WIDE),
    "repair": lambda: each(repair, TEXT, TEXT + "^", WIDE, "/b c/?sid=\u00e9| ", "a[" * 400 + " "),
    "check": lambda: each(check, TEXT, WIDE, "http://a/", *INVALID),
    "extract": lambda: each(found_in, f'see {TEXT}, "{TEXT}" <{WIDE}>', LONG, f"{LONG} {WIDE}"),
    "record": lambda: each(_engine.kernel.format_record, TEXT, WIDE, LONG, *INVALID, "?a=%ff"),
}


def column_entry_points() -> dict[str, Callable[[], Any]]:
    """Return calls of all column functions; they need the package nanoarrow."""
    import nanoarrow
    from tables import EVERY_CALL

    from uriverse import columns
    from uriverse.columns import _c_data

    functions: dict[str, Callable[..., Any]] = {
        **{
            name: lambda rows, name=name, words=words, options=options: getattr(columns, name)(
                rows, *words, **options
            )
            for name, (words, options) in EVERY_CALL.items()
        },
        "host": columns.host,
        "normalize": columns.normalize,
        "to_uri, utf-8": columns.to_uri,
        "to_iri, utf-8": columns.to_iri,
        "resolve": lambda rows: columns.resolve("http://a/", rows),
        "resolve, base": lambda rows: columns.resolve(rows, ["//a"] * len(rows)),
        "relativize": lambda rows: columns.relativize(rows, "http://a/"),
    }
    # The result of a function is an Arrow array, so that the import is tested as well.
    array = columns.decode(ROWS, "keep")
    schema = nanoarrow.c_schema(
        nanoarrow.struct({"url": nanoarrow.string(), "": nanoarrow.string()})
    )
    structure = nanoarrow.c_array(["a", None], nanoarrow.string())
    kind = _c_data.read_type(structure.schema._addr())
    calls: dict[str, Callable[[], Any]] = {
        "Arrow schema": lambda: _c_data.read_type(schema._addr()),
        "Arrow array": lambda: _c_data.read_array_fields(
            structure._addr(), kind, n_buffers=range(3, 4)
        ),
    }
    for name, function in functions.items():
        calls[f"columns: {name}"] = partial(outcome, partial(function, ROWS))
        calls[f"columns: {name} of an array"] = partial(outcome, partial(function, array))
    return calls
