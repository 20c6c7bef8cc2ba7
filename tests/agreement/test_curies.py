"""Prefix maps agree with the `curies` package, except for documented deviations."""

import pytest
from curies import Converter
from hypothesis import assume, given
from hypothesis import strategies as st

from uriverse import ConvertError, ParseError, URIError, is_iri
from uriverse.rdf import PrefixMap

OBO = "http://purl.obolibrary.org/obo/"

#: The prefix map in the documentation of `curies`, on which its tests of conversions are based.
MAP = {
    "CHEBI": f"{OBO}CHEBI_",
    "MONDO": f"{OBO}MONDO_",
    "GO": f"{OBO}GO_",
    "OBO": OBO,
    "chebi.search": "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:",
    "3dmet": "http://example.org/3dmet/",
}


def convert(prefixes: PrefixMap, curie: str) -> str | None:
    """Expand a CURIE as `Converter.expand` does: `None` if that is not possible."""
    try:
        return str(prefixes.expand(curie))
    except ConvertError:
        return None


def test_curies_are_expanded_to_the_same_iris() -> None:
    for curie in [
        *("CHEBI:1", "OBO:unnamespaced", "GO:0032571", "GO:", "OBO:go.owl", "OBO:GO_1", "OBO:a:b"),
        *("missing:00000", "nope:", ":nope", "go:1", "chebi:138488", "3dmet:B00162"),
        *("chebi.search:138488", "CHEBI:é", "CHEBI:/a", "CHEBI:?a#b", "missing:"),
    ]:
        assert convert(PrefixMap(MAP), curie) == Converter.from_prefix_map(MAP).expand(curie)


def test_iris_are_compacted_to_the_same_curies() -> None:
    for iri in [
        *(f"{OBO}CHEBI_1", f"{OBO}unnamespaced", f"{OBO}GO_0032571", f"{OBO}go.owl", OBO),
        *(f"{OBO}GO_", f"{OBO}GO", f"{OBO}XXX_1", f"{OBO}CHEBI"),
        "http://example.org/missing:00000",
        *("https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:138488", f"{OBO}a#b?c"),
        *("http://purl.obolibrary.org/ob", "http://example.org/3dmet/é"),
    ]:
        assert PrefixMap(MAP).compact(iri) == Converter.from_prefix_map(MAP).compress(iri)


NAMES = st.text("abXY1.-", min_size=1, max_size=3)
TAILS = st.text("ab/#_:?é", max_size=6)


@given(st.dictionaries(NAMES, TAILS, max_size=6), st.lists(TAILS, max_size=6), NAMES)
def test_both_agree_on_random_maps(tails: dict[str, str], references: list[str], name: str) -> None:
    # A converter requires distinct namespaces.
    namespaces = {f"http://a/{tail}": prefix for prefix, tail in tails.items()}
    given_map = {prefix: iri for iri, prefix in namespaces.items()}
    assume(all(map(is_iri, namespaces)))
    ours, theirs = PrefixMap(given_map), Converter.from_prefix_map(given_map)
    for reference in references:
        if reference.startswith("//"):
            continue
        iri = f"http://a/{reference}"
        found = theirs.compress(iri)
        if is_iri(iri) and not (found or "").partition(":")[2].startswith("//"):
            assert ours.compact(iri) == found
        curie = f"{name}:{reference}"
        expanded = theirs.expand(curie)
        try:
            assert convert(ours, curie) == expanded
        except ParseError:
            assert not is_iri(str(expanded))


def test_deviations_have_reasons() -> None:
    ours, theirs = PrefixMap(MAP), Converter.from_prefix_map(MAP)
    # The result of `expand` is a valid IRI.
    assert theirs.expand("GO:a b") == f"{OBO}GO_a b"
    with pytest.raises(URIError, match="invalid space"):
        ours.expand("GO:a b")
    # `compact` rejects strings that are not IRIs.
    assert theirs.compress(f"{OBO}GO_a b") == "GO:a b"
    with pytest.raises(URIError, match="invalid space"):
        ours.compact(f"{OBO}GO_a b")
    # A string without a colon raises an error of the package.
    with pytest.raises(ValueError, match="missing a delimiter"):
        theirs.expand("GO")
    with pytest.raises(ConvertError, match="missing colon"):
        ours.expand("GO")
    # A reference does not start with "//", so that IRIs and CURIEs differ (RDFa Core 1.1, 6).
    assert theirs.expand("OBO://a") == f"{OBO}//a"
    assert theirs.compress(f"{OBO}//a") == "OBO://a"
    assert convert(ours, "OBO://a") is None
    assert ours.compact(f"{OBO}//a") is None
    # Several prefixes can have the same namespace.
    same = {"a": "x:y", "b": "x:y"}
    with pytest.raises(ValueError, match="Duplicate"):
        Converter.from_prefix_map(same)
    assert PrefixMap(same).compact("x:yz") == "a:z"
    # The first prefix of the map is used, not the last one of the alphabet.
    assert Converter.from_prefix_map(same, strict=False).compress("x:yz") == "b:z"
    # Safe CURIEs, and IRIs in angle brackets.
    assert convert(ours, "[GO:1]") == f"{OBO}GO_1"
    assert theirs.expand("[GO:1]") is None
