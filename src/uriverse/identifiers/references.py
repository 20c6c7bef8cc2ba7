"""References and comparison: what sections 5 and 6 of RFC 3986 do with identifiers."""

from __future__ import annotations

from uriverse import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from uriverse.errors import ResolveError
    from uriverse.schemes.registry import Registry
    from uriverse.typing import Level

    from .normalization import Change, NormalizeOptions


#: The rungs of the ladder, from the bottom.
LEVELS = ("string", "syntax", "scheme")


class Resolvable(_engine.Identifier):
    """What resolves references, and makes them; the four types are this."""

    __slots__ = ()

    def resolve(
        self, reference: str | _engine.Identifier, /, *, strict: bool = True
    ) -> _engine.Identifier:
        """The target of a reference, with this for its base ([RFC 3986, section 5][1]).

        Percent-encoding is left alone. A path that would be read as an authority is
        shielded by a dot segment: `foo:/a/b` and `..//c` make `foo:/.//c`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5

        Args:
            reference: a text or an identifier, with or without a scheme.
            strict: without it, a scheme that is the base's is not looked at, so that
                `http:g` is read as `g` (5.4.2).

        Returns:
            The target: a `URI` if it is ASCII, else an `IRI`.

        Raises:
            ResolveError: this has no scheme, so it is no base (5.1).
            ParseError: the reference is a text that is no IRI-reference.
            TypeError: the reference is neither a `str` nor an identifier.

        >>> URI("http://a/b/c/d;p?q").resolve("../g")
        URI('http://a/b/g')
        >>> URI("urn:example:a").resolve("#b")
        URI('urn:example:a#b')
        """
        target = self._resolved(reference, strict)
        if target is None:
            raise without_scheme(self, "resolved against")
        return target

    def relative_to(
        self, base: str | _engine.Identifier, /, *, climb: bool = True
    ) -> _engine.Identifier:
        """The shortest reference that `base` resolves to this.

        So `base.resolve(target.relative_to(base)) == target`, or there is an error.

        Args:
            base: a text or an identifier with a scheme.
            climb: without it, the reference stays in the base's directory: it has no
                `..`, and begins with neither a slash nor a scheme.

        Returns:
            The reference, of the narrowest type: `#f`, `?q`, `g`, `../g`, `/g`, `//h/g`,
            or all of this.

        Raises:
            ResolveError: this or the base has no scheme, or no reference resolves to it:
                its path has dot segments, or it is outside of the base's directory.
            ParseError: the base is a text that is no IRI-reference.
            TypeError: the base is neither a `str` nor an identifier.

        >>> URI("http://a/b/g?x").relative_to("http://a/b/c/d")
        URIReference('../g?x')
        >>> URI("http://a/b").relative_to("http://a/b#c")
        URIReference('')
        """
        start = _engine.parse(base)
        for value in (self, start):
            if value.scheme is None:
                raise without_scheme(value, "made relative")
        reference = self._relative(start, climb)
        if reference is None:
            raise nothing_leads_to(self)
        return reference


class Comparable(_engine.Identifier):
    """What is normalised and compared; the four types are this."""

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
            For each step and component that it changes, in the order in which it does so:
            `step` (the argument's name), `component`, and its text `before` and `after`.

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
        """Whether two identifiers are equivalent at a level of the comparison [ladder][1].

        Each level includes those below it, for every scheme. The typed view of a scheme follows
        the scheme's own definition instead; docs/schemes.md says where the two differ.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2

        Args:
            other: a string or an identifier.
            level: `"string"` for simple string comparison (6.2.1), as `==` has it; `"syntax"`
                for syntax-based normalisation of both (6.2.2; RFC 3987, 5.3.2), where an IRI
                is taken as the URI that it maps to; `"scheme"` for the rules of their schemes
                too (6.2.3; RFC 3987, 5.3.3), including differences that the scheme's RFC
                ignores only for comparison.
            schemes: the rules of schemes; `None` for those of `SCHEMES`.

        Raises:
            ParseError: the other is a string that is not an IRI-reference.
            TypeError: the other is neither a `str` nor an identifier.
            ValueError: the level does not exist.

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
        """A text that is the same for all that are `equivalent` on that level.

        To be used in a `dict` or a `set`, and to sort by. The arguments are those of
        `equivalent`.

        Raises:
            ValueError: there is no such level.

        >>> from uriverse import URI
        >>> URI("HTTP://a/%7e/..").comparison_key()
        'http://a/'
        """
        return key(self, level, schemes)


def without_scheme(value: _engine.Identifier, act: str) -> ResolveError:
    """The error for what is relative and should not be."""
    from uriverse.errors import ResolveError

    reason, hint = f"a relative reference can't be {act}", "resolve it on its own base first"
    return ResolveError(str(value), 0, "scheme", "scheme", reason, hint)


def nothing_leads_to(target: _engine.Identifier) -> ResolveError:
    """The error for a target that no reference resolves to."""
    from uriverse.errors import ResolveError

    position = target._bounds[4]
    for segment in target.path.split("/"):
        if segment in {".", ".."}:
            reason = "no reference resolves to a path with dot segments"
            hint = "resolve the target on itself first, which removes them"
            return ResolveError(str(target), position, "path", "segment", reason, hint)
        position += len(segment) + 1
    reason = "no reference that stays in the base's directory resolves to it"
    hint = 'allow ".." with climb=True'
    return ResolveError(str(target), target._bounds[4], "path", "path-noscheme", reason, hint)


def plain(value: _engine.Identifier) -> _engine.Identifier:
    """Return the value as one of the four types: a subclass may require more than a string."""
    public = _engine.public_types[type(value)._rule]
    return value if type(value) is public else public(str(value))


def key(value: _engine.Identifier, level: str, schemes: Registry | None) -> str:
    """The text that an identifier is compared by on a level."""
    if level == "string":
        return str(value)
    if level == "syntax":
        return str(value._to_uri().normalize())
    if level == "scheme":
        from uriverse.schemes.normalization import equivalence_key

        normal = value._to_uri().normalize(scheme=True, schemes=schemes)
        return equivalence_key(str(normal), schemes)
    raise ValueError(f"{level!r} is none of {', '.join(LEVELS)}")
