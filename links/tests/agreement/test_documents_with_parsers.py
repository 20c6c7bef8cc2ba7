"""The destinations in HTML and in feeds are those that other parsers see.

One difference is intended: elements that the tree builder drops, such as a form in a form, have
destinations.
"""

from itertools import islice
from random import Random
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from html_trees import TREES

from links_conformance.html_documents import PARSERS, STARTS, mutants, own_destinations
from links_conformance.html_mutants import main
from uriverse_links import links


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("document", [*STARTS, *TREES])
def test_destinations_are_those_that_a_parser_sees(parser: str, document: str) -> None:
    pytest.importorskip(parser, reason="compares with the trees of other parsers")
    if parser == "html5lib" and ("<template" in document or "<select" in document):
        pytest.skip("html5lib follows older rules")
    assert own_destinations(document) == PARSERS[parser](document)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_mutated_documents_have_the_same_destinations(seed: int) -> None:
    pytest.importorskip("html5lib", reason="compares with the trees of other parsers")
    for document in islice(mutants(seed), 1000):
        assert own_destinations(document) == PARSERS["html5lib"](document)


@pytest.mark.parametrize("seed", range(4))
def test_the_comparison_finds_no_difference(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    for parser in PARSERS:
        pytest.importorskip(parser, reason="compares with the trees of other parsers")
    assert main(["--mutants", "2000", "--seed", str(seed)]) == 0
    assert "0 destinations missed, 0 invented" in capsys.readouterr().out


BASES = ("", "a/", "/b/c", "../d/", "http://other.example/e/", "?f", "//net.example/g/")
REFERENCES = ("x", "../y?a=1&b=2", "/z", "http://abs.example/f", "?q", "//host.example", "w/./v")


def based(random: Random) -> str:
    """Return an attribute `xml:base`, or nothing."""
    base = random.choice(BASES)
    return f" xml:base={quoteattr(base)}" if base else ""


def atom(random: Random) -> str:
    """Return an Atom feed with links in nested elements."""
    entries: list[str] = []
    for _ in range(random.randint(1, 4)):
        references = [random.choice(REFERENCES) for _ in range(random.randint(1, 3))]
        rels = ("alternate", "related", "enclosure", "edit")
        inner = "".join(
            f"<link rel='{random.choice(rels)}'{based(random)} href={quoteattr(reference)}/>"
            for reference in references
        )
        entries.append(f"<entry{based(random)}><title>t</title>{inner}</entry>")
    return f"<feed xmlns='http://www.w3.org/2005/Atom'{based(random)}>{''.join(entries)}</feed>"


def rss(random: Random) -> str:
    """Return an RSS feed with links in the text of elements and in attributes."""
    items = ""
    for _ in range(random.randint(1, 4)):
        link, url = (random.choice(REFERENCES).replace("&", "&amp;") for _ in range(2))
        if random.random() < 0.3:
            link = f"<![CDATA[{link.replace('&amp;', '&')}]]>"
        items += f"<item{based(random)}><link>{link}</link><enclosure url='{url}'/></item>"
    return f"<rss version='2.0'><channel{based(random)}>{items}</channel></rss>"


@pytest.mark.parametrize("seed", range(200))
def test_links_have_the_targets_of_feedparser(seed: int) -> None:
    feedparser: Any = pytest.importorskip("feedparser", reason="resolves the links of feeds")
    random = Random(seed)
    url = "http://feed.example/feeds/index.xml"
    for document in (atom(random), rss(random)):
        feed = feedparser.parse(document, response_headers={"content-location": url})
        # feedparser does not resolve enclosures of RSS.
        expected = sorted(
            link.href
            for entry in feed.entries
            for link in entry.links
            if feed.version == "atom10" or link.rel != "enclosure"
        )
        found = [
            str(link.target)
            for link in links(document, "xml", base=url)
            if link.kind not in {"base", "media"}
        ]
        assert sorted(found) == expected, document
