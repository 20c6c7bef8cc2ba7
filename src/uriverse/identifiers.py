"""The four types: a URI, a URI-reference, an IRI, an IRI-reference.

Immutable and thin: what a value holds and reads, the engine keeps; what is
derived from it or made anew is here.

What only some programs do (building, decoding, failing) is imported when it is first
done, so that `import uriverse` stays cheap.
"""

from __future__ import annotations

from . import engine
from .errors import BuildError, ConvertError, ResolveError, masked, password_span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, ClassVar, NoReturn, Self, TypedDict, TypeVar, Unpack

    from .views import Segment

    T = TypeVar("T")

    #: A `__dict__` and slots, as `pickle` takes them.
    State = tuple[dict[str, object] | None, dict[str, object]]

    class Changes(TypedDict, total=False):
        """What `replace` takes, with the types of `build`."""

        scheme: str | None
        authority: str | None
        userinfo: str | None
        host: str | None
        port: int | str | None
        path: str
        query: str | None
        fragment: str | None
        segments: Iterable[Segment]


#: The slots in which the specification keeps a value.
ENGINE_SLOTS = {"_found", "_text"}

#: The longest run of digits that `int` reads whatever `sys.set_int_max_str_digits`
#: says: the threshold below which the interpreter never looks at that limit.
LONGEST_PORT = 640


class IRIReference(engine.Identifier):
    """An [`IRI-reference`](https://www.rfc-editor.org/rfc/rfc3987#section-2.2): any of them all.

    Immutable; its text is its value. `str()` gives back the text exactly; equality,
    hash and order are those of the text, whatever the types. `repr()` hides a password.

    Args:
        text: what is to be read, a `str` or another identifier.

    Raises:
        ParseError: the text is not one; the error says where and why.
        TypeError: it is neither a `str` nor an identifier.

    Attributes:
        scheme, authority, userinfo, host, port_text, path, query, fragment: the text
            of each component, exactly as it is written. `None` is undefined, `""` is
            there and empty; the path is always defined.
        host_kind: `"IPv6address"`, `"IPvFuture"`, `"IPv4address"`, `"reg-name"`, or
            `None` without an authority.

    >>> reference = IRIReference("//example.org/rosé?#")
    >>> reference.host, reference.query, reference.scheme
    ('example.org', '', None)
    """

    __slots__ = ()
    __match_args__ = ("scheme", "authority", "path", "query", "fragment")
    _rule: ClassVar[str] = "IRI-reference"

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        # What is both an IRI and a URI-reference is a URI, in whatever order it is derived.
        if {"IRI", "URI-reference"} <= {vars(base).get("_rule") for base in cls.__mro__}:
            cls._rule = "URI"

    # --- what is derived from the text

    @property
    def is_relative(self) -> bool:
        """Whether it is without a scheme: a [relative reference][1].

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        >>> IRIReference("//a/b").is_relative
        True
        """
        return self.scheme is None

    @property
    def is_absolute(self) -> bool:
        """Whether it has a scheme and no fragment: an [absolute-URI][1].

        So `http://a/#b` is neither relative nor absolute, in the RFC's words.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

        >>> IRIReference("http://a/").is_absolute, IRIReference("http://a/#b").is_absolute
        (True, False)
        """
        return self.scheme is not None and self.fragment is None

    @property
    def has_port(self) -> bool:
        """Whether a colon follows the host, with digits or without.

        >>> IRIReference("//a:").has_port, IRIReference("//a").has_port
        (True, False)
        """
        return self.port_text is not None

    @property
    def port(self) -> int | None:
        """The number of the port; `None` without one and where there are no digits.

        The grammar sets no limit: it may be larger than any port of TCP.

        Raises:
            ConvertError: it has more than 640 digits; `port_text` has them.

        >>> IRIReference("//a:080").port, IRIReference("//a:0").port, IRIReference("//a:").port
        (80, 0, None)
        """
        digits = self.port_text
        if not digits:
            return None
        if len(digits) > LONGEST_PORT:
            digits = digits.lstrip("0") or "0"
        if len(digits) > LONGEST_PORT:
            reason = f"a port of {len(digits):,} digits is not made a number"
            hint = "port_text has the digits"
            raise ConvertError(str(self), self._bounds[3] + 1, "port", "port", reason, hint)
        return int(digits)

    @property
    def username(self) -> str | None:
        """The userinfo up to its first colon, decoded; `None` without userinfo.

        Raises:
            ConvertError: it is not UTF-8.

        >>> IRIReference("//us%65r:pass@a").username
        'user'
        """
        userinfo = self.userinfo
        return None if userinfo is None else self._userinfo_text(userinfo.partition(":")[0], 0)

    @property
    def password(self) -> str | None:
        """The userinfo after its first colon, decoded; `None` without a colon.

        Passwords in identifiers are [deprecated](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).

        Raises:
            ConvertError: it is not UTF-8.

        >>> IRIReference("//user:p%3Ass@a").password
        'p:ss'
        """
        name, colon, password = (self.userinfo or "").partition(":")
        return self._userinfo_text(password, len(name) + 1) if colon else None

    @property
    def hostname(self) -> str | None:
        """The host without brackets, its ASCII letters in lower case; `None` without an authority.

        >>> IRIReference("//[2001:DB8::1]:80").hostname
        '2001:db8::1'
        """
        host = self.host
        if host is None:
            return None
        # Case is folded in ASCII only (RFC 3986, 6.2.2.1); what lies past it is IDNA's.
        return host.removeprefix("[").removesuffix("]").encode().lower().decode()

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The host as an `ipaddress` object, where it is an IPv4address or an IPv6address.

        >>> IRIReference("//[::1]/").ip
        IPv6Address('::1')
        """
        if self.host_kind not in {"IPv4address", "IPv6address"}:
            return None
        from ipaddress import ip_address

        return ip_address(str(self.hostname))

    @property
    def raw_segments(self) -> tuple[str, ...]:
        """The segments of the path as they are written; the first is `""` if it is absolute.

        An empty path has none.

        >>> IRIReference("/a%2Fb/").raw_segments
        ('', 'a%2Fb', '')
        """
        path = self.path
        return tuple(path.split("/")) if path else ()

    @property
    def segments(self) -> tuple[Segment, ...]:
        r"""The segments of the path, each decoded on its own; the first is `""` if it is absolute.

        A segment that is not UTF-8 is given as `bytes`. An empty path has none.

        >>> IRIReference("/a%2Fb/%FF").segments
        ('', 'a/b', b'\xff')
        """
        from .views import decoded

        return tuple(map(decoded, self.raw_segments))

    # --- references

    def resolve(self, reference: str | engine.Identifier, /, *, strict: bool = True) -> IRI:
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
        return target  # type: ignore[return-value]  # an engine makes the public types

    def relative_to(self, base: str | engine.Identifier, /, *, climb: bool = True) -> IRIReference:
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
        from .spec.components import split
        from .spec.relative import relative

        start = parse(base)
        for value in (self, start):
            if value.scheme is None:
                raise without_scheme(value, "made relative")
        text = relative(split(str(self)), split(str(start)), climb=climb)
        if text is None:
            raise nothing_leads_to(self)
        return parse(text)

    # --- what is made anew

    @classmethod
    def build(
        cls,
        *,
        scheme: str | None = None,
        authority: str | None = None,
        userinfo: str | None = None,
        host: str | None = None,
        port: int | str | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        segments: Iterable[Segment] | None = None,
        shield: bool = False,
    ) -> Self:
        """Make one from its parts, so that it is read back as the same parts, or not at all.

        The parts are text, already percent-encoded where they need it: they are checked,
        never changed. `segments` are data, and are encoded.

        Args:
            scheme: without its colon; `None` for none.
            authority: instead of `userinfo`, `host` and `port`; `None` for none.
            userinfo: without its `@`; `None` for none.
            host: an IPv6 address in its brackets; `None` for none, `""` for an empty one.
            port: a number, or its digits; `""` for a colon without digits, `None` for none.
            path: the path, possibly empty.
            query: without its `?`; `None` for none, `""` for an empty one.
            fragment: without its `#`; `None` for none, `""` for an empty one.
            segments: instead of `path`: the decoded segments, the first `""` if it is absolute.
            shield: put `/.` before a path that would be read as an authority, and `./`
                before one whose first segment would be read as a scheme, not an error.

        Raises:
            BuildError: a part is not what its rule produces, or would be read back otherwise.
            TypeError: a part is of the wrong type, or two name the same thing.

        >>> URI.build(scheme="https", host="example.org", port=8080, path="/a", query="b=c")
        URI('https://example.org:8080/a?b=c')
        >>> URIReference.build(path="//evil.example/", shield=True)
        URIReference('/.//evil.example/')
        """
        from .spec import build
        from .views import path_of

        if authority is not None:
            if not (userinfo is host is port is None):
                raise TypeError("give authority, or userinfo, host and port, not both")
            authority = part_text("authority", authority)
            userinfo, host, port = build.split_authority(authority)
        if segments is not None:
            if path:
                raise TypeError("give path or segments, not both")
            relative = scheme is None and host is None
            path = path_of(segments, iri=cls._is_iri(), relative=relative)
        parts = build.AllParts(
            None if scheme is None else part_text("scheme", scheme),
            None if userinfo is None else part_text("userinfo", userinfo),
            None if host is None else part_text("host", host),
            None if port is None else port_digits(port),
            part_text("path", path),
            None if query is None else part_text("query", query),
            None if fragment is None else part_text("fragment", fragment),
        )
        if shield:
            parts = build.shielded(parts)
        added = len(parts.path) - len(path)
        value = cls.try_parse(build.composed(parts)) if build.coherent(parts) else None
        if value is None or value._bounds != build.intended(parts):
            raise build.fault(parts, cls._rule, authority, added)
        return value

    def replace(self, *, shield: bool = False, **changes: Unpack[Changes]) -> Self:
        """Make another with some parts exchanged; what is not named stays, byte for byte.

        Arguments and errors are those of `build`; `None` takes a part away.

        >>> URI("http://a/b?c#d").replace(scheme="https", query=None)
        URI('https://a/b#d')
        """
        parts: Changes = {
            "scheme": self.scheme,
            "userinfo": self.userinfo,
            "host": self.host,
            "port": self.port_text,
            "path": self.path,
            "query": self.query,
            "fragment": self.fragment,
        }
        if "authority" in changes:
            if not changes.keys().isdisjoint({"userinfo", "host", "port"}):
                raise TypeError("give authority, or userinfo, host and port, not both")
            del parts["userinfo"], parts["host"], parts["port"]
        if "segments" in changes:
            if "path" in changes or changes["segments"] is None:
                raise TypeError("give path or segments, not both, and neither as None")
            del parts["path"]
        changed: Changes = {**parts, **changes}
        return self.build(**changed, shield=shield)

    __replace__ = replace

    def with_scheme(self, scheme: str | None) -> Self:
        """Another with this scheme; `None` for none. See `replace`.

        >>> URI("http://a/b").with_scheme("https")
        URI('https://a/b')
        """
        return self._exchanged(0, scheme) or self.replace(scheme=scheme)

    def with_authority(self, authority: str | None) -> Self:
        """Another with this authority; `None` for none. See `replace`.

        >>> URI("http://a/b").with_authority("c:80")
        URI('http://c:80/b')
        """
        return self.replace(authority=authority)

    def with_userinfo(self, userinfo: str | None) -> Self:
        """Another with this userinfo; `None` for none. See `replace`.

        >>> URI("http://me@a/b").with_userinfo(None)
        URI('http://a/b')
        """
        return self._exchanged(1, userinfo) or self.replace(userinfo=userinfo)

    def with_host(self, host: str | None) -> Self:
        """Another with this host, an IPv6 address in its brackets; `None` for none. See `replace`.

        >>> URI("http://a:80/b").with_host("[::1]")
        URI('http://[::1]:80/b')
        """
        return self._exchanged(2, host) or self.replace(host=host)

    def with_port(self, port: int | str | None) -> Self:
        """Another with this port; `""` for a colon alone, `None` for none. See `replace`.

        >>> URI("http://a/b").with_port(0)
        URI('http://a:0/b')
        """
        digits = str(port) if type(port) is int and 0 <= port <= 65535 else port
        return self._exchanged(3, digits) or self.replace(port=port)

    def with_path(self, path: str, *, shield: bool = False) -> Self:
        """Another with this path, given as text. See `replace`.

        >>> URI("http://a/b?c").with_path("/d%20e")
        URI('http://a/d%20e?c')
        """
        return self._exchanged(4, path) or self.replace(path=path, shield=shield)

    def with_segments(self, segments: Iterable[Segment], *, shield: bool = False) -> Self:
        """Another with a path of these segments, given as data. See `replace`.

        The first is `""` for an absolute path. `.` and `..` are refused: they are steps
        between segments, and can't be escaped.

        >>> URI("http://a/b").with_segments(["", "c/d", "e f"])
        URI('http://a/c%2Fd/e%20f')
        """
        return self.replace(segments=segments, shield=shield)

    def with_query(self, query: str | None) -> Self:
        """Another with this query; `None` for none, `""` for an empty one. See `replace`.

        >>> URI("http://a/b?c").with_query("")
        URI('http://a/b?')
        """
        return self._exchanged(5, query) or self.replace(query=query)

    def with_fragment(self, fragment: str | None) -> Self:
        """Another with this fragment; `None` for none, `""` for an empty one. See `replace`.

        >>> URI("http://a/b#c").with_fragment(None)
        URI('http://a/b')
        """
        return self._exchanged(6, fragment) or self.replace(fragment=fragment)

    def joinpath(self, *segments: Segment, shield: bool = False) -> Self:
        """Another with these segments added to its path, each one segment whatever it holds.

        A last segment that is empty (a trailing slash) is filled first. Query and
        fragment stay. What is given is data: `/` in it is encoded, `.` and `..` are
        refused. To follow a reference, resolve it instead.

        Raises:
            BuildError: see above, and `replace`.
            TypeError: a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b/?q").joinpath("c", "d/e")
        URI('http://a/b/c/d%2Fe?q')
        """
        from .views import exact_segment, path_of

        path = self.path
        for segment in map(exact_segment, segments):
            # A rootless path begins without a slash, and one that ends with one has it.
            if not path.endswith("/") and (path or self.host is not None):
                path += "/"
            first = not path and self.scheme is None
            path += path_of([segment], iri=self._is_iri(), relative=first) if segment else ""
        return self.with_path(path, shield=shield)

    def __truediv__(self, segment: Segment) -> Self:
        """`joinpath` with one segment.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        return self.joinpath(segment)

    # --- what every value can do

    def __repr__(self) -> str:
        return f"{type(self).__name__}({masked(str(self), 0, password_span(str(self)))[0]!r})"

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)

    def __reduce__(self) -> tuple[type[Self], tuple[str], object]:
        return type(self), (str(self),), self._own_state()

    def __copy__(self) -> Self:
        if type(self) in TYPES:
            return self
        return with_state(type(self)(str(self)), self._own_state())

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        if type(self) in TYPES:
            return self
        from copy import deepcopy

        new = memo[id(self)] = type(self)(str(self))
        return with_state(new, deepcopy(self._own_state(), memo))

    # --- how it is done

    def _own_state(self) -> State | None:
        """What a subclass keeps beside the text, in its `__dict__` and in slots."""
        state: Any = object.__getstate__(self)
        pair: State = state if is_pair(state) else (state, {})
        own = {name: kept for name, kept in pair[1].items() if name not in ENGINE_SLOTS}
        return (pair[0], own) if pair[0] or own else None

    def _exchanged(self, part: int, text: object) -> Self | None:
        """Another with one part exchanged, where it can be done without looking twice."""
        return self._with_part(part, text) if type(text) is str or text is None else None

    @classmethod
    def _is_iri(cls) -> bool:
        return cls._rule.startswith("IRI")

    def _userinfo_text(self, text: str, offset: int) -> str:
        """A part of the userinfo, decoded; `offset` is its place in the userinfo."""
        from .views import decoded

        data = decoded(text)
        if isinstance(data, bytes):
            position = self._bounds[1] + offset
            reason, hint = "what the userinfo encodes is not UTF-8", "userinfo has it as it is"
            raise ConvertError(str(self), position, "userinfo", "userinfo", reason, hint)
        return data


class IRI(IRIReference):
    """An [`IRI`](https://www.rfc-editor.org/rfc/rfc3987#section-2.2): it has a scheme.

    >>> IRI("http://example.org/rosé").path
    '/rosé'
    """

    __slots__ = ()
    _rule = "IRI"


class URIReference(IRIReference):
    """A [`URI-reference`][1]: ASCII only, with a scheme or without.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    >>> URIReference("../a?b#c").path
    '../a'
    """

    __slots__ = ()
    _rule = "URI-reference"


class URI(IRI, URIReference):
    """A [`URI`](https://www.rfc-editor.org/rfc/rfc3986#section-3): ASCII only, with a scheme.

    It is of all four types, as the grammars nest.

    >>> uri = URI("foo://example.com:8042/over/there?name=ferret#nose")
    >>> uri.scheme, uri.authority, uri.path, uri.query, uri.fragment
    ('foo', 'example.com:8042', '/over/there', 'name=ferret', 'nose')
    >>> isinstance(uri, IRI), isinstance(uri, URIReference)
    (True, True)
    """

    __slots__ = ()
    _rule = "URI"


class Resolver:
    """Resolves many references on one base, which is checked once.

    Args:
        base: a text or an identifier with a scheme.
        strict: as for `IRIReference.resolve`.

    Raises:
        ResolveError: the base has no scheme.
        ParseError: the base is a text that is no IRI-reference.
        TypeError: the base is neither a `str` nor an identifier.

    >>> resolve = Resolver("http://a/b/c")
    >>> [str(resolve(reference)) for reference in ("d", "../e", "?f")]
    ['http://a/b/d', 'http://a/e', 'http://a/b/c?f']
    """

    __slots__ = ("_base", "_strict")

    def __init__(self, base: str | engine.Identifier, /, *, strict: bool = True) -> None:
        self._base = base if isinstance(base, IRIReference) else parse(base)
        self._strict = strict
        if self.base.scheme is None:
            raise without_scheme(self.base, "resolved against")

    @property
    def base(self) -> IRIReference:
        """The base."""
        return self._base

    def __call__(self, reference: str | engine.Identifier, /) -> IRI:
        """The target of a reference; see `IRIReference.resolve`."""
        return self.base.resolve(reference, strict=self._strict)

    def __repr__(self) -> str:
        return f"Resolver({self.base!r}, strict={self._strict})"


def without_scheme(value: IRIReference, act: str) -> ResolveError:
    """The error for what is relative and should not be."""
    reason, hint = f"a relative reference can't be {act}", "resolve it on its own base first"
    return ResolveError(str(value), 0, "scheme", "scheme", reason, hint)


def nothing_leads_to(target: IRIReference) -> ResolveError:
    """The error for a target that no reference resolves to."""
    position = target._bounds[4]
    for segment in target.path.split("/"):
        if segment in {".", ".."}:
            reason = "no reference resolves to a path with dot segments"
            hint = "resolve the target on itself first, which removes them"
            return ResolveError(str(target), position, "path", "segment", reason, hint)
        position += len(segment) + 1
    reason = "no reference that stays in the base's directory resolves to it"
    hint = "let it climb, if it may"
    return ResolveError(str(target), target._bounds[4], "path", "path-noscheme", reason, hint)


def is_pair(state: object) -> bool:
    """Whether a state has slots beside the `__dict__`."""
    return isinstance(state, tuple)


def with_state(value: T, state: State | None) -> T:
    """A value with what its class keeps beside the text."""
    for attributes in state or ():
        for name, kept in (attributes or {}).items():
            setattr(value, name, kept)
    return value


def part_text(name: str, part: object) -> str:
    """The exact `str` of a part that is text."""
    if not isinstance(part, str):
        raise TypeError(f"{name} is a str, not {type(part).__name__}")
    return str.__str__(part)


def port_digits(port: int | str) -> str:
    """The text of a port; of a negative number too, for the grammar to refuse."""
    if isinstance(port, str):
        return part_text("port", port)
    if isinstance(port, bool) or not isinstance(port, int):
        raise TypeError(f"port is an int or a str, not {type(port).__name__}")
    if abs(port) >= 10**LONGEST_PORT:
        reason, hint = "so large a number is not made a port", "give its digits"
        raise BuildError("", 0, "port", "port", reason, hint)
    # A subclass may print itself otherwise; its number counts.
    return int.__repr__(port)


def refuse(text: str, rule: str, component: str, position: int) -> NoReturn:
    """Raise the error for a text that an engine has found not to be a `rule`."""
    from .spec.reason import parse_error

    raise parse_error(text, rule, component, position)


TYPES = (IRIReference, IRI, URIReference, URI)
engine.adopt({public_type._rule: public_type for public_type in TYPES}, refuse)

if TYPE_CHECKING:
    # The engine's function; what it gives back is of a public type.
    def parse(text: str | engine.Identifier, /) -> IRIReference: ...

else:
    parse = engine.parse
