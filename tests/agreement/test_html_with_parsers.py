"""The destinations in HTML are those in the attributes that other HTML parsers see.

Two differences are intended: elements that the tree builder drops, such as a form in a form, have
destinations; and the tree within SVG and MathML in HTML that is not well-formed is approximate.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from html_trees import TREES

from uriverse.documents import _css
from uriverse.documents._html import find
from uriverse.documents._html_elements import (
    ANY,
    MATH,
    PRESENTATION,
    RULES,
    SVG,
    Rule,
    Written,
)

SEEDS = [
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
]
#: The strings that mutations insert, without tags that only the tree builder interprets.
PIECES = [
    *"<>\"'=/ \n\t!-&;\0", "<!--", "-->", "--!>", "<style>", "</style>", "<script>", "</script>",
    "<title>", "</title>", "<a href=n>", "<![CDATA[", "]]>", "<plaintext>", "<textarea>",
    "&amp", "&#",
    "</textarea>", "\r\n", "<?x", "</", " href=q ", " style=url(y) ", "url(", "<br>", "<span>",
    "</b>",
]  # fmt: skip


def mutant(chance: random.Random) -> str:
    text = chance.choice(SEEDS)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.6:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        else:
            text = text[:at] + text[at + chance.randint(1, 6) :]
    return text


def destinations(namespace: str, name: str, attributes: dict[str, str]) -> Iterator[str]:
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
            for found in rule.reader(Written(encoded, 0, len(encoded), ""), rule.kind):
                yield found.destination


def by_turbohtml(document: str) -> set[str]:
    turbohtml: Any = pytest.importorskip("turbohtml")
    found: set[str] = set()
    nodes = [turbohtml.parse(document)]
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
            bases += node.tag == "base" and "href" in attributes
            if node.tag != "base" or bases == 1:
                found.update(destinations(namespace, node.tag, attributes))
            if node.tag == "style" and namespace != "math":
                texts = (turbohtml.Text, turbohtml.CData)
                sheet = "".join(each.data for each in node.children if isinstance(each, texts))
                found.update(each.destination for each in _css.find(sheet))
    return found


def by_html5lib(document: str) -> set[str]:
    html5lib: Any = pytest.importorskip("html5lib")
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
        bases += tag == "base" and "href" in attributes
        if tag != "base" or bases == 1:
            found.update(destinations(namespace, tag, attributes))
        if tag == "style" and namespace != "math":
            sheet = "".join([element.text or "", *(child.tail or "" for child in element)])
            found.update(each.destination for each in _css.find(sheet))
    return found


PARSERS = {"turbohtml": by_turbohtml, "html5lib": by_html5lib}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("document", [*SEEDS, *TREES])
def test_destinations_are_those_that_a_parser_sees(parser: str, document: str) -> None:
    assert {found.destination for found in find(document)} == PARSERS[parser](document)


@pytest.mark.slow
@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("seed", range(10))
def test_mutated_documents_have_the_same_destinations(parser: str, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(1000):
        document = mutant(chance)
        # Only the tree builder knows which open element an end tag in SVG or MathML closes, and
        # that a frame must be in a set of frames.
        if document.count("<svg") == document.count("</svg>") and "<frame " not in document:
            assert {found.destination for found in find(document)} == PARSERS[parser](document)
