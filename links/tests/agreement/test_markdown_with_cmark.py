"""The links in Markdown are those that cmark-gfm renders."""

from __future__ import annotations

from itertools import islice

import pytest

from links_conformance.markdown_documents import STARTS, cmark_links, mutants, own_links

pytest.importorskip("cmarkgfm", reason="needs cmarkgfm (pip install --group test-all)")


@pytest.mark.parametrize("document", STARTS)
def test_cmark_finds_the_same_links(document: str) -> None:
    assert own_links(document) == cmark_links(document)


@pytest.mark.parametrize("seed", range(4))
def test_cmark_finds_the_same_links_in_mutants(seed: int) -> None:
    for document in islice(mutants(STARTS, seed), 250):
        assert own_links(document) == cmark_links(document), document
