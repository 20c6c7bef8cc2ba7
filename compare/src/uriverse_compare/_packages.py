"""Adapters for Python packages, and for Python's standard library.

Each adapter is a function that takes the imported module and returns a function from a string to a
`Reading`. If a package connects to hosts, its adapter asks the package for the host to which it
would connect, and connects to nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from platform import python_version
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from uriverse import IRIReference
from uriverse._version import __version__

from ._reading import HTTP, Parser, Reading, RejectedError, UnreadError, reader

Parse = Callable[[str], Reading]

#: The reason of `UnreadError` for other URIs.
HTTP_ONLY = "it connects to the hosts of http and https URIs only"


class Package(NamedTuple):
    """How to read strings with a Python package.

    Attributes:
        adapter: takes the module and returns a function that reads a string.
        module: the module to import.
        distribution: the name of the package in the package index; empty for the standard library.
        dials: the attribute of `Parser`.
        rejections: the full names of the exceptions that mean a rejection, besides `ValueError`.
    """

    adapter: Callable[[ModuleType], Parse]
    module: str
    distribution: str = ""
    dials: frozenset[str] = frozenset()
    rejections: tuple[str, ...] = ()


def uriverse(_: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = IRIReference(text)
        return accepted(
            found.scheme,
            found.userinfo,
            found.host,
            found.port_text,
            found.path,
            found.query,
            found.fragment,
        )

    return parse


def urllib(_: ModuleType) -> Parse:
    return lambda text: from_split(urlsplit(text))


def urllib_request(module: ModuleType) -> Parse:
    """Find the host to which `urllib.request` would connect, as determined by `http.client`."""
    from http.client import HTTPConnection, HTTPSConnection, InvalidURL

    kinds = {"http": HTTPConnection, "https": HTTPSConnection}

    def parse(text: str) -> Reading:
        request = module.Request(text)
        if request.type not in kinds:
            raise UnreadError(HTTP_ONLY)
        if not request.host:
            raise RejectedError("no host given")
        try:
            connection = kinds[request.type](request.host)
        except InvalidURL as error:
            raise RejectedError(str(error)) from error
        port = None if connection.port == connection.default_port else connection.port
        return accepted(
            request.type, None, connection.host, port, address=looked_up(connection.host)
        )

    return parse


def urllib3(module: ModuleType) -> Parse:
    pools = module.PoolManager()

    def parse(text: str) -> Reading:
        found = module.util.parse_url(text)
        address = None
        if found.host and found.scheme in {None, "http", "https"}:
            address = pools.connection_from_url(text).host
            pools.clear()
        return from_attributes(found, found.auth, found.host)._replace(address=address)

    return parse


def requests(module: ModuleType) -> Parse:
    from requests.adapters import HTTPAdapter

    adapter = HTTPAdapter()

    def parse(text: str) -> Reading:
        prepared = module.Request("GET", text).prepare()
        if not prepared.url.lower().startswith(("http:", "https:")):
            raise UnreadError(HTTP_ONLY)
        pool = adapter.get_connection_with_tls_context(prepared, verify=True)
        try:
            return from_split(urlsplit(str(prepared.url)), address=pool.host)
        finally:
            adapter.poolmanager.clear()

    return parse


def httpx(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.URL(text)
        # `host` is the form for display; the client connects to `raw_host`.
        return accepted(
            found.scheme,
            found.userinfo.decode(),
            found.raw_host.decode(),
            found.port,
            found.path,
            found.query.decode(),
            found.fragment,
            found.raw_host.decode(),
        )

    return parse


def yarl(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.URL(text)
        return accepted(
            found.scheme,
            userinfo(found.raw_user, found.raw_password),
            found.raw_host,
            found.explicit_port,
            found.raw_path,
            found.raw_query_string,
            found.raw_fragment,
        )

    return parse


def aiohttp(module: ModuleType) -> Parse:
    from yarl import URL

    # A request has a loop; it is not used, because the request is never sent.
    loop = asyncio.new_event_loop()
    loop.close()

    def parse(text: str) -> Reading:
        url = URL(text)
        if url.scheme not in {"http", "https"}:
            raise UnreadError(HTTP_ONLY)
        key = module.ClientRequest("GET", url, loop=loop).connection_key
        port = None if key.port == (443 if key.is_ssl else 80) else key.port
        return accepted(url.scheme, None, url.raw_host, port, address=key.host)

    return parse


def furl(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.furl(text)
        return accepted(
            found.scheme,
            userinfo(found.username, found.password),
            found.host,
            found.port,
            str(found.path),
            str(found.query),
            str(found.fragment),
        )

    return parse


def rfc3986(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.uri_reference(text)
        # The attribute `host` is undefined for an invalid authority; this method raises an error.
        authority: dict[str, str | None] = {}
        if found.authority is not None:
            authority = found.authority_info()
        return accepted(
            found.scheme,
            authority.get("userinfo"),
            authority.get("host"),
            authority.get("port"),
            found.path,
            found.query,
            found.fragment,
        )

    return parse


def hyperlink(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.URL.from_text(text)
        return accepted(
            found.scheme,
            found.userinfo,
            found.host,
            found.port,
            "/" * found.rooted + "/".join(found.path),
            "&".join(name if data is None else f"{name}={data}" for name, data in found.query),
            found.fragment,
        )

    return parse


def uritools(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.urisplit(text)
        return from_attributes(found, found.userinfo, str(found.gethost("")))

    return parse


def ada_url(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.URL(text)
        return accepted(
            found.protocol.removesuffix(":"),
            userinfo(found.username, found.password),
            found.hostname,
            found.port,
            found.pathname,
            found.search.removeprefix("?"),
            found.hash.removeprefix("#"),
        )

    return parse


def url_py(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.URL.parse(text)
        return from_attributes(found, userinfo(found.username, found.password), found.host_str)

    return parse


def pydantic(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        found = module.Url(text)
        return from_attributes(found, userinfo(found.username, found.password), found.host)

    return parse


def django(module: ModuleType) -> Parse:
    """Record the hosts that `url_has_allowed_host_and_scheme` compares with the allowed ones.

    It reads a string twice, the second time with slashes in the place of backslashes.
    """

    class Everything(list[str]):
        def __contains__(self, host: object) -> bool:
            self.append(str(host))
            return True

    def parse(text: str) -> Reading:
        compared = Everything()
        scheme = urlsplit(text).scheme
        if not module.url_has_allowed_host_and_scheme(text, compared, require_https=False):
            raise RejectedError("the function returns False, whatever hosts are allowed")
        if len(set(compared)) > 1:
            raise RejectedError("the function compares two different hosts with the allowed hosts")
        found = SplitResult(scheme, compared[0] if compared else "", "", "", "")
        return accepted(scheme, None, found.hostname, found.port)

    return parse


def werkzeug(module: ModuleType) -> Parse:
    """Convert a string with `iri_to_uri`, and split the result with `urlsplit`."""
    return lambda text: from_split(urlsplit(str(module.iri_to_uri(text))))


def w3lib(module: ModuleType) -> Parse:
    """Split the result of `safe_url_string`, which Scrapy uses to prepare request URLs."""
    return lambda text: from_split(urlsplit(str(module.safe_url_string(text))))


def tornado(module: ModuleType) -> Parse:
    """Split the string the way Tornado's `AsyncHTTPClient` does."""

    def parse(text: str) -> Reading:
        found = urlsplit(text)
        if found.scheme not in {"http", "https"}:
            raise UnreadError(HTTP_ONLY)
        _, _, authority = found.netloc.rpartition("@")
        host, port = module.split_host_and_port(authority)
        return from_split(found)._replace(host=host, port=text_of(port), address=looked_up(host))

    return parse


def pyside(module: ModuleType) -> Parse:
    """Parse a string with Qt's `QUrl`, in its default mode."""
    full = module.QUrl.ComponentFormattingOption.FullyEncoded

    def parse(text: str) -> Reading:
        found = module.QUrl(text)
        if not found.isValid():
            raise RejectedError(found.errorString())
        return accepted(
            found.scheme(),
            found.userInfo(full),
            found.host(full),
            None if found.port() < 0 else found.port(),
            found.path(full),
            found.query(full) if found.hasQuery() else None,
            found.fragment(full) if found.hasFragment() else None,
        )

    return parse


#: The Python packages that can be compared, by name.
PACKAGES: dict[str, Package] = {
    "uriverse": Package(uriverse, "uriverse", "uriverse", dials=HTTP),
    "urllib.parse": Package(urllib, "urllib.parse"),
    "urllib.request": Package(urllib_request, "urllib.request", dials=HTTP),
    "urllib3": Package(
        urllib3,
        "urllib3",
        "urllib3",
        dials=HTTP,
        rejections=("urllib3.exceptions.HTTPError",),
    ),
    "requests": Package(
        requests,
        "requests",
        "requests",
        dials=HTTP,
        rejections=("requests.exceptions.RequestException",),
    ),
    "httpx": Package(httpx, "httpx", "httpx", dials=HTTP, rejections=("httpx.InvalidURL",)),
    "yarl": Package(yarl, "yarl", "yarl", dials=HTTP | {"ws", "wss"}),
    "aiohttp": Package(
        aiohttp, "aiohttp", "aiohttp", dials=HTTP, rejections=("aiohttp.InvalidURL",)
    ),
    "tornado": Package(tornado, "tornado.httputil", "tornado", dials=HTTP),
    "Qt QUrl": Package(pyside, "PySide6.QtCore", "PySide6_Essentials", dials=HTTP | {"ws", "wss"}),
    "ada-url": Package(ada_url, "ada_url", "ada-url"),
    "Django": Package(django, "django.utils.http", "Django"),
    "furl": Package(furl, "furl", "furl"),
    "hyperlink": Package(hyperlink, "hyperlink", "hyperlink"),
    "pydantic": Package(pydantic, "pydantic_core", "pydantic_core"),
    "rfc3986": Package(
        rfc3986, "rfc3986", "rfc3986", rejections=("rfc3986.exceptions.RFC3986Exception",)
    ),
    "uritools": Package(uritools, "uritools", "uritools"),
    "url-py": Package(url_py, "url", "url-py", rejections=("url.URLError",)),
    "w3lib": Package(w3lib, "w3lib.url", "w3lib"),
    "Werkzeug": Package(werkzeug, "werkzeug.urls", "Werkzeug"),
}


def package_parser(name: str) -> Parser | None:
    """Return the parser of a Python package; return None if the package is not installed."""
    package = PACKAGES[name]
    try:
        module = import_module(package.module)
    except ImportError:
        return None
    rejections: list[type[Exception]] = [ValueError, *map(exception_at, package.rejections)]
    return Parser(
        name, version_of(package), package.dials, reader(package.adapter(module), rejections)
    )


def exception_at(path: str) -> type[Exception]:
    module, _, name = path.rpartition(".")
    found: type[Exception] = getattr(import_module(module), name)
    return found


def version_of(package: Package) -> str:
    """Return the version of a package; for the standard library, the version of Python."""
    if package.distribution == "uriverse":
        return __version__
    return metadata.version(package.distribution) if package.distribution else python_version()


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


def looked_up(host: str) -> str:
    """Convert a host to the name that the `socket` module looks up, according to IDNA 2003."""
    bare = host.removeprefix("[").removesuffix("]")
    return bare if bare.isascii() else bare.encode("idna").decode()


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


#: Functions that find the packages, by name. They return `None` if one is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(package_parser, name) for name in PACKAGES
}
