"""Registries of URI schemes, and the rules that each scheme adds to the generic syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, get_args

from uriverse._grammar import iana_schemes
from uriverse._quoting import quoted
from uriverse._spec.components import AllParts
from uriverse._spec.normalization import lower
from uriverse._spec.syntax import matches
from uriverse.typing import EmptyPath, PathRule, Presence, Status, Step, UserinfoPresence

#: The largest port number (RFC 9293, 3.1). The URI grammar has no limit.
LARGEST_PORT = 65535


#: Each registration status, typed as a `Status`.
STATUSES: dict[str, Status] = {status: status for status in get_args(Status)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """The rules that a URI scheme adds to the generic syntax, such as its default port.

    Look up a scheme in `SCHEMES`, or create one and register it with `SCHEMES.with_schemes`. The
    defaults of all attributes are the rules of the generic syntax.

    Attributes:
        name: the name of the scheme, in lower case.
        status: the registration status at IANA; `None` if the scheme is not registered.
        reference: the document that defines the scheme, such as `"RFC 7252"`; `""` if unknown.
        default_port: the port of URIs that do not specify a port; `None` if there is no default.
        authority: whether URIs have an authority: `"required"`, `"optional"` or `"forbidden"`.
        empty_host: whether the host may be empty, as in `file:///etc/hosts`.
        userinfo: whether userinfo is allowed: `"optional"`, `"deprecated"` or `"forbidden"`.
        query: whether a query is allowed.
        fragment: whether a fragment is allowed.
        path: the rule of [RFC 3986, 3.3][2] that paths must match; `None` allows every path.
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

    >>> from uriverse import SCHEMES
    >>> SCHEMES["coap"].default_port, SCHEMES["coap"].reference
    (5683, 'RFC 7252')
    >>> Scheme(name="x-example", default_port=4711).authority
    'optional'
    """

    name: str
    status: Status | None = None
    reference: str = ""
    default_port: int | None = None
    authority: Presence = "optional"
    empty_host: bool = True
    userinfo: UserinfoPresence = "optional"
    query: bool = True
    fragment: bool = True
    path: PathRule | None = None
    empty_path: EmptyPath = "/"
    domain: bool = False
    local: bool = False
    normalize: Step | None = None
    equivalence: Step | None = None

    def __post_init__(self) -> None:
        if not matches(self.name, "scheme") or self.name != lower(self.name):
            raise ValueError(f"name must be a valid scheme in lower case, not {quoted(self.name)}")
        port = self.default_port
        if port is not None and (type(port) is not int or not 0 <= port <= LARGEST_PORT):
            raise ValueError(f"default_port must be from 0 to {LARGEST_PORT}, not {quoted(port)}")
        for name in ("empty_host", "query", "fragment", "domain", "local"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name} must be a bool, not {quoted(getattr(self, name))}")
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise ValueError(
                    f"{name} must be one of {allowed}, not {quoted(getattr(self, name))}"
                )


#: The allowed values of the attributes of `Scheme` that have a fixed set of values.
ALLOWED = {
    "status": (*get_args(Status), None),
    "authority": get_args(Presence),
    "userinfo": get_args(UserinfoPresence),
    "path": (*get_args(PathRule), None),
    "empty_path": get_args(EmptyPath),
}


#: The schemes with rules in a module of their own, and the name of the module.
MODULES = {
    **dict.fromkeys(
        ("coap", "coaps", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws"), "uriverse.schemes.coap"
    ),
    "data": "uriverse.schemes.data",
    "file": "uriverse.schemes.file",
    "mailto": "uriverse.schemes.mailto",
    "tel": "uriverse.schemes.tel",
    "urn": "uriverse.schemes.urn",
}

#: The schemes with a typed view, and the name of its class in `uriverse.views`.
VIEWS = {
    "data": "DataURI",
    "file": "FileURI",
    "http": "HTTPURI",
    "https": "HTTPURI",
    "mailto": "MailtoURI",
    "tel": "TelURI",
    "urn": "URN",
}


def scheme_function(scheme: str, name: str) -> Callable[..., Any] | None:
    """Return a function from the module of a scheme, or `None` if there is no such function.

    The module is imported on first use.

    Args:
        scheme: the name of the scheme, in lower case.
        name: `"normalized"`, `"equivalence"`, `"findings"` or `"line_breaks"`.
    """
    if scheme not in MODULES:
        return None
    return getattr(import_module(MODULES[scheme]), name, None)


@dataclass(frozen=True, slots=True)
class OwnStep:
    """A stand-in for a normalization function that a scheme's Python module defines.

    The module is imported when the function is first called.

    `str()` returns a description of the function, which `uriverse schemes` prints.
    """

    description: str
    scheme: str
    name: str

    def __call__(self, parts: AllParts) -> AllParts:
        step = scheme_function(self.scheme, self.name)
        assert step is not None, "the module has the step"
        result: AllParts = step(parts)
        return result

    def __str__(self) -> str:
        return self.description


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

    __slots__ = ("_schemes",)

    def __init__(self, schemes: Iterable[Scheme] = ()) -> None:
        self._schemes = MappingProxyType({scheme.name: scheme for scheme in schemes})

    def __getitem__(self, name: str) -> Scheme:
        # As in any mapping, looking up an object that is not a string raises KeyError.
        return self._schemes[lower(name) if isinstance(name, str) else name]  # type: ignore[redundant-expr]

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
        return self.get(name) or Scheme(name=lower(name))


#: The rules of schemes that require a host, which is a domain name. An empty path means "/".
HOSTED = Scheme(name="x", authority="required", empty_host=False, domain=True)

#: The rules of schemes without an authority. The scheme defines everything after the colon.
OPAQUE = Scheme(name="x", authority="forbidden")

#: The rules of schemes without an authority whose path begins with a name, not with a slash.
NAMED = replace(OPAQUE, path="path-rootless")

#: The rules of well-known schemes, from their specifications. The status and the reference of a
#: scheme that IANA lists are those of IANA's registry.
RULES = {
    # RFC 9110: 4.2.1 and 4.2.2 (the host is not empty), 4.2.3 (equivalence), 4.2.4 (userinfo).
    "http": replace(HOSTED, default_port=80, userinfo="deprecated"),
    "https": replace(HOSTED, default_port=443, userinfo="deprecated"),
    # RFC 6455, 3: fragments must not be used, and the rule ws-URI does not contain userinfo.
    "ws": replace(HOSTED, default_port=80, userinfo="forbidden", fragment=False),
    "wss": replace(HOSTED, default_port=443, userinfo="forbidden", fragment=False),
    # RFC 1738, 3.2: the syntax of FTP URLs has no query.
    "ftp": replace(HOSTED, default_port=21, query=False),
    # RFC 8089, 2: file-hier-part has neither userinfo nor a port, and file-URI has no query.
    "file": Scheme(
        name="file",
        local=True,
        userinfo="forbidden",
        query=False,
        normalize=OwnStep("remove the host localhost", "file", "normalized"),
        equivalence=OwnStep("write file:/a as file:///a", "file", "equivalence"),
    ),
    # RFC 6068, 2; RFC 3966, 3: no query; RFC 8141, 2; RFC 2397, 3.
    "mailto": replace(
        OPAQUE,
        normalize=OwnStep(
            "convert domains and header field names to lower case", "mailto", "normalized"
        ),
        equivalence=OwnStep("move all recipients to the path", "mailto", "equivalence"),
    ),
    "tel": replace(
        OPAQUE,
        query=False,
        normalize=OwnStep(
            "remove visual separators; sort parameters and convert them to lower case",
            "tel",
            "normalized",
        ),
        equivalence=OwnStep(
            "convert letters to lower case; decode unreserved characters", "tel", "equivalence"
        ),
    ),
    "urn": replace(
        OPAQUE,
        normalize=OwnStep("convert the NID to lower case", "urn", "normalized"),
        equivalence=OwnStep("remove the r-, q- and f-components", "urn", "equivalence"),
    ),
    "data": replace(
        OPAQUE,
        normalize=OwnStep(
            "convert the type, parameter names and base64 marker to lower case",
            "data",
            "normalized",
        ),
    ),
    # RFC 7252, 6.1 and 6.2; RFC 8323, 8: the host is not empty; no userinfo.
    "coap": replace(HOSTED, default_port=5683, userinfo="forbidden"),
    "coaps": replace(HOSTED, default_port=5684, userinfo="forbidden"),
    "coap+tcp": replace(HOSTED, default_port=5683, userinfo="forbidden"),
    "coaps+tcp": replace(HOSTED, default_port=5684, userinfo="forbidden"),
    "coap+ws": replace(HOSTED, default_port=80, userinfo="forbidden"),
    "coaps+ws": replace(HOSTED, default_port=443, userinfo="forbidden"),
    # RFC 7826, 4.2 and Appendix C: an empty path means the presentation on the whole host.
    "rtsp": replace(HOSTED, default_port=554),
    "rtsps": replace(HOSTED, default_port=322),
    "rtspu": replace(HOSTED, default_port=554),
    # RFC 4516, 2: no userinfo. If the host is empty, the client chooses the server. An empty path
    # means the empty distinguished name (RFC 4516, 2.1), as "/" does.
    "ldap": replace(HOSTED, default_port=389, userinfo="forbidden", empty_host=True),
    "ldaps": replace(HOSTED, default_port=636, userinfo="forbidden", empty_host=True),
    # RFC 3261, 19.1: the host follows "sip:user@" and is not part of an authority.
    "sip": replace(NAMED, default_port=5060),
    "sips": replace(NAMED, default_port=5061),
    # RFC 7064 and RFC 7065, 3.1: the host that follows "stun:" or "turn:" is not part of an
    # authority either.
    "stun": replace(NAMED, default_port=3478),
    "stuns": replace(NAMED, default_port=5349),
    "turn": replace(NAMED, default_port=3478),
    "turns": replace(NAMED, default_port=5349),
    # Object keys are compared exactly, so an empty path differs from "/".
    "s3": replace(HOSTED, domain=False, empty_path=""),
    "gs": replace(HOSTED, domain=False, empty_path=""),
    # Names, data, programs, and URIs that contain other URIs.
    "about": NAMED,
    "acct": NAMED,
    "blob": OPAQUE,
    "cid": NAMED,
    "geo": NAMED,
    "javascript": replace(OPAQUE, reference="HTML Standard"),
    "magnet": replace(OPAQUE, path="path-empty"),
    "mid": NAMED,
    "sms": NAMED,
    "tag": NAMED,
    "view-source": OPAQUE,
}

#: The special schemes of the [URL standard][1], for which browsers treat a backslash as a slash.
#:
#: [1]: https://url.spec.whatwg.org/#special-scheme
SPECIAL_SCHEMES = frozenset({"file", "ftp", "http", "https", "ws", "wss"})

#: The default ports of other schemes with an authority, from their specifications or from the
#: [registry of ports][1].
#:
#: [1]: https://www.iana.org/assignments/service-names-port-numbers
PORTS = {
    "aaa": 3868,
    "aaas": 5658,
    "acap": 674,
    "amqp": 5672,
    "amqps": 5671,
    "dict": 2628,
    "ftps": 990,
    "git": 9418,
    "gopher": 70,
    "imap": 143,
    "imaps": 993,
    "ipp": 631,
    "ipps": 631,
    "irc": 194,
    "ircs": 6697,
    "mongodb": 27017,
    "mqtt": 1883,
    "mqtts": 8883,
    "msrp": 2855,
    "msrps": 2855,
    "mysql": 3306,
    "nfs": 2049,
    "nntp": 119,
    "pop": 110,
    "postgres": 5432,
    "postgresql": 5432,
    "redis": 6379,
    "rediss": 6379,
    "rsync": 873,
    "sftp": 22,
    "smtp": 25,
    "snmp": 161,
    "ssh": 22,
    "svn": 3690,
    "telnet": 23,
    "tftp": 69,
    "vnc": 5900,
}


@cache
def default_registry() -> Registry:
    """Return the registry of all schemes that IANA lists, with the rules in this module."""
    listed = [
        Scheme(name=name, status=STATUSES[status], reference=reference)
        for name, (status, reference) in iana_schemes.SCHEMES.items()
    ]
    registry = Registry(listed)
    ports = [
        replace(registry.rules_of(name), default_port=port, authority="required")
        for name, port in PORTS.items()
    ]
    rules = [
        replace(rules, name=name, status=entry.status, reference=entry.reference)
        if (entry := registry.get(name))
        else replace(rules, name=name)
        for name, rules in RULES.items()
    ]
    return registry.with_schemes(*ports, *rules)
