"""The four public types (`URI`, `URIReference`, `IRI`, `IRIReference`), and `parse`."""

from .types import IRI, URI, IRIReference, URIReference, parse

__all__ = ["IRI", "URI", "IRIReference", "URIReference", "parse"]
