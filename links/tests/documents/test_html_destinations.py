import pytest

from uriverse_links._html import find_html_destinations

#: Documents, and the destinations in them with their kinds.
FOUND = {
    "<a href=x>": "x link",
    "<A\nHREF = ' x '>": "x link",
    '<a href="a&amp;b&copy=1&copy;&lt&#x41;&#0;">': "a&b&copy=1©<A\ufffd link",
    "<a href=a href=b>": "a link",
    "<a href>": " link",
    "<a href=>": " link",
    "<a href=x/>": "x/ link",
    "<a/href=x>": "x link",
    '<a href="java\nscript:x">': "javascript:x link",
    "<a href=a\0>": "a\ufffd link",
    '<a href="x" ping="p  q">': "x link | p link | q link",
    "<lin\u212a href=x>": "",
    "<a href=x": "",
    '<a href="x>': "",
    "<a hre\u017f=x>": "",
    "</a href=x>": "",
    "< a href=x>": "",
    "<a data-href=x>": "",
    "<blockquote cite=x><q cite=x><ins cite=x><del cite=x>": "",
    '<span title="<a href=x>">': "",
    "<!-- <a href=x> -->": "",
    "<!--><a href=x>": "x link",
    "<!---><a href=x>": "x link",
    "<!-- --!><a href=x>": "x link",
    "<!-- <a href=x>": "",
    "<!doctype '><a href=x>": "x link",
    "<?php '><a href=x>": "x link",
    "</ ><a href=x>": "x link",
    "<![CDATA[><a href=x>]]>": "x link",
    "<img src=a srcset='b 1x, c,d 2x, e bad,, f'>": "a image | b image | c,d image | f image",
    "<img srcset='a 1x 2x, b 1w 2h, c 2h, d -1x, e 0w, f (x, y) 1x, g'>": "b image | g image",
    "<img src=''><script src></script><iframe src=''>": "",
    "<link href=a rel='x STYLEsheet'><link href=b rel=icon><link href=c>":
        "a style | b image | c link",
    "<link rel=alternate type=application/atom+xml href=f>": "f feed",
    "<link rel=alternate hreflang=de href=f>": "f link",
    "<form action=a><button formaction=b><input formaction=c src=d type=text>":
        "a form | b form | c form",
    "<input type=IMAGE src=x>": "x image",
    "<input type src=x>": "",
    "<video src=a poster=b><source src=c><track src=d></video><audio src=e>":
        "a media | b image | c media | d media | e media",
    "<iframe src=a></iframe><frame src=b><embed src=c><object data=d>":
        "a frame | b frame | c frame | d frame",
    "<body background=a><td background=b><p background=c>": "a image | b image",
    "<base target=x><base href=a><base href=b>": "a base",
    "<image src=x>": "x image",
    '<p style="a:url(&quot;x&quot;)">': "x image",
    "<style>a{b:url(x)}</style >": "x image",
    "<style>@import 'x'": "x style",
    "<script>'<!--<script></script><a href=x>--></script><a href=y>": "y link",
    "<script><!--></script><a href=y>": "y link",
    "<script src=s><a href=x></script >": "s script",
    "<textarea><a href=x></textarea><title><a href=x></title>": "",
    "<xmp><a href=x></xmp><iframe><a href=x></iframe><noembed><a href=x></noembed>": "",
    "<title></titles><a href=x></title/><a href=y>": "y link",
    "<noscript><a href=x></noscript><template><a href=y></template>": "x link | y link",
    "<plaintext><a href=x></plaintext><a href=y>": "",
    "<svg><a href=a xlink:href=b><image xlink:href=c /><script href=d /></svg>":
        "a link | c image | d script",
    "<svg><circle href=x fill='url(#y)'/>": "#y image",
    "<svg><![CDATA[<a href=x>]]><a href=y>": "y link",
    "<svg><style>a{b:url(&#120;)}<![CDATA[c{d:url(y)}]]></style></svg>": "x image | y image",
    "<svg><style><a href=x></style></svg><style><a href=y></style>": "x link",
    "<svg><style>a{b:url(x)}<use href=y />c{d:url(z)}</style></svg>": "x image | y image | z image",
    "<svg><title><style><a href=x></style></title><style><a href=y></style>": "y link",
    "<svg><p><style><a href=x></style>": "",
    "<svg/><style><a href=x></style>": "",
    "<div><svg></div><style><a href=x></style>": "",
    "<svg></div><style><a href=x></style>": "x link",
    "<svg><foreignObject><div></foreignObject><style><a href=x></style>": "",
    "<math><mi href=a><a href=b></mi><annotation-xml encoding=text/html><a href=c>":
        "a link | b link | c link",
    "<iframe srcdoc='<a href=x&amp;amp;y>' src=z></iframe><iframe src=a></iframe>":
        "x&y link | z frame | a frame",
    "<iframe srcdoc='<base href=a><base href=b><iframe srcdoc=&quot;<a href=c>&quot; src=d>'>":
        "a base | d frame",
    "<svg><linearGradient href=a /><mpath href=b /><animate href=c /></svg>": "a image | b image",
    "<html manifest=a><applet code=b codebase=d><img longdesc=e usemap=#f><portal src=g>": "",
    '<script type=importmap>{"imports": {"a": "b"}}</script><script>fetch("c")</script>': "",
    '<script type=speculationrules>{"prefetch": [{"urls": ["a"]}]}</script>': "",
    "<meta property=og:image content=a><a attributionsrc=b itemtype=c about=d resource=e>": "",
    "<DL><p><DT><A HREF='place:a&amp;b' ICON_URI='c' FEEDURL='d'>e</A><DD>http://f</DL><p>":
        "place:a&b link",
    # Elements that the tree builder drops.
    "<form action=a><FORM action=b><p style='c:url(d)'></form></form><form action=e>":
        "a form | b form | d image | e form",
    "<!-- <td background=a> --><td title='<td background=b>' background=c><xmp><td background=d>":
        "c image",
    "<p><html style=a:url(b)><head style=a:url(c)><body background=d><col style=a:url(e)>":
        "b image | c image | d image | e image",
    "<select><select style=a:url(b)>": "b image",
    "<frameset><frame src=a><a href=b><frameset rows=1><frame src=c></frameset>":
        "a frame | b link | c frame",
    "<svg><body background=a><a href=b xlink:href=c>": "a image | b link",
    "<table><tr><td background=a><a href=b>c<a href=d></table><td background=e>":
        "a image | b link | d link | e image",
    # Templates, also those that turbohtml cannot read.
    "<template><a href=a><template><a href=b><td background=c></template></template>":
        "a link | b link | c image",
    "<p><template shadowrootmode=open><a href=a></template><a href=b>": "a link | b link",
    "<svg><template><desc><p></template><b><p></b><a href=x>": "x link",
    "<math><TEMPLATE><mi><p></TEMPLATE ><a href=x><p><a href=y>": "x link | y link",
    "<template><svg><a href=a /></svg><tr background=b></template><a href=c>":
        "a link | b image | c link",
    "<b style=a:url(b)><p></b>c": "b image",
    # Style sheets of SVG end with tags, but not with end tags that end nothing.
    "<svg><style/>a{b:url(c)}</svg>": "",
    "<svg><style>a{b:url(x)}</svg>{b:url(y)}": "x image",
    "<svg><style>a{b:url(x)}<g>c{d:url(y)}</g>e{f:url(z)}<g>g{h:url(n)}</style>{i:url(n)}":
        "x image | z image",
    "<svg><style>a{b:url(x)}</g><!-- c{d:url(n)} -->e{f:url(y)}": "x image | y image",
    "<svg><style><![CDATA[a{b:url(x)}": "x image",
    "<math><style>a{b:url(x)}</style></math><iframe><a href=x></iframe>": "",
    "<a h\ud800ref=x href='\udfff'><svg><style \ud800=x><g \ud800 />a{b:url(x)}":
        "\udfff link | x image",
    "<link imagesrcset='a 1x, b 2x' rel=preload as=image>": "a image | b image",
}  # fmt: skip
REFRESH = {
    "0; url=x": "x",
    "0;x": "x",
    " 5.5 , URL = 'x' y": "x",
    "0 x": "x",
    '0;url="x': "x",
    "0;'x'": "x",
    "0;uri": "uri",
    "0": None,
    "0;": None,
    "x": None,
    ".; x": "x",
    "url=x": None,
}


@pytest.mark.parametrize("document", FOUND, ids=ascii)
def test_destinations_are_those_that_a_browser_opens(document: str) -> None:
    found = [f"{each.destination} {each.kind}" for each in find_html_destinations(document)]
    assert " | ".join(found) == FOUND[document]


@pytest.mark.parametrize("content", REFRESH, ids=ascii)
def test_a_refresh_is_parsed_as_the_standard_says(content: str) -> None:
    document = f'<meta http-equiv=Refresh content="{content.replace(chr(34), "&quot;")}">'
    found = [(each.destination, each.kind) for each in find_html_destinations(document)]
    expected = REFRESH[content]
    assert found == ([] if expected is None else [(expected, "redirect")])


def test_only_a_meta_element_with_refresh_redirects() -> None:
    assert not list(
        find_html_destinations(
            '<meta content="0;url=x"><meta http-equiv="refresh " content="0;url=x">'
        )
    )


def test_offsets_are_those_of_the_destination_as_written() -> None:
    for document, written in [
        *(("<a href=' a b\n'>", "a b"), ("<img srcset='&amp;a&#32;1x,b'>", "&amp;a")),
        ("<p style='a:url(&quot;x\\26 y&quot;)'>", "x\\26 y"),
        ("<meta http-equiv=refresh content='0;url=&quot;&lt;&quot;'>", "&lt;"),
        *(("<a href>", ""), ("\r\n\r<a\r\ntitle='\r\n'\rhref='b\r\nc'>", "b\r\nc")),
        ("\0<p>\0</p>\ufeff\ud800<a \0 href=b>", "b"),
        ("<!--\r\n--><svg><style>\r\n<!-- & -->a{b:url(&#99;\r)}</style>", "&#99;"),
        ("<svg><style>\r\n<g>\r\n</g>\r\n<![CDATA[\r\n&a{b:url(c)}]]></style>", "c"),
        ("<template>\r\n<svg>&#x1F600;<template></template><a href=b>", "b"),
        ("<iframe srcdoc='&lt;a href=b&amp;#99;d\r\n>'>", "b&amp;#99;d"),
        ("<p>\r\n<td background=b>", "b"),
    ]:
        first = next(iter(find_html_destinations(f"é\U00010000{document}")))
        assert f"é\U00010000{document}"[first.start : first.end] == written
