"""Which HTML elements are open, from `<body>` or from an integration point of SVG or MathML.

This follows the insertion modes of section 13.2.6.4 of
https://html.spec.whatwg.org/multipage/parsing.html as far as they decide whether an end tag ends
SVG or MathML. The elements `html`, `head` and `body` are not counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

VOID = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image"),
        *("img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr"),
    )
)
#: Elements whose start tags are ignored in a body.
IGNORED = frozenset(("body", "frame", "frameset", "head", "html"))
#: Elements that do not decide how the others in a template are read.
HEAD = frozenset(
    (
        *("base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style"),
        *("template", "title"),
    )
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
#: Elements whose start tags end an open paragraph.
BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header"),
        *("hgroup", "hr", "li", "listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre"),
        *("search", "section", "summary", "table", "ul", "xmp", *HEADINGS),
    )
)
FORMATTING = frozenset(
    (
        *("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong"),
        *("tt", "u"),
    )
)
#: The elements whose end tags are optional (13.2.6.3).
IMPLIED = frozenset(("dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"))
#: The elements that the start tag of an item ends.
ITEMS = {"dd": ("dd", "dt"), "dt": ("dd", "dt"), "li": ("li",)}

ROW_GROUPS = ("tbody", "tfoot", "thead")
CELLS = ("td", "th")
TABLE_PARTS = frozenset(("caption", "col", "colgroup", "tr", *ROW_GROUPS, *CELLS))
#: The elements that limit the scope of the tags of a table, and its parts.
TABLE = ("table", "template")
TABLE_SCOPED = TABLE_PARTS.union(TABLE)
#: The possible parents of the parts of a table; those of the others are `TABLE`.
PARENTS = {
    **dict.fromkeys(CELLS, ("tr", *ROW_GROUPS, *TABLE)),
    "tr": (*ROW_GROUPS, *TABLE),
}

#: The elements that limit which formatting elements are reconstructed (13.2.4.3).
OBJECTS = frozenset(("applet", "marquee", "object"))
MARKERS = OBJECTS.union(("caption", "template", *CELLS))
#: The elements that limit the scope of end tags (13.2.4.2), and more of them for a few end tags.
SCOPES = MARKERS | {"select", "table"}
NARROWER = {"li": ("ol", "ul"), "p": ("button",)}
#: The elements that limit the scope of end tags without rules of their own.
SPECIAL = (
    BLOCKS
    | SCOPES
    | TABLE_PARTS
    | {"button", "iframe", "noembed", "noframes", "noscript", "script", "style"}
    | {"textarea", "title"}
)
#: The special elements that do not limit which items a start tag ends.
TRANSPARENT = frozenset(("address", "div", "p"))


class OpenElements:
    """A stack of open HTML elements. Each operation takes constant time on average."""

    def __init__(self, ended: Iterable[str] = ()) -> None:
        #: The names of the elements; empty for one that ended before the elements in it.
        self.names: list[str] = []
        #: The indices of the elements with each name, and of those in `SCOPES`, `SPECIAL` without
        #: `TRANSPARENT`, and `SPECIAL`.
        self.indices: dict[str, list[int]] = {}
        self.scopes = [-1]
        self.walls = [-1]
        self.specials = [-1]
        #: For each template, whether it contains parts of a table; `None` if it is empty.
        self.templates: list[bool | None] = []
        #: The formatting elements that ended with others, before each open marker and after all.
        self.ended = [[*ended]]

    @property
    def is_empty(self) -> bool:
        """Whether no element is open."""
        return not self.names

    @property
    def in_table(self) -> bool:
        """Whether the current element is in a table, but not in a cell."""
        return self.innermost("table") > self.innermost("template", "caption", *CELLS)

    def innermost(self, *names: str) -> int:
        """Return the index of the innermost element with one of some names, or -1."""
        open_elements = (indices for name in names if (indices := self.indices.get(name)))
        return max((indices[-1] for indices in open_elements), default=-1)

    def found(self, name: str) -> int:
        """Return the index of the element that an end tag closes, or -1."""
        index = self.innermost(*HEADINGS) if name in HEADINGS else self.innermost(name)
        if name in TABLE_SCOPED:
            return index if index >= self.innermost(*TABLE) else -1
        limits = self.scopes if name in SPECIAL or name in FORMATTING else self.specials
        limit = max(limits[-1], self.innermost(*NARROWER.get(name, ())))
        return index if index >= limit else -1

    def parent(self, name: str) -> int:
        """Return the index of the element that contains a part of a table, or -1."""
        index = self.innermost(*PARENTS.get(name, TABLE))
        in_body = index >= 0 and self.names[index] == "template" and self.templates[-1] is False
        return -1 if in_body else index

    def open(self, name: str) -> None:
        """Open an HTML element for a start tag, and close those that it ends."""
        if name in IGNORED or (name == "form" and self.innermost("form") >= 0):
            return
        self.begin(name)
        if name in TABLE_PARTS:
            if (parent := self.parent(name)) < 0:
                return
            self.pop_to(parent + 1)
            self.open_parents(name)
        elif name == "select" and self.close(name):
            return
        self.end_others(name)
        if name not in SPECIAL:
            self.reconstruct()
        if name not in VOID:
            self.push(name)

    def end_others(self, name: str) -> None:
        """Close the elements that the start tag of another one ends."""
        if name == "table" and self.in_table:
            self.pop_to(self.innermost("table"))
        elif name in ITEMS:
            index = self.innermost(*ITEMS[name])
            if index >= max(self.walls[-1], 0):
                self.pop_to(index)
        elif name in {"a", "button", "nobr"}:
            self.close(name)
        if name in BLOCKS:
            self.close("p")
        current = self.names[-1] if self.names else ""
        if current == name == "option" or (current in HEADINGS and name in HEADINGS):
            self.pop_to(len(self.names) - 1)

    def begin(self, name: str) -> None:
        """Record the first element in a template, which decides how the others are read."""
        if self.templates and self.templates[-1] is None and name not in HEAD:
            self.templates[-1] = name in TABLE_PARTS

    def begin_foreign(self) -> None:
        """Change the open elements for the start tag of an SVG or MathML element."""
        self.begin("")
        self.reconstruct()

    def open_parents(self, name: str) -> None:
        """Open the parents of a part of a table that have no tags."""
        if name in {"tr", *CELLS} and self.names[-1] == "table":
            self.push("tbody")
        if name in CELLS and self.names[-1] in ROW_GROUPS:
            self.push("tr")

    def reconstruct(self) -> None:
        """Open the formatting elements again that ended with others (13.2.4.3)."""
        names, self.ended[-1] = self.ended[-1], []
        for name in names:
            self.push(name)

    def push(self, name: str) -> None:
        """Add an element to the stack."""
        at = len(self.names)
        self.names.append(name)
        self.indices.setdefault(name, []).append(at)
        if name in SCOPES:
            self.scopes.append(at)
        if name in SPECIAL:
            self.specials.append(at)
            if name not in TRANSPARENT:
                self.walls.append(at)
        if name in MARKERS:
            self.ended.append([])
        if name == "template":
            self.templates.append(None)

    def pop_to(self, length: int) -> None:
        """Remove elements from the stack until a number of them is left."""
        ended: list[str] = []
        level = len(self.ended) - 1
        while len(self.names) > length:
            name = self.names.pop()
            if name:
                self.indices[name].pop()
            if name in OBJECTS:
                # The marker of an object without an end tag stays.
                self.ended[level] = latest([*reversed(ended), *self.ended[level]])
                level -= 1
            elif name in MARKERS:
                self.ended.pop()
                level = len(self.ended) - 1
            if name in MARKERS:
                ended = []
            elif name in FORMATTING and ended.count(name) < SAME:
                ended.append(name)
        self.ended[level] = latest([*reversed(ended), *self.ended[level]])
        for limits in (self.scopes, self.walls, self.specials):
            while limits[-1] >= length:
                limits.pop()
        del self.templates[len(self.indices.get("template", ())) :]

    def close(self, name: str) -> bool:
        """Close the element of an end tag; return whether it was open."""
        if name in self.ended[-1]:
            # Such an element is only forgotten.
            self.ended[-1].reverse()
            self.ended[-1].remove(name)
            self.ended[-1].reverse()
            return False
        index = self.found(name)
        if index < 0:
            return False
        if name == "form":
            # The elements in a form stay open, except those whose end tags are optional.
            while self.names[-1] in IMPLIED:
                self.pop_to(len(self.names) - 1)
            self.end_only(index)
            del self.specials[bisect_left(self.specials, index)]
            del self.walls[bisect_left(self.walls, index)]
            index = len(self.names)
        elif name in FORMATTING:
            # The adoption agency (13.2.6.4.7) does not close the blocks in the element.
            self.end_only(index)
            index = max(index, self.specials[-1] + 1)
        while index and not self.names[index - 1]:
            index -= 1
        self.pop_to(index)
        if name in OBJECTS:
            self.ended.pop()
        return True

    def end_only(self, index: int) -> None:
        """End an element, but not those in it."""
        self.indices[self.names[index]].pop()
        self.names[index] = ""


#: How many formatting elements of one name are reconstructed (13.2.4.3).
SAME = 3


def latest(names: list[str]) -> list[str]:
    """Return the names of the elements that are reconstructed."""
    return [name for n, name in enumerate(names) if names[n:].count(name) <= SAME]
