"""Which destinations are found in sitemaps and feeds, and which documents are rejected."""

from __future__ import annotations

import pytest

from uriverse import ParseError
from uriverse.documents._xml import find

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
