"""The commands `uriverse-links find` and `uriverse-links dead`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from uriverse import IRIReference
from uriverse_links._links import Link

from .dead_links import CHECKED, DeadLink, Tree, find_dead_links
from .document_files import Document, Documents
from .options import parse_base
from .output import MISUSE, Array, Output, escape_controls
from .strings_in_files import Location


def find_links(options: Namespace) -> int:
    documents, base = read_options(options)
    return print_lines(options, documents, list_links(options, documents, base))


def find_dead(options: Namespace) -> int:
    documents, base = read_options(options)
    status = print_lines(options, documents, list_dead_links(options, documents, base))
    return status if status == MISUSE else 1 - status


def read_options(options: Namespace) -> tuple[Documents, IRIReference | None]:
    base = None if options.base is None else parse_base("--base", options.base)
    return Documents(options.files or ["-"], options.input_format), base


def print_lines(options: Namespace, documents: Documents, batches: Iterator[list[str]]) -> int:
    """Print lines, and return the exit status: 0 if a line was printed, else 1."""
    has_lines = False
    with Array() if options.json_array else Output() as output:
        if options.zero:
            output.end = "\0"
        for batch in batches:
            has_lines = has_lines or bool(batch)
            output.write(batch)
    if documents.unread:
        return MISUSE
    return 0 if has_lines else 1


def list_links(
    options: Namespace, documents: Documents, base: IRIReference | None
) -> Iterator[list[str]]:
    printed_targets: set[str] = set()
    on_terminal = sys.stdout.isatty()
    for document, text in documents.read_texts():
        lines: list[str] = []
        for link in documents.links(document, text, base):
            if options.kind and link.kind not in options.kind:
                continue
            target = link.destination if link.target is None else str(link.target)
            if options.unique:
                if target in printed_targets:
                    continue
                printed_targets.add(target)
            if options.json or options.json_array:
                lines.append(json.dumps(describe_link(document, link)))
            elif on_terminal or not options.zero:
                # An invalid destination may contain line breaks.
                lines.append(escape_controls(target))
            else:
                lines.append(target)
        yield lines


def list_dead_links(
    options: Namespace, documents: Documents, base: IRIReference | None
) -> Iterator[list[str]]:
    tree = Tree()
    as_json = options.json or options.json_array
    for document, text in documents.read_texts(CHECKED):
        links = documents.links(document, text)
        yield [
            json.dumps(describe_link(document, link) | dead._asdict())
            if as_json
            else format_dead(document, link, dead)
            for link, dead in find_dead_links(tree, document, text, links, base)
            if not options.kind or link.kind in options.kind
        ]


def format_dead(document: Document, link: Link, dead: DeadLink) -> str:
    location = Location(document.name, link.line, link.column)
    advice = f"; did you mean {escape_controls(dead.suggestion)}?" if dead.suggestion else ""
    rules = f" (rules of {dead.rules})" if dead.rules else ""
    return f"{location}: error dead-link: {dead.message}{rules}{advice}"


def describe_link(document: Document, link: Link) -> dict[str, object]:
    names = ("line", "column", "start", "end", "kind", "written", "destination")
    values = {name: getattr(link, name) for name in names}
    target = None if link.target is None else str(link.target)
    return {"file": document.name, **values, "target": target}
