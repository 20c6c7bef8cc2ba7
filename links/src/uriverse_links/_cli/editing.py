"""Edit the destinations in documents, and nothing else."""

from __future__ import annotations

from errno import EINVAL
from functools import lru_cache

from uriverse import IRIReference, URIError
from uriverse_links import Link
from uriverse_links._links import edits, target_of

from .accepting import NotAcceptedError
from .document_files import Document, Documents, invalid
from .hints import reworded
from .output import UnreadableError
from .placeholders import is_filled_in
from .rewriting import Rewriting, StoppedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from .rewriting import Pairs
    from .tally import Tally

    Ask = Callable[[str], Any]

BYTE_ORDER_MARK = "\ufeff"

#: The advice for a file whose name does not tell its format.
ADVICE = "rename the file, so that its suffix tells the format"

#: The kinds of destinations that `resolve` and `relativize` keep: bases, which other destinations
#: depend on, and URIs in text and JSON, which are found only if they have a scheme.
NEVER_RELATIVE = {"base", "text"}


def edit_documents(
    rewriting: Rewriting,
    names: tuple[str, ...],
    tally: Tally,
    ask: Ask,
    relative: tuple[IRIReference, Callable[[IRIReference], Ask]] | None,
) -> None:
    """Edit the destinations in documents.

    Invalid destinations stay unchanged. If there are too many of them, the document stays
    unchanged.

    Args:
        rewriting: writes the documents.
        names: files and folders.
        tally: counts the destinations, and reports errors.
        ask: returns an edited destination, or raises `URIError`.
        relative: for a command with a base URI, that URI (see `Document.uri`), and the function
            that returns `ask` for the base URI that applies to a destination.
    """
    documents = Documents(names, advice=ADVICE)
    tally.changed = 0
    for document in documents:
        changed = tally.changed
        try:
            rewriting.write(document.name, Edited(document, tally, ask, relative).batches())
        except StoppedError:
            if rewriting.in_place:
                tally.changed = changed
                rewriting.report_unchanged(document.name)
            break
        except UnreadableError as error:
            tally.changed = changed
            documents.refuse(error)
    tally.unread = tally.unread or documents.unread


class Edited:
    """A document with edited destinations; the arguments are those of `edit_documents`."""

    def __init__(
        self,
        document: Document,
        tally: Tally,
        ask: Ask,
        relative: tuple[IRIReference, Callable[[IRIReference], Ask]] | None,
    ) -> None:
        self.document = document
        self.tally = tally
        self.ask = ask
        self.encoding = "utf-8"
        self.uri: IRIReference | None = None
        if relative is not None:
            self.uri = document.uri(relative[0])
            self.ask_from = lru_cache(maxsize=1)(relative[1])

    def batches(self) -> Iterator[Pairs]:
        """Yield the lines of the document, before and after the edit.

        Raises:
            StoppedError: there are too many invalid destinations.
            UnreadableError: the document cannot be read, or its syntax is invalid.
        """
        text, self.encoding, mark = self.document.read()
        if self.encoding.startswith("utf-16"):
            reason = "cannot edit UTF-16; convert the file to UTF-8"
            raise UnreadableError(EINVAL, reason, self.document.name)
        form = self.document.format
        try:
            pieces = list(edits(text, form, self.edit, base=self.uri, refused=self.refuse))
        except URIError as error:
            raise invalid(self.document, text, error) from None
        if mark:
            pieces.insert(0, (BYTE_ORDER_MARK, BYTE_ORDER_MARK))
        yield [(self.encoded(old), self.encoded(new)) for old, new in in_lines(pieces)]

    def edit(self, link: Link, base: IRIReference | None) -> str | None:
        """Return a new destination, or `None` to keep it.

        Args:
            link: a destination.
            base: the base URI that applies to it.
        """
        if is_filled_in(link):
            return None
        ask = self.ask
        if self.uri is not None and base is not None:
            if link.kind in NEVER_RELATIVE:
                return None
            ask = self.ask_from(base)
        self.tally.total += 1
        try:
            old, new = asked(link, ask)
        except NotAcceptedError:
            return None
        except URIError as error:
            self.report(link, str(reworded(error)))
            return None
        if new == old:
            return None
        try:
            self.encoded(new)
        except UnicodeEncodeError as error:
            problem = f"the encoding of the document has no character {error.object[error.start]!r}"
            self.report(link, f"{problem}; percent-encode it")
            return None
        self.tally.changed = (self.tally.changed or 0) + 1
        return new

    def encoded(self, text: str) -> bytes:
        """Encode a part of the document as it was decoded."""
        return text.encode(self.encoding, "surrogateescape")

    def refuse(self, link: Link, error: ValueError) -> None:
        """Report a new destination that cannot be written at its place."""
        self.tally.changed = (self.tally.changed or 0) - 1
        self.report(link, str(error))

    def report(self, link: Link, problem: str) -> None:
        """Report a destination that stays unchanged."""
        self.tally.invalid += 1
        self.tally.report(problem, self.document.name, link.line)
        if self.tally.stopped:
            raise StoppedError


def asked(link: Link, ask: Ask) -> tuple[str, str]:
    """Return a destination, percent-encoded as renderers do if need be, and the new one."""
    try:
        return link.destination, str(ask(link.destination))
    except URIError:
        reference = target_of(link.destination, None)
        if reference is None or str(reference) == link.destination:
            raise
        return str(reference), str(ask(str(reference)))


def in_lines(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join the pieces of a document, before and after an edit, to whole lines.

    A line with an edited destination is alone, so that a diff shows it.
    """
    old: list[str] = []
    new: list[str] = []
    for before, after in pieces:
        first, end, rest = before.partition("\n") if before == after else (before, "", "")
        old.append(first + end)
        new.append(first + end if before == after else after)
        if end:
            yield "".join(old), "".join(new)
            between, end, last = rest.rpartition("\n")
            yield between + end, between + end
            old, new = [last], [last]
    yield "".join(old), "".join(new)
