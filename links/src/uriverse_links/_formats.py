"""The formats of documents, and how their names and files are recognized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike, fspath
from pathlib import PurePath
from typing import NamedTuple, TypeAlias, get_args

from . import _css, _html, _json, _markdown, _rdf, _text, _xml
from ._destinations import DocumentFormat, Found, quote

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
    "markdown": Format(_markdown.find, (".md", ".markdown", ".mdown", ".mkd")),
    "html": Format(_html.find, (".html", ".htm")),
    "css": Format(_css.find, (".css",)),
    "xml": Format(_xml.find, (".xml", ".rss", ".atom", ".opml")),
    "json": Format(_json.find, (".json", ".jsonl", ".ndjson")),
    "har": Format(_json.find_in_archive, (".har",)),
    "turtle": Format(_rdf.find, (".ttl", ".nt", ".nq", ".trig")),
    "text": Format(_text.find, (".txt", ".text")),
    "restructuredtext": Format(_text.find, (".rst", ".rest")),
    "asciidoc": Format(_text.find_in_asciidoc, (".adoc", ".asciidoc", ".asc")),
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
        raise ValueError(f"unknown format {quote(name)}; use {formats}")
    return known.find
