import pickle
from dataclasses import replace
from typing import Any

import pytest
from document_places import FINDERS

from uriverse import ParseError
from uriverse_links import Link, links, rewrite
from uriverse_links._json import find_in_archive, find_json_destinations
from uriverse_links._xml import find_xml_destinations

#: Documents, and the destinations in them with their kinds. If a destination is written in another
#: way, that precedes an arrow.
CSS = {
    "a{b:url(x)}": "x image",
    "url( x )URL('y z')Url(\"'\")": "x image | y z image | ' image",
    "@import 'a';@IMPORT/**/\"b\";@import url(c) d;": "a style | b style | c style",
    "@important 'x'; @import x 'y'": "",
    "curl(x) url-prefix(x) -url(x) u(x)": "",
    "#url(x)": "",
    "u\\72 l(x)\\75\\000072\\6C(y)": "x image | y image",
    "\\url(x)": "x image",
    "url(a\\)b\\26 c)": "a)b&c image",
    "url('a\\\nb')": "ab image",
    "url(a b)url(c)": "c image",
    "url(a'b)url(c)": "c image",
    "url('a\n')url(b)": "",
    "/* url(x) */ 'url(y)' \"url(z)": "",
    "/* url(x)": "",
    "url(x": "x image",
    "url('x": "x image",
    "url()url('')": "",
    "image-set('a' 1x, url(b) 2x type('image/png')) 'c'": "a image | b image",
    "image-set(url(a) 1x, url('b') 2x, 'c' 3x)": "a image | b image | c image",
    "image-set(\\url('a') #url(b) 'c\n, 'd')": "a image | d image",
    "url('a\nurl(b)": "b image",
    "url(a\\": "a\ufffd image",
    "url('a\\": "a image",
    "-webkit-image-set(url(a) 1x)": "a image",
    "src('a') src( /**/ \"b\")": "a image | b image",
    "@namespace url(a);@namespace x 'b';url(c)": "c image",
    "url(\\0)url(\\110000 )url(\0)": "\ufffd image | \ufffd image | \ufffd image",
    "url(a\\d7ff b)url(a\\d800 b)": "a\ud7ffb image | a\ufffdb image",
    "url(a\\dfff b)url(a\\e000 b)": "a\ufffdb image | a\ue000b image",
    "\\": "",
    "\0url(x) a\0: url(y)": "y image",
    "@": "",
    "image-set(": "",
}
JSON = {
    '["http://a/", "urn:a:b", "mailto:a@b", "x://y", "X:y", "a", "note: x", ":", "HTTP:x"]':
        "http://a/ text | urn:a:b text | mailto:a@b text | x://y text | HTTP:x text",
    '{"http://key/": 1, "http://key/" : "http:\\/\\/v\\u00e9"}': "http://vé text",
    '{"a": "http://a/"}\n{"a": "http://b/"}\n': "http://a/ text | http://b/ text",
    '\ufeff["\\u0068ttp://a/", "http://\\ud800", "http://a b/", -1.5e3, true, null]':
        "http://a/ text",
    '"http://a/"': "http://a/ text",
    "": "",
}  # fmt: skip
RDF = {
    "<a:s> <a:p> <a:o> .\n": "a:s link | a:p link | a:o link",
    "@base <http://a/> .\n@prefix é: <#> . BASE <b>\nprefix : # c\n <c>":
        "http://a/ base | # definition | b base | c definition",
    "prefix:a ex:base <a> , base:b <b> .": "a link | b link",
    '"<no>" \'<no>\' """"<no>""" \'\'\'<\n\'no>\'\'\' "\\"<no>"@en # <no>\n <a>': "a link",
    "<\\u00e9\\U0001F600> <> <a b>": "é😀 link |  link | a b link",
    "<<( <a> <b> <c> )>> <<<a> <b> <c>>>": "a link | b link | c link | a link | b link | c link",
    "GRAPH <g> { :s :p <<:a :b :c>> . <<ex:a <b> 'c' >> :p <d> . }": "g link | b link | d link",
    "_:b <p> '''<no>''' . # it's <no>\n<s> a 'x'^^<t>, 1.5e3, true .": "p link | s link | t link",
    "ex:a\\,b\\'<a>": "a link",
}  # fmt: skip
XML = {
    "<urlset xmlns='s'><url><loc>\n http://a/?b&amp;c&#38;d \n</loc></url></urlset>":
        "http://a/?b&amp;c&#38;d -> http://a/?b&c&d link",
    "<url xmlns:image='i'><image:loc>é</image:loc><loc></loc><loc/><loc><x/></loc></url>":
        "é image",
    "<rss><link>a<!-- > -->b</link><link><![CDATA[ x&amp;<y ]]></link></rss>":
        "a<!-- > -->b -> ab link | x&amp;<y link",
    "<rss><guid>a</guid><guid isPermaLink='false'>b</guid><enclosure url='c'/></rss>":
        "a link | c media",
    "<rss xmlns:atom='a'><atom:link href='f' type='application/rss+xml'/></rss>": "f feed",
    "<feed xml:base='/b/'><link href='a\n&gt;'/><content src='c' title='<link>'/></feed>".replace(
        "<link>", ">"
    ): "/b/ base | a\n&gt; -> a > link | c link",
    "<?xml-stylesheet href='s'?><!DOCTYPE a [<!-- ' ] > --><!ATTLIST a b CDATA ']>'>]><a/>":
        "s style",
    "<url xmlns:x='y'><x:link rel='alternate' hreflang='de' href='a'/><x:image><x:loc>b</x:loc>"
    "</x:image><video:video xmlns:video='z'><video:thumbnail_loc>c</video:thumbnail_loc>"
    "<video:content_loc>d</video:content_loc><video:player_loc>e</video:player_loc>"
    "</video:video></url>": "a link | b link | c image | d media | e frame",
    "<entry><content type='xhtml'><div><a href='a'/><img src='b'/></div></content></entry>":
        "a link | b image",
    "<rss><channel><description>&lt;a href='x'></description></channel></rss>": "",
    "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='b'/></a>": "",
    "<opml><outline xmlUrl='a' htmlUrl='b'/></opml>": "a feed | b link",
    "<a><!-- <loc>x</loc> --><![CDATA[<loc>y</loc>]]><loc >z</loc ></a>": "z link",
}  # fmt: skip
FOUND = {"css": CSS, "json": JSON, "rdf": RDF, "xml": XML}

#: Documents that are rejected, and the position of the error.
TOKENS = ('["a', '["\\x"]', '["\n"]', "[01]", "[nul]", "{'a': 1}")
INVALID_JSON: dict[str, int | None] = {**dict.fromkeys(TOKENS, 1), "[1 x]": 3}
INVALID: dict[str, dict[str, int | None]] = {
    "json": INVALID_JSON,
    "har": INVALID_JSON,
    "rdf": {"<a> <b": 4, '<a> "b\n"': 4, "'''a''": 0, "@prefix x .": 0, "<a\n>": 0, "base x": 0},
    "xml": {
        "": 0,
        "<é></a>": 5,
        "é": 0,
        "<a>\ud800</a>": 3,
        "<a>&nbsp;</a>": 3,
        "<a b='<'/>": 6,
        "<!DOCTYPE a [<!ENTITY é 'x'>]><a>&é;</a>": None,
        "<!DOCTYPE a [<!ENTITY % b 'x'>]><a/>": None,
    },
}
#: Documents with a bracket that is not closed or not opened, and the position of this bracket.
UNBALANCED = {
    '{"log":{"entries":[{"request":{"url":"https://a.ex/"}},': 0,
    '{"log":': 0,
    '{"a":"[{"}\n {"a":[1]\n': 12,
    "[1}": 2,
    "[] ]": 3,
}


@pytest.mark.parametrize(
    ("kind", "document"),
    [(kind, document) for kind in FOUND for document in FOUND[kind]],
    ids=ascii,
)
def test_destinations_are_those_of_the_format(kind: str, document: str) -> None:
    found: list[str] = []
    for each in FINDERS[kind](document):
        written = document[each.start : each.end]
        is_same = kind != "xml" or written == each.destination
        found.append(f"{'' if is_same else f'{written} -> '}{each.destination} {each.kind}")
    assert " | ".join(found) == FOUND[kind][document]


@pytest.mark.parametrize(
    ("kind", "document"),
    [(kind, document) for kind in INVALID for document in INVALID[kind]],
    ids=ascii,
)
def test_invalid_documents_are_rejected_at_their_position(kind: str, document: str) -> None:
    with pytest.raises(ParseError) as caught:
        list(FINDERS[kind](document))
    assert INVALID[kind][document] in {None, caught.value.position}


@pytest.mark.parametrize("document", UNBALANCED, ids=ascii)
def test_a_bracket_without_its_counterpart_is_rejected(document: str) -> None:
    for finder in (find_json_destinations, find_in_archive):
        with pytest.raises(ParseError, match="invalid JSON: ") as caught:
            list(finder(document))
        assert caught.value.position == UNBALANCED[document]


def test_documents_without_brackets_are_read_in_linear_time() -> None:
    assert not list(find_json_destinations("1 " * 300_000))


def test_brackets_in_strings_need_no_counterpart() -> None:
    for finder in (find_json_destinations, find_in_archive):
        assert not list(finder('{"]": "}", "a": ["\\"["]}'))


def test_urls_of_requests_and_redirects_are_found_in_an_archive() -> None:
    document = (
        '{"log": {"pages": [{"url": "x:no"}], "entries": [{"request": {"url": "x:1", "headers": '
        '[{"name": "url", "url": "x:no"}]}, "response": {"redirectURL": "/2", "content": {}}}, '
        '{"request": {"url": "x:3"}, "response": {"redirectURL": "", "status": 200}}]}}'
    )
    found = [(each.destination, each.kind) for each in find_in_archive(document)]
    assert found == [("x:1", "link"), ("/2", "redirect"), ("x:3", "link")]


@pytest.mark.parametrize("base", [None, "file:///tmp/a.har"])
@pytest.mark.parametrize(
    ("redirect", "target"),
    [
        *(("/b", "http://h/b"), ("b?c", "http://h/a/b?c"), ("//i/", "http://i/")),
        *(("#f", "http://h/a/x?q#f"), ("http://i/", "http://i/")),
    ],
)
def test_the_request_is_the_base_of_redirects(base: str | None, redirect: str, target: str) -> None:
    request = '"request": {"cookies": [{}], "url": "http://h/a/x?q"}'
    response = f'"response": {{"headers": [], "redirectURL": "{redirect}"}}'
    other = '{"request": {"url": "http://other/"}, "response": {"redirectURL": "o"}}'
    for first, second in ((request, response), (response, request)):
        document = f'{{"log": {{"entries": [{other}, {{{first}, {second}}}, {other}]}}}}'
        found = [link for link in links(document, "har", base=base) if link.kind == "redirect"]
        others = "http://other/o"
        assert [str(link.target) for link in found] == [others, target, others]


def test_the_query_of_a_very_long_request_is_no_part_of_a_base() -> None:
    document = '{"request": {"url": "http://h/%s"}, "response": {"redirectURL": "b"}}'
    assert str(links(document % ("a?" + "b" * 9000), "har")[1].target) == "http://h/b"
    with pytest.raises(ParseError, match="base longer than") as caught:
        links(document % ("a" * 9000), "har")
    assert caught.value.position == document.index("http")


def test_a_redirect_without_a_request_has_the_base_of_the_document() -> None:
    document = '"response": {"redirectURL": "a"} {"request": {"redirectURL": "b"}}'
    (link,) = links(document, "har", base="http://h/")
    assert str(link.target) == "http://h/a"


def test_each_base_applies_to_the_iris_after_it() -> None:
    document = "<1> a <2> . @base </b/> . <3> a <4> . BASE <c/> <5> a <6> ."
    targets = [str(link.target) for link in links(document, "turtle", base="http://a/")]
    assert targets == [
        *("http://a/1", "http://a/2", "http://a/b/", "http://a/b/3", "http://a/b/4"),
        *("http://a/b/c/", "http://a/b/c/5", "http://a/b/c/6"),
    ]


def test_entities_are_never_expanded() -> None:
    levels = "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(20))
    with pytest.raises(ParseError, match="entity declarations are refused"):
        list(find_xml_destinations(f"<!DOCTYPE a [<!ENTITY a0 'x'>{levels}]><a>&a20;</a>"))


def test_relative_references_are_resolved_against_the_bases_around_them() -> None:
    feed = (
        "<?xml-stylesheet href='s'?><feed xml:base='/b/'><link href='1'/><entry xml:base='c/'>"
        "<link href='2'/><link href='3' xml:base='d/'/><link xml:base='e/'>4</link></entry>"
        "<entry><link href='5'/></entry><entry xml:base='http://['><link href='6'/></entry></feed>"
    )
    targets = [str(link.target) for link in links(feed, "xml", base="http://a.example/")]
    assert targets == [
        *("http://a.example/s", "http://a.example/b/", "http://a.example/b/1"),
        *("http://a.example/b/c/", "http://a.example/b/c/2", "http://a.example/b/c/d/"),
        *("http://a.example/b/c/d/3", "http://a.example/b/c/e/", "http://a.example/b/c/e/4"),
        *("http://a.example/b/5", "None", "http://a.example/b/6"),
    ]


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


def test_an_unknown_format_is_quoted_without_secrets() -> None:
    format_name: Any
    for format_name, shown in [
        ("md", "'md'"),
        (1, "1"),
        ("https://me:hunter2@a.example/", "'https://me:REDACTED@a.example/'"),
        ("user:pass word@host", "'user:REDACTED@host'"),
        ("it's \"\n\udcff", repr("it's \"\n\udcff")),
    ]:
        with pytest.raises(ValueError, match="unknown format") as caught:
            links("", format_name)
        assert f"unknown format {shown}; use markdown" in str(caught.value)


def test_a_destination_is_a_string_or_a_uri() -> None:
    with pytest.raises(TypeError, match="expected a str or a URI, not int"):
        rewrite("[a](b)", "markdown", lambda _: 1)  # type: ignore[arg-type,return-value]
