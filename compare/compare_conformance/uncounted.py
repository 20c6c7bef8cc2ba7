"""Readings that the report about differences does not count, with the reasons."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from uriverse_compare import Parser, Reading

#: The delimiters that end an authority (RFC 3986, 3.2).
DELIMITERS = frozenset("/?#")

#: Matches the scheme of a URI without "//".
OPAQUE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?!//)")


class Uncounted(NamedTuple):
    """A class of readings that do not count as a difference.

    Attributes:
        title: the readings, in a few words.
        reason: why they do not count.
        applies: whether a reading of a string belongs to the class.
    """

    title: str
    reason: str
    applies: Callable[[Parser, str, Reading], bool]


def has_delimiter(_: Parser, __: str, reading: Reading) -> bool:
    host = reading.address or reading.host or ""
    return not DELIMITERS.isdisjoint(host + (reading.port or ""))


def is_late_userinfo(parser: Parser, text: str, reading: Reading) -> bool:
    """Whether OpenSSL ends the userinfo at an "@" after the first slash of a path."""
    authority, _, path = text.partition("://")[2].partition("/")
    host = reading.host or ""
    return parser.name == "OpenSSL" and host not in authority and host in path.rpartition("@")[2]


def is_guess(parser: Parser, text: str, reading: Reading) -> bool:
    """Whether libcurl or git ignores the scheme of a URI without "//"."""
    scheme = OPAQUE.match(text)
    if parser.name not in {"libcurl", "git"} or scheme is None:
        return False
    return scheme["scheme"].lower() != (reading.scheme or "").lower()


UNCOUNTED = (
    Uncounted(
        'A host or a port that contains "/", "?" or "#"',
        "OpenSSL, libpq and git do not end the authority at every delimiter. Such a host is not a"
        " valid host name, and libpq rejects such a port. If an `@` follows the delimiter, the part"
        " after the `@` is the host, and the difference counts.",
        has_delimiter,
    ),
    Uncounted(
        'OpenSSL, if an "@" follows a slash',
        "[Releases before March 2026](https://github.com/openssl/openssl/pull/30319) end the"
        " userinfo at any `@`, even in a path, so that they find `b` in `http://a.example/@b`."
        " Paths with an `@` are common: a finding for each of them would be noise. If you use an"
        " older release, update OpenSSL.",
        is_late_userinfo,
    ),
    Uncounted(
        'libcurl and git, if no "//" follows the scheme',
        "libcurl then guesses a scheme, mostly `http`, and git reads an address of SSH. In"
        " `mailto:me@a.example`, libcurl finds the host `a.example`, and git the host `mailto`."
        " For both, the part before the colon is not a scheme. A finding for each `mailto:`,"
        " `data:` or `urn:` URI would be noise.",
        is_guess,
    ),
)
