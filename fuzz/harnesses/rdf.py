"""Prefix maps invert what they compact, and columns have the results of single rows."""

from __future__ import annotations

from draws import Draws

from uriverse import URIError, is_iri
from uriverse.columns import Array
from uriverse.rdf import PrefixMap

#: Prefixes and namespaces; some namespaces are nested or equal.
PREFIXES = ("a", "b", "A", "", "http", "a.b", "_x")
NAMESPACES = ("http://a/", "http://a/b#", "http://a/b", "urn:a:", "http://é/", "a:", "http://a/")


def check(data: bytes) -> None:
    """Compact and expand IRIs."""
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


def compact(prefixes: PrefixMap, text: str) -> str | None:
    """Return the CURIE of an IRI; `None` if the string is invalid or has no CURIE."""
    return prefixes.compact(text) if is_iri(text) else None


def expand(prefixes: PrefixMap, text: str) -> str | None:
    """Return the IRI of a CURIE; `None` if the string has no prefix of the map."""
    try:
        return str(prefixes.expand(text))
    except URIError:
        return None
