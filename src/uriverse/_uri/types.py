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
ENGINE_SLOTS = {"_found", "_text"}


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
        def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> IRI: ...
        def relative_to(
            self, base: str | Identifier, /, *, walk_up: bool = True
        ) -> IRIReference: ...
        def then(self, other: str | Identifier, /) -> IRIReference: ...
        def relative_form(self) -> IRIReference: ...
        def normalize(
            self: Plain[PublicType],
            *,
            case: bool = True,
            percent_encoding: bool = True,
            dot_segments: bool | Literal["all"] = True,
            ipv6: bool = True,
            scheme: bool | Registry = False,
        ) -> PublicType: ...
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
        return default_port(self) if port is None else port

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
        default = default_port(self)
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
        return Segments._of_path(self.path, iri="IRI" in self._rule, relative=relative)

    # --- Python protocols

    def __copy__(self) -> Self:
        if type(self) in TYPES:
            return self
        return with_state(type(self)(_engine.as_text(self)), self._own_state())

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        if type(self) in TYPES:
            return self
        from copy import deepcopy

        new = memo[id(self)] = type(self)(_engine.as_text(self))
        return with_state(new, deepcopy(self._own_state(), memo))

    def _repr_html_(self) -> str:
        """Return a table of the components, which IPython and Jupyter show."""
        from .display import html_of

        return html_of(_engine.as_text(self))

    # --- fields of pydantic models; see `uriverse._uri.pydantic_schema`

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        from .pydantic_schema import field_schema

        return field_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: Any) -> dict[str, Any]:
        from .pydantic_schema import json_schema

        return json_schema(cls._rule.lower(), handler)

    # --- implementation

    if TYPE_CHECKING:

        @classmethod
        def _plain_type(cls) -> type[IRIReference]: ...

    def _own_state(self) -> State | None:
        """Return the attributes that a subclass has added to a URI, so that copies keep them.

        The attributes are those in `__dict__` and in the slots of the subclass. Return `None` if
        the subclass has added no attributes.
        """
        state: Any = object.__getstate__(self)
        pair: State = state if is_pair(state) else (state, {})
        own = {name: kept for name, kept in pair[1].items() if name not in ENGINE_SLOTS}
        return (pair[0], own) if pair[0] or own else None


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


def default_port(value: IRIReference) -> int | None:
    if value.scheme is None or value.host is None:
        return None
    from uriverse.schemes._descriptors import default_registry

    return default_registry().rules_of(value.scheme).default_port


def is_pair(state: object) -> bool:
    return isinstance(state, tuple)


def with_state(value: T, state: State | None) -> T:
    """Restore the additional attributes of a subclass on a copied URI, and return the copy."""
    for attributes in state or ():
        for name, kept in (attributes or {}).items():
            setattr(value, name, kept)
    return value


TYPES = (IRIReference, IRI, URIReference, URI)
_engine.load_types({public_type._rule: public_type for public_type in TYPES})


def rule_of(kind: type[IRIReference]) -> str:
    """Return the name of the grammar rule of a type, such as `"URI-reference"`."""
    return kind._rule


def name_publicly(*mixins: type) -> None:
    """Rename the methods of base classes, so that they appear as methods of `IRIReference`.

    `pickle` finds methods by the new name. Also make their annotations readable.
    """
    _engine.annotate(IRIReference, *mixins)
    for member in [member for mixin in mixins for member in vars(mixin).values()]:
        function = getattr(member, "__func__", member)
        if hasattr(function, "__annotations__"):
            function.__module__ = IRIReference.__module__
            # Both a compiled function and the Python function show this name in errors.
            for named in (function, getattr(function, "__wrapped__", function)):
                named.__qualname__ = f"{IRIReference.__name__}.{function.__name__}"
            function.__annotations__.pop("self", None)  # only type checkers need it


name_publicly(_engine.Identifier, Buildable, Editable, Comparable, Convertible)
