"""Files and folders, their pages on a site, its generator, and the anchors in them."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from uriverse_links._anchors import anchors_of
from uriverse_links._destinations import DocumentFormat
from uriverse_links._links import finder_of, format_of

from .document_files import Document, Documents
from .output import UnreadableError
from .placeholders import PLACEHOLDER

#: The path of a file or a folder: the root of the file system, and names.
Parts = tuple[str, ...]

#: The files that stand for their folder.
INDEXES = ("index.html", "index.htm", "index.md", "README.md")

#: The suffixes of the sources of pages. A site may publish `guide.md` as `guide` or `guide.html`.
PAGES = (".html", ".htm", ".md", ".rst", ".adoc", ".ipynb")


class Generator(NamedTuple):
    """A generator of sites: its name, its folder of sources, and whether links may be labels."""

    name: str
    sources: str = ""
    has_labels: bool = False


#: The generators by the names of their configuration files; the first one counts.
GENERATORS = {
    "myst.yml": Generator("MyST", has_labels=True),
    "_toc.yml": Generator("Jupyter Book", has_labels=True),
    "conf.py": Generator("Sphinx", has_labels=True),
    "mkdocs.yml": Generator("MkDocs", "docs"),
    "book.toml": Generator("mdBook", "src"),
    "_config.yml": Generator("Jekyll"),
}
SOURCES = re.compile(r"(?m)^(?:docs_dir|src)[ ]*[:=][ ]*[\"']?([^\"'\n#]+)")
#: The labels of MyST: `(label)=`, `.. _label:`, options and fields such as `:name: label`, the
#: attribute `{#label}`, and those of equations. The lines of notebooks are strings.
LABEL = re.compile(
    r"(?m:^[ \t>\"]*+(?:\(([^()\n]+)\)=|\.\. _([^\n:]+):|(?:#\|[ ]*+|:)?+(?:name|label):"
    r"[ ]*+[\"']?+([^\s\"'\\]+)))|\{[^{}\n#]*+#([\w:.-]+)|\"label\":[ ]*+\"([^\"\n]+)"
    r"|\$\$[ ]*+\(([^()\n]+)\)|\\label\{([^{}\n]+)\}"
)
#: Content whose anchors only a generator knows: included documents, templates, and objects in code.
BUILT = re.compile(
    r"(?m:^[ \t]*+(?:--8<--|\{[{%]|:::[ ]\w|[`:~]{3,}\{(?:include|eval-rst|auto|py:|glossary)))"
)


class Project:
    """The folder with the sources of a site, and its generator."""

    def __init__(self, generator: Generator, folder: Parts) -> None:
        self.generator = generator
        self.folder = folder

    @cached_property
    def texts(self) -> dict[Parts, str]:
        """The sources, by path."""
        folder = Path(*self.folder)
        paths = [Path(document.name) for document in Documents(()).list_folder(str(folder))]
        return {path.parts: read_text(path) for path in [*paths, *folder.rglob("*.ipynb")]}

    @cached_property
    def labels(self) -> frozenset[str]:
        """The labels of documents and of pages without a source, as identifiers."""
        texts = [*self.texts.values(), "(genindex)=\n(modindex)=\n(search)=\n"]
        names = ["".join(name) for text in texts for name in LABEL.findall(text)]
        return frozenset(map(make_identifier, names if self.generator.has_labels else ()))

    def has_anchor(self, page: Parts, name: str, anchors: frozenset[str]) -> bool:
        """Return whether a page with some anchors may have another anchor or label."""
        # A label with a dot is the name of an object in code.
        if (self.generator.has_labels and "." in name) or BUILT.search(self.texts.get(page, "")):
            return True
        return make_identifier(name) in {*map(make_identifier, anchors), *self.labels} - {""}

    def list_including(self, path: Parts) -> list[Parts]:
        """Return the documents that may include another one, at which its links then start."""
        lines = [(page, line) for page, text in self.texts.items() for line in text.splitlines()]
        return [page for page, line in lines if path[-1] in line and BUILT.match(line)]


def read_text(path: Path) -> str:
    """Return the text of a file, or nothing if it cannot be read."""
    with suppress(OSError):
        return path.read_text("utf-8", "replace")
    return ""


def make_identifier(name: str) -> str:
    """Return what the anchors and labels that generators make from a name have in common."""
    folded = normalize("NFKD", name.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")


class Tree:
    """Lists each folder once, and reads each document once.

    The case of letters matters, also if the file system ignores it.
    """

    def __init__(self) -> None:
        self._names: dict[Parts, frozenset[str]] = {}
        self._anchors: dict[Parts, frozenset[str] | None] = {}
        #: The sites, by the folder of their sources.
        self.projects: dict[Parts, Project] = {}

    def names(self, folder: Parts) -> frozenset[str]:
        """Return the names in a folder, or nothing if it cannot be listed."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(Path(*folder)))  # noqa: PTH208
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def find_project(self, path: Parts, limit: Parts) -> Project | None:
        """Return the innermost project with a document, not above the folder `limit`."""
        for length in range(len(path) - 1, len(limit) - 1, -1):
            folder = Path(*path[:length])
            for config in [name for name in GENERATORS if name in self.names(path[:length])]:
                generator = GENERATORS[config]
                setting = generator.sources and SOURCES.search(read_text(folder / config))
                sources = setting[1].strip() if setting else generator.sources
                root = Path(os.path.normpath(folder / sources)).parts
                if path[: len(root)] == root:
                    return self.projects.setdefault(root, Project(generator, root))
        return None

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
        stems = [name, stem] if suffix in {".html", ".htm"} else [name]
        stems += ["README"] if stem == "index" else []
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
        # The anchors of a template are unknown, and so are those behind a redirect.
        is_template = form == "html" and PLACEHOLDER.search(text)
        found = None if is_template else anchors_of(text, form)
        if found is not None and any(each.kind == "redirect" for each in finder_of(form)(text)):
            found = None
        if found and form == "markdown":
            found |= {anchor.lower() for anchor in found}
        self._anchors[path] = found
