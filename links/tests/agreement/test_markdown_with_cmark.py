import html
import re
from itertools import islice
from random import Random

import pytest
from amounts import scaled

from links_conformance.markdown_documents import (
    STARTS,
    cmark_links,
    mutants,
    own_links,
    parsers_agree,
)
from uriverse_links._anchors import render_heading
from uriverse_links._markdown_blocks import Document

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


cmarkgfm = pytest.importorskip("cmarkgfm", reason="needs cmarkgfm (pip install --group test-all)")

PIECES = [
    *("a", "b", " ", "_", "*", "`", "``", "[", "(u)", "![", "](u)", "<b>", "</b>", "&amp;"),
    *("<http://x.y>", "\\*", "\\`", "é", "_c_", "x_y", "[r]", "[r][]", '"', ":", ".", "!"),
]


@pytest.mark.parametrize("seed", range(scaled(4)))
def test_cmark_renders_the_same_text(seed: int) -> None:
    random = Random(seed)
    for _ in range(100):
        written = "".join(random.choices(PIECES, k=random.randint(1, 10)))
        text = f"# x{written}x\n\n[r]: /u\n"
        options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
        rendered = cmarkgfm.github_flavored_markdown_to_html(text, options)
        heading = re.search("<h1>(.*?)</h1>", rendered, re.DOTALL)
        assert heading
        expected = html.unescape(re.sub("<[^>]*>", "", heading[1]))
        document = Document(text)
        # Where emphasis and links overlap, other asterisks remain. Anchors contain none of them.
        found = render_heading(document.source, document.blocks[0])
        assert found.replace("*", "") == expected.replace("*", ""), text
