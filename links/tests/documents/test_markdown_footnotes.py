"""`links` finds the destinations that renderers with and without footnotes open."""

from __future__ import annotations

import pytest

from uriverse_links import links, rewrite
from uriverse_links._markdown import openings


def destinations(document: str) -> list[str]:
    return [link.destination for link in links(document, "markdown")]


def by_footnotes(document: str) -> list[str]:
    """Return the destinations that a renderer with footnotes opens."""
    return [each.found.destination for each in openings(document, footnotes=True)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("a[^b]\n\n[^b]: [c](d)\n", ["d"]),
        ("a[^b]\n\n[^b]: c\n\n    [d](e)\n\n    - [f](g)\n", ["e", "g"]),
        ("a[^b]\n\n[^b]:\n\n    <https://c.example/>\n", ["https://c.example/"]),
        ("a[^b]\n\n[^b]: c\n[d](e)\n", ["e"]),
        ("[a](b)\n[^c]: [d](e) [^c]\n", ["b", "e"]),
        ("a[^b]\n\n- [^b]: c\n\n      [d](e)\n", ["e"]),
        ("a[^b] c[^d]\n\n[^b]: [e](f)\n[^d]: [g](h)\n", ["f", "h"]),
        ("a[^b]\n\n[^b]: # [c](d)\n", ["d"]),
        ("a[^b]\n\n[^b]: c\n    | d |\n    |---|\n    | [e](f) |\n", ["f"]),
        ("a[^b]\n\n[^b]: c\n\n    <p><a href=d>\n", ["d"]),
        ("![a[^b]](c)\n\n[^b]: [d](e)\n", ["c", "e"]),
        ("[a[^b]](c)\n\n[^b]: [d](e)\n", ["c", "e"]),
        ("![a [b][^c]](d)\n\n[b]: e\n\n[^c]: f\n", ["d"]),
        ("a[^B]\n\n[^b]: [c](d)\n", ["d"]),
        ("[^c [^b]]\n\n[^b]: [d](e)\n", ["e"]),
        (f"[^{'b' * 1001}]\n\n[^{'b' * 1001}]: [d](e)\n", ["e"]),
        ("a[^b]\n\n[^b]: c\n  \n    [d](e)\n", ["e"]),
        ("[^a ![b](c) <de:f> `g`]\n", ["c", "de:f"]),
    ],
)
def test_finds_the_links_of_footnotes(document: str, expected: list[str]) -> None:
    assert by_footnotes(document) == expected
    assert set(expected) <= set(destinations(document))


@pytest.mark.parametrize(
    "document",
    [
        "a\n\n[^b]: [c](d)\n",
        "a[^b]\n\n[^c]: [d](e)\n",
        "`[^b]` \\[^b] [^]\n\n[^b]: [d](e)\n",
        "[^a\nb]\n\n[^ab]: [d](e)\n",
        "a[^b]\n\n[^b]: c\n\n[^b]: [d](e)\n",
        "a[^b]\n\n[^b]: c\n\n        [d](e)\n\n        [f](g)\n",
        "[^ab\ncdef]\n\n[^ab]: [g](h)\n",
        # pulldown-cmark reads commas instead of the reference to `b`.
        "[^a[^b]c]\n\n[^b]: d\n\n[^a,,,,c]: [e](f)\n",
    ],
)
def test_other_footnotes_are_not_rendered(document: str) -> None:
    assert by_footnotes(document) == []


def test_the_first_footnote_of_a_label_counts() -> None:
    assert by_footnotes("a[^b]\n\n[^b]: [c](d)\n\n[^b]: [e](f)\n") == ["d"]


def test_addresses_in_references_to_no_footnote_are_text() -> None:
    assert by_footnotes("[^a@b.example]\n") == ["mailto:a@b.example"]


def test_an_exclamation_mark_before_a_reference_is_text() -> None:
    document = "![^[a](b)](c)\n"
    assert by_footnotes(document) == ["b"]
    assert destinations(document) == ["b", "c"]


def test_finds_definitions_that_renderers_without_footnotes_open() -> None:
    (link,) = links("[^a]\n\n[^a]: /url\n", "markdown")
    assert (link.kind, link.destination) == ("definition", "/url")


def test_reports_a_destination_of_both_renderers_once() -> None:
    (link,) = links("[^a]\n\n[^a]: https://b.example/\n", "markdown")
    assert (link.kind, link.destination) == ("autolink", "https://b.example/")


def test_reports_different_destinations_at_the_same_place() -> None:
    document = "[^a]\n\n[^a]: https://b.example/.\n"
    found = [(link.kind, link.written) for link in links(document, "markdown")]
    expected = [("definition", "https://b.example/."), ("autolink", "https://b.example/")]
    assert found == expected


def test_rewrites_the_inner_one_of_two_destinations() -> None:
    document = "[^a] [^b]\n\n[^a]: [c](https://d.example/)\n[^b]: https://e.example/.\n"
    rewritten = rewrite(document, "markdown", lambda _: "https://f.example/")
    expected = "[^a] [^b]\n\n[^a]: [c](https://f.example/)\n[^b]: https://f.example/.\n"
    assert rewritten == expected


def test_rewrites_a_destination_so_that_both_renderers_open_it() -> None:
    document = "[^a]\n\n[^a]: https://b.example/\n"
    rewritten = rewrite(document, "markdown", lambda _: "https://b.example/c)")
    assert rewritten == "[^a]\n\n[^a]: <https://b.example/c)>\n"
    assert destinations(rewritten) == ["https://b.example/c)"]


@pytest.mark.parametrize(
    "unit", ["[^a]: ", "[^a]: b\n", "[^a [^b", "[^a]", "[^a\n", "[^a]:\n\n    ", "![^a", "]"]
)
def test_long_input_ends(unit: str) -> None:
    links("[^a]: b\n" + unit * 3_000 + "[^a]", "markdown")
    links("[^a]: b\n" + "[^a [" * 1_000 + unit * 3_000 + "]" * 2_000, "markdown")


def test_empty_lines_in_deep_footnotes_end() -> None:
    links("[^a]: " * 3_000 + "- " * 3_000 + "b\n" + "\n" * 5_000 + "[^a]", "markdown")
