"""Types that only signatures use. They are imported by type checkers, and to read annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Protocol, TypedDict, TypeVar

from uriverse._spec.components import Bounds
from uriverse._uri.engine import Identifier
from uriverse.schemes._registry import Registry
from uriverse.typing import Host, SegmentData

#: The public type, such as `URI` for a `URN`, which methods that edit return.
PublicType = TypeVar("PublicType", bound=Identifier)
PublicType_co = TypeVar("PublicType_co", bound=Identifier, covariant=True)


class Plain(Protocol[PublicType_co]):
    """The `self` of a method that returns the public type and calls no other such method."""

    @classmethod
    def _plain_type(cls) -> type[PublicType_co]: ...
    @property
    def _bounds(self) -> Bounds: ...
    @property
    def _with_part(self) -> Any: ...
    @property
    def _with_parts(self) -> Any: ...
    @property
    def _shorten_path(self) -> Any: ...
    @property
    def _is_iri(self) -> Any: ...
    @property
    def scheme(self) -> str | None: ...
    @property
    def userinfo(self) -> str | None: ...
    @property
    def host(self) -> str | None: ...
    @property
    def path(self) -> str: ...
    @property
    def params(self) -> Any: ...


class Edits(Plain[PublicType_co], Protocol[PublicType_co]):
    """The `self` of a method that calls `replace`.

    It has no other method that edits: type checkers would compare these with each other, which
    takes them minutes.
    """

    @property
    def replace(self) -> Any: ...


class Parts(TypedDict, total=False):
    """Arguments of `URI.build` and of `URI.replace`."""

    scheme: str | None
    authority: str | None
    userinfo: str | None
    username: str | bytes | None
    password: str | bytes | None
    host: Host | None
    port: int | str | None
    path: str
    query: str | None
    fragment: str | None
    protect_path: bool


class NewParts(Parts, total=False):
    """The arguments of `URI.build` except `params`."""

    segments: Iterable[SegmentData] | None


class Changes(Parts, total=False):
    """The arguments of `URI.replace` except `params`."""

    segments: Iterable[SegmentData]


class StepOptions(TypedDict, total=False):
    """The options of `URI.normalize` that control the steps of syntax-based normalization."""

    case: bool
    percent_encoding: bool
    dot_segments: bool | Literal["all"]
    ipv6: bool


class NormalizeOptions(StepOptions, total=False):
    """The keyword arguments of `URI.normalize`, which some other methods accept as well."""

    scheme: bool | Registry
