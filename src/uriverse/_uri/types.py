"""The four public types: `URI`, `URIReference`, `IRI` and `IRIReference`.

The engine stores the string and the offsets of its components. Modules that only some programs need
are imported on first use, so that `import uriverse` stays fast.
"""

# ruff: noqa: F811  # ruff does not recognize the overloads

from __future__ import annotations

from uriverse._engine import compiled, kernel, use_compiled

from . import engine as _engine
from .building import ARGUMENTS, apply_changes, build_query, compose_userinfo, update_userinfo
from .conversion import convert_domain, decode_a_labels, require_idna
from .foreign_names import URINames
from .references import compute_comparison_key, cut_fragment, list_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, Literal, Self, TypeVar, Unpack, overload

    from pydantic_core import CoreSchema

    from uriverse._spec.bidi import BidiFinding
    from uriverse._spec.components import AllParts
    from uriverse._uri.engine import Identifier
    from uriverse._uri.params import Params
    from uriverse._uri.segments import Segments
    from uriverse.schemes._registry import Registry
    from uriverse.typing import Change, Host, Level, ParamSource, ParamValues, SegmentData

    from .signatures import Changes, Edits, NewParts, NormalizeOptions, Plain, PublicType

    T = TypeVar("T")

    #: The state that `pickle` saves: the `__dict__`, and the values of the slots by name.
    State = tuple[dict[str, object] | None, dict[str, object]]
else:
    overload = _engine.ignore_overload


#: The slots in which the reference implementation stores the string and its bounds.
ENGINE_SLOTS = {"_cached_match", "_text"}


class IRIReference(_engine.Identifier, URINames):
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
        # The base class does not know the types.
        def _to_uri(self) -> URIReference: ...
        def _to_iri(self) -> IRIReference: ...

    else:  # type checkers would accept any assignment

        def __setattr__(self, name: str, value: object) -> None:
            try:
                super().__setattr__(name, value)
            except AttributeError:
                if not hasattr(type(self), name):
                    raise
                method = f"with_{name}" if hasattr(self, f"with_{name}") else "replace"
                message = f"URIs are immutable: use {method}, which returns another URI"
                raise AttributeError(message, name=name, obj=self) from None

    # --- methods and properties of the base class

    @classmethod
    @use_compiled("Identifier")
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

    @use_compiled("Identifier")
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

    @use_compiled("Identifier")
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

    @use_compiled("Identifier")
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

    @use_compiled("Identifier")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
    def hostname(self) -> str | None:
        """The host in lower case, without brackets; `None` if the URI has no authority.

        Only ASCII letters are converted to lower case, and nothing is percent-decoded. `host` has
        the host as written.

        >>> parse("//[2001:DB8::1]:80").hostname
        '2001:db8::1'
        """
        return super().hostname

    @property
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
    def is_relative(self) -> bool:
        """True for a [relative reference][1], such as `../a`, which has no scheme.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        >>> parse("//a/b").is_relative, parse("http://a/b").is_relative
        (True, False)
        """
        return super().is_relative

    @property
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
    def has_port(self) -> bool:
        """True if the URI has a port, even an empty one as in `http://a:`.

        See [RFC 3986, 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

        >>> parse("//a:").has_port, parse("//a").has_port
        (True, False)
        """
        return super().has_port

    # --- derived properties

    @property
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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
    @use_compiled("URIMethods")
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

    # --- build

    # With two overloads, type checkers know the types in a literal such as `{"page": 2, "q": "x"}`.
    @overload
    @classmethod
    def build(
        cls, *, params: Mapping[Any, ParamValues] | None = ..., **parts: Unpack[NewParts]
    ) -> Self: ...
    @overload
    @classmethod
    def build(
        cls, *, params: Iterable[tuple[str | bytes, ParamValues]], **parts: Unpack[NewParts]
    ) -> Self: ...
    @classmethod
    @use_compiled("URIMethods")
    def build(
        cls,
        *,
        scheme: str | None = None,
        authority: str | None = None,
        userinfo: str | None = None,
        username: str | bytes | None = None,
        password: str | bytes | None = None,
        host: Host | None = None,
        port: int | str | None = None,
        path: str = "",
        segments: Iterable[SegmentData] | None = None,
        query: str | None = None,
        params: ParamSource | None = None,
        fragment: str | None = None,
        protect_path: bool = False,
    ) -> Self:
        """Build a URI that parses back into exactly the given components.

        The components must already be percent-encoded where necessary: they are validated and never
        changed. Only `username`, `password`, `segments` and `params` are data, which `build`
        percent-encodes. Components that are not given are absent.

        Args:
            scheme: the scheme without its colon; `None` for no scheme.
            authority: the whole authority, instead of its parts; `None` for no authority, `""` for
                an empty one.
            userinfo: the userinfo without its `@`; `None` for no userinfo, `""` for an empty one.
            username: the user name as data, instead of `userinfo`.
            password: the password as data, instead of `userinfo`.
            host: the host, or an `ipaddress` object; `None` for no host, `""` for an empty one. An
                IPv6 address gets brackets if it has none.
            port: a number, or a string of digits; `""` for a colon without digits, `None` for no
                port.
            path: the path, possibly empty.
            segments: the segments of the path as data, instead of `path`. If the first one is `""`,
                the path starts with a slash: `["", ""]` is the path `/`. `.` and `..` are rejected,
                and so is `[""]`, because no path has these segments.
            query: the query without its `?`; `None` for no query, `""` for an empty one.
            params: the names and values of the query as data, instead of `query`; see
                `with_params`.
            fragment: the fragment without its `#`; `None` for no fragment, `""` for an empty one.
            protect_path: insert a dot segment instead of raising an error: `/.` before a path that
                would be parsed as an authority, or `./` before a path that would be parsed as a
                scheme.

        Returns:
            A URI of the type on which the method is called.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

        >>> URI.build(scheme="https", host="example.org", port=8080, path="/a", query="b=c")
        URI('https://example.org:8080/a?b=c')
        >>> URI.build(scheme="https", host="example.org", segments=["", "a/b"], params={"q": "50%"})
        URI('https://example.org/a%2Fb?q=50%25')
        >>> URIReference.build(path="//evil.example/", protect_path=True)
        URIReference('/.//evil.example/')
        """
        if authority is not None and not userinfo is username is password is host is port is None:
            raise TypeError("authority cannot be combined with the parts of the authority")
        if userinfo is not None and not username is password is None:
            raise TypeError("userinfo cannot be combined with username or password")
        if path != "" and segments is not None:
            raise TypeError("path cannot be combined with segments")
        if query is not None and params is not None:
            raise TypeError("query cannot be combined with params")
        # Data may come from an iterator, so convert it only once.
        if not username is password is None:
            userinfo = compose_userinfo(username, password, iri=cls._is_iri())
        if segments is not None:
            relative = scheme is None and host is authority is None
            from .segments import join_segments

            path = join_segments(segments, iri=cls._is_iri(), relative=relative)
        if params is not None:
            query = build_query(params)
        if authority is None:
            value = cls._compose(scheme, userinfo, host, port, path, query, fragment)
            if value is not None:
                return value
        from uriverse._spec.components import AllParts

        components = {
            "scheme": scheme,
            "authority": authority,
            "userinfo": userinfo,
            "host": host,
            "port": port,
            "query": query,
            "fragment": fragment,
        }
        changes = {name: part for name, part in components.items() if part is not None}
        nothing = AllParts(None, None, None, None, "", None, None)
        by_segments = segments is not None
        return cls._compose_changes(
            nothing, changes | {"path": path}, protect_path, by_segments=by_segments
        )

    @overload
    def replace(
        self: Plain[PublicType],
        *,
        params: Mapping[Any, ParamValues] | None = ...,
        **changes: Unpack[Changes],
    ) -> PublicType: ...
    @overload
    def replace(
        self: Plain[PublicType],
        *,
        params: Iterable[tuple[str | bytes, ParamValues]],
        **changes: Unpack[Changes],
    ) -> PublicType: ...
    @use_compiled("URIMethods")
    def replace(
        self: Plain[PublicType], *, protect_path: bool = False, **changes: Any
    ) -> PublicType:
        """Return a copy of the URI with some components replaced; other components do not change.

        Args:
            protect_path: insert a dot segment instead of raising an error; see `build`.
            changes: the new components, as in `build`. `None` removes a component, except the path.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

        >>> URI("http://a/b?c#d").replace(scheme="https", query=None)
        URI('https://a/b#d')
        """
        value = self._with_parts(dict(changes))
        if value is not None:
            return value
        if not changes.keys() <= ARGUMENTS.keys():
            key = min(changes.keys() - ARGUMENTS.keys())
            raise TypeError(f"replace() got an unexpected keyword argument {key!r}")
        from uriverse._spec.components import split_all_parts

        by_segments = "segments" in changes
        kind: Any = self._plain_type()
        parts = split_all_parts(_engine.as_text(self))
        return kind._compose_changes(parts, dict(changes), protect_path, by_segments=by_segments)

    __replace__ = replace

    # --- edit components

    @use_compiled("URIMethods")
    def with_scheme(self: Edits[PublicType], scheme: str | None) -> PublicType:
        """Return a copy of the URI with another scheme.

        Args:
            scheme: the new scheme without its colon; `None` removes the scheme.

        Raises:
            BuildError: the scheme is invalid, or the result would be parsed differently.
            TypeError: `scheme` is neither a `str` nor `None`.

        >>> URI("http://a/b").with_scheme("https")
        URI('https://a/b')
        """
        return self._with_part(0, scheme) or self.replace(scheme=scheme)

    @use_compiled("URIMethods")
    def with_authority(self: Edits[PublicType], authority: str | None) -> PublicType:
        """Return a copy of the URI with another authority.

        Args:
            authority: the new authority, percent-encoded where necessary; `None` removes the
                authority and its `//`, `""` makes it empty.

        Raises:
            BuildError: the authority is invalid, or the result would be parsed differently.
            TypeError: `authority` is neither a `str` nor `None`.

        >>> URI("http://a/b").with_authority("c:80")
        URI('http://c:80/b')
        """
        return self.replace(authority=authority)

    @use_compiled("URIMethods")
    def with_userinfo(self: Edits[PublicType], userinfo: str | None) -> PublicType:
        """Return a copy of the URI with different userinfo.

        Args:
            userinfo: the new userinfo, percent-encoded where necessary; `None` removes the userinfo
                and its `@`, `""` makes it empty.

        Raises:
            BuildError: the userinfo is invalid, or the URI has no host.
            TypeError: `userinfo` is neither a `str` nor `None`.

        >>> URI("http://me@a/b").with_userinfo(None)
        URI('http://a/b')
        """
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    @use_compiled("URIMethods")
    def with_username(self: Edits[PublicType], username: str | bytes | None) -> PublicType:
        """Return a copy of the URI with another user name and the same password.

        Args:
            username: the new user name as data, which is percent-encoded; `None` removes the user
                name and the password.

        Raises:
            BuildError: the URI has no host, or the user name has surrogates that decoding would not
                restore (see `percent.encode`).
            TypeError: `username` is neither a `str`, nor `bytes`, nor `None`.

        >>> URI("ftp://me:secret@a/").with_username("you@b").userinfo
        'you%40b:secret'
        """
        userinfo = update_userinfo(self.userinfo, {"username": username}, iri=self._is_iri())
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    @use_compiled("URIMethods")
    def with_password(self: Edits[PublicType], password: str | bytes | None) -> PublicType:
        """Return a copy of the URI with another password and the same user name.

        Args:
            password: the new password as data, which is percent-encoded; `None` removes the
                password and its colon.

        Raises:
            BuildError: the URI has no host, or the password has surrogates that decoding would not
                restore (see `percent.encode`).
            TypeError: `password` is neither a `str`, nor `bytes`, nor `None`.

        >>> str(URI("ftp://me@a/").with_password("p:q"))
        'ftp://me:p%3Aq@a/'
        """
        userinfo = update_userinfo(self.userinfo, {"password": password}, iri=self._is_iri())
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    def without_userinfo(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its user name and password.

        >>> URI("ftp://me:secret@a/").without_userinfo()
        URI('ftp://a/')
        """
        unchanged: Any = self
        value = self._with_part(1, None)
        # Not `or`: a subclass may define `__bool__`.
        return unchanged if value is None else value

    @use_compiled("URIMethods")
    def with_host(self: Edits[PublicType], host: Host | None) -> PublicType:
        """Return a copy of the URI with another host.

        Args:
            host: the new host, percent-encoded where necessary, or an `ipaddress` object. An IPv6
                address gets brackets if it has none. `None` removes the host and its `//`, `""`
                makes it empty.

        Raises:
            BuildError: the host is invalid, or is an address with a zone identifier; or the result
                would be parsed differently; or `host` is `None` although the URI has userinfo or a
                port.
            TypeError: `host` is neither a `str`, nor an IP address, nor `None`.

        >>> URI("http://a:80/b").with_host("::1")
        URI('http://[::1]:80/b')
        """
        return self._with_part(2, host) or self.replace(host=host)

    @use_compiled("URIMethods")
    def with_port(self: Edits[PublicType], port: int | str | None) -> PublicType:
        """Return a copy of the URI with another port.

        Args:
            port: a number, or a string of digits; `None` removes the port and its colon, `""`
                removes only the digits.

        Raises:
            BuildError: the port is invalid, or the URI has no host.
            TypeError: `port` is neither an `int`, nor a `str`, nor `None`.

        >>> URI("http://a/b").with_port(0)
        URI('http://a:0/b')
        """
        return self._with_part(3, port) or self.replace(port=port)

    @use_compiled("URIMethods")
    def with_path(self: Edits[PublicType], path: str, *, protect_path: bool = False) -> PublicType:
        """Return a copy of the URI with another path.

        Args:
            path: the new path, percent-encoded where necessary; `""` for an empty path. For
                unencoded data, use `with_segments`.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: the path is invalid, or the result would be parsed differently.
            TypeError: `path` is not a `str`.

        >>> URI("http://a/b?c").with_path("/d%20e")
        URI('http://a/d%20e?c')
        """
        return self._with_part(4, path) or self.replace(path=path, protect_path=protect_path)

    @use_compiled("URIMethods")
    def with_segments(
        self: Edits[PublicType], segments: Iterable[SegmentData], *, protect_path: bool = False
    ) -> PublicType:
        """Return a copy of the URI with another path, built by percent-encoding the given segments.

        Args:
            segments: the segments as data, `str` or `bytes`. If the first one is `""`, the path
                starts with a slash: `["", ""]` is the path `/`. `.` and `..` are rejected, because
                encoding them would not keep them from being dot segments, and so is `[""]`, because
                no path has these segments. An object of the class `Segments` is used as written.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the only segment is empty, or the result would
                be parsed differently.
            TypeError: `segments` is a single string, or a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b").with_segments(["", "c/d", "e f"])
        URI('http://a/c%2Fd/e%20f')
        >>> uri = URI("http://a/%7Eb/c")
        >>> uri.with_segments(uri.segments.with_name("d"))
        URI('http://a/%7Eb/d')
        """
        from .segments import Segments, join_segments

        if not isinstance(segments, Segments):
            relative = self.scheme is None and self.host is None
            path = join_segments(segments, iri=self._is_iri(), relative=relative)
            segments = Segments._from_valid_path(path, iri=self._is_iri(), relative=relative)
        return self._with_part(4, segments.path) or self.replace(
            segments=segments, protect_path=protect_path
        )

    @use_compiled("URIMethods")
    def with_query(self: Edits[PublicType], query: str | None) -> PublicType:
        """Return a copy of the URI with another query.

        Args:
            query: the new query without its `?`, percent-encoded where necessary; `None` removes
                the query, `""` makes it empty. For names and values, use `with_params`.

        Raises:
            BuildError: the query is invalid.
            TypeError: `query` is neither a `str` nor `None`.

        >>> URI("http://a/b?c").with_query("")
        URI('http://a/b?')
        """
        return self._with_part(5, query) or self.replace(query=query)

    def without_query(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its query and the `?`.

        >>> URI("http://a/b?c#d").without_query()
        URI('http://a/b#d')
        """
        return self._with_part(5, None) or self.replace(query=None)

    @use_compiled("URIMethods")
    def with_fragment(self: Edits[PublicType], fragment: str | None) -> PublicType:
        """Return a copy of the URI with another fragment.

        Args:
            fragment: the new fragment without its `#`, percent-encoded where necessary; `None`
                removes the fragment, `""` makes it empty.

        Raises:
            BuildError: the fragment is invalid.
            TypeError: `fragment` is neither a `str` nor `None`.

        >>> URI("http://a/b#c").with_fragment(None)
        URI('http://a/b')
        """
        return self._with_part(6, fragment) or self.replace(fragment=fragment)

    def without_fragment(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its fragment and the `#`.

        >>> URI("http://a/b?c#d").without_fragment()
        URI('http://a/b?c')
        """
        return self._with_part(6, None) or self.replace(fragment=None)

    @use_compiled("URIMethods")
    def joinpath(
        self: Edits[PublicType], *segments: SegmentData, protect_path: bool = False
    ) -> PublicType:
        """Return a copy of the URI with segments added to its path.

        Each argument becomes exactly one segment. A trailing slash of the path is not doubled, so
        `""` adds a slash only to a path without one; an empty path without a host stays empty.
        Query and fragment stay as they are. To follow a relative reference such as `../a`, use
        `resolve`.

        Args:
            segments: the segments as data, `str` or `bytes`: they are percent-encoded, including
                `/`.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the result would be parsed differently.
            TypeError: a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b/?q").joinpath("c", "d/e")
        URI('http://a/b/c/d%2Fe?q')
        """
        path = append_segments(self, segments)
        return self._with_part(4, path) or self.replace(path=path, protect_path=protect_path)

    @use_compiled("URIMethods")
    def __truediv__(self: Edits[PublicType], segment: SegmentData) -> PublicType:
        """Return a copy of the URI with one segment added to its path; see `joinpath`.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        path = append_segments(self, [segment])
        return self._with_part(4, path) or self.replace(path=path)

    # --- query parameters

    @property
    @use_compiled("URIMethods")
    def params(self) -> Params:
        """The parameters of the query, read as HTML form data; empty if the URI has no query.

        To edit parameters, use `with_param` and the other methods of the URI. Use
        `Params.with_codec` for queries with `;` between parameters, or in which `+` is a plus sign.

        >>> reference = IRIReference("?a=x+y&b=%7E&c")
        >>> reference.params["a"], reference.params["c"], reference.params.get("d")
        ('x y', '', None)
        """
        from .params import Params

        params: Params = self._create_params(Params)
        return params

    @overload
    def with_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues] | None, /
    ) -> PublicType: ...
    @overload
    def with_params(
        self: Edits[PublicType], params: Iterable[tuple[str | bytes, ParamValues]], /
    ) -> PublicType: ...
    @use_compiled("URIMethods")
    def with_params(self: Edits[PublicType], params: ParamSource | None, /) -> PublicType:
        """Return a copy of the URI with the given query parameters and no others.

        Args:
            params: names and values as data, in a mapping or in pairs; they are encoded like HTML
                form data, in the given order. A list of values repeats the name. `Params` are used
                as written. `None` removes the query.

        Raises:
            BuildError: a name or a value cannot be encoded (see `Params.with_param`), or the type
                does not allow the query of the `Params`.
            TypeError: `params`, a name or a value has the wrong type.

        >>> uri = URI("http://a/?b=%7E&c")
        >>> uri.with_params(uri.params.with_param("c", 1))
        URI('http://a/?b=%7E&c=1')
        >>> uri.with_params({"q": "a b", "page": [1, 2]})
        URI('http://a/?q=a+b&page=1&page=2')
        """
        return replace_query(self, build_query(params))

    @use_compiled("URIMethods")
    def with_param(self: Edits[PublicType], name: str | bytes, value: ParamValues) -> PublicType:
        """Return a copy of the URI with one query parameter set to a new value.

        New values replace the old values in place. Additional values follow the last parameter of
        the name; a new name follows the last parameter of the query. All other parameters stay
        exactly as written.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; an empty sequence removes the name. See
                `uriverse.typing.ParamValue` for the types of values. `None` writes the name without
                "=".

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1#b").with_param("page", 2)
        URI('http://a/?q=x&page=2#b')
        """
        return replace_query(self, self.params.with_param(name, value).query)

    @use_compiled("URIMethods")
    def add_param(self: Edits[PublicType], name: str | bytes, value: ParamValues) -> PublicType:
        """Return a copy of the URI with a new parameter at the end of the query.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; see `with_param`.

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?tag=x").add_param("tag", "y z")
        URI('http://a/?tag=x&tag=y+z')
        """
        return replace_query(self, self.params.add_param(name, value).query)

    @use_compiled("URIMethods")
    def without_params(self: Edits[PublicType], *names: str | bytes) -> PublicType:
        """Return a copy of the URI without the query parameters that have one of these names.

        If no parameter remains, the query is removed with its `?`. For patterns such as `utm_*`,
        use `filter_params`.

        Args:
            names: the names as data, `str` or `bytes`; names that are missing are ignored.

        Raises:
            TypeError: a name is neither `str` nor `bytes`.

        >>> URI("http://a/?q=x&page=1&q=y").without_params("q")
        URI('http://a/?page=1')
        """
        return replace_query(self, self.params.without(*names).query)

    def filter_params(
        self: Edits[PublicType], *, keep: str | Iterable[str] = "*", drop: str | Iterable[str] = ()
    ) -> PublicType:
        """Return a copy of the URI with only the query parameters whose names match a pattern.

        Args:
            keep: one or more names or [globs][1] to keep. Matching is case-sensitive.
            drop: one or more names or globs to remove, even if they match `keep`.

        [1]: https://docs.python.org/3/library/fnmatch.html

        Raises:
            TypeError: `keep` or `drop` is neither a `str` nor an iterable of `str`.

        >>> URI("http://a/?q=x&utm_source=y&utm_medium=z").filter_params(drop="utm_*")
        URI('http://a/?q=x')
        """
        return replace_query(self, self.params.filter(keep=keep, drop=drop).query)

    def sorted_params(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI with its query parameters sorted by name.

        Names are compared byte by byte, in UTF-8. Parameters of the same name keep their order.

        >>> URI("http://a/?b=2&a=1&b=1").sorted_params()
        URI('http://a/?a=1&b=2&b=1')
        """
        return replace_query(self, self.params.sorted().query)

    @overload
    def update_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues], /, **named: ParamValues
    ) -> PublicType: ...
    @overload
    def update_params(
        self: Edits[PublicType],
        params: Iterable[tuple[str | bytes, ParamValues]] = ...,
        /,
        **named: ParamValues,
    ) -> PublicType: ...
    def update_params(
        self: Edits[PublicType], params: ParamSource = (), /, **named: ParamValues
    ) -> PublicType:
        """Return a copy of the URI in which some query parameters have new values.

        The new values replace all old values of a name. A name that is missing is added at the end.

        Args:
            params: names and values, in a mapping or in pairs. Values of pairs with the same name
                are combined.
            named: more names and values; they override those of the same name in `params`.

        Raises:
            BuildError: a name or a value cannot be encoded; see `Params.with_param`.
            TypeError: `params`, a name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1").update_params({"page": 2}, lang="en")
        URI('http://a/?q=x&page=2&lang=en')
        """
        return replace_query(self, self.params.updated(params, **named).query)

    # --- the name of the path and its parents

    @property
    @use_compiled("URIMethods")
    def name(self) -> str:
        """The last segment of the path, percent-decoded; `""` if the path ends with a slash.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. See
        [RFC 3986, 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

        >>> URI("http://a/b/c%20d.tar.gz?q").name, URI("http://a/b/").name, URI("http://a").name
        ('c d.tar.gz', '', '')
        """
        path = self.path
        segment = path[path.rfind("/") + 1 :]
        from .segments import decode_segment

        return decode_segment(segment) if "%" in segment else segment

    @property
    @use_compiled("URIMethods")
    def stem(self) -> str:
        """The name without its file extension: the `name` without the `suffix`.

        >>> URI("http://a/b/c.tar.gz").stem, URI("http://a/.rc").stem
        ('c.tar', '.rc')
        """
        from .segments import find_stem_end

        name = self.name
        return name[: find_stem_end(name)]

    @property
    @use_compiled("URIMethods")
    def suffix(self) -> str:
        """The file extension of the name with its dot, such as `".gz"`; `""` without an extension.

        The extension starts at the last dot of the name. A dot at the start or the end of the name
        does not count, so `.rc` and `a.` have no extension.

        >>> URI("http://a/b/c.tar.gz").suffix, URI("http://a/.rc").suffix
        ('.gz', '')
        """
        from .segments import find_stem_end

        name = self.name
        return name[find_stem_end(name) :]

    @property
    @use_compiled("URIMethods")
    def suffixes(self) -> tuple[str, ...]:
        """All file extensions of the name, each with its dot; `()` without an extension.

        >>> URI("http://a/b/c.tar.gz").suffixes
        ('.tar', '.gz')
        """
        from .segments import list_suffixes

        return list_suffixes(self.name)

    @property
    @use_compiled("URIMethods")
    def parent(self: Plain[PublicType]) -> PublicType:
        """The URI without the last segment of its path, and without query and fragment.

        The parent of `/a/b/` is `/a/b`, and the parent of `/a` is `/`. If the path is `/` or empty,
        it does not change. Dot segments have no special meaning here; `resolve("..")` follows them.

        >>> URI("http://a/b/c?d").parent, URI("http://a/").parent
        (URI('http://a/b'), URI('http://a/'))
        """
        from .segments import find_parent_end

        parent: Any = self._shorten_path(find_parent_end(self.path))
        return parent

    @property
    def parents(self: Plain[PublicType]) -> Sequence[PublicType]:
        """The parents of the URI, from the nearest to the farthest: `parent`, its parent and so on.

        The sequence is empty if the path is `/` or empty.

        >>> list(URI("http://a/b/c").parents)
        [URI('http://a/b'), URI('http://a/')]
        """
        from uriverse._uri import segments  # faster than an import of the names

        ends = segments.list_parent_ends(self.path)
        parents: Sequence[Any] = segments.Parents(ends, self._shorten_path)
        return parents

    @use_compiled("URIMethods")
    def with_name(self: Plain[PublicType], name: SegmentData) -> PublicType:
        """Return a copy of the URI with another name, and without query and fragment.

        Query and fragment belong to the old name, so they are removed. To keep them, use
        `with_segments(uri.segments.with_name(name))`.

        Args:
            name: the new last segment of the path as data, `str` or `bytes`; it is
                percent-encoded, including `/`. `""` removes the name, so that the path ends with a
                slash or is empty.

        Raises:
            BuildError: the name is `.` or `..`, or has surrogates that decoding would not restore
                (see `percent.encode`).
            TypeError: `name` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.txt?d").with_name("e f.md")
        URI('http://a/b/e%20f.md')
        """
        return replace_path_only(self, edit_last_segment(self, "name", name))

    @use_compiled("URIMethods")
    def with_stem(self: Plain[PublicType], stem: SegmentData) -> PublicType:
        """Return a copy of the URI with another stem, and without query and fragment.

        Args:
            stem: the new name without its extension, as data, which is percent-encoded.

        Raises:
            BuildError: the stem is empty, or the name would become `.` or `..`, or the stem has
                surrogates that decoding would not restore.
            TypeError: `stem` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.tar.gz").with_stem("d")
        URI('http://a/b/d.gz')
        """
        return replace_path_only(self, edit_last_segment(self, "stem", stem))

    @use_compiled("URIMethods")
    def with_suffix(self: Plain[PublicType], suffix: SegmentData) -> PublicType:
        """Return a copy of the URI with another file extension, and without query and fragment.

        Query and fragment belong to the old name, so they are removed. To keep them, use
        `with_segments(uri.segments.with_suffix(suffix))`.

        Args:
            suffix: the new extension with its dot, as data, which is percent-encoded; `""` removes
                the extension.

        Raises:
            BuildError: the path has no name, or the name is or would become `.` or `..`; or the
                suffix does not start with a dot, is only a dot, or has surrogates that decoding
                would not restore.
            TypeError: `suffix` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.tar.gz?d").with_suffix(".zip")
        URI('http://a/b/c.tar.zip')
        """
        return replace_path_only(self, edit_last_segment(self, "suffix", suffix))

    # --- combine and compare

    def then(self, other: str | Identifier, /) -> IRIReference:
        """Combine two relative references into one ([RFC 3986, 5.2][1]).

        Resolving the result gives the same URI as resolving first this reference and then the
        other.

        For every base URI, `base.resolve(a.then(b)) == base.resolve(a).resolve(b)`. The base may be
        unknown. Dot segments are kept if their effect depends on the base.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2

        Args:
            other: the second reference, as a string or a URI. It is relative to the target of this
                one. A `URI` and a `URIReference` accept only ASCII strings; for other references,
                pass an `IRIReference`.

        Returns:
            The combined reference, as the narrowest of the four URI types.

        Raises:
            ResolveError: `other` is a non-ASCII string, and this is a `URI` or a `URIReference`.
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> URIReference("../a/").then("b")
        URIReference('../a/b')
        >>> URIReference("/a/b").then("../c?d"), URIReference("a?b").then("#c")
        (URIReference('/c?d'), URIReference('a?b#c'))
        """
        from uriverse._spec.components import compose, split
        from uriverse._spec.resolution import combine_references

        second = str(parse(other))
        if isinstance(other, str) and not second.isascii() and self._rule.startswith("URI"):
            from uriverse._spec import messages

            # A `Deferred`: the explanation is computed when the error is examined.
            raise messages.deferred_not_ascii(second, self._rule)
        return parse(compose(*combine_references(split(_engine.as_text(self)), split(second))))

    def is_normalized(self, **options: Unpack[NormalizeOptions]) -> bool:
        """Return True if the URI is in normal form, so that `normalize` would not change it.

        Args:
            options: the options of `normalize`.

        Raises:
            TypeError: see `normalize`.
            ValueError: see `normalize`.

        >>> from uriverse import URI
        >>> URI("http://a/%7e").is_normalized(), URI("http://a/~").is_normalized()
        (False, True)
        """
        return self.normalize(**options) is self

    def normalization_changes(self, **options: Unpack[NormalizeOptions]) -> tuple[Change, ...]:
        """Return every change that `normalize` would make to the URI, step by step.

        Args:
            options: the options of `normalize`.

        Returns:
            The changes, in the order of the steps; `()` if the URI is in normal form. If a step
            changes several components, there is one `Change` for each of them.

        Raises:
            TypeError: see `normalize`.
            ValueError: see `normalize`.

        >>> from uriverse import URI
        >>> for change in URI("HTTP://a/%7e/..").normalization_changes():
        ...     print(change.step, change.component, change.before, change.after)
        percent_encoding path /%7e/.. /~/..
        case scheme HTTP http
        dot_segments path /~/.. /
        """
        return tuple(
            list_changes(_engine.as_text(self), iri=self._rule.startswith("IRI"), **options)
        )

    def equivalent(self, other: str | Identifier, /, *, level: Level | Registry = "syntax") -> bool:
        """Return True if two URIs are equivalent at a level of comparison ([RFC 3986, 6.2][1]).

        URIs that are equivalent at one level are also equivalent at the levels after it. An IRI and
        its `to_uri()` are equivalent at the levels `"syntax"` and `"scheme"`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2

        Args:
            other: a string or a URI.
            level: `"string"` compares the strings, like `==` (RFC 3986, 6.2.1). `"syntax"` compares
                the normal forms under syntax-based normalization (RFC 3986, 6.2.2). `"scheme"` also
                applies the rules of the scheme, including rules that its RFC defines only for
                comparison (RFC 3986, 6.2.3). A `Registry` is the level `"scheme"` with the rules
                of that registry.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.
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
        return self.comparison_key(level) == compute_comparison_key(parse(other), level)

    def is_same_document(self, other: str | Identifier, /) -> bool:
        """Return True if `other` refers to the same document as this URI ([RFC 3986, 4.4][1]).

        Two URIs refer to the same document if they are identical apart from their fragments. They
        are not normalized. If `other` is a relative reference, it is resolved against this URI
        first.

        If this URI is a relative reference too, nothing is resolved. The result is then True if
        both references are identical apart from their fragments, or if `other` is empty or only a
        fragment.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.4

        Args:
            other: a string or a URI, with or without a scheme.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> page = URI("http://a/b/c?d")
        >>> page.is_same_document("#e"), page.is_same_document("c?d#e"), page.is_same_document("c")
        (True, True, False)
        """
        reference = parse(other)
        document = cut_fragment(self)
        if cut_fragment(reference) in {"", document}:
            return True
        if self.scheme is None or reference.scheme is not None:
            return False
        return cut_fragment(self.resolve(reference)) == document

    def is_same_origin(self, other: str | Identifier, /) -> bool:
        """Return True if both URIs have the same origin ([RFC 6454, 4 and 5][1]).

        The origin consists of scheme, host and port. URIs without an origin, such as relative
        references and `data:` URIs, are never of the same origin.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-5

        Args:
            other: a string or a URI.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> URI("https://example.org/a").is_same_origin("https://EXAMPLE.org:443/b")
        True
        >>> URI("https://example.org/").is_same_origin("http://example.org/")
        False
        """
        ours, theirs = self.origin, parse(other).origin
        return ours is not None and ours == theirs

    def is_relative_to(self, base: str | Identifier, /) -> bool:
        """Return True if this URI is `base`, or is below it in the hierarchy of paths.

        Scheme and authority must be equal, and the path of `base` must be the first segments of
        this path: `/docs/a` is below `/docs` and `/docs/`, but `/docs-old` is below neither, and
        `/docs` is not below `/docs/`. The query and the fragment of both URIs are ignored, because
        only paths are hierarchical ([RFC 3986, 3.3 and 3.4][1]).

        Like `==`, this method compares strings, so normalize URIs that can be written in several
        ways. If a dot segment (`.` or `..`, percent-encoded or not) follows the path of `base`, the
        result is False, because the path may leave `base` again: `/docs/../admin` is not below
        `/docs`.

        `relative_to` starts at the directory of its base instead, which is `/` for `/docs`. To
        decide which URIs a program may request, use a `Policy`: some servers also leave a directory
        at segments such as `..;` and `..%2F`, which are not dot segments.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3

        Args:
            base: a string or a URI.

        Raises:
            ParseError: `base` is a string that is not a valid IRI reference.
            TypeError: `base` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> docs = URI("http://a/docs")
        >>> [URI(f"http://a{path}").is_relative_to(docs) for path in ("/docs/b?c", "/docs-old")]
        [True, False]
        >>> URI("http://a/docs/../admin").is_relative_to(docs)
        False
        """
        base_uri = parse(base)
        path, directory = self.path, base_uri.path
        if (self.scheme, self.authority) != (base_uri.scheme, base_uri.authority):
            return False
        if path == directory:
            return True
        # Without an authority, no path is below an empty one: "" refers to the document itself.
        if not directory.endswith("/") and (directory or base_uri.authority is not None):
            directory += "/"
        if not directory or not path.startswith(directory):
            return False
        from uriverse._spec.normalization import is_dot_segment

        if any(map(is_dot_segment, path[len(directory) :].split("/"))):
            return False
        # Reference resolution leaves nothing of a path like that of `x:.` or `x:../`.
        base_segments = directory.removesuffix("/").split("/")
        return self.scheme is None or not all(map(is_dot_segment, base_segments))

    def comparison_key(self, level: Level | Registry = "syntax", /) -> str:
        """Return a string that is the same for all URIs that are equivalent at the given level.

        Use the key to find duplicates with a `dict` or a `set`, or to sort URIs. It is not always a
        valid URI.

        Args:
            level: `"string"`, `"syntax"`, `"scheme"` or a `Registry`; see `equivalent`.

        Raises:
            ValueError: the level is unknown.

        >>> from uriverse import URI
        >>> URI("HTTP://a/%7e/..").comparison_key()
        'http://a/'
        """
        return compute_comparison_key(self, level)

    # --- convert

    def to_uri(self, *, host: Literal["percent", "idna"] = "percent") -> URIReference:
        """Convert an IRI to a URI: percent-encode its non-ASCII characters ([RFC 3987, 3.1][1]).

        Up to 4,096 labels (the parts of a domain name between dots) are cached once they have been
        converted. The cache is safe to use from several threads.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1

        Args:
            host: how to write a host with non-ASCII characters. `"percent"` percent-encodes them.
                `"idna"` converts the host to the ASCII domain name that DNS lookups use
                (`xn--...`), as specified by IDNA 2008 after the UTS 46 mapping. It also converts
                percent-encoded non-ASCII characters, and converts full-width digits to an IPv4
                address, as browsers do.

        Returns:
            A `URI` (with a scheme) or a `URIReference` (without), or this object itself if it has
            one of these types and its host does not change.

        Raises:
            ConvertError: with `"idna"`, a label of the host is not valid in a domain name.
            ValueError: `host` is neither `"percent"` nor `"idna"`.

        >>> from uriverse import IRI
        >>> IRI("http://bücher.example/rosé").to_uri()
        URI('http://b%C3%BCcher.example/ros%C3%A9')
        >>> IRI("http://bücher.example/rosé").to_uri(host="idna")
        URI('http://xn--bcher-kva.example/ros%C3%A9')
        """
        if host == "percent":
            return self._to_uri()
        require_idna(host)
        uri: Any = kernel.uri_with_domain(self) if compiled else None
        if uri is None:
            uri = convert_domain(self)._to_uri()
        return uri

    def to_iri(self, *, host: Literal["percent", "idna"] = "percent") -> IRIReference:
        """Convert a URI to an IRI: percent-decode non-ASCII characters ([RFC 3987, 3.2][1]).

        Only non-ASCII characters are decoded: `%C3%A9` becomes `é`, but `%61` does not become `a`.
        Characters that are not allowed at their place in an IRI stay encoded: private-use
        characters outside the query, and characters that control the direction of text. Bytes that
        are not valid UTF-8 stay encoded too. Converting the result back gives an equivalent URI.

        If a byte above 7F stays percent-encoded, its hexadecimal digits are converted to upper
        case, because the RFC encodes such bytes again.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.2

        Args:
            host: how to write the host. `"percent"` only percent-decodes it. `"idna"` also decodes
                the A-labels (`xn--...`) of a domain name, unless `to_uri(host="idna")` would not
                restore the host exactly, because a label has capital letters or is invalid in IDNA
                2008. The result may look like another host. To show it to people, use `display`.

        Returns:
            An `IRI` (with a scheme) or an `IRIReference` (without), or a `URI` or a `URIReference`
            if the result is ASCII; this object itself if nothing changes.

        Raises:
            ValueError: `host` is neither `"percent"` nor `"idna"`.

        >>> from uriverse import URI
        >>> URI("http://example.org/D%C3%BCrst/%FC%2F%E2%80%AE").to_iri()
        IRI('http://example.org/Dürst/%FC%2F%E2%80%AE')
        >>> URI("http://xn--bcher-kva.example/").to_iri(host="idna")
        IRI('http://bücher.example/')
        """
        if host == "percent":
            return self._to_iri()
        require_idna(host)
        iri: Any = decode_a_labels(self._to_iri())
        return iri

    def display(self) -> str:
        """Return a readable string for display: percent-decoded where safe, without secrets.

        Secrets such as passwords are replaced with `REDACTED`, as `redacted` does.

        A domain name is shown in Unicode only if it converts back to the same ASCII name. The
        letters of each label must belong to a single script. The scripts of Chinese, of Japanese
        and of Korean may each be mixed with Latin letters. A label without Latin letters stays in
        ASCII if all its letters look like Latin ones, unless the top-level domain is in the same
        script. If a label stays in ASCII, `uriverse.check` reports the reason (`misleading-host`).

        Other characters stay encoded if they are invisible, look like a delimiter, or mix text
        directions.

        The string is for display only: it may be invalid, or differ from the URI. Show it in a
        left-to-right context ([RFC 3987, 4.1][1]). Use `str()` for any other purpose.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4.1

        >>> from uriverse import URI
        >>> URI("http://xn--bcher-kva.example/%C3%A9%E2%80%AE").display()
        'http://bücher.example/é%E2%80%AE'
        >>> URI("http://xn--80ak6aa92e.com/").display()  # Cyrillic, and looks like apple.com
        'http://xn--80ak6aa92e.com/'
        """
        text = _engine.redact(self)
        if text.isascii() and not ("%" in text or "--" in text):
            return text  # nothing to decode: the common case
        from uriverse._uri import display  # faster than an import of the function

        return display.format_for_display(text)

    def redacted(
        self: Plain[PublicType], *, usernames: bool = False, paths: bool = False
    ) -> PublicType:
        """Return a copy of the URI in which secrets are replaced with `REDACTED`, for logs.

        The secrets are passwords, and parameters such as `access_token`, as `uriverse.redact`
        explains. All other characters stay the same. `repr()` shows the URI in this form.

        Args:
            usernames: whether to replace user names as well.
            paths: whether to replace secrets in the path as well, such as the key of a webhook.

        Returns:
            A URI of the same public type, or this object itself if it contains no secret.

        >>> from uriverse import URI
        >>> URI("https://me:pw@example.org/?page=2&token=1234").redacted()
        URI('https://me:REDACTED@example.org/?page=2&token=REDACTED')
        """
        value: Any = self
        text = _engine.redact(value, usernames=usernames, paths=paths)
        return value if text == _engine.as_text(self) else self._plain_type()(text)

    @property
    def is_nfc(self) -> bool:
        r"""True if the URI is in Unicode Normalization Form C ([RFC 3987, 5.3.2.2][1]).

        Percent-encoded characters are ignored, and so are combining marks after a delimiter. `nfc`
        converts a URI to this form.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").is_nfc, IRI("http://a/é").is_nfc
        (False, True)
        """
        from uriverse._spec.nfc import is_nfc

        return is_nfc(_engine.as_text(self))

    def nfc(self: Plain[PublicType]) -> PublicType:
        r"""Return a copy of the URI in Unicode Normalization Form C ([RFC 3987, 5.3.2.2][1]).

        Percent-encoded characters and delimiters do not change. The result may not be equivalent to
        the original under RFC 3987, so use this method for IRIs that you create, not for IRIs that
        you receive. No other method applies this form.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.2.2

        Returns:
            A URI of the same public type, or this object itself if nothing changes.

        Raises:
            ConvertError: the URI contains U+037E, which NFC converts to the delimiter `;`, or
                U+1FEF, which NFC converts to a grave accent (not allowed in a URI).

        >>> from uriverse import IRI
        >>> IRI("http://a/e\u0301").nfc()
        IRI('http://a/é')
        """
        from uriverse._errors import ConvertError
        from uriverse._spec.nfc import convert_to_nfc, find_ascii_equivalent

        text = _engine.as_text(self)
        normal_text = convert_to_nfc(text)
        if normal_text == text:
            unchanged: Any = self
            return unchanged
        position = find_ascii_equivalent(text)
        if position >= 0:
            character = f"character U+{ord(text[position]):04X}"
            reason = f"invalid {character}: its NFC form is a reserved or invalid ASCII character"
            hint = "percent-encode it"
            raise ConvertError(text, position, "text", "ucschar", reason, hint)
        return self._plain_type()(normal_text)

    @property
    def bidi_findings(self) -> tuple[BidiFinding, ...]:
        """The violations of the rules for right-to-left text in IRIs ([RFC 3987, section 4][1]).

        An IRI must not contain characters that control the direction of text (RFC 3987, 4.1). A
        string should not mix right-to-left and left-to-right letters, and a string with
        right-to-left letters should begin and end with them (RFC 3987, 4.2). As the RFC suggests,
        these two rules apply to each label of the host, to each piece of a path segment between
        dots, and to each name and value in the query. They also apply to the whole userinfo and to
        the whole fragment.

        [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4

        >>> from uriverse import IRI
        >>> [(f.code, f.start, f.end) for f in IRI("http://a/א1").bidi_findings]
        [('bidi-edge', 9, 11)]
        """
        from uriverse._spec.bidi import bidi_findings

        return tuple(bidi_findings(_engine.as_text(self)))

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

    @classmethod
    def _compose_changes(
        cls, parts: AllParts, changes: dict[str, Any], protect_path: bool, *, by_segments: bool
    ) -> Self:
        from uriverse._spec import build

        changed_parts = apply_changes(parts, changes, iri=cls._is_iri())
        final_parts = build.shield_path(changed_parts) if protect_path else changed_parts
        value = cls._compose(*final_parts)
        if value is not None:
            return value
        shield_length = len(final_parts.path) - len(changed_parts.path)
        raise build.deferred_build_error(
            final_parts, cls._rule, changes.get("authority"), shield_length, by_segments
        )

    @classmethod
    def _is_iri(cls) -> bool:
        return cls._rule.startswith("IRI")

    def _get_own_state(self) -> State | None:
        """Return what a subclass adds in `__dict__` and slots, so that copies keep it."""
        state: Any = object.__getstate__(self)  # the `__dict__`, or a pair of it and the slots
        pair: State = state if is_pair(state) else (state, {})
        attributes, slots = pair
        own_slots = {name: slot for name, slot in slots.items() if name not in ENGINE_SLOTS}
        return (attributes, own_slots) if attributes or own_slots else None


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


def append_segments(value: Plain[Any], segments: Iterable[SegmentData]) -> str:
    from .segments import encode_segment

    path, iri = value.path, value._is_iri()
    for segment in segments:
        # Do not add a slash at the start of a rootless path, or after a trailing slash.
        if not path.endswith("/") and (path or value.host is not None):
            path += "/"
        # In the first segment of a relative path, a colon would end a scheme (RFC 3986, 4.2).
        is_first = not path and value.scheme is None
        path += encode_segment(segment, "segment-nz-nc" if is_first else "segment", iri=iri)
    return path


def replace_query(value: Any, query: str | None) -> Any:
    return value._with_part(5, query) or value.replace(query=query)


def edit_last_segment(value: Plain[Any], part: str, data: SegmentData) -> str:
    from .segments import REPLACERS

    path, rooted = value.path, value.host is not None
    if not path and rooted:
        path = "/"  # after an authority, a path starts with a slash
    relative, iri = value.scheme is None and not rooted, value._plain_type()._rule.startswith("IRI")
    return REPLACERS[part](path, data, f"with_{part}(): {part}", iri, relative)


def replace_path_only(value: Plain[PublicType], path: str) -> Any:
    """Return a URI with another valid path, without query and fragment; itself if it is equal."""
    text, bounds = _engine.as_text(value), value._bounds
    new_text = text[: bounds[4]] + path
    return value if new_text == text else value._plain_type()(new_text)


def get_default_port(value: IRIReference) -> int | None:
    if value.scheme is None or value.host is None:
        return None
    from uriverse.schemes._descriptors import load_default_registry

    return load_default_registry().rules_of(value.scheme).default_port


def is_pair(state: object) -> bool:
    return isinstance(state, tuple)


def restore_state(value: T, state: State | None) -> T:
    """Restore the additional attributes of a subclass on a copied URI, and return the copy."""
    for attributes in state or ():  # those of `__dict__`, and those of slots
        for name, attribute in (attributes or {}).items():
            setattr(value, name, attribute)
    return value


TYPES = (IRIReference, IRI, URIReference, URI)
_engine.load_types({public_type._rule: public_type for public_type in TYPES})


def get_rule(kind: type[IRIReference]) -> str:
    return kind._rule


def publish_methods() -> None:
    """Give methods the public module of `IRIReference`, by which `pickle` finds them."""
    for member in vars(IRIReference).values():
        function = getattr(member, "__func__", member)
        if hasattr(function, "__annotations__"):
            function.__module__ = IRIReference.__module__
            function.__annotations__.pop("self", None)  # only type checkers need it


publish_methods()
