"""The comments in a document, and those that suppress findings: `<!-- uriverse: ignore -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from uriverse import Finding
from uriverse.diagnosis import CODES
from uriverse_links._destinations import DocumentFormat, Lines, after
from uriverse_links._markdown import read_html
from uriverse_links._markdown_blocks import Document

from .strings_in_files import Place

#: The delimiters of comments that may have several lines.
DELIMITERS = {"html": ("<!--", "-->"), "xml": ("<!--", "-->"), "css": ("/*", "*/")}
#: Comments that end with their line.
TO_LINE_END = {
    "turtle": re.compile(r"#(?P<content>[^\r\n]*+)"),
    "restructuredtext": re.compile(r"^[ \t]*+\.\.(?=[ \t])(?P<content>.*+)", re.MULTILINE),
    "asciidoc": re.compile(r"^//(?!/)(?P<content>.*+)", re.MULTILINE),
}


class Comment(NamedTuple):
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


#: The content of such a comment. Only the codes and groups in brackets are ignored. A reason may
#: follow.
DIRECTIVE = re.compile(
    r"\s*+uriverse:\s*+ignore(?P<whole>-file(?!\w))?+"
    r"(?:\s*+\[(?P<codes>[^\[\]]*+)\]|(?!\s*+\[)(?=[\s:\u2013\u2014]|-(?!\w)|\Z))[\s\S]*+"
)

SPACE = re.compile(r"\s*+")

#: The maximum column of a comment that is alone on its lines.
INDENTED = 100

#: The number and the name that stand for all lines and all codes.
ALL_LINES, ALL_CODES = 0, ""


class IgnoreComments:
    """The comments of a document that suppress findings.

    A comment applies to the line on which it ends. If there is nothing else on its lines, it also
    applies to the next line that is not blank.
    """

    def __init__(self, text: str, form: DocumentFormat, lines: Lines) -> None:
        #: The positions of the comments that have suppressed no finding so far.
        self._unused: set[tuple[int, int]] = set()
        #: The unused comments by the line and the code or group to which they apply.
        self._known: dict[tuple[int, str], list[tuple[int, int]]] = {}
        if "uriverse:" not in text:
            return
        for comment in comments(text, form):
            if directive := DIRECTIVE.fullmatch(comment.content):
                position = lines.place(comment.start)
                self._unused.add(position)
                applies = [ALL_LINES] if directive["whole"] else lines_covered(text, comment, lines)
                codes = (directive["codes"] or "").replace(",", " ").split()
                for line in applies:
                    for code in codes or [ALL_CODES]:
                        self._known.setdefault((line, code), []).append(position)

    def covers(self, finding: Finding, place: Place) -> bool:
        code = CODES.get(finding.code)
        names = (ALL_CODES, finding.code, *([code.group] if code else []))
        lines = (ALL_LINES, place.at(finding.start).line)
        keys = [(line, name) for line in lines for name in names]
        found = [self._known[key] for key in keys if key in self._known]
        for positions in found:
            self._unused.difference_update(positions)
            # Each comment is used once, so that many comments on a line take no quadratic time.
            positions.clear()
        return bool(found)

    def unused(self) -> list[tuple[int, int]]:
        return sorted(self._unused)


def lines_covered(text: str, comment: Comment, lines: Lines) -> Iterator[int]:
    _, column = lines.place(comment.start)
    last, _ = lines.place(comment.end)
    yield last
    following, _ = lines.place(after(SPACE, text, comment.end))
    # A long indentation is not examined: a line may contain any number of comments.
    before = text[comment.start - column + 1 : comment.start] if column <= INDENTED else "x"
    if following > last and not before.strip():
        yield following
