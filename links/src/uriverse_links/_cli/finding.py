"""The command `uriverse links`."""

from __future__ import annotations

import sys
from typing import get_args

from uriverse import Resolver
from uriverse._carets import visible
from uriverse_links import DocumentFormat, LinkKind
from uriverse_links import Link

from .declarations import argument, command, option
from .document_files import Documents
from .extracting import in_json
from .lines import as_argument, complete_file_name
from .output import MISUSE, MisuseError
from .places import Place
from .printing import Array, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from uriverse import IRIReference

    from .dead_links import Dead
    from .document_files import Document


@command("links")
@argument("files", nargs=-1, shell_complete=complete_file_name, metavar="[FILE|FOLDER]...")
@option(
    "--input-format",
    "form",
    type=get_args(DocumentFormat),
    metavar="FORMAT",
    help="Read stdin and each FILE as FORMAT.",
)
@option(
    "--kind",
    "kinds",
    type=get_args(LinkKind),
    multiple=True,
    metavar="KIND",
    help="Print only links of this KIND.",
)
@option("--base", metavar="URI", help="Resolve links; URI is that of a FILE or FOLDER.")
@option("--dead", is_flag=True, help="Report links to missing files and anchors.")
@option("-u", "--unique", is_flag=True, help="Print each link once.")
@option("-z", "zero", is_flag=True, help="Separate lines by NUL in the output.")
@option("--json", "as_json", is_flag=True, help="Print one JSON object for each link.")
@option("--json-array", "as_array", is_flag=True, help="Print a JSON array of all links.")
def links_command(
    files: tuple[str, ...],
    form: DocumentFormat | None,
    kinds: tuple[str, ...],
    base: str | None,
    dead: bool,
    unique: bool,
    zero: bool,
    as_json: bool,
    as_array: bool,
) -> None:
    """Print the links in documents, or report dead links.

    Print the target of each link that a renderer would open. A FOLDER stands for the documents
    in it, without hidden folders and without the files that git ignores. Without a FILE, or
    if FILE is -, standard input is read, which needs --input-format.

    With --dead, nothing is sent over the network: relative links are errors if the file or
    the anchor does not exist. With --base, so are absolute links below URI.

    The exit status is 0 if a link was found and 1 if none was found. With --dead, it is 1 if
    a link is dead and 0 if none is. It is 2 if a FILE cannot be read.

    \b
    FORMAT    markdown, html, css, xml, json, har, turtle, text,
              restructuredtext, asciidoc; else the file name tells the format
    KIND      link, image, form, script, style, frame, media, redirect, feed,
              autolink, definition, base, text
    """
    if dead and unique:
        raise MisuseError("--unique contradicts --dead; use one of them")
    base_uri: IRIReference | None = None
    if base is not None:
        base_uri = as_argument("--base", lambda: Resolver(base).base)
    documents = Documents(files or ("-",), form)
    as_json = as_json or as_array
    found_any = False
    with Array() if as_array else Output() as output:
        if zero:
            output.end = "\0"
        if dead:
            lines = dead_lines(documents, kinds, base_uri, as_json=as_json)
        else:
            lines = link_lines(
                documents, kinds, base_uri, unique=unique, as_json=as_json, escaped=not zero
            )
        for batch in lines:
            found_any = found_any or bool(batch)
            output.write(batch)
    sys.exit(MISUSE if documents.unread else int(found_any == dead))


def link_lines(
    documents: Documents,
    kinds: tuple[str, ...],
    base: IRIReference | None,
    *,
    unique: bool,
    as_json: bool,
    escaped: bool,
) -> Iterator[list[str]]:
    """Yield the lines for the links of each document."""
    seen: set[str] = set()
    on_terminal = sys.stdout.isatty()
    for document, text in documents.texts():
        lines: list[str] = []
        for link in documents.links(document, text, base):
            if kinds and link.kind not in kinds:
                continue
            target = link.destination if link.target is None else str(link.target)
            if unique and target in seen:
                continue
            if unique:
                seen.add(target)
            if as_json:
                target = in_json(fields_of(document, link))
            elif on_terminal or (escaped and not target.isprintable()):
                # An invalid destination may contain line breaks.
                target = visible(target)
            lines.append(target)
        yield lines


def dead_lines(
    documents: Documents, kinds: tuple[str, ...], base: IRIReference | None, *, as_json: bool
) -> Iterator[list[str]]:
    """Yield the lines for the dead links of each document."""
    from .dead_links import CHECKED, dead_links
    from .trees import Tree

    tree = Tree()
    for document, text in documents.texts(CHECKED):
        yield [
            line_of(document, link, dead, as_json=as_json)
            for link, dead in dead_links(
                tree, document, text, documents.links(document, text), base
            )
            if not kinds or link.kind in kinds
        ]


def line_of(document: Document, link: Link, dead: Dead, *, as_json: bool) -> str:
    """Format a dead link as linters do, or as JSON."""
    if as_json:
        return in_json(fields_of(document, link) | dead._asdict())
    place = Place(document.name, link.line, link.column)
    advice = f"; did you mean {visible(dead.suggestion)}?" if dead.suggestion else ""
    rules = f" (rules of {dead.rules})" if dead.rules else ""
    return f"{place}: error dead-link: {dead.message}{rules}{advice}"


def fields_of(document: Document, link: Link) -> dict[str, object]:
    """Return the JSON object of a link."""
    return {
        "file": document.name,
        "line": link.line,
        "column": link.column,
        "start": link.start,
        "end": link.end,
        "kind": link.kind,
        "written": link.written,
        "destination": link.destination,
        "target": None if link.target is None else str(link.target),
    }
