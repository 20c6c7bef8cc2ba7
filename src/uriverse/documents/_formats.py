"""The formats of documents, and how their names and files are recognized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike, fspath
from pathlib import PurePath
from typing import NamedTuple, TypeAlias, get_args

from uriverse._quoting import quoted
from uriverse.typing import DocumentFormat

from ._css import find as find_css
from ._found import Found
from ._html import find as find_html
from ._json import find as find_json
from ._json import find_in_archive
from ._markdown import find as find_markdown
from ._rdf import find as find_rdf
from ._text import find as find_text
from ._text import find_in_asciidoc
from ._xml import find as find_xml

Finder: TypeAlias = Callable[[str], Iterable[Found]]


class Format(NamedTuple):
    """A format.

    Attributes:
        find: the function that finds the destinations.
        suffixes: the suffixes of file names, in lower case.
    """

    find: Finder
    suffixes: tuple[str, ...]


FORMATS: dict[DocumentFormat, Format] = {
    "markdown": Format(find_markdown, (".md", ".markdown", ".mdown", ".mkd")),
    "html": Format(find_html, (".html", ".htm")),
    "css": Format(find_css, (".css",)),
    "xml": Format(find_xml, (".xml", ".rss", ".atom", ".opml")),
    "json": Format(find_json, (".json", ".jsonl", ".ndjson")),
    "har": Format(find_in_archive, (".har",)),
    "turtle": Format(find_rdf, (".ttl", ".nt", ".nq", ".trig")),
    "text": Format(find_text, (".txt", ".text")),
    "restructuredtext": Format(find_text, (".rst", ".rest")),
    "asciidoc": Format(find_in_asciidoc, (".adoc", ".asciidoc", ".asc")),
}
BY_SUFFIX: dict[str, DocumentFormat] = {
    suffix: name for name, each in FORMATS.items() for suffix in each.suffixes
}


def format_of(path: str | PathLike[str], /) -> DocumentFormat | None:
    """Return the format of a file by the suffix of its name, or `None` if it is unknown.

    >>> format_of("docs/index.md"), format_of("logo.png")
    ('markdown', None)
    """
    return BY_SUFFIX.get(PurePath(fspath(path)).suffix.lower())


def finder_of(name: DocumentFormat) -> Finder:
    """Return the function that finds the destinations in documents of a format."""
    known = FORMATS.get(name)
    if known is None:
        formats = ", ".join(get_args(DocumentFormat))
        raise ValueError(f"unknown format {quoted(name)}; use {formats}")
    return known.find
