"""Deeply nested Markdown takes a linear number of calls, whatever lines follow."""

from __future__ import annotations

from itertools import product

import pytest
from counting import assert_proportional
from nightly import all_but_first

from uriverse import Policy
from uriverse_links import guard, links
from uriverse_links._markdown_blocks import Document

LINES = ["\n", " \n", "b\n", " b\n", "b\n <\n", "    \n", "- b\n", "> b\n"]
LEAVES = ["a\n", "```\n", "<!--\n", "    a\n", "> a\n", "# a\n"]


@pytest.mark.parametrize(("leaf", "lines"), all_but_first(product(LEAVES, LINES)))
def test_lines_after_deep_lists(leaf: str, lines: str) -> None:
    assert_proportional(lambda times: links("- " * times + leaf + lines * times, "markdown"), 200)


@pytest.mark.parametrize("lines", all_but_first(["\n", " \n", "b\n", "    b\n", "[^a]: b\n"]))
def test_lines_after_deep_footnotes(lines: str) -> None:
    assert_proportional(
        lambda times: links("[^a]: - " * times + "b\n" + lines * times + "[^a]", "markdown"), 200
    )


@pytest.mark.parametrize("unit", all_but_first(["[^a [", "![^a", "[^a]", "[^a\n", "![[^a]"]))
def test_nested_references_to_footnotes(unit: str) -> None:
    assert_proportional(
        lambda times: links("[^a]: b\n\n" + unit * times + "](u)" * times, "markdown"), 200
    )


@pytest.mark.parametrize("marker", all_but_first(["> ", ">", "- ", "1. ", "> 2)\t"]))
def test_blocks_are_at_most_100_deep(marker: str) -> None:
    # For each line, pulldown-cmark takes time proportional to the number of open blocks.
    document = marker * 1_000 + "[a](b)\n" + "c\n" * 1_000
    assert Document(document).readable.count(marker.strip()[:1]) <= 100
    assert [link.destination for link in links(document, "markdown")] == ["b"]
    assert "](" not in guard(document, Policy()).replace("]\\(", "")
