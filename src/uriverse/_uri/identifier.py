"""The base class of URIs and IRIs, and their parser, as the kernel has them, in plain Python."""

from __future__ import annotations

from functools import total_ordering

from uriverse._spec import LONGEST_NUMBER
from uriverse._spec.syntax import LONGEST_TEXT, get_matcher, matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import Any, ClassVar, Literal, NoReturn, Self

    from uriverse._spec.components import Bounds


#: The numbers of components in `AllParts`.
HOST, PORT, PATH = 2, 3, 4

#: The public types, by the name of their grammar rule.
_types: dict[str, type[Identifier]] = {}


def load_types(public_types: dict[str, type[Identifier]], /) -> None:
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


def require_rule(cls: type[Identifier]) -> str:
    try:
        return cls._rule
    except AttributeError:
        raise TypeError(f"{cls.__name__} must be a subclass of IRIReference") from None


def raise_parse_error(text: str, rule: str) -> NoReturn:
    from uriverse._spec import messages

    # A `Deferred`: it raises a `ParseError` whose explanation is computed when it is examined.
    raise messages.deferred_parse_error(text, rule)


def matches_rule(text: object, rule: str) -> bool:
    # Most arguments are plain `str` objects, which do not need the call of `as_text`.
    exact = text if type(text) is str else as_text(text)
    return len(exact) <= LONGEST_TEXT and get_matcher(rule)(exact) is not None


def is_uri(text: str | Identifier, /) -> bool:
    return matches_rule(text, "URI")


def is_uri_reference(text: str | Identifier, /) -> bool:
    return matches_rule(text, "URI-reference")


def is_absolute_uri(text: str | Identifier, /) -> bool:
    return matches_rule(text, "absolute-URI")


def is_iri(text: str | Identifier, /) -> bool:
    return matches_rule(text, "IRI")


def is_iri_reference(text: str | Identifier, /) -> bool:
    return matches_rule(text, "IRI-reference")


def parse(text: str | Identifier, /) -> Identifier:
    """Return the most specific of the four public types."""
    exact = text if type(text) is str else as_text(text)
    # An ASCII string matches a rule of RFC 3986 if and only if it matches that of RFC 3987.
    rule = "URI" if exact.isascii() else "IRI"
    if not matches_rule(exact, rule):
        rule = f"{rule}-reference"
        if not matches_rule(exact, rule):
            raise_parse_error(exact, "IRI-reference")
    return _types[rule]._of(exact)


def try_construct(cls: Any, text: str) -> Any:
    from uriverse._errors import ParseError

    try:
        return cls(text)
    except ParseError:
        return None


def parse_port(digits: str | None, text: str, position: int) -> int | None:
    """Return `None` without digits; raise `ConvertError` for too many (leading zeros apart)."""
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


def to_hostname(host: str) -> str:
    from uriverse._spec.normalization import lowercase_ascii

    # Only ASCII letters are case-folded (RFC 3986, 6.2.2.1); IDNA maps the others.
    return lowercase_ascii(host.removeprefix("[").removesuffix("]"))


def decode_data(text: str) -> str:
    """Percent-decode data; octets that are not UTF-8 become surrogate escapes."""
    from uriverse._spec.percent import decode

    return decode(text, "surrogateescape")


def are_components(parts: Iterable[object]) -> bool:
    for part in parts:  # noqa: SIM110 - `all` with a generator takes three times as long
        if part is not None and type(part) is not str:
            return False
    return True


def to_port_digits(port: object) -> Any:
    """Convert a port number to decimal digits; return any other object unchanged."""
    return str(port) if type(port) is int and 0 <= port <= 65535 else port


@total_ordering
class Identifier:
    """The base class of `URI`, `URIReference`, `IRI` and `IRIReference`."""

    __slots__ = ("__weakref__", "_cached_match", "_text")

    if TYPE_CHECKING:
        _rule: ClassVar[str]
        _text: str
        _cached_match: re.Match[str] | None

        # The public types define this method.
        def _get_own_state(self) -> object: ...

    def __new__(cls, text: str | Identifier, /) -> Self:
        """Create a URI or IRI from a string, or from another URI or IRI."""
        if type(text) is cls and cls in _types.values():
            return text  # values are immutable
        exact = text if type(text) is str else as_text(text)
        rule = require_rule(cls)
        if len(exact) > LONGEST_TEXT or get_matcher(rule)(exact) is None:
            raise_parse_error(exact, rule)
        self = object.__new__(cls)
        self._text = exact
        self._cached_match = None
        return self

    @classmethod
    def _plain_type(cls) -> type[Any]:
        """Return the public type, such as `URI` for `URN`, which methods that edit return.

        The result may break the rules of a subclass, whose constructor may need more arguments.
        """
        return _types[require_rule(cls)]

    @classmethod
    def _of(cls, text: str) -> Self:
        """Create an instance of exactly this class from a string that is known to be valid."""
        self = object.__new__(cls)
        self._text = text
        self._cached_match = None
        return self

    @classmethod
    def try_parse(cls, text: str | Identifier, /) -> Self | None:
        exact = text if type(text) is str else as_text(text)
        if not matches_rule(exact, require_rule(cls)):
            return None
        return cls._of(exact) if cls in _types.values() else try_construct(cls, exact)

    def resolve(self, reference: str | Identifier, /, *, strict: bool = True) -> Identifier:
        text = reference if type(reference) is str else as_text(reference)
        from uriverse._errors import ResolveError
        from uriverse._spec import components, messages, resolution

        base = components.split_into_tuple(self._text)
        if base[0] is None:  # the scheme
            raise ResolveError(*messages.describe_relative_reference(self._text, "resolve"))
        rule = "URI-reference" if text.isascii() else "IRI-reference"
        if len(text) > LONGEST_TEXT or get_matcher(rule)(text) is None:
            raise_parse_error(text, "IRI-reference")
        own_rule = require_rule(type(self))
        # A string is resolved against a URI only if it is ASCII; an `IRIReference` may be not.
        if rule == "IRI-reference" and own_rule.startswith("URI") and isinstance(reference, str):
            raise messages.deferred_not_ascii(text, own_rule)
        parts = resolution.resolve_parts(base, components.split_into_tuple(text), strict=strict)
        target = components.compose(*parts)
        if len(target) > LONGEST_TEXT:
            raise_parse_error(target, "IRI-reference")
        return _types["URI" if target.isascii() else "IRI"]._of(target)

    def relative_to(self, base: str | Identifier, /, *, walk_up: bool = True) -> Identifier:
        base_text = as_text(base)
        if not matches_rule(base_text, "IRI-reference"):
            raise_parse_error(base_text, "IRI-reference")
        from uriverse._errors import ResolveError
        from uriverse._spec import components, messages, relative

        target_parts, base_parts = components.split(self._text), components.split(base_text)
        for parts, text in (target_parts, self._text), (base_parts, base_text):
            if parts.scheme is None:
                raise ResolveError(*messages.describe_relative_reference(text, "relative_to"))
        reference = relative.find_shortest_reference(target_parts, base_parts, walk_up=walk_up)
        if reference is None:
            raise ResolveError(*messages.describe_unreachable_target(self._text))
        return parse(reference)

    def relative_form(self) -> Identifier:
        from uriverse._spec import components, relative

        parts = relative.remove_scheme_and_authority(components.split(self._text))
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
        from uriverse._spec.normalization import Steps, normalize_syntax

        steps = Steps(percent_encoding, case, ipv6, dot_segments)
        text = normalize_syntax(self._text, steps, iri=self._plain_type()._rule.startswith("IRI"))
        if scheme is not False:
            from uriverse.schemes._normalization import apply_scheme_rules

            text = apply_scheme_rules(text, scheme)
        if text == self._text:
            return self
        if len(text) > LONGEST_TEXT:  # the canonical form of an IPv6 address may be longer
            raise_parse_error(text, "IRI-reference")
        normal: Identifier = self._plain_type()._of(text)
        return normal

    def _to_uri(self) -> Identifier:
        """Return a `URI` or a `URIReference`, of a public type, without non-ASCII characters."""
        from uriverse._spec.conversion import convert_to_uri

        if type(self) in {_types["URI"], _types["URI-reference"]}:
            return self
        text = convert_to_uri(self._text)
        rule = "URI-reference" if self.scheme is None else "URI"
        if len(text) > LONGEST_TEXT:
            raise_parse_error(text, rule)
        return _types[rule]._of(text)

    def _to_iri(self) -> Identifier:
        """Return the most specific type with the characters decoded that an IRI allows."""
        from uriverse._spec.conversion import convert_to_iri

        text = convert_to_iri(self._text)
        if text == self._text:
            return self
        rule = "URI" if text.isascii() else "IRI"
        return _types[f"{rule}-reference" if self.scheme is None else rule]._of(text)

    @classmethod
    def _compose(
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
        """Compose a URI from seven components, each a `str` or `None`; the port may be an `int`.

        Return `None` if a component has another type, or if the string is invalid or does not parse
        into the given components. `URI.build` then finds the reason.
        """
        rule = require_rule(cls)
        parts: Any = (scheme, userinfo, host, to_port_digits(port), path, query, fragment)
        if path is None or not are_components(parts):
            return None
        from uriverse._spec import build

        text = build.compose_if_valid(parts, rule)
        if text is None or len(text) > LONGEST_TEXT:
            return None
        return cls._of(text) if cls in _types.values() else cls(text)

    def _with_part(self, part: int, text: object, /) -> Any:
        """Replace or remove one component, by its number in `AllParts`.

        Return `None` if the component has an unsupported type, or if the result is invalid or does
        not parse into the intended components. `URI.replace` then finds the reason.
        """
        if part == PORT:
            text = to_port_digits(text)
        if text is not None and type(text) is not str:
            return None
        match = self._cached_match or self._match
        is_new_host = part == HOST and match["host"] is None
        if is_new_host or (text is None and part in (HOST, PATH)):
            return None  # `replace` adds and removes authorities; there is always a path
        from uriverse._spec import build

        new_text = build.replace_component(match, part, text, self._rule)
        if new_text is None or len(new_text) > LONGEST_TEXT:
            return None
        return self if new_text == self._text else self._plain_type()._of(new_text)

    def _with_parts(self, changes: dict[str, Any], /) -> Any:
        """Replace or remove components by name; return `None` as `_with_part` does."""
        if "port" in changes:
            changes = {**changes, "port": to_port_digits(changes["port"])}
        if not are_components(changes.values()):
            return None
        from uriverse._spec import build

        new_text = build.replace_components(self._cached_match or self._match, changes, self._rule)
        if new_text is None or len(new_text) > LONGEST_TEXT:
            return None
        return self if new_text == self._text else self._plain_type()._of(new_text)

    def _shorten_path(self, length: int, /) -> Any:
        """Keep `length` characters of the path, up to a slash or all, and no query and fragment."""
        new_text = self._text[: self._bounds[4] + length]
        return self if new_text == self._text else self._plain_type()._of(new_text)

    def _create_params(self, kind: Any, /) -> Any:
        return kind._create(self.query, "form", "&")

    @property
    def _match(self) -> re.Match[str]:
        """The match of Appendix B, computed on first access: many programs only validate."""
        if self._cached_match is None:
            from uriverse._spec.components import match_appendix_b

            self._cached_match = match_appendix_b(self._text)
        return self._cached_match

    @property
    def _bounds(self) -> Bounds:
        from uriverse._spec import components

        return components.read_bounds(self._match)

    @property
    def scheme(self) -> str | None:
        """The scheme, without the colon ([RFC 3986, 3.1][1]); `None` in a relative reference.

        The scheme is returned as written. Schemes are case-insensitive.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.1

        >>> parse("HTTP://example.org/").scheme, parse("//example.org/").scheme
        ('HTTP', None)
        """
        return (self._cached_match or self._match)["scheme"]

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
        return (self._cached_match or self._match)["authority"]

    @property
    def userinfo(self) -> str | None:
        """The userinfo, without the `@`, or `None` if the URI has no userinfo.

        The userinfo ([RFC 3986, 3.2.1][1]) may contain a password. It is returned as written, still
        percent-encoded.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1

        >>> parse("ftp://user:secret@example.org/").userinfo, parse("ftp://example.org/").userinfo
        ('user:secret', None)
        """
        return (self._cached_match or self._match)["userinfo"]

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
        return (self._cached_match or self._match)["host"]

    @property
    def port_text(self) -> str | None:
        """The port as a string, or `None` if the URI has no port ([RFC 3986, 3.2.3][1]).

        The port is `""` if the host is followed by a colon without digits.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3

        >>> [parse(f"http://example.org{port}/").port_text for port in (":0080", ":", "")]
        ['0080', '', None]
        """
        return (self._cached_match or self._match)["port"]

    @property
    def path(self) -> str:
        """The path, as written: possibly empty, but never `None` ([RFC 3986, 3.3][1]).

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3

        >>> parse("http://example.org/a%20b?c").path, parse("http://example.org").path
        ('/a%20b', '')
        """
        return (self._cached_match or self._match)["path"]

    @property
    def query(self) -> str | None:
        """The query, without the `?`, or `None` if the URI has no query ([RFC 3986, 3.4][1]).

        The query is `""` if nothing follows the `?`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.4

        >>> parse("/a?b=c%20d#e").query, parse("/a?").query, parse("/a").query
        ('b=c%20d', '', None)
        """
        return (self._cached_match or self._match)["query"]

    @property
    def path_and_query(self) -> str:
        match = self._cached_match or self._match
        return self._text[match.start("path") : max(match.end("path"), match.end("query"))]

    @property
    def fragment(self) -> str | None:
        """The fragment, without the `#`, or `None` if the URI has no fragment.

        The fragment ([RFC 3986, 3.5][1]) is `""` if nothing follows the `#`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5

        >>> parse("/a?b#c").fragment, parse("/a#").fragment, parse("/a").fragment
        ('c', '', None)
        """
        return (self._cached_match or self._match)["fragment"]

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
        match = self._cached_match or self._match
        return parse_port(match["port"], self._text, match.start("port"))

    @property
    def username(self) -> str | None:
        userinfo = self.userinfo
        return None if userinfo is None else decode_data(userinfo.partition(":")[0])

    @property
    def password(self) -> str | None:
        _, colon, password = (self.userinfo or "").partition(":")
        return decode_data(password) if colon else None

    @property
    def hostname(self) -> str | None:
        host = self.host
        return None if host is None else to_hostname(host)

    @property
    def origin(self) -> str | None:
        from uriverse.schemes._normalization import get_origin

        return get_origin(str(self._to_uri().normalize()))

    @property
    def host_kind(self) -> str | None:
        host = self.host
        if host is None:
            return None
        if host.startswith("["):
            return "IPvFuture" if matches(host[1:-1], "IPvFuture") else "IPv6address"
        return "IPv4address" if matches(host, "IPv4address") else "reg-name"

    @property
    def is_relative(self) -> bool:
        return self.scheme is None

    @property
    def is_absolute(self) -> bool:
        return self.scheme is not None and self.fragment is None

    @property
    def has_port(self) -> bool:
        return self.port_text is not None

    def __str__(self) -> str:
        return self._text

    def __format__(self, specification: str) -> str:
        return format(self._text, specification)

    def __repr__(self) -> str:
        from uriverse._redaction import redact_valid

        return f"{type(self).__name__}({redact_valid(self._text)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        if type(self) in _types.values():
            return type(self), (self._text,)
        return type(self), (self._text,), self._get_own_state()

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Identifier) else NotImplemented

    def __lt__(self, other: Identifier) -> bool:
        if not isinstance(other, Identifier):
            return NotImplemented
        return self._text < other._text
