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
from ._reading import (
    HTTP,
    Parse,
    Parser,
    Reading,
    RejectedError,
    create_reader,
    join_userinfo,
    make_accepted_reading,
    read_attributes,
    read_split,
)


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


def adapt_uriverse(_: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        reference = IRIReference(text)
        return make_accepted_reading(
            reference.scheme,
            reference.userinfo,
            reference.host,
            reference.port_text,
            reference.path,
            reference.query,
            reference.fragment,
        )

    return parse


def adapt_urllib(_: ModuleType) -> Parse:
    return lambda text: read_split(urlsplit(text))


def adapt_yarl(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.URL(text)
        return make_accepted_reading(
            url.scheme,
            join_userinfo(url.raw_user, url.raw_password),
            url.raw_host,
            url.explicit_port,
            url.raw_path,
            url.raw_query_string,
            url.raw_fragment,
        )

    return parse


def adapt_furl(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.furl(text)
        return make_accepted_reading(
            url.scheme,
            join_userinfo(url.username, url.password),
            url.host,
            url.port,
            str(url.path),
            str(url.query),
            str(url.fragment),
        )

    return parse


def adapt_rfc3986(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        reference = module.uri_reference(text)
        # The attribute `host` is undefined for an invalid authority; this method raises an error.
        authority: dict[str, str | None] = {}
        if reference.authority is not None:
            authority = reference.authority_info()
        return make_accepted_reading(
            reference.scheme,
            authority.get("userinfo"),
            authority.get("host"),
            authority.get("port"),
            reference.path,
            reference.query,
            reference.fragment,
        )

    return parse


def adapt_hyperlink(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.URL.from_text(text)
        return make_accepted_reading(
            url.scheme,
            url.userinfo,
            url.host,
            url.port,
            "/" * url.rooted + "/".join(url.path),
            "&".join(name if data is None else f"{name}={data}" for name, data in url.query),
            url.fragment,
        )

    return parse


def adapt_uritools(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.urisplit(text)
        return read_attributes(url, url.userinfo, str(url.gethost("")))

    return parse


def adapt_ada_url(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.URL(text)
        return make_accepted_reading(
            url.protocol.removesuffix(":"),
            join_userinfo(url.username, url.password),
            url.hostname,
            url.port,
            url.pathname,
            url.search.removeprefix("?"),
            url.hash.removeprefix("#"),
        )

    return parse


def adapt_url_py(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.URL.parse(text)
        return read_attributes(url, join_userinfo(url.username, url.password), url.host_str)

    return parse


def adapt_pydantic(module: ModuleType) -> Parse:
    def parse(text: str) -> Reading:
        url = module.Url(text)
        return read_attributes(url, join_userinfo(url.username, url.password), url.host)

    return parse


def adapt_django(module: ModuleType) -> Parse:
    """Record the hosts that `url_has_allowed_host_and_scheme` compares with the allowed ones.

    It reads a string twice, the second time with slashes in the place of backslashes.
    """

    class Everything(list[str]):
        def __contains__(self, host: object) -> bool:
            self.append(str(host))
            return True

    def parse(text: str) -> Reading:
        compared_hosts = Everything()
        scheme = urlsplit(text).scheme
        if not module.url_has_allowed_host_and_scheme(text, compared_hosts, require_https=False):
            raise RejectedError("the function returns False, whatever hosts are allowed")
        if len(set(compared_hosts)) > 1:
            raise RejectedError("the function compares two different hosts with the allowed hosts")
        url = SplitResult(scheme, compared_hosts[0] if compared_hosts else "", "", "", "")
        return make_accepted_reading(scheme, None, url.hostname, url.port)

    return parse


def adapt_werkzeug(module: ModuleType) -> Parse:
    """Convert a string with `iri_to_uri`, and split the result with `urlsplit`."""
    return lambda text: read_split(urlsplit(str(module.iri_to_uri(text))))


def adapt_w3lib(module: ModuleType) -> Parse:
    """Split the result of `safe_url_string`, which Scrapy uses to prepare request URLs."""
    return lambda text: read_split(urlsplit(str(module.safe_url_string(text))))


def adapt_pyside(module: ModuleType) -> Parse:  # pragma: no cover - `.ci/extended` installs Qt
    """Parse a string with Qt's `QUrl`, in its default mode.

    Qt's HTTP client connects to the host of an invalid `QUrl` too, for example if the port is not a
    number.
    """
    fully_encoded = module.QUrl.ComponentFormattingOption.FullyEncoded

    def parse(text: str) -> Reading:
        url = module.QUrl(text)
        if not (url.isValid() or (url.scheme() in HTTP and url.host())):
            raise RejectedError(url.errorString())
        return make_accepted_reading(
            url.scheme(),
            url.userInfo(fully_encoded),
            url.host(fully_encoded),
            None if url.port() < 0 else url.port(),
            url.path(fully_encoded),
            url.query(fully_encoded) if url.hasQuery() else None,
            url.fragment(fully_encoded) if url.hasFragment() else None,
        )

    return parse


#: The Python packages that can be compared, by name.
PACKAGES: dict[str, Package] = {
    "uriverse": Package(adapt_uriverse, "uriverse", "uriverse"),
    "urllib.parse": Package(adapt_urllib, "urllib.parse"),
    "urllib.request": Package(
        _clients.adapt_urllib_request,
        "urllib.request",
        dials=HTTP,
        rejections=("urllib.error.URLError", "http.client.HTTPException"),
    ),
    "urllib3": Package(
        _clients.adapt_urllib3,
        "urllib3",
        "urllib3",
        dials=HTTP,
        rejections=("urllib3.exceptions.HTTPError",),
    ),
    "requests": Package(
        _clients.adapt_requests,
        "requests",
        "requests",
        dials=HTTP,
        rejections=("requests.exceptions.RequestException",),
    ),
    "httpx": Package(
        _clients.adapt_httpx,
        "httpx",
        "httpx",
        dials=HTTP | {"ws", "wss"},
        rejections=("httpx.InvalidURL", "httpx.HTTPError"),
    ),
    "yarl": Package(adapt_yarl, "yarl", "yarl"),
    "aiohttp": Package(
        _clients.adapt_aiohttp,
        "aiohttp",
        "aiohttp",
        dials=HTTP | {"ws", "wss"},
        rejections=("aiohttp.ClientError",),
    ),
    "tornado": Package(_clients.adapt_tornado, "tornado.simple_httpclient", "tornado", dials=HTTP),
    "Qt QUrl": Package(
        adapt_pyside, "PySide6.QtCore", "PySide6_Essentials", dials=HTTP | {"ws", "wss"}
    ),
    "ada-url": Package(adapt_ada_url, "ada_url", "ada-url"),
    "Django": Package(adapt_django, "django.utils.http", "Django"),
    "furl": Package(adapt_furl, "furl", "furl"),
    "hyperlink": Package(adapt_hyperlink, "hyperlink", "hyperlink"),
    "pydantic": Package(adapt_pydantic, "pydantic_core", "pydantic_core"),
    "rfc3986": Package(
        adapt_rfc3986, "rfc3986", "rfc3986", rejections=("rfc3986.exceptions.RFC3986Exception",)
    ),
    "uritools": Package(adapt_uritools, "uritools", "uritools"),
    "url-py": Package(adapt_url_py, "url", "url-py", rejections=("url.URLError",)),
    "w3lib": Package(adapt_w3lib, "w3lib.url", "w3lib"),
    "Werkzeug": Package(adapt_werkzeug, "werkzeug.urls", "Werkzeug"),
}


def create_package_parser(name: str) -> Parser | None:
    package = PACKAGES[name]
    try:
        module = import_module(package.module)
    except ImportError:
        return None
    rejections: list[type[Exception]] = [ValueError, *map(import_exception, package.rejections)]
    return Parser(
        name,
        find_version(package),
        package.dials,
        create_reader(package.adapter(module), rejections),
    )


def import_exception(path: str) -> type[Exception]:
    module, _, name = path.rpartition(".")
    exception_type: type[Exception] = getattr(import_module(module), name)
    return exception_type


def find_version(package: Package) -> str:
    """Return the version of a package; for the standard library, the version of Python."""
    if package.distribution == "uriverse":
        return __version__
    return metadata.version(package.distribution) if package.distribution else python_version()


#: Functions that find the packages, by name. They return `None` if one is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    name: partial(create_package_parser, name) for name in PACKAGES
}
