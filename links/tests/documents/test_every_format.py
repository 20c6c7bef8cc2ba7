from typing import get_args

import pytest
from html_trees import TREES

from uriverse import URI, ParseError, Policy
from uriverse.suffixes import Suffixes
from uriverse_links import DocumentFormat, format_of, guard, links, rewrite

NEW = "https://new.example/?a=1&b=(c)'d"
#: The same, as it is written in HTML and XML, and in a style sheet within HTML.
IN_HTML = NEW.replace("&", "&amp;")
IN_STYLE = r"https://new.example/?a=1&amp;b=\28 c\29 \27 d"
FEED = "<feed xmlns='http://www.w3.org/2005/Atom'>"

#: For each format: a document, its destinations, and the document with the destination `NEW`.
CASES: list[tuple[DocumentFormat, str, list[str], str]] = [
    ("markdown", "[a](b)", ["b"], "[a](https://new.example/?a=1&#38;b=(c)&#39;d)"),
    ("html", '<a href="b&amp;c">', ["b&c"], f'<a href="{IN_HTML}">'),
    ("html", "<a href='b'>", ["b"], "<a href='https://new.example/?a=1&amp;b=(c)&#39;d'>"),
    ("html", "<a href=b>", ["b"], "<a href=https://new.example/?a&#61;1&amp;b&#61;(c)&#39;d>"),
    ("html", "<a href>", [""], f'<a href="{IN_HTML}">'),
    ("html", "<a href= >", [""], f'<a href= "{IN_HTML}">'),
    (
        "html", '<img srcset="b.png, c.png 2x">', ["b.png", "c.png"],
        f'<img srcset="{IN_HTML}, {IN_HTML} 2x">',
    ),
    (
        "html", '<a href="#" ping="b c">', ["#", "b", "c"],
        f'<a href="{IN_HTML}" ping="{IN_HTML} {IN_HTML}">',
    ),
    (
        "html", '<meta http-equiv=refresh content="0; url=b">', ["b"],
        f'<meta http-equiv=refresh content="0; url={IN_HTML}">',
    ),
    ("html", "<p style='a: url(b)'>", ["b"], f"<p style='a: url({IN_STYLE})'>"),
    (
        "html", "<svg><style>p { a: url(b) }</style></svg>", ["b"],
        f"<svg><style>p {{ a: url({IN_STYLE}) }}</style></svg>",
    ),
    (
        "html", "<iframe srcdoc='<a href=b>'></iframe>", ["b"],
        ("<iframe srcdoc='<a href=https://new.example/?a&amp;#61;1&amp;amp;b&amp;#61;(c)&amp;#39;d>'>"
        "</iframe>"),
    ),
    ("css", '@import "b";', ["b"], f'@import "{NEW}";'),
    ("css", "p { a: url( b ) }", ["b"], f"p {{ a: url( {IN_STYLE.replace('&amp;', '&')} ) }}"),
    (
        "xml", "<urlset><url><loc>http://b/?c&amp;d</loc></url></urlset>", ["http://b/?c&d"],
        f"<urlset><url><loc>{IN_HTML}</loc></url></urlset>",
    ),
    (
        "xml", "<urlset><url><loc><![CDATA[http://b/?c&d]]></loc></url></urlset>", ["http://b/?c&d"],
        f"<urlset><url><loc><![CDATA[{NEW}]]></loc></url></urlset>",
    ),
    (
        "xml", f"{FEED}<link href='b'/></feed>", ["b"],
        FEED + "<link href='https://new.example/?a=1&amp;b=(c)&apos;d'/></feed>",
    ),
    ("json", r'{"a": ["http:\/\/b\/é"], "c": 1}', ["http://b/é"], f'{{"a": ["{NEW}"], "c": 1}}'),
    (
        "har", '{"log": {"entries": [{"request": {"url": "http://b/"}}]}}', ["http://b/"],
        f'{{"log": {{"entries": [{{"request": {{"url": "{NEW}"}}}}]}}}}',
    ),
    ("turtle", "<http://b/> a <c> .", ["http://b/", "c"], ""),
    ("text", "See http://b/.", ["http://b/"], f"See {NEW}."),
    ("restructuredtext", "`b <http://b/>`_", ["http://b/"], f"`b <{NEW}>`_"),
    ("asciidoc", "http://b/[b]", ["http://b/"], f"{NEW}[b]"),
]  # fmt: skip


def test_every_format_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(get_args(DocumentFormat))


@pytest.mark.parametrize(("name", "document", "found", "changed"), CASES)
def test_destinations_are_found_and_replaced(
    name: DocumentFormat, document: str, found: list[str], changed: str
) -> None:
    assert [link.destination for link in links(document, name)] == found
    assert rewrite(document, name, lambda _: None) == document
    made = rewrite(document, name, lambda _: NEW)
    assert [link.destination for link in links(made, name)] == [NEW] * len(found)
    if changed:
        assert made == changed


@pytest.mark.parametrize(
    ("name", "document", "new"),
    [
        *(("markdown", "[a](b)", "\0"), ("html", "<img srcset=b>", "b c")),
        *(("html", "<img srcset=b>", ","), ("css", "@import url(b)", "")),
        ("css", "@import url(b)", "a\nb"),
        ("xml", "<urlset><url><loc>b</loc></url></urlset>", ""),
        ("xml", "<urlset><url><loc><![CDATA[b]]></loc></url></urlset>", "]]>"),
        ("turtle", "<b> a <c> .", "\ud800"),
        ("text", "http://b/", "a b"),
    ],
)
def test_a_destination_that_cannot_stand_at_its_place_is_an_error(
    name: DocumentFormat, document: str, new: str
) -> None:
    with pytest.raises(ValueError, match=r"cannot"):
        rewrite(document, name, lambda _: new)


def test_characters_are_escaped_for_their_place() -> None:
    assert rewrite("<http://b/> a <c> .", "turtle", lambda _: "a b") == r"<a\u0020b> a <a\u0020b> ."
    assert rewrite("@import url(b)", "css", lambda _: "a<b") in {
        "@import url(a<b)",
        r"@import url(a\3c b)",
    }


def test_the_first_base_of_a_document_changes_the_base() -> None:
    page = '<a href="a"><base href="/b/"><base href="/c/"><a href="d">'
    targets = [str(link.target) for link in links(page, "html", base=URI("http://a.example/e"))]
    assert targets == ["http://a.example/b/a", "http://a.example/b/", "http://a.example/b/d"]


def test_a_base_is_resolved_as_in_browsers() -> None:
    for page, target in [
        ("<base href='http://['><a href=b>", "http://a/b"),
        ("<base href='data:,c'><base href='/d/'><a href=b>", "http://a/b"),
        ("<iframe srcdoc='<a href=b>'></iframe><base href='/d/'>", "http://a/d/b"),
        ("<base href='/d/'><iframe srcdoc='<a href=b><base href=e/>'></iframe>", "http://a/d/e/b"),
    ]:
        (link,) = (link for link in links(page, "html", base="http://a/") if link.kind == "link")
        assert str(link.target) == target


def test_a_base_element_is_resolved_against_the_uri_of_the_document() -> None:
    page = "<base href='b/'><a href=c>"
    targets = [str(link.target) for link in links(page, "html", base="http://a.example/e")]
    assert targets == ["http://a.example/b/", "http://a.example/b/c"]


def test_a_base_that_makes_targets_huge_is_rejected() -> None:
    with pytest.raises(ParseError, match="base longer than 8,192 characters"):
        links(f"<a href=b><base href='{'c/' * 5000}'>", "html")
    feed = "<a xml:base='b/'>" * 3000 + "</a>" * 3000
    assert len(links(feed, "xml")) == 3000
    with pytest.raises(ParseError, match="base longer") as caught:
        links("<a xml:base='b/'>" * 5000 + "</a>" * 5000, "xml", base="http://a/")
    assert caught.value.position > 1000


def test_the_format_of_a_file_follows_from_its_suffix() -> None:
    names = "a.md b.HTM c.css d.rss e.jsonl f.har g.nt h.txt i.rst j.adoc"
    found = [format_of(name) for name in names.split()]
    assert set(found) == set(get_args(DocumentFormat))
    assert format_of("k.png") is None


POLICY = Policy(allow=["docs.example"])


def test_an_allowed_autolink_is_kept() -> None:
    assert guard("<https://docs.example/a>", POLICY) == "<https://docs.example/a>"


def test_links_that_appear_when_others_are_removed_are_removed_too() -> None:
    nested = "[a](//evil.example/)"
    for _ in range(12):
        nested = f"[{nested}](//evil.example/)"
    made = guard(nested, POLICY)
    assert not [link for link in links(made, "markdown") if link.kind != "definition"]


def test_a_site_of_a_uri_without_an_origin_is_never_the_same() -> None:
    from uriverse import HTTPURI

    assert not HTTPURI("http://a.example/").is_same_site("data:,", public_suffix=Suffixes())


def test_an_allowed_url_beside_signs_of_code_stays_allowed() -> None:
    for text in [
        "https://docs.example/a=_\n]\\```@    ---``",
        "<https://docs.example/>https://docs.example/a```=#\n",
    ]:
        made = guard(text, POLICY)
        assert all(POLICY.allows(link.destination) for link in links(made, "markdown"))


def test_markdown_is_read_as_commonmark_says() -> None:
    for document, found in [
        ("  ```\n  [a](b)\n  ```\n[c](d)", ["d"]),
        (">   ```\n>   [a](b)\n>   ```\n> [c](d)", ["d"]),
        (">   ```\n> [a](b)\n>   ```\n> [c](d)", ["d"]),
        *(("> ~~~\n> [a](b)\n[c](d)", ["d"]), ("[a]: b\n===\n[a]", ["b"])),
        *(("# #\n## ##  \n#  \n### [a](b)", ["b"]), ("#\n[a](b)\n# [c](d) #", ["b", "d"])),
        *(("[a](b&#0;c)", ["b\ufffdc"]), ("[a](b&xyzt;)", ["b&xyzt;"])),
        ("(www.a.example) www.b.example); https://c.example/&amp;", None),
    ]:
        destinations = [link.destination for link in links(document, "markdown")]
        assert destinations == found or (
            found is None
            and destinations
            == ["http://www.a.example", "http://www.b.example", "https://c.example/"]
        )


def test_unknown_character_references_in_html_stay_as_they_are() -> None:
    assert [link.destination for link in links('<a href="b&xyzt;&q">', "html")] == ["b&xyzt;&q"]


def test_elements_and_instructions_of_xml_are_kept_apart() -> None:
    for document, found in [
        ("<?php a?><urlset><url><loc>http://a/</loc></url></urlset>", ["http://a/"]),
        ("<rss><link>a<loc>http://b/</loc></link></rss>", ["http://b/"]),
        ("<?xml-stylesheet href='a.css'?><rss/>", ["a.css"]),
    ]:
        assert [link.destination for link in links(document, "xml")] == found


@pytest.mark.parametrize("document", TREES)
def test_the_rules_of_svg_and_mathml_end_where_those_of_html_begin(document: str) -> None:
    assert [link.destination for link in links(document, "html")] == TREES[document]


def test_tags_before_svg_are_counted() -> None:
    for document, found in [
        ("<a href=a><script></script></a></b><svg><a href=b></a></svg>", ["a", "b"]),
        ("<svg><style>a { b: url(c) } <!-- d --> <e/></style></svg>", ["c"]),
        ("<i><style></style></i><svg></i><g></i><a href=b></g></svg>", ["b"]),
    ]:
        assert [link.destination for link in links(document, "html")] == found
