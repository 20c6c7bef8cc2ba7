"""Which HTML tags in Markdown are harmless.

A tag is kept only if it is written in the plainest form, its element and its attributes neither run
code nor load anything, and a policy allows its destination. No element is kept whose contents a
browser reads in another way than ordinary text.
"""

from __future__ import annotations

import re

from ._guard_rules import Rules
from ._guard_text import LINKED

#: Elements that can start no HTML block unless their tag is alone on a line (CommonMark 4.6).
INLINE = (
    *("a", "abbr", "b", "br", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark"),
    *("q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var"),
)
BLOCK = (
    *("blockquote", "caption", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5"),
    *("h6", "hr", "li", "ol", "p", "summary", "table", "tbody", "td", "tfoot", "th", "thead"),
    *("tr", "ul"),
)
#: The attributes of all elements.
ATTRIBUTES = {"align", "alt", "colspan", "height", "open", "rowspan", "title", "width"}

VALUE = re.compile(r"[A-Za-z0-9 ,.!?%-]*")
DESTINATION = re.compile(r"(?:[A-Za-z0-9\-._~:/?#@!$%+,;=]|&amp;)+")
NAME = "|".join((*INLINE, *BLOCK))
TAG = re.compile(rf"</(?:{NAME})>|<({NAME})((?: [a-z]+(?:=\"[^\"\n]*\")?)*) ?/?>")
ATTRIBUTE = re.compile(r" ([a-z]+)(?:=\"([^\"]*)\")?")

#: The start of a line up to the first character that can belong to no marker of a block: neither to
#: a list item nor to a footnote.
MARKERS = re.compile(r"(?:[^A-Za-z<\[\n]|\[[^\]\n]*\]?)*")
#: A tag that is alone on its line starts an HTML block in some places.
LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")


def keeps_tag(tag: re.Match[str], rules: Rules) -> bool:
    """Return whether a match of `TAG` is harmless."""
    seen: set[str] = set()
    for name, value in ATTRIBUTE.findall(tag[2] or ""):
        if name in seen:
            return False
        seen.add(name)
        if (tag[1], name) in {("a", "href"), ("img", "src")}:
            allow = rules.allow_link if name == "href" else rules.allow_embed
            if not (DESTINATION.fullmatch(value) and allow(value.replace("&amp;", "&"))):
                return False
        elif name not in ATTRIBUTES or not VALUE.fullmatch(value) or LINKED.search(value):
            return False
    return True


def keeps_inline_tag(text: str, start: int, end: int, rules: Rules) -> bool:
    """Return whether a tag in a paragraph is harmless, and starts no HTML block."""
    tag = TAG.fullmatch(text, start, end)
    if tag is None or not keeps_tag(tag, rules):
        return False
    markers = MARKERS.match(text, text.rfind("\n", 0, start) + 1)
    assert markers, "the pattern also matches an empty string"
    is_first = markers.end() == start
    name = tag[1] or tag[0][2:-1]
    return not is_first or (name in INLINE and not LINE_END.match(text, end))
