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

from ._reading import HTTP, Parser, Reading, RejectedError, UnreadError, create_reader


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
        octets = encode_c_string(text)
        handle = self.library.curl_url()
        try:
            self.check(self.library.curl_url_set(handle, self.URL, octets, self.flags))
            part = partial(self.get_part, handle)
            host, user = part(self.HOST), part(self.USER)
            return Reading(
                "accepted",
                scheme=part(self.SCHEME),
                userinfo=join_password(user, part(self.PASSWORD)),
                host=host,
                port=part(self.PORT),
                path=part(self.PATH),
                query=part(self.QUERY),
                fragment=part(self.FRAGMENT),
                address=self.address(handle, host),
            )
        finally:
            self.library.curl_url_cleanup(handle)

    def get_part(self, handle: int, part_number: int, flags: int = 0) -> str | None:
        """Return a component of the URL, or `None` if the URL does not have it."""
        part = c_void_p()
        status = self.library.curl_url_get(handle, part_number, byref(part), flags)
        try:
            if status in self.ABSENT or status == self.LACKS_IDN:
                return None
            self.check(status)
            return read_c_string(part.value)
        finally:
            self.library.curl_free(part)

    def address(self, handle: int, host: str | None) -> str | None:
        """Return the host to which libcurl connects, as an ASCII domain name or an IP address.

        Return `None` if libcurl is built without internationalized domain names.
        """
        if not host:
            return None
        if host.startswith("["):
            zone = self.get_part(handle, self.ZONE)
            return host[1:-1] + (f"%{zone}" if zone else "")
        try:
            name = self.get_part(handle, self.HOST, self.PUNYCODE)
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
        self.version = format_version(int(re.findall(rb"\d+", number)[0]), 3)

    def parse(self, text: str) -> Reading:
        octets = encode_c_string(text)
        decoded_uri = self.library.xmlParseURI(octets)
        raw_uri = self.library.xmlParseURIRaw(octets, 1)
        try:
            if not decoded_uri or not raw_uri:
                raise RejectedError("xmlParseURI returns NULL")
            uri: XmlURI = decoded_uri.contents
            return Reading(
                "accepted",
                scheme=decode_octets(uri.scheme),
                userinfo=decode_octets(uri.user),
                host=decode_octets(uri.server),
                port=str(uri.port) if uri.port > 0 else None,
                path=decode_octets(uri.path),
                query=decode_octets(uri.query_raw),
                fragment=decode_octets(uri.fragment),
                address=decode_octets(raw_uri.contents.server),
            )
        finally:
            self.library.xmlFreeURI(decoded_uri)
            self.library.xmlFreeURI(raw_uri)


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
        uri_pointer = self.library.g_uri_parse(encode_c_string(text), 0, byref(error))
        if not uri_pointer:
            raise self.take_error(error)
        try:
            port = self.library.g_uri_get_port(uri_pointer)
            return Reading(
                "accepted",
                scheme=decode_octets(self.library.g_uri_get_scheme(uri_pointer)),
                userinfo=decode_octets(self.library.g_uri_get_userinfo(uri_pointer)),
                host=decode_octets(self.library.g_uri_get_host(uri_pointer)),
                port=None if port == -1 else str(port),
                path=decode_octets(self.library.g_uri_get_path(uri_pointer)),
                query=decode_octets(self.library.g_uri_get_query(uri_pointer)),
                fragment=decode_octets(self.library.g_uri_get_fragment(uri_pointer)),
            )
        finally:
            self.library.g_uri_unref(uri_pointer)

    def take_error(self, error: ctypes._Pointer[GError]) -> Exception:
        """Free a `GError` and return an exception with its message."""
        message = decode_octets(error.contents.message)
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
        # int OSSL_parse_url(const char *url, char **pscheme, char **puser, char **phost,
        #                    char **pport, int *pport_num,
        #                    char **ppath, char **pquery, char **pfrag);
        string = POINTER(c_void_p)
        library.OSSL_parse_url.argtypes = (
            *(c_char_p, string, string, string, string),
            POINTER(c_int),
            *(string, string, string),
        )
        library.CRYPTO_free.argtypes = (c_void_p, c_char_p, c_int)
        library.OpenSSL_version.restype = c_char_p
        library.ERR_peek_error.restype = c_ulong
        library.ERR_reason_error_string.argtypes = (c_ulong,)
        library.ERR_reason_error_string.restype = c_char_p
        self.library = library
        self.version = library.OpenSSL_version(0).decode().split(" ")[1]

    def parse(self, text: str) -> Reading:
        octets = encode_c_string(text)
        scheme, user, host, port, path, query, fragment = pointers = [c_void_p() for _ in range(7)]
        strings = [byref(pointer) for pointer in pointers]
        try:
            is_accepted = self.library.OSSL_parse_url(
                octets, *strings[:4], byref(c_int()), *strings[4:]
            )
            if not is_accepted:
                raise self.take_error()
            digits = read_c_string(port.value)
            return Reading(
                "accepted",
                scheme=read_c_string(scheme.value) or None,
                userinfo=read_c_string(user.value) or None,
                host=read_c_string(host.value),
                port=None if digits == "0" else digits,
                path=read_c_string(path.value),
                query=read_c_string(query.value) or None,
                fragment=read_c_string(fragment.value) or None,
            )
        finally:
            for pointer in pointers:
                self.library.CRYPTO_free(pointer, b"", 0)

    def take_error(self) -> Exception:
        """Return the last error of this thread as an exception, and clear the error queue."""
        code = self.library.ERR_peek_error()
        reason = decode_octets(self.library.ERR_reason_error_string(code))
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
        prefix = next(filter(text.startswith, self.SCHEMES), None)
        if prefix is None:
            raise UnreadError("libpq reads only PostgreSQL connection URIs")
        libpq_prefix = self.SCHEMES[prefix]
        uri = libpq_prefix + text.removeprefix(prefix)
        options = self.parse_options(uri, full=libpq_prefix == prefix)
        host = options.get("host")
        # A connection is refused with any other port; there is a port for each of several hosts.
        port = options.get("port") or ""
        for number in filter(None, port.split(",")):
            if not self.PORT.fullmatch(number) or not 0 < int(number) < 65536:
                raise RejectedError(f"invalid port number: {number}")
        return Reading(
            "accepted",
            scheme=prefix.removesuffix("://"),
            userinfo=join_password(options.get("user"), options.get("password")),
            host=host,
            port=port if "," in port else port.strip().removeprefix("+") or None,
            address=options.get("hostaddr") or host,
        )

    def parse_options(self, text: str, *, full: bool) -> dict[str, str | None]:
        """Return the options in a connection URI, without the query if libpq rejects only that.

        With `full`, a URI with such a query is rejected.
        """
        options_or_reason = self.call_parser(text)
        if not full and self.rejects_query(text):
            # If libpq rejects a query, it rejects longer ones too, so search by bisection.
            marks = [mark.start() for mark in re.finditer(r"\?", text)]
            count = bisect_left(marks, True, key=lambda mark: self.rejects_query(text[:mark]))
            if count:
                options_or_reason = self.call_parser(text[: marks[count - 1]])
        if isinstance(options_or_reason, str):
            raise RejectedError(options_or_reason)
        return options_or_reason

    def rejects_query(self, text: str) -> bool:
        options_or_reason = self.call_parser(text)
        return isinstance(options_or_reason, str) and self.BAD_QUERY in options_or_reason

    def call_parser(self, text: str) -> dict[str, str | None] | str:
        """Return the options in a connection URI, or the message with which libpq rejects it."""
        message = c_void_p()
        option_array = self.library.PQconninfoParse(encode_c_string(text), byref(message))
        reason = read_c_string(message.value) or ""
        self.library.PQfreemem(message)
        if not option_array:
            return reason.strip()
        options: dict[str, str | None] = {}
        for option in option_array:
            if option.keyword is None:
                break
            options[option.keyword.decode()] = decode_octets(option.val)
        self.library.PQconninfoFree(option_array)
        return options


Library = Curl | Xml2 | Glib | OpenSSL | Libpq


def encode_c_string(text: str) -> bytes:
    """Encode a string as UTF-8; raise `UnreadError` if it contains NUL or a lone surrogate."""
    if "\0" in text:
        raise UnreadError("a C string cannot contain NUL")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnreadError("UTF-8 cannot represent a lone surrogate") from None


def read_c_string(address: int | None) -> str | None:
    """Return the string at an address, `None` for the address NULL."""
    return None if address is None else decode_octets(ctypes.string_at(address))


def decode_octets(octets: bytes | None) -> str | None:
    r"""Decode UTF-8; replace invalid bytes with escape sequences such as `\xff`."""
    return None if octets is None else octets.decode(errors="backslashreplace")


def join_password(user: str | None, password: str | None) -> str | None:
    return user if password is None else f"{user or ''}:{password}"


def format_version(number: int, count: int) -> str:
    """Return a version number with dots: 20914 is "2.9.14"."""
    parts: list[str] = []
    for _ in range(count - 1):
        number, part = divmod(number, 100)
        parts.append(str(part))
    return ".".join([str(number), *reversed(parts)])


def load_library(files: Sequence[str]) -> ctypes.CDLL | None:
    """Load the first of the shared libraries that is installed."""
    for file in files:
        try:
            return ctypes.CDLL(file)
        except OSError:
            continue
    return None


def create_library_parser(
    name: str,
    files: Sequence[str],
    adapter: Callable[[ctypes.CDLL], Library],
    dials: frozenset[str],
) -> Parser | None:
    """Return a parser that calls a C library; `None` if the library is missing or too old."""
    library = load_library(files)
    if library is None:
        return None
    try:
        adapted_library = adapter(library)
    except AttributeError:  # A release without these functions.
        return None
    # The adapter turns every rejection into a `RejectedError`.
    read = create_reader(adapted_library.parse, rejections=[])
    return Parser(name, adapted_library.version, dials, read)


#: The schemes of a parser whose software connects to nothing itself.
NO_SCHEMES: frozenset[str] = frozenset()

#: Functions that find the libraries, by name. They return `None` if one is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(create_library_parser, name, files, adapter, dials)
    for name, files, adapter, dials in (
        ("libcurl", Curl.files, partial(Curl, flags=Curl.GUESS_SCHEME), HTTP | {"ftp"}),
        ("libcurl (any scheme)", Curl.files, partial(Curl, flags=Curl.ANY_SCHEME), NO_SCHEMES),
        ("libxml2", Xml2.files, Xml2, frozenset({"http", "ftp"})),
        ("GLib", Glib.files, Glib, NO_SCHEMES),
        ("OpenSSL", OpenSSL.files, OpenSSL, HTTP),
        ("libpq", Libpq.files, Libpq, frozenset({"postgres", "postgresql"})),
    )
}
