"""The rules that a URI scheme adds to the generic syntax, and registries of schemes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from uriverse._errors import quote_argument
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.syntax import matches
from uriverse.typing import AllParts

#: The largest port number (RFC 9293, 3.1). The URI grammar has no limit.
LARGEST_PORT = 65535


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """The rules that a URI scheme adds to the generic syntax, such as its default port.

    Look up a scheme in `SCHEMES`, or create one and register it with `SCHEMES.with_schemes`. The
    defaults of all attributes are the rules of the generic syntax.

    Attributes:
        name: the name of the scheme, in lower case.
        status: the registration status at IANA ([RFC 7595][3]): `"permanent"`, `"provisional"`
            (with little review) or `"historical"` (no longer in use); `None` if not registered.
        reference: the document that defines the scheme, such as `"RFC 7252"`; `""` if unknown.
        default_port: the port of URIs that do not specify a port; `None` if there is no default.
        authority: whether URIs have an authority: `"required"`, `"optional"` or `"forbidden"`.
        empty_host: whether the host may be empty, as in `file:///etc/hosts`.
        userinfo: whether userinfo is allowed: `"optional"`, `"deprecated"` (valid, but must not be
            generated) or `"forbidden"`.
        query: whether a query is allowed.
        fragment: whether a fragment is allowed.
        path: the rule of [RFC 3986, 3.3][2] that paths must match: `"path-abempty"`,
            `"path-absolute"`, `"path-rootless"` or `"path-empty"`; `None` allows every path.
        empty_path: the normal form of an empty path after an authority: `"/"`, or `""` if the
            scheme distinguishes an empty path from `"/"`.
        local: whether URIs name files of the local system, as `file` URIs do. Their host may be
            absent or empty, and their origin is opaque.
        domain: whether hosts are domain names. The Unicode form and the ASCII form of a domain name
            are equivalent.
        normalize: a function for [scheme-based normalization][1]; `None` if the scheme needs no
            function. It takes and returns `AllParts`. It must be idempotent, and must not add or
            remove a scheme, an authority or the leading slash of a path.
        equivalence: a function that is applied before URIs are compared; `None` if the scheme needs
            no function. It takes and returns `AllParts`. It removes further differences that the
            scheme ignores.

    Raises:
        ValueError: the name is not a valid scheme in lower case, the port is not a valid port
            number, or another attribute has a value that is not allowed.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
    [2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3
    [3]: https://www.rfc-editor.org/rfc/rfc7595

    >>> from uriverse import SCHEMES
    >>> SCHEMES["coap"].default_port, SCHEMES["coap"].reference
    (5683, 'RFC 7252')
    >>> Scheme(name="x-example", default_port=4711).authority
    'optional'
    """

    __module__ = "uriverse.schemes"

    name: str
    status: Literal["permanent", "provisional", "historical"] | None = None
    reference: str = ""
    default_port: int | None = None
    authority: Literal["required", "optional", "forbidden"] = "optional"
    empty_host: bool = True
    userinfo: Literal["optional", "deprecated", "forbidden"] = "optional"
    query: bool = True
    fragment: bool = True
    path: Literal["path-abempty", "path-absolute", "path-rootless", "path-empty"] | None = None
    empty_path: Literal["/", ""] = "/"
    domain: bool = False
    local: bool = False
    normalize: Callable[[AllParts], AllParts] | None = None
    equivalence: Callable[[AllParts], AllParts] | None = None

    def __post_init__(self) -> None:
        if not matches(self.name, "scheme") or self.name != lowercase_ascii(self.name):
            shown_name = quote_argument(self.name)
            raise ValueError(f"name must be a valid scheme in lower case, not {shown_name}")
        port = self.default_port
        if port is not None and (type(port) is not int or not 0 <= port <= LARGEST_PORT):
            # `True` is an `int` too, but not exactly of that type.
            shown_port = quote_argument(port)
            raise ValueError(f"default_port must be from 0 to {LARGEST_PORT}, not {shown_port}")
        for name in ("empty_host", "query", "fragment", "domain", "local"):
            value = getattr(self, name)
            if type(value) is not bool:
                raise ValueError(f"{name} must be a bool, not {quote_argument(value)}")
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise ValueError(f"{name} must be one of {choices}, not {quote_argument(value)}")


#: The allowed values of the attributes of `Scheme` that have a fixed set of values.
CHOICES = {
    "status": ("permanent", "provisional", "historical", None),
    "authority": ("required", "optional", "forbidden"),
    "userinfo": ("optional", "deprecated", "forbidden"),
    "path": ("path-abempty", "path-absolute", "path-rootless", "path-empty", None),
    "empty_path": ("/", ""),
}


#: The special schemes of the [URL standard][1], for which browsers treat a backslash as a slash.
#:
#: [1]: https://url.spec.whatwg.org/#special-scheme
SPECIAL_SCHEMES = frozenset({"file", "ftp", "http", "https", "ws", "wss"})


class Registry(Mapping[str, Scheme]):
    """An immutable mapping from the names of URI schemes, in any letter case, to `Scheme` objects.

    `SCHEMES` is the default registry. `with_schemes` adds schemes of your own; pass the result as
    the argument `schemes` of `URI.normalize`, `URI.equivalent` or `check`.

    Args:
        schemes: the schemes of the registry. If several have the same name, the last one is used.

    >>> from uriverse import SCHEMES
    >>> SCHEMES["HTTPS"].default_port
    443
    >>> mine = SCHEMES.with_schemes(Scheme(name="x-example", default_port=4711))
    >>> mine["x-example"].default_port, "x-example" in SCHEMES
    (4711, False)
    """

    __module__ = "uriverse.schemes"

    __slots__ = ("_schemes",)

    def __init__(self, schemes: Iterable[Scheme] = ()) -> None:
        self._schemes = MappingProxyType({scheme.name: scheme for scheme in schemes})

    def __getitem__(self, name: str) -> Scheme:
        # As in any mapping, looking up an object that is not a string raises KeyError.
        return self._schemes[lowercase_ascii(name) if isinstance(name, str) else name]  # type: ignore[redundant-expr]

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemes)

    def __len__(self) -> int:
        return len(self._schemes)

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} schemes>"

    def __reduce__(self) -> tuple[type[Registry], tuple[list[Scheme]]]:
        return Registry, (list(self.values()),)

    def with_schemes(self, *schemes: Scheme) -> Registry:
        """Return a new registry that also contains the given schemes.

        Args:
            schemes: the schemes to add. They replace schemes of the same name.

        >>> from uriverse import SCHEMES, URI
        >>> mine = SCHEMES.with_schemes(Scheme(name="x-db", default_port=4711))
        >>> URI("x-db://host:4711/a").normalize(scheme=mine)
        URI('x-db://host/a')
        """
        return Registry((self._schemes | {scheme.name: scheme for scheme in schemes}).values())

    def rules_of(self, name: str) -> Scheme:
        """Return the rules of a scheme; for an unknown scheme, the rules of the generic syntax.

        Args:
            name: the name of a scheme, in any letter case.

        Raises:
            ValueError: the scheme is unknown, and `name` is not a valid name for a scheme.

        >>> from uriverse import SCHEMES
        >>> SCHEMES.rules_of("x-example").empty_path
        '/'
        """
        return self.get(name) or Scheme(name=lowercase_ascii(name))
