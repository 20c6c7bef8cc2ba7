"""Find the comments in documents."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ._markdown import normalized, removed_returns
from ._markdown_blocks import Blocks
from ._markdown_inlines import Inlines
from ._types import DocumentFormat

#: The delimiters of comments that may have several lines.
DELIMITERS = {"html": ("<!--", "-->"), "xml": ("<!--", "-->"), "css": ("/*", "*/")}
#: Comments that end with their line.
TO_LINE_END = {
    "turtle": re.compile(r"#(?P<content>[^\r\n]*+)"),
    "restructuredtext": re.compile(r"^[ \t]*+\.\.(?=[ \t])(?P<content>.*+)", re.MULTILINE),
    "asciidoc": re.compile(r"^//(?!/)(?P<content>.*+)", re.MULTILINE),
}


class Comment(NamedTuple):
    """A comment in a document.

    Attributes:
        content: its content, without the characters that delimit it.
        start: the index of its first character in the document.
        end: the index after its last character.
    """

    content: str
    start: int
    end: int


def comments(text: str, form: DocumentFormat) -> Iterator[Comment]:
    """Yield the comments in a document. Plain text and JSON have none.

    Only Markdown is parsed, because it may contain code with comments. In other formats, the
    delimiters of a comment always start one, also in a string.
    """
    if form == "markdown":
        yield from in_markdown(text)
    elif form in DELIMITERS:
        yield from delimited(text, *DELIMITERS[form])
    elif form in TO_LINE_END:
        for found in TO_LINE_END[form].finditer(text):
            yield Comment(found["content"], *found.span())


def delimited(text: str, opening: str, closing: str) -> Iterator[Comment]:
    """Yield the comments between two delimiters."""
    end = 0
    while (start := text.find(opening, end)) >= 0:
        inner = start + len(opening)
        last = text.find(closing, inner)
        if last < 0:
            return
        end = last + len(closing)
        yield Comment(text[inner:last], start, end)


def in_markdown(text: str) -> Iterator[Comment]:
    """Yield the HTML comments in Markdown, but not those in code."""
    source = normalized(text)
    blocks = Blocks(source if source.endswith("\n") else f"{source}\n")
    returns = removed_returns(text)
    for content in blocks.contents:
        block = content.text
        if "<!--" not in block:
            continue
        if content.is_html:
            found = delimited(block, *DELIMITERS["html"])
        else:
            opened = Inlines(block, blocks.definitions).opened
            tags = [(each.start, block[each.start : each.end]) for each in opened]
            found = (
                Comment(tag[4:-3], start, start + len(tag))
                for start, tag in tags
                if tag.startswith("<!--") and tag.endswith("-->")
            )
        places = content.places()
        for comment in found:
            start, end = places.span(comment.start, comment.end)
            start, end = (place + bisect_right(returns, place) for place in (start, end))
            yield Comment(comment.content, start, end)
