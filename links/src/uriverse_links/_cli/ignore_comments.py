"""The comments in a document that suppress findings, such as `<!-- uriverse: ignore -->`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from uriverse import Finding
from uriverse.diagnosis import CODES
from uriverse_links._comments import Comment, comments
from uriverse_links._destinations import DocumentFormat, Lines, after

from .places import Place

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
        """Return whether a comment suppresses a finding."""
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
        """Return the positions of the comments that have suppressed no finding, in order."""
        return sorted(self._unused)


def lines_covered(text: str, comment: Comment, lines: Lines) -> Iterator[int]:
    """Yield the numbers of the lines to which a comment applies."""
    _, column = lines.place(comment.start)
    last, _ = lines.place(comment.end)
    yield last
    following, _ = lines.place(after(SPACE, text, comment.end))
    # A long indentation is not examined: a line may contain any number of comments.
    before = text[comment.start - column + 1 : comment.start] if column <= INDENTED else "x"
    if following > last and not before.strip():
        yield following
