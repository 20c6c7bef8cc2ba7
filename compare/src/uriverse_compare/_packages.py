"""Adapters for Python packages, and for Python's standard library.

Each adapter is a function that takes the imported module and returns a function from a string to a
`Reading`. The adapters of HTTP clients are in `_clients`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from platform import python_version
from types import ModuleType
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from uriverse import IRIReference, __version__

from . import _clients
from ._components import Parse, accepted, from_attributes, from_split, userinfo
from ._reading import HTTP, Parser, Reading, RejectedError, reader


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


def pyside(module: ModuleType) -> Parse:  # pragma: no cover - `.ci/extended` installs Qt
    """Parse a string with Qt's `QUrl`, in its default mode.

    Qt's HTTP client connects to the host of an invalid `QUrl` too, for example if the port is not a
    number.
    """
    full = module.QUrl.ComponentFormattingOption.FullyEncoded

    def parse(text: str) -> Reading:
        found = module.QUrl(text)
        if not (found.isValid() or (found.scheme() in HTTP and found.host())):
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
    "uriverse": Package(uriverse, "uriverse", "uriverse"),
    "urllib.parse": Package(urllib, "urllib.parse"),
    "urllib.request": Package(
        _clients.urllib_request,
        "urllib.request",
        dials=HTTP,
        rejections=("urllib.error.URLError", "http.client.HTTPException"),
    ),
    "urllib3": Package(
        _clients.urllib3,
        "urllib3",
        "urllib3",
        dials=HTTP,
        rejections=("urllib3.exceptions.HTTPError",),
    ),
    "requests": Package(
        _clients.requests,
        "requests",
        "requests",
        dials=HTTP,
        rejections=("requests.exceptions.RequestException",),
    ),
    "httpx": Package(
        _clients.httpx,
        "httpx",
        "httpx",
        dials=HTTP | {"ws", "wss"},
        rejections=("httpx.InvalidURL", "httpx.HTTPError"),
    ),
    "yarl": Package(yarl, "yarl", "yarl"),
    "aiohttp": Package(
        _clients.aiohttp,
        "aiohttp",
        "aiohttp",
        dials=HTTP | {"ws", "wss"},
        rejections=("aiohttp.ClientError",),
    ),
    "tornado": Package(_clients.tornado, "tornado.simple_httpclient", "tornado", dials=HTTP),
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


#: Functions that find the packages, by name. They return `None` if one is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(package_parser, name) for name in PACKAGES
}
