"""The comments in a document that suppress findings, such as `<!-- uriverse: ignore -->`."""

from __future__ import annotations

from typing import NamedTuple

from uriverse._patterns import lazy_pattern
from uriverse.diagnosis import CODES
from uriverse.diagnosis._findings import Finding
from uriverse.documents._comments import Comment, comments

from .places import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriverse.typing import DocumentFormat

    from .in_documents import Lines

#: The content of such a comment. Only the codes and groups in brackets are ignored.
DIRECTIVE = lazy_pattern(
    r"\s*+uriverse:\s*+ignore(?P<file>-file)?(?:\[(?P<codes>[^\[\]]*+)\])?\s*+"
)

SPACE = lazy_pattern(r"\s*+")

#: The maximum column of a comment that is alone on its lines.
INDENTED = 100


class Ignored(NamedTuple):
    """Findings that a comment suppresses.

    Attributes:
        comment: the line and the column of the comment.
        lines: the lines with the findings; `None` for all lines.
        codes: their codes or groups; an empty set for all.
    """

    comment: tuple[int, int]
    lines: frozenset[int] | None
    codes: frozenset[str]

    def covers(self, finding: Finding, line: int) -> bool:
        """Return whether the comment suppresses a finding on a line."""
        known = CODES.get(finding.code)
        names = {finding.code, known.group} if known else {finding.code}
        return (self.lines is None or line in self.lines) and (
            not self.codes or not names.isdisjoint(self.codes)
        )


class IgnoreComments:
    """The comments of a document that suppress findings.

    A comment applies to the line on which it ends. If there is nothing else on its lines, it also
    applies to the next line that is not blank.
    """

    def __init__(self, text: str, form: DocumentFormat, lines: Lines) -> None:
        self.all = list(ignored_in(text, form, lines)) if "uriverse:" in text else []
        self.used: set[Ignored] = set()

    def covers(self, finding: Finding, place: Place) -> bool:
        """Return whether a comment suppresses a finding."""
        line = place.at(finding.start).line
        used = {each for each in self.all if each.covers(finding, line)}
        self.used |= used
        return bool(used)

    def unused(self) -> list[tuple[int, int]]:
        """Return the positions of the comments that suppressed no finding, in order."""
        return [each.comment for each in self.all if each not in self.used]


def ignored_in(text: str, form: DocumentFormat, lines: Lines) -> Iterator[Ignored]:
    """Yield what each comment of a document suppresses."""
    for comment in comments(text, form):
        directive = DIRECTIVE.fullmatch(comment.content)
        if directive is None:
            continue
        covered = None if directive["file"] else frozenset(lines_covered(text, comment, lines))
        codes = frozenset((directive["codes"] or "").replace(",", " ").split())
        yield Ignored(lines.position(comment.start), covered, codes)


def lines_covered(text: str, comment: Comment, lines: Lines) -> Iterator[int]:
    """Yield the numbers of the lines to which a comment applies."""
    _, column = lines.position(comment.start)
    last, _ = lines.position(comment.end)
    yield last
    rest = SPACE.match(text, comment.end)
    following, _ = lines.position(rest.end() if rest else comment.end)
    # A long indentation is not examined: a line may contain any number of comments.
    before = text[comment.start - column + 1 : comment.start] if column <= INDENTED else "x"
    if following > last and not before.strip():
        yield following
