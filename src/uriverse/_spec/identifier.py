"""The reference implementation of identifiers, and the functions that validate strings.

The compiled kernel has the same class and functions, with the same names and docstrings.
"""

from __future__ import annotations

from .syntax import LONGEST_TEXT, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, NoReturn, Self

    from .components import Bounds
    from .normalization import DotSegments

#: The delimiters before and after each of the seven components, from the scheme on.
DELIMITERS = (("", ":"), ("", "@"), ("", ""), (":", ""), ("", ""), ("?", ""), ("#", ""))

#: The public types by the rule that each accepts, and the functions of other layers that raise
#: an error and that apply the rules of a scheme: `register_types` sets them.
_types: dict[str, type[Identifier]] = {}
_raise_parse_error: list[Callable[[str, str, str, int], NoReturn]] = []
_apply_scheme_rules: list[Callable[[str, bool, Any], str]] = []


def register_types(
    public_types: dict[str, type[Identifier]],
    raise_invalid: Callable[[str, str, str, int], NoReturn],
    normalize_by_scheme: Callable[[str, bool, Any], str],
    /,
) -> None:
    """Set the classes that the engine creates, and its functions for errors and schemes.

    Args:
        public_types: the four types by rule.
        raise_invalid: raises the error for a string that violates a rule; takes the string, the
            rule, the component and the position.
        normalize_by_scheme: applies scheme-based normalization; takes a string in the normal form
            of its syntax, and the options `scheme` and `schemes` of `normalize`.
    """
    _types.update(public_types)
    _raise_parse_error[:] = [raise_invalid]
    _apply_scheme_rules[:] = [normalize_by_scheme]


def as_text(text: object) -> str:
    """Return the exact `str` of a string or of an identifier."""
    if isinstance(text, str):
        # A subclass of `str` may override `__str__`; use its actual characters.
        return str.__str__(text)
    if isinstance(text, Identifier):
        return text._text
    raise TypeError(f"expected a str or an identifier, not {type(text).__name__}")


def rule_of(cls: type[Identifier]) -> str:
    """Return the grammar rule of a public type or of a subclass of one."""
    try:
        return cls._rule
    except AttributeError:
        raise TypeError(f"{cls.__name__} must be a subclass of IRIReference") from None


def reject(text: str, rule: str) -> NoReturn:
    """Raise the error for a string that violates a rule."""
    from .violation import first_violation  # needed for errors only

    _raise_parse_error[0](text, rule, *first_violation(text, rule))


def is_a(text: object, rule: str) -> bool:
    # Most arguments are exact strings: avoid the call of `as_text` for those.
    exact = text if type(text) is str else as_text(text)
    return len(exact) <= LONGEST_TEXT and matches(exact, rule)


def is_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is a [`URI`](https://www.rfc-editor.org/rfc/rfc3986#section-3).

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> is_uri("urn:isbn:0451450523"), is_uri("//example.org/")
    (True, False)
    """
    return is_a(text, "URI")


def is_uri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is a [`URI-reference`][1].

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> is_uri_reference("../a?b"), is_uri_reference("a b")
    (True, False)
    """
    return is_a(text, "URI-reference")


def is_absolute_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is an [`absolute-URI`][1], that is, a URI without a fragment.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> is_absolute_uri("http://a/b?c"), is_absolute_uri("http://a/b#c")
    (True, False)
    """
    return is_a(text, "absolute-URI")


def is_iri(text: str | Identifier, /) -> bool:
    """Return whether a string is an [`IRI`](https://www.rfc-editor.org/rfc/rfc3987#section-2.2).

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> is_iri("http://example.org/rosé"), is_iri("http://example.org/<>")
    (True, False)
    """
    return is_a(text, "IRI")


def is_iri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is an [`IRI-reference`][1].

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Raises:
        TypeError: `text` is neither a `str` nor an identifier.

    >>> is_iri_reference("rosé"), is_iri_reference("%zz")
    (True, False)
    """
    return is_a(text, "IRI-reference")


def parse(text: str | Identifier, /) -> Identifier:
    """Parse a string as the narrowest of the four types that accepts it.

    Args:
        text: a `str`, or another identifier.

    Returns:
        A `URI` (with a scheme) or a `URIReference` (without) if the string is ASCII, otherwise
        an `IRI` or an `IRIReference`. The string is kept exactly as it is.

    Raises:
        ParseError: the string matches none of the four grammars; the error has the position
            and the reason.
        TypeError: `text` is neither a `str` nor an identifier.

    >>> parse("http://example.org/"), parse("../a"), parse("rosé")
    (URI('http://example.org/'), URIReference('../a'), IRIReference('rosé'))
    """
    exact = as_text(text)
    if not is_a(exact, "IRI-reference"):
        reject(exact, "IRI-reference")
    # For ASCII strings, the rules of the two RFCs are equivalent.
    rule = "URI" if exact.isascii() else "IRI"
    absolute = matches(exact, "IRI")
    return _types[rule if absolute else f"{rule}-reference"]._of(exact)


class Identifier:
    """The base class of the four public types: a string, and the offsets of its components."""

    __slots__ = ("__weakref__", "_found", "_text")

    _rule: ClassVar[str]
    _text: str
    _found: Bounds | None

    def __new__(cls, text: str | Identifier, /) -> Self:
        """Parse a string."""
        exact = text if type(text) is str else as_text(text)
        rule = rule_of(cls)
        if not is_a(exact, rule):
            reject(exact, rule)
        return cls._of(exact)

    @classmethod
    def _of(cls, text: str) -> Self:
        self = object.__new__(cls)
        self._text = text
        self._found = None
        return self

    @classmethod
    def _derived(cls, text: str) -> Self:
        """Create a value of this class; call a subclass, which may store more than the string."""
        return cls._of(text) if cls in _types.values() else cls(text)

    @classmethod
    def try_parse(cls, text: str | Identifier, /) -> Self | None:
        """Parse a string; return `None` if it is invalid for this type.

        Raises:
            TypeError: `text` is neither a `str` nor an identifier.
        """
        exact = as_text(text)
        return cls._derived(exact) if is_a(exact, rule_of(cls)) else None

    def _resolved(self, reference: str | Identifier, strict: bool) -> Identifier | None:
        """Resolve a reference against this base; return `None` if the base has no scheme."""
        from .components import compose, split
        from .resolution import resolve

        text = as_text(reference)
        if self.scheme is None:
            return None
        if not is_a(text, "IRI-reference"):
            reject(text, "IRI-reference")
        target = compose(*resolve(split(self._text), split(text), strict=strict))
        if len(target) > LONGEST_TEXT:
            reject(target, "IRI-reference")
        return _types["URI" if target.isascii() else "IRI"]._of(target)

    def _relative(self, base: Identifier, climb: bool) -> Identifier | None:
        """Return the shortest reference that the base resolves to this, or `None`.

        Both must have a scheme.
        """
        from .components import split
        from .relative import relative

        text = relative(split(self._text), split(base._text), climb=climb)
        return None if text is None else parse(text)

    def normalize(
        self,
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: DotSegments = True,
        ipv6: bool = True,
        scheme: bool = False,
        schemes: Any = None,
    ) -> Self:
        """Return the normal form under syntax-based normalization ([RFC 3986, 6.2.2][1]).

        For an IRI this is [RFC 3987, 5.3.2][2]. Each step can be disabled. Normalization is
        idempotent, and never adds, removes or moves a scheme or an authority. By default,
        it never changes whether the path starts with `/`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
        [2]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2
        [3]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
        [4]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4

        Args:
            percent_encoding: decode unreserved characters. In a relative reference, segments
                that are percent-encoded dots stay encoded, because resolution does not treat
                them as dot segments. In an IRI that is not a URI, also decode the characters
                that `to_iri` decodes.
            case: convert scheme and host to lower case, the digits of triplets to upper case.
            ipv6: write an IPv6 address in the canonical form of RFC 5952.
            dot_segments: remove `.` and `..`, encoded or not, from a path that starts with
                `/`. Rootless paths keep them, because in `data:,a/../b` they are data; `"all"`
                applies [5.2.4][4] to those too, which may put a slash before them. A path
                that would be parsed as an authority is shielded, as in `scheme:/.//path`.
                Relative references keep them with every setting.
            scheme: then apply the rules of its scheme ([6.2.3][3]): remove a default or empty
                port, write `/` for an empty path where the two are equivalent, and normalize
                as the scheme's own RFC specifies.
            schemes: the scheme rules for `scheme`; `None` for `uriverse.SCHEMES`.

        Returns:
            An identifier of the same type, or this object itself if nothing changes.

        Raises:
            TypeError: `dot_segments` is neither a `bool` nor a `str`, `scheme` is not a `bool`,
                or `schemes` is not a `Registry`.
            ValueError: `dot_segments` is a `str` other than `"all"`.

        >>> parse("HTTP://User@Example.ORG/%7ea/./b/%2E%2E/%c3%a9").normalize()
        URI('http://User@example.org/~a/%C3%A9')
        >>> parse("http://[2001:DB8:0:0::1]/a/..").normalize(dot_segments=False)
        URI('http://[2001:db8::1]/a/..')
        >>> parse("foo:a/../b").normalize(), parse("foo:a/../b").normalize(dot_segments="all")
        (URI('foo:a/../b'), URI('foo:/b'))
        >>> parse("http://User@Example.ORG:80").normalize(scheme=True)
        URI('http://User@example.org/')
        """
        from .normalization import Steps, normalized

        steps = Steps(percent_encoding, case, ipv6, dot_segments)
        text = normalized(self._text, steps, iri=rule_of(type(self)).startswith("IRI"))
        if scheme is not False or schemes is not None:
            text = _apply_scheme_rules[0](text, scheme, schemes)
        if text == self._text:
            return self
        if len(text) > LONGEST_TEXT:  # the canonical form of an address may be longer
            reject(text, "IRI-reference")
        return self._derived(text)

    def _to_uri(self) -> Identifier:
        """Convert to a URI or URI-reference: percent-encode non-ASCII characters.

        Return this object if it has one of these types already. For a subclass, return the plain
        public type: its constructor may require more arguments.
        """
        from .conversion import uri_text

        if type(self) in {_types["URI"], _types["URI-reference"]}:
            return self
        text = uri_text(self._text)
        if len(text) > LONGEST_TEXT:
            reject(text, "URI-reference" if self.scheme is None else "URI")
        return _types["URI-reference" if self.scheme is None else "URI"]._of(text)

    def _to_iri(self) -> Identifier:
        """Convert to an IRI or IRI-reference: decode characters that are allowed in an IRI.

        Return this object if nothing changes.
        """
        from .conversion import iri_text

        text = iri_text(self._text)
        if text == self._text:
            return self
        i = "U" if text.isascii() else "I"
        return _types[f"{i}RI-reference" if self.scheme is None else f"{i}RI"]._of(text)

    def _with_part(self, part: int, text: str | None) -> Self | None:
        """Return a copy with one of the seven components replaced; `None` removes it.

        Components are numbered from 0: scheme, userinfo, host, port, path, query, fragment.

        Returns:
            The copy; this object if nothing changes; `None` if the result would not parse back
            into the same components. `URI.replace`, which is slower, then finds the reason.
        """
        at = self._bounds
        # Together with their delimiters, the seven components cover the whole string except for the
        # "//".
        starts = (0, at.authority, at.host, at.host_end, at.path, at.path_end, at.query_end)
        ends = (at.scheme_end + 1, at.host, at.host_end, at.path, at.path_end, at.query_end)
        start, end = starts[part], (*ends, len(self._text))[part]
        if start < 0 or (text is None and part in {2, 4}):
            return None  # there is no authority, or the host or path would be removed
        before, after = DELIMITERS[part]
        new = "" if text is None else before + text + after
        whole = self._text[:start] + new + self._text[end:]
        if whole == self._text:
            return self
        if not is_a(whole, self._rule):
            return None
        value = self._derived(whole)
        shift = len(new) - (end - start)
        scheme_end = at.scheme_end if part else len(new) - 1
        shifted = (b + shift if part < k and b >= 0 else b for k, b in enumerate(at[1:], 1))
        return value if value._bounds == (scheme_end, *shifted) else None

    def _params(self, kind: Any, /) -> Any:
        """Return the query as `Pairs` of the given kind, with the encoding of HTML forms."""
        return kind._made(self.query, "form", "&")

    @property
    def _bounds(self) -> Bounds:
        """The offsets of the components: `uriverse._spec.components.Bounds`."""
        if self._found is None:
            # Computed on first access, because many programs never need them.
            from .components import bounds

            self._found = bounds(self._text)
        return self._found

    @property
    def scheme(self) -> str | None:
        """The scheme without its colon ([RFC 3986, 3.1][1]); `None` in a relative reference.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.1
        """
        end = self._bounds.scheme_end
        return self._text[:end] if end >= 0 else None

    @property
    def authority(self) -> str | None:
        """The authority, between `//` and the path ([RFC 3986, 3.2][1]); `None` without `//`.

        It includes any password.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2
        """
        at = self._bounds
        return self._text[at.authority : at.path] if at.authority >= 0 else None

    @property
    def userinfo(self) -> str | None:
        """The userinfo, before `@` in the authority ([RFC 3986, 3.2.1][1]); `None` without `@`.

        It includes any password.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1
        """
        at = self._bounds
        return self._text[at.authority : at.host - 1] if at.host > at.authority else None

    @property
    def host(self) -> str | None:
        """The host as written ([RFC 3986, 3.2.2][1]); `None` without an authority.

        An IP literal keeps its brackets.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
        """
        at = self._bounds
        return self._text[at.host : at.host_end] if at.host >= 0 else None

    @property
    def port_text(self) -> str | None:
        """The port as written ([RFC 3986, 3.2.3][1]); `None` without one, `""` for a bare colon.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3
        """
        at = self._bounds
        return self._text[at.host_end + 1 : at.path] if -1 < at.host_end < at.path else None

    @property
    def path(self) -> str:
        """The path, possibly empty ([RFC 3986, 3.3][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3
        """
        at = self._bounds
        return self._text[at.path : at.path_end]

    @property
    def query(self) -> str | None:
        """The query without its `?` ([RFC 3986, 3.4][1]); `None` without one, `""` if empty.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.4
        """
        at = self._bounds
        return self._text[at.path_end + 1 : at.query_end] if at.path_end < at.query_end else None

    @property
    def fragment(self) -> str | None:
        """The fragment without its `#` ([RFC 3986, 3.5][1]); `None` without one, `""` if empty.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5
        """
        end = self._bounds.query_end
        return self._text[end + 1 :] if end < len(self._text) else None

    @property
    def host_kind(self) -> str | None:
        """The kind of host ([RFC 3986, 3.2.2][1]); `None` without an authority.

        The name of the grammar rule: `"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or
        `"reg-name"`. A host that matches both of the last two is an IPv4address, as the RFC
        specifies.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2
        """
        host = self.host
        if host is None:
            return None
        if host.startswith("["):
            return "IPvFuture" if matches(host[1:-1], "IPvFuture") else "IPv6address"
        return "IPv4address" if matches(host, "IPv4address") else "reg-name"

    def __str__(self) -> str:
        return self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Identifier) else NotImplemented

    def __lt__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text < other._text

    def __le__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text <= other._text

    def __gt__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text > other._text

    def __ge__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text >= other._text
