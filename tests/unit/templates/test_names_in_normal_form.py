"""Names are compared in normal form, and queries that may lack their question mark are reported."""

from __future__ import annotations

from typing import Any

import pytest

from uriverse.templates import Router, Template


def test_a_name_with_percent_encoded_triplets_matches() -> None:
    values: Any
    for text, values in [
        *(("{?%41}", {"%41": "x"}), ("{;%41}", {"%41": "x"}), ("{?%41*}", {"%41": ["x", "y"]})),
        ("{?%2f%c3%a9}", {"%2f%c3%a9": "x"}),
    ]:
        template = Template(text)
        for uri in (template.expand(values), template.expand(values).normalize()):
            match = template.match(uri)
            assert match is not None
            assert match.variables == values
    # A string with a lone surrogate has no route.
    router = Router({"page": "/{name}"})
    assert router.match("/\ud800") is None
    assert router.match("/\xe9") is None
    assert router.match("/%C3%A9") == ("page", {"name": "\xe9"})


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("{?a}{&b}", ("b is not part of the query if a is undefined",)),
        ("{?a,c}/{&b}", ("b is not part of the query if a and c are undefined",)),
        *(("?x=1{&b}", ()), ("{?a}", ()), ("{&b}", ()), ("/{x}{?a}", ())),
    ],
)
def test_a_query_that_may_begin_with_an_ampersand_is_ambiguous(
    text: str, reasons: tuple[str, ...]
) -> None:
    found = [each for each in Template(text).ambiguities if "part of the query" in each]
    assert tuple(found) == reasons
