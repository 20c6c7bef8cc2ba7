"""Resolution and comparison of identifiers (RFC 3986, sections 5 and 6)."""

from __future__ import annotations

from uriverse import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from uriverse.errors import ResolveError
    from uriverse.schemes.registry import Registry
    from uriverse.typing import Level

    from .normalization import Change, NormalizeOptions


#: The rest of the reason for a base without a scheme.
BASE_HAS_SCHEME = "a base URI must have a scheme"

#: The levels of the comparison ladder, from the lowest to the highest.
LEVELS = ("string", "syntax", "scheme")


class Resolvable(_engine.Identifier):
    """Methods that resolve references and create relative ones; a base class of the four types."""

    __slots__ = ()

    def resolve(
        self, reference: str | _engine.Identifier, /, *, strict: bool = True
    ) -> _engine.Identifier:
        """Resolve a reference against this base URI ([RFC 3986, section 5][1]).

        Percent-encoding does not change. A path that would be parsed as an authority is
        shielded by a dot segment: `foo:/a/b` and `..//c` give `foo:/.//c`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5

        Args:
            reference: a string or an identifier, with or without a scheme.
            strict: if false, a scheme that equals the base's is ignored, so that `http:g` is
                parsed as `g` (5.4.2).

        Returns:
            The target: a `URI` if it is ASCII, otherwise an `IRI`.

        Raises:
            ResolveError: this has no scheme, so it cannot be a base (5.1).
            ParseError: the reference is a string that is not an IRI-reference.
            TypeError: the reference is neither a `str` nor an identifier.

        >>> URI("http://a/b/c/d;p?q").resolve("../g")
        URI('http://a/b/g')
        >>> URI("urn:example:a").resolve("#b")
        URI('urn:example:a#b')
        """
        target = self._resolved(reference, strict)
        if target is None:
            raise without_scheme(self, BASE_HAS_SCHEME)
        return target

    def relative_to(
        self, base: str | _engine.Identifier, /, *, climb: bool = True
    ) -> _engine.Identifier:
        """Return the shortest reference that `base` resolves to this identifier.

        The result satisfies `base.resolve(target.relative_to(base)) == target`.

        Args:
            base: a string or an identifier, with a scheme.
            climb: if false, the reference stays in the base's directory: it contains no `..`, and
                does not begin with a slash or a scheme.

        Returns:
            The reference, as the narrowest type: `#f`, `?q`, `g`, `../g`, `/g`, `//h/g`, or the
            whole target.

        Raises:
            ResolveError: this or the base has no scheme, or no reference resolves to this: its
                path contains dot segments, or without `climb` it is outside the base's directory.
            ParseError: the base is a string that is not an IRI-reference.
            TypeError: the base is neither a `str` nor an identifier.

        >>> URI("http://a/b/g?x").relative_to("http://a/b/c/d")
        URIReference('../g?x')
        >>> URI("http://a/b").relative_to("http://a/b#c")
        URIReference('')
        """
        start = _engine.parse(base)
        for value in (self, start):
            if value.scheme is None:
                raise without_scheme(value, "relative_to needs two URIs with a scheme")
        reference = self._relative(start, climb)
        if reference is None:
            raise nothing_leads_to(self)
        return reference


class Comparable(_engine.Identifier):
    """Mixin of the four types: methods that examine normal forms and compare identifiers."""

    __slots__ = ()

    def is_normalized(self, **options: Unpack[NormalizeOptions]) -> bool:
        """Return whether `normalize`, with the same options, changes nothing.

        >>> from uriverse import URI
        >>> URI("http://a/%7e").is_normalized(), URI("http://a/~").is_normalized()
        (False, True)
        """
        value = plain(self)
        return value.normalize(**options) is value

    def normalization_changes(self, **options: Unpack[NormalizeOptions]) -> tuple[Change, ...]:
        """Return the changes that `normalize` makes with the same options, step by step.

        Returns:
            A `Change` for each step and each component that it changes, in order of application:
            `step` (the name of the option), `component`, and its value `before` and `after`.

        >>> from uriverse import URI
        >>> for change in URI("HTTP://a/%7e/..").normalization_changes():
        ...     print(change.step, change.component, change.before, change.after)
        percent_encoding path /%7e/.. /~/..
        case scheme HTTP http
        dot_segments path /~/.. /
        """
        from .normalization import changes

        return tuple(changes(str(self), iri=self._rule.startswith("IRI"), **options))

    def equivalent(
        self,
        other: str | _engine.Identifier,
        /,
        *,
        level: Level = "syntax",
        schemes: Registry | None = None,
    ) -> bool:
        """Return whether two identifiers are equivalent at a level of the comparison [ladder][1].

        Each level includes those below it, for every scheme. The typed view of a scheme follows
        the scheme's own definition instead; docs/how-to/schemes.md says where the two differ.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2

        Args:
            other: a string or an identifier.
            level: `"string"` for simple string comparison (6.2.1), like `==`; `"syntax"` for
                syntax-based normalization of both (6.2.2; RFC 3987, 5.3.2), after mapping IRIs to
                URIs; `"scheme"` to apply the rules of their schemes too (6.2.3; RFC 3987, 5.3.3),
                including differences that the scheme's RFC ignores only for comparison.
            schemes: the scheme rules; `None` for those of `SCHEMES`.

        Raises:
            ParseError: `other` is a string that is not an IRI-reference.
            TypeError: `other` is neither a `str` nor an identifier.
            ValueError: the level is unknown.

        >>> from uriverse import IRI
        >>> IRI("example://a/b/c/%7Bfoo%7D/rosé").equivalent(
        ...     "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9"
        ... )
        True
        >>> IRI("http://bücher.example:80").equivalent(
        ...     "http://xn--bcher-kva.example/", level="scheme"
        ... )
        True
        """
        return self.comparison_key(level, schemes=schemes) == key(
            _engine.parse(other), level, schemes
        )

    def comparison_key(self, level: Level = "syntax", /, *, schemes: Registry | None = None) -> str:
        """Return a string that is the same for all identifiers that are `equivalent` at a level.

        Use it as a key in a `dict` or a `set`, or for sorting. The arguments are those of
        `equivalent`.

        Raises:
            ValueError: the level is unknown.

        >>> from uriverse import URI
        >>> URI("HTTP://a/%7e/..").comparison_key()
        'http://a/'
        """
        return key(self, level, schemes)


def without_scheme(value: _engine.Identifier, why: str) -> ResolveError:
    """Return the error for a relative reference where a scheme is required."""
    from uriverse.errors import ResolveError

    hint = "resolve the relative reference against its own base URI first"
    return ResolveError(str(value), 0, "scheme", "scheme", f"missing scheme: {why}", hint)


def nothing_leads_to(target: _engine.Identifier) -> ResolveError:
    """Return the error for a target that no reference resolves to."""
    from uriverse.errors import ResolveError

    position = target._bounds[4]
    for segment in target.path.split("/"):
        if segment in {".", ".."}:
            reason = "dot segment in path: no reference resolves to a path with dot segments"
            hint = "remove the dot segments first: resolve the URI against itself"
            return ResolveError(str(target), position, "path", "segment", reason, hint)
        position += len(segment) + 1
    reason = "target outside the directory of the base URI"
    hint = 'set climb=True to allow ".."'
    return ResolveError(str(target), target._bounds[4], "path", "path-noscheme", reason, hint)


def plain(value: _engine.Identifier) -> _engine.Identifier:
    """Return the value as one of the four types: a subclass may require more than a string."""
    public = _engine.public_types[type(value)._rule]
    return value if type(value) is public else public(str(value))


def key(value: _engine.Identifier, level: str, schemes: Registry | None) -> str:
    """Return the comparison key of an identifier at a level."""
    if level == "string":
        return str(value)
    if level == "syntax":
        return str(value._to_uri().normalize())
    if level == "scheme":
        from uriverse.schemes.normalization import equivalence_key

        normal = value._to_uri().normalize(scheme=True, schemes=schemes)
        return equivalence_key(str(normal), schemes)
    raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
