"""Resolve many references against one base URI."""

from __future__ import annotations

from .types import IRIReference, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import engine as _engine
    from .types import IRI


class Resolver:
    """A callable that resolves references against a fixed base URI.

    The base is validated only once, when the `Resolver` is created. Results are the same as those
    of `IRI.resolve` ([RFC 3986, section 5](https://www.rfc-editor.org/rfc/rfc3986#section-5)), so
    references may contain non-ASCII characters, whatever the type of the base.

    Args:
        base: a string or a URI, with a scheme.
        strict: if False, ignore the scheme of a reference whose scheme is that of the base; see
            `IRI.resolve`.

    Raises:
        ResolveError: the base has no scheme.
        ParseError: `base` is a string that is not a valid IRI reference.
        TypeError: `base` is neither a `str` nor one of the four URI types.

    >>> resolve = Resolver("http://a/b/c")
    >>> [str(resolve(reference)) for reference in ("d", "../e", "?f")]
    ['http://a/b/d', 'http://a/e', 'http://a/b/c?f']
    """

    __module__ = "uriverse"

    __slots__ = ("_base", "_start", "_strict")

    def __init__(self, base: str | _engine.Identifier, /, *, strict: bool = True) -> None:
        self._base: IRIReference = base if isinstance(base, IRIReference) else parse(base)
        # An `IRIReference` resolves non-ASCII strings as well.
        self._start = IRIReference(self._base)
        self._strict = strict
        if self.base.scheme is None:
            from uriverse._spec.messages import without_scheme

            raise without_scheme(str(self.base), "resolve")

    @property
    def base(self) -> IRIReference:
        """The base URI against which the `Resolver` resolves references.

        >>> Resolver("http://a/b/c").base
        URI('http://a/b/c')
        """
        return self._base

    def __call__(self, reference: str | _engine.Identifier, /) -> IRI:
        """Resolve a reference against the base URI.

        Args:
            reference: a string or a URI, with or without a scheme.

        Returns:
            The target: a `URI` if it is ASCII, otherwise an `IRI`.

        Raises:
            ParseError: `reference` is a string that is not a valid IRI reference.
            TypeError: `reference` is neither a `str` nor one of the four URI types.

        >>> resolve = Resolver("http://a/b/c")
        >>> resolve("../d"), resolve("../rosé")
        (URI('http://a/d'), IRI('http://a/rosé'))
        """
        return self._start.resolve(reference, strict=self._strict)

    def __repr__(self) -> str:
        return f"Resolver({self.base!r}, strict={self._strict})"
