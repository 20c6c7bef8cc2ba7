"""Types for annotating code that calls uriverse.

Most are aliases. An alias names the values that an argument or a result can have. Type checkers
reject every other value, and editors offer the right ones for completion.

>>> from uriverse.typing import Level
>>> def deduplicate(uris: list[str], level: Level) -> list[str]: ...

A call such as `deduplicate(uris, "schema")` is then a type error: `Level` allows `"string"`,
`"syntax"` and `"scheme"`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias
from uuid import UUID

from . import _redaction
from ._spec.components import AllParts, Parts
from ._spec.normalization import DotSegments
from ._spec.percent import Component, DecodeErrors

__all__ = [
    "AllParts",
    "Change",
    "CodeGroup",
    "Component",
    "DecodeErrors",
    "DotSegments",
    "Embedding",
    "EmptyPath",
    "Field",
    "Grammar",
    "Hazard",
    "Host",
    "HostForm",
    "HostKind",
    "IPv4Form",
    "Layout",
    "Level",
    "ParamCodec",
    "ParamName",
    "ParamSeparator",
    "ParamSource",
    "ParamValue",
    "ParamValues",
    "Parts",
    "PathRule",
    "Presence",
    "RepairKind",
    "RequestForm",
    "Scope",
    "SegmentData",
    "Setting",
    "Severity",
    "Status",
    "Step",
    "UserData",
    "UserinfoPresence",
    "ZoneGrammar",
]
__dir__ = __all__.copy

# --- identifiers


class Change(NamedTuple):
    """A change that one step of normalization makes to one component of a URI.

    Attributes:
        step: the option of `normalize` that turns the step on: `"percent_encoding"`, `"case"`,
            `"ipv6"`, `"dot_segments"` or `"scheme"`. The steps are applied in this order.
        component: the name of the component, such as `"path"`.
        before: the component before the step.
        after: the component after the step; `None` if the step removes it, `""` if it is empty.

    >>> URI("HTTP://a/").normalization_changes()
    (Change('case', 'scheme', 'HTTP', 'http'),)
    """

    step: str
    component: str
    before: str
    after: str | None

    def __repr__(self) -> str:
        before, after = self.before, self.after
        before = _redaction.redacted_component(self.component, before)
        after = None if after is None else _redaction.redacted_component(self.component, after)
        return f"Change({self.step!r}, {self.component!r}, {before!r}, {after!r})"


Grammar: TypeAlias = Literal[
    "uri", "uri-reference", "absolute-uri", "iri", "iri-reference", "absolute-iri"
]
"""The grammar rule that a string must match, as in `columns.is_valid`.

- `"uri"`: a URI, which has a scheme
  ([RFC 3986, 3](https://www.rfc-editor.org/rfc/rfc3986#section-3));
- `"uri-reference"`: a URI or a relative reference (RFC 3986, 4.1);
- `"absolute-uri"`: a URI without a fragment (RFC 3986, 4.3);
- `"iri"`, `"iri-reference"`, `"absolute-iri"`: the same with non-ASCII characters
  ([RFC 3987, 2.2](https://www.rfc-editor.org/rfc/rfc3987#section-2.2)).

>>> from uriverse import columns
>>> columns.is_valid(["http://a/#b", "../c"], grammar="absolute-uri").to_pylist()
[False, False]
"""

Level: TypeAlias = Literal["string", "syntax", "scheme"]
"""The rules by which two URIs are compared, as in `URI.equivalent`.

- `"string"`: the strings are equal
  ([RFC 3986, 6.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.1));
- `"syntax"`: the URIs are equal after normalizing letter case, percent-encoding and dot segments
  (RFC 3986, 6.2.2);
- `"scheme"`: the URIs are also equal after applying the rules of their scheme, which remove a
  default port, for example (RFC 3986, 6.2.3).

>>> URI("HTTP://a.example:80/").equivalent("http://a.example/", level="syntax")
False
>>> URI("HTTP://a.example:80/").equivalent("http://a.example/", level="scheme")
True
"""

Hazard: TypeAlias = Literal["slash", "dots", "empty"]
"""A hazard that variables in the path of a `Template` contain only if the template allows it.

- `"slash"`: a percent-encoded slash, or a backslash;
- `"dots"`: the segment `.` or `..`;
- `"empty"`: nothing.

>>> from uriverse.templates import Template
>>> Template("/files/{name}").match("/files/..") is None
True
>>> Template("/files/{name}", allow={"dots"}).match("/files/..").variables
{'name': '..'}
"""

HostForm: TypeAlias = Literal["percent", "idna"]
"""How `to_uri` and `to_iri` convert a host: with percent-encoding, or as a domain name.

>>> IRI("http://bücher.example/").to_uri(host="idna")
URI('http://xn--bcher-kva.example/')
"""

Host: TypeAlias = str | IPv4Address | IPv6Address
"""A host, as in `URI.build` and `URI.with_host`: a string, or an address without a zone identifier.

>>> from ipaddress import ip_address
>>> URI("http://a.example/").with_host(ip_address("::1"))
URI('http://[::1]/')
"""

UserData: TypeAlias = str | bytes
"""A user name or a password, not yet percent-encoded: a string, or bytes.

>>> URI("ftp://a.example/").with_username("me@home")
URI('ftp://me%40home@a.example/')
"""

ParamCodec: TypeAlias = Literal["form", "rfc3986"]
"""How the names and values of query parameters are encoded, as in `Params`.

- `"form"`: as browsers submit forms: `+` is a space;
- `"rfc3986"`: percent-encoding only: `+` is a plus sign.

>>> Params("q=a+b")["q"], Params("q=a+b", codec="rfc3986")["q"]
('a b', 'a+b')
"""

ParamSeparator: TypeAlias = Literal["&", ";"]
"""The character between two parameters of a query, as in `Params`.

- `"&"`: the usual separator;
- `";"`: the separator that old web applications used.

>>> Params("a=1;b=2", separator=";")["b"]
'2'
"""

ParamName: TypeAlias = str | bytes
"""The name of a query parameter, not yet percent-encoded: a string, or bytes.

>>> Params().with_param("a b", "1").query
'a+b=1'
"""

ParamValue: TypeAlias = (
    str | bytes | int | float | SupportsIndex | Decimal | UUID | date | time | None
)
"""The value of a query parameter, not yet percent-encoded.

A number is written in decimal, and a date or a time as by `isoformat`. `None` writes the name
without "=". A `bool` is an `int` to type checkers, but `Params` reject it.

>>> Params().with_param("a", 1).with_param("b", 2.5).with_param("c", None).query
'a=1&b=2.5&c'
"""

ParamValues: TypeAlias = ParamValue | Sequence[ParamValue]
"""One value of a query parameter, or a sequence of values that share a name.

>>> Params().with_param("tag", ["a", "b"]).query
'tag=a&tag=b'
"""

ParamSource: TypeAlias = Mapping[Any, ParamValues] | Iterable[tuple[ParamName, ParamValues]]
"""The names and values of several query parameters: a mapping, or pairs in order.

>>> Params().updated({"q": "uri", "page": 2}).query
'q=uri&page=2'
>>> Params().updated([("q", "uri"), ("page", 2)]).query
'q=uri&page=2'
"""

SegmentData: TypeAlias = str | bytes
"""One segment of a path, not yet percent-encoded: a string, or bytes.

>>> URI("http://a.example/").joinpath("50% off?")
URI('http://a.example/50%25%20off%3F')
"""

RequestForm: TypeAlias = Literal["origin", "absolute", "authority", "asterisk"]
"""The form of the target in an HTTP request line, as in `HTTPURI.request_target`.

- `"origin"`: the path and the query, for requests to the server itself;
- `"absolute"`: the whole URI, for requests to a proxy;
- `"authority"`: the host and the port, for `CONNECT`;
- `"asterisk"`: `*`, for `OPTIONS` requests about the whole server.

The forms are those of [RFC 9112, 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2).

>>> HTTPURI("http://a.example/b?c").request_target("origin")
'/b?c'
"""

# --- schemes

Presence: TypeAlias = Literal["required", "optional", "forbidden"]
"""Whether URIs of a scheme have an authority, as in `Scheme.authority`.

- `"required"`: all of them have one, like `http://a.example/`;
- `"optional"`: some of them have one;
- `"forbidden"`: none of them has one, like `urn:isbn:0395363411`.

>>> SCHEMES["http"].authority, SCHEMES["urn"].authority
('required', 'forbidden')
"""

UserinfoPresence: TypeAlias = Literal["optional", "deprecated", "forbidden"]
"""Whether the authority of a scheme's URIs may contain userinfo, as in `Scheme.userinfo`.

- `"optional"`: userinfo is allowed;
- `"deprecated"`: userinfo is valid, but must not be generated;
- `"forbidden"`: userinfo is invalid.

>>> SCHEMES["ftp"].userinfo, SCHEMES["https"].userinfo, SCHEMES["ws"].userinfo
('optional', 'deprecated', 'forbidden')
"""

Status: TypeAlias = Literal["permanent", "provisional", "historical"]
"""The status of a scheme in IANA's registry, as in `Scheme.status`.

- `"permanent"`: registered for general use;
- `"provisional"`: registered with little review;
- `"historical"`: no longer in use.

The statuses are those of [RFC 7595](https://www.rfc-editor.org/rfc/rfc7595).

>>> SCHEMES["https"].status, SCHEMES["git"].status, SCHEMES["wais"].status
('permanent', 'provisional', 'historical')
"""

PathRule: TypeAlias = Literal["path-abempty", "path-absolute", "path-rootless", "path-empty"]
"""The grammar rule that the paths of a scheme match, as in `Scheme.path`.

- `"path-abempty"`: empty, or begins with a slash;
- `"path-absolute"`: begins with a single slash;
- `"path-rootless"`: not empty, and begins without a slash;
- `"path-empty"`: empty.

The rules are those of [RFC 3986, 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

>>> SCHEMES["tag"].path
'path-rootless'
"""

EmptyPath: TypeAlias = Literal["/", ""]
"""The path to which normalization changes an empty path, as in `Scheme.empty_path`.

- `"/"`: the empty path and the root are equivalent, so `http://a.example` becomes
  `http://a.example/`;
- `""`: the scheme distinguishes the two, so the path stays empty.

>>> SCHEMES["http"].empty_path, SCHEMES["s3"].empty_path
('/', '')
"""

Step: TypeAlias = Callable[[AllParts], AllParts]
"""A function that normalizes the components of a URI, as in `Scheme.normalize`.

It takes and returns `AllParts`.

>>> from uriverse.schemes import Scheme
>>> def without_fragment(parts: AllParts) -> AllParts:
...     return parts._replace(fragment=None)
>>> mine = SCHEMES.with_schemes(Scheme(name="x-example", normalize=without_fragment))
>>> URI("x-example:a#b").normalize(scheme=mine)
URI('x-example:a')
"""

# --- hosts

HostKind: TypeAlias = Literal["IPv6address", "IPvFuture", "IPv4address", "reg-name"]
"""The kind of a host, named after its grammar rule, as in `URI.host_kind`.

- `"IPv6address"`: an IPv6 address in brackets;
- `"IPvFuture"`: an address of a later version of IP in brackets;
- `"IPv4address"`: four decimal numbers without leading zeros;
- `"reg-name"`: any other host, such as a domain name.

The rules are those of [RFC 3986, 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2).

>>> URI("http://[::1]/").host_kind, URI("http://localhost/").host_kind
('IPv6address', 'reg-name')
"""

ZoneGrammar: TypeAlias = Literal["rfc6874"]
"""The obsolete syntax for IPv6 zone identifiers that `hosts.ip` can accept.

- `"rfc6874"`: the zone follows `%25`, as in `[fe80::1%25eth0]`
  ([RFC 6874](https://www.rfc-editor.org/rfc/rfc6874)).

>>> hosts.ip("[fe80::1%25eth0]", zone="rfc6874")
IPv6Address('fe80::1%eth0')
"""

IPv4Form: TypeAlias = Literal[
    "overflow", "hex", "octal", "integer", "short", "trailing-dot", "trailing-space", "encoded"
]
"""How a host differs from the usual notation of an IPv4 address, as `hosts.ipv4_form` explains.

>>> hosts.ipv4_form("0x7f.0.0.1")
'hex'
"""

Embedding: TypeAlias = Literal[
    "itself",
    "mapped",
    "compatible",
    "translated",
    "nat64",
    "nat64-local",
    "6to4",
    "teredo-server",
    "teredo-client",
    "isatap",
]
"""How one IP address contains another: `hosts.embedded_addresses` explains the values.

>>> from ipaddress import ip_address
>>> hosts.embedded_addresses(ip_address("::ffff:10.0.0.1"))[1].how
'mapped'
"""

Scope: TypeAlias = Literal[
    "global",
    "unspecified",
    "this-network",
    "loopback",
    "private",
    "shared",
    "link-local",
    "site-local",
    "unique-local",
    "multicast",
    "broadcast",
    "documentation",
    "benchmarking",
    "transition",
    "special",
    "reserved",
]
"""The purpose and the reach of an IP address: `hosts.scope` explains the values.

>>> from ipaddress import ip_address
>>> hosts.scope(ip_address("192.168.0.1"))
'private'
"""

# --- findings

Severity: TypeAlias = Literal["error", "warning", "info"]
"""How serious a finding of `check` is: `"error"`, `"warning"` or `"info"`.

A profile sets the severity of each finding code.

>>> [finding.severity for finding in check("http://a.example:080/")]
['warning']
"""

Setting: TypeAlias = Literal["error", "warning", "info", "off"]
"""The severity that a finding code is set to, as in `check(severities=...)`.

- `"error"`, `"warning"`, `"info"`: report the finding with this severity;
- `"off"`: do not report the finding.

>>> check("http://a.example:080/", severities={"port-odd": "off"})
[]
"""

CodeGroup: TypeAlias = Literal["syntax", "scheme", "text", "deprecated", "ambiguity", "form"]
"""A group of finding codes, as in `check(severities=...)`.

- `"syntax"`: violations of the grammar;
- `"scheme"`: violations of the rules of the scheme;
- `"text"`: problematic Unicode characters;
- `"deprecated"`: deprecated features, such as userinfo in `http` URIs;
- `"ambiguity"`: URIs that other software may parse differently;
- `"form"`: valid URIs that are not in normal form, relative, or of an unregistered scheme.

>>> check("http://a.example:080/", severities={"ambiguity": "off"})
[]
"""

# --- repairs

RepairKind: TypeAlias = Literal[
    "trim", "remove", "slashes", "scheme", "backslash", "idna", "encode"
]
"""The kind of a change that `repair` makes, as in `Repair.kind`.

- `"trim"`: spaces and control characters at an end of the string are removed;
- `"remove"`: tabs and line breaks inside the string are removed;
- `"slashes"`: the slashes before the host are replaced with `//` (only with `slashes=True`);
- `"scheme"`: a scheme is added (only with `scheme=`);
- `"backslash"`: backslashes are replaced with slashes;
- `"idna"`: a non-ASCII host is converted to an ASCII domain name;
- `"encode"`: characters are percent-encoded.

>>> [change.kind for change in repair("http://b\u00fccher.example/a b").changes]
['idna', 'encode']
"""

# --- columns and tables

Layout: TypeAlias = Literal["string", "large_string", "string_view"]
"""The memory layout of the strings in an Arrow array, as in `columns.normalize(layout=...)`.

- `"string"`: 32-bit offsets, for up to 2 GiB of characters in an array;
- `"large_string"`: 64-bit offsets;
- `"string_view"`: views, which contain short strings inline.

>>> from uriverse import columns
>>> columns.normalize(["HTTP://A/"], layout="large_string").to_pylist()
['http://a/']
"""

Field: TypeAlias = Literal[
    "scheme",
    "userinfo",
    "host",
    "port",
    "path",
    "query",
    "fragment",
    "host_kind",
    "error",
    "error_position",
    "bounds",
]
"""A field of the struct that `columns.parse` returns for each row.

- `"scheme"`, `"userinfo"`, `"host"`, `"port"`, `"path"`, `"query"`, `"fragment"`: a component, or
  null if it is undefined;
- `"host_kind"`: the kind of the host;
- `"error"`: the invalid component, or null if the row is valid;
- `"error_position"`: the index of the first invalid character;
- `"bounds"`: the offsets of all components.

>>> from uriverse import columns
>>> columns.parse(["http://a/b"], fields=["host", "path"]).to_pylist()
[{'host': 'a', 'path': '/b'}]
"""
