"""Which destinations are found in CSS."""

from __future__ import annotations

import pytest

from uriverse_links._css import find

FOUND: dict[str, list[tuple[str, str]]] = {
    "a{b:url(x)}": [("x", "image")],
    "url( x )URL('y z')Url(\"'\")": [("x", "image"), ("y z", "image"), ("'", "image")],
    "@import 'a';@IMPORT/**/\"b\";@import url(c) d;": [
        ("a", "style"),
        ("b", "style"),
        ("c", "style"),
    ],
    "@important 'x'; @import x 'y'": [],
    "curl(x) url-prefix(x) -url(x) u(x)": [],
    "#url(x)": [],
    "u\\72 l(x)\\75\\000072\\6C(y)": [("x", "image"), ("y", "image")],
    "\\url(x)": [("x", "image")],
    "url(a\\)b\\26 c)": [("a)b&c", "image")],
    "url('a\\\nb')": [("ab", "image")],
    "url(a b)url(c)": [("c", "image")],
    "url(a'b)url(c)": [("c", "image")],
    "url('a\n')url(b)": [],
    "/* url(x) */ 'url(y)' \"url(z)": [],
    "/* url(x)": [],
    "url(x": [("x", "image")],
    "url('x": [("x", "image")],
    "url()url('')": [],
    "image-set('a' 1x, url(b) 2x type('image/png')) 'c'": [("a", "image"), ("b", "image")],
    "image-set(url(a) 1x, url('b') 2x, 'c' 3x)": [("a", "image"), ("b", "image"), ("c", "image")],
    "image-set(\\url('a') #url(b) 'c\n, 'd')": [("a", "image"), ("d", "image")],
    "url('a\nurl(b)": [("b", "image")],
    "url(a\\": [("a\ufffd", "image")],
    "url('a\\": [("a", "image")],
    "-webkit-image-set(url(a) 1x)": [("a", "image")],
    "src('a') src( /**/ \"b\")": [("a", "image"), ("b", "image")],
    "@namespace url(a);@namespace x 'b';url(c)": [("c", "image")],
    "url(\\0)url(\\110000 )url(\0)": [("\ufffd", "image")] * 3,
    "\\": [],
    "\0url(x) a\0: url(y)": [("y", "image")],
    "@": [],
    "image-set(": [],
}


@pytest.mark.parametrize("sheet", FOUND, ids=ascii)
def test_destinations_are_those_of_urls_and_imports(sheet: str) -> None:
    assert [(each.destination, each.kind) for each in find(sheet)] == FOUND[sheet]
