"""The four types: URI, URI reference, IRI, IRI reference.

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
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, ClassVar, NoReturn, Self, TypeVar, overload

    from uriverse._engine import Identifier
    from uriverse.schemes.registry import Registry
    from uriverse.typing import HostForm
    from uriverse.views.params import Params
    from uriverse.views.segments import Segments

    T = TypeVar("T")

    #: A `__dict__` and slots, as `pickle` takes them.
    State = tuple[dict[str, object] | None, dict[str, object]]


#: The slots in which the specification keeps a value.
ENGINE_SLOTS = {"_found", "_text"}


class IRIReference(Buildable, Resolvable, Comparable, Convertible):
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
    __module__ = "uriverse"
    __match_args__ = ("scheme", "authority", "path", "query", "fragment")
    _rule: ClassVar[str] = "IRI-reference"

    def __init_subclass__(cls, **arguments: object) -> None:
        super().__init_subclass__(**arguments)
        # What is both an IRI and a URI-reference is a URI, in whatever order it is derived.
        if {"IRI", "URI-reference"} <= {vars(base).get("_rule") for base in cls.__mro__}:
            cls._rule = "URI"

    if TYPE_CHECKING:
        # The mixins return `Identifier`, as they stand below the types; these are the exact types.
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        def relative_to(self, base: str | Identifier, /, *, climb: bool = True) -> IRIReference: ...
        def to_uri(self, *, host: HostForm = "percent") -> URIReference: ...
        def to_iri(self) -> IRIReference: ...

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
        """Return whether it has a scheme and no fragment, as an [absolute-URI][1] of RFC 3986.

        By this definition, `http://a/#b` is neither relative nor absolute. To test for a scheme
        only, use `not is_relative`.

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
        if len(digits) > _engine.LONGEST_NUMBER:
            digits = digits.lstrip("0") or "0"
        if len(digits) > _engine.LONGEST_NUMBER:
            from uriverse.errors import ConvertError

            reason = f"a port of {len(digits):,} digits is not made a number"
            hint = "port_text has the digits"
            raise ConvertError(str(self), self._bounds[3] + 1, "port", "port", reason, hint)
        return int(digits)

    @property
    def effective_port(self) -> int | None:
        """The port, or without one (or its digits) that of the scheme; `None` if it has none.

        Raises:
            ConvertError: as `port`.

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
        """The origin as [RFC 6454, 6.2][1], writes it; `None` without a scheme and a host.

        Scheme, host and port in normal form, a default port left out. A file has none.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-6.2

        >>> IRIReference("HTTPS://me@Example.org:443/a").origin
        'https://example.org'
        """
        from uriverse.schemes.normalization import origin

        return origin(str(self._to_uri().normalize()))

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
    def segments(self) -> Segments:
        r"""The segments of the path, each decoded on its own; the first is `""` if it is absolute.

        A segment that is not UTF-8 is given as `bytes`. An empty path has none. They can be
        edited, and `with_segments` takes what they become.

        >>> reference = IRIReference("/a%2Fb/%FF/c.txt?q")
        >>> list(reference.segments)
        ['', 'a/b', b'\xff', 'c.txt']
        >>> reference.with_segments(reference.segments.with_suffix(".md"))
        IRIReference('/a%2Fb/%FF/c.md?q')
        """
        relative = self.scheme is None and self.host is None
        kind: type[Segments] = later("uriverse.views.segments").Segments
        return kind._read(self.path, iri=self._is_iri(), relative=relative)

    @property
    def params(self) -> Params:
        """The query as parameters, as HTML forms write them; none without a query.

        They can be edited, and `with_params` takes what they become. For another codec
        or separator see `Params.read_as`.

        >>> reference = IRIReference("?a=x+y&b=%7E&c")
        >>> reference.params["a"], reference.params["c"]
        ('x y', None)
        >>> reference.with_params(reference.params.with_param("a", "z"))
        IRIReference('?a=z&b=%7E&c')
        """
        kind: type[Params] = later("uriverse.views.params").Params
        params: Params = self._params(kind)
        return params

    # --- what every value can do

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

    # --- how it is done

    def _own_state(self) -> State | None:
        """What a subclass keeps beside the text, in its `__dict__` and in slots."""
        state: Any = object.__getstate__(self)
        pair: State = state if is_pair(state) else (state, {})
        own = {name: kept for name, kept in pair[1].items() if name not in ENGINE_SLOTS}
        return (pair[0], own) if pair[0] or own else None

    def _userinfo_text(self, text: str, offset: int) -> str:
        """A part of the userinfo, decoded; `offset` is its place in the userinfo."""
        from uriverse.views.decoding import decoded

        data = decoded(text)
        if isinstance(data, bytes):
            from uriverse.errors import ConvertError

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
    __module__ = "uriverse"
    _rule = "IRI"

    if TYPE_CHECKING:

        @property
        def scheme(self) -> str: ...
        def to_uri(self, *, host: HostForm = "percent") -> URI: ...
        def to_iri(self) -> IRI: ...


class URIReference(IRIReference):
    """A [`URI-reference`][1]: ASCII only, with a scheme or without.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.1

    >>> URIReference("../a?b#c").path
    '../a'
    """

    __slots__ = ()
    __module__ = "uriverse"
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


def is_pair(state: object) -> bool:
    """Whether a state has slots beside the `__dict__`."""
    return isinstance(state, tuple)


def with_state(value: T, state: State | None) -> T:
    """A value with what its class keeps beside the text."""
    for attributes in state or ():
        for name, kept in (attributes or {}).items():
            setattr(value, name, kept)
    return value


def raise_parse_error(text: str, rule: str, component: str, position: int) -> NoReturn:
    """Raise the error for a string that violates a rule, at the position that an engine found."""
    from uriverse._spec.messages import parse_error

    raise parse_error(text, rule, component, position)


def apply_scheme_rules(text: str, scheme: bool, schemes: Registry | None) -> str:
    """Apply the scheme step of `normalize`; its modules are imported on first use."""
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
