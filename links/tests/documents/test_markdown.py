"""`links` finds the destinations that a Markdown renderer opens, and their places."""

from __future__ import annotations

import pytest

from uriverse_links import Link, links


def found(document: str) -> list[tuple[str, str, str]]:
    """Return the kind, the written and the decoded form of each destination."""
    return [(each.kind, each.written, each.destination) for each in links(document, "markdown")]


@pytest.mark.parametrize(
    ("document", "destinations"),
    [
        ("[a](b)", ["b"]),
        ("[a](<b c>)", ["b c"]),
        ("[a](  b  'c' )", ["b"]),
        ("[a](b(c)d)", ["b(c)d"]),
        ("[a](b\\)c)", ["b)c"]),
        ("[a](b&amp;c&#100;)", ["b&cd"]),
        ("[a]()", [""]),
        ("[a](javascript:alert(1))", ["javascript:alert(1)"]),
        ("[a](//h/x) [b](/rel) [c](#d)", ["//h/x", "/rel", "#d"]),
        ("[![a](b)](c)", ["b", "c"]),
        ("![[a](b)](c)", ["c"]),
        ("[[a](b)](c)", ["b"]),
        ("<http://a/?b&amp;c>", ["http://a/?b&c"]),
        ("<http://a/?b&#0;c&#x110000;>", ["http://a/?b\ufffdc\ufffd"]),
        ("<a@b.example>", ["mailto:a@b.example"]),
        ("[a]\n\n[a]: b", ["b"]),
        ("> [a]:\n>   b(c)\\(\n\n[a]", ["b(c)("]),
        ("www.a.example/b. http://c.example, ftp://d/e)", None),
        ("_a@b.example_ c_d@e.example", ["mailto:a@b.example", "mailto:c_d@e.example"]),
        ("`[a](b)` ``` `` [c](d) ```", []),
        ("```\n[a](b)\n```\n\n    [c](d)\n\n[e](f)", ["f"]),
        ("<!-- [a](b) -->\n\n\\[c](d) [e\\](f)", []),
        ("| a | b |\n|---|---|\n| [c](d\\|e) | `[f](g)` | [h](i) |", ["d|e"]),
        ("> 1. [a](b\n>    'c')", ["b"]),
        ("[a](b c)", []),
        ("[a] (b)", []),
    ],
)
def test_finds_what_renderers_open(document: str, destinations: list[str] | None) -> None:
    if destinations is None:
        destinations = ["http://www.a.example/b", "http://c.example", "ftp://d/e"]
    assert [destination for _, _, destination in found(document)] == destinations


def test_reports_a_used_definition_once() -> None:
    document = "[a] [b][a] ![c][A]\n\n[a]: <x y> 'title'\n[a]: second\n[unused]: z\n"
    assert found(document) == [("definition", "x y", "x y")]


def test_names_the_kinds() -> None:
    document = "[a](b) ![c](d) <ef:g> http://g.example"
    assert [kind for kind, _, _ in found(document)] == ["link", "image", "autolink", "autolink"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\U0001f600 ", "> -\t"])
def test_offsets_are_those_of_the_document(line_end: str, mark: str) -> None:
    document = f"{mark}é [a](b){line_end}> {line_end}> [c]{line_end}{line_end}[c]: /d{line_end}"
    for link in links(document, "markdown"):
        assert document[link.start : link.end] == link.written
    assert [link.written for link in links(document, "markdown")] == ["b", "/d"]


@pytest.mark.parametrize("odd", ["\x00", "\udc80", "\ufffe", "\U0010ffff", "\x0b", "\u2028"])
def test_odd_characters_keep_the_offsets(odd: str) -> None:
    document = (
        f'{odd}\r\n{odd} [a{odd}](b "{odd}") <i>{odd}</i> <img src=c>\r\r\n> <p\r\n> id={odd}\r\n'
        f"> title=x><a href=d>\r\n\r\n{odd}http://e.f/g h{odd} i@j.k [{odd}l]\n\n[{odd}l]:\r\n m\n"
    )
    found = links(document, "markdown")
    assert [document[link.start : link.end] for link in found] == [link.written for link in found]
    assert {link.written for link in found} >= {"b", "c", "d", "http://e.f/g", "i@j.k", "m"}


def test_offsets_include_the_backslash_before_a_bar_in_a_table() -> None:
    document = "a|b\n-|-\n[c](\\|d\\|)|e\n"
    (link,) = links(document, "markdown")
    assert (link.written, link.destination) == ("\\|d\\|", "|d|")
    assert document[link.start : link.end] == link.written


def test_resolves_targets() -> None:
    document = "[a](../b?c#d) [e](<f g>) [h](http://i/%zz) [j](#k)"
    targets = [link.target for link in links(document, "markdown", base="https://l/m/n")]
    assert [None if target is None else str(target) for target in targets] == [
        *("https://l/b?c#d", "https://l/m/f%20g", None, "https://l/m/n#k")
    ]
    assert str(links("[a](b)", "markdown")[0].target) == "b"


def test_links_are_values() -> None:
    (link,) = links("[a](b)", "markdown")
    assert link == Link("link", "b", "b", 4, 5, link.target)


@pytest.mark.parametrize(
    "unit",
    [
        *("[", "]", "[a](", "![a](", "`a``", "<", "<a b='", "<!--", "<?", "<!A ", "> ", "- "),
        *("*a _", "a@", "_www.", "http://_", "http://a)", "[a]: b\n", "[a](b '", "[a\\]", "|"),
        *("\\", "\t", "a|b\n-|-\n", "&#64", "- a\n  ", "mailto:@", "~~~\n", "<div>\n", "a\n=\n"),
        *("[a]\n", "***"),
    ],
)
def test_long_input_ends(unit: str) -> None:
    links(unit * 3_000, "markdown")


def test_deep_nesting_ends() -> None:
    links(">" * 100_000 + "[a](b)", "markdown")
    links("![" * 50_000 + "](a)" * 50_000, "markdown")
