"""The destinations in HTML are those in the attributes that other HTML parsers see.

One difference is intended: elements that the tree builder drops, such as a form in a form, have
destinations.
"""

from __future__ import annotations

from itertools import islice

import pytest
from html_trees import TREES

from links_conformance.html_documents import PARSERS, STARTS, mutants, own_destinations
from links_conformance.html_mutants import main


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("document", [*STARTS, *TREES])
def test_destinations_are_those_that_a_parser_sees(parser: str, document: str) -> None:
    pytest.importorskip(parser, reason="compares with the trees of other parsers")
    if parser == "html5lib" and ("<template" in document or "<select" in document):
        pytest.skip("html5lib follows older rules")
    assert own_destinations(document) == PARSERS[parser](document)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_mutated_documents_have_the_same_destinations(seed: int) -> None:
    pytest.importorskip("html5lib", reason="compares with the trees of other parsers")
    for document in islice(mutants(seed), 1000):
        assert own_destinations(document) == PARSERS["html5lib"](document)


@pytest.mark.parametrize("seed", range(4))
def test_the_comparison_finds_no_difference(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    for parser in PARSERS:
        pytest.importorskip(parser, reason="compares with the trees of other parsers")
    assert main(["--mutants", "2000", "--seed", str(seed)]) == 0
    assert "0 destinations missed, 0 invented" in capsys.readouterr().out
