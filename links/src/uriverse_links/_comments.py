"""Find the comments in documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ._destinations import DocumentFormat
from ._markdown import read_html
from ._markdown_blocks import Document

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
    document = Document(text)
    for block in document.blocks:
        for html, lines in read_html(document.source, block):
            if block.kind == "html" or html.startswith("<!--"):
                for content, start, end in delimited(html, *DELIMITERS["html"]):
                    yield Comment(content, *lines.locate(start, end))
