"""The types of methods that edit: they return a public type, such as `URI` for a `URN`."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from uriverse._spec.components import Bounds
from uriverse._uri.engine import Identifier

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
    def _cut_path(self) -> Any: ...
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
