"""The four public types: URI, URI reference, IRI, IRI reference.

Values are immutable and thin: the engine stores the string and its bounds. This module adds the
derived properties; each module beside it adds the methods for one task, as a mixin class.

Modules that only some programs need (building, decoding, errors) are imported on first use, so
that `import uriverse` stays fast.
"""

from __future__ import annotations

from uriverse import _engine

from .building import Buildable, later
from .conversion import Convertible
from .references import Comparable, Resolvable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, ClassVar, NoReturn, Self, TypeVar, overload

    from uriverse._engine import Identifier
    from uriverse.schemes.registry import Registry
    from uriverse.typing import HostForm
    from uriverse.views.params import Params
    from uriverse.views.segments import Segments

    T = TypeVar("T")

    #: The pair of `__dict__` and slots that `pickle` uses for state.
    State = tuple[dict[str, object] | None, dict[str, object]]


#: The slots of the reference implementation.
ENGINE_SLOTS = {"_found", "_text"}


class IRIReference(Buildable, Resolvable, Comparable, Convertible):
    """An [`IRI-reference`](https://www.rfc-editor.org/rfc/rfc3987#section-2.2), the general type.

    Immutable. `str()` returns the exact string that was parsed; equality, hash and order are those
    of the string, whatever the types. `repr()` masks passwords.

    Args:
        text: the string to parse, or another identifier.

    Raises:
        ParseError: the string is invalid; the error has the position and the reason.
        TypeError: `text` is neither a `str` nor an identifier.

    Attributes:
        scheme, authority, userinfo, host, port_text, path, query, fragment: the components,
            exactly as written. `None` is undefined, `""` is present but empty; the path is
            always defined.
        host_kind: `"IPv6address"`, `"IPvFuture"`, `"IPv4address"`, `"reg-name"`, or
            `None` without an authority.

    >>> reference = IRIReference("//example.org/rosé?#")
    >>> reference.host, reference.query, reference.scheme
    ('example.org', '', None)
    """

    __slots__ = ()
    __module__ = "uriverse"
    __match_args__ = ("scheme", "authority", "path", "query", "fragment")
    _rule: ClassVar[str] = "IRI-reference"

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        # A type that is both an IRI and a URI-reference is a URI, in whatever order the bases are
        # given.
        if {"IRI", "URI-reference"} <= {vars(base).get("_rule") for base in cls.__mro__}:
            cls._rule = "URI"

    if TYPE_CHECKING:
        # The mixins return `Identifier`, because they are defined below the types; these are the
        # exact types.
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        def relative_to(self, base: str | Identifier, /, *, climb: bool = True) -> IRIReference: ...
        def to_uri(self, *, host: HostForm = "percent") -> URIReference: ...
        def to_iri(self) -> IRIReference: ...

    # --- derived properties

    @property
    def is_relative(self) -> bool:
        """Whether this is a [relative reference][1], that is, without a scheme.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.2

        >>> IRIReference("//a/b").is_relative
        True
        """
        return self.scheme is None

    @property
    def is_absolute(self) -> bool:
        """Whether this has a scheme and no fragment, as an [absolute-URI][1] of RFC 3986.

        By this definition, `http://a/#b` is neither relative nor absolute. To test for a scheme
        only, use `not is_relative`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.3

        >>> IRIReference("http://a/").is_absolute, IRIReference("http://a/#b").is_absolute
        (True, False)
        """
        return self.scheme is not None and self.fragment is None

    @property
    def has_port(self) -> bool:
        """Whether a colon follows the host, with or without digits.

        >>> IRIReference("//a:").has_port, IRIReference("//a").has_port
        (True, False)
        """
        return self.port_text is not None

    @property
    def port(self) -> int | None:
        """The port as a number; `None` without a port, or if the port has no digits.

        The grammar sets no limit: the number may be larger than any TCP port.

        Raises:
            ConvertError: the port has more than 640 digits; `port_text` returns them.

        >>> IRIReference("//a:080").port, IRIReference("//a:0").port, IRIReference("//a:").port
        (80, 0, None)
        """
        digits = self.port_text
        if not digits:
            return None
        if len(digits) > _engine.LONGEST_NUMBER:
            digits = digits.lstrip("0") or "0"
        if len(digits) > _engine.LONGEST_NUMBER:
            from uriverse.errors import ConvertError

            reason = f"port too long: {len(digits):,} digits are not converted to an int"
            hint = "use port_text for the digits"
            raise ConvertError(str(self), self._bounds[3] + 1, "port", "port", reason, hint)
        return int(digits)

    @property
    def effective_port(self) -> int | None:
        """The port, or without a port number the scheme's default port; `None` without either.

        Raises:
            ConvertError: see `port`.

        >>> IRIReference("https://a/").effective_port, IRIReference("https://a:80/").effective_port
        (443, 80)
        """
        port, scheme = self.port, self.scheme
        if port is not None or scheme is None or self.host is None:
            return port
        from uriverse.schemes.registry import default_registry

        return default_registry().rules_of(scheme).default_port

    @property
    def origin(self) -> str | None:
        """The origin, serialized as in [RFC 6454, 6.2][1]; `None` without a scheme and a host.

        It consists of scheme, host and port in normal form, without a default port. `file` URIs
        have no origin.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

        >>> IRIReference("HTTPS://me@Example.org:443/a").origin
        'https://example.org'
        """
        from uriverse.schemes.normalization import origin

        return origin(str(self._to_uri().normalize()))

    @property
    def username(self) -> str | None:
        """The userinfo before its first colon, decoded; `None` without userinfo.

        Octets that are not UTF-8 become surrogate escapes, as in `os.fsdecode`.

        >>> IRIReference("//us%65r:pass@a").username
        'user'
        """
        userinfo = self.userinfo
        return None if userinfo is None else decode_userinfo(userinfo.partition(":")[0])

    @property
    def password(self) -> str | None:
        """The userinfo after its first colon, decoded; `None` without a colon.

        Passwords in identifiers are [deprecated](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).
        Octets that are not UTF-8 become surrogate escapes, as in `os.fsdecode`.

        >>> IRIReference("//user:p%3Ass@a").password
        'p:ss'
        """
        _, colon, password = (self.userinfo or "").partition(":")
        return decode_userinfo(password) if colon else None

    @property
    def hostname(self) -> str | None:
        """The host without brackets, with ASCII letters in lower case; `None` without an authority.

        >>> IRIReference("//[2001:DB8::1]:80").hostname
        '2001:db8::1'
        """
        host = self.host
        if host is None:
            return None
        # Only ASCII letters are case-folded (RFC 3986, 6.2.2.1); IDNA maps the others.
        return host.removeprefix("[").removesuffix("]").encode().lower().decode()

    @property
    def ip(self) -> IPv4Address | IPv6Address | None:
        """The host as an `ipaddress` object if it is an IPv4address or an IPv6address, else `None`.

        >>> IRIReference("//[::1]/").ip
        IPv6Address('::1')
        """
        if self.host_kind not in {"IPv4address", "IPv6address"}:
            return None
        from ipaddress import ip_address

        return ip_address(str(self.hostname))

    @property
    def raw_segments(self) -> tuple[str, ...]:
        """The segments of the path as written; the first is `""` in an absolute path.

        An empty path has no segments.

        >>> IRIReference("/a%2Fb/").raw_segments
        ('', 'a%2Fb', '')
        """
        path = self.path
        return tuple(path.split("/")) if path else ()

    @property
    def segments(self) -> Segments:
        r"""The segments of the path, each decoded separately; the first is `""` if it is absolute.

        Octets that are not UTF-8 become surrogate escapes, as in `os.fsdecode`. An empty path has
        no segments. Methods that edit segments return new `Segments`, which `with_segments`
        accepts.

        >>> reference = IRIReference("/a%2Fb/%FF/c.txt?q")
        >>> list(reference.segments)
        ['', 'a/b', '\udcff', 'c.txt']
        >>> reference.with_segments(reference.segments.with_suffix(".md"))
        IRIReference('/a%2Fb/%FF/c.md?q')
        """
        relative = self.scheme is None and self.host is None
        kind: type[Segments] = later("uriverse.views.segments").Segments
        return kind._of_path(self.path, iri=self._is_iri(), relative=relative)

    @property
    def params(self) -> Params:
        """The query as parameters in the encoding of HTML forms; empty without a query.

        Methods that edit parameters return new `Params`, which `with_params` accepts. For another
        codec or separator, see `Params.read_as`.

        >>> reference = IRIReference("?a=x+y&b=%7E&c")
        >>> reference.params["a"], reference.params["c"], reference.params.get("d")
        ('x y', '', None)
        >>> reference.with_params(reference.params.with_param("a", "z"))
        IRIReference('?a=z&b=%7E&c')
        """
        kind: type[Params] = later("uriverse.views.params").Params
        params: Params = self._params(kind)
        return params

    # --- Python protocols

    def __repr__(self) -> str:
        from uriverse.redaction import without_passwords

        return f"{type(self).__name__}({without_passwords(str(self), valid=True)!r})"

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

    # --- implementation

    def _own_state(self) -> State | None:
        """Return the additional state that a subclass stores in its `__dict__` and in slots."""
        state: Any = object.__getstate__(self)
        pair: State = state if is_pair(state) else (state, {})
        own = {name: kept for name, kept in pair[1].items() if name not in ENGINE_SLOTS}
        return (pair[0], own) if pair[0] or own else None


class IRI(IRIReference):
    """An [`IRI`](https://www.rfc-editor.org/rfc/rfc3987#section-2.2), which has a scheme.

    >>> IRI("http://example.org/rosé").path
    '/rosé'
    """

    __slots__ = ()
    __module__ = "uriverse"
    _rule = "IRI"

    if TYPE_CHECKING:

        @property
        def scheme(self) -> str: ...
        def to_uri(self, *, host: HostForm = "percent") -> URI: ...
        def to_iri(self) -> IRI: ...


class URIReference(IRIReference):
    """A [`URI-reference`][1]: ASCII only, with or without a scheme.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    >>> URIReference("../a?b#c").path
    '../a'
    """

    __slots__ = ()
    __module__ = "uriverse"
    _rule = "URI-reference"


class URI(IRI, URIReference):
    """A [`URI`](https://www.rfc-editor.org/rfc/rfc3986#section-3): ASCII only, with a scheme.

    It is a subclass of the other three types, because the grammars are nested.

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
        # A URI resolves every ASCII reference to a URI.
        @overload
        def resolve(self, reference: URIReference, /, *, strict: bool = True) -> URI: ...
        @overload
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        def to_uri(self, *, host: HostForm = "percent") -> URI: ...


if TYPE_CHECKING:

    def parse(text: str | Identifier, /) -> IRIReference:
        """See the function of the engine, which returns public types."""
        ...

else:
    parse = _engine.parse


def decode_userinfo(text: str) -> str:
    """Decode a part of the userinfo."""
    decode: Callable[[str], str] = later("uriverse.views.decoding").decode
    return decode(text)


def is_pair(state: object) -> bool:
    """Return whether a state consists of a `__dict__` and slots."""
    return isinstance(state, tuple)


def with_state(value: T, state: State | None) -> T:
    """Set the state that a subclass stores besides the string, and return the value."""
    for attributes in state or ():
        for name, kept in (attributes or {}).items():
            setattr(value, name, kept)
    return value


def raise_parse_error(text: str, rule: str, component: str, position: int) -> NoReturn:
    """Raise the error for a string that violates a rule, at the position that an engine found."""
    from uriverse._spec.messages import parse_error

    raise parse_error(text, rule, component, position)


def apply_scheme_rules(text: str, scheme: bool, schemes: Registry | None) -> str:
    """Apply the rules of the scheme to an identifier that is otherwise normalized."""
    from .normalization import apply_scheme_rules

    return apply_scheme_rules(text, scheme, schemes)


TYPES = (IRIReference, IRI, URIReference, URI)
_engine.public_types.update({public_type._rule: public_type for public_type in TYPES})
_engine.register_types(_engine.public_types, raise_parse_error, apply_scheme_rules)


def name_publicly(mixin: type) -> None:
    """Name the methods of a mixin after `uriverse.IRIReference`.

    The `TypeError` for wrong arguments shows that name, and pickles look a method up by it.
    """
    for member in vars(mixin).values():
        function = getattr(member, "__func__", member)
        if isinstance(function, type(name_publicly)):
            function.__module__ = IRIReference.__module__
            function.__qualname__ = f"{IRIReference.__name__}.{function.__name__}"


for mixin in (Buildable, Resolvable, Comparable, Convertible):
    name_publicly(mixin)
del mixin
