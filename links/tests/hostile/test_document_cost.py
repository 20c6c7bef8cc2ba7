"""Finders of destinations take a linear number of calls and linear memory for hostile documents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress

import pytest
from counting import assert_proportional, peak_of
from document_places import FINDERS

from uriverse import URIError

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
        *(kind, *case),
        id=f"{kind}-{''.join(case)!a}",
        marks=pytest.mark.slow if number else (),
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
def test_calls_and_memory_grow_linearly(kind: str, before: str, unit: str) -> None:
    # turbohtml nests at most 512 elements; the cost of those after them may be another one.
    assert_proportional(finding(kind, before, unit), 1000 if kind == "html" else 500)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "before", "unit"), CASES)
def test_long_documents_end(kind: str, before: str, unit: str) -> None:
    # Patterns that backtrack would take hours.
    times = 100_000
    find = finding(kind, before, unit)
    assert peak_of(lambda: find(times)) <= 1000 * times + 1_000_000
