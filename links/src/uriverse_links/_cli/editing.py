"""The commands that edit the destinations in documents, and nothing else."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from errno import EINVAL
from functools import lru_cache, partial
from typing import Any

from uriverse import IRIReference, Resolver, URIError, parse, repair
from uriverse_links._links import Link, edits, target_of

from .document_files import Document, Documents, describe_invalid
from .options import parse_base, reword_hint
from .output import MisuseError, Tally, UnreadableError, complain, describe_error
from .placeholders import is_filled_in
from .rewriting import Pairs, Rewriting
from .setting import ComponentEdit, NotAcceptedError

#: Returns an edited destination, or raises `URIError`.
EditURI = Callable[[str], object]

BYTE_ORDER_MARK = "\ufeff"

#: The advice for a file whose name does not tell its format.
ADVICE = "rename the file, so that its suffix tells the format"

#: The kinds of destinations that `resolve` and `relativize` keep: bases, which other destinations
#: depend on, and URIs in text and JSON, which are found only if they have a scheme.
NEVER_RELATIVE = {"base", "text"}


class StoppedError(Exception):
    """Raised at the last invalid destination that the options allow."""


def set_components(options: Namespace) -> int:
    """Edit components and query parameters of links."""
    return edit_files(options, ComponentEdit(options))


def normalize(options: Namespace) -> int:
    """Normalize links."""
    if options.keep_dot_segments and options.all_dot_segments:
        raise MisuseError("--keep-dot-segments contradicts --all-dot-segments; use one of them")
    steps: dict[str, Any] = {
        step: False
        for step in ("case", "percent_encoding", "dot_segments", "ipv6")
        if getattr(options, f"keep_{step}")
    }
    steps |= {"dot_segments": "all"} if options.all_dot_segments else {}
    steps |= {"scheme": True} if options.scheme else {}
    return edit_files(options, lambda uri: parse(uri).normalize(**steps))


def repair_links(options: Namespace) -> int:
    """Turn malformed links into valid URIs."""
    repair_uri = partial(repair, iri=options.iri, scheme=options.scheme, slashes=options.slashes)
    try:
        repair_uri("")
    except ValueError as error:
        raise MisuseError(str(error)) from None
    return edit_files(options, repair_uri)


def resolve(options: Namespace) -> int:
    """Make links absolute."""
    start = parse_base("BASE", options.base)

    def resolve_from(base: IRIReference) -> EditURI:
        return Resolver(base, strict=not options.non_strict)

    return edit_files(options, resolve_from(start), (start, resolve_from))


def relativize(options: Namespace) -> int:
    """Make links relative to their document, except relative ones and those to other sites."""
    start = parse_base("BASE", options.base)

    def relativize_from(base: IRIReference) -> EditURI:
        def edit(uri: str) -> object:
            value = parse(uri)
            same_site = (value.scheme, value.authority) == (base.scheme, base.authority)
            return value.relative_to(base, walk_up=not options.no_walk_up) if same_site else uri

        return edit

    return edit_files(options, relativize_from(start), (start, relativize_from))


def edit_files(
    options: Namespace,
    edit_uri: EditURI,
    relative: tuple[IRIReference, Callable[[IRIReference], EditURI]] | None = None,
) -> int:
    """Edit the documents that the arguments name, and return the exit status."""
    if not options.files or "-" in options.files:
        raise MisuseError("no documents; give files or folders as arguments")
    rewriting = Rewriting(in_place=options.in_place, backup=options.backup, dry_run=options.dry_run)
    tally = Tally(
        most_errors=1 if options.fail_fast else options.max_errors,
        summary=options.summary,
        quiet=options.quiet,
    )
    edit_documents(rewriting, options.files, tally, edit_uri, relative)
    return tally.finish("invalid")


def edit_documents(
    rewriting: Rewriting,
    names: Iterable[str],
    tally: Tally,
    edit_uri: EditURI,
    relative: tuple[IRIReference, Callable[[IRIReference], EditURI]] | None,
) -> None:
    """Edit the destinations in documents.

    Invalid destinations stay unchanged. If there are too many of them, the document stays
    unchanged.

    Args:
        rewriting: writes the documents.
        names: files and folders.
        tally: counts the destinations, and reports errors.
        edit_uri: returns an edited destination.
        relative: for a command with a base URI, that URI (see `Document.uri`), and the function
            that returns `edit_uri` for the base URI that applies to a destination.
    """
    documents = Documents(names, advice=ADVICE)
    tally.changed = 0
    for document in documents:
        changed = tally.changed
        try:
            rewriting.check_file(document.name)
            pairs = DocumentEdit(document, tally, edit_uri, relative).pairs()
            rewriting.write(document.name, pairs)
        except StoppedError:
            if rewriting.in_place:
                tally.changed = changed
                reason = "too many invalid strings; the file stays unchanged"
                complain(describe_error(UnreadableError(EINVAL, reason, document.name)))
            break
        except UnreadableError as error:
            tally.changed = changed
            documents.refuse(error)
    tally.unread = tally.unread or documents.unread


class DocumentEdit:
    """The edit of a document; the arguments are those of `edit_documents`."""

    def __init__(
        self,
        document: Document,
        tally: Tally,
        edit_uri: EditURI,
        relative: tuple[IRIReference, Callable[[IRIReference], EditURI]] | None,
    ) -> None:
        self.document = document
        self.tally = tally
        self.edit_uri = edit_uri
        self.encoding = "utf-8"
        self.uri: IRIReference | None = None
        if relative is not None:
            self.uri = document.uri(relative[0])
            self.edit_from = lru_cache(maxsize=1)(relative[1])

    def pairs(self) -> Pairs:
        """Return the lines of the document, before and after the edit.

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
            raise describe_invalid(self.document, text, error) from None
        if mark:
            pieces.insert(0, (BYTE_ORDER_MARK, BYTE_ORDER_MARK))
        return [(self.encode(old), self.encode(new)) for old, new in join_lines(pieces)]

    def edit(self, link: Link, base: IRIReference | None) -> str | None:
        """Return a new destination, or `None` to keep it.

        Args:
            link: a destination.
            base: the base URI that applies to it.
        """
        if is_filled_in(link):
            return None
        edit_uri = self.edit_uri
        if self.uri is not None and base is not None:
            if link.kind in NEVER_RELATIVE:
                return None
            edit_uri = self.edit_from(base)
        self.tally.total += 1
        try:
            old, new = edit_destination(link, edit_uri)
        except NotAcceptedError:
            return None
        except URIError as error:
            self.report(link, str(reword_hint(error)))
            return None
        if new == old:
            return None
        try:
            self.encode(new)
        except UnicodeEncodeError as error:
            problem = f"the encoding of the document has no character {error.object[error.start]!r}"
            self.report(link, f"{problem}; percent-encode it")
            return None
        self.tally.changed = (self.tally.changed or 0) + 1
        return new

    def encode(self, text: str) -> bytes:
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


def edit_destination(link: Link, edit_uri: EditURI) -> tuple[str, str]:
    """Return a destination, percent-encoded as renderers do if need be, and the new one."""
    try:
        return link.destination, str(edit_uri(link.destination))
    except URIError:
        reference = target_of(link.destination, None)
        if reference is None or str(reference) == link.destination:
            raise
        return str(reference), str(edit_uri(str(reference)))


def join_lines(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
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
