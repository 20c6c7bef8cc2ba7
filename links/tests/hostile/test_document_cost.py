from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest
from counting import assert_proportional, peak_of
from document_places import FINDERS
from nightly import all_but_first

from uriverse import Policy, URIError, check
from uriverse_links import DocumentFormat, guard, links
from uriverse_links._cli.ignore_comments import IgnoreComments, find_comments
from uriverse_links._cli.strings_in_files import Location, align_escapes, list_strings
from uriverse_links._destinations import Lines
from uriverse_links._markdown_blocks import Document

#: Pieces to repeat, by format, and what precedes them.
UNITS: dict[str, list[tuple[str, str]]] = {
    "css": [
        *((before, unit) for before in ("", "image-set(") for unit in (
            "url(", "url(x)", "url(x ", "(", ")", "'", "\\", "\\6", "\\75 ", "@import ", "/*", "*/",
            "@namespace ", "url", "-", "image-set(", "'\n", "u\\\n", "url('",
        )),
    ],
    "html": [
        *((before, unit) for before in ("", "<svg>", "<script>", "<a href=") for unit in (
            *("<", "<a", "<a href=x>", "<a =", "</", "</a", "<!", "<!--", "<!-", "<!-->", "--"),
            *("<svg>", "</svg>", "<g>", "</g>", "<title>", "<math><mi>", "<style>", "</x>"),
            *("<svg></x>", "</p>", "<svg><title><p>", "<script>", "<script ", "</script"),
            *("<![CDATA[", "]]>", "<template>", "&", "&#1", "&amp", "&lt;", "a ", "=", "'", '"'),
            *("<a b='", "<p style='url('>", "\0", "/", "<foreignObject>", "</desc>", "<a><b></a>"),
            *("<font color>", "<style><svg>", "<plaintext>", "<iframe srcdoc='<"),
            *("<iframe srcdoc=&lt;a>", "<table>", "<td>", "<b>", "<p><b>", "</b>", "<form>"),
            *("</form>", "<template>", "<li>", "<object>", "<dd>"),
        )),
        *((before, unit) for before in (
            "<svg><desc>", f"{'<svg><desc><table>' * 50}", f"{'<div><b><i><u>' * 50}<svg>",
        ) for unit in (
            "<svg><desc>", "<svg><desc><table>", "</table>", "</tr>", "<tr>", "<p><b><svg>", "</p>",
            "<b>", "</b>", "<a>", "<li><p>", "<svg><form>", "</form>", "</desc>", "<template><td>",
        )),
        ("<iframe srcdoc='", "<a href=x>"), ("<iframe srcdoc='", "&lt;iframe srcdoc=&#39;"),
        *((f"<img srcset='{before}", unit) for before in ("", "a (") for unit in (
            "a,", ",", "a 1x,", "(", "a (", "a 1x 1x ", " ", "&#32;", ")",
        )),
        ("<meta http-equiv=refresh content='", "0"), ("<meta http-equiv=refresh content='0", " "),
        ("<meta http-equiv=refresh content='0;url=", "&#32;"), ("<a ping='", "a "), ("<a ", "a "),
        ("<a ", "href=x "), ("<p style='", "url("), ("<p style='", "&amp;"), ("<a href='", "&amp"),
    ],
    "json": [("", unit) for unit in (
        "[", "{", '"', '"a:', '"a:"', "\\", '["', '{"a":', '["http://a/",', '"a:" ', "1", "-", "1 ",
    )],
    "har": [("", unit) for unit in ("[", "]", '{"request":', '"url":', '"a" ', '{"url":"')],
    "rdf": [("", unit) for unit in (
        "<", "<a>", "<a> ", '"', '""', '"""', "'", "'''", "\\", "@", "@base", "@prefix ",
        "prefix a:",
        "base <a>", "@base <a> <b> ", "a:", "#", "<<", "b", "base ",
    )],
    "xml": [("<a>", unit) for unit in (
        "<a>", "<loc>", "<loc>a</loc>", "<", "<!--", "<![CDATA[", "&amp;", "&#38;", "<?a?>",
        "<a b='",
        "<loc><!---->", "<loc>a<!---->", "]]>", "<loc/>", "<link href='a'/>",
        "<a xml:base='b'>", "<link href='a' xml:base='b'/>", "<a xml:base='b'></a>",
    )],
}  # fmt: skip
CASES = [
    # One case for each format runs before each merge, the others every night.
    pytest.param(
        *(kind, *case), id=f"{kind}-{''.join(case)!a}", marks=pytest.mark.slow if number else ()
    )
    for kind, cases in UNITS.items()
    for number, case in enumerate(cases)
]


def finding(kind: str, before: str, unit: str) -> Callable[[int], None]:
    def find(times: int) -> None:
        with suppress(URIError):
            deque(FINDERS[kind](before + unit * times), maxlen=0)

    return find


@pytest.mark.parametrize(("kind", "before", "unit"), CASES)
def test_calls_and_memory_are_linear(kind: str, before: str, unit: str) -> None:
    # turbohtml nests at most 512 elements; the cost of those after them may be another one.
    assert_proportional(finding(kind, before, unit), 1000 if kind == "html" else 500)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "before", "unit"), CASES)
def test_long_documents_end(kind: str, before: str, unit: str) -> None:
    # Patterns that backtrack would take hours.
    times = 100_000
    find = finding(kind, before, unit)
    assert peak_of(lambda: find(times)) <= 1000 * times + 1_000_000


COMMENTS: list[tuple[DocumentFormat, str]] = [
    *(("markdown", "<!-- uriverse: ignore -->"), ("markdown", "a <!-- b --> `")),
    *(("markdown", "a <!-- "), ("markdown", "a <!--\n"), ("html", "<!--"), ("html", "--><!--")),
    *(("css", "/*"), ("css", "/* uriverse: ignore-file[a] */"), ("turtle", "#")),
    *(("restructuredtext", ".. "), ("restructuredtext", "\n.. "), ("asciidoc", "//")),
]

DOCUMENTS: list[tuple[DocumentFormat, str]] = [
    ("markdown", "<http://a./><!-- uriverse: ignore[space] -->"),
    ("markdown", "<http://a./> <!-- uriverse: ignore -->"),
    ("markdown", "<http://a./>\n<!-- uriverse: ignore -->\n"),
    ("markdown", "<http://a./>\n<!-- uriverse: ignore-file[a b c] -->\n"),
    ("html", "<a href='http://a.&#47;'><!-- uriverse: ignore -->"),
]


def comment_finder(form: DocumentFormat, unit: str) -> Callable[[int], None]:
    def find(times: int) -> None:
        deque(find_comments(unit * times, form), maxlen=0)

    return find


def linting(form: DocumentFormat, unit: str) -> Callable[[int], None]:
    found = check("http://a./")

    def lint(times: int) -> None:
        text = unit * times
        lines = Lines(text)
        ignored = IgnoreComments(text, form, lines)
        for _, place in list_strings("a", text, form, lines):
            ignored.suppresses(found[0], place)
        ignored.list_unused()

    return lint


@pytest.mark.parametrize(("form", "unit"), all_but_first(COMMENTS))
def test_comments_are_found_in_linear_time(form: DocumentFormat, unit: str) -> None:
    assert_proportional(comment_finder(form, unit), 500)


@pytest.mark.parametrize(("form", "unit"), all_but_first(DOCUMENTS))
def test_documents_are_linted_in_linear_time(form: DocumentFormat, unit: str) -> None:
    assert_proportional(linting(form, unit), 200)


@pytest.mark.parametrize(
    "written", all_but_first(["&amp;", "\\/", "&", "\\", "a ", "\\u0041", "&#38;a"])
)
def test_positions_are_aligned_in_linear_time(written: str) -> None:
    def align(times: int) -> None:
        align_escapes(written * times, "&" * times)
        align_escapes(written * times, "A" * times)

    assert_proportional(align, 500)


def test_a_finding_in_a_long_destination_is_placed_at_once() -> None:
    place = Location("a", 1, 1, tuple((n, 1, 2 * n) for n in range(1, 100_000)))

    def at(times: int) -> None:
        for index in range(times):
            place.locate_index(index)

    assert_proportional(at, 500)


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
