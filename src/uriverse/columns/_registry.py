"""The registry of all column functions, with their options, results and documentation.

The functions of `uriverse.columns`, the adapters for Polars, pandas, DuckDB and Spark and the
reference page are all derived from `FUNCTIONS`. Some are
computed when Python imports them; `tools/make_columns.py` generates the others.

To add a function, add an entry here, write its scalar equivalent in `_reference.py`, and run
`tools/make_columns.py`. A function with an operation in the compiled kernel sets `kernel`; the
operation has the same name in `_kernel/columns.pxi`.
"""

from __future__ import annotations

from typing import get_args

from uriverse._spec import GRAMMARS
from uriverse._spec.percent import DECODE_ERRORS
from uriverse._uri.references import LEVELS
from uriverse.diagnosis._findings import PROFILES
from uriverse.typing import Component, Field

from . import _reference, _templates
from ._arguments import (
    ALL_FIELDS,
    added_scheme_of,
    dot_segments_of,
    dropped_of,
    fields_of,
    in_order,
    kept_of,
    name_of,
    names_of,
    new_host_of,
    new_port_of,
    normalization,
    policy_of,
    router_of,
    scheme_of,
    suffixes_of,
    template_of,
    values_of,
    with_compiled,
    with_globs,
    with_idna,
    with_names,
    with_new_host,
    with_new_param,
    with_new_port,
    with_new_scheme,
    with_ranks,
    with_routes,
    with_rule,
    with_scopes,
    with_special_use_names,
    with_table,
)
from ._buffers import Kind
from ._declarations import ColumnFunction, Example, Option, ResultTypes, option_of

#: The fields of the struct that `parse` returns by default.
FIELDS: tuple[Field, ...] = tuple(field for field in ALL_FIELDS if field != "bounds")

#: The data type of each kind of result in each engine.
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
    "map": ResultTypes(
        "map<string, string>",
        "Map(String, String)",
        "ArrowDtype",
        "MAP(VARCHAR, VARCHAR)",
        "map<string,string>",
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
    "decision_fields": ResultTypes(
        "struct",
        "Struct",
        "DataFrame",
        "STRUCT(allowed BOOLEAN, uri VARCHAR, rule VARCHAR, code VARCHAR, reason VARCHAR, "
        "hint VARCHAR)",
        "struct",
    ),
    # The fields of a struct would depend on the template.
    "match_fields": ResultTypes("struct", "Struct", "DataFrame", "VARCHAR", "struct"),
}

#: The fields of the struct that `decision` returns.
DECISION: tuple[tuple[str, Kind], ...] = (
    ("allowed", "flag"),
    *((name, "text") for name in ("uri", "rule", "code", "reason", "hint")),
)


# --- options that several functions share

GRAMMAR = option_of(
    "grammar",
    "Grammar",
    tuple(GRAMMARS),
    default="iri-reference",
    positional=True,
    doc="the grammar rule that a row must match to be valid; see `uriverse.typing.Grammar`.",
)

#: The options of `normalize`.
NORMALIZATION = (
    Option(
        name="case",
        type="bool",
        default=True,
        doc="whether to lowercase schemes and hosts, and uppercase percent-encoded triplets.",
    ),
    Option(
        name="percent_encoding",
        type="bool",
        default=True,
        doc="whether to decode percent-encoded unreserved characters.",
    ),
    Option(
        name="dot_segments",
        type='bool | Literal["all"]',
        default=True,
        check=dot_segments_of,
        doc="whether to remove dot segments from URIs whose path starts with `/`. Relative "
        'references keep them. `"all"` also removes them from rootless paths.',
    ),
    Option(
        name="ipv6",
        type="bool",
        default=True,
        doc="whether to write IPv6 addresses in the form that RFC 5952 recommends.",
    ),
    Option(
        name="scheme",
        type="bool | Registry",
        default=False,
        check=scheme_of,
        doc="whether to also apply the rules of the scheme, such as removing its default port. "
        "`True` applies the rules in `uriverse.SCHEMES`. A `Registry` applies its own; the "
        "function is then slower, because it runs without the compiled kernel.",
    ),
)

HOST_FORM = option_of(
    "host",
    'Literal["percent", "idna"]',
    ("percent", "idna"),
    default="percent",
    doc='how to convert hosts: `"percent"` converts non-ASCII characters to percent-encoded ones '
    'and back, `"idna"` converts U-labels to A-labels (`xn--...`) and back.',
)

PROFILE = option_of(
    "profile",
    "str",
    tuple(PROFILES),
    default="generic",
    positional=True,
    doc="the profile of the check, which selects the findings, as in `uriverse.check`.",
)

NAME = Option(
    name="name",
    type="str",
    positional=True,
    check=name_of,
    doc="the decoded name of the parameter; uppercase and lowercase letters differ.",
)

#: The new value of a parameter.
VALUE = Option(
    name="value",
    type="ParamValues",
    positional=True,
    check=values_of,
    doc="one value for all rows, or a sequence of values, as data; see `URI.with_param`.",
)

#: Whether to keep non-ASCII characters.
KEEP_IRI = Option(
    name="iri",
    type="bool",
    default=False,
    doc="whether to keep the non-ASCII characters that are allowed in an IRI.",
)

POLICY = Option(
    name="policy",
    type="Policy | str",
    positional=True,
    check=policy_of,
    doc="the policy, or a string with a TOML document as in `Policy.from_toml`.",
)

SUFFIXES = Option(
    name="suffixes",
    type="Suffixes | None",
    default=None,
    check=suffixes_of,
    doc="the list of public suffixes, as a `uriverse.suffixes.Suffixes`; `None` for the list in "
    "the package `publicsuffixlist`, with its private section.",
    # A list is too long for a SQL literal, and a path would let queries read files.
    in_sql=False,
)


# --- the functions

DECLARED = (
    ColumnFunction(
        row=_reference.parse,
        section="Parse and validate",
        kernel=with_rule,
        result="fields",
        summary="Split each URI in a column into its components.",
        details="The result has one field for each component, with the exact characters of the "
        "URI. A component that the URI does not have is null; a component that is present but "
        "empty is an empty string. The field `host_kind` is the kind of the host, as in "
        "`IRIReference.host_kind`.\n\n"
        "If a row does not match the grammar, only two fields are set: `error`, the name of the "
        "invalid component, and `error_position`, the index of the first invalid character.\n\n"
        "The optional field `bounds` contains eight offsets, counted in characters: the end of "
        "the scheme, the start of the authority, the start and the end of the host, the start "
        "and the end of the path, the end of the query, and the length of the string. An offset "
        "is -1 if the URI has no such component.",
        returns="A struct for each row; null if the row is null.",
        rfc=("RFC 3986, section 3", "https://www.rfc-editor.org/rfc/rfc3986#section-3"),
        options=(
            GRAMMAR,
            Option(
                name="fields",
                type="tuple[Field, ...] | list[Field]",
                default=FIELDS,
                default_name="FIELDS",
                check=fields_of,
                doc="the fields to return, in this order; by default, all except `bounds`.",
                # The type of a SQL function cannot depend on an option.
                in_sql=False,
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
        row=_reference.normalize,
        section="Normalize and convert",
        kernel=normalization,
        result="text",
        summary="Convert each URI in a column to its normal form.",
        details="Each option turns one step on or off, as in `IRIReference.normalize`. Only ASCII "
        "letters become lowercase.\n\n"
        "The normal form of a URI is a URI, and the normal form of an IRI is an IRI, so "
        "`/caf%C3%A9` and `/café` have different normal forms. To group URIs with the IRIs that "
        "map to them, use `fingerprint`, or convert the column with `to_uri` first.",
        returns="The normal form; null if the row is null or invalid.",
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
        row=_reference.resolve,
        section="Resolve and relativize references",
        kernel=in_order,
        result="text",
        summary="Resolve each reference in a column against a base URI.",
        returns="The target URI; null if the reference or the base is null or invalid, or if the "
        "base has no scheme.",
        rfc=("RFC 3986, section 5", "https://www.rfc-editor.org/rfc/rfc3986#section-5"),
        inputs=("base", "reference"),
        options=(
            Option(
                name="strict",
                type="bool",
                default=True,
                doc="whether to resolve strictly. If false, a reference with the scheme of the "
                "base is resolved as if it had no scheme: `http:g` becomes `g` (RFC 3986, 5.4.2).",
            ),
        ),
        example=Example(
            rows=["d", "../e", "%"],
            base="http://a/b/c",
            result=["http://a/b/d", "http://a/e", None],
        ),
    ),
    ColumnFunction(
        row=_reference.relativize,
        section="Resolve and relativize references",
        kernel=in_order,
        result="text",
        summary="Convert each URI in a column to the shortest reference relative to a base URI.",
        details="Resolving the result against the base returns the original URI.",
        returns="The reference; null if the URI or the base is null, is invalid or has no scheme, "
        "or if no reference resolves to the URI.",
        inputs=("column", "base"),
        options=(
            Option(
                name="walk_up",
                type="bool",
                default=True,
                doc="whether references may leave the directory of the base. If false, references "
                "contain no `..` and start with neither a slash nor a scheme.",
            ),
        ),
        example=Example(
            rows=["http://a/b/d", "http://a/e"], base="http://a/b/c", result=["d", "/e"]
        ),
    ),
    ColumnFunction(
        row=_reference.scheme,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the scheme of each URI in a column, exactly as written.",
        details="A scheme may contain uppercase letters. Convert it to lower case before you "
        "compare it, in SQL with `lower(uri_scheme(url))`.",
        returns="The scheme; null if the row is null, is invalid or has no scheme.",
        rfc=("RFC 3986, section 3.1", "https://www.rfc-editor.org/rfc/rfc3986#section-3.1"),
        example=Example(rows=["X-App://a/", "//a/"], result=["X-App", None]),
    ),
    ColumnFunction(
        row=_reference.userinfo,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the userinfo of each URI in a column, which may contain a password.",
        returns="The userinfo; null if the row is null, is invalid or has no userinfo.",
        rfc=("RFC 3986, section 3.2.1", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1"),
        example=Example(rows=["ftp://m%65:pw@a/", "ftp://a/"], result=["m%65:pw", None]),
    ),
    ColumnFunction(
        row=_reference.host,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the host of each URI in a column, exactly as written.",
        details="IPv6 addresses keep their brackets. To filter or group by host, use `hostname`.",
        returns="The host; null if the row is null, is invalid or has no host.",
        rfc=("RFC 3986, section 3.2.2", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2"),
        example=Example(rows=["http://[::1]/", "file:///", "a"], result=["[::1]", "", None]),
    ),
    ColumnFunction(
        row=_reference.hostname,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the host of each URI in a column, in lower case and without brackets.",
        details="Only ASCII letters become lowercase. Percent-encoded triplets, A-labels and a "
        "trailing dot stay, so `bücher.example`, `xn--bcher-kva.example` and "
        "`xn--bcher-kva.example.` are three host names. To get one name, convert the column with "
        '`to_uri(host="idna")` first, and remove the dot from the result.',
        returns="The host name or IP address; null if the row is null, is invalid or has no host.",
        example=Example(
            rows=["http://[::A]/", "http://Example.ORG"], result=["::a", "example.org"]
        ),
    ),
    ColumnFunction(
        row=_reference.port,
        section="Get one component",
        kernel=in_order,
        result="number",
        summary="Return the port of each URI in a column as an integer.",
        details="Default ports are not filled in. To get a port as a string, use `parse`.",
        returns="The port as a 64-bit integer; null if the row is null or invalid, if the URI has "
        "no port or an empty one, or if the port is 2^63 or more.",
        rfc=("RFC 3986, section 3.2.3", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3"),
        example=Example(rows=["http://a:080/", "http://a:/", "http://a/"], result=[80, None, None]),
    ),
    ColumnFunction(
        row=_reference.origin,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the origin of each URI in a column: its scheme, host and port.",
        details="The scheme and the host are in lower case, and non-ASCII hosts are written as "
        "A-labels: the origin of `http://bücher.example/` is `http://xn--bcher-kva.example`. The "
        "default port of the scheme is omitted. A trailing dot of the host stays.",
        returns="The origin; null if the row is null or invalid, or if the origin is opaque, as "
        "for `urn:` and `file:`.",
        rfc=("RFC 6454, section 6.2", "https://www.rfc-editor.org/rfc/rfc6454#section-6.2"),
        example=Example(
            rows=["HTTPS://me@A.example:443/b", "urn:a:b"], result=["https://a.example", None]
        ),
    ),
    ColumnFunction(
        row=_reference.public_suffix,
        section="Get one component",
        kernel=with_table,
        result="text",
        summary="Return the public suffix of each URI in a column, such as `co.uk`.",
        details="The result is that of `uriverse.suffixes.Suffixes.public_suffix`.",
        returns="The public suffix; null if the row is null or invalid, or if its host is not a "
        "domain name, such as an IP address.",
        options=(SUFFIXES,),
        example=Example(
            rows=["https://a.b.Example.co.uk/", "https://co.uk/", "https://127.0.0.1/"],
            result=["co.uk", "co.uk", None],
        ),
    ),
    ColumnFunction(
        row=_reference.registrable_domain,
        section="Get one component",
        kernel=with_table,
        result="text",
        summary="Return the registrable domain of each URI in a column, such as `example.co.uk`.",
        details="Group by this domain to count the URIs of each site. It consists of the public "
        "suffix and the label before it. The result is that of "
        "`uriverse.suffixes.Suffixes.registrable_domain`.\n\n"
        "A-labels and a trailing dot stay as they are written: `bücher.example` and "
        "`xn--bcher-kva.example` are two domains, and so are `example.com` and `example.com.`. To "
        'count them together, convert the column with `to_uri(host="idna")` first, and remove the '
        "dot from the result.",
        returns="The registrable domain; null if the row is null or invalid, or if its host is a "
        "public suffix or not a domain name.",
        options=(SUFFIXES,),
        example=Example(
            rows=["https://a.b.Example.co.uk/", "https://co.uk/", "https://127.0.0.1/"],
            result=["example.co.uk", None, None],
        ),
    ),
    ColumnFunction(
        row=_reference.subdomain,
        section="Get one component",
        kernel=with_table,
        result="text",
        summary="Return the labels before the registrable domain of each URI in a column.",
        details="The result is that of `uriverse.suffixes.Suffixes.subdomain`.",
        returns="The labels, such as `a.b`; an empty string without such labels; null whenever "
        "`registrable_domain` is null.",
        options=(SUFFIXES,),
        example=Example(
            rows=["https://a.b.Example.co.uk/", "https://co.uk/", "https://127.0.0.1/"],
            result=["a.b", None, None],
        ),
    ),
    ColumnFunction(
        row=_reference.username,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the decoded user name of each URI in a column.",
        details="Octets that are not valid UTF-8 stay percent-encoded.",
        returns="The user name; null if the row is null, is invalid or has no userinfo.",
        rfc=("RFC 3986, section 3.2.1", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1"),
        example=Example(rows=["ftp://m%65:pw@a/", "ftp://a/"], result=["me", None]),
    ),
    ColumnFunction(
        row=_reference.effective_port,
        section="Get one component",
        kernel=in_order,
        result="number",
        summary="Return the port of each URI in a column, or the default port of its scheme.",
        details="The result is that of `URI.effective_port`.",
        returns="The port as a 64-bit integer; null if the row is null or invalid, if the URI has "
        "neither a port number nor a default port, or if the port is 2^63 or more.",
        rfc=("RFC 3986, section 3.2.3", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3"),
        example=Example(rows=["https://a/", "https://a:8443/", "//a/"], result=[443, 8443, None]),
    ),
    ColumnFunction(
        row=_reference.path,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the path of each URI in a column, exactly as written.",
        returns="The path, which may be empty; null if the row is null or invalid.",
        rfc=("RFC 3986, section 3.3", "https://www.rfc-editor.org/rfc/rfc3986#section-3.3"),
        example=Example(rows=["http://a/b%20c?d", "http://a"], result=["/b%20c", ""]),
    ),
    ColumnFunction(
        row=_reference.query,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the query of each URI in a column, exactly as written.",
        returns="The query without the question mark, which may be empty; null if the row is null, "
        "is invalid or has no query.",
        rfc=("RFC 3986, section 3.4", "https://www.rfc-editor.org/rfc/rfc3986#section-3.4"),
        example=Example(
            rows=["http://a/?b=%20#c", "http://a/?", "http://a/"], result=["b=%20", "", None]
        ),
    ),
    ColumnFunction(
        row=_reference.fragment,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the fragment of each URI in a column, exactly as written.",
        returns="The fragment without the number sign, which may be empty; null if the row is "
        "null, is invalid or has no fragment.",
        rfc=("RFC 3986, section 3.5", "https://www.rfc-editor.org/rfc/rfc3986#section-3.5"),
        example=Example(rows=["http://a/#b?c", "http://a/"], result=["b?c", None]),
    ),
    ColumnFunction(
        row=_reference.path_and_query,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the path and the query of each URI in a column, exactly as written.",
        returns='The path, with `?` and the query if the URI has a query; `""` if both are empty; '
        "null if the row is null or invalid.",
        example=Example(rows=["http://a/b?c=d#e", "http://a"], result=["/b?c=d", ""]),
    ),
    ColumnFunction(
        row=_reference.path_segments,
        section="Get one component",
        kernel=in_order,
        result="texts",
        summary="Return the decoded path segments of each URI in a column.",
        details='The segments are those of `URI.segments`: the first one is `""` if the path '
        "starts "
        "with a slash, and the last one if the path ends with a slash. Octets that are not valid "
        "UTF-8 stay percent-encoded.",
        returns="A list of segments, empty if the path is empty; null if the row is null or "
        "invalid.",
        rfc=("RFC 3986, section 3.3", "https://www.rfc-editor.org/rfc/rfc3986#section-3.3"),
        example=Example(
            rows=["http://a/b%20c/d?e", "http://a/b/", "http://a"],
            result=[["", "b c", "d"], ["", "b", ""], []],
        ),
    ),
    ColumnFunction(
        row=_reference.path_depth,
        section="Get one component",
        kernel=in_order,
        result="number",
        summary="Return the number of path segments of each URI in a column that are not empty.",
        details="Dot segments count too; `normalize` removes them.",
        returns="The number as a 64-bit integer; null if the row is null or invalid.",
        example=Example(rows=["http://a/b/c", "http://a/b/c/", "http://a/"], result=[2, 2, 0]),
    ),
    ColumnFunction(
        row=_reference.name,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the last path segment of each URI in a column, decoded.",
        details="The result is that of `URI.name`. Octets that are not valid UTF-8 stay "
        "percent-encoded.",
        returns='The name; `""` if the path is empty or ends with a slash; null if the row is null '
        "or invalid.",
        example=Example(rows=["http://a/b/c%20d.pdf?e", "http://a/b/"], result=["c d.pdf", ""]),
    ),
    ColumnFunction(
        row=_reference.suffix,
        section="Get one component",
        kernel=in_order,
        result="text",
        summary="Return the file extension in the path of each URI in a column.",
        details="The result is that of `URI.suffix`: the end of the `name`, from its last dot on. "
        "A dot at the start or the end of the name does not count.",
        returns='The extension with its dot; `""` without an extension; null if the row is null or '
        "invalid.",
        example=Example(rows=["http://a/b.tar.gz?c", "http://a/.rc"], result=[".gz", ""]),
    ),
    ColumnFunction(
        row=_reference.display,
        section="Write to logs",
        kernel=in_order,
        result="text",
        summary="Return each URI in a column in a readable form, without secrets.",
        details="The result is that of `URI.display`: characters are percent-decoded and domain "
        "names are shown in Unicode, unless this could mislead people. Secrets are replaced with "
        "`REDACTED`. The string is for display only: it may be invalid, or differ from the URI.",
        returns="The readable form; null if the row is null or invalid.",
        rfc=("RFC 3987, section 4.1", "https://www.rfc-editor.org/rfc/rfc3987#section-4.1"),
        example=Example(
            rows=["http://xn--bcher-kva.example/%C3%A9", "http://xn--80ak6aa92e.com/"],
            result=["http://bücher.example/é", "http://xn--80ak6aa92e.com/"],
        ),
    ),
    ColumnFunction(
        row=_reference.host_kind,
        section="Classify",
        kernel=in_order,
        result="text",
        summary="Return the kind of host of each URI in a column.",
        details="The result is that of `URI.host_kind`.",
        returns='`"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or `"reg-name"`; null if the row '
        "is null, is invalid or has no host.",
        rfc=("RFC 3986, section 3.2.2", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2"),
        example=Example(
            rows=["http://[::1]/", "http://127.0.0.1/", "http://a/", "a"],
            result=["IPv6address", "IPv4address", "reg-name", None],
        ),
    ),
    ColumnFunction(
        row=_reference.ip,
        section="Classify",
        kernel=in_order,
        result="text",
        summary="Return the IP address in the host of each URI in a column, in canonical form.",
        details="IPv6 addresses are written as RFC 5952 recommends, without brackets. Only "
        "addresses that match the URI grammar count: `0x7f.1` is a name, which `findings` reports.",
        returns="The address; null if the row is null or invalid, or if the host is not an "
        "address.",
        example=Example(
            rows=["http://[2001:DB8:0::1]/", "http://127.0.0.1:80/", "http://0x7f.1/"],
            result=["2001:db8::1", "127.0.0.1", None],
        ),
    ),
    ColumnFunction(
        row=_reference.scope,
        section="Classify",
        kernel=with_scopes,
        result="text",
        summary="Return the scope of the IP address in the host of each URI in a column.",
        details='The result is that of `uriverse.hosts.scope`, such as `"global"`, `"private"` or '
        '`"loopback"`. Names are not looked up.',
        returns="The scope; null if the row is null or invalid, or if the host is not an address.",
        rfc=("RFC 6890", "https://www.rfc-editor.org/rfc/rfc6890"),
        example=Example(
            rows=["http://192.168.0.1/", "http://[::1]/", "//1.1.1.1", "//a"],
            result=["private", "loopback", "global", None],
        ),
    ),
    ColumnFunction(
        row=_reference.special_use,
        section="Classify",
        kernel=with_special_use_names,
        result="text",
        summary="Return the special-use domain that contains the host of each URI in a column.",
        details="The result is that of `uriverse.hosts.special_use`: a domain in IANA's registry, "
        "such as `localhost`, `local` or `onion`.",
        returns="The domain in lower case; null if the row is null or invalid, or if no "
        "special-use domain contains the host.",
        rfc=("RFC 6761", "https://www.rfc-editor.org/rfc/rfc6761"),
        example=Example(
            rows=["http://printer.local/", "//localhost:8080", "http://a/"],
            result=["local", "localhost", None],
        ),
    ),
    ColumnFunction(
        row=_reference.is_same_origin,
        section="Classify",
        kernel=in_order,
        result="flag",
        summary="Return whether each URI in a column has the same origin as another URI.",
        details="The result is that of `URI.is_same_origin`. URIs without an origin, such as "
        "relative references and `data:` URIs, are never of the same origin. If `other` is one "
        "string for all rows, it needs a scheme.",
        returns="Whether the origins are the same; null if one of the two URIs is null or invalid.",
        rfc=("RFC 6454, section 5", "https://www.rfc-editor.org/rfc/rfc6454#section-5"),
        inputs=("column", "other"),
        example=Example(
            rows=["HTTPS://A.example:443/b", "http://a.example/", "a b"],
            base="https://a.example/",
            result=[True, False, None],
        ),
    ),
    ColumnFunction(
        row=_reference.is_same_site,
        section="Classify",
        kernel=with_table,
        result="flag",
        summary="Return whether each URI in a column is same site with another URI.",
        details="Two URIs are same site if their schemes and their registrable domains are equal, "
        "or their hosts if these have no registrable domain. Ports are ignored. For web "
        "URIs, the result is that of `HTTPURI.is_same_site`. URIs without an origin, such "
        "as relative references and `data:` URIs, are never same site. If `other` is one string "
        "for all rows, it needs a scheme.",
        returns="Whether the URIs are same site; null if one of the two URIs is null or invalid.",
        rfc=(
            "HTML standard, same site",
            "https://html.spec.whatwg.org/multipage/browsers.html#same-site",
        ),
        inputs=("column", "other"),
        options=(SUFFIXES,),
        example=Example(
            rows=["https://b.shop.co.uk:81/", "https://other.co.uk/", "a b"],
            base="https://a.shop.co.uk/",
            result=[True, False, None],
        ),
    ),
    ColumnFunction(
        row=_reference.is_flagged,
        section="Classify",
        kernel=with_ranks,
        result="flag",
        summary="Return whether a check of each URI in a column finds a problem.",
        details="The result is true if `findings` returns a code for the row, so also for an "
        "invalid row.",
        returns="Whether the check finds a problem; null if the row is null.",
        options=(PROFILE,),
        example=Example(
            rows=["http://a.example/", "http://a.example:080/", "a b"], result=[False, True, True]
        ),
    ),
    ColumnFunction(
        row=_reference.without_fragment,
        section="Edit",
        kernel=in_order,
        result="text",
        summary="Remove the fragment of each URI in a column.",
        returns="The URI without its fragment and the `#`; null if the row is null or invalid.",
        example=Example(rows=["http://a/b?c#d", "a b"], result=["http://a/b?c", None]),
    ),
    ColumnFunction(
        row=_reference.without_query,
        section="Edit",
        kernel=in_order,
        result="text",
        summary="Remove the query of each URI in a column.",
        returns="The URI without its query and the `?`; null if the row is null or invalid.",
        example=Example(rows=["http://a/b?c#d"], result=["http://a/b#d"]),
    ),
    ColumnFunction(
        row=_reference.without_userinfo,
        section="Edit",
        kernel=in_order,
        result="text",
        summary="Remove the user name and the password of each URI in a column.",
        returns="The URI without its userinfo and the `@`; null if the row is null or invalid.",
        example=Example(rows=["ftp://me:secret@a/"], result=["ftp://a/"]),
    ),
    ColumnFunction(
        row=_reference.without_params,
        section="Edit",
        kernel=with_names,
        result="text",
        summary="Remove query parameters of each URI in a column by name.",
        details="The result is that of `URI.without_params`. If no parameter remains, the query is "
        "removed with its `?`. For patterns such as `utm_*`, use `filter_params`.",
        returns="The URI without the parameters; null if the row is null or invalid.",
        options=(
            Option(
                name="names",
                type="str | list[str] | tuple[str, ...]",
                positional=True,
                check=names_of,
                doc="one or more decoded names; names that are missing are ignored.",
            ),
        ),
        example=Example(
            rows=["http://a/?q=x&page=1&q=y", "http://a/?page=1"],
            options={"names": ["page"]},
            result=["http://a/?q=x&q=y", "http://a/"],
        ),
    ),
    ColumnFunction(
        row=_reference.filter_params,
        section="Edit",
        kernel=with_globs,
        result="text",
        summary="Keep the query parameters of each URI in a column whose names match a pattern.",
        details="The result is that of `URI.filter_params`: patterns are globs, as in the module "
        "`fnmatch`, and matching is case-sensitive. If no parameter remains, the query is removed "
        "with its `?`.",
        returns="The URI with the parameters that remain; null if the row is null or invalid.",
        options=(
            Option(
                name="keep",
                type="str | list[str] | tuple[str, ...]",
                default="*",
                check=kept_of,
                doc="one or more names or globs to keep.",
            ),
            Option(
                name="drop",
                type="str | list[str] | tuple[str, ...]",
                default=(),
                check=dropped_of,
                doc="one or more names or globs to remove, even if they match `keep`.",
            ),
        ),
        example=Example(
            rows=["//a/?q=x&utm_source=y&gclid=z", "//a/?utm_source=y"],
            options={"drop": ["utm_*", "gclid"]},
            result=["//a/?q=x", "//a/"],
        ),
    ),
    ColumnFunction(
        row=_reference.sorted_params,
        section="Edit",
        kernel=in_order,
        result="text",
        summary="Sort the query parameters of each URI in a column by name.",
        details="The result is that of `URI.sorted_params`. Parameters of the same name keep their "
        "order.",
        returns="The URI with sorted parameters; null if the row is null or invalid.",
        example=Example(rows=["http://a/?b=2&a=1&b=1"], result=["http://a/?a=1&b=2&b=1"]),
    ),
    ColumnFunction(
        row=_reference.with_param,
        section="Edit",
        kernel=with_new_param,
        result="text",
        summary="Set a query parameter of each URI in a column.",
        details="The result is that of `URI.with_param`: the new value replaces the old values in "
        "place, or follows the last parameter.",
        returns="The URI with the new value; null if the row is null or invalid, or if the name or "
        "the value cannot be encoded.",
        options=(NAME, VALUE),
        example=Example(
            rows=["http://a/?q=x&page=1", "http://a/"],
            options={"name": "page", "value": "2"},
            result=["http://a/?q=x&page=2", "http://a/?page=2"],
        ),
    ),
    ColumnFunction(
        row=_reference.add_param,
        section="Edit",
        kernel=with_new_param,
        result="text",
        summary="Add a query parameter to each URI in a column.",
        details="The result is that of `URI.add_param`: the parameter is written at the end of the "
        "query, also if the name occurs already.",
        returns="The URI with the new parameter; null if the row is null or invalid, or if the "
        "name or the value cannot be encoded.",
        options=(NAME, VALUE),
        example=Example(
            rows=["http://a/?tag=x"],
            options={"name": "tag", "value": "y z"},
            result=["http://a/?tag=x&tag=y+z"],
        ),
    ),
    ColumnFunction(
        row=_reference.with_scheme,
        section="Edit",
        kernel=with_new_scheme,
        result="text",
        summary="Set the scheme of each URI in a column.",
        returns="The URI with the new scheme; null if the row is null or invalid, or if the result "
        "would be parsed differently, as `a:b` without its scheme in `x:a:b`.",
        options=(
            Option(
                name="scheme",
                type="str | None",
                positional=True,
                check=added_scheme_of,
                doc="the new scheme without its colon; `None` to remove the scheme.",
            ),
        ),
        example=Example(
            rows=["http://a/b", "//a/b"],
            options={"scheme": "https"},
            result=["https://a/b", "https://a/b"],
        ),
    ),
    ColumnFunction(
        row=_reference.with_host,
        section="Edit",
        kernel=with_new_host,
        result="text",
        summary="Set the host of each URI in a column.",
        returns="The URI with the new host; null if the row is null or invalid, or if the URI "
        "cannot have the host: a URI that is ASCII has no host with other characters.",
        options=(
            Option(
                name="host",
                type="Host | None",
                positional=True,
                check=new_host_of,
                doc="the new host, percent-encoded where necessary, or an `ipaddress` object. An "
                "IPv6 address gets brackets if it has none. `None` removes the host and its `//`.",
            ),
        ),
        example=Example(
            rows=["http://a:80/b", "mailto:me@a"],
            options={"host": "b.example"},
            result=["http://b.example:80/b", None],
        ),
    ),
    ColumnFunction(
        row=_reference.with_port,
        section="Edit",
        kernel=with_new_port,
        result="text",
        summary="Set the port of each URI in a column.",
        returns="The URI with the new port; null if the row is null, is invalid or has no host.",
        options=(
            Option(
                name="port",
                type="int | str | None",
                positional=True,
                check=new_port_of,
                doc='a number, or a string of digits; `None` removes the port and its colon, `""` '
                "removes only the digits.",
            ),
        ),
        example=Example(
            rows=["http://a/b", "b"], options={"port": 8080}, result=["http://a:8080/b", None]
        ),
    ),
    ColumnFunction(
        row=_reference.then,
        section="Resolve and relativize references",
        result="text",
        summary="Combine each relative reference in a column with a second one.",
        details="Resolving the result gives the same URI as resolving first the reference in the "
        "column and then the other; see `URIReference.then`.",
        returns="The combined reference; null if one of the two references is null or invalid.",
        rfc=("RFC 3986, section 5.2", "https://www.rfc-editor.org/rfc/rfc3986#section-5.2"),
        inputs=("column", "other"),
        relative_other=True,
        example=Example(
            rows=["../a/", "/a/b", "%"], base="c?d", result=["../a/c?d", "/a/c?d", None]
        ),
    ),
    ColumnFunction(
        row=_reference.reversed_host,
        section="Sort, group and join",
        kernel=in_order,
        result="text",
        summary="Return the host name of each URI in a column, with its labels in reverse order.",
        details="Reversed host names sort and group by domain. ASCII letters are converted to "
        "lower case. IP addresses are not reversed and are written without brackets.",
        returns="The reversed `hostname`; null if the row is null, is invalid or has no host.",
        example=Example(
            rows=["http://www.Example.org/", "http://127.0.0.1/"],
            result=["org.example.www", "127.0.0.1"],
        ),
    ),
    ColumnFunction(
        row=_reference.surt,
        section="Sort, group and join",
        kernel=in_order,
        result="text",
        summary="Return the sort key (SURT) of each URI in a column, for sorting by domain.",
        details="Web archives sort their indexes by such keys, called SURT (Sort-friendly URI "
        "Reordering Transform). The function first converts an IRI to a URI, as `to_uri` does, and "
        "normalizes the URI, as `normalize(scheme=True)` does. The key then consists of the host "
        "labels in reverse order, separated by commas; a colon and the port, unless it is the "
        "default; a closing parenthesis; the path; and the query. The scheme, the userinfo and the "
        "fragment are omitted. The key of a URI without a host is the normalized URI without its "
        "fragment.\n\n"
        "Web archives also remove `www.` and session identifiers, and sort query parameters. "
        "This function does not, so that URLs with different paths or queries have different "
        "keys.\n\n"
        "The labels are those of the URI: non-ASCII characters of a host are percent-encoded, and "
        "A-labels and a trailing dot stay. `bücher.example` and `xn--bcher-kva.example` therefore "
        'have different keys. To get one key, convert the column with `to_uri(host="idna")` '
        "first.\n\n"
        "To group URLs by site, sort them by `registrable_domain` first: keys of other domains can "
        "stand between the keys of a domain, such as `com,example-b)/` between `com,example)/` and "
        "`com,example:81)/`.",
        returns="The key; null if the row is null, is invalid, or has neither a scheme nor a host.",
        example=Example(
            rows=["http://www.Example.org:80/a?b#c", "urn:isbn:0451450523"],
            result=["org,example,www)/a?b", "urn:isbn:0451450523"],
        ),
    ),
    ColumnFunction(
        row=_reference.fingerprint,
        section="Sort, group and join",
        kernel=in_order,
        result="number",
        summary="Return a 64-bit hash of each URI in a column; equivalent URIs have the same hash.",
        details="Use fingerprints to join, group and deduplicate URIs: integers are cheaper to "
        "compare than strings. The fragment is part of the URI: `/a` and `/a#b` have different "
        "fingerprints. Null and invalid rows have no fingerprint, so a query that groups by "
        "fingerprints puts all of them in one group.\n\n"
        "The fingerprint is the "
        "[XXH64](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md) hash, with seed "
        "0, of the UTF-8 bytes of `IRIReference.comparison_key(level)`. A program that has the "
        "comparison key can compute the same number with any XXH64 library. Fingerprints do not "
        "change between versions of uriverse, with "
        'one exception: at `level="scheme"`, the fingerprints of a scheme change when a version '
        "adds rules for that scheme. The changelog announces such changes.\n\n"
        "Collisions are possible: among a billion URIs that are not equivalent, the chance of at "
        "least one collision is about 3 %.",
        returns="The hash as a signed 64-bit integer; null if the row is null or invalid.",
        options=(
            option_of(
                "level",
                "Level",
                LEVELS,
                default="syntax",
                positional=True,
                doc="the level of equivalence, as in `IRIReference.equivalent`.",
            ),
        ),
        example=Example(
            rows=["http://a/%7e", "HTTP://A/~", "http://a/%"],
            result=[-3012858504306083358, -3012858504306083358, None],
        ),
    ),
    ColumnFunction(
        row=_reference.is_valid,
        section="Parse and validate",
        kernel=with_rule,
        result="flag",
        summary="Return whether each string in a column is a valid URI, IRI or reference.",
        returns="True if the row matches the grammar, false otherwise; null if the row is null.",
        options=(GRAMMAR,),
        example=Example(rows=["a", "a b", None], result=[True, False, None]),
    ),
    ColumnFunction(
        row=_reference.findings,
        section="Parse and validate",
        kernel=with_ranks,
        result="texts",
        summary="Check each URI in a column, and return the codes of the findings.",
        details="A finding is a problem that `uriverse.check` reports: a syntax error, or a valid "
        "URI that other software may misread. Names are not compared with those of brands: "
        "`paypaI.com`, with a capital i, has no finding.",
        returns="A list of codes, in the order of `uriverse.check`, empty if nothing was found; "
        "null if the row is null.",
        options=(PROFILE,),
        example=Example(
            rows=["http://a.example/", "http://a.example:080/", "a b"],
            result=[[], ["port-odd"], ["missing-scheme", "syntax"]],
        ),
    ),
    ColumnFunction(
        row=_reference.repair,
        section="Normalize and convert",
        kernel=in_order,
        result="text",
        summary="Turn each malformed string in a column into a valid URI.",
        details="Each string is repaired with `uriverse.repair`. A row that is a valid URI or "
        "relative reference is returned unchanged, unless `scheme` or `slashes` applies to it: "
        "`www.example.com/a` is a valid relative reference, and so is `//a.example/b`.",
        returns="The URI or relative reference; null if the row is null or cannot be repaired.",
        options=(
            KEEP_IRI,
            Option(
                name="scheme",
                type="str | None",
                default=None,
                check=added_scheme_of,
                doc="a scheme to add to strings that start with `//` or a host; `None` to add "
                "none.",
            ),
            Option(
                name="slashes",
                type="bool",
                default=False,
                doc="whether to replace the slashes and backslashes before the host of an `http`, "
                "`https`, `ws`, `wss` or `ftp` URI with `//`, as in `http:/a.example`.",
            ),
        ),
        example=Example(
            rows=["http://a.example/b c", "http:/a.example/b c"],
            result=["http://a.example/b%20c", None],
        ),
    ),
    ColumnFunction(
        row=_reference.allowed,
        section="Apply a policy",
        kernel=with_compiled,
        result="flag",
        summary="Return whether a policy allows each URI in a column.",
        details="The result is that of `Policy.allows`. An invalid row is not allowed.",
        returns="Whether the policy allows the URI; null if the row is null.",
        options=(POLICY,),
        example=Example(
            rows=["https://a.example/v1/b", "https://a.example/v1/../b", None],
            options={"policy": "allow = ['https://a.example/v1/']"},
            result=[True, False, None],
        ),
    ),
    ColumnFunction(
        row=_reference.decision,
        section="Apply a policy",
        result="decision_fields",
        summary="Decide whether a policy allows each URI in a column, and say why.",
        details="The fields are those of `Decision`: `allowed`; `uri`, the canonical URI; `rule`, "
        "the rule that decides; and for a rejected row, `code`, `reason` and `hint`. A field "
        "without a value is null.",
        returns="A struct for each row; null if the row is null.",
        options=(POLICY,),
        example=Example(
            rows=["HTTP://A"],
            options={"policy": "allow = ['a']"},
            result=[
                {
                    "allowed": True,
                    "uri": "http://a/",
                    "rule": "a",
                    "code": None,
                    "reason": None,
                    "hint": None,
                }
            ],
        ),
    ),
    ColumnFunction(
        row=_reference.match,
        section="Match URI Templates",
        kernel=_templates.matching_for_kernel,
        result="match_fields",
        summary="Return the variables of a URI Template in each URI of a column.",
        details="The result has one field for each variable. The field of a variable that the URI "
        "does not contain is null. A template without a scheme, such as `/users/{id}`, matches "
        "only rows that have neither a scheme nor a host; see `route`.\n\n"
        "The template decides the type of a field: 64-bit integers for `int`, `float64`, `date32`, "
        "and timestamps in UTC for `datetime`, by the argument `types` of `Template`. A field is a "
        "list of strings for a list, and a list of key-value pairs for a mapping, and for an "
        "exploded variable such as `{?query*}` without a type. All other fields are strings.\n\n"
        "The SQL function returns a string with a JSON object, because the type of its result "
        "cannot depend on the template.",
        returns="A struct for each row; null if the row is null, does not match, or matches in "
        "more than one way, or if a number has more than 64 bits.",
        rfc=("RFC 6570, section 1.4", "https://www.rfc-editor.org/rfc/rfc6570#section-1.4"),
        options=(
            Option(
                name="template",
                type="Template | str",
                positional=True,
                check=template_of,
                doc="the template, or its string, which then also matches IRIs.",
            ),
        ),
        row_in_sql=_templates.json_of,
        example=Example(
            rows=["/users/7?page=2", "/users/a%20b", "/"],
            options={"template": "/users/{id}{?page}"},
            result=[{"id": "7", "page": "2"}, {"id": "a b", "page": None}, None],
        ),
    ),
    ColumnFunction(
        row=_reference.route,
        section="Match URI Templates",
        kernel=with_routes,
        result="text",
        summary="Return the name of the route that each URI in a column matches.",
        details="The result is the name that `Router.match` returns, for example to group the "
        "requests in an access log by route. A template without a scheme, such as `/users/{id}`, "
        "matches only rows that have neither a scheme nor a host. If the rows are URLs, route "
        "their `path_and_query`.",
        returns="The name of the route; null if the row is null, matches no route, or matches its "
        "route in more than one way.",
        options=(
            Option(
                name="router",
                type="Router | Mapping[str, str] | str",
                positional=True,
                check=router_of,
                doc="the router, or a mapping or a TOML document of names and templates, which "
                "then also match IRIs.",
            ),
        ),
        example=Example(
            rows=["/users/7?page=2", "/about"],
            options={"router": "user = '/users/{id}'"},
            result=["user", None],
        ),
    ),
    ColumnFunction(
        row=_reference.redact,
        section="Write to logs",
        kernel=in_order,
        result="text",
        summary="Replace the secrets in each string in a column with `REDACTED`.",
        details="Each row is a URI, valid or not, or any text that contains URIs. "
        "`uriverse.redact` explains which characters are secrets. All others stay the same.",
        returns="The string without secrets; null if the row is null or not valid UTF-8.",
        options=(
            Option(
                name="usernames",
                type="bool",
                default=False,
                doc="whether to replace user names as well.",
            ),
            Option(
                name="paths",
                type="bool",
                default=False,
                doc="whether to replace secrets in paths as well, such as the keys of webhooks.",
            ),
        ),
        example=Example(
            rows=["https://me:pw@a/?token=1&b=2", "GET //a"],
            result=["https://me:REDACTED@a/?token=REDACTED&b=2", "GET //a"],
        ),
    ),
    ColumnFunction(
        row=_reference.to_uri,
        section="Normalize and convert",
        kernel=with_idna,
        result="text",
        summary="Convert each IRI in a column to a URI.",
        details="A row that is a URI already is returned unchanged.",
        returns='The URI; null if the row is null or invalid. With `host="idna"`, also null if the '
        "host is not a valid internationalized domain name.",
        rfc=("RFC 3987, section 3.1", "https://www.rfc-editor.org/rfc/rfc3987#section-3.1"),
        options=(HOST_FORM,),
        example=Example(
            rows=["http://bücher.example/é"],
            options={"host": "idna"},
            result=["http://xn--bcher-kva.example/%C3%A9"],
        ),
    ),
    ColumnFunction(
        row=_reference.to_iri,
        section="Normalize and convert",
        kernel=with_idna,
        result="text",
        summary="Convert each URI in a column to an IRI.",
        details="Percent-encoded triplets are decoded if together they represent a non-ASCII "
        "character that is allowed in an IRI. All others stay encoded, such as `%61` (`a`).",
        returns='The IRI; null if the row is null or invalid. With `host="idna"`, a host keeps its '
        "A-labels if `to_uri` would not restore it exactly.",
        rfc=("RFC 3987, section 3.2", "https://www.rfc-editor.org/rfc/rfc3987#section-3.2"),
        options=(HOST_FORM,),
        example=Example(
            rows=["//xn--9ca/%C3%A9%2F"], options={"host": "idna"}, result=["//é/é%2F"]
        ),
    ),
    ColumnFunction(
        row=_reference.query_param,
        section="Read query parameters",
        kernel=in_order,
        result="text",
        summary="Return the decoded value of a query parameter of each URI in a column.",
        details="If the parameter occurs several times, its first value is returned. The query is "
        "decoded as in `Params.get`: `+` becomes a space. However, a parameter without `=`, as in "
        '`?a`, has the value null, and not `""`. Octets that are not valid UTF-8 stay '
        "percent-encoded.",
        returns="The value; null if the row is null or invalid, or if the parameter is missing or "
        "has no `=`.",
        options=(NAME,),
        example=Example(rows=["?a=x+y&b", "?b"], options={"name": "a"}, result=["x y", None]),
    ),
    ColumnFunction(
        row=_reference.query_params,
        section="Read query parameters",
        kernel=in_order,
        result="pairs",
        summary="Return the decoded query parameters of each URI in a column.",
        details="The query is decoded as in `Params.items`: `+` becomes a space. However, a "
        'parameter without `=`, as in `?a`, has the value null, and not `""`. Octets that are not '
        "valid UTF-8 stay percent-encoded.",
        returns="A list of structs with the fields `key` and `value`, where `value` is null for a "
        "parameter without `=`; null if the row is null, is invalid or has no query.",
        example=Example(
            rows=["?a=1&b", "?", "/"],
            result=[[{"key": "a", "value": "1"}, {"key": "b", "value": None}], [], None],
        ),
    ),
    ColumnFunction(
        row=_reference.params,
        section="Read query parameters",
        kernel=in_order,
        result="map",
        summary="Return a map of the decoded query parameters of each URI in a column.",
        details="If a parameter occurs several times, the map contains its first value; "
        "`query_params` returns all of them. The query is decoded as in `query_params`.",
        returns="A map, in which a parameter without `=` has the value null; null if the row is "
        "null, is invalid or has no query.",
        example=Example(rows=["?a=1&b&a=2", "?", "/"], result=[{"a": "1", "b": None}, {}, None]),
    ),
    ColumnFunction(
        row=_reference.param_names,
        section="Read query parameters",
        kernel=in_order,
        result="texts",
        summary="Return the decoded names of the query parameters of each URI in a column.",
        details="Each name occurs once, in the order of `Params.keys`. Octets that are not valid "
        "UTF-8 stay percent-encoded.",
        returns="A list of names; null if the row is null, is invalid or has no query.",
        example=Example(rows=["?a=1&b&a=2", "?", "/"], result=[["a", "b"], [], None]),
    ),
    ColumnFunction(
        row=_reference.param_values,
        section="Read query parameters",
        kernel=in_order,
        result="texts",
        summary="Return all decoded values of a query parameter of each URI in a column.",
        details="The query is decoded as in `query_params`.",
        returns="A list of values, where a parameter without `=` has the value null, empty if the "
        "parameter is missing; null if the row is null, is invalid or has no query.",
        options=(NAME,),
        example=Example(
            rows=["?a=1&b&a=x+y&a", "?b", "/"],
            options={"name": "a"},
            result=[["1", "x y", None], [], None],
        ),
    ),
    ColumnFunction(
        row=_reference.encode,
        section="Percent-encode and decode",
        kernel=in_order,
        result="text",
        summary="Percent-encode each string in a column for use in a URI component.",
        details="Each row is encoded as by `uriverse.percent.encode`.",
        returns="The encoded string; null if the row is null or not valid UTF-8.",
        options=(
            option_of(
                "component",
                "Component",
                get_args(Component),
                positional=True,
                doc="the component that the strings are for, as in `uriverse.percent.encode`.",
            ),
            KEEP_IRI,
        ),
        example=Example(
            rows=["a b/é", None], options={"component": "segment"}, result=["a%20b%2F%C3%A9", None]
        ),
    ),
    ColumnFunction(
        row=_reference.decode,
        section="Percent-encode and decode",
        kernel=in_order,
        result="text",
        summary="Percent-decode each string in a column.",
        details="Each row is decoded as by `uriverse.percent.decode`. Decode only single "
        "components, such as a path segment: in a whole URI, decoded characters could be mistaken "
        "for delimiters.",
        returns="The decoded string; null if the row is null or not valid UTF-8, or if a percent "
        "sign is not followed by two hexadecimal digits.",
        options=(
            option_of(
                "errors",
                'Literal["strict", "replace", "keep", "surrogateescape"]',
                DECODE_ERRORS,
                default="strict",
                positional=True,
                doc='how to handle decoded octets that are not valid UTF-8: `"strict"` makes the '
                'row null, `"replace"` writes U+FFFD, and `"keep"` leaves them percent-encoded. '
                '`"surrogateescape"` also makes the row null, because Arrow strings cannot '
                "contain surrogates.",
            ),
        ),
        example=Example(rows=["caf%C3%A9", "%", "%FF"], result=["café", None, None]),
    ),
)

#: All column functions by name.
FUNCTIONS: dict[str, ColumnFunction] = {function.name: function for function in DECLARED}
