"""Random Markdown documents, and the links that cmark-gfm finds in a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import quote, unquote

from uriverse_links import _markdown

#: Documents that are put together and changed.
STARTS = (
    '[link](/uri "title")\n',
    "[link](<b)c>) [a](<b\\)c>) [link](\\(foo\\))\n",
    "![foo *bar*](train.jpg 'title') ![[x](y)](z)\n",
    "[link](foo\\bar%20b&auml;) [a](\"title\") [link](   /uri\n  'title'  )\n",
    "[link [foo [bar]]](/uri) [link [bar](/uri) [link \\[bar](/uri)\n",
    "[foo *bar [baz][ref]*][ref]\n\n[ref]: /uri\n",
    "[foo]: /url 'title'\n\n[foo] [foo][] ![foo] [bar][foo] [Foo]\n",
    "[foo]: <my url>\n'title'\n\n> [foo]: /other\n\n[foo]\n",
    "   [foo]: \n      /url  \n           'the title'  \n\n[foo]\n",
    (
        "[foo]\n===\n\n[foo]: /foo-url 'foo'\n[bar]: /bar-url\n  'bar'\n[baz]: /baz-url\n\n"
        "[bar] [baz]\n"
    ),
    "<https://foo.bar.baz/test?q=hello&id=22> <foo@bar.example.com> <made-up-scheme://foo>\n",
    "www.commonmark.org/he<lp and Visit www.commonmark.org/a.b.\n",
    "www.google.com/search?q=(business))+ok (www.google.com/search?q=commonmark&hl;)\n",
    "(Visit https://encrypted.google.com/search?q=Markup+(business))\n",
    "a.b-c_d@a.b. mailto:foo@bar.baz xmpp:foo@bar.baz/txt _foo@bar.baz_ hello+xyz@mail.example\n",
    '`code [a](b)` ``a ` b`` `` ` `` [a`](b`c) <a href="`">`\n',
    "| a | b |\n| --- | :-: |\n| [x](y) | `a \\| b` |\n| https://a.b/c | z | [w](v) |\n\n> x\n",
    (
        "- a\n\n  [x](/y)\n\n      [code](z)\n- > b\n  c <http://d>\n\n"
        "1. e\n   ```\n   [f](g)\n   ```\n"
    ),
    "```\n[foo](bar)\n```\n\n~~~ ruby\nhttp://a.b\n~~~\n\n    indented http://a.b\n",
    (
        "<div>\n*foo* [a](b)\n\n[c](d)\n</div>\n\n<!-- [e](f) -->\n\n"
        "<script>\n[g](h)\n\n</script>\n[i](j)\n"
    ),
    "# [a](b) #\n\n## http://c.d/e ##\n\n[f](g)\n---\n\n***\n* * *\n",
    "> > 1.  one\n>>\n>>     two [a](b)\n\n>     c\n> [d](e)\n[f](g)\n",
    "**a [b*c](d)** _e ~~http://f.g~~_ ***h**i@j.k_ \\*not* \\[a](b) \\http://a.b\n",
    "&#91;a](b) &amp;www.a.b [c](d&quot;e) a&#64;b.cd &copy; http://a.b?c=d&amp;e&lt;\n",
    "\t- a\n\n\tb [c](d)\n \t>\te\tf@g.hi\n",
    "<a href='x'>[y](z)</a> <?php [a](b) ?> <!A [a](b)> <![CDATA[[a](b)]]> a<b>c [d](e)\n",
)

#: Strings that are inserted.
PIECES = (
    *("*", "_", "`", "``", "[", "]", "(", ")", "<", ">", "!", "![", "](", "](<", "](/u)", "[a]"),
    *("[a]: /url\n", "[foo]", "\\", "&", "&amp;", "&#64;", "\n", "\n\n", "> ", "- ", "1. ", "   "),
    *("    ", "\t", "#", "# ", "|", "|a|b|\n|-|-|\n", "---\n", "===\n", "http://", "www."),
    *("https://a.b/c", "www.a.com/_x_", "a@b.co", "_a@b.co_", "a_b@c_d.e", "<http://a>", "<a@b.c>"),
    *("<a href='x'>", "<img src=y>", "<!--", "-->", "<?", "?>", "<div>", "</div>", "\n```\n"),
    *("~~~", "~", "~~", '"t"', "'t'", "(t)", ":", ".", ";", "/", "@", "\xe9", "\xdf", "\xa0"),
    *("]:", "]: ", "\\|", "\\]", "\\[", "```", "<a ", '">', "'", " ", "\r\n"),
)

#: The code points that cmark does not percent-encode in a destination.
SAFE = "-_.+!*'(),%#@?=;:/,+&$~"
#: The destinations that cmark removes by default.
UNSAFE = re.compile(
    r"(?!data:image/(?:png|gif|jpeg|webp))(?:javascript|vbscript|file|data):", re.IGNORECASE
)
#: URLs with markup: cmark-gfm reads the URL, and not the element that the markup starts.
MARKUP_IN_URL = re.compile(r"(?:://|www\.)[^\s<]*[`*_~\[\]\\&]")
#: The markup of tables that renderers write differently.
TABLE_MARKUP = re.compile(
    r"\s*(</?(?:table|thead|tbody|tr)>)\s*| (?:style=\"text-align: |align=\")\w+\""
)


def examples(specification: Path) -> list[str]:
    """Return the documents in the examples of the specification of CommonMark or GFM."""
    text = specification.read_text("utf-8")
    found = re.findall(r"^`{32} example[^\n]*\n(.*?)^\.\n", text, re.DOTALL | re.MULTILINE)
    return [document.replace("\u2192", "\t") for document in found]


def mutants(starts: Sequence[str], seed: int, pieces: Sequence[str] = PIECES) -> Iterator[str]:
    """Yield an endless sequence of documents that differ from `starts` in a few places."""
    random = Random(seed)  # noqa: S311
    while True:
        text = "".join(random.choice(starts) for _ in range(random.choice([1, 1, 2, 3])))
        for _ in range(random.choice([1, 2, 3, 5, 8])):
            place = random.randrange(len(text) + 1)
            other = random.choice(starts)
            start = random.randrange(len(other) + 1)
            text = random.choice(
                [
                    text[:place] + random.choice(pieces) + text[place:],
                    text[:place] + text[place + random.choice([1, 1, 2, 5]) :],
                    text[:place] + other[start : start + 20] + text[place:],
                ]
            )
        yield text


class Opened(HTMLParser):
    """Collects the destinations of the links and images in HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.destinations: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if (tag, name) in {("a", "href"), ("img", "src")}:
                self.destinations.append((tag, value or ""))

    handle_startendtag = handle_starttag


def opened_by(html: str) -> list[tuple[str, str]]:
    """Return the tags and destinations of the links and images in HTML."""
    parser = Opened()
    parser.feed(html)
    parser.close()
    return parser.destinations


def cmark_links(document: str) -> list[tuple[str, str]]:
    """Return the sorted tags and destinations in what cmark-gfm makes of a document.

    Raw HTML in the document is removed, and so are destinations such as `javascript:`.
    """
    from cmarkgfm import cmark

    html = cmark.markdown_to_html_with_extensions(
        document, options=0, extensions=["table", "autolink", "strikethrough"]
    )
    return sorted(opened_by(html))


def parsers_agree(document: str) -> bool:
    """Return whether pulldown-cmark, by which uriverse reads Markdown, and cmark-gfm agree on it.

    Both render it without the autolinks of GFM, which pulldown-cmark does not have. Where one of
    these contains markup, other elements depend on it, and the answer is no.
    """
    import pyromark
    from cmarkgfm import cmark

    if MARKUP_IN_URL.search(document):
        return False
    theirs = cmark.markdown_to_html_with_extensions(
        document, cmark.Options.CMARK_OPT_UNSAFE, ["table", "strikethrough"]
    )
    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
    return simplify(pyromark.html(document, options=options)) == simplify(theirs)


def simplify(html: str) -> str:
    """Remove from HTML what two renderers of Markdown write differently."""
    return unquote(unescape(TABLE_MARKUP.sub(r"\1", html))).strip()


def own_links(document: str) -> list[tuple[str, str]]:
    """Return what `cmark_links` should return, by uriverse."""
    links: list[tuple[str, str]] = []
    for opening in _markdown.list_openings(document):
        # Raw HTML is compared elsewhere.
        if not opening.occurrence.context.startswith("markdown-"):
            continue
        destination = opening.occurrence.destination
        written = "" if UNSAFE.match(destination) else quote(destination, safe=SAFE)
        links.append(("img" if opening.kind == "image" else "a", written))
    return sorted(links)
