"""Prefix maps invert what they compact, and the kernel finds the invalid IRIs of N-Triples."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

from draws import Draws

from uriverse import URIError, _engine, is_iri
from uriverse.columns import Array
from uriverse.rdf import PrefixMap, check_ntriples
from uriverse.rdf._ntriples import suspects

#: Prefixes and namespaces; some namespaces are nested or equal.
PREFIXES = ("a", "b", "A", "", "http", "a.b", "_x")
NAMESPACES = ("http://a/", "http://a/b#", "http://a/b", "urn:a:", "http://é/", "a:", "http://a/")
BETWEEN = (b" ", b"\n", b"\r\n", b' "<a b>" ', b" # <\n", b"<<", b"\\u0041", b"<>", b'"', b"\xff")


def check(data: bytes) -> None:
    """Compact and expand IRIs, and validate a document of them."""
    draws = Draws(data)
    texts = draws.strings("IRI", "IRI-reference", "path-rootless")
    pairs = [(draws.choice(PREFIXES), draws.choice(NAMESPACES)) for _ in range(draws.randrange(6))]
    prefixes = PrefixMap(dict(pairs))
    iris = [*texts, *(draws.choice(NAMESPACES) + text for text in texts)]
    compacted = [compact(prefixes, text) for text in iris]
    for text, curie in zip(iris, compacted, strict=True):
        if curie is not None:
            assert str(prefixes.expand(curie)) == text, (text, curie)
    columns: tuple[Array, Array] = prefixes.compact_column(iris), prefixes.expand_column(iris)
    assert columns[0].to_pylist() == compacted
    assert columns[1].to_pylist() == [expand(prefixes, text) for text in iris]

    pieces = [b"<%b>" % text.encode(errors="surrogatepass") for text in iris]
    document = b"".join(piece + draws.choice(BETWEEN) for piece in pieces) + b"\n"
    places = [(invalid.line, invalid.column) for invalid in check_ntriples(BytesIO(document))]
    assert all(before < after for before, after in pairwise(places))
    if _engine.compiled:
        found = {match.span(1) for match in suspects(document, None)}
        stops = {match.span(1) for match in suspects(document)}
        assert stops <= found
        assert all(is_iri(document[slice(*span)].decode()) for span in found - stops)


def compact(prefixes: PrefixMap, text: str) -> str | None:
    """Return the CURIE of an IRI; `None` if the string is invalid or has no CURIE."""
    return prefixes.compact(text) if is_iri(text) else None


def expand(prefixes: PrefixMap, text: str) -> str | None:
    """Return the IRI of a CURIE; `None` if the string has no prefix of the map."""
    try:
        return str(prefixes.expand(text))
    except URIError:
        return None
