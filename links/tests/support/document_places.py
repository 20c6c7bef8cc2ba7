"""A document for each place in which a destination can be written."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from uriverse_links import _css, _html, _json, _rdf, _xml
from uriverse_links._destinations import Occurrence

Finder: TypeAlias = Callable[[str], Iterable[Occurrence]]

FINDERS: dict[str, Finder] = {
    "css": _css.find_css_destinations,
    "har": _json.find_in_archive,
    "html": _html.find_html_destinations,
    "json": _json.find_json_destinations,
    "rdf": _rdf.find_rdf_destinations,
    "xml": _xml.find_xml_destinations,
}
PLACES = {**_css.WRITERS, **_html.WRITERS, **_json.WRITERS, **_rdf.WRITERS, **_xml.WRITERS}

CSS = ["a{b:url(x:u)}", "a{b:url('x:s')}", 'a{b:url("x:d")}']
VALUES = [
    *('<p style="a:url(x:u)">', '<p style="a:url(&#39;x:s&#39;)">'),
    *('<p style="a:url(&quot;x:d&quot;)">', '<a href="x:h">', '<img srcset="x:a 1x, x:b 2x">'),
    *('<a ping="x:p x:q">', '<meta http-equiv="refresh" content="0; url=x:r">'),
    '<meta http-equiv="refresh" content="0; url=&#39;x:r&#39;">',
    '<meta http-equiv="refresh" content="0; url=&quot;x:r&quot;">',
]
UNQUOTED = [
    *("<a href=x:h>", "<img srcset=x:a>", "<a ping=x:p>", "<p style=a:url(x:u)>"),
    *("<p style=a:url('x:s')>", '<p style=a:url("x:d")>'),
    *("<meta http-equiv=refresh content=0;url=x:r>", "<meta http-equiv=refresh content=0;'x:r'>"),
    '<meta http-equiv=refresh content=0;"x:r">',
]
HTML = [
    *VALUES,
    *(value.replace('"', "'") for value in VALUES),
    *UNQUOTED,
    *("<a href>", "<a href=>", "<a href/>", "<base href='x:b'><a href='x:a'>"),
    *(f"<style>{css}</style>" for css in CSS),
    *(f"<svg><style>{css}</style></svg>" for css in CSS),
    *(f"<svg><style><![CDATA[{css}]]></style></svg>" for css in CSS),
]
#: Documents in attributes with and without quotation marks.
NESTED = [
    f"<iframe srcdoc={quote}{''.join(f'&#{ord(each)};' for each in html)}{quote}>"
    for html in HTML
    for quote in ("'", '"', "")
]
#: Documents by format.
DOCUMENTS: dict[str, list[str]] = {
    "css": [" ".join(CSS), '@import "x:i"; a{b:image-set("x:a" 1x, url(x:b) 2x)}'],
    "har": ['{"log": {"request": {"url": "x:r"}, "response": {"redirectURL": "x:d"}}}'],
    "html": [*HTML, *NESTED],
    "json": ['["http://a/", {"http://k/": "http://v/"}]', '{"a": "http://a/"}\n{"a": "urn:a:b"}\n'],
    "rdf": ["@base <x:b> .\n@prefix p: <x:p> .\n<x:s> p:o <x:o> ."],
    "xml": [
        "<urlset><url><loc>x:l</loc></url><url><loc> <![CDATA[ x:c ]]> </loc></url></urlset>",
        "<feed><link href=\"x:d\"/><link href='x:s'/></feed>",
    ],
}


def replaced(document: str, found: Occurrence, written: str) -> str:
    return document[: found.start] + written + document[found.end :]
