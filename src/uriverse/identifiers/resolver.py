"""Resolve many references against one base URI."""

from __future__ import annotations

from .references import BASE_HAS_SCHEME, without_scheme
from .types import IRIReference, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse import _engine

    from .types import IRI


class Resolver:
    """A callable that resolves references against one base, which is validated only once.

    Args:
        base: a string or an identifier, with a scheme.
        strict: as for `IRIReference.resolve`.

    Raises:
        ResolveError: the base has no scheme.
        ParseError: the base is a string that is not an IRI-reference.
        TypeError: the base is neither a `str` nor an identifier.

    >>> resolve = Resolver("http://a/b/c")
    >>> [str(resolve(reference)) for reference in ("d", "../e", "?f")]
    ['http://a/b/d', 'http://a/e', 'http://a/b/c?f']
    """

    __slots__ = ("_base", "_strict")

    def __init__(self, base: str | _engine.Identifier, /, *, strict: bool = True) -> None:
        self._base: IRIReference = base if isinstance(base, IRIReference) else parse(base)
        self._strict = strict
        if self.base.scheme is None:
            raise without_scheme(self.base, BASE_HAS_SCHEME)

    @property
    def base(self) -> IRIReference:
        """The base URI."""
        return self._base

    def __call__(self, reference: str | _engine.Identifier, /) -> IRI:
        """Resolve a reference against the base; see `IRIReference.resolve`."""
        return self._base.resolve(reference, strict=self._strict)

    def __repr__(self) -> str:
        return f"Resolver({self.base!r}, strict={self._strict})"
