"""The formats of documents, and how their names and files are recognized."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
        load: returns the function that finds the destinations. It imports the module.
        suffixes: the suffixes of file names, in lower case.
    """

    load: Callable[[], Finder]
    suffixes: tuple[str, ...]


def load_markdown() -> Finder:
    """Import the Markdown parser."""
    from ._markdown import find

    return find


def load_text() -> Finder:
    """Import the search in running text."""
    from ._text import find

    return find


FORMATS: dict[DocumentFormat, Format] = {
    "markdown": Format(load_markdown, (".md", ".markdown", ".mdown", ".mkd")),
    "text": Format(load_text, (".txt", ".text")),
    "restructuredtext": Format(load_text, (".rst", ".rest")),
    "asciidoc": Format(load_text, (".adoc", ".asciidoc", ".asc")),
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
    return known.load()
