"""Taking a reference apart and putting it together, without judging it."""

from __future__ import annotations

import re
from typing import NamedTuple


class Parts(NamedTuple):
    """The five components of a reference; `None` is undefined, `""` is empty."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None


class AllParts(NamedTuple):
    """What an identifier is made of; `None` is undefined, `""` is there and empty."""

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None


class Bounds(NamedTuple):
    """Where the components of a text stand; `-1` for what is undefined.

    Each delimiter stands just outside of what it delimits: the userinfo is
    `text[authority:host - 1]` where `host > authority`, the port
    `text[host_end + 1:path]` where `host_end < path`, the query
    `text[path_end + 1:query_end]` where `path_end < query_end`, the fragment
    `text[query_end + 1:]` where `query_end < len(text)`.
    """

    scheme_end: int
    authority: int
    host: int
    host_end: int
    path: int
    path_end: int
    query_end: int


# The expression is Appendix B's own. With DOTALL, so that any text is split.
APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)


def split(text: str) -> Parts:
    """Split any text into the five components, as [RFC 3986, Appendix B][1] does.

    Never fails and never judges: the components of a text that is no reference
    are where its delimiters say. `compose` puts them together again.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-B

    Args:
        text: any text.

    Returns:
        The components: `None` for one that is undefined, `""` for one that is
        there and empty. The path is always defined.

    >>> split("http://www.ics.uci.edu/pub/#Related")
    Parts(scheme='http', authority='www.ics.uci.edu', path='/pub/', query=None, fragment='Related')
    """
    match = APPENDIX_B.match(text)
    assert match, "Appendix B's expression matches every text"
    scheme, authority, path, query, fragment = match.group(2, 4, 5, 7, 9)
    return Parts(scheme, authority, path, query, fragment)


def compose(
    scheme: str | None,
    authority: str | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> str:
    """Put five components together, as [RFC 3986, section 5.3][1] does.

    The inverse of `split`. It does not judge either: to get an identifier that is
    read back as the same components, or an error, use `URI.build`.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.3

    Args:
        scheme: the scheme, or `None` for none.
        authority: the authority, or `None` for none; `""` is an empty one.
        path: the path, possibly empty.
        query: the query, or `None` for none; `""` is an empty one.
        fragment: the fragment, or `None` for none; `""` is an empty one.

    >>> compose("urn", None, "example:animal", None, "")
    'urn:example:animal#'
    """
    result = ""
    if scheme is not None:
        result += scheme + ":"
    if authority is not None:
        result += "//" + authority
    result += path
    if query is not None:
        result += "?" + query
    if fragment is not None:
        result += "#" + fragment
    return result


def bounds(text: str) -> Bounds:
    """Where the components stand: `split`, and the authority's parts (3.2)."""
    match = APPENDIX_B.match(text)
    assert match, "Appendix B's expression matches every text"
    path, path_end = match.span(5)
    query_end = match.end(6) if match.end(6) >= 0 else path_end
    authority = match.start(4)
    host, host_end = host_span(text, authority, path) if authority >= 0 else (-1, -1)
    return Bounds(match.end(2), authority, host, host_end, path, path_end, query_end)


# Tracebacks and pickles show the public module.
Parts.__module__ = AllParts.__module__ = "uriverse"
split.__module__ = compose.__module__ = "uriverse"


def host_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the host of the authority `text[start:end]` stands ([RFC 3986, 3.2][1]).

    Neither userinfo nor host can hold an "@", so the first one ends the userinfo.
    A host in brackets ends with them, any other before the first colon.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.2
    """
    host = text.find("@", start, end) + 1 or start
    if not text.startswith("[", host, end):
        colon = text.find(":", host, end)
        return host, colon if colon >= 0 else end
    after = text.find("]", host, end) + 1
    return host, after if after and text.startswith(":", after, end) else end


def split_authority(authority: str) -> tuple[str | None, str, str | None]:
    """Userinfo, host and port of any authority (3.2).

    >>> split_authority("user@[::1]:80")
    ('user', '[::1]', '80')
    """
    host, host_end = host_span(authority, 0, len(authority))
    userinfo = authority[: host - 1] if host > 0 else None
    port = authority[host_end + 1 :] if host_end < len(authority) else None
    return userinfo, authority[host:host_end], port


def all_parts(text: str) -> AllParts:
    """All that a text is made of.

    >>> all_parts("//user@[::1]:80/")[:5]
    (None, 'user', '[::1]', '80', '/')
    """
    scheme, authority, path, query, fragment = split(text)
    userinfo, host, port = (None,) * 3 if authority is None else split_authority(authority)
    return AllParts(scheme, userinfo, host, port, path, query, fragment)


def authority_of(parts: AllParts) -> str | None:
    """The authority as section 3.2 composes it."""
    if parts.host is None:
        return None
    before = "" if parts.userinfo is None else f"{parts.userinfo}@"
    after = "" if parts.port is None else f":{parts.port}"
    return before + parts.host + after


def composed(parts: AllParts) -> str:
    """The text of the parts, as section 5.3 has it."""
    return compose(parts.scheme, authority_of(parts), parts.path, parts.query, parts.fragment)
