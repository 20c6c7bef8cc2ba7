"""Build readings from the attributes in which packages return components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult

from ._reading import Reading

Parse = Callable[[str], Reading]
"""A function that reads one string."""


def accepted(
    scheme: str | None,
    user: str | None = None,
    host: str | None = None,
    port: int | str | None = None,
    path: str | None = None,
    query: str | None = None,
    fragment: str | None = None,
    address: str | None = None,
) -> Reading:
    return Reading("accepted", scheme, user, host, text_of(port), path, query, fragment, address)


def text_of(port: int | str | None) -> str | None:
    return None if port is None else str(port)


def from_attributes(found: Any, user: str | None, host: str | None) -> Reading:
    """Read the components from attributes named as in RFC 3986, such as `scheme` and `query`."""
    return accepted(found.scheme, user, host, found.port, found.path, found.query, found.fragment)


def from_split(found: SplitResult, address: str | None = None) -> Reading:
    """Return the components of a split string. Invalid ports raise `ValueError`."""
    user, at, _ = found.netloc.rpartition("@")
    return accepted(
        found.scheme,
        user if at else None,
        found.hostname,
        found.port,
        found.path,
        found.query,
        found.fragment,
        address,
    )


def userinfo(user: str | None, password: str | None) -> str | None:
    """Join a user name and a password with a colon; an empty password counts as none."""
    if not user and not password:
        return None
    return f"{user or ''}:{password}" if password else user
