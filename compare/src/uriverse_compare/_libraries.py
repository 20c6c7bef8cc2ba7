"""Adapters for C libraries, called with `ctypes`.

There is a class for each library. Its `parse` returns the reading of one string, and frees the
memory that the library allocates. A C string cannot contain NUL, so such strings are unread.
"""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_uint, c_ulong, c_void_p
from functools import partial
from typing import ClassVar

from ._reading import HTTP, Parser, Reading, RejectedError, UnreadError, reader


class Curl:
    """libcurl's URL API: https://curl.se/libcurl/c/libcurl-url.html."""

    files = ("libcurl.so.4", "libcurl.4.dylib")

    #: The values of `CURLUPart`.
    URL, SCHEME, USER, PASSWORD, HOST, PORT, PATH = 0, 1, 2, 3, 5, 6, 7
    QUERY, FRAGMENT, ZONE = 8, 9, 10

    ANY_SCHEME = 1 << 3  # CURLU_NON_SUPPORT_SCHEME
    GUESS_SCHEME = 1 << 9  # CURLU_GUESS_SCHEME, as the easy interface
    PUNYCODE = 1 << 12  # CURLU_PUNYCODE

    #: The values of `CURLUcode` for errors that are not about the string: CURLUE_BAD_HANDLE,
    #: CURLUE_BAD_PARTPOINTER, CURLUE_OUT_OF_MEMORY and CURLUE_UNKNOWN_PART.
    FAULTS = frozenset({1, 2, 7, 9})

    #: CURLUE_NO_SCHEME to CURLUE_NO_ZONEID: the URL does not have the component.
    ABSENT = range(10, 19)

    LACKS_IDN = 30  # CURLUE_LACKS_IDN: it connects to the U-labels.

    def __init__(self, library: ctypes.CDLL, flags: int = 0) -> None:
        library.curl_version.restype = c_char_p
        library.curl_url.restype = c_void_p
        library.curl_url_set.argtypes = (c_void_p, c_int, c_char_p, c_uint)
        library.curl_url_get.argtypes = (c_void_p, c_int, POINTER(c_void_p), c_uint)
        library.curl_url_cleanup.argtypes = (c_void_p,)
        library.curl_free.argtypes = (c_void_p,)
        library.curl_url_strerror.argtypes = (c_int,)
        library.curl_url_strerror.restype = c_char_p
        self.library = library
        self.flags = flags
        self.version = library.curl_version().decode().split(" ")[0].removeprefix("libcurl/")

    def parse(self, text: str) -> Reading:
        octets = c_string(text)
        handle = self.library.curl_url()
        try:
            self.check(self.library.curl_url_set(handle, self.URL, octets, self.flags))
            part = partial(self.part, handle)
            host, user = part(self.HOST), part(self.USER)
            return Reading(
                "accepted",
                scheme=part(self.SCHEME),
                userinfo=with_password(user, part(self.PASSWORD)),
                host=host,
                port=part(self.PORT),
                path=part(self.PATH),
                query=part(self.QUERY),
                fragment=part(self.FRAGMENT),
                address=self.address(handle, host),
            )
        finally:
            self.library.curl_url_cleanup(handle)

    def part(self, handle: int, which: int, flags: int = 0) -> str | None:
        """Return a component of the URL, or `None` if the URL does not have it."""
        found = c_void_p()
        status = self.library.curl_url_get(handle, which, byref(found), flags)
        try:
            if status in self.ABSENT or status == self.LACKS_IDN:
                return None
            self.check(status)
            return string_at(found.value)
        finally:
            self.library.curl_free(found)

    def address(self, handle: int, host: str | None) -> str | None:
        """Return the host to which libcurl connects, as an ASCII domain name or an IP address.

        Return `None` if libcurl is built without internationalized domain names.
        """
        if not host:
            return None
        if host.startswith("["):
            zone = self.part(handle, self.ZONE)
            return host[1:-1] + (f"%{zone}" if zone else "")
        try:
            name = self.part(handle, self.HOST, self.PUNYCODE)
        except (RejectedError, RuntimeError) as error:
            # Older releases return CURLUE_OUT_OF_MEMORY for a name without A-labels, to which
            # libcurl refuses to connect.
            raise RejectedError(f"the host has no A-labels: {error}") from error
        # Releases that accept a "%" in a decoded host look it up as "%25".
        return name.replace("%", "%25") if name and host.isascii() else name

    def check(self, status: int) -> None:
        """Raise an error for a status other than `CURLUE_OK`."""
        if status:
            message = self.library.curl_url_strerror(status).decode()
            raise (RuntimeError if status in self.FAULTS else RejectedError)(message)


class XmlURI(Structure):
    """The struct `xmlURI` of libxml2."""

    scheme: bytes | None
    server: bytes | None
    user: bytes | None
    port: int
    path: bytes | None
    fragment: bytes | None
    query_raw: bytes | None

    _fields_ = (
        *((name, c_char_p) for name in ("scheme", "opaque", "authority", "server", "user")),
        ("port", c_int),
        *((name, c_char_p) for name in ("path", "query", "fragment")),
        ("cleanup", c_int),
        ("query_raw", c_char_p),
    )


class Xml2:
    """The function `xmlParseURI` of libxml2, which decodes most components.

    It returns the same port for ":0" as for no port. The clients of libxml2 connect to the host
    that `xmlParseURIRaw` finds, which is not decoded. They do not support https.
    """

    files = ("libxml2.so.16", "libxml2.so.2", "libxml2.16.dylib", "libxml2.2.dylib")

    def __init__(self, library: ctypes.CDLL) -> None:
        library.xmlParseURI.argtypes = (c_char_p,)
        library.xmlParseURIRaw.argtypes = (c_char_p, c_int)
        library.xmlParseURI.restype = library.xmlParseURIRaw.restype = POINTER(XmlURI)
        library.xmlFreeURI.argtypes = (POINTER(XmlURI),)
        library.xmlInitParser()
        self.library = library
        # The digits are 20914 for 2.9.14.
        number = c_char_p.in_dll(library, "xmlParserVersion").value or b"0"
        self.version = dotted(int(re.findall(rb"\d+", number)[0]), 3)

    def parse(self, text: str) -> Reading:
        octets = c_string(text)
        found, raw = self.library.xmlParseURI(octets), self.library.xmlParseURIRaw(octets, 1)
        try:
            if not found or not raw:
                raise RejectedError("xmlParseURI returns NULL")
            uri: XmlURI = found.contents
            return Reading(
                "accepted",
                scheme=decoded(uri.scheme),
                userinfo=decoded(uri.user),
                host=decoded(uri.server),
                port=str(uri.port) if uri.port > 0 else None,
                path=decoded(uri.path),
                query=decoded(uri.query_raw),
                fragment=decoded(uri.fragment),
                address=decoded(raw.contents.server),
            )
        finally:
            self.library.xmlFreeURI(found)
            self.library.xmlFreeURI(raw)


class GError(Structure):
    """GLib's struct `GError`."""

    domain: int
    message: bytes

    _fields_ = (("domain", c_uint), ("code", c_int), ("message", c_char_p))


class Glib:
    """GLib's function `g_uri_parse` without flags. It decodes all components."""

    files = ("libglib-2.0.so.0", "libglib-2.0.0.dylib")

    def __init__(self, library: ctypes.CDLL) -> None:
        library.g_uri_parse.argtypes = (c_char_p, c_int, POINTER(POINTER(GError)))
        library.g_uri_parse.restype = c_void_p
        for name in ("scheme", "userinfo", "host", "path", "query", "fragment"):
            function = getattr(library, f"g_uri_get_{name}")
            function.argtypes = (c_void_p,)
            function.restype = c_char_p
        library.g_uri_get_port.argtypes = (c_void_p,)
        library.g_uri_unref.argtypes = (c_void_p,)
        library.g_uri_error_quark.restype = c_uint
        library.g_error_free.argtypes = (POINTER(GError),)
        self.library = library
        numbers = (f"glib_{name}_version" for name in ("major", "minor", "micro"))
        self.version = ".".join(str(c_uint.in_dll(library, name).value) for name in numbers)

    def parse(self, text: str) -> Reading:
        error = POINTER(GError)()
        found = self.library.g_uri_parse(c_string(text), 0, byref(error))
        if not found:
            raise self.failure(error)
        try:
            port = self.library.g_uri_get_port(found)
            return Reading(
                "accepted",
                scheme=decoded(self.library.g_uri_get_scheme(found)),
                userinfo=decoded(self.library.g_uri_get_userinfo(found)),
                host=decoded(self.library.g_uri_get_host(found)),
                port=None if port == -1 else str(port),
                path=decoded(self.library.g_uri_get_path(found)),
                query=decoded(self.library.g_uri_get_query(found)),
                fragment=decoded(self.library.g_uri_get_fragment(found)),
            )
        finally:
            self.library.g_uri_unref(found)

    def failure(self, error: ctypes._Pointer[GError]) -> Exception:
        """Free a `GError` and return an exception with its message."""
        message = decoded(error.contents.message)
        is_rejection = error.contents.domain == self.library.g_uri_error_quark()
        self.library.g_error_free(error)
        return (RejectedError if is_rejection else RuntimeError)(message)


class OpenSSL:
    """OpenSSL's function `OSSL_parse_url`, which the HTTP client of OpenSSL uses.

    For a missing port it returns "0", and for a missing path "/".
    """

    files = ("libcrypto.so.4", "libcrypto.so.3", "libcrypto.4.dylib", "libcrypto.3.dylib")

    #: The library number of the errors of the HTTP client, and the position of that number.
    HTTP, SHIFT, MASK = 61, 23, 0xFF

    def __init__(self, library: ctypes.CDLL) -> None:
        strings = (POINTER(c_void_p),) * 4
        port = POINTER(c_int)
        library.OSSL_parse_url.argtypes = (c_char_p, *strings, port, *strings[:3])
        library.CRYPTO_free.argtypes = (c_void_p, c_char_p, c_int)
        library.OpenSSL_version.restype = c_char_p
        library.ERR_peek_error.restype = c_ulong
        library.ERR_reason_error_string.argtypes = (c_ulong,)
        library.ERR_reason_error_string.restype = c_char_p
        self.library = library
        self.version = library.OpenSSL_version(0).decode().split(" ")[1]

    def parse(self, text: str) -> Reading:
        octets = c_string(text)
        scheme, user, host, port, path, query, fragment = found = [c_void_p() for _ in range(7)]
        strings = [byref(each) for each in found]
        try:
            accepted = self.library.OSSL_parse_url(
                octets, *strings[:4], byref(c_int()), *strings[4:]
            )
            if not accepted:
                raise self.failure()
            digits = string_at(port.value)
            return Reading(
                "accepted",
                scheme=string_at(scheme.value) or None,
                userinfo=string_at(user.value) or None,
                host=string_at(host.value),
                port=None if digits == "0" else digits,
                path=string_at(path.value),
                query=string_at(query.value) or None,
                fragment=string_at(fragment.value) or None,
            )
        finally:
            for each in found:
                self.library.CRYPTO_free(each, b"", 0)

    def failure(self) -> Exception:
        """Return the last error of this thread as an exception, and clear the error queue."""
        code = self.library.ERR_peek_error()
        reason = decoded(self.library.ERR_reason_error_string(code))
        self.library.ERR_clear_error()
        is_rejection = code >> self.SHIFT & self.MASK == self.HTTP
        return (RejectedError if is_rejection else RuntimeError)(reason)


class ConnectionOption(Structure):
    """The struct `PQconninfoOption` of libpq."""

    keyword: bytes | None
    val: bytes | None

    _fields_ = (
        *((name, c_char_p) for name in ("keyword", "envvar", "compiled", "val", "label")),
        ("dispchar", c_char_p),
        ("dispsize", c_int),
    )


class Libpq:
    """The function `PQconninfoParse` of libpq, the client of PostgreSQL.

    It reads only URIs of the schemes `postgresql` and `postgres`. Therefore the adapter replaces
    the schemes `http` and `https` with `postgresql`, and returns the original scheme. libpq rejects
    queries with parameters that it does not know, so the adapter removes such a query if it
    replaced the scheme. The path is the name of a database for libpq, and it knows no fragments;
    the reading has neither.
    """

    files = ("libpq.so.5", "libpq.5.dylib")

    SCHEMES: ClassVar = {
        "postgresql://": "postgresql://",
        "postgres://": "postgres://",
        "http://": "postgresql://",
        "https://": "postgresql://",
    }

    #: Matches a port to which libpq may connect.
    PORT = re.compile(r"\s*\+?0*[0-9]{1,10}\s*", re.ASCII)

    #: Part of the messages with which libpq rejects a query.
    BAD_QUERY = "URI query parameter"

    def __init__(self, library: ctypes.CDLL) -> None:
        library.PQconninfoParse.argtypes = (c_char_p, POINTER(c_void_p))
        library.PQconninfoParse.restype = POINTER(ConnectionOption)
        library.PQconninfoFree.argtypes = (POINTER(ConnectionOption),)
        library.PQfreemem.argtypes = (c_void_p,)
        self.library = library
        # The number is 150018 for 15.18.
        self.version = "{}.{}".format(*divmod(library.PQlibVersion(), 10_000))

    def parse(self, text: str) -> Reading:
        given = next(filter(text.startswith, self.SCHEMES), None)
        if given is None:
            raise UnreadError("libpq reads only PostgreSQL connection URIs")
        replaced = self.SCHEMES[given]
        options = self.options(replaced + text.removeprefix(given), full=replaced == given)
        host = options.get("host")
        # A connection is refused with any other port; there is a port for each of several hosts.
        port = options.get("port") or ""
        for number in filter(None, port.split(",")):
            if not self.PORT.fullmatch(number) or not 0 < int(number) < 65536:
                raise RejectedError(f"invalid port number: {number}")
        return Reading(
            "accepted",
            scheme=given.removesuffix("://"),
            userinfo=with_password(options.get("user"), options.get("password")),
            host=host,
            port=port if "," in port else port.strip().removeprefix("+") or None,
            address=options.get("hostaddr") or host,
        )

    def options(self, text: str, *, full: bool) -> dict[str, str | None]:
        """Return the options in a connection URI, without the query if libpq rejects only that.

        Args:
            text: the URI.
            full: whether to reject a URI with such a query.
        """
        found = self.parsed(text)
        if isinstance(found, str) and self.BAD_QUERY in found and not full:
            # If libpq rejects a query, it rejects longer ones too, so search by bisection.
            marks = [mark.start() for mark in re.finditer(r"\?", text)]
            count = bisect_left(marks, True, key=lambda mark: self.rejects_query(text[:mark]))
            if count:
                found = self.parsed(text[: marks[count - 1]])
        if isinstance(found, str):
            raise RejectedError(found)
        return found

    def rejects_query(self, text: str) -> bool:
        found = self.parsed(text)
        return isinstance(found, str) and self.BAD_QUERY in found

    def parsed(self, text: str) -> dict[str, str | None] | str:
        """Return the options in a connection URI, or the message with which libpq rejects it."""
        message = c_void_p()
        found = self.library.PQconninfoParse(c_string(text), byref(message))
        reason = string_at(message.value) or ""
        self.library.PQfreemem(message)
        if not found:
            return reason.strip()
        options: dict[str, str | None] = {}
        for option in found:
            if option.keyword is None:
                break
            options[option.keyword.decode()] = decoded(option.val)
        self.library.PQconninfoFree(found)
        return options


Library = Curl | Xml2 | Glib | OpenSSL | Libpq


def c_string(text: str) -> bytes:
    """Encode a string as UTF-8; raise `UnreadError` if it contains NUL or a lone surrogate."""
    if "\0" in text:
        raise UnreadError("a C string cannot contain NUL")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnreadError("UTF-8 cannot represent a lone surrogate") from None


def string_at(address: int | None) -> str | None:
    """Return the string at an address, `None` for the address NULL."""
    return None if address is None else decoded(ctypes.string_at(address))


def decoded(octets: bytes | None) -> str | None:
    r"""Decode UTF-8; replace invalid bytes with escape sequences such as `\xff`."""
    return None if octets is None else octets.decode(errors="backslashreplace")


def with_password(user: str | None, password: str | None) -> str | None:
    """Join a user name and a password."""
    return user if password is None else f"{user or ''}:{password}"


def dotted(number: int, count: int) -> str:
    """Return a version number with dots: 20914 is "2.9.14"."""
    parts: list[str] = []
    for _ in range(count - 1):
        number, part = divmod(number, 100)
        parts.append(str(part))
    return ".".join([str(number), *reversed(parts)])


def load(files: Sequence[str]) -> ctypes.CDLL | None:
    """Load the first of the shared libraries that is installed."""
    for file in files:
        try:
            return ctypes.CDLL(file)
        except OSError:
            continue
    return None


def library_parser(
    name: str,
    files: Sequence[str],
    adapter: Callable[[ctypes.CDLL], Library],
    dials: frozenset[str],
) -> Parser | None:
    """Return a parser that calls a C library; `None` if the library is missing or too old."""
    library = load(files)
    if library is None:
        return None
    try:
        found = adapter(library)
    except AttributeError:  # A release without these functions.
        return None
    return Parser(name, found.version, dials, reader(found.parse, []))


#: The schemes of a parser whose software connects to nothing itself.
NONE: frozenset[str] = frozenset()

#: Functions that find the libraries, by name. They return `None` if one is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(library_parser, name, files, adapter, dials)
    for name, files, adapter, dials in (
        ("libcurl", Curl.files, partial(Curl, flags=Curl.GUESS_SCHEME), HTTP | {"ftp"}),
        ("libcurl (any scheme)", Curl.files, partial(Curl, flags=Curl.ANY_SCHEME), NONE),
        ("libxml2", Xml2.files, Xml2, frozenset({"http", "ftp"})),
        ("GLib", Glib.files, Glib, NONE),
        ("OpenSSL", OpenSSL.files, OpenSSL, HTTP),
        ("libpq", Libpq.files, Libpq, frozenset({"postgres", "postgresql"})),
    )
}
