"""Build readings from the attributes in which packages return components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import SplitResult

from ._reading import Reading

Parse = Callable[[str], Reading]
"""A function that reads one string."""


def make_reading(
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
    return make_reading(url.scheme, user, host, url.port, url.path, url.query, url.fragment)


def read_split(url: SplitResult, address: str | None = None) -> Reading:
    """Return the components of a split string. Invalid ports raise `ValueError`."""
    user, at_sign, _ = url.netloc.rpartition("@")
    return make_reading(
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
