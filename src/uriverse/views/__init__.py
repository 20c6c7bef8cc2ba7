"""Typed views of URIs: path segments, query parameters, and a class for each known scheme."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .data import DataURI
    from .file import FileURI
    from .http import HTTPURI
    from .mailto import MailtoURI
    from .params import Params
    from .segments import Segments
    from .tel import TelURI
    from .urn import URN
    from .view import View

__all__ = [
    "HTTPURI",
    "URN",
    "DataURI",
    "FileURI",
    "MailtoURI",
    "Params",
    "Segments",
    "TelURI",
    "View",
    "view_of",
]


#: The modules that define the classes. Each is imported when its class is first used.
LATER = {
    "DataURI": "data",
    "FileURI": "file",
    "HTTPURI": "http",
    "MailtoURI": "mailto",
    "Params": "params",
    "Segments": "segments",
    "TelURI": "tel",
    "URN": "urn",
    "View": "view",
}


def view_of(scheme: str, /) -> type[View] | None:
    """Return the class for URIs of a scheme, such as `URN`, or `None` if the scheme has no class.

    Args:
        scheme: the name of the scheme, in any case.

    >>> view_of("URN").__name__, view_of("x-example")
    ('URN', None)
    """
    from uriverse._spec.normalization import lower
    from uriverse.schemes.registry import VIEWS

    found = VIEWS.get(lower(scheme))
    return None if found is None else __getattr__(found)


def __getattr__(name: str) -> Any:
    """Import a class of this package, such as `URN`, when it is first used."""
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
