"""Which destinations are found in sitemaps and feeds, and which documents are rejected."""

from __future__ import annotations

import pytest

from uriverse import ParseError
from uriverse_links import links
from uriverse_links._xml import find

FOUND: dict[str, list[tuple[str, str, str]]] = {
    "<urlset xmlns='s'><url><loc>\n http://a/?b&amp;c&#38;d \n</loc></url></urlset>": [
        ("http://a/?b&amp;c&#38;d", "http://a/?b&c&d", "link")
    ],
    "<url xmlns:image='i'><image:loc>é</image:loc><loc></loc><loc/><loc><x/></loc></url>": [
        ("é", "é", "image")
    ],
    "<rss><link>a<!-- > -->b</link><link><![CDATA[ x&amp;<y ]]></link></rss>": [
        ("a<!-- > -->b", "ab", "link"),
        ("x&amp;<y", "x&amp;<y", "link"),
    ],
    "<rss><guid>a</guid><guid isPermaLink='false'>b</guid><enclosure url='c'/></rss>": [
        ("a", "a", "link"),
        ("c", "c", "media"),
    ],
    "<rss xmlns:atom='a'><atom:link href='f' type='application/rss+xml'/></rss>": [
        ("f", "f", "feed")
    ],
    "<feed xml:base='/b/'><link href='a\n&gt;'/><content src='c' title='<link>'/></feed>".replace(
        "<link>", ">"
    ): [("/b/", "/b/", "base"), ("a\n&gt;", "a >", "link"), ("c", "c", "link")],
    "<?xml-stylesheet href='s'?><!DOCTYPE a [<!-- ' ] > --><!ATTLIST a b CDATA ']>'>]><a/>": [
        ("s", "s", "style")
    ],
    "<url xmlns:x='y'><x:link rel='alternate' hreflang='de' href='a'/><x:image><x:loc>b</x:loc>"
    "</x:image><video:video xmlns:video='z'><video:thumbnail_loc>c</video:thumbnail_loc>"
    "<video:content_loc>d</video:content_loc><video:player_loc>e</video:player_loc>"
    "</video:video></url>": [
        *(("a", "a", "link"), ("b", "b", "link"), ("c", "c", "image")),
        *(("d", "d", "media"), ("e", "e", "frame")),
    ],
    "<entry><content type='xhtml'><div><a href='a'/><img src='b'/></div></content></entry>": [
        *(("a", "a", "link"), ("b", "b", "image"))
    ],
    "<rss><channel><description>&lt;a href='x'></description></channel></rss>": [],
    "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='b'/></a>": [],
    "<opml><outline xmlUrl='a' htmlUrl='b'/></opml>": [("a", "a", "feed"), ("b", "b", "link")],
    "<a><!-- <loc>x</loc> --><![CDATA[<loc>y</loc>]]><loc >z</loc ></a>": [("z", "z", "link")],
}
INVALID = {
    "": 0,
    "<é></a>": 5,
    "é": 0,
    "<a>\ud800</a>": 3,
    "<!DOCTYPE a [<!ENTITY é 'x'>]><a>&é;</a>": None,
    "<!DOCTYPE a [<!ENTITY % b 'x'>]><a/>": None,
    "<a>&nbsp;</a>": 3,
    "<a b='<'/>": 6,
}


@pytest.mark.parametrize("document", FOUND, ids=ascii)
def test_destinations_are_those_of_known_elements(document: str) -> None:
    found = [(document[each.start : each.end], *each[2:4]) for each in find(document)]
    assert found == FOUND[document]


@pytest.mark.parametrize("document", INVALID, ids=ascii)
def test_invalid_documents_and_entities_are_rejected(document: str) -> None:
    with pytest.raises(ParseError) as caught:
        list(find(document))
    expected = INVALID[document]
    assert expected is None or caught.value.position == expected


def test_entities_are_never_expanded() -> None:
    levels = "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(20))
    with pytest.raises(ParseError, match="entity declarations are refused"):
        list(find(f"<!DOCTYPE a [<!ENTITY a0 'x'>{levels}]><a>&a20;</a>"))


def test_relative_references_are_resolved_against_the_bases_around_them() -> None:
    feed = (
        "<?xml-stylesheet href='s'?><feed xml:base='/b/'><link href='1'/><entry xml:base='c/'>"
        "<link href='2'/><link href='3' xml:base='d/'/><link xml:base='e/'>4</link></entry>"
        "<entry><link href='5'/></entry><entry xml:base='http://['><link href='6'/></entry></feed>"
    )
    targets = [str(link.target) for link in links(feed, "xml", base="http://a.example/")]
    assert targets == [
        *("http://a.example/s", "http://a.example/b/", "http://a.example/b/1"),
        *("http://a.example/b/c/", "http://a.example/b/c/2"),
        *("http://a.example/b/c/d/", "http://a.example/b/c/d/3"),
        *("http://a.example/b/c/e/", "http://a.example/b/c/e/4", "http://a.example/b/5"),
        *("None", "http://a.example/b/6"),
    ]
