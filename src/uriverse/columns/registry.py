"""The column functions: the one table from which everything about them follows.

The module functions, the Polars, pandas, DuckDB and Spark adapters, the operations of the `columns`
command and the reference page are computed from `FUNCTIONS`, or generated from it by
`tools/make_columns.py`. To add a function, add an entry here and its scalar equivalent to
`reference.py`; if it is to be fast, implement it in the kernel too.
"""

from __future__ import annotations

from typing import Any, cast, get_args

from uriverse._spec.normalization import check_dot_segments
from uriverse._spec.syntax import GRAMMARS
from uriverse.diagnosis.findings import PROFILES, tells_of_form
from uriverse.identifiers.normalization import checked_registry
from uriverse.identifiers.references import LEVELS
from uriverse.schemes.registry import Registry
from uriverse.typing import Component, DecodeErrors, Field, Grammar, HostForm, Operation

from . import reference
from .declarations import ColumnFunction, Example, Option, ResultTypes, one_of, option_of

ALL_FIELDS: tuple[Field, ...] = get_args(Field)

#: The fields of the struct that `parse` returns by default.
FIELDS: tuple[Field, ...] = tuple(field for field in ALL_FIELDS if field != "bounds")

#: What each kind of result is called, engine by engine.
RESULT_TYPES: dict[str, ResultTypes] = {
    "text": ResultTypes("string", "String", "str", "VARCHAR", "string"),
    "flag": ResultTypes("bool", "Boolean", "boolean", "BOOLEAN", "boolean"),
    "number": ResultTypes("int64", "Int64", "Int64", "BIGINT", "bigint"),
    "texts": ResultTypes(
        "list<string>", "List(String)", "ArrowDtype", "VARCHAR[]", "array<string>"
    ),
    "pairs": ResultTypes(
        "list<struct<key: string, value: string>>",
        "List(Struct)",
        "ArrowDtype",
        "STRUCT(key VARCHAR, value VARCHAR)[]",
        "array<struct<key:string,value:string>>",
    ),
    "fields": ResultTypes(
        "struct",
        "Struct",
        "DataFrame",
        "STRUCT({})".format(
            ", ".join(
                f"{name} {'INTEGER' if name == 'error_position' else 'VARCHAR'}" for name in FIELDS
            )
        ),
        "struct",
    ),
}


# --- checks of options, and the arguments of the kernel


def fields_of(value: Any) -> tuple[Field, ...]:
    """Return the distinct names of fields."""
    if isinstance(value, str):
        raise TypeError(f"fields are a list of names, not {value!r}")
    return tuple(dict.fromkeys(one_of("a field", name, ALL_FIELDS) for name in value))


def dot_segments_of(value: Any) -> Any:
    check_dot_segments(value)
    return value


def scheme_of(value: Any) -> bool:
    checked_registry(value, None)
    return cast("bool", value)


def schemes_of(value: Any) -> Registry | None:
    checked_registry(False, value)
    return cast("Registry | None", value)


def name_of(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a name is a str, not {type(value).__name__}")
    return value


def in_order(**options: Any) -> tuple[Any, ...]:
    """Pass all options to the kernel, in the order of the parameters."""
    return tuple(options.values())


def with_rule(grammar: Grammar, **rest: Any) -> tuple[Any, ...]:
    """Pass the rule of the grammar."""
    return GRAMMARS[grammar], *rest.values()


def with_form_codes(profile: str) -> tuple[Any, ...]:
    """Pass whether the profile reports codes of the group `form`."""
    return (tells_of_form(profile),)


def with_idna(host: HostForm) -> tuple[Any, ...]:
    """Pass whether hosts are converted to A-labels."""
    return (host == "idna",)


def normalization(scheme: bool, schemes: Registry | None, **steps: Any) -> tuple[Any, ...] | None:
    """Pass the steps; the kernel knows the rules of `SCHEMES` only, not those of a `Registry`."""
    return None if scheme and schemes is not None else (*steps.values(), scheme)


# --- options that several functions share

GRAMMAR = option_of(
    "grammar",
    "Grammar",
    tuple(GRAMMARS),
    default="iri-reference",
    positional=True,
    doc="the grammar rule that valid rows match.",
    help="Require TYPE, as in check --type",
    metavar="TYPE",
)

#: The steps of normalization, passed on as one set of options.
NORMALIZATION = (
    Option(
        name="case",
        type="bool",
        default=True,
        doc="whether scheme and host become lowercase, and percent-encoded triplets uppercase.",
    ),
    Option(
        name="percent_encoding",
        type="bool",
        default=True,
        doc="whether percent-encoded unreserved characters are decoded.",
    ),
    Option(
        name="dot_segments",
        type="DotSegments",
        default=True,
        check=dot_segments_of,
        doc="whether dot segments are removed from rows with a scheme whose path starts with `/`; "
        '`"all"` removes them from rootless paths too.',
    ),
    Option(
        name="ipv6",
        type="bool",
        default=True,
        doc="whether IPv6 addresses get the form of RFC 5952.",
    ),
    Option(
        name="scheme",
        type="bool",
        default=False,
        check=scheme_of,
        doc="whether the rules of the scheme are applied, such as removing a default port.",
        help="Apply scheme-based rules too",
    ),
    Option(
        name="schemes",
        type="Registry | None",
        default=None,
        check=schemes_of,
        doc="the rules for `scheme`; `None` for `uriverse.SCHEMES`. The compiled kernel does not "
        "run the rules of another registry, so they are slower.",
    ),
)


# --- the functions

DECLARED = (
    ColumnFunction(
        name="parse",
        row=reference.parse,
        kernel=with_rule,
        result="fields",
        summary="Split each row into its components, or report the first syntax error.",
        details="Components are exact substrings of the row: null is undefined, an empty string is "
        "present but empty. `host_kind` is the kind of the host, as in "
        "`IRIReference.host_kind`. In a row that the grammar rejects, only `error`, the "
        "invalid component, and `error_position`, the index of the first invalid character, "
        "are set.\n\n"
        "The optional field `bounds` contains eight offsets in characters: the end of the "
        "scheme, the starts of authority and host, the end of the host, the start and the end "
        "of the path, and the ends of the query and of the whole string; -1 if undefined.",
        returns="A struct for each row, with one child for each field; null if the row is null.",
        rfc=("RFC 3986, section 3", "https://www.rfc-editor.org/rfc/rfc3986#section-3"),
        options=(
            GRAMMAR,
            Option(
                name="fields",
                type="tuple[Field, ...] | list[Field]",
                default=FIELDS,
                default_name="FIELDS",
                check=fields_of,
                doc="the fields of the struct, in this order; by default all except `bounds`.",
            ),
        ),
        example=Example(
            rows=["http://a:80/?", "http://a b/"],
            options={"fields": ["host", "query", "error"]},
            result=[
                {"host": "a", "query": "", "error": None},
                {"host": None, "query": None, "error": "host"},
            ],
        ),
    ),
    ColumnFunction(
        name="normalize",
        row=reference.normalize,
        kernel=normalization,
        result="text",
        summary="Convert each row to its normal form.",
        details="The options turn single steps on and off, as in `IRIReference.normalize`. A URI "
        "stays a URI and an IRI stays an IRI; to group both, use `fingerprint`.",
        returns="The normal form; null if the row is invalid.",
        rfc=(
            "RFC 3986, sections 6.2.2 and 6.2.3",
            "https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2",
        ),
        options=NORMALIZATION,
        sql_variants={"uri_normalize_scheme": {"scheme": True}},
        example=Example(
            rows=["HTTP://A:80/%7eb/../c", "a b"],
            options={"scheme": True},
            result=["http://a/c", None],
        ),
    ),
    ColumnFunction(
        name="resolve",
        row=reference.resolve,
        kernel=in_order,
        result="text",
        summary="Resolve each reference against its base.",
        returns="The target URI; null if the reference or the base is null or invalid, or if the "
        "base has no scheme.",
        rfc=("RFC 3986, section 5", "https://www.rfc-editor.org/rfc/rfc3986#section-5"),
        inputs=("base", "reference"),
        options=(
            Option(
                name="strict",
                type="bool",
                default=True,
                doc="if false, a scheme that equals the scheme of the base is ignored, so that "
                "`http:g` is read as `g` (section 5.4.2).",
            ),
        ),
        reason="base",
        example=Example(
            rows=["d", "../e", "%"],
            base="http://a/b/c",
            result=["http://a/b/d", "http://a/e", None],
        ),
    ),
    ColumnFunction(
        name="relativize",
        row=reference.relativize,
        kernel=in_order,
        result="text",
        summary="Return the shortest reference that resolves to each row against its base.",
        returns="The reference; null if the row or the base is null, invalid or without a scheme, "
        "or if no reference resolves to the row.",
        inputs=("column", "base"),
        options=(
            Option(
                name="climb",
                type="bool",
                default=True,
                doc="if false, references stay in the directory of the base: they contain no `..` "
                "and start with neither a slash nor a scheme.",
            ),
        ),
        reason="unrelated",
        example=Example(
            rows=["http://a/b/d", "http://a/e"], base="http://a/b/c", result=["d", "/e"]
        ),
    ),
    ColumnFunction(
        name="host",
        row=reference.host,
        kernel=in_order,
        result="text",
        summary="Return the host of each row, exactly as it is written.",
        returns="The host; null if the row has no host or is invalid.",
        rfc=("RFC 3986, section 3.2.2", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2"),
        example=Example(
            rows=["http://[::1]/", "file:///", "a"],
            result=["[::1]", "", None],
        ),
    ),
    ColumnFunction(
        name="hostname",
        row=reference.hostname,
        kernel=in_order,
        result="text",
        summary="Return the host of each row without brackets and with lowercase ASCII letters.",
        returns="The host name or address; null if the row has no host or is invalid.",
        example=Example(
            rows=["http://[::A]/", "http://Example.ORG"],
            result=["::a", "example.org"],
        ),
    ),
    ColumnFunction(
        name="port",
        row=reference.port,
        kernel=in_order,
        result="number",
        summary="Return the port of each row as a 64-bit integer.",
        returns="The port; null if the row has no port, has a port without digits or one of 2^63 "
        "or more, or is invalid. `parse` returns the digits of any port.",
        rfc=("RFC 3986, section 3.2.3", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3"),
        example=Example(
            rows=["http://a:080/", "http://a:/", "http://a/"],
            result=[80, None, None],
        ),
    ),
    ColumnFunction(
        name="origin",
        row=reference.origin,
        kernel=in_order,
        result="text",
        summary="Return the origin of each row: its scheme, host and port.",
        returns="The serialized origin; null if the row is invalid or its origin is opaque, as for "
        "`urn:`.",
        rfc=("RFC 6454, section 6.2", "https://www.rfc-editor.org/rfc/rfc6454#section-6.2"),
        example=Example(
            rows=["HTTPS://me@A.example:443/b", "urn:a:b"],
            result=["https://a.example", None],
        ),
    ),
    ColumnFunction(
        name="reversed_host",
        row=reference.reversed_host,
        kernel=in_order,
        result="text",
        summary="Return the `hostname` of each row with its labels in reverse order.",
        details="Hosts in this form sort and group by domain. IP addresses stay as they are.",
        returns="The reversed host name; null if the row has no host or is invalid.",
        example=Example(
            rows=["http://www.Example.org/", "http://127.0.0.1/"],
            result=["org.example.www", "127.0.0.1"],
        ),
    ),
    ColumnFunction(
        name="surt",
        row=reference.surt,
        kernel=in_order,
        result="text",
        summary="Return a key for each row that sorts by domain, host, port and path.",
        details="Indexes of web archives sort by such keys (SURT). The key is made from the normal "
        "form, scheme-based normalization included: the labels of the host in reverse order, "
        "separated by commas, then the port unless it is the default, `)`, the path and the "
        "query. Scheme, userinfo and fragment are removed. Without a host, the key is "
        "everything except the fragment.\n\n"
        "Web archives also remove `www.`, session identifiers and the order of parameters; "
        "this function does not, because the result could then identify another resource.",
        returns="The key; null if the row is invalid or has neither a scheme nor a host.",
        example=Example(
            rows=["http://www.Example.org:80/a?b#c", "urn:isbn:0451450523"],
            result=["org,example,www)/a?b", "urn:isbn:0451450523"],
        ),
    ),
    ColumnFunction(
        name="fingerprint",
        row=reference.fingerprint,
        kernel=in_order,
        result="number",
        summary="Return a 64-bit hash of each row that is the same for equivalent rows.",
        details="The hash is "
        "[XXH64](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) "
        "with seed 0 of the `comparison_key` in UTF-8, as a signed integer. It is the same in "
        'every version of uriverse, except that with `level="scheme"` it may change for '
        "schemes whose rules are added later; the changelog then says so.\n\n"
        "Rows that are not equivalent can have the same hash: in a billion rows, two of them "
        "collide with a probability of 3 %.",
        returns="The hash; null if the row is invalid.",
        options=(
            option_of(
                "level",
                "Level",
                LEVELS,
                default="syntax",
                positional=True,
                doc="the level of equivalence, as in `IRIReference.comparison_key`.",
            ),
        ),
        example=Example(
            rows=["http://a/%7e", "HTTP://A/~", "http://a/%"],
            result=[-3012858504306083358, -3012858504306083358, None],
        ),
    ),
    ColumnFunction(
        name="is_valid",
        row=reference.is_valid,
        kernel=with_rule,
        result="flag",
        summary="Return whether each row matches a grammar rule.",
        returns="True or false; null if the row is null.",
        options=(GRAMMAR,),
        example=Example(rows=["a", "a b", None], result=[True, False, None]),
    ),
    ColumnFunction(
        name="findings",
        row=reference.findings,
        kernel=with_form_codes,
        result="texts",
        summary="Return the codes of the findings that `uriverse.check` reports for each row.",
        details="Rows may be invalid: they have findings too.",
        returns="A list of codes, in the order of `uriverse.check`; null if the row is null.",
        options=(
            option_of(
                "profile",
                "str",
                tuple(PROFILES),
                default="generic",
                positional=True,
                doc="the profile of the check, as in `uriverse.check`.",
                help="Set severities, as in check --profile",
                metavar="PROFILE",
            ),
        ),
        example=Example(
            rows=["http://a.example/", "http://a.example:080/", "a b"],
            result=[[], ["port-odd"], ["missing-scheme", "syntax", "space"]],
        ),
    ),
    ColumnFunction(
        name="to_uri",
        row=reference.to_uri,
        kernel=with_idna,
        result="text",
        summary="Convert each IRI to the URI that it maps to.",
        returns='The URI; null if the row is invalid or, with `host="idna"`, its host is not a '
        "domain name.",
        rfc=("RFC 3987, section 3.1", "https://www.rfc-editor.org/rfc/rfc3987#section-3.1"),
        options=(
            option_of(
                "host",
                "HostForm",
                get_args(HostForm),
                default="percent",
                doc='how hosts that are not ASCII are written: `"percent"` percent-encodes them, '
                '`"idna"` converts them to A-labels.',
            ),
        ),
        example=Example(
            rows=["http://bücher.example/é"],
            options={"host": "idna"},
            result=["http://xn--bcher-kva.example/%C3%A9"],
        ),
    ),
    ColumnFunction(
        name="to_iri",
        row=reference.to_iri,
        kernel=in_order,
        result="text",
        summary="Convert each URI to the IRI that it maps to.",
        returns="The IRI; null if the row is invalid.",
        rfc=("RFC 3987, section 3.2", "https://www.rfc-editor.org/rfc/rfc3987#section-3.2"),
        example=Example(rows=["/caf%C3%A9%2F"], result=["/café%2F"]),
    ),
    ColumnFunction(
        name="query_param",
        row=reference.query_param,
        kernel=in_order,
        result="text",
        summary="Return the first value of a query parameter in each row, decoded.",
        details="The query is read as in `Params.get`.",
        returns="The value, in which octets that are not UTF-8 stay percent-encoded; null if the "
        "row is invalid, lacks the parameter, or has it without `=`.",
        options=(
            Option(
                name="name",
                type="str",
                positional=True,
                check=name_of,
                doc="the name of the parameter, decoded.",
                help="Read this query parameter",
                metavar="NAME",
            ),
        ),
        example=Example(rows=["?a=x+y&b", "?b"], options={"name": "a"}, result=["x y", None]),
    ),
    ColumnFunction(
        name="query_params",
        row=reference.query_params,
        kernel=in_order,
        result="pairs",
        summary="Return all query parameters of each row, decoded.",
        details="The query is read as in `Params.items`.",
        returns="A list of structs with `key` and `value`, which is null for a parameter without "
        "`=`; null if the row has no query or is invalid.",
        example=Example(
            rows=["?a=1&b", "?", "/"],
            result=[[{"key": "a", "value": "1"}, {"key": "b", "value": None}], [], None],
        ),
    ),
    ColumnFunction(
        name="encode",
        row=reference.encode,
        kernel=in_order,
        result="text",
        summary="Percent-encode each row as data of a component.",
        details="The function is `uriverse.percent.encode`, row by row.",
        returns="The encoded string; null if the row is null or not Unicode.",
        options=(
            option_of(
                "component",
                "Component",
                get_args(Component),
                positional=True,
                doc="the component that the data is for, as in `uriverse.percent.encode`.",
            ),
            Option(
                name="iri",
                type="bool",
                default=False,
                doc="whether characters that an IRI may contain stay as they are.",
            ),
        ),
        of_identifiers=False,
        example=Example(
            rows=["a b/é", None],
            options={"component": "segment"},
            result=["a%20b%2F%C3%A9", None],
        ),
    ),
    ColumnFunction(
        name="decode",
        row=reference.decode,
        kernel=in_order,
        result="text",
        summary="Percent-decode each row.",
        details="The function is `uriverse.percent.decode`, row by row. Rows are components or "
        "parts of them: parse identifiers before you decode them.",
        returns="The decoded string; null if a percent sign is not followed by two hexadecimal "
        "digits.",
        options=(
            option_of(
                "errors",
                "DecodeErrors",
                get_args(DecodeErrors),
                default="strict",
                positional=True,
                doc='what happens to octets that are not UTF-8: `"strict"` makes the row null, '
                '`"replace"` writes U+FFFD, `"keep"` leaves them percent-encoded.',
            ),
        ),
        of_identifiers=False,
        example=Example(rows=["caf%C3%A9", "%", "%FF"], result=["café", None, None]),
    ),
)

#: All column functions by name.
FUNCTIONS: dict[str, ColumnFunction] = {function.name: function for function in DECLARED}

#: The functions that the `columns` command offers, by the names of its operations.
OPERATIONS: dict[Operation, ColumnFunction] = {
    function.operation: function for function in DECLARED if function.of_identifiers
}
