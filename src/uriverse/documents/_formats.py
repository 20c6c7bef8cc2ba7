"""The formats of documents, and how their names and files are recognized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from os import PathLike, fspath
from pathlib import PurePath
from typing import NamedTuple, TypeAlias, get_args

from uriverse._quoting import quoted
from uriverse.typing import DocumentFormat

from ._found import Found

Finder: TypeAlias = Callable[[str], Iterable[Found]]


class Format(NamedTuple):
    """A format.

    Attributes:
        module: the module in this package that finds the destinations.
        suffixes: the suffixes of file names, in lower case.
        find: the name of the function in the module.
    """

    module: str
    suffixes: tuple[str, ...]
    find: str = "find"


FORMATS: dict[DocumentFormat, Format] = {
    "markdown": Format("_markdown", (".md", ".markdown", ".mdown", ".mkd")),
    "html": Format("_html", (".html", ".htm")),
    "css": Format("_css", (".css",)),
    "xml": Format("_xml", (".xml", ".rss", ".atom", ".opml")),
    "json": Format("_json", (".json", ".jsonl", ".ndjson")),
    "har": Format("_json", (".har",), "find_in_archive"),
    "turtle": Format("_rdf", (".ttl", ".nt", ".nq", ".trig")),
    "text": Format("_text", (".txt", ".text")),
    "restructuredtext": Format("_text", (".rst", ".rest")),
    "asciidoc": Format("_text", (".adoc", ".asciidoc", ".asc")),
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
    module = import_module(f".{known.module}", __package__)
    finder: Finder = getattr(module, known.find)
    return finder
