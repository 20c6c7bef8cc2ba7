"""The base class of URIs and IRIs, and functions that validate and parse strings, in plain Python.

The compiled kernel has the same class and the same functions. `setup.py` copies the docstrings and
the annotations to them.
"""

from __future__ import annotations

from functools import total_ordering

from uriverse._spec import LONGEST_NUMBER
from uriverse._spec.syntax import LONGEST_TEXT, matcher, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import Any, ClassVar, Literal, NoReturn, Self

    from uriverse._errors import ResolveError
    from uriverse._spec.components import Bounds


#: The public types, by the name of their grammar rule.
_types: dict[str, type[Identifier]] = {}


def load_types(public_types: dict[str, type[Identifier]], /) -> None:
    """Load the four public types, which are subclasses of `Identifier`."""
    _types.update(public_types)


def as_text(text: object) -> str:
    """Convert a string, a URI or an IRI to a plain `str`, not a subclass of `str`."""
    if isinstance(text, str):
        # A subclass of `str` may override `__str__`, so call the method of `str` itself.
        return str.__str__(text)
    if isinstance(text, Identifier):
        return text._text
    advice = ": decode it first" if isinstance(text, bytes | bytearray) else ""
    raise TypeError(f"expected a str or a URI, not {type(text).__name__}{advice}")


def rule_of(cls: type[Identifier]) -> str:
    """Return the name of the grammar rule that a class of URIs or IRIs must match."""
    try:
        return cls._rule
    except AttributeError:
        raise TypeError(f"{cls.__name__} must be a subclass of IRIReference") from None


def reject(text: str, rule: str) -> NoReturn:
    """Raise the error for a string that violates a grammar rule."""
    from uriverse._spec.messages import deferred_parse_error

    raise deferred_parse_error(text, rule)


def is_a(text: object, rule: str) -> bool:
    # Most arguments are plain `str` objects, which do not need the call of `as_text`.
    exact = text if type(text) is str else as_text(text)
    return len(exact) <= LONGEST_TEXT and matcher(rule)(exact) is not None


def is_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI ([RFC 3986, 3][1]).

    A URI begins with a scheme. A relative reference such as `//example.org/` is not a URI.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_uri("urn:isbn:0451450523"), is_uri("//example.org/")
    (True, False)
    """
    return is_a(text, "URI")


def is_uri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI or relative reference ([RFC 3986, 4.1][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_uri_reference("../a?b"), is_uri_reference("a b")
    (True, False)
    """
    return is_a(text, "URI-reference")


def is_absolute_uri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid URI without a fragment ([RFC 3986, 4.3][1]).

    The RFC calls such a URI an `absolute-URI`.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_absolute_uri("http://a/b?c"), is_absolute_uri("http://a/b#c")
    (True, False)
    """
    return is_a(text, "absolute-URI")


def is_iri(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid IRI ([RFC 3987, 2.2][1]).

    An IRI begins with a scheme, and may contain non-ASCII characters. Every URI is an IRI.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_iri("http://example.org/rosé"), is_iri("http://example.org/<>")
    (True, False)
    """
    return is_a(text, "IRI")


def is_iri_reference(text: str | Identifier, /) -> bool:
    """Return whether a string is a valid IRI or relative IRI reference ([RFC 3987, 2.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> is_iri_reference("rosé"), is_iri_reference("%zz")
    (True, False)
    """
    return is_a(text, "IRI-reference")


def parse(text: str | Identifier, /) -> Identifier:
    """Parse a string as the most specific of `URI`, `URIReference`, `IRI` and `IRIReference`.

    Args:
        text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Returns:
        A `URI` if the string is ASCII and has a scheme, a `URIReference` if it is ASCII and has
        no scheme. Otherwise an `IRI` or an `IRIReference`. The string is kept unchanged.

    Raises:
        ParseError: the string is not a valid IRI reference. The error contains the position and
            the reason.
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> parse("http://example.org/"), parse("../a"), parse("rosé")
    (URI('http://example.org/'), URIReference('../a'), IRIReference('rosé'))
    """
    exact = text if type(text) is str else as_text(text)
    # An ASCII string matches a rule of RFC 3986 if and only if it matches that of RFC 3987.
    rule = "URI" if exact.isascii() else "IRI"
    if not is_a(exact, rule):
        rule = f"{rule}-reference"
        if not is_a(exact, rule):
            reject(exact, "IRI-reference")
    return _types[rule]._of(exact)


def constructed(cls: Any, text: str) -> Any:
    """Call the constructor of a subclass; return `None` if it rejects the string."""
    from uriverse._errors import ParseError

    try:
        return cls(text)
    except ParseError:
        return None


def port_number(digits: str | None, text: str, position: int) -> int | None:
    """Convert the digits of a port to an integer; return `None` if it has no digits.

    Raises:
        ConvertError: there are more than 640 digits, not counting leading zeros. The error shows
            the position of the port in the URI.
    """
    if not digits:
        return None
    if len(digits) > LONGEST_NUMBER:
        digits = digits.lstrip("0") or "0"
    if len(digits) > LONGEST_NUMBER:
        from uriverse._errors import ConvertError

        reason = f"port too long: {len(digits):,} digits are not converted to an int"
        hint = "use port_text for the digits"
        raise ConvertError(text, position, "port", "port", reason, hint)
    return int(digits)


def hostname_of(host: str) -> str:
    """Remove the brackets from a host, and convert its ASCII letters to lower case."""
    from uriverse._spec.normalization import lower

    # Only ASCII letters are case-folded (RFC 3986, 6.2.2.1); IDNA maps the others.
    return lower(host.removeprefix("[").removesuffix("]"))


def decoded_data(text: str) -> str:
    """Percent-decode data; octets that are not UTF-8 become surrogate escapes."""
    from uriverse._spec.percent import decode

    return decode(text, "surrogateescape")


def are_components(parts: Iterable[object]) -> bool:
    """Return whether all objects are plain strings or `None`."""
    for part in parts:  # noqa: SIM110 - `all` with a generator takes three times as long
        if part is not None and type(part) is not str:
            return False
    return True


def digits_of(port: object) -> Any:
    """Convert a port number to decimal digits; return any other object unchanged."""
    return str(port) if type(port) is int and 0 <= port <= 65535 else port


def without_scheme(text: str, operation: str) -> ResolveError:
    """Create the error for a relative reference that is used where a scheme is required."""
    from uriverse._spec.messages import without_scheme

    return without_scheme(text, operation)


@total_ordering
class Identifier:
    """The base class of `URI`, `URIReference`, `IRI` and `IRIReference`."""

    __slots__ = ("__weakref__", "_found", "_text")

    if TYPE_CHECKING:
        _rule: ClassVar[str]
        _text: str
        _found: re.Match[str] | None

        # The public types define this method.
        def _own_state(self) -> object: ...

    def __new__(cls, text: str | Identifier, /) -> Self:
        """Create a URI or IRI from a string, or from another URI or IRI."""
        if type(text) is cls and cls in _types.values():
            return text  # values are immutable
        exact = text if type(text) is str else as_text(text)
        rule = rule_of(cls)
        if len(exact) > LONGEST_TEXT or matcher(rule)(exact) is None:
            reject(exact, rule)
        self = object.__new__(cls)
        self._text = exact
        self._found = None
        return self

    @classmethod
    def _plain_type(cls) -> type[Any]:
        """Return the public type of which this class is a subclass, such as `URI` for `URN`.

        Methods that edit return this type, as those of `str` do, because the result may break the
        rules of a subclass, and its constructor may require more arguments.
        """
        return _types[rule_of(cls)]

    @classmethod
    def _of(cls, text: str) -> Self:
        """Create an instance of exactly this class from a string that is known to be valid."""
        self = object.__new__(cls)
        self._text = text
        self._found = None
        return self

    @classmethod
    def try_parse(cls, text: str | Identifier, /) -> Self | None:
        """Parse a string, or return `None` if the string is not valid for this type.

        Args:
            text: a `str`, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

        Returns:
            An instance of the class, or `None`. No error is raised for an invalid string.

        Raises:
            TypeError: `text` is neither a `str` nor one of the four URI types.

        >>> URI.try_parse("http://example.org/"), URI.try_parse("http://exa mple.org/")
        (URI('http://example.org/'), None)
        """
        exact = text if type(text) is str else as_text(text)
        if not is_a(exact, rule_of(cls)):
            return None
        return cls._of(exact) if cls in _types.values() else constructed(cls, exact)

    def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> Identifier:
        """Resolve a reference against this base URI ([RFC 3986, section 5][1]).

        Percent-encoding does not change. If the resulting path would be parsed as an authority, it
        is prefixed with `/.`: the base `foo:/a/b` and the reference `..//c` give `foo:/.//c`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5

        Args:
            reference: a string or a URI, with or without a scheme. A `URI` and a `URIReference`
                resolve only ASCII strings, so that the target is a `URI`; for other references,
                pass an `IRIReference`.
            strict: if False, ignore the scheme of a reference whose scheme is that of the base, so
                that `http:g` is resolved like `g` ([RFC 3986, 5.4.2][2]).

        [2]: https://www.rfc-editor.org/rfc/rfc3986#section-5.4.2

        Returns:
            The target: a `URI` if it is ASCII, otherwise an `IRI`.

        Raises:
            ResolveError: the base has no scheme, but a base URI requires one (RFC 3986, 5.1); or
                `reference` is a non-ASCII string, and the base is a `URI` or a `URIReference`.
            ParseError: `reference` is a string that is not a valid IRI reference.
            TypeError: `reference` is neither a `str` nor one of the four URI types.

        >>> URI("http://a/b/c/d;p?q").resolve("../g")
        URI('http://a/b/g')
        >>> URI("urn:example:a").resolve("#b")
        URI('urn:example:a#b')
        >>> URI("http://a/b").resolve(IRIReference("ü")), IRI("http://a/b").resolve("ü")
        (IRI('http://a/ü'), IRI('http://a/ü'))
        """
        text = reference if type(reference) is str else as_text(reference)
        from uriverse._spec import components, resolution

        base = components.five_parts(self._text)
        if base[0] is None:
            raise without_scheme(self._text, "resolve")
        rule = "URI-reference" if text.isascii() else "IRI-reference"
        if len(text) > LONGEST_TEXT or matcher(rule)(text) is None:
            reject(text, "IRI-reference")
        own = rule_of(type(self))
        if rule == "IRI-reference" and own.startswith("URI") and isinstance(reference, str):
            from uriverse._spec.messages import deferred_not_ascii

            raise deferred_not_ascii(text, own)
        found = resolution.resolve(base, components.five_parts(text), strict=strict)
        target = components.compose(*found)
        if len(target) > LONGEST_TEXT:
            reject(target, "IRI-reference")
        return _types["URI" if target.isascii() else "IRI"]._of(target)

    def relative_to(self, base: str | Identifier, /, *, walk_up: bool = True) -> Identifier:
        """Return the shortest reference that resolves to this URI against the given base.

        The inverse of `resolve`: `base.resolve(target.relative_to(base)) == target`.

        Args:
            base: a string or a URI, with a scheme.
            walk_up: if False, only return a reference that stays in the directory of the base: one
                without `..` that does not start with a slash or a scheme.

        Returns:
            The reference, as the narrowest of the four URI types: `#f`, `?q`, `g`, `../g`, `/g`,
                `//h/g`, or the whole target.

        Raises:
            ResolveError: the URI or the base has no scheme, or no reference resolves to the URI.
                This happens if its path has dot segments, or if `walk_up` is False and the path is
                outside the directory of the base.
            ParseError: `base` is a string that is not a valid IRI reference.
            TypeError: `base` is neither a `str` nor one of the four URI types.

        >>> URI("http://a/b/g?x").relative_to("http://a/b/c/d")
        URIReference('../g?x')
        >>> URI("http://a/b").relative_to("http://a/b#c")
        URIReference('')
        """
        start = as_text(base)
        if not is_a(start, "IRI-reference"):
            reject(start, "IRI-reference")
        from uriverse._spec import components, relative

        ends = components.split(self._text), components.split(start)
        for parts, text in zip(ends, (self._text, start), strict=True):
            if parts.scheme is None:
                raise without_scheme(text, "relative_to")
        found = relative.relative(*ends, walk_up=walk_up)
        if found is None:
            from uriverse._spec.messages import not_relative

            raise not_relative(self._text)
        return parse(found)

    def relative_form(self) -> Identifier:
        """Return the URI without its scheme and authority, as a relative reference.

        If the path would then be parsed as an authority or a scheme, it is prefixed with a dot
        segment, which reference resolution removes ([RFC 3986, 4.2][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        Returns:
            A `URIReference`, or an `IRIReference` if the result is not ASCII.

        >>> parse("http://a/b?c#d").relative_form()
        URIReference('/b?c#d')
        >>> parse("http://a//b").relative_form(), parse("urn:a:b").relative_form()
        (URIReference('/.//b'), URIReference('./a:b'))
        """
        from uriverse._spec import components, relative

        parts = relative.without_authority(components.split(self._text))
        text = components.compose(*parts)
        return _types["URI-reference" if text.isascii() else "IRI-reference"]._of(text)

    def normalize(
        self,
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: bool | Literal["all"] = True,
        ipv6: bool = True,
        scheme: Any = False,
    ) -> Identifier:
        """Return the normal form of the URI ([RFC 3986, 6.2.2][1]; [RFC 3987, 5.3.2][2]).

        Normalization is idempotent. It never adds, removes or moves a scheme or an authority.
        With the default options, it never changes whether the path starts with `/`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
        [2]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2
        [3]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
        [4]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4

        Args:
            case: convert the scheme and the host to lower case, and the hexadecimal digits of
                percent-encoded triplets to upper case.
            percent_encoding: decode percent-encoded unreserved characters. In a relative
                reference, the segments `%2E` and `%2E%2E` stay encoded: reference resolution
                does not treat them as dot segments. In an IRI that is not a URI, also decode the
                characters that `to_iri` decodes.
            dot_segments: remove the segments `.` and `..`, percent-encoded or not, from a path
                that starts with `/`. Other paths keep them, because in `data:,a/../b` they are
                data. With `"all"`, remove them from those paths too, as in [5.2.4][4]; this may
                make a path start with `/`. Without an authority, a new path that starts with `//`
                is written as in `scheme:/.//path`, so that it remains a path. Relative references
                always keep their dot segments.
            ipv6: write an IPv6 address in the canonical form of RFC 5952.
            scheme: also apply the rules of the scheme ([6.2.3][3]): remove a default or empty
                port, write `/` for an empty path if the two are equivalent, and normalize as the
                scheme's own RFC specifies. `True` applies the rules in `uriverse.SCHEMES`, a
                `Registry` its own.

        Returns:
            A URI of the same public type, or this object itself if nothing changes.

        Raises:
            TypeError: `dot_segments` is neither a `bool` nor a `str`, or `scheme` is neither a
                `bool` nor a `Registry`.
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
        from uriverse._spec.normalization import Steps, normalized

        steps = Steps(percent_encoding, case, ipv6, dot_segments)
        text = normalized(self._text, steps, iri=self._plain_type()._rule.startswith("IRI"))
        if scheme is not False:
            from uriverse.schemes._normalization import with_scheme_rules

            text = with_scheme_rules(text, scheme)
        if text == self._text:
            return self
        if len(text) > LONGEST_TEXT:  # the canonical form of an IPv6 address may be longer
            reject(text, "IRI-reference")
        normal: Identifier = self._plain_type()._of(text)
        return normal

    def _to_uri(self) -> Identifier:
        """Percent-encode all non-ASCII characters and return a `URI` or a `URIReference`.

        An object of one of these two types is returned unchanged. An object of a subclass is
        converted to the public type, because the constructor of the subclass may require more
        arguments.
        """
        from uriverse._spec.conversion import uri_text

        if type(self) in {_types["URI"], _types["URI-reference"]}:
            return self
        text = uri_text(self._text)
        if len(text) > LONGEST_TEXT:
            reject(text, "URI-reference" if self.scheme is None else "URI")
        return _types["URI-reference" if self.scheme is None else "URI"]._of(text)

    def _to_iri(self) -> Identifier:
        """Decode the percent-encoded characters that an IRI allows unencoded.

        Return an object of the most specific type, or this object if nothing changes.
        """
        from uriverse._spec.conversion import iri_text

        text = iri_text(self._text)
        if text == self._text:
            return self
        i = "U" if text.isascii() else "I"
        return _types[f"{i}RI-reference" if self.scheme is None else f"{i}RI"]._of(text)

    @classmethod
    def _composed(
        cls,
        scheme: object,
        userinfo: object,
        host: object,
        port: object,
        path: object,
        query: object,
        fragment: object,
        /,
    ) -> Self | None:
        """Compose a URI from seven components ([RFC 3986, 5.3][1]), each a `str` or `None`.

        The port may also be an `int`. Return `None` if a component has another type, or if the
        string is invalid or does not parse into the given components. `URI.build` then finds the
        reason.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3
        """
        rule = rule_of(cls)
        parts: Any = (scheme, userinfo, host, digits_of(port), path, query, fragment)
        if path is None or not are_components(parts):
            return None
        from uriverse._spec import build

        text = build.built(parts, rule)
        if text is None or len(text) > LONGEST_TEXT:
            return None
        return cls._of(text) if cls in _types.values() else cls(text)

    def _with_part(self, part: int, text: object, /) -> Any:
        """Return a copy of the URI with one component replaced or removed.

        Args:
            part: the number of the component, from 0: scheme, userinfo, host, port, path, query,
                fragment.
            text: the new component, or `None` to remove the component.

        Returns:
            The copy; this object if nothing changes; `None` if the component has an unsupported
            type, or if the new string is invalid or does not parse into the intended components.
            `URI.replace` then finds the reason.
        """
        if part == 3:
            text = digits_of(text)
        if text is not None and type(text) is not str:
            return None
        match = self._found or self._match
        if (part == 2 and match["host"] is None) or (text is None and part in {2, 4}):
            return None  # `replace` adds and removes authorities; there is always a path
        from uriverse._spec import build

        whole = build.exchanged(match, part, text, self._rule)
        if whole is None or len(whole) > LONGEST_TEXT:
            return None
        return self if whole == self._text else self._plain_type()._of(whole)

    def _with_parts(self, changes: dict[str, Any], /) -> Any:
        """Return a copy of the URI with some components replaced or removed; see `_with_part`.

        Args:
            changes: the new components by their names. With any other name, return `None`.
        """
        if "port" in changes:
            changes = {**changes, "port": digits_of(changes["port"])}
        if not are_components(changes.values()):
            return None
        from uriverse._spec import build

        whole = build.replaced(self._found or self._match, changes, self._rule)
        if whole is None or len(whole) > LONGEST_TEXT:
            return None
        return self if whole == self._text else self._plain_type()._of(whole)

    def _cut_path(self, length: int, /) -> Any:
        """Return a copy of the URI with a shorter path, and without its query and its fragment.

        Args:
            length: the number of characters of the path that remain: those before a slash, or all
                of them.

        Returns:
            The copy; this object if nothing changes.
        """
        whole = self._text[: self._bounds[4] + length]
        return self if whole == self._text else self._plain_type()._of(whole)

    def _params(self, kind: Any, /) -> Any:
        """Return the parameters of the query, as an instance of the class `kind`.

        Names and values are decoded as in HTML forms, with `&` as the separator.
        """
        return kind._made(self.query, "form", "&")

    @property
    def _match(self) -> re.Match[str]:
        """The match of the string with the expression of RFC 3986, Appendix B.

        Its groups are the components. It is computed on first access, because many programs only
        validate strings.
        """
        found: Any = self._found
        if found is None:
            from uriverse._spec import components

            # It matches every string.
            self._found = found = components.APPENDIX_B.match(self._text)
        return found

    @property
    def _bounds(self) -> Bounds:
        """The offsets at which components begin and end; see `uriverse._spec.components.Bounds`."""
        from uriverse._spec import components

        found: Bounds = components.bounds_of(self._match)
        return found

    @property
    def scheme(self) -> str | None:
        """The scheme, without the colon ([RFC 3986, 3.1][1]); `None` in a relative reference.

        The scheme is returned as written. Schemes are case-insensitive.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.1

        >>> parse("HTTP://example.org/").scheme, parse("//example.org/").scheme
        ('HTTP', None)
        """
        return (self._found or self._match)["scheme"]

    @property
    def authority(self) -> str | None:
        """The authority, without the `//`, or `None` if the URI has no authority.

        The authority ([RFC 3986, 3.2][1]) consists of the userinfo, the host and the port, so it
        may contain a password.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2

        >>> parse("http://user@example.org:80/a").authority, parse("mailto:a@example.org").authority
        ('user@example.org:80', None)
        >>> parse("file:///etc/hosts").authority
        ''
        """
        return (self._found or self._match)["authority"]

    @property
    def userinfo(self) -> str | None:
        """The userinfo, without the `@`, or `None` if the URI has no userinfo.

        The userinfo ([RFC 3986, 3.2.1][1]) may contain a password. It is returned as written, still
        percent-encoded.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1

        >>> parse("ftp://user:secret@example.org/").userinfo, parse("ftp://example.org/").userinfo
        ('user:secret', None)
        """
        return (self._found or self._match)["userinfo"]

    @property
    def host(self) -> str | None:
        """The host, as written, or `None` if the URI has no authority ([RFC 3986, 3.2.2][1]).

        An IPv6 address keeps its brackets.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

        >>> parse("http://Example.ORG:80/").host, parse("http://[::1]/").host
        ('Example.ORG', '[::1]')
        >>> parse("file:///etc/hosts").host, parse("urn:example:a").host
        ('', None)
        """
        return (self._found or self._match)["host"]

    @property
    def port_text(self) -> str | None:
        """The port as a string, or `None` if the URI has no port ([RFC 3986, 3.2.3][1]).

        The port is `""` if the host is followed by a colon without digits.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3

        >>> [parse(f"http://example.org{port}/").port_text for port in (":0080", ":", "")]
        ['0080', '', None]
        """
        return (self._found or self._match)["port"]

    @property
    def path(self) -> str:
        """The path, as written: possibly empty, but never `None` ([RFC 3986, 3.3][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3

        >>> parse("http://example.org/a%20b?c").path, parse("http://example.org").path
        ('/a%20b', '')
        """
        return (self._found or self._match)["path"]

    @property
    def query(self) -> str | None:
        """The query, without the `?`, or `None` if the URI has no query ([RFC 3986, 3.4][1]).

        The query is `""` if nothing follows the `?`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.4

        >>> parse("/a?b=c%20d#e").query, parse("/a?").query, parse("/a").query
        ('b=c%20d', '', None)
        """
        return (self._found or self._match)["query"]

    @property
    def path_and_query(self) -> str:
        """The path and the query, with the `?` between them if the URI has a query.

        An HTTP client sends this string in the request line, but sends `/` for an empty path
        ([RFC 9112, 3.2.1][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1

        >>> parse("http://example.org/a?b=c#d").path_and_query, parse("urn:a:b").path_and_query
        ('/a?b=c', 'a:b')
        """
        match = self._found or self._match
        return self._text[match.start("path") : max(match.end("path"), match.end("query"))]

    @property
    def fragment(self) -> str | None:
        """The fragment, without the `#`, or `None` if the URI has no fragment.

        The fragment ([RFC 3986, 3.5][1]) is `""` if nothing follows the `#`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5

        >>> parse("/a?b#c").fragment, parse("/a#").fragment, parse("/a").fragment
        ('c', '', None)
        """
        return (self._found or self._match)["fragment"]

    @property
    def port(self) -> int | None:
        """The port as an integer, or `None` if the URI has no port or an empty one.

        The [grammar][1] sets no limit, so the number may be greater than 65535. `port_text` has the
        digits as written.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3

        Raises:
            ConvertError: the port has more than 640 digits, not counting leading zeros.

        >>> parse("//a:080").port, parse("//a:0").port, parse("//a:").port
        (80, 0, None)
        """
        match = self._found or self._match
        return port_number(match["port"], self._text, match.start("port"))

    @property
    def username(self) -> str | None:
        """The decoded user name in the userinfo, or `None` if the URI has no userinfo.

        The user name is the part of the userinfo before the first colon.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. See
        [RFC 3986, 3.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).

        >>> parse("//us%65r:pass@a").username
        'user'
        """
        userinfo = self.userinfo
        return None if userinfo is None else decoded_data(userinfo.partition(":")[0])

    @property
    def password(self) -> str | None:
        """The decoded password in the userinfo, or `None` if the userinfo has no colon.

        The password is the part of the userinfo after the first colon. An empty password is `""`.
        Bytes that are not valid UTF-8 become surrogate escapes, as in
        `os.fsdecode`. Passwords in URIs are [deprecated][1].

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1

        >>> parse("//user:p%3Ass@a").password
        'p:ss'
        """
        _, colon, password = (self.userinfo or "").partition(":")
        return decoded_data(password) if colon else None

    @property
    def hostname(self) -> str | None:
        """The host in lower case, without brackets; `None` if the URI has no authority.

        Only ASCII letters are converted to lower case, and nothing is percent-decoded. `host` has
        the host as written.

        >>> parse("//[2001:DB8::1]:80").hostname
        '2001:db8::1'
        """
        host = self.host
        return None if host is None else hostname_of(host)

    @property
    def origin(self) -> str | None:
        """The origin, such as `"https://example.org"`; `None` if the URI has no scheme or no host.

        The origin consists of scheme, host and port in normal form, without a default port. It is
        serialized as specified in [RFC 6454, 6.2][1]. `file` URIs have no origin.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

        >>> parse("HTTPS://me@Example.org:443/a").origin
        'https://example.org'
        """
        from uriverse.schemes._normalization import origin

        return origin(str(self._to_uri().normalize()))

    @property
    def host_kind(self) -> str | None:
        """The name of the grammar rule that the host matches, or `None` if there is no authority.

        The rule is `"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or `"reg-name"`, a registered
        name ([RFC 3986, 3.2.2][1]). An IPv4 address matches both of the last two rules. As the RFC
        specifies, its kind is `"IPv4address"`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

        >>> [parse(f"//{host}/").host_kind for host in ("example.org", "127.0.0.1", "[::1]")]
        ['reg-name', 'IPv4address', 'IPv6address']
        >>> parse("urn:example:a").host_kind is None
        True
        """
        host = self.host
        if host is None:
            return None
        if host.startswith("["):
            return "IPvFuture" if matches(host[1:-1], "IPvFuture") else "IPv6address"
        return "IPv4address" if matches(host, "IPv4address") else "reg-name"

    @property
    def is_relative(self) -> bool:
        """True for a [relative reference][1], such as `../a`, which has no scheme.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        >>> parse("//a/b").is_relative, parse("http://a/b").is_relative
        (True, False)
        """
        return self.scheme is None

    @property
    def is_absolute(self) -> bool:
        """True if the URI has a scheme and no fragment: the [`absolute-URI`][1] of RFC 3986.

        By this definition, `http://a/#b` is neither absolute nor relative. To test for a scheme
        only, use `not is_relative`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

        >>> parse("http://a/").is_absolute, parse("http://a/#b").is_absolute
        (True, False)
        """
        return self.scheme is not None and self.fragment is None

    @property
    def has_port(self) -> bool:
        """True if the URI has a port, even an empty one as in `http://a:`.

        See [RFC 3986, 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

        >>> parse("//a:").has_port, parse("//a").has_port
        (True, False)
        """
        return self.port_text is not None

    def __str__(self) -> str:
        return self._text

    def __format__(self, specification: str) -> str:
        return format(self._text, specification)

    def __repr__(self) -> str:
        from uriverse._redaction import redacted_value

        return f"{type(self).__name__}({redacted_value(self._text)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        if type(self) in _types.values():
            return type(self), (self._text,)
        return type(self), (self._text,), self._own_state()

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Identifier) else NotImplemented

    def __lt__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text < other._text
