"""Random HTML documents, and the destinations in the trees that other HTML parsers build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

from uriverse_links import _css
from uriverse_links._html import find_html_destinations
from uriverse_links._html_elements import (
    ANY,
    MATH,
    PRESENTATION,
    RULES,
    SVG,
    AttributeValue,
    Rule,
)

#: Documents that are changed.
STARTS = (
    (
        "<!DOCTYPE html><html><head><title>a</title><base href='/b/'>"
        "<link rel=stylesheet href=s.css>"
        "<style>a{background:url(x.png)}</style><script src='j.js'></script></head><body>"
        "<a href='x?a=1&amp;b=2' ping='p q'>l</a><img src=i.png srcset='a.png 1x, b.png 2x'>"
        "<form action='/f'><button formaction=g>x</button><input type=image src=k></form>"
        "</body></html>"
    ),
    (
        "<p><a href='one'>1</a><svg viewBox='0 0 1 1'><a xlink:href='two'><title>t</title>"
        "<style>b{fill:url(#q)}</style><use href='#u'/><image href=im.png /></a>"
        "<foreignObject><div>"
        "<a href=four>4</a></div></foreignObject></svg><a href=five>5</a></p>"
    ),
    (
        '<div style="background:url(&quot;a b&quot;)"><iframe src=fr srcdoc="<a href=z>"></iframe>'
        "<textarea><a href=no></textarea><video src=v poster=po><track src=t>"
        "<source src=s srcset='u 1w'></video><math><mi><a href=m1></a></mi></math></div>"
    ),
    (
        "<!-- <a href=c> --><a href=d></a><script><!-- <script> </script> <a href=no> --></script>"
        "<noscript><a href=n></a></noscript><xmp><a href=no></xmp><object data=o>"
        "</object><embed src=e>"
        "<meta http-equiv=refresh content='0;url=r'><area href=ar><q cite=no>"
    ),
    (
        "<ul><li><a href='a&copy=1&lt;&#x41;&#0;'>x</a><li><a href=\n b >y</a></ul>"
        "<![CDATA[ <a href=c>"
    ),
)
#: The strings that mutations insert, without tags that only the tree builder interprets.
PIECES = (
    *("<", ">", '"', "'", "=", "/", " ", "\n", "\t", "!", "-", "&", ";", "\0"),
    *("<!--", "-->", "--!>", "<style>", "</style>", "<script>", "</script>"),
    *("<title>", "</title>", "<a href=n>", "<![CDATA[", "]]>", "<plaintext>", "<textarea>"),
    *("&amp", "&#", "</textarea>", "\r\n", "<?x", "</", " href=q ", " style=url(y) ", "url("),
    *("<br>", "<span>", "</b>"),
)

#: The tags of trees: HTML, SVG and MathML alternate, and nothing is balanced. An asterisk stands
#: for a number, so that each destination occurs once. The end tag of `template` is not among them,
#: because turbohtml 1.15.4 crashes if it follows HTML in such an element of SVG or MathML.
TAGS = (
    *("<svg>", "<svg>", "<svg/>", "</svg>", "<math>", "</math>", "<g>", "</g>", "<use href=*>"),
    *("<desc>", "</desc>", "<foreignObject>", "</foreignObject>", "<title>", "</title>", "<mi>"),
    *("</mi>", "<annotation-xml>", "<annotation-xml encoding=text/html>", "</annotation-xml>"),
    *("<mglyph>", "<font>", "<font color>", "</font>", "<style>x{y:url(*)}", "</style>", "<p>"),
    *("</p>", "<div>", "</div>", "<b>", "</b>", "<br>", "</br>", "<img src=*>", "<image href=*>"),
    *("<table>", "</table>", "<tr>", "<td>", "<ul>", "<li>", "</ul>", "<span>", "</span>", "<h1>"),
    *("<textarea>", "</textarea>", "<script>", "</script>", "<xmp>", "</xmp>", "<noscript>"),
    *("<![CDATA[", "]]>", "<!--", "-->", "<a href=*>", "<a href=*>", "</a>", "<a href=* />"),
    *("<template>", "<button>", "</button>", "<body>", "</body>", "x", "&#", "</x>"),
    *(
        "</td>",
        "</tr>",
        "<tbody>",
        "<caption>",
        "<th>",
        "</tbody>",
        "</li>",
        "</h1>",
        "<i>",
        "</i>",
    ),
    *("<object>", "</object>", "<select>", "</select>", "<option>", "<form>", "</form>", "<dd>"),
)


#: Documents with elements that the tree builder drops in most places, whose destinations count
#: anyway; and those with tags or comments in a `url()`, which a tag ends.
IMPERFECT = re.compile(
    r"<(?:caption|col|colgroup|frame|frameset|head|t(?:body|d|foot|h|head|r))[\s/]"
    r"|url\([^)<]*<(?!/style)",
    re.IGNORECASE | re.ASCII,
)


def mutants(seed: int) -> Iterator[str]:
    """Yield an endless sequence of documents that differ from `STARTS` in a few places."""
    random = Random(seed)  # noqa: S311
    while True:
        text = random.choice(STARTS)
        for _ in range(random.randint(1, 5)):
            at = random.randrange(len(text) + 1)
            if random.random() < 0.6:
                text = text[:at] + random.choice(PIECES) + text[at:]
            else:
                text = text[:at] + text[at + random.randint(1, 6) :]
        if not IMPERFECT.search(text):
            yield text


def trees(seed: int) -> Iterator[str]:
    """Yield an endless sequence of documents: tags in a random order, also `<svg>` or `<math>`.

    The last one is a link in HTML, SVG or MathML.
    """
    random = Random(seed)  # noqa: S311
    while True:
        pieces = [random.choice(("<svg>", "<svg>", "<math>"))]
        pieces += random.choices(TAGS, k=random.choice((3, 5, 10, 20)))
        before = random.randrange(4)
        pieces = random.choices(TAGS, k=before) + pieces + ["<a href=*>"]
        yield "".join(piece.replace("*", f"d{n}") for n, piece in enumerate(pieces))


def own_destinations(document: str) -> set[str]:
    """Return the destinations in a document by uriverse."""
    return {found.destination for found in find_html_destinations(document)}


def in_element(namespace: str, name: str, attributes: dict[str, str]) -> Iterator[str]:
    """Yield the destinations in the attributes that a parser sees."""
    for attribute, value in attributes.items():
        rule: Rule | None
        if namespace == "html":
            rule = RULES.get(name, ANY).get(attribute)
            if (name, attribute) == ("input", "src") and attributes.get(
                "type", ""
            ).lower() != "image":
                continue
            refreshes = attributes.get("http-equiv", "").lower() == "refresh"
            if (name, attribute) == ("meta", "content") and not refreshes:
                continue
        elif attribute == "href" or (attribute == "xlink:href" and "href" not in attributes):
            rule = SVG.get(name.lower()) if namespace == "svg" else MATH
        else:
            rule = PRESENTATION.get(attribute)
        if rule:
            encoded = value.replace("&", "&amp;")
            for found in rule.reader(AttributeValue(encoded, 0, len(encoded), ""), rule.kind):
                yield found.destination


def by_turbohtml(document: str) -> set[str]:
    """Return the destinations in the tree of turbohtml."""
    import turbohtml

    found: set[str] = set()
    nodes: list[Any] = [turbohtml.parse(document)]
    bases = 0
    while nodes:
        node = nodes.pop()
        nodes += reversed(list(node.children))
        if isinstance(node, turbohtml.Element):
            namespace = str(node.namespace.value)
            attributes = {
                name: " ".join(value) if isinstance(value, list | tuple) else value or ""
                for name, value in node.attrs.items()
            }
            if node.tag == "base" and "href" in attributes:
                bases += 1
                if bases > 1:
                    del attributes["href"]
            found.update(in_element(namespace, node.tag, attributes))
            if node.tag == "iframe" and "srcdoc" in attributes:
                found |= by_turbohtml(attributes["srcdoc"])
            if node.tag == "style" and namespace != "math":
                texts = (turbohtml.Text, turbohtml.CData)
                sheet = "".join(each.data for each in node.children if isinstance(each, texts))
                found.update(each.destination for each in _css.find_css_destinations(sheet))
    return found


def by_html5lib(document: str) -> set[str]:
    """Return the destinations in the tree of html5lib."""
    html5lib: Any = import_module("html5lib")
    names = {"1999/xhtml": "html", "2000/svg": "svg", "1998/Math/MathML": "math"}
    found: set[str] = set()
    bases = 0
    for element in html5lib.parse(document).iter():
        if not isinstance(element.tag, str):
            continue
        uri, _, tag = element.tag[1:].partition("}")
        namespace = names[uri.removeprefix("http://www.w3.org/")]
        attributes = {
            name.replace("{http://www.w3.org/1999/xlink}", "xlink:"): value
            for name, value in element.attrib.items()
        }
        if tag == "base" and "href" in attributes:
            bases += 1
            if bases > 1:
                del attributes["href"]
        found.update(in_element(namespace, tag, attributes))
        if tag == "iframe" and "srcdoc" in attributes:
            found |= by_html5lib(attributes["srcdoc"])
        if tag == "style" and namespace != "math":
            sheet = "".join([element.text or "", *(child.tail or "" for child in element)])
            found.update(each.destination for each in _css.find_css_destinations(sheet))
    return found


PARSERS: dict[str, Callable[[str], set[str]]] = {"turbohtml": by_turbohtml, "html5lib": by_html5lib}
