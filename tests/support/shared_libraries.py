"""The hosts that C libraries see in a string, if the libraries are installed."""

from __future__ import annotations

import ctypes
import re
from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_void_p

#: Constants of libcurl's URL API: https://curl.se/libcurl/c/curl_url_set.html
PART_URL, PART_HOST = 0, 5
NON_SUPPORT_SCHEME = 1 << 3
NO_HOST = 14

SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]*")


class RefusalError(ValueError):
    """A parser rejects a string, or sees a host that no resolver would look up."""


class Option(ctypes.Structure):
    """The struct PQconninfoOption of libpq."""

    _fields_ = (
        ("keyword", c_char_p),
        ("envvar", c_char_p),
        ("compiled", c_char_p),
        ("val", c_char_p),
        ("label", c_char_p),
        ("dispchar", c_char_p),
        ("dispsize", c_int),
    )


def library(name: str) -> ctypes.CDLL | None:
    """Load a shared library; return None if it is not installed."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


CURL = library("libcurl.so.4")
if CURL:
    CURL.curl_url.restype = c_void_p
    CURL.curl_url_set.argtypes = (c_void_p, c_int, c_char_p, c_uint)
    CURL.curl_url_get.argtypes = (c_void_p, c_int, POINTER(c_void_p), c_uint)
    CURL.curl_url_cleanup.argtypes = (c_void_p,)
    CURL.curl_free.argtypes = (c_void_p,)

CRYPTO = library("libcrypto.so.3")
if CRYPTO:
    CRYPTO.CRYPTO_free.argtypes = (c_void_p, c_char_p, c_int)

LIBPQ = library("libpq.so.5")
if LIBPQ:
    LIBPQ.PQconninfoParse.restype = POINTER(Option)
    LIBPQ.PQconninfoFree.argtypes = (POINTER(Option),)


def curl_host(text: str, flags: int = 0) -> str:
    """Return the host that libcurl sees."""
    assert CURL
    handle = CURL.curl_url()
    host = c_void_p()
    try:
        if CURL.curl_url_set(handle, PART_URL, text.encode(), flags):
            raise RefusalError(text)
        result = CURL.curl_url_get(handle, PART_HOST, byref(host), 0)
        if result not in {0, NO_HOST}:
            raise RefusalError(text)
        return ctypes.string_at(host.value).decode() if host.value else ""
    finally:
        CURL.curl_free(host)
        CURL.curl_url_cleanup(handle)


def openssl_host(text: str) -> str:
    """Return the host that OpenSSL sees.

    OpenSSL parses a string without "://" as a host and a port. It treats everything before the
    first "://" as the scheme, even in "view-source:http://a". This function rejects both kinds of
    strings.
    """
    assert CRYPTO
    texts = [c_void_p() for _ in range(7)]
    scheme, user, host, port, path, query, fragment = map(byref, texts)
    number = byref(c_int())
    parts = (scheme, user, host, port, number, path, query, fragment)
    if not CRYPTO.OSSL_parse_url(text.encode(), *parts):
        raise RefusalError(text)
    try:
        if not SCHEME.fullmatch(ctypes.string_at(texts[0].value or b"")):
            raise RefusalError(text)
        return name_in(ctypes.string_at(texts[2].value or b""))
    finally:
        for part in texts:
            CRYPTO.CRYPTO_free(part, b"", 0)


def libpq_host(text: str) -> str:
    """Return the host that libpq sees in a PostgreSQL connection URI."""
    assert LIBPQ
    if not text.startswith(("postgresql://", "postgres://")):
        raise RefusalError(text)
    options = LIBPQ.PQconninfoParse(text.encode(), None)
    if not options:
        raise RefusalError(text)
    found: dict[bytes, bytes] = {}
    for option in options:
        if option.keyword is None:
            break
        found[option.keyword] = option.val or b""
    LIBPQ.PQconninfoFree(options)
    return name_in(found[b"host"])


def name_in(host: bytes) -> str:
    """Decode a host; reject hosts with a delimiter, because no resolver accepts them."""
    if any(delimiter in host for delimiter in b"/?#"):
        raise RefusalError(host)
    return host.decode()
