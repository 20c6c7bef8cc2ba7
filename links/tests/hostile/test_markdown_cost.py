"""Deeply nested Markdown takes a linear number of calls, whatever lines follow."""

from __future__ import annotations

import pytest
from counting import assert_proportional

from uriverse_links import links


@pytest.mark.parametrize(
    "lines", ["\n", " \n", "b\n", " b\n", "b\n <\n", "    \n", "- b\n", "> b\n"]
)
@pytest.mark.parametrize("leaf", ["a\n", "```\n", "<!--\n", "    a\n", "> a\n", "# a\n"])
def test_lines_after_deep_lists(leaf: str, lines: str) -> None:
    assert_proportional(lambda times: links("- " * times + leaf + lines * times, "markdown"), 200)


@pytest.mark.parametrize("lines", ["\n", " \n", "b\n", "    b\n", "[^a]: b\n"])
def test_lines_after_deep_footnotes(lines: str) -> None:
    assert_proportional(
        lambda times: links("[^a]: - " * times + "b\n" + lines * times + "[^a]", "markdown"), 200
    )


@pytest.mark.parametrize("unit", ["[^a [", "![^a", "[^a]", "[^a\n", "![[^a]"])
def test_nested_references_to_footnotes(unit: str) -> None:
    assert_proportional(
        lambda times: links("[^a]: b\n\n" + unit * times + "](u)" * times, "markdown"), 200
    )
