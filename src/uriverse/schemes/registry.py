"""What is known of a scheme, and of many: the rules that it adds to the generic syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, get_args

from uriverse._grammar import iana_schemes
from uriverse._spec.components import AllParts
from uriverse._spec.normalization import lower
from uriverse._spec.syntax import matches
from uriverse.typing import EmptyPath, PathRule, Presence, Status, Step, UserinfoPresence

#: The largest number that a port can be (RFC 9293, 3.1; the grammar has no limit).
LARGEST_PORT = 65535


#: The same, by their names.
STATUSES: dict[str, Status] = {status: status for status in get_args(Status)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """What a scheme adds to the generic syntax. What is left out follows the generic rules.

    Attributes:
        name: in lower case.
        status: how it is registered with IANA; `None` where it is not.
        reference: the document that defines it; empty where there is none.
        default_port: the port that is meant where none is written; `None` without one.
        authority: whether there is to be one.
        empty_host: whether the host of an authority may be empty.
        userinfo: whether there may be one: `"optional"`, `"deprecated"` or `"forbidden"`.
        query: whether there may be one.
        fragment: whether there may be one.
        path: the rule of [section 3.3][2] that the path is to meet; `None` for any of them.
        empty_path: what an empty path after an authority stands for: `"/"`, as in general, or
            `""`, where the two are told apart.
        local: whether identifiers name files of the local system, as those of `file` do: the host
            may be absent or empty, and the origin is opaque.
        domain: whether hosts are domain names, so that one in Unicode is the same as in ASCII.
        normalize: what else [scheme-based normalisation][1] does to the parts; `None` for
            nothing. It keeps the rules of all normalisation: once is enough, and it does not
            change whether there is a scheme, an authority or a rooted path.
        equivalence: what is left out of account only to compare; `None` for nothing.

    Raises:
        ValueError: the name is none that a scheme can have, the port is no port, or another
            attribute is none of what it can be.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3
    [2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3

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
            raise ValueError(f"{self.name!r} is no scheme in lower case")
        port = self.default_port
        if port is not None and (type(port) is not int or not 0 <= port <= LARGEST_PORT):
            raise ValueError(f"{port!r} is no port")
        for name in ("empty_host", "query", "fragment", "domain", "local"):
            if type(getattr(self, name)) is not bool:
                raise ValueError(f"{name} is a bool, not {getattr(self, name)!r}")
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is one of {allowed}, not {getattr(self, name)!r}")


#: What some attributes of a scheme can be.
ALLOWED = {
    "status": (*get_args(Status), None),
    "authority": get_args(Presence),
    "userinfo": get_args(UserinfoPresence),
    "path": (*get_args(PathRule), None),
    "empty_path": get_args(EmptyPath),
}


#: The schemes with a module in this package.
MODULES = {
    "data": "uriverse.schemes.data",
    "file": "uriverse.schemes.file",
    "mailto": "uriverse.schemes.mailto",
    "tel": "uriverse.schemes.tel",
    "urn": "uriverse.schemes.urn",
}

#: The schemes with a typed view: the module in `uriverse.views`, and the name of the class.
VIEWS = {
    "data": ("data", "DataURI"),
    "file": ("file", "FileURI"),
    "http": ("http", "HTTPURI"),
    "https": ("http", "HTTPURI"),
    "mailto": ("mailto", "MailtoURI"),
    "tel": ("tel", "TelURI"),
    "urn": ("urn", "URN"),
}


def scheme_function(scheme: str, name: str) -> Callable[..., Any] | None:
    """Return a function of the scheme's own module, imported on first use; `None` without one.

    Args:
        scheme: its name, in lower case.
        name: `"normalized"`, `"equivalence"`, `"findings"` or `"line_breaks"`.
    """
    if scheme not in MODULES:
        return None
    return getattr(import_module(MODULES[scheme]), name, None)


@dataclass(frozen=True, slots=True)
class OwnStep:
    """A step in a scheme's own module, which is imported on first use.

    `str()` describes what the step does.
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
    """Schemes by name, whatever its case. It never changes: `with_schemes` makes another.

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
        # As in any mapping, what is no key is not there.
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
        """Another registry with these too; each takes the place of one of its name."""
        return Registry((self._schemes | {scheme.name: scheme for scheme in schemes}).values())

    def rules_of(self, name: str) -> Scheme:
        """What is known of a scheme; of one that is not known, that it follows the generic rules.

        >>> from uriverse import SCHEMES
        >>> SCHEMES.rules_of("x-example").empty_path
        '/'
        """
        return self.get(name) or Scheme(name=lower(name))


#: Where hosts are domain names and must be there, and an empty path is "/".
HOSTED = Scheme(name="x", authority="required", empty_host=False, domain=True)

#: Where no authority is: all behind the colon is the scheme's own.
OPAQUE = Scheme(name="x", authority="forbidden")

#: The same, where it begins with a name and not with a slash.
NAMED = replace(OPAQUE, path="path-rootless")

#: What each scheme's own document says, beside what IANA's list does.
RULES = {
    # RFC 9110: 4.2.1 and 4.2.2 (no empty host), 4.2.3 (equivalence), 4.2.4 (userinfo).
    "http": replace(HOSTED, default_port=80, userinfo="deprecated"),
    "https": replace(HOSTED, default_port=443, userinfo="deprecated"),
    # RFC 6455, 3: no fragment; and ws-URI has no userinfo.
    "ws": replace(HOSTED, default_port=80, userinfo="forbidden", fragment=False),
    "wss": replace(HOSTED, default_port=443, userinfo="forbidden", fragment=False),
    # RFC 1738, 3.2: of a URL of ftp "?" is no part.
    "ftp": replace(HOSTED, default_port=21, query=False),
    # RFC 8089, 2: file-hier-part has no userinfo, no port, and the syntax no query.
    "file": Scheme(
        name="file",
        local=True,
        userinfo="forbidden",
        query=False,
        normalize=OwnStep("without the host localhost", "file", "normalized"),
        equivalence=OwnStep("file:/a as file:///a", "file", "equivalence"),
    ),
    # RFC 6068, 2; RFC 3966, 3: no query; RFC 8141, 2; RFC 2397, 3.
    "mailto": replace(
        OPAQUE,
        normalize=OwnStep(
            "domains and names of header fields in lower case", "mailto", "normalized"
        ),
        equivalence=OwnStep("all recipients in the path", "mailto", "equivalence"),
    ),
    "tel": replace(
        OPAQUE,
        query=False,
        fragment=False,
        normalize=OwnStep(
            "without visual separators, parameters in order and in lower case", "tel", "normalized"
        ),
        equivalence=OwnStep(
            "letters in lower case, nothing encoded that need not be", "tel", "equivalence"
        ),
    ),
    "urn": replace(
        OPAQUE,
        normalize=OwnStep("the NID in lower case", "urn", "normalized"),
        equivalence=OwnStep("without r-, q- and f-component", "urn", "equivalence"),
    ),
    "data": replace(
        OPAQUE,
        normalize=OwnStep(
            "type, names of parameters and base64 in lower case", "data", "normalized"
        ),
    ),
    # RFC 7252, 6.1 and 6.2; RFC 8323, 8: a host that is not empty, no fragment, no userinfo.
    "coap": replace(HOSTED, default_port=5683, userinfo="forbidden", fragment=False),
    "coaps": replace(HOSTED, default_port=5684, userinfo="forbidden", fragment=False),
    "coap+tcp": replace(HOSTED, default_port=5683, userinfo="forbidden", fragment=False),
    "coaps+tcp": replace(HOSTED, default_port=5684, userinfo="forbidden", fragment=False),
    "coap+ws": replace(HOSTED, default_port=80, userinfo="forbidden", fragment=False),
    "coaps+ws": replace(HOSTED, default_port=443, userinfo="forbidden", fragment=False),
    # RFC 7826, 4.2 and appendix C: an empty path is the presentation on the whole host.
    "rtsp": replace(HOSTED, default_port=554),
    "rtsps": replace(HOSTED, default_port=322),
    "rtspu": replace(HOSTED, default_port=554),
    # RFC 4516, 2: no userinfo, and without a host the client knows one. What an empty path
    # stands for is the empty name (2.1), as "/" does.
    "ldap": replace(HOSTED, default_port=389, userinfo="forbidden", empty_host=True),
    "ldaps": replace(HOSTED, default_port=636, userinfo="forbidden", empty_host=True),
    # RFC 3261, 19.1: the host stands behind "sip:user@", and is no authority.
    "sip": replace(NAMED, default_port=5060),
    "sips": replace(NAMED, default_port=5061),
    # RFC 7064 and 7065, 3.1: nor is it behind "stun:" and "turn:".
    "stun": replace(NAMED, default_port=3478),
    "stuns": replace(NAMED, default_port=5349),
    "turn": replace(NAMED, default_port=3478),
    "turns": replace(NAMED, default_port=5349),
    # Keys in a store are told apart by every character, and the empty one is none.
    "s3": replace(HOSTED, domain=False, empty_path=""),
    "gs": replace(HOSTED, domain=False, empty_path=""),
    # Names of things, data, programs, and identifiers in others.
    "about": NAMED,
    "acct": NAMED,
    "blob": OPAQUE,
    "cid": NAMED,
    "geo": NAMED,
    "javascript": OPAQUE,
    "magnet": replace(OPAQUE, path="path-empty"),
    "mid": NAMED,
    "sms": NAMED,
    "tag": NAMED,
    "view-source": OPAQUE,
}

#: Schemes with an authority, of which no more is known here than the port that is meant
#: without one: of its document, or by the [registry of ports][1].
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
    """What IANA lists, with what is known here of the best known."""
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
        replace(
            rules,
            name=name,
            status=registry.rules_of(name).status,
            reference=registry.rules_of(name).reference,
        )
        for name, rules in RULES.items()
    ]
    return registry.with_schemes(*ports, *rules)
