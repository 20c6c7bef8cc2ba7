"""Which elements are open in SVG and MathML within HTML.

This follows section 13.2.6.5 of https://html.spec.whatwg.org/multipage/parsing.html.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from ._html_elements import Attributes, text_of
from ._html_open import TABLE, TABLE_PARTS, TABLE_SCOPED, OpenElements

#: HTML elements that end SVG and MathML.
BREAKOUT = frozenset(
    (
        *("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em"),
        *("embed", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing"),
        *("menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong"),
        *("strike", "sub", "sup", "table", "tt", "u", "ul", "var"),
    )
)
FONT = frozenset(("color", "face", "size"))
TEXT_POINTS = frozenset(("mi", "mn", "mo", "ms", "mtext"))
HTML_POINTS = frozenset(("desc", "foreignobject", "title"))


class ForeignElements:
    """A stack of open SVG and MathML elements without HTML elements between them."""

    def __init__(self, table: int) -> None:
        #: The index of the innermost run of HTML elements around it with a table, or -1.
        self.table = table
        #: The namespace and the name of each element, and whether HTML rules apply in it: always,
        #: for `"text"` to all start tags but two, and for `"svg"` only to `<svg>`.
        self.elements: list[tuple[str, str, str]] = []
        #: The formatting elements of HTML in these elements that are reconstructed.
        self.ended: list[list[str]] = [[]]
        #: The number of elements by name, and of those with HTML rules as "".
        self.counts: Counter[str] = Counter()

    @property
    def is_empty(self) -> bool:
        """Whether no element is open."""
        return not self.elements

    def push(self, namespace: str, name: str, point: str) -> None:
        """Open an element."""
        self.elements.append((namespace, name, point))
        self.counts.update((name, "") if point else (name,))

    def pop(self) -> str:
        """Close the current element and return its name."""
        _, name, point = self.elements.pop()
        self.counts.subtract((name, "") if point else (name,))
        return name

    def close(self, name: str) -> bool:
        """Close the element of an end tag; return whether it was open."""
        if not self.counts[name]:
            return False
        while self.pop() != name:
            pass
        return True


class Foreign:
    """The open elements from an `svg` or `math` element of HTML to the current one.

    Args:
        root: the name of that element.
        around: a function that returns the HTML elements that are open around it.
    """

    def __init__(self, root: str, around: Callable[[], OpenElements]) -> None:
        self.around = around
        #: SVG or MathML elements and the HTML elements in them in turn, outermost first.
        self.runs: list[ForeignElements | OpenElements] = []
        self.push(root, root, "")

    @property
    def current(self) -> tuple[str, str, str]:
        """The namespace, the name and the rules of the current element."""
        run = self.runs[-1]
        return run.elements[-1] if isinstance(run, ForeignElements) else ("html", "", "")

    def push(self, namespace: str, name: str, point: str) -> None:
        """Open an element of SVG or MathML."""
        run = self.runs[-1] if self.runs else None
        if not isinstance(run, ForeignElements):
            table = self.table
            if run is not None and run.innermost(*TABLE) >= 0:
                table = len(self.runs) - 1
            run = ForeignElements(table)
            self.runs.append(run)
        run.push(namespace, name, point)

    @property
    def table(self) -> int:
        """The index of the innermost run of HTML elements around with a table, or -1."""
        outer = (run for run in reversed(self.runs[-2:]) if isinstance(run, ForeignElements))
        return next((run.table for run in outer), -1)

    def drop_empty(self) -> bool:
        """Remove the stacks that are empty; return whether SVG or MathML goes on."""
        while self.runs and self.runs[-1].is_empty:
            ended = self.runs.pop().ended[-1]
            if self.runs:
                self.runs[-1].ended[-1] += ended
        return bool(self.runs)

    def break_out(self) -> bool:
        """Close elements up to one in which HTML rules apply; return whether one was found."""
        while self.drop_empty():
            run = self.runs[-1]
            if isinstance(run, OpenElements) or run.elements[-1][2] in {"html", "text"}:
                return True
            run.pop()
        return False

    def open(self, name: str, attributes: Attributes, *, self_closing: bool) -> str:
        """Open an element for a start tag.

        Returns:
            The namespace of the element; `""` if the tag ends the SVG or MathML.
        """
        namespace, _, point = self.current
        if (
            namespace == "html"
            or point == "html"
            or (point == "text" and name not in {"mglyph", "malignmark"})
            or (point == "svg" and name == "svg")
        ):
            run = self.html_run()
            if name not in {"svg", "math"}:
                return "html" if self.open_html(name, run) else ""
            run.begin_foreign()
            self.drop_empty()
            namespace = name
        elif name in BREAKOUT or (name == "font" and FONT & attributes.keys()):
            return self.open(name, attributes, self_closing=False) if self.break_out() else ""
        if not self_closing:
            self.push(namespace, name, point_of(namespace, name, attributes))
        return namespace

    def html_run(self) -> OpenElements:
        """Return the HTML elements in the current SVG or MathML element."""
        run = self.runs[-1]
        if isinstance(run, ForeignElements):
            ended, run.ended[-1] = run.ended[-1], []
            run = OpenElements(ended)
            self.runs.append(run)
        return run

    def open_html(self, name: str, run: OpenElements) -> bool:
        """Open an element of HTML; return whether SVG or MathML goes on."""
        around = None
        if name in {"form", "table", *TABLE_PARTS} and run.innermost(*TABLE) < 0:
            around = self.elements_around(self.table)
        if name == "form":
            # In a form or directly in a table, a form contains nothing.
            if not (around or run).in_table and self.around().innermost("form") < 0:
                run.open(name)
        elif around and (around.in_table if name == "table" else around.parent(name) >= 0):
            # A part of the table around SVG or MathML ends them, as a table does.
            return self.end_in(self.table, partial(around.open, name))
        elif not around or name == "table":
            run.open(name)
        return self.drop_empty()

    def close(self, name: str) -> bool:
        """Close the element of an end tag; return whether SVG or MathML goes on."""
        run = self.runs[-1]
        if isinstance(run, ForeignElements) and name in {"br", "p"}:
            return self.break_out()
        if run.close(name):
            return self.drop_empty()
        if name in TABLE_SCOPED:
            index = self.table
        elif isinstance(run, ForeignElements) and not run.counts[""]:
            index = len(self.runs) - 2
        else:
            # Elements with HTML rules limit the scope of an end tag (13.2.4.2).
            return True
        around = self.elements_around(index)
        if around.found(name) < 0:
            return True
        if name == "form":
            # Only the form ends, and not the elements in it.
            return around.close(name)
        return self.end_in(index, partial(around.close, name))

    def elements_around(self, index: int) -> OpenElements:
        """Return the HTML elements in a run around the current one; -1 is that of the document."""
        run = self.runs[index] if index >= 0 else self.around()
        assert isinstance(run, OpenElements), "the index is that of such a run"
        return run

    def end_in(self, index: int, act: Callable[[], object]) -> bool:
        """Close all runs in another one, and change it; return whether SVG or MathML goes on."""
        if index < 0:
            return False
        del self.runs[index + 1 :]
        act()
        return self.drop_empty()


def point_of(namespace: str, name: str, attributes: Attributes) -> str:
    """Return which start tags in an element are HTML: see `Foreign.elements`."""
    if namespace == "svg":
        return "html" if name in HTML_POINTS else ""
    if name == "annotation-xml":
        encoding = text_of(attributes, "encoding")
        return "html" if encoding in {"text/html", "application/xhtml+xml"} else "svg"
    return "text" if name in TEXT_POINTS else ""
