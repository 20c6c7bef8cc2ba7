"""Whole columns: Arrow in, Arrow out; each function does row by row what one identifier does.

A column is any object that implements the [Arrow PyCapsule protocol][1] (pyarrow, Polars, pandas,
DuckDB and nanoarrow objects do), with strings or with binary values that are read as UTF-8; or a
list of `str`. Every function returns an `Array`, which implements the protocol too. Null rows stay
null. An invalid row gives null, and `parse` gives the reason. No row is ever dropped.

[1]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

>>> from uriverse import columns
>>> columns.host(["http://example.org/a", "b", "http://a b", None]).to_pylist()
['example.org', None, None, None]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from uriverse._engine import Identifier
from uriverse._spec.normalization import check_dot_segments
from uriverse._spec.syntax import GRAMMARS
from uriverse.diagnosis.findings import PROFILES, tells_of_form
from uriverse.identifiers.references import LEVELS
from uriverse.identifiers.resolver import Resolver
from uriverse.schemes.registry import Registry
from uriverse.typing import Component, DecodeErrors, DotSegments, Field, Grammar, Layout

from . import reference as rows
from .arrow import Array
from .buffers import Kind
from .execution import Function, over

if TYPE_CHECKING:
    from uriverse.typing import HostForm, Level

__all__ = [
    "Array",
    "decode",
    "encode",
    "findings",
    "fingerprint",
    "host",
    "hostname",
    "is_valid",
    "normalize",
    "origin",
    "parse",
    "port",
    "query_param",
    "query_params",
    "relativize",
    "resolve",
    "reversed_host",
    "surt",
    "to_iri",
    "to_uri",
]


#: What `parse` gives where nothing else is asked for.
FIELDS: tuple[Field, ...] = tuple(field for field in get_args(Field) if field != "bounds")

#: The fields that are no text.
KINDS: dict[str, Kind] = {"error_position": "position", "bounds": "bounds"}


def known(name: str, given: str, names: tuple[str, ...]) -> None:
    """Refuse what is none of these.

    Raises:
        ValueError: it is none.
    """
    if given not in names:
        raise ValueError(f"{name} is one of {', '.join(names)}, not {given!r}")


def parse(
    column: object,
    /,
    grammar: Grammar = "iri-reference",
    *,
    fields: tuple[Field, ...] | list[Field] = FIELDS,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """Take the texts of a column apart, into one struct ([RFC 3986, section 3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        column: texts: what speaks the Arrow PyCapsule protocol, or a list of `str`.
        grammar: the rule that they are read by.
        fields: what is wanted, in this order: `"scheme"`, `"userinfo"`, `"host"`, `"port"` (its
            digits), `"path"`, `"query"`, `"fragment"`, exactly as they are written: null is
            undefined, `""` is there and empty; `"host_kind"`, as `IRIReference.host_kind` has it.
            Of what the grammar does not produce only `"error"`, the component that is at fault,
            and `"error_position"`, the index of the first wrong character, are there.
            `"bounds"`: in characters, the end of the scheme, the starts of authority and host,
            the end of the host, start and end of the path, and the ends of the query and of
            the text; -1 for what is undefined.
        layout: of texts: `"string"`, `"large_string"`, `"string_view"`; `None` for that of the
            column. Views share its buffers.
        threads: how many of them do the work; `None` for one for each processor.

    Returns:
        A struct column with a row for each: null where the text is null.

    Raises:
        TypeError: there is no column of text, or the fields are a text.
        ValueError: there is no such grammar, field or layout.

    >>> from uriverse import columns
    >>> parsed = columns.parse(["http://a:80/?", "http://a b/"], fields=["host", "query", "error"])
    >>> parsed.to_pylist()
    [{'host': 'a', 'query': '', 'error': None}, {'host': None, 'query': None, 'error': 'host'}]
    """
    known("grammar", grammar, tuple(GRAMMARS))
    if isinstance(fields, str):
        raise TypeError(f"fields are a list of names, not {fields!r}")
    names = tuple(dict.fromkeys(fields))
    for field in names:
        known("a field", field, get_args(Field))
    shape: tuple[tuple[str, Kind], ...] = tuple((name, KINDS.get(name, "text")) for name in names)
    row = rows.fields(grammar, names)
    return over(
        Function(shape, row, "parse", (GRAMMARS[grammar], names)),
        column,
        layout=layout,
        threads=threads,
    )


def is_valid(
    column: object, /, grammar: Grammar = "iri-reference", *, threads: int | None = None
) -> Array:
    """Whether each text is what a grammar produces; null where it is null.

    Args:
        column: texts, as for `parse`.
        grammar: the rule.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.is_valid(["a", "a b", None]).to_pylist()
    [True, False, None]
    """
    known("grammar", grammar, tuple(GRAMMARS))
    function = Function("flag", rows.is_valid(grammar), "is_valid", (GRAMMARS[grammar],))
    return over(function, column, layout=None, threads=threads)


def host(column: object, /, *, layout: Layout | None = None, threads: int | None = None) -> Array:
    """The host of each, as it is written; null where there is none.

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.host(["http://[::1]/", "file:///", "a"]).to_pylist()
    ['[::1]', '', None]
    """
    function = Function("text", rows.of(rows.host), "host")
    return over(function, column, layout=layout, threads=threads)


def hostname(
    column: object, /, *, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """The host of each without brackets, its ASCII letters in lower case; null without one.

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.hostname(["http://[::A]/", "http://Example.ORG"]).to_pylist()
    ['::a', 'example.org']
    """
    function = Function("text", rows.of(rows.hostname), "hostname")
    return over(function, column, layout=layout, threads=threads)


def port(column: object, /, *, threads: int | None = None) -> Array:
    """The port of each as a number of 64 bits; null where there is none, or no digits.

    Null too where the number is larger: `parse` has the digits.

    Args:
        column: texts, as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.port(["http://a:080/", "http://a:/", "http://a/"]).to_pylist()
    [80, None, None]
    """
    function = Function("number", rows.of(rows.port), "port")
    return over(function, column, layout=None, threads=threads)


def origin(column: object, /, *, layout: Layout | None = None, threads: int | None = None) -> Array:
    """The origin of each, as [RFC 6454, 6.2][1] writes it; null where it has none of its own.

    [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.origin(["HTTPS://me@A.example:443/b", "urn:a:b"]).to_pylist()
    ['https://a.example', None]
    """
    function = Function("text", rows.of(rows.origin), "origin")
    return over(function, column, layout=layout, threads=threads)


def reversed_host(
    column: object, /, *, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """The `hostname` of each with its labels in reverse order, to be sorted and grouped by.

    Addresses stay as they are.

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.reversed_host(["http://www.Example.org/", "http://127.0.0.1/"]).to_pylist()
    ['org.example.www', '127.0.0.1']
    """
    function = Function("text", rows.of(rows.reversed_host), "reversed_host")
    return over(function, column, layout=layout, threads=threads)


def normalize(
    column: object,
    /,
    *,
    case: bool = True,
    percent_encoding: bool = True,
    dot_segments: DotSegments = True,
    ipv6: bool = True,
    scheme: bool | Registry = False,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """Normalize each row ([RFC 3986, 6.2.2 and 6.2.3][1]); invalid rows become null.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2

    Args:
        column: texts, as for `parse`.
        case: as for `IRIReference.normalize`, and so the steps that follow.
        percent_encoding: as `case`.
        dot_segments: as `case`.
        ipv6: as `case`.
        scheme: as `case`.
        layout: as for `parse`.
        threads: as for `parse`.

    Raises:
        TypeError: `column` has no strings, or `dot_segments` or `scheme` is of a wrong type.
        ValueError: `layout` or `dot_segments` has an unknown value.

    >>> from uriverse import columns
    >>> columns.normalize(["HTTP://A:80/%7eb/../c", "a b"], scheme=True).to_pylist()
    ['http://a/c', None]
    """
    if not isinstance(scheme, bool | Registry):
        raise TypeError(f"scheme is a bool or a Registry, not {type(scheme).__name__}")
    check_dot_segments(dot_segments)
    steps = {
        "case": case,
        "percent_encoding": percent_encoding,
        "dot_segments": dot_segments,
        "ipv6": ipv6,
    }
    function = Function(
        "text",
        rows.normalize(steps, scheme),
        # The kernel knows the rules of `SCHEMES` only.
        "" if isinstance(scheme, Registry) else "normalize",
        (case, percent_encoding, dot_segments, ipv6, scheme),
    )
    return over(function, column, layout=layout, threads=threads)


def resolve(
    base: object,
    reference: object,
    /,
    *,
    strict: bool = True,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """The target of each reference on its base ([RFC 3986, section 5][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5

    Args:
        base: a text for all rows, or a column, as for `parse`, of as many rows.
        reference: a column of references.
        strict: as for `IRIReference.resolve`.
        layout: as for `parse`; `None` for that of the references.
        threads: as for `parse`.

    Returns:
        Null where one of the two is null or no identifier, or the base has no scheme.

    Raises:
        TypeError: there is no column of text.
        URIError: the base is a text for all rows, and none that can be a base.
        ValueError: the columns differ in length, or there is no such layout.

    >>> from uriverse import columns
    >>> columns.resolve("http://a/b/c", ["d", "../e", "%"]).to_pylist()
    ['http://a/b/d', 'http://a/e', None]
    """
    check_base(base)
    function = Function("text", rows.resolve(strict), "resolve", (strict,))
    return over(function, base, reference, layout=layout, threads=threads)


def relativize(
    column: object,
    base: object,
    /,
    *,
    climb: bool = True,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """The shortest reference that resolves to each on its base.

    Args:
        column: the targets, as for `parse`.
        base: a text for all rows, or a column of as many rows.
        climb: as for `IRIReference.relative_to`.
        layout: as for `parse`.
        threads: as for `parse`.

    Returns:
        Null where one of the two is null, no identifier or without a scheme, or where no
        reference resolves to it.

    Raises:
        TypeError: there is no column of text.
        URIError: the base is a text for all rows, and none that can be a base.
        ValueError: the columns differ in length, or there is no such layout.

    >>> from uriverse import columns
    >>> columns.relativize(["http://a/b/d", "http://a/e"], "http://a/b/c").to_pylist()
    ['d', '/e']
    """
    check_base(base)
    function = Function("text", rows.relativize(climb), "relativize", (climb,))
    return over(function, base, column, layout=layout, threads=threads)


def check_base(base: object) -> None:
    """Refuse a text for all rows that can't be a base.

    Raises:
        URIError: it is no identifier, or has no scheme.
    """
    if isinstance(base, str | Identifier):
        Resolver(base)


def to_uri(
    column: object,
    /,
    *,
    host: HostForm = "percent",
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """The URI that each maps to ([RFC 3987, 3.1][1]); null for what is no identifier.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

    Args:
        column: texts, as for `parse`.
        host: as for `IRIReference.to_uri`; with `"idna"`, null where the host is no domain name.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.to_uri(["http://bücher.example/é"], host="idna").to_pylist()
    ['http://xn--bcher-kva.example/%C3%A9']
    """
    known("host", host, ("percent", "idna"))
    function = Function("text", rows.to_uri(host), "to_uri", (host == "idna",))
    return over(function, column, layout=layout, threads=threads)


def to_iri(column: object, /, *, layout: Layout | None = None, threads: int | None = None) -> Array:
    """The IRI that each maps to ([RFC 3987, 3.2][1]); null for what is no identifier.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.to_iri(["/caf%C3%A9%2F"]).to_pylist()
    ['/café%2F']
    """
    function = Function("text", rows.of(rows.to_iri), "to_iri")
    return over(function, column, layout=layout, threads=threads)


def encode(
    column: object,
    component: Component,
    /,
    *,
    iri: bool = False,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """Each text as it is written in a component: `uriverse.percent.encode`.

    Args:
        column: texts, as for `parse`.
        component: as for `uriverse.percent.encode`.
        iri: as for `uriverse.percent.encode`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.encode(["a b/é", None], "segment").to_pylist()
    ['a%20b%2F%C3%A9', None]
    """
    known("component", component, get_args(Component))
    function = Function("text", rows.encode(component, iri), "encode", (component, iri))
    return over(function, column, layout=layout, threads=threads)


def decode(
    column: object,
    /,
    errors: DecodeErrors = "strict",
    *,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """The text that each percent-encoded text stands for: `uriverse.percent.decode`.

    Args:
        column: texts, as for `parse`; take identifiers apart first.
        errors: what becomes of octets that are not UTF-8: `"strict"` makes the row null,
            `"replace"` puts U+FFFD for them, `"keep"` leaves them encoded.
        layout: as for `parse`.
        threads: as for `parse`.

    Returns:
        Null too where a percent sign is not followed by two hexadecimal digits.

    >>> from uriverse import columns
    >>> columns.decode(["caf%C3%A9", "%", "%FF"]).to_pylist()
    ['café', None, None]
    """
    known("errors", errors, get_args(DecodeErrors))
    function = Function("text", rows.decode(errors), "decode", (errors,))
    return over(function, column, layout=layout, threads=threads)


def query_param(
    column: object, name: str, /, *, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """The first value of a parameter in each query, decoded: `Params.get`.

    Args:
        column: texts, as for `parse`.
        name: the parameter's, decoded.
        layout: as for `parse`.
        threads: as for `parse`.

    Returns:
        Null without the parameter, or where it has no "="; octets that are not UTF-8 stay
        encoded.

    >>> from uriverse import columns
    >>> columns.query_param(["?a=x+y&b", "?b"], "a").to_pylist()
    ['x y', None]
    """
    if not isinstance(name, str):
        raise TypeError(f"a name is a str, not {type(name).__name__}")
    function = Function("text", rows.query_param(name), "query_param", (name,))
    return over(function, column, layout=layout, threads=threads)


def query_params(
    column: object, /, *, layout: Layout | None = None, threads: int | None = None
) -> Array:
    """All parameters in each query, decoded: `Params.items`.

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    Returns:
        Lists of structs of `key` and `value`, which is null without a "="; null without a query.

    >>> from uriverse import columns
    >>> columns.query_params(["?a=1&b", "?", "/"]).to_pylist()
    [[{'key': 'a', 'value': '1'}, {'key': 'b', 'value': None}], [], None]
    """
    function = Function("pairs", rows.of(rows.query_params), "query_params")
    return over(function, column, layout=layout, threads=threads)


def findings(
    column: object,
    /,
    profile: str = "generic",
    *,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """The codes of what `uriverse.check` finds in each text, in its order.

    Args:
        column: texts, as for `parse`; they need not be identifiers.
        profile: as for `uriverse.check`.
        layout: as for `parse`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.findings(["http://a.example/", "http://a.example:080/", "a b"]).to_pylist()
    [[], ['port-odd'], ['missing-scheme', 'syntax', 'space']]
    """
    known("profile", profile, tuple(PROFILES))
    function = Function("texts", rows.findings(profile), "findings", (tells_of_form(profile),))
    return over(function, column, layout=layout, threads=threads)


def surt(column: object, /, *, layout: Layout | None = None, threads: int | None = None) -> Array:
    """A key of each that sorts by domain, host, port and path, as indexes of web archives do.

    Of the normal form, scheme-based too: the labels of the host from the last to the first, with
    commas between, the port if it is no default, `)`, path and query. Without a host it is all but
    the fragment. Nothing else is left out: web archives also drop `www.`, session identifiers and
    the order of parameters, which may identify something else.

    Args:
        column: texts, as for `parse`.
        layout: as for `parse`.
        threads: as for `parse`.

    Returns:
        Null for what is no identifier, and for a reference without scheme and host.

    >>> from uriverse import columns
    >>> columns.surt(["http://www.Example.org:80/a?b#c", "urn:isbn:0451450523"]).to_pylist()
    ['org,example,www)/a?b', 'urn:isbn:0451450523']
    """
    function = Function("text", rows.of(rows.surt), "surt")
    return over(function, column, layout=layout, threads=threads)


def fingerprint(column: object, /, level: Level = "syntax", *, threads: int | None = None) -> Array:
    """A number of 64 bits for each, the same for all that are equivalent on that level.

    It is [XXH64](https://github.com/Cyan4973/xxHash) with the seed 0 of the `comparison_key`, in
    UTF-8, as a number with a sign. It stays the same from version to version, but with
    `"scheme"` for schemes of which more becomes known. Two that are not equivalent have the
    same one by chance: among a billion, with a likelihood of 3 %.

    Args:
        column: texts, as for `parse`.
        level: as for `IRIReference.comparison_key`.
        threads: as for `parse`.

    >>> from uriverse import columns
    >>> columns.fingerprint(["http://a/%7e", "HTTP://A/~", "http://a/%"]).to_pylist()
    [-3012858504306083358, -3012858504306083358, None]
    """
    known("level", level, LEVELS)
    function = Function("number", rows.fingerprint(level), "fingerprint", (level,))
    return over(function, column, layout=None, threads=threads)
