"""The comments in a document, and those that suppress findings: `<!-- uriverse: ignore -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from uriverse import Finding
from uriverse.diagnosis import CODES
from uriverse_links._destinations import DocumentFormat, Lines, skip_pattern
from uriverse_links._markdown import read_html
from uriverse_links._markdown_blocks import Document

from .strings_in_files import Location

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


def find_comments(text: str, document_format: DocumentFormat) -> Iterator[Comment]:
    """Yield the comments in a document; plain text and JSON have none.

    Only Markdown is parsed, because it may contain code with comments. In other formats, the
    delimiters of a comment always start one.
    """
    if document_format == "markdown":
        yield from find_markdown_comments(text)
    elif document_format in DELIMITERS:
        yield from find_delimited(text, *DELIMITERS[document_format])
    elif document_format in TO_LINE_END:
        for comment in TO_LINE_END[document_format].finditer(text):
            yield Comment(comment["content"], *comment.span())


def find_delimited(text: str, opening: str, closing: str) -> Iterator[Comment]:
    end = 0
    while (start := text.find(opening, end)) >= 0:
        content_start = start + len(opening)
        content_end = text.find(closing, content_start)
        if content_end < 0:
            return
        end = content_end + len(closing)
        yield Comment(text[content_start:content_end], start, end)


def find_markdown_comments(text: str) -> Iterator[Comment]:
    document = Document(text)
    for block in document.blocks:
        for html, lines in read_html(document.source, block):
            # In a paragraph, each tag and each comment is HTML of its own.
            if block.kind == "html" or html.startswith("<!--"):
                for content, start, end in find_delimited(html, *DELIMITERS["html"]):
                    yield Comment(content, *lines.locate(start, end))


#: The content of such a comment. Only the codes and groups in brackets are ignored. A reason may
#: follow.
DIRECTIVE = re.compile(
    r"\s*+uriverse:\s*+ignore(?P<whole>-file(?!\w))?+"
    r"(?:\s*+\[(?P<codes>[^\[\]]*+)\]|(?!\s*+\[)(?=[\s:\u2013\u2014]|-(?!\w)|\Z))[\s\S]*+"
)

SPACE = re.compile(r"\s*+")

#: The maximum column of a comment that is alone on its lines.
MAX_INDENTATION = 100

#: The number and the name that stand for all lines and all codes.
ALL_LINES, ALL_CODES = 0, ""


class IgnoreComments:
    """The comments of a document that suppress findings.

    A comment applies to the line on which it ends. If there is nothing else on its lines, it also
    applies to the next line that is not blank.
    """

    def __init__(self, text: str, document_format: DocumentFormat, lines: Lines) -> None:
        #: The positions of the comments that have suppressed no finding so far.
        self._unused: set[tuple[int, int]] = set()
        #: The unused comments by the line and the code or group to which they apply.
        self._positions: dict[tuple[int, str], list[tuple[int, int]]] = {}
        if "uriverse:" not in text:
            return
        for comment in find_comments(text, document_format):
            directive = DIRECTIVE.fullmatch(comment.content)
            if directive is None:
                continue
            position = lines.locate(comment.start)
            self._unused.add(position)
            codes = (directive["codes"] or "").replace(",", " ").split() or [ALL_CODES]
            in_whole_file = directive["whole"] is not None
            for line in [ALL_LINES] if in_whole_file else list_affected_lines(text, comment, lines):
                for code in codes:
                    self._positions.setdefault((line, code), []).append(position)

    def suppresses(self, finding: Finding, location: Location) -> bool:
        code = CODES.get(finding.code)
        names = (ALL_CODES, finding.code, *([code.group] if code else []))
        lines = (ALL_LINES, location.locate_index(finding.start).line)
        keys = [(line, name) for line in lines for name in names]
        comments_of_finding = [self._positions[key] for key in keys if key in self._positions]
        for positions in comments_of_finding:
            self._unused.difference_update(positions)
            # Each comment is used once, so that many comments on a line take no quadratic time.
            positions.clear()
        return bool(comments_of_finding)

    def list_unused(self) -> list[tuple[int, int]]:
        return sorted(self._unused)


def list_affected_lines(text: str, comment: Comment, lines: Lines) -> Iterator[int]:
    _, column = lines.locate(comment.start)
    last_line, _ = lines.locate(comment.end)
    yield last_line
    next_line, _ = lines.locate(skip_pattern(SPACE, text, comment.end))
    # A long indentation is not examined: a line may contain any number of comments.
    indentation = (
        text[comment.start - column + 1 : comment.start] if column <= MAX_INDENTATION else "x"
    )
    if next_line > last_line and not indentation.strip():
        yield next_line
