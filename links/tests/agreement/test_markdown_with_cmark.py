"""The links in Markdown are those that cmark-gfm renders, if pulldown-cmark agrees with it."""

from __future__ import annotations

from itertools import islice

import pytest

from links_conformance.markdown_documents import (
    STARTS,
    cmark_links,
    mutants,
    own_links,
    parsers_agree,
)

pytest.importorskip("cmarkgfm", reason="needs cmarkgfm (pip install --group test-all)")


@pytest.mark.parametrize("document", STARTS)
def test_cmark_finds_the_same_links(document: str) -> None:
    # In a paragraph, pulldown-cmark 0.13 reads no CDATA section that contains a bracket.
    document = document.replace("<![CDATA[[a](b)]]>", "<![CDATA[a](b)>")
    assert own_links(document) == cmark_links(document)


@pytest.mark.parametrize("seed", range(4))
def test_cmark_finds_the_same_links_in_mutants(seed: int) -> None:
    documents = list(filter(parsers_agree, islice(mutants(STARTS, seed), 400)))
    assert len(documents) > 200
    for document in documents:
        assert own_links(document) == cmark_links(document), document
