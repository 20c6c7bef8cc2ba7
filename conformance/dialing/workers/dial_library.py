"""Request strings with a C library or with Qt. The argument is the name of the parser."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_int, c_long, c_void_p

from uriverse_compare._libraries import Curl, Libpq, OpenSSL, Xml2, load_library

#: The limit of a request, in seconds.
LIMIT = 10


def curl() -> Callable[[str], None]:
    """Request a URL with libcurl's easy interface."""
    library = loaded(Curl.files)
    library.curl_easy_init.restype = c_void_p
    library.curl_easy_perform.argtypes = library.curl_easy_cleanup.argtypes = (c_void_p,)
    url, nobody, limit, proxy = 10002, 44, 13, 10004

    def request(text: str) -> None:
        handle = library.curl_easy_init()
        for option, value in (
            (url, c_char_p(text.encode())),
            (nobody, c_long(1)),
            (limit, c_long(LIMIT)),
            (proxy, c_char_p(b"")),
        ):
            library.curl_easy_setopt(c_void_p(handle), c_int(option), value)
        library.curl_easy_perform(handle)
        library.curl_easy_cleanup(handle)

    return request


def openssl() -> Callable[[str], None]:
    """Request a URL with OpenSSL's HTTP client, which needs a callback of the program for TLS."""
    library = loaded(OpenSSL.files)
    library.OSSL_HTTP_get.restype = c_void_p
    library.OSSL_HTTP_get.argtypes = (
        *(c_char_p, c_char_p, c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, c_int),
        *(c_void_p, c_char_p, c_int, ctypes.c_size_t, c_int),
    )

    def request(text: str) -> None:
        # With a timeout, OpenSSL would try again until then.
        nothing = (None,) * 4
        library.OSSL_HTTP_get(text.encode(), b"", b"", *nothing, 0, None, None, 0, 1 << 20, -1)
        library.ERR_clear_error()

    return request


def xml2() -> Callable[[str], None]:
    """Request a URL with the HTTP client or the FTP client of libxml2."""
    library = loaded(Xml2.files)
    library.xmlNanoHTTPOpen.argtypes = (c_char_p, c_void_p)
    library.xmlNanoFTPOpen.argtypes = (c_char_p,)

    def request(text: str) -> None:
        if text.lower().startswith("ftp"):
            library.xmlNanoFTPOpen(text.encode())
        else:
            library.xmlNanoHTTPOpen(text.encode(), None)

    return request


def libpq() -> Callable[[str], None]:
    """Connect to a database."""
    library = loaded(Libpq.files)
    library.PQconnectdb.argtypes = (c_char_p,)
    library.PQconnectdb.restype = c_void_p
    library.PQfinish.argtypes = (c_void_p,)

    def request(text: str) -> None:
        library.PQfinish(library.PQconnectdb(text.encode()))

    return request


def qt() -> Callable[[str], None]:
    """Request a URL with `QNetworkAccessManager`."""
    from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer, QUrl
    from PySide6.QtNetwork import QNetworkAccessManager, QNetworkProxy, QNetworkRequest

    application = QCoreApplication([])

    def request(text: str) -> None:
        manager = QNetworkAccessManager(application)
        manager.setProxy(QNetworkProxy(QNetworkProxy.ProxyType.NoProxy))
        reply = manager.get(QNetworkRequest(QUrl(text)))
        loop = QEventLoop()
        reply.finished.connect(loop.quit)
        QTimer.singleShot(LIMIT * 1000, loop.quit)
        if not reply.isFinished():
            loop.exec()
        manager.deleteLater()

    return request


def loaded(files: tuple[str, ...]) -> ctypes.CDLL:
    library = load_library(files)
    assert library
    return library


CLIENTS = {
    "libcurl": curl,
    "OpenSSL": openssl,
    "libxml2": xml2,
    "libpq": libpq,
    "Qt QUrl": qt,
}


def main() -> None:
    request = CLIENTS[sys.argv[1]]()
    for line in sys.stdin:
        text = bytes.fromhex(line.strip()[1:]).decode()
        # A C string ends at NUL.
        if "\0" not in text:
            request(text)
        print(flush=True)


main()
