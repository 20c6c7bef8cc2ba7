"""What each scheme adds to the generic syntax: a registry, and typed views of identifiers."""

from __future__ import annotations

from uriverse.spec.scheme import Registry, Scheme, default_registry

from .data import DataURI
from .file import FileURI
from .http import HTTP
from .mailto import MailtoURI
from .tel import TelURI
from .urn import URN
from .view import View

__all__ = [
    "HTTP",
    "SCHEMES",
    "URN",
    "VIEWS",
    "DataURI",
    "FileURI",
    "MailtoURI",
    "Registry",
    "Scheme",
    "TelURI",
    "View",
]

#: What is known of schemes: IANA's list, and the rules of the best known.
SCHEMES = default_registry()

#: The typed view of each scheme that has one.
VIEWS: dict[str, type[View]] = {
    scheme: view
    for view in (URN, DataURI, MailtoURI, FileURI, TelURI, HTTP)
    for scheme in view.SCHEMES
}
