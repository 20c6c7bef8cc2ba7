"""Which IRIs are found in Turtle and N-Triples."""

from __future__ import annotations

import pytest

from uriverse import ParseError
from uriverse_links import links
from uriverse_links._rdf import find

FOUND: dict[str, list[tuple[str, str]]] = {
    "<a:s> <a:p> <a:o> .\n": [("a:s", "link"), ("a:p", "link"), ("a:o", "link")],
    "@base <http://a/> .\n@prefix é: <#> . BASE <b>\nprefix : # c\n <c>": [
        *(("http://a/", "base"), ("#", "definition"), ("b", "base"), ("c", "definition"))
    ],
    "prefix:a ex:base <a> , base:b <b> .": [("a", "link"), ("b", "link")],
    '"<no>" \'<no>\' """"<no>""" \'\'\'<\n\'no>\'\'\' "\\"<no>"@en # <no>\n <a>': [("a", "link")],
    "<\\u00e9\\U0001F600> <> <a b>": [("é😀", "link"), ("", "link"), ("a b", "link")],
    "<<( <a> <b> <c> )>> <<<a> <b> <c>>>": [(c, "link") for c in "abcabc"],
    "GRAPH <g> { :s :p <<:a :b :c>> . <<ex:a <b> 'c' >> :p <d> . }": [
        *(("g", "link"), ("b", "link"), ("d", "link"))
    ],
    "_:b <p> '''<no>''' . # it's <no>\n<s> a 'x'^^<t>, 1.5e3, true .": [
        *(("p", "link"), ("s", "link"), ("t", "link"))
    ],
    "ex:a\\,b\\'<a>": [("a", "link")],
}
INVALID = {"<a> <b": 4, '<a> "b\n"': 4, "'''a''": 0, "@prefix x .": 0, "<a\n>": 0, "base x": 0}


@pytest.mark.parametrize("document", FOUND, ids=ascii)
def test_iris_between_angle_brackets_are_destinations(document: str) -> None:
    assert [(each.destination, each.kind) for each in find(document)] == FOUND[document]


@pytest.mark.parametrize("document", INVALID, ids=ascii)
def test_incomplete_tokens_are_rejected(document: str) -> None:
    with pytest.raises(ParseError) as caught:
        list(find(document))
    assert caught.value.position == INVALID[document]


def test_each_base_applies_to_the_iris_after_it() -> None:
    document = "<1> a <2> . @base </b/> . <3> a <4> . BASE <c/> <5> a <6> ."
    targets = [str(link.target) for link in links(document, "turtle", base="http://a/")]
    assert targets == [
        *("http://a/1", "http://a/2", "http://a/b/", "http://a/b/3", "http://a/b/4"),
        *("http://a/b/c/", "http://a/b/c/5", "http://a/b/c/6"),
    ]
