"""URI, URIReference, IRI, IRIReference: parse, build, edit, resolve, normalize and compare."""

from .types import IRI, URI, IRIReference, URIReference, parse

__all__ = ["IRI", "URI", "IRIReference", "URIReference", "parse"]
