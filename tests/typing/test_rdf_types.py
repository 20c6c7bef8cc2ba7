"""Type checkers infer these types for `uriverse.rdf`; the file is type-checked and also run."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, assert_type

from uriverse import IRI, URI, ParseError
from uriverse.rdf import InvalidIRI, PrefixMap, check_ntriples

if TYPE_CHECKING:
    from uriverse.columns import Array


def test_a_prefix_map_maps_strings_to_iris() -> None:
    prefixes = PrefixMap({"a": "http://a/"}, base=URI("http://b/"))
    assert_type(prefixes, PrefixMap)
    assert_type(prefixes["a"], IRI)
    assert_type(dict(prefixes), dict[str, IRI])
    assert_type(prefixes.base, IRI | None)
    assert_type(prefixes.expand("a:b"), IRI)
    assert_type(prefixes.compact("http://a/b"), str | None)
    assert_type(PrefixMap.from_turtle(""), PrefixMap)
    PrefixMap([("a", URI("a:b"))])
    PrefixMap(prefixes)


def test_columns_are_arrays() -> None:
    prefixes = PrefixMap()

    def columns() -> Array:
        assert_type(prefixes.expand_column([]), "Array")
        return prefixes.compact_column([], layout="large_string")

    assert len(columns()) == 0


def test_the_check_yields_invalid_iris(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_bytes(b"<a>")
    assert_type(check_ntriples(tmp_path / "a.nt"), Iterator[InvalidIRI])
    for invalid in check_ntriples(BytesIO(b"<a>")):
        assert_type(invalid, InvalidIRI)
        assert_type(invalid.line, int)
        assert_type(invalid.error, ParseError)
        assert_type(invalid.reason, str)
