"""A value keeps exactly the string that it was parsed from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TYPES, produced, texts

from uriverse import IRI, URI, IRIReference, URIReference, parse

KINDS = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}


@given(st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), produced(rule))))
def test_str_returns_the_string_that_was_parsed(case: tuple[str, str]) -> None:
    rule, text = case
    assert str(KINDS[rule](text)) == text
    assert str(parse(text)) == text


@given(texts())
def test_any_string_is_rejected_or_kept_unchanged(text: str) -> None:
    value = IRIReference.try_parse(text)
    assert value is None or str(value) == text


@pytest.mark.parametrize(
    "text",
    [
        "HTTP://EXAMPLE.ORG/%7Euser",
        "http://EXAMPLE.org:080/a/../b/./c",
        "http://a/%c3%a9é",
        "http://a:/",
        "http://@a/",
        "http://[2001:DB8:0:0:0:0:0:1]/",
        "http://e\u0301/\u00e9",
        "?",
        "#",
        "?#",
        "//",
        "",
    ],
)
def test_parsing_never_repairs_lowercases_or_encodes(text: str) -> None:
    value = parse(text)
    assert str(value) == text
    assert f"{value}" == text
    recomposed = [value.scheme and value.scheme + ":", value.authority, value.path]
    assert all(part is None or part in text for part in recomposed)
