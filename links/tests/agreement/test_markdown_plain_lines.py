"""Patterns for whole lines of Markdown find the same blocks as the reader of single lines."""

from __future__ import annotations

from itertools import islice

import pytest

from links_conformance.markdown_documents import STARTS, mutants
from uriverse_links._markdown import normalized
from uriverse_links._markdown_blocks import Blocks

#: Documents whose lines are mostly those that one pattern recognizes.
LINES = (
    "# a #\n\nb\nc [d](e)\n\n    f\n\n    g\nh\n===\n\n<!-- i\n\n-->\n<p>\nj\n\n```k\nl\n\n```\n",
    "- a\n- b\n  c\n   d\n\n  e\n- f\n  - g\n  - h\n    i\n * j\n+ k\n",
    "1. a\n2. b\n   c\n1) d\ne\n1. f\ng\n2. h\n- i\n    - j\n      - k\n     - l\n",
    "> a\nb\n  c\n> - d\n> e\n\n> f\n\n-\n\n  g\n-\n   \n   h\n- # i\n- j\n\n\n  k\n",
    "| a |\n|-|\n| b |\nc\n\n- | a |\n  |-|\n  | [d](e) |\nf\n",
)


class ByLine(Blocks):
    """Reads every line by itself."""

    def read_plain(self, position: int) -> int:
        return position


def blocks_of(blocks: Blocks) -> object:
    """Return the text of all blocks, the definitions, and the code."""
    texts = [(content.text.strip("\n"), content.is_html) for content in blocks.contents]
    # White space is neither code nor a link.
    code = "".join(blocks.source[start:end] for start, end in blocks.code).split()
    infos = [blocks.source[start:end] for start, end in blocks.infos]
    found = [text for text in texts if text[0]]
    return found, blocks.definitions, "".join(code), infos, blocks.ends_in_code


@pytest.mark.parametrize("document", [*LINES, *STARTS])
def test_both_readers_find_the_same_blocks(document: str) -> None:
    assert blocks_of(Blocks(document)) == blocks_of(ByLine(document))


@pytest.mark.parametrize("seed", range(4))
def test_both_readers_find_the_same_blocks_in_mutants(seed: int) -> None:
    for mutant in islice(mutants([*STARTS, *LINES * 3], seed), 500):
        document = f"{normalized(mutant)}\n"
        assert blocks_of(Blocks(document)) == blocks_of(ByLine(document)), document
