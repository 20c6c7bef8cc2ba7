"""Files and folders, their pages on a site, and the anchors in them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from uriverse.documents import format_of
from uriverse.documents._anchors import anchors_of

from .document_files import Document
from .output import UnreadableError
from .placeholders import PLACEHOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.typing import DocumentFormat

    #: The path of a file or a folder: the root of the file system, and names.
    Parts = tuple[str, ...]

#: The files that stand for their folder.
INDEXES = ("index.html", "index.htm", "index.md", "README.md")

#: The suffixes of the sources of pages. A site may publish `guide.md` as `guide` or `guide.html`.
PAGES = (".html", ".htm", ".md", ".rst", ".adoc")


class Tree:
    """Lists each folder once, and reads each document once.

    The case of letters matters, also if the file system ignores it.
    """

    def __init__(self) -> None:
        self._names: dict[Parts, frozenset[str]] = {}
        self._anchors: dict[Parts, frozenset[str] | None] = {}

    def names(self, folder: Parts) -> frozenset[str]:
        """Return the names in a folder, or nothing if it cannot be listed."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(Path(*folder)))  # noqa: PTH208
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def missing(self, path: Parts, known: Parts) -> int | None:
        """Return the index of the first name in a path that does not exist, or `None`.

        Args:
            path: the path.
            known: a path that exists.
        """
        is_known = True
        for index, name in enumerate(path):
            is_known = is_known and known[index : index + 1] == (name,)
            if not is_known and name not in self.names(path[:index]):
                return index
        return None

    def has_page(self, path: Parts, known: Parts) -> bool:
        """Return whether a site may publish a source under a path."""
        *folder, name = path
        stem, suffix = os.path.splitext(name)  # noqa: PTH122
        stems = (name, stem) if suffix in {".html", ".htm"} else (name,)
        sources = ((*folder, f"{each}{page}") for each in stems for page in PAGES)
        return any(self.missing(source, known) is None for source in sources)

    def file(self, path: Parts) -> Parts | None:
        """Return the file that a path stands for: itself, or the index of a folder."""
        if not os.path.isdir(Path(*path)):  # noqa: PTH112 - no error if the path is too long
            return path
        return next(((*path, name) for name in INDEXES if name in self.names(path)), None)

    def anchors(self, path: Parts) -> frozenset[str] | None:
        """Return the anchors of a file, or `None` if they are unknown.

        The anchors of Markdown are also returned in lower case.
        """
        if path not in self._anchors:
            name = str(Path(*path))
            form = format_of(name)
            self._anchors[path] = None
            if form == "markdown" or form == "html":  # noqa: PLR1714 - for type checkers
                with suppress(UnreadableError):
                    self.add(path, Document(name, form).read().text, form)
        return self._anchors[path]

    def add(self, path: Parts, text: str, form: DocumentFormat) -> None:
        """Add a file that has been read, with its format."""
        # The anchors of a template are unknown.
        is_template = form == "html" and PLACEHOLDER.search(text)
        found = None if is_template else anchors_of(text, form)
        if found and form == "markdown":
            found |= {anchor.lower() for anchor in found}
        self._anchors[path] = found
