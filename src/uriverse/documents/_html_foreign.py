"""Which elements are open in SVG and MathML within HTML.

This follows section 13.2.6.5 of https://html.spec.whatwg.org/multipage/parsing.html, except that
HTML elements around it and in an integration point are assumed to be nested correctly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ._html_elements import Attributes, text_of

VOID = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image"),
        *("img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr"),
    )
)
#: HTML elements that end SVG and MathML.
BREAKOUT = frozenset(
    (
        *("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em"),
        *("embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing"),
        *("menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong"),
        *("strike", "sub", "sup", "table", "tt", "u", "ul", "var"),
    )
)
#: The elements that a start tag of HTML ends (13.2.6.4.7): the most frequent ones.
IMPLIED = {
    **{name: (name,) for name in ("a", "button", "nobr", "option")},
    **{name: ("p", name) for name in ("form", "li")},
    **dict.fromkeys(("dd", "dt"), ("p", "dd", "dt")),
}
ENDS_PARAGRAPH = BREAKOUT - frozenset(
    (
        *("b", "big", "br", "code", "em", "embed", "i", "img", "meta", "nobr", "ruby", "s"),
        *("small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var"),
    )
)
FONT = frozenset(("color", "face", "size"))
TEXT_POINTS = frozenset(("mi", "mn", "mo", "ms", "mtext"))
HTML_POINTS = frozenset(("desc", "foreignobject", "title"))


class Foreign:
    """The open elements from an `svg` or `math` element of HTML to the current one.

    Args:
        root: the name of that element.
        is_open: a function that returns whether an HTML element is open around it.
    """

    def __init__(self, root: str, is_open: Callable[[str], bool]) -> None:
        self.is_open = is_open
        #: The namespace and the name of each open element, and whether HTML rules apply in it:
        #: always, for `"text"` to all start tags but two, and for `"svg"` only to `<svg>`.
        self.elements: list[tuple[str, str, str]] = []
        #: The names in each run of elements that are all HTML, or all not HTML. The empty name
        #: counts the elements that have HTML rules.
        self.runs: list[Counter[str]] = []
        self.push(root, root, "")

    @property
    def current_is_foreign(self) -> bool:
        """Whether the current element is not HTML."""
        return self.elements[-1][0] != "html"

    @property
    def styles(self) -> bool:
        """Whether the current element is a style sheet of SVG."""
        return self.elements[-1][:2] == ("svg", "style")

    def push(self, namespace: str, name: str, point: str) -> None:
        is_html = namespace == "html"
        if not self.elements or (self.elements[-1][0] == "html") != is_html:
            self.runs.append(Counter())
        self.runs[-1].update((name, "") if point else (name,))
        self.elements.append((namespace, name, point))

    def pop(self) -> str:
        """Close the current element and return its name."""
        _, name, point = self.elements.pop()
        run = self.runs[-1]
        for counted in (name, "") if point else (name,):
            run[counted] -= 1
            if not run[counted]:
                del run[counted]
        if not run:
            self.runs.pop()
        return name

    def pop_through(self, name: str) -> None:
        """Close elements up to the innermost one with a name, which exists."""
        while self.pop() != name:
            pass

    def break_out(self) -> bool:
        """Close elements up to one in which HTML rules apply; return whether one was found."""
        while self.elements:
            namespace, _, point = self.elements[-1]
            if namespace == "html" or point in {"html", "text"}:
                return True
            self.pop()
        return False

    def open(self, name: str, attributes: Attributes, *, self_closing: bool) -> str:
        """Open an element for a start tag.

        Returns:
            The namespace of the element; `""` if the tag ends the SVG or MathML.
        """
        namespace, _, point = self.elements[-1]
        if (
            namespace == "html"
            or point == "html"
            or (point == "text" and name not in {"mglyph", "malignmark"})
            or (point == "svg" and name == "svg")
        ):
            namespace = name if name in {"svg", "math"} else "html"
            self.close_implied(name)
            if name in VOID if namespace == "html" else self_closing:
                return namespace
        elif name in BREAKOUT or (name == "font" and FONT & attributes.keys()):
            return self.open(name, attributes, self_closing=False) if self.break_out() else ""
        elif self_closing:
            return namespace
        self.push(namespace, name, point_of(namespace, name, attributes))
        return namespace

    def close_implied(self, name: str) -> None:
        """Close the HTML elements that the start tag of another one ends."""
        for ended in IMPLIED.get(name, ()) or (("p",) if name in ENDS_PARAGRAPH else ()):
            if self.elements[-1][0] == "html" and ended in self.runs[-1]:
                self.pop_through(ended)

    def close(self, name: str) -> bool:
        """Close the element of an end tag; return whether SVG or MathML goes on."""
        if self.elements[-1][0] == "html":
            if name in self.runs[-1]:
                self.pop_through(name)
        elif name in {"br", "p"}:
            return self.break_out()
        elif name in self.runs[-1]:
            self.pop_through(name)
        elif "" in self.runs[-1]:
            # Elements with HTML rules limit the scope of an end tag (13.2.4.2).
            return True
        elif len(self.runs) > 1:
            if name in self.runs[-2]:
                self.pop_through(name)
        elif self.is_open(name):
            return False
        return bool(self.elements)


def point_of(namespace: str, name: str, attributes: Attributes) -> str:
    """Return which start tags in an element are HTML: see `Foreign.elements`."""
    if namespace == "svg":
        return "html" if name in HTML_POINTS else ""
    if namespace == "math":
        if name == "annotation-xml":
            encoding = text_of(attributes, "encoding")
            return "html" if encoding in {"text/html", "application/xhtml+xml"} else "svg"
        return "text" if name in TEXT_POINTS else ""
    return ""
