"""Split a URI into its components and join them again, without validation."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

from uriverse._lazy import lazy_pattern
from uriverse._redaction import format_fields


class Parts(NamedTuple):
    """The five components of a URI reference, as returned by `split`.

    `None` means that a component is absent, `""` that it is present but empty.

    Attributes:
        scheme: the scheme without its ":".
        authority: the authority without its "//".
        path: the path, possibly empty; never `None`.
        query: the query without its "?".
        fragment: the fragment without its "#".

    >>> split("//example.org/?")
    Parts(scheme=None, authority='example.org', path='/', query='', fragment=None)
    """

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    def __repr__(self) -> str:
        return format_fields(self)


#: The type of `Parts` without the names of the fields.
FiveParts: TypeAlias = tuple[str | None, str | None, str, str | None, str | None]


class AllParts(NamedTuple):
    """The seven components of a URI, with the authority split into userinfo, host and port.

    `None` means that a component is absent, `""` that it is present but empty.

    Attributes:
        scheme: the scheme without its ":".
        userinfo: the userinfo without its "@".
        host: the host, with brackets around an IPv6 address; `None` if there is no authority.
        port: the digits of the port without its ":".
        path: the path, possibly empty; never `None`.
        query: the query without its "?".
        fragment: the fragment without its "#".

    >>> AllParts("http", None, "example.org", "80", "/", None, None).port
    '80'
    """

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    def __repr__(self) -> str:
        return format_fields(self)


class Bounds(NamedTuple):
    """The offsets of the components in a string; `-1` if a component is undefined.

    Components do not include their delimiters: the userinfo is `text[authority:host - 1]` if
    `host > authority`, the port `text[host_end + 1:path]` if `host_end < path`, the query
    `text[path_end + 1:query_end]` if `path_end < query_end`, and the fragment
    `text[query_end + 1:]` if `query_end < len(text)`.
    """

    scheme_end: int
    authority: int
    host: int
    host_end: int
    path: int
    path_end: int
    query_end: int


#: The regular expression of RFC 3986, Appendix B, with a name for each component, and with groups
#: for the parts of the authority (3.2). `find_host_span` explains the three forms of a host. The
#: expression matches every string, because of DOTALL.
APPENDIX_B = lazy_pattern(
    r"^(?:(?P<scheme>[^:/?#]++):)?"
    r"(?://(?P<authority>(?:(?P<userinfo>[^@/?#]*+)@)?"
    r"(?P<host>\[[^]/?#]*+\](?=:)|\[[^/?#]*+|[^:/?#]*+)(?::(?P<port>[^/?#]*+))?))?"
    r"(?P<path>[^?#]*+)(?:\?(?P<query>[^#]*+))?(?:#(?P<fragment>.*+))?",
    re.DOTALL,
)


#: The same expression with groups for the five components only.
FIVE_PARTS = lazy_pattern(
    r"^(?:([^:/?#]++):)?(?://([^/?#]*+))?([^?#]*+)(?:\?([^#]*+))?(?:#(.*+))?", re.DOTALL
)


def match_appendix_b(text: str) -> re.Match[str]:
    match = APPENDIX_B.match(text)
    assert match, "the expression of Appendix B matches every string"
    return match


def split(text: str) -> Parts:
    """Split any string into the five components of a URI ([RFC 3986, Appendix B][1]).

    The string is not validated, so `split` never fails. Invalid strings are split at the delimiters
    alone. `compose` is the inverse.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-B

    Args:
        text: any string.

    Returns:
        The components: `None` if absent, `""` if present but empty. The path is never `None`.

    >>> split("http://www.ics.uci.edu/pub/#Related")
    Parts(scheme='http', authority='www.ics.uci.edu', path='/pub/', query=None, fragment='Related')
    """
    return Parts(*split_into_tuple(text))


def split_into_tuple(text: str) -> FiveParts:
    """Return the components as a tuple without names, which takes less time to create."""
    match: Any = FIVE_PARTS.match(text)  # never None: the expression matches every string
    parts: FiveParts = match.groups()
    return parts


def compose(
    scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None
) -> str:
    """Join the five components of a URI into a string ([RFC 3986, section 5.3][1]).

    The components are not validated, so the result may be parsed differently. Use `URI.build` for
    validation. `split` is the inverse.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3

    Args:
        scheme: the scheme without its ":"; `None` for no scheme.
        authority: the authority without its "//"; `None` for no authority, `""` for an empty one.
        path: the path, possibly empty.
        query: the query without its "?"; `None` for no query, `""` for an empty one.
        fragment: the fragment without its "#"; `None` for no fragment, `""` for an empty one.

    >>> compose("urn", None, "example:animal", None, "")
    'urn:example:animal#'
    """
    text = "" if scheme is None else f"{scheme}:"
    if authority is not None:
        text = f"{text}//{authority}"
    text += path
    if query is not None:
        text = f"{text}?{query}"
    if fragment is not None:
        text = f"{text}#{fragment}"
    return text


def find_bounds(text: str) -> Bounds:
    return read_bounds(match_appendix_b(text))


def read_bounds(match: re.Match[str]) -> Bounds:
    # The offsets of a group are -1 if its component is absent.
    host, host_end = match.span("host")
    path, path_end = match.span("path")
    query_end = max(path_end, match.end("query"))
    scheme_end, authority = match.end("scheme"), match.start("authority")
    return Bounds(scheme_end, authority, host, host_end, path, path_end, query_end)


# Tracebacks and pickles show the public module.
Parts.__module__ = AllParts.__module__ = "uriverse.typing"


def find_host_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the host in the authority `text[start:end]` (RFC 3986, 3.2).

    The first "@" ends the userinfo, because neither the userinfo nor the host can contain an "@". A
    host that begins with "[" ends after the next "]". Any other host ends before the first colon.
    """
    # Without the character, `find` returns -1, so 0 stands for its absence.
    host_start = text.find("@", start, end) + 1 or start
    if not text.startswith("[", host_start, end):
        colon = text.find(":", host_start, end)
        return host_start, colon if colon >= 0 else end
    literal_end = text.find("]", host_start, end) + 1
    has_port = literal_end and text.startswith(":", literal_end, end)
    return host_start, literal_end if has_port else end


def split_authority(authority: str) -> tuple[str | None, str, str | None]:
    """Split an authority into userinfo, host and port, without validation (RFC 3986, 3.2).

    >>> split_authority("user@[::1]:80")
    ('user', '[::1]', '80')
    """
    host, host_end = find_host_span(authority, 0, len(authority))
    userinfo = authority[: host - 1] if host > 0 else None
    port = authority[host_end + 1 :] if host_end < len(authority) else None
    return userinfo, authority[host:host_end], port


def split_all_parts(text: str) -> AllParts:
    """Split a string into scheme, userinfo, host, port, path, query and fragment.

    >>> split_all_parts("//user@[::1]:80/")[:5]
    (None, 'user', '[::1]', '80', '/')
    """
    return read_all_parts(match_appendix_b(text))


def read_all_parts(match: re.Match[str]) -> AllParts:
    return AllParts._make(match.group(*AllParts._fields))


def compose_authority(userinfo: str | None, host: str | None, port: str | None) -> str | None:
    if host is None:
        return None
    before = "" if userinfo is None else f"{userinfo}@"
    after = "" if port is None else f":{port}"
    return before + host + after


def compose_all_parts(parts: AllParts) -> str:
    scheme, userinfo, host, port, path, query, fragment = parts
    return compose(scheme, compose_authority(userinfo, host, port), path, query, fragment)
