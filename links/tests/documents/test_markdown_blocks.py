"""`links` finds the blocks of Markdown in which links are read."""

from __future__ import annotations

import pytest

from uriverse_links import links


def destinations(document: str) -> list[str]:
    return [link.destination for link in links(document, "markdown")]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # Items of lists
        ("- [a](b)\n- [c](d)\n  [e](f)\n", ["b", "d", "f"]),
        ("- a\n\n      [b](c)\n      [d](e)\n\n  [f](g)\n", ["g"]),
        ("a\n- [b](c)\n\n      [d](e)\n", ["c"]),
        ("a\n2. [b](c)\n\n      [d](e)\n", ["c"]),
        ("- a\n- b\n    - [c](d)\n\n          [e](f)\n", ["d"]),
        ("- a\n     - [b](c)\n\n       [d](e)\n", ["c", "e"]),
        ("- a\n      - [b](c)\n\n      [d](e)\n", ["c"]),
        ("1. a\n1) [b](c)\n\n       [d](e)\n\n[f](g)\n", ["c", "g"]),
        ("-\n   \n  [a](b)\n-\n\n      [c](d)\n", ["b"]),
        ("- > a\n  > b\n- [c](d)\n", ["d"]),
        ("- [a]: b\n- [a]\n", ["b"]),
        ("- [^a]\n- b\n", []),
        # Lines that continue a paragraph
        ("> - a\n[b](c)\n  [d](e)\n", ["c", "e"]),
        ("- a\n <b c='[d](e)\n   f'>[g](h)\n", ["h"]),
        ("a\n    [b](c)\n", ["c"]),
        # Blocks that a line without indentation ends
        ("> # a\n[b](c)\n", ["c"]),
        ("> - a\n\n[b](c)\n", ["c"]),
        ("  # a\n[b](c)\n", ["c"]),
        ("- ```\n[a](b)\n```\n[c](d)\n", ["b"]),
        ("| a |\n|-|\n| [b](c) |\n\n[d](e)\n", ["c", "e"]),
        # Code and HTML that no block contains
        ("    [a](b)\n\n    [c](d)\n[e](f)\n", ["f"]),
        ("~~~ a\n[b](c)\n~~~\n[d](e)\n", ["e"]),
        ("<!-- [a](b)\n\n[c](d) -->\n[e](f)\n", ["f"]),
        ("<div>\n[a](b)\n\n[c](d)\n", ["d"]),
        ("<?a\n[b](c)\n", []),
        ("<a\n[b](c)\n", ["c"]),
        ("<a href=b>\n</a>\n\n<!-- c -->d<!-- e -->\n", ["b"]),
        ("# [a](b) #\n\n\n## [c](d)\n#\n#[e](f)\n", ["b", "d", "f"]),
    ],
)
def test_finds_the_links_of_each_block(document: str, expected: list[str]) -> None:
    assert destinations(document) == expected


def test_the_indentation_of_a_line_is_not_a_part_of_a_destination() -> None:
    (link,) = links("[a](\n b)", "markdown")
    assert (link.written, link.start) == ("b", 6)


def test_a_paragraph_that_starts_with_other_white_space_can_be_a_heading() -> None:
    # If it were no heading, the definition would be a part of it.
    assert destinations("\xa0\n===\n[a]: b\n\n[a]\n") == ["b"]


@pytest.mark.parametrize("document", ["a~*b@c.example* _d\n", "*b@c.example*~a _d\n"])
def test_tildes_do_not_separate_emphasis_from_a_word(document: str) -> None:
    assert destinations(document) == ["mailto:b@c.example"]
