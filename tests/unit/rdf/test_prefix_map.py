import pickle
from collections.abc import Callable, Mapping
from copy import copy, deepcopy
from itertools import accumulate

import pytest
from arrow_columns import FORMATS, Chunks, empty, encoded, format_of, strings
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, produced, references

from uriverse import IRI, URI, BuildError, ConvertError, ParseError, URIError
from uriverse.rdf import PrefixMap, _compile_matcher

OBO = "http://purl.obolibrary.org/obo/"
FOAF = "http://xmlns.com/foaf/0.1/"
PREFIXES = PrefixMap({"obo": OBO, "GO": f"{OBO}GO_", "foaf": FOAF, "": "http://a/#"})

#: Characters that prefixes may have.
NAMES = st.text("abcXYZ09.-_é", max_size=4).filter(lambda name: name != "_")


def maps() -> st.SearchStrategy[PrefixMap]:
    """Maps whose namespaces are often nested, because they are prefixes of a few IRIs."""
    some = st.sampled_from(["http://a/b#c/d_e", "http://a/x/y?z=", "urn:a:b:c"])
    cut = st.tuples(some, st.integers(5, 20)).map(lambda pair: pair[0][: pair[1]])
    namespaces = st.one_of(cut, produced("IRI")).filter(is_namespace)
    return st.dictionaries(NAMES, namespaces, max_size=8).map(PrefixMap)


def is_namespace(text: str) -> bool:
    try:
        return bool(IRI(text))
    except ParseError:
        return False


def error_of(function: Callable[[str], object], text: str) -> URIError | None:
    try:
        function(text)
    except URIError as error:
        return error
    return None


@given(maps(), st.data())
def test_the_curie_of_an_iri_expands_to_that_iri(prefixes: PrefixMap, data: st.DataObject) -> None:
    starts = st.sampled_from([str(namespace) for namespace in prefixes.values()] or ["a:"])
    iri = data.draw(
        st.one_of(
            produced("IRI"), st.tuples(starts, st.one_of(references(), st.just("//x"))).map("".join)
        )
    )
    if not is_namespace(iri):
        with pytest.raises(ParseError):
            prefixes.compact(iri)
        return
    curie = prefixes.compact(iri)
    if curie is not None:
        assert (str(prefixes.expand(curie)), str(prefixes.expand(f"[{curie}]"))) == (iri, iri)
    wanted = [
        str(namespace)
        for namespace in prefixes.values()
        if iri.startswith(str(namespace)) and not iri.startswith("//", len(str(namespace)))
    ]
    longest = max(wanted, key=len, default=None)
    first = next((p for p, namespace in prefixes.items() if str(namespace) == longest), None)
    assert curie == (None if longest is None else f"{first}:{iri[len(longest) :]}")


@given(maps(), st.one_of(hostile(), references(), st.text(":/_[]<>ab", max_size=6)))
def test_strings_raise_only_errors_of_the_package(prefixes: PrefixMap, text: str) -> None:
    for method in (prefixes.expand, prefixes.compact):
        error = error_of(method, text)
        if error is not None:
            assert isinstance(error, ConvertError | ParseError)
            assert 0 <= error.position <= len(error.text)
            assert str(error)


@given(st.dictionaries(NAMES, produced("IRI"), max_size=5))
def test_namespaces_stay_unchanged(given_map: dict[str, str]) -> None:
    based = PrefixMap(given_map, base="http://base/a/b")
    for prefixes in (PrefixMap(given_map), based, PrefixMap(based)):
        assert {prefix: str(iri) for prefix, iri in prefixes.items()} == given_map


def test_expand_accepts() -> None:
    for curie, iri in [
        *(("foaf:name", f"{FOAF}name"), ("foaf:", FOAF), (":name", "http://a/#name")),
        *((":", "http://a/#"), ("foaf:a:b", f"{FOAF}a:b"), ("foaf:/a", f"{FOAF}/a")),
        *(("foaf:a//b", f"{FOAF}a//b"), ("foaf:../a", f"{FOAF}../a"), ("foaf:é", f"{FOAF}é")),
        *(("[foaf:name]", f"{FOAF}name"), ("[:]", "http://a/#"), ("<http://b/>", "http://b/")),
        ("<a:../b>", "a:../b"),
        (r"<http://b/\u00E9\U0001F600>", "http://b/é😀"),
    ]:
        assert str(PREFIXES.expand(curie)) == iri
    # `expand` returns a URI for ASCII and otherwise an IRI.
    assert type(PREFIXES.expand("foaf:a")) is URI
    assert type(PREFIXES.expand("<a:b>")) is URI
    assert type(PREFIXES.expand("foaf:é")) is IRI
    assert type(PREFIXES["foaf"]) is URI


def test_expand_rejects() -> None:
    for curie, position, reason in [
        *(("", 0, "missing colon"), ("name", 4, "missing colon"), ("other:a", 0, "unknown prefix")),
        *(("FOAF:a", 0, "unknown prefix"), ("http://xmlns.com/", 5, "unexpected")),
        *(("foaf://a", 5, "unexpected"), ("_:b0", 0, "unexpected blank node")),
        *(("[_:b0]", 1, "unexpected blank node"), ("[other:a]", 1, "unknown prefix")),
        *(("[name]", 5, "missing colon"), ("[[foaf:a]]", 0, "unknown prefix")),
        *(("[foaf:a", 0, "unknown prefix"), ("[<a:b>]", 0, "unknown prefix")),
    ]:
        with pytest.raises(ConvertError, match=f"^{reason}") as caught:
            PREFIXES.expand(curie)
        assert (caught.value.text, caught.value.position) == (curie, position)
    # A result that is not an IRI is rejected with its position.
    with pytest.raises(ParseError, match=r"^invalid space in path") as invalid:
        PREFIXES.expand("foaf:a b")
    assert (invalid.value.text, invalid.value.position) == (f"{FOAF}a b", len(FOAF) + 1)
    with pytest.raises(ParseError):
        PREFIXES.expand(":a#b")
    with pytest.raises(ParseError, match=r"^missing scheme"):
        PREFIXES.expand("<a>")
    with pytest.raises(ParseError, match=r"^invalid space"):
        PREFIXES.expand(r"<a:\u0020>")
    # A string with two slashes after the colon is never a CURIE.
    web = PrefixMap({"http": "urn:example:", "urn": "http://urn.example/"})
    assert str(web.expand("urn:a")) == "http://urn.example/a"
    assert str(web.expand("http:a")) == "urn:example:a"
    assert str(web.expand("http:/a")) == "urn:example:/a"
    with pytest.raises(ConvertError):
        web.expand("http://a")
    # CURIEs and IRIs of other types are rejected.
    for wrong in (None, 1, b"foaf:a", ["foaf:a"]):
        with pytest.raises(TypeError, match="expected a str"):
            PREFIXES.expand(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="expected a str"):
            PREFIXES.compact(wrong)  # type: ignore[arg-type]
    # `compact` rejects strings that are not IRIs.
    for text in ("", "a", f"{FOAF} ", "//xmlns.com/foaf/0.1/"):
        with pytest.raises(ParseError):
            PREFIXES.compact(text)


def test_the_longest_namespace_determines_the_prefix() -> None:
    assert PREFIXES.compact(f"{OBO}GO_0032571") == "GO:0032571"
    assert (PREFIXES.compact(f"{OBO}GO_"), PREFIXES.compact(f"{OBO}GO")) == ("GO:", "obo:GO")
    assert PREFIXES.compact(OBO) == "obo:"
    assert PREFIXES.compact(OBO[:-1]) is None
    assert PREFIXES.compact(URI("http://a/#b")) == ":b"
    assert PrefixMap().compact("a:b") is None
    # The first of several prefixes with the same namespace is used.
    assert PrefixMap({"b": "x:y", "a": "x:y"}).compact("x:yz") == "b:z"
    assert PrefixMap([("a", "x:y"), ("b", "x:y"), ("a", "x:z")]).compact("x:yz") == "b:z"
    # Deeply nested namespaces are found.
    nested = list(accumulate("a" * 2000, initial="http://a/"))
    prefixes = PrefixMap({f"p{number}": text for number, text in enumerate(nested)})
    assert prefixes.compact(f"{nested[700]}b") == "p700:b"
    assert prefixes.compact(f"{nested[-1]}aa") == "p2000:aa"
    assert prefixes.compact(f"{nested[700]}//b") == "p699:a//b"
    assert prefixes.compact("http://b/") is None


def test_a_namespace_before_two_slashes_is_ignored() -> None:
    prefixes = PrefixMap({"a": "http:", "b": "http://x", "c": "http://x/y"})
    expected: dict[str, str | None] = dict(
        [
            *(("http://z", None), ("http://x//y", None), ("http://x//", None), ("http:///", None)),
            *(("http://x/y//z", "b:/y//z"), ("http://x/y//", "b:/y//"), ("http://x/y/", "c:/")),
            *(("http://x/", "b:/"), ("http://x/y/?/", "c:/?/"), ("http://x", "b:")),
        ]
    )
    assert {text: prefixes.compact(text) for text in expected} == expected
    assert prefixes.compact_column([*expected]).to_pylist() == [*expected.values()]


@given(
    st.sets(st.text("ab", min_size=1, max_size=60), min_size=1, max_size=80),
    st.text("ab/", max_size=70),
)
def test_longest_match_finds_the_longest_string(namespaces: set[str], text: str) -> None:
    fitting = [n for n in namespaces if text.startswith(n) and not text.startswith("//", len(n))]
    match = _compile_matcher(namespaces)(text)
    assert (match and match[0]) == max(fitting, key=len, default=None)


def test_prefixes_and_namespaces_are_validated() -> None:
    for prefix in ["_", "a:b", "a b", "[a", "<a", 'a"', "a\n"]:
        with pytest.raises(BuildError) as caught:
            PrefixMap({prefix: "a:b"})
        assert caught.value.text == prefix
    # Namespaces must be IRIs.
    for namespace in ("", "a", "http://a/ ", "http://["):
        with pytest.raises(ParseError):
            PrefixMap({"a": namespace})
    with pytest.raises(TypeError):
        PrefixMap({"a": None})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a prefix must be a str, not int"):
        PrefixMap({1: "a:b"})  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        PrefixMap(base="a")
    # A prefix contains no surrogates.
    with pytest.raises(BuildError, match="invalid character in prefix"):
        PrefixMap({"\ud800": "a:"})


def test_relative_references_are_resolved_against_the_base() -> None:
    prefixes = PrefixMap({"": "#", "up": "../x/"}, base="http://a/b/c")
    assert str(prefixes.expand(":d")) == "http://a/b/c#d"
    assert str(prefixes.expand("up:d")) == "http://a/x/d"
    assert str(prefixes.expand("<d>")) == "http://a/b/d"
    assert str(prefixes.expand("<>")) == "http://a/b/c"
    assert str(prefixes.expand("<http:d>")) == "http:d"
    assert str(prefixes.expand("<x:/a/../b>")) == "x:/a/../b"
    assert str(prefixes.expand(r"<\u00E9>")) == "http://a/b/é"
    assert prefixes.base == URI("http://a/b/c")
    with pytest.raises(ParseError):
        prefixes.expand("<a b>")


def test_a_map_is_a_mapping_with_value_semantics() -> None:
    pairs = {"a": "x:y", "b": "x:z"}
    prefixes = PrefixMap(pairs)
    assert isinstance(prefixes, Mapping)
    assert (dict(prefixes), len(prefixes)) == ({"a": URI("x:y"), "b": URI("x:z")}, 2)
    assert "a" in prefixes
    assert "c" not in prefixes
    assert (prefixes, hash(prefixes)) == (PrefixMap(pairs), hash(PrefixMap(pairs)))
    assert prefixes != PrefixMap(pairs, base="x:")
    assert prefixes != pairs
    based = PrefixMap(pairs, base="x:")
    for other in (pickle.loads(pickle.dumps(based)), copy(based), deepcopy(based)):
        assert other == based
    assert repr(based) == "PrefixMap({'a': 'x:y', 'b': 'x:z'}, base='x:')"
    assert "secret" not in repr(PrefixMap({"a": "http://me:secret@a/"}))
    with pytest.raises(AttributeError):
        prefixes.other = 1  # type: ignore[attr-defined]


def test_directives_are_read_in_their_order() -> None:
    prefixes = PrefixMap.from_turtle(
        """# <a comment> @prefix
        @version "1.2" .
        VERSION '1.2'
        @prefix a: <http://a/> .  # another comment
        @base <http://b/c/>.
        pReFiX b:<d#>
        BASE<../e/>
        @prefix : <f\\u00E9#> .
        @prefix a: <>.
        @base <//g> .
        prefix:x a a:y .
        @prefix late: <http://late/> .
        """
    )
    assert {prefix: str(iri) for prefix, iri in prefixes.items()} == {
        "a": "http://b/e/",
        "b": "http://b/c/d#",
        "": "http://b/e/fé#",
    }
    assert str(prefixes.base) == "http://g"
    # A SPARQL prologue is read.
    query = "BASE <http://a/>\nPREFIX b: <c/>\nSELECT * { ?s b:d <e> }"
    prefixes = PrefixMap.from_turtle(query)
    assert [str(prefixes.expand(term)) for term in ("b:d", "<e>")] == ["http://a/c/d", "http://a/e"]
    # A document without directives gives an empty map.
    for text in ["", " \n# only a comment", "<a:b> <a:c> <a:d> .", "base:a a a:b"]:
        assert PrefixMap.from_turtle(text) == PrefixMap()
        assert PrefixMap.from_turtle(text, base="a:b").base == URI("a:b")
    # A byte order mark before directives is ignored.
    assert dict(PrefixMap.from_turtle("\ufeff@prefix a: <b:> .")) == {"a": IRI("b:")}


def test_an_invalid_directive_is_rejected() -> None:
    for text, position, reason in [
        ("@prefix a <a:> .", 8, 'invalid directive: expected a prefix that ends with ":"'),
        ("@prefix a: a .", 11, 'invalid directive: expected an IRI between "<" and ">"'),
        ("@prefix a: <a:>", 15, "invalid directive: expected a dot"),
        ("@base <a:> PREFIX b: <c:>", 11, "invalid directive: expected a dot"),
        ("@base <a\n>", 6, "invalid directive: expected an IRI"),
        ("@version 1 .", 9, "invalid directive: expected a version in quotation marks"),
        *(("BASE <a>", 7, "missing scheme"), ("BASE <a:> PREFIX b: <c d>", 22, "invalid space")),
        ("PREFIX b: <c:\\u002>", 13, "invalid escape"),
    ]:
        with pytest.raises(ParseError) as caught:
            PrefixMap.from_turtle(text)
        assert caught.value.reason.startswith(reason)
        assert (caught.value.text, caught.value.position) == (text, position)
    # The position of an error counts escapes as written.
    for start in ["", r"\u0041", r"\u0041\U00000042"]:
        with pytest.raises(ParseError) as caught:
            PrefixMap.from_turtle(rf"BASE <a:{start}%zz\u0043>")
        assert caught.value.position == len(f"BASE <a:{start}%")


@pytest.mark.parametrize("start", ["", r"\u0041", r"\u0041\U00000042"])
@pytest.mark.parametrize("invalid", [r"\u0020", r"\U0000003c", r"\u007b"])
def test_an_invalid_character_has_the_position_of_its_escape(start: str, invalid: str) -> None:
    before = f"a:{start}"
    with pytest.raises(ParseError) as caught:
        PREFIXES.expand(rf"<{before}{invalid}b\u0043>")
    assert caught.value.position == len(before)
    with pytest.raises(ParseError) as caught:
        PrefixMap.from_turtle(rf"BASE <{before}{invalid}b\u0043>")
    assert caught.value.position == len(f"BASE <{before}")


@given(st.one_of(hostile(), st.text("@prefixbase<>: .#\n\\u0", max_size=40)))
def test_any_document_gives_a_map_or_an_error_of_the_package(text: str) -> None:
    for start in ("", "@prefix ", "PREFIX a: <", "@base <"):
        error = error_of(PrefixMap.from_turtle, start + text)
        if isinstance(error, BuildError):
            assert error.text == "_"
        elif error is not None:
            assert isinstance(error, ParseError)
            assert 0 <= error.position <= len(start + text)


def test_columns_keep_nulls_and_get_nulls_for_invalid_rows() -> None:
    curies = ["foaf:a", None, "other:a", "foaf:a b", "a", "[GO:1]", ":é"]
    iris = [f"{FOAF}a", None, None, None, None, f"{OBO}GO_1", "http://a/#é"]
    assert PREFIXES.expand_column(curies).to_pylist() == iris
    given_iris = [f"{FOAF}a", None, "a:b", "a", f"{FOAF}a b", f"{OBO}GO_1"]
    assert PREFIXES.compact_column(given_iris).to_pylist() == ["foaf:a", *[None] * 4, "GO:1"]
    assert PREFIXES.compact_column([]).to_pylist() == []
    # Values of a dictionary are computed once.
    column = encoded(["foaf:a", "x", None, "foaf:a"])
    assert PREFIXES.expand_column(column).to_pylist() == [f"{FOAF}a", None, None, f"{FOAF}a"]
    with pytest.raises(TypeError, match="cast it to string"):
        PREFIXES.expand_column(empty("l"))
    with pytest.raises(ValueError, match="unknown layout"):
        PREFIXES.compact_column([], layout="other")  # type: ignore[arg-type]
    # Rows that are not UTF-8 become null.
    column = strings([FOAF.encode() + b"\xff", b"foaf:\xff", b"foaf:a", None, b""], "z")
    assert PREFIXES.expand_column(column).to_pylist() == [None, None, f"{FOAF}a", None, None]
    assert PREFIXES.compact_column(column).to_pylist() == [None] * 5
    # Columns of any layout and with chunks are accepted.
    for layout in FORMATS:
        chunks = Chunks(["foaf:a", None], [], ["GO:1", "x"], layout=layout)
        expanded = PREFIXES.expand_column(chunks)
        assert expanded.to_pylist() == [f"{FOAF}a", None, f"{OBO}GO_1", None]
        assert PREFIXES.compact_column(expanded).to_pylist() == ["foaf:a", None, "GO:1", None]
        assert format_of(PREFIXES.expand_column(chunks, layout="large_string")) == "U"


@given(maps(), st.lists(st.one_of(hostile(), references(), st.text(":/_[]<>abé", max_size=6))))
def test_columns_have_the_results_of_the_methods(prefixes: PrefixMap, tails: list[str]) -> None:
    starts = [*map(str, prefixes.values()), *(f"{prefix}:" for prefix in prefixes), ""]
    texts = [f"{start}{tail}" for tail in tails for start in starts]
    texts = [text for text in texts if not any("\ud800" <= c <= "\udfff" for c in text)]
    for method, column in (
        *((prefixes.expand, prefixes.expand_column), (prefixes.compact, prefixes.compact_column)),
    ):
        wanted = [None if error_of(method, text) else method(text) for text in texts]
        rows = [None if value is None else str(value) for value in wanted]
        assert column(texts).to_pylist() == rows
        assert column(strings(texts, "string_view")).to_pylist() == rows
