"""uriparser, a C library for RFC 3986, accepts the same strings and finds the same components.

uriparser is used through ctypes. If it is not installed, the target checks nothing.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p

from draws import Draws

from uriverse import URIReference, is_uri_reference


class TextRange(ctypes.Structure):
    """UriTextRangeA: a substring; both pointers are NULL if the component is undefined."""

    _fields_ = (("first", c_void_p), ("after", c_void_p))


class HostData(ctypes.Structure):
    """UriHostDataA: the parsed IP addresses, and the text of an IPvFuture."""

    _fields_ = (("ip4", c_void_p), ("ip6", c_void_p), ("future", TextRange))


class Segment(ctypes.Structure):
    """UriPathSegmentA: an item of a linked list."""


Segment._fields_ = (("text", TextRange), ("next", POINTER(Segment)), ("reserved", c_void_p))


class Uri(ctypes.Structure):
    """UriUriA: the components of a reference."""

    _fields_ = (
        *((name, TextRange) for name in ("scheme", "userinfo", "host")),
        ("host_data", HostData),
        ("port", TextRange),
        ("head", POINTER(Segment)),
        ("tail", POINTER(Segment)),
        *((name, TextRange) for name in ("query", "fragment")),
        ("absolute", c_int),
        ("owner", c_int),
        ("reserved", c_void_p),
    )


URIPARSER: ctypes.CDLL | None
try:
    URIPARSER = ctypes.CDLL("liburiparser.so.1")
except OSError:
    URIPARSER = None
else:
    URIPARSER.uriParseSingleUriA.argtypes = (POINTER(Uri), c_char_p, POINTER(c_char_p))
    URIPARSER.uriFreeUriMembersA.argtypes = (POINTER(Uri),)


def text_of(found: TextRange) -> str | None:
    """Return the text of a component; `None` if it is undefined."""
    if found.first is None:
        return None
    return ctypes.string_at(found.first, found.after - found.first).decode()


def components(text: str) -> dict[str, object] | None:
    """Return the components that uriparser finds, or `None` if it rejects the string."""
    assert URIPARSER
    kept, uri = text.encode(), Uri()
    if URIPARSER.uriParseSingleUriA(byref(uri), kept, None):
        return None
    try:
        segments, item = [], uri.head
        while item:
            segments.append(text_of(item.contents.text))
            item = item.contents.next
        parts = {n: text_of(getattr(uri, n)) for n in ("scheme", "userinfo", "host", "port")}
        rest = {n: text_of(getattr(uri, n)) for n in ("query", "fragment")}
        return {**parts, "segments": segments, **rest}
    finally:
        URIPARSER.uriFreeUriMembersA(byref(uri))


def expected(text: str) -> dict[str, object] | None:
    """Return the components in the form of uriparser, or `None` for an invalid string."""
    if not is_uri_reference(text):
        return None
    uri = URIReference(text)
    host = uri.host
    # uriparser removes the brackets of an IP literal, and the slash in front of the first segment.
    if host is not None and host.startswith("["):
        host = host[1:-1]
    path = uri.path
    rootless = path.removeprefix("/")
    segments = rootless.split("/") if rootless or (path and host is not None) else []
    return {
        "scheme": uri.scheme,
        "userinfo": uri.userinfo,
        "host": host,
        "port": uri.port_text,
        "segments": segments,
        "query": uri.query,
        "fragment": uri.fragment,
    }


def check(data: bytes) -> None:
    """Compare the components of one reference."""
    (text,) = Draws(data).strings("URI-reference")
    if URIPARSER is None or "\0" in text or not text.isascii():
        return
    found, own = components(text), expected(text)
    assert found == own, (text, found, own)
