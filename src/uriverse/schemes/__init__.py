"""What each scheme adds to the generic syntax: a registry, and typed views of identifiers."""

from __future__ import annotations

from importlib import import_module

from uriverse.spec.normalization import lower
from uriverse.spec.scheme import Registry, Scheme, default_registry

from .view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .data import DataURI
    from .file import FileURI
    from .http import HTTP
    from .mailto import MailtoURI
    from .tel import TelURI
    from .urn import URN

__all__ = [
    "HTTP",
    "SCHEMES",
    "URN",
    "DataURI",
    "FileURI",
    "MailtoURI",
    "Registry",
    "Scheme",
    "TelURI",
    "View",
    "view_of",
]

#: What is known of schemes: IANA's list, and the rules of the best known.
SCHEMES = default_registry()

#: Each typed view by the module that has it. Few are needed by one program.
LATER = {
    "DataURI": "data",
    "FileURI": "file",
    "HTTP": "http",
    "MailtoURI": "mailto",
    "TelURI": "tel",
    "URN": "urn",
}

#: The typed view of each scheme that has one.
VIEWS = {
    "data": "DataURI",
    "file": "FileURI",
    "http": "HTTP",
    "https": "HTTP",
    "mailto": "MailtoURI",
    "tel": "TelURI",
    "urn": "URN",
}


def view_of(scheme: str, /) -> type[View] | None:
    """The typed view of a scheme's identifiers; `None` if there is none.

    Args:
        scheme: its name, in any case.

    >>> view_of("URN").__name__, view_of("x-example")
    ('URN', None)
    """
    name = VIEWS.get(lower(scheme))
    return None if name is None else typed_view(name)


def typed_view(name: str) -> type[View]:
    """A typed view by its name, imported when it is first asked for."""
    view: type[View] = getattr(import_module(f".{LATER[name]}", __name__), name)
    return view


def __getattr__(name: str) -> type[View]:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return typed_view(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
