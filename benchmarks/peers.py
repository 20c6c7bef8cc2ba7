"""The peers: other libraries that read URIs or IRIs, and how each is called.

A peer that is not installed is named and left out.
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
    """A function that reads a text.

    Attributes:
        distribution: what is installed; `None` for the standard library.
        module: where the function is.
        function: its name there, with dots.
        host: what its results call the host.
        means: what the table says of it, where the name is not enough.
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
        """What is installed of it; `None` if nothing is."""
        if self.distribution is None:
            return platform.python_version()
        try:
            return importlib.metadata.version(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return None

    def load(self) -> Function | None:
        """The function itself; `None` if it can't be imported."""
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
    """The pattern that rfc3987 compiles for a rule; there is no function for it."""

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
    RFC3986,
    URITOOLS,
    URLSPLIT,
    RFC3987,
)


def missing() -> list[str]:
    """The peers that can't be imported here."""
    return [peer.name for peer in ALL if peer.load() is None]


def versions() -> dict[str, str]:
    """What is installed of each peer, by name, and of `regex`, which rfc3987 takes if it can."""
    regex = Peer("regex", "regex", "compile")
    found = ((peer.distribution or "urllib", peer.version) for peer in (*ALL, regex))
    return {name: version for name, version in found if version is not None}
