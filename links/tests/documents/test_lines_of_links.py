"""Links have the line and the column at which they start."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from uriverse_links import Link, links


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_and_columns_count_from_1_in_characters(end: str) -> None:
    document = f"[a](b){end}{end}é😀 [c](d) <ef:g>{end}"
    places = [(link.destination, link.line, link.column) for link in links(document, "markdown")]
    assert places == [("b", 1, 5), ("d", 3, 8), ("ef:g", 3, 12)]


@pytest.mark.parametrize("document", ["a\n\n[b](c)", "<p>\n\n<a href='c'>"])
def test_the_place_is_that_of_the_first_character(document: str) -> None:
    (link,) = links(document, "html" if "<" in document else "markdown")
    assert document.splitlines()[link.line - 1][link.column - 1 :].startswith("c")


def test_a_pickled_link_keeps_its_place_and_not_the_document() -> None:
    (link,) = links("secret\n [a](b)", "markdown")
    pickled = pickle.dumps(link)
    copy: Link = pickle.loads(pickled)
    assert (copy, copy.line, copy.column) == (link, 2, 6)
    assert b"secret" not in pickled


def test_the_place_is_no_part_of_equality_and_of_the_representation() -> None:
    first, second = links("[a](b)", "markdown") + links("\n[a](b)", "markdown")
    assert first == replace(second, start=4, end=5)
    assert "lines" not in repr(first)


def test_a_link_of_no_document_is_on_the_first_line() -> None:
    link = Link(kind="link", written="b", destination="b", start=4, end=5, target=None)
    assert (link.line, link.column) == (1, 5)
