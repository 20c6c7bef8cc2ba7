"""The types of parsers, and of the components that they find in a string."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple
from urllib.parse import SplitResult

#: The replacement of a secret, as in `uriverse.redact`.
MASK = "REDACTED"

Outcome = Literal["accepted", "rejected", "unread", "failed"]
"""Whether a parser accepted a string; see `Reading`."""


class Reading(NamedTuple):
    """The components that a parser finds in a string, in the parser's own notation.

    A component is `None` if the parser finds none, or does not tell.

    Attributes:
        outcome: `"accepted"`; `"rejected"`, if the parser refuses the string; `"unread"`, if the
            string cannot be passed to the parser, such as a NUL in a C string; or `"failed"`, for
            an error with which the parser does not reject strings.
        scheme: the scheme.
        userinfo: the user name, and a colon and the password, if there is one.
        host: the host.
        port: the port, as digits.
        path: the path.
        query: the query.
        fragment: the fragment.
        address: the host to which the software would connect, if it tells.
        reason: why the string was not accepted; it may contain the string.

    >>> Reading("accepted", scheme="http", host="a.example").host
    'a.example'
    """

    outcome: Outcome
    scheme: str | None = None
    userinfo: str | None = None
    host: str | None = None
    port: str | None = None
    path: str | None = None
    query: str | None = None
    fragment: str | None = None
    address: str | None = None
    reason: str = ""

    def __repr__(self) -> str:
        # Other components may contain secrets, and so may a host that ends at the wrong "@".
        return f"Reading(outcome={self.outcome!r}, host={mask_userinfo(self.host)!r})"


def mask_userinfo(host: str | None) -> str | None:
    """Mask the userinfo that some parsers return as a part of the host."""
    if host is None or "@" not in host:
        return host
    return f"{MASK}@{host.rpartition('@')[2]}"


COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""The attributes of a `Reading` that hold components."""


HTTP = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class Parser:
    """Software that reads URIs.

    Attributes:
        name: the name of the software, and of its function if it has several.
        version: the version of the software.
        dials: the schemes for which the software connects to the host that the parser finds; empty
            if it connects to nothing.
        read: a function that takes strings and returns a `Reading` for each.

    >>> from uriverse_compare import installed
    >>> urlsplit = installed(["urllib.parse"])[0]
    >>> urlsplit.read(["http://a.example:80/"])[0].port
    '80'
    """

    name: str
    version: str
    dials: frozenset[str]
    read: Callable[[Sequence[str]], list[Reading]]


class UnreadError(Exception):
    """The adapter cannot pass the string to the parser, so the parser says nothing about it."""


class RejectedError(Exception):
    """The parser rejected a string, but reported this without an exception."""


def create_reader(
    parse: Callable[[str], Reading], rejections: Iterable[type[Exception]]
) -> Callable[[Sequence[str]], list[Reading]]:
    """Return a function that calls an in-process parser for each string of a sequence.

    The parser rejects a string with one of the exceptions in `rejections`. Any other exception is a
    fault of the parser or of the adapter, and is never counted as a rejection.
    """
    all_rejections: tuple[type[Exception], ...] = (RejectedError, *rejections)

    def read_string(text: str) -> Reading:
        try:
            return parse(text)
        except UnreadError as error:
            return Reading("unread", reason=str(error))
        except all_rejections as error:
            return Reading("rejected", reason=str(error))
        except Exception as error:  # noqa: BLE001 -- a faulty parser must not stop the others
            return Reading("failed", reason=f"{type(error).__name__}: {error}")

    return lambda texts: [read_string(text) for text in texts]


# --- readings from the attributes in which packages return components

Parse = Callable[[str], Reading]
"""A function that reads one string."""


def make_accepted_reading(
    scheme: str | None,
    user: str | None = None,
    host: str | None = None,
    port: int | str | None = None,
    path: str | None = None,
    query: str | None = None,
    fragment: str | None = None,
    address: str | None = None,
) -> Reading:
    return Reading(
        "accepted", scheme, user, host, format_port(port), path, query, fragment, address
    )


def format_port(port: int | str | None) -> str | None:
    return None if port is None else str(port)


def read_attributes(url: Any, user: str | None, host: str | None) -> Reading:
    """Read the components from attributes named as in RFC 3986, such as `scheme` and `query`."""
    return make_accepted_reading(
        url.scheme, user, host, url.port, url.path, url.query, url.fragment
    )


def read_split(url: SplitResult, address: str | None = None) -> Reading:
    """Return the components of a split string. Invalid ports raise `ValueError`."""
    user, at_sign, _ = url.netloc.rpartition("@")
    return make_accepted_reading(
        url.scheme,
        user if at_sign else None,
        url.hostname,
        url.port,
        url.path,
        url.query,
        url.fragment,
        address,
    )


def join_userinfo(user: str | None, password: str | None) -> str | None:
    """Join a user name and a password with a colon; an empty password counts as none."""
    if not user and not password:
        return None
    return f"{user or ''}:{password}" if password else user
