"""Types for annotating code that calls uriverse.

Most are aliases. An alias names the values that an argument or a result can have. Type checkers
reject every other value, and editors offer the right ones for completion.

>>> from uriverse.typing import Level
>>> def deduplicate(uris: list[str], level: Level) -> list[str]: ...

A call such as `deduplicate(uris, "schema")` is then a type error: `Level` allows `"string"`,
`"syntax"` and `"scheme"`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias
from uuid import UUID

from . import _redaction
from ._spec.components import AllParts, Parts
from ._spec.percent import Component

__all__ = [
    "AllParts",
    "Change",
    "Component",
    "Field",
    "Grammar",
    "Host",
    "Layout",
    "Level",
    "ParamSource",
    "ParamValue",
    "ParamValues",
    "Parts",
    "Scope",
    "SegmentData",
    "Severity",
]
__dir__ = __all__.copy


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
        before = _redaction.redact_component(self.component, before)
        after = None if after is None else _redaction.redact_component(self.component, after)
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

Host: TypeAlias = str | IPv4Address | IPv6Address
"""A host, as in `URI.build` and `URI.with_host`: a string, or an address without a zone identifier.

>>> from ipaddress import ip_address
>>> URI("http://a.example/").with_host(ip_address("::1"))
URI('http://[::1]/')
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

ParamSource: TypeAlias = Mapping[Any, ParamValues] | Iterable[tuple[str | bytes, ParamValues]]
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

Severity: TypeAlias = Literal["error", "warning", "info"]
"""How serious a finding of `check` is: `"error"`, `"warning"` or `"info"`.

A profile sets the severity of each finding code.

>>> [finding.severity for finding in check("http://a.example:080/")]
['warning']
"""

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
