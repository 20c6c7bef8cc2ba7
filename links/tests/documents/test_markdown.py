import pytest

from uriverse_links import Link, links, rewrite
from uriverse_links._markdown import list_openings


def found(document: str) -> list[tuple[str, str, str]]:
    """Return the kind, the written and the decoded form of each destination."""
    return [(each.kind, each.written, each.destination) for each in links(document, "markdown")]


@pytest.mark.parametrize(
    ("document", "destinations"),
    [
        *(("[a](b)", ["b"]), ("[a](<b c>)", ["b c"]), ("[a](  b  'c' )", ["b"])),
        *(("[a](b(c)d)", ["b(c)d"]), ("[a](b\\)c)", ["b)c"]), ("[a](b&amp;c&#100;)", ["b&cd"])),
        *(("[a]()", [""]), ("[a](javascript:alert(1))", ["javascript:alert(1)"])),
        *(("[a](//h/x) [b](/rel) [c](#d)", ["//h/x", "/rel", "#d"]), ("[![a](b)](c)", ["b", "c"])),
        *(("![[a](b)](c)", ["c"]), ("[[a](b)](c)", ["b"])),
        ("<http://a/?b&amp;c>", ["http://a/?b&c"]),
        ("<http://a/?b&#0;c&#x110000;>", ["http://a/?b\ufffdc\ufffd"]),
        *(("<a@b.example>", ["mailto:a@b.example"]), ("[a]\n\n[a]: b", ["b"])),
        ("> [a]:\n>   b(c)\\(\n\n[a]", ["b(c)("]),
        ("www.a.example/b. http://c.example, ftp://d/e)", None),
        ("_a@b.example_ c_d@e.example", ["mailto:a@b.example", "mailto:c_d@e.example"]),
        *(("`[a](b)` ``` `` [c](d) ```", []), ("```\n[a](b)\n```\n\n    [c](d)\n\n[e](f)", ["f"])),
        ("<!-- [a](b) -->\n\n\\[c](d) [e\\](f)", []),
        ("| a | b |\n|---|---|\n| [c](d\\|e) | `[f](g)` | [h](i) |", ["d|e"]),
        *(("> 1. [a](b\n>    'c')", ["b"]), ("[a](b c)", []), ("[a] (b)", [])),
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


def test_long_input_ends() -> None:
    for unit in [
        *("[", "]", "[a](", "![a](", "`a``", "<", "<a b='", "<!--", "<?", "<!A ", "> ", "- "),
        *("*a _", "a@", "_www.", "http://_", "http://a)", "[a]: b\n", "[a](b '", "[a\\]", "|"),
        *("\\", "\t", "a|b\n-|-\n", "&#64", "- a\n  ", "mailto:@", "~~~\n", "<div>\n", "a\n=\n"),
        *("[a]\n", "***"),
    ]:
        links(unit * 3_000, "markdown")


def test_deep_nesting_ends() -> None:
    links(">" * 100_000 + "[a](b)", "markdown")
    links("![" * 50_000 + "](a)" * 50_000, "markdown")


def destinations(document: str) -> list[str]:
    return [link.destination for link in links(document, "markdown")]


def test_finds_the_links_of_each_block() -> None:
    for document, expected in [
        # Items of lists
        ("- [a](b)\n- [c](d)\n  [e](f)\n", ["b", "d", "f"]),
        ("- a\n\n      [b](c)\n      [d](e)\n\n  [f](g)\n", ["g"]),
        *(("a\n- [b](c)\n\n      [d](e)\n", ["c"]), ("a\n2. [b](c)\n\n      [d](e)\n", ["c"])),
        ("- a\n- b\n    - [c](d)\n\n          [e](f)\n", ["d"]),
        ("- a\n     - [b](c)\n\n       [d](e)\n", ["c", "e"]),
        ("- a\n      - [b](c)\n\n      [d](e)\n", ["c"]),
        ("1. a\n1) [b](c)\n\n       [d](e)\n\n[f](g)\n", ["c", "g"]),
        *(("-\n   \n  [a](b)\n-\n\n      [c](d)\n", ["b"]), ("- > a\n  > b\n- [c](d)\n", ["d"])),
        *(("- [a]: b\n- [a]\n", ["b"]), ("- [^a]\n- b\n", [])),
        # Lines that continue a paragraph
        *(("> - a\n[b](c)\n  [d](e)\n", ["c", "e"]), ("- a\n <b c='[d](e)\n   f'>[g](h)\n", ["h"])),
        ("a\n    [b](c)\n", ["c"]),
        # Blocks that a line without indentation ends
        *(("> # a\n[b](c)\n", ["c"]), ("> - a\n\n[b](c)\n", ["c"]), ("  # a\n[b](c)\n", ["c"])),
        ("- ```\n[a](b)\n```\n[c](d)\n", ["b"]),
        ("| a |\n|-|\n| [b](c) |\n\n[d](e)\n", ["c", "e"]),
        # Code and HTML that no block contains
        *(("    [a](b)\n\n    [c](d)\n[e](f)\n", ["f"]), ("~~~ a\n[b](c)\n~~~\n[d](e)\n", ["e"])),
        *(("<!-- [a](b)\n\n[c](d) -->\n[e](f)\n", ["f"]), ("<div>\n[a](b)\n\n[c](d)\n", ["d"])),
        *(("<?a\n[b](c)\n", []), ("<a\n[b](c)\n", ["c"])),
        ("<a href=b>\n</a>\n\n<!-- c -->d<!-- e -->\n", ["b"]),
        ("# [a](b) #\n\n\n## [c](d)\n#\n#[e](f)\n", ["b", "d", "f"]),
        # A paragraph that starts with other white space is a heading: the definition is none of it.
        ("\xa0\n===\n[a]: b\n\n[a]\n", ["b"]),
        # Tildes do not separate emphasis from a word.
        ("a~*b@c.example* _d\n", ["mailto:b@c.example"]),
        ("*b@c.example*~a _d\n", ["mailto:b@c.example"]),
    ]:
        assert destinations(document) == expected


def test_the_indentation_of_a_line_is_not_a_part_of_a_destination() -> None:
    (link,) = links("[a](\n b)", "markdown")
    assert (link.written, link.start) == ("b", 6)


def by_footnotes(document: str) -> list[str]:
    """Return the destinations that a renderer with footnotes opens."""
    return [each.occurrence.destination for each in list_openings(document, footnotes=True)]


def test_finds_the_links_of_footnotes() -> None:
    for document, expected in [
        ("a[^b]\n\n[^b]: [c](d)\n", ["d"]),
        ("a[^b]\n\n[^b]: c\n\n    [d](e)\n\n    - [f](g)\n", ["e", "g"]),
        ("a[^b]\n\n[^b]:\n\n    <https://c.example/>\n", ["https://c.example/"]),
        *(("a[^b]\n\n[^b]: c\n[d](e)\n", ["e"]), ("[a](b)\n[^c]: [d](e) [^c]\n", ["b", "e"])),
        ("a[^b]\n\n- [^b]: c\n\n      [d](e)\n", ["e"]),
        ("a[^b] c[^d]\n\n[^b]: [e](f)\n[^d]: [g](h)\n", ["f", "h"]),
        ("a[^b]\n\n[^b]: # [c](d)\n", ["d"]),
        ("a[^b]\n\n[^b]: c\n    | d |\n    |---|\n    | [e](f) |\n", ["f"]),
        ("a[^b]\n\n[^b]: c\n\n    <p><a href=d>\n", ["d"]),
        ("![a[^b]](c)\n\n[^b]: [d](e)\n", ["c", "e"]),
        ("[a[^b]](c)\n\n[^b]: [d](e)\n", ["c", "e"]),
        *(("![a [b][^c]](d)\n\n[b]: e\n\n[^c]: f\n", ["d"]), ("a[^B]\n\n[^b]: [c](d)\n", ["d"])),
        ("[^c [^b]]\n\n[^b]: [d](e)\n", ["e"]),
        (f"[^{'b' * 1001}]\n\n[^{'b' * 1001}]: [d](e)\n", ["e"]),
        ("a[^b]\n\n[^b]: c\n  \n    [d](e)\n", ["e"]),
        ("[^a ![b](c) <de:f> `g`]\n", ["c", "de:f"]),
    ]:
        assert by_footnotes(document) == expected
        assert set(expected) <= set(destinations(document))


def test_other_footnotes_are_not_rendered() -> None:
    for document in [
        *("a\n\n[^b]: [c](d)\n", "a[^b]\n\n[^c]: [d](e)\n", "`[^b]` \\[^b] [^]\n\n[^b]: [d](e)\n"),
        *("[^a\nb]\n\n[^ab]: [d](e)\n", "a[^b]\n\n[^b]: c\n\n[^b]: [d](e)\n"),
        "a[^b]\n\n[^b]: c\n\n        [d](e)\n\n        [f](g)\n",
        "[^ab\ncdef]\n\n[^ab]: [g](h)\n",
        # pulldown-cmark reads commas instead of the reference to `b`.
        "[^a[^b]c]\n\n[^b]: d\n\n[^a,,,,c]: [e](f)\n",
    ]:
        assert by_footnotes(document) == []


def test_the_first_footnote_of_a_label_counts() -> None:
    assert by_footnotes("a[^b]\n\n[^b]: [c](d)\n\n[^b]: [e](f)\n") == ["d"]


def test_addresses_in_references_to_no_footnote_are_text() -> None:
    assert by_footnotes("[^a@b.example]\n") == ["mailto:a@b.example"]


def test_an_exclamation_mark_before_a_reference_is_text() -> None:
    document = "![^[a](b)](c)\n"
    assert by_footnotes(document) == ["b"]
    assert destinations(document) == ["b", "c"]


def test_finds_what_renderers_with_and_without_footnotes_open() -> None:
    for url, expected in [
        ("/url", [("definition", "/url")]),
        # A destination of both renderers is reported once.
        ("https://b.example/", [("autolink", "https://b.example/")]),
        ("http://b/.", [("definition", "http://b/."), ("autolink", "http://b/")]),
    ]:
        found = links(f"[^a]\n\n[^a]: {url}\n", "markdown")
        assert [(link.kind, link.destination) for link in found] == expected
        assert [link.written for link in found] == [link.destination for link in found]


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
def test_long_input_with_footnotes_ends(unit: str) -> None:
    links("[^a]: b\n" + unit * 3_000 + "[^a]", "markdown")
    links("[^a]: b\n" + "[^a [" * 1_000 + unit * 3_000 + "]" * 2_000, "markdown")


def test_empty_lines_in_deep_footnotes_end() -> None:
    links("[^a]: " * 3_000 + "- " * 3_000 + "b\n" + "\n" * 5_000 + "[^a]", "markdown")
