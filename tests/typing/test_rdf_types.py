"""Type checkers infer these types for `uriverse.rdf`; the file is type-checked and also run."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_type

from uriverse import IRI, URI
from uriverse.rdf import PrefixMap

if TYPE_CHECKING:
    from uriverse.columns import Array


def test_a_prefix_map_maps_strings_to_iris() -> None:
    prefixes = PrefixMap({"a": "http://a/"}, base=URI("http://b/"))
    assert_type((prefixes, prefixes["a"], dict(prefixes)), tuple[PrefixMap, IRI, dict[str, IRI]])
    assert_type((prefixes.base, prefixes.expand("a:b")), tuple[IRI | None, IRI])
    assert_type(prefixes.compact("http://a/b"), str | None)
    assert_type(PrefixMap.from_turtle(""), PrefixMap)
    PrefixMap([("a", URI("a:b"))])
    PrefixMap(prefixes)
    # Columns are arrays.
    prefixes = PrefixMap()

    def columns() -> Array:
        assert_type(prefixes.expand_column([]), "Array")
        return prefixes.compact_column([], layout="large_string")

    assert len(columns()) == 0
