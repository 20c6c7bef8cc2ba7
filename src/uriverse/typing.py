"""Type aliases of the arguments and results of public functions, for annotations.

>>> from uriverse.typing import Level
>>> def deduplicate(uris: list[str], level: Level) -> list[str]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ._spec.components import AllParts
from ._spec.normalization import DotSegments
from ._spec.percent import Component, DecodeErrors

__all__ = [
    "AllParts",
    "CodeGroup",
    "Component",
    "Compression",
    "DecodeErrors",
    "DotSegments",
    "Embedding",
    "EmptyPath",
    "Field",
    "Format",
    "Grammar",
    "HostForm",
    "HostKind",
    "IPv4Form",
    "Layout",
    "Level",
    "Operation",
    "ParamCodec",
    "ParamName",
    "ParamSeparator",
    "ParamSource",
    "ParamValue",
    "ParamValues",
    "PathRule",
    "Presence",
    "Preset",
    "RequestForm",
    "Scope",
    "SegmentData",
    "Setting",
    "Severity",
    "Status",
    "Step",
    "UserinfoPresence",
    "ZoneGrammar",
]

# --- identifiers

#: A grammar that callers can choose, as for `columns.is_valid`.
Grammar: TypeAlias = Literal[
    "uri", "uri-reference", "absolute-uri", "iri", "iri-reference", "absolute-iri"
]

#: A level of comparison; see `IRIReference.equivalent`.
Level: TypeAlias = Literal["string", "syntax", "scheme"]

#: How `IRIReference.to_uri` writes a host that is not ASCII.
HostForm: TypeAlias = Literal["percent", "idna"]

#: How names and values are encoded in a query; see `Params`.
ParamCodec: TypeAlias = Literal["form", "rfc3986"]

#: The separator of parameters in a query.
ParamSeparator: TypeAlias = Literal["&", ";"]

#: A parameter's name as data; see `Params.with_param`.
ParamName: TypeAlias = str | bytes

#: A parameter's value as data; `None` is written as a name without "=".
ParamValue: TypeAlias = str | bytes | int | float | None

#: The value of a name, or one value for each parameter of that name.
ParamValues: TypeAlias = ParamValue | Sequence[ParamValue]

#: Names and their values, as a mapping or as pairs; see `Params.updated`.
ParamSource: TypeAlias = Mapping[Any, ParamValues] | Iterable[tuple[ParamName, ParamValues]]

#: A segment of a path as data; see `IRIReference.joinpath`.
SegmentData: TypeAlias = str | bytes

#: The form of a request target; see `HTTPURI.request_target`.
RequestForm: TypeAlias = Literal["origin", "absolute", "authority", "asterisk"]

# --- schemes

#: Whether the identifiers of a scheme have an authority.
Presence: TypeAlias = Literal["required", "optional", "forbidden"]

#: Whether the authority of a scheme's identifiers has userinfo.
UserinfoPresence: TypeAlias = Literal["optional", "deprecated", "forbidden"]

#: The registration status of a scheme at IANA.
Status: TypeAlias = Literal["permanent", "provisional", "historical"]

#: The grammar rule for the paths of a scheme's identifiers.
PathRule: TypeAlias = Literal["path-abempty", "path-absolute", "path-rootless", "path-empty"]

#: The path that an empty path after an authority is equivalent to.
EmptyPath: TypeAlias = Literal["/", ""]

#: A step of scheme-based normalization.
Step: TypeAlias = Callable[[AllParts], AllParts]

# --- hosts

#: The kind of a host, by the name of its rule in the grammar.
HostKind: TypeAlias = Literal["IPv6address", "IPvFuture", "IPv4address", "reg-name"]

#: An obsolete grammar of zone identifiers that `hosts.ip` can accept.
ZoneGrammar: TypeAlias = Literal["rfc6874"]

#: How a host differs from the dotted decimal form of the IPv4 address that others read in it.
IPv4Form: TypeAlias = Literal[
    "overflow", "hex", "octal", "integer", "short", "trailing-dot", "trailing-space", "encoded"
]

#: How one address contains another; see `hosts.embedded_addresses`.
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

#: The scope of an address; see `hosts.scope`.
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

# --- findings

#: The severity of a finding.
Severity: TypeAlias = Literal["error", "warning", "info"]

#: The severity that a code is set to; `"off"` disables it.
Setting: TypeAlias = Literal["error", "warning", "info", "off"]

#: A group of finding codes.
CodeGroup: TypeAlias = Literal["syntax", "scheme", "text", "deprecated", "ambiguity", "form"]

# --- columns and tables

#: The layout of strings in an Arrow array: 32-bit offsets, 64-bit offsets, or views.
Layout: TypeAlias = Literal["string", "large_string", "string_view"]

#: A field of the struct that `columns.parse` returns.
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

#: A function of `uriverse.columns`, as the `columns` command names it; the same list as in its
#: registry, in a form that type checkers read.
Operation: TypeAlias = Literal[
    "parse",
    "normalize",
    "resolve",
    "relativize",
    "host",
    "hostname",
    "port",
    "origin",
    "reversed-host",
    "surt",
    "fingerprint",
    "is-valid",
    "findings",
    "to-uri",
    "to-iri",
    "query-param",
    "query-params",
]

#: An output schema of the `columns` command.
Preset: TypeAlias = Literal["commoncrawl", "ecs"]

#: A file format of tables.
Format: TypeAlias = Literal["parquet", "csv", "tsv", "ndjson", "lines"]

#: A compression codec of Parquet files.
Compression: TypeAlias = Literal["snappy", "zstd", "gzip", "lz4", "brotli", "none"]
