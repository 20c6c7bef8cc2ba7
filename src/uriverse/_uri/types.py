"""The four public types: `URI`, `URIReference`, `IRI` and `IRIReference`.

Values are immutable and small: the engine stores the string and the offsets of its components. This
module adds properties that are computed from the components. The modules `building`, `editing`,
`references` and `conversion` add methods, each as a mixin class.

Modules that only some programs need (building, decoding, errors) are imported on first use, so that
`import uriverse` stays fast.
"""

from __future__ import annotations

from . import engine as _engine
from .building import Buildable
from .conversion import Convertible
from .editing import Editable
from .foreign_names import URINames
from .references import Comparable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, Literal, Self, TypeVar, overload

    from pydantic_core import CoreSchema

    from uriverse._uri.engine import Identifier
    from uriverse._uri.segments import Segments
    from uriverse.schemes._registry import Registry

    from .signatures import Plain, PublicType

    T = TypeVar("T")

    #: The state that `pickle` saves: the `__dict__`, and the values of the slots by name.
    State = tuple[dict[str, object] | None, dict[str, object]]


#: The slots in which the reference implementation stores the string and its bounds.
ENGINE_SLOTS = {"_cached_match", "_text"}


class IRIReference(Editable, Comparable, Convertible, URINames):
    """A URI reference or an IRI reference: any URI or IRI, with or without a scheme.

    The most general of the four public types. It accepts every [`IRI-reference`][1] of RFC 3987.
    All four types have the same methods, whose documentation says "URI" for any of them.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Values are immutable. `str()` returns exactly the string that was parsed. `==`, `hash()` and `<`
    compare that string and ignore the type; `equivalent` compares normal forms. `repr()`
    replaces secrets such as passwords with `REDACTED`.

    Args:
        text: the string to parse, or another URI.

    Raises:
        ParseError: the string is invalid; the error has the position and the reason.
        TypeError: `text` is neither a `str` nor one of the four URI types.

    Attributes:
        scheme, authority, userinfo, host, port_text, path, query, fragment: the components, exactly
            as written. `None` means that the component is absent, `""` that it is present but
            empty. The path is always present, but may be empty.
        host_kind: `"IPv6address"`, `"IPvFuture"`, `"IPv4address"` or `"reg-name"`; `None` if the
            URI has no authority.

    >>> reference = IRIReference("//example.org/rosé?#")
    >>> reference.host, reference.query, reference.scheme
    ('example.org', '', None)
    """

    __slots__ = ()
    __module__ = "uriverse"
    __match_args__ = ("scheme", "authority", "path", "query", "fragment")
    _rule = "IRI-reference"

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        # A type that is both an IRI and a URI-reference is a URI, whatever the order of its bases.
        rules = {vars(base).get("_rule") for base in cls.__mro__}
        if cls._rule != "URI" and {"IRI", "URI-reference"} <= rules:
            cls._rule = "URI"

    if TYPE_CHECKING:
        # The mixins are defined in modules that this one imports, so they can only name
        # `Identifier` as the return type. These are the exact types.
        def then(self, other: str | Identifier, /) -> IRIReference: ...
        def to_uri(self, *, host: Literal["percent", "idna"] = "percent") -> URIReference: ...
        def to_iri(self, *, host: Literal["percent", "idna"] = "percent") -> IRIReference: ...

    else:  # type checkers would accept any assignment

        def __setattr__(self, name: str, value: object) -> None:
            try:
                super().__setattr__(name, value)
            except AttributeError:
                if not hasattr(type(self), name):
                    raise
                method = f"with_{name}" if hasattr(self, f"with_{name}") else "replace"
                raise AttributeError(
                    f"URIs are immutable: use {method}, which returns another URI",
                    name=name,
                    obj=self,
                ) from None

    # --- methods and properties of the base class

    @classmethod
    @_engine.use_compiled("Identifier")
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
        return super().try_parse(text)

    @_engine.use_compiled("Identifier")
    def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI:
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
        return super().resolve(reference, strict=strict)  # type: ignore[return-value]

    @_engine.use_compiled("Identifier")
    def relative_to(self, base: str | Identifier, /, *, walk_up: bool = True) -> IRIReference:
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
        return super().relative_to(base, walk_up=walk_up)  # type: ignore[return-value]

    @_engine.use_compiled("Identifier")
    def relative_form(self) -> IRIReference:
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
        return super().relative_form()  # type: ignore[return-value]

    @_engine.use_compiled("Identifier")
    def normalize(
        self: Plain[PublicType],
        *,
        case: bool = True,
        percent_encoding: bool = True,
        dot_segments: bool | Literal["all"] = True,
        ipv6: bool = True,
        scheme: bool | Registry = False,
    ) -> PublicType:
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
        base: Any = _engine.Identifier
        normal: PublicType = base.normalize(
            self,
            case=case,
            percent_encoding=percent_encoding,
            dot_segments=dot_segments,
            ipv6=ipv6,
            scheme=scheme,
        )
        return normal

    @property
    @_engine.use_compiled("URIMethods")
    def path_and_query(self) -> str:
        """The path and the query, with the `?` between them if the URI has a query.

        An HTTP client sends this string in the request line, but sends `/` for an empty path
        ([RFC 9112, 3.2.1][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1

        >>> parse("http://example.org/a?b=c#d").path_and_query, parse("urn:a:b").path_and_query
        ('/a?b=c', 'a:b')
        """
        return super().path_and_query

    @property
    @_engine.use_compiled("URIMethods")
    def username(self) -> str | None:
        """The decoded user name in the userinfo, or `None` if the URI has no userinfo.

        The user name is the part of the userinfo before the first colon.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. See
        [RFC 3986, 3.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).

        >>> parse("//us%65r:pass@a").username
        'user'
        """
        return super().username

    @property
    @_engine.use_compiled("URIMethods")
    def password(self) -> str | None:
        """The decoded password in the userinfo, or `None` if the userinfo has no colon.

        The password is the part of the userinfo after the first colon. An empty password is `""`.
        Bytes that are not valid UTF-8 become surrogate escapes, as in
        `os.fsdecode`. Passwords in URIs are [deprecated][1].

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1

        >>> parse("//user:p%3Ass@a").password
        'p:ss'
        """
        return super().password

    @property
    @_engine.use_compiled("URIMethods")
    def hostname(self) -> str | None:
        """The host in lower case, without brackets; `None` if the URI has no authority.

        Only ASCII letters are converted to lower case, and nothing is percent-decoded. `host` has
        the host as written.

        >>> parse("//[2001:DB8::1]:80").hostname
        '2001:db8::1'
        """
        return super().hostname

    @property
    @_engine.use_compiled("URIMethods")
    def origin(self) -> str | None:
        """The origin, such as `"https://example.org"`; `None` if the URI has no scheme or no host.

        The origin consists of scheme, host and port in normal form, without a default port. It is
        serialized as specified in [RFC 6454, 6.2][1]. `file` URIs have no origin.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

        >>> parse("HTTPS://me@Example.org:443/a").origin
        'https://example.org'
        """
        return super().origin

    @property
    @_engine.use_compiled("URIMethods")
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
        return super().host_kind

    @property
    @_engine.use_compiled("URIMethods")
    def is_relative(self) -> bool:
        """True for a [relative reference][1], such as `../a`, which has no scheme.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        >>> parse("//a/b").is_relative, parse("http://a/b").is_relative
        (True, False)
        """
        return super().is_relative

    @property
    @_engine.use_compiled("URIMethods")
    def is_absolute(self) -> bool:
        """True if the URI has a scheme and no fragment: the [`absolute-URI`][1] of RFC 3986.

        By this definition, `http://a/#b` is neither absolute nor relative. To test for a scheme
        only, use `not is_relative`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

        >>> parse("http://a/").is_absolute, parse("http://a/#b").is_absolute
        (True, False)
        """
        return super().is_absolute

    @property
    @_engine.use_compiled("URIMethods")
    def has_port(self) -> bool:
        """True if the URI has a port, even an empty one as in `http://a:`.

        See [RFC 3986, 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

        >>> parse("//a:").has_port, parse("//a").has_port
        (True, False)
        """
        return super().has_port

    # --- derived properties

    @property
    @_engine.use_compiled("URIMethods")
    def effective_port(self) -> int | None:
        """The port of the URI, or the default port of its scheme if the URI has no port number.

        `None` if the URI has neither. A URI without a scheme or without a host has no default port.
        See [RFC 3986, 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

        Raises:
            ConvertError: the port has more than 640 digits, not counting leading zeros.

        >>> IRIReference("https://a/").effective_port, IRIReference("https://a:80/").effective_port
        (443, 80)
        """
        port = self.port
        return get_default_port(self) if port is None else port

    @property
    @_engine.use_compiled("URIMethods")
    def is_default_port(self) -> bool:
        """True if the effective port is the default port of the scheme.

        The port may be written or absent. The result is False if the scheme has no default port,
        or if the URI has no scheme or no host. See
        [RFC 3986, 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

        >>> uri = IRIReference("https://a/")
        >>> uri.is_default_port, uri.with_port(443).is_default_port
        (True, True)
        >>> uri.with_port(80).is_default_port, IRIReference("//a:443").is_default_port
        (False, False)
        """
        default = get_default_port(self)
        # The digits are compared as text, because the port may be too long for an `int`.
        digits = self.port_text or str(default)
        return default is not None and digits.lstrip("0") == str(default)

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The host as an `ipaddress` object if it is an IPv4 or IPv6 address, otherwise `None`.

        Only addresses that match the grammar of [RFC 3986, 3.2.2][1] count: `0x7f.1` is a name.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2

        >>> IRIReference("//[::1]/").ip
        IPv6Address('::1')
        """
        if self.host_kind not in {"IPv4address", "IPv6address"}:
            return None
        from ipaddress import ip_address

        return ip_address(str(self.hostname))

    @property
    @_engine.use_compiled("URIMethods")
    def raw_segments(self) -> tuple[str, ...]:
        """The path, split at each slash but not percent-decoded; `()` for an empty path.

        The first string is `""` if the path starts with a slash, and the last one is `""` if it
        ends with a slash. See [RFC 3986, 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

        >>> IRIReference("/a%2Fb/").raw_segments
        ('', 'a%2Fb', '')
        """
        path = self.path
        return tuple(path.split("/")) if path else ()

    @property
    @_engine.use_compiled("URIMethods")
    def segments(self) -> Segments:
        r"""The segments of the path, each percent-decoded; an empty sequence for an empty path.

        The first segment is `""` if the path starts with a slash, and the last one is `""` if it
        ends with a slash. Bytes that are not valid UTF-8 become surrogate escapes, as in
        `os.fsdecode`. The methods that edit segments return new `Segments`, which `with_segments`
        accepts.

        >>> reference = IRIReference("/a%2Fb/%FF/c.txt?q")
        >>> list(reference.segments)
        ['', 'a/b', '\udcff', 'c.txt']
        >>> reference.with_segments(reference.segments.with_suffix(".md"))
        IRIReference('/a%2Fb/%FF/c.md?q')
        """
        from uriverse._uri.segments import Segments

        relative = self.scheme is None and self.host is None
        return Segments._from_valid_path(self.path, iri="IRI" in self._rule, relative=relative)

    # --- Python protocols

    def __copy__(self) -> Self:
        if type(self) in TYPES:
            return self
        return restore_state(type(self)(_engine.as_text(self)), self._get_own_state())

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        if type(self) in TYPES:
            return self
        from copy import deepcopy

        new = memo[id(self)] = type(self)(_engine.as_text(self))
        return restore_state(new, deepcopy(self._get_own_state(), memo))

    def _repr_html_(self) -> str:
        """Return a table of the components, which IPython and Jupyter show."""
        from .display import format_html

        return format_html(_engine.as_text(self))

    # --- fields of pydantic models; see `uriverse._uri.pydantic_schema`

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        from .pydantic_schema import create_field_schema

        return create_field_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: Any) -> dict[str, Any]:
        from .pydantic_schema import create_json_schema

        return create_json_schema(cls._rule.lower(), handler)

    # --- implementation

    if TYPE_CHECKING:

        @classmethod
        def _plain_type(cls) -> type[IRIReference]: ...

    def _get_own_state(self) -> State | None:
        """Return the attributes that a subclass has added to a URI, so that copies keep them.

        The attributes are those in `__dict__` and in the slots of the subclass. Return `None` if
        the subclass has added no attributes.
        """
        state: Any = object.__getstate__(self)
        pair: State = state if is_pair(state) else (state, {})
        own_slots = {name: slot for name, slot in pair[1].items() if name not in ENGINE_SLOTS}
        return (pair[0], own_slots) if pair[0] or own_slots else None


class IRI(IRIReference):
    """A URI that may contain non-ASCII characters: the [`IRI`][1] of RFC 3987.

    An IRI has a scheme. Arguments, attributes and errors are those of `IRIReference`.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    >>> IRI("http://example.org/rosé").path
    '/rosé'
    """

    __slots__ = ()
    __module__ = "uriverse"
    _rule = "IRI"

    if TYPE_CHECKING:

        @classmethod
        def _plain_type(cls) -> type[IRI]: ...
        @property
        def scheme(self) -> str: ...
        def then(self, other: str | Identifier, /) -> IRI: ...
        def to_uri(self, *, host: Literal["percent", "idna"] = "percent") -> URI: ...
        def to_iri(self, *, host: Literal["percent", "idna"] = "percent") -> IRI: ...


class URIReference(IRIReference):
    """A URI or a relative reference in ASCII: the [`URI-reference`][1] of RFC 3986.

    Arguments, attributes and errors are those of `IRIReference`.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    >>> URIReference("../a?b#c").path
    '../a'
    """

    __slots__ = ()
    __module__ = "uriverse"
    _rule = "URI-reference"

    if TYPE_CHECKING:

        @classmethod
        def _plain_type(cls) -> type[URIReference]: ...
        # Without an `IRIReference`, the result is ASCII.
        @overload
        def resolve(self, reference: str | URIReference, /, *, strict: bool = True) -> URI: ...
        @overload
        def resolve(self, reference: Identifier, /, *, strict: bool = True) -> IRI: ...
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        @overload
        def then(self, other: str | URIReference, /) -> URIReference: ...
        @overload
        def then(self, other: Identifier, /) -> IRIReference: ...
        def then(self, other: str | Identifier, /) -> IRIReference: ...
        def relative_to(
            self, base: str | Identifier, /, *, walk_up: bool = True
        ) -> URIReference: ...
        def relative_form(self) -> URIReference: ...


class URI(IRI, URIReference):
    """A URI, such as `https://example.org/a?b#c`: ASCII, with a scheme ([RFC 3986, 3][1]).

    Values are immutable. `str()` returns exactly the string that was parsed, and the components are
    attributes. Methods that edit, such as `with_host`, return a new URI.

    Every `URI` is also an instance of `IRI`, `URIReference` and `IRIReference`, because the
    grammars are nested. `IRIReference` describes the attributes that all four have.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        text: the string to parse, or another URI.

    Raises:
        ParseError: the string is invalid; the error has the position and the reason.
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> uri = URI("foo://example.com:8042/over/there?name=ferret#nose")
    >>> uri.scheme, uri.authority, uri.path, uri.query, uri.fragment
    ('foo', 'example.com:8042', '/over/there', 'name=ferret', 'nose')
    >>> isinstance(uri, IRI), isinstance(uri, URIReference)
    (True, True)
    """

    __slots__ = ()
    __module__ = "uriverse"
    _rule = "URI"

    if TYPE_CHECKING:

        @classmethod
        def _plain_type(cls) -> type[URI]: ...

        @overload
        def then(self, other: str | URIReference, /) -> URI: ...
        @overload
        def then(self, other: Identifier, /) -> IRI: ...
        def then(self, other: str | Identifier, /) -> IRI: ...
        def to_uri(self, *, host: Literal["percent", "idna"] = "percent") -> URI: ...


if TYPE_CHECKING:

    def parse(text: str | Identifier, /) -> IRIReference:
        """Parse a string as a `URI`, `URIReference`, `IRI` or `IRIReference`: the first that fits.

        Args:
            text: a `str`, or another URI.

        Returns:
            A `URI` (with a scheme) or a `URIReference` (without) if the string is ASCII, otherwise
            an `IRI` or an `IRIReference`.

        Raises:
            ParseError: the string matches none of the four grammars.
            TypeError: `text` is neither a `str` nor one of the four URI types.
        """
        ...

else:
    parse = _engine.parse


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
            from uriverse._errors import ResolveError
            from uriverse._spec.messages import describe_relative_reference

            raise ResolveError(*describe_relative_reference(str(self.base), "resolve"))

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


def get_default_port(value: IRIReference) -> int | None:
    if value.scheme is None or value.host is None:
        return None
    from uriverse.schemes._descriptors import load_default_registry

    return load_default_registry().rules_of(value.scheme).default_port


def is_pair(state: object) -> bool:
    return isinstance(state, tuple)


def restore_state(value: T, state: State | None) -> T:
    """Restore the additional attributes of a subclass on a copied URI, and return the copy."""
    for attributes in state or ():
        for name, attribute in (attributes or {}).items():
            setattr(value, name, attribute)
    return value


TYPES = (IRIReference, IRI, URIReference, URI)
_engine.load_types({public_type._rule: public_type for public_type in TYPES})


def get_rule(kind: type[IRIReference]) -> str:
    return kind._rule


def publish_methods(*mixins: type) -> None:
    """Rename the methods of base classes, so that they appear as methods of `IRIReference`.

    `pickle` finds methods by the new name.
    """
    for member in [member for mixin in mixins for member in vars(mixin).values()]:
        function = getattr(member, "__func__", member)
        if hasattr(function, "__annotations__"):
            function.__module__ = IRIReference.__module__
            # Both a compiled function and the Python function show this name in errors.
            for named in (function, getattr(function, "__wrapped__", function)):
                named.__qualname__ = f"{IRIReference.__name__}.{function.__name__}"
            function.__annotations__.pop("self", None)  # only type checkers need it


publish_methods(IRIReference, Buildable, Editable, Comparable, Convertible)
